use std::collections::BTreeSet;

use super::*;
use crate::cmd::{attach_session, new_session, send_keys};

#[test]
fn table_is_sorted_and_its_names_are_unique() {
    assert!(TABLE.windows(2).all(|pair| pair[0].name < pair[1].name));
    let mut seen = BTreeSet::new();
    for spec in TABLE {
        for name in std::iter::once(&spec.name).chain(spec.aliases) {
            assert!(seen.insert(*name), "{name} stands twice");
        }
    }
}

#[test]
fn every_command_and_argument_has_help() {
    for spec in TABLE {
        let command = clap_command(spec);
        let about = command
            .get_about()
            .map(ToString::to_string)
            .unwrap_or_default();
        assert!(
            !about.is_empty() && !about.ends_with('.'),
            "{}: {about:?}",
            spec.name
        );
        for arg in command.get_arguments() {
            assert!(arg.get_help().is_some(), "{} {}", spec.name, arg.get_id());
        }
        assert!(matches!(
            parse(&[spec.name, "--help"]),
            Err(CommandError::Help(_))
        ));
    }
}

#[test]
fn every_example_is_a_use_of_its_command() {
    for spec in TABLE {
        let outcome = crate::parse::parse_text(spec.example, &mut crate::parse::NoHost);
        assert_eq!(outcome.errors, [], "{}", spec.example);
        let list = outcome.list;
        assert_eq!(list.check(), [], "{}", spec.example);
        let commands: Vec<_> = list.commands().collect();
        assert_eq!(commands.len(), 1, "{}", spec.example);
        assert_eq!(parse(&commands[0].words()).unwrap().spec().name, spec.name);
    }
}

#[test]
fn clap_finds_no_fault_in_the_table() {
    clap_root().debug_assert();
}

#[test]
fn command_found_by_alias_and_unique_beginning() {
    assert_eq!(find("ls").unwrap().name, "list-sessions");
    assert_eq!(find("attach-s").unwrap().name, "attach-session");
    assert_eq!(find("new").unwrap().name, "new-session");
    assert!(matches!(
        find("kill-se"),
        Err(CommandError::Ambiguous { .. })
    ));
    assert!(matches!(find(""), Err(CommandError::Empty)));
}

#[test]
fn prefix_known_to_tmux_has_the_same_meaning() {
    let names: Vec<&str> = TMUX_COMMANDS
        .lines()
        .filter_map(|line| line.split(' ').next())
        .collect();
    for name in &names {
        for end in 1..=name.len() {
            let typed = &name[..end];
            let mut meant = names.iter().filter(|name| name.starts_with(typed));
            let (Some(meant), None) = (meant.next(), meant.next()) else {
                continue;
            };
            let found = find(typed).unwrap();
            assert!(
                found.name == *meant || found.aliases.contains(&typed),
                "{typed} is {}",
                found.name
            );
        }
    }
    assert_eq!(find("a").unwrap().name, "attach-session");
    assert_eq!(find("sta").unwrap().name, "start-server");
}

#[test]
fn local_commands_never_start_a_server() {
    let local: Vec<&str> = TABLE
        .iter()
        .filter(|spec| spec.is_local())
        .map(|spec| spec.name)
        .collect();
    assert_eq!(local, ["doctor", "tmux-shim"]);
    assert!(
        TABLE
            .iter()
            .all(|spec| !(spec.is_local() && spec.traits.starts_server))
    );
}

#[test]
fn server_is_started_by_the_same_commands_as_in_tmux() {
    let starting: Vec<&str> = TABLE
        .iter()
        .filter(|spec| spec.traits.starts_server)
        .map(|spec| spec.name)
        .collect();
    // tmux has no `reopen`. It creates a session, as new-session does.
    assert_eq!(
        starting,
        [
            "attach-session",
            "list-commands",
            "list-keys",
            "new-session",
            "reopen",
            "start-server"
        ]
    );
}

#[test]
fn mistyped_command_suggests_the_nearest_name() {
    let error = find("kill-sesion").unwrap_err();
    assert_eq!(
        error.to_string(),
        "unknown command: kill-sesion; did you mean kill-session?"
    );
    assert_eq!(
        find("frobnicate").unwrap_err().to_string(),
        "unknown command: frobnicate"
    );
}

#[test]
fn arguments_that_do_not_fit_are_named_in_one_line() {
    let error = parse(&["new", "-x", "0"]).unwrap_err().to_string();
    assert!(error == "width too small", "{error}");
    let error = parse(&["ls", "-z"]).unwrap_err().to_string();
    assert!(error.contains("-z") && error.contains("usage: "), "{error}");
}

#[test]
fn arguments_come_out_typed() {
    let parsed = parse(&[
        "new", "-d", "-s", "w", "-e", "A=1", "-e", "B=2", "sleep", "-5",
    ])
    .unwrap();
    let expected = new_session::Args {
        detached: true,
        name: Some("w".into()),
        environment: vec!["A=1".into(), "B=2".into()],
        command: vec!["sleep".into(), "-5".into()],
        ..Default::default()
    };
    assert_eq!(parsed, Command::NewSession(expected));
    let parsed = parse(&["attach", "w"]).unwrap();
    let expected = attach_session::Args {
        name: Some("w".into()),
        ..Default::default()
    };
    assert_eq!(parsed, Command::AttachSession(expected));
    let parsed = parse(&["send", "-l", "--", "-x"]).unwrap();
    let expected = send_keys::Args {
        literal: true,
        keys: vec!["-x".into()],
        ..Default::default()
    };
    assert_eq!(parsed, Command::SendKeys(expected));
}

fn parsed(line: &str) -> Command {
    let words: Vec<&str> = line.split(' ').collect();
    parse(&words).unwrap_or_else(|error| panic!("{line}: {error}"))
}

#[test]
fn flag_values_that_begin_with_a_dash_are_values() {
    let Command::CapturePane(args) = parsed("capturep -pS -100 -E - -t -1") else {
        panic!("capture-pane")
    };
    assert_eq!(args.start.as_deref(), Some("-100"));
    assert_eq!(args.end.as_deref(), Some("-"));
    assert_eq!(args.target.as_deref(), Some("-1"));
    assert!(args.print);
    let Command::NewWindow(args) = parsed("neww -dat=x:=1 -n -n") else {
        panic!("new-window")
    };
    assert!(args.detached && args.after);
    assert_eq!(args.target.as_deref(), Some("=x:=1"));
    assert_eq!(args.name.as_deref(), Some("-n"));
}

#[test]
fn flags_end_at_the_first_argument() {
    let Command::SendKeys(args) = parsed("send -t x foo -l --help") else {
        panic!("send-keys")
    };
    assert!(!args.literal);
    assert_eq!(args.keys, ["foo", "-l", "--help"]);
    let Command::NewWindow(args) = parsed("neww -n x ls -la") else {
        panic!("new-window")
    };
    assert_eq!(args.command, ["ls", "-la"]);
    let Command::SendKeys(args) = parsed("send - -l") else {
        panic!("send-keys")
    };
    assert_eq!(args.keys, ["-", "-l"]);
    let Command::SetOption(args) = parsed("set -g status -") else {
        panic!("set-option")
    };
    assert_eq!(args.value.as_deref(), Some("-"));
}

#[test]
fn wrong_arguments_have_tmux_errors() {
    for (line, expected) in [
        ("new -Z", "command new-session: unknown flag -Z (usage: "),
        ("ls -é", "command list-sessions: invalid flag -é (usage: "),
        (
            "killp -t",
            "command kill-pane: -t expects an argument (usage: ",
        ),
        (
            "killp a",
            "command kill-pane: too many arguments (need at most 0) (usage: ",
        ),
        (
            "if a",
            "command if-shell: too few arguments (need at least 2) (usage: ",
        ),
        ("new -x a", "width invalid"),
        ("new -x 99999", "width too large"),
        (
            "ls --jsn",
            "command list-sessions: unknown flag --jsn (usage: ",
        ),
    ] {
        let words: Vec<&str> = line.split(' ').collect();
        let error = parse(&words).unwrap_err().to_string();
        assert!(error.starts_with(expected), "{error}");
    }
}

#[test]
fn usage_is_written_as_tmux_writes_it() {
    assert_eq!(
        usage(find("neww").unwrap()),
        "new-window [-abdkPS] [-c DIR] [-e VAR=VALUE] [-F FORMAT] [-n NAME] [-t WINDOW] [CMD ...]"
    );
    let usage_of_end = usage(find("kill-server").unwrap());
    assert_eq!(usage_of_end, "kill-server [--keep] [--force]");
    assert!(usage(find("new").unwrap()).contains(" [--private] [--created-by WHO] [--tag TAG] "));
    assert_eq!(
        usage(find("lsb").unwrap()),
        "list-buffers [-F FORMAT] [-f FILTER] [--json]"
    );
}

#[test]
fn blocks_stand_only_where_commands_may() {
    let list =
        crate::parse::parse_strict("if -F 1 { send-keys a ; ls }", &mut crate::parse::NoHost);
    let list = list.unwrap();
    let Command::IfShell(args) = list.0[0][0].command().unwrap() else {
        panic!("if-shell")
    };
    assert!(args.then.is_block());
    assert_eq!(&*args.then, "send-keys a ; ls");
    let list = crate::parse::parse_strict("send { a }", &mut crate::parse::NoHost).unwrap();
    let error = list.0[0][0].command().unwrap_err().to_string();
    assert!(
        error.starts_with("command send-keys: argument 1 must be \"string\""),
        "{error}"
    );
}

#[test]
fn every_listing_has_json() {
    for spec in TABLE {
        let lists = spec.name.starts_with("list-") || spec.name.starts_with("show-");
        if lists || ["display-message", "server-access"].contains(&spec.name) {
            let command = clap_command(spec);
            let mut args = command.get_arguments();
            assert!(
                args.any(|arg| arg.get_long() == Some("json")),
                "{}",
                spec.name
            );
        }
    }
}

#[test]
fn json_among_the_arguments_is_the_flag() {
    for words in [
        &["show-options", "--json", "-g", "status"][..],
        &["show-options", "-g", "--json", "status"],
        &["show-options", "-g", "status", "--json"],
    ] {
        let Ok(Command::ShowOptions(args)) = parse(words) else {
            panic!("{words:?}");
        };
        assert!(args.json && args.global, "{words:?}");
        assert_eq!(args.option.as_deref(), Some("status"), "{words:?}");
    }
    for spec in TABLE {
        let command = clap_command(spec);
        let arguments: Vec<_> = command.get_positionals().collect();
        let has_json = command
            .get_arguments()
            .any(|arg| arg.get_long() == Some("json"));
        if !has_json || arguments.iter().any(|arg| flags::is_many(arg)) {
            continue;
        }
        let mut words = vec![spec.name];
        words.extend(arguments.iter().map(|_| "x"));
        words.push("--json");
        assert!(parse(&words).is_ok(), "{words:?}");
    }
    let literal = parse(&["display-message", "-p", "--", "--json"]);
    let Ok(Command::DisplayMessage(args)) = literal else {
        panic!("{literal:?}");
    };
    assert!(!args.json);
}

#[test]
fn every_command_of_tmux_takes_its_flags() {
    for line in TMUX_COMMANDS.lines() {
        let mut words = line.split_whitespace().peekable();
        let name = words.next().unwrap();
        let spec = exact(name).unwrap_or_else(|| panic!("{name}"));
        if let Some(alias) = words.peek().and_then(|word| word.strip_prefix('(')) {
            assert_eq!(spec.aliases, [alias.trim_end_matches(')')], "{name}");
        }
        let command = clap_command(spec);
        for group in line
            .split('[')
            .skip(1)
            .filter(|group| group.starts_with('-'))
        {
            let flags = group.split(']').next().unwrap();
            let (flags, has_value) = match flags[1..].split_once(' ') {
                Some((flags, _)) => (flags, true),
                None => (&flags[1..], false),
            };
            // tmux's own line has this flag twice by mistake.
            let flags = flags.replace("bdefhIPvZ", "bdfhIPvZ");
            for flag in flags.chars().filter(|c| !"|-]".contains(*c)) {
                let mut args = command.get_arguments();
                let arg = args.find(|arg| arg.get_short() == Some(flag));
                let arg = arg.unwrap_or_else(|| panic!("{name} -{flag}"));
                // A flag with an optional joined value has none in tmux's line.
                let wants = flags::takes_value(arg) && !flags::is_value_joined(arg);
                assert_eq!(wants, has_value, "{name} -{flag}");
            }
        }
    }
}

#[test]
fn command_is_read_alike_each_time() {
    let lines = [
        "new-session -d -s a",
        "new-session --help",
        "new-session -Q",
        "new-session -x",
        "new-session -x many",
    ];
    let read = || lines.map(|line| parse(&line.split(' ').collect::<Vec<_>>()));
    let first = read();
    assert!(first[0].is_ok() && first[1..].iter().all(Result::is_err));
    assert_eq!(read(), first, "what was asked before leaves no trace");
}
