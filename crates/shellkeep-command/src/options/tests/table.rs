use std::collections::BTreeSet;

use super::super::*;

/// The options of tmux 3.3a without a configuration.
const TMUX: &str = include_str!("tmux-3.3a-options.txt");

fn section<'a>(flags: &str) -> Vec<&'a str> {
    let title = format!("## show-options {flags}");
    let lines = TMUX.lines().skip_while(|line| *line != title).skip(1);
    lines.take_while(|line| !line.starts_with("## ")).collect()
}

/// Our options, without those that differ on purpose or that tmux does not have.
fn ours(scope: Scope) -> Vec<String> {
    let show = Show {
        hooks: Hooks::Include,
        ..Show::default()
    };
    let lines = show_all(scope, &Options::new(Level::Global), View::default(), show);
    lines
        .into_iter()
        .filter(|line| is_as_in_tmux(line))
        .collect()
}

fn is_as_in_tmux(line: &str) -> bool {
    let name = line.split([' ', '[']).next().unwrap_or_default();
    known(name).is_none_or(|spec| spec.origin == Origin::Tmux)
}

#[test]
fn table_lists_tmux_options_except_the_stated_ones() {
    for (flags, scope) in [
        ("-s", Scope::Server),
        ("-gH", Scope::Session),
        ("-gwH", Scope::Window),
    ] {
        let theirs = section(flags);
        assert!(theirs.len() > 20, "{flags}");
        let theirs: Vec<_> = theirs
            .into_iter()
            .filter(|line| is_as_in_tmux(line))
            .collect();
        assert_eq!(ours(scope), theirs, "{flags}");
    }
}

#[test]
fn exceptions_are_few_and_each_is_in_tmux_with_another_default() {
    let differing: Vec<_> = all()
        .filter(|spec| matches!(spec.origin, Origin::Differs(reason) if !reason.is_empty()))
        .map(|spec| spec.name)
        .collect();
    assert_eq!(
        differing,
        [
            "default-terminal",
            "escape-time",
            "default-shell",
            "history-limit",
            "mouse",
            "automatic-rename-format",
        ]
    );
    for name in differing {
        let theirs = TMUX
            .lines()
            .find(|line| line.split(' ').next() == Some(name))
            .unwrap_or_else(|| panic!("{name} is not tmux's"));
        let options = Options::new(Level::Global);
        let mine = show_one(
            &find(name).unwrap(),
            &options,
            View::default(),
            Show::default(),
        );
        assert_ne!(mine.unwrap(), [theirs]);
    }
    let added: Vec<_> = all().filter(|spec| spec.origin == Origin::Ours).collect();
    assert_eq!(
        added.iter().map(|s| s.name).collect::<Vec<_>>(),
        [
            "archive-after",
            "archive-keep",
            "end-budget",
            "max-active",
            "max-total",
            "record-limit",
            "resume-rules",
            "revive-budget",
            "capture-after",
            "hibernate",
            "hibernate-after",
            "key-hints",
            "revive-on",
            "revive-rc",
            "shell-integration",
            "spare-unread",
            "tmux-shim",
            "session-hibernate-failed",
            "session-hibernated",
            "session-revive-failed",
            "session-revived",
            "pane-hibernate-failed",
            "pane-hibernated",
            "pane-revive-failed",
            "pane-revived",
        ]
    );
}

#[test]
fn names_are_unique_and_texts_are_one_sentence() {
    let mut seen = BTreeSet::new();
    for spec in all() {
        assert!(seen.insert(spec.name), "{} is there twice", spec.name);
        assert!(
            !spec.text.is_empty() && !spec.text.ends_with('.'),
            "{}",
            spec.name
        );
        assert!(
            spec.text.starts_with(|c: char| c.is_uppercase()),
            "{}",
            spec.name
        );
        assert!(
            spec.name
                .bytes()
                .all(|b| b.is_ascii_lowercase() || b == b'-' || b == b'2'),
            "{}",
            spec.name
        );
    }
    assert!(seen.len() > 150);
}

#[test]
fn names_are_sorted_within_each_family_of_hooks() {
    let hooks: Vec<_> = all().filter(|spec| spec.family == Family::Hook).collect();
    for stem in ["after-", "alert-", "client-", "session-", "pane-"] {
        let names: Vec<_> = hooks
            .iter()
            .map(|spec| spec.name)
            .filter(|name| name.starts_with(stem))
            .collect();
        assert!(names.len() > 2 && names.is_sorted(), "{names:?}");
    }
}

#[test]
fn every_default_is_read_and_printed_the_same() {
    for spec in all() {
        assert!(
            spec.array.is_some() || spec.default.len() == 1,
            "{}",
            spec.name
        );
        for text in spec.default {
            if spec.name == "cursor-colour" {
                continue;
            }
            let value = spec.parse_item(text);
            assert_eq!(
                value.map(|value| value.print()).as_deref(),
                Ok(*text),
                "{}",
                spec.name
            );
        }
        if let Kind::Choice(words) = spec.kind {
            assert!(words.len() > 1, "{}", spec.name);
        }
    }
    let options = Options::new(Level::Global);
    let cursor = View::of(&options).get("cursor-colour");
    assert_eq!(cursor, Some(&Value::Color(None)));
}

#[test]
fn every_option_is_found_by_its_whole_name() {
    for spec in all() {
        let found = find(spec.name).unwrap();
        assert_eq!(found.spec(), Some(spec));
        assert_eq!(found.to_string(), spec.name);
    }
}

#[test]
fn differing_defaults_are_in_the_document() {
    let document = include_str!("../../../../../docs/TMUX.md");
    for spec in all() {
        let is_told = match spec.origin {
            Origin::Tmux => true,
            Origin::Ours => document.contains(&format!("`{}`", spec.name)),
            Origin::Differs(_) => document.contains(&format!("| `{}` |", spec.name)),
        };
        assert!(is_told, "{} is not in docs/TMUX.md", spec.name);
    }
}
