//! Putting panes to sleep and waking them. The crate `shellkeep-hibernation` has the rules; this component carries them
//! out. No process is ended before everything of its pane is on disk.

pub(crate) mod admission;
pub(crate) mod admission_queue;
pub(crate) mod asleep;
pub(crate) mod failed;
pub(crate) mod fall_asleep;
pub(crate) mod idle_capture;
pub(crate) mod idle_verdict;
pub(crate) mod judging;
pub(crate) mod marks;
pub(crate) mod outcome;
pub(crate) mod policy;
pub(crate) mod policy_round;
pub(crate) mod policy_timer;
pub(crate) mod prepared;
pub(crate) mod prompt_filter;
pub(crate) mod question;
pub(crate) mod refusal;
pub(crate) mod report;
pub(crate) mod resume;
pub(crate) mod revival;
pub(crate) mod rules;
pub(crate) mod running;
pub(crate) mod shell_answers;
pub(crate) mod shell_from;
pub(crate) mod sleep_hint;
pub(crate) mod state;
pub(crate) mod tidy;
pub(crate) mod waiting_commands;
pub(crate) mod waiting_panes;
pub(crate) mod wake;
pub(crate) mod wake_blockers;
pub(crate) mod wake_many;
pub(crate) mod wake_queue;
