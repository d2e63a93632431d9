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
fn command_mistyped_is_met_with_the_nearest_name() {
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
    assert!(
        error.starts_with("new-session: ") && !error.contains('\n'),
        "{error}"
    );
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
