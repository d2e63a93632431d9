//! Prints findings as text for users and as JSON for programs.

use serde_json::json;

use crate::finding::{Finding, Status};
use crate::phrases::counted;

/// Whether a report has colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Color {
    /// For a terminal.
    On,
    /// For a file, a pipe, or a user who wants none.
    Off,
}

impl From<bool> for Color {
    fn from(is_on: bool) -> Self {
        if is_on { Self::On } else { Self::Off }
    }
}

/// One line for each finding, and a second one for its fix.
pub(crate) fn text(findings: &[Finding], color: Color) -> String {
    let mut text = String::new();
    for finding in findings {
        let (on, off) = match (color, finding.status) {
            (Color::Off, _) => ("", ""),
            (Color::On, Status::Ok) => ("\x1b[32m", "\x1b[m"),
            (Color::On, Status::Warning) => ("\x1b[33m", "\x1b[m"),
            (Color::On, Status::Problem) => ("\x1b[1;31m", "\x1b[m"),
        };
        let status = finding.status.name();
        let sentence = safe(&finding.sentence);
        text.push_str(&format!(
            "{on}{status:<8}{off} {:<18} {sentence}\n",
            finding.name
        ));
        if let Some(fix) = &finding.fix {
            text.push_str(&format!("{:<27} → {}\n", "", safe(fix)));
        }
    }
    text.push_str(&summary(findings));
    text
}

fn summary(findings: &[Finding]) -> String {
    let count = |status| {
        findings
            .iter()
            .filter(|finding| finding.status == status)
            .count()
    };
    match (count(Status::Problem), count(Status::Warning)) {
        (0, 0) => "\nAll is well.\n".to_owned(),
        (0, warnings) => format!("\nNo problem, {}.\n", counted(warnings, "warning")),
        (problems, 0) => format!("\n{}.\n", counted(problems, "problem")),
        (problems, warnings) => format!(
            "\n{}, {}.\n",
            counted(problems, "problem"),
            counted(warnings, "warning")
        ),
    }
}

/// Replaces control characters: names on disk could otherwise send escape sequences to the terminal.
fn safe(text: &str) -> String {
    let shown = |c: char| if c.is_control() { '\u{fffd}' } else { c };
    text.chars().map(shown).collect()
}

/// One JSON object; `docs/JSON.md` promises its shape.
pub(crate) fn json(findings: &[Finding]) -> String {
    let checks: Vec<String> = findings
        .iter()
        .map(|finding| {
            json!({
                "name": finding.name,
                "status": finding.status.name(),
                "sentence": finding.sentence,
                "fix": finding.fix,
            })
            .to_string()
        })
        .collect();
    let version = json!(env!("CARGO_PKG_VERSION"));
    format!(
        "{{\"version\":{version},\"checks\":[\n{}\n]}}\n",
        checks.join(",\n")
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn findings() -> Vec<Finding> {
        vec![
            Finding::ok("clock", "the clock is sane"),
            Finding::warning("room", "only \x1b[31m3 MB", "rm something"),
            Finding::problem("lock", "held", "kill 1"),
        ]
    }

    #[test]
    fn text_has_a_line_each_and_the_fix_below() {
        let expected = "\
ok       clock              the clock is sane
warning  room               only \u{fffd}[31m3 MB
                            → rm something
problem  lock               held
                            → kill 1

1 problem, 1 warning.
";
        assert_eq!(text(&findings(), Color::Off), expected);
        assert!(text(&findings()[..1], Color::On).starts_with("\x1b[32mok      \x1b[m clock"));
        assert!(text(&findings()[..1], Color::Off).ends_with("\nAll is well.\n"));
        assert!(text(&findings()[..2], Color::Off).ends_with("\nNo problem, 1 warning.\n"));
    }

    #[test]
    fn json_is_one_object_with_every_field() {
        let json: serde_json::Value = serde_json::from_str(&json(&findings())).unwrap();
        assert_eq!(json["version"], env!("CARGO_PKG_VERSION"));
        assert_eq!(json["checks"][0]["status"], "ok");
        assert!(json["checks"][0]["fix"].is_null());
        assert_eq!(json["checks"][1]["sentence"], "only \x1b[31m3 MB");
        assert_eq!(json["checks"][2]["fix"], "kill 1");
    }
}
