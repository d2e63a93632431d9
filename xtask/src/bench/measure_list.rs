//! The time of a long list.

use std::time::Instant;

use anyhow::Result;

use super::figure::Sample;
use super::measure::{Effort, Measure};
use super::subject::Subject;

/// `list-panes -a` of a thousand panes, with twenty variables of each.
pub(super) struct ManyPanes;

impl ManyPanes {
    const SESSIONS: usize = 10;
    const WINDOWS: usize = 100;

    /// As used by a status script or a session saver.
    const FORMAT: &'static str = "#{session_name} #{session_id} #{window_index} #{window_id} #{window_name} \
        #{window_active} #{window_flags} #{window_layout} #{pane_index} #{pane_id} #{pane_active} #{pane_width} \
        #{pane_height} #{pane_pid} #{pane_tty} #{pane_title} #{pane_dead} #{pane_in_mode} #{cursor_x} #{history_size}";
}

impl Measure for ManyPanes {
    fn name(&self) -> &'static str {
        "panes"
    }

    fn rounds(&self, effort: Effort) -> usize {
        effort.choose(5, 21)
    }

    fn prepare(&self, subject: &Subject) -> Result<()> {
        for session in 0..Self::SESSIONS {
            let name = format!("s{session}");
            subject.new_session(&name, "exec cat")?;
            let target = format!("{name}:");
            let window = [
                "new-window",
                "-d",
                "-t",
                target.as_str(),
                "/bin/cat",
                "-",
                ";",
            ];
            // Many windows in one call, but not more than fit into a message.
            for _ in 0..(Self::WINDOWS - 1) / 33 {
                subject.call(&window.repeat(33))?;
            }
        }
        Ok(())
    }

    fn round(&self, subject: &Subject, _effort: Effort) -> Result<Vec<Sample>> {
        let begun = Instant::now();
        let list = subject.call(&["list-panes", "-a", "-F", Self::FORMAT])?;
        let took = begun.elapsed();
        let lines = list.lines().count();
        let all = Self::SESSIONS * Self::WINDOWS;
        anyhow::ensure!(lines == all, "{lines} of {all} panes are listed");
        Ok(vec![Sample::new("panes", took.as_secs_f64())])
    }
}
