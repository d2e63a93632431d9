//! Resizes a shell with a half-typed line rapidly; it never learns of some of the sizes, and of others late. Everything
//! that was shown before must be there afterwards, in order and once, and so must the prompt and the line.

use crate::kit::{Term, check_sound, term};

/// A random number generator with the same numbers in every run.
struct Dice(u64);

impl Dice {
    fn below(&mut self, most: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % most
    }

    fn size(&mut self) -> (u16, u16) {
        let extreme = self.below(3) == 0;
        let rows = if extreme {
            [1, 2, 3, 24][self.below(4)]
        } else {
            1 + self.below(50)
        };
        let cols = if extreme {
            [1, 2, 3, 5, 80][self.below(5)]
        } else {
            1 + self.below(180)
        };
        (rows as u16, cols as u16)
    }
}

const LINE: &str = "echo one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen";

/// Imitates readline: it knows the size that it last read, how many rows its line has, and which of them has the
/// cursor.
struct Readline {
    /// The lines of the prompt. Only the last is redrawn.
    prompt: &'static [&'static str],
    /// How many characters the cursor is before the end of the line.
    back: usize,
    size: (u16, u16),
    bottom: usize,
    at: usize,
}

impl Readline {
    /// The prompt and the line as they are first shown.
    fn start(prompt: &'static [&'static str], back: usize, size: (u16, u16)) -> (Self, String) {
        let mut shell = Self {
            prompt,
            back,
            size,
            bottom: 0,
            at: 0,
        };
        let first = &prompt[..prompt.len() - 1];
        let above: String = first.iter().map(|line| format!("{line}\r\n")).collect();
        let drawn = shell.draw(&mut Dice(0));
        let bytes = match above.is_empty() {
            true => drawn,
            false => format!("\x1b]133;A\x07{above}{drawn}"),
        };
        (shell, format!("\x1b]133;D;0\x07\x1b[?2004h{bytes}"))
    }

    /// Handles a change of size that readline has noticed.
    fn resize(&mut self, size: (u16, u16), dice: &mut Dice) -> String {
        if size == self.size {
            return String::new();
        }
        self.size = size;
        let down = "\r\n".repeat(self.bottom - self.at);
        let up = "\x1bM\x1b[K\r".repeat(self.bottom);
        let drawn = match size {
            // In one row it shows a part of the line that scrolls.
            (1, cols) => {
                (self.bottom, self.at) = (0, 0);
                let shown = usize::from(cols).saturating_sub(3).clamp(1, LINE.len());
                format!("<{}\x1b[K", &LINE[LINE.len() - shown..])
            }
            _ => self.draw(dice),
        };
        format!("{down}\r\x1b[K\r{up}{drawn}")
    }

    /// The last line of the prompt, and the typed line.
    fn draw(&mut self, dice: &mut Dice) -> String {
        // It treats one column as eighty.
        let cols = if self.size.1 > 1 {
            usize::from(self.size.1)
        } else {
            80
        };
        let prompt = self.prompt[self.prompt.len() - 1];
        let total = prompt.len() + LINE.len();
        self.bottom = total / cols;
        self.at = (total - self.back) / cols;
        let mut out = String::new();
        if self.prompt.len() == 1 {
            out.push_str("\x1b]133;A\x07");
        }
        out.push_str(prompt);
        out.push_str("\x1b]133;B\x07");
        // At times it breaks the line itself.
        let breaks = dice.below(2) == 0 && prompt.len() < cols;
        for (at, c) in LINE.chars().enumerate() {
            if breaks && (prompt.len() + at).is_multiple_of(cols) {
                out.push_str("\r\n\r");
            }
            out.push(c);
        }
        if total.is_multiple_of(cols) {
            out.push_str(" \r\x1b[K");
        }
        out.push_str(&"\x1bM".repeat(self.bottom - self.at));
        let col = (total - self.back) % cols;
        out.push_str(&format!("\r\x1b[{}C", col.max(1)));
        if col == 0 {
            out.push('\r');
        }
        out
    }
}

/// All text, visible or in the history, without the breaks between rows.
fn all(screen: &Term) -> String {
    let mut all = screen.history();
    all.extend(screen.rows());
    let text: String = all.concat();
    text.split_whitespace().collect()
}

fn storm(seed: u64, prompt: &'static [&'static str], back: usize, partial: &str) {
    let mut dice = Dice(seed);
    let output: String = (1..=30).map(|n| format!("output {n}\r\n")).collect();
    let (mut shell, shown) = Readline::start(prompt, back, (24, 80));
    let mut screen = term(
        24,
        80,
        &format!(
            "\x1b]133;D\x07\x1b]133;A\x07$ \x1b]133;B\x07loop\r\n\x1b]133;C\x07{output}{partial}"
        ),
    );
    screen.feed(&shown);
    let before = all(&screen);
    for round in 0..40 {
        let mut story = Vec::new();
        let mut late: Vec<(u16, u16)> = Vec::new();
        for _ in 0..1 + dice.below(12) {
            let size = dice.size();
            screen.resize(size.0, size.1);
            story.push(size);
            late.push(size);
            // It notices the newest size, at once or after more changes; and its output may come later still.
            let heard = match (dice.below(4), late.len()) {
                (0, _) => &late[late.len() - 1..],
                (1, 2..) => &late[late.len() - 2..late.len() - 1],
                (2, 2..) => &late[late.len() - 2..],
                _ => &[],
            };
            for &size in heard {
                screen.feed(&shell.resize(size, &mut dice));
            }
        }
        let last = [(24, 80), (10, 40), (50, 160), (12, 30)][dice.below(4)];
        screen.resize(last.0, last.1);
        if shell.size == last {
            // Ends with a change that it notices.
            let other = (last.0 - 1, last.1);
            screen.feed(&shell.resize(other, &mut dice));
        }
        let output = shell.resize(last, &mut dice);
        screen.feed(&output);
        check_sound(&screen.emulator);
        assert_eq!(
            all(&screen),
            before,
            "seed {seed}, round {round}: {story:?}, {last:?}, {prompt:?}, cursor {back} before the end: {:#?}",
            screen.rows()
        );
        let prompt = prompt[prompt.len() - 1].len();
        let at = prompt + LINE.len() - back;
        assert_eq!(usize::from(screen.at().1 - 1), at % usize::from(last.1));
    }
}

#[test]
fn a_prompt_of_one_line_is_there_once_after_a_storm_of_sizes() {
    for seed in 0..20 {
        storm(seed, &["user@host:~/path$ "], 0, "");
    }
}

#[test]
fn a_cursor_within_the_line_is_followed_through_a_storm_of_sizes() {
    for seed in 0..20 {
        storm(seed, &["user@host:~/path$ "], 17 * seed as usize % 100, "");
    }
}

#[test]
fn a_prompt_of_two_lines_keeps_both_through_a_storm_of_sizes() {
    for seed in 0..20 {
        storm(seed, &["host in /a/directory", "$ "], 0, "");
        storm(seed, &["host in /a/directory", "$ "], 70, "");
    }
}

#[test]
fn output_without_a_line_end_stays_before_the_prompt_through_a_storm_of_sizes() {
    for seed in 0..10 {
        storm(seed, &["user@host:~/path$ "], 0, "no end");
    }
}

#[test]
fn output_above_a_prompt_without_marks_outlives_a_storm_of_sizes() {
    for seed in 0..20 {
        let mut dice = Dice(seed);
        let plain = |text: String| {
            text.replace("\x1b]133;A\x07", "")
                .replace("\x1b]133;B\x07", "")
                .replace("\x1b]133;D;0\x07", "")
        };
        let output: String = (1..=30).map(|n| format!("output{n}\r\n")).collect();
        let (mut shell, shown) = Readline::start(&["user@host:~/path$ "], 0, (24, 80));
        let mut screen = term(24, 80, &output);
        screen.feed(&plain(shown));
        let before: String = output.split_whitespace().collect();
        for round in 0..40 {
            for _ in 0..1 + dice.below(4) {
                let size = dice.size();
                screen.resize(size.0, size.1);
                if dice.below(2) == 0 {
                    let output = plain(shell.resize(size, &mut dice));
                    screen.feed(&output);
                }
            }
            screen.resize(24, 80);
            let output = plain(shell.resize((24, 80), &mut dice));
            screen.feed(&output);
            check_sound(&screen.emulator);
            let all = all(&screen);
            assert!(
                all.starts_with(&before),
                "seed {seed}, round {round}: {all}"
            );
        }
    }
}
