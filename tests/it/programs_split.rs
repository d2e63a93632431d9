//! Programs in one of four panes look as on a terminal of their own of that size, through many changes of size.

use shellkeep_testkit::real::{Rig, Screen};

use crate::hibernate::SHELLS;
use crate::programs::{Pair, text, vim, with_htop, with_shell};
use crate::{is_installed, rig, side_by_side};

/// Where a pane is on its client's terminal: row, column, rows, columns.
type Place = (u16, u16, u16, u16);

/// The same numbers every time, so that a failure can be seen again.
pub(crate) struct Dice(pub(crate) u64);

impl Dice {
    pub(crate) fn between(&mut self, least: u16, most: u16) -> u16 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        let sides = u64::from(most - least) + 1;
        least + u16::try_from((self.0 >> 33) % sides).unwrap()
    }

    /// Rows and columns of a terminal: low and high, narrow and wide.
    fn size(&mut self) -> (u16, u16) {
        (self.between(12, 50), self.between(40, 180))
    }
}

/// A program on a bare terminal, and in the last of four panes.
struct Quarter<'a> {
    rig: &'a Rig,
    pair: Pair,
}

impl<'a> Quarter<'a> {
    fn start(rig: &'a Rig, argv: &[&str], env: &[(&str, &str)]) -> Self {
        let program = env!("CARGO_BIN_EXE_shellkeep");
        rig.write(
            "config/shellkeep/shellkeep.conf",
            "set -g status-right ''\nset -g escape-time 0\n",
        );
        let ours = rig.start(&[program, "new", "-s", "work", "cat"], env, (24, 80));
        ours.wait_until("a status line", |screen| screen.has("[work]"));
        rig.ok(&["split-window", "-h", "-t", "work", "cat"]);
        rig.ok(&["split-window", "-v", "-t", "work:.0", "cat"]);
        let split = ["split-window", "-v", "-t", "work:.2", "--"];
        rig.ok(&[&split[..], argv].concat());
        let size = || {
            let (_, _, rows, cols) = place(rig);
            (rows, cols)
        };
        let pair = Pair::beside(rig, ours, (argv, env), size);
        Self { rig, pair }
    }

    fn keys(&self, names: &str) -> &Self {
        self.pair.keys(names);
        self
    }

    fn enter(&self, line: &str) -> &Self {
        self.pair.enter(line);
        self
    }

    /// Makes our terminal another size, and the bare one as large as the pane then is.
    fn resize(&self, (rows, cols): (u16, u16)) -> &Self {
        self.pair.ours.resize(rows, cols);
        let wanted = format!("{cols}x{}\n", rows - 1);
        self.rig.wait_until("the window's new size", || {
            let format = "#{window_width}x#{window_height}";
            self.rig
                .ok(&["display-message", "-p", "-t", "work", format])
                == wanted
        });
        let (_, _, rows, cols) = place(self.rig);
        self.pair.bare.resize(rows, cols);
        self
    }

    /// Waits until the bare program shows what it should, and then for ours to show the same where its pane is.
    fn compare(&self, what: &str, is_settled: impl FnMut(&Screen<'_>) -> bool) {
        let place = place(self.rig);
        let whole = (0, 0, place.2, place.3);
        let what = format!("{what}, {place:?}");
        self.pair.compare_by(&what, is_settled, |ours, bare| {
            (look(ours, place), look(bare, whole))
        });
    }

    /// A dozen sizes, each compared; then fifty in one go, after which `again` has the program paint itself.
    fn storm(&self, seed: u64, again: &str, mut is_settled: impl FnMut(&Screen<'_>) -> bool) {
        let mut dice = Dice(seed);
        for number in 0..12 {
            let size = dice.size();
            self.resize(size)
                .compare(&format!("size {number}, {size:?}"), &mut is_settled);
        }
        for _ in 0..49 {
            let (rows, cols) = dice.size();
            self.pair.ours.resize(rows, cols);
        }
        self.resize((30, 100)).keys(again);
        self.compare("after fifty sizes", &mut is_settled);
    }
}

/// Where the program's pane is.
fn place(rig: &Rig) -> Place {
    let format = "#{pane_top} #{pane_left} #{pane_height} #{pane_width}";
    let told = rig.ok(&["display-message", "-p", "-t", "work:.3", format]);
    let numbers: Vec<u16> = told.split_whitespace().flat_map(str::parse).collect();
    let [row, col, rows, cols] = numbers[..] else {
        panic!("{told}");
    };
    (row, col, rows, cols)
}

/// What is to be seen there: text, how it looks, and the cursor.
fn look(screen: &Screen<'_>, (top, left, rows, cols): Place) -> String {
    let mut seen = String::new();
    // The very last cell is written in insert mode by some, which the bare terminal's emulator does not know.
    let last = (top + rows - 1, left + cols - 1);
    for row in top..top + rows {
        let cols = (left..left + cols).filter(|col| (row, *col) != last);
        let cells = cols.filter_map(|col| screen.cell(row, col));
        let line: String = cells
            .filter(|cell| !cell.is_wide_continuation())
            .map(|cell| match cell.contents() {
                "" => " ".to_owned(),
                contents => contents.to_owned(),
            })
            .collect();
        seen.push_str(line.trim_end());
        seen.push('\n');
    }
    for row in top..top + rows {
        let looks = (left..left + cols).filter(|col| (row, *col) != last);
        let looks =
            looks.filter_map(|col| Some(format!("{}{}", col - left, screen.style(row, col)?)));
        let looks: Vec<String> = looks.collect();
        if !looks.is_empty() {
            seen.push_str(&format!("row {}: {}\n", row - top, looks.join(" ")));
        }
    }
    if !screen.hide_cursor() {
        let (row, col) = screen.cursor_position();
        let at = (
            i32::from(row) - i32::from(top),
            i32::from(col) - i32::from(left),
        );
        seen.push_str(&format!("cursor {at:?}\n"));
    }
    seen
}

fn vim_looks_the_same() {
    if !is_installed("vim") {
        return;
    }
    let rig = rig();
    let file = text(&rig);
    let argv = vim("set ruler", &file);
    let quarter = Quarter::start(&rig, &argv, &[]);
    quarter.compare("the file", |screen| screen.has("1,3"));
    quarter.keys("5 0 G z t");
    quarter.compare("line 50", |screen| screen.has("50,"));
    quarter
        .enter(":syntax on | set number hlsearch")
        .enter("/日本");
    quarter.compare("a match", |screen| screen.has("51,") || screen.has("50,"));
    // What is in sight depends on the sizes that vim came to see, of fifty in one go: so it is told where to be.
    quarter.storm(1, "5 0 G z t C-l", |screen| screen.has("plain"));
}

fn less_looks_the_same() {
    if !is_installed("less") {
        return;
    }
    let rig = rig();
    let file = text(&rig);
    let env = [("LESSHISTFILE", "-"), ("LESSCHARSET", "utf-8")];
    let quarter = Quarter::start(&rig, &["less", &file], &env);
    quarter.compare("the first page", |screen| screen.has("  1 plain"));
    quarter.keys("Space j j k b g");
    quarter.compare("the top", |screen| screen.row(0).contains("  1 plain"));
    quarter.storm(2, "g r", |screen| screen.row(0).contains("  1 plain"));
}

fn man_looks_the_same() {
    if !is_installed("man") || !is_installed("less") {
        return;
    }
    let rig = rig();
    let words = "Some words that are long enough to be folded, whatever the width. ".repeat(20);
    let page = rig.write(
        "home/page.1",
        &format!(".TH PAGE 1\n.SH NAME\npage \\- a \\fBbold\\fR and \\fIunderlined\\fR page\n.SH TEXT\n{words}\n"),
    );
    let env = [
        ("LESSHISTFILE", "-"),
        ("LESSCHARSET", "utf-8"),
        ("PAGER", "less"),
    ];
    let quarter = Quarter::start(&rig, &["man", "-l", page.to_str().unwrap()], &env);
    quarter.compare("the page", |screen| screen.has("PAGE(1)"));
    quarter.keys("Space j k g");
    quarter.compare("the top", |screen| screen.row(0).contains("PAGE(1)"));
    quarter.storm(7, "g r", |screen| screen.row(0).contains("PAGE(1)"));
}

fn git_log_looks_the_same() {
    if !is_installed("git") || !is_installed("less") {
        return;
    }
    let rig = rig();
    let repository = rig.path("home/repository");
    let repository = repository.to_str().unwrap();
    let git = |args: &[&str]| {
        let mut command = rig.other_command("git");
        command.args(["-C", repository]).args(args);
        for who in ["AUTHOR", "COMMITTER"] {
            command.env(format!("GIT_{who}_NAME"), "Ann");
            command.env(format!("GIT_{who}_EMAIL"), "ann@example.org");
            command.env(format!("GIT_{who}_DATE"), "2020-01-01T00:00:00Z");
        }
        rig.finish(command).ok();
    };
    std::fs::create_dir_all(repository).unwrap();
    git(&["init", "-q"]);
    for number in 0..12 {
        let message = format!("change number {number}, with 日本語 and a rather long line of text");
        git(&["commit", "-q", "--allow-empty", "-m", &message]);
    }
    let env = [
        ("LESS", "-R"),
        ("LESSHISTFILE", "-"),
        ("LESSCHARSET", "utf-8"),
    ];
    let argv = ["git", "-C", repository, "log", "--graph", "--color=always"];
    let quarter = Quarter::start(&rig, &argv, &env);
    quarter.compare("the newest", |screen| screen.has("commit"));
    quarter.keys("Space j k g");
    quarter.compare("the newest again", |screen| {
        screen.row(0).contains("commit")
    });
    quarter.storm(3, "g r", |screen| screen.row(0).contains("commit"));
}

fn htop_looks_the_same() {
    with_htop(|rig, argv, env| {
        let quarter = Quarter::start(rig, argv, env);
        quarter.compare("the list", |screen| screen.has("PID"));
        quarter.storm(4, "C-l", |screen| screen.has("PID"));
    });
}

fn mc_looks_the_same() {
    if !is_installed("mc") {
        return;
    }
    let rig = rig();
    // Nothing that is told by chance: no hints, no free space.
    rig.write(
        "config/mc/ini",
        "[Midnight-Commander]\nfree_space=false\n[Layout]\nmessage_visible=0\nfree_space=0\n",
    );
    for name in ["first", "second", "third-with-a-rather-long-name", "日本語"] {
        rig.write(&format!("home/files/{name}"), "text\n");
    }
    let files = rig.path("home/files");
    let files = files.to_str().unwrap();
    let quarter = Quarter::start(&rig, &["mc", "-u", "-d", files, files], &[]);
    quarter.compare("the files", |screen| screen.has("second"));
    quarter.keys("Down Down Tab Down");
    quarter.compare("moved", |screen| screen.has("second"));
    quarter.storm(5, "C-l", |screen| screen.has("1H"));
}

/// A shell in a quarter: what it says after many sizes, and what it suggests.
fn check_shell(rig: &Rig, argv: &[&str], env: &[(&str, &str)], prompt: &str) {
    let quarter = Quarter::start(rig, argv, env);
    let ends_with_prompt = |screen: &Screen<'_>| {
        let text = screen.text();
        let last = text.lines().last().unwrap_or_default().to_owned();
        last.trim_end().ends_with(prompt)
    };
    quarter.compare("a prompt", ends_with_prompt);
    quarter.enter("seq 1 40");
    quarter.compare("scrolled output", |screen| {
        screen.has("40") && ends_with_prompt(screen)
    });
    quarter.keys("s e q Space 1");
    quarter.compare("an edited line", |screen| screen.has("seq 1"));
    quarter.keys("C-c");
    quarter.compare("a fresh line", ends_with_prompt);
    // A shell that hears late of a size draws its prompt anew over what its last command said. So it has to have heard of it, which
    // it has when it runs something and the size is right.
    let hears = |quarter: &Quarter<'_>| {
        let (_, _, rows, cols) = place(rig);
        quarter.enter("clear; stty size; echo rea''dy");
        for terminal in [&quarter.pair.bare, &quarter.pair.ours] {
            terminal.wait_until("the size", |screen| {
                screen.has(&format!("{rows} {cols}")) && screen.has("ready")
            });
        }
    };
    let mut dice = Dice(6);
    for number in 0..6 {
        let size = dice.size();
        hears(quarter.resize(size));
        // How lines are folded anew is the terminal's business: both begin with an empty one.
        quarter.enter("clear; stty size; seq 1 30");
        let (_, _, rows, cols) = place(rig);
        quarter.compare(&format!("size {number}, {rows} {cols}"), |screen| {
            screen.has("30") && ends_with_prompt(screen)
        });
    }
    for _ in 0..50 {
        let (rows, cols) = dice.size();
        quarter.pair.ours.resize(rows, cols);
    }
    hears(quarter.resize((30, 100)));
    quarter.enter("clear; stty size");
    let (_, _, rows, cols) = place(rig);
    quarter.compare("after fifty sizes", |screen| {
        screen.has(&format!("{rows} {cols}")) && ends_with_prompt(screen)
    });
}

#[test]
fn programs_in_a_quarter_look_as_on_a_bare_terminal() {
    let rows = [
        ("vim", vim_looks_the_same as fn()),
        ("less", less_looks_the_same),
        ("man", man_looks_the_same),
        ("git_log", git_log_looks_the_same),
        ("htop", htop_looks_the_same),
        ("mc", mc_looks_the_same),
    ];
    side_by_side(&rows, |_, check| check());
}

#[test]
fn shells_in_a_quarter_look_as_on_a_bare_terminal() {
    let rows = SHELLS.map(|shell| (shell, ()));
    side_by_side(&rows, |shell, ()| with_shell(shell, check_shell));
}
