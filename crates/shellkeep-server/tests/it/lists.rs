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
