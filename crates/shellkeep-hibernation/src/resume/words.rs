//! Splits a typed line into words, and words into wrappers, program and arguments.

use crate::quote::Shell;

/// The words of one command of a line.
pub(super) type Command = Vec<String>;

/// A typed line, as far as it can be read without a shell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Line {
    /// Commands of plain words, one after the other.
    Commands(Vec<Command>),
    /// One command in which the shell replaces something: its words are not these.
    Replaced,
    /// More than commands: a pipeline, a redirection, a loop.
    Longer,
}

/// Reads a typed line. Anything ambiguous is refused, because the words are run again.
pub(super) fn read(line: &str, shell: Shell, home: Option<&str>) -> Line {
    // A line that goes on in the next one is one line.
    let text = line.trim().replace("\\\n", "");
    let mut reader = LineReader {
        chars: text.chars().peekable(),
        shell,
        home,
        commands: Vec::new(),
        command: Vec::new(),
        word: None,
    };
    match reader.read() {
        Some(()) if reader.commands.iter().any(|words| is_reserved(words)) => Line::Longer,
        Some(()) => Line::Commands(reader.commands),
        // Also where it is quoted: then it is typed as a whole, which is never wrong.
        None if text.contains(['|', '&', ';', '<', '>', '(', ')', '`', '\n']) => Line::Longer,
        None => Line::Replaced,
    }
}

/// Words at the beginning of a command that make it a part of something longer, in one of the shells.
const RESERVED: &[&str] = &[
    "!", "and", "begin", "case", "coproc", "do", "done", "elif", "else", "end", "esac", "fi",
    "for", "foreach", "function", "if", "not", "or", "repeat", "select", "switch", "then", "until",
    "while",
];

fn is_reserved(command: &[String]) -> bool {
    command
        .first()
        .is_some_and(|word| RESERVED.contains(&word.as_str()))
}

struct LineReader<'a> {
    chars: std::iter::Peekable<std::str::Chars<'a>>,
    shell: Shell,
    home: Option<&'a str>,
    commands: Vec<Command>,
    command: Command,
    word: Option<String>,
}

impl LineReader<'_> {
    fn read(&mut self) -> Option<()> {
        while let Some(c) = self.chars.next() {
            match c {
                ' ' | '\t' => self.end_word(),
                ';' | '\n' => self.end_command(),
                '&' | '|' if self.chars.peek() == Some(&c) => {
                    self.chars.next();
                    self.end_command();
                }
                '\'' => self.single()?,
                '"' => self.double()?,
                '\\' => {
                    let next = self
                        .chars
                        .next()
                        .filter(|c| *c != '\n' && !self.names_key(*c))?;
                    self.push(next);
                }
                '#' if self.word.is_none() => break,
                '~' if self.word.is_none() => self.tilde()?,
                '=' if self.word.is_none() => return None,
                c if c.is_control() || "|&<>()$`*?[]{}!^".contains(c) => return None,
                '%' if self.word.is_none() => return None,
                c => self.push(c),
            }
        }
        self.end_command();
        Some(())
    }

    /// fish reads `\n`, `\x41` and others as characters outside of quotes.
    fn names_key(&self, c: char) -> bool {
        self.shell == Shell::Fish && c.is_ascii_alphanumeric()
    }

    fn push(&mut self, c: char) {
        self.word.get_or_insert_default().push(c);
    }

    fn single(&mut self) -> Option<()> {
        self.word.get_or_insert_default();
        loop {
            match self.chars.next()? {
                '\'' => return Some(()),
                '\\' if self.shell == Shell::Fish => {
                    let c = match self.chars.peek() {
                        Some('\'' | '\\') => self.chars.next()?,
                        _ => '\\',
                    };
                    self.push(c);
                }
                c => self.push(c),
            }
        }
    }

    fn double(&mut self) -> Option<()> {
        self.word.get_or_insert_default();
        loop {
            match self.chars.next()? {
                '"' => return Some(()),
                '$' | '`' | '!' => return None,
                '\\' => match self.chars.next()? {
                    c @ ('"' | '\\' | '$' | '`') => self.push(c),
                    c => {
                        self.push('\\');
                        self.push(c);
                    }
                },
                c => self.push(c),
            }
        }
    }

    /// `~` is the user's home directory. `~name` would need the password database, so it is refused.
    fn tilde(&mut self) -> Option<()> {
        if !matches!(self.chars.peek(), None | Some('/' | ' ' | '\t' | ';')) {
            return None;
        }
        self.word = Some(self.home?.to_owned());
        Some(())
    }

    fn end_word(&mut self) {
        self.command.extend(self.word.take());
    }

    fn end_command(&mut self) {
        self.end_word();
        if !self.command.is_empty() {
            self.commands.push(std::mem::take(&mut self.command));
        }
    }
}

/// A command split into wrappers, program and arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Parts {
    /// The name of the program behind all wrappers, without path and ending.
    pub(super) name: String,
    /// Variables set in front of the command (`A=1 less x`), as typed.
    pub(super) assignments: Vec<String>,
    /// The wrappers and the program.
    pub(super) front: Vec<String>,
    /// Its arguments.
    pub(super) args: Vec<String>,
    /// It runs as another user.
    pub(super) is_other_user: bool,
}

/// Bounds the loop; real commands have one or two wrappers.
const MAX_WRAPPERS: usize = 8;

/// Splits a command; `None` if it names no program.
pub(super) fn parts(words: &[String]) -> Option<Parts> {
    let first = words.iter().position(|word| !is_assignment(word))?;
    let mut at = first;
    let mut is_other_user = false;
    for _ in 0..MAX_WRAPPERS {
        let base = base_name(words.get(at)?);
        let wrapper = WRAPPERS
            .iter()
            .find(|wrapper| wrapper.names.contains(&base) && wrapper.is_called(words, at))
            .or_else(|| is_interpreter(base).then_some(&INTERPRETER))
            .or_else(|| is_script(words, at).then_some(&INTERPRETER));
        let Some(wrapper) = wrapper else {
            return Some(parts_at(
                words,
                first,
                at,
                program_name(&words[at]),
                is_other_user,
            ));
        };
        is_other_user |= wrapper.kind == WrapperKind::OtherUser;
        let next = wrapper.skip(words, at)?;
        at = next.at;
        if let Some(module) = next.module {
            return Some(parts_at(words, first, at, module, is_other_user));
        }
        if matches!(
            wrapper.kind,
            WrapperKind::Package | WrapperKind::Interpreter
        ) {
            // A package or script with a wrapper's name is no wrapper.
            let name = program_name(words.get(at)?);
            return Some(parts_at(words, first, at, name, is_other_user));
        }
    }
    None
}

fn parts_at(words: &[String], first: usize, at: usize, name: String, is_other_user: bool) -> Parts {
    Parts {
        name,
        assignments: words[..first].to_vec(),
        front: words[first..=at].to_vec(),
        args: words[at + 1..].to_vec(),
        is_other_user,
    }
}

/// `NAME=value`.
pub(super) fn is_assignment(word: &str) -> bool {
    let Some((name, _)) = word.split_once('=') else {
        return false;
    };
    let mut chars = name.chars();
    chars
        .next()
        .is_some_and(|c| c.is_ascii_alphabetic() || c == '_')
        && chars.all(|c| c.is_ascii_alphanumeric() || c == '_')
}

/// The last part of a path; of a login shell's name what follows the dash.
pub(super) fn base_name(path: &str) -> &str {
    let base = path.rsplit('/').next().unwrap_or(path);
    base.strip_prefix('-').unwrap_or(base)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum WrapperKind {
    /// The rest is a command again.
    Plain,
    /// As another user.
    OtherUser,
    /// The rest is a package, and arguments for its program.
    Package,
    /// The rest is a script, and its arguments.
    Interpreter,
}

/// A program that runs another.
struct Wrapper {
    names: &'static [&'static str],
    /// The words that make it one, such as `exec` for npm; one of them. Without any it always is.
    verbs: &'static [&'static [&'static str]],
    /// Flags that have a value in the next word.
    valued: &'static [&'static str],
    /// Flags that make it something else: the command is text, or is not run.
    other: &'static [&'static str],
    kind: WrapperKind,
}

const WRAPPERS: &[Wrapper] = &[
    Wrapper {
        names: &["sudo", "doas"],
        verbs: &[],
        valued: &[
            "-u", "-g", "-h", "-p", "-C", "-T", "-U", "-R", "-D", "-r", "-t", "--user", "--group",
        ],
        other: &[
            "-s", "-i", "-e", "-l", "-v", "-k", "-K", "--shell", "--login", "--edit", "--list",
        ],
        kind: WrapperKind::OtherUser,
    },
    Wrapper {
        names: &["env"],
        verbs: &[],
        valued: &["-u", "-C", "--unset", "--chdir"],
        other: &["-S", "--split-string"],
        kind: WrapperKind::Plain,
    },
    Wrapper {
        names: &["nice"],
        verbs: &[],
        valued: &["-n", "--adjustment"],
        other: &[],
        kind: WrapperKind::Plain,
    },
    Wrapper {
        names: &["command", "nohup", "time", "caffeinate", "setsid"],
        verbs: &[],
        valued: &[],
        other: &["-v", "-V"],
        kind: WrapperKind::Plain,
    },
    Wrapper {
        names: &["npx", "bunx", "pnpx"],
        verbs: &[],
        valued: &["-p", "--package"],
        other: &["-c", "--call"],
        kind: WrapperKind::Package,
    },
    Wrapper {
        names: &["npm", "pnpm", "yarn", "bun"],
        verbs: &[&["exec"], &["x"], &["dlx"]],
        valued: &["-p", "--package"],
        other: &["-c", "--call"],
        kind: WrapperKind::Package,
    },
    Wrapper {
        names: &["uvx"],
        verbs: &[],
        valued: UV_VALUED,
        other: &[],
        kind: WrapperKind::Package,
    },
    Wrapper {
        names: &["uv"],
        verbs: &[&["tool", "run"]],
        valued: UV_VALUED,
        other: &[],
        kind: WrapperKind::Package,
    },
    Wrapper {
        names: &["pipx"],
        verbs: &[&["run"]],
        valued: &["--spec", "--python", "--pip-args", "--index-url"],
        other: &[],
        kind: WrapperKind::Package,
    },
];

const UV_VALUED: &[&str] = &[
    "--from",
    "--with",
    "--python",
    "-p",
    "--index",
    "--index-url",
];

/// What is found by [`is_interpreter`].
const INTERPRETER: Wrapper = Wrapper {
    names: &[],
    verbs: &[],
    valued: &["-r", "--require", "--import", "--loader", "-W", "-X"],
    other: &["-c", "-e", "-p", "-i", "--eval", "--print", "-"],
    kind: WrapperKind::Interpreter,
};

/// Whether it runs a script: node, bun, deno, or python of any version.
fn is_interpreter(base: &str) -> bool {
    let version = |rest: &str| rest.chars().all(|c| c.is_ascii_digit() || c == '.');
    matches!(base, "node" | "nodejs" | "bun" | "deno")
        || base.strip_prefix("python").is_some_and(version)
        || base.strip_prefix("pypy").is_some_and(version)
}

/// Whether it is a shell that runs a script, as the kernel starts what begins with `#!/bin/sh`: the script's path
/// follows. A shell with nothing behind it is a program of its own.
fn is_script(words: &[String], at: usize) -> bool {
    let base = words.get(at).map_or("", |word| base_name(word));
    let mut rest = words.iter().skip(at + 1);
    let is_plain_flag = |word: &str| {
        let letters = word.strip_prefix('-').unwrap_or_default();
        !letters.is_empty() && letters.chars().all(|c| "efux".contains(c))
    };
    let script = rest.find(|word| !is_plain_flag(word));
    matches!(
        base,
        "sh" | "bash" | "dash" | "ash" | "zsh" | "ksh" | "fish"
    ) && script.is_some_and(|word| word.contains('/') && !word.starts_with('-'))
}

/// Where the path of a script stands that an interpreter runs, as the kernel calls what begins with `#!` and was found
/// on `PATH`.
fn script(words: &[String]) -> Option<usize> {
    let is_run = is_interpreter(base_name(words.first()?)) || is_script(words, 0);
    let at = parts(words)
        .filter(|_| is_run)?
        .front
        .len()
        .checked_sub(1)?;
    let path = words.get(at).filter(|_| at > 0)?;
    path.starts_with('/').then_some(at)
}

/// The words of a script from its path on, without its interpreter; all words if an interpreter runs none.
pub(crate) fn without_interpreter(argv: &[String]) -> &[String] {
    script(argv).map_or(argv, |at| &argv[at..])
}

/// Where the command behind a wrapper begins.
struct Next {
    at: usize,
    /// The program's name, where it is not in that word.
    module: Option<String>,
}

impl Wrapper {
    fn verb(&self, words: &[String], at: usize) -> Option<&'static [&'static str]> {
        let rest = words.get(at + 1..)?;
        let verbs = self.verbs.iter();
        verbs
            .copied()
            .find(|verb| rest.len() > verb.len() && rest.iter().zip(*verb).all(|(a, b)| a == b))
    }

    fn is_called(&self, words: &[String], at: usize) -> bool {
        self.verbs.is_empty() || self.verb(words, at).is_some()
    }

    fn skip(&self, words: &[String], at: usize) -> Option<Next> {
        let verb = self.verb(words, at).map_or(0, <[_]>::len);
        let mut at = at + 1 + verb;
        loop {
            let word = words.get(at)?.as_str();
            let takes_rest = matches!(self.kind, WrapperKind::Package | WrapperKind::Interpreter);
            if self.other.contains(&word) {
                return None;
            }
            if word == "--" {
                at += 1;
                words.get(at)?;
                return Some(Next { at, module: None });
            }
            if self.kind == WrapperKind::Interpreter && word == "-m" {
                let module = words.get(at + 1)?;
                let name = module.split('.').next().unwrap_or(module);
                let module = Some(name.replace('_', "-"));
                return Some(Next { at: at + 1, module });
            }
            if self.valued.contains(&word) {
                at += 2;
            } else if word.starts_with('-') || (!takes_rest && is_assignment(word)) {
                at += 1;
            } else {
                return Some(Next { at, module: None });
            }
        }
    }
}

/// Names of scripts without a meaning; the name of their package is used.
const NAMELESS: &[&str] = &["index", "cli", "main", "start", "bundle", "run", "__main__"];

/// A program's name by its path, its package (`@scope/name@version`) or its script.
fn program_name(word: &str) -> String {
    let is_package = word.starts_with('@') && word.matches('/').count() == 1;
    let base = base_name(word);
    let base = match base.split_once('@') {
        Some((name, _)) if !name.is_empty() && (is_package || !word.contains('/')) => name,
        _ => base,
    };
    let stem = [".js", ".mjs", ".cjs", ".py", ".exe"]
        .iter()
        .find_map(|ending| base.strip_suffix(ending))
        .unwrap_or(base);
    if NAMELESS.contains(&stem)
        && let Some(name) = package_of(word)
    {
        return name.to_owned();
    }
    stem.to_owned()
}

/// The package of a script, if its path shows it.
fn package_of(path: &str) -> Option<&str> {
    let parts: Vec<_> = path.split('/').collect();
    if let Some(modules) = parts.iter().rposition(|part| *part == "node_modules") {
        let name = parts.get(modules + 1)?;
        return match name.starts_with('@') {
            true => parts.get(modules + 2).copied(),
            false => Some(name),
        };
    }
    let versions = parts.iter().rposition(|part| *part == "versions")?;
    parts.get(versions.checked_sub(1)?).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOME: Option<&str> = Some("/home/u");

    fn words(line: &str, shell: Shell) -> Option<Vec<Command>> {
        match read(line, shell, HOME) {
            Line::Commands(commands) => Some(commands),
            Line::Replaced | Line::Longer => None,
        }
    }

    fn owned(words: &[&str]) -> Vec<String> {
        words.iter().map(|word| (*word).to_owned()).collect()
    }

    #[test]
    fn lines_of_plain_words_are_read() {
        for (line, expected) in [
            ("less -R a", vec![vec!["less", "-R", "a"]]),
            ("  a  'b c' \"d e\"f\\ g ", vec![vec!["a", "b c", "d ef g"]]),
            ("cd x && less y", vec![vec!["cd", "x"], vec!["less", "y"]]),
            ("a; b;", vec![vec!["a"], vec!["b"]]),
            ("A=1 vim ~/x", vec![vec!["A=1", "vim", "/home/u/x"]]),
            ("a '' # why", vec![vec!["a", ""]]),
            ("a \\\n b", vec![vec!["a", "b"]]),
            ("a \"\\$x \\n\"", vec![vec!["a", "$x \\n"]]),
            ("", vec![]),
        ] {
            let expected: Vec<_> = expected.iter().map(|words| owned(words)).collect();
            assert_eq!(words(line, Shell::Bash), Some(expected), "{line}");
        }
    }

    #[test]
    fn lines_that_are_more_than_words_are_not_read() {
        for line in [
            "a $b",
            "a *",
            "a b?",
            "a {b,c}",
            "a \"$b\"",
            "a 'b",
            "a \"b",
            "a ~other/x",
            "a !!",
            "a \\",
        ] {
            assert_eq!(read(line, Shell::Bash, HOME), Line::Replaced, "{line}");
        }
        for line in [
            "a | b",
            "a > b",
            "a < b",
            "a &",
            "a `b`",
            "a $(b)",
            "(a)",
            "a <<x\nb\nx",
            "{ a; }",
            "a $b | c",
            "b=$c; a",
            "for x in 1 2; do a; done",
            "while a; do b; done",
            "if a; then b; fi",
            "repeat 3 a",
            "for x in 1 2\na\nend",
        ] {
            assert_eq!(read(line, Shell::Bash, HOME), Line::Longer, "{line}");
        }
    }

    #[test]
    fn fish_quotes_are_read_as_fish_does() {
        let fish = |line| words(line, Shell::Fish);
        assert_eq!(
            fish(r"a 'it\'s' '\x'"),
            Some(vec![owned(&["a", "it's", r"\x"])])
        );
        assert_eq!(fish(r"a \n"), None);
    }

    #[test]
    fn programs_are_found_behind_wrappers() {
        for (line, name, args) in [
            ("less a", "less", 1),
            ("/usr/bin/less a b", "less", 2),
            ("A=1 B=2 less a", "less", 1),
            ("env -u X A=1 less a", "less", 1),
            ("sudo -u root A=1 less a", "less", 1),
            ("sudo env A=1 nice -n 5 less a", "less", 1),
            ("npx @anthropic-ai/claude-code@latest --x", "claude-code", 1),
            ("npx -y -p foo claude", "claude", 0),
            ("npm exec @openai/codex resume", "codex", 1),
            ("pnpm dlx opencode-ai", "opencode-ai", 0),
            ("uvx --from aider-chat aider --x", "aider", 1),
            ("uv tool run aider", "aider", 0),
            ("pipx run aider-chat", "aider-chat", 0),
            ("node /usr/local/bin/claude --x", "claude", 1),
            ("/bin/sh /usr/local/bin/claude --x", "claude", 1),
            ("bash", "bash", 0),
            ("bash --norc", "bash", 1),
            ("sh run --all", "sh", 2),
            ("node --max-old-space-size=9 /a/codex.js", "codex", 0),
            (
                "node /n/node_modules/@anthropic-ai/claude-code/cli.js -c",
                "claude-code",
                1,
            ),
            (
                "node /n/lib/node_modules/opencode/dist/index.js",
                "opencode",
                0,
            ),
            (
                "/h/node /h/share/cursor-agent/versions/2/index.js",
                "cursor-agent",
                0,
            ),
            ("python3.12 -m aider a b", "aider", 2),
            ("python /usr/bin/aider a", "aider", 1),
            ("bun x claude", "claude", 0),
            ("npm run build", "npm", 2),
        ] {
            let words = owned(&line.split(' ').collect::<Vec<_>>());
            let found = parts(&words).unwrap_or_else(|| panic!("{line}"));
            assert_eq!(
                (found.name.as_str(), found.args.len()),
                (name, args),
                "{line}"
            );
            let mut all = found.assignments.clone();
            all.extend(found.front.clone());
            all.extend(found.args.clone());
            assert_eq!(all, words);
            assert_eq!(found.is_other_user, line.starts_with("sudo"));
        }
    }

    #[test]
    fn commands_without_a_program_have_no_parts() {
        for line in [
            "A=1",
            "sudo -i",
            "node -e 1",
            "python3 -c 1",
            "env",
            "sudo",
            "env -S x",
            "npx -c x",
        ] {
            let words = owned(&line.split(' ').collect::<Vec<_>>());
            assert_eq!(parts(&words), None, "{line}");
        }
        let deep = vec!["env".to_owned(); 100];
        assert_eq!(parts(&deep), None);
    }

    #[test]
    fn scripts_of_ones_own_are_no_packages() {
        assert_eq!(program_name("/home/u/claude/index.js"), "index");
        assert_eq!(program_name("notes@home"), "notes");
        assert_eq!(program_name("/a/notes@home"), "notes@home");
    }
}
