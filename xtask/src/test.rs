//! `cargo xtask test`: installs the programs that tests need, then runs all tests.

use std::path::Path;
use std::process::{Command, ExitCode, Stdio};

use anyhow::{Result, bail};

use crate::cargo::{cargo, must_succeed};

/// A program that some tests use. A test without its program is skipped; this list avoids that.
struct Tool {
    /// Its command name, which is also the name of the package unless `packages` has another.
    name: &'static str,
    /// What is not tested without it.
    serves: &'static str,
    /// Managers with another name for the package.
    packages: &'static [(&'static str, &'static str)],
    presence: Presence,
}

enum Presence {
    /// It is in PATH.
    Command,
    /// It is in PATH; exists on Linux only.
    LinuxCommand,
    File(&'static str),
    /// `locale -a` knows one for UTF-8.
    Utf8Locale,
}

const fn tool(name: &'static str, serves: &'static str) -> Tool {
    Tool {
        name,
        serves,
        packages: &[],
        presence: Presence::Command,
    }
}

const TOOLS: &[Tool] = &[
    tool("bash", "shells in panes"),
    tool("zsh", "shells in panes"),
    tool("fish", "shells in panes"),
    Tool {
        packages: &[("dnf", "vim-enhanced")],
        ..tool("vim", "full-screen programs")
    },
    tool("less", "full-screen programs"),
    tool("fzf", "programs that open panes of tmux"),
    tool("htop", "full-screen programs"),
    tool("mc", "full-screen programs"),
    Tool {
        presence: Presence::File("/usr/share/bash-completion/bash_completion"),
        ..tool("bash-completion", "a bash as people have it that sleeps")
    },
    tool("python3", "a virtualenv that sleeps with its shell"),
    tool("tmux", "comparison with tmux, and `cargo xtask bench`"),
    tool("git", "the tidy check of commits"),
    Tool {
        presence: Presence::LinuxCommand,
        ..tool("strace", "wakeups of an idle server")
    },
    Tool {
        packages: &[
            ("dnf", "glibc-langpack-en"),
            ("pacman", "glibc"),
            ("apk", "musl-locales"),
        ],
        presence: Presence::Utf8Locale,
        ..tool("locales", "wide characters in shells")
    },
];

impl Tool {
    fn is_present(&self) -> bool {
        match self.presence {
            Presence::Command => in_path(self.name),
            Presence::LinuxCommand => in_path(self.name) || !cfg!(target_os = "linux"),
            Presence::File(path) => Path::new(path).exists() || !cfg!(target_os = "linux"),
            Presence::Utf8Locale => {
                // Without `locale` (musl), all locales are UTF-8.
                let Ok(list) = Command::new("locale").arg("-a").output() else {
                    return true;
                };
                let list = String::from_utf8_lossy(&list.stdout).to_lowercase();
                list.lines()
                    .any(|name| name.ends_with(".utf8") || name.ends_with(".utf-8"))
            }
        }
    }

    fn package(&self, manager: &Manager) -> &'static str {
        let named = self.packages.iter().find(|(name, _)| *name == manager.name);
        named.map_or(self.name, |(_, package)| package)
    }
}

/// The package manager of a system.
struct Manager {
    name: &'static str,
    program: &'static str,
    /// Run once before, because a new machine has no package lists.
    refresh: &'static [&'static str],
    install: &'static [&'static str],
    needs_root: bool,
}

const MANAGERS: &[Manager] = &[
    Manager {
        name: "apt",
        program: "apt-get",
        refresh: &["update", "-qq"],
        install: &["install", "-y", "-qq", "--no-install-recommends"],
        needs_root: true,
    },
    Manager {
        name: "dnf",
        program: "dnf",
        refresh: &[],
        install: &["install", "-y", "-q"],
        needs_root: true,
    },
    Manager {
        name: "pacman",
        program: "pacman",
        refresh: &["-Sy", "--noconfirm"],
        install: &["-S", "--noconfirm", "--needed"],
        needs_root: true,
    },
    Manager {
        name: "apk",
        program: "apk",
        refresh: &["update", "-q"],
        install: &["add", "-q"],
        needs_root: true,
    },
    Manager {
        name: "brew",
        program: "brew",
        refresh: &[],
        install: &["install", "-q"],
        needs_root: false,
    },
];

impl Manager {
    fn call(&self, args: &[&str]) -> Command {
        let mut command = if self.needs_root && !is_root() {
            let mut sudo = Command::new("sudo");
            sudo.args(["-n", self.program]);
            sudo
        } else {
            Command::new(self.program)
        };
        command.args(args).env("DEBIAN_FRONTEND", "noninteractive");
        command.stdin(Stdio::null()).stdout(Stdio::null());
        command
    }

    /// Installs as many of `packages` as possible.
    fn install(&self, packages: &[&str]) {
        if !self.refresh.is_empty() {
            let _ = self.call(self.refresh).status();
        }
        let together: Vec<&str> = self.install.iter().chain(packages).copied().collect();
        if self
            .call(&together)
            .status()
            .is_ok_and(|status| status.success())
        {
            return;
        }
        // One unknown package must not keep the others from being installed.
        for package in packages {
            let alone: Vec<&str> = self.install.iter().chain([package]).copied().collect();
            let _ = self.call(&alone).status();
        }
    }
}

/// Runs all tests: `args` after `--` go to the test runner.
pub(crate) fn run(args: &[String]) -> Result<ExitCode> {
    let runner_args = match args.split_first() {
        None => &[][..],
        Some((dashes, rest)) if dashes == "--" => rest,
        Some((stranger, _)) => bail!("unknown argument: {stranger} (the runner's go after --)"),
    };
    bring_tools();
    bring_libtmux();
    // With one call for all tests: if fewer packages are chosen, cargo builds shared dependencies again with other
    // features.
    must_succeed(cargo().args(["build", "--workspace", "--bins", "--tests"]))?;
    // The documentation's examples run first, because the last line of the output should be that of the test runner.
    must_succeed(cargo().args(["test", "--quiet", "--workspace", "--doc"]))?;
    let skips = std::env::temp_dir().join(format!("skipped-tests-{}", std::process::id()));
    let passed = run_tests(runner_args, &skips);
    for line in std::fs::read_to_string(&skips).unwrap_or_default().lines() {
        println!("SKIPPED {line}");
    }
    let _ = std::fs::remove_file(&skips);
    passed.map(|()| ExitCode::SUCCESS)
}

/// Runs all tests except the documentation's. Skipped tests write to the file `skips`.
fn run_tests(runner_args: &[String], skips: &Path) -> Result<()> {
    let mut tests = cargo();
    tests.env("SHELLKEEP_TEST_SKIPS", skips);
    if has_nextest() {
        let profile = if std::env::var_os("CI").is_some() {
            "ci"
        } else {
            "default"
        };
        let nextest = ["nextest", "run", "--workspace", "--profile", profile];
        must_succeed(tests.args(nextest).args(runner_args))
    } else {
        println!("cargo-nextest is not installed: running plain cargo test");
        must_succeed(
            tests
                .args(["test", "--workspace", "--lib", "--bins", "--tests", "--"])
                .args(runner_args),
        )
    }
}

/// Installs missing tools, and reports what is not tested without the others.
fn bring_tools() {
    let missing = || {
        TOOLS
            .iter()
            .filter(|tool| !tool.is_present())
            .collect::<Vec<_>>()
    };
    let wanted = missing();
    if wanted.is_empty() {
        return;
    }
    let names: Vec<_> = wanted.iter().map(|tool| tool.name).collect();
    match usable_manager() {
        Ok(manager) => {
            println!("installing with {}: {}", manager.program, names.join(" "));
            let packages: Vec<_> = wanted.iter().map(|tool| tool.package(manager)).collect();
            manager.install(&packages);
        }
        Err(reason) => println!("cannot install {}: {reason}", names.join(" ")),
    }
    for tool in missing() {
        println!("SKIPPED for want of {}: {}", tool.name, tool.serves);
    }
}

/// Installs Python's libtmux beside the build, where the tests look for it, unless the system has it.
fn bring_libtmux() {
    let has = |path: &Path| {
        let mut python = Command::new("python3");
        python
            .args(["-c", "import libtmux"])
            .env("PYTHONPATH", path);
        python.stdout(Stdio::null()).stderr(Stdio::null());
        python.status().is_ok_and(|status| status.success())
    };
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("../target/python");
    if has(&own) {
        return;
    }
    let mut pip = Command::new("python3");
    pip.args(["-m", "pip", "install", "--quiet", "--target"]);
    pip.arg(&own).arg("libtmux");
    let _ = pip.stdout(Stdio::null()).stderr(Stdio::null()).status();
    if !has(&own) {
        println!("SKIPPED for want of libtmux: tools in Python that drive tmux");
    }
}

/// The package manager of this system, if we may use it.
fn usable_manager() -> Result<&'static Manager, String> {
    let Some(manager) = MANAGERS.iter().find(|manager| in_path(manager.program)) else {
        let known: Vec<_> = MANAGERS.iter().map(|manager| manager.name).collect();
        return Err(format!(
            "no package manager known to us ({})",
            known.join(", ")
        ));
    };
    if manager.needs_root && !is_root() && !sudo_asks_nothing() {
        return Err(format!(
            "{} needs root, and sudo asks for a password",
            manager.program
        ));
    }
    Ok(manager)
}

fn has_nextest() -> bool {
    // By cargo, which also searches its own installation directory.
    let mut nextest = cargo();
    nextest
        .args(["nextest", "--version"])
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    nextest.status().is_ok_and(|status| status.success())
}

fn is_root() -> bool {
    nix::unistd::geteuid().is_root()
}

fn sudo_asks_nothing() -> bool {
    let mut sudo = Command::new("sudo");
    sudo.args(["-n", "true"])
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    sudo.status().is_ok_and(|status| status.success())
}

fn in_path(program: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|folder| is_executable(&folder.join(program)))
}

fn is_executable(file: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    file.metadata()
        .is_ok_and(|meta| meta.is_file() && meta.permissions().mode() & 0o111 != 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packages_are_called_as_each_system_calls_them() {
        let vim = TOOLS.iter().find(|tool| tool.name == "vim").unwrap();
        let package = |name: &str| {
            vim.package(
                MANAGERS
                    .iter()
                    .find(|manager| manager.name == name)
                    .unwrap(),
            )
        };
        assert_eq!(package("dnf"), "vim-enhanced");
        assert_eq!(package("apt"), "vim");
    }

    #[test]
    fn every_odd_package_name_is_for_a_manager_we_know() {
        for (manager, package) in TOOLS.iter().flat_map(|tool| tool.packages) {
            assert!(
                MANAGERS.iter().any(|known| known.name == *manager),
                "{manager}: {package}"
            );
        }
    }

    #[test]
    fn programs_are_found_in_the_path() {
        assert!(in_path("sh"));
        assert!(!in_path("no-such-program-anywhere"));
    }

    #[test]
    fn strangers_on_the_command_line_are_refused() {
        let error = run(&["--fast".to_string()]).unwrap_err().to_string();
        assert!(error.contains("--fast"), "{error}");
    }
}
