//! Any bytes as a description that the catalogue summarises.
#![no_main]

use libfuzzer_sys::fuzz_target;
use shellkeep_store::hostile;

fuzz_target!(|bytes: &[u8]| hostile::catalogue(bytes));
