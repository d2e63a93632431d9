//! Any bytes as a page of history.
#![no_main]

use libfuzzer_sys::fuzz_target;
use shellkeep_store::hostile;

fuzz_target!(|bytes: &[u8]| hostile::history(bytes));
