//! The parts of a state by name, parsed once, because the start of the shell waits for it.

use crate::state::ShellState;
use crate::words::declarations;

/// Variables that depend on the process, the terminal or the time.
const NOT_STATE: &[&str] = &[
    "COLUMNS",
    "EGID",
    "EPOCHREALTIME",
    "EPOCHSECONDS",
    "EUID",
    "GID",
    "HISTCMD",
    "HISTFILE",
    "LINENO",
    "LINES",
    "LOGCHECK",
    "OLDPWD",
    "PPID",
    "PWD",
    "RANDOM",
    "SECONDS",
    "SHLVL",
    "TTY",
    "TTYIDLE",
    "UID",
    "_",
    "status",
    "pipestatus",
    "MATCH",
    "MBEGIN",
    "MEND",
    "REPLY",
    "ZSH_EVAL_CONTEXT",
    "ZSH_ARGZERO",
    "ZSH_EXECUTION_STRING",
    "ZSH_NAME",
    "ZSH_PATCHLEVEL",
    "ZSH_SUBSHELL",
    "ZSH_VERSION",
    "HOST",
    "VENDOR",
    "OSTYPE",
    "MACHTYPE",
    "CPUTYPE",
];
const NOT_STATE_BEGINNINGS: &[&str] = &["SHELLKEEP_", "__shellkeep_"];

/// What a state holds, by name.
pub(super) struct Known<'a> {
    pub(super) state: &'a ShellState,
    /// Declarations, each with its name.
    variables: Vec<(&'a str, &'a [u8])>,
    pub(super) autoloads: Vec<Autoload<'a>>,
    /// `None` if they cannot be separated.
    functions: Option<Vec<(&'a [u8], &'a [u8])>>,
}

/// A function that zsh has not loaded from its file yet.
pub(super) struct Autoload<'a> {
    pub(super) name: &'a [u8],
    pub(super) flags: &'a [u8],
    /// The directory of its file, if that is known.
    pub(super) place: &'a [u8],
}

impl<'a> Known<'a> {
    pub(super) fn of(state: &'a ShellState) -> Self {
        let autoloads = autoloads(state.section("autoloads"));
        Self {
            state,
            variables: variables(state).collect(),
            functions: split(state, &autoloads),
            autoloads,
        }
    }

    pub(super) fn kept(&self) -> impl Iterator<Item = (&'a str, &'a [u8])> {
        kept(self.state, self.variables.iter().copied())
    }

    pub(super) fn find(&self, wanted: &str) -> Option<&'a [u8]> {
        let found = self.variables.iter().find(|(name, _)| *name == wanted);
        found.map(|(_, whole)| *whole)
    }

    /// The functions by name; `None` if they cannot be separated.
    pub(super) fn functions(&self) -> Option<&[(&'a [u8], &'a [u8])]> {
        self.functions.as_deref()
    }

    /// The texts of the wanted functions; all of them if they cannot be separated.
    pub(super) fn texts(&self, is_wanted: impl Fn(&[u8]) -> bool) -> Vec<u8> {
        match &self.functions {
            Some(functions) => {
                let wanted = functions.iter().filter(|(name, _)| is_wanted(name));
                wanted.flat_map(|(_, text)| *text).copied().collect()
            }
            None if is_wanted(b"") => self.state.section("functions").to_vec(),
            None => Vec::new(),
        }
    }
}

/// All declarations of variables: the name, and the whole text.
pub(super) fn variables(state: &ShellState) -> impl Iterator<Item = (&str, &[u8])> {
    let all = declarations(state.section("variables")).into_iter();
    all.filter_map(|whole| Some((name(whole)?, whole)))
}

/// The variables that belong to the state.
pub(super) fn kept<'a>(
    state: &'a ShellState,
    variables: impl Iterator<Item = (&'a str, &'a [u8])>,
) -> impl Iterator<Item = (&'a str, &'a [u8])> {
    let is_ours = |name: &str| NOT_STATE_BEGINNINGS.iter().any(|it| name.starts_with(it));
    variables
        .filter(move |(name, _)| !NOT_STATE.contains(name) && state.has_own(name) && !is_ours(name))
}

/// The name in `typeset -i 10 NAME=...` or `export NAME=...`: the first word that is neither an option nor an option's
/// number.
fn name(whole: &[u8]) -> Option<&str> {
    let mut words = whole.split(|byte| *byte == b' ');
    words.next()?;
    let word = words.find(|word| {
        word.first()
            .is_some_and(|first| *first != b'-' && !first.is_ascii_digit())
    })?;
    std::str::from_utf8(word.split(|byte| *byte == b'=').next()?).ok()
}

/// The lines have the form `name () {`, a comment, `builtin autoload -XUz [directory]`.
fn autoloads(text: &[u8]) -> Vec<Autoload<'_>> {
    let mut name = &[][..];
    let lines = text.split(|byte| *byte == b'\n').filter_map(|line| {
        if let Some(begun) = line.strip_suffix(b" () {") {
            name = begun;
            return None;
        }
        let rest = line.strip_prefix(b"\tbuiltin autoload -X")?;
        let end = rest.iter().position(|byte| *byte == b' ');
        let (flags, place) = rest.split_at(end.unwrap_or(rest.len()));
        Some(Autoload {
            name,
            flags,
            place: place.strip_prefix(b" ").unwrap_or(place),
        })
    });
    lines.collect()
}

/// The text of each function. It begins with `name () {` at the start of a line, and ends where the next one begins. If
/// there are more such lines than functions, one may be part of a text, so the result is `None`. Quoted names are not
/// supported.
fn split<'a>(
    state: &'a ShellState,
    autoloads: &[Autoload<'a>],
) -> Option<Vec<(&'a [u8], &'a [u8])>> {
    let text = state.section("functions");
    let mut begun: Vec<(&[u8], usize)> = Vec::new();
    let mut at = 0;
    for line in text.split_inclusive(|byte| *byte == b'\n') {
        if let Some(name) = line.strip_suffix(b" () {\n")
            && !name.starts_with(b"\t")
        {
            begun.push((name, at));
        }
        at += line.len();
    }
    let names = state.section("names").split(|byte| *byte == b'\n');
    let count = names.filter(|name| !name.is_empty()).count();
    let is_plain = |byte: &u8| !b"'\"\\$ ".contains(byte);
    let is_whole = count == begun.len() + autoloads.len()
        && begun.iter().all(|(name, _)| name.iter().all(is_plain))
        && begun.first().is_none_or(|(_, at)| *at == 0);
    let ends = begun.iter().skip(1).map(|(_, at)| *at).chain([text.len()]);
    let texts = begun.iter().zip(ends);
    is_whole.then(|| {
        texts
            .map(|((name, at), end)| (*name, &text[*at..end]))
            .collect()
    })
}

/// Whether an option of zsh is on.
pub(super) fn option(state: &ShellState, name: &str) -> bool {
    let wanted = format!("{name} on");
    let mut lines = state.section("options").split(|byte| *byte == b'\n');
    lines.any(|line| line == wanted.as_bytes())
}
