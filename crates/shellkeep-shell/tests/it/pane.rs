//! A terminal with a shell, and what the server would do with it.

use std::ffi::OsString;
use std::io::{Read, Write};
use std::path::PathBuf;
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, kill};
use nix::sys::termios::LocalFlags;
use nix::unistd::Pid;
use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};
use shellkeep_core::Size;
use shellkeep_shell::{Launch, Phase, Said, Shell, ShellState, Wake};
use shellkeep_term::{Config, Effect, Effects, Emulator, PromptMark};

/// Reached only by a test that fails.
const DEADLINE: Duration = Duration::from_secs(30);

pub(crate) struct Pane {
    pub(crate) shell: Shell,
    master: Box<dyn MasterPty + Send>,
    writer: Arc<Mutex<Box<dyn Write + Send>>>,
    child: Box<dyn Child + Send + Sync>,
    shared: Arc<(Mutex<Seen>, Condvar)>,
    pub(crate) dir: PathBuf,
}

pub(crate) struct Seen {
    emulator: Emulator,
    pub(crate) raw: Vec<u8>,
    pub(crate) marks: Vec<PromptMark>,
    is_over: bool,
}

impl Seen {
    /// Whether the shell is at the first line of a prompt.
    pub(crate) fn is_at_prompt(&self) -> bool {
        let prompt = self
            .marks
            .iter()
            .rposition(|mark| matches!(mark, PromptMark::PromptStart { secondary: false }));
        let input = self
            .marks
            .iter()
            .rposition(|mark| *mark == PromptMark::InputStart);
        let other = self.marks.iter().rposition(|mark| {
            matches!(
                mark,
                PromptMark::OutputStart { .. }
                    | PromptMark::CommandEnd { .. }
                    | PromptMark::PromptStart { secondary: true }
            )
        });
        prompt.is_some() && input > prompt && prompt > other
    }

    /// The number of prompts so far. Each begins by marking the end of the last command.
    pub(crate) fn prompts(&self) -> usize {
        self.marks
            .iter()
            .filter(|mark| matches!(mark, PromptMark::CommandEnd { .. }))
            .count()
    }

    /// The number of prompts that were drawn completely.
    pub(crate) fn inputs(&self) -> usize {
        let ends = |mark: &&PromptMark| **mark == PromptMark::InputStart;
        self.marks.iter().filter(ends).count()
    }

    pub(crate) fn rows(&self) -> Vec<String> {
        self.emulator.rows().map(|row| row.text()).collect()
    }

    pub(crate) fn text(&self) -> String {
        self.rows().join("\n").trim_end().to_owned()
    }

    /// The text of the cursor's row, and the cursor's column.
    pub(crate) fn cursor_row(&self) -> (String, u16) {
        let cursor = self.emulator.cursor();
        (self.emulator.row(cursor.row).text(), cursor.col)
    }

    pub(crate) fn cwd(&self) -> Option<&str> {
        self.emulator.cwd()
    }
}

impl Pane {
    pub(crate) fn start(
        shell: Shell,
        launch: &Launch,
        env: &[(OsString, OsString)],
        dir: PathBuf,
        cwd: PathBuf,
    ) -> Self {
        let (rows, cols) = (24, 100);
        // Some tests have no such directory.
        let _ = Phase::expect(&dir);
        let _ = ShellState::expect_at_exit(&dir);
        let pair = native_pty_system()
            .openpty(PtySize {
                rows,
                cols,
                pixel_width: 0,
                pixel_height: 0,
            })
            .unwrap();
        let mut command = CommandBuilder::from_argv(launch.argv.clone());
        command.env_clear();
        let given = env
            .iter()
            .filter(|(name, _)| launch.takes(name.to_str().unwrap()));
        for (name, value) in given.chain(&launch.env) {
            command.env(name, value);
        }
        command.env("SHELLKEEP_SHELL_DIR", &dir);
        command.cwd(cwd);
        let child = pair.slave.spawn_command(command).unwrap();
        let mut reader = pair.master.try_clone_reader().unwrap();
        let writer = Arc::new(Mutex::new(pair.master.take_writer().unwrap()));
        let seen = Seen {
            emulator: Emulator::new(Size::new(rows, cols), Config::default()),
            raw: Vec::new(),
            marks: Vec::new(),
            is_over: false,
        };
        let shared = Arc::new((Mutex::new(seen), Condvar::new()));
        let (watched, answers) = (shared.clone(), writer.clone());
        std::thread::spawn(move || {
            let mut chunk = [0; 1 << 14];
            while let Ok(count @ 1..) = reader.read(&mut chunk) {
                let mut effects = Effects::default();
                let mut seen = watched.0.lock().unwrap();
                seen.emulator.feed(&chunk[..count], &mut effects);
                seen.raw.extend_from_slice(&chunk[..count]);
                for effect in effects {
                    match effect {
                        Effect::Prompt { mark, .. } => seen.marks.push(mark),
                        Effect::Reply(bytes) => drop(answers.lock().unwrap().write_all(&bytes)),
                        _ => {}
                    }
                }
                drop(seen);
                watched.1.notify_all();
            }
            watched.0.lock().unwrap().is_over = true;
            watched.1.notify_all();
        });
        Self {
            shell,
            master: pair.master,
            writer,
            child,
            shared,
            dir,
        }
    }

    /// What the shell has written about what it does.
    pub(crate) fn said(&self) -> (u64, Phase) {
        let said = Said::read(&Phase::file(&self.dir)).unwrap();
        (said.commands, said.phase)
    }

    /// Runs a line that copies what the shell has written meanwhile, and returns the copy.
    pub(crate) fn run_with_copy(&self, line: &str) -> Option<String> {
        let copy = self.dir.join("copy");
        self.run(line);
        match Said::read(&copy).unwrap().phase {
            Phase::Runs { line } => line,
            phase @ Phase::Prompt { .. } => panic!("{phase:?} while it ran {line}"),
        }
    }

    pub(crate) fn pid(&self) -> i32 {
        i32::try_from(self.child.process_id().unwrap()).unwrap()
    }

    pub(crate) fn seen(&self) -> MutexGuard<'_, Seen> {
        self.shared.0.lock().unwrap()
    }

    /// Waits until the terminal shows what `condition` needs.
    pub(crate) fn wait(&self, what: &str, mut condition: impl FnMut(&Seen) -> bool) {
        let deadline = Instant::now() + DEADLINE;
        let mut seen = self.seen();
        while !condition(&seen) {
            let left = deadline.saturating_duration_since(Instant::now());
            assert!(
                !left.is_zero(),
                "waited in vain for {what}; marks {:?}; screen:\n{}\nraw: {:?}",
                seen.marks,
                seen.text(),
                String::from_utf8_lossy(&seen.raw[seen.raw.len().saturating_sub(2000)..])
            );
            seen = self
                .shared
                .1
                .wait_timeout(seen, left.min(Duration::from_millis(20)))
                .unwrap()
                .0;
        }
    }

    pub(crate) fn send(&self, bytes: impl AsRef<[u8]>) -> &Self {
        let mut writer = self.writer.lock().unwrap();
        writer.write_all(bytes.as_ref()).unwrap();
        writer.flush().unwrap();
        self
    }

    /// Types a line, and waits for the prompt after it.
    pub(crate) fn run(&self, line: &str) -> &Self {
        self.prompt();
        let before = self.seen().prompts();
        self.send(format!("{line}\r"));
        self.wait(line, |seen| seen.prompts() > before && seen.is_at_prompt());
        self.reads_keys();
        self
    }

    /// Types text, and waits until the cursor's row shows it.
    pub(crate) fn type_text(&self, text: &str, shown: &str) -> &Self {
        self.send(text);
        self.wait(text, |seen| seen.cursor_row().0.ends_with(shown));
        self
    }

    /// Waits for a prompt at which the shell reads keys.
    pub(crate) fn prompt(&self) -> &Self {
        self.wait("a prompt", Seen::is_at_prompt);
        self.reads_keys();
        self
    }

    fn reads_keys(&self) {
        self.wait("a shell that reads keys", |_| !self.is_canonical());
    }

    pub(crate) fn is_canonical(&self) -> bool {
        let settings = self.master.get_termios().unwrap();
        settings.local_flags.bits() & LocalFlags::ICANON.bits() != 0
    }

    pub(crate) fn signal(&self) {
        let signal = match self.shell.signal() {
            Wake::WindowChange => Signal::SIGWINCH,
            Wake::Urgent => Signal::SIGURG,
        };
        kill(Pid::from_raw(self.pid()), signal).unwrap();
    }

    pub(crate) fn resize(&self, rows: u16, cols: u16) {
        self.seen().emulator.resize(Size::new(rows, cols));
        self.master
            .resize(PtySize {
                rows,
                cols,
                pixel_width: 0,
                pixel_height: 0,
            })
            .unwrap();
    }

    /// Kills the shell with SIGKILL, and waits until it is gone.
    pub(crate) fn kill(&mut self) {
        let _ = kill(Pid::from_raw(self.pid()), Signal::SIGKILL);
        let _ = self.child.wait();
    }

    pub(crate) fn terminate(&self) {
        kill(Pid::from_raw(self.pid()), Signal::SIGTERM).unwrap();
    }

    pub(crate) fn wait_end(&mut self) -> u32 {
        self.child.wait().unwrap().exit_code()
    }
}

impl Drop for Pane {
    fn drop(&mut self) {
        self.kill();
    }
}

/// Waits for a condition that the terminal does not show.
pub(crate) fn wait_until<T>(what: &str, mut condition: impl FnMut() -> Option<T>) -> T {
    let deadline = Instant::now() + DEADLINE;
    loop {
        if let Some(found) = condition() {
            return found;
        }
        assert!(Instant::now() < deadline, "waited in vain for {what}");
        pass(Duration::from_millis(2));
    }
}

/// Lets time pass, in a test that something does not happen.
pub(crate) fn pass(time: Duration) {
    let timeout = nix::poll::PollTimeout::try_from(time).unwrap();
    let _ = nix::poll::poll(&mut [], timeout);
}
