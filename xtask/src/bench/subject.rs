//! A multiplexer that is measured, with its own directories.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use nix::unistd::Pid;
use portable_pty::CommandBuilder;

use super::procfs;
use super::sandbox::Sandbox;
use super::terminal::Terminal;
use super::wait::{pause, wait_until};

/// The prompt of the shells, on a line of its own.
pub(super) const PROMPT: &str = "ready>";

/// The socket label, and so the name of the lock file.
const LABEL: &str = "bench";

pub(super) struct Subject {
    name: &'static str,
    kind: Kind,
    program: PathBuf,
    root: PathBuf,
    /// The directory of its sockets.
    runtime: PathBuf,
    environment: Vec<(&'static str, String)>,
}

/// How to find the server.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Shellkeep,
    Tmux,
}

impl Subject {
    /// `program` in the column `name`. A program called tmux is treated as tmux in both columns, so that tmux can be
    /// compared with itself: the ratios then show the noise.
    pub(super) fn new(name: &'static str, program: &Path, sandbox: &Sandbox) -> Result<Self> {
        let root = sandbox.folder(name)?;
        let kind = match program.file_name() {
            Some(file) if file == "tmux" => Kind::Tmux,
            _ => Kind::Shellkeep,
        };
        // A plain name is searched in PATH; a path must be valid from any directory.
        let program = match program.components().count() {
            1 => program.to_path_buf(),
            _ => program
                .canonicalize()
                .with_context(|| format!("no {}", program.display()))?,
        };
        let runtime = sandbox.runtime(name);
        let environment = environment(&root, &runtime)?;
        let subject = Subject {
            name,
            kind,
            program,
            root,
            runtime,
            environment,
        };
        let home = subject.root.join("home");
        for rc in [".profile", ".bash_profile", ".bashrc"] {
            fs::write(home.join(rc), format!("PS1='{PROMPT} '\n"))?;
        }
        fs::write(home.join(".zshrc"), zshrc())?;
        subject.write_fish_config()?;
        Ok(subject)
    }

    fn write_fish_config(&self) -> Result<()> {
        let config = self.root.join("config/fish");
        fs::create_dir_all(&config)?;
        let text = format!(
            "function fish_prompt; echo -n '{PROMPT} '; end\nfunction fish_greeting; end\n"
        );
        fs::write(config.join("config.fish"), text)?;
        // Without this, a new user's fish reads all man pages in a background job.
        let completions = self
            .root
            .join("home/.local/share/fish/generated_completions");
        Ok(fs::create_dir_all(completions)?)
    }

    pub(super) fn name(&self) -> &'static str {
        self.name
    }

    /// Whether it is tmux, in either column.
    pub(super) fn is_tmux(&self) -> bool {
        self.kind == Kind::Tmux
    }

    /// The answer to `-V`.
    pub(super) fn version(&self) -> Result<String> {
        Ok(crate::cargo::output_of(self.command(&[]).arg("-V"))?
            .trim()
            .to_string())
    }

    /// A command without a terminal.
    pub(super) fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(&self.program);
        command
            .args(common_args())
            .args(args)
            .env_clear()
            .stdin(Stdio::null());
        command.envs(self.environment.iter().map(|(name, value)| (name, value)));
        command.current_dir(self.root.join("home"));
        command
    }

    /// Runs a command without a terminal. Failure is an error.
    pub(super) fn call(&self, args: &[&str]) -> Result<String> {
        crate::cargo::output_of(&mut self.command(args))
    }

    pub(super) fn call_in_terminal(&self, args: &[&str]) -> Result<Terminal> {
        let mut command = CommandBuilder::new(&self.program);
        command.args(common_args());
        command.args(args);
        command.env_clear();
        for (name, value) in &self.environment {
            command.env(name, value);
        }
        command.cwd(self.root.join("home"));
        Terminal::start(command)
    }

    /// Starts a shell in a new terminal without the multiplexer, in the environment that the multiplexer has.
    pub(super) fn plain_in_terminal(&self, args: &[&str]) -> Result<Terminal> {
        let (program, args) = args.split_first().context("no program is named")?;
        let mut command = CommandBuilder::new(program);
        command.args(args);
        command.env_clear();
        for (name, value) in &self.environment {
            command.env(name, value);
        }
        command.env("PS1", format!("{PROMPT} "));
        command.cwd(self.root.join("home"));
        Terminal::start(command)
    }

    /// Creates a detached session with the size of our terminal, in which sh runs `script`.
    pub(super) fn new_session(&self, session: &str, script: &str) -> Result<()> {
        self.new_session_as(&[], session, script)
    }

    /// As [`Self::new_session`] with flags of `new-session`.
    pub(super) fn new_session_as(&self, flags: &[&str], session: &str, script: &str) -> Result<()> {
        // Passed as a file, because the programs' treatment of quotes is not measured.
        let path = self.scratch(&format!("{session}.sh"))?;
        fs::write(&path, script)?;
        let path = path.to_str().context("the sandbox has an odd name")?;
        let usual = ["-d", "-s", session, "-x", "80", "-y", "24", "/bin/sh", path];
        self.call(&[&["new-session"], flags, &usual].concat())
            .map(drop)
    }

    /// A path in a directory that [`Self::reset`] empties.
    pub(super) fn scratch(&self, name: &str) -> Result<PathBuf> {
        let folder = self.root.join("scratch");
        fs::create_dir_all(&folder)?;
        Ok(folder.join(name))
    }

    /// The state directory of shellkeep.
    pub(super) fn store(&self) -> PathBuf {
        self.root.join("state").join("shellkeep")
    }

    /// Ends the server and all programs, but keeps the store.
    pub(super) fn stop(&self) -> Result<()> {
        let _ = self.call(&["kill-server", "--keep"]);
        wait_until("all processes ended", || {
            Ok(procfs::processes_naming(&self.root).is_empty())
        })
    }

    /// The server's processes: one for tmux, server and keeper for shellkeep.
    pub(super) fn server_processes(&self) -> Result<Vec<Pid>> {
        match self.kind {
            Kind::Tmux => {
                let pid = self.call(&["display-message", "-p", "#{pid}"])?;
                Ok(vec![Pid::from_raw(
                    pid.trim().parse().context("tmux gave an odd pid")?,
                )])
            }
            Kind::Shellkeep => {
                let server = self.processes_of("lock", "shellkeep-srv");
                let keeper = self.processes_of("keeper.pid", "shellkeep-keep");
                ensure!(
                    !server.is_empty(),
                    "no server process of {} was found",
                    self.name
                );
                ensure!(
                    !keeper.is_empty(),
                    "no keeper process of {} was found",
                    self.name
                );
                Ok([server, keeper].concat())
            }
        }
    }

    /// The process named in a file beside shellkeep's socket, or else the processes named `word`.
    fn processes_of(&self, extension: &str, word: &str) -> Vec<Pid> {
        let file = self
            .runtime
            .join("shellkeep")
            .join(format!("{LABEL}.{extension}"));
        let named = fs::read_to_string(file)
            .ok()
            .and_then(|text| text.trim().parse().ok());
        match named.map(Pid::from_raw) {
            Some(pid) if procfs::is_alive(pid) => vec![pid],
            _ => procfs::processes_called(&self.root, word),
        }
    }

    /// Waits until the server is idle.
    pub(super) fn settle(&self) -> Result<()> {
        let cost = || -> Result<u64> {
            let processes = self.server_processes()?;
            processes
                .iter()
                .map(|pid| Ok(procfs::cost(*pid)?.cpu_nanos))
                .sum()
        };
        // Asking tmux for its pid takes some CPU time too, so idle means little.
        let little = Duration::from_millis(2).as_nanos() as u64;
        wait_until("the server is idle", || {
            let before = cost()?;
            pause(Duration::from_millis(100));
            Ok(cost()? - before < little)
        })
    }

    /// Ends the server and everything that runs in it.
    pub(super) fn end(&self) -> Result<()> {
        // An error means that there is no server.
        let _ = self.call(&["kill-server"]);
        wait_until("all processes ended after kill-server", || {
            Ok(procfs::processes_naming(&self.root).is_empty())
        })
    }

    /// As [`Self::end`], and deletes the store.
    pub(super) fn reset(&self) -> Result<()> {
        self.end()?;
        let folders = ["state", "scratch"].map(|name| self.root.join(name));
        for folder in folders.iter().chain([&self.runtime]) {
            if folder.exists() {
                fs::remove_dir_all(folder)?;
            }
        }
        make_private(&self.runtime)
    }
}

/// As many settings as oh-my-zsh makes with some plugins: completion, hooks, styles, widgets, many aliases and
/// functions.
fn zshrc() -> String {
    let mut text = format!(
        "PS1='{PROMPT} '\n\
        HISTFILE=~/.zsh_history HISTSIZE=5000 SAVEHIST=5000\n\
        setopt prompt_subst extended_history hist_ignore_dups auto_cd auto_pushd\n\
        autoload -Uz compinit add-zsh-hook colors vcs_info\n\
        colors; compinit -u -C -d ~/.zcompdump\n\
        zstyle ':completion:*' menu select\n\
        zstyle ':vcs_info:*' enable git\n\
        timer_precmd() {{ timer_show=$((SECONDS - ${{timer_began:-SECONDS}})) }}\n\
        timer_preexec() {{ timer_began=$SECONDS }}\n\
        add-zsh-hook precmd timer_precmd; add-zsh-hook preexec timer_preexec\n"
    );
    for number in 0..200 {
        text.push_str(&format!(
            "alias g{number}='git log --oneline -n {number}'\n"
        ));
    }
    for number in 0..150 {
        text.push_str(&format!(
            "plugin_{number}() {{ local one=$1 two=${{2:-{number}}}; [[ -n $one ]] && print -r -- \"$one $two\" || return {}; }}\n",
            number % 7
        ));
    }
    text
}

/// No configuration, and a socket of our own.
fn common_args() -> [&'static str; 4] {
    ["-L", LABEL, "-f", "/dev/null"]
}

/// The whole environment of the program: only PATH comes from the caller.
fn environment(root: &Path, runtime: &Path) -> Result<Vec<(&'static str, String)>> {
    let private = |folder: &Path| -> Result<String> {
        make_private(folder)?;
        let folder = folder.to_str().context("the sandbox has an odd name")?;
        Ok(folder.to_string())
    };
    let folder = |name: &str| private(&root.join(name));
    let shell = if Path::new("/bin/bash").exists() {
        "/bin/bash"
    } else {
        "/bin/sh"
    };
    Ok(vec![
        // Otherwise a login shell reads the system's completions, if they are installed, which takes ten milliseconds
        // in both.
        ("BASH_COMPLETION_VERSINFO", "2".into()),
        ("HOME", folder("home")?),
        ("LANG", "C.UTF-8".into()),
        ("PATH", std::env::var("PATH").context("PATH is not set")?),
        ("SHELL", shell.into()),
        // Otherwise the oldest of ten thousand sessions would be archived during the measurement.
        ("SHELLKEEP_MAX_TOTAL", "0".into()),
        ("TERM", "xterm-256color".into()),
        ("TMUX_TMPDIR", private(runtime)?),
        ("XDG_CONFIG_HOME", folder("config")?),
        ("XDG_RUNTIME_DIR", private(runtime)?),
        (
            "XDG_STATE_HOME",
            root.join("state").to_string_lossy().into_owned(),
        ),
    ])
}

/// A directory that only this user may enter, as is required for sockets.
fn make_private(folder: &Path) -> Result<()> {
    use std::os::unix::fs::PermissionsExt;
    fs::create_dir_all(folder)?;
    fs::set_permissions(folder, fs::Permissions::from_mode(0o700))?;
    Ok(())
}
