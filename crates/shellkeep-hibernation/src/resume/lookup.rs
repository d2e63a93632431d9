//! How the resume rules read the disk. The server implements it, so that the rules stay pure.

use crate::priority::Millis;

/// A file below a directory that was searched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundFile {
    /// The absolute path.
    pub path: String,
    /// The time of the last write.
    pub modified: Millis,
}

/// The disk, as the rules see it.
pub trait Lookup {
    /// Files below a directory, the newest first. The pattern is a relative path in which `*` stands for any
    /// part of a name (`*/rollout-*.jsonl`). Some hundred are enough; none if there is no such directory.
    fn newest_files(&self, directory: &str, pattern: &str) -> Vec<FoundFile>;

    /// Whether there is a file.
    fn exists(&self, path: &str) -> bool;

    /// The beginning of a file, some 16 KiB of it.
    fn head(&self, path: &str) -> Option<String>;
}
