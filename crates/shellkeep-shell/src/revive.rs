//! Starting a shell that slept.

use std::fs;
use std::io;
use std::path::Path;

use crate::bash;
use crate::fish;
use crate::gate::{self, Gate};
use crate::launch::Launch;
use crate::pieces::{MAIN, Pieces};
use crate::report::Report;
use crate::request::parse_line;
use crate::shell::Shell;
use crate::spare::{Change, Spare};
use crate::state::{State, StateError};
use crate::zsh;

/// Whether the user's own files run before the state is put on top of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunRc {
    /// They do not: what they set up is in the state. Faster, and nothing they do happens twice. Of fish's, only the system's own
    /// `config.fish` runs even so, and all of them in a fish that has no universal variables yet.
    Off,
    /// They do, for who wants what changed in them meanwhile.
    On,
}

/// Whether the shell waits for a key after its first prompt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LineKey {
    Needed,
    /// And for the one that has vi's keys read as commands.
    NeededForCommands,
    None,
}

impl LineKey {
    /// A half-typed line needs one.
    pub(crate) fn from(state: &State) -> Self {
        let line = parse_line(state.section("line"));
        match line.is_some_and(|line| !line.text.is_empty()) {
            true => Self::Needed,
            false => Self::None,
        }
    }
}

/// How a shell begins that comes back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Begins {
    /// It is started.
    Anew,
    /// It has read what is the same for all, and waits for the rest.
    Waiting,
    /// It waits, and has read of this very state what it can do ahead.
    Informed,
}

/// What is read when the prompt is there, by one or the other shell.
#[derive(Debug)]
pub(crate) enum Later {
    Bash(bash::Later),
    Zsh(zsh::Later),
}

impl Later {
    /// The first prompt may ask for it all the same.
    fn is_urgent(&self) -> bool {
        match self {
            Self::Bash(later) => later.is_urgent,
            Self::Zsh(_) => false,
        }
    }

    pub(crate) fn write(&self, state: &State, pieces: &mut Pieces) -> io::Result<()> {
        match self {
            Self::Bash(later) => later.write(state, pieces),
            Self::Zsh(later) => later.write(state, pieces),
        }
    }
}

/// A shell about to come back.
#[derive(Debug)]
pub struct Revival {
    /// What to start; `SHELLKEEP_SHELL_DIR` is the caller's to add, as for any shell.
    pub launch: Launch,
    /// Where a shell that was started early waits: for the caller to open when he is ready to hear of its prompt.
    pub gate: Option<Gate>,
    /// Bytes for the PTY after the first OSC 133;B: they put the half-typed line back, and have bash and zsh read what their prompt could
    /// do without.
    pub line_key: Option<&'static [u8]>,
    /// What is to return.
    pub report: Report,
    /// What is to be written while a shell that waited comes to its prompt.
    pub(crate) later: Option<(Later, State)>,
    /// Keys that need not wait for that.
    pub(crate) plain: zsh::Plain,
    pub(crate) pieces: Pieces,
    pub(crate) expected: &'static [&'static str],
}

impl Revival {
    /// Writes what a shell in which everything was ready reads behind its prompt. For the caller to do when he has opened its gate,
    /// and before he sends [`Self::line_key`]; what is not there by then is missed.
    ///
    /// # Errors
    /// When files cannot be written.
    pub fn finish(&mut self) -> io::Result<()> {
        if let Some((later, state)) = self.later.take() {
            later.write(&state, &mut self.pieces)?;
        }
        self.pieces.move_beside()
    }

    /// How much of what was typed meanwhile may go to the PTY before [`Self::line_key`], so that it is echoed at once: keys that only
    /// insert themselves, whatever is read when that key comes.
    #[must_use]
    pub fn goes_first(&self, typed: &[u8]) -> usize {
        self.plain.leading(typed)
    }

    /// After the first prompt: the parts of the state that did not load, by name. Empty if all is well.
    #[must_use]
    pub fn missing(&self) -> Vec<String> {
        let done = shellkeep_files::read_text(&self.pieces.dir().join("done")).unwrap_or_default();
        let done: Vec<&str> = done.split_whitespace().collect();
        let expected = self.expected.iter().filter(|name| !done.contains(name));
        let functions = done.iter().filter_map(|name| name.strip_prefix('!'));
        let functions = functions.map(|name| format!("the function {name}"));
        expected
            .map(|name| (*name).to_owned())
            .chain(functions)
            .collect()
    }

    /// Removes the files the shell was put together from.
    pub fn clean(self) {
        gate::release(&self.pieces.main());
        let _ = fs::remove_dir_all(self.pieces.root());
    }
}

/// Has a shell leave that was started early and cannot be put together after all. Waits for it to come that far.
pub fn turn_away(pane_dir: &Path) {
    let _ = Gate::at(Pieces::within(pane_dir).join(MAIN)).open();
}

/// What is called when a shell can be started, before all that it is to run is written.
pub type Early<'a> = &'a mut dyn FnMut(&Launch);

/// What is asked for a shell that waits already, and can become the one that would be started so.
pub type Find<'a> = &'a mut dyn FnMut(&Launch) -> Option<(Spare, Change)>;

/// How a shell may begin other than by being started when all that it is to run is written.
#[derive(Default)]
pub struct Begin<'a> {
    /// By letting one through that waits.
    pub find: Option<Find<'a>>,
    /// By being started before that, to wait at a gate of its own. A bash can.
    pub early: Option<Early<'a>>,
}

/// How to start `program` as the shell whose state this is, as [`State::encode`] wrote it. Scripts go to `scripts`, as in
/// [`crate::prepare`]; the pieces to `pane_dir`, which is the directory the pane's shell is told of. A shell that has begun is let
/// through by [`Revival::gate`]; if this fails after that, one that was started early by [`turn_away`].
///
/// # Errors
/// When the state cannot be read or is another shell's, or files cannot be written.
pub fn revive(
    program: &Path,
    encoded: &[u8],
    scripts: &Path,
    pane_dir: &Path,
    run_rc: RunRc,
    begin: Begin<'_>,
) -> Result<Revival, StateError> {
    let state = decode(program, encoded)?;
    let launch = relaunch(program, &state, scripts, pane_dir, run_rc)?;
    let found = begin.find.and_then(|find| find(&launch));
    let mut pieces = match &found {
        Some((spare, _)) => Pieces::of_spare(spare.dir(), pane_dir),
        None => Pieces::new(pane_dir)?,
    };
    let mut gate = found.as_ref().map(|_| Gate::at(pieces.main()));
    if let Some(early) = begin.early
        && gate.is_none()
        && state.shell() == Shell::Bash
    {
        gate = Some(Gate::new(pieces.main())?);
        early(&launch);
    }
    let begins = match &found {
        Some((spare, _)) => spare.begins(encoded),
        None => Begins::Anew,
    };
    let together = put_together(&state, scripts, &mut pieces, run_rc, begins)?;
    if let Some(seen) = &together.seen {
        seen.write(&pieces)?;
    }
    pieces.move_beside()?;
    let change = found.as_ref().map(|(_, change)| change);
    let before = change.map(|change| begin_spare(state.shell(), change, &pieces));
    let script = [before.unwrap_or_default(), together.script].concat();
    match &mut gate {
        Some(gate) => gate.give(script),
        None if script.is_empty() => {}
        None => pieces.write(MAIN, &script)?,
    }
    let is_urgent = together.later.as_ref().is_some_and(Later::is_urgent);
    let mut revival = Revival {
        launch,
        gate,
        line_key: together.line_key,
        report: state.report(),
        later: together.later.map(|later| (later, state)),
        plain: together.plain,
        pieces,
        expected: together.expected,
    };
    // One that has to start first takes longer than this.
    if found.is_none() || is_urgent {
        revival.finish()?;
    }
    Ok(revival)
}

/// A state that a program may have.
pub(crate) fn decode(program: &Path, state: &[u8]) -> Result<State, StateError> {
    let state = State::decode(state)?;
    match Shell::of(program) == Some(state.shell()) {
        true => Ok(state),
        false => Err(StateError::OtherShell {
            shell: state.shell().name(),
            has_line: state.report().has_line,
        }),
    }
}

/// How a shell that slept is started.
pub(crate) fn relaunch(
    program: &Path,
    state: &State,
    scripts: &Path,
    pane_dir: &Path,
    run_rc: RunRc,
) -> io::Result<Launch> {
    let dir = Pieces::within(pane_dir);
    match state.shell() {
        Shell::Bash => Ok(bash::relaunch(program, state, &dir, run_rc)),
        Shell::Zsh => zsh::relaunch(program, state, scripts, &dir, run_rc),
        Shell::Fish => fish::relaunch(program, state, scripts, &dir, run_rc),
    }
}

/// A shell whose pieces are written, but for those that are read behind its prompt.
pub(crate) struct Together {
    /// What it runs; none if it finds its pieces by itself.
    pub(crate) script: Vec<u8>,
    /// To be written when it comes.
    pub(crate) seen: Option<bash::Seen>,
    pub(crate) later: Option<Later>,
    pub(crate) line_key: Option<&'static [u8]>,
    pub(crate) plain: zsh::Plain,
    pub(crate) expected: &'static [&'static str],
}

/// Writes the pieces of a shell.
pub(crate) fn put_together(
    state: &State,
    scripts: &Path,
    pieces: &mut Pieces,
    run_rc: RunRc,
    begins: Begins,
) -> io::Result<Together> {
    if run_rc == RunRc::On && state.shell() == Shell::Fish {
        pieces.write("run-rc", b"")?;
    }
    let mut line_key = LineKey::from(state);
    let mut together = Together {
        script: Vec::new(),
        seen: None,
        later: None,
        line_key: None,
        plain: zsh::Plain::default(),
        expected: fish::PIECES,
    };
    match state.shell() {
        Shell::Bash => {
            let revived = bash::revive(state, scripts, pieces, run_rc, begins)?;
            line_key = revived.line_key;
            together.script = revived.script;
            together.seen = Some(revived.seen);
            together.later = revived.later.map(Later::Bash);
            together.expected = bash::PIECES;
        }
        Shell::Zsh => {
            let later = zsh::revive(state, pieces, run_rc)?;
            line_key = LineKey::Needed;
            if begins != Begins::Anew {
                together.script = zsh::let_through();
            }
            together.later = Some(Later::Zsh(later));
            if run_rc == RunRc::Off {
                together.plain = zsh::Plain::of(state);
            }
            together.expected = zsh::PIECES;
        }
        Shell::Fish => {
            fish::write(state, pieces.dir())?;
            if begins != Begins::Anew {
                together.script = fish::let_through(begins);
            }
        }
    }
    together.line_key = match line_key {
        LineKey::Needed => Some(state.shell().put_key()),
        LineKey::NeededForCommands => Some(bash::PUT_FOR_COMMANDS),
        LineKey::None => None,
    };
    Ok(together)
}

/// What a spare shell runs before anything else.
pub(crate) fn begin_spare(shell: Shell, change: &Change, pieces: &Pieces) -> Vec<u8> {
    match shell {
        Shell::Bash => bash::begin_spare(change, pieces),
        Shell::Zsh => zsh::begin_spare(change, pieces),
        Shell::Fish => fish::begin_spare(change, pieces),
    }
}
