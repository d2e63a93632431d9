//! The whole program in memory: real server, pretended PTYs and terminals, stopped clock.
//!
//! ```
//! use shellkeep_testkit::virtual_rig::Rig;
//!
//! let rig = Rig::new();
//! let ann = rig.attach((24, 80), &["new", "-s", "work"]);
//! rig.pty(0).says("$ ");
//! ann.keys("l s Enter");
//! assert_eq!(rig.pty(0).was_typed(), "ls\r");
//! assert_eq!(ann.text(), "$");
//! ```

mod client;
mod fake_pty;

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::rc::Rc;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use shellkeep_core::{PaneId, Size};
use shellkeep_keeper::host::Recovered;
use shellkeep_keeper::{
    Exit, Generation, Held, HostEvent, HostHandle, HostRequest, InputFile, ProcessId, SpawnRequest,
};
use shellkeep_proto::{FromClient, Role};
use shellkeep_server::{Acceptor, Birth, Ending, Parts, Running};
use tempfile::TempDir;
use tokio::runtime::Runtime;
use tokio::sync::mpsc;

pub use client::{Finished, VirtualClient};
pub use fake_pty::FakePty;

/// Process numbers of fake programs begin above the kernel's largest, or the server would look at a process of the machine.
const NO_PID: u32 = 1 << 23;

/// Longer than any timer of the server: after it, all that was going to happen has happened.
const LONG: Duration = Duration::from_millis(500);

/// A server in memory.
pub struct Rig {
    runtime: Rc<Runtime>,
    keeper: Arc<FakeKeeper>,
    server: RefCell<Option<Running>>,
    config: Option<String>,
    /// The environment it was started in, as `NAME=value`.
    environ: Vec<Vec<u8>>,
    /// Where its socket would be, if something has to be on disk there.
    dir: Option<TempDir>,
}

impl Rig {
    /// A server without a status line, so that a pane is as large as the terminal.
    #[must_use]
    pub fn new() -> Self {
        Self::with_config("")
    }

    /// A server with this configuration, and without a status line.
    #[must_use]
    pub fn with_config(text: &str) -> Self {
        // Last, so that lines are counted as they are written.
        Self::start(Some(format!("{text}\nset -g status off\n")), &[])
    }

    /// A server with this configuration and nothing else: as users have it.
    #[must_use]
    pub fn with_status(text: &str) -> Self {
        Self::start(Some(text.to_owned()), &[])
    }

    /// A server with this configuration, started where these variables were set, too.
    #[must_use]
    pub fn with_config_and_environment(text: &str, variables: &[&str]) -> Self {
        Self::start(Some(text.to_owned()), variables)
    }

    /// A server with this configuration and a directory on disk through which it and shells talk.
    #[must_use]
    pub fn with_shells(text: &str) -> Self {
        let dir = TempDir::with_prefix("skv").expect("a directory can be made");
        let config = format!("set -g status off\n{text}");
        Self::start_in(Some(config), &[], Some(dir))
    }

    fn start(config: Option<String>, variables: &[&str]) -> Self {
        Self::start_in(config, variables, None)
    }

    fn start_in(config: Option<String>, variables: &[&str], dir: Option<TempDir>) -> Self {
        let usual = ["SHELL=/bin/sh", "PATH=/bin"];
        let environ = usual.iter().chain(variables);
        let environ = environ.map(|entry| entry.as_bytes().to_vec()).collect();
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .start_paused(true)
            .build()
            .expect("a runtime can be built");
        let (runtime, keeper) = (Rc::new(runtime), Arc::new(FakeKeeper::default()));
        let rig = Self {
            runtime,
            keeper,
            server: RefCell::new(None),
            config,
            environ,
            dir,
        };
        rig.start_server();
        rig
    }

    fn start_server(&self) {
        let (host, requests) = HostHandle::channel();
        let (events, host_events) = mpsc::channel(256);
        let parts = Parts {
            host,
            host_events,
            recovered: self.keeper.recovered(),
            store: None,
            not_kept: None,
            environ: self.environ.clone(),
            config: self
                .config
                .clone()
                .map(|text| ("test.conf".to_owned(), Ok(text))),
            socket: match &self.dir {
                Some(dir) => dir.path().join("socket"),
                None => PathBuf::from("/virtual/socket"),
            },
            program: None,
            clock: || 1_000_000_000,
            timers: shellkeep_server::Timers::Runtime,
            idle: shellkeep_server::Idle::Stays,
            birth: Birth {
                cwd: b"/".to_vec(),
                umask: 0o22,
            },
            close_door: Box::new(|_| {}),
            // Nothing may depend on there being room.
            event_slots: 1,
        };
        let _inside = self.runtime.enter();
        let server = shellkeep_server::start(parts);
        tokio::spawn(self.keeper.clone().serve(requests, events));
        *self.server.borrow_mut() = Some(server);
        self.settle();
    }

    /// The server dies in the middle of whatever it does, and another takes over from the keeper.
    pub fn crash_server(&self) {
        if let Some(server) = self.server.borrow_mut().take() {
            server.ending.abort();
        }
        self.settle();
        self.start_server();
    }

    /// How the server has ended, if it has.
    pub fn ending(&self) -> Option<Ending> {
        // It waits a while for clients to go.
        self.pass(4 * LONG);
        let mut server = self.server.borrow_mut();
        let running = server
            .as_mut()
            .filter(|server| server.ending.is_finished())?;
        self.runtime.block_on(&mut running.ending).ok()
    }

    /// Lets everything happen that is going to happen by itself.
    pub fn settle(&self) {
        self.pass(LONG);
    }

    /// Lets this much time pass. No real time passes: the clock jumps when every task waits.
    pub fn pass(&self, time: Duration) {
        self.runtime
            .block_on(async { tokio::time::sleep(time).await });
    }

    /// Runs a command line, as if typed in a shell without a terminal.
    pub fn run(&self, argv: &[&str]) -> Finished {
        self.client(None).run(argv)
    }

    /// Runs a command line to its end, and lets nothing happen behind that.
    pub fn run_at_once(&self, argv: &[&str]) -> Finished {
        self.client(None).run_at_once(argv)
    }

    /// Runs a command line, as if typed in a shell in a pane.
    pub fn run_inside(&self, pane: &str, argv: &[&str]) -> Finished {
        let variables = [
            "SHELLKEEP=/virtual/socket,1,0",
            &format!("SHELLKEEP_PANE={pane}"),
        ];
        self.client(None).with_variables(&variables).run(argv)
    }

    /// Begins to run a command line.
    pub fn begin(&self, argv: &[&str]) -> VirtualClient {
        let client = self.client(None);
        client.start(argv);
        client
    }

    /// Runs a command line that reads this on its standard input.
    pub fn run_with_input(&self, argv: &[&str], input: impl AsRef<[u8]>) -> Finished {
        self.client(None).with_input(input).run(argv)
    }

    /// A client whose terminal has this many rows and columns, showing what the command shows.
    pub fn attach(&self, (rows, cols): (u16, u16), argv: &[&str]) -> VirtualClient {
        let client = self.client(Some(Size::new(rows, cols)));
        client.start(argv);
        self.settle();
        client
    }

    /// A client whose terminal answers nothing, and which has these variables in place of the usual ones.
    pub fn attach_mute(&self, argv: &[&str], variables: &[&str]) -> VirtualClient {
        let client = self.client(Some(Size::new(24, 80)));
        let client = client.mute().with_variables(variables);
        client.start(argv);
        self.settle();
        client
    }

    /// A client in control mode, with what its first command comes to.
    pub fn control(&self, argv: &[&str]) -> VirtualClient {
        let client = self.client(None);
        client.say(&FromClient::Role(Role {
            is_control: true,
            is_tmux: false,
        }));
        client.start(argv);
        client
    }

    fn client(&self, size: Option<Size>) -> VirtualClient {
        VirtualClient::connect(self.runtime.clone(), &self.acceptor(), size)
    }

    /// The server's door, for a test that speaks the protocol itself.
    pub fn acceptor(&self) -> Acceptor {
        self.server
            .borrow()
            .as_ref()
            .expect("a server runs")
            .acceptor
            .clone()
    }

    /// The runtime, for a test that speaks the protocol itself.
    #[must_use]
    pub fn runtime(&self) -> &Runtime {
        &self.runtime
    }

    /// The terminal of pane `number`.
    ///
    /// # Panics
    /// When there is none.
    pub fn pty(&self, number: u32) -> PtyHandle {
        self.settle();
        let (pty, process) = self
            .keeper
            .pty(PaneId(number))
            .unwrap_or_else(|| panic!("no pane %{number}"));
        PtyHandle {
            runtime: self.runtime.clone(),
            keeper: self.keeper.clone(),
            pane: PaneId(number),
            process,
            pty,
        }
    }

    /// The keeper says this, although nothing has happened to make it.
    pub fn keeper_says(&self, event: HostEvent) {
        self.keeper.say(&self.runtime, event);
        self.settle();
    }

    /// The keeper holds a terminal under this number: the one that it also holds for pane `same`, or another.
    ///
    /// # Panics
    /// When there is no such pane.
    pub fn keeper_holds(&self, number: u32, same: Option<u32>) {
        let held = match same {
            Some(same) => self.keeper.pty(PaneId(same)).expect("a pane"),
            None => {
                let process = ProcessId {
                    pid: NO_PID - 1,
                    generation: Generation::INHERITED,
                };
                (Arc::new(FakePty::new(Size::new(24, 80))), process)
            }
        };
        let mut inner = self.keeper.inner.lock().expect("no panic held it");
        inner.ptys.insert(PaneId(number), held);
    }

    /// Under which numbers programs were held that the keeper was told to end, in order.
    #[must_use]
    pub fn killed(&self) -> Vec<u32> {
        self.settle();
        let inner = self.keeper.inner.lock().expect("no panic held it");
        inner.killed.iter().map(|pane| pane.0).collect()
    }

    /// Whether pane `number` has a terminal.
    #[must_use]
    pub fn has_pty(&self, number: u32) -> bool {
        self.settle();
        self.keeper.pty(PaneId(number)).is_some()
    }

    /// What was asked to be started, in order.
    #[must_use]
    pub fn spawned(&self) -> Vec<SpawnRequest> {
        self.settle();
        self.keeper
            .inner
            .lock()
            .expect("no panic held it")
            .spawned
            .clone()
    }

    /// From now on programs cannot be started, for this reason.
    pub fn refuse_to_spawn(&self, reason: &str) {
        self.keeper.inner.lock().expect("no panic held it").refusal = Some(reason.to_owned());
    }
}

impl Default for Rig {
    fn default() -> Self {
        Self::new()
    }
}

/// A program, played by the test.
pub struct PtyHandle {
    runtime: Rc<Runtime>,
    keeper: Arc<FakeKeeper>,
    pane: PaneId,
    process: ProcessId,
    pty: Arc<FakePty>,
}

impl PtyHandle {
    /// The program prints this, and everybody who looks has seen it.
    pub fn says(&self, text: impl AsRef<[u8]>) -> &Self {
        self.pty.print(text.as_ref());
        self.settle();
        self
    }

    /// The program prints this, and the test goes on at once.
    pub fn begins_to_say(&self, text: impl AsRef<[u8]>) -> &Self {
        self.pty.print(text.as_ref());
        self
    }

    /// What was typed since the last call.
    #[must_use]
    pub fn was_typed(&self) -> String {
        self.settle();
        String::from_utf8_lossy(&self.pty.take_input()).into_owned()
    }

    /// The size the program knows.
    #[must_use]
    pub fn size(&self) -> Size {
        self.settle();
        self.pty.size()
    }

    /// The sizes the program was told since it began, in turn.
    #[must_use]
    pub fn was_told(&self) -> Vec<Size> {
        self.settle();
        self.pty.told()
    }

    /// The program reads only so many bytes more, until this is called again.
    pub fn reads_only(&self, bytes: usize) -> &Self {
        self.pty.set_room(bytes);
        self.settle();
        self
    }

    /// The program ends.
    pub fn exits(&self, status: i32) {
        let event = HostEvent::Exited {
            pane: self.pane,
            process: self.process(),
            exit: Exit::Status(status),
        };
        self.keeper.say(&self.runtime, event);
        self.settle();
    }

    /// The program's process, as a server that runs now knows it.
    #[must_use]
    pub fn process(&self) -> ProcessId {
        match self.keeper.pty(self.pane) {
            Some((pty, process)) if Arc::ptr_eq(&pty, &self.pty) => process,
            _ => self.process,
        }
    }

    fn settle(&self) {
        self.runtime
            .block_on(async { tokio::time::sleep(LONG).await });
    }
}

/// Plays the keeper.
#[derive(Default)]
struct FakeKeeper {
    inner: Mutex<KeeperState>,
}

#[derive(Default)]
struct KeeperState {
    ptys: BTreeMap<PaneId, (Arc<FakePty>, ProcessId)>,
    inputs: BTreeMap<PaneId, Arc<InputFile>>,
    notes: BTreeMap<String, Vec<u8>>,
    spawned: Vec<SpawnRequest>,
    killed: Vec<PaneId>,
    refusal: Option<String>,
    events: Option<mpsc::Sender<HostEvent>>,
}

impl FakeKeeper {
    fn say(&self, runtime: &Runtime, event: HostEvent) {
        let events = self.inner.lock().expect("no panic held it").events.clone();
        if let Some(events) = events {
            runtime.block_on(async {
                let _ = events.send(event).await;
            });
        }
    }

    fn pty(&self, pane: PaneId) -> Option<(Arc<FakePty>, ProcessId)> {
        self.inner
            .lock()
            .expect("no panic held it")
            .ptys
            .get(&pane)
            .cloned()
    }

    fn recovered(&self) -> Recovered {
        let mut inner = self.inner.lock().expect("no panic held it");
        for (_, process) in inner.ptys.values_mut() {
            process.generation = Generation::INHERITED;
        }
        let panes = inner
            .ptys
            .iter()
            .map(|(pane, (pty, process))| held(*pane, *process, pty.clone()));
        Recovered {
            panes: panes.collect(),
            inputs: inner.inputs.clone(),
            notes: inner.notes.clone(),
        }
    }

    async fn serve(
        self: Arc<Self>,
        mut requests: mpsc::UnboundedReceiver<HostRequest>,
        events: mpsc::Sender<HostEvent>,
    ) {
        self.inner.lock().expect("no panic held it").events = Some(events.clone());
        while let Some(request) = requests.recv().await {
            if let Some(event) = self.obey(request)
                && events.send(event).await.is_err()
            {
                return;
            }
        }
    }

    fn obey(&self, request: HostRequest) -> Option<HostEvent> {
        let mut inner = self.inner.lock().expect("no panic held it");
        match request {
            HostRequest::Spawn { generation, spawn } => {
                let pane = spawn.pane;
                inner.spawned.push(spawn.clone());
                if let Some(reason) = inner.refusal.clone() {
                    return Some(HostEvent::SpawnFailed {
                        pane,
                        generation,
                        reason,
                    });
                }
                let pty = Arc::new(FakePty::new(spawn.size));
                // The same pid for every program of a pane: only the generation tells them apart.
                let pid = NO_PID + pane.0;
                let process = ProcessId { pid, generation };
                inner.ptys.insert(pane, (pty.clone(), process));
                return Some(HostEvent::Held(held(pane, process, pty)));
            }
            HostRequest::Close(pane) => {
                inner.ptys.remove(&pane);
            }
            HostRequest::End { pane, .. } => {
                inner.killed.push(pane);
                inner.ptys.remove(&pane);
            }
            HostRequest::Remember { key, value } if value.is_empty() => {
                inner.notes.remove(&key);
            }
            HostRequest::Remember { key, value } => {
                inner.notes.insert(key, value);
            }
            HostRequest::Deliver(delivery) => {
                // Input may be answered at once by a program that asks for the rig.
                drop(inner);
                delivery.carry_out();
            }
            HostRequest::HoldInput { pane, file } => {
                inner.inputs.insert(pane, file);
            }
            HostRequest::ForgetInput(pane) => {
                inner.inputs.remove(&pane);
            }
            // It is found without a socket.
            HostRequest::Listen | HostRequest::HandOver(_) => {}
            HostRequest::Shutdown => {
                inner.ptys.clear();
                inner.inputs.clear();
                inner.notes.clear();
            }
        }
        None
    }
}

fn held(pane: PaneId, process: ProcessId, pty: Arc<FakePty>) -> Held {
    Held {
        pane,
        process,
        tty: format!("/dev/pts/{}", pane.0),
        pty,
        exit: None,
    }
}
