//! A separate environment for one test.

use std::fs::{self, DirBuilder};
use std::os::unix::fs::DirBuilderExt;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Arc, mpsc};

use nix::sys::signal::Signal;
use shellkeep_keeper::process::Role;
use tempfile::TempDir;

use super::process::Process;
use super::terminal::Terminal;
use super::wait::{DEADLINE, look_for};

/// A home directory, a runtime directory and everything in them, for one test. Dropping it ends every process that was
/// started in it.
pub struct Rig {
    world: Arc<World>,
}

/// What a rig shares with its terminals.
pub(crate) struct World {
    /// A short path, because the path of a socket is limited to about a hundred bytes.
    dir: TempDir,
    program: PathBuf,
}

/// The result of a command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Output {
    /// Its standard output.
    pub stdout: String,
    /// Its standard error.
    pub stderr: String,
    /// Its exit status; 128 and more for a signal.
    pub status: i32,
}

impl Output {
    /// Asserts success without errors, and returns the output.
    ///
    /// # Panics
    /// When it failed or printed an error.
    #[track_caller]
    pub fn ok(self) -> String {
        assert!(
            self.status == 0 && self.stderr.is_empty(),
            "not a success: {self:?}"
        );
        self.stdout
    }

    /// Asserts a failure with status 1 and without output, and returns the error, trimmed.
    ///
    /// # Panics
    /// When it did not fail like that.
    #[track_caller]
    pub fn fails(self) -> String {
        assert!(
            self.status == 1 && self.stdout.is_empty(),
            "not a failure: {self:?}"
        );
        self.stderr.trim_end().to_owned()
    }
}

impl Rig {
    /// A new rig for this program.
    ///
    /// # Panics
    /// When there is no space in `/tmp`.
    #[must_use]
    pub fn new(program: impl AsRef<Path>) -> Self {
        let dir = tempfile::Builder::new()
            .prefix("sk")
            .rand_bytes(8)
            .tempdir_in("/tmp")
            .expect("a test needs a directory");
        for part in ["home", "run", "state", "config"] {
            DirBuilder::new()
                .mode(0o700)
                .create(dir.path().join(part))
                .expect("a fresh directory takes directories");
        }
        // Without this directory, fish reads every manual page at its first start.
        fs::create_dir_all(dir.path().join("home/data/fish/generated_completions"))
            .expect("a fresh directory takes directories");
        let program = fs::canonicalize(program.as_ref()).expect("the program is built");
        let rig = Self {
            world: Arc::new(World { dir, program }),
        };
        // Without a status line a pane has the size of its terminal, and can be compared with a terminal without
        // shellkeep.
        rig.write("config/shellkeep/shellkeep.conf", "set -g status off\n");
        // A login shell reads this last, so that prompt and path are known whatever the system's profile does.
        let path = rig.world.path_variable();
        rig.write(
            "home/.profile",
            &format!("PS1='$ '; PS2='> '; PATH='{path}'\n"),
        );
        rig
    }

    /// A path in the rig's directory.
    #[must_use]
    pub fn path(&self, name: &str) -> PathBuf {
        self.world.dir.path().join(name)
    }

    /// Writes a file in the rig's directory and makes missing directories. Returns its path.
    ///
    /// # Panics
    /// When it cannot be written.
    pub fn write(&self, name: &str, content: &str) -> PathBuf {
        let path = self.path(name);
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent).expect("the rig's directory takes directories");
        }
        fs::write(&path, content).expect("the rig's directory takes files");
        path
    }

    /// Reads a file in the rig's directory; empty if it does not exist.
    #[must_use]
    pub fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap_or_default()
    }

    /// The default server's socket.
    #[must_use]
    pub fn socket(&self) -> PathBuf {
        self.path("run/shellkeep/default")
    }

    /// The program with these arguments, to be run in this rig.
    #[must_use]
    pub fn command(&self, args: &[&str]) -> Command {
        let mut command = self.other_command(&self.world.program.to_string_lossy());
        command.args(args);
        command
    }

    /// Another program, to be run in this rig.
    #[must_use]
    pub fn other_command(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        command.env_clear().envs(self.world.environment());
        command.current_dir(self.path("home")).stdin(Stdio::null());
        command
    }

    /// Runs the program to its end.
    #[must_use]
    pub fn run(&self, args: &[&str]) -> Output {
        self.finish(self.command(args))
    }

    /// Runs the program, asserts that it succeeds, and returns its output.
    #[track_caller]
    pub fn ok(&self, args: &[&str]) -> String {
        self.run(args).ok()
    }

    /// Creates a session in which a shell runs this script.
    #[track_caller]
    pub fn open(&self, session: &str, script: &str) {
        self.ok(&["new", "-d", "-s", session, "--", "sh", "-c", script]);
    }

    /// Creates a session whose program prints this line, and then its input. Waits for the line.
    #[track_caller]
    pub fn open_saying(&self, session: &str, line: &str) {
        self.open(session, &format!("echo {line}; cat"));
        self.wait_for_pane("its text", session, |shown| shown.contains(line));
    }

    /// Types a line and Enter into a pane.
    #[track_caller]
    pub fn enter(&self, target: &str, line: &str) {
        self.ok(&["send-keys", "-t", target, line, "Enter"]);
    }

    /// Runs a command to its end.
    ///
    /// # Panics
    /// When it does not end.
    #[must_use]
    pub fn finish(&self, mut command: Command) -> Output {
        let words = format!("{command:?}");
        let (tx, rx) = mpsc::channel();
        std::thread::spawn(move || {
            // After the deadline the receiver is gone.
            let _ = tx.send(command.output());
        });
        let Ok(output) = rx.recv_timeout(DEADLINE) else {
            panic!("{words} does not end\n{}", self.world.report());
        };
        let output = output.expect("the command can be run");
        let status = output.status;
        let signal = status.signal().map(|signal| 128 + signal);
        Output {
            stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
            status: status.code().or(signal).unwrap_or(-1),
        }
    }

    /// Runs a line of `sh` to its end.
    #[must_use]
    pub fn sh(&self, line: &str) -> Output {
        let mut command = self.other_command("sh");
        command.args(["-c", line]);
        self.finish(command)
    }

    /// Ends the server with all that it keeps; returns when nothing runs any more.
    #[track_caller]
    pub fn end_and_keep(&self) {
        self.ok(&["kill-server", "--keep"]);
        self.wait_until("the end", || self.processes().is_empty());
    }

    /// Runs the program in a terminal of this size.
    #[must_use]
    pub fn attach(&self, args: &[&str], size: (u16, u16)) -> Terminal {
        let program = self.world.program.to_string_lossy().into_owned();
        let argv: Vec<&str> = std::iter::once(&program[..])
            .chain(args.iter().copied())
            .collect();
        self.start(&argv, &[], size)
    }

    /// Runs another program in a terminal, with additional variables.
    #[must_use]
    pub fn start(&self, argv: &[&str], env: &[(&str, &str)], size: (u16, u16)) -> Terminal {
        Terminal::start(self.world.clone(), argv, env, size)
    }

    /// The default server, if it is running.
    #[must_use]
    pub fn find_server(&self) -> Option<Process> {
        self.find_server_of("default")
    }

    /// The server of a label, if it is running.
    #[must_use]
    pub fn find_server_of(&self, label: &str) -> Option<Process> {
        let pid = self.read(&format!("run/shellkeep/{label}.lock"));
        let server = Process::find(pid.trim().parse().ok()?)?;
        (server.status("Name") == Role::Server.name()).then_some(server)
    }

    /// The default server.
    ///
    /// # Panics
    /// When there is none.
    #[must_use]
    pub fn server(&self) -> Process {
        self.wait_for("a server", || self.find_server())
    }

    #[must_use]
    pub fn keepers(&self) -> Vec<Process> {
        self.processes_of(Role::Keeper)
    }

    /// The default server's keeper.
    ///
    /// # Panics
    /// When there is none, or more than one.
    #[must_use]
    pub fn keeper(&self) -> Process {
        self.wait_for("one keeper", || match self.keepers()[..] {
            [keeper] => Some(keeper),
            _ => None,
        })
    }

    /// Every process of this rig.
    #[must_use]
    pub fn processes(&self) -> Vec<Process> {
        self.world.processes()
    }

    /// Every process of this rig with this word in its arguments.
    #[must_use]
    pub fn processes_with(&self, word: &str) -> Vec<Process> {
        let mut processes = self.processes();
        processes.retain(|process| process.argv().iter().any(|found| found == word));
        processes
    }

    /// The running servers or keepers.
    #[must_use]
    pub fn processes_of(&self, role: Role) -> Vec<Process> {
        let mut processes = self.processes();
        processes.retain(|process| process.status("Name") == role.name());
        processes
    }

    /// The last lines of the default server's log, and of the keeper's.
    #[must_use]
    pub fn log(&self) -> String {
        self.read("state/shellkeep/default.log")
    }

    /// Waits until a condition returns a value.
    ///
    /// # Panics
    /// With a report, when it does not.
    pub fn wait_for<T>(&self, what: &str, condition: impl FnMut() -> Option<T>) -> T {
        match look_for(condition) {
            Some(found) => found,
            None => panic!("waited in vain for {what}\n{}", self.world.report()),
        }
    }

    /// Waits until a condition holds.
    ///
    /// # Panics
    /// With a report, when it does not.
    pub fn wait_until(&self, what: &str, mut condition: impl FnMut() -> bool) {
        self.wait_for(what, || condition().then_some(()));
    }

    /// Waits until a pane's screen, as `capture-pane` prints it, fulfils a condition, and returns it.
    ///
    /// # Panics
    /// With a report, when it never does.
    pub fn wait_for_pane(
        &self,
        what: &str,
        target: &str,
        mut condition: impl FnMut(&str) -> bool,
    ) -> String {
        let mut text = String::new();
        let found = look_for(|| {
            text = self.run(&["capture-pane", "-p", "-t", target]).stdout;
            condition(&text).then_some(())
        });
        if found.is_none() {
            let report = self.world.report();
            panic!("waited in vain for {what}; the pane shows:\n{text}\n{report}");
        }
        text
    }
}

impl Drop for Rig {
    fn drop(&mut self) {
        // A dying server may still start a process, so repeat until none is left.
        let gone = look_for(|| {
            let processes = self.world.processes();
            for process in &processes {
                process.signal(Signal::SIGKILL);
            }
            processes.is_empty().then_some(())
        });
        if gone.is_none() && !std::thread::panicking() {
            panic!("processes outlive the test\n{}", self.world.report());
        }
    }
}

impl World {
    /// The complete environment of everything that runs in this rig.
    pub(crate) fn environment(&self) -> Vec<(String, String)> {
        let path = |name: &str| self.dir.path().join(name).to_string_lossy().into_owned();
        let pairs = [
            ("HOME", path("home")),
            ("XDG_RUNTIME_DIR", path("run")),
            ("XDG_STATE_HOME", path("state")),
            ("XDG_CONFIG_HOME", path("config")),
            ("XDG_DATA_HOME", path("home/data")),
            ("XDG_CACHE_HOME", path("home/cache")),
            ("PATH", self.path_variable()),
            ("SHELL", "/bin/sh".to_owned()),
            ("USER", "keeper".to_owned()),
            ("TERM", "xterm-256color".to_owned()),
            ("LANG", "C.UTF-8".to_owned()),
            ("TZ", "UTC".to_owned()),
        ];
        let mut pairs = pairs.map(|(name, value)| (name.to_owned(), value)).to_vec();
        // Processes are found by their environment. Otherwise only root may read that of our background processes.
        if !nix::unistd::geteuid().is_root() {
            pairs.push(("SK_TEST_DUMPABLE".to_owned(), "1".to_owned()));
        }
        pairs
    }

    fn path_variable(&self) -> String {
        let bin = self.program.parent().unwrap_or(Path::new("/"));
        format!("{}:/usr/local/bin:/usr/bin:/bin", bin.display())
    }

    pub(crate) fn home(&self) -> PathBuf {
        self.dir.path().join("home")
    }

    fn processes(&self) -> Vec<Process> {
        Process::all_with_environment(self.dir.path().as_os_str().as_encoded_bytes())
    }

    /// What may explain a failure: the last lines of the logs, and the processes.
    pub(crate) fn report(&self) -> String {
        let mut report = String::new();
        let logs = fs::read_dir(self.dir.path().join("state/shellkeep"));
        for entry in logs.into_iter().flatten().flatten() {
            let text = fs::read_to_string(entry.path()).unwrap_or_default();
            let lines: Vec<&str> = text.lines().collect();
            let tail = &lines[lines.len().saturating_sub(30)..];
            report.push_str(&format!(
                "--- {}\n{}\n",
                entry.file_name().to_string_lossy(),
                tail.join("\n")
            ));
        }
        report.push_str("--- processes\n");
        for process in self.processes() {
            report.push_str(&format!("{process}\n"));
        }
        report
    }
}
