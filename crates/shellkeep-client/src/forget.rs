//! Asks the user for confirmation before `forget` deletes sessions for good.

use std::io::{BufRead as _, IsTerminal as _, Write as _};

use shellkeep_command::cmd::forget::Args;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reply {
    Yes,
    No,
    /// Standard input is not a terminal, so no question was printed.
    NotAsked,
}

pub(crate) fn ask(args: &Args) -> Reply {
    let Some(name) = args.target.as_ref().or(args.name.as_ref()) else {
        return Reply::NotAsked;
    };
    let (stdin, mut stderr) = (std::io::stdin(), std::io::stderr());
    if !stdin.is_terminal() || !stderr.is_terminal() {
        return Reply::NotAsked;
    }
    let shown: String = name.chars().filter(|c| !c.is_control()).collect();
    let asked = write!(stderr, "forget session {shown} for good? [y/N] ");
    let mut line = String::new();
    let typed = asked
        .and_then(|()| stderr.flush())
        .and_then(|()| stdin.lock().read_line(&mut line));
    match typed {
        Ok(count) if count > 0 => of(&line),
        _ => Reply::No,
    }
}

/// Only `y` and `yes` delete. Every other answer keeps.
fn of(line: &str) -> Reply {
    match line.trim().to_lowercase().as_str() {
        "y" | "yes" => Reply::Yes,
        _ => Reply::No,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reply_is_yes_for_nothing_but_yes() {
        for line in ["y\n", "Y\n", " yes \n"] {
            assert_eq!(of(line), Reply::Yes, "{line:?}");
        }
        for line in ["", "\n", "n\n", "no\n", "yy\n", "maybe yes\n"] {
            assert_eq!(of(line), Reply::No, "{line:?}");
        }
    }
}
