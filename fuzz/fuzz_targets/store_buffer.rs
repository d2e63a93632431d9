//! Any bytes as the content of a paste buffer's file.
#![no_main]

use libfuzzer_sys::fuzz_target;
use shellkeep_store::hostile;

fuzz_target!(|bytes: &[u8]| hostile::buffer(bytes));
