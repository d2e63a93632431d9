use proptest::prelude::*;

use super::super::*;

/// Option, value, and tmux 3.3a's answer: what it prints afterwards, or its error.
const TMUX: &[(&str, &str, Result<&str, &str>)] = &[
    ("mouse", "maybe", Err("bad value: maybe")),
    ("mouse", "ON", Ok("on")),
    ("mouse", "YES", Ok("on")),
    ("mouse", "1", Ok("on")),
    ("mouse", "Off", Ok("off")),
    ("mouse", "no", Ok("off")),
    ("mouse", "0", Ok("off")),
    ("status", "foo", Err("unknown value: foo")),
    ("status", "ON", Err("unknown value: ON")),
    ("status", "o", Err("unknown value: o")),
    ("status", "1", Err("unknown value: 1")),
    ("status", "", Err("unknown value: ")),
    ("status", "3", Ok("3")),
    ("base-index", "foo", Err("value is invalid: foo")),
    ("base-index", "", Err("value is invalid: ")),
    ("base-index", "1.5", Err("value is invalid: 1.5")),
    ("base-index", "5x", Err("value is invalid: 5x")),
    ("base-index", "0x10", Err("value is invalid: 0x10")),
    ("base-index", "-1", Err("value is too small: -1")),
    (
        "base-index",
        "2147483648",
        Err("value is too large: 2147483648"),
    ),
    (
        "base-index",
        "99999999999999999999",
        Err("value is too large: 99999999999999999999"),
    ),
    ("base-index", " 5", Ok("5")),
    ("base-index", "+5", Ok("5")),
    ("buffer-limit", "0", Err("value is too small: 0")),
    ("buffer-limit", "2147483647", Ok("2147483647")),
    ("pane-base-index", "65536", Err("value is too large: 65536")),
    ("repeat-time", "32768", Err("value is too large: 32768")),
    ("prefix", "Foo", Err("bad key: Foo")),
    ("prefix", "", Err("bad key: ")),
    ("prefix", "C-", Err("bad key: C-")),
    ("prefix", "none", Ok("None")),
    ("prefix", "any", Ok("Any")),
    ("prefix", "^A", Ok("C-a")),
    ("prefix", "0x41", Ok("A")),
    ("status-bg", "foo", Err("bad colour: foo")),
    ("status-bg", "", Err("bad colour: ")),
    ("status-bg", "Colour12", Ok("colour12")),
    ("status-bg", "#ABCDEF", Ok("#abcdef")),
    ("cursor-colour", "none", Err("bad colour: none")),
    ("status-style", "foo", Err("invalid style: foo")),
    ("status-style", "fg=foo", Err("invalid style: fg=foo")),
    ("status-style", "", Ok("")),
    ("status-style", "#{x} junk", Ok("#{x} junk")),
    ("status-style", "fg=red,,bold,", Ok("fg=red,,bold,")),
    ("default-size", "foo", Err("value is invalid: foo")),
    ("default-size", "100x", Err("value is invalid: 100x")),
    ("default-size", "100X20", Err("value is invalid: 100X20")),
    ("default-size", "x1x2", Err("value is invalid: x1x2")),
    ("default-size", "1ax2b", Ok("1ax2b")),
    ("default-size", "1x2", Ok("1x2")),
    ("main-pane-height", "50%", Ok("50%")),
];

#[test]
fn values_are_taken_and_refused_in_the_words_of_tmux() {
    for (name, text, answer) in TMUX {
        let value = known(name).unwrap().parse(text);
        let printed = value
            .as_ref()
            .map(Value::print)
            .map_err(ToString::to_string);
        let printed = printed.as_deref().map_err(String::as_str);
        assert_eq!(printed, *answer, "{name} {text}");
        match value {
            Ok(value) => assert_eq!(known(name).unwrap().parse(&value.print()), Ok(value)),
            Err(error) => assert!(error.hint().is_some(), "{error}"),
        }
    }
}

#[test]
fn errors_have_hints() {
    let hint = |name: &str, text: &str| known(name).unwrap().parse(text).unwrap_err().hint();
    assert_eq!(hint("mouse", "x").as_deref(), Some("type on or off"));
    assert_eq!(
        hint("pane-base-index", "x").as_deref(),
        Some("type a number from 0 to 65535")
    );
    assert_eq!(
        hint("base-index", "x").as_deref(),
        Some("type a number from 0")
    );
    assert_eq!(hint("mode-keys", "x").as_deref(), Some("type emacs or vi"));
    assert_eq!(
        find("muose").unwrap_err().hint().as_deref(),
        Some("did you mean mouse?")
    );
    assert_eq!(
        find("exit-").unwrap_err().hint().as_deref(),
        Some("type one of: exit-empty, exit-unattached")
    );
    assert_eq!(find("zzzzzz").unwrap_err().hint(), None);
}

#[test]
fn names_are_found_and_refused_as_in_tmux() {
    let name = |text: &str| {
        find(text)
            .map(|name| name.to_string())
            .map_err(|error| error.to_string())
    };
    for (text, found) in [
        ("mous", "mouse"),
        ("upd", "update-environment"),
        ("upd[3]", "update-environment[3]"),
        (
            "update-environment[2147483647]",
            "update-environment[2147483647]",
        ),
        ("clock-mode-color", "clock-mode-colour"),
        ("pane-colors[1]", "pane-colours[1]"),
        ("@", "@"),
        ("@b c", "@b c"),
        ("x[0]", "xterm-keys[0]"),
    ] {
        assert_eq!(name(text).as_deref(), Ok(found), "{text}");
    }
    for text in [
        "",
        "status-",
        "stat",
        "mouse[",
        "mouse[0",
        "update-environment[]",
        "update-environment[a]",
        "update-environment[-1]",
        "update-environment[+1]",
        "update-environment[3]x",
        "update-environment[2147483648]",
        "status-format[0][1]",
        "[0]",
        "@q[",
    ] {
        assert_eq!(name(text), Err(format!("ambiguous option: {text}")));
    }
    for text in ["nosuch", "Mouse", "mousee", "nosuch[1]"] {
        assert_eq!(name(text), Err(format!("invalid option: {text}")));
    }
}

#[test]
fn choices_without_a_value_are_turned_over_as_in_tmux() {
    for (name, current, after) in [
        ("activity-action", "any", "none"),
        ("activity-action", "none", "any"),
        ("bell-action", "current", "current"),
        ("extended-keys", "off", "on"),
        ("status", "on", "off"),
        ("status", "3", "3"),
        ("set-clipboard", "off", "external"),
        ("popup-border-lines", "double", "single"),
        ("popup-border-lines", "rounded", "rounded"),
        ("window-size", "largest", "smallest"),
        ("status-position", "top", "bottom"),
        ("cursor-style", "default", "blinking-block"),
        ("mouse", "off", "on"),
    ] {
        let spec = known(name).unwrap();
        let turned = spec.toggle(&spec.parse(current).unwrap()).unwrap();
        assert_eq!(turned.print(), after, "{name} {current}");
    }
    let spec = known("base-index").unwrap();
    let error = spec.toggle(&Value::Number(1)).unwrap_err();
    assert_eq!(error.to_string(), "empty value");
}

proptest! {
    #[test]
    fn any_value_taken_is_read_back_from_its_print(index in 0..1000_usize, text in ".{0,20}") {
        let specs: Vec<_> = all().collect();
        let spec = specs[index % specs.len()];
        if let Ok(value) = spec.parse_item(&text) {
            prop_assert_eq!(spec.parse_item(&value.print()), Ok(value));
        }
    }

    #[test]
    fn any_name_is_found_or_refused(text in ".{0,20}") {
        if let Ok(name) = find(&text) {
            prop_assert_eq!(find(&name.to_string()), Ok(name));
        }
    }
}
