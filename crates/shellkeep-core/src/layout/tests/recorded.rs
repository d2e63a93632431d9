//! Compares with what tmux did with random layouts, as recorded by `record.sh`.

use std::collections::HashMap;

use crate::layout::*;
use crate::{PaneId, Rect, Size};

/// A window as far as these commands depend on it.
struct Window {
    layout: Layout,
    active: PaneId,
    /// When each pane was last active.
    used: HashMap<PaneId, u64>,
    size: Size,
    options: PresetOptions,
}

fn size(text: &str) -> SplitSize {
    match text.strip_suffix('%') {
        Some(percent) => SplitSize::Percent(percent.parse().unwrap()),
        None => SplitSize::Cells(text.parse().unwrap()),
    }
}

fn direction(flag: &str) -> Direction {
    match flag {
        "-U" => Direction::Up,
        "-D" => Direction::Down,
        "-L" => Direction::Left,
        "-R" => Direction::Right,
        other => panic!("{other}"),
    }
}

/// The value after a flag.
fn value<'a>(words: &[&'a str], flag: &str) -> Option<&'a str> {
    let at = words.iter().position(|word| *word == flag)?;
    words.get(at + 1).copied()
}

fn pane(words: &[&str], flag: &str) -> PaneId {
    value(words, flag).unwrap().parse().unwrap()
}

fn split_options(words: &[&str]) -> SplitOptions {
    SplitOptions {
        direction: match words.contains(&"-h") {
            true => Axis::Columns,
            false => Axis::Rows,
        },
        size: value(words, "-l").map(size),
        side: match words.contains(&"-b") {
            true => Side::Before,
            false => Side::After,
        },
        span: match words.contains(&"-f") {
            true => Span::FullWindow,
            false => Span::Pane,
        },
    }
}

impl Window {
    fn new(words: &[&str]) -> Self {
        let size_of = |at: usize| size(words[at]);
        let window = Size::new(words[1].parse().unwrap(), words[2].parse().unwrap());
        let first = words[8].parse().unwrap();
        let mut layout = Layout::single(first, window);
        layout.set_border_status(match words[3] {
            "top" => BorderStatus::Top,
            "bottom" => BorderStatus::Bottom,
            _ => BorderStatus::Off,
        });
        Self {
            layout,
            active: first,
            used: HashMap::new(),
            size: window,
            options: PresetOptions {
                main_pane_height: size_of(4),
                main_pane_width: size_of(5),
                other_pane_height: size_of(6),
                other_pane_width: size_of(7),
            },
        }
    }

    /// Runs a command, and returns the pane that is active afterwards if the layout determines it. `now` is the active
    /// pane in the recording: the new one after a split.
    fn run(&mut self, command: &str, now: PaneId) -> PaneId {
        let words: Vec<&str> = command.split_whitespace().collect();
        let active = self.active;
        match words[0] {
            "split-window" => {
                let new = match self.layout.contains(now) {
                    // According to the recording there was no space.
                    true => PaneId(u32::MAX),
                    false => now,
                };
                match self.layout.split(active, new, split_options(&words)) {
                    Ok(()) => new,
                    Err(NoSpace) => active,
                }
            }
            "kill-pane" => {
                assert!(self.layout.remove(pane(&words, "-t")));
                now
            }
            "join-pane" => {
                self.join(&words);
                now
            }
            "resize-pane" => {
                self.resize_pane(&words);
                active
            }
            "resize-window" => {
                let side = |flag| value(&words, flag).unwrap().parse().unwrap();
                self.size = Size::new(side("-y"), side("-x"));
                self.layout.resize(self.size);
                active
            }
            "select-layout" => {
                self.select_layout(words[1]);
                active
            }
            "swap-pane" => {
                self.layout.swap(pane(&words, "-s"), pane(&words, "-t"));
                now
            }
            "rotate-window" => {
                let index = self.layout.index_of(active).unwrap();
                self.layout.rotate(match words[1] {
                    "-D" => Rotation::Down,
                    _ => Rotation::Up,
                });
                self.layout.panes()[index]
            }
            "select-pane" => {
                let used = |pane| self.used.get(&pane).copied().unwrap_or(0);
                let direction = direction(words[1]);
                let found = self.layout.neighbour(active, direction, used);
                found.unwrap_or(active)
            }
            other => panic!("{other}"),
        }
    }

    fn join(&mut self, words: &[&str]) {
        let (from, to) = (pane(words, "-s"), pane(words, "-t"));
        let stand_in = PaneId(u32::MAX);
        let options = split_options(words);
        if from != to && self.layout.join(to, stand_in, options).is_ok() {
            self.layout.remove(from);
            self.layout.replace(stand_in, from);
        }
    }

    fn resize_pane(&mut self, words: &[&str]) {
        let pane = pane(words, "-t");
        for (flag, axis, whole) in [
            ("-x", Axis::Columns, self.layout.size().cols()),
            ("-y", Axis::Rows, self.layout.size().rows()),
        ] {
            if let Some(text) = value(words, flag) {
                let cells = size(text).of(whole.into());
                return self.layout.resize_pane_to(pane, axis, cells);
            }
        }
        let amount = words[4].parse().unwrap();
        self.layout.resize_pane(pane, direction(words[3]), amount);
    }

    fn select_layout(&mut self, name: &str) {
        if name == "-E" {
            self.layout.spread(self.active);
        } else if let Some(preset) = Preset::find(name) {
            self.layout.apply(preset, &self.options);
        } else {
            let text = Layout::parse(name).unwrap();
            if self.layout.apply_text(&text).is_ok() {
                self.layout.resize(self.size);
            }
        }
    }

    fn activate(&mut self, command: &str, pane: PaneId, time: u64) {
        // When a pane is killed, another one becomes active without counting as used.
        if pane != self.active && !command.starts_with("kill-pane") {
            self.used.insert(pane, time);
        }
        self.active = pane;
    }

    /// Compares the positions of panes. tmux lets a title take a pane's only row; we do not, so such panes are skipped.
    fn check_places(&self, recorded: &str, number: usize) {
        let recorded: Vec<&str> = recorded.split_whitespace().skip(1).collect();
        let places = self.layout.places();
        assert_eq!(places.len(), recorded.len(), "line {number}");
        for ((pane, place), recorded) in places.into_iter().zip(recorded) {
            let Rect {
                row,
                col,
                rows,
                cols,
            } = place;
            if recorded.split('/').nth(2) != Some("0") {
                let here = format!("{pane}@{row}/{col}/{rows}/{cols}");
                assert_eq!(here, recorded, "line {number}");
            }
        }
    }
}

#[test]
fn layouts_recorded_from_tmux_are_the_same_here() {
    let mut window = None;
    let mut commands = 0;
    for (number, line) in include_str!("recorded.txt").lines().enumerate() {
        let number = number + 1;
        if line.starts_with("new ") {
            let words: Vec<&str> = line.split_whitespace().collect();
            window = Some(Window::new(&words));
            continue;
        }
        let window = window.as_mut().unwrap();
        if line.starts_with("panes ") {
            window.check_places(line, number);
            continue;
        }
        let [command, layout, active] = *line.split('\t').collect::<Vec<_>>() else {
            panic!("line {number}: {line}");
        };
        let now: PaneId = active.parse().unwrap();
        let before = window.layout.to_text();
        let found = window.run(command, now);
        let context = || format!("line {number}: {command}\nbefore {before}");
        assert_eq!(window.layout.to_text(), layout, "{}", context());
        assert_eq!(found, now, "{}", context());
        window.activate(command, now, number as u64);
        commands += 1;
    }
    assert!(commands > 2500, "{commands}");
}
