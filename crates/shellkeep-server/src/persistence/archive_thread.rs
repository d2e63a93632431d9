//! The thread that reads the archive.

/// Does something in a thread that ends with it. One of the runtime's would stay, and wake up once more to end.
pub(crate) fn run(work: impl FnOnce() + Send + 'static) -> std::io::Result<()> {
    let thread = std::thread::Builder::new().name("archive".to_owned());
    let work = move || {
        work();
        // Thousands of sessions that were read came and went in this process.
        shellkeep_keeper::process::give_back_memory();
    };
    thread.spawn(work).map(drop)
}
