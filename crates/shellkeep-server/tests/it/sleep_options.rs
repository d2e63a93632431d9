//! The options of sleep, from the environment and from the command line, and what shows of it where nothing can sleep.

use shellkeep_testkit::virtual_rig::Rig;

/// Every option of keeping and sleeping: where it belongs, and a value that is not its default.
const OPTIONS: &[(&str, &str, &str)] = &[
    ("-s", "archive-after", "2d"),
    ("-s", "archive-keep", "9d"),
    ("-s", "max-active", "3"),
    ("-s", "max-total", "7"),
    ("-s", "resume-rules", "myrepl=myrepl --again"),
    ("-s", "revive-budget", "12345"),
    ("-g", "hibernate", "off"),
    ("-g", "hibernate-after", "90s"),
    ("-g", "revive-on", "key"),
    ("-g", "revive-rc", "on"),
    ("-g", "shell-integration", "off"),
    ("-g", "spare-unread", "on"),
];

#[test]
fn environment_overrides_every_option_of_sleep() {
    for (scope, name, value) in OPTIONS {
        let variable = name.to_uppercase().replace('-', "_");
        let variable = format!("SHELLKEEP_{variable}={value}");
        let show = ["show-options", scope, name];
        let usual = Rig::new().run(&show);
        assert_eq!(usual.stderr, "", "{name}");
        // The configuration says otherwise, and does not count.
        let config = format!("set {scope} {name} {}", default_of(&usual.stdout));
        let rig = Rig::with_config_and_environment(&config, &[&variable]);
        let shown = rig.run(&show);
        assert_ne!(shown.stdout, usual.stdout, "{variable}");
        // It is what the command would have set, and a later command wins.
        let other = Rig::new();
        assert_eq!(other.run(&["set-option", scope, name, value]).stderr, "");
        assert_eq!(shown.stdout, other.run(&show).stdout, "{variable}");
        let back = ["set-option", "-u", scope, name];
        assert_eq!(rig.run(&back).stderr, "", "{name}");
        assert_eq!(rig.run(&show).stdout, usual.stdout, "{name}");
    }
}

/// What stands behind the name.
fn default_of(line: &str) -> String {
    let value = line.trim_end().split_once(' ').map(|(_, value)| value);
    value.map_or_else(|| "''".to_owned(), str::to_owned)
}

#[test]
fn variables_that_shells_get_from_us_are_no_options() {
    let variables = [
        "SHELLKEEP_SHELL_DIR=/run/x",
        "SHELLKEEP_PANE=%3",
        "SHELLKEEP_ZDOTDIR=/home/x",
    ];
    let told = |variables: &[&str]| {
        let rig = Rig::with_config_and_environment("", variables);
        rig.run(&["new", "-d", "-s", "work"]);
        rig.run(&["show-messages"]).stdout
    };
    assert_eq!(told(&variables).matches("SHELLKEEP_").count(), 0);
    // What looks like an option and is none is told.
    let other = told(&["SHELLKEEP_HIBERNATE_BEFORE=1"]);
    assert!(other.contains("SHELLKEEP_HIBERNATE_BEFORE"), "{other}");
}

#[test]
fn list_for_scripts_is_as_in_tmux_where_all_are_awake() {
    let rig = Rig::new();
    rig.run(&["new", "-d", "-s", "work"]);
    let list = rig.run(&["ls"]).stdout;
    assert!(list.starts_with("work: 1 windows (created "), "{list}");
    assert!(list.ends_with(")\n") && !list.contains('['), "{list}");
    let facts = rig.run(&[
        "ls",
        "-F",
        "#{session_state} #{session_busy} #{session_age} #{session_facts}",
    ]);
    assert_eq!(
        facts.stdout,
        "active private 0 0s old, used 0s ago; private\n"
    );
    let flags = rig.run(&["list-windows", "-t", "work", "-F", "#{window_flags}"]);
    assert_eq!(flags.stdout, "*\n");
}
