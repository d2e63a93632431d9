use super::super::*;

fn name(text: &str) -> OptionName {
    find(text).unwrap()
}

/// Changes a global set: with `+` before the value it appends, without a value it toggles or unsets.
fn set(options: &mut Options, option: &str, value: &str) -> Result<(), String> {
    let change = Change::Set(Some(value));
    let done = options.change(&name(option), change, View::default());
    done.map_err(|error| error.to_string())
}

fn append(options: &mut Options, option: &str, value: &str) -> Result<(), String> {
    let change = Change::Append(Some(value));
    let done = options.change(&name(option), change, View::default());
    done.map_err(|error| error.to_string())
}

fn unset(options: &mut Options, option: &str) {
    let done = options.change(&name(option), Change::Unset, View::default());
    done.unwrap();
}

fn shown(options: &Options, option: &str) -> String {
    let lines = show_one(&name(option), options, View::default(), Show::default());
    lines.unwrap().join("|")
}

#[test]
fn array_set_is_split_and_appended_in_free_places() {
    let mut options = Options::new(Level::Global);
    set(&mut options, "update-environment", "a  b, c;d").unwrap();
    assert_eq!(
        shown(&options, "update-environment"),
        "update-environment[0] a|update-environment[1] b|update-environment[2] \"c;d\""
    );
    unset(&mut options, "update-environment[1]");
    set(&mut options, "update-environment[30]", "ZZ").unwrap();
    append(&mut options, "update-environment", "e f").unwrap();
    append(&mut options, "update-environment[0]", "bc").unwrap();
    let view = View::of(&options);
    assert_eq!(
        view.texts("update-environment").collect::<Vec<_>>(),
        ["abc", "e", "c;d", "f", "ZZ"]
    );
    set(&mut options, "update-environment", "").unwrap();
    assert_eq!(shown(&options, "update-environment"), "update-environment");
    unset(&mut options, "update-environment");
    assert!(shown(&options, "update-environment").contains("[7] XAUTHORITY"));
}

#[test]
fn array_separators_are_the_options_own() {
    let mut options = Options::new(Level::Global);
    set(&mut options, "command-alias", "a=b c,d=e f").unwrap();
    append(&mut options, "command-alias", ",x=y").unwrap();
    assert_eq!(
        shown(&options, "command-alias"),
        "command-alias[0] \"a=b c\"|command-alias[1] \"d=e f\"|command-alias[2] x=y"
    );
    append(&mut options, "terminal-overrides", ",xterm*:Tc").unwrap();
    assert_eq!(
        shown(&options, "terminal-overrides"),
        "terminal-overrides[0] xterm*:Tc"
    );
    set(&mut options, "pane-colours", "red,blue green").unwrap();
    set(&mut options, "pane-colours[3]", "#FFAA00").unwrap();
    append(&mut options, "pane-colours[1]", "cyan").unwrap();
    assert_eq!(
        shown(&options, "pane-colours"),
        "pane-colours[0] red|pane-colours[1] cyan|pane-colours[2] green|pane-colours[3] #ffaa00"
    );
    let before = options.clone();
    assert_eq!(
        set(&mut options, "pane-colours", "red,foo"),
        Err("bad colour: foo".to_owned())
    );
    assert_eq!(options, before);
}

#[test]
fn hook_takes_a_text_as_one_item() {
    let mut options = Options::new(Level::Global);
    set(
        &mut options,
        "after-new-window",
        "display-message a, b ; lsk",
    )
    .unwrap();
    append(&mut options, "after-new-window", "new-window").unwrap();
    assert_eq!(
        shown(&options, "after-new-window"),
        "after-new-window[0] display-message a, b ; lsk|after-new-window[1] new-window"
    );
    append(&mut options, "after-new-window[0]", "list-keys").unwrap();
    set(&mut options, "after-new-window[3]", "").unwrap();
    assert_eq!(
        shown(&options, "after-new-window"),
        "after-new-window[0] list-keys|after-new-window[1] new-window|after-new-window[3] "
    );
    set(&mut options, "after-new-window", "").unwrap();
    assert_eq!(shown(&options, "after-new-window"), "after-new-window");
}

#[test]
fn appending_adds_to_texts_and_styles_and_replaces_the_rest() {
    let mut options = Options::new(Level::Global);
    append(&mut options, "status-left", "ZZ").unwrap();
    assert_eq!(
        View::of(&options).text("status-left"),
        "[#{session_name}] ZZ"
    );
    append(&mut options, "status-style", "bold").unwrap();
    assert_eq!(
        View::of(&options).text("status-style"),
        "bg=green,fg=black,bold"
    );
    assert_eq!(
        append(&mut options, "status-style", "junk"),
        Err("invalid style: bg=green,fg=black,bold,junk".to_owned())
    );
    set(&mut options, "status-style", "").unwrap();
    append(&mut options, "status-style", "bold").unwrap();
    assert_eq!(shown(&options, "status-style"), "status-style ,bold");
    append(&mut options, "base-index", "5").unwrap();
    append(&mut options, "base-index", "1").unwrap();
    assert_eq!(View::of(&options).number("base-index"), 1);
    append(&mut options, "@y", "a").unwrap();
    append(&mut options, "@y", "b").unwrap();
    assert_eq!(options.user("@y"), Some("ab"));
    // A session's set begins empty.
    let mut local = Options::new(Level::Local);
    append(&mut local, "status-left", "ZZ").unwrap();
    append(&mut local, "status-style", "bold").unwrap();
    append(&mut local, "update-environment", "X").unwrap();
    assert_eq!(shown(&local, "status-left"), "status-left ZZ");
    assert_eq!(shown(&local, "status-style"), "status-style bold");
    assert_eq!(
        shown(&local, "update-environment"),
        "update-environment[0] X"
    );
}

#[test]
fn missing_value_toggles_the_effective_one() {
    let mut global = Options::new(Level::Global);
    set(&mut global, "mouse", "off").unwrap();
    let mut local = Options::default();
    let mouse = name("mouse");
    for (value, expected) in [(None, true), (Some(""), false), (None, true)] {
        let change = Change::Set(value);
        local.change(&mouse, change, View::of(&global)).unwrap();
        assert_eq!(View::over(&local, &global).flag("mouse"), expected);
    }
    assert!(!View::of(&global).flag("mouse"));
    for option in [
        "base-index",
        "prefix",
        "status-left",
        "update-environment",
        "@z",
    ] {
        for change in [Change::Set(None), Change::Append(None)] {
            let refused = local.change(&name(option), change, View::of(&global));
            assert_eq!(refused.unwrap_err().to_string(), "empty value", "{option}");
        }
    }
}

#[test]
fn index_is_refused_for_options_that_are_no_array() {
    let mut options = Options::default();
    for option in ["mouse[0]", "@a[0]"] {
        assert_eq!(
            set(&mut options, option, "on"),
            Err(format!("not an array: {option}"))
        );
    }
}

#[test]
fn set_means_here_for_one_and_always_for_all() {
    let mut local = Options::default();
    let global = Options::new(Level::Global);
    assert!(!local.is_set(&name("mouse")));
    assert!(global.is_set(&name("mouse")));
    set(&mut local, "mouse", "on").unwrap();
    set(&mut local, "@a", "").unwrap();
    set(&mut local, "status-format[7]", "z").unwrap();
    for option in ["mouse", "@a", "status-format", "status-format[7]"] {
        assert!(local.is_set(&name(option)), "{option}");
    }
    assert!(!local.is_set(&name("status-format[0]")));
    assert!(!global.is_set(&name("@a")));
}

#[test]
fn lookup_goes_from_pane_to_window_to_all_windows() {
    let mut global = Options::new(Level::Global);
    let (mut window, mut pane) = (Options::default(), Options::default());
    let read = |pane: &Options, window: &Options, global: &Options| {
        let view = View::pane(pane, window, global);
        let style = view.style("window-style").unwrap().text.clone();
        (style, view.user("@u").map(str::to_owned))
    };
    assert_eq!(read(&pane, &window, &global), ("default".into(), None));
    set(&mut global, "window-style", "bg=red").unwrap();
    set(&mut global, "@u", "1").unwrap();
    assert_eq!(
        read(&pane, &window, &global),
        ("bg=red".into(), Some("1".into()))
    );
    set(&mut window, "window-style", "bg=blue").unwrap();
    set(&mut pane, "@u", "3").unwrap();
    assert_eq!(
        read(&pane, &window, &global),
        ("bg=blue".into(), Some("3".into()))
    );
    set(&mut pane, "window-style", "bg=green").unwrap();
    unset(&mut pane, "@u");
    assert_eq!(
        read(&pane, &window, &global),
        ("bg=green".into(), Some("1".into()))
    );
}

#[test]
fn getters_give_every_kind() {
    let options = Options::new(Level::Global);
    let view = View::of(&options);
    assert!(view.flag("mouse"));
    assert_eq!(view.number("escape-time"), 10);
    assert_eq!(view.text("status"), "on");
    assert_eq!(view.text("status-left"), "[#{session_name}] ");
    assert_eq!(
        view.key("prefix").map(ToString::to_string).as_deref(),
        Some("C-b")
    );
    assert_eq!(view.key("prefix2"), None);
    assert_eq!(view.color("cursor-colour"), None);
    assert_eq!(view.color("clock-mode-colour"), "blue".parse().ok());
    assert!(view.style("status-style").unwrap().style.is_some());
    assert!(
        view.style("pane-active-border-style")
            .unwrap()
            .style
            .is_none()
    );
    assert_eq!(view.array("status-format").len(), 2);
    assert_eq!(view.get("nosuch"), None);
}

#[test]
fn formats_see_whole_names_only() {
    let mut options = Options::new(Level::Global);
    set(&mut options, "@a", "x y").unwrap();
    let view = View::of(&options);
    for (text, expected) in [
        ("mouse", Some("1")),
        ("mous", None),
        ("status", Some("on")),
        ("@a", Some("x y")),
        ("@b", None),
        ("update-environment[0]", Some("DISPLAY")),
        ("update-environment[99]", Some("")),
        ("update-environment", Some("")),
        ("prefix", Some("C-b")),
    ] {
        assert_eq!(view.in_format(text).as_deref(), expected, "{text}");
    }
}

#[test]
fn pairs_restore_the_same_set() {
    for level in [Level::Global, Level::Local] {
        let mut options = Options::new(level);
        for (option, value) in [
            ("mouse", "off"),
            ("prefix", "C-a"),
            ("status-style", "#{x}"),
            ("status-format[0]", "a, b"),
            ("user-keys", ""),
            ("@x", ""),
            ("@x y", "a\nb"),
            ("after-new-window", "neww ; lsk"),
        ] {
            set(&mut options, option, value).unwrap();
        }
        unset(&mut options, "status-format[1]");
        let pairs: Vec<_> = options.pairs().collect();
        let pairs = pairs
            .iter()
            .map(|(name, value)| (name.as_str(), value.as_str()));
        let more = [("nosuch", "1"), ("mous", "on"), ("base-index", "x")];
        let restored = Options::restore(level, pairs.chain(more));
        assert_eq!(restored, options);
    }
}

#[test]
fn formats_find_each_option_in_its_scope() {
    let global = Options::new(Level::Global);
    let (mut session, mut pane) = (Options::default(), Options::default());
    set(&mut session, "mouse", "off").unwrap();
    set(&mut session, "@u", "session").unwrap();
    set(&mut pane, "remain-on-exit", "failed").unwrap();
    let read = |session: &Options, pane: &Options, text: &str| {
        let scopes = Scopes {
            server: View::of(&global),
            session: View::over(session, &global),
            pane: View::over(pane, &global),
        };
        scopes.in_format(text)
    };
    assert_eq!(read(&session, &pane, "mouse").as_deref(), Some("0"));
    assert_eq!(
        read(&session, &pane, "remain-on-exit").as_deref(),
        Some("failed")
    );
    assert_eq!(
        read(&session, &pane, "status-format[5]").as_deref(),
        Some("")
    );
    assert_eq!(read(&session, &pane, "@u").as_deref(), Some("session"));
    set(&mut pane, "@u", "pane").unwrap();
    assert_eq!(read(&session, &pane, "@u").as_deref(), Some("pane"));
    assert_eq!(read(&session, &pane, "nosuch"), None);
}
