//! Moving the cursor, tabs, wrapping. The expected positions are xterm's.

use crate::kit::{check, check_at, term};

#[test]
fn cursor_moves_stop_at_the_edges() {
    check_at("\x1b[9A", 1, 1);
    check_at("\x1b[99B", 6, 1);
    check_at("\x1b[99C", 1, 20);
    check_at("\x1b[9C\x1b[99D", 1, 1);
    check_at("\x1b[3;7H", 3, 7);
    check_at("\x1b[3;7f", 3, 7);
    check_at("\x1b[99;99H", 6, 20);
    check_at("\x1b[5;5H\x1b[H", 1, 1);
    check_at("\x1b[0;0H", 1, 1);
}

#[test]
fn cursor_moves_respect_the_scroll_region() {
    check_at("\x1b[2;4r\x1b[3;1H\x1b[9A", 2, 1);
    check_at("\x1b[2;4r\x1b[1;1H\x1b[9A", 1, 1);
    check_at("\x1b[2;4r\x1b[3;1H\x1b[9B", 4, 1);
    check_at("\x1b[2;4r\x1b[5;1H\x1b[9B", 6, 1);
    check_at("\x1b[2;4r\x1b[5;1H\x1b[9A", 2, 1);
}

#[test]
fn line_moves_return_the_carriage() {
    check_at("\x1b[2;5H\x1b[2E", 4, 1);
    check_at("\x1b[4;5H\x1b[2F", 2, 1);
    check_at("\x1b[2;5H\x1bE", 3, 1);
}

#[test]
fn absolute_and_relative_positions() {
    check_at("\x1b[3;3H\x1b[7G", 3, 7);
    check_at("\x1b[3;3H\x1b[7`", 3, 7);
    check_at("\x1b[3;3H\x1b[5d", 5, 3);
    check_at("\x1b[3;3H\x1b[2a", 3, 5);
    check_at("\x1b[3;3H\x1b[2e", 5, 3);
    check_at("\x1b[3;3H\x1b[99e", 6, 3);
}

#[test]
fn origin_mode_counts_from_the_margins() {
    check_at("\x1b[2;4r\x1b[?6h", 2, 1);
    check_at("\x1b[2;4r\x1b[?6h\x1b[9;9H", 4, 9);
    check_at("\x1b[2;4r\x1b[?6h\x1b[3;5r", 3, 1);
    check_at("\x1b[?69h\x1b[5;10s\x1b[2;4r\x1b[?6h\x1b[2;2H", 3, 6);
    check_at("\x1b[?69h\x1b[5;10s\x1b[?6h\x1b[1;99H", 1, 10);
    check_at("\x1b[2;4r\x1b[?6h\x1b[?6l", 1, 1);
}

#[test]
fn side_margins_hold_the_cursor_that_is_between_them() {
    let margins = "\x1b[?69h\x1b[5;10s";
    check_at(&format!("{margins}\x1b[3;7H\x1b[99D"), 3, 5);
    check_at(&format!("{margins}\x1b[3;3H\x1b[99D"), 3, 1);
    check_at(&format!("{margins}\x1b[3;7H\x1b[99C"), 3, 10);
    check_at(&format!("{margins}\x1b[3;12H\x1b[99C"), 3, 20);
    check_at(&format!("{margins}\x1b[3;12H\r"), 3, 5);
    check_at(&format!("{margins}\x1b[3;2H\r"), 3, 1);
    check(&format!("{margins}\x1b[1;5Habcdefgh"), "    abcdef/    gh");
}

#[test]
fn margins_that_make_no_sense_are_ignored() {
    check_at("\x1b[3;3H\x1b[4;2r", 3, 3);
    check_at("\x1b[3;3H\x1b[4;4r", 3, 3);
    check_at("\x1b[3;3H\x1b[2;99r", 1, 1);
    check_at("\x1b[?69h\x1b[3;3H\x1b[9;2s", 3, 3);
}

#[test]
fn tabs_stop_every_eight_columns_until_told_otherwise() {
    check_at("\t", 1, 9);
    check_at("\t\t\t", 1, 20);
    check_at("\x1b[2I", 1, 17);
    check_at("\x1b[1;20H\x1b[Z", 1, 17);
    check_at("\x1b[1;20H\x1b[9Z", 1, 1);
    check_at("\x1b[1;4H\x1bH\r\t", 1, 4);
    check_at("\t\x1b[g\r\t", 1, 17);
    check_at("\x1b[3g\t", 1, 20);
    check_at("\x1b[3g\x1b[?5W\t", 1, 9);
}

#[test]
fn tab_stops_survive_a_wider_screen() {
    let mut term = term(4, 20, "\x1b[1;4H\x1bH\r");
    term.resize(4, 60).feed("\t\t\t\t\t");
    assert_eq!(term.at(), (1, 33));
}

#[test]
fn wrap_waits_for_the_next_character() {
    check_at("01234567890123456789", 1, 20);
    check("01234567890123456789Z", "01234567890123456789/Z");
    check("01234567890123456789\r\nZ", "01234567890123456789/Z");
}

/// What preserves a pending wrap, and what cancels it (xterm 379).
#[test]
fn pending_wrap_is_kept_or_called_off_as_in_xterm() {
    let full = "01234567890123456789";
    let keep = [
        "\t",
        "\x1b[0m",
        "\x1b[?25h",
        "\x1b[I",
        "\x1b7\x1b8",
        "\x1bH",
        "\x1b[s",
        "\x1b[?7l\x1b[?7h",
        "\x1b[!p",
        "\x07",
        "\x1b[?47h\x1b[?47l",
    ];
    for op in keep {
        assert_eq!(term(6, 20, &format!("{full}{op}Z")).at(), (2, 2), "{op:?}");
    }
    let cancel = [
        "\x1b[K", "\x1b[1K", "\x1b[2K", "\x1b[J", "\x1b[1J", "\x1b[2J", "\x1b[@", "\x1b[P",
        "\x1b[X", "\x1b[C", "\x1b[20G", "\x1b[1d", "\x1b[A",
    ];
    for op in cancel {
        assert_eq!(term(6, 20, &format!("{full}{op}Z")).at(), (1, 20), "{op:?}");
    }
}

#[test]
fn backspace_from_the_pending_wrap_goes_to_the_column_before() {
    check("01234567890123456789\x08Z", "012345678901234567Z9");
}

#[test]
fn reverse_wrap_goes_back_over_wrapped_lines_only() {
    check_at("\x1b[?45h01234567890123456789Z\x08\x08", 1, 20);
    check_at("\x1b[?45habc\r\n\x08", 2, 1);
    check_at("\x1b[?1045habc\r\n\x08", 1, 20);
    check_at("\x1b[?1045h\x08", 6, 20);
    check_at("\x1b[?45h01234567890123456789\x08", 1, 20);
    check_at("\r\n\x08", 2, 1);
}

#[test]
fn without_autowrap_the_last_column_is_written_over() {
    check("\x1b[?7l01234567890123456789XYZ", "0123456789012345678Z");
    check("\x1b[?7l0123456789012345678漢", "0123456789012345678");
}

#[test]
fn repeat_repeats_what_came_just_before() {
    check("x\x1b[3b", "xxxx");
    check("x\x1b[3by", "xxxxy");
    check("漢\x1b[2b", "漢漢漢");
    // At the margin it wraps.
    check("012345678901234567xy\x1b[3b", "012345678901234567xy/yyy");
    for between in ["\x1b[1m", "\r", "\x00", "\x1b]0;t\x07", "\x1b(B", "\x1b[2b"] {
        let once = term(6, 20, &format!("x{between}")).text();
        let then = term(6, 20, &format!("x{between}\x1b[2b")).text();
        assert_eq!(once, then, "{between:?}");
    }
    check("x\x1b(0q\x1b[2b\x1b(B", "x───");
}
