//! `--json`: every listing has it, in one shape, and the documentation knows its fields.

use serde_json::Value;
use shellkeep_testkit::virtual_rig::Rig;

const DOCUMENT: &str = include_str!("../../../../docs/JSON.md");

/// Something to be listed by every command.
fn rig() -> Rig {
    let rig = Rig::new();
    rig.run(&["new", "-d", "-s", "work", "-n", "ä \"x\""]);
    rig.run(&["set-buffer", "a\nb\u{1}"]);
    rig.run(&["set-environment", "-g", "NAME", "a\"b"]);
    rig.run(&["set-environment", "-g", "-r", "GONE"]);
    rig.run(&["bind", "-T", "own", "x", "display", "a ; b"]);
    rig.run(&["set-hook", "-g", "session-created", "display a"]);
    rig.run(&["set", "-g", "@mine", "x#{y}"]);
    rig
}

/// One array, an object a line.
fn objects(text: &str, what: &str) -> Vec<serde_json::Map<String, Value>> {
    let array: Vec<Value> = serde_json::from_str(text).unwrap_or_else(|error| {
        panic!("{what}: {error}: {text}");
    });
    match array.len() {
        0 => assert_eq!(text, "[]\n", "{what}"),
        count => assert_eq!(text.lines().count(), count + 2, "{what}: {text}"),
    }
    let objects = array.into_iter().map(|value| match value {
        Value::Object(object) => object,
        other => panic!("{what}: {other}"),
    });
    objects.collect()
}

#[test]
fn every_listing_has_json_in_one_shape() {
    let rig = rig();
    let _ann = rig.attach((10, 40), &["attach", "-t", "work"]);
    let listings = shellkeep_command::TABLE
        .iter()
        .map(|spec| spec.name)
        .filter(|name| name.starts_with("list-") || name.starts_with("show-"));
    for name in listings.chain(["display-message"]) {
        assert!(
            DOCUMENT.contains(&format!("`{name}`")),
            "{name} is not documented"
        );
        let finished = match name {
            "display-message" => rig.run(&[name, "--json", "-p", "-t", "work", "#S"]),
            "show-options" | "show-window-options" | "show-hooks" | "show-environment" => {
                rig.run(&[name, "--json", "-g"])
            }
            _ => rig.run(&[name, "--json"]),
        };
        assert_eq!(
            (finished.status, finished.stderr.as_str()),
            (Some(0), ""),
            "{name}"
        );
        let objects = objects(&finished.stdout, name);
        assert!(!objects.is_empty(), "{name} lists nothing");
        // All of them have the same fields.
        for object in &objects {
            assert!(object.keys().eq(objects[0].keys()), "{name}: {object:?}");
        }
    }
}

#[test]
fn fields_are_documented_one_by_one_or_as_a_family() {
    let rig = rig();
    for args in [
        &["list-keys"][..],
        &["list-buffers"],
        &["show-buffer"],
        &["show-options", "-g"],
        &["show-window-options", "-g"],
        &["show-hooks", "-g"],
        &["show-environment", "-g"],
        &["show-prompt-history"],
        &["show-messages"],
        &["list-commands"],
        &["list-sessions"],
        &["list-windows"],
        &["list-panes"],
    ] {
        let text = rig.run(&[args, &["--json"]].concat()).stdout;
        let name = args[0];
        for field in objects(&text, name)[0].keys() {
            let family = field.split('_').next().unwrap_or_default();
            let is_known = DOCUMENT.contains(&format!("`{field}`"))
                || DOCUMENT.contains(&format!("`{family}_*`"))
                || (field.ends_with("_flag") && DOCUMENT.contains("`mouse_*_flag`"))
                || (field.starts_with("scroll_region") && DOCUMENT.contains("`scroll_region_*`"));
            assert!(is_known, "{name}: {field} is not documented");
        }
    }
}

#[test]
fn keys_with_notes_are_the_same_in_json() {
    let rig = rig();
    for args in [
        &["list-keys", "-N"][..],
        &["list-keys", "-N", "-T", "prefix"],
        &["list-keys", "-aN", "-T", "own"],
        &["list-keys", "-T", "own"],
    ] {
        let plain = rig.run(args).stdout;
        let json = rig.run(&[args, &["--json"]].concat()).stdout;
        assert_eq!(
            objects(&json, "list-keys").len(),
            plain.lines().count(),
            "{args:?}"
        );
    }
    let plain = rig.run(&["list-keys", "-T", "own", "F12"]);
    let json = rig.run(&["list-keys", "--json", "-T", "own", "F12"]);
    assert_eq!((plain.status, &plain.stderr), (Some(1), &json.stderr));
}

#[test]
fn what_is_not_there_is_nothing() {
    let rig = rig();
    for argv in [
        &["show-options", "-q", "@nope", "--json"][..],
        &["show-options", "-gqv", "nope", "--json"],
        &["server-access", "-l", "--json"],
    ] {
        assert_eq!(rig.run(argv).stdout, "[]\n", "{argv:?}");
    }
    assert!(DOCUMENT.contains("`server-access -l`"));
    let saved = || {
        let listed = rig.run(&["list-panes", "--json"]).stdout;
        objects(&listed, "list-panes")[0]["alternate_saved_x"].clone()
    };
    assert_eq!(saved(), Value::Null);
    let format = "#{alternate_saved_x}";
    let text = rig.run(&["display", "-p", format]).stdout;
    assert_eq!(text, "4294967295\n", "as in tmux");
    rig.pty(0).says("ab\x1b[?1049h");
    assert_eq!(saved(), 2);
}
