//! Describes an agent, a program that holds conversations: its flags, its subcommands, and where it keeps
//! conversations.
//!
//! `rules/` has one description for each agent; `agent_line` makes a command line of it.

use super::conversation_files::ConversationFiles;

/// How many words a flag takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Takes {
    Nothing,
    One,
    /// One, if the next word is not a flag.
    Maybe,
    /// All up to the next flag.
    Many,
}

/// Whether a flag is given again, and what it means for the conversation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FlagUse {
    /// It is given again.
    Keep,
    /// It would do something again, or has had its effect.
    Drop,
    /// Its value is the conversation's id.
    Id,
    /// It names the conversation and is given again.
    Names,
    /// It went on with the latest conversation.
    Latest,
    /// It went on with a copy: the id given is not the conversation's.
    Fork,
}

/// A flag of a program.
pub(super) struct Flag(
    pub(super) &'static [&'static str],
    pub(super) Takes,
    pub(super) FlagUse,
);

/// The meaning of words that are not flags.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Words {
    /// A prompt, left out.
    Prompt,
    /// Files and directories, given again.
    Files,
}

/// What the words that are not flags ask the agent to do.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Asked {
    /// A conversation: a new one, or the one that flags name.
    Talk,
    /// One answer: the words are a prompt, even if the agent otherwise takes files.
    Once,
    /// The conversation with this id.
    Id(String),
    /// The latest conversation of the directory.
    Latest,
    /// Something without a conversation, such as `login`.
    Other,
}

/// An agent. Fields are static, so that each agent is one table.
pub(super) struct Agent {
    pub(super) flags: &'static [Flag],
    pub(super) words: Words,
    pub(super) asked: fn(&[String]) -> Asked,
    /// The words before a conversation's id.
    pub(super) by_id: &'static [&'static str],
    /// The words that resume the latest conversation of a directory, where the agent has no ids that could be found.
    pub(super) latest: Option<&'static [&'static str]>,
    /// The words that make the agent show a list of conversations.
    pub(super) choose: &'static [&'static str],
    /// The files from which the id of a conversation is read.
    pub(super) files: Option<&'static ConversationFiles>,
}

/// Whether the first word is one of these names.
pub(super) fn begins(words: &[String], names: &[&str]) -> bool {
    words
        .first()
        .is_some_and(|word| names.contains(&word.as_str()))
}
