use super::*;
use crate::compose::compose_pane;
use shellkeep_core::layout::{Axis, SplitOptions};
use shellkeep_core::{Color, Size};
use shellkeep_term::{Config, Emulator};

fn shown(rows: &[&str], size: Size) -> Frame {
    let mut pane = Emulator::new(size, Config::default());
    pane.feed(rows.join("\r\n").as_bytes(), &mut Vec::new());
    let mut frame = Frame::new(size);
    compose_pane(&pane, size, &mut frame);
    frame
}

fn layout(text: &str, status: &str) -> Layout {
    let parsed = Layout::parse(text).unwrap();
    let mut layout = Layout::single(PaneId(0), Size::new(99, 99));
    for pane in 1..parsed.panes() as u32 {
        let options = SplitOptions::new(Axis::Rows);
        layout
            .split(PaneId(pane - 1), PaneId(pane), options)
            .unwrap();
    }
    layout.apply_text(&parsed).unwrap();
    layout.set_border_status(match status {
        "top" => BorderStatus::Top,
        "bottom" => BorderStatus::Bottom,
        _ => BorderStatus::Off,
    });
    layout
}

fn look<'a>(
    words: &[&str],
    style: &'a dyn Fn(PaneId) -> Style,
    title: &'a dyn Fn(PaneId) -> String,
) -> BorderLook<'a> {
    BorderLook {
        lines: match words[0] {
            "double" => BorderLines::Double,
            "heavy" => BorderLines::Heavy,
            "simple" => BorderLines::Simple,
            "number" => BorderLines::Number,
            _ => BorderLines::Single,
        },
        indicators: match words[1] {
            "off" => BorderIndicators::Off,
            "arrows" => BorderIndicators::Arrows,
            "both" => BorderIndicators::Both,
            _ => BorderIndicators::Colour,
        },
        active: PaneId(words[3].parse().unwrap()),
        marked: words[4].parse().ok().map(PaneId),
        first_number: 0,
        style,
        title,
    }
}

#[test]
fn borders_recorded_from_tmux_are_the_same_here() {
    let size = Size::new(10, 30);
    let lines: Vec<&str> = include_str!("tests/recorded.txt").lines().collect();
    let cases = lines.chunks_exact(11);
    assert!(cases.len() > 80 && cases.remainder().is_empty());
    let mut wrong = Vec::new();
    for case in cases {
        let words: Vec<&str> = case[0].split(' ').collect();
        let active = PaneId(words[3].parse().unwrap());
        let style = |pane| Style {
            fg: Color::Palette(if pane == active { 3 } else { 4 }),
            ..Style::default()
        };
        let title = |pane: PaneId| format!("[{}]#[fg=red]title#[align=right]r", pane.0);
        let mut here = Frame::new(size);
        let layout = layout(words[5], words[2]);
        let look = look(&words, &style, &title);
        draw_borders(&mut here, Rect::whole(size), &layout, &look);
        let there = shown(&case[1..], size);
        let cells = |frame: &Frame| -> Vec<(String, Style)> {
            let places = (0..10).flat_map(|row| (0..30).map(move |col| (row, col)));
            let cell = |(row, col)| (frame.text(row, col).to_owned(), frame.style(row, col));
            places.map(cell).collect()
        };
        if cells(&here) != cells(&there) {
            let text = |frame: &Frame| {
                (0..10)
                    .map(|row| frame.row_text(row) + "\n")
                    .collect::<String>()
            };
            let first = cells(&here)
                .into_iter()
                .zip(cells(&there))
                .enumerate()
                .find(|(_, (here, there))| here != there);
            wrong.push(format!(
                "{}\n{}{}{:?}",
                case[0],
                text(&here),
                text(&there),
                first.map(|(at, cells)| (at / 30, at % 30, cells))
            ));
        }
    }
    assert!(
        wrong.is_empty(),
        "{} wrong, first\n{}",
        wrong.len(),
        wrong[0]
    );
}
