//! Screens of a real xterm after random streams (`tests/xterm/screens.txt`).

use crate::kit::term;

/// One stream and its screen.
struct Case {
    size: (u16, u16),
    input: String,
    rows: Vec<String>,
    at: String,
}

fn cases() -> Vec<Case> {
    let mut cases: Vec<Case> = Vec::new();
    for line in include_str!("../xterm/screens.txt").lines() {
        if let Some(rest) = line.strip_prefix("case ") {
            let parts: Vec<&str> = rest.split(' ').collect();
            let bytes = (0..parts[2].len()).step_by(2);
            let bytes = bytes.map(|at| u8::from_str_radix(&parts[2][at..at + 2], 16).expect("hex"));
            cases.push(Case {
                size: (
                    parts[0].parse().expect("rows"),
                    parts[1].parse().expect("cols"),
                ),
                input: String::from_utf8(bytes.collect()).expect("streams are UTF-8"),
                rows: Vec::new(),
                at: String::new(),
            });
        } else if let (Some(row), Some(case)) = (line.strip_prefix('|'), cases.last_mut()) {
            case.rows.push(row.to_owned());
        } else if let (Some(at), Some(case)) = (line.strip_prefix("at "), cases.last_mut()) {
            at.clone_into(&mut case.at);
        }
    }
    cases
}

#[test]
fn screens_of_random_streams_are_xterms() {
    let cases = cases();
    assert!(cases.len() > 400, "the file is whole");
    for case in cases {
        let mut term = term(case.size.0, case.size.1, &case.input);
        let mut rows = term.rows();
        while rows.last().is_some_and(String::is_empty) {
            rows.pop();
        }
        let rows: Vec<String> = rows
            .iter()
            .map(|row| row.replace("e\u{301}", "é"))
            .collect();
        assert_eq!(rows, case.rows, "{:?}", case.input);
        // The cursor as it is reported: in origin mode relative to the margins.
        term.effects.clear();
        term.feed("\x1b[6n");
        assert_eq!(
            term.replies(),
            format!("\x1b[{}R", case.at),
            "{:?}",
            case.input
        );
    }
}
