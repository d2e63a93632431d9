//! A client with an emulator as its terminal.
#![expect(
    clippy::await_holding_refcell_ref,
    reason = "there is one thread, and no other borrow is alive"
)]

use std::cell::RefCell;
use std::rc::Rc;
use std::time::Duration;

use shellkeep_core::key::Key;
use shellkeep_core::{SessionId, Size};
use shellkeep_proto::{
    Context, FrameDecoder, FromClient, FromServer, Hello, Leave, RunRequest, Terminal,
};
use shellkeep_server::Acceptor;
use shellkeep_term::key::encode_key;
use shellkeep_term::{ClipboardAction, Config, Effect, Emulator, Modes};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _, DuplexStream, duplex};
use tokio::runtime::Runtime;

use crate::real::{Screen, at_least_one};

/// The result of a command.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Finished {
    /// Its standard output.
    pub stdout: String,
    /// Its standard error.
    pub stderr: String,
    /// Its exit status, if it has ended.
    pub status: Option<u8>,
}

/// A connection to the server, with or without a terminal.
pub struct VirtualClient {
    runtime: Rc<Runtime>,
    inner: RefCell<Inner>,
}

struct Inner {
    stream: DuplexStream,
    decoder: FrameDecoder,
    terminal: Option<Emulator>,
    /// The same screen in an independent emulator, for comparisons.
    screen: Option<vt100::Parser>,
    /// The result of its command so far.
    finished: Finished,
    session: Option<SessionId>,
    left: Option<Leave>,
    is_stopped: bool,
    /// The commands of lock requests.
    locks: Vec<String>,
    /// Its standard input.
    stdin: Vec<u8>,
    /// The last text that was put into the terminal's clipboard.
    clipboard: Option<Vec<u8>>,
    frames: usize,
    bytes: usize,
    is_closed: bool,
    is_mute: bool,
    environ: Vec<Vec<u8>>,
}

impl VirtualClient {
    pub(super) fn connect(runtime: Rc<Runtime>, acceptor: &Acceptor, size: Option<Size>) -> Self {
        // The size of a socket's buffer.
        let (ours, theirs) = duplex(200 << 10);
        let (reader, writer) = tokio::io::split(theirs);
        {
            let _inside = runtime.enter();
            acceptor.accept(reader, writer);
        }
        let inner = Inner {
            stream: ours,
            decoder: FrameDecoder::default(),
            terminal: size.map(|size| Emulator::new(size, Config::default())),
            screen: size.map(|size| {
                vt100::Parser::new(at_least_one(size.rows()), at_least_one(size.cols()), 0)
            }),
            finished: Finished::default(),
            session: None,
            left: None,
            is_stopped: false,
            locks: Vec::new(),
            stdin: Vec::new(),
            clipboard: None,
            frames: 0,
            bytes: 0,
            is_closed: false,
            is_mute: false,
            environ: vec![
                b"TERM=xterm-256color".to_vec(),
                b"COLORTERM=truecolor".to_vec(),
            ],
        };
        let client = Self {
            runtime,
            inner: RefCell::new(inner),
        };
        client.runtime.block_on(async {
            let mut inner = client.inner.borrow_mut();
            inner
                .stream
                .write_all(&Hello::ours().encode())
                .await
                .expect("the server reads");
            inner.hear_hello().await;
        });
        client
    }

    /// Runs a command to its end.
    ///
    /// # Panics
    /// When it does not end.
    pub fn run(&self, argv: &[&str]) -> Finished {
        self.inner.borrow_mut().finished = Finished::default();
        self.start(argv);
        self.settle();
        let finished = self.inner.borrow().finished.clone();
        assert!(
            finished.status.is_some(),
            "{argv:?} did not end: {finished:?}"
        );
        finished
    }

    /// Runs a command to its end, and lets nothing happen afterwards.
    pub fn run_at_once(&self, argv: &[&str]) -> Finished {
        self.inner.borrow_mut().finished = Finished::default();
        self.start(argv);
        self.runtime.block_on(async {
            let mut inner = self.inner.borrow_mut();
            while !inner.is_closed && inner.finished.status.is_none() {
                inner.receive().await;
            }
        });
        self.inner.borrow().finished.clone()
    }

    /// Makes its terminal reply to nothing.
    pub(super) fn mute(mut self) -> Self {
        self.inner.get_mut().is_mute = true;
        self
    }

    /// Replaces its usual variables.
    pub(super) fn with_variables(mut self, variables: &[&str]) -> Self {
        let variables = variables.iter().map(|it| it.as_bytes().to_vec());
        self.inner.get_mut().environ = variables.collect();
        self
    }

    /// Sets its standard input.
    #[must_use]
    pub fn with_input(self, input: impl AsRef<[u8]>) -> Self {
        self.inner.borrow_mut().stdin = input.as_ref().to_vec();
        self
    }

    /// The text that was put into the terminal's clipboard since the last call.
    #[must_use]
    pub fn clipboard(&self) -> Option<String> {
        self.settle();
        let data = self.inner.borrow_mut().clipboard.take()?;
        Some(String::from_utf8_lossy(&data).into_owned())
    }

    /// Sends a command.
    pub fn start(&self, argv: &[&str]) {
        let terminal = self
            .inner
            .borrow()
            .terminal
            .as_ref()
            .map(|terminal| Terminal {
                tty: b"/dev/pts/99".to_vec(),
                rows: terminal.size().rows(),
                cols: terminal.size().cols(),
                is_shared: false,
            });
        let context = Context {
            cwd: b"/".to_vec(),
            environ: self.inner.borrow().environ.clone(),
            umask: 0o22,
            pid: 1,
            program: b"/bin/true".to_vec(),
            terminal,
        };
        let argv = argv.iter().map(|word| (*word).to_owned()).collect();
        self.say(&FromClient::Run(RunRequest { argv, context }));
    }

    /// Presses keys, by name: `"C-b d"`.
    ///
    /// # Panics
    /// When a name is invalid.
    pub fn keys(&self, names: &str) -> &Self {
        let mut bytes = Vec::new();
        for name in names.split_whitespace() {
            let key: Key = name.parse().unwrap_or_else(|_| panic!("no key {name}"));
            encode_key(&key, &Modes::default(), &mut bytes);
        }
        self.sends(&bytes)
    }

    /// The terminal sends these bytes.
    pub fn sends(&self, bytes: impl AsRef<[u8]>) -> &Self {
        self.begins_to_send(bytes);
        self.settle();
        self
    }

    /// The terminal sends these bytes, and no time passes after them.
    pub fn begins_to_send(&self, bytes: impl AsRef<[u8]>) -> &Self {
        self.say(&FromClient::Input(bytes.as_ref().to_vec()));
        self
    }

    /// Sends a line in control mode, and returns the answer and all notifications after it.
    pub fn line(&self, text: &str) -> String {
        let _ = self.heard();
        self.say(&FromClient::ControlInput(format!("{text}\n").into_bytes()));
        self.heard()
    }

    /// The lines received in control mode since the last call.
    #[must_use]
    pub fn heard(&self) -> String {
        self.settle();
        std::mem::take(&mut self.inner.borrow_mut().finished.stdout)
    }

    /// The terminal's window is resized.
    pub fn resizes(&self, rows: u16, cols: u16) -> &Self {
        let size = Size::new(rows, cols);
        self.inner.borrow_mut().resize(size);
        self.say(&FromClient::Resize(size));
        self.settle();
        self
    }

    /// The client is stopped: it reads nothing until [`Self::continues`].
    pub fn stops(&self) -> &Self {
        self.inner.borrow_mut().is_stopped = true;
        self
    }

    /// The client goes on.
    pub fn continues(&self) -> &Self {
        self.inner.borrow_mut().is_stopped = false;
        self.settle();
        self
    }

    /// The terminal's screen: rows without trailing blanks, without empty rows at the bottom.
    #[must_use]
    pub fn text(&self) -> String {
        self.settle();
        let inner = self.inner.borrow();
        let terminal = inner.terminal.as_ref().expect("it has a terminal");
        let rows: Vec<String> = terminal.rows().map(|row| row.text()).collect();
        rows.join("\n").trim_end().to_owned()
    }

    /// Passes the terminal to `look`.
    pub fn with_terminal<T>(&self, look: impl FnOnce(&Emulator) -> T) -> T {
        self.settle();
        let inner = self.inner.borrow();
        look(inner.terminal.as_ref().expect("it has a terminal"))
    }

    /// Passes the terminal's screen, as an independent emulator shows it, to `look`.
    pub fn screen<T>(&self, look: impl FnOnce(&Screen<'_>) -> T) -> T {
        self.settle();
        let inner = self.inner.borrow();
        let screen = inner.screen.as_ref().expect("it has a terminal");
        look(&Screen(screen.screen()))
    }

    #[must_use]
    pub fn session(&self) -> Option<SessionId> {
        self.settle();
        self.inner.borrow().session
    }

    /// The text of the message with which it had to leave.
    #[must_use]
    pub fn farewell(&self) -> Option<String> {
        self.settle();
        self.inner
            .borrow()
            .left
            .as_ref()
            .map(|leave| leave.text.clone())
    }

    /// The command of the last lock request.
    #[must_use]
    pub fn locked_with(&self) -> Option<String> {
        self.settle();
        self.inner.borrow().locks.last().cloned()
    }

    /// The result of its command.
    #[must_use]
    pub fn finished(&self) -> Finished {
        self.settle();
        self.inner.borrow().finished.clone()
    }

    /// The number of frames painted, and their bytes, since the last call.
    #[must_use]
    pub fn painted(&self) -> (usize, usize) {
        self.settle();
        let mut inner = self.inner.borrow_mut();
        (
            std::mem::take(&mut inner.frames),
            std::mem::take(&mut inner.bytes),
        )
    }

    /// Reads from the server and acknowledges frames for exactly this time. Otherwise a client reads only when it is
    /// used, which is enough where time does not matter.
    pub fn reads_for(&self, time: Duration) {
        self.runtime.block_on(async {
            let end = tokio::time::Instant::now() + time;
            let mut inner = self.inner.borrow_mut();
            while !inner.is_closed {
                if tokio::time::timeout_at(end, inner.receive()).await.is_err() {
                    break;
                }
            }
        });
    }

    /// Whether the server has closed the connection.
    #[must_use]
    pub fn is_closed(&self) -> bool {
        self.settle();
        self.inner.borrow().is_closed
    }

    /// Sends any message.
    pub fn say(&self, message: &FromClient) {
        let mut bytes = Vec::new();
        assert!(message.encode(&mut bytes), "it fits");
        self.send_raw(&bytes);
    }

    /// Sends bytes, which need not be a message.
    pub fn send_raw(&self, bytes: &[u8]) {
        self.runtime.block_on(async {
            // The server may have closed the connection.
            let _ = self.inner.borrow_mut().stream.write_all(bytes).await;
        });
    }

    /// Reads and paints until nothing more comes.
    fn settle(&self) {
        self.runtime.block_on(async {
            let mut inner = self.inner.borrow_mut();
            while !inner.is_closed && !inner.is_stopped {
                let quiet = Duration::from_millis(500);
                if tokio::time::timeout(quiet, inner.receive()).await.is_err() {
                    break;
                }
            }
        });
        self.runtime
            .block_on(async { tokio::time::sleep(Duration::from_millis(500)).await });
    }
}

impl Inner {
    fn resize(&mut self, size: Size) {
        if let (Some(terminal), Some(screen)) = (&mut self.terminal, &mut self.screen) {
            terminal.resize(size);
            let (rows, cols) = (at_least_one(size.rows()), at_least_one(size.cols()));
            screen.screen_mut().set_size(rows, cols);
        }
    }

    async fn hear_hello(&mut self) {
        loop {
            if let Ok(Some((_, length))) = Hello::decode(self.decoder.unread()) {
                return self.decoder.skip(length);
            }
            let mut chunk = [0; 512];
            let count = self
                .stream
                .read(&mut chunk)
                .await
                .expect("the server says hello");
            self.decoder.feed(&chunk[..count]);
        }
    }

    async fn receive(&mut self) {
        let mut chunk = vec![0; 1 << 16];
        match self.stream.read(&mut chunk).await {
            Ok(count) if count > 0 => self.decoder.feed(&chunk[..count]),
            _ => {
                self.is_closed = true;
                return;
            }
        }
        while let Ok(Some(frame)) = self.decoder.next_frame() {
            if let Ok(Some(message)) = FromServer::decode(frame) {
                self.obey(message).await;
            }
        }
    }

    async fn obey(&mut self, message: FromServer) {
        let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
        match message {
            FromServer::Output(bytes) => {
                self.frames += 1;
                self.bytes += bytes.len();
                self.paint(&bytes).await;
                self.send(&FromClient::Painted).await;
            }
            FromServer::Attached(attached) => {
                self.session = Some(attached.session);
                self.paint(&attached.enter).await;
            }
            FromServer::Stdout(bytes) => self.finished.stdout.push_str(&text(bytes)),
            FromServer::Stderr(bytes) => self.finished.stderr.push_str(&text(bytes)),
            FromServer::Done(status) => self.finished.status = Some(status),
            FromServer::Leave(leave) => {
                self.session = None;
                self.left = Some(leave);
            }
            FromServer::Suspend => self.is_stopped = true,
            FromServer::Relay => {}
            FromServer::Lock(command) => self.locks.push(command),
            FromServer::ReadInput => {
                let input = std::mem::take(&mut self.stdin);
                if !input.is_empty() {
                    self.send(&FromClient::Stdin(input)).await;
                }
                self.send(&FromClient::Stdin(Vec::new())).await;
            }
        }
    }

    /// Paints, and replies to the server's queries, as any terminal does.
    async fn paint(&mut self, bytes: &[u8]) {
        let mut effects = Vec::new();
        if let Some(terminal) = &mut self.terminal {
            terminal.feed(bytes, &mut effects);
        }
        if let Some(screen) = &mut self.screen {
            screen.process(bytes);
        }
        for effect in effects {
            match effect {
                Effect::Reply(_) if self.is_mute => {}
                Effect::Reply(reply) => self.send(&FromClient::Input(reply)).await,
                Effect::Clipboard {
                    action: ClipboardAction::Set(data),
                    ..
                } => self.clipboard = Some(data),
                _ => {}
            }
        }
    }

    async fn send(&mut self, message: &FromClient) {
        let mut bytes = Vec::new();
        assert!(message.encode(&mut bytes), "it fits");
        let _ = self.stream.write_all(&bytes).await;
    }
}
