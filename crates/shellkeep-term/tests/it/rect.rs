//! Rectangles.

use shellkeep_core::Attrs;
use shellkeep_term::Config;

use crate::kit::{Term, term};

const FOUR: &str = "abcd\r\nefgh\r\nijkl\r\nmnop";

fn four(ops: &str) -> String {
    term(4, 10, &format!("{FOUR}{ops}")).text()
}

#[test]
fn erase_rectangle() {
    assert_eq!(four("\x1b[2;2;3;3$z"), "abcd/e  h/i  l/mnop");
    assert_eq!(four("\x1b[$z"), "");
    assert_eq!(four("\x1b[3;3;2;2$z"), "abcd/efgh/ijkl/mnop");
}

#[test]
fn selective_erase_rectangle() {
    let screen = term(4, 10, "ab\x1b[1\"qcd\x1b[0\"q\r\nefgh\x1b[1;1;2;3${").text();
    assert_eq!(screen, "  cd/   h");
}

#[test]
fn fill_rectangle() {
    assert_eq!(four("\x1b[88;2;2;3;3$x"), "abcd/eXXh/iXXl/mnop");
    assert_eq!(four("\x1b[7;2;2;3;3$x"), "abcd/efgh/ijkl/mnop");
}

#[test]
fn copy_rectangle_also_onto_itself() {
    assert_eq!(four("\x1b[1;1;2;2;1;3;3;1$v"), "abcd/efgh/ijab/mnef");
    assert_eq!(four("\x1b[1;1;3;3;1;2;2;1$v"), "abcd/eabc/iefg/mijk");
}

#[test]
fn change_attributes_of_rectangle_and_of_stream() {
    let bold = |ops: &str, row: u16, col: u16| {
        let term = term(4, 10, &format!("{FOUR}{ops}"));
        term.emulator
            .row(row)
            .cell(col)
            .style()
            .attrs
            .contains(Attrs::BOLD)
    };
    assert!(bold("\x1b[2*x\x1b[1;2;2;3;1$r", 1, 1));
    assert!(!bold("\x1b[2*x\x1b[1;2;2;3;1$r", 1, 0));
    assert!(bold("\x1b[1*x\x1b[1;2;2;3;1$r", 1, 0));
    assert!(bold("\x1b[2*x\x1b[1;2;2;3;1$t", 1, 1));
    assert!(!bold("\x1b[2*x\x1b[1;2;2;3;1$t\x1b[1;2;2;3;1$t", 1, 1));
}

#[test]
fn checksum_is_answered_only_where_allowed() {
    let ask = "abc\x1b[7;1;1;1;1;3*y";
    assert_eq!(term(4, 10, ask).replies(), "");
    let mut open = Term::with(
        4,
        10,
        Config {
            report_checksum: true,
            ..Config::default()
        },
    );
    // The negated sum of the three characters.
    assert_eq!(open.feed(ask).replies(), "\x1bP7!~FEDA\x1b\\");
}
