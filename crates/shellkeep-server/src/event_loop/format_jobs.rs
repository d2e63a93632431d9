//! Starts the shell commands that formats have requested.

use crate::commands::job::{JobEnd, JobSpec};
use crate::commands::jobs::job_environ;
use crate::commands::pending;
use crate::commands::reply::Reply;
use crate::model::Model;
use crate::server::Server;

pub(crate) fn start_format_jobs(server: &mut Server) {
    let now = server.model.now();
    let wanted = server.model.figures.format_jobs.take_wanted(now);
    for (command, session) in wanted {
        let cwd = session.and_then(|id| server.model.sessions.get(&id));
        let spec = JobSpec {
            command: command.clone(),
            cwd: cwd.map(|session| session.cwd.clone()).unwrap_or_default(),
            environ: job_environ(&server.model, session),
            umask: server.model.birth.umask,
            input: Vec::new(),
        };
        let then = move |server: &mut Server, end: JobEnd| {
            format_job_ended(&mut server.model, &command, &end);
            Ok(Reply::default())
        };
        pending::start_job(server, &spec, Box::new(then));
    }
}

fn format_job_ended(model: &mut Model, command: &str, end: &JobEnd) {
    let output = String::from_utf8_lossy(&end.output);
    // A status line shows a single line, and as in tmux that is the last one.
    let line = output.lines().last().unwrap_or_default().to_owned();
    let has_changed = model.figures.format_jobs.ended(command, line);
    if has_changed {
        model.redraw_all();
    }
}
