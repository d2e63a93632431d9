//! Any bytes as the commands of a pane.
#![no_main]

use libfuzzer_sys::fuzz_target;
use shellkeep_store::hostile;

fuzz_target!(|bytes: &[u8]| hostile::commands(bytes));
