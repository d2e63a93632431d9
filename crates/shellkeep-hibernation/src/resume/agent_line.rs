//! The line that resumes the conversation of an agent: by its id, with the flags that were given, without the prompt.

use super::agent::{Agent, Asked, Flag, FlagUse, Takes, Words};
use super::call::Call;
use super::conversation_files::{Begun, Conversation};
use super::lookup::Lookup;
use super::outcome::{How, Resume, run, unsent};
use super::program::Program;

/// The arguments of an agent, sorted by what they are for.
#[derive(Debug, Default, PartialEq, Eq)]
struct Sorted {
    /// The arguments that are given again, in their order.
    kept: Vec<String>,
    /// The words that are not flags.
    words: Vec<String>,
    id: Option<String>,
    is_named: bool,
    is_latest: bool,
    is_fork: bool,
    has_unknown_flag: bool,
}

pub(super) fn resume(
    program: &Program<'_>,
    call: &Call,
    agent: &Agent,
    lookup: &dyn Lookup,
) -> Option<Resume> {
    let sorted = ask(call, agent)?;
    let line = |front: &[&str], id: Option<&str>| {
        let mut args: Vec<_> = front.iter().map(|word| (*word).to_owned()).collect();
        args.extend(id.map(str::to_owned));
        args.extend_from_slice(&sorted.kept);
        call.line(program.shell, &args)
    };
    let conversation = conversation(program, &sorted, agent, lookup);
    let resumed = match conversation {
        Conversation::Sure(id) => run(line(agent.by_id, Some(&id)), None),
        Conversation::Guess(id) => unsent(
            line(agent.by_id, Some(&id)),
            Some("probably this conversation: press Enter to go on"),
        ),
        Conversation::Several => unsent(
            line(agent.choose, None),
            Some("several panes share this directory: choose the conversation"),
        ),
        Conversation::None if sorted.is_named => run(line(agent.choose, None), None),
        Conversation::None => match agent.latest {
            Some(latest) if program.rivals.is_empty() => run(line(latest, None), None),
            Some(_) => unsent(
                line(agent.choose, None),
                Some("several panes share this directory: choose the conversation"),
            ),
            None => unsent(
                line(agent.choose, None),
                Some("no conversation of this pane was found: press Enter to choose one"),
            ),
        },
    };
    if sorted.has_unknown_flag && resumed.how == How::Run {
        let note = "has a flag that is not known here: press Enter to go on";
        return Some(unsent(resumed.line, Some(note)));
    }
    Some(resumed)
}

/// The id of a program's conversation, if it is certain.
pub(super) fn id(
    program: &Program<'_>,
    call: &Call,
    agent: &Agent,
    lookup: &dyn Lookup,
) -> Option<String> {
    let sorted = ask(call, agent)?;
    match conversation(program, &sorted, agent, lookup) {
        Conversation::Sure(id) => Some(id),
        _ => None,
    }
}

/// The sorted arguments; `None` if they do not ask for a conversation.
fn ask(call: &Call, agent: &Agent) -> Option<Sorted> {
    let mut sorted = sort(&call.parts.args, agent, agent.words);
    match (agent.asked)(&sorted.words) {
        Asked::Other => return None,
        Asked::Once => sorted = sort(&call.parts.args, agent, Words::Prompt),
        Asked::Latest => sorted.is_latest = true,
        // After a flag for the latest conversation the word is a prompt.
        Asked::Id(id) if !sorted.is_latest => sorted.id = Some(id),
        Asked::Id(_) | Asked::Talk => {}
    }
    Some(sorted)
}

fn conversation(
    program: &Program<'_>,
    sorted: &Sorted,
    agent: &Agent,
    lookup: &dyn Lookup,
) -> Conversation {
    if sorted.is_named {
        return Conversation::None;
    }
    if let Some(id) = sorted.id.as_ref().filter(|_| !sorted.is_fork) {
        return Conversation::Sure(id.clone());
    }
    let begun = if sorted.is_latest && !sorted.is_fork {
        Begun::WithLatest
    } else {
        Begun::Anew
    };
    agent.files.map_or(Conversation::None, |files| {
        files.find(program, begun, lookup)
    })
}

/// Sorts arguments into what is given again and what is not.
fn sort(args: &[String], agent: &Agent, words: Words) -> Sorted {
    let mut sorted = Sorted::default();
    let mut rest = args;
    while let Some((word, after)) = rest.split_first() {
        rest = after;
        if word == "--" {
            if words == Words::Files {
                sorted.kept.push(word.clone());
                sorted.kept.extend_from_slice(rest);
            }
            sorted.words.extend_from_slice(rest);
            break;
        }
        if !word.starts_with('-') || word == "-" {
            if words == Words::Files {
                sorted.kept.push(word.clone());
            }
            sorted.words.push(word.clone());
            continue;
        }
        let Some((flag, attached)) = find(word, agent) else {
            // An unknown flag may take the next word. A prompt has blanks, a value seldom has.
            sorted.kept.push(word.clone());
            if words == Words::Prompt && !word.contains('=') {
                sorted.has_unknown_flag = true;
                if let Some(value) = rest
                    .first()
                    .filter(|next| is_value(next) && !next.contains(' '))
                {
                    sorted.kept.push(value.clone());
                    rest = &rest[1..];
                }
            }
            continue;
        };
        let count = match (attached, flag.1) {
            (Some(_), _) | (_, Takes::Nothing) => 0,
            (None, Takes::One) => rest.len().min(1),
            (None, Takes::Maybe) => usize::from(rest.first().is_some_and(|next| is_value(next))),
            (None, Takes::Many) => rest.iter().take_while(|next| is_value(next)).count(),
        };
        let (values, after) = rest.split_at(count);
        rest = after;
        sorted.take(flag, word, attached, values);
    }
    sorted
}

fn is_value(word: &str) -> bool {
    !word.starts_with('-')
}

/// The flag of a word, and the value that is part of it: `--model=x`, `-mx`.
fn find<'a>(word: &'a str, agent: &Agent) -> Option<(&'static Flag, Option<&'a str>)> {
    let named = |name: &str| agent.flags.iter().find(|flag| flag.0.contains(&name));
    if let Some(flag) = named(word) {
        return Some((flag, None));
    }
    if let Some((name, value)) = word
        .split_once('=')
        .filter(|(name, _)| name.starts_with("--"))
    {
        return named(name).map(|flag| (flag, Some(value)));
    }
    if word.starts_with("--") {
        return None;
    }
    let (name, value) = word.split_at_checked(2)?;
    let flag = named(name).filter(|flag| flag.1 != Takes::Nothing)?;
    Some((flag, Some(value)))
}

impl Sorted {
    fn take(&mut self, flag: &Flag, word: &str, attached: Option<&str>, values: &[String]) {
        match flag.2 {
            FlagUse::Keep | FlagUse::Names => {
                self.is_named |= flag.2 == FlagUse::Names;
                self.kept.push(word.to_owned());
                self.kept.extend_from_slice(values);
            }
            FlagUse::Drop => {}
            FlagUse::Id => match attached.or_else(|| values.first().map(String::as_str)) {
                Some("latest") => self.is_latest = true,
                // An index in a list, which has changed since. Without a value the user chose from the list.
                Some(place) if place.len() < 6 && place.bytes().all(|b| b.is_ascii_digit()) => {}
                Some(id) => self.id = Some(id.to_owned()),
                None => {}
            },
            FlagUse::Latest => self.is_latest = true,
            FlagUse::Fork => self.is_fork = true,
        }
    }
}
