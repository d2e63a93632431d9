//! `run-shell`: runs a shell command, or other commands, without a window.

use std::time::Duration;

use shellkeep_command::cmd::run_shell::Args;
use shellkeep_command::parse::Arg;
use shellkeep_core::PaneId;

use crate::action::Action;
use crate::alarm::Alarm;
use crate::commands::exec::if_shell;
use crate::commands::job::JobEnd;
use crate::commands::queue::{Caller, Item, Origin, Wait};
use crate::commands::reply::{Outcome, Reply};
use crate::commands::{answer, jobs, pending, run, targets};
use crate::formats;
use crate::modes::view;
use crate::server::Server;

/// The longest delay in seconds.
const MAX_DELAY_SECONDS: f64 = 1e9;

pub(crate) fn run(server: &mut Server, caller: &Caller, args: &Args) -> Outcome {
    let delay = args.delay.as_deref().map(delay).transpose()?;
    if args.background {
        let caller = answer::in_background(&server.model, caller);
        let items = vec![again(args, args.delay.as_deref())];
        server.model.act(Action::Run(caller, items));
        return Ok(Reply::default());
    }
    if let Some(delay) = delay {
        if let Some(queue) = server.model.running() {
            let timer = server.model.set_alarm(Alarm::Queue(queue), delay);
            if let Some(queue) = server.commands.queues.get_mut(&queue) {
                queue.timer = Some(timer);
            }
        }
        return Ok(Reply {
            wait: Some(Wait::Delay),
            next: vec![again(args, None)],
            ..Reply::default()
        });
    }
    let Some(command) = &args.command else {
        return Ok(Reply::default());
    };
    if args.as_command {
        return if_shell::choose(server, Some(command));
    }
    let found = targets::find_partly(&server.model, caller, args.target.as_deref());
    let scope = formats::scope(&server.model).client(caller.client);
    let scope = found.map_or(scope.clone(), |found| scope.found(found));
    let command = scope.expand(command);
    let spec = jobs::job_spec(
        &server.model,
        caller,
        found.map(|found| found.session),
        command.clone(),
    );
    let named = match (found, &args.target) {
        (Some(found), Some(_)) => Named::Pane(found.pane),
        (Some(found), None) => Named::Current(found.pane),
        (None, _) => Named::Nothing,
    };
    let origin = caller.origin;
    let ended = move |server: &mut Server, end: JobEnd| {
        if let Some(queue) = server.model.running() {
            run::set_status(server, queue, u8::try_from(end.status & 0xff).unwrap_or(1));
        }
        let text = report(&command, &end);
        match (origin, named) {
            _ if text.is_empty() => Ok(Reply::default()),
            (_, Named::Pane(pane)) => {
                view::view_in(&mut server.model, pane, text.as_bytes());
                Ok(Reply::default())
            }
            (Origin::CommandLine | Origin::Key, _) => Ok(Reply::text(text)),
            // No client waits, so the output is shown in the current pane.
            (Origin::Background, Named::Current(pane)) => {
                view::view_in(&mut server.model, pane, text.as_bytes());
                Ok(Reply::default())
            }
            (Origin::Background | Origin::Config, _) => {
                server.model.log_message(text.trim_end());
                Ok(Reply::default())
            }
        }
    };
    let job = pending::start_job(server, &spec, Box::new(ended));
    Ok(Reply {
        wait: Some(Wait::Job(job)),
        ..Reply::default()
    })
}

/// The pane that the output goes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Named {
    Pane(PaneId),
    /// The current pane, since none was named.
    Current(PaneId),
    Nothing,
}

/// The same command without a delay, or with this one.
fn again(args: &Args, delay: Option<&str>) -> Item {
    let mut argv = vec![Arg::from("run-shell")];
    if args.as_command {
        argv.push(Arg::from("-C"));
    }
    for (flag, value) in [("-d", delay), ("-t", args.target.as_deref())] {
        if let Some(value) = value {
            argv.extend([Arg::from(flag), Arg::from(value)]);
        }
    }
    argv.push(Arg::from("--"));
    argv.extend(args.command.as_ref().map(shellkeep_command::Script::to_arg));
    Item::of(argv)
}

fn delay(text: &str) -> Result<Duration, String> {
    let seconds = text.trim().parse::<f64>().ok();
    let seconds = seconds.filter(|seconds| seconds.is_finite() && *seconds >= 0.0);
    let seconds = seconds.ok_or_else(|| format!("invalid delay time: {text}"))?;
    Ok(Duration::from_secs_f64(seconds.min(MAX_DELAY_SECONDS)))
}

/// The command's output, and how it ended if it failed.
fn report(command: &str, end: &JobEnd) -> String {
    let mut text = String::from_utf8_lossy(&end.output).into_owned();
    if !text.is_empty() && !text.ends_with('\n') {
        text.push('\n');
    }
    match end.status {
        0 => {}
        status @ 129.. => {
            let signal = status - 128;
            text.push_str(&format!("'{command}' terminated by signal {signal}\n"));
        }
        status => text.push_str(&format!("'{command}' returned {status}\n")),
    }
    text
}
