//! Translates POSIX extended regular expressions to the syntax of the regular expression engine.
//!
//! The two differ in details: backslashes and nested brackets in sets, `a+?` (which is not a lazy match in POSIX), a
//! closing bracket without an opening one, `\d` (which is a `d`), and repetitions of nothing.

/// The longest expression that is accepted.
const MAX_PATTERN_BYTES: usize = 1_024;
/// The most repetitions that are accepted.
const MAX_REPETITIONS: u32 = 0x7fff;

/// The translation; `None` if the expression is invalid, or refers back to a group.
pub(super) fn translate(pattern: &str) -> Option<String> {
    if pattern.len() > MAX_PATTERN_BYTES {
        return None;
    }
    let mut translator = Translator {
        out: String::with_capacity(pattern.len() + 16),
        atom: None,
        groups: Vec::new(),
    };
    let chars: Vec<char> = pattern.chars().collect();
    let mut rest = chars.as_slice();
    while let [c, after @ ..] = rest {
        rest = translator.translate_one(*c, after)?;
    }
    translator.groups.is_empty().then_some(translator.out)
}

struct Translator {
    out: String,
    /// What a repetition would repeat: where it begins, and how it is already repeated.
    atom: Option<Atom>,
    /// Where the open groups begin.
    groups: Vec<usize>,
}

#[derive(Clone, Copy)]
struct Atom {
    start: usize,
    repeated: Option<char>,
}

impl Translator {
    /// Translates what begins with `c`, and returns the text after it.
    fn translate_one<'p>(&mut self, c: char, after: &'p [char]) -> Option<&'p [char]> {
        match c {
            '\\' => {
                let (escaped, after) = after.split_first()?;
                self.translate_escape(*escaped)?;
                return Some(after);
            }
            '[' => {
                self.begin_atom();
                let length = translate_set(after, &mut self.out)?;
                return Some(&after[length..]);
            }
            '(' => {
                self.groups.push(self.out.len());
                self.out.push('(');
                self.atom = None;
            }
            ')' => match self.groups.pop() {
                Some(start) => {
                    self.out.push(')');
                    self.atom = Some(Atom {
                        start,
                        repeated: None,
                    });
                }
                None => self.push_literal(')'),
            },
            '|' | '^' | '$' => {
                self.out.push(c);
                self.atom = None;
            }
            '*' | '+' | '?' => self.repeat(c, &c.to_string())?,
            '{' => {
                let end = after.iter().position(|c| *c == '}')?;
                let interval: String = after[..end].iter().collect();
                let interval = translate_interval(&interval)?;
                self.repeat('{', &interval)?;
                return Some(&after[end + 1..]);
            }
            '.' => {
                self.begin_atom();
                self.out.push('.');
            }
            c => self.push_literal(c),
        }
        Some(after)
    }

    fn begin_atom(&mut self) {
        self.atom = Some(Atom {
            start: self.out.len(),
            repeated: None,
        });
    }

    fn push_literal(&mut self, c: char) {
        self.begin_atom();
        push_escaped(&mut self.out, c);
    }

    fn translate_escape(&mut self, escaped: char) -> Option<()> {
        match escaped {
            '1'..='9' => return None,
            'w' | 'W' | 's' | 'S' | 'b' | 'B' | '<' | '>' => {
                self.begin_atom();
                self.out.push('\\');
                self.out.push(escaped);
            }
            '`' => self.out.push_str("\\A"),
            '\'' => self.out.push_str("\\z"),
            c => self.push_literal(c),
        }
        Some(())
    }

    fn repeat(&mut self, kind: char, text: &str) -> Option<()> {
        let atom = self.atom?;
        match atom.repeated {
            // The same repetition again has no effect.
            Some(before) if before == kind && kind != '{' => return Some(()),
            // What is already repeated becomes a group, because two signs in a row have another meaning in the engine.
            Some(_) => {
                self.out.insert_str(atom.start, "(?:");
                self.out.push(')');
            }
            None => {}
        }
        self.out.push_str(text);
        self.atom = Some(Atom {
            start: atom.start,
            repeated: Some(kind),
        });
        Some(())
    }
}

/// The text inside `{…}`.
fn translate_interval(interval: &str) -> Option<String> {
    let number = |text: &str| {
        text.bytes()
            .all(|byte| byte.is_ascii_digit())
            .then_some(())?;
        text.parse().ok().filter(|count| *count <= MAX_REPETITIONS)
    };
    match interval.split_once(',') {
        None => Some(format!("{{{}}}", number(interval)?)),
        Some((least, "")) => Some(format!("{{{},}}", number(least)?)),
        Some((least, most)) => {
            let least = if least.is_empty() { 0 } else { number(least)? };
            let most = number(most)?;
            (least <= most).then(|| format!("{{{least},{most}}}"))
        }
    }
}

fn push_escaped(out: &mut String, c: char) {
    if "\\.+*?()|[]{}^$#&-~".contains(c) {
        out.push('\\');
    }
    out.push(c);
}

/// Translates a set after its `[`. Returns its length including the `]`.
fn translate_set(set: &[char], out: &mut String) -> Option<usize> {
    out.push('[');
    let mut at = 0;
    if set.first() == Some(&'^') {
        out.push('^');
        at = 1;
    }
    let begin = at;
    loop {
        match set.get(at..)? {
            [] => return None,
            [']', ..] if at > begin => break,
            ['[', ':', rest @ ..] => {
                let end = rest.windows(2).position(|two| two == [':', ']'])?;
                let name: String = rest[..end].iter().collect();
                out.push_str(translate_class(&name)?);
                at += end + 4;
            }
            rest => {
                let (from, length) = set_element(rest)?;
                at += length;
                push_escaped(out, from);
                if let ['-', next, ..] = &set[at..]
                    && *next != ']'
                {
                    let (to, length) = set_element(&set[at + 1..])?;
                    (from <= to).then_some(())?;
                    out.push('-');
                    push_escaped(out, to);
                    at += 1 + length;
                }
            }
        }
    }
    out.push(']');
    Some(at + 1)
}

/// One character of a set, which can also be written as `[.x.]` or `[=x=]`.
fn set_element(set: &[char]) -> Option<(char, usize)> {
    match set {
        ['[', '.', c, '.', ']', ..] | ['[', '=', c, '=', ']', ..] => Some((*c, 5)),
        ['[', '.' | '=', ..] | [] => None,
        [c, ..] => Some((*c, 1)),
    }
}

fn translate_class(name: &str) -> Option<&'static str> {
    Some(match name {
        "alpha" => r"\p{Alphabetic}",
        "alnum" => r"\p{Alphabetic}\p{Nd}",
        "upper" => r"\p{Uppercase}",
        "lower" => r"\p{Lowercase}",
        "space" => r"\s",
        "blank" => r"\x20\t",
        "cntrl" => r"\p{Cc}",
        "digit" => "0-9",
        "xdigit" => "0-9A-Fa-f",
        "punct" => "[:punct:]",
        "graph" => r"[^\p{Cc}\s]",
        "print" => r"\P{Cc}",
        _ => return None,
    })
}
