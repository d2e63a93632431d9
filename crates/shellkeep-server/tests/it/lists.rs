//! What scripts read: lists, formats, messages, captures; and what they type.

use shellkeep_testkit::virtual_rig::Rig;

fn rig() -> Rig {
    let rig = Rig::new();
    rig.run(&["new", "-d", "-s", "work", "-x", "80", "-y", "24"]);
    rig.run(&["new", "-d", "-s", "mail", "-x", "80", "-y", "24"]);
    rig
}

fn out(rig: &Rig, argv: &[&str]) -> String {
    let done = rig.run(argv);
    assert_eq!((done.status, &done.stderr[..]), (Some(0), ""), "{argv:?}");
    done.stdout
}

#[test]
fn lists_are_sorted_filtered_and_formatted() {
    let rig = rig();
    assert_eq!(out(&rig, &["ls", "-F", "#{line} #S"]), "0 mail\n1 work\n");
    let filter = "#{==:#{session_name},work}";
    assert_eq!(
        out(&rig, &["ls", "-f", filter, "-F", "#{session_id}"]),
        "$0\n"
    );
    let whole = out(&rig, &["ls"]);
    assert!(whole.starts_with("mail: 1 windows (created "), "{whole}");
    let format = "#S #{window_id} #{pane_id} #{command}";
    assert_eq!(
        out(&rig, &["lsw", "-t", "work", "-F", format]),
        "work @0 %0 list-windows\n"
    );
    let all = "mail @1 %1 list-panes\nwork @0 %0 list-panes\n";
    assert_eq!(out(&rig, &["lsp", "-a", "-F", format]), all);
    assert_eq!(out(&rig, &["lsp", "-s", "-t", "work", "-F", "#D"]), "%0\n");
    assert_eq!(out(&rig, &["lsc"]), "");
}

#[test]
fn clients_are_listed_while_attached() {
    let rig = rig();
    let _ann = rig.attach((24, 80), &["attach", "-t", "work"]);
    let _bob = rig.attach((10, 40), &["attach", "-r", "-t", "mail"]);
    let format = "#{client_session} #{client_width}x#{client_height} #{client_readonly}";
    assert_eq!(
        out(&rig, &["lsc", "-F", format]),
        "work 80x24 0\nmail 40x10 1\n"
    );
    assert_eq!(out(&rig, &["lsc", "-t", "mail", "-F", "#S"]), "mail\n");
}

#[test]
fn display_message_prints_where_it_is() {
    let rig = rig();
    let text = out(
        &rig,
        &[
            "display",
            "-p",
            "-t",
            "work",
            "#S:#I.#P #{nope}x #{command}",
        ],
    );
    assert_eq!(text, "work:0.0 x display-message\n");
    assert_eq!(out(&rig, &["display", "-p", "-t", "nope", "[#S]"]), "[]\n");
    let all = out(&rig, &["display", "-a", "-t", "work"]);
    assert!(all.contains("\nsession_name=work\n"), "{all}");
    assert!(all.ends_with("command=display-message\n"), "{all}");
    let both = rig.run(&["display", "-p", "-F", "a", "b"]);
    assert_eq!(both.stderr, "only one of -F or argument must be given\n");
}

#[test]
fn json_has_one_shape_whatever_the_values() {
    let rig = rig();
    let json = out(&rig, &["ls", "--json"]);
    let sessions: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(sessions[0]["session_name"], "mail");
    assert_eq!(sessions[1]["session_windows"], 1);
    assert_eq!(sessions[1]["session_grouped"], false);
    assert!(sessions[1]["session_group"].is_null());
    let json = out(&rig, &["lsp", "-a", "--json", "-F", "#S"]);
    let panes: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(panes[1]["text"], "work");
    assert_eq!(panes[1]["pane_id"], "%0");
    assert_eq!(panes[1]["pane_active"], true);
    let json = out(&rig, &["lscm", "--json", "list-panes"]);
    let commands: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(commands[0]["aliases"][0], "lsp");
    assert_eq!(commands[0]["flags"][0]["flag"], "-a");
    assert_eq!(out(&rig, &["lsc", "--json"]), "[]\n");
    let json = out(&rig, &["display", "--json", "-p", "#{version}"]);
    let message: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert!(message[0]["text"].is_string());
}

#[test]
fn variables_of_a_list_are_many_and_it_is_fast() {
    let rig = rig();
    rig.run(&["neww", "-d", "-t", "work"]);
    rig.run(&["splitw", "-d", "-t", "work:1"]);
    let format = "#{session_name} #{window_index} #{pane_index} #{pane_id} #{pane_width}";
    let listed = out(&rig, &["lsp", "-s", "-t", "work", "-F", format]);
    assert_eq!(listed, "work 0 0 %0 80\nwork 1 0 %2 80\nwork 1 1 %3 80\n");
    let json = out(&rig, &["lsw", "-t", "work", "--json"]);
    let windows: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(windows[1]["window_panes"], 2);
    assert_eq!(windows[0]["window_active"], true);
    assert_eq!(windows[0]["session_name"], "work");
}

#[test]
fn messages_and_commands_are_remembered() {
    let rig = rig();
    let nobody = rig.run(&["showmsgs"]);
    assert_eq!(nobody.stderr, "no current client\n");
    let _ann = rig.attach((24, 80), &["attach", "-t", "work"]);
    out(&rig, &["display", "-t", "work", "hello"]);
    let said = out(&rig, &["showmsgs"]);
    let mut lines = said.lines();
    let newest = lines.next().unwrap_or_default();
    assert!(newest.ends_with(" command: show-messages"), "{said}");
    assert!(
        lines
            .next()
            .unwrap_or_default()
            .ends_with(" message: hello"),
        "{said}"
    );
    let json = out(&rig, &["showmsgs", "--json"]);
    let messages: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert!(messages[0]["message_time"].is_number());
    rig.run(&["set", "-s", "message-limit", "3"]);
    assert_eq!(out(&rig, &["showmsgs"]).lines().count(), 3);
    assert!(out(&rig, &["showmsgs", "-T"]).starts_with("Terminal 0: "));
    assert_eq!(out(&rig, &["showmsgs", "-J"]), "");
}

#[test]
fn capture_goes_to_standard_output_or_a_buffer() {
    let rig = rig();
    rig.pty(0).says("one\r\n\x1b[31mtwo\x1b[m  \r\nthree");
    assert_eq!(
        out(&rig, &["capturep", "-p", "-t", "work", "-E", "1"]),
        "one\ntwo\n"
    );
    let colours = out(
        &rig,
        &["capturep", "-peC", "-t", "work", "-S", "1", "-E", "1"],
    );
    assert_eq!(colours, "\\033[31mtwo\\033[39m\n");
    assert_eq!(
        out(
            &rig,
            &["capturep", "-pN", "-t", "work", "-S", "1", "-E", "1"]
        ),
        "two  \n"
    );
    out(&rig, &["capturep", "-b", "kept", "-t", "work", "-E", "0"]);
    assert_eq!(out(&rig, &["show-buffer", "-b", "kept"]), "one\n");
    rig.pty(0).says("\x1b]0;ti");
    assert_eq!(
        out(&rig, &["capturep", "-pPC", "-t", "work"]),
        "\\033]0;ti\n"
    );
    let none = rig.run(&["capturep", "-pa", "-t", "work"]);
    assert_eq!(none.stderr, "no alternate screen\n");
}

#[test]
fn keys_sent_reach_synchronized_panes_but_not_those_that_are_off() {
    let rig = rig();
    rig.run(&["splitw", "-d", "-t", "work"]);
    rig.run(&["send", "-t", "work:0.0", "a"]);
    assert_eq!(
        (rig.pty(0).was_typed(), rig.pty(2).was_typed()),
        ("a".to_owned(), String::new())
    );
    out(&rig, &["set", "-gw", "synchronize-panes", "on"]);
    rig.run(&["send", "-t", "work:0.0", "b"]);
    assert_eq!(
        (rig.pty(0).was_typed(), rig.pty(2).was_typed()),
        ("b".to_owned(), "b".to_owned())
    );
    rig.run(&["selectp", "-d", "-t", "work:0.1"]);
    rig.run(&["send", "-t", "work:0.0", "c"]);
    assert_eq!(
        (rig.pty(0).was_typed(), rig.pty(2).was_typed()),
        ("c".to_owned(), String::new())
    );
    rig.run(&["send-prefix", "-t", "work:0.0"]);
    assert_eq!(rig.pty(0).was_typed(), "\x02");
    rig.run(&["set", "-g", "prefix2", "C-a"]);
    rig.run(&["send-prefix", "-2", "-t", "work:0.0"]);
    assert_eq!(rig.pty(0).was_typed(), "\x01");
    let nowhere = rig.run(&["send", "-t", "work", "-X", "cancel"]);
    assert_eq!(nowhere.stderr, "not in a mode\n");
}

#[test]
fn history_cleared_is_gone() {
    let rig = rig();
    rig.pty(0).says("line\r\n".repeat(60));
    let size = ["display", "-p", "-t", "work", "#{history_size}"];
    assert_eq!(out(&rig, &size), "37\n");
    out(&rig, &["clearhist", "-t", "work"]);
    assert_eq!(out(&rig, &size), "0\n");
}
