//! Drawing, the mouse, and effects.

use shellkeep_copy::{AutoScroll, CopyEffect, Highlight, ModeKeys, Span, View};

use crate::kit::{Kit, lines};

fn view(kit: &Kit) -> View {
    kit.mode.view(&kit.frozen.text(&kit.emulator), &kit.options)
}

fn span(start: u16, end: u16, highlight: Highlight) -> Span {
    Span {
        start,
        end,
        highlight,
    }
}

#[test]
fn position_shows_scroll_and_results() {
    let mut kit = Kit::new(4, 20, &lines(50));
    assert_eq!(view(&kit).position.as_deref(), Some("[0/47]"));
    kit.run(&["search-backward", "line 1."]);
    assert_eq!(view(&kit).position.as_deref(), Some("(10 results) [31/47]"));
    kit.run(&["toggle-position"]);
    assert_eq!(view(&kit).position, None);
}

#[test]
fn matches_are_lit_and_the_one_at_the_cursor_otherwise() {
    let mut kit = Kit::new(2, 30, "foo bar foo\r\nfoo");
    kit.run(&["search-backward-text", "foo"]);
    kit.run(&["search-again"]);
    let view = view(&kit);
    assert_eq!(view.cursor, (0, 8));
    assert_eq!(
        view.rows[0].spans,
        [
            span(0, 3, Highlight::Match),
            span(8, 11, Highlight::CurrentMatch)
        ]
    );
    assert_eq!(view.rows[1].spans, [span(0, 3, Highlight::Match)]);
}

#[test]
fn selection_is_drawn_as_it_is_copied() {
    let mut kit = Kit::new(3, 10, "abcdef\r\nghijkl\r\nmn");
    kit.run(&["top-line"]);
    kit.run(&["cursor-right"]);
    kit.run(&["begin-selection"]);
    kit.run(&["cursor-down"]);
    let selected =
        |kit: &Kit| -> Vec<Vec<Span>> { view(kit).rows.into_iter().map(|row| row.spans).collect() };
    let one = |start, end| vec![span(start, end, Highlight::Selection)];
    assert_eq!(selected(&kit), [one(1, 10), one(0, 2), vec![]]);
    kit.options.mode_keys = ModeKeys::Emacs;
    assert_eq!(selected(&kit), [one(1, 10), one(0, 1), vec![]]);
    kit.run(&["rectangle-on"]);
    kit.run(&["cursor-right"]);
    assert_eq!(selected(&kit), [one(1, 3), one(1, 3), vec![]]);
}

#[test]
fn mark_is_drawn_with_its_row() {
    let mut kit = Kit::new(2, 10, "abc");
    kit.run(&["set-mark"]);
    assert_eq!(
        view(&kit).rows[0].spans,
        [span(0, 10, Highlight::MarkRow), span(3, 4, Highlight::Mark)]
    );
}

#[test]
fn drag_selects_and_scrolls_at_the_edge() {
    let mut kit = Kit::new(4, 20, &lines(50));
    let text = kit.frozen.text(&kit.emulator);
    let mode = &mut kit.mode;
    assert_eq!(mode.drag_start(2, 1, &text, &kit.options), AutoScroll::Stop);
    assert_eq!(mode.drag_to(1, 3, &text, &kit.options), AutoScroll::Stop);
    assert_eq!(mode.drag_to(0, 3, &text, &kit.options), AutoScroll::Go);
    assert_eq!(mode.scroll_position(), 1);
    assert_eq!(mode.drag_scroll(&text, &kit.options), AutoScroll::Go);
    assert_eq!(mode.scroll_position(), 2);
    assert_eq!(
        kit.copied().as_deref(),
        Some("e 45\nline 46\nline 47\nline 48\nli")
    );
}

#[test]
fn drag_after_a_double_click_selects_words() {
    let mut kit = Kit::new(2, 30, "one two three four");
    let text = kit.frozen.text(&kit.emulator);
    kit.mode.point(0, 5, &text);
    kit.run(&["select-word"]);
    assert_eq!(kit.copied().as_deref(), Some("two"));
    let text = kit.frozen.text(&kit.emulator);
    kit.mode.drag_start(0, 5, &text, &kit.options);
    kit.mode.drag_to(0, 9, &text, &kit.options);
    assert_eq!(kit.copied().as_deref(), Some("two three"));
}

#[test]
fn pipe_takes_the_command_named_or_the_options() {
    let mut kit = Kit::new(2, 30, "one two");
    kit.options.copy_command = "clip".to_owned();
    kit.run(&["select-line"]);
    let pipe = |command: &str| CopyEffect::Pipe {
        command: command.to_owned(),
        text: "one two\n".to_owned(),
    };
    let copy = |prefix: Option<&str>| CopyEffect::Copy {
        text: "one two\n".to_owned(),
        prefix: prefix.map(str::to_owned),
        clipboard: true,
    };
    assert_eq!(
        kit.run(&["copy-pipe-no-clear"]),
        [pipe("clip"), copy(None), CopyEffect::Redraw]
    );
    assert_eq!(
        kit.run(&["pipe-no-clear", "wc"]),
        [pipe("wc"), CopyEffect::Redraw]
    );
    assert_eq!(
        kit.run(&["copy-pipe-and-cancel", "", "mine"]),
        [pipe("clip"), copy(Some("mine")), CopyEffect::Cancel]
    );
}

#[test]
fn pattern_with_dollar_matches_at_the_end_of_the_text() {
    let mut kit = Kit::new(3, 20, "foo end\r\nend foo\r\n");
    kit.run(&["search-backward", "foo$"]);
    assert_eq!(view(&kit).cursor, (1, 4));
    assert_eq!(view(&kit).position.as_deref(), Some("(1 results) [0/0]"));
}

#[test]
fn wide_character_moved_to_the_next_row_is_found_and_copied_whole() {
    let mut kit = Kit::new(3, 6, "12345世x");
    kit.run(&["search-backward-text", "5世"]);
    assert_eq!(view(&kit).cursor, (0, 4));
    assert_eq!(kit.copied().as_deref(), Some("5世"));
}
