//! The built-in rules: which program is resumed in which way, and one file for each agent.
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

/// How a program of the table is resumed.
#[derive(Clone, Copy)]
pub(super) enum Kind {
    /// By the id of its conversation.
    Agent(&'static Agent),
    /// vim and its variants, from a session file.
    Editor,
    /// With the same arguments: the program changes nothing.
    Again(Input),
    /// Typed and not sent, for this reason.
    Unsent(&'static str),
}

/// Where a viewer gets what it shows.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Input {
    /// From files on its command line, else from its standard input.
    Files,
    /// From the system; it needs no arguments.
    Own,
}

/// An entry of the table.
pub(super) struct Rule {
    /// The name of the program, then its other names.
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

/// Whether two names belong to the same program.
pub(super) fn is_same(one: &str, other: &str) -> bool {
    // Cursor also installs itself as `agent`. That name alone is too common for a rule.
    (one, other) == ("cursor-agent", "agent")
        || one == other
        || find(one).is_some_and(|rule| rule.names.contains(&other) && rule.is_one_program())
}

impl Rule {
    fn is_one_program(&self) -> bool {
        matches!(self.kind, Kind::Agent(_))
    }
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
    fn names_of_one_program_are_equal_and_similar_names_are_not() {
        assert!(is_same("claude", "claude-code") && is_same("zsh", "zsh"));
        assert!(!is_same("vim", "nvim") && !is_same("less", "more"));
    }
}
