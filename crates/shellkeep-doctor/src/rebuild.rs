//! `--rebuild`: makes the catalogue again from the files.

use std::io::{BufRead as _, IsTerminal as _, Write as _};

use shellkeep_store::StoreError;
use shellkeep_store::catalogue::{Catalogue, CatalogueError, Fault, Rebuilt};

use crate::Setup;
use crate::checks;
use crate::finding::Finding;
use crate::phrases::{UPGRADE, counted, pipe_in_the_way};
use crate::setup::quoted;

const NAME: &str = "rebuild";

/// Whether the user agrees to replace a catalogue of a later version.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Consent {
    /// `-y`.
    Given,
    /// The user is asked on a terminal. Without one the answer is no.
    Wanted,
}

impl Consent {
    pub(crate) fn from_flag(yes: bool) -> Self {
        if yes { Self::Given } else { Self::Wanted }
    }
}

pub(crate) fn run(setup: &Setup<'_>, consent: Consent) -> Vec<Finding> {
    if !setup.state_dir.is_dir() {
        return vec![Finding::ok(
            NAME,
            "nothing is kept yet, so there is nothing to rebuild",
        )];
    }
    if let Some(finding) = pipe_in_the_way(setup, NAME) {
        return vec![finding];
    }
    if let Some(Err(Fault::Version(version))) = Catalogue::inspect(&setup.state_dir)
        && consent == Consent::Wanted
        && !asked(version)
    {
        let sentence =
            format!("the catalogue has the later version {version} and was left as it is");
        return vec![Finding::problem(
            NAME,
            sentence,
            setup.typed("doctor --rebuild -y moves it aside and makes one of this version"),
        )];
    }
    match rebuild(setup) {
        Ok(rebuilt) => tell(setup, &rebuilt),
        Err(error) => vec![Finding::problem(
            NAME,
            error.to_string(),
            fix(setup, &error),
        )],
    }
}

/// The fix for an error of the rebuild.
fn fix(setup: &Setup<'_>, error: &CatalogueError) -> String {
    match error {
        CatalogueError::Store(StoreError::Newer { .. }) => UPGRADE.to_owned(),
        CatalogueError::Store(error) => {
            let look = format!("ls -l {}", quoted(&setup.state_dir));
            setup.fix(error, look)
        }
        // The broken or newer catalogue has been moved aside, so a second run succeeds.
        CatalogueError::Broken { .. } | CatalogueError::Newer { .. } => {
            setup.typed("doctor --rebuild")
        }
        CatalogueError::File { .. } | CatalogueError::Sql(_) => checks::catalogue::fix(setup),
    }
}

fn rebuild(setup: &Setup<'_>) -> Result<Rebuilt, CatalogueError> {
    let mut catalogue = match Catalogue::open(&setup.state_dir) {
        // `run` has asked the user for consent.
        Err(CatalogueError::Newer { .. }) => Catalogue::replace_newer(&setup.state_dir)?,
        opened => opened?.catalogue,
    };
    if catalogue.fault()?.is_some() {
        catalogue.set_aside()?;
    }
    let mut bar = Bar::new();
    let rebuilt = catalogue.rebuild(&mut |done, total| bar.show(done, total));
    bar.clear();
    rebuilt
}

fn tell(setup: &Setup<'_>, rebuilt: &Rebuilt) -> Vec<Finding> {
    let count = counted(rebuilt.sessions, "session");
    let mut findings = vec![Finding::ok(
        NAME,
        format!("the catalogue was made anew, with {count}"),
    )];
    if let Some(first) = rebuilt.unreadable.first() {
        let first = first.strip_prefix(&setup.state_dir).unwrap_or(first);
        let sentence = format!(
            "{} could not be read, the first is {}; they are left as they are",
            counted(rebuilt.unreadable.len(), "session"),
            first.display()
        );
        findings.push(Finding::warning(
            NAME,
            sentence,
            "see what the check of sessions says below",
        ));
    }
    findings
}

/// Asks on the terminal; without one the answer is no.
fn asked(version: i64) -> bool {
    let (stdin, mut stderr) = (std::io::stdin(), std::io::stderr());
    if !stdin.is_terminal() || !stderr.is_terminal() {
        return false;
    }
    let _ = write!(
        stderr,
        "The catalogue was made by a later shellkeep (version {version}). Move it aside and make one of this version? [y/N] "
    );
    let _ = stderr.flush();
    let mut answer = String::new();
    let _ = stdin.lock().read_line(&mut answer);
    matches!(answer.trim(), "y" | "Y" | "yes")
}

/// A progress bar on stderr; nothing if that is no terminal.
struct Bar {
    is_shown: bool,
    percent: Option<usize>,
}

impl Bar {
    const WIDTH: usize = 40;

    fn new() -> Self {
        Self {
            is_shown: std::io::stderr().is_terminal(),
            percent: None,
        }
    }

    fn show(&mut self, done: usize, total: usize) {
        let percent = done.saturating_mul(100) / total.max(1);
        if !self.is_shown || self.percent == Some(percent) {
            return;
        }
        self.percent = Some(percent);
        let _ = write!(std::io::stderr(), "\r{}", Self::line(done, total));
    }

    fn line(done: usize, total: usize) -> String {
        let full = done.saturating_mul(Self::WIDTH) / total.max(1);
        let full = full.min(Self::WIDTH);
        let (bar, rest) = ("█".repeat(full), "░".repeat(Self::WIDTH - full));
        format!("{bar}{rest} {done} of {total} sessions")
    }

    fn clear(&self) {
        if self.percent.is_some() {
            let _ = write!(std::io::stderr(), "\r\x1b[K");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bar_grows_from_empty_to_full() {
        assert!(Bar::line(0, 0).starts_with("░"));
        assert_eq!(
            Bar::line(5, 10),
            format!("{}{} 5 of 10 sessions", "█".repeat(20), "░".repeat(20))
        );
        assert!(!Bar::line(10, 10).contains('░'));
    }
}
