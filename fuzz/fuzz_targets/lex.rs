//! Any text as a configuration: it is read without a fault, and what was read prints and reads back.
#![no_main]

use libfuzzer_sys::fuzz_target;
use shellkeep_command::lex::{lex, print};

fuzz_target!(|text: &str| {
    for line in lex(text) {
        let Ok(commands) = line.commands else { continue };
        for argv in commands {
            let again: Vec<_> = lex(&print(&argv)).into_iter().map(|line| line.commands).collect();
            assert_eq!(again, [Ok(vec![argv.clone()])]);
            let _ = shellkeep_command::parse(&argv);
        }
    }
});
