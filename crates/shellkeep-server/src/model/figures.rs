//! What formats show that other components find out.

use crate::model::format_jobs::FormatJobs;
use crate::persistence::disk_sizes::Sizes;

#[derive(Default)]
pub(crate) struct Figures {
    /// What `#(…)` printed last, and when.
    pub(crate) format_jobs: FormatJobs,
    /// How many bytes sessions have on disk.
    pub(crate) disk_sizes: Sizes,
}
