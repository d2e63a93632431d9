//! Any bytes as a file that is written as a whole: `start`, `shell`, a recording or a paste buffer.
#![no_main]

use libfuzzer_sys::fuzz_target;
use shellkeep_store::hostile;

fuzz_target!(|bytes: &[u8]| hostile::sealed(bytes));
