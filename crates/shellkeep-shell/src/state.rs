//! The state of a shell as it is stored: named sections of text, which the shell wrote. Only the shell's own module
//! interprets them.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
use std::path::{Path, PathBuf};

use nix::sys::termios::Termios;

use crate::session_variables::is_outside;
use crate::shell::Shell;
use crate::terminal;
use crate::words::{quote, unquote};

/// The first line of a kept state.
const MAGIC: &[u8] = b"shellkeep shell state 1\n";
/// Larger than any section. A file that claims more is not one of ours.
const MAX_SECTION: usize = 1 << 30;

/// The state that a shell wrote.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShellState {
    shell: Shell,
    sections: BTreeMap<String, Vec<u8>>,
}

/// Why a state cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum StateError {
    /// It is not a state, or a damaged one.
    #[error("the shell's state is damaged: {0}")]
    Damaged(&'static str),
    /// Another shell wrote it.
    #[error(
        "the variables, functions and aliases of {shell} did not return{}",
        if *.has_line { ", nor did the half-typed line" } else { "" }
    )]
    OtherShell {
        /// The shell that wrote it.
        shell: &'static str,
        /// It contains a half-typed line.
        has_line: bool,
    },
    /// It was written by a later version.
    #[error("the shell's state is of a later version")]
    Later,
    /// A file could not be read or written.
    #[error(transparent)]
    Io(#[from] std::io::Error),
}

impl ShellState {
    pub(crate) fn new(shell: Shell) -> Self {
        Self {
            shell,
            sections: BTreeMap::new(),
        }
    }

    /// The kind of shell that wrote the state and can read it again.
    #[must_use]
    pub const fn shell(&self) -> Shell {
        self.shell
    }

    pub(crate) fn section(&self, name: &str) -> &[u8] {
        self.sections.get(name).map_or(&[], Vec::as_slice)
    }

    pub(crate) fn set(&mut self, name: &str, bytes: Vec<u8>) {
        self.sections.insert(name.to_owned(), bytes);
    }

    pub(crate) fn take(&mut self, name: &str) -> Option<Vec<u8>> {
        self.sections.remove(name)
    }

    /// The variables of the terminal and the session that the shell has set itself.
    fn own(&self) -> impl Iterator<Item = &str> {
        let lines = self.section("own").split(|byte| *byte == b'\n');
        let lines = lines.filter_map(|line| std::str::from_utf8(line).ok());
        lines.filter(|line| !line.is_empty())
    }

    /// Whether the shell has set or unset any of them.
    pub(crate) fn has_any_own(&self) -> bool {
        self.own().next().is_some()
    }

    /// Whether the shell has set a variable itself, and did not get it from the terminal or the session.
    pub(crate) fn has_own(&self, name: &str) -> bool {
        !is_outside(name) || self.own().any(|own| own == name)
    }

    /// Variables of the terminal and the session that the shell has unset.
    pub(crate) fn thrown_away(&self) -> impl Iterator<Item = &str> {
        self.own().filter_map(|line| line.strip_prefix('-'))
    }

    /// Records the terminal's settings for programs. The shell cannot report them, because its line editor changes them
    /// at the prompt.
    pub fn set_terminal(&mut self, settings: Termios) {
        if let Some(settings) = terminal::for_programs(self.shell, settings) {
            self.set("terminal", terminal::encode(&settings));
        }
    }

    /// Records when the state was requested, in milliseconds since 1970. Everything that the shell did before is in the
    /// state.
    pub fn set_captured(&mut self, at: u64) {
        self.set("captured", at.to_string().into_bytes());
    }

    /// When the state was requested, if that is recorded.
    #[must_use]
    pub fn captured(&self) -> Option<u64> {
        let text = std::str::from_utf8(self.section("captured")).ok()?;
        text.parse().ok()
    }

    /// Removes the half-typed line. If the shell went on after it wrote the state, the line may have been run since.
    pub fn forget_line(&mut self) {
        self.sections.remove("line");
    }

    /// The working directory when the state was written, or as replaced by [`Self::set_directory`].
    #[must_use]
    pub fn directory(&self) -> PathBuf {
        let cwd = unquote(self.fact("cwd").unwrap_or_default());
        PathBuf::from(OsString::from_vec(cwd))
    }

    /// Replaces the directory in which the shell is revived.
    pub fn set_directory(&mut self, directory: &Path) {
        let line = [b"cwd ", &quote(directory.as_os_str().as_bytes())[..]].concat();
        // A fact is one line, so a directory with a line break in its name cannot be set.
        if line.contains(&b'\n') {
            return;
        }
        let lines = self.section("begin").split(|byte| *byte == b'\n');
        let lines = lines.map(|old| match old.starts_with(b"cwd ") {
            true => line.as_slice(),
            false => old,
        });
        let begin = lines.collect::<Vec<_>>().join(&b'\n');
        self.set("begin", begin);
    }

    /// The value of a line in the first section.
    pub(crate) fn fact(&self, name: &str) -> Option<&[u8]> {
        let lines = self.section("begin").split(|byte| *byte == b'\n');
        lines
            .filter_map(|line| line.strip_prefix(name.as_bytes())?.strip_prefix(b" "))
            .next()
    }

    /// Whether the first section has this line.
    pub(crate) fn fact_line(&self, line: &str) -> bool {
        let mut lines = self.section("begin").split(|byte| *byte == b'\n');
        lines.any(|found| found == line.as_bytes())
    }

    /// Parses an answer; `None` while its last line is missing.
    pub(crate) fn parse_answer(bytes: &[u8], nonce: &str) -> Option<Self> {
        let mark = format!("#shellkeep {nonce} ");
        let mut sections: Vec<(String, Vec<u8>)> = Vec::new();
        for line in bytes.split_inclusive(|byte| *byte == b'\n') {
            // Only a line with the nonce of this request divides sections: a function may contain similar lines.
            match line.strip_prefix(mark.as_bytes()) {
                Some(name) => {
                    let name = String::from_utf8_lossy(name).trim_end().to_owned();
                    sections.push((name, Vec::new()));
                }
                None => sections.last_mut()?.1.extend_from_slice(line),
            }
        }
        (sections.last()?.0 == "end").then_some(())?;
        let mut state = Self {
            shell: Shell::Bash,
            sections: sections.into_iter().collect(),
        };
        state.sections.remove("end");
        let name = String::from_utf8_lossy(state.fact("shell")?).into_owned();
        state.shell = Shell::named(&name)?;
        Some(state)
    }

    /// The bytes to store.
    #[must_use]
    pub fn encode(&self) -> Vec<u8> {
        let mut out = MAGIC.to_vec();
        out.extend_from_slice(format!("{}\n", self.shell.name()).as_bytes());
        for (name, bytes) in &self.sections {
            out.extend_from_slice(format!("{name} {}\n", bytes.len()).as_bytes());
            out.extend_from_slice(bytes);
            out.push(b'\n');
        }
        out.extend_from_slice(b"end 0\n\n");
        out
    }

    /// Reads what [`ShellState::encode`] wrote.
    ///
    /// # Errors
    /// When it is damaged, or of a later version.
    pub fn decode(bytes: &[u8]) -> Result<Self, StateError> {
        let Some(rest) = bytes.strip_prefix(MAGIC) else {
            let is_later = bytes.starts_with(b"shellkeep shell state ");
            return Err(if is_later {
                StateError::Later
            } else {
                StateError::Damaged("it begins with something else")
            });
        };
        let (shell, mut rest) = line(rest)?;
        let shell = Shell::named(shell).ok_or(StateError::Damaged("its shell is unknown"))?;
        let mut state = Self::new(shell);
        loop {
            let (header, after) = line(rest)?;
            let (name, length) = header
                .split_once(' ')
                .ok_or(StateError::Damaged("a section has no length"))?;
            let length: usize = length
                .parse()
                .map_err(|_| StateError::Damaged("a length is not a number"))?;
            if length > MAX_SECTION || after.len() <= length || after[length] != b'\n' {
                return Err(StateError::Damaged("it is cut off"));
            }
            if name == "end" {
                return Ok(state);
            }
            state.set(name, after[..length].to_vec());
            rest = &after[length + 1..];
        }
    }
}

fn line(bytes: &[u8]) -> Result<(&str, &[u8]), StateError> {
    let end = bytes
        .iter()
        .position(|byte| *byte == b'\n')
        .ok_or(StateError::Damaged("it is cut off"))?;
    let text = std::str::from_utf8(&bytes[..end])
        .map_err(|_| StateError::Damaged("a name is not text"))?;
    Ok((text, &bytes[end + 1..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn example() -> ShellState {
        let answer = b"#shellkeep 12ab begin\nshell bash\nstatus 3\n#shellkeep 12ab names\n#shellkeep 99 end\n\xff\n#shellkeep 12ab end\n";
        ShellState::parse_answer(answer, "12ab").unwrap()
    }

    #[test]
    fn parse_answer_divides_by_its_own_nonce_only() {
        let state = example();
        assert_eq!(state.section("names"), b"#shellkeep 99 end\n\xff\n");
        assert_eq!(state.fact("status"), Some(&b"3"[..]));
        assert_eq!(state.shell(), Shell::Bash);
    }

    #[test]
    fn answer_without_its_end_is_incomplete() {
        assert!(ShellState::parse_answer(b"#shellkeep 1 begin\nshell bash\n", "1").is_none());
        assert!(ShellState::parse_answer(b"", "1").is_none());
        assert!(ShellState::parse_answer(b"#shellkeep 1 end\n", "1").is_none());
    }

    #[test]
    fn decode_of_encode_is_the_same() {
        let state = example();
        assert_eq!(ShellState::decode(&state.encode()).unwrap(), state);
    }

    #[test]
    fn captured_state_knows_when_and_forgets_its_line() {
        let answer =
            b"#shellkeep 1 begin\nshell zsh\ncwd '/old place'\nstatus 3\n#shellkeep 1 end\n";
        let mut state = ShellState::parse_answer(answer, "1").unwrap();
        assert_eq!(state.captured(), None);
        state.set("line", b"3\nabc".to_vec());
        state.set_captured(1_700_000_000_123);
        state.forget_line();
        assert_eq!(state.directory(), Path::new("/old place"));
        state.set_directory(Path::new("/it's new"));
        let state = ShellState::decode(&state.encode()).unwrap();
        assert_eq!(state.captured(), Some(1_700_000_000_123));
        assert_eq!(state.section("line"), b"");
        assert_eq!(state.fact("cwd"), Some(&b"'/it'\\''s new'"[..]));
        assert_eq!(state.fact("status"), Some(&b"3"[..]));
    }

    #[test]
    fn decode_of_anything_cut_off_is_damage() {
        let whole = example().encode();
        for end in 0..whole.len() {
            assert!(ShellState::decode(&whole[..end]).is_err(), "cut at {end}");
        }
        assert!(matches!(
            ShellState::decode(b"shellkeep shell state 2\n"),
            Err(StateError::Later)
        ));
    }

    #[test]
    fn decode_of_random_bytes_is_a_state_or_damage() {
        let words: [&[u8]; 8] = [
            b"bash\n",
            b"zsh\n",
            b"x 3\nabc\n",
            b"end 0\n\n",
            b"line ",
            b"18446744073709551615\n",
            b"\n",
            b"\xff",
        ];
        let mut seed = 88_172_645_463_325_252_u64;
        let mut next = |most: usize| {
            seed ^= seed << 13;
            seed ^= seed >> 7;
            seed ^= seed << 17;
            (seed >> 11) as usize % most
        };
        let mut good = 0;
        for _ in 0..20_000 {
            let mut bytes = MAGIC.to_vec();
            for _ in 0..next(12) {
                match next(4) {
                    0 => bytes.push(next(256) as u8),
                    _ => bytes.extend_from_slice(words[next(words.len())]),
                }
            }
            if let Ok(state) = ShellState::decode(&bytes) {
                assert_eq!(ShellState::decode(&state.encode()).unwrap(), state);
                good += 1;
            }
        }
        assert!(good > 10, "{good} of them were states");
    }
}
