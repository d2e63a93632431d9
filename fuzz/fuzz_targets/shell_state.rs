//! Any bytes as the state of a shell: what can be read is written identically.
#![no_main]

use libfuzzer_sys::fuzz_target;
use shellkeep_shell::ShellState;

fuzz_target!(|bytes: &[u8]| {
    if let Ok(state) = ShellState::decode(bytes) {
        let again = ShellState::decode(&state.encode()).expect("what was written can be read");
        assert_eq!(again, state);
        let _ = (state.captured(), state.directory());
    }
});
