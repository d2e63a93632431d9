//! Reads every kept paste buffer.

use shellkeep_store::{Store, StoreError};

use crate::Setup;
use crate::finding::Finding;
use crate::phrases::UPGRADE;
use crate::saving::Saving;
use crate::setup::quoted;

const NAME: &str = "buffers";

pub(super) fn check(setup: &Setup<'_>) -> Vec<Finding> {
    // The check of sessions reports why the store cannot be read.
    let (Ok(store), None) = (Store::look(&setup.state_dir), setup.pipe()) else {
        return Vec::new();
    };
    let errors = store.inspect_buffers();
    if errors.is_empty() {
        return vec![Finding::ok(
            NAME,
            "every paste buffer that is kept is readable",
        )];
    }
    errors.iter().map(|error| tell(setup, error)).collect()
}

fn tell(setup: &Setup<'_>, error: &StoreError) -> Finding {
    let sentence = format!("a paste buffer cannot be read: {error}");
    match error {
        StoreError::Newer { .. } => Finding::problem(NAME, sentence, UPGRADE),
        StoreError::Broken { .. } => Finding::warning(NAME, sentence, set_aside(setup)),
        _ => {
            let look = format!("ls -l {}", quoted(&setup.state_dir.join("buffers")));
            Finding::problem(NAME, sentence, setup.fix(error, look))
        }
    }
}

/// A running server may have read the buffer before it was damaged; the next server will not have it.
fn set_aside(setup: &Setup<'_>) -> String {
    let aside = format!("{} sets the file aside", setup.look_anew());
    match setup.saving() {
        Saving::NoServer => aside,
        _ => format!(
            "{}: the server may still have it, and save-buffer puts it into a file; then {aside}",
            setup.typed("list-buffers")
        ),
    }
}
