//! A command taken apart: which program was called, through which wrappers, with which arguments.

use super::program::Program;
use super::rules;
use super::words::{self, Line, Parts};
use crate::quote::Shell;

/// How a program was called: what was typed if that is understood, else the arguments of the process.
#[derive(Clone, Debug)]
pub(super) struct Call {
    pub(super) parts: Parts,
    /// Why the line must not be run without the user's Enter.
    pub(super) doubt: Option<&'static str>,
    /// It was typed as part of a longer command, so running it alone would do something else.
    pub(super) is_part: bool,
}

impl Call {
    /// What was typed is better than the arguments, if it is that program: a title may stand in their place
    /// (node programs do that), and an alias is expanded again.
    pub(super) fn of(program: &Program<'_>) -> Option<Self> {
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
    pub(super) fn line(&self, shell: Shell, args: &[String]) -> String {
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
