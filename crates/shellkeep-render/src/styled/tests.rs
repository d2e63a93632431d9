use super::*;
use crate::compose::compose_pane;
use crate::frame::Frame;
use shellkeep_core::{Color, Rect, Size};
use shellkeep_term::{Config, Emulator};

fn status_style() -> Style {
    Style {
        fg: Color::Palette(0),
        bg: Color::Palette(2),
        ..Style::default()
    }
}

fn drawn(text: &str, cols: u16) -> (Frame, Vec<ClickRange>) {
    let size = Size::new(1, cols);
    let mut frame = Frame::new(size);
    let mut canvas = Canvas::new(&mut frame, Rect::whole(size));
    canvas.fill(0, 0, cols, status_style());
    let ranges = draw_styled(&mut canvas, 0, text, status_style());
    (frame, ranges)
}

/// The screen of a terminal after these bytes.
fn shown(bytes: &str, cols: u16) -> Frame {
    let size = Size::new(1, cols);
    let mut pane = Emulator::new(size, Config::default());
    pane.feed(bytes.as_bytes(), &mut Vec::new());
    let mut frame = Frame::new(size);
    compose_pane(&pane, size, &mut frame);
    frame
}

#[test]
fn status_lines_recorded_from_tmux_are_the_same_here() {
    let lines: Vec<&str> = include_str!("tests/recorded.txt").lines().collect();
    let cases = lines.chunks_exact(3);
    assert!(cases.len() > 30);
    for case in cases {
        let cols = case[0].parse().unwrap();
        let text = case[1];
        let (here, _) = drawn(text, cols);
        let there = shown(case[2], cols);
        assert_eq!(here.row_text(0), there.row_text(0), "{cols} {text}");
        for col in 0..cols {
            let styles = (here.style(0, col), there.style(0, col));
            assert_eq!(styles.0, styles.1, "column {col} of {cols}, {text}");
        }
    }
}

#[test]
fn ranges_are_where_their_text_is() {
    let text = "#[range=left]name#[norange]#[list=on align=left]#[range=window|0]a0#[norange] \
        #[range=window|1]b1#[norange] #[nolist]#[align=right range=right]time#[norange]";
    let (frame, ranges) = drawn(text, 20);
    assert_eq!(frame.row_text(0), "namea0 b1       time");
    let found: Vec<_> = ranges
        .iter()
        .map(|range| (range.start, range.end, range.range))
        .collect();
    assert_eq!(
        found,
        [
            (0, 4, Range::Left),
            (4, 7, Range::Window(0)),
            (7, 10, Range::Window(1)),
            (16, 20, Range::Right),
        ]
    );
}

#[test]
fn ranges_cut_off_are_gone() {
    let text =
        "#[list=on align=left]#[range=window|0]aaaa#[norange]#[range=window|1]bbbb#[norange]";
    let (_, ranges) = drawn(text, 4);
    assert_eq!(ranges.len(), 1);
    assert_eq!(ranges[0].range, Range::Window(0));
}

#[test]
fn width_counts_no_instructions() {
    assert_eq!(styled_width("a#[fg=red]漢##"), 4);
    assert_eq!(styled_width("a#[fg=red"), 0);
}

#[test]
fn combining_marks_stay_with_their_letter() {
    let (frame, _) = drawn("e\u{301}x", 4);
    assert_eq!(frame.text(0, 0), "e\u{301}");
    assert_eq!(frame.text(0, 1), "x");
}

#[test]
fn range_that_reaches_beyond_the_row_ends_with_it() {
    let text =
        "#[align=absolute-centre]##漢字###[list=on]#[range=window|3]#[nolist]###[range=left]##";
    let (_, ranges) = drawn(text, 8);
    assert!(ranges.iter().all(|range| range.end <= 8), "{ranges:?}");
}

mod property {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn text_of_any_kind_is_drawn_within_its_row(
            pieces in prop::collection::vec(prop::sample::select(vec![
                "#[align=left]", "#[align=centre]", "#[align=right]", "#[align=absolute-centre]",
                "#[list=on]", "#[list=focus]", "#[list=left-marker]", "#[list=right-marker]", "#[nolist]",
                "#[range=left]", "#[range=window|3]", "#[norange]", "#[fill=red]", "##", "#", "[", "]",
                "a", "bcd", "漢字", "e\u{301}", "\u{7}", "#[", "#[push-default]", "#[pop-default]",
                "#[ignore]", "#{", "}",
            ]), 0..20),
            cols in 1u16..12,
        ) {
            let (_, ranges) = drawn(&pieces.concat(), cols);
            for range in ranges {
                prop_assert!(range.start < range.end && range.end <= cols);
            }
        }
    }
}

#[test]
fn clusters_are_as_wide_as_in_a_pane() {
    for text in [
        "👩\u{200d}👩\u{200d}👧",
        "👍🏽",
        "❤\u{fe0f}",
        "🇩🇪🇫🇷",
        "1\u{fe0f}\u{20e3}",
        "e\u{301}",
        "漢",
    ] {
        let line = format!("[{text}]x");
        let (here, _) = drawn(&line, 20);
        let pane = shown(&line, 20);
        for col in 0..10 {
            let texts = (here.text(0, col), pane.text(0, col));
            assert_eq!(texts.0, texts.1, "column {col} of {line}");
        }
        let end = (0..20).find(|col| pane.text(0, *col) == "x").unwrap();
        assert_eq!(styled_width(&line), usize::from(end) + 1, "{line}");
    }
}
