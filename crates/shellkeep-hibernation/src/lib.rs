//! Decides about hibernation: which sessions sleep and when ([`who_sleeps`]), whether a pane can ([`judge`]), and how
//! the program of a hibernated pane is resumed ([`resume()`]). [`asked`] recognises commands that only start a shell.
//!
//! Pure: the server gathers the facts (processes, marks, times, files) and carries out the decisions.
//! Times are milliseconds since 1970, as everywhere on disk, so that a session's age survives a reboot.
//!
//! ```
//! use shellkeep_hibernation::{Candidate, Life, MadeBy, Policy, who_sleeps};
//!
//! let minute = 60_000;
//! let session = Candidate {
//!     key: "work",
//!     life: Life::Active,
//!     made_by: MadeBy::User,
//!     commands: 3,
//!     last_activity: 0,
//!     hibernate_after: Some(5 * minute),
//!     is_held: false,
//!     is_reopened: false,
//!     is_visible: false,
//!     is_idle: true,
//! };
//! let early = who_sleeps(std::slice::from_ref(&session), &Policy::default(), 2 * minute);
//! assert!(early.hibernate.is_empty());
//! assert_eq!(early.next_look, Some(5 * minute));
//! let late = who_sleeps(&[session], &Policy::default(), 5 * minute);
//! assert_eq!(late.hibernate[0].key, "work");
//! ```
#![warn(missing_docs)]

pub mod asked;
pub mod idle;
pub mod priority;
pub mod quote;
pub mod resume;

pub use asked::{Asked, shell_of_line, shell_of_words};
pub use idle::{Facts, Foreground, Mark, ProcessFact, Reason, Verdict, judge};
pub use priority::{
    Archive, ArchiveCause, Candidate, Decision, Hibernate, HibernateCause, Life, MadeBy, Millis,
    Policy, priority, who_sleeps,
};
pub use quote::Shell;
pub use resume::{
    FoundFile, How, Lookup, Program, Resume, Rival, RuleError, Rules, VARIABLES, WakesOn,
    are_rivals, name, resume, text,
};
