//! Separates what a shell's first prompt does not need: functions that nothing at the prompt can call, long lists,
//! completions. They are read after the prompt and before the first key.

use std::collections::{HashMap, HashSet};

use super::functions::{self, names};
use super::options::{has_mode, has_shopt};
use super::variables::Variables;
use crate::pieces::Script;
use crate::state::ShellState;
use crate::words::{contains, declarations, quote};

/// Shorter lists are not worth deferring.
const LONG: usize = 1024;

/// What is read before the first prompt, and what after it.
pub(super) struct Parts {
    /// The functions for the first prompt, as a script.
    pub(super) functions: Vec<u8>,
    /// The names of variables that are read later.
    pub(super) waiting: HashSet<String>,
    /// The names of the functions for the first prompt.
    pub(super) needed: HashSet<String>,
    /// Whether the rest can be read after the first prompt.
    pub(super) can_wait: CanWait,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CanWait {
    Yes,
    No,
}

/// Divides a state into what the first prompt needs and what can wait.
pub(super) fn divide(state: &ShellState, variables: &Variables<'_>) -> Parts {
    let functions = match functions::split(state) {
        Some(functions) if can_wait(state, variables) => functions,
        functions => return at_once(state, functions),
    };
    let (needed, words) = reach(state, variables, &functions);
    let waiting = long_lists(variables, &words);
    let mut now = Script::default();
    for (name, text) in functions {
        if needed.contains(name) {
            functions::put(&mut now, name, text);
        }
    }
    attributes(state, &mut now, |name| needed.contains(name));
    Parts {
        functions: now.0,
        waiting,
        needed: needed.into_iter().map(str::to_owned).collect(),
        can_wait: CanWait::Yes,
    }
}

/// What the first prompt does not need.
pub(super) fn behind(
    state: &ShellState,
    variables: &Variables<'_>,
    waiting: &HashSet<String>,
    needed: &HashSet<String>,
) -> Vec<u8> {
    let mut behind = Script::default();
    for (_, name, whole) in variables.kept() {
        if let Some(rest) = whole.strip_prefix(b"declare -")
            && waiting.contains(*name)
        {
            behind.line(&[b"declare -g", rest]);
        }
    }
    let is_behind = |name: &str| !needed.contains(name);
    for (name, text) in functions::split(state).unwrap_or_default() {
        if is_behind(name) {
            functions::put(&mut behind, name, text);
        }
    }
    attributes(state, &mut behind, is_behind);
    behind.0
}

/// Everything before the first prompt.
fn at_once(state: &ShellState, functions: Option<Vec<(&str, &[u8])>>) -> Parts {
    let mut script = Script::default();
    match functions {
        Some(functions) => {
            for (name, text) in functions {
                functions::put(&mut script, name, text);
            }
        }
        None => script.0.extend_from_slice(state.section("functions")),
    }
    attributes(state, &mut script, |_| true);
    Parts {
        functions: script.0,
        waiting: HashSet::new(),
        needed: HashSet::new(),
        can_wait: CanWait::No,
    }
}

/// Whether anything can wait until after the first prompt. Not if builtins that are needed then are disabled or hidden
/// by functions, if the shell would stop at our commands or show them, if its prompts cannot have marks, or if
/// readline's settings are visible in them.
fn can_wait(state: &ShellState, variables: &Variables<'_>) -> bool {
    let in_the_way = ["posix", "errexit", "nounset", "xtrace", "verbose", "noexec"];
    let settings = [
        &b"\nset show-mode-in-prompt on"[..],
        b"\nset enable-bracketed-paste off",
    ];
    let is_fixed = |(attributes, name, _): &(&str, &str, &[u8])| {
        attributes.contains('r') && matches!(*name, "PS0" | "PS1" | "PS2" | "PROMPT_COMMAND")
    };
    !in_the_way.iter().any(|name| has_mode(state, name))
        && has_shopt(state, "promptvars")
        && !settings
            .iter()
            .any(|one| contains(state.section("bindings"), one))
        && !variables.0.iter().any(is_fixed)
        && !names(state).any(|(_, name)| matches!(name, "builtin" | "declare"))
        && declarations(state.section("disabled")).is_empty()
}

/// The functions that code at a prompt may call, and all words in that code. The values of all variables count as code,
/// because lists of hooks are variables.
fn reach<'a>(
    state: &'a ShellState,
    variables: &Variables<'a>,
    functions: &[(&'a str, &'a [u8])],
) -> (HashSet<&'a str>, HashSet<&'a [u8]>) {
    let bodies: HashMap<&[u8], (&str, &[u8])> = functions
        .iter()
        .map(|(name, text)| (name.as_bytes(), (*name, *text)))
        .collect();
    let mut seen: HashSet<&[u8]> = HashSet::new();
    let mut needed = HashSet::new();
    let mut texts: Vec<&[u8]> = vec![state.section("traps"), state.section("aliases")];
    for (_, name, whole) in &variables.0 {
        // The name of a variable does not count: many variables have the name of a function.
        let value = whole.iter().position(|byte| *byte == b'=');
        let value = value.map_or(&[][..], |at| &whole[at..]);
        if value.len() <= LONG || name.starts_with("PS") || *name == "PROMPT_COMMAND" {
            texts.push(value);
        }
    }
    // Bash itself calls this at any time.
    texts.push(b"command_not_found_handle");
    while let Some(text) = texts.pop() {
        for word in words(text) {
            if seen.insert(word)
                && let Some((name, body)) = bodies.get(word)
            {
                needed.insert(*name);
                texts.push(body);
            }
        }
    }
    (needed, seen)
}

/// Every word that could be a name: of a function, which may contain almost any character, or of a variable.
fn words(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    let is_outside =
        |byte: &u8| byte.is_ascii_whitespace() || b";&|(){}<>`\"'$=[]\\!#,".contains(byte);
    let is_no_name = |byte: &u8| !byte.is_ascii_alphanumeric() && *byte != b'_';
    let functions = text.split(is_outside);
    let variables = text.split(is_no_name);
    functions.chain(variables).filter(|word| !word.is_empty())
}

/// Long lists that no code at the prompt names. Only functions read them.
fn long_lists(variables: &Variables<'_>, words: &HashSet<&[u8]>) -> HashSet<String> {
    let can_wait = |(attributes, name, whole): &&(&str, &str, &[u8])| {
        matches!(*attributes, "-a" | "-A")
            && whole.len() > LONG
            && whole.starts_with(b"declare -")
            && !words.contains(name.as_bytes())
    };
    let lists = variables.kept().filter(can_wait);
    lists.map(|(_, name, _)| (*name).to_owned()).collect()
}

/// The attributes of functions: traced, exported, read-only.
fn attributes(state: &ShellState, script: &mut Script, is_here: impl Fn(&str) -> bool) {
    let marked = names(state).filter(|(attributes, name)| *attributes != "f" && is_here(name));
    for (attributes, name) in marked {
        let name = quote(name.as_bytes());
        script.line(&[b"builtin declare -", attributes.as_bytes(), b" -- ", &name]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn state(variables: &str, names: &str, functions: &str) -> ShellState {
        let answer = format!(
            "#shellkeep 1 begin\nshell bash\nshopts promptvars\n#shellkeep 1 variables\n{variables}#shellkeep 1 names\n{names}#shellkeep 1 functions\n{functions}#shellkeep 1 end\n"
        );
        ShellState::parse_answer(answer.as_bytes(), "1").unwrap()
    }

    fn divided(state: &ShellState) -> (String, String) {
        let variables = Variables::of(state);
        let parts = divide(state, &variables);
        let text = |bytes| String::from_utf8(bytes).unwrap();
        let behind = match parts.can_wait {
            CanWait::Yes => behind(state, &variables, &parts.waiting, &parts.needed),
            CanWait::No => Vec::new(),
        };
        (text(parts.functions), text(behind))
    }

    #[test]
    fn functions_that_a_prompt_can_reach_do_not_wait() {
        let functions = "a () \n{ \n    b x\n}\nb () \n{ \n    cat <<E\nc () \n{ \nE\n\n}\nd () \n{ \n    :\n}\n";
        let state = state(
            "declare -a PROMPT_COMMAND=([0]=\"x; a\")\n",
            "declare -f a\ndeclare -f b\ndeclare -fx d\n",
            functions,
        );
        let (now, later) = divided(&state);
        assert!(now.contains("a () ") && now.contains("b () ") && now.contains("c () "));
        assert_eq!(later, "d () \n{ \n    :\n}\nbuiltin declare -fx -- 'd'\n");
    }

    #[test]
    fn functions_whose_text_is_not_found_all_come_at_once() {
        let state = state(
            "",
            "declare -f a\ndeclare -f lost\n",
            "a () \n{ \n    :\n}\n",
        );
        let (now, later) = divided(&state);
        assert_eq!((now.contains("a () "), later.as_str()), (true, ""));
    }

    #[test]
    fn long_list_waits_unless_the_prompt_names_it() {
        let list = "x".repeat(LONG);
        let variables = format!(
            "declare -A long=([a]=\"{list}\")\ndeclare -A named=([a]=\"{list}\")\ndeclare -- PS1=\"\\$(f)\"\n"
        );
        let state = state(
            &variables,
            "declare -f f\n",
            "f () \n{ \n    echo ${named[a]%x}\n}\n",
        );
        let parts = divide(&state, &Variables::of(&state));
        assert_eq!(parts.waiting, HashSet::from(["long".to_owned()]));
        let variables = Variables::of(&state);
        let behind = behind(&state, &variables, &parts.waiting, &parts.needed);
        assert!(behind.starts_with(b"declare -gA long=("));
    }
}
