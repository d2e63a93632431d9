//! Whatever happens, the terminal is given back as it was.

use nix::sys::signal::Signal;
use shellkeep_testkit::real::{Rig, Terminal};

use crate::{is_installed, rig};

/// A terminal on which a program has turned on all it can: what is to be undone is there.
fn busy_terminal(rig: &Rig) -> Terminal {
    let modes =
        r"printf '\033[?1049h\033[?1000h\033[?1006h\033[?2004h\033[?25l\033[?1h\033=busy'; cat";
    let terminal = rig.attach(&["new", "-s", "work", modes], (24, 80));
    terminal.wait_for_text("busy");
    terminal.wait_until("the program's modes outside", |screen| {
        screen.bracketed_paste() && screen.hide_cursor() && screen.alternate_screen()
    });
    assert!(terminal.is_taken_over());
    terminal
}

/// A way to leave: what is done, with which status the client ends, and what it says.
type Leaving = (&'static str, fn(&Rig, &Terminal), i32, &'static str);

const WAYS: &[Leaving] = &[
    (
        "detached by a key",
        |_, terminal| {
            terminal.keys("C-b d");
        },
        0,
        "[detached (from session work)]",
    ),
    (
        "SIGTERM",
        |_, terminal| terminal.process().signal(Signal::SIGTERM),
        1,
        "[terminated]",
    ),
    (
        "SIGHUP",
        |_, terminal| terminal.process().signal(Signal::SIGHUP),
        1,
        "[lost tty]",
    ),
    (
        "kill-server",
        |rig, _| drop(rig.ok(&["kill-server"])),
        1,
        "[server exited]",
    ),
];

#[test]
fn terminal_is_as_before_whatever_ends_the_client() {
    for (what, leave, status, said) in WAYS {
        let rig = rig();
        let terminal = busy_terminal(&rig);
        leave(&rig, &terminal);
        ends_with(what, terminal, *status, said);
        let has_session = rig.run(&["has", "-t", "work"]).status == 0;
        assert_eq!(has_session, *what != "kill-server", "{what}");
    }
    let rig = rig();
    let terminal = rig.attach(&["new"], (24, 80));
    terminal
        .wait_for_prompt()
        .enter(r"printf '\033[?1049h\033[?2004h\033[?25l'; exit");
    ends_with("the shell's end", terminal, 0, "[exited]");
}

/// The client ends with this status and these words, on a terminal that is as it was.
#[track_caller]
fn ends_with(what: &str, mut terminal: Terminal, status: i32, said: &str) {
    assert_eq!(terminal.wait_exit(), status, "{what}");
    terminal.assert_given_back();
    assert_eq!(terminal.text(), said, "{what}");
}

#[test]
fn signals_for_somebody_else_leave_the_client_where_it_is() {
    let rig = rig();
    let mut terminal = rig.attach(&["new", "-s", "work"], (24, 80));
    terminal.wait_for_prompt();
    let unheard = [
        Signal::SIGINT,
        Signal::SIGQUIT,
        Signal::SIGUSR1,
        Signal::SIGUSR2,
        Signal::SIGTTIN,
        Signal::SIGTTOU,
    ];
    for (number, signal) in unheard.into_iter().enumerate() {
        terminal.process().signal(signal);
        terminal.enter(&format!("echo round-{number}-$((20+3))"));
        terminal.wait_for_text(&format!("round-{number}-23"));
    }
    assert!(!terminal.process().is_stopped());
    terminal.keys("C-b d");
    assert_eq!(terminal.wait_exit(), 0);
    terminal.assert_given_back();
}

/// A bash on a terminal of its own, to call shellkeep from.
fn outer_bash(rig: &Rig) -> Terminal {
    let prompt = [("PS1", "bash> "), ("HISTFILE", "")];
    let shell = rig.start(&["bash", "--norc", "--noprofile", "-i"], &prompt, (24, 80));
    shell.wait_for_text("bash>");
    shell
}

/// A session with mouse reports, shown with its standard output somewhere: all of it is on the terminal.
fn show_with_output(shell: &Terminal, somewhere: &str) {
    shell.enter(&format!("shellkeep attach -t work {somewhere}"));
    shell.wait_until("the session", |screen| {
        let mouse = screen.mouse_protocol_mode();
        let is_reported = mouse != vt100::MouseProtocolMode::None;
        screen.alternate_screen() && is_reported && screen.text() == "$"
    });
    // The server has read what the terminal answered before this: else the shell would get it from a client that is killed.
    shell.type_text("x");
    shell.wait_until("the key's echo", |screen| screen.text() == "$ x");
    shell.keys("C-u");
    shell.wait_until("the prompt", |screen| screen.text() == "$");
}

#[test]
fn terminal_after_kill_9_of_server_and_keeper_shows_the_session_and_is_as_before_in_the_end() {
    let rig = rig();
    let mut terminal = busy_terminal(&rig);
    let (server, keeper) = (rig.server(), rig.keeper());
    // Neither may have the time to bring the other back.
    server.signal(Signal::SIGSTOP);
    keeper.kill_9();
    server.kill_9();
    // What ran stands there again, and is the user's to send or to take away.
    terminal.wait_for_text("$ printf");
    terminal.keys("C-u");
    terminal.enter("exit");
    assert_eq!(terminal.wait_exit(), 0);
    terminal.assert_given_back();
}

#[test]
fn terminal_closed_ends_the_client_and_not_the_session() {
    let rig = rig();
    let terminal = rig.attach(&["new", "echo ready; exec sleep 1001"], (24, 80));
    terminal.wait_for_text("ready");
    let client = terminal.process();
    terminal.hang_up();
    client.wait_gone();
    rig.wait_until("a session without a client", || {
        !rig.ok(&["ls"]).contains("attached")
    });
}

#[test]
fn client_suspended_or_stopped_under_job_control_leaves_the_terminal_and_repaints() {
    if !is_installed("bash") {
        return;
    }
    let rig = rig();
    let shell = outer_bash(&rig);
    for round in 0..2 {
        let command = if round == 0 {
            "shellkeep new -s work"
        } else {
            "fg"
        };
        shell.enter(command);
        shell.wait_until("the session", |screen| screen.alternate_screen());
        shell.wait_until("its prompt", |screen| screen.has("$"));
        shell.enter(&format!("echo round-{round}-$((20+3))"));
        shell.wait_for_text(&format!("round-{round}-23"));
        if round == 0 {
            shell.keys("C-b C-z");
        } else {
            // As a signal, from somebody else.
            let client = rig
                .processes_with("new")
                .into_iter()
                .find(|process| process.argv().contains(&"work".to_owned()));
            client.expect("the client runs").signal(Signal::SIGTSTP);
        }
        shell.wait_until("the shell's own screen", |screen| {
            !screen.alternate_screen() && !screen.hide_cursor() && screen.has("Stopped")
        });
        shell.enter(&format!("echo outside-{round}"));
        shell.wait_until("the shell to run", |screen| {
            screen.rows().contains(&format!("outside-{round}"))
        });
    }
    shell.enter("fg");
    shell.wait_until("the session as it was", |screen| {
        screen.alternate_screen() && screen.has("round-0-23") && screen.has("round-1-23")
    });
    shell.keys("C-b d");
    shell.wait_for_text("[detached (from session work)]");
    // One that is stopped without warning.
    shell.enter("clear; shellkeep new -s stopped");
    shell.wait_until("the session", |screen| {
        screen.alternate_screen() && screen.text() == "$"
    });
    let clients = rig.processes_with("stopped");
    let client = clients.iter().find(|process| process.argv()[1] == "new");
    // Nobody can prepare for this: the terminal stays as it is, but it is the shell's.
    client.unwrap().signal(Signal::SIGSTOP);
    shell.wait_for_text("Stopped");
    shell.enter("clear; echo shell-$((40+1))");
    shell.wait_until("the shell to have the keys", |screen| {
        screen.row(0) == "shell-41" && screen.row(1) == "bash>"
    });
    rig.enter("stopped", "echo inside-$((40+2))");
    rig.wait_for_pane("the pane to go on", "stopped", |text| {
        text.contains("inside-42")
    });
    assert_eq!(
        shell.text(),
        "shell-41\nbash>",
        "nothing is painted over the shell's"
    );
    shell.enter("fg");
    shell.wait_until("the session as it is by now", |screen| {
        screen.has("inside-42") && screen.text().ends_with('$')
    });
    shell.keys("C-b d");
    shell.wait_for_text("[detached (from session stopped)]");
}

fn wait_for_the_shells_own_screen(shell: &Terminal, round: &str) {
    shell.wait_until("the screen as before", |screen| {
        let mouse = screen.mouse_protocol_mode();
        !screen.alternate_screen() && mouse == vt100::MouseProtocolMode::None
    });
    shell.enter(&format!("echo after-{round}-$((20+3))"));
    shell.wait_for_text(&format!("after-{round}-23"));
}

#[test]
fn terminal_is_given_back_wherever_the_output_goes_and_however_the_client_goes() {
    if !is_installed("bash") {
        return;
    }
    let rig = rig();
    let shell = outer_bash(&rig);
    rig.ok(&["new", "-d", "-s", "work"]);
    rig.ok(&["set", "-g", "mouse", "on"]);
    let said = rig.path("said");
    let to_file = format!("> {}", said.display());
    // A terminal that was opened for reading alone is painted on, too.
    for (round, elsewhere) in ["> /dev/null", ">&-", &to_file, "< $(tty) > /dev/null"]
        .into_iter()
        .enumerate()
    {
        show_with_output(&shell, elsewhere);
        shell.keys("C-b d");
        wait_for_the_shells_own_screen(&shell, &format!("detach-{round}"));
    }
    let said = std::fs::read_to_string(said).expect("what was said");
    assert_eq!(said, "[detached (from session work)]\n");
    // Of some the client hears nothing before it ends: the server gives the terminal back.
    for (output, signal) in [
        ("", Signal::SIGKILL),
        ("", Signal::SIGALRM),
        ("", Signal::SIGXCPU),
        ("> /dev/null", Signal::SIGTERM),
        ("> /dev/null", Signal::SIGHUP),
        ("> /dev/null", Signal::SIGKILL),
    ] {
        show_with_output(&shell, output);
        let client = rig.wait_for("the client", || rig.processes_with("attach").pop());
        client.signal(signal);
        client.wait_gone();
        let round = format!("{}-{}", signal.as_str(), output.len());
        wait_for_the_shells_own_screen(&shell, &round);
    }
    show_with_output(&shell, "> /dev/null");
    rig.ok(&["kill-server"]);
    wait_for_the_shells_own_screen(&shell, "the-server");
}
