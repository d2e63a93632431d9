use super::super::*;

fn set(options: &mut Options, option: &str, value: &str) {
    let change = Change::Set(Some(value));
    let name = find(option).unwrap();
    options.change(&name, change, View::default()).unwrap();
}

fn one(option: &str, options: &Options, parents: View<'_>, show: Show) -> String {
    let lines = show_one(&find(option).unwrap(), options, parents, show);
    lines.map_or_else(|error| error.to_string(), |lines| lines.join("|"))
}

const LINE: Show = Show {
    form: Form::Line,
    inherited: Inherited::Leave,
    hooks: Hooks::Leave,
};
const VALUE: Show = Show {
    form: Form::Value,
    ..LINE
};
const MARK: Show = Show {
    inherited: Inherited::Mark,
    ..LINE
};

#[test]
fn one_option_is_shown_as_in_tmux() {
    let mut global = Options::new(Level::Global);
    set(&mut global, "@u", "a b");
    let none = View::default();
    let show = |option: &str, show| one(option, &global, none, show);
    assert_eq!(show("mouse", LINE), "mouse on");
    assert_eq!(show("mouse[0]", LINE), "mouse[0] on");
    assert_eq!(show("@u", LINE), "@u \"a b\"");
    assert_eq!(show("@u", VALUE), "a b");
    assert_eq!(show("@v", LINE), "invalid option: @v");
    assert_eq!(show("lock-command", LINE), "lock-command \"lock -np\"");
    assert_eq!(
        show("update-environment[2]", LINE),
        "update-environment[2] SSH_ASKPASS"
    );
    assert_eq!(
        show("update-environment[300]", LINE),
        "update-environment[300] ''"
    );
    assert_eq!(show("update-environment[300]", VALUE), "");
    assert_eq!(show("pane-colours[5]", LINE), "pane-colours[5] ");
    assert_eq!(show("user-keys", LINE), "user-keys");
    assert_eq!(show("user-keys", VALUE), "");
    assert_eq!(show("terminal-features", VALUE).split('|').count(), 2);
}

#[test]
fn option_not_set_here_is_left_out_or_marked() {
    let mut global = Options::new(Level::Global);
    set(&mut global, "@u", "1");
    let local = Options::default();
    let parents = View::of(&global);
    assert_eq!(one("mouse", &local, parents, LINE), "");
    assert_eq!(one("mouse", &local, parents, MARK), "mouse* on");
    assert_eq!(
        one("update-environment[2]", &local, parents, MARK),
        "update-environment[2]* SSH_ASKPASS"
    );
    assert_eq!(one("user-keys", &local, parents, MARK), "user-keys*");
    assert_eq!(one("@u", &local, parents, LINE), "invalid option: @u");
    assert_eq!(one("@u", &local, parents, MARK), "@u* 1");
}

#[test]
fn listing_of_a_session_has_its_own_options_user_options_first() {
    let mut local = Options::default();
    for (option, value) in [
        ("update-environment", "a b"),
        ("status-format[7]", "z"),
        ("@b", "2"),
        ("@a", ""),
        ("after-new-window", "lsk"),
    ] {
        set(&mut local, option, value);
    }
    let all = |show| show_all(Scope::Session, &local, View::default(), show);
    let lines = [
        "@a ''",
        "@b 2",
        "status-format[7] z",
        "update-environment[0] a",
        "update-environment[1] b",
    ];
    assert_eq!(all(LINE), lines);
    assert_eq!(all(VALUE), ["", "2", "z", "a", "b"]);
    let hooks = Show {
        hooks: Hooks::Only,
        ..LINE
    };
    assert_eq!(all(hooks), ["after-new-window[0] lsk"]);
    let both = Show {
        hooks: Hooks::Include,
        ..LINE
    };
    assert_eq!(all(both).len(), 6);
}

#[test]
fn listing_of_a_pane_has_the_options_of_panes_only() {
    let global = Options::new(Level::Global);
    let parents = View::of(&global);
    let lines = show_all(Scope::Pane, &Options::default(), parents, MARK);
    let names: Vec<_> = lines
        .iter()
        .filter_map(|line| line.split('*').next())
        .collect();
    assert_eq!(
        names,
        [
            "cursor-colour",
            "cursor-style",
            "allow-passthrough",
            "allow-rename",
            "alternate-screen",
            "pane-border-format",
            "pane-colours",
            "remain-on-exit",
            "remain-on-exit-format",
            "scroll-on-clear",
            "synchronize-panes",
            "window-active-style",
            "window-style",
        ]
    );
}
