//! What the list commands have in common: templates, filters, and JSON.
//!
//! `docs/JSON.md` promises the structure of the JSON: an array of objects, whose fields are named like format variables
//! and are present in every object, `null` where they have no meaning.

use serde_json::{Map, Value as Json};
use shellkeep_command::format::{Expander, is_true};
use unicode_width::{UnicodeWidthChar as _, UnicodeWidthStr as _};

pub(crate) use crate::commands::form::Form;

use crate::commands::queue::Caller;
use crate::commands::reply::Reply;
use crate::formats;
use crate::formats::{Scope, Variable};
use crate::model::Model;

/// A list in progress.
pub(crate) struct Listing<'a> {
    template: &'a str,
    /// The user has given the template.
    is_named: bool,
    filter: Option<&'a str>,
    /// The width of lines in the default format.
    cols: Option<usize>,
    form: Form,
    /// Evaluates the templates, and caches their patterns.
    expander: Expander,
    lines: String,
    objects: Vec<Json>,
}

impl From<bool> for Form {
    /// From the flag `--json`.
    fn from(json: bool) -> Self {
        if json { Self::Json } else { Self::Lines }
    }
}

impl<'a> Listing<'a> {
    /// A list with the user's format, or the default one.
    pub(crate) fn new(format: Option<&'a str>, usual: &'a str, form: Form) -> Self {
        Self {
            template: format.unwrap_or(usual),
            is_named: format.is_some(),
            filter: None,
            cols: None,
            form,
            expander: Expander::new(),
            lines: String::new(),
            objects: Vec::new(),
        }
    }

    /// Lists only what this format is true for.
    pub(crate) fn filter(mut self, filter: Option<&'a str>) -> Self {
        self.filter = filter;
        self
    }

    /// Shortens the text in brackets at the end of lines to this width, in the default format.
    pub(crate) fn cols(mut self, cols: Option<usize>) -> Self {
        self.cols = cols.filter(|_| !self.is_named);
        self
    }

    /// Adds an item with its scope; in JSON with these variables.
    pub(crate) fn add(&mut self, scope: &Scope<'_>, fields: &[&[Variable]]) {
        if !self.is_chosen(scope) {
            return;
        }
        if self.form == Form::Lines {
            let line = self.expander.expand(self.template, scope);
            self.lines.push_str(&match self.cols {
                Some(cols) => fitted(line, cols),
                None => line,
            });
            self.lines.push('\n');
            return;
        }
        let mut object = object(scope, fields);
        if self.is_named {
            let text = self.expander.expand(self.template, scope);
            object.insert("text".to_owned(), text.into());
        }
        self.objects.push(object.into());
    }

    fn is_chosen(&mut self, scope: &Scope<'_>) -> bool {
        self.filter
            .is_none_or(|filter| is_true(&self.expander.expand(filter, scope)))
    }

    /// Adds an item with its scope, and with fields of its own in JSON.
    pub(crate) fn add_object(&mut self, scope: &Scope<'_>, fields: impl FnOnce() -> Json) {
        if self.form == Form::Lines {
            return self.add(scope, &[]);
        }
        if !self.is_chosen(scope) {
            return;
        }
        let mut fields = fields();
        if let (true, Json::Object(object)) = (self.is_named, &mut fields) {
            let text = self.expander.expand(self.template, scope);
            object.insert("text".to_owned(), text.into());
        }
        self.objects.push(fields);
    }

    pub(crate) fn reply(self) -> Reply {
        match self.form {
            Form::Lines => Reply::text(self.lines),
            Form::Json => json(&Json::Array(self.objects)),
        }
    }
}

/// A line whose last words, in brackets, are shortened if it is too long for the terminal.
fn fitted(line: String, cols: usize) -> String {
    let Some(begin) = line.rfind(" [").filter(|_| line.ends_with(']')) else {
        return line;
    };
    if line.width() <= cols {
        return line;
    }
    let mut text = line[..begin + 2].to_owned();
    // Room for the mark of the cut, and for the bracket.
    let mut left = cols.saturating_sub(text.width() + 2);
    for c in line[begin + 2..line.len() - 1].chars() {
        let Some(rest) = left.checked_sub(c.width().unwrap_or(0)) else {
            break;
        };
        left = rest;
        text.push(c);
    }
    let end = text.trim_end_matches([' ', ',', ';']).len();
    text.truncate(end);
    text.push_str("…]");
    text
}

pub(crate) fn object(scope: &Scope<'_>, fields: &[&[Variable]]) -> Map<String, Json> {
    let fields = fields.iter().flat_map(|table| table.iter());
    let fields = fields.map(|(name, value)| {
        let value = value(scope).map_or(Json::Null, crate::formats::Value::into_json);
        ((*name).to_owned(), value)
    });
    fields.collect()
}

/// Prints JSON with one object on each line, so that people can read it, too.
pub(crate) fn json(value: &Json) -> Reply {
    match value {
        Json::Array(items) => Reply::text(json_text(items)),
        other => Reply::text(format!("{other}\n")),
    }
}

/// An array with one object on each line.
pub(crate) fn json_text(items: &[Json]) -> String {
    if items.is_empty() {
        return "[]\n".to_owned();
    }
    let items: Vec<String> = items.iter().map(Json::to_string).collect();
    format!("[\n{}\n]\n", items.join(",\n"))
}

/// The scope of a command that runs for a caller.
pub(crate) fn command_scope<'a>(model: &'a Model, caller: &Caller, command: &str) -> Scope<'a> {
    let mut scope = formats::scope(model).with("command", command);
    if let Some(hook) = &caller.hook {
        scope.extra.extend(hook.formats.iter().cloned());
    }
    scope
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn line_too_long_for_the_terminal_loses_the_end_of_its_brackets() {
        let line = "work: 1 windows [3h old, used 2m ago, 14 KB; runs: cargo build --all]";
        for (cols, expected) in [
            (80, line),
            (69, line),
            (
                60,
                "work: 1 windows [3h old, used 2m ago, 14 KB; runs: cargo b…]",
            ),
            (48, "work: 1 windows [3h old, used 2m ago, 14 KB; r…]"),
            (45, "work: 1 windows [3h old, used 2m ago, 14 KB…]"),
            (10, "work: 1 windows […]"),
        ] {
            let fitted = fitted(line.to_owned(), cols);
            assert_eq!(fitted, expected);
            assert!(fitted.width() <= cols.max(19));
        }
        let wide = "日本: 1 windows [runs: 日本日本日本]";
        assert_eq!(fitted(wide.to_owned(), 30), "日本: 1 windows [runs: 日本…]");
        assert_eq!(
            fitted("no brackets at all".to_owned(), 5),
            "no brackets at all"
        );
    }
}
