//! Full-screen programs and shells look the same in a session as on a terminal of their own.

use shellkeep_testkit::real::{Rig, Screen, Terminal};

use crate::hibernate::SHELLS;
use crate::{is_installed, rig, side_by_side};

/// The same program twice: on a bare terminal, and in a session.
pub(crate) struct Pair {
    pub(crate) bare: Terminal,
    pub(crate) ours: Terminal,
}

impl Pair {
    fn start(rig: &Rig, argv: &[&str], env: &[(&str, &str)]) -> Self {
        let program = env!("CARGO_BIN_EXE_shellkeep");
        let inside = [&[program, "new", "--"], argv].concat();
        let ours = rig.start(&inside, env, (24, 80));
        Self::beside(rig, ours, (argv, env), || (24, 80))
    }

    /// Starts a program on a bare terminal that runs in one of ours.
    pub(crate) fn beside(
        rig: &Rig,
        ours: Terminal,
        (argv, env): (&[&str], &[(&str, &str)]),
        size: impl FnOnce() -> (u16, u16),
    ) -> Self {
        let words: Vec<String> = argv.iter().map(|&word| word.to_owned()).collect();
        // The session's TERM for both: only the multiplexer between differs.
        let pane = rig.wait_for("the program", || {
            let mut processes = rig.processes().into_iter();
            processes.find(|process| process.argv() == words)
        });
        let term = pane.env("TERM").expect("a pane has a TERM");
        let env = [env, &[("TERM", &term)]].concat();
        let bare = rig.start(argv, &env, size());
        Self { bare, ours }
    }

    pub(crate) fn keys(&self, names: &str) {
        self.bare.keys(names);
        self.ours.keys(names);
    }

    pub(crate) fn enter(&self, line: &str) {
        self.bare.enter(line);
        self.ours.enter(line);
    }

    fn resize(&self, rows: u16, cols: u16) {
        self.bare.resize(rows, cols);
        self.ours.resize(rows, cols);
    }

    /// Waits until the bare program shows what it should, and then for ours to show the same.
    fn compare(&self, what: &str, is_settled: impl FnMut(&Screen<'_>) -> bool) {
        self.compare_by(what, is_settled, |ours, bare| (ours.look(), bare.look()));
    }

    /// The same, by how they look to this.
    pub(crate) fn compare_by(
        &self,
        what: &str,
        mut is_settled: impl FnMut(&Screen<'_>) -> bool,
        look: impl Fn(&Screen<'_>, &Screen<'_>) -> (String, String),
    ) {
        self.bare.wait_until(what, |screen| is_settled(screen));
        let last = std::cell::RefCell::new((String::new(), String::new()));
        let outcome = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            self.ours
                .wait_until("the same as on a bare terminal", |ours| {
                    let looks = self.bare.screen(|bare| look(ours, bare));
                    let is_same = looks.0 == looks.1;
                    *last.borrow_mut() = looks;
                    is_same
                });
        }));
        if outcome.is_err() {
            let (ours, bare) = last.into_inner();
            panic!("{what}: in a pane\n{ours}\non a bare terminal\n{bare}");
        }
    }
}

/// A text with letters of every width.
pub(crate) fn text(rig: &Rig) -> String {
    let lines = (1..=100).map(|number| format!("{number:3} plain, naïve, 日本語 and a tail\n"));
    let path = rig.write("home/text", &lines.collect::<String>());
    path.to_str().unwrap().to_owned()
}

/// vim without anything of the user's, with this setting.
pub(crate) fn vim<'a>(setting: &'a str, file: &'a str) -> [&'a str; 10] {
    [
        "vim", "-u", "NONE", "-i", "NONE", "-n", "-N", "--cmd", setting, file,
    ]
}

fn vim_looks_the_same() {
    if !is_installed("vim") {
        return;
    }
    let rig = rig();
    let file = text(&rig);
    let argv = vim("set ruler showcmd", &file);
    let pair = Pair::start(&rig, &argv, &[]);
    pair.compare("the file", |screen| {
        screen.has("1,3") && screen.has(" 23 plain")
    });
    pair.keys("G o i n s e r t e d Escape");
    pair.compare("a new line", |screen| {
        screen.has("inserted") && screen.has("101,8")
    });
    pair.keys("g g d d p 1 0 j V j j");
    pair.compare("a selection", |screen| screen.has("VISUAL LINE"));
    pair.keys("Escape");
    pair.resize(30, 100);
    pair.compare("a larger screen", |screen| {
        screen.has("14,") && screen.row(28).contains("29 plain")
    });
    pair.resize(12, 40);
    pair.compare("a smaller screen", |screen| screen.has("14,"));
    pair.enter(":syntax on | set number hlsearch");
    pair.enter("/naïve");
    pair.compare("numbers and matches", |screen| {
        screen.has("/naïve") && screen.row(0).contains("plain")
    });
    // Both would ask about the other's swap file or change: neither writes one.
    let mut ours = pair.ours;
    ours.enter(":q!");
    assert_eq!(ours.wait_exit(), 0);
    ours.assert_given_back();
}

fn less_looks_the_same() {
    if !is_installed("less") {
        return;
    }
    let rig = rig();
    let file = text(&rig);
    let pair = Pair::start(
        &rig,
        &["less", &file],
        &[("LESSHISTFILE", "-"), ("LESSCHARSET", "utf-8")],
    );
    pair.compare("the first page", |screen| {
        screen.row(22).contains(" 23 plain") && screen.has("text")
    });
    pair.keys("Space");
    pair.compare("the second page", |screen| {
        screen.row(22).contains(" 46 plain")
    });
    pair.enter("/ 77");
    pair.compare("a match", |screen| screen.row(0).contains(" 77 plain"));
    pair.keys("g");
    pair.compare("the top", |screen| screen.row(0).contains("  1 plain"));
    pair.resize(30, 100);
    pair.compare("a larger screen", |screen| {
        screen.row(28).contains(" 29 plain")
    });
    pair.resize(10, 30);
    pair.compare("a smaller screen", |screen| {
        screen.row(1).starts_with(" a tail") || screen.row(8).contains("plain")
    });
}

/// Checks htop with one meter and no times: nothing that changes by itself.
pub(crate) fn with_htop(check: impl FnOnce(&Rig, &[&str], &[(&str, &str)])) {
    if !is_installed("htop") {
        return;
    }
    let rig = rig();
    let settings = "htop_version=3.2.2\nconfig_reader_min_version=3\nfields=0 1\nheader_layout=one_100\ncolumn_meters_0=Hostname\ncolumn_meter_modes_0=2\ndelay=100\nshow_program_path=0\n";
    let settings = rig.write("home/htoprc", settings);
    let mut sleeper = rig.other_command("sleep").arg("1001").spawn().unwrap();
    let pid = sleeper.id().to_string();
    let env = [("HTOPRC", settings.to_str().unwrap())];
    check(&rig, &["htop", "-d", "100", "-p", &pid], &env);
    sleeper.kill().unwrap();
    sleeper.wait().unwrap();
}

fn htop_looks_the_same() {
    with_htop(|rig, argv, env| {
        let pair = Pair::start(rig, argv, env);
        let is_whole = |screen: &Screen<'_>| screen.has("sleep") && screen.has("F10");
        pair.compare("the list", is_whole);
        pair.keys("F1");
        pair.compare("the help", |screen| screen.row(0).contains("(C) 2004"));
        pair.keys("q");
        pair.compare("the list again", is_whole);
        pair.resize(30, 100);
        pair.compare("a larger screen", |screen| {
            is_whole(screen) && screen.row(29).contains("F10")
        });
        pair.resize(12, 50);
        pair.compare("a smaller screen", |screen| screen.row(11).contains("F1"));
    });
}

/// A shell's day: a prompt, output, colours, editing, a screen cleared, another size.
fn check_shell(rig: &Rig, argv: &[&str], env: &[(&str, &str)], prompt: &str) {
    let pair = Pair::start(rig, argv, env);
    let ends_with_prompt = |screen: &Screen<'_>| {
        screen
            .text()
            .lines()
            .last()
            .is_some_and(|line| line.trim_end().ends_with(prompt))
    };
    pair.compare("a prompt", ends_with_prompt);
    pair.enter(r"printf 'naïve \033[1;32mgreen\033[0m 日本語\n'");
    pair.compare("output", |screen| {
        screen.has("naïve green 日本語") && ends_with_prompt(screen)
    });
    pair.enter("seq 1 40");
    pair.compare("scrolled output", |screen| {
        screen.row(22) == "40" && ends_with_prompt(screen)
    });
    pair.keys("e c h o Space x y z Left Left BSpace C-a C-e");
    pair.compare("an edited line", |screen| screen.has("echo yz"));
    pair.keys("C-c");
    pair.compare("a fresh line", ends_with_prompt);
    pair.resize(30, 100);
    pair.enter("clear; stty size");
    pair.compare("a larger screen", |screen| {
        screen.has("30 100") && ends_with_prompt(screen)
    });
    pair.resize(10, 40);
    pair.enter("clear; stty size");
    pair.compare("a smaller screen", |screen| {
        screen.has("10 40") && ends_with_prompt(screen)
    });
}

/// What is checked of a shell: given its words, its variables and its prompt.
type ShellCheck = fn(&Rig, &[&str], &[(&str, &str)], &str);

/// Checks a shell of this name, if it is installed.
pub(crate) fn with_shell(name: &str, check: ShellCheck) {
    if !is_installed(name) {
        return;
    }
    let rig = rig();
    let config = "set -g fish_greeting hello\nfunction fish_prompt; echo -n 'fish> '; end\n";
    rig.write("config/fish/config.fish", config);
    match name {
        "bash" => {
            let env = [("PS1", "bash> "), ("HISTFILE", "")];
            check(
                &rig,
                &["bash", "--norc", "--noprofile", "-i"],
                &env,
                "bash>",
            );
        }
        "zsh" => check(&rig, &["zsh", "-f", "-i"], &[("PS1", "zsh> ")], "zsh>"),
        _ => check(&rig, &["fish", "--private"], &[], "fish>"),
    }
}

#[test]
fn programs_in_a_session_look_as_on_a_bare_terminal() {
    let rows = [
        ("vim", vim_looks_the_same as fn()),
        ("less", less_looks_the_same),
        ("htop", htop_looks_the_same),
    ];
    side_by_side(&rows, |_, check| check());
}

#[test]
fn shells_in_a_session_look_as_on_a_bare_terminal() {
    let rows = SHELLS.map(|shell| (shell, ()));
    side_by_side(&rows, |shell, ()| with_shell(shell, check_shell));
}
