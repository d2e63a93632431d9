//! The version of a store: `store.json`. Nothing else depends on the file, since every file says its own version too.

use std::path::Path;

use crate::disk;
use crate::error::StoreError;
use crate::schema::envelope;
use crate::schema::layout::STORE;

/// Refuses a store that a later version wrote, or that cannot be read. A damaged `store.json` is accepted: the next server writes
/// another.
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

/// Does not wait for the disk: a store whose version a power cut took away is as good as one with it.
pub(super) fn write(root: &Path) -> Result<(), StoreError> {
    disk::put(root, STORE, &envelope::encode_store())
}
