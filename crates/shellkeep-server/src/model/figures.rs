//! Values that other components compute and formats show.

use crate::model::format_jobs::FormatJobs;
use crate::persistence::disk_sizes::Sizes;

#[derive(Default)]
pub(crate) struct Figures {
    pub(crate) format_jobs: FormatJobs,
    /// The size of each session on disk.
    pub(crate) disk_sizes: Sizes,
}
