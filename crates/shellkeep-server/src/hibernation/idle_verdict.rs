//! Collects what the server sees of a pane for the idle test of `shellkeep-hibernation`.

use nix::sys::termios::{LocalFlags, tcgetattr};
use nix::unistd::Pid;
use shellkeep_hibernation::{Facts, Foreground, Mark, Verdict, judge};

use crate::model::{Model, Pane};
use crate::panes::shell_dir::shell_dir;
use crate::process::process_info;
use crate::process::processes::{Processes, open_files};

/// Whether a pane could sleep, and why not.
pub(crate) fn idle_verdict(model: &Model, pane: &Pane, processes: &Processes) -> Verdict {
    let shell = pane.pid().map(u32::cast_signed);
    let session = model.session_of(pane.id);
    let options = model.session_options(session);
    let fd = pane.pty_fd();
    let foreground = match (fd.and_then(|fd| nix::unistd::tcgetpgrp(fd).ok()), shell) {
        (Some(group), Some(shell)) if group.as_raw() == shell => Foreground::Shell,
        (Some(group), _) => Foreground::Other {
            pid: group.as_raw(),
        },
        (None, _) => Foreground::Unknown,
    };
    let now = shell.and_then(|pid| process_info::command_of(Pid::from_raw(pid)));
    let replaced_by = shell.filter(|_| {
        let started = pane
            .shell_program
            .as_ref()
            .and_then(|path| path.file_name());
        let started = started.map(|name| name.to_string_lossy().into_owned());
        started.is_some() && now.is_some() && started != now
    });
    let replaced_by = replaced_by.or_else(|| shell.filter(|_| pane.runs_what_it_began_with()));
    let open = shell.map(|shell| open_files(shell, &shell_dir(model, pane.id)));
    let open = open.unwrap_or_default();
    judge(&Facts {
        shell,
        replaced_by: replaced_by.map(|pid| process_info::argv_of(Pid::from_raw(pid))),
        has_integration: pane.shell_program.is_some(),
        last_mark: pane.shell_report.mark().or(Some(Mark::PromptEnds)),
        is_continuation: pane.shell_report.is_continuation(),
        foreground,
        canonical_tty: is_canonical(pane),
        other_processes: shell.map_or_else(Vec::new, |shell| processes.of_shell(shell)),
        extra_fds: open.extra,
        // A shell that the scan has missed was started just now.
        is_arriving: open.has_ours || shell.is_some_and(|shell| processes.misses(shell)),
        unread_output: pane.has_unread_output(),
        spare_unread: options.flag("spare-unread"),
        unread_input: pane.has_unread_input(),
    })
}

/// Whether a pane's terminal is in canonical mode. No shell that waits at its prompt has it in that mode.
pub(crate) fn is_canonical(pane: &Pane) -> bool {
    let settings = pane.pty_fd().and_then(|fd| tcgetattr(fd).ok());
    settings.is_none_or(|settings| settings.local_flags.contains(LocalFlags::ICANON))
}
