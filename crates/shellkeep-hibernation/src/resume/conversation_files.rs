//! Finds the conversation of a pane among the files in which an agent keeps its conversations.

use super::lookup::{FoundFile, Lookup};
use super::program::Program;
use crate::priority::Millis;

/// Where an agent keeps its conversations, and how to find the pane to which a file belongs.
pub(super) struct ConversationFiles {
    /// The base directory: a variable, the path that follows its value, and the path below `HOME` if it is not set.
    pub(super) base: (&'static str, &'static str, &'static str),
    /// The directory below the base: `{cwd}` stands for the working directory as Claude Code spells it.
    pub(super) below: &'static str,
    /// The names of conversations' files.
    pub(super) pattern: &'static str,
    /// Where in its path the conversation's id is.
    pub(super) id: IdIn,
    /// How a file names the working directory of its conversation.
    pub(super) cwd: CwdIn,
}

/// Which part of a path is the id.
pub(super) enum IdIn {
    /// The name, which is nothing else than a UUID.
    Name,
    /// The end of the name: a UUID.
    NameEnd,
    /// The name, with this beginning.
    NameBeginning(&'static str),
    /// The directory that the file is in: a UUID.
    Directory,
}

/// How a file names the working directory of its conversation.
pub(super) enum CwdIn {
    /// Its path contains it.
    Path,
    /// This key of the JSON at its beginning.
    Key(&'static str),
    /// Not in a form that is read here, so each match is a guess.
    Nowhere,
}

/// The result of a search for a pane's conversation.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Conversation {
    /// The conversation with this id, for certain.
    Sure(String),
    /// Probably the conversation with this id.
    Guess(String),
    /// Several panes share the directory, and it is unknown which conversation belongs to which.
    Several,
    /// No conversation was written since the program started.
    None,
}

/// Whether the program went on with an earlier conversation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Begun {
    /// It began a new conversation.
    Anew,
    /// It went on with the latest conversation of the directory.
    WithLatest,
}

/// An agent writes its file at most this long before or after it prints, in milliseconds.
const MAX_WRITE_DELAY: Millis = 10_000;

/// Only the newest files are read, so that a large archive of conversations does not delay the wake.
const MAX_FILES_READ: usize = 64;

struct KnownConversation {
    id: String,
    modified: Millis,
    is_sure: bool,
}

impl ConversationFiles {
    pub(super) fn find(
        &self,
        program: &Program<'_>,
        begun: Begun,
        lookup: &dyn Lookup,
    ) -> Conversation {
        let Some(directory) = self.directory(program) else {
            return Conversation::None;
        };
        let mut files = lookup.newest_files(&directory, self.pattern);
        files.sort_by_key(|file| std::cmp::Reverse(file.modified));
        let known = files
            .iter()
            .take(MAX_FILES_READ)
            .filter_map(|file| self.known(file, program, lookup));
        let since: Vec<_> = known
            .filter(|one| begun == Begun::WithLatest || one.modified >= program.started)
            .collect();
        if program.rivals.is_empty() {
            alone(&since, program)
        } else {
            among_rivals(&since, program)
        }
    }

    fn directory(&self, program: &Program<'_>) -> Option<String> {
        let (variable, within, usual) = self.base;
        let base = match program.variable(variable) {
            Some(base) => format!("{}{within}", base.trim_end_matches('/')),
            None => format!("{}/{usual}", program.home()?),
        };
        let below = self.below.replace("{cwd}", &dashed(program.cwd));
        Some(format!("{base}/{below}"))
    }

    fn known(
        &self,
        file: &FoundFile,
        program: &Program<'_>,
        lookup: &dyn Lookup,
    ) -> Option<KnownConversation> {
        let id = self.id.of(&file.path)?;
        let is_sure = match self.cwd {
            CwdIn::Path => true,
            CwdIn::Nowhere => false,
            CwdIn::Key(key) => {
                let head = lookup.head(&file.path).unwrap_or_default();
                match text_of(&head, key) {
                    Some(place) if place != program.cwd => return None,
                    place => place.is_some(),
                }
            }
        };
        let modified = file.modified;
        Some(KnownConversation {
            id,
            modified,
            is_sure,
        })
    }
}

/// The newest conversation that was written while the pane printed: another agent may have gone on in the same
/// directory, in another terminal, after this pane fell quiet.
fn alone(since: &[KnownConversation], program: &Program<'_>) -> Conversation {
    let end = program.last_output.saturating_add(MAX_WRITE_DELAY);
    let mut newest = since.iter().filter(|one| one.modified <= end);
    match newest.next().or_else(|| since.first()) {
        Some(one) if one.is_sure => Conversation::Sure(one.id.clone()),
        Some(one) => Conversation::Guess(one.id.clone()),
        None => Conversation::None,
    }
}

/// The conversation that was written when this pane, and no rival, printed something.
fn among_rivals(since: &[KnownConversation], program: &Program<'_>) -> Conversation {
    let is_near =
        |one: &KnownConversation, moment: Millis| one.modified.abs_diff(moment) <= MAX_WRITE_DELAY;
    let mut own = since.iter().filter(|one| {
        let mut rivals = program.rivals.iter();
        one.is_sure
            && is_near(one, program.last_output)
            && !rivals.any(|rival| is_near(one, rival.last_output))
    });
    match (own.next(), own.next()) {
        (Some(one), None) => Conversation::Sure(one.id.clone()),
        _ if since.is_empty() => Conversation::None,
        _ => Conversation::Several,
    }
}

impl IdIn {
    fn of(&self, path: &str) -> Option<String> {
        let mut parts = path.rsplit('/');
        let name = parts.next()?;
        let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
        let id = match self {
            Self::Name => stem,
            Self::NameEnd => stem.get(stem.len().checked_sub(36)?..)?,
            Self::NameBeginning(beginning) => {
                let is_id = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
                let is_one = stem.starts_with(beginning) && stem.chars().all(is_id);
                return is_one.then(|| stem.to_owned());
            }
            Self::Directory => parts.next()?,
        };
        is_uuid(id).then(|| id.to_owned())
    }
}

/// Whether the text is a UUID with dashes.
pub(super) fn is_uuid(text: &str) -> bool {
    text.len() == 36
        && text.bytes().enumerate().all(|(at, byte)| match at {
            8 | 13 | 18 | 23 => byte == b'-',
            _ => byte.is_ascii_hexdigit(),
        })
}

/// A directory as Claude Code names its folder: everything but letters and digits is a dash.
fn dashed(path: &str) -> String {
    let dash = |c: char| if c.is_ascii_alphanumeric() { c } else { '-' };
    path.chars().map(dash).collect()
}

/// The text under a key, anywhere in JSON that may be cut off. Enough to read a path.
fn text_of(json: &str, key: &str) -> Option<String> {
    let quoted = format!("\"{key}\"");
    let (_, rest) = json.split_once(&quoted)?;
    let rest = rest.trim_start().strip_prefix(':')?.trim_start();
    let mut chars = rest.strip_prefix('"')?.chars();
    let mut text = String::new();
    loop {
        match chars.next()? {
            '"' => return Some(text),
            '\\' => match chars.next()? {
                'n' => text.push('\n'),
                't' => text.push('\t'),
                'u' => {
                    let digits: String = chars.by_ref().take(4).collect();
                    let number = u32::from_str_radix(&digits, 16).ok()?;
                    text.push(char::from_u32(number)?);
                }
                c => text.push(c),
            },
            c => text.push(c),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_read_from_paths() {
        const ID: &str = "0198f1a2-0000-7000-8000-00000000abcd";
        for (id, path, expected) in [
            (IdIn::Name, format!("/x/{ID}.jsonl"), Some(ID)),
            (IdIn::Name, "/x/agent-12.jsonl".to_owned(), None),
            (
                IdIn::NameEnd,
                format!("/x/rollout-2026-01-01T00-00-00-{ID}.jsonl"),
                Some(ID),
            ),
            (IdIn::NameEnd, "/x/rollout.jsonl".to_owned(), None),
            (IdIn::Directory, format!("/x/{ID}/events.jsonl"), Some(ID)),
            (
                IdIn::NameBeginning("ses_"),
                "/x/ses_4Ab.json".to_owned(),
                Some("ses_4Ab"),
            ),
            (
                IdIn::NameBeginning("ses_"),
                "/x/ses_; rm.json".to_owned(),
                None,
            ),
        ] {
            assert_eq!(id.of(&path).as_deref(), expected, "{path}");
        }
    }

    #[test]
    fn texts_are_read_from_json_that_is_cut_off() {
        let json = r#"{"a":1,"payload":{"cwd": "/h/\"x\"\u00e4","more":"#;
        assert_eq!(text_of(json, "cwd").as_deref(), Some("/h/\"x\"ä"));
        assert_eq!(text_of(json, "more"), None);
        assert_eq!(text_of(r#"{"cwd":"/cut"#, "cwd"), None);
        assert_eq!(text_of(r#"{"cwd":7}"#, "cwd"), None);
    }

    #[test]
    fn directories_are_spelled_as_claude_code_does() {
        assert_eq!(dashed("/home/u/my.app_2"), "-home-u-my-app-2");
    }
}
