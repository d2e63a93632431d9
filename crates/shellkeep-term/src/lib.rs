//! The terminal engine.
#![warn(missing_docs)]
