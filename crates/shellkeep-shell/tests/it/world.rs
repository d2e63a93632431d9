//! A home directory with a user's files, and the life of shells in it.

use std::ffi::OsString;
use std::fs;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use shellkeep_shell::{
    Kind, Launch, Purpose, Request, Revival, RunRc, Shell, ShellState, prepare, revive,
};
use tempfile::TempDir;

use crate::pane::{Pane, pass, wait_until};

static NONCE: AtomicU64 = AtomicU64::new(0x5eed_0000_0000_0001);

pub(crate) struct World {
    dir: TempDir,
    program: PathBuf,
    pub(crate) env: Vec<(OsString, OsString)>,
}

/// The answer to a request.
pub(crate) struct Captured {
    pub(crate) state: ShellState,
    pub(crate) took: Duration,
}

impl World {
    pub(crate) fn new(program: &Path) -> Self {
        let dir = TempDir::with_prefix("sksh").unwrap();
        for name in ["home", "scripts", "pane"] {
            fs::DirBuilder::new()
                .mode(0o700)
                .create(dir.path().join(name))
                .unwrap();
        }
        let mut world = Self {
            dir,
            program: program.to_owned(),
            env: Vec::new(),
        };
        let home = world.home();
        world.set("HOME", &home.to_string_lossy());
        world.set("PATH", "/usr/local/bin:/usr/bin:/bin");
        world.set("TERM", "xterm-256color");
        world.set("LANG", "C.UTF-8");
        world.set("USER", "tester");
        world.set("SHELLKEEP_PANE", "%1");
        world
    }

    pub(crate) fn set(&mut self, name: &str, value: &str) {
        self.env.retain(|(old, _)| old != name);
        self.env.push((name.into(), value.into()));
    }

    pub(crate) fn shell(&self) -> Shell {
        Shell::of(&self.program).unwrap()
    }

    pub(crate) fn home(&self) -> PathBuf {
        self.dir.path().join("home")
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    pub(crate) fn file(&self, name: &str, text: &str) -> PathBuf {
        let path = self.home().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
        path
    }

    pub(crate) fn read(&self, name: &str) -> String {
        let bytes = fs::read(self.home().join(name)).unwrap_or_default();
        String::from_utf8_lossy(&bytes).into_owned()
    }

    pub(crate) fn launch(&self, kind: Kind) -> Launch {
        let inherited = |name: &str| {
            let found = self.env.iter().find(|(known, _)| known == name);
            found.map(|(_, value)| value.clone())
        };
        prepare(&self.program, kind, &self.path("scripts"), &inherited).unwrap()
    }

    /// A shell with the integration, at its first prompt.
    pub(crate) fn start(&self, kind: Kind) -> Pane {
        let pane = self.open(&self.launch(kind));
        pane.prompt();
        pane
    }

    pub(crate) fn open(&self, launch: &Launch) -> Pane {
        Pane::start(
            self.shell(),
            launch,
            &self.env,
            self.path("pane"),
            self.home(),
        )
    }

    /// A shell without the integration.
    pub(crate) fn plain(&self, args: &[&str]) -> Pane {
        let mut argv: Vec<OsString> = vec![self.program.clone().into()];
        argv.extend(args.iter().map(Into::into));
        self.open(&Launch {
            argv,
            env: Vec::new(),
            is_bare: false,
            terminal: Vec::new(),
        })
    }

    /// A nonce that no request had before.
    pub(crate) fn nonce(&self) -> u64 {
        NONCE.fetch_add(1, Ordering::Relaxed)
    }

    pub(crate) fn ask(&self) -> Request {
        Request::place(&self.path("pane"), self.nonce(), Purpose::Sleep).unwrap()
    }

    /// Requests everything from a shell at its prompt.
    pub(crate) fn capture(&self, pane: &Pane) -> Captured {
        let began = Instant::now();
        let request = self.ask();
        // A shell that has drawn its prompt may not read keys yet.
        let mut asked = None;
        let answer = wait_until("a state", || {
            if asked.is_none_or(|at: Instant| at.elapsed() > Duration::from_millis(300)) {
                pane.signal();
                asked = Some(Instant::now());
            }
            request.state()
        });
        let took = began.elapsed();
        if let Some(key) = answer.line_key(b"").unwrap() {
            pane.send(key);
            wait_until("a line", || request.line());
        }
        let state = request.state().unwrap_or_else(|| {
            let left = fs::read(request.state_path()).unwrap_or_default();
            panic!("the state is gone: {:?}", String::from_utf8_lossy(&left))
        });
        request.withdraw();
        Captured { state, took }
    }

    /// Sends a request to a shell that must not answer.
    pub(crate) fn ask_in_vain(&self, pane: &Pane) -> Request {
        let request = self.ask();
        pane.signal();
        pass(Duration::from_millis(200));
        assert_eq!(fs::read(request.state_path()).unwrap(), b"", "it answered");
        request
    }

    pub(crate) fn revival(&self, state: &ShellState, run_rc: RunRc) -> Revival {
        revive(
            &self.program,
            &state.encode(),
            &self.path("scripts"),
            &self.path("pane"),
            run_rc,
        )
        .unwrap()
    }

    /// A revived shell at its prompt, with its line restored.
    pub(crate) fn revive(&self, state: &ShellState, run_rc: RunRc) -> Pane {
        let revival = self.revival(state, run_rc);
        let pane = self.open(&revival.launch);
        pane.prompt();
        if let Some(key) = revival.line_key {
            pane.send(key);
            if self.shell() == Shell::Bash {
                // It draws its prompt again after the server's key.
                pane.wait("the prompt again", |seen| {
                    seen.inputs() > 1 && seen.is_at_prompt()
                });
            }
        }
        assert_eq!(revival.missing(), Vec::<String>::new());
        revival.clean();
        pane
    }

    /// Hibernates and wakes a shell.
    pub(crate) fn cycle(&self, mut pane: Pane) -> Pane {
        let captured = self.capture(&pane);
        pane.kill();
        self.revive(&captured.state, RunRc::Off)
    }
}

/// The difference of two texts: lines that one has more often than the other.
pub(crate) fn difference(before: &str, after: &str) -> String {
    let (mut old, mut new): (Vec<&str>, Vec<&str>) =
        (before.lines().collect(), after.lines().collect());
    old.sort_unstable();
    new.sort_unstable();
    let mut text = String::new();
    let (mut old, mut new) = (old.into_iter().peekable(), new.into_iter().peekable());
    loop {
        let (sign, line) = match (old.peek(), new.peek()) {
            (None, None) => return text,
            (Some(a), Some(b)) if a == b => {
                old.next();
                new.next();
                continue;
            }
            (Some(a), b) if b.is_none_or(|b| a < b) => ('-', old.next()),
            _ => ('+', new.next()),
        };
        text.push_str(&format!("{sign} {}\n", line.unwrap_or_default()));
    }
}
