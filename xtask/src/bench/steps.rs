//! `cargo xtask steps`: what the server does for one key and its echo, one instruction after the other.
//!
//! No clock is noisy enough to change these figures. `link/near.ld` is made from the list: what is run and lies far from the rest
//! is marked there.

use std::collections::{BTreeMap, HashMap};
use std::path::Path;
use std::process::{Command, ExitCode};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use nix::sys::ptrace;
use nix::sys::wait::{WaitPidFlag, WaitStatus, waitpid};
use nix::unistd::Pid;

use super::sandbox::Sandbox;
use super::subject::Subject;
use super::terminal::Terminal;

/// A server that has not done anything for so long has done all there is to do.
const QUIET: Duration = Duration::from_millis(200);

/// An end to what is taken down.
const MOST: usize = 2_000_000;

/// `syscall`, as the processor reads it.
const SYSCALL: i64 = 0x050f;

/// Runs the chore.
pub(crate) fn run(args: &[String]) -> Result<ExitCode> {
    let (is_first, args) = match args {
        [flag, rest @ ..] if flag == "--first" => (true, rest),
        _ => (false, args),
    };
    let program = match args {
        [] => crate::cargo::build_program(true)?,
        [flag, path] if flag == "--bin" => path.into(),
        _ => bail!("usage: cargo xtask steps [--first] [--bin PATH]"),
    };
    let functions = Functions::of(&program)?;
    let sandbox = Sandbox::new(None)?;
    let subject = Subject::new("shellkeep", &program, &sandbox)?;
    subject.reset()?;
    subject.new_session("typing", "printf 'here: '; exec cat")?;
    let mut terminal = subject.call_in_terminal(&["attach-session", "-t", "typing"])?;
    terminal.wait_for_screen("the screen is painted", |screen| {
        screen.contents().starts_with("here:")
    })?;
    // Some keys first, mostly: what is done but once is another matter.
    let before = if is_first { 0 } else { 3 };
    for count in 0..before {
        type_key(&mut terminal, count)?;
    }
    subject.settle()?;
    let server = *subject
        .server_processes()?
        .first()
        .context("there is no server")?;
    let steps = step_through(server, || type_key(&mut terminal, before))?;
    print!("{}", report(&steps, &functions));
    Ok(ExitCode::SUCCESS)
}

/// Types a key behind so many others, and waits for its echo.
fn type_key(terminal: &mut Terminal, others: usize) -> Result<()> {
    let column = u16::try_from("here: ".len() + others)?;
    let key = "k";
    terminal.press(key)?;
    terminal
        .wait_for_screen("the key is echoed", |screen| {
            let cell = screen.cell(0, column);
            cell.is_some_and(|cell| cell.contents() == key)
        })
        .map(drop)
}

/// One instruction.
struct Step {
    address: u64,
    /// The call of the system that it is.
    call: Option<u64>,
}

/// Takes down every instruction of a process from the moment at which `act` begins.
fn step_through(pid: Pid, act: impl FnOnce() -> Result<()> + Send) -> Result<Vec<Step>> {
    ptrace::attach(pid).with_context(|| format!("cannot trace process {pid}"))?;
    ensure!(
        matches!(waitpid(pid, None)?, WaitStatus::Stopped(..)),
        "process {pid} did not stop"
    );
    ptrace::step(pid, None)?;
    // It goes back to sleep first: being stopped has woken it.
    take_down(pid, || false)?;
    std::thread::scope(|scope| {
        let acting = scope.spawn(act);
        let steps = take_down(pid, || acting.is_finished())?;
        match acting.join() {
            Ok(acted) => acted.map(|()| steps),
            Err(_) => bail!("the one who types has panicked"),
        }
    })
}

/// Goes on step by step until the process sleeps for a while, or enough is seen.
fn take_down(pid: Pid, is_enough: impl Fn() -> bool) -> Result<Vec<Step>> {
    let mut steps = Vec::new();
    let mut is_call = HashMap::new();
    while steps.len() < MOST {
        if !stops(pid)? || is_enough() {
            return Ok(steps);
        }
        let registers = ptrace::getregs(pid)?;
        let address = registers.rip;
        let is_call = *is_call.entry(address).or_insert_with(|| {
            let word = ptrace::read(pid, address as ptrace::AddressType);
            word.is_ok_and(|word| word & 0xffff == SYSCALL)
        });
        steps.push(Step {
            address,
            call: is_call.then_some(registers.rax),
        });
        ptrace::step(pid, None)?;
    }
    bail!("the server does not fall asleep")
}

/// Waits until the process has made its step; false if it sleeps instead.
fn stops(pid: Pid) -> Result<bool> {
    let begun = Instant::now();
    loop {
        match waitpid(pid, Some(WaitPidFlag::WNOHANG))? {
            WaitStatus::Stopped(..) => return Ok(true),
            WaitStatus::StillAlive if begun.elapsed() > QUIET => return Ok(false),
            WaitStatus::StillAlive => std::hint::spin_loop(),
            other => bail!("the server has ended: {other:?}"),
        }
    }
}

/// The functions of a program, by their addresses.
struct Functions {
    names: BTreeMap<u64, String>,
    /// What the linker has put together, from here to there.
    near: Option<(u64, u64)>,
}

impl Functions {
    fn of(program: &Path) -> Result<Self> {
        let list = crate::cargo::output_of(Command::new("nm").arg("--demangle").arg(program))?;
        let sections = crate::cargo::output_of(Command::new("readelf").arg("-SW").arg(program))?;
        Ok(Self {
            names: list.lines().filter_map(function).collect(),
            near: sections.lines().find_map(near_section),
        })
    }

    /// What an address belongs to: a function of the program, or something that it has loaded.
    fn name(&self, address: u64) -> &str {
        let is_loaded = self
            .names
            .keys()
            .next_back()
            .is_none_or(|last| address > last + (1 << 20));
        let found = self.names.range(..=address).next_back();
        match found {
            Some((_, name)) if !is_loaded => name,
            _ => "(the system's libraries)",
        }
    }

    /// Whether it lies with the others that are run for a key.
    fn is_near(&self, address: u64) -> bool {
        self.near
            .is_some_and(|(from, to)| (from..to).contains(&address))
    }
}

/// A line of `nm` that names a function.
fn function(line: &str) -> Option<(u64, String)> {
    let mut words = line.splitn(3, ' ');
    let address = u64::from_str_radix(words.next()?, 16).ok()?;
    let kind = words.next()?;
    let name = words.next()?;
    "tTwW".contains(kind).then(|| (address, name.to_owned()))
}

/// The line of `readelf` about our own section: its address and the end of it.
fn near_section(line: &str) -> Option<(u64, u64)> {
    let (_, rest) = line.split_once("] .text.near ")?;
    let mut numbers = rest.split_whitespace().skip(1);
    let address = u64::from_str_radix(numbers.next()?, 16).ok()?;
    let size = u64::from_str_radix(numbers.nth(1)?, 16).ok()?;
    Some((address, address + size))
}

/// What was run between two calls of the system, function by function in their order.
fn report(steps: &[Step], functions: &Functions) -> String {
    let mut text = String::new();
    let mut piece = Piece::default();
    for step in steps {
        piece.add(step.address, functions);
        if let Some(call) = step.call {
            text.push_str(&std::mem::take(&mut piece).text());
            text.push_str(&format!("-- call {call}\n"));
        }
    }
    text.push_str(&piece.text());
    let lines: std::collections::HashSet<_> = steps.iter().map(|step| step.address >> 6).collect();
    text.push_str(&format!(
        "{} instructions in {} lines of 64 bytes\n",
        steps.len(),
        lines.len()
    ));
    text
}

/// What was run between two calls of the system.
#[derive(Default)]
struct Piece {
    total: usize,
    order: Vec<String>,
    counts: HashMap<String, (usize, bool)>,
}

impl Piece {
    fn add(&mut self, address: u64, functions: &Functions) {
        self.total += 1;
        let name = functions.name(address);
        if let Some((count, _)) = self.counts.get_mut(name) {
            *count += 1;
            return;
        }
        self.order.push(name.to_owned());
        let is_near = functions.is_near(address);
        self.counts.insert(name.to_owned(), (1, is_near));
    }

    fn text(self) -> String {
        let mut text = String::new();
        for name in &self.order {
            let (count, is_near) = self.counts[name];
            let mark = if is_near { ' ' } else { '*' };
            text.push_str(&format!("{count:>7} {mark} {name}\n"));
        }
        text.push_str(&format!("{:>7}\n", self.total));
        text
    }
}
