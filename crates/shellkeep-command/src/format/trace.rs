//! Traces the evaluation of a format, in tmux's words, for `display-message -v`.

use super::expand::{Evaluation, Expander, Times};
use super::modifiers::{Comparison, Modifier, Test};
use super::{Loop, Source};

/// The most steps in a trace.
const MAX_NOTES: usize = 10_000;

impl Expander {
    /// As [`super::expand_time`], with the steps of the evaluation, a line each.
    #[must_use]
    pub fn trace_time(&mut self, template: &str, source: &dyn Source) -> (Vec<String>, String) {
        self.trace = Some(Vec::new());
        let value = self.start(template, source, Times::Expanded);
        (self.trace.take().unwrap_or_default(), value)
    }

    /// Adds a step, if the evaluation is traced.
    pub(super) fn note(&mut self, state: Evaluation<'_>, text: impl FnOnce() -> String) {
        if let Some(trace) = &mut self.trace
            && trace.len() < MAX_NOTES
        {
            let indent = usize::from(state.depth);
            trace.push(format!("#{:indent$}{}", "", text()));
        }
    }

    pub(super) fn note_modifier(
        &mut self,
        state: Evaluation<'_>,
        at: usize,
        modifier: &Modifier<'_>,
    ) {
        self.note(state, || format!("modifier {at} is {}", modifier.name));
        for (number, argument) in modifier.arguments.iter().enumerate() {
            self.note(state, || {
                format!("modifier {at} argument {number}: {argument}")
            });
        }
    }

    /// Adds the item that a loop has reached.
    pub(super) fn note_loop(&mut self, what: Loop, source: &dyn Source, state: Evaluation<'_>) {
        let value = |name| source.value(name).unwrap_or_default();
        self.note(state, || match what {
            Loop::Sessions => format!("session loop: {}", value("session_id")),
            Loop::Windows => {
                let (index, id) = (value("window_index"), value("window_id"));
                format!("window loop: {index} {id}")
            }
            Loop::Panes => format!("pane loop: {}", value("pane_id")),
        });
    }
}

impl Test {
    /// The name as it is written.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Match(_) => "m",
            Self::Compare(Comparison::Or) => "||",
            Self::Compare(Comparison::And) => "&&",
            Self::Compare(Comparison::Equal) => "==",
            Self::Compare(Comparison::NotEqual) => "!=",
            Self::Compare(Comparison::Less) => "<",
            Self::Compare(Comparison::Greater) => ">",
            Self::Compare(Comparison::LessOrEqual) => "<=",
            Self::Compare(Comparison::GreaterOrEqual) => ">=",
        }
    }
}
