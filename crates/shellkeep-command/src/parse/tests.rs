use std::collections::BTreeMap;

use proptest::prelude::*;

use super::*;
use crate::Script;

/// A host with a few fixed values.
#[derive(Default)]
struct Mock {
    variables: BTreeMap<String, String>,
    hidden: Vec<String>,
}

impl Host for Mock {
    fn variable(&self, name: &str) -> Option<String> {
        match name {
            "HOME" => Some("/own".to_owned()),
            _ => self.variables.get(name).cloned(),
        }
    }

    fn set_variable(&mut self, name: &str, value: &str, visibility: Visibility) {
        if visibility == Visibility::Hidden {
            self.hidden.push(name.to_owned());
        }
        self.variables.insert(name.to_owned(), value.to_owned());
    }

    fn home(&self, user: Option<&str>) -> Option<String> {
        match user {
            None => Some("/own".to_owned()),
            Some("nobody") => Some("/nonexistent".to_owned()),
            Some(_) => None,
        }
    }

    fn expand(&mut self, format: &str) -> String {
        match format {
            "#{==:a,a}" => "1".to_owned(),
            "#{==:a,b}" => "0".to_owned(),
            _ => format.to_owned(),
        }
    }

    fn alias(&self, name: &str) -> Option<String> {
        match name {
            "hello" => Some("display hello ; display".to_owned()),
            "ls" => Some("ls -F x".to_owned()),
            _ => None,
        }
    }
}

/// Sequences separated by `|`, commands by `;`, words in brackets.
fn shape(list: &List) -> String {
    let words = |command: &Parsed| -> String {
        let words = command.argv().iter().map(|arg| match arg {
            Arg::Text(text) => format!("[{text}]"),
            Arg::Block(list) => format!("{{{}}}", shape(list)),
        });
        words.collect()
    };
    let sequence = |sequence: &Vec<Parsed>| -> String {
        let commands: Vec<String> = sequence.iter().map(words).collect();
        commands.join(";")
    };
    let sequences: Vec<String> = list.0.iter().map(sequence).collect();
    sequences.join("|")
}

fn check(text: &str, expected: &str) {
    let outcome = parse_text(text, &mut Mock::default());
    assert_eq!(outcome.errors, [], "{text:?}");
    assert_eq!(shape(&outcome.list), expected, "{text:?}");
}

fn errors(text: &str) -> Vec<String> {
    let outcome = parse_text(text, &mut Mock::default());
    outcome.errors.iter().map(ToString::to_string).collect()
}

#[test]
fn words_and_quotes_are_read_as_in_tmux() {
    check("a  b\tc", "[a][b][c]");
    check(r#"a"b c"'d e'\ f"#, "[ab cd e f]");
    check(r#"a '' "" b#c"#, "[a][][][b#c]");
    check(
        r"a \101\s\x \e \u00e9 \U0001f600",
        "[a][A x][\u{1b}][é][😀]",
    );
    check(r#"a "\t\$HOME\~\q" '\101'"#, "[a][\t$HOME~q][\\101]");
    check("a 'b", "[a][b]");
    check("a \"b\n   c\" d", "[a][b\nc][d]");
    check("a \"b\n\t# no\nc\"", "[a][b\n\nc]");
    check("a b{ =x x=y %% %1", "[a][b{][=x][x=y][%%][%1]");
}

#[test]
fn variables_and_homes_are_put_in() {
    check(
        "a $HOME-x ${HOME}x '$HOME' \"$HOME\" $1 $NONE|",
        "[a][/own-x][/ownx][$HOME][/own][$1][|]",
    );
    check(
        "a ~ ~/b ~nobody/x c~ x\"~\" \"x\"~ x\"\"~ '~'",
        "[a][/own][/own/b][/nonexistent/x][c~][x/own][x/own][x~][~]",
    );
    check("A=1\nb $A", "[b][1]");
    check("A=1 b $A", "[b][1]");
    check("a=b; c $a", "[c][b]");
    check("A=\"x y\"\nb $A", "[b][x y]");
    let mut host = Mock::default();
    assert_eq!(parse_text("%hidden C=3\na $C", &mut host).errors, []);
    assert_eq!(host.hidden, ["C"]);
}

#[test]
fn commands_are_joined_and_parted() {
    check("a;b ; c\nd", "[a];[b];[c]|[d]");
    check("a; ; b;", "[a];[b]");
    check("a \\; b c\\;", "[a][;][b][c;]");
    check("a ;; b", "[a]|[b]");
    check("a # b ; c\n#d\n\ne;# f\ng", "[a]|[e]|[g]");
    check("a \\\n b\nc\\\nd", "[a][b]|[cd]");
    check("# a \\\nb\nc", "[c]");
    check("a\\\\\nb", "[a\\]|[b]");
    check("a\r\nb", "[a]|[b]");
}

#[test]
fn blocks_hold_lists() {
    check("a { b ; c } { d\n e\n}", "[a]{[b];[c]}{[d]|[e]}");
    check("a {b}{c} d", "[a]{[b]}{[c]}[d]");
    check("a { } ; b", "[a]{};[b]");
    check("a { b { c \"}\" } # }\n d }", "[a]{[b]{[c][}]}|[d]}");
}

#[test]
fn commands_of_an_argument_are_one_sequence() {
    let list = |text: &str| shape(&parse_argument(text, &mut Mock::default()).unwrap());
    assert_eq!(list("a\nb ;; c\n\n d"), "[a];[b];[c];[d]");
    assert_eq!(list("a { b\n c }\n"), "[a]{[b];[c]}");
    assert_eq!(list("%if 1\na\nb\n%endif\nc"), "[a];[b];[c]");
    assert_eq!(list("\n"), "");
    let text = Script::from("a\nb { c\nd }");
    let text = text.commands(&mut Mock::default()).unwrap();
    assert_eq!(shape(&text), "[a];[b]{[c];[d]}");
}

#[test]
fn conditions_choose_lines() {
    check("%if #{==:a,a}\na\n%else\nb\n%endif\nc", "[a]|[c]");
    check(
        "%if \"#{==:a,b}\"\na\n%elif 0\nb\n%elif 1\nc\n%elif 1\nd\n%else\ne\n%endif",
        "[c]",
    );
    check(
        "%if 0\na\n%if 1\nb\n%endif\nX=1\n%else\nc $X\n%endif",
        "[c][]",
    );
    check("%if 1 a %else b %endif", "[a]");
    check("%if 0 a %else b; c %endif\nd", "[b];[c]|[d]");
    check("a {\n%if 0\nb\n%else\nc\n%endif\n}", "[a]{[c]}");
    check("  %if 00\n a\n  %endif # x", "[a]");
    check("%if \"\"\na\n%endif", "");
}

#[test]
fn aliases_are_replaced_once() {
    check("hello x y", "[display][hello];[display][x][y]");
    check("a { ls }", "[a]{[ls][-F][x]}");
}

#[test]
fn errors_have_lines_and_tmux_words() {
    for (text, expected) in [
        ("a }", "1: syntax error"),
        ("a {", "1: syntax error"),
        ("{ a }", "1: syntax error"),
        (";a", "1: syntax error"),
        ("x\n%if 1\na\n", "4: syntax error"),
        ("%endif", "1: syntax error"),
        ("a\n%foo", "2: syntax error"),
        ("a %foo", "1: syntax error"),
        ("a a{b}", "1: syntax error"),
        ("A=1 B=2", "1: syntax error"),
        ("%hidden x", "1: syntax error"),
        ("%hidden A=1; a", "1: syntax error"),
        ("a ~nouser/x", "1: syntax error"),
        ("a \\", "1: syntax error"),
        ("a \"\\uZZZZ\"", "1: invalid \\u argument"),
        ("a \\400", "1: invalid octal escape"),
        ("a ${HO ME}", "1: invalid environment variable"),
    ] {
        assert_eq!(errors(text), [expected], "{text:?}");
    }
}

#[test]
fn text_behind_an_error_is_still_read() {
    for (text, expected, faults) in [
        ("a }\nb", "[b]", 1),
        ("a \"\\uZ\" ; b\nc", "[c]", 1),
        ("a 'b\nc\nd", "[c]|[d]", 1),
        ("a { b } }\nc", "[c]", 1),
        ("a { ; }\nb", "[b]", 1),
        ("a {\n b }}\n c\n", "[c]", 1),
        ("%if 1\na }\nb\n%else\nc\n%endif\nd", "[b]|[d]", 1),
        ("%if\na\n%endif\nb", "[a]|[b]", 2),
        // Lines of an unclosed block must not run on their own.
        ("a\nb {\nc\nd", "[a]", 1),
    ] {
        let outcome = parse_text(text, &mut Mock::default());
        assert_eq!(shape(&outcome.list), expected, "{text:?}");
        assert_eq!(
            outcome.errors.len(),
            faults,
            "{text:?} {:?}",
            outcome.errors
        );
    }
}

#[test]
fn commands_know_their_lines() {
    let outcome = parse_text("\na \\\n b\n\nc {\n d\n}", &mut NoHost);
    let lines: Vec<usize> = outcome
        .list
        .commands()
        .map(|command| command.line)
        .collect();
    assert_eq!(lines, [2, 5]);
    let Arg::Block(inner) = &outcome.list.0[1][0].argv()[1] else {
        panic!("a block")
    };
    assert_eq!(inner.0[0][0].line, 6);
}

#[test]
fn deep_text_is_refused_and_long_text_read() {
    let deep = format!("{}{}\nb", "a { ".repeat(5000), "}".repeat(5000));
    let outcome = parse_text(&deep, &mut NoHost);
    assert_eq!(outcome.errors.len(), 1);
    assert_eq!(shape(&outcome.list), "[b]");
    let conditions = "%if 1\n".repeat(5000);
    assert!(!parse_text(&conditions, &mut NoHost).errors.is_empty());
    let quotes = "a '\n".repeat(5001);
    assert!(!parse_text(&quotes, &mut NoHost).list.is_empty());
    let long = "a b ; c 'd e'\n".repeat(20_000);
    assert_eq!(parse_text(&long, &mut NoHost).list.0.len(), 20_000);
}

#[test]
fn words_are_quoted_as_tmux_quotes() {
    for (word, expected) in [
        ("", "''"),
        ("a;b", "\"a;b\""),
        (";", "\\;"),
        ("\"", "\\\""),
        ("\\", "\\\\"),
        ("~", "\\~"),
        ("~/x", "\\~/x"),
        ("a b", "\"a b\""),
        ("a\"b", "'a\"b'"),
        ("a'b", "\"a'b\""),
        ("a\nb", "a\\nb"),
        ("\u{1b}[1m", "\\033[1m"),
        ("a$b $1 ${x} x$", "\"a\\$b $1 \\${x} x$\""),
        ("#{x}", "\"#{x}\""),
        ("%if", "\"%if\""),
        ("(a)*?=~", "(a)*?=~"),
        ("é", "é"),
    ] {
        assert_eq!(quote(word), expected, "{word:?}");
    }
}

#[test]
fn list_is_printed_as_tmux_prints_bindings() {
    let text =
        "bind y { if -F 1 { display \"a;b\" } { display '$HOME' } ; splitw -t = -dh\n neww }";
    let list = parse_strict(text, &mut NoHost).unwrap();
    assert_eq!(
        print_sequences(&list),
        "bind-key y { if-shell -F 1 { display-message \"a;b\" } { display-message \"\\$HOME\" } ; split-window -dh -t = ;; new-window }"
    );
}

#[test]
fn words_behind_bind_key_are_parted_at_their_semicolons() {
    let words = ["display", "a;b", ";", "ls", "c\\;", "d;"].map(Arg::from);
    let list = from_words(&words, 1, &NoHost);
    assert_eq!(shape(&list), "[display][a;b];[ls][c;][d]");
}

#[test]
fn answers_stay_one_word_in_a_block() {
    let list = parse_strict(
        "command-prompt { rename-window \"%%\" ; a { b %1 } }",
        &mut NoHost,
    );
    let list = list.unwrap();
    let Ok(crate::Command::CommandPrompt(args)) = list.0[0][0].command() else {
        panic!("command-prompt")
    };
    let filled = args
        .template
        .as_ref()
        .unwrap()
        .fill(&["x \"; y"], &mut NoHost);
    assert_eq!(
        shape(&filled.unwrap()),
        "[rename-window][x \"; y];[a]{[b][x \"; y]}"
    );
    let script = Script::from("rename-window '%1' ; b %2 %%");
    let filled = script.fill(&["x y", "z"], &mut NoHost).unwrap();
    assert_eq!(shape(&filled), "[rename-window][x y];[b][z][x][y]");
    let filled = Script::from("a \"%%%\"").fill(&["x\";$y"], &mut NoHost);
    assert_eq!(shape(&filled.unwrap()), "[a][x\";$y]");
}

#[test]
fn check_names_faults_inside_blocks() {
    let list = parse_strict("ls\nif -F 1 {\n frob }", &mut NoHost).unwrap();
    let faults: Vec<String> = list.check().iter().map(ToString::to_string).collect();
    assert_eq!(faults, ["3: unknown command: frob"]);
}

fn any_list(depth: u32) -> BoxedStrategy<List> {
    let word = "[^\0\r]{0,8}".prop_map(Arg::Text).boxed();
    let arg = if depth == 0 {
        word
    } else {
        prop_oneof![3 => word, 1 => any_list(depth - 1).prop_map(Arg::Block)].boxed()
    };
    let command = ("[a-z]{1,4}", prop::collection::vec(arg, 0..4)).prop_map(|(name, mut args)| {
        args.insert(0, Arg::Text(name));
        Parsed::new(1, args)
    });
    let sequence = prop::collection::vec(command, 1..4);
    prop::collection::vec(sequence, 0..3).prop_map(List).boxed()
}

proptest! {
    #[test]
    fn printed_list_reads_back(list in any_list(2)) {
        let text = print_list(&list);
        let again = parse_text(&text, &mut NoHost);
        prop_assert_eq!(again.errors, []);
        prop_assert_eq!(again.list, list, "{}", text);
    }

    #[test]
    fn any_text_is_read_without_panic(text in "[ -~\n{}%;'\"\\\\$~#]{0,80}") {
        let outcome = parse_text(&text, &mut Mock::default());
        let printed = print_list(&outcome.list);
        let again = parse_strict(&printed, &mut NoHost);
        prop_assert_eq!(again, Ok(outcome.list), "{}", printed);
    }
}

#[test]
fn text_parsed_in_pieces_equals_text_parsed_at_once() {
    let text = "a ; b\n%if 1\nc {\n d\n}\n%endif\n'\ne 'x\nX=1\n}\nf $X\ng {\n h\n";
    let whole = parse_text(text, &mut Mock::default());
    assert!(!whole.errors.is_empty());
    for most in 1..5 {
        let (mut parser, mut host) = (TextParser::new(text), Mock::default());
        while parser.read_some(most, &mut host) == Rest::More {}
        assert_eq!(parser.finish(), whole, "{most} statements at a time");

        let (mut parser, mut host) = (TextParser::new(text), Mock::default());
        let mut pieces = Outcome::default();
        let mut rest = Rest::More;
        while rest == Rest::More {
            rest = parser.read_some(most, &mut host);
            let piece = parser.take_read();
            assert!(piece.list.0.len() <= most, "a piece is as long as asked");
            pieces.list.0.extend(piece.list.0);
            pieces.errors.extend(piece.errors);
        }
        assert_eq!(pieces, whole, "{most} statements taken at a time");
    }
}

#[test]
fn command_is_matched_once_and_copies_share_its_meaning() {
    let parsed = Parsed::new(1, ["ls", "-a"].map(Arg::from).to_vec());
    let copy = parsed.clone();
    let (one, other) = (parsed.command().unwrap(), copy.command().unwrap());
    assert!(std::ptr::eq(one, other), "one reading for both");
}

#[test]
fn command_that_is_changed_means_something_else() {
    let mut parsed = Parsed::new(1, vec![Arg::from("ls")]);
    assert_eq!(parsed.fault(), None);
    let copy = parsed.clone();
    parsed.argv_mut().push(Arg::from("-Q"));
    assert!(parsed.fault().is_some());
    assert_eq!(copy.fault(), None, "the copy is as it was");
}
