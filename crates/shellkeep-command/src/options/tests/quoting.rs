use super::super::*;

/// Texts, and how tmux 3.3a prints them.
const TMUX: &[(&str, &str)] = &[
    ("", "''"),
    ("a b", "\"a b\""),
    ("it's", "\"it's\""),
    ("a\"b", "'a\"b'"),
    ("a$b", "\"a\\$b\""),
    ("$", "\\$"),
    ("$HOME", "\"\\$HOME\""),
    ("~", "\\~"),
    ("~x", "\\~x"),
    ("a~b", "a~b"),
    ("a\\b", "a\\\\b"),
    ("\\", "\\\\"),
    ("ü", "ü"),
    ("üb er", "\"üb er\""),
    ("日本", "日本"),
    ("a;b", "\"a;b\""),
    ("#", "\\#"),
    ("a#b", "\"a#b\""),
    ("{", "\\{"),
    ("{a}", "\"{a}\""),
    ("%", "\\%"),
    ("%if", "\"%if\""),
    ("&", "&"),
    ("|", "|"),
    ("(", "("),
    ("`", "`"),
    ("a=b", "a=b"),
    ("-x", "-x"),
    ("a\nb", "a\\nb"),
    ("\n", "\\n"),
    ("a\tb", "a\\tb"),
    ("a\rb", "a\\rb"),
    ("\u{7}", "\\a"),
    ("\u{8}", "\\b"),
    ("\u{b}", "\\v"),
    ("\u{c}", "\\f"),
    ("\u{1b}[", "\\033["),
    ("\u{7f}", "\\177"),
    ("\u{1}", "\\001"),
    ("\u{1f}", "\\037"),
    ("\u{85}", "\\302\\205"),
    ("\u{a0}", "\u{a0}"),
    ("\u{200b}", "\u{200b}"),
    ("a\u{301}", "a\u{301}"),
    ("\u{e000}", "\u{e000}"),
    ("\"", "\\\""),
    ("'", "\\'"),
    ("\"'", "\"\\\"'\""),
    (" ", "\" \""),
    ("~ x", "\"\\~ x\""),
    ("~\"", "'~\"'"),
    ("\"~", "'\"~'"),
    ("~$a", "\"\\~\\$a\""),
    ("~\\", "\\~\\\\"),
    ("~\n", "\\~\\n"),
    ("~a'b", "\"\\~a'b\""),
    ("\\$", "\"\\\\$\""),
    ("\\\"", "'\\\\\"'"),
    ("x\"y$z", "\"x\\\"y\\$z\""),
    ("$_", "\"\\$_\""),
    ("${x}", "\"\\${x}\""),
    ("a$", "\"a$\""),
    ("$1", "\"$1\""),
    ("a$$b", "\"a$\\$b\""),
    ("\"\n", "'\"\\n'"),
    ("a\\\nb", "a\\\\\\nb"),
];

#[test]
fn texts_are_quoted_as_tmux_quotes_them() {
    for (text, printed) in TMUX {
        assert_eq!(quote(text), *printed, "{text:?}");
    }
}

#[test]
fn only_texts_and_styles_are_quoted() {
    assert_eq!(Value::Text("a b".into()).print_quoted(), "\"a b\"");
    assert_eq!(
        Value::Command("neww ; lsk".into()).print_quoted(),
        "neww ; lsk"
    );
    let color = Value::Color("#ffaa00".parse().ok());
    assert_eq!(color.print_quoted(), "#ffaa00");
    assert_eq!(Value::Flag(true).print_in_format(), "1");
    assert_eq!(Value::Flag(true).print(), "on");
}
