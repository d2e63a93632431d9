//! Records of commands with real shells: listed, with their output, through sleep, crashes and the archive.

use serde_json::Value as Json;
use shellkeep_testkit::real::Rig;

use crate::hibernate::{
    SHELLS, begin, enter, sleep_and_wake, wait_for_prompt, wait_for_text, with_each_shell,
};
use crate::keeping::kill_both;

/// The commands that are listed, oldest first.
fn commands(rig: &Rig, args: &[&str]) -> Vec<Json> {
    let mut argv = vec!["history", "--json"];
    argv.extend(args);
    let output = rig.run(&argv);
    assert_eq!(output.stderr, "", "{argv:?}");
    serde_json::from_str(&output.stdout).unwrap()
}

/// Session, line and exit status of each.
fn lines(rig: &Rig, args: &[&str]) -> Vec<(String, Option<i64>)> {
    let found = commands(rig, args).into_iter();
    let text = |it: &Json| it.as_str().unwrap_or_default().to_owned();
    let found = found.map(|it| {
        let line = format!("{}: {}", text(&it["session"]), text(&it["command"]));
        (line, it["exit"].as_i64())
    });
    found.collect()
}

/// Runs a command line, and waits until its end is recorded.
fn run(rig: &Rig, session: &str, line: &str) {
    enter(rig, session, line);
    rig.wait_until(&format!("the end of {line}"), || {
        let found = commands(rig, &["-t", session]);
        let last = found.last();
        last.is_some_and(|it| it["command"] == line && it["ended"].is_number())
    });
}

#[test]
fn commands_of_each_shell_are_listed_with_their_output_through_sleep_crash_and_archive() {
    with_each_shell(&SHELLS, |rig, shell| {
        rig.write("home/src/.git/HEAD", "ref: refs/heads/topic\n");
        begin(rig, "work");
        begin(rig, "other");
        for line in [
            "echo one; echo two",
            "sh -c 'exit 3'",
            "cd src",
            "printf '\\033[31mred\\n'",
        ] {
            run(rig, "work", line);
        }
        run(rig, "other", "seq 1 100");
        let expected = [
            ("work: echo one; echo two", 0),
            ("work: sh -c 'exit 3'", 3),
            ("work: cd src", 0),
            ("work: printf '\\033[31mred\\n'", 0),
            ("other: seq 1 100", 0),
        ];
        let expected = expected.map(|(line, exit)| (line.to_owned(), Some(exit)));
        assert_eq!(lines(rig, &[]), expected, "{shell}");
        let failed = lines(rig, &["--exit", "failed"]);
        assert_eq!(failed, expected[1..2], "{shell}");
        assert_eq!(lines(rig, &["-n", "1", "-t", "work"]), expected[3..4]);
        assert_eq!(lines(rig, &["--cwd", "src"]), expected[3..4]);
        let found = commands(rig, &["red"]);
        let [red] = &found[..] else {
            panic!("{shell}: {found:?}");
        };
        rig.wait_until("the branch", || {
            commands(rig, &["red"])[0]["branch"] == "topic"
        });
        assert_eq!(red["by"], "user");
        assert!(red["cwd"].as_str().unwrap().ends_with("home/src"), "{red}");
        let id = commands(rig, &["seq"])[0]["id"]
            .as_str()
            .unwrap()
            .to_owned();
        let hundred: String = (1..=100).map(|number| format!("{number}\n")).collect();
        let check = |when: &str| {
            let about = format!("{shell} {when}");
            assert_eq!(rig.ok(&["output", &id]), hundred, "{about}");
            assert_eq!(rig.ok(&["output", "-t", "work"]), "red\n", "{about}");
            assert_eq!(
                rig.ok(&["output", "-t", "work", "-4"]),
                "one\ntwo\n",
                "{about}"
            );
            assert_eq!(rig.ok(&["output", "-t", "work", "-3"]), "", "{about}");
            let colored = rig.ok(&["output", "-e", "-t", "work"]);
            assert!(colored.starts_with("\x1b[31mred"), "{about}: {colored:?}");
            assert_eq!(lines(rig, &[]), expected, "{about}");
        };
        check("while they live");
        sleep_and_wake(rig, "work");
        check("after a sleep");
        rig.server().kill_9();
        check("after the server was killed");
        rig.ok(&["restart-server"]);
        check("after a restart");
        kill_both(rig);
        check("after both processes were killed");
        // The new shell counts from one again, and its commands come behind the others.
        rig.ok(&["restore", "-t", "work"]);
        wait_for_prompt(rig, "work");
        run(rig, "work", "echo again");
        assert_eq!(lines(rig, &[]).len(), 6, "{shell}");
        assert_eq!(rig.ok(&["output", "-t", "work"]), "again\n");
        rig.ok(&["archive", "-t", "other"]);
        rig.wait_until("the archive", || lines(rig, &[]).len() == 5);
        assert_eq!(lines(rig, &["-a"]).len(), 6, "{shell}");
        assert_eq!(rig.ok(&["output", &id]), hundred, "{shell} in the archive");
        rig.ok(&["forget", "-y", "other"]);
        rig.wait_until("the end of it", || lines(rig, &["-a"]).len() == 5);
        assert_eq!(
            rig.run(&["output", &id]).stderr,
            format!("no command {id}\n")
        );
    });
}

#[test]
fn command_that_runs_while_the_server_is_killed_gets_its_end() {
    with_each_shell(&SHELLS, |rig, shell| {
        begin(rig, "work");
        // The server lives on when that one ends.
        begin(rig, "other");
        enter(rig, "work", "echo begun; read answer; sh -c 'exit 7'");
        wait_for_text(rig, "work", "\nbegun\n");
        rig.wait_until("its beginning", || commands(rig, &[]).len() == 1);
        let is_running =
            |rig: &Rig| rig.ok(&["display", "-p", "-t", "work", "#{pane_command_running}"]);
        assert_eq!(is_running(rig), "1\n");
        rig.server().kill_9();
        assert_eq!(is_running(rig), "1\n", "{shell}");
        enter(rig, "work", "answer");
        rig.wait_until("its end", || commands(rig, &[])[0]["exit"] == 7);
        assert_eq!(commands(rig, &[]).len(), 1, "{shell}");
        let format =
            "#{pane_command_running} #{pane_last_exit} #{pane_command_status} #{pane_last_command}";
        let said = rig.ok(&["display", "-p", "-t", "work", format]);
        assert_eq!(
            said, "0 7 7 echo begun; read answer; sh -c 'exit 7'\n",
            "{shell}"
        );
        // Its shell ends with the next one.
        enter(rig, "work", "exit 5");
        rig.wait_until("the end of the shell", || {
            let found = commands(rig, &["-a", "exit 5"]);
            found.first().is_some_and(|it| it["ended"].is_number())
        });
    });
}

#[test]
fn private_sessions_and_lines_kept_out_of_the_history_are_not_recorded() {
    with_each_shell(&["bash"], |rig, _| {
        rig.write("home/.bash_profile", "PS1='$ ' HISTCONTROL=ignoreboth\n");
        begin(rig, "work");
        rig.ok(&["new", "-d", "-s", "private", "--private"]);
        wait_for_prompt(rig, "private");
        enter(rig, "private", "echo to be forgotten");
        wait_for_text(rig, "private", "\nto be forgotten\n");
        for line in ["true", " echo token=abc", "true", "true", "echo last"] {
            enter(rig, "work", line);
        }
        wait_for_text(rig, "work", "\nlast\n");
        rig.wait_until("the last command", || {
            lines(rig, &[])
                .last()
                .is_some_and(|(line, exit)| line == "work: echo last" && exit.is_some())
        });
        let found: Vec<String> = lines(rig, &[]).into_iter().map(|(line, _)| line).collect();
        assert_eq!(
            found,
            ["work: true", "work: true", "work: true", "work: echo last"]
        );
        let refused = rig.run(&["output", "-t", "private"]);
        assert!(
            refused.stderr.starts_with("nothing is kept of pane"),
            "{refused:?}"
        );
    });
}

#[test]
fn output_that_was_cleared_is_not_mistaken_for_what_came_later() {
    with_each_shell(&["bash"], |rig, _| {
        begin(rig, "work");
        run(rig, "work", "echo first");
        let id = commands(rig, &[])[0]["id"].as_str().unwrap().to_owned();
        assert_eq!(rig.ok(&["output", &id]), "first\n");
        // The lines of the screen are written again, later than the clock's tolerance.
        let is_later = || {
            let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
            now.unwrap().as_secs() > commands(rig, &[])[0]["ended"].as_u64().unwrap() + 2
        };
        rig.wait_until("another second", is_later);
        enter(rig, "work", "clear; seq 1 20");
        wait_for_text(rig, "work", "\n20\n");
        let output = rig.run(&["output", &id]);
        assert_eq!(output.stdout, "");
        assert_eq!(
            output.stderr,
            format!("the output of {id} is gone: the pane was cleared\n")
        );
    });
}

#[test]
fn bad_input_is_refused_in_a_sentence() {
    with_each_shell(&["bash"], |rig, _| {
        begin(rig, "work");
        for (args, expected) in [
            (&["history", "--since", "soon"][..], "bad time: soon"),
            (&["history", "--exit", "maybe"], "bad exit status: maybe"),
            (&["history", "--by", "me"], "unknown maker: me"),
            (&["history", "--longer-than", "x"], "bad time: x"),
            (&["history", "-n", "x"], "count"),
            (&["history", "-t", "nowhere"], "can't find"),
            (&["output", "-0"], "bad command: -0"),
            (&["output", "x"], "bad command: x"),
            (&["output"], "no such command has ended in this pane"),
        ] {
            let output = rig.run(args);
            assert!(
                output.stderr.starts_with(expected) && output.stderr.lines().count() == 1,
                "{args:?}: {output:?}"
            );
            assert_ne!(output.status, 0, "{args:?}");
        }
        let nothing = rig.run(&["history"]);
        assert_eq!((&nothing.stdout[..], nothing.status), ("", 1));
    });
}

#[test]
fn history_has_colours_on_a_terminal() {
    with_each_shell(&["bash"], |rig, _| {
        begin(rig, "work");
        run(rig, "work", "sh -c 'exit 3'");
        let terminal = rig.attach(&["attach", "-t", "work"], (24, 100));
        terminal.enter("clear; shellkeep history");
        // The line stands on the screen before, too, as it was typed.
        terminal.wait_until("the list with its status in red", |screen| {
            let rows = screen.rows();
            let listed = rows
                .iter()
                .position(|row| row.contains("  3  work:0  sh -c 'exit 3'"));
            let Some(row) = listed else {
                return false;
            };
            let col = rows[row].find("  3  work").unwrap() + 2;
            let [row, col] = [row, col].map(|at| u16::try_from(at).unwrap());
            let cell = screen.cell(row, col);
            cell.is_some_and(|cell| cell.fgcolor() == vt100::Color::Idx(1))
        });
    });
}
