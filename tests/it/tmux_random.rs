//! Sequences of commands that nobody thought of, the same ones to tmux and to us: after each, both must have the same sessions,
//! windows, layouts and panes. `RANDOM_TMUX_RUNS=15` plays more of them, as many as fit into a minute.

use shellkeep_testkit::real::Rig;

use crate::tmux::{same, tmux};
use crate::{is_installed, rig};

/// Commands of a sequence.
const STEPS: usize = 50;

/// Numbers that look random and are the same every time.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33) % sides
    }

    fn one_of<'a>(&mut self, words: &[&'a str]) -> &'a str {
        let at = self.roll(words.len() as u64);
        words[usize::try_from(at).unwrap()]
    }

    fn number(&mut self, least: u64, most: u64) -> String {
        (least + self.roll(most - least + 1)).to_string()
    }

    /// Some of the flags, each with a chance of one in four.
    fn some_of(&mut self, flags: &[&str]) -> String {
        let chosen = flags.iter().filter(|_| self.roll(4) == 0);
        chosen.map(|flag| format!("{flag} ")).collect()
    }

    fn session(&mut self) -> &'static str {
        self.one_of(&["one", "two"])
    }

    fn window(&mut self) -> String {
        match self.roll(8) {
            0..=4 => format!("{}:{}", self.session(), self.number(0, 4)),
            5 => format!("@{}", self.number(0, 6)),
            6 => format!("{}:", self.session()),
            _ => {
                let way = self.one_of(&["+", "-", "!", "^", "$", "+2", "{next}", "{last}"]);
                format!("{}:{way}", self.session())
            }
        }
    }

    /// A place for a window. Beside `+` and its like, which `-a` and `-b` take for the current window in tmux, is not tried.
    fn place(&mut self) -> String {
        format!("{}:{}", self.session(), self.number(0, 4))
    }

    fn pane(&mut self) -> String {
        match self.roll(8) {
            0..=3 => format!("%{}", self.number(0, 12)),
            4..=6 => format!("{}.{}", self.window(), self.number(0, 3)),
            _ => {
                let ways = [
                    "+",
                    "-",
                    "!",
                    "{top}",
                    "{left}",
                    "{bottom-right}",
                    "{top-right}",
                    "{bottom}",
                ];
                let way = self.one_of(&ways);
                format!("{}.{way}", self.window())
            }
        }
    }

    fn size(&mut self) -> String {
        match self.roll(4) {
            0 => format!("-l {} ", self.number(1, 40)),
            1 => format!("-l {}% ", self.number(1, 99)),
            _ => String::new(),
        }
    }

    fn command(&mut self) -> String {
        let (pane, window, other) = (self.pane(), self.window(), self.pane());
        match self.roll(26) {
            0..=5 => {
                let (way, flags, size) = (
                    self.one_of(&["-h", "-v"]),
                    self.some_of(&["-b", "-f", "-d"]),
                    self.size(),
                );
                format!("split-window {way} {flags}{size}-t {pane} cat")
            }
            6..=9 => {
                let way = self.one_of(&["-L", "-R", "-U", "-D"]);
                format!("resize-pane {way} -t {pane} {}", self.number(1, 12))
            }
            10 => format!("resize-pane -x {} -t {pane}", self.number(1, 70)),
            11 => format!("resize-pane -y {}% -t {pane}", self.number(1, 100)),
            12 => format!("resize-pane -Z -t {pane}"),
            13 | 14 => {
                let layouts = [
                    "even-horizontal",
                    "even-vertical",
                    "main-horizontal",
                    "main-vertical",
                    "tiled",
                ];
                format!("select-layout -t {window} {}", self.one_of(&layouts))
            }
            15 => format!(
                "select-layout {} -t {pane}",
                self.one_of(&["-E", "-n", "-p", "-o"])
            ),
            16 => format!(
                "swap-pane {}-s {pane} -t {other}",
                self.some_of(&["-d", "-Z"])
            ),
            17 => format!("swap-pane {} -t {pane}", self.one_of(&["-U", "-D"])),
            18 => format!("rotate-window {} -t {window}", self.one_of(&["-U", "-D"])),
            19 => {
                let (flags, to) = (self.some_of(&["-d", "-a", "-b"]), self.place());
                format!("break-pane {flags}-s {pane} -t {to}")
            }
            20 => {
                let (flags, size) = (self.some_of(&["-h", "-b", "-f", "-d"]), self.size());
                format!("join-pane {flags}{size}-s {pane} -t {other}")
            }
            21 => {
                let (flags, to) = (self.some_of(&["-a", "-b", "-d", "-k"]), self.place());
                let command = self.one_of(&["move-window", "link-window"]);
                format!("{command} {flags}-s {window} -t {to}")
            }
            22 => format!(
                "new-window {}-t {} cat",
                self.some_of(&["-a", "-b", "-d"]),
                self.place()
            ),
            23 => {
                let way = self.one_of(&["", " -L", " -R", " -U", " -D", " -l"]);
                format!("select-pane -t {pane}{way}")
            }
            24 => match self.roll(3) {
                0 => format!("select-window -t {window}"),
                1 => format!("swap-window -s {window} -t {}", self.window()),
                _ => format!("kill-pane -t {pane}"),
            },
            _ => format!(
                "resize-window -t {window} -x {} -y {}",
                self.number(10, 120),
                self.number(5, 50)
            ),
        }
    }
}

/// All there is to see of sessions, windows and panes, by one command line.
const STATE: &[&str] = &[
    "list-sessions",
    "-F",
    "#{session_name} #{session_id} #{session_windows} #{session_stack} #{session_marked}",
    ";",
    "list-windows",
    "-aF",
    "#{session_name}:#{window_index} #{window_id} #{window_raw_flags} #{window_layout} #{window_visible_layout} #{window_panes} #{window_linked}",
    ";",
    "list-panes",
    "-aF",
    "#{window_id}.#{pane_index} #{pane_id} #{pane_width}x#{pane_height}+#{pane_left}+#{pane_top} #{pane_active}#{pane_last}#{pane_marked} #{pane_at_top}#{pane_at_bottom}#{pane_at_left}#{pane_at_right}",
];

fn play(rig: &Rig, seed: u64) {
    let mut dice = Dice(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
    let (cols, rows) = (dice.number(40, 160), dice.number(15, 60));
    for args in [
        &["new", "-d", "-s", "one", "-x", &cols, "-y", &rows, "cat"][..],
        &["set", "-g", "automatic-rename", "off"],
        &["new", "-d", "-s", "two", "-x", "80", "-y", "24", "cat"],
    ] {
        same(rig, args);
    }
    let mut played = Vec::new();
    for _ in 0..STEPS {
        let line = dice.command();
        let words: Vec<&str> = line.split(' ').collect();
        played.push(line.clone());
        same(rig, &words);
        let (ours, theirs) = (rig.run(STATE), tmux(rig, STATE));
        assert_eq!(
            ours,
            theirs,
            "sequence {seed}: shellkeep left, tmux right, after\n{}",
            played.join("\n")
        );
        // Both have ended with their last session.
        if theirs.status != 0 {
            return;
        }
    }
    tmux(rig, &["kill-server"]).ok();
}

#[test]
fn random_sequences_come_to_what_they_come_to_in_tmux() {
    if !is_installed("tmux") {
        return;
    }
    let runs = std::env::var("RANDOM_TMUX_RUNS").ok();
    let runs = runs.and_then(|runs| runs.parse().ok()).unwrap_or(3);
    for seed in 1..=runs {
        play(&rig(), seed);
    }
}
