//! Wide characters, marks, clusters.

use crate::kit::{check, check_at, check_sound, term};

#[test]
fn wide_characters_take_two_columns() {
    check_at("漢字", 1, 5);
    let screen = term(4, 20, "漢");
    let row = screen.emulator.row(0);
    assert_eq!(
        (
            row.cell(0).width(),
            row.cell(1).width(),
            row.cell(2).width()
        ),
        (2, 0, 1)
    );
    assert_eq!(row.cell(1).text(), "");
}

#[test]
fn half_of_a_wide_character_takes_the_other_half_with_it() {
    check("漢漢\x1b[1;2Hx", " x漢");
    check("漢漢\x1b[1;3Hx", "漢x");
    check("漢漢\x1b[1;2H\x1b[P", " 漢".trim_end());
    check("漢漢\x1b[1;2H\x1b[X", "  漢");
    check("漢漢\x1b[1;2H\x1b[K", "");
    check("a漢b\x1b[1;2H\x1b[@", "a 漢b");
    for input in [
        "漢\x1b[1;2H\x1b[4hx",
        "漢漢\x1b[1;2H漢",
        "abc\x1b[1;2H漢\x1b[1;3H漢",
        "漢\x1b[1;1H\x1b[2 @",
    ] {
        check_sound(&term(4, 20, input).emulator);
    }
}

#[test]
fn wide_character_that_does_not_fit_wraps() {
    check("0123456789012345678漢", "0123456789012345678/漢");
    check_at("0123456789012345678漢", 2, 3);
    // On the bottom row it scrolls.
    let screen = term(2, 5, "a\r\nbbbb漢");
    assert_eq!(screen.text(), "bbbb/漢");
    assert_eq!(screen.history(), ["a"]);
    assert!(screen.emulator.row(0).is_wrapped());
}

#[test]
fn marks_join_the_character_before() {
    check_at("e\u{301}x", 1, 3);
    assert_eq!(
        term(4, 20, "e\u{301}").emulator.row(0).cell(0).text(),
        "e\u{301}"
    );
    check_at("\u{301}x", 1, 2);
    assert_eq!(
        term(1, 3, "abc\u{301}").emulator.row(0).cell(2).text(),
        "c\u{301}"
    );
    assert_eq!(
        term(1, 4, "漢\u{301}").emulator.row(0).cell(0).text(),
        "漢\u{301}"
    );
}

#[test]
fn marks_without_end_are_cut() {
    let screen = term(4, 20, &format!("e{}x", "\u{301}".repeat(100_000)));
    assert!(screen.emulator.row(0).cell(0).text().len() <= 64);
    assert_eq!(screen.emulator.row(0).cell(1).text(), "x");
    assert!(
        screen.emulator.memory() < 1 << 18,
        "{}",
        screen.emulator.memory()
    );
}

/// Text and columns of a cluster.
fn cluster(text: &str) -> (String, u16) {
    let screen = term(4, 20, text);
    let shown = screen.emulator.row(0).cell(0).text().to_string();
    (shown, screen.at().1 - 1)
}

#[test]
fn clusters_take_two_columns() {
    for text in ["👩‍🔧", "👨‍👩‍👧‍👦", "🏳️‍🌈", "❤️", "🇩🇪", "☺️", "⚠️", "1️⃣"]
    {
        assert_eq!(cluster(text), (text.to_owned(), 2), "{text}");
    }
    for text in ["🚀", "漢"] {
        assert_eq!(cluster(text), (text.to_owned(), 2), "{text}");
    }
    for text in ["❤", "e\u{301}", "a\u{fe0f}"] {
        assert_eq!(cluster(text), (text.to_owned(), 1), "{text}");
    }
}

#[test]
fn tone_of_skin_has_columns_of_its_own_unless_the_program_asked_for_clusters() {
    let screen = term(4, 20, "a👍🏽b☝🏽c👩🏽\u{200d}🚀d");
    assert_eq!(screen.text(), "a👍🏽b☝🏽c👩🏽\u{200d}🚀d");
    let row = screen.emulator.row(0);
    let texts = [1, 3, 5, 6, 7, 9, 10, 12, 14].map(|col| row.cell(col).text().to_string());
    assert_eq!(
        texts,
        ["👍", "🏽", "b", "☝", "🏽", "c", "👩", "🏽\u{200d}🚀", "d"]
    );
    for text in ["👍🏽", "☝🏽", "👩🏽\u{200d}🚀"] {
        let asked = format!("\x1b[?2027h{text}");
        assert_eq!(cluster(&asked), (text.to_owned(), 2), "{text}");
    }
}

#[test]
fn flags_pair_up() {
    let screen = term(4, 20, "🇩🇪🇫🇷x");
    let row = screen.emulator.row(0);
    assert_eq!(
        (row.cell(0).text().as_str(), row.cell(2).text().as_str()),
        ("🇩🇪", "🇫🇷")
    );
    assert_eq!(row.cell(4).text(), "x");
}

#[test]
fn a_cluster_that_grows_at_the_margin_moves_to_the_next_row() {
    let screen = term(3, 5, "abcd❤\u{fe0f}x");
    assert_eq!(screen.rows(), ["abcd", "❤\u{fe0f}x", ""]);
    check_sound(&screen.emulator);
}

#[test]
fn joiners_do_not_glue_letters() {
    check_at("a\u{200d}b", 1, 3);
    check_at("漢\u{200d}字", 1, 5);
}

#[test]
fn ambiguous_characters_are_narrow() {
    check_at("│─┼°±αд", 1, 8);
    check_at("\u{ad}", 1, 2);
}
