//! How a program that was ended with its pane is resumed.
//!
//! The safe answer is the command as it was typed, waiting for Enter ([`How::TypeUnsent`]). It is run ([`How::Run`])
//! only if a rule knows that running it again does nothing twice: a conversation that is resumed by its id, a pager
//! that shows the same file. A prompt on the command line is left out, or the agent would be asked again.

mod agent;
mod agent_line;
mod call;
mod caution;
mod conversation_files;
mod editor;
mod lookup;
mod outcome;
mod program;
mod rules;
mod typed;
mod user;
mod viewer;
mod words;

use call::Call;
use caution::careful;
pub use lookup::{FoundFile, Lookup};
pub use outcome::{How, Resume, WakesOn};
pub use program::{Program, Rival, VARIABLES};
use rules::Kind;
use typed::as_typed;
pub use user::{RuleError, Rules};
pub(crate) use words::without_interpreter;

/// Whether two panes run the same program in the same directory, so that the directory alone does not identify a
/// conversation.
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

/// A program in a sentence, without its interpreter: `claude --resume` for `/bin/sh /usr/bin/claude --resume`.
#[must_use]
pub fn text(program: &Program<'_>) -> String {
    let text = match words::parts(program.argv) {
        Some(parts) => [&[parts.name][..], &parts.args].concat().join(" "),
        None if program.argv.is_empty() => program.typed.unwrap_or_default().to_owned(),
        None => program.argv.join(" "),
    };
    let printable = |c: char| if c.is_control() { ' ' } else { c };
    let text: String = text.chars().map(printable).collect();
    match text.char_indices().nth(MAX_COMMAND_SHOWN) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

/// A longer command is cut off in sentences; in characters.
const MAX_COMMAND_SHOWN: usize = 60;

/// Decides how a program is resumed: by the user's rules first, then by the built-in ones, else with the command as
/// typed.
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
        _ if call.is_part => as_typed(program, Some(call), lookup, Some(PART_OF_COMMAND)),
        Kind::Agent(agent) => agent_line::resume(program, call, agent, lookup)?,
        Kind::Editor => editor::resume(program, call, lookup)?,
        Kind::Again(input) => viewer::resume(program, call, input)?,
    };
    Some(careful(resumed, call))
}

const PART_OF_COMMAND: &str = "was part of a longer command: press Enter to run it all again";

#[cfg(test)]
mod tests;
