//! tmux, as it was recorded; or itself, while it is recorded.

use std::cell::RefCell;
use std::io::Write as _;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;

use shellkeep_testkit::real;

use super::Answer;

/// What stands behind these is another on each machine.
const OF_THE_MACHINE: &[&str] = &[
    "host=",
    "host_short=",
    "pane_pid=",
    "pane_title=",
    "pid=",
    "socket_path=",
    "uid=",
    "user=",
];

/// Answers as tmux does.
pub(crate) struct Tmux {
    path: PathBuf,
    source: RefCell<Source>,
}

enum Source {
    /// What is still to be asked, in order.
    Recorded(Vec<(String, Answer)>),
    /// tmux itself, the terminal it is attached to, and what it has answered so far.
    Itself(Box<real::Rig>, Option<real::Terminal>, String),
}

impl Tmux {
    pub(super) fn of(name: &str) -> Self {
        let dir = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it/as_in_tmux/recorded");
        let path = PathBuf::from(dir).join(name).with_extension("txt");
        let source = if std::env::var_os("RECORD_TMUX").is_some() {
            Source::Itself(Box::new(real::Rig::new("/bin/true")), None, String::new())
        } else {
            let text = std::fs::read_to_string(&path).unwrap_or_default();
            let text = format!("\n{text}");
            let mut entries: Vec<_> = text.split("\n$ ").skip(1).map(entry).collect();
            entries.reverse();
            Source::Recorded(entries)
        };
        let source = RefCell::new(source);
        Self { path, source }
    }

    /// Runs a command.
    pub(crate) fn run(&self, args: &[&str]) -> Answer {
        self.run_with(args, &[])
    }

    /// Runs a command with more variables.
    pub(crate) fn run_with(&self, args: &[&str], variables: &[(&str, &str)]) -> Answer {
        let mut question = format!("{args:?}");
        for (name, value) in variables {
            question.push_str(&format!(" {name}={value}"));
        }
        self.answer(question, |rig| run(rig, args, variables))
    }

    /// Waits until the answer to a command is as wanted; if it never is, it is what it is in the end.
    pub(crate) fn run_until(&self, args: &[&str], is_wanted: impl Fn(&Answer) -> bool) -> Answer {
        self.answer(format!("{args:?}"), |rig| {
            let waited = catch_unwind(AssertUnwindSafe(|| {
                rig.wait_for("tmux", || {
                    Some(run(rig, args, &[])).filter(|answer| is_wanted(answer))
                })
            }));
            waited.unwrap_or_else(|_| run(rig, args, &[]))
        })
    }

    /// The program in a pane prints this, and tmux shows it.
    pub(crate) fn says(&self, pane: u32, text: &str, shown: &str) {
        let Source::Itself(rig, ..) = &*self.source.borrow() else {
            return;
        };
        let pane = format!("%{pane}");
        let tty = run(rig, &["display", "-p", "-t", &pane, "#{pane_tty}"], &[]).stdout;
        let tty = std::fs::OpenOptions::new().append(true).open(tty.trim());
        tty.unwrap().write_all(text.as_bytes()).unwrap();
        rig.wait_until("tmux to show it", || {
            let capture = ["capture-pane", "-p", "-S", "-", "-t", &pane];
            run(rig, &capture, &[]).stdout.contains(shown)
        });
    }

    /// Opens a session on a terminal, with this configuration and nothing else. It is as early there as the clock of the virtual rig says.
    pub(super) fn attach(&self, config: &str, session: &[&str], size: (u16, u16)) {
        let Source::Itself(rig, terminal, _) = &mut *self.source.borrow_mut() else {
            return;
        };
        let config = rig.write("home/tmux.conf", config);
        let argv = [&["tmux", "-f", config.to_str().unwrap()][..], session].concat();
        let run = rig.path("run");
        let zone = zone_of_the_virtual_clock();
        let env = [("TMUX_TMPDIR", run.to_str().unwrap()), ("TZ", &zone)];
        *terminal = Some(rig.start(&argv, &env, size));
    }

    /// Sends bytes to the terminal.
    pub(super) fn sends(&self, bytes: &[u8]) {
        if let Source::Itself(_, Some(terminal), _) = &*self.source.borrow() {
            terminal.send(bytes);
        }
    }

    /// Presses keys.
    pub(super) fn keys(&self, names: &str) {
        if let Source::Itself(_, Some(terminal), _) = &*self.source.borrow() {
            terminal.keys(names);
        }
    }

    /// What its terminal shows when it is settled, or what it shows then that is not `expected`.
    pub(super) fn screen(
        &self,
        what: &str,
        expected: &str,
        is_settled: impl Fn(&real::Screen<'_>) -> bool,
        look: impl Fn(&real::Screen<'_>) -> String,
    ) -> String {
        match &mut *self.source.borrow_mut() {
            Source::Itself(_, Some(terminal), record) => {
                let is_there =
                    |screen: &real::Screen<'_>| is_settled(screen) && look(screen) == expected;
                let waited = catch_unwind(AssertUnwindSafe(|| {
                    terminal.wait_until(what, is_there);
                }));
                if waited.is_err() {
                    return terminal.screen(look);
                }
                let answer = Answer {
                    stdout: expected.to_owned(),
                    stderr: String::new(),
                    status: 0,
                };
                record.push_str(&recorded(&format!("screen: {what}"), &answer));
                return answer.stdout;
            }
            Source::Itself(..) => panic!("no terminal"),
            Source::Recorded(_) => {}
        }
        self.answer(format!("screen: {what}"), |_| {
            unreachable!("recorded above")
        })
        .stdout
    }

    fn answer(&self, question: String, ask: impl FnOnce(&real::Rig) -> Answer) -> Answer {
        match &mut *self.source.borrow_mut() {
            Source::Recorded(entries) => match entries.pop() {
                Some((asked, answer)) if asked == question => answer,
                other => panic!(
                    "{}: tmux was asked {other:?}, not {question}; see the head of this folder's mod.rs",
                    self.path.display()
                ),
            },
            Source::Itself(rig, _, record) => {
                let answer = ask(rig);
                record.push_str(&recorded(&question, &answer));
                answer
            }
        }
    }
}

impl Drop for Tmux {
    fn drop(&mut self) {
        match self.source.get_mut() {
            Source::Itself(rig, _, record) => {
                let _ = run(rig, &["kill-server"], &[]);
                let written = std::fs::write(&self.path, record);
                assert!(written.is_ok() || std::thread::panicking(), "{written:?}");
            }
            Source::Recorded(rest) if !std::thread::panicking() => {
                assert!(rest.is_empty(), "never asked: {rest:?}");
            }
            Source::Recorded(_) => {}
        }
    }
}

/// A time zone in which it is 01:46 now, as it is for the server in the virtual rig in UTC.
fn zone_of_the_virtual_clock() -> String {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    let minutes = now.unwrap().as_secs() / 60 % (24 * 60);
    let behind = (minutes + 24 * 60 - (60 + 46)) % (24 * 60);
    format!("VIRTUAL{:02}:{:02}", behind / 60, behind % 60)
}

fn run(rig: &real::Rig, args: &[&str], variables: &[(&str, &str)]) -> Answer {
    let mut command = rig.other_command("tmux");
    command.args(["-f", "/dev/null"]).args(args);
    command.env("TMUX_TMPDIR", rig.path("run")).current_dir("/");
    command.envs(variables.iter().copied());
    let output = rig.finish(command);
    // What `display-message -a` says of the machine belongs into no file.
    let is_kept = |line: &&str| !OF_THE_MACHINE.iter().any(|name| line.starts_with(name));
    let stdout = output.stdout.split_inclusive('\n').filter(is_kept);
    Answer {
        stdout: stdout.collect(),
        stderr: output.stderr,
        status: output.status,
    }
}

/// A question and its answer, as they stand in a file: lines of output behind `>`, of errors behind `!`, and a `.` behind that where the
/// line does not end.
fn recorded(question: &str, answer: &Answer) -> String {
    let mut text = format!("$ {question}\n");
    if answer.status != 0 {
        text.push_str(&format!("status {}\n", answer.status));
    }
    for (mark, said) in [('>', &answer.stdout), ('!', &answer.stderr)] {
        for line in said.split_inclusive('\n') {
            let (line, end) = match line.strip_suffix('\n') {
                Some(line) => (line, ""),
                None => (line, "."),
            };
            text.push_str(&format!("{mark}{end} {}\n", escaped(line)));
        }
    }
    text
}

/// A line without what editors and `git diff` would not show as it is.
fn escaped(line: &str) -> String {
    let last = line.len().saturating_sub(1);
    let chars = line.char_indices().map(|(at, c)| match c {
        '\\' => "\\\\".to_owned(),
        ' ' if at == last => c.escape_unicode().to_string(),
        c if c.is_control() => c.escape_unicode().to_string(),
        c => c.to_string(),
    });
    chars.collect()
}

fn entry(text: &str) -> (String, Answer) {
    let mut lines = text.lines();
    let question = lines.next().unwrap_or_default().to_owned();
    let mut answer = Answer {
        stdout: String::new(),
        stderr: String::new(),
        status: 0,
    };
    for line in lines {
        let (mark, rest) = line.split_once(' ').unwrap_or((line, ""));
        let end = if mark.ends_with('.') { "" } else { "\n" };
        match mark {
            "status" => answer.status = rest.parse().unwrap(),
            ">" | ">." => answer.stdout.push_str(&(unescaped(rest) + end)),
            _ => answer.stderr.push_str(&(unescaped(rest) + end)),
        }
    }
    (question, answer)
}

fn unescaped(line: &str) -> String {
    let mut text = String::new();
    let mut rest = line;
    while let Some((plain, code)) = rest.split_once('\\') {
        text.push_str(plain);
        rest = match code
            .strip_prefix("u{")
            .and_then(|code| code.split_once('}'))
        {
            Some((code, rest)) => {
                let code = u32::from_str_radix(code, 16).unwrap();
                text.push(char::from_u32(code).unwrap());
                rest
            }
            None => {
                text.push('\\');
                &code[1..]
            }
        };
    }
    text + rest
}
