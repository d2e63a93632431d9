//! Evaluates formats.

use std::borrow::Cow;
use std::collections::HashMap;

use super::modifiers::{self, Comparison, MatchFlags, Plan, Test, TimeForm};
use super::number::{Expression, parse_int};
use super::pattern::Pattern;
use super::scan::{closing_parenthesis, skip, split_pair};
use super::{Loop, Named, Position, Source, color, is_true, text, time};
use crate::glob::{Case, Glob};

/// The deepest nesting of expansions.
const MAX_DEPTH: u16 = 100;
/// The most steps of an evaluation, about one for each byte read or written.
const MAX_STEPS: usize = 16 << 20;
/// The longest result, or intermediate result.
pub(super) const MAX_OUTPUT_BYTES: usize = 1 << 20;
/// The longest text after times are expanded. C's buffer ends here, and a longer text gives nothing at all.
const LONGEST_TIMED: usize = 8191;
/// The longest single time.
const MAX_TIME_BYTES: usize = 511;
/// The steps for asking for a value, apart from its length.
const VALUE_STEPS: usize = 32;
/// The steps for anything more complex than asking for a value.
const PLAN_STEPS: usize = 100;
/// The steps for compiling a regular expression.
const PATTERN_STEPS: usize = 20_000;
/// The most regular expressions in the cache.
const MAX_CACHED_PATTERNS: usize = 64;

/// Evaluates formats with a cache of their regular expressions, for templates that are expanded often.
#[derive(Default)]
pub struct Expander {
    patterns: HashMap<(String, Case), Option<Pattern>>,
    pub(super) steps: usize,
    /// The steps so far, if the evaluation is traced.
    pub(super) trace: Option<Vec<String>>,
}

/// Whether `%H` and other times are expanded.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Times {
    Kept,
    Expanded,
}

/// Whether `#(…)` gives its output or nothing.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Jobs {
    Shown,
    Left,
}

/// What one level of an evaluation depends on.
#[derive(Clone, Copy)]
pub(super) struct Evaluation<'s> {
    pub(super) source: &'s dyn Source,
    pub(super) times: Times,
    pub(super) jobs: Jobs,
    pub(super) depth: u16,
}

/// The text to be replaced is malformed, so the rest of the template is dropped.
struct Malformed;

impl Expander {
    /// An expander with an empty cache.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// As [`super::expand()`].
    #[must_use]
    pub fn expand(&mut self, template: &str, source: &dyn Source) -> String {
        self.start(template, source, Times::Kept)
    }

    /// As [`super::expand_time`].
    #[must_use]
    pub fn expand_time(&mut self, template: &str, source: &dyn Source) -> String {
        self.start(template, source, Times::Expanded)
    }

    pub(super) fn start(&mut self, template: &str, source: &dyn Source, times: Times) -> String {
        self.steps = MAX_STEPS;
        let state = Evaluation {
            source,
            times,
            jobs: Jobs::Shown,
            depth: 0,
        };
        let mut out = String::with_capacity(template.len());
        self.expand_into(template, state, &mut out);
        out
    }

    /// Uses up steps. Returns false if not enough are left.
    pub(super) fn spend(&mut self, steps: usize) -> bool {
        self.steps = self.steps.saturating_sub(steps);
        self.steps > 0
    }

    fn push(&mut self, out: &mut String, text: &str) {
        if self.spend(text.len()) && out.len() + text.len() <= MAX_OUTPUT_BYTES {
            out.push_str(text);
        } else {
            // Exceeding any limit ends the evaluation.
            self.steps = 0;
        }
    }

    pub(super) fn expanded(&mut self, template: &str, state: Evaluation<'_>) -> String {
        let mut out = String::new();
        self.expand_into(template, state, &mut out);
        out
    }

    fn expand_into(&mut self, template: &str, mut state: Evaluation<'_>, out: &mut String) {
        if template.is_empty() || state.depth >= MAX_DEPTH || !self.spend(template.len() + 1) {
            return;
        }
        state.depth += 1;
        self.note(state, || format!("expanding format: {template}"));
        let begin = out.len();
        self.expand_text(template, state, out);
        self.note(state, || {
            let result = out.get(begin..).unwrap_or_default();
            format!("result is: {result}")
        });
    }

    fn expand_text(&mut self, template: &str, state: Evaluation<'_>, out: &mut String) {
        let timed;
        let mut rest = template;
        if state.times == Times::Expanded && template.contains('%') {
            let now = state.source.local_time(state.source.now());
            timed = time::strftime(template, &now, LONGEST_TIMED).unwrap_or_default();
            if timed != template {
                self.note(state, || format!("after time expanded: {timed}"));
            }
            rest = &timed;
        }
        while let Some(at) = rest.find('#') {
            self.push(out, &rest[..at]);
            let Ok(after) = self.expand_hash(&rest[at..], state, out) else {
                return;
            };
            rest = after;
            if self.steps == 0 {
                return;
            }
        }
        self.push(out, rest);
    }

    /// Expands what the first character, a `#`, begins. Returns the text after it.
    fn expand_hash<'t>(
        &mut self,
        text: &'t str,
        state: Evaluation<'_>,
        out: &mut String,
    ) -> Result<&'t str, Malformed> {
        let inside = &text[1..];
        let Some(next) = inside.chars().next() else {
            self.push(out, text);
            return Ok("");
        };
        match next {
            '(' => {
                let end = closing_parenthesis(&inside[1..]).ok_or(Malformed)?;
                self.note(state, || format!("found #(): {}", &inside[1..=end]));
                self.expand_job(&inside[1..=end], state, out);
                return Ok(&inside[end + 2..]);
            }
            '{' => {
                let end = skip(text, b"}").ok_or(Malformed)?;
                self.spend(end);
                self.note(state, || format!("found #{{}}: {}", &text[2..end]));
                self.replace(&text[2..end], state, out)?;
                return Ok(&text[end + 1..]);
            }
            '#' => {
                // Any number of them before a bracket is left for the renderer.
                let count = text.bytes().take_while(|byte| *byte == b'#').count();
                if text.as_bytes().get(count) == Some(&b'[') {
                    self.push(out, &text[..=count]);
                    return Ok(&text[count + 1..]);
                }
                self.note(state, || "found ##".to_owned());
                self.push(out, "#");
                return Ok(&inside[1..]);
            }
            ',' | '}' => {
                self.note(state, || format!("found #{next}"));
                self.push(out, &inside[..1]);
                return Ok(&inside[1..]);
            }
            _ => {}
        }
        match alias(next) {
            Some(name) => {
                self.note(state, || format!("found #{next}: {name}"));
                self.replace(name, state, out)?;
            }
            None => self.push(out, &text[..1 + next.len_utf8()]),
        }
        Ok(&inside[next.len_utf8()..])
    }

    /// The output of a command is a format itself, in which no commands are run.
    fn expand_job(&mut self, command: &str, state: Evaluation<'_>, out: &mut String) {
        if state.jobs == Jobs::Left {
            return;
        }
        let state = Evaluation {
            times: Times::Kept,
            jobs: Jobs::Left,
            ..state
        };
        let command = self.expanded(command, state);
        if self.spend(PATTERN_STEPS) {
            let output = state.source.job(&command);
            self.note(state, || format!("#() result: {output}"));
            self.expand_into(&output, state, out);
        }
    }

    /// Expands `#{key}`.
    fn replace(
        &mut self,
        key: &str,
        state: Evaluation<'_>,
        out: &mut String,
    ) -> Result<(), Malformed> {
        // Most keys are plain names, for which no plan is needed.
        if self.trace.is_none()
            && !key.starts_with('?')
            && !key.bytes().any(|byte| matches!(byte, b':' | b'#'))
        {
            if self.spend(VALUE_STEPS)
                && let Some(value) = state.source.value(key)
            {
                self.push(out, &value);
            }
            return Ok(());
        }
        if !self.spend(PLAN_STEPS) {
            return Ok(());
        }
        let mut plan = Plan::default();
        let mut body = key;
        if let Some((modifiers, rest)) =
            modifiers::split(key, |argument| self.expanded(argument, state))
        {
            body = rest;
            for (at, modifier) in modifiers.into_iter().enumerate() {
                self.note_modifier(state, at, &modifier);
                plan.add(modifier);
            }
        }
        let value = self.evaluate(&plan, body, state).inspect_err(|_| {
            self.note(state, || format!("failed {key}"));
        })?;
        let value = self.finish(&plan, value, state);
        self.note(state, || format!("replaced '{key}' with '{value}'"));
        self.push(out, &value);
        Ok(())
    }

    /// The value of the text after the modifiers.
    fn evaluate<'s>(
        &mut self,
        plan: &Plan,
        body: &'s str,
        state: Evaluation<'s>,
    ) -> Result<Cow<'s, str>, Malformed> {
        if plan.is_literal {
            return Ok(Cow::Borrowed(body));
        }
        if plan.is_character || plan.is_color {
            let name = self.expanded(body, state);
            let value = if plan.is_character {
                let code = parse_int(&name, 32, 126).and_then(|code| u8::try_from(code).ok());
                code.map(|code| char::from(code).to_string())
            } else {
                color::to_hex(&name)
            };
            return Ok(Cow::Owned(value.unwrap_or_default()));
        }
        if plan.loops_sessions {
            return Ok(Cow::Owned(self.repeat(Loop::Sessions, body, state)));
        }
        if plan.loops_windows {
            return Ok(Cow::Owned(self.repeat(Loop::Windows, body, state)));
        }
        if plan.loops_panes {
            return Ok(Cow::Owned(self.repeat(Loop::Panes, body, state)));
        }
        if plan.is_window_name || plan.is_session_name {
            let what = match plan.is_window_name {
                true => Named::Window,
                false => Named::Session,
            };
            let name = self.expanded(body, state);
            return Ok(truth(state.source.has_name(what, &name)));
        }
        if let Some(flags) = plan.search {
            let pattern = self.expanded(body, state);
            self.note(state, || {
                let pane = state.source.value("pane_id").unwrap_or_default();
                format!("search '{pattern}' pane {pane}")
            });
            return Ok(Cow::Owned(self.search(&pattern, flags, state).to_string()));
        }
        if let Some(test) = plan.test {
            return self.compare(test, body, state).map(truth);
        }
        if let Some(body) = body.strip_prefix('?') {
            return self.choose(plan, body, state).map(Cow::Owned);
        }
        if let Some(arguments) = &plan.expression {
            let value = self.calculate(arguments, body, state);
            return Ok(Cow::Owned(value.unwrap_or_default()));
        }
        if body.contains("#{") {
            self.note(state, || format!("expanding inner format '{body}'"));
            return Ok(Cow::Owned(self.expanded(body, state)));
        }
        let found = self.find(plan, body, state);
        self.note(state, || match &found {
            Some(value) => format!("format '{body}' found: {value}"),
            None => format!("format '{body}' not found"),
        });
        Ok(found.unwrap_or_default())
    }

    /// The value of a name, with the modifiers that apply only to names.
    fn find<'s>(&mut self, plan: &Plan, name: &str, state: Evaluation<'s>) -> Option<Cow<'s, str>> {
        if !self.spend(VALUE_STEPS + name.len()) {
            return None;
        }
        let mut value = state.source.value(name)?;
        if let Some(form) = &plan.time {
            let seconds = parse_int(&value, 1, i64::MAX)?;
            return Some(Cow::Owned(show_time(seconds, form, state.source)));
        }
        if !self.spend(value.len()) {
            return None;
        }
        if plan.is_base_name {
            value = Cow::Owned(text::base_name(&value).to_owned());
        }
        if plan.is_dir_name {
            value = Cow::Owned(text::dir_name(&value).to_owned());
        }
        if plan.is_shell_quoted {
            value = Cow::Owned(text::quote_shell(&value));
        }
        if plan.is_style_quoted {
            value = Cow::Owned(value.replace('#', "##"));
        }
        Some(value)
    }

    /// `?condition,yes,no`, after its question mark.
    fn choose(
        &mut self,
        plan: &Plan,
        body: &str,
        state: Evaluation<'_>,
    ) -> Result<String, Malformed> {
        self.spend(body.len());
        let Some((condition, branches)) = split_pair(body) else {
            self.note(state, || format!("condition syntax error: {body}"));
            return Err(Malformed);
        };
        self.note(state, || format!("condition is: {condition}"));
        let holds = match self.find(plan, condition, state) {
            Some(value) => {
                self.note(state, || format!("condition '{condition}' found: {value}"));
                is_true(&value)
            }
            None => {
                // It is not a name but a format, unless it expands to itself.
                let value = self.expanded(condition, state);
                if value == condition {
                    self.note(state, || {
                        format!("condition '{condition}' not found; assuming false")
                    });
                }
                value != condition && is_true(&value)
            }
        };
        let Some((yes, no)) = split_pair(branches) else {
            self.note(state, || {
                format!("condition '{condition}' syntax error: {branches}")
            });
            return Err(Malformed);
        };
        self.note(state, || format!("condition '{condition}' is {holds}"));
        Ok(self.expanded(if holds { yes } else { no }, state))
    }

    fn compare(
        &mut self,
        test: Test,
        body: &str,
        state: Evaluation<'_>,
    ) -> Result<bool, Malformed> {
        self.spend(body.len());
        let name = test.name();
        let Some((left, right)) = split_pair(body) else {
            self.note(state, || format!("compare {name} syntax error: {body}"));
            return Err(Malformed);
        };
        let left = self.expanded(left, state);
        let right = self.expanded(right, state);
        self.note(state, || format!("compare {name} left is: {left}"));
        self.note(state, || format!("compare {name} right is: {right}"));
        let comparison = match test {
            Test::Match(flags) => return Ok(self.matches(&left, &right, flags)),
            Test::Compare(comparison) => comparison,
        };
        Ok(match comparison {
            Comparison::Or => is_true(&left) || is_true(&right),
            Comparison::And => is_true(&left) && is_true(&right),
            Comparison::Equal => left == right,
            Comparison::NotEqual => left != right,
            Comparison::Less => left < right,
            Comparison::Greater => left > right,
            Comparison::LessOrEqual => left <= right,
            Comparison::GreaterOrEqual => left >= right,
        })
    }

    fn calculate(
        &mut self,
        arguments: &[String],
        body: &str,
        state: Evaluation<'_>,
    ) -> Option<String> {
        let Some(expression) = Expression::parse(arguments) else {
            let operator = arguments.first().map_or("", String::as_str);
            self.note(state, || {
                format!("expression has no valid operator: '{operator}'")
            });
            return None;
        };
        let (left, right) = split_pair(body)?;
        let left = self.expanded(left, state);
        let right = self.expanded(right, state);
        let value = expression.evaluate(&left, &right)?;
        self.note(state, || {
            format!("expression left side is: {}", expression.shown(&left))
        });
        self.note(state, || {
            format!("expression right side is: {}", expression.shown(&right))
        });
        self.note(state, || format!("expression result is {value}"));
        Some(value)
    }

    fn repeat(&mut self, what: Loop, body: &str, state: Evaluation<'_>) -> String {
        // Sessions have no second body, so a comma in it is a comma.
        let (other, current) = match what {
            Loop::Sessions => (body, body),
            Loop::Windows | Loop::Panes => split_pair(body).unwrap_or((body, body)),
        };
        let mut out = String::new();
        state.source.for_each(what, &mut |source, position| {
            let body = match position {
                Position::Current => current,
                Position::Other => other,
            };
            if self.spend(VALUE_STEPS) {
                self.note_loop(what, source, state);
                let state = Evaluation { source, ..state };
                self.expand_into(body, state, &mut out);
            }
        });
        out
    }

    fn matches(&mut self, pattern: &str, text: &str, flags: MatchFlags) -> bool {
        let case = case(flags);
        if !flags.is_regex {
            let glob = Glob::new(pattern, case);
            return self.spend(pattern.len() + glob.cost() * text.len()) && glob.is_match(text);
        }
        let Some(cost) = self.pattern(pattern, case).map(Pattern::cost) else {
            return false;
        };
        self.spend(cost * text.len())
            && self
                .pattern(pattern, case)
                .is_some_and(|pattern| pattern.is_match(text))
    }

    fn search(&mut self, pattern: &str, flags: MatchFlags, state: Evaluation<'_>) -> usize {
        let case = case(flags);
        // The characters of a large screen.
        let screen = 20_000;
        if !flags.is_regex {
            let glob = Glob::new(&format!("*{pattern}*"), case);
            // The stars at both ends make it stop early, so the pattern's length hardly matters.
            if !self.spend(pattern.len() + screen) {
                return 0;
            }
            return state.source.search_pane(&|line| glob.is_match(line));
        }
        if !self.spend(screen) {
            return 0;
        }
        match self.pattern(pattern, case) {
            Some(pattern) => state.source.search_pane(&|line| pattern.is_match(line)),
            None => 0,
        }
    }

    /// A regular expression, from the cache or compiled now.
    pub(super) fn pattern(&mut self, pattern: &str, case: Case) -> Option<&Pattern> {
        let key = (pattern.to_owned(), case);
        if !self.patterns.contains_key(&key) {
            if !self.spend(PATTERN_STEPS) {
                return None;
            }
            if self.patterns.len() >= MAX_CACHED_PATTERNS {
                self.patterns.clear();
            }
            self.patterns
                .insert(key.clone(), Pattern::new(pattern, case));
        }
        self.patterns.get(&key)?.as_ref()
    }
}

fn truth(holds: bool) -> Cow<'static, str> {
    Cow::Borrowed(if holds { "1" } else { "0" })
}

fn case(flags: MatchFlags) -> Case {
    match flags.is_case_ignored {
        true => Case::Ignored,
        false => Case::Differs,
    }
}

fn show_time(seconds: i64, form: &TimeForm, source: &dyn Source) -> String {
    let local = source.local_time(seconds);
    match form {
        TimeForm::Plain => time::ctime(&local),
        TimeForm::Custom(format) => {
            time::strftime(format, &local, MAX_TIME_BYTES).unwrap_or_default()
        }
        TimeForm::Pretty => {
            let now = source.now().max(seconds);
            time::pretty(now - seconds, &local, &source.local_time(now))
        }
    }
}

/// The names that one letter stands for.
fn alias(letter: char) -> Option<&'static str> {
    Some(match letter {
        'D' => "pane_id",
        'F' => "window_flags",
        'H' => "host",
        'I' => "window_index",
        'P' => "pane_index",
        'S' => "session_name",
        'T' => "pane_title",
        'W' => "window_name",
        'h' => "host_short",
        _ => return None,
    })
}
