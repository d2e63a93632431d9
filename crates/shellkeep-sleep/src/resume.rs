//! How a program that was ended with its pane comes back.
//!
//! The safe answer is the command as it was typed, waiting for Enter ([`How::TypeUnsent`]). Only where a rule
//! knows that nothing happens twice is it run ([`How::Run`]): a conversation that is resumed by its id, a
//! pager that shows the same file. One-shot prompts are left out, or they would be asked again.

mod agent;
mod rules;
mod store;
mod user;
mod words;

use crate::priority::Millis;
use crate::quote::Shell;
use rules::Kind;
pub use user::{RuleError, Rules};
use words::{Line, Parts};

/// What happens to the command at revival.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum How {
    /// It is run.
    Run,
    /// It stands at the prompt and waits for Enter.
    TypeUnsent,
}

/// What wakes the pane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WakesOn {
    /// The first key: looking at it starts nothing.
    FirstKey,
    /// Being shown.
    View,
}

/// How a program comes back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Resume {
    /// Whether the line is sent.
    pub how: How,
    /// What to type; empty for nothing.
    pub line: String,
    /// What wakes it.
    pub wakes_on: WakesOn,
    /// What the user should know, in one sentence.
    pub note: Option<String>,
}

/// A program that runs in a pane.
#[derive(Clone, Copy, Debug)]
pub struct Program<'a> {
    /// Its arguments, the program first. Some programs write a title over them.
    pub argv: &'a [String],
    /// Its directory.
    pub cwd: &'a str,
    /// The command line it was started with, where the shell told it.
    pub typed: Option<&'a str>,
    /// Its environment.
    pub environment: &'a [(String, String)],
    /// The shell that will run it again.
    pub shell: Shell,
    /// When it was started.
    pub started: Millis,
    /// When its pane last printed something.
    pub last_output: Millis,
    /// Other panes in which the same program runs in the same directory.
    pub rivals: &'a [Rival],
}

impl Program<'_> {
    fn variable(&self, name: &str) -> Option<&str> {
        let mut pairs = self.environment.iter();
        let value = pairs.find(|(key, _)| key == name).map(|(_, value)| value);
        value.map(String::as_str).filter(|value| !value.is_empty())
    }

    fn home(&self) -> Option<&str> {
        self.variable("HOME")
    }
}

/// The variables of a program's environment that the rules look at.
pub const VARIABLES: &[&str] = &[
    "HOME",
    "CLAUDE_CONFIG_DIR",
    "CODEX_HOME",
    "COPILOT_HOME",
    "CURSOR_DATA_DIR",
    "PATH",
    "XDG_DATA_HOME",
];

/// Whether two panes run the same program in the same directory, so that it cannot be told by the directory alone
/// which conversation is whose.
#[must_use]
pub fn are_rivals(one: &Program<'_>, other: &Program<'_>) -> bool {
    if one.cwd != other.cwd {
        return false;
    }
    let (one, other) = (Call::of(one), Call::of(other));
    one.zip(other).is_some_and(|(one, other)| {
        let (one, other) = (&one.parts.name[..], &other.parts.name[..]);
        rules::is_same(one, other) || rules::is_same(other, one)
    })
}

/// A program's short name, for a sentence: `claude` for `/bin/sh /usr/bin/claude --resume`.
#[must_use]
pub fn name(program: &Program<'_>) -> String {
    let first = program.argv.first().map(String::as_str);
    let first = first.or(program.typed).unwrap_or_default();
    match Call::of(program) {
        Some(call) => call.parts.name,
        None => words::base_name(first).to_owned(),
    }
}

/// A program in a sentence, without what only runs it: `claude --resume` for `/bin/sh /usr/bin/claude --resume`.
#[must_use]
pub fn text(program: &Program<'_>) -> String {
    let text = match words::parts(program.argv) {
        Some(parts) => [&[parts.name][..], &parts.args].concat().join(" "),
        None if program.argv.is_empty() => program.typed.unwrap_or_default().to_owned(),
        None => program.argv.join(" "),
    };
    let printable = |c: char| if c.is_control() { ' ' } else { c };
    let text: String = text.chars().map(printable).collect();
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

/// Longest command told in a sentence, in characters.
const LONGEST: usize = 60;

/// Another pane with the same program in the same directory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rival {
    /// When it last printed something.
    pub last_output: Millis,
}

/// A file that was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundFile {
    /// Its whole path.
    pub path: String,
    /// When it was last written.
    pub modified: Millis,
}

/// What the server looks up for the rules.
pub trait Lookup {
    /// Files below a directory, the newest first. The pattern is a relative path in which `*` stands for any
    /// part of a name (`*/rollout-*.jsonl`). Some hundred are enough; none if there is no such directory.
    fn newest_files(&self, directory: &str, pattern: &str) -> Vec<FoundFile>;

    /// Whether there is a file.
    fn exists(&self, path: &str) -> bool;

    /// The beginning of a file, some 16 KiB of it.
    fn head(&self, path: &str) -> Option<String>;
}

/// Says how a program comes back.
#[must_use]
pub fn resume(program: &Program<'_>, rules: &Rules, lookup: &dyn Lookup) -> Resume {
    let call = Call::of(program);
    if let Some(rule) = rules.find(program, call.as_ref()) {
        return rule.apply(program, call.as_ref(), lookup);
    }
    let resumed = call
        .as_ref()
        .and_then(|call| built_in(program, call, lookup));
    resumed.unwrap_or_else(|| as_typed(program, call.as_ref(), lookup, None))
}

fn built_in(program: &Program<'_>, call: &Call, lookup: &dyn Lookup) -> Option<Resume> {
    let rule = rules::find(&call.parts.name)?;
    let resumed = match rule.kind {
        Kind::Unsent(note) => as_typed(program, Some(call), lookup, Some(note)),
        _ if call.is_part => as_typed(program, Some(call), lookup, Some(PART)),
        Kind::Agent(agent) => agent::resume(program, call, agent, lookup)?,
        Kind::Editor => rules::resume_editor(program, call, lookup)?,
        Kind::Again(input) => rules::show_again(program, call, input)?,
    };
    Some(careful(resumed, call))
}

/// Nothing is run by itself that is not understood as a whole, or that has another user's rights.
fn careful(mut resumed: Resume, call: &Call) -> Resume {
    if resumed.how == How::Run {
        let doubt = match call.doubt {
            _ if call.parts.is_other_user => Some("runs as another user: press Enter to go on"),
            doubt => doubt,
        };
        if let Some(doubt) = doubt {
            resumed = unsent(resumed.line, Some(doubt));
        }
    }
    if resumed.line.contains(char::is_control) {
        return unsent(
            String::new(),
            Some("the command cannot be typed in one line"),
        );
    }
    resumed
}

fn run(line: String, note: Option<&str>) -> Resume {
    Resume {
        how: How::Run,
        line,
        wakes_on: WakesOn::FirstKey,
        note: note.map(str::to_owned),
    }
}

fn unsent(line: String, note: Option<&str>) -> Resume {
    Resume {
        how: How::TypeUnsent,
        line,
        wakes_on: WakesOn::View,
        note: note.map(str::to_owned),
    }
}

/// Of a program that was typed as part of a longer command.
const PART: &str = "was part of a longer command: press Enter to run it all again";

/// The command as it was typed, else as it was called.
fn as_typed(
    program: &Program<'_>,
    call: Option<&Call>,
    lookup: &dyn Lookup,
    note: Option<&str>,
) -> Resume {
    // A line of several lines would be sent by its first newline.
    let typed = program.typed.map(str::trim).unwrap_or_default();
    if !typed.is_empty() && !typed.contains(char::is_control) {
        return unsent(typed.to_owned(), note);
    }
    if call.is_some_and(|call| call.is_part) {
        let note = "was part of a longer command, which cannot be typed in one line";
        return unsent(String::new(), Some(note));
    }
    let line = match by_name(program, lookup) {
        Some(words) => program.shell.join(&words),
        None => program.shell.join(program.argv),
    };
    if line.contains(char::is_control) {
        return unsent(
            String::new(),
            Some("the command cannot be typed in one line"),
        );
    }
    unsent(line, note)
}

/// A script's name and its words, if it is the one that is found by its name: nobody types what the kernel makes of that.
fn by_name(program: &Program<'_>, lookup: &dyn Lookup) -> Option<Vec<String>> {
    let call = without_interpreter(program.argv);
    let (path, args) = call
        .split_first()
        .filter(|_| call.len() < program.argv.len())?;
    let (_, name) = path.rsplit_once('/')?;
    let places = program.variable("PATH")?.split(':');
    let mut places = places.map(|place| format!("{}/{name}", place.trim_end_matches('/')));
    let found = places.find(|place| lookup.exists(place))?;
    (found == *path).then(|| [&[name.to_owned()], args].concat())
}

/// The words of a script from its path on, without what runs it; all of them if it is none.
pub(crate) fn without_interpreter(argv: &[String]) -> &[String] {
    words::script(argv).map_or(argv, |at| &argv[at..])
}

/// How a program was called, as far as it is understood.
#[derive(Clone, Debug)]
struct Call {
    parts: Parts,
    /// Why it must not be run by itself.
    doubt: Option<&'static str>,
    /// It was typed as part of a longer command: alone it is something else than what the user had.
    is_part: bool,
}

impl Call {
    /// What was typed is better than the arguments, if it is that program: a title may stand in their place
    /// (node programs do that), and an alias is expanded again.
    fn of(program: &Program<'_>) -> Option<Self> {
        let called = words::parts(program.argv);
        let alone = |parts: Parts, doubt| Self {
            parts,
            doubt,
            is_part: false,
        };
        let part = |parts: Parts| Self {
            parts,
            doubt: None,
            is_part: true,
        };
        let typed = match program.typed.map(str::trim) {
            None | Some("") => return called.map(|parts| alone(parts, None)),
            Some(line) => match words::read(line, program.shell, program.home()) {
                Line::Commands(commands) => commands,
                Line::Longer => return called.map(part),
                Line::Replaced => {
                    let doubt = Some("was typed in other words: press Enter to go on");
                    return called.map(|parts| alone(parts, doubt));
                }
            },
        };
        let names_it = |parts: &Parts| match &called {
            Some(called) => rules::is_same(&called.name, &parts.name),
            None => rules::find(&parts.name).is_some(),
        };
        let found = typed.iter().enumerate().rev().find_map(|(at, command)| {
            let parts = words::parts(command).filter(names_it)?;
            Some((at, parts))
        });
        if let Some((at, mut parts)) = found {
            // Of several names the process's own is the one that rules know.
            if let Some(called) = called {
                parts.name = called.name;
            }
            // What stood before it has been done; what stands behind it has not.
            let is_last = at + 1 == typed.len();
            return Some(match is_last {
                true => alone(parts, None),
                false => part(parts),
            });
        }
        // An alias or a function. With arguments of its own the program's are those that count.
        let parts = called?;
        if typed.len() > 1 {
            return Some(part(parts));
        }
        let doubt = parts
            .args
            .is_empty()
            .then_some("flags may be missing: press Enter to go on");
        Some(alone(parts, doubt))
    }

    /// A command line: wrappers and program as they were, then these arguments.
    fn line(&self, shell: Shell, args: &[String]) -> String {
        let mut line = String::new();
        for assignment in &self.parts.assignments {
            let (name, value) = assignment.split_once('=').unwrap_or((assignment, ""));
            let value = if value.is_empty() {
                String::new()
            } else {
                shell.quote(value)
            };
            line.push_str(&format!("{name}={value} "));
        }
        let mut words = self.parts.front.clone();
        words.extend_from_slice(args);
        line + &shell.join(&words)
    }
}

#[cfg(test)]
mod tests;
