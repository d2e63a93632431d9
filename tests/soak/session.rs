//! One session as the soak expects it: what was sent to its shell, and what has to be there of that.

use std::path::PathBuf;
use std::time::UNIX_EPOCH;

/// A shell that sessions run, by how it says what every line of the soak says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shell {
    Bash,
    Zsh,
    Fish,
}

impl Shell {
    pub(crate) const ALL: [Self; 3] = [Self::Bash, Self::Zsh, Self::Fish];

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Bash => "bash",
            Self::Zsh => "zsh",
            Self::Fish => "fish",
        }
    }

    const fn assignment(self) -> &'static str {
        match self {
            Self::Bash | Self::Zsh => "v=",
            Self::Fish => "set -g v ",
        }
    }
}

/// How sure it is that a line that was sent has run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Line {
    /// The command that sent it succeeded, and its shell has lived since: it has to run.
    MustRun,
    /// Its shell, or what carried it there, was killed on the way. It may have run, once.
    MayHaveRun,
}

/// A session, its shell, and the lines sent to it, numbered from 1.
#[derive(Debug)]
pub(crate) struct Session {
    pub(crate) name: String,
    pub(crate) shell: Shell,
    /// Where each line writes down that it has run, and which value the variable had then.
    record: PathBuf,
    lines: Vec<Line>,
    /// The value that the shell's variable has at least, after its death without notice: that of the last line before its state
    /// was kept. `None` while nothing of it has to be there.
    kept: Option<u64>,
    /// Whether the shell has died without notice since the last line that is known to have run.
    is_rolled_back: bool,
    /// The lines whose output was shown at the last check.
    shown: Vec<u64>,
}

impl Session {
    pub(crate) fn new(name: String, shell: Shell, record: PathBuf) -> Self {
        Self {
            name,
            shell,
            record,
            lines: Vec::new(),
            kept: None,
            is_rolled_back: false,
            shown: Vec::new(),
        }
    }

    /// The next line: it prints, writes down its number with the value of the variable, and sets that to its number.
    pub(crate) fn next_line(&mut self) -> String {
        self.lines.push(Line::MustRun);
        let number = self.lines.len();
        let record = self.record.display();
        let assignment = self.shell.assignment();
        // The text that is typed is not what is printed, so that the screen can be searched for the latter.
        format!("printf 'o%s-{number}.\\n' ut; echo {number} $v >> {record}; {assignment}{number}")
    }

    /// The command that sent the last line failed, so the line may not have come through.
    pub(crate) fn doubt_last_line(&mut self) {
        if let Some(line) = self.lines.last_mut() {
            *line = Line::MayHaveRun;
        }
    }

    /// The shell, or what held its input, has been killed: what has not run yet may never.
    pub(crate) fn doubt_what_has_not_run(&mut self) {
        let ran = self.last_run();
        for line in &mut self.lines[ran..] {
            *line = Line::MayHaveRun;
        }
    }

    /// The shell is killed without notice: its variable goes back to what was kept of it.
    pub(crate) fn roll_back(&mut self) {
        self.doubt_what_has_not_run();
        self.is_rolled_back = true;
    }

    /// What the shell is now has been kept.
    pub(crate) fn is_kept(&mut self) {
        // A shell that has lost its last values, and was given nothing since, has no newer one to keep.
        if self.is_rolled_back {
            return;
        }
        self.kept = Some(self.last_run() as u64);
    }

    fn records(&self) -> Vec<String> {
        let text = std::fs::read_to_string(&self.record).unwrap_or_default();
        text.lines().map(str::to_owned).collect()
    }

    /// The number of the last line that has run.
    fn last_run(&self) -> usize {
        let last = self.records().pop();
        let number = last.and_then(|line| line.split(' ').next()?.parse().ok());
        number.unwrap_or(0)
    }

    /// When the last line ran, in seconds since 1970.
    pub(crate) fn last_run_at(&self) -> u64 {
        let changed = std::fs::metadata(&self.record).and_then(|record| record.modified());
        let since = changed.map(|time| time.duration_since(UNIX_EPOCH).unwrap_or_default());
        since.unwrap_or_default().as_secs()
    }

    /// Whether nothing is missing that has to run.
    pub(crate) fn has_run_everything(&self) -> bool {
        let ran = self.last_run();
        !self.lines[ran..].contains(&Line::MustRun)
    }

    /// What is wrong with what has run, if anything. Settles what was in doubt: what comes after this goes by what is there now.
    pub(crate) fn check(&mut self, seen: &mut usize) -> Result<(), String> {
        let records = self.records();
        let mut last = 0_u64;
        for (index, record) in records.iter().enumerate() {
            let mut words = record.split(' ').map(str::parse::<u64>);
            let Some(Ok(number)) = words.next() else {
                return Err(format!("record {record:?} has no number"));
            };
            let value = words.next().and_then(Result::ok).unwrap_or(0);
            let is_new = index >= *seen;
            if number <= last {
                return Err(format!("line {number} ran after line {last}: {records:?}"));
            }
            let skipped =
                &self.lines[usize::try_from(last).unwrap()..usize::try_from(number).unwrap() - 1];
            if skipped.contains(&Line::MustRun) {
                return Err(format!("a line before {number} did not run: {records:?}"));
            }
            if is_new && value != last {
                let least = self.kept.unwrap_or(0);
                if !(self.is_rolled_back && value >= least && value < number) {
                    return Err(format!(
                        "line {number} found the value {value} where {last} was set (kept: {:?}, shell died: {}): {records:?}",
                        self.kept, self.is_rolled_back
                    ));
                }
            }
            if is_new {
                self.is_rolled_back = false;
            }
            last = number;
        }
        *seen = records.len();
        Ok(())
    }

    /// Notes which output is shown; what was shown before and is not any more is an error.
    pub(crate) fn shows(&mut self, text: &str) -> Result<(), Vec<u64>> {
        let shown: Vec<u64> = text
            .split("out-")
            .skip(1)
            .filter_map(|rest| rest.split('.').next()?.parse().ok())
            .collect();
        let missing: Vec<u64> = self
            .shown
            .iter()
            .filter(|number| !shown.contains(number))
            .copied()
            .collect();
        if missing.is_empty() {
            self.shown = shown;
            return Ok(());
        }
        Err(missing)
    }
}
