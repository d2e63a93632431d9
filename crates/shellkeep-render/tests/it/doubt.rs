//! Terminals that differ from the standard: erasing without colours, other widths of text, other behaviour in the last
//! column.

use shellkeep_core::{Color, Size, Style};
use shellkeep_render::{Caps, Features, Frame, diff, repaint};

use crate::screen::{plain_caps, readable};

const BLUE: Style = Style {
    bg: Color::Palette(4),
    ..PLAIN
};
const PLAIN: Style = Style {
    fg: Color::Default,
    bg: Color::Default,
    underline_color: Color::Default,
    underline: shellkeep_core::Underline::None,
    attrs: shellkeep_core::Attrs::empty(),
};

fn painted(next: &Frame, caps: &Caps) -> String {
    let mut out = Vec::new();
    diff(&Frame::new(next.size()), next, caps, &mut out);
    readable(&out)
}

/// `text` from the first column on, one column each.
fn put(frame: &mut Frame, row: u16, col: u16, text: &str) {
    for (at, c) in text.chars().enumerate() {
        frame.put(row, col + at as u16, &c.to_string(), 1, PLAIN, None);
    }
}

#[test]
fn coloured_blanks_are_erased_only_where_erasing_colours() {
    let mut frame = Frame::new(Size::new(2, 40));
    frame.fill(0, 0, 30, BLUE);
    frame.put(0, 30, "x", 1, PLAIN, None);
    frame.fill(1, 5, 35, BLUE);
    let mut caps = plain_caps();
    assert!(caps.has(Features::BCE));
    let with = painted(&frame, &caps);
    assert!(with.contains("␛[30X") && with.contains("␛[K"), "{with}");
    caps.features -= Features::BCE;
    let without = painted(&frame, &caps);
    assert!(
        !without.contains('X') && !without.contains('K'),
        "{without}"
    );
}

#[test]
fn row_that_scrolls_in_is_not_coloured() {
    // The new row has a background, as all others have: scrolling must not be relied on to fill it.
    let rows = |from: u16| {
        let mut frame = Frame::new(Size::new(8, 40));
        for row in 0..8 {
            frame.fill(row, 0, 40, BLUE);
            for (at, c) in (u64::from(from + row) * 0x9e37_79b9_7f4a)
                .to_string()
                .chars()
                .enumerate()
            {
                frame.put(row, at as u16, &c.to_string(), 1, BLUE, None);
            }
        }
        frame
    };
    let mut out = Vec::new();
    diff(&rows(10), &rows(11), &plain_caps(), &mut out);
    let out = readable(&out);
    let scroll = out.find("␛[S").expect("a scroll");
    assert!(!out[..scroll].contains('m'), "pen not plain: {out}");
}

#[test]
fn bottom_right_corner_is_written_with_wrapping_off() {
    let mut frame = Frame::new(Size::new(2, 4));
    put(&mut frame, 1, 0, "abcd");
    let out = painted(&frame, &plain_caps());
    assert!(out.contains("abc␛[?7ld␛[?7h␛[H"), "{out}");
}

#[test]
fn place_after_the_last_column_is_not_relied_upon() {
    let mut frame = Frame::new(Size::new(3, 4));
    put(&mut frame, 0, 0, "abcd");
    put(&mut frame, 1, 0, "efgh");
    let out = painted(&frame, &plain_caps());
    assert!(out.contains("abcd␛[2Hefgh␛[H"), "{out}");
}

/// What `vt100` shows in a row. It adds up the widths of a cluster's parts, as many terminals do.
fn shown_by_vt100(frame: &Frame) -> String {
    let mut out = Vec::new();
    repaint(frame, &plain_caps(), &mut out);
    let size = |n| std::num::NonZeroU16::new(n).expect("not zero");
    let mut parser = vt100::Parser::new(size(frame.size().rows()), size(frame.size().cols()), 0);
    parser.process(&out);
    parser.screen().contents()
}

#[test]
fn cluster_drawn_too_wide_does_not_hide_its_neighbours() {
    let mut frame = Frame::new(Size::new(2, 20));
    frame.put(0, 0, "👨\u{200d}👩\u{200d}👧\u{200d}👦", 2, PLAIN, None);
    put(&mut frame, 0, 2, "neighbours");
    assert_eq!(shown_by_vt100(&frame), "👨\u{200d}neighbours");
}

/// `a`, a thumb with a skin tone in columns of its own, and the rest.
fn thumb(rest: &str) -> Frame {
    let mut frame = Frame::new(Size::new(2, 20));
    put(&mut frame, 0, 0, "a");
    frame.put(0, 1, "👍", 2, PLAIN, None);
    frame.put(0, 3, "🏽", 2, PLAIN, None);
    put(&mut frame, 0, 5, rest);
    frame
}

#[test]
fn skin_tone_is_written_together_with_its_emoji() {
    let frame = thumb("bcd");
    assert_eq!(shown_by_vt100(&frame), "a👍🏽bcd");
    let out = painted(&frame, &plain_caps());
    assert!(
        out.contains("👍🏽␛[6Gbcd"),
        "{out}: the place behind it is not relied upon"
    );
    // If it changes or disappears, a terminal that has drawn one glyph has to draw another.
    let mut other = thumb("bcd");
    other.put(0, 3, "🏿", 2, PLAIN, None);
    let mut out = Vec::new();
    diff(&frame, &other, &plain_caps(), &mut out);
    assert!(readable(&out).contains("👍🏿"), "{}", readable(&out));
    put(&mut other, 0, 3, "xy");
    out.clear();
    diff(&frame, &other, &plain_caps(), &mut out);
    let out = readable(&out);
    assert!(out.contains('👍') && out.contains("xy"), "{out}");
    // If it does not change, it is not painted.
    let mut out = Vec::new();
    diff(&frame, &thumb("bcx"), &plain_caps(), &mut out);
    assert!(!readable(&out).contains('👍'), "{}", readable(&out));
}

#[test]
fn blanks_beside_a_cluster_drawn_too_wide_stay_blank() {
    let mut frame = Frame::new(Size::new(2, 20));
    put(&mut frame, 0, 12, "x");
    let before = frame.clone();
    frame.put(0, 0, "👨\u{200d}👩\u{200d}👧\u{200d}👦", 2, PLAIN, None);
    let mut out = Vec::new();
    repaint(&before, &plain_caps(), &mut out);
    diff(&before, &frame, &plain_caps(), &mut out);
    let size = |n| std::num::NonZeroU16::new(n).expect("not zero");
    let mut parser = vt100::Parser::new(size(2), size(20), 0);
    parser.process(&out);
    assert_eq!(parser.screen().contents(), "👨\u{200d}          x");
}

#[test]
fn cluster_drawn_too_narrow_leaves_no_rest_behind() {
    let mut before = Frame::new(Size::new(1, 10));
    put(&mut before, 0, 0, "old text");
    let mut frame = before.clone();
    // One column in vt100, two in ours.
    frame.put(0, 0, "\u{2764}\u{fe0f}", 2, PLAIN, None);
    let mut out = Vec::new();
    repaint(&before, &plain_caps(), &mut out);
    let size = |n| std::num::NonZeroU16::new(n).expect("not zero");
    let mut parser = vt100::Parser::new(size(1), size(10), 0);
    parser.process(&out);
    out.clear();
    diff(&before, &frame, &plain_caps(), &mut out);
    parser.process(&out);
    let contents = parser.screen().contents();
    assert!(contents.ends_with("d text"), "{contents:?}");
    assert!(
        !contents.contains('l') && !contents.contains('o'),
        "{contents:?}"
    );
}

#[test]
fn cluster_near_the_right_edge_cannot_wrap() {
    let mut frame = Frame::new(Size::new(2, 6));
    frame.put(0, 4, "👨\u{200d}👩\u{200d}👧", 2, PLAIN, None);
    let out = painted(&frame, &plain_caps());
    let off = out.find("␛[?7l").expect("wrapping off");
    let text = out.find('👨').expect("the text");
    let on = out.find("␛[?7h").expect("wrapping on");
    assert!(off < text && text < on, "{out}");
}

#[test]
fn terminal_without_utf8_gets_ascii() {
    let mut caps = plain_caps();
    caps.features -= Features::UTF8;
    let mut frame = Frame::new(Size::new(2, 10));
    frame.put(0, 0, "漢", 2, PLAIN, None);
    frame.put(0, 2, "é", 1, PLAIN, None);
    frame.put(0, 3, "a", 1, PLAIN, None);
    let out = painted(&frame, &caps);
    assert!(out.contains("___a"), "{out}");
}

#[test]
fn terminal_without_utf8_gets_lines_from_its_other_charset() {
    let mut caps = plain_caps();
    caps.features -= Features::UTF8;
    caps.features |= Features::REPEAT;
    let mut frame = Frame::new(Size::new(2, 20));
    for (col, text) in ["a", "│", "b", "┌", "┏", "╔", "╭", "漢", "", "x"]
        .iter()
        .enumerate()
    {
        let width = 1 + u8::from(*text == "漢");
        if !text.is_empty() {
            frame.put(0, col as u16, text, width, PLAIN, None);
        }
    }
    for col in 0..12 {
        frame.put(1, col, "─", 1, PLAIN, None);
    }
    let out = painted(&frame, &caps);
    assert!(out.contains("a␛(0x␛(Bb␛(0llll␛(B__x"), "{out}");
    assert!(out.contains(&format!("␛(0{}␛(B", "q".repeat(12))), "{out}");
    let mut next = frame.clone();
    next.put(1, 11, "┘", 1, PLAIN, None);
    let mut bytes = Vec::new();
    shellkeep_render::diff(&frame, &next, &caps, &mut bytes);
    let out = String::from_utf8(bytes).expect("text").replace('\x1b', "␛");
    assert!(out.contains("␛(0j␛(B"), "plain between frames: {out}");
    caps.teach_capability("acsc@");
    assert!(
        painted(&frame, &caps).contains("a_b____"),
        "none to draw with"
    );
    caps.features |= Features::UTF8 | Features::LINE_DRAWING;
    assert!(painted(&frame, &caps).contains("a│b┌┏╔╭漢x"));
}

#[test]
fn concealed_text_is_not_shown_where_it_cannot_be_concealed() {
    let mut caps = plain_caps();
    caps.features -= Features::HIDDEN;
    let mut frame = Frame::new(Size::new(1, 10));
    let hidden = Style {
        attrs: shellkeep_core::Attrs::HIDDEN,
        ..PLAIN
    };
    for (col, text) in ["s", "e", "c", "r", "t"].into_iter().enumerate() {
        frame.put(0, col as u16, text, 1, hidden, None);
    }
    frame.put(0, 6, "x", 1, PLAIN, None);
    let out = painted(&frame, &caps);
    assert!(
        !out.contains('s') && !out.contains('c') && out.contains('x'),
        "{out}"
    );
}

#[test]
fn link_is_closed_after_its_text() {
    let mut caps = plain_caps();
    caps.features |= Features::LINKS;
    let mut frame = Frame::new(Size::new(1, 10));
    for (col, text) in ["a", "b"].into_iter().enumerate() {
        frame.put(0, col as u16, text, 1, PLAIN, Some("http://x"));
    }
    let out = painted(&frame, &caps);
    let (open, rest) = out.split_once(";http://x␛\\").expect("an open link");
    assert!(open.contains("␛]8;id=sk"), "{out}");
    assert!(rest.starts_with("ab␛]8;;␛\\"), "{out}");
}
