//! The version of a store: `store.json`. Nothing else depends on the file, because every file has a version of its own.

use std::path::Path;

use crate::disk;
use crate::error::StoreError;
use crate::schema::envelope;
use crate::schema::layout::STORE;

/// Refuses a store that a later version wrote, or that cannot be read. A damaged `store.json` is accepted: the next
/// server replaces it.
pub(crate) fn refuse_newer(root: &Path) -> Result<(), StoreError> {
    match read(root) {
        Err(error @ (StoreError::Newer { .. } | StoreError::Io { .. })) => Err(error),
        _ => Ok(()),
    }
}

pub(super) fn read(root: &Path) -> Result<Option<u32>, StoreError> {
    let path = root.join(STORE);
    let Some(bytes) = disk::read(&path, 1 << 16)? else {
        return Ok(None);
    };
    envelope::decode_store(&bytes)
        .map(Some)
        .map_err(|why| StoreError::format(&path, why))
}

/// Without waiting for the disk: a store whose `store.json` was lost in a power cut works as well.
pub(super) fn write(root: &Path) -> Result<(), StoreError> {
    disk::put(root, STORE, &envelope::encode_store())
}
