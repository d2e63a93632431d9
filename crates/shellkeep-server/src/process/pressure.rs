//! Memory pressure, as reported by the kernel (PSI). The kernel notifies the server, so nothing polls. On a kernel
//! without PSI there is never memory pressure.

use std::io;
use std::path::Path;

use tokio::sync::mpsc;

use crate::event::Event;

const FILE: &str = "/proc/pressure/memory";

/// The threshold: some program waits for memory during a tenth of two seconds. Only root may set shorter windows.
#[cfg(target_os = "linux")]
const TRIGGER: &[u8] = b"some 200000 2000000\0";

/// Sends [`Event::MemoryShort`] whenever memory gets short.
#[cfg(target_os = "linux")]
pub(crate) fn watch(events: mpsc::Sender<Event>) -> io::Result<()> {
    use std::io::Write as _;
    use std::os::unix::fs::OpenOptionsExt as _;

    use tokio::io::Interest;

    // Opened without `shellkeep-files`: a file of the kernel.
    let mut file = std::fs::File::options()
        .read(true)
        .write(true)
        .custom_flags(nix::fcntl::OFlag::O_NONBLOCK.bits())
        .open(FILE)?;
    file.write_all(TRIGGER)?;
    let watched = shellkeep_keeper::process::watch(file.into(), Interest::PRIORITY)?;
    tokio::spawn(async move {
        while let Ok(mut ready) = watched.ready(Interest::PRIORITY).await {
            if !ready.ready().is_priority() {
                return;
            }
            ready.clear_ready();
            if events.send(Event::MemoryShort).await.is_err() {
                return;
            }
        }
    });
    Ok(())
}

#[cfg(not(target_os = "linux"))]
pub(crate) fn watch(_: mpsc::Sender<Event>) -> io::Result<()> {
    Ok(())
}

/// The memory pressure in percent of time; 0 where it is not reported. Tests write another file, which release builds
/// do not read.
pub(crate) fn now(of_tests: &Path) -> f64 {
    let pretended = match cfg!(debug_assertions) {
        // Opened without `shellkeep-files`: a file of the kernel, or of a test.
        true => std::fs::read_to_string(of_tests).ok(),
        false => None,
    };
    // Opened without `shellkeep-files`: a file of the kernel.
    let text = pretended.unwrap_or_else(|| std::fs::read_to_string(FILE).unwrap_or_default());
    read(&text)
}

fn read(text: &str) -> f64 {
    let some = text.lines().find_map(|line| line.strip_prefix("some "));
    let average = some.and_then(|line| {
        let mut words = line.split_whitespace();
        words.find_map(|word| word.strip_prefix("avg10=")?.parse().ok())
    });
    average.unwrap_or(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pressure_is_read_from_the_kernels_text() {
        let text = "some avg10=12.50 avg60=3.10 avg300=1.00 total=123\nfull avg10=99.00 avg60=0.00 avg300=0.00 total=1\n";
        assert_eq!(read(text), 12.5);
        for other in ["", "some", "some avg10=x", "full avg10=5.0"] {
            assert_eq!(read(other), 0.0, "{other:?}");
        }
    }

    #[tokio::test]
    async fn watch_is_taken_by_a_kernel_that_knows_pressure() {
        let (events, mut inbox) = mpsc::channel(1);
        // Without PSI, or without permission, an error is returned and nothing else happens.
        let watched = watch(events);
        assert!(watched.is_err() || inbox.try_recv().is_err());
    }
}
