//! Any bytes as what is in the file of a paste buffer.
#![no_main]

use libfuzzer_sys::fuzz_target;
use shellkeep_store::hostile;

fuzz_target!(|bytes: &[u8]| hostile::buffer(bytes));
