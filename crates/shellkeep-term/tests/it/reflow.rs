//! Resizing.

use crate::kit::{Term, check_sound, term};

/// Everything from the oldest line to the bottom of the screen, rows joined to logical lines, with the look of each
/// cell.
fn lines(term: &Term) -> Vec<String> {
    let history = term.emulator.history_rows(0, usize::MAX);
    let mut lines = Vec::new();
    let mut line = String::new();
    for row in history.iter().chain(term.emulator.rows()) {
        let used = if row.is_wrapped() {
            row.cols()
        } else {
            row.used()
        };
        for cell in row
            .cells()
            .take(usize::from(used))
            .filter(|cell| cell.width() > 0)
        {
            let pad = row.is_wrapped() && cell.is_blank();
            if !pad {
                line.push_str(&format!("{}{:?}", cell.text(), cell.style().fg));
            }
        }
        if !row.is_wrapped() {
            lines.push(std::mem::take(&mut line));
        }
    }
    while lines.last().is_some_and(String::is_empty) {
        lines.pop();
    }
    lines
}

/// Coloured lines of mixed length, wide characters among them.
fn coloured(count: usize) -> String {
    let words = ["alpha", "漢字かな", "beta", "🚀", "gamma-delta", "é"];
    let mut out = String::new();
    for n in 0..count {
        for part in 0..(n * 7) % 40 {
            let color = (n + part) % 256;
            out.push_str(&format!(
                "\x1b[38;5;{color}m{} ",
                words[(n + part) % words.len()]
            ));
        }
        out.push_str("\x1b[0m\r\n");
    }
    out
}

#[test]
fn five_thousand_coloured_lines_come_back_equal() {
    let mut screen = term(24, 80, &coloured(5000));
    let before = lines(&screen);
    let rows = screen.rows();
    for cols in [40, 132, 80] {
        screen.resize(24, cols);
        assert!(lines(&screen) == before, "at {cols} columns");
        check_sound(&screen.emulator);
    }
    assert_eq!(screen.rows(), rows);
}

#[test]
fn narrower_wraps_and_wider_joins() {
    let mut screen = term(4, 10, "0123456789\r\nab");
    screen.resize(4, 5);
    // As in tmux, the two rows below the text stay.
    assert_eq!(screen.rows(), ["56789", "ab", "", ""]);
    assert_eq!(screen.at(), (2, 3));
    screen.resize(4, 10);
    assert_eq!(screen.rows(), ["0123456789", "ab", "", ""]);
    assert_eq!(screen.at(), (2, 3));
}

#[test]
fn the_cursor_stays_on_its_character() {
    let mut screen = term(4, 10, "0123456789\x1b[1;8H");
    screen.resize(4, 5);
    assert_eq!((screen.at(), screen.rows()[0].as_str()), ((1, 3), "56789"));
    // The cursor's row stays visible, even if rows below the text have to go.
    screen.resize(4, 4);
    assert_eq!((screen.at(), screen.rows()[0].as_str()), ((1, 4), "4567"));
    screen.resize(4, 10);
    assert_eq!(screen.at(), (1, 8));
}

#[test]
fn a_wrap_that_is_due_stays_due() {
    let mut screen = term(4, 10, "0123456789");
    screen.resize(4, 5);
    assert!(screen.emulator.cursor().pending_wrap);
    screen.feed("Z");
    assert_eq!(screen.rows(), ["56789", "Z", "", ""]);
    let mut screen = term(4, 10, "0123456789");
    screen.resize(4, 20).feed("Z");
    assert_eq!(screen.text(), "0123456789Z");
}

#[test]
fn a_prompt_stays_at_the_bottom() {
    let mut screen = term(4, 10, "one\r\ntwo\r\nthree\r\nfour\r\n$ ");
    screen.resize(2, 10);
    assert_eq!(
        (screen.rows(), screen.at()),
        (vec!["four".into(), "$".into()], (2, 3))
    );
    assert_eq!(screen.history(), ["one", "two", "three"]);
    screen.resize(4, 10);
    assert_eq!(
        (screen.text().as_str(), screen.at()),
        ("two/three/four/$", (4, 3))
    );
    screen.resize(10, 10);
    assert_eq!(
        (screen.text().as_str(), screen.at()),
        ("one/two/three/four/$", (5, 3))
    );
    assert_eq!(screen.emulator.history_lines(), 0);
}

#[test]
fn lines_longer_than_a_row_come_back_whole_when_the_screen_gets_taller() {
    let mut screen = term(12, 10, "1\r\n0123456789abcdefghijABCDEF\r\n2\r\n3\r\n$ ");
    let (before, at) = (screen.rows(), screen.at());
    for heights in [
        &[6, 12][..],
        &[5, 3, 12],
        &[2, 12],
        &[1, 12],
        &[8, 4, 1, 12],
    ] {
        for height in heights {
            screen.resize(*height, 10);
            check_sound(&screen.emulator);
        }
        assert_eq!((screen.rows(), screen.at()), (before.clone(), at));
        assert_eq!(screen.emulator.history_row_count(), 0, "{heights:?}");
    }
}

#[test]
fn a_screen_that_is_not_full_pulls_nothing_down() {
    let mut screen = term(3, 10, "1\r\n2\r\n3\r\n4\x1b[H\x1b[2J$ ");
    screen.resize(6, 10);
    assert_eq!((screen.text().as_str(), screen.at()), ("$", (1, 3)));
    assert_eq!(screen.history(), ["1", "2", "3", "4"], "nor was it lost");
}

#[test]
fn rows_below_the_text_are_taken_before_the_text_and_given_after_it() {
    let mut screen = term(6, 10, "1\r\n2\r\n3");
    screen.resize(4, 10);
    assert_eq!(screen.rows(), ["1", "2", "3", ""]);
    screen.resize(2, 10);
    assert_eq!(
        (screen.rows().join("/"), screen.at()),
        ("2/3".into(), (2, 2))
    );
    screen.resize(3, 10);
    assert_eq!(
        (screen.rows().join("/"), screen.at()),
        ("1/2/3".into(), (3, 2))
    );
    screen.resize(5, 10);
    assert_eq!(screen.rows(), ["1", "2", "3", "", ""]);
}

#[test]
fn screen_cleared_is_in_the_history_but_for_the_other_one() {
    for clear in ["\x1b[2J", "\x1b[H\x1b[J"] {
        let mut screen = term(4, 10, &format!("1\r\n\r\n3{clear}"));
        assert_eq!(screen.history(), ["1", "", "3"], "{clear:?}");
        screen.feed(clear);
        assert_eq!(
            screen.history(),
            ["1", "", "3"],
            "nothing was there any more"
        );
        screen
            .feed("\x1b[?1049hother")
            .feed(clear)
            .feed("\x1b[?1049l");
        assert_eq!(screen.history(), ["1", "", "3"], "{clear:?}");
    }
    let mut screen = term(4, 10, "1\r\n2\x1b[1;2H\x1b[J");
    assert!(screen.history().is_empty(), "a part of it");
    screen.feed("\x1b[2;1H3\x1b[2J\x1b[3J");
    assert!(screen.history().is_empty());
}

#[test]
fn a_coloured_bar_stays_one_row() {
    let mut screen = term(3, 10, "\x1b[44mbar\x1b[K\x1b[0m\r\nx");
    screen.resize(3, 5);
    assert_eq!(screen.rows(), ["bar", "x", ""]);
    screen.resize(3, 20);
    let cell = screen.emulator.row(0).cell(19);
    assert_eq!(cell.style().bg, shellkeep_core::Color::Palette(4));
}

#[test]
fn the_alternate_screen_does_not_reflow() {
    let mut screen = term(3, 10, "main text\x1b[?1049h\x1b[H0123456789");
    screen.resize(3, 5);
    assert_eq!(screen.rows(), ["01234", "", ""]);
    screen.resize(3, 10);
    assert_eq!(screen.text(), "01234");
    assert_eq!(screen.emulator.history_lines(), 0);
    screen.feed("\x1b[?1049l");
    assert_eq!(
        (screen.text().as_str(), screen.at()),
        ("main text", (1, 10))
    );
}

#[test]
fn wide_characters_wrap_whole() {
    let mut screen = term(4, 10, "a漢字かな");
    screen.resize(4, 4);
    assert_eq!(screen.rows(), ["な", "", "", ""]);
    check_sound(&screen.emulator);
    screen.resize(4, 10);
    assert_eq!(screen.text(), "a漢字かな");
}

#[test]
fn wide_characters_come_back_from_one_column() {
    let text = "hé 日本 😀 👩\u{200d}🔧 end";
    let mut screen = term(6, 40, &format!("{text}\r\n\x1b[41m漢\x1b[m\r\n$ "));
    let before = lines(&screen);
    for rows in [6, 40, 1] {
        screen.resize(rows, 1);
        check_sound(&screen.emulator);
        screen.resize(6, 40);
        assert_eq!(screen.text(), format!("{text}/漢/$"));
        assert_eq!(screen.at(), (3, 3));
        assert_eq!(screen.emulator.row(1).cell(0).width(), 2);
        assert_eq!(screen.emulator.history_row_count(), 0);
    }
    assert_eq!(lines(&screen), before, "with their colours");
}

#[test]
fn wide_characters_printed_in_one_column_are_kept() {
    for (on, off) in [("", ""), ("\x1b[?1049h", "\x1b[?1049l")] {
        let mut screen = term(9, 1, &format!("{on}a漢😀❤\u{fe0f}z字"));
        check_sound(&screen.emulator);
        assert_eq!(
            screen.rows()[..6],
            ["a", "漢", "😀", "❤\u{fe0f}", "z", "字"]
        );
        assert_eq!(screen.emulator.row(1).cell(0).width(), 1, "no room for two");
        let dump = screen.emulator.dump();
        let restored = shellkeep_term::Emulator::restore(&dump, shellkeep_term::Config::default());
        assert!(restored.expect("sound").dump() == dump);
        screen.resize(9, 20);
        check_sound(&screen.emulator);
        if on.is_empty() {
            assert_eq!(
                (screen.text(), screen.at()),
                ("a漢😀❤\u{fe0f}z字".into(), (1, 11))
            );
        } else {
            assert_eq!(screen.rows()[..3], ["a", "漢", "😀"]);
            screen.feed(off);
        }
        screen.feed("!");
        check_sound(&screen.emulator);
    }
    let mut screen = term(3, 1, "漢\r\x1b[41mx\x1b[m\r\n字\x1b[K\r\n漢\x1b[P");
    check_sound(&screen.emulator);
    screen.resize(3, 9);
    assert_eq!(
        screen.rows(),
        ["x", "", ""],
        "what was written over is gone"
    );
}

#[test]
fn every_size_down_to_one_cell_is_sound() {
    let mut screen = term(5, 20, &coloured(30));
    for (rows, cols) in [
        (1, 1),
        (3, 1),
        (1, 7),
        (1000, 1000),
        (1, 1),
        (2, 2),
        (5, 20),
    ] {
        screen.resize(rows, cols).feed("x漢\x1b[5;5H👩‍🔧\n");
        check_sound(&screen.emulator);
    }
}

#[test]
fn resizing_to_the_same_size_changes_nothing() {
    let mut screen = term(5, 20, "abc\x1b[2;4r");
    let before = screen.emulator.dump();
    screen.resize(5, 20);
    assert_eq!(screen.emulator.dump(), before);
}

#[test]
fn nothing_is_lost_when_the_cursor_is_at_the_top() {
    let mut screen = term(4, 10, "aaaaaaaa\r\nbbbbbbbb\r\ncccccccc\r\ndddddddd\x1b[H");
    screen.resize(4, 4);
    screen.resize(4, 10);
    let mut all = screen.history();
    all.extend(screen.rows());
    all.retain(|row| !row.is_empty());
    assert_eq!(all, ["aaaaaaaa", "bbbbbbbb", "cccccccc", "dddddddd"]);
}

#[test]
fn a_row_written_anew_to_its_end_is_no_longer_continued() {
    let mut screen = term(4, 5, "abcdefgh\x1b[HABCDE\x1b[2;1Hnext");
    assert!(!screen.emulator.row(0).is_wrapped());
    screen.resize(4, 10);
    assert_eq!(screen.text(), "ABCDE/next");
}

/// A shell at its second prompt, which has two rows, with text typed.
const TWO_ROW_PROMPT: &str = "\x1b]133;A\x07p\x1b]133;B\x07ls\r\n\x1b]133;C\x07out\r\n\x1b]133;D;0\x07\
    \x1b]133;A\x07user@host ~/a/long/path\r\n$ \x1b]133;B\x07make";

/// Imitates a shell after a resize: goes up to where the prompt began, clears, and redraws.
fn redraw(screen: &mut crate::kit::Term, rows_above: u16) {
    screen.feed(&format!(
        "\r\x1b[{rows_above}A\x1b[J\x1b]133;A\x07user@host ~/a/long/path\r\n$ \x1b]133;B\x07make"
    ));
}

#[test]
fn a_prompt_of_two_rows_leaves_no_remains() {
    let mut screen = term(8, 30, TWO_ROW_PROMPT);
    // Rows of the prompt above the cursor at the last redraw.
    let mut above = 1;
    for cols in [12, 30, 10, 15, 30] {
        screen.resize(8, cols);
        redraw(&mut screen, above);
        let fresh = term(8, cols, TWO_ROW_PROMPT);
        assert_eq!(all(&screen), all(&fresh), "at {cols} columns");
        assert_eq!(screen.at().1, fresh.at().1);
        let start = screen
            .rows()
            .iter()
            .position(|row| row.starts_with("user@"));
        above = screen.at().0 - 1 - start.expect("the prompt is there") as u16;
    }
}

#[test]
fn a_prompt_nobody_draws_again_is_wrapped_like_text() {
    let kept = "\x1b]133;A;redraw=0\x07user@host ~/a/long/path\r\n$ ";
    let only_prompts = "\x1b]133;A\x07user@host ~/a/long/path\r\n$ ls\r\nout";
    for input in [kept, only_prompts] {
        let running = format!("\x1b]133;D\x07{kept}");
        for input in [input, &running] {
            let mut screen = term(8, 30, input);
            let before = screen.rows();
            screen.resize(8, 12);
            assert_eq!(screen.rows()[0], "a/long/path");
            screen.resize(8, 30);
            assert_eq!(screen.rows(), before);
        }
    }
}

#[test]
fn output_is_wrapped_while_a_command_runs() {
    let mut screen = term(8, 30, TWO_ROW_PROMPT);
    screen.feed("\r\n\x1b]133;C\x07a line of output of a command");
    let before = screen.rows();
    screen.resize(8, 12).resize(8, 30);
    assert_eq!(screen.rows(), before);
}

#[test]
fn a_prompt_that_fits_is_left_alone() {
    let mut screen = term(
        4,
        30,
        "\x1b]133;D\x07a line that is wrapped now\r\n\x1b]133;A\x07$ ls",
    );
    screen.resize(4, 20);
    assert_eq!(screen.text(), "ed now/$ ls");
    assert_eq!(screen.at(), (2, 5));
    screen.resize(4, 30);
    assert_eq!(screen.text(), "a line that is wrapped now/$ ls");
}

/// Imitates readline after a resize: it clears the rows that it believes to have, from the last one up, and redraws
/// everything.
fn readline(screen: &mut crate::kit::Term, rows_above: usize) {
    let up = "\x1bM\x1b[K\r".repeat(rows_above);
    screen.feed(&format!("\r\x1b[K\r{up}{PROMPT}"));
}

const PROMPT: &str = "\x1b]133;A\x07user@host:~/path$ \x1b]133;B\x07";

fn prompt_below_output(rows: u16, cols: u16) -> Term {
    let output = "\x1b]133;A\x07$ \r\n\x1b]133;C\x071\r\n2\r\n\x1b]133;D;0\x07";
    term(rows, cols, &format!("{output}{PROMPT}"))
}

/// Everything that is not blank, from the oldest line on.
fn all(screen: &Term) -> Vec<String> {
    let mut all = screen.history();
    all.extend(screen.rows());
    all.retain(|row| !row.is_empty());
    all
}

#[test]
fn a_prompt_drawn_in_one_column_leaves_no_remains() {
    // Readline treats one column as eighty: it assumes one row, and does not redraw when there are eighty again.
    for rows in [11, 5, 1] {
        for draws in [0, 1] {
            let mut screen = prompt_below_output(24, 80);
            let before = all(&screen);
            for _ in 0..3 {
                screen.resize(rows, 1);
                readline(&mut screen, 0);
                screen.resize(24, 80);
                if draws > 0 {
                    readline(&mut screen, 0);
                }
                assert_eq!(all(&screen), before, "{rows} rows, drawn {draws} times");
                assert_eq!(screen.at().1, 19);
                check_sound(&screen.emulator);
            }
        }
    }
}

#[test]
fn a_prompt_that_was_above_the_screen_is_drawn_where_it_began() {
    let mut screen = prompt_below_output(24, 80);
    let before = all(&screen);
    let mut above = 0;
    for (rows, cols) in [
        (3, 3),
        (2, 5),
        (24, 80),
        (1, 10),
        (1, 80),
        (24, 80),
        (4, 2),
        (24, 80),
    ] {
        screen.resize(rows, cols);
        readline(&mut screen, above);
        above = usize::from(18 / cols);
    }
    assert_eq!(all(&screen), before);
}

#[test]
fn a_prompt_drawn_for_another_size_than_it_got_neither_eats_nor_leaves_rows() {
    let mut screen = prompt_below_output(24, 80);
    let before = all(&screen);
    // Drawn for ten columns on a screen of forty: two rows too far up at the next redraw. And the reverse.
    screen.resize(24, 10).resize(24, 40);
    readline(&mut screen, 0);
    readline(&mut screen, 2);
    screen.resize(24, 5).resize(24, 7).resize(24, 80);
    readline(&mut screen, 4);
    assert_eq!(all(&screen), before);
    screen.resize(24, 40).resize(24, 6);
    readline(&mut screen, 0);
    screen.resize(24, 80);
    readline(&mut screen, 0);
    assert_eq!(all(&screen), before);
}

#[test]
fn a_prompt_whose_mark_is_gone_is_not_taken_for_the_one_before() {
    let mut screen = prompt_below_output(24, 80);
    let before = all(&screen);
    // With one row, readline draws a part of the line without the prompt.
    screen
        .resize(1, 1)
        .feed("\r\x1b[K\r\x1bM\x1b[K\r<st of a line");
    screen.resize(24, 80);
    readline(&mut screen, 0);
    assert_eq!(all(&screen), before);
    // And a prompt that is known only from its output.
    let mut screen = term(
        6,
        20,
        "\x1b]133;A\x07$ \r\n\x1b]133;C\x07out\r\n\x1b]133;D\x07",
    );
    let before = all(&screen);
    screen.feed("\x1b]133;A\x07\x1b[2K\x1b[1M> ").resize(6, 30);
    readline(&mut screen, 0);
    assert_eq!(all(&screen)[..2], before[..2]);
}

#[test]
fn output_of_a_shell_that_marks_only_prompts_is_not_taken_for_its_prompt() {
    // A shell without marks inside one with marks redraws without marks after a resize.
    let mut screen = term(8, 30, "\x1b]133;C\x07\x1b]133;A\x07$ ");
    screen
        .resize(8, 20)
        .feed("\r\x1b[K$ ls\r\nout\r\n\x1b]133;A\x07$ ");
    assert_eq!(screen.text(), "$ ls/out/$");
}

#[test]
fn a_prompt_that_a_shell_erases_with_the_whole_screen_is_not_kept_besides() {
    // Imitates zsh: it erases everything from the row that it believes to be in, and in a terminal of few rows draws
    // only the end of the line.
    let mut screen = prompt_below_output(24, 20);
    screen.feed("echo some words that need more rows");
    let before = all(&screen).concat();
    screen.resize(2, 18).feed("\x1bM\r\x1b[J<at need more rows");
    screen.resize(1, 18).feed("\x1bM\r\x1b[J<more rows");
    screen.resize(24, 20);
    screen.feed(&format!(
        "\r\x1b[J{PROMPT}echo some words that need more rows"
    ));
    assert_eq!(all(&screen).concat(), before);
}
