//! Frames and their differences.
#![warn(missing_docs)]
