use std::time::Duration;

use shellkeep_proto::FromClient;
use shellkeep_testkit::virtual_rig::Rig;

/// A server whose windows keep their names: nothing is told but what a test leads to.
fn rig() -> Rig {
    Rig::with_config("set -g automatic-rename off\n")
}

/// An answer without what differs from run to run: time and number.
fn masked(text: &str) -> String {
    let lines = text.lines().map(|line| {
        let mut words: Vec<&str> = line.split(' ').collect();
        if let ["%begin" | "%end" | "%error", _, _, _] = words[..] {
            words[1] = "T";
            words[2] = "N";
        }
        words.join(" ")
    });
    lines.collect::<Vec<_>>().join("\n")
}

#[test]
fn first_command_is_answered_before_what_it_led_to() {
    let rig = rig();
    let ann = rig.control(&["new", "-s", "work"]);
    assert_eq!(
        masked(&ann.heard()),
        "%begin T N 0\n%end T N 0\n%window-add @0\n%sessions-changed\n%session-changed $0 work"
    );
}

#[test]
fn lines_are_answered_one_by_one_in_blocks_with_time_and_number() {
    let rig = rig();
    let ann = rig.control(&["new", "-s", "work"]);
    let first = ann.line("list-sessions -F '#{session_name}'");
    assert_eq!(masked(&first), "%begin T N 1\nwork\n%end T N 1");
    assert!(first.starts_with("%begin 1000000000 "), "{first}");
    let number = |text: &str| -> u64 {
        let words: Vec<&str> = text.split(' ').collect();
        words[2].parse().unwrap()
    };
    let second = ann.line("has-session -t nope ; list-sessions");
    assert_eq!(
        masked(&second),
        "%begin T N 1\ncan't find session: nope\n%error T N 1",
        "the rest of the line is dropped"
    );
    assert!(number(&second) > number(&first));
}

#[test]
fn line_that_cannot_be_read_is_an_error_and_runs_nothing() {
    let rig = rig();
    let ann = rig.control(&["new", "-s", "work"]);
    assert_eq!(
        masked(&ann.line("rename-session x ; nosuch")),
        "%begin T N 1\nparse error: unknown command: nosuch\n%error T N 1"
    );
    assert_eq!(rig.run(&["has", "-t", "=work"]).status, Some(0));
    assert_eq!(ann.line("# nothing"), "");
    assert_eq!(ann.line("  "), "");
}

#[test]
fn output_of_every_pane_of_the_session_is_heard() {
    let rig = rig();
    let ann = rig.control(&["new", "-s", "work"]);
    rig.run(&["new", "-d", "-s", "other"]);
    let _ = ann.heard();
    rig.pty(1).says("not mine");
    rig.pty(0).says("a\\b\r\n");
    assert_eq!(ann.heard(), "%output %0 a\\134b\\015\\012\n");
    ann.line("refresh-client -f no-output");
    rig.pty(0).says("unheard");
    assert_eq!(ann.heard(), "");
    ann.line("refresh-client -f '!no-output'");
    rig.pty(0).says("heard");
    assert_eq!(ann.heard(), "%output %0 heard\n");
    ann.line("refresh-client -A '%0:off'");
    rig.pty(0).says("off");
    ann.line("refresh-client -A '%0:on'");
    rig.pty(0).says("on");
    assert_eq!(ann.heard(), "%output %0 on\n");
}

#[test]
fn pause_and_continue_are_said_and_kept() {
    let rig = rig();
    let ann = rig.control(&["new", "-s", "work"]);
    let _ = ann.heard();
    ann.line("refresh-client -f pause-after=5");
    let paused = ann.line("refresh-client -A '%0:pause'");
    assert_eq!(masked(&paused), "%pause %0\n%begin T N 1\n%end T N 1");
    rig.pty(0).says("unheard");
    let goes_on = ann.line("refresh-client -A '%0:continue'");
    assert_eq!(masked(&goes_on), "%continue %0\n%begin T N 1\n%end T N 1");
    rig.pty(0).says("again");
    assert_eq!(ann.heard(), "%extended-output %0 0 : again\n");
}

#[test]
fn reader_that_stops_is_paused_and_costs_the_program_nothing() {
    let rig = rig();
    let ann = rig.control(&["new", "-s", "work"]);
    ann.line("refresh-client -f pause-after=1");
    ann.stops();
    for _ in 0..20 {
        rig.pty(0).says(vec![b'x'; 100 << 10]);
        rig.pass(Duration::from_secs(1));
    }
    rig.pty(0).says("\r\nfinis");
    let shown = rig.run(&["capture-pane", "-p", "-t", "work"]).stdout;
    assert!(shown.trim_end().ends_with("finis"), "{shown}");
    ann.continues();
    let heard = ann.heard();
    assert!(heard.contains("\n%pause %0\n"), "no pause");
    assert!(
        !heard.contains("finis"),
        "what came after the pause was sent"
    );
}

#[test]
fn size_counts_only_when_it_was_said() {
    let rig = rig();
    rig.run(&["set", "-g", "status", "off"]);
    let ann = rig.control(&["new", "-s", "work"]);
    let _ = ann.heard();
    assert_eq!(rig.pty(0).size(), shellkeep_core::Size::new(24, 80));
    assert_eq!(
        masked(&ann.line("refresh-client -C 100x30")),
        "%begin T N 1\n%end T N 1\n%layout-change @0 a87d,100x30,0,0,0 a87d,100x30,0,0,0 *"
    );
    assert_eq!(rig.pty(0).size(), shellkeep_core::Size::new(30, 100));
    ann.line("refresh-client -C @0:50x20");
    assert_eq!(rig.pty(0).size(), shellkeep_core::Size::new(20, 50));
    ann.line("refresh-client -C @0:");
    assert_eq!(rig.pty(0).size(), shellkeep_core::Size::new(30, 100));
    assert!(
        ann.line("refresh-client -C 0x0")
            .contains("size too small or too big")
    );
    assert!(
        ann.line("refresh-client -C x")
            .contains("bad size argument")
    );
}

#[test]
fn subscriptions_tell_of_changes_once() {
    let rig = rig();
    let ann = rig.control(&["new", "-s", "work"]);
    let both = "refresh-client -B 'name::#{session_name}' -B 'all:%*:#{pane_id}'";
    let mut heard = ann.line(both);
    rig.pass(Duration::from_secs(2));
    heard.push_str(&ann.heard());
    assert!(
        heard.contains("%subscription-changed name $0 - - - : work\n"),
        "{heard}"
    );
    assert!(
        heard.contains("%subscription-changed all $0 @0 0 %0 : %0\n"),
        "{heard}"
    );
    rig.pass(Duration::from_secs(3));
    assert_eq!(ann.heard(), "");
    ann.line("refresh-client -B all");
    rig.run(&["rename-session", "-t", "work", "play"]);
    rig.pass(Duration::from_secs(2));
    let heard = ann.heard();
    assert!(
        heard.contains("%subscription-changed name $0 - - - : play\n"),
        "{heard}"
    );
}

#[test]
fn end_comes_with_detaching_an_empty_line_or_the_end_of_the_input() {
    let rig = rig();
    rig.run(&["new", "-d", "-s", "work"]);
    let ann = rig.control(&["attach", "-t", "work"]);
    assert_eq!(
        masked(&ann.heard()),
        "%begin T N 0\n%end T N 0\n%session-changed $0 work"
    );
    assert_eq!(
        masked(&ann.line("detach-client")),
        "%begin T N 1\n%end T N 1\n%exit"
    );
    assert_eq!(ann.finished().status, Some(0));
    let bob = rig.control(&["attach", "-t", "work"]);
    assert_eq!(bob.line(""), "%exit\n");
    assert_eq!(bob.finished().status, Some(0));
    let cid = rig.control(&["attach", "-t", "work"]);
    let _ = cid.heard();
    cid.say(&FromClient::ControlInput(b"list-sessions -F x\n".to_vec()));
    cid.say(&FromClient::ControlInput(Vec::new()));
    assert_eq!(
        masked(&cid.heard()),
        "%begin T N 1\nx\n%end T N 1\n%exit",
        "what was typed before the end is run"
    );
    assert_eq!(cid.finished().status, Some(0));
}

#[test]
fn client_whose_input_has_ended_waits_for_no_command() {
    let rig = rig();
    rig.run(&["new", "-d", "-s", "work"]);
    for command in [
        "wait-for never",
        "run-shell -d 1000",
        "run-shell 'exec sleep 1000' ; new-window -d",
        "if-shell 'exec sleep 1000' 'new-window -d'",
    ] {
        let ann = rig.control(&["attach", "-t", "work"]);
        let _ = ann.heard();
        let lines = format!("{command}\nnew-window -d\n");
        ann.say(&FromClient::ControlInput(lines.into_bytes()));
        assert_eq!(ann.finished().status, None, "{command}");
        ann.say(&FromClient::ControlInput(Vec::new()));
        assert_eq!(
            masked(&ann.heard()),
            "%begin T N 1\n%end T N 1\n%exit",
            "{command}"
        );
        assert_eq!(ann.finished().status, Some(0), "{command}");
    }
    let bob = rig.control(&["attach", "-f", "wait-exit", "-t", "work"]);
    bob.say(&FromClient::ControlInput(b"wait-for never\n".to_vec()));
    bob.say(&FromClient::ControlInput(Vec::new()));
    assert_eq!(bob.finished().status, Some(0), "it can say no more");
    rig.run(&["wait-for", "-S", "never"]);
    let windows = rig.run(&["list-windows", "-F", "#I"]);
    assert_eq!(windows.stdout, "0\n", "what stood behind it is not run");
    // What takes no time in tmux is done before the end.
    let cid = rig.control(&["attach", "-t", "work"]);
    let lines = b"new-window -d\nset-buffer x\nnew-window -d\n".to_vec();
    cid.say(&FromClient::ControlInput(lines));
    cid.say(&FromClient::ControlInput(Vec::new()));
    assert_eq!(cid.finished().status, Some(0));
    let windows = rig.run(&["list-windows", "-F", "#I"]);
    assert_eq!(windows.stdout, "0\n1\n2\n");
}

#[test]
fn first_command_that_fails_ends_it_with_its_status() {
    let rig = rig();
    rig.run(&["new", "-d", "-s", "work"]);
    let ann = rig.control(&["attach", "-t", "nope"]);
    assert_eq!(
        masked(&ann.heard()),
        "%begin T N 0\ncan't find session: nope\n%error T N 0\n%exit"
    );
    assert_eq!(ann.finished().status, Some(1));
    let bob = rig.control(&["list-sessions", "-F", "#{session_name}"]);
    assert_eq!(
        masked(&bob.heard()),
        "%begin T N 0\nwork\n%end T N 0\n%exit"
    );
    assert_eq!(bob.finished().status, Some(0));
}

#[test]
fn client_that_waits_to_exit_ends_when_it_says_so() {
    let rig = rig();
    rig.run(&["new", "-d", "-s", "work"]);
    let ann = rig.control(&["attach", "-f", "wait-exit", "-t", "work"]);
    let _ = ann.heard();
    assert!(ann.line("detach-client").ends_with("%exit\n"));
    assert_eq!(ann.finished().status, None);
    ann.line("");
    assert_eq!(ann.finished().status, Some(0));
}

#[test]
fn session_that_ends_takes_its_client_along() {
    let rig = rig();
    rig.run(&["new", "-d", "-s", "work"]);
    rig.run(&["new", "-d", "-s", "other"]);
    let ann = rig.control(&["attach", "-t", "work"]);
    let _ = ann.heard();
    let heard = ann.line("kill-session -t work");
    assert!(heard.ends_with("%exit\n"), "{heard}");
    assert!(heard.contains("%sessions-changed\n"), "{heard}");
}

#[test]
fn thousand_lines_at_once_are_all_answered_in_order() {
    let rig = rig();
    let ann = rig.control(&["new", "-s", "work"]);
    let _ = ann.heard();
    let lines: String = (0..1000)
        .map(|number| format!("list-sessions -F {number}\n"))
        .collect();
    ann.say(&FromClient::ControlInput(lines.into_bytes()));
    let heard = ann.heard();
    let answers: Vec<&str> = heard
        .lines()
        .filter(|line| !line.starts_with('%'))
        .collect();
    let expected: Vec<String> = (0..1000).map(|number| number.to_string()).collect();
    assert_eq!(answers, expected);
}

#[test]
fn output_arrives_whole_and_in_order() {
    let rig = Rig::new();
    let client = rig.control(&["new", "-s", "one"]);
    let _ = client.heard();
    let lines = |end: &str| -> String {
        let lines = (1..=2000).map(|number| format!("line {number}{end}"));
        lines.collect()
    };
    rig.pty(0).says(lines("\n"));
    let heard = client.heard();
    let output = heard
        .lines()
        .filter_map(|line| line.strip_prefix("%output %0 "));
    assert_eq!(output.collect::<String>(), lines("\\012"));
}
