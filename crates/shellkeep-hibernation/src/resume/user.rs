//! The user's own rules: the option `resume-rules`.
//!
//! Each item is `pattern=command`, or `pattern:unsent=command` to have it typed and not sent. The pattern is matched
//! with the program's name, or with the whole command if it contains a blank; `*` and `?` have the same meaning as in a
//! shell. The command may contain `#{line}` (the typed line), `#{program}`, `#{args}`, `#{cwd}` and `#{id}` (the
//! conversation, for programs that have one here). An empty command resumes nothing.

use super::agent_line;
use super::call::Call;
use super::caution::careful;
use super::lookup::Lookup;
use super::outcome::{Resume, run, unsent};
use super::program::Program;
use super::rules::{self, Kind};
use super::typed::as_typed;

/// The user's rules. The first that matches wins, and each wins over the built-in ones.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rules {
    rules: Vec<Rule>,
}

/// Why an item of the option is not a rule.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RuleError {
    /// There is no `=`, or nothing in front of it.
    #[error("not a rule, type pattern=command: {0}")]
    NoPattern(String),
    /// An unknown word after the pattern's colon.
    #[error("unknown word in a rule, type unsent or nothing: {0}")]
    UnknownWord(String),
    /// An unknown name in `#{…}`.
    #[error("unknown name in a rule, type line, program, args, cwd or id: {0}")]
    UnknownName(String),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Rule {
    pattern: String,
    is_sent: bool,
    template: Vec<Piece>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Piece {
    Text(String),
    Name(Name),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Name {
    Line,
    Program,
    Args,
    Cwd,
    Id,
}

impl Rules {
    /// Reads the items of the option. An item that is not a rule is left out and returned as an error.
    pub fn parse<'a>(texts: impl IntoIterator<Item = &'a str>) -> (Self, Vec<RuleError>) {
        let mut rules = Vec::new();
        let mut errors = Vec::new();
        for text in texts {
            match Rule::parse(text) {
                Ok(rule) => rules.push(rule),
                Err(error) => errors.push(error),
            }
        }
        (Self { rules }, errors)
    }

    pub(super) fn find(&self, program: &Program<'_>, call: Option<&Call>) -> Option<&Rule> {
        self.rules.iter().find(|rule| rule.matches(program, call))
    }
}

impl Rule {
    fn parse(text: &str) -> Result<Self, RuleError> {
        let (front, command) = text
            .split_once('=')
            .ok_or_else(|| RuleError::NoPattern(text.to_owned()))?;
        let (pattern, is_sent) = match front.rsplit_once(':') {
            None => (front, true),
            Some((pattern, "unsent")) => (pattern, false),
            Some((_, word)) => return Err(RuleError::UnknownWord(word.to_owned())),
        };
        let pattern = pattern.trim();
        if pattern.is_empty() {
            return Err(RuleError::NoPattern(text.to_owned()));
        }
        Ok(Self {
            pattern: pattern.to_owned(),
            is_sent,
            template: template(command.trim())?,
        })
    }

    fn matches(&self, program: &Program<'_>, call: Option<&Call>) -> bool {
        if self.pattern.contains(' ') {
            let argv = program.argv.join(" ");
            let typed = program.typed.map(str::trim);
            return is_match(&self.pattern, &argv)
                || typed.is_some_and(|line| is_match(&self.pattern, line));
        }
        call.is_some_and(|call| is_match(&self.pattern, &call.parts.name))
    }

    pub(super) fn apply(
        &self,
        program: &Program<'_>,
        call: Option<&Call>,
        lookup: &dyn Lookup,
    ) -> Resume {
        let mut line = String::new();
        for piece in &self.template {
            match piece {
                Piece::Text(text) => line.push_str(text),
                Piece::Name(name) => match value(*name, program, call, lookup) {
                    Some(value) => line.push_str(&value),
                    None => {
                        return as_typed(
                            program,
                            call,
                            lookup,
                            Some("no conversation of this pane was found"),
                        );
                    }
                },
            }
        }
        if line.contains(char::is_control) {
            return unsent(
                String::new(),
                Some("the command cannot be typed in one line"),
            );
        }
        match call {
            _ if line.is_empty() || !self.is_sent => unsent(line, None),
            // A rule of the user for this program is run as it is, unless the command runs as another user.
            Some(call) if call.parts.is_other_user => careful(run(line, None), call),
            _ => run(line, None),
        }
    }
}

fn value(
    name: Name,
    program: &Program<'_>,
    call: Option<&Call>,
    lookup: &dyn Lookup,
) -> Option<String> {
    let shell = program.shell;
    Some(match name {
        Name::Line => as_typed(program, call, lookup, None).line,
        Name::Cwd => shell.quote(program.cwd),
        Name::Program => match call {
            Some(call) => call.line(shell, &[]),
            None => shell.join(program.argv.get(..1).unwrap_or_default()),
        },
        Name::Args => match call {
            Some(call) => shell.join(&call.parts.args),
            None => shell.join(program.argv.get(1..).unwrap_or_default()),
        },
        Name::Id => {
            let call = call?;
            let Kind::Agent(agent) = rules::find(&call.parts.name)?.kind else {
                return None;
            };
            shell.quote(&agent_line::id(program, call, agent, lookup)?)
        }
    })
}

fn template(text: &str) -> Result<Vec<Piece>, RuleError> {
    let mut pieces = Vec::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("#{") {
        let (name, behind) = after
            .split_once('}')
            .ok_or_else(|| RuleError::UnknownName(after.to_owned()))?;
        let name = match name {
            "line" => Name::Line,
            "program" => Name::Program,
            "args" => Name::Args,
            "cwd" => Name::Cwd,
            "id" => Name::Id,
            _ => return Err(RuleError::UnknownName(name.to_owned())),
        };
        if !before.is_empty() {
            pieces.push(Piece::Text(before.to_owned()));
        }
        pieces.push(Piece::Name(name));
        rest = behind;
    }
    if !rest.is_empty() {
        pieces.push(Piece::Text(rest.to_owned()));
    }
    Ok(pieces)
}

/// Whether a pattern with `*` and `?` matches a whole text, in time bounded by the product of their lengths.
fn is_match(pattern: &str, text: &str) -> bool {
    let pattern: Vec<_> = pattern.chars().collect();
    let text: Vec<_> = text.chars().collect();
    let (mut p, mut t) = (0, 0);
    // Where to resume after the last `*` when the rest does not match.
    let mut star = None;
    while t < text.len() {
        if pattern.get(p) == Some(&'*') {
            star = Some((p, t));
            p += 1;
        } else if pattern.get(p).is_some_and(|c| *c == '?' || *c == text[t]) {
            p += 1;
            t += 1;
        } else if let Some((at, from)) = star {
            p = at + 1;
            t = from + 1;
            star = Some((at, from + 1));
        } else {
            return false;
        }
    }
    pattern[p..].iter().all(|c| *c == '*')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_match_as_in_a_shell() {
        for (pattern, text, expected) in [
            ("a", "a", true),
            ("a", "ab", false),
            ("a*", "abc", true),
            ("*b*c", "aabbcc", true),
            ("*b*d", "aabbcc", false),
            ("a?c", "abc", true),
            ("*", "", true),
            ("?", "", false),
            ("k*ctl exec *", "kubectl exec -it x", true),
        ] {
            assert_eq!(is_match(pattern, text), expected, "{pattern} {text}");
        }
    }

    #[test]
    fn invalid_rules_are_errors() {
        let texts = [
            "x",
            "=x",
            "a:b=x",
            "a=#{what}",
            "a=#{id",
            "ok=x #{id}",
            "ok:unsent=",
        ];
        let (rules, errors) = Rules::parse(texts);
        assert_eq!(rules.rules.len(), 2);
        let messages: Vec<_> = errors.iter().map(ToString::to_string).collect();
        assert_eq!(
            messages,
            [
                "not a rule, type pattern=command: x",
                "not a rule, type pattern=command: =x",
                "unknown word in a rule, type unsent or nothing: b",
                "unknown name in a rule, type line, program, args, cwd or id: what",
                "unknown name in a rule, type line, program, args, cwd or id: id",
            ]
        );
    }
}
