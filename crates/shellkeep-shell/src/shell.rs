//! The shells that have an integration.

use std::path::Path;

/// A shell whose state can be captured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shell {
    /// GNU bash, from 4.4 on.
    Bash,
    /// Zsh, from 5.8 on.
    Zsh,
    /// Fish, from 3.0 on.
    Fish,
}

/// The signal that makes a shell look for a request. Programs that do not handle it ignore it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wake {
    /// SIGWINCH, the only signal that bash handles while it waits at its prompt.
    WindowChange,
    /// SIGURG.
    Urgent,
}

impl Shell {
    /// The shell of a program, by its name: `/usr/local/bin/bash` and `-zsh` are shells.
    #[must_use]
    pub fn of(program: &Path) -> Option<Self> {
        let name = program.file_name()?.to_str()?;
        let name = name.strip_prefix('-').unwrap_or(name);
        match name {
            "bash" => Some(Self::Bash),
            "zsh" => Some(Self::Zsh),
            "fish" => Some(Self::Fish),
            _ => None,
        }
    }

    /// The name of the program, as stored in a state.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Bash => "bash",
            Self::Zsh => "zsh",
            Self::Fish => "fish",
        }
    }

    pub(crate) fn named(name: &str) -> Option<Self> {
        let all = [Self::Bash, Self::Zsh, Self::Fish];
        all.into_iter().find(|shell| shell.name() == name)
    }

    /// The signal to send after a request was made.
    #[must_use]
    pub const fn signal(self) -> Wake {
        match self {
            Self::Bash => Wake::WindowChange,
            Self::Zsh | Self::Fish => Wake::Urgent,
        }
    }

    /// The key that makes a shell at its prompt write its half-typed line, if that is not part of the state. Fish 4
    /// parses escape sequences itself, so there it is a character that no keyboard sends.
    #[must_use]
    pub const fn line_key(self) -> Option<&'static [u8]> {
        match self {
            Self::Bash => Some(b"\x1b[7701;1~"),
            Self::Fish => Some("\u{10f701}".as_bytes()),
            Self::Zsh => None,
        }
    }

    /// The key that makes a revived shell restore the half-typed line.
    pub(crate) const fn put_key(self) -> &'static [u8] {
        match self {
            Self::Bash | Self::Zsh => b"\x1b[7701;2~",
            Self::Fish => "\u{10f702}".as_bytes(),
        }
    }
}
