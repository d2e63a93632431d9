//! Applies modifiers to a value, whatever it comes from.

use std::borrow::Cow;

use super::expand::{Evaluation, Expander, MAX_OUTPUT_BYTES, Times};
use super::modifiers::Plan;
use super::text;
use crate::glob::Case;

impl Expander {
    /// Applies the modifiers to a value in this order.
    pub(super) fn finish<'v>(
        &mut self,
        plan: &Plan,
        value: Cow<'v, str>,
        state: Evaluation<'_>,
    ) -> Cow<'v, str> {
        let mut value = value;
        if plan.is_expanded {
            value = Cow::Owned(self.expanded(&value, state));
        } else if plan.is_time_expanded {
            let state = Evaluation {
                times: Times::Expanded,
                ..state
            };
            value = Cow::Owned(self.expanded(&value, state));
        }
        for arguments in &plan.substitutions {
            let replaced = self.substitute(arguments, &value, state);
            if let Some(replaced) = replaced {
                value = Cow::Owned(replaced);
            }
        }
        if plan.limit != 0 {
            self.spend(value.len());
            value = Cow::Owned(cut(&value, plan.limit, plan.marker.as_deref()));
            self.note(state, || {
                format!("applied length limit {}: {value}", plan.limit)
            });
        }
        if plan.padding != 0 {
            value = self.pad(value, plan.padding);
            self.note(state, || {
                format!("applied padding width {}: {value}", plan.padding)
            });
        }
        if plan.is_length {
            value = Cow::Owned(value.len().to_string());
            self.note(state, || format!("replacing with length: {value}"));
        }
        if plan.is_width {
            value = Cow::Owned(text::width(&value).to_string());
            self.note(state, || format!("replacing with width: {value}"));
        }
        value
    }

    /// `s/pattern/with/flags:` on a value; `None` if the value does not change.
    fn substitute(
        &mut self,
        arguments: &[String],
        value: &str,
        state: Evaluation<'_>,
    ) -> Option<String> {
        let [pattern, with, flags @ ..] = arguments else {
            return None;
        };
        let pattern = self.expanded(pattern, state);
        let with = self.expanded(with, state);
        let case = match flags.first() {
            Some(flags) if flags.contains('i') => Case::Ignored,
            _ => Case::Differs,
        };
        if value.is_empty() {
            return None;
        }
        let mut steps = self.steps;
        let shown = pattern.clone();
        let pattern = self.pattern(&pattern, case)?;
        let cost = pattern.cost();
        let replaced = pattern.replace(value, &with, |looked_at| {
            steps = steps.saturating_sub(looked_at / 8 * cost + with.len() + 1);
            steps > 0
        });
        self.steps = self.steps.min(steps);
        self.note(state, || {
            format!("substitute '{shown}' to '{with}': {replaced}")
        });
        Some(replaced)
    }

    fn pad<'v>(&mut self, value: Cow<'v, str>, padding: i64) -> Cow<'v, str> {
        let wanted = usize::try_from(padding.unsigned_abs()).unwrap_or(usize::MAX);
        let missing = wanted.saturating_sub(text::plain_width(&value));
        if missing == 0 {
            return value;
        }
        if missing > MAX_OUTPUT_BYTES || !self.spend(missing) {
            self.steps = 0;
            return Cow::Borrowed("");
        }
        let blanks = " ".repeat(missing);
        Cow::Owned(if padding > 0 {
            value.into_owned() + &blanks
        } else {
            blanks + &value
        })
    }
}

/// The first columns if the limit is positive, the last if it is negative, and the marker if the value was cut.
fn cut(value: &str, limit: i64, marker: Option<&str>) -> String {
    let columns = usize::try_from(limit.unsigned_abs()).unwrap_or(usize::MAX);
    let marker = marker.unwrap_or_default();
    if limit > 0 {
        let mut kept = text::trim_left(value, columns);
        if kept != value {
            kept.push_str(marker);
        }
        return kept;
    }
    match text::trim_right(value, columns) {
        Cow::Borrowed(whole) => whole.to_owned(),
        Cow::Owned(kept) => format!("{marker}{kept}"),
    }
}
