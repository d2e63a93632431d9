//! Any bytes as the keeper's notes and everything else that is stored as JSON.
#![no_main]

use libfuzzer_sys::fuzz_target;
use shellkeep_store::hostile;

fuzz_target!(|bytes: &[u8]| hostile::notes(bytes));
