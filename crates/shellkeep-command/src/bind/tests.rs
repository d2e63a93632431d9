use super::*;

fn key(name: &str) -> Key {
    name.parse().unwrap()
}

fn commands(text: &str) -> List {
    parse::parse_strict(text, &mut NoHost).unwrap()
}

#[test]
fn default_bindings_are_read_and_understood() {
    let tables = KeyTables::default();
    assert_eq!(tables.list(Filter::default()).count(), DEFAULTS.len());
    for (table, binding) in tables.list(Filter::default()) {
        let faults = binding.commands.check();
        assert_eq!(faults, [], "{table} {}", binding.key);
    }
}

#[test]
fn default_bindings_print_as_tmux_prints_them() {
    let printed = KeyTables::default().print(Filter::default());
    let recorded = include_str!("tmux-3.3a-list-keys.txt");
    for (ours, theirs) in printed.lines().zip(recorded.lines()) {
        assert_eq!(ours, theirs);
    }
    assert_eq!(printed.lines().count(), recorded.lines().count());
}

#[test]
fn notes_print_as_tmux_prints_them() {
    let tables = KeyTables::default();
    let printed = tables.print_notes(Filter::default(), "C-b ", Unnoted::Hidden);
    assert_eq!(printed, include_str!("tmux-3.3a-list-keys-notes.txt"));
    let all = tables.print_notes(Filter::default(), "C-b ", Unnoted::Shown);
    assert_eq!(all.lines().count(), printed.lines().count() + 2);
}

#[test]
fn commands_of_a_binding_read_back_from_their_print() {
    let tables = KeyTables::default();
    for (_, binding) in tables.list(Filter::default()) {
        let text = parse::print_list(&binding.commands);
        assert_eq!(commands(&text), binding.commands, "{text}");
    }
}

#[test]
fn key_bound_again_replaces_its_binding() {
    let mut tables = KeyTables::default();
    let list = commands("display a ; display b");
    tables.bind("prefix", key("x"), Some(list), None, Repeat::Once);
    let filter = Filter {
        table: Some("prefix"),
        key: Some(key("x")),
    };
    assert_eq!(
        tables.print(filter),
        "bind-key -T prefix x display-message a \\; display-message b\n"
    );
    let note = Some("say so".to_owned());
    tables.bind("prefix", key("x"), None, note, Repeat::Repeats);
    assert_eq!(
        tables.print_notes(filter, "C-b ", Unnoted::Hidden),
        "C-b x say so\n"
    );
    assert_eq!(
        tables.lookup("prefix", key("x")).unwrap().repeat,
        Repeat::Repeats
    );
    tables.bind("prefix", key("F9"), None, None, Repeat::Once);
    assert_eq!(tables.lookup("prefix", key("F9")), None);
}

#[test]
fn key_unbound_falls_to_any() {
    let mut tables = KeyTables::default();
    tables.bind("mine", Key::ANY, Some(commands("ls")), None, Repeat::Once);
    tables.bind("mine", key("a"), Some(commands("lsw")), None, Repeat::Once);
    let found = |tables: &KeyTables| {
        let binding = tables.lookup("mine", key("a")).unwrap();
        parse::print_list(&binding.commands)
    };
    assert_eq!(found(&tables), "lsw");
    tables.unbind("mine", key("a")).unwrap();
    assert_eq!(found(&tables), "ls");
    tables.unbind("mine", Key::ANY).unwrap();
    assert!(!tables.has_table("mine"));
    let error = tables.unbind("mine", Key::ANY).unwrap_err();
    assert_eq!(error.to_string(), "table mine doesn't exist");
    tables.unbind_all("prefix").unwrap();
    assert_eq!(tables.lookup("prefix", key("d")), None);
}
