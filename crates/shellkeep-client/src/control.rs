//! Control mode: copies lines from standard input to the server, and the server's output to standard output. It
//! interprets neither.

use std::io::{self, ErrorKind, Read as _};

use nix::sys::termios::{
    ControlFlags, InputFlags, LocalFlags, OutputFlags, SetArg, SpecialCharacterIndices, Termios,
    tcgetattr, tcsetattr,
};
use shellkeep_proto::{FromClient, FromServer};

use crate::connect::{Connection, Sender};
use crate::{ClientError, ControlMode};

/// Passes lines until the server closes the connection; returns the exit status.
pub(crate) fn run(mut connection: Connection, mode: ControlMode) -> Result<u8, ClientError> {
    let _quiet = match mode {
        ControlMode::Terminal => Some(QuietTerminal::take()?),
        ControlMode::Off | ControlMode::Lines => None,
    };
    // Reading and writing need a thread each: with one thread, client and server could both block in a write, each
    // waiting for the other to read.
    let sender = connection.sender()?;
    std::thread::spawn(move || pass_lines(sender));
    loop {
        match connection.next_message() {
            Ok(FromServer::Stdout(bytes)) => crate::print(&mut io::stdout(), &bytes),
            Ok(FromServer::Stderr(bytes)) => crate::print(&mut io::stderr(), &bytes),
            Ok(FromServer::Done(status)) => return Ok(status),
            Ok(_) => {}
            Err(error) => {
                crate::print(&mut io::stdout(), format!("%exit {error}\n").as_bytes());
                return Ok(1);
            }
        }
    }
}

/// Sends standard input, and then its end.
fn pass_lines(mut sender: Sender) {
    let mut chunk = vec![0; 1 << 14];
    loop {
        let count = match io::stdin().lock().read(&mut chunk) {
            Ok(count) => count,
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            Err(_) => 0,
        };
        let message = FromClient::ControlInput(chunk[..count].to_vec());
        // The thread that reads from the server notices that it is gone, so a failed write needs no report here.
        if sender.send(&message).is_err() || count == 0 {
            return;
        }
    }
}

/// A terminal whose emulator speaks control mode itself (`-CC`). Its echo is off, and escape sequences mark where the
/// lines begin and end.
struct QuietTerminal {
    before: Termios,
}

impl QuietTerminal {
    fn take() -> Result<Self, ClientError> {
        let failed = |errno: nix::Error| {
            let text = io::Error::from(errno).to_string();
            let text = text.split(" (os error").next().unwrap_or_default();
            ClientError::Usage(format!("tcgetattr failed: {text}"))
        };
        let before = tcgetattr(io::stdin()).map_err(failed)?;
        let mut quiet = before.clone();
        quiet.input_flags = InputFlags::ICRNL | InputFlags::IXANY;
        quiet.output_flags = OutputFlags::OPOST | OutputFlags::ONLCR;
        quiet.local_flags = LocalFlags::empty();
        quiet.control_flags = ControlFlags::CREAD | ControlFlags::CS8 | ControlFlags::HUPCL;
        quiet.control_chars[SpecialCharacterIndices::VMIN as usize] = 1;
        quiet.control_chars[SpecialCharacterIndices::VTIME as usize] = 0;
        tcsetattr(io::stdin(), SetArg::TCSANOW, &quiet).map_err(failed)?;
        crate::print(&mut io::stdout(), b"\x1bP1000p");
        Ok(Self { before })
    }
}

impl Drop for QuietTerminal {
    fn drop(&mut self) {
        crate::print(&mut io::stdout(), b"\x1b\\");
        // No error: without a terminal there is nothing to restore.
        let _ = tcsetattr(io::stdin(), SetArg::TCSAFLUSH, &self.before);
    }
}
