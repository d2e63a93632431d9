//! SGR.

use shellkeep_core::{Attrs, Color, Style, Underline};

use crate::kit::term;

fn style(sgr: &str) -> Style {
    let screen = term(2, 10, &format!("\x1b[{sgr}mx"));
    screen.emulator.row(0).cell(0).style()
}

#[test]
fn attributes_go_on_and_off() {
    let pairs = [
        (1, 22, Attrs::BOLD),
        (2, 22, Attrs::DIM),
        (3, 23, Attrs::ITALIC),
        (5, 25, Attrs::BLINK),
        (7, 27, Attrs::REVERSE),
        (8, 28, Attrs::HIDDEN),
        (9, 29, Attrs::STRIKE),
        (53, 55, Attrs::OVERLINE),
    ];
    for (on, off, attr) in pairs {
        assert_eq!(style(&on.to_string()).attrs, attr, "{on}");
        assert_eq!(style(&format!("{on};{off}")), Style::default(), "{off}");
    }
    assert_eq!(style("1;2;22").attrs, Attrs::empty());
    assert_eq!(style("1;31;0"), Style::default());
    assert_eq!(style("1;31;"), Style::default());
    assert_eq!(style("1m\x1b["), Style::default());
}

#[test]
fn underlines_have_kinds_and_colours() {
    assert_eq!(style("4").underline, Underline::Single);
    assert_eq!(style("21").underline, Underline::Double);
    for (kind, underline) in [
        (0, Underline::None),
        (1, Underline::Single),
        (2, Underline::Double),
        (3, Underline::Curly),
        (4, Underline::Dotted),
        (5, Underline::Dashed),
    ] {
        assert_eq!(style(&format!("4:{kind}")).underline, underline);
    }
    assert_eq!(style("4;24").underline, Underline::None);
    assert_eq!(style("58;5;9").underline_color, Color::Palette(9));
    assert_eq!(style("58:5:9").underline_color, Color::Palette(9));
    assert_eq!(style("58:2::1:2:3").underline_color, Color::Rgb(1, 2, 3));
    assert_eq!(style("58;2;1;2;3;1").attrs, Attrs::BOLD);
    assert_eq!(style("58;5;9;59").underline_color, Color::Default);
}

#[test]
fn colours_in_every_notation() {
    assert_eq!(style("31").fg, Color::Palette(1));
    assert_eq!(style("97").fg, Color::Palette(15));
    assert_eq!(style("42").bg, Color::Palette(2));
    assert_eq!(style("103").bg, Color::Palette(11));
    assert_eq!(style("38;5;200").fg, Color::Palette(200));
    assert_eq!(style("48;2;1;2;3").bg, Color::Rgb(1, 2, 3));
    assert_eq!(style("38:2:1:2:3").fg, Color::Rgb(1, 2, 3));
    assert_eq!(style("38:2::1:2:3").fg, Color::Rgb(1, 2, 3));
    assert_eq!(style("38:5:7").fg, Color::Palette(7));
    assert_eq!(style("31;39").fg, Color::Default);
    assert_eq!(style("41;49").bg, Color::Default);
}

#[test]
fn nonsense_changes_nothing_and_takes_nothing_with_it() {
    assert_eq!(style("99;1").attrs, Attrs::BOLD);
    assert_eq!(style("38;5;300;1").attrs, Attrs::BOLD);
    assert_eq!(style("38;2;300;0;0").fg, Color::Default);
    assert_eq!(style("38;5").fg, Color::Default);
    assert_eq!(style("38;2;1;2").fg, Color::Default);
    assert_eq!(style("38"), Style::default());
    assert_eq!(style("4:9").underline, Underline::Single);
    // Forty parameters: the first ones count.
    assert_eq!(
        style(&format!("1{}", ";3".repeat(40))).attrs,
        Attrs::BOLD | Attrs::ITALIC
    );
}

#[test]
fn a_thousand_colours_keep_apart() {
    let mut input = String::new();
    for n in 0..1000 {
        input.push_str(&format!("\x1b[38;2;{};{};7mx", n / 250, n % 250));
    }
    let screen = term(25, 40, &input);
    for n in 0..1000u16 {
        let cell = screen.emulator.row(n / 40).cell(n % 40);
        assert_eq!(
            cell.style().fg,
            Color::Rgb((n / 250) as u8, (n % 250) as u8, 7)
        );
    }
}

/// The pen as DECRQSS reports it.
fn pen(input: &str) -> String {
    let reply = term(2, 10, &format!("{input}\x1bP$qm\x1b\\")).replies();
    let reply = reply.strip_prefix("\x1bP1$r0").expect("an answer");
    reply.trim_end_matches("m\x1b\\").to_owned()
}

#[test]
fn attributes_are_put_aside_and_come_back() {
    for (push, pop) in [("\x1b[#{", "\x1b[#}"), ("\x1b[#p", "\x1b[#q")] {
        assert_eq!(pen(&format!("\x1b[1;31m{push}\x1b[0;4m{pop}")), ";1;31");
        assert_eq!(
            pen(&format!("\x1b[1;31m{push}\x1b[32m{push}\x1b[0m{pop}")),
            ";1;32"
        );
        assert_eq!(
            pen(&format!("\x1b[1;31m{push}\x1b[32m{push}\x1b[0m{pop}{pop}")),
            ";1;31"
        );
        assert_eq!(
            pen(&format!("{pop}\x1b[1m{pop}")),
            ";1",
            "nothing was put aside"
        );
    }
    let all = "\x1b[53;4:3;58;5;9m\x1b[#{\x1b[0m\x1b[#}";
    assert_eq!(pen(all), ";53;4:3;58:5:9");
    assert_eq!(
        pen("\x1b[1m\x1b[#{\x1b[!p\x1b[#}"),
        ";1",
        "a soft reset leaves the stack"
    );
    assert_eq!(pen("\x1b[1m\x1b[#{\x1bc\x1b[#}"), "");
}

#[test]
fn only_the_attributes_named_come_back() {
    let start = "\x1b[1;31;42m";
    for (which, expected) in [
        ("1", ";1;4;33"),
        ("30", ";4;31"),
        ("10", ";4;31"),
        ("31", ";4;33;42"),
        ("11", ";4;33;42"),
        ("4", ";33"),
        ("1;30;31", ";1;4;31;42"),
        ("0", ";4;33"),
        ("99", ";4;33"),
    ] {
        assert_eq!(
            pen(&format!("{start}\x1b[{which}#{{\x1b[0;4;33m\x1b[#}}")),
            expected,
            "{which}"
        );
    }
    // A double underline has a number of its own.
    assert_eq!(pen("\x1b[21m\x1b[4#{\x1b[0m\x1b[#}"), "");
    assert_eq!(pen("\x1b[21m\x1b[21#{\x1b[0m\x1b[#}"), ";4:2");
    assert_eq!(pen("\x1b[4m\x1b[21#{\x1b[0;21m\x1b[#}"), "");
}

#[test]
fn more_than_ten_put_aside_are_counted_but_not_kept() {
    let pushes = "\x1b[#{".repeat(9);
    let start = format!("\x1b[31m\x1b[#{{\x1b[32m{pushes}\x1b[33m\x1b[#{{\x1b[#{{\x1b[34m");
    for (pops, expected) in [
        (1, ";34"),
        (2, ";34"),
        (3, ";32"),
        (11, ";32"),
        (12, ";31"),
        (13, ";31"),
    ] {
        assert_eq!(
            pen(&format!("{start}{}", "\x1b[#}".repeat(pops))),
            expected,
            "{pops}"
        );
    }
}
