//! The report of a revival: what came back with a pane and what did not, for commands, hooks and the pane itself.

use jiff::Timestamp;
use jiff::tz::TimeZone;
use serde_json::{Map, Value, json};
use shellkeep_core::PaneId;
use shellkeep_hibernation::{How, Resume};

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Report {
    /// The screen is complete.
    pub(crate) screen: bool,
    /// How many lines of history the pane has.
    pub(crate) scrollback: usize,
    /// The directory of the shell.
    pub(crate) cwd: String,
    pub(crate) variables: usize,
    pub(crate) functions: usize,
    pub(crate) aliases: usize,
    /// How many lines the shell's own history has.
    pub(crate) history: usize,
    /// The half-typed line is back.
    pub(crate) line: bool,
    /// The shell has its old state; otherwise it is a new one.
    pub(crate) has_state: bool,
    /// When the restored state was captured, in milliseconds since 1970. None if the pane was put to sleep then.
    pub(crate) as_of: Option<u64>,
    /// The command line that was typed for the program that ran.
    pub(crate) program: Option<(String, How)>,
    /// What did not come back, as sentences.
    pub(crate) missing: Vec<String>,
    pub(crate) took_ms: u64,
}

impl Report {
    /// Adds how a program was resumed.
    pub(crate) fn resumed(&mut self, resume: &Resume) {
        if !resume.line.is_empty() {
            self.program = Some((resume.line.clone(), resume.how));
        }
    }

    /// Adds what a shell's state contains.
    pub(crate) fn came_with(&mut self, state: &shellkeep_shell::Report) {
        self.has_state = true;
        self.variables = state.variables;
        self.functions = state.functions;
        self.aliases = state.aliases;
        self.history = state.history;
        self.line = state.has_line;
    }

    pub(crate) fn text(&self) -> String {
        let mut text = format!("awake after {} ms", self.took_ms);
        if self.has_state {
            text.push_str(&format!(
                "; {} variables, {} functions, {} aliases, {} lines of history",
                self.variables, self.functions, self.aliases, self.history
            ));
            if self.line {
                text.push_str(", a half-typed line");
            }
            if let Some(at) = self.as_of {
                text.push_str(&format!(", as of {}", moment(at)));
            }
        } else {
            text.push_str(", with a new shell");
        }
        match &self.program {
            Some((line, How::Run)) => text.push_str(&format!("; runs: {line}")),
            Some((line, How::TypeUnsent)) => text.push_str(&format!("; typed, not sent: {line}")),
            None => {}
        }
        for missing in &self.missing {
            text.push_str("; ");
            text.push_str(missing);
        }
        text
    }

    /// The report as fields of a JSON object.
    pub(crate) fn fields(&self) -> Map<String, Value> {
        let program = self.program.as_ref();
        let fields = json!({
            "screen": self.screen,
            "scrollback": self.scrollback,
            "cwd": self.cwd,
            "state": self.has_state,
            "as_of": self.as_of.map(|at| at / 1000),
            "variables": self.variables,
            "functions": self.functions,
            "aliases": self.aliases,
            "history": self.history,
            "line": self.line,
            "program": program.map(|(line, _)| line),
            "sent": program.map(|(_, how)| *how == How::Run),
            "missing": self.missing,
            "took_ms": self.took_ms,
        });
        match fields {
            Value::Object(fields) => fields,
            _ => Map::new(),
        }
    }

    /// The report as format variables of a hook.
    pub(crate) fn formats(&self) -> Vec<(&'static str, String)> {
        let flag = |is: bool| if is { "1" } else { "0" }.to_owned();
        let (line, is_sent) = match &self.program {
            Some((line, how)) => (line.clone(), flag(*how == How::Run)),
            None => (String::new(), String::new()),
        };
        vec![
            ("hook_report", self.text()),
            ("hook_screen", flag(self.screen)),
            ("hook_scrollback", self.scrollback.to_string()),
            ("hook_cwd", self.cwd.clone()),
            ("hook_state", flag(self.has_state)),
            (
                "hook_as_of",
                self.as_of
                    .map(|at| (at / 1000).to_string())
                    .unwrap_or_default(),
            ),
            ("hook_variables", self.variables.to_string()),
            ("hook_functions", self.functions.to_string()),
            ("hook_aliases", self.aliases.to_string()),
            ("hook_history", self.history.to_string()),
            ("hook_line", flag(self.line)),
            ("hook_program", line),
            ("hook_sent", is_sent),
            ("hook_missing", self.missing.join("; ")),
            ("hook_took_ms", self.took_ms.to_string()),
        ]
    }
}

/// A time of day, with the date unless it is today.
pub(crate) fn moment(milliseconds: u64) -> String {
    let at = i64::try_from(milliseconds).ok();
    let at = at.and_then(|at| Timestamp::from_millisecond(at).ok());
    let zone = TimeZone::system();
    let at = at.unwrap_or(Timestamp::UNIX_EPOCH).to_zoned(zone.clone());
    let is_today = at.date() == Timestamp::now().to_zoned(zone).date();
    let format = if is_today {
        "%H:%M:%S"
    } else {
        "%Y-%m-%d %H:%M:%S"
    };
    at.strftime(format).to_string()
}

/// What became of one pane, for the commands that wait for it.
#[derive(Clone, Debug)]
pub(crate) struct PaneOutcome {
    pub(crate) pane: PaneId,
    /// `session:window.pane`.
    pub(crate) place: String,
    pub(crate) outcome: Result<String, String>,
    /// What came back, if the pane was revived.
    pub(crate) report: Option<Report>,
}

impl PaneOutcome {
    /// The line that a command prints for it.
    pub(crate) fn line(&self) -> String {
        match &self.outcome {
            Ok(text) => format!("{}: {text}", self.place),
            Err(reason) => format!("{}: stays as it is: {reason}", self.place),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn report_says_in_one_line_what_its_fields_say() {
        let mut report = Report {
            screen: true,
            scrollback: 7,
            cwd: "/x".to_owned(),
            variables: 3,
            functions: 2,
            aliases: 1,
            history: 4,
            line: true,
            has_state: true,
            took_ms: 12,
            ..Report::default()
        };
        assert_eq!(
            report.text(),
            "awake after 12 ms; 3 variables, 2 functions, 1 aliases, 4 lines of history, a half-typed line"
        );
        assert_eq!(report.fields()["program"], Value::Null);
        (report.has_state, report.line) = (false, false);
        report.program = Some(("less a".to_owned(), How::Run));
        report.missing = vec!["/y is gone".to_owned(), "so is z".to_owned()];
        assert_eq!(
            report.text(),
            "awake after 12 ms, with a new shell; runs: less a; /y is gone; so is z"
        );
        let fields = report.fields();
        assert_eq!(fields["program"], "less a");
        assert_eq!(fields["sent"], true);
        assert_eq!(fields["missing"][1], "so is z");
        let formats = report.formats();
        assert!(formats.contains(&("hook_missing", "/y is gone; so is z".to_owned())));
        assert!(formats.contains(&("hook_program", "less a".to_owned())));
    }
}
