//! Finding lines in text: patterns, and filters that say where something is not.
//!
//! Pure: no I/O, no clock, no threads. Text is bytes with a newline behind each line, so that a whole page of history can be
//! looked through at once; what is found is found within one line, as with grep.
//!
//! ```
//! use shellkeep_search::{Case, Filter, Kind, Pattern};
//!
//! let text = b"all is well\nerror: no such file\n";
//! let pattern = Pattern::new("no such", Kind::Text, Case::Smart).unwrap();
//! assert_eq!(pattern.lines(text).collect::<Vec<_>>(), [12..31]);
//! assert_eq!(pattern.spans(b"error: no such file"), [7..14]);
//!
//! let filter = Filter::of(text);
//! assert!(pattern.may_be_in(&filter));
//! let other = Pattern::new("segmentation", Kind::Text, Case::Smart).unwrap();
//! assert!(!other.may_be_in(&filter));
//! ```

mod filter;
mod pattern;
mod required;

pub use filter::{Filter, FilterBuilder};
pub use pattern::{BadPattern, Case, Kind, Pattern};
