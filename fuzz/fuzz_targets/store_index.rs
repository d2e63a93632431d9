//! Any bytes as a search index.
#![no_main]

use libfuzzer_sys::fuzz_target;
use shellkeep_store::hostile;

fuzz_target!(|bytes: &[u8]| hostile::index(bytes));
