//! `search`: what is found in panes that live, how it is printed, and how one goes there.

use serde_json::Value;
use shellkeep_testkit::virtual_rig::Rig;

/// Two sessions; the second was used last.
fn rig() -> Rig {
    let rig = Rig::new();
    rig.run(&[
        "new", "-d", "-s", "build", "-n", "make", "-x", "20", "-y", "4",
    ]);
    rig.run(&[
        "new", "-d", "-s", "work", "-n", "shell", "-x", "20", "-y", "4",
    ]);
    rig.run(&["tag", "-t", "work", "mine"]);
    rig.pty(0)
        .says("Compiling one\r\nerror: in one\r\ndone\r\n");
    let lines: Vec<String> = (1..=600).map(|n| format!("line {n}\r\n")).collect();
    rig.pty(1).says(lines.concat());
    rig.pty(1)
        .says("an \x1b[31mError\x1b[m that is longer than the row\r\n");
    rig.pty(1).says("日本語 error\r\n$ ");
    rig
}

#[track_caller]
fn found(rig: &Rig, args: &[&str]) -> String {
    let mut all = vec!["search"];
    all.extend(args);
    let finished = rig.run(&all);
    assert_eq!(
        (finished.status, &finished.stderr[..]),
        (Some(0), ""),
        "{args:?}"
    );
    finished.stdout
}

#[test]
fn lines_are_found_in_screen_and_history_with_their_numbers() {
    let rig = rig();
    assert_eq!(
        found(&rig, &["error"]),
        "build:0.0:2:error: in one\n\
         work:0.0:601:an Error that is longer than the row\n\
         work:0.0:602:日本語 error\n"
    );
    assert_eq!(found(&rig, &["line 7"]).lines().count(), 11);
    assert_eq!(found(&rig, &["-E", "^line 7$"]), "work:0.0:7:line 7\n");
    // It was broken at the margin, in the middle of a word.
    assert_eq!(
        found(&rig, &["is longer than the row"]),
        "work:0.0:601:an Error that is longer than the row\n"
    );
    assert_eq!(found(&rig, &["本語 e"]), "work:0.0:602:日本語 error\n");
}

#[test]
fn capitals_matter_if_there_are_any_or_as_asked_for() {
    let rig = rig();
    let count = |args: &[&str]| found(&rig, args).lines().count();
    assert_eq!(count(&["error"]), 3);
    assert_eq!(count(&["Error"]), 1);
    assert_eq!(count(&["-i", "ERROR"]), 3);
    assert_eq!(count(&["-s", "error"]), 2);
}

#[test]
fn nothing_found_and_bad_patterns_are_told_by_the_status() {
    let rig = rig();
    let said = |args: &[&str]| {
        let finished = rig.run(args);
        (finished.status, finished.stdout, finished.stderr)
    };
    let silent = (Some(1), String::new(), String::new());
    assert_eq!(said(&["search", "nowhere at all"]), silent);
    assert_eq!(said(&["search", "-l", "nowhere"]), silent);
    for (args, sentence) in [
        (
            &["search", "-E", "a(b"][..],
            "bad regular expression: a(b: unclosed group\n",
        ),
        (&["search", ""], "nothing to look for\n"),
        (&["search", "-n", "x", "a"], "limit invalid\n"),
        (&["search", "-g", "0", "a"], "number too small\n"),
        (
            &["search", "-t", "nobody", "a"],
            "can't find pane: nobody\n",
        ),
        (
            &["search", "--state", "odd", "a"],
            "unknown state: odd (active, hibernated or archived)\n",
        ),
        (
            &["search", "-g", "9", "error"],
            "there is no line 9: 3 found\n",
        ),
    ] {
        assert_eq!(
            said(args),
            (Some(1), String::new(), sentence.to_owned()),
            "{args:?}"
        );
    }
}

#[test]
fn filters_restrict_where_it_is_looked_for() {
    let rig = rig();
    let build = "build:0.0:2:error: in one\n";
    assert_eq!(found(&rig, &["-t", "build", "error"]), build);
    assert_eq!(found(&rig, &["-t", "%0", "error"]), build);
    assert_eq!(found(&rig, &["-t", "build:0", "error"]), build);
    assert_eq!(found(&rig, &["--tag", "mine", "error"]).lines().count(), 2);
    assert_eq!(
        found(&rig, &["--state", "active", "error"]).lines().count(),
        3
    );
    assert_eq!(
        rig.run(&["search", "--state", "archived", "error"]).status,
        Some(1)
    );
    assert_eq!(
        rig.run(&["search", "--tag", "other", "error"]).status,
        Some(1)
    );
    assert_eq!(
        rig.run(&["search", "--cwd", "/no/such/place", "error"])
            .status,
        Some(1)
    );
    assert_eq!(found(&rig, &["--cwd", "/", "error"]).lines().count(), 3);
}

#[test]
fn limit_keeps_the_newest_and_says_so() {
    let rig = rig();
    let finished = rig.run(&["search", "-n", "2", "error"]);
    assert_eq!(finished.status, Some(0));
    assert_eq!(
        finished.stdout,
        "work:0.0:601:an Error that is longer than the row\nwork:0.0:602:日本語 error\n"
    );
    assert_eq!(
        finished.stderr,
        "these are the newest 2 lines; there may be more (-n 0 shows all)\n"
    );
    let finished = rig.run(&["search", "--limit", "3", "line"]);
    assert_eq!(
        finished.stdout,
        "work:0.0:598:line 598\nwork:0.0:599:line 599\nwork:0.0:600:line 600\n"
    );
    assert_eq!(found(&rig, &["-n", "0", "line"]).lines().count(), 600);
}

#[test]
fn counts_and_names_of_panes_come_instead_of_lines() {
    let rig = rig();
    assert_eq!(found(&rig, &["-c", "error"]), "build:0.0:1\nwork:0.0:2\n");
    assert_eq!(found(&rig, &["-l", "error"]), "build:0.0\nwork:0.0\n");
    assert_eq!(
        found(&rig, &["-c", "-F", "#{pane_id} #{search_count}", "line"]),
        "%1 600\n"
    );
}

#[test]
fn context_stands_beside_what_was_found() {
    let rig = rig();
    assert_eq!(
        found(&rig, &["-t", "work", "-C", "1", "-E", "^line (7|9|300)$"]),
        "work:0.0-6-line 6\nwork:0.0:7:line 7\nwork:0.0-8-line 8\nwork:0.0:9:line 9\nwork:0.0-10-line 10\n\
         --\nwork:0.0-299-line 299\nwork:0.0:300:line 300\nwork:0.0-301-line 301\n"
    );
    assert_eq!(
        found(&rig, &["-A", "2", "in one"]),
        "build:0.0:2:error: in one\nbuild:0.0-3-done\n"
    );
    assert_eq!(
        found(&rig, &["-B", "2", "-E", "^line 1$"]),
        "work:0.0:1:line 1\n"
    );
}

#[test]
fn lines_are_found_by_when_they_were_printed() {
    let rig = rig();
    let count = |args: &[&str]| {
        let all = [&["search"], args, &["error"]].concat();
        rig.run(&all).stdout.lines().count()
    };
    // The rig's clock stands still in 2001, but lines have the time of the system's.
    for (args, lines) in [
        (&["--since", "-2h"][..], 3),
        (&["--until", "now"], 0),
        (&["--since", "2020-01-01", "--until", "@9999999999"], 3),
        (&["--since=2020-01-01T00:00Z", "--until", "2020-01-02"], 0),
        (&["--until", "2020-01-01"], 0),
    ] {
        assert_eq!(count(args), lines, "{args:?}");
    }
    let finished = rig.run(&["search", "--since", "soon", "error"]);
    assert_eq!(finished.status, Some(1));
    assert!(
        finished.stderr.starts_with("bad time: soon (such as "),
        "{}",
        finished.stderr
    );
    let objects: Vec<Value> = serde_json::from_str(&found(&rig, &["--json", "error"])).unwrap();
    let time = objects[0]["search_time"].as_i64();
    assert!(time > Some(1_700_000_000), "{time:?}");
    let years = found(&rig, &["-F", "#{t/f/%Y:search_time}", "error"]);
    assert!(years.lines().all(|year| year > "2020"), "{years}");
}

#[test]
fn formats_and_json_know_where_it_is() {
    let rig = rig();
    let format = "#{session_name} #{window_name} #{pane_id} #{search_line_number} #{search_column} #{search_text}";
    assert_eq!(
        found(&rig, &["-F", format, "error"]),
        "build make %0 2 0 error\nwork shell %1 601 3 Error\nwork shell %1 602 7 error\n"
    );
    // More than are put into the format at once.
    assert_eq!(
        found(&rig, &["-F", "#{search_line}", "line"])
            .lines()
            .count(),
        600
    );
    let objects: Vec<Value> = serde_json::from_str(&found(&rig, &["--json", "error"])).unwrap();
    assert_eq!(objects.len(), 3);
    let last = &objects[2];
    assert_eq!(rig.run(&["search", "--json", "nowhere"]).stdout, "[]\n");
    let both = found(&rig, &["--json", "-F", "#{pane_id}", "line"]);
    let both: Vec<Value> = serde_json::from_str(&both).unwrap();
    assert_eq!((both.len(), &both[599]["text"]), (600, &"%1".into()));
    assert_eq!(both[599]["search_line"], "line 600");
    assert_eq!(last["search_line"], "日本語 error");
    assert_eq!(
        (&last["search_line_number"], &last["search_column"]),
        (&602.into(), &7.into())
    );
    assert_eq!(
        (&last["session_name"], &last["session_state"]),
        (&"work".into(), &"active".into())
    );
    assert_eq!(last["pane_id"], "%1");
}

#[test]
fn colours_stay_if_they_are_asked_for() {
    let rig = rig();
    assert_eq!(
        found(&rig, &["-e", "Error"]),
        "work:0.0:601:an \x1b[31mError\x1b[39m that is longer than the row\n"
    );
}

#[test]
fn lines_of_both_screens_are_found() {
    let rig = rig();
    rig.pty(0).says("under\x1b[?1049h\x1b[Hover the line");
    let names = |text: &str| found(&rig, &["-t", "build", text]);
    assert_eq!(names("under"), "build:0.0:4:under\n");
    assert!(names("over the").ends_with(":over the line\n"));
}

#[test]
fn going_there_shows_the_line_in_copy_mode() {
    let rig = rig();
    let ann = rig.attach((5, 40), &["attach", "-t", "build"]);
    let finished = rig.run(&["copy-mode", "-t", "work", "--line", "300"]);
    assert_eq!(finished.status, Some(0));
    let at = |pane: &str, format: &str| {
        let said = rig.run(&["display", "-p", "-t", pane, format]);
        said.stdout.trim_end().to_owned()
    };
    assert_eq!(
        at("work", "#{pane_in_mode} #{copy_cursor_line}"),
        "1 line 300"
    );
    rig.run(&["copy-mode", "-q", "-t", "work"]);
    // The prompt of an attached client.
    ann.keys("C-b :");
    ann.sends("search -g 1 -E '^line 42$'\r");
    assert_eq!(
        at("work", "#{pane_in_mode} #{copy_cursor_line}"),
        "1 line 42"
    );
    assert_eq!(ann.session(), Some(shellkeep_core::SessionId(1)));
    assert!(ann.text().contains("line 42"), "{}", ann.text());
    // A terminal that is not attached.
    let bob = rig.attach((5, 40), &["search", "-g", "3", "error"]);
    assert_eq!(bob.session(), Some(shellkeep_core::SessionId(0)));
    assert_eq!(at("build", "#{copy_cursor_line}"), "error: in one");
}

#[test]
fn going_there_without_a_terminal_changes_nothing() {
    let rig = rig();
    let refused = rig.run(&["search", "-g", "1", "error"]);
    let expected = "open terminal failed: not a terminal\n";
    assert_eq!((refused.status, &*refused.stderr), (Some(1), expected));
    let modes = rig.run(&["list-panes", "-a", "-F", "#{pane_in_mode}"]);
    assert_eq!(modes.stdout, "0\n0\n");
}

#[test]
fn private_session_is_searched_too() {
    let rig = rig();
    rig.run(&["new", "-d", "-s", "secret", "--private"]);
    rig.pty(2).says("the secret word\r\n");
    assert_eq!(
        found(&rig, &["secret word"]),
        "secret:0.0:1:the secret word\n"
    );
}
