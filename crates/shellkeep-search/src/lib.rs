//! Searches lines of text: patterns, and filters that exclude texts without reading them.
//!
//! Pure: no I/O, no clock, no threads. Text is bytes, and every line of it ends with a newline, so that a whole page of
//! history can be searched at once. As with grep, a match lies within one line.
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
