//! The rules that are built in: one entry a program.
//!
//! The flags are those that the programs' documentation and sources name. They change often: one that is not
//! in a table is kept, and makes the line wait for Enter.

mod aider;
mod amp;
mod claude;
mod codex;
mod copilot;
mod cursor;
mod gemini;
mod goose;
mod opencode;

use super::agent::Agent;
use super::{Call, Lookup, Program, Resume, run, unsent};

/// What a rule does.
#[derive(Clone, Copy)]
pub(super) enum Kind {
    /// A conversation is resumed.
    Agent(&'static Agent),
    /// vim and its kin, by a session file.
    Editor,
    /// The same again: nothing is changed by looking.
    Again(Input),
    /// Typed, and this is why it is not sent.
    Unsent(&'static str),
}

/// What a program shows.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Input {
    /// Files it is given; without any, what is piped into it, which is gone.
    Files,
    /// Whatever it finds by itself.
    Own,
}

/// One program.
pub(super) struct Rule {
    /// Its name, then others it goes by.
    pub(super) names: &'static [&'static str],
    pub(super) kind: Kind,
}

const CONNECTS: &str = "was connected: press Enter to connect again";
const CONTAINS: &str = "worked with containers: press Enter to run it again";

const RULES: &[Rule] = &[
    rule(&["claude", "claude-code"], Kind::Agent(&claude::AGENT)),
    rule(&["codex"], Kind::Agent(&codex::AGENT)),
    rule(&["gemini", "gemini-cli"], Kind::Agent(&gemini::AGENT)),
    rule(&["opencode", "opencode-ai"], Kind::Agent(&opencode::AGENT)),
    rule(&["goose"], Kind::Agent(&goose::AGENT)),
    rule(&["aider", "aider-chat"], Kind::Agent(&aider::AGENT)),
    rule(&["copilot"], Kind::Agent(&copilot::AGENT)),
    rule(&["cursor-agent"], Kind::Agent(&cursor::AGENT)),
    rule(&["amp"], Kind::Agent(&amp::AGENT)),
    rule(&["vim", "nvim", "vi", "view", "vimdiff"], Kind::Editor),
    rule(
        &["less", "more", "most", "tail", "bat"],
        Kind::Again(Input::Files),
    ),
    rule(
        &["man", "top", "htop", "btop", "atop"],
        Kind::Again(Input::Own),
    ),
    rule(&["ssh", "mosh", "telnet", "sftp"], Kind::Unsent(CONNECTS)),
    rule(
        &["psql", "mysql", "mariadb", "redis-cli", "mongosh"],
        Kind::Unsent(CONNECTS),
    ),
    rule(
        &["docker", "podman", "kubectl", "oc"],
        Kind::Unsent(CONTAINS),
    ),
];

const fn rule(names: &'static [&'static str], kind: Kind) -> Rule {
    Rule { names, kind }
}

/// The rule for a program.
pub(super) fn find(name: &str) -> Option<&'static Rule> {
    RULES.iter().find(|rule| rule.names.contains(&name))
}

/// Whether two names are the same program's.
pub(super) fn is_same(one: &str, other: &str) -> bool {
    // What Cursor installs is called by this name as well; alone it says too little for a rule.
    (one, other) == ("cursor-agent", "agent")
        || one == other
        || find(one).is_some_and(|rule| rule.names.contains(&other) && rule.is_one_program())
}

impl Rule {
    fn is_one_program(&self) -> bool {
        matches!(self.kind, Kind::Agent(_))
    }
}

/// Whether the first of the words is one of these.
fn begins(words: &[String], names: &[&str]) -> bool {
    words
        .first()
        .is_some_and(|word| names.contains(&word.as_str()))
}

/// Flags of vim that take the next word.
const VIM_VALUED: &[&str] = &[
    "-c", "--cmd", "-S", "-s", "-w", "-W", "-u", "-U", "-i", "-T", "-t", "-q",
];
/// Of those, the ones that set it up and do nothing to a file.
const VIM_KEPT: &[&str] = &["-u", "-U", "-i", "-T"];

/// vim by its session file. Without one it is typed: opening the files alone is not what was there.
pub(super) fn resume_editor(
    program: &Program<'_>,
    call: &Call,
    lookup: &dyn Lookup,
) -> Option<Resume> {
    let mut kept = Vec::new();
    let mut session = None;
    let mut has_files = false;
    let mut rest = call.parts.args.as_slice();
    while let Some((word, after)) = rest.split_first() {
        rest = after;
        let is_valued = VIM_VALUED.contains(&word.as_str());
        let value = rest.first().filter(|_| is_valued);
        if value.is_some() {
            rest = &rest[1..];
        }
        match (word.as_str(), value) {
            // The text came through a pipe.
            ("-", _) => return None,
            ("-S", Some(file)) => session = Some(file.clone()),
            ("-S", None) => session = Some("Session.vim".to_owned()),
            (flag, Some(value)) if VIM_KEPT.contains(&flag) => {
                kept.extend([word.clone(), value.clone()]);
            }
            // Commands, scripts and places: they would run again, or belong to the files.
            (_, Some(_)) => {}
            (word, None) if word.starts_with('+') => {}
            ("--", None) => {
                has_files = !rest.is_empty();
                break;
            }
            (_, None) if word.starts_with('-') => kept.push(word.clone()),
            _ => has_files = true,
        }
    }
    let usual = || {
        let files = lookup.newest_files(program.cwd, "Session.vim");
        let file = files.first()?;
        // One from long ago says nothing of the files that were opened by name.
        (!has_files || file.modified >= program.started).then(|| "Session.vim".to_owned())
    };
    let session = session.or_else(usual)?;
    let path = match session.starts_with('/') {
        true => session.clone(),
        false => format!("{}/{session}", program.cwd),
    };
    if !lookup.exists(&path) {
        return None;
    }
    let mut args = vec!["-S".to_owned(), session];
    args.append(&mut kept);
    Some(run(call.line(program.shell, &args), None))
}

/// A program that only shows, with the same arguments.
pub(super) fn show_again(program: &Program<'_>, call: &Call, input: Input) -> Option<Resume> {
    let args = &call.parts.args;
    let is_file = |word: &String| !word.starts_with(['-', '+']);
    if input == Input::Files && !args.iter().any(is_file) {
        return None;
    }
    let line = call.line(program.shell, args);
    // less runs shell commands that are among its first ones.
    let acts = |word: &String| word.starts_with('+') && word.contains(['!', '|']);
    if args.iter().any(acts) {
        return Some(unsent(
            line,
            Some("runs a command at its start: press Enter to go on"),
        ));
    }
    Some(run(line, None))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn names_and_flags_are_there_once() {
        let mut names = BTreeSet::new();
        for rule in RULES {
            for name in rule.names {
                assert!(names.insert(name), "{name} is there twice");
            }
            if let Kind::Agent(agent) = rule.kind {
                let mut flags = BTreeSet::new();
                for flag in agent.flags.iter().flat_map(|flag| flag.0) {
                    assert!(
                        flags.insert(flag),
                        "{}: {flag} is there twice",
                        rule.names[0]
                    );
                    assert!(flag.starts_with('-'), "{flag}");
                }
            }
        }
    }

    #[test]
    fn names_of_one_program_are_the_same_and_kin_are_not() {
        assert!(is_same("claude", "claude-code") && is_same("zsh", "zsh"));
        assert!(!is_same("vim", "nvim") && !is_same("less", "more"));
    }
}
