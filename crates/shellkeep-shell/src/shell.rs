//! Which shells there are integrations for.

use std::path::Path;

/// A shell that can be asked for its state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shell {
    /// GNU bash.
    Bash,
    /// The Z shell.
    Zsh,
    /// The friendly interactive shell.
    Fish,
}

/// The signal that makes a shell look for a question. Both are ignored by programs that do not know them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wake {
    /// SIGWINCH, the only one bash handles while it waits at its prompt.
    WindowChange,
    /// SIGURG.
    Urgent,
}

impl Shell {
    /// The shell a program is, by its name: `/usr/local/bin/bash` and `-zsh` are shells.
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

    /// Its name.
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

    /// The signal to send after a question was put.
    #[must_use]
    pub const fn signal(self) -> Wake {
        match self {
            Self::Bash => Wake::WindowChange,
            Self::Zsh | Self::Fish => Wake::Urgent,
        }
    }

    /// The key that has a shell at rest tell its half-typed line, if that does not come with the state. Fish 4 takes
    /// escape sequences apart itself, so there it is a character that no keyboard sends.
    #[must_use]
    pub const fn line_key(self) -> Option<&'static [u8]> {
        match self {
            Self::Bash => Some(b"\x1b[7701;1~"),
            Self::Fish => Some("\u{10f701}".as_bytes()),
            Self::Zsh => None,
        }
    }

    /// The bytes that have a revived shell put the half-typed line back.
    pub(crate) const fn put_key(self) -> &'static [u8] {
        match self {
            Self::Bash | Self::Zsh => b"\x1b[7701;2~",
            Self::Fish => "\u{10f702}".as_bytes(),
        }
    }
}
