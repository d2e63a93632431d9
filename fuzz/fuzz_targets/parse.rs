//! Any text as a configuration: parsing does not panic, and the result can be printed and parsed again.
#![no_main]

use libfuzzer_sys::fuzz_target;
use shellkeep_command::parse::{NoHost, parse_text, print_list};

fuzz_target!(|text: &str| {
    let list = parse_text(text, &mut NoHost).list;
    let again = parse_text(&print_list(&list), &mut NoHost);
    assert_eq!((again.list, again.errors), (list.clone(), vec![]));
    let _ = list.check();
});
