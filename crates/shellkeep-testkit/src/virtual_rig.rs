//! The whole program in memory: the real server, fake PTYs and terminals, and a stopped clock.
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

/// Process ids of fake programs are above the kernel's largest, because the server would otherwise look at real
/// processes.
const NO_PID: u32 = 1 << 23;

/// Longer than any timer of the server: after this, everything that would happen by itself has happened.
const LONG: Duration = Duration::from_millis(500);

/// A server in memory.
pub struct Rig {
    runtime: Rc<Runtime>,
    keeper: Arc<FakeKeeper>,
    server: RefCell<Option<Running>>,
    config: Option<String>,
    /// The environment in which it was started, as `NAME=value`.
    environ: Vec<Vec<u8>>,
    /// The directory of its socket, if something has to be on disk there.
    dir: Option<TempDir>,
}

impl Rig {
    /// A server without a status line, so that a pane has the size of the terminal.
    #[must_use]
    pub fn new() -> Self {
        Self::with_config("")
    }

    /// A server with this configuration, and without a status line.
    #[must_use]
    pub fn with_config(text: &str) -> Self {
        // At the end, so that line numbers in error messages are those of the text.
        Self::start(Some(format!("{text}\nset -g status off\n")), &[])
    }

    /// A server with only this configuration, as users have it.
    #[must_use]
    pub fn with_status(text: &str) -> Self {
        Self::start(Some(text.to_owned()), &[])
    }

    /// A server with this configuration, started with these additional environment variables.
    #[must_use]
    pub fn with_config_and_environment(text: &str, variables: &[&str]) -> Self {
        Self::start(Some(text.to_owned()), variables)
    }

    /// A server with this configuration, and a directory on disk through which it communicates with shells.
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
            socket: self.socket(),
            program: None,
            clock: || 1_000_000_000,
            timers: shellkeep_server::Timers::Runtime,
            idle: shellkeep_server::Idle::Stays,
            birth: Birth {
                cwd: b"/".to_vec(),
                umask: 0o22,
            },
            close_door: Box::new(|_| {}),
            // The smallest queue, because nothing may depend on a larger one.
            event_slots: 1,
        };
        let _inside = self.runtime.enter();
        let server = shellkeep_server::start(parts);
        tokio::spawn(self.keeper.clone().serve(requests, events));
        *self.server.borrow_mut() = Some(server);
        self.settle();
    }

    /// Where the server's socket would be; beside it lies what it and shells talk through.
    #[must_use]
    pub fn socket(&self) -> PathBuf {
        match &self.dir {
            Some(dir) => dir.path().join("socket"),
            None => PathBuf::from("/virtual/socket"),
        }
    }

    /// The server dies in the middle of its work, and another one takes over from the keeper.
    pub fn crash_server(&self) {
        if let Some(server) = self.server.borrow_mut().take() {
            server.ending.abort();
        }
        self.settle();
        self.start_server();
    }

    /// How the server has ended, if it has.
    pub fn ending(&self) -> Option<Ending> {
        // It waits a while for clients to leave.
        self.pass(4 * LONG);
        let mut server = self.server.borrow_mut();
        let running = server
            .as_mut()
            .filter(|server| server.ending.is_finished())?;
        self.runtime.block_on(&mut running.ending).ok()
    }

    /// Lets everything happen that happens by itself.
    pub fn settle(&self) {
        self.pass(LONG);
    }

    /// Lets time pass. This takes no real time: the clock advances when every task waits.
    pub fn pass(&self, time: Duration) {
        self.runtime
            .block_on(async { tokio::time::sleep(time).await });
    }

    /// Runs a command line, as if typed in a shell without a terminal.
    pub fn run(&self, argv: &[&str]) -> Finished {
        self.client(None).run(argv)
    }

    /// Runs a command line to its end, and lets nothing happen afterwards.
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

    /// Runs a command line where these variables are set in place of the usual ones.
    pub fn run_with_variables(&self, argv: &[&str], variables: &[&str]) -> Finished {
        self.client(None).with_variables(variables).run(argv)
    }

    /// Begins to run a command line.
    /// Starts a command line.
    pub fn begin(&self, argv: &[&str]) -> VirtualClient {
        let client = self.client(None);
        client.start(argv);
        client
    }

    /// Runs a command line that reads this on its standard input.
    pub fn run_with_input(&self, argv: &[&str], input: impl AsRef<[u8]>) -> Finished {
        self.client(None).with_input(input).run(argv)
    }

    /// A client whose terminal has this size, running this command.
    pub fn attach(&self, (rows, cols): (u16, u16), argv: &[&str]) -> VirtualClient {
        let client = self.client(Some(Size::new(rows, cols)));
        client.start(argv);
        self.settle();
        client
    }

    /// A client whose terminal replies to nothing, with these variables instead of the usual ones.
    pub fn attach_mute(&self, argv: &[&str], variables: &[&str]) -> VirtualClient {
        let client = self.client(Some(Size::new(24, 80)));
        let client = client.mute().with_variables(variables);
        client.start(argv);
        self.settle();
        client
    }

    /// A client in control mode, after its first command has ended.
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

    /// Where clients connect, for a test that uses the protocol itself.
    pub fn acceptor(&self) -> Acceptor {
        self.server
            .borrow()
            .as_ref()
            .expect("a server runs")
            .acceptor
            .clone()
    }

    /// The runtime, for a test that uses the protocol itself.
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

    /// Delivers an event of the keeper without a cause.
    pub fn keeper_says(&self, event: HostEvent) {
        self.keeper.say(&self.runtime, event);
        self.settle();
    }

    /// Makes the keeper hold a terminal under this number: the one of pane `same`, or another one.
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

    /// The numbers of the programs that the keeper was told to end, in order.
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

    /// The programs that were to be started, in order.
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

    /// From now on, starting a program fails for this reason.
    pub fn refuse_to_spawn(&self, reason: &str) {
        self.keeper.inner.lock().expect("no panic held it").refusal = Some(reason.to_owned());
    }
}

impl Default for Rig {
    fn default() -> Self {
        Self::new()
    }
}

/// A program that the test controls.
pub struct PtyHandle {
    runtime: Rc<Runtime>,
    keeper: Arc<FakeKeeper>,
    pane: PaneId,
    process: ProcessId,
    pty: Arc<FakePty>,
}

impl PtyHandle {
    /// The program prints this, and all clients have shown it when this returns.
    pub fn says(&self, text: impl AsRef<[u8]>) -> &Self {
        self.pty.print(text.as_ref());
        self.settle();
        self
    }

    /// The program prints this, and the test continues at once.
    pub fn begins_to_say(&self, text: impl AsRef<[u8]>) -> &Self {
        self.pty.print(text.as_ref());
        self
    }

    /// The input since the last call.
    #[must_use]
    pub fn was_typed(&self) -> String {
        self.settle();
        String::from_utf8_lossy(&self.pty.take_input()).into_owned()
    }

    #[must_use]
    pub fn size(&self) -> Size {
        self.settle();
        self.pty.size()
    }

    /// All sizes of its terminal since it was started, in order.
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

    /// The program's process as the present server knows it.
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
                // All programs of a pane have the same pid, so that only the generation distinguishes them.
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
                // Dropped first, because a program may reply to input at once, and needs the rig for it.
                drop(inner);
                delivery.carry_out();
            }
            HostRequest::HoldInput { pane, file } => {
                inner.inputs.insert(pane, file);
            }
            HostRequest::ForgetInput(pane) => {
                inner.inputs.remove(&pane);
            }
            // The fake keeper needs no socket.
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
