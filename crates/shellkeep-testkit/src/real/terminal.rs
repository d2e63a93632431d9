//! A terminal with a screen and keys for a test.

use std::io::{Read, Write};
use std::num::NonZeroU16;
use std::ops::Deref;
use std::path::PathBuf;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use nix::sys::signal::Signal;
use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, SlavePty, native_pty_system};
use shellkeep_core::key::Key;
use shellkeep_term::Modes;
use shellkeep_term::key::encode_key;

use super::process::Process;
use super::rig::World;
use super::wait::DEADLINE;

/// A condition may depend on more than this screen, so it is checked at least this often.
const LOOK: Duration = Duration::from_millis(20);

/// A terminal in which a program runs.
pub struct Terminal {
    world: Arc<World>,
    shared: Arc<Shared>,
    master: Box<dyn MasterPty + Send>,
    /// Kept open so that the terminal's settings survive the program.
    slave: Option<Box<dyn SlavePty + Send>>,
    settings_before: String,
    process: Process,
    name: String,
}

struct Shared {
    state: Mutex<TerminalState>,
    changed: Condvar,
    writer: Mutex<Box<dyn Write + Send>>,
}

struct TerminalState {
    parser: vt100::Parser<Answers>,
    bytes: u64,
    status: Option<i32>,
    is_over: bool,
    is_hung_up: bool,
    is_held: bool,
}

/// What a terminal shows.
pub struct Screen<'a>(pub(crate) &'a vt100::Screen);

impl Screen<'_> {
    /// The text of a row without trailing blanks.
    #[must_use]
    pub fn row(&self, row: u16) -> String {
        let cols = self.0.size().1.get();
        let text = self.0.rows(0, cols).nth(usize::from(row));
        text.unwrap_or_default().trim_end().to_owned()
    }

    /// All rows without trailing blanks.
    #[must_use]
    pub fn rows(&self) -> Vec<String> {
        let cols = self.0.size().1.get();
        let rows = self.0.rows(0, cols);
        rows.map(|row| row.trim_end().to_owned()).collect()
    }

    /// The whole text without blank lines at the end.
    #[must_use]
    pub fn text(&self) -> String {
        self.rows().join("\n").trim_end().to_owned()
    }

    /// Whether some row contains this text.
    #[must_use]
    pub fn has(&self, text: &str) -> bool {
        self.rows().iter().any(|row| row.contains(text))
    }

    /// Everything visible: the text, its styles, and the cursor.
    #[must_use]
    pub fn look(&self) -> String {
        let mut text = self.rows().join("\n");
        text.push_str(&format!(
            "\ncursor {:?} hidden {}\n",
            self.cursor_position(),
            self.hide_cursor()
        ));
        let (rows, cols) = self.size();
        for row in 0..rows.get() {
            let styles = (0..cols.get()).filter_map(|col| Some((col, self.style(row, col)?)));
            let line: Vec<String> = styles.map(|(col, style)| format!("{col}{style}")).collect();
            if !line.is_empty() {
                text.push_str(&format!("row {row}: {}\n", line.join(" ")));
            }
        }
        text
    }

    /// A cell's style, if it is not the default.
    #[must_use]
    pub fn style(&self, row: u16, col: u16) -> Option<String> {
        let cell = self.cell(row, col)?;
        let mut style = String::new();
        // The style of letters is not visible on a blank.
        let is_blank = cell.contents().trim().is_empty();
        for (has, name) in [
            (cell.bold() && !is_blank, "b"),
            (cell.italic() && !is_blank, "i"),
            (cell.underline(), "u"),
            (cell.inverse(), "r"),
        ] {
            if has {
                style.push_str(name);
            }
        }
        if cell.fgcolor() != vt100::Color::Default && !is_blank {
            style.push_str(&format!("{:?}", cell.fgcolor()));
        }
        if cell.bgcolor() != vt100::Color::Default {
            style.push_str(&format!("/{:?}", cell.bgcolor()));
        }
        (!style.is_empty()).then_some(style)
    }
}

impl Deref for Screen<'_> {
    type Target = vt100::Screen;

    fn deref(&self) -> &vt100::Screen {
        self.0
    }
}

impl Terminal {
    pub(crate) fn start(
        world: Arc<World>,
        argv: &[&str],
        env: &[(&str, &str)],
        (rows, cols): (u16, u16),
    ) -> Self {
        let pair = native_pty_system()
            .openpty(pty_size(rows, cols))
            .expect("the system has terminals left");
        let mut command = CommandBuilder::from_argv(argv.iter().map(Into::into).collect());
        command.env_clear();
        for (name, value) in world.environment() {
            command.env(name, value);
        }
        for (name, value) in env {
            command.env(name, value);
        }
        command.cwd(world.home());
        let settings_before = settings(&*pair.master);
        let child = pair.slave.spawn_command(command);
        let child = child.unwrap_or_else(|error| panic!("cannot run {argv:?}: {error:#}"));
        let pid = child.process_id().and_then(|pid| i32::try_from(pid).ok());
        let process = pid.and_then(Process::find);
        let reader = pair
            .master
            .try_clone_reader()
            .expect("a master can be read");
        let writer = pair.master.take_writer().expect("a master can be written");
        let shared = Arc::new(Shared {
            state: Mutex::new(TerminalState {
                parser: parser(rows, cols),
                bytes: 0,
                status: None,
                is_over: false,
                is_hung_up: false,
                is_held: false,
            }),
            changed: Condvar::new(),
            writer: Mutex::new(writer),
        });
        watch_output(shared.clone(), reader);
        watch_end(shared.clone(), child);
        Self {
            world,
            shared,
            master: pair.master,
            slave: Some(pair.slave),
            settings_before,
            // A program that has ended before it was looked at counts as ended.
            process: process.unwrap_or_else(|| Process::gone(pid.unwrap_or(0))),
            name: argv.join(" "),
        }
    }

    /// The program's process.
    #[must_use]
    pub fn process(&self) -> Process {
        self.process
    }

    /// The path of the terminal's device.
    ///
    /// # Panics
    /// Never: a PTY has one.
    #[must_use]
    pub fn device(&self) -> PathBuf {
        self.master.tty_name().expect("a PTY has a name")
    }

    /// Presses keys, given by tmux's names, separated by blanks.
    ///
    /// # Panics
    /// When a name is invalid.
    pub fn keys(&self, names: &str) -> &Self {
        let modes = Modes {
            application_cursor: self.screen(|screen| screen.application_cursor()),
            ..Modes::default()
        };
        let mut bytes = Vec::new();
        for name in names.split_whitespace() {
            let key: Key = name
                .parse()
                .unwrap_or_else(|_| panic!("no key is called {name}"));
            encode_key(&key, &modes, &mut bytes);
        }
        self.send(&bytes)
    }

    pub fn type_text(&self, text: &str) -> &Self {
        self.send(text.as_bytes())
    }

    pub fn enter(&self, line: &str) -> &Self {
        self.send(format!("{line}\r").as_bytes())
    }

    /// Sends bytes as typed. Does nothing if the terminal is gone.
    pub fn send(&self, bytes: &[u8]) -> &Self {
        let mut writer = self
            .shared
            .writer
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let _ = writer.write_all(bytes).and_then(|()| writer.flush());
        self
    }

    /// Resizes the terminal.
    ///
    /// # Panics
    /// When the PTY refuses.
    pub fn resize(&self, rows: u16, cols: u16) -> &Self {
        let mut state = self.shared.lock();
        state
            .parser
            .set_size(at_least_one(rows), at_least_one(cols));
        drop(state);
        self.master
            .resize(pty_size(rows, cols))
            .expect("a PTY has a size");
        self
    }

    /// Stops reading the program's output, like a terminal that hangs. A little may still arrive.
    pub fn hold(&self) -> &Self {
        self.shared.lock().is_held = true;
        self
    }

    /// Reads again.
    pub fn release(&self) -> &Self {
        self.shared.lock().is_held = false;
        self.shared.changed.notify_all();
        self
    }

    /// Closes the terminal, like a closed window or a broken connection. The program must print something after a
    /// resize, and may read an end of file before it is notified.
    ///
    /// # Panics
    /// With a report, when the program prints nothing.
    pub fn hang_up(mut self) {
        self.shared.lock().is_hung_up = true;
        // The reading thread waits for output, and holds the terminal open meanwhile.
        let size = self.screen(|screen| screen.size());
        self.resize(size.0.get() - 1, size.1.get());
        self.wait("the reader's end", |state| state.is_over.then_some(()));
        let mut writer = self
            .shared
            .writer
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        *writer = Box::new(std::io::sink());
        drop(writer);
        self.slave = None;
        self.process = Process::gone(0);
    }

    /// Passes the screen to `look`.
    pub fn screen<T>(&self, look: impl FnOnce(&Screen<'_>) -> T) -> T {
        look(&Screen(self.shared.lock().parser.screen()))
    }

    #[must_use]
    pub fn text(&self) -> String {
        self.screen(|screen| screen.text())
    }

    /// The number of bytes received so far.
    #[must_use]
    pub fn bytes_seen(&self) -> u64 {
        self.shared.lock().bytes
    }

    /// Waits until the screen fulfils a condition.
    ///
    /// # Panics
    /// With a report, when it never does.
    #[track_caller]
    pub fn wait_until(&self, what: &str, mut condition: impl FnMut(&Screen<'_>) -> bool) -> &Self {
        self.wait(what, |state| {
            condition(&Screen(state.parser.screen())).then_some(())
        });
        self
    }

    /// Waits until some row contains this text.
    ///
    /// # Panics
    /// With a report, when none ever does.
    #[track_caller]
    pub fn wait_for_text(&self, text: &str) -> &Self {
        self.wait_until(&format!("the text {text:?}"), |screen| screen.has(text))
    }

    /// Waits for the shell's prompt as the last text on the screen.
    ///
    /// # Panics
    /// With a report, when it does not appear.
    #[track_caller]
    pub fn wait_for_prompt(&self) -> &Self {
        self.wait_until("a prompt", |screen| {
            let text = screen.text();
            text == "$" || text.ends_with("\n$")
        })
    }

    /// Waits for the end of the program and all of its output, and returns the exit status.
    ///
    /// # Panics
    /// With a report, when it does not end.
    #[track_caller]
    pub fn wait_exit(&mut self) -> i32 {
        let status = self.wait("the program's end", |state| state.status);
        // Unread output comes before the hang-up.
        self.slave = None;
        self.wait("the end of its output", |state| state.is_over.then_some(()));
        status
    }

    #[must_use]
    pub fn has_ended(&self) -> bool {
        self.shared.lock().status.is_some()
    }

    /// Asserts that settings, screen and cursor are as the program found them.
    ///
    /// # Panics
    /// When they are not.
    #[track_caller]
    pub fn assert_given_back(&self) {
        assert_eq!(
            settings(&*self.master),
            self.settings_before,
            "the terminal's settings"
        );
        self.screen(|screen| {
            assert!(!screen.alternate_screen(), "the alternate screen was left");
            assert!(!screen.hide_cursor(), "the cursor is visible");
            assert!(!screen.bracketed_paste(), "bracketed paste is off");
            assert!(
                !screen.application_cursor(),
                "application cursor keys are off"
            );
            assert!(
                !screen.application_keypad(),
                "the application keypad is off"
            );
            assert_eq!(
                screen.mouse_protocol_mode(),
                vt100::MouseProtocolMode::None,
                "the mouse is off"
            );
        });
    }

    /// Whether the terminal's settings differ from those that the program found: it is in raw mode.
    #[must_use]
    pub fn is_taken_over(&self) -> bool {
        settings(&*self.master) != self.settings_before
    }

    #[track_caller]
    fn wait<T>(&self, what: &str, mut condition: impl FnMut(&TerminalState) -> Option<T>) -> T {
        let deadline = Instant::now() + DEADLINE;
        let mut state = self.shared.lock();
        loop {
            if let Some(found) = condition(&state) {
                return found;
            }
            if Instant::now() >= deadline {
                let picture = picture(&state, &self.name);
                drop(state);
                panic!(
                    "waited in vain for {what}\n{picture}{}",
                    self.world.report()
                );
            }
            let waited = self.shared.changed.wait_timeout(state, LOOK);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        self.process.signal(Signal::SIGKILL);
        self.process.signal(Signal::SIGCONT);
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, TerminalState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Feeds the screen, and replies to queries for it.
fn watch_output(shared: Arc<Shared>, mut reader: Box<dyn Read + Send>) {
    std::thread::spawn(move || {
        let mut chunk = [0; 1 << 14];
        loop {
            let count = match reader.read(&mut chunk) {
                Ok(0) | Err(_) => break,
                Ok(count) => count,
            };
            let state = shared
                .changed
                .wait_while(shared.lock(), |state| state.is_held);
            let mut state = state.unwrap_or_else(PoisonError::into_inner);
            if state.is_hung_up {
                break;
            }
            state.parser.process(&chunk[..count]);
            state.bytes += count as u64;
            let answers = std::mem::take(&mut state.parser.callbacks_mut().0);
            drop(state);
            shared.changed.notify_all();
            if !answers.is_empty() {
                let mut writer = shared.writer.lock().unwrap_or_else(PoisonError::into_inner);
                let _ = writer.write_all(&answers);
            }
        }
        drop(reader);
        shared.lock().is_over = true;
        shared.changed.notify_all();
    });
}

fn watch_end(shared: Arc<Shared>, mut child: Box<dyn Child + Send + Sync>) {
    std::thread::spawn(move || {
        let status = child.wait().map(|status| match status.signal() {
            // The name of the signal is not mapped to its number.
            Some(_) => 128,
            None => i32::try_from(status.exit_code()).unwrap_or(i32::MAX),
        });
        shared.lock().status = Some(status.unwrap_or(-1));
        shared.changed.notify_all();
    });
}

/// The replies of a terminal to its program.
#[derive(Default)]
struct Answers(Vec<u8>);

impl vt100::Callbacks for Answers {
    fn unhandled_csi(
        &mut self,
        screen: &mut vt100::Screen,
        first: Option<u8>,
        _second: Option<u8>,
        params: &[&[u16]],
        c: char,
    ) {
        let param = params.first().and_then(|param| param.first()).copied();
        match (first, c, param.unwrap_or(0)) {
            // DA1: a VT220 with colour.
            (None, 'c', 0) => self.0.extend_from_slice(b"\x1b[?62;22c"),
            (None, 'n', 5) => self.0.extend_from_slice(b"\x1b[0n"),
            (None, 'n', 6) => {
                let (row, col) = screen.cursor_position();
                let answer = format!("\x1b[{};{}R", row + 1, col + 1);
                self.0.extend_from_slice(answer.as_bytes());
            }
            _ => {}
        }
    }
}

fn parser(rows: u16, cols: u16) -> vt100::Parser<Answers> {
    let (rows, cols) = (at_least_one(rows), at_least_one(cols));
    vt100::Parser::new_with_callbacks(rows, cols, 0, Answers::default())
}

pub(crate) fn at_least_one(number: u16) -> NonZeroU16 {
    NonZeroU16::new(number).unwrap_or(NonZeroU16::MIN)
}

fn pty_size(rows: u16, cols: u16) -> PtySize {
    PtySize {
        rows,
        cols,
        pixel_width: 0,
        pixel_height: 0,
    }
}

fn settings(master: &(dyn MasterPty + Send)) -> String {
    format!("{:#?}", master.get_termios())
}

/// The screen as text, for the message of a failed test.
fn picture(state: &TerminalState, name: &str) -> String {
    let screen = Screen(state.parser.screen());
    let (row, col) = screen.cursor_position();
    let (rows, cols) = screen.size();
    let kind = if screen.alternate_screen() {
        "alternate"
    } else {
        "main"
    };
    let mut text = format!(
        "--- {name}: {rows}x{cols}, {kind} screen, cursor at {row},{col}, {} bytes, status {:?}\n",
        state.bytes, state.status
    );
    for row in screen.rows() {
        text.push_str(&format!("|{row}\n"));
    }
    text
}
