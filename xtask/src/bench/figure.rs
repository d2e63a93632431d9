//! What is reported: names, units, and the limits that shellkeep has to meet.

/// One reading of one figure, in the unit's base: seconds, bytes, or a count.
pub(super) struct Sample {
    pub(super) figure: &'static str,
    pub(super) value: f64,
    pub(super) of: MeasuredProgram,
}

/// The column to which a reading belongs.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum MeasuredProgram {
    /// That of the program measured.
    Itself,
    /// The second column: the same program in another way, for comparison.
    Other,
}

impl Sample {
    pub(super) fn new(figure: &'static str, value: f64) -> Self {
        let of = MeasuredProgram::Itself;
        Sample { figure, value, of }
    }

    /// A reading for comparison.
    pub(super) fn other(figure: &'static str, value: f64) -> Self {
        let of = MeasuredProgram::Other;
        Sample { figure, value, of }
    }
}

pub(super) struct Figure {
    pub(super) id: &'static str,
    pub(super) title: &'static str,
    pub(super) unit: Unit,
    pub(super) statistic: Statistic,
    pub(super) bar: Bar,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unit {
    Seconds,
    Bytes,
    Count,
}

/// How readings are summarised.
#[derive(Clone, Copy)]
pub(super) enum Statistic {
    Median,
    P95,
    P99,
    Worst,
}

/// The limit of shellkeep's figure. Smaller is better for all figures.
#[derive(Clone, Copy)]
pub(super) enum Bar {
    /// Only shown.
    None,
    /// Only shown, without a comparison.
    Shown,
    /// At most this many times tmux's.
    Ratio(f64),
    /// At most this, whatever tmux does.
    Absolute(f64),
    /// At most this, without a comparison.
    Alone(f64),
}

use Bar::{Absolute, Alone, Ratio};
use Statistic::{Median, P95, P99, Worst};
use Unit::{Bytes, Count, Seconds};

const fn figure(
    id: &'static str,
    title: &'static str,
    unit: Unit,
    statistic: Statistic,
    bar: Bar,
) -> Figure {
    Figure {
        id,
        title,
        unit,
        statistic,
        bar,
    }
}

/// All lines of the table, in order.
pub(super) const FIGURES: &[Figure] = &[
    figure(
        "start-up",
        "start-up, no server to prompt",
        Seconds,
        Median,
        Ratio(0.8),
    ),
    figure(
        "start-up-bare",
        "start-up, no server to output",
        Seconds,
        Median,
        Bar::None,
    ),
    figure(
        "start-up-first",
        "start-up, the first one ever, to prompt",
        Seconds,
        Median,
        Bar::None,
    ),
    figure("new", "new -d", Seconds, Median, Ratio(1.0)),
    figure(
        "attach",
        "attach to painted screen",
        Seconds,
        Median,
        Ratio(1.0),
    ),
    figure("ls", "ls of 10 sessions", Seconds, Median, Ratio(0.8)),
    figure(
        "thousand",
        "1,000 commands, control mode against calls",
        Seconds,
        Median,
        Ratio(0.2),
    ),
    figure(
        "panes",
        "list-panes, 1,000 panes x 20 variables",
        Seconds,
        Median,
        Ratio(1.0),
    ),
    figure("echo-idle", "echo, idle, p50", Seconds, Median, Ratio(1.3)),
    figure("echo-idle-p99", "echo, idle, p99", Seconds, P99, Bar::None),
    figure(
        "echo-flood",
        "echo, flood next door, p50",
        Seconds,
        Median,
        Ratio(0.6),
    ),
    figure(
        "echo-flood-p99",
        "echo, flood next door, p99",
        Seconds,
        P99,
        Bar::None,
    ),
    figure(
        "echo-gap-0",
        "echo by a program, keys without a gap",
        Seconds,
        Median,
        Ratio(1.3),
    ),
    figure(
        "echo-gap-5",
        "echo by a program, a key every 5 ms",
        Seconds,
        Median,
        Ratio(1.3),
    ),
    figure(
        "echo-gap-20",
        "echo by a program, a key every 20 ms",
        Seconds,
        Median,
        Ratio(1.3),
    ),
    figure(
        "echo-gap-100",
        "echo by a program, a key every 100 ms",
        Seconds,
        Median,
        Ratio(1.3),
    ),
    // Seventy per cent of the speed is 1.43 times the time.
    figure(
        "flood-typing",
        "flood of 1 MB beside typing, against no typing",
        Seconds,
        Median,
        Ratio(1.43),
    ),
    figure(
        "attached-ascii",
        "attached, 1 MB of ascii",
        Seconds,
        Median,
        Bar::None,
    ),
    figure(
        "attached-colour",
        "attached, 1 MB of colour",
        Seconds,
        Median,
        Bar::None,
    ),
    figure(
        "attached-unicode",
        "attached, 1 MB of unicode",
        Seconds,
        Median,
        Bar::None,
    ),
    figure(
        "detached-ascii",
        "detached, 1 MB of ascii",
        Seconds,
        Median,
        Bar::None,
    ),
    figure(
        "detached-colour",
        "detached, 1 MB of colour",
        Seconds,
        Median,
        Bar::None,
    ),
    figure(
        "detached-unicode",
        "detached, 1 MB of unicode",
        Seconds,
        Median,
        Bar::None,
    ),
    figure("memory-1", "memory, 1 session", Bytes, Median, Bar::None),
    figure(
        "memory-100",
        "memory, 100 sessions",
        Bytes,
        Median,
        Bar::None,
    ),
    figure(
        "idle-wakeups",
        "wakeups a second, 50 idle sessions",
        Count,
        Median,
        Absolute(0.0),
    ),
    figure(
        "idle-cpu",
        "CPU time a second, 50 idle sessions",
        Seconds,
        Median,
        Bar::None,
    ),
    // Ninety per cent of the speed is 1.11 times the time.
    figure(
        "journal",
        "flood of 1 MB, kept against private",
        Seconds,
        Median,
        Ratio(1.11),
    ),
    figure(
        "journal-echo",
        "echo, kept against private, p50",
        Seconds,
        Median,
        Ratio(1.1),
    ),
    figure(
        "journal-echo-p99",
        "echo, kept against private, p99",
        Seconds,
        P99,
        Bar::None,
    ),
    figure(
        "capture-bash",
        "echo of bash around a capture, p50",
        Seconds,
        Median,
        Bar::None,
    ),
    figure(
        "capture-bash-p99",
        "echo of bash around a capture, p99",
        Seconds,
        P99,
        Bar::None,
    ),
    figure(
        "capture-bash-max",
        "echo of bash around a capture, maximum",
        Seconds,
        Worst,
        Bar::None,
    ),
    figure(
        "capture-zsh",
        "echo of zsh around a capture, p50",
        Seconds,
        Median,
        Bar::None,
    ),
    figure(
        "capture-zsh-p99",
        "echo of zsh around a capture, p99",
        Seconds,
        P99,
        Bar::None,
    ),
    figure(
        "capture-zsh-max",
        "echo of zsh around a capture, maximum",
        Seconds,
        Worst,
        Bar::None,
    ),
    figure(
        "capture-fish",
        "echo of fish around a capture, p50",
        Seconds,
        Median,
        Bar::None,
    ),
    figure(
        "capture-fish-p99",
        "echo of fish around a capture, p99",
        Seconds,
        P99,
        Bar::None,
    ),
    figure(
        "capture-fish-max",
        "echo of fish around a capture, maximum",
        Seconds,
        Worst,
        Bar::None,
    ),
    figure(
        "start-1000",
        "start and ls, 1,000 kept sessions",
        Seconds,
        Median,
        Alone(0.05),
    ),
    figure(
        "start-1000-files",
        "the same without a catalogue",
        Seconds,
        Median,
        Alone(0.05),
    ),
    figure(
        "list-1000",
        "ls alone, 1,000 kept sessions",
        Seconds,
        Median,
        Bar::Shown,
    ),
    figure(
        "start-1000-memory",
        "server memory, 1,000 kept sessions",
        Bytes,
        Median,
        Alone(30e6),
    ),
    figure(
        "start-10000",
        "start and ls, 10,000 kept sessions",
        Seconds,
        Median,
        Bar::Shown,
    ),
    figure(
        "start-10000-files",
        "the same without a catalogue",
        Seconds,
        Median,
        Bar::Shown,
    ),
    figure(
        "list-10000",
        "ls alone, 10,000 kept sessions",
        Seconds,
        Median,
        Alone(0.1),
    ),
    figure(
        "start-10000-memory",
        "server memory, 10,000 kept sessions",
        Bytes,
        Median,
        Alone(60e6),
    ),
    figure(
        "checkpoint-10000",
        "checkpoint, 10,000 lines",
        Seconds,
        Median,
        Alone(0.005),
    ),
    figure(
        "checkpoint-1000000",
        "checkpoint, 1,000,000 lines",
        Seconds,
        Median,
        Alone(0.005),
    ),
    figure(
        "disk-shell",
        "disk, shell session of 300 lines",
        Bytes,
        Median,
        Alone(10e3),
    ),
    figure(
        "disk-build",
        "disk, build log of 10,000 lines",
        Bytes,
        Median,
        Alone(100e3),
    ),
    figure(
        "search-1000",
        "search, 1,000 sessions x 10,000 lines",
        Seconds,
        Median,
        Alone(0.2),
    ),
    figure(
        "search-1000-read",
        "the same, reading all of it",
        Seconds,
        Median,
        Bar::None,
    ),
    figure(
        "search-1000-memory",
        "the server's memory then",
        Bytes,
        Median,
        Bar::None,
    ),
    figure(
        "sleep",
        "hibernate, bash with 10,000 lines",
        Seconds,
        Median,
        Alone(0.05),
    ),
    figure(
        "sleep-zsh",
        "hibernate, zsh with much set up",
        Seconds,
        Median,
        Alone(0.06),
    ),
    figure(
        "sleep-fish",
        "hibernate, fish with 10,000 lines",
        Seconds,
        Median,
        Alone(0.05),
    ),
    figure(
        "new-prompt",
        "new session with plain bash, to prompt",
        Seconds,
        Median,
        Bar::None,
    ),
    figure(
        "wake",
        "restore by command, against plain bash",
        Seconds,
        Median,
        Bar::None,
    ),
    figure(
        "wake-inside",
        "the same, in the server",
        Seconds,
        Median,
        Bar::None,
    ),
    figure(
        "wake-zsh",
        "restore by command, against zsh -f",
        Seconds,
        Median,
        Bar::None,
    ),
    figure(
        "wake-zsh-inside",
        "the same, in the server",
        Seconds,
        Median,
        Bar::None,
    ),
    figure(
        "wake-fish",
        "restore by command, against fish --no-config",
        Seconds,
        Median,
        Bar::None,
    ),
    figure(
        "wake-fish-inside",
        "the same, in the server",
        Seconds,
        Median,
        Bar::None,
    ),
    figure(
        "wake-key",
        "key to a sleeping bash, echoed at its prompt",
        Seconds,
        Median,
        Bar::None,
    ),
    figure(
        "wake-key-inside",
        "the same, from the key in the server to the prompt",
        Seconds,
        Median,
        Ratio(1.3),
    ),
    figure(
        "wake-key-zsh",
        "key to a sleeping zsh, echoed at its prompt",
        Seconds,
        Median,
        Bar::None,
    ),
    figure(
        "wake-key-zsh-inside",
        "the same, from the key in the server to the prompt",
        Seconds,
        Median,
        Ratio(1.3),
    ),
    figure(
        "wake-key-fish",
        "key to a sleeping fish, echoed at its prompt",
        Seconds,
        Median,
        Bar::None,
    ),
    figure(
        "wake-key-fish-inside",
        "the same, from the key in the server to the prompt",
        Seconds,
        Median,
        Ratio(1.3),
    ),
    figure(
        "attach-asleep",
        "attach to a sleeping one, painted",
        Seconds,
        Median,
        Ratio(1.5),
    ),
    figure(
        "sleep-all",
        "hibernate -a, 200 of 10,000 lines",
        Seconds,
        Median,
        Alone(5.0),
    ),
    figure(
        "sleep-all-echo",
        "echo, 200 of 10,000 lines hibernate next door, p95",
        Seconds,
        P95,
        Bar::Shown,
    ),
    figure(
        "sleep-all-echo-worst",
        "the same, the slowest key",
        Seconds,
        Worst,
        Alone(0.02),
    ),
    figure(
        "sleep-empty-echo",
        "echo, 200 empty ones hibernate next door, p95",
        Seconds,
        P95,
        Bar::Shown,
    ),
    figure(
        "sleep-empty-echo-worst",
        "the same, the slowest key",
        Seconds,
        Worst,
        Alone(0.02),
    ),
];

impl Statistic {
    /// The summary of `readings`; `None` without readings.
    pub(super) fn of(self, readings: &[f64]) -> Option<f64> {
        let mut sorted = readings.to_vec();
        sorted.sort_by(f64::total_cmp);
        match self {
            Median if sorted.len() % 2 == 1 => Some(sorted[sorted.len() / 2]),
            Median => {
                let upper = *sorted.get(sorted.len() / 2)?;
                Some(f64::midpoint(sorted[sorted.len() / 2 - 1], upper))
            }
            P95 => nearest_rank(&sorted, 95),
            P99 => nearest_rank(&sorted, 99),
            Worst => sorted.last().copied(),
        }
    }
}

/// The smallest reading that is at least as large as so many per cent of all.
fn nearest_rank(sorted: &[f64], percent: usize) -> Option<f64> {
    let rank = (sorted.len() * percent).div_ceil(100);
    sorted.get(rank.checked_sub(1)?).copied()
}

impl Bar {
    /// Whether shellkeep's figure meets the limit; `None` without a limit, or if tmux's figure is missing.
    pub(super) fn is_met(self, ours: f64, tmux: Option<f64>) -> Option<bool> {
        match self {
            Bar::None | Bar::Shown => None,
            Ratio(most) => tmux.map(|tmux| ours <= tmux * most),
            Absolute(most) | Alone(most) => Some(ours <= most),
        }
    }
}

impl std::fmt::Display for Bar {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Bar::None | Bar::Shown => Ok(()),
            Ratio(most) if (most * 10.0).fract() > 0.01 => write!(out, "<= {most:.2}"),
            Ratio(most) => write!(out, "<= {most:.1}"),
            Absolute(most) => write!(out, "{most:.0} flat"),
            Alone(most) if *most < 1.0 => write!(out, "{:.0} ms", most * 1e3),
            // No memory limit is as small as this, and no time limit as large.
            Alone(most) if *most < 1e3 => write!(out, "{most:.0} s"),
            Alone(most) if *most < 1e6 => write!(out, "{:.0} KB", most / 1e3),
            Alone(most) => write!(out, "{:.0} MB", most / 1e6),
        }
    }
}

impl Unit {
    /// A figure in a readable unit.
    pub(super) fn show(self, value: f64) -> String {
        match self {
            Seconds if value == 0.0 => "0".into(),
            Seconds if value < 1e-3 => format!("{:.0} us", value * 1e6),
            Seconds if value < 1.0 => format!("{:.2} ms", value * 1e3),
            Seconds => format!("{value:.2} s"),
            Bytes if value < 1e6 => format!("{:.1} KB", value / 1e3),
            Bytes => format!("{:.1} MB", value / 1e6),
            Count => format!("{value:.1}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statistics_of_small_and_large_sets() {
        assert_eq!(Median.of(&[]), None);
        assert_eq!(Median.of(&[3.0]), Some(3.0));
        assert_eq!(Median.of(&[4.0, 1.0, 2.0]), Some(2.0));
        assert_eq!(Median.of(&[4.0, 1.0, 2.0, 3.0]), Some(2.5));
        assert_eq!(P99.of(&[]), None);
        assert_eq!(P99.of(&[7.0]), Some(7.0));
        let hundreds: Vec<f64> = (1..=200).map(f64::from).collect();
        assert_eq!(P99.of(&hundreds), Some(198.0));
        assert_eq!(P95.of(&hundreds), Some(190.0));
        assert_eq!(Worst.of(&hundreds), Some(200.0));
        assert_eq!(Worst.of(&[]), None);
    }

    #[test]
    fn bars_are_met_or_missed() {
        assert_eq!(Ratio(0.6).is_met(6.0, Some(10.0)), Some(true));
        assert_eq!(Ratio(0.6).is_met(6.1, Some(10.0)), Some(false));
        assert_eq!(Ratio(0.6).is_met(6.0, None), None);
        assert_eq!(Absolute(0.0).is_met(0.2, Some(9.0)), Some(false));
        assert_eq!(Absolute(0.0).is_met(0.0, None), Some(true));
        assert_eq!(Bar::None.is_met(1.0, Some(1.0)), None);
    }

    #[test]
    fn figures_have_distinct_ids() {
        let mut ids: Vec<_> = FIGURES.iter().map(|figure| figure.id).collect();
        ids.sort_unstable();
        ids.dedup();
        assert_eq!(ids.len(), FIGURES.len());
    }
}
