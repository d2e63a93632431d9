//! Runs work that reads the archive on a thread.

/// Runs `work` on a thread that ends with it. A thread of the runtime's pool would stay, and wake up once more just to
/// end.
pub(crate) fn run(work: impl FnOnce() + Send + 'static) -> std::io::Result<()> {
    let thread = std::thread::Builder::new().name("archive".to_owned());
    let work = move || {
        work();
        // Thousands of sessions may have been read and dropped.
        shellkeep_keeper::process::give_back_memory();
    };
    thread.spawn(work).map(drop)
}
