//! The doctor: checks everything that shellkeep needs, explains what is wrong, and suggests a command to fix it.
//!
//! It runs in the client's process without a server, so that it works when no server can be started. It must change
//! nothing, except with `--rebuild`, which makes the catalogue again from the files.
//!
//! Each check is a file in `checks/`.
#![warn(missing_docs)]

mod ask;
mod checks;
mod finding;
mod phrases;
mod probe;
mod rebuild;
mod report;
mod saving;
mod setup;
mod unit;
mod walk;

use std::io::{IsTerminal as _, Write as _};

use shellkeep_command::cmd::doctor::Args;

use finding::Status;
pub use report::Color;
pub use setup::Setup;

/// Runs `doctor` and returns its exit status: 1 if there is a problem.
#[must_use]
pub fn run(setup: &Setup<'_>, args: &Args) -> u8 {
    let mut stdout = std::io::stdout().lock();
    let is_colored = stdout.is_terminal() && (setup.env)("NO_COLOR").is_none();
    let (text, status) = examine(setup, args, is_colored.into());
    // A broken pipe is no error.
    let _ = stdout
        .write_all(text.as_bytes())
        .and_then(|()| stdout.flush());
    status
}

/// What `doctor` prints, and its exit status.
#[must_use]
pub fn examine(setup: &Setup<'_>, args: &Args, color: Color) -> (String, u8) {
    if args.unit {
        return (unit::text(&setup.program), 0);
    }
    let mut findings = Vec::new();
    if args.rebuild {
        findings.extend(rebuild::run(setup, rebuild::Consent::from_flag(args.yes)));
    }
    findings.extend(checks::all(setup));
    let text = if args.json {
        report::json(&findings)
    } else {
        report::text(&findings, color)
    };
    let is_ill = findings
        .iter()
        .any(|finding| finding.status == Status::Problem);
    (text, u8::from(is_ill))
}
