//! Separates what a zsh's first prompt does not need: functions that nothing at the prompt can call, long lists,
//! aliases, styles, widgets, key bindings, and what only completion uses. It is read after the prompt and before the
//! first key.

use std::collections::{HashMap, HashSet};

use super::known::{Known, option};
use crate::state::ShellState;
use crate::words::declarations;

/// Shorter lists are not worth deferring.
const LONG: usize = 128;
/// The variables of the completion system.
const COMPLETION: &[&str] = &["_comp", "_patcomps", "_postpatcomps", "_services"];
/// Functions that zsh itself calls, at a prompt or at any time.
const CALLED: &str = "precmd preexec chpwd periodic zshaddhistory zshexit command_not_found_handler zsh_directory_name";
/// A function with one of these words may read or change anything.
const ANYTHING: &[&[u8]] = &[
    b".",
    b"source",
    b"bindkey",
    b"keymaps",
    b"unalias",
    b"unfunction",
    b"unhash",
];
/// The same for these tables, unless an entry is named.
const TABLES: &[&[u8]] = &[
    b"functions",
    b"dis_functions",
    b"aliases",
    b"galiases",
    b"saliases",
    b"widgets",
    b"parameters",
];

/// Modules that zsh loads by itself when something of theirs is used.
const AUTOMATIC: &[&[u8]] = &[
    b"zsh/compctl",
    b"zsh/complete",
    b"zsh/computil",
    b"zsh/main",
    b"zsh/rlimits",
    b"zsh/sched",
    b"zsh/termcap",
    b"zsh/terminfo",
    b"zsh/zle",
    b"zsh/zutil",
];
/// The key maps that have our key from the start.
const MAPS: &[&[u8]] = &[b"emacs", b"vicmd", b"viins"];

/// What code at a prompt can use. The rest can wait.
#[derive(Debug)]
pub(super) struct Reach {
    /// Names of functions, variables, aliases and others.
    names: HashSet<Vec<u8>>,
    /// The code may use anything, or it is unknown what it uses. Then only variables of the completion system that are
    /// not named can wait.
    is_all: bool,
}

impl Reach {
    pub(super) fn of(known: &Known<'_>) -> Self {
        let functions = known.functions().filter(|_| can_wait(known.state));
        let found = functions.and_then(|functions| {
            let mut search = Search::new(known, functions);
            search.run().then_some(search.seen)
        });
        match found {
            Some(names) => Self {
                names: names.into_iter().map(<[u8]>::to_vec).collect(),
                is_all: false,
            },
            None => Self::everything(known),
        }
    }

    /// For a first prompt whose code is unknown.
    pub(super) fn everything(known: &Known<'_>) -> Self {
        let unread: HashSet<&[u8]> = known.autoloads.iter().map(|it| it.name).collect();
        let variables = known.kept().filter(|(name, _)| !is_for_completion(name));
        let texts = variables.map(|(_, whole)| whole);
        let more = ["functions", "special"].map(|name| known.state.section(name));
        let texts = texts.chain(more);
        let names = texts.flat_map(words).filter(|word| unread.contains(word));
        Self {
            names: names.map(<[u8]>::to_vec).collect(),
            is_all: true,
        }
    }

    pub(super) fn has(&self, name: &[u8]) -> bool {
        self.is_all || self.names.contains(name)
    }

    /// Whether a function is needed that is not loaded from its file yet. Functions of the completion system begin with
    /// an underscore.
    pub(super) fn has_autoload(&self, name: &[u8]) -> bool {
        !name.starts_with(b"_") || self.names.contains(name)
    }

    /// Whether a variable is needed. A long list that no code names is not.
    pub(super) fn has_variable(&self, name: &str, whole: &[u8]) -> bool {
        let can_wait = match self.is_all {
            true => is_for_completion(name),
            false => {
                (is_list(whole) || is_for_completion(name)) && !self.names.contains(name.as_bytes())
            }
        };
        !can_wait || whole.len() <= LONG
    }

    pub(super) fn has_module(&self, name: &[u8]) -> bool {
        self.is_all || !AUTOMATIC.contains(&name)
    }

    /// Whether an alias is needed. Suffix aliases can be used without being named.
    pub(super) fn has_alias(&self, line: &[u8]) -> bool {
        line.starts_with(b"alias -s ") || alias_name(line).is_none_or(|name| self.has(name))
    }

    /// Whether a widget or key binding is needed: widgets that zsh itself calls are, and of bindings only the choice of
    /// the map.
    pub(super) fn has_binding(&self, line: &[u8]) -> bool {
        self.is_all
            || main_map(line).is_some()
            || widget(line).is_some_and(|(name, _)| is_called(name) || self.has(name))
    }

    /// Programs that a prompt starts do not need the limits; later ones do.
    pub(super) fn can_limits_wait(&self) -> bool {
        !self.is_all
    }
}

fn is_for_completion(name: &str) -> bool {
    COMPLETION.iter().any(|begin| name.starts_with(begin))
}

/// Whether anything can wait. Not if builtins are disabled or replaced by functions, which is the case by the time of
/// the prompt, and not if the active key map is one of the user's, because it does not have our key until everything is
/// read.
fn can_wait(state: &ShellState) -> bool {
    let lines = declarations(state.section("bindings"));
    let mut map = lines.iter().filter_map(|line| main_map(line));
    let in_the_way = ["xtrace", "verbose", "errexit", "errreturn", "restricted"];
    let mut names = state.section("names").split(|byte| *byte == b'\n');
    !in_the_way.iter().any(|name| option(state, name))
        && map.all(|map| MAPS.contains(&map))
        && state.section("disabled").is_empty()
        && !names.any(|name| matches!(name, b"builtin" | b"typeset" | b"export"))
}

/// Whether it declares a list: `typeset -a`, `typeset -g -A`.
fn is_list(whole: &[u8]) -> bool {
    let words = whole.split(|byte| *byte == b' ').skip(1);
    let mut flags = words.take_while(|word| word.starts_with(b"-"));
    let is_list = flags.clone().any(|flag| matches!(flag, b"-a" | b"-A"));
    is_list && flags.all(|flag| matches!(flag, b"-g" | b"-a" | b"-A"))
}

/// The name in `alias [-g] [--] name=text`.
fn alias_name(line: &[u8]) -> Option<&[u8]> {
    let mut rest = line.strip_prefix(b"alias ")?;
    for flag in [&b"-g "[..], b"-- "] {
        rest = rest.strip_prefix(flag).unwrap_or(rest);
    }
    let name = &rest[..rest.iter().position(|byte| *byte == b'=')?];
    // Quoted names are not supported.
    let is_plain = |byte: &u8| !b"'\"\\$".contains(byte);
    name.iter().all(is_plain).then_some(name)
}

/// The active key map, in `bindkey -A map main`.
pub(super) fn main_map(line: &[u8]) -> Option<&[u8]> {
    line.strip_prefix(b"bindkey -A ")?.strip_suffix(b" main")
}

/// The name of a widget in `zle -N name [function]` or `zle -C name ...`, and all words of the command.
pub(super) fn widget(line: &[u8]) -> Option<(&[u8], &[u8])> {
    let rest = line.strip_prefix(b"zle -")?.get(2..)?;
    let rest = rest.strip_prefix(b"-- ").unwrap_or(rest);
    let name = rest.split(|byte| *byte == b' ').next()?;
    Some((name, rest))
}

/// Widgets that zsh itself calls, such as `zle-line-init`.
fn is_called(widget: &[u8]) -> bool {
    widget.starts_with(b"zle-")
}

/// Finds what a prompt can use: every name in the code that it runs, in the code which that runs, and so on.
struct Search<'a> {
    /// Texts of functions; `None` for a function that is not loaded from its file, whose effect is unknown.
    functions: HashMap<&'a [u8], Option<&'a [u8]>>,
    /// Values and texts that count when another text names them.
    named: HashMap<&'a [u8], Vec<Text<'a>>>,
    seen: HashSet<&'a [u8]>,
    texts: Vec<Text<'a>>,
}

#[derive(Clone, Copy)]
enum Text<'a> {
    Code(&'a [u8]),
    /// A value: the names in it count, but it is not a script.
    Value(&'a [u8]),
}

impl<'a> Search<'a> {
    fn new(known: &Known<'a>, functions: &[(&'a [u8], &'a [u8])]) -> Self {
        let state = known.state;
        let mut begin = Vec::new();
        let mut named: HashMap<&[u8], Vec<Text<'a>>> = HashMap::new();
        for line in declarations(state.section("aliases")) {
            if let Some(name) = alias_name(line) {
                named.entry(name).or_default().push(Text::Code(line));
            }
        }
        for line in declarations(state.section("bindings")) {
            if let Some((name, words)) = widget(line) {
                named.entry(name).or_default().push(Text::Value(words));
                begin.extend(is_called(name).then_some(Text::Value(name)));
            }
        }
        let mut texts = vec![
            Text::Code(state.section("traps")),
            Text::Value(CALLED.as_bytes()),
        ];
        for (name, whole) in known.kept() {
            // The name of a variable does not count: many variables have the name of a function.
            let value = whole.iter().position(|byte| *byte == b'=');
            let value = Text::Value(value.map_or(&[][..], |at| &whole[at..]));
            let is_long = whole.len() > LONG && is_list(whole);
            match is_long || is_for_completion(name) {
                true => named.entry(name.as_bytes()).or_default().push(value),
                false => texts.push(value),
            }
        }
        for line in declarations(state.section("special")) {
            let is_prompt = [&b"PS"[..], b"RPS", b"RPROMPT", b"SPROMPT"];
            // Read-only variables are in braces.
            let begin = line.strip_prefix(b"{ ").unwrap_or(line);
            texts.push(match is_prompt.iter().any(|name| begin.starts_with(name)) {
                true => Text::Code(line),
                false => Text::Value(line),
            });
        }
        let traps = functions.iter().map(|(name, _)| *name);
        let traps = traps.filter(|name| name.starts_with(b"TRAP"));
        texts.extend(traps.map(Text::Value).chain(begin));
        let unread = known.autoloads.iter().map(|it| (it.name, None));
        let read = functions.iter().map(|(name, text)| (*name, Some(*text)));
        Self {
            functions: unread.chain(read).collect(),
            named,
            seen: HashSet::new(),
            texts,
        }
    }

    /// Searches everything; false if anything may be used.
    fn run(&mut self) -> bool {
        while let Some(text) = self.texts.pop() {
            let (text, is_code) = match text {
                Text::Code(text) => (text, true),
                Text::Value(text) => (text, false),
            };
            if is_code && (may_be_anything(text) || !self.see_parts(text)) {
                return false;
            }
            if !words(text).all(|word| self.see(word)) {
                return false;
            }
        }
        true
    }

    /// Adds a name; false if it is unknown what it stands for.
    fn see(&mut self, word: &'a [u8]) -> bool {
        if !self.seen.insert(word) {
            return true;
        }
        let named = self.named.get(word).into_iter().flatten();
        self.texts.extend(named);
        match self.functions.get(word) {
            Some(Some(text)) => self.texts.push(Text::Code(text)),
            Some(None) => return false,
            None => {}
        }
        true
    }

    /// Adds all names that `prompt_$part` and similar words may be.
    fn see_parts(&mut self, text: &'a [u8]) -> bool {
        for part in parts(text) {
            let fits = |name: &&[u8]| match part {
                Part::Begin(begin) => name.starts_with(begin),
                Part::End(end) => name.ends_with(end),
            };
            // Unloaded functions of the completion system do not have composed names.
            let known = self.functions.iter();
            let known = known.filter(|(name, text)| text.is_some() || !name.starts_with(b"_"));
            let names: Vec<&[u8]> = known.map(|(name, _)| *name).filter(fits).collect();
            if !names.into_iter().all(|name| self.see(name)) {
                return false;
            }
        }
        true
    }
}

/// A part of a name that is composed with the value of a variable.
enum Part<'a> {
    Begin(&'a [u8]),
    End(&'a [u8]),
}

fn parts(text: &[u8]) -> Vec<Part<'_>> {
    let mut parts = Vec::new();
    let mut at = 0;
    while at < text.len() {
        let length = text[at..].iter().take_while(|byte| is_in_name(**byte));
        let end = at + length.count();
        let (before, behind) = (&text[..at], &text[end..]);
        let before = before.strip_suffix(b"\"").unwrap_or(before);
        let behind = behind.strip_prefix(b"\"").unwrap_or(behind);
        let mut part = &text[at..end];
        let is_variable = matches!(text[..at], [.., b'$']);
        if is_variable {
            let name = part.iter().take_while(|byte| is_in_variable(**byte));
            part = &part[name.count()..];
        }
        if part.iter().any(|byte| is_in_variable(*byte)) {
            if matches!(behind, [b'$' | b'`', ..]) {
                parts.push(Part::Begin(part));
            }
            if is_variable || ends_with_value(before) {
                parts.push(Part::End(part));
            }
        }
        at = end + 1;
    }
    parts
}

/// Whether a text ends with `${...}`, `$a[...]` or `$a`.
fn ends_with_value(text: &[u8]) -> bool {
    let name = text.iter().rev().take_while(|byte| is_in_variable(**byte));
    let before = &text[..text.len() - name.count()];
    matches!(text, [.., b'}' | b']']) || before.ends_with(b"$")
}

fn is_in_variable(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

fn is_in_name(byte: u8) -> bool {
    is_in_variable(byte) || b"-.:+@".contains(&byte) || !byte.is_ascii()
}

/// Whether a script uses tables as a whole, or changes them by patterns.
fn may_be_anything(text: &[u8]) -> bool {
    let has = |wanted: &[u8]| text.windows(wanted.len()).any(|window| window == wanted);
    has(b"zle -l")
        || has(b"zle -L")
        || has_indirection(text)
        || words(text).any(|word| ANYTHING.contains(&word))
        || TABLES.iter().any(|table| is_used_whole(text, table))
}

/// Whether the value of a variable is used as a name: `${(P)name}`.
fn has_indirection(text: &[u8]) -> bool {
    let mut flags = text.windows(3).enumerate().filter(|(_, it)| *it == b"${(");
    flags.any(|(at, _)| {
        let mut flags = text[at..].iter().take_while(|byte| **byte != b')');
        flags.any(|byte| *byte == b'P')
    })
}

/// Whether a table is used other than by the name of an entry: `$functions[name]` counts only as that name.
fn is_used_whole(text: &[u8], table: &[u8]) -> bool {
    let is_word = |byte: &u8| is_in_variable(*byte);
    text.windows(table.len()).enumerate().any(|(at, window)| {
        let behind = &text[at + table.len()..];
        let is_its = window == table
            && !text[..at].last().is_some_and(is_word)
            && !behind.first().is_some_and(is_word);
        is_its && !matches!(behind, [b'[', name, ..] if is_word(name))
    })
}

/// Every word that could be a name: of a function, which may contain almost any character, or of a variable.
fn words(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    let is_outside =
        |byte: &u8| byte.is_ascii_whitespace() || b";&|(){}<>`\"'$=[]\\!#,".contains(byte);
    let is_no_name = |byte: &u8| !is_in_variable(*byte);
    let functions = text.split(is_outside);
    let variables = text.split(is_no_name);
    functions.chain(variables).filter(|word| !word.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn state(sections: &[(&str, &str)]) -> ShellState {
        let mut answer = "#shellkeep 1 begin\nshell zsh\n".to_owned();
        for (name, text) in sections {
            answer.push_str(&format!("#shellkeep 1 {name}\n{text}"));
        }
        answer.push_str("#shellkeep 1 end\n");
        ShellState::parse_answer(answer.as_bytes(), "1").unwrap()
    }

    /// Functions by name and body. One is a hook.
    fn with_hook(functions: &[(&str, &str)]) -> ShellState {
        let names: String = functions
            .iter()
            .map(|(name, _)| format!("{name}\n"))
            .collect();
        let texts = functions.iter();
        let texts = texts.map(|(name, body)| format!("{name} () {{\n\t{body}\n}}\n"));
        let variables = "typeset -g -a precmd_functions=( hook )\n";
        state(&[
            ("names", &names),
            ("functions", &texts.collect::<String>()),
            ("variables", variables),
        ])
    }

    fn needed<'a>(functions: &[(&'a str, &str)]) -> Vec<&'a str> {
        let reach = Reach::of(&Known::of(&with_hook(functions)));
        let names = functions.iter().map(|(name, _)| *name);
        names.filter(|name| reach.has(name.as_bytes())).collect()
    }

    #[test]
    fn functions_that_a_prompt_can_reach_do_not_wait() {
        let functions = [
            ("hook", "first x"),
            ("first", "local y=$(second)"),
            ("second", "print x"),
            ("other", "first"),
            ("TRAPUSR1", "trapped"),
            ("trapped", "true"),
        ];
        let expected = ["hook", "first", "second", "TRAPUSR1", "trapped"];
        assert_eq!(needed(&functions), expected);
    }

    #[test]
    fn functions_whose_names_are_put_together_do_not_wait() {
        for call in [
            "part_$x",
            "part_${x}",
            "part_\"$x\"",
            "${y}_one",
            "\"$a[1]\"_one",
        ] {
            let functions = [
                ("hook", call),
                ("part_one", ":"),
                ("part-one", ":"),
                ("other", ":"),
            ];
            let needed = needed(&functions);
            assert!(
                needed.len() == 2 && needed[1].starts_with("part"),
                "{call}: {needed:?}"
            );
        }
    }

    #[test]
    fn hook_that_may_look_at_anything_has_it_all() {
        for looks in [
            "for f in ${(k)functions}; do :; done",
            "print $functions[$x]",
            "zle -la",
            "source $file",
            "bindkey -v",
            "print ${(@P)x}",
        ] {
            let functions = [("hook", looks), ("other", "true")];
            assert_eq!(needed(&functions), ["hook", "other"], "{looks}");
        }
        let functions = [
            ("hook", "(( $+functions[named] ))"),
            ("named", ":"),
            ("other", ":"),
        ];
        assert_eq!(needed(&functions), ["hook", "named"]);
    }

    #[test]
    fn function_that_is_not_read_yet_may_call_anything() {
        let stub = "unread () {\n\t# undefined\n\tbuiltin autoload -XUz\n}\n";
        let body = |hook: &str| format!("hook () {{\n\t{hook}\n}}\nother () {{\n\ttrue\n}}\n");
        for (hook, waits) in [("unread", false), ("true", true)] {
            let state = state(&[
                ("names", "hook\nother\nunread\n"),
                ("autoloads", stub),
                ("functions", &body(hook)),
                ("variables", "typeset -g -a precmd_functions=( hook )\n"),
            ]);
            assert_eq!(
                !Reach::of(&Known::of(&state)).has(b"other"),
                waits,
                "{hook}"
            );
        }
    }

    #[test]
    fn functions_that_cannot_be_separated_are_read_at_once() {
        let text = "a () {\n\tcat <<E\nb () {\n}\nE\n}\nb () {\n\ttrue\n}\n";
        let state = state(&[("names", "a\nb\n"), ("functions", text)]);
        let known = Known::of(&state);
        assert!(known.functions().is_none());
        assert!(Reach::of(&known).has(b"anything"));
    }

    #[test]
    fn lists_aliases_and_widgets_wait_unless_they_are_named() {
        let list = "x".repeat(LONG);
        let variables = format!(
            "typeset -g -A named=( [a]={list} )\ntypeset -g -a long=( {list} )\ntypeset -g text={list}\n"
        );
        let state = state(&[
            ("variables", &variables),
            ("special", "PS1='$(gst) $named[a]'\n"),
            ("names", "drawn\ninit\nother\n"),
            (
                "functions",
                "drawn () {\n\ttrue\n}\ninit () {\n\tzle draw\n}\nother () {\n\ttrue\n}\n",
            ),
            (
                "bindings",
                "zle -N draw drawn\nzle -N zle-line-init init\nzle -N other\n",
            ),
        ]);
        let known = Known::of(&state);
        let reach = Reach::of(&known);
        let waiting = known
            .kept()
            .filter(|(name, whole)| !reach.has_variable(name, whole));
        assert_eq!(waiting.map(|it| it.0).collect::<Vec<_>>(), ["long"]);
        assert!(reach.has(b"drawn") && reach.has(b"init") && !reach.has(b"other"));
        for (line, is_needed) in [
            ("zle -N draw drawn", true),
            ("zle -N zle-line-init init", true),
            ("zle -N other", false),
            ("bindkey -A viins main", true),
            ("bindkey \"^X\" draw", false),
        ] {
            assert_eq!(reach.has_binding(line.as_bytes()), is_needed, "{line}");
        }
        for (line, is_needed) in [
            ("alias gst='git status'", true),
            ("alias -g gst='git status'", true),
            ("alias -s txt=cat", true),
            ("alias other='git log'", false),
            ("alias -- -='cd -'", false),
        ] {
            assert_eq!(reach.has_alias(line.as_bytes()), is_needed, "{line}");
        }
    }

    #[test]
    fn key_map_of_the_users_comes_at_once() {
        for (map, waits) in [("viins", true), ("mine", false)] {
            let bindings = format!("bindkey -A {map} main\n");
            let reach = Reach::of(&Known::of(&state(&[("bindings", &bindings)])));
            assert_eq!(!reach.has(b"anything"), waits, "{map}");
        }
    }
}
