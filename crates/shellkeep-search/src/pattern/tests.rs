use proptest::prelude::*;

use super::*;

fn pattern(text: &str, kind: Kind, case: Case) -> Pattern {
    Pattern::new(text, kind, case).unwrap()
}

#[track_caller]
fn check(pattern: &Pattern, text: &str, expected: &[&str]) {
    let found: Vec<&str> = pattern
        .lines(text.as_bytes())
        .map(|line| &text[line])
        .collect();
    assert_eq!(found, expected);
    // A filter must never exclude a text that matches.
    if !expected.is_empty() {
        assert!(pattern.may_be_in(&Filter::of(text.as_bytes())));
    }
}

const LOG: &str = "Compiling foo\nerror: bar\n\nError: baz (a.b)\nlast\n";

#[test]
fn text_is_found_as_it_stands() {
    let text = |text, case| pattern(text, Kind::Text, case);
    check(
        &text("error", Case::Smart),
        LOG,
        &["error: bar", "Error: baz (a.b)"],
    );
    check(&text("Error", Case::Smart), LOG, &["Error: baz (a.b)"]);
    check(&text("error", Case::Exact), LOG, &["error: bar"]);
    check(
        &text("ERROR", Case::Ignore),
        LOG,
        &["error: bar", "Error: baz (a.b)"],
    );
    check(&text("(a.b)", Case::Smart), LOG, &["Error: baz (a.b)"]);
    check(
        &text("a", Case::Smart),
        LOG,
        &["error: bar", "Error: baz (a.b)", "last"],
    );
    check(&text("bar\n", Case::Smart), LOG, &[]);
    check(&text("nowhere", Case::Smart), LOG, &[]);
}

#[test]
fn expression_is_found_within_a_line_only() {
    let regex = |text| pattern(text, Kind::Regex, Case::Smart);
    check(&regex("^error.*r$"), LOG, &["error: bar"]);
    check(&regex(r"foo\s+error"), LOG, &[]);
    check(&regex("foo[^x]*bar"), LOG, &[]);
    check(&regex(r"r[^x]*b"), LOG, &["error: bar", "Error: baz (a.b)"]);
    check(&regex("^$"), LOG, &[""]);
    check(&regex(r"\Alast\z"), LOG, &["last"]);
    check(&regex("(?-m)^last$"), LOG, &["last"]);
    check(&regex("(?-i)error"), LOG, &["error: bar"]);
    check(
        &regex(r"\bba[rz]\b"),
        LOG,
        &["error: bar", "Error: baz (a.b)"],
    );
    check(
        &regex("x*"),
        LOG,
        &[
            "Compiling foo",
            "error: bar",
            "",
            "Error: baz (a.b)",
            "last",
        ],
    );
}

#[test]
fn spans_are_the_places_in_a_line() {
    let found = pattern("o", Kind::Text, Case::Smart);
    assert_eq!(found.spans(b"foo bOr"), [1..2, 2..3, 5..6]);
    let found = pattern("x*", Kind::Regex, Case::Smart).spans(b"axxb");
    assert!(found.len() == 1 && found[0] == (1..3), "{found:?}");
}

#[test]
fn bad_patterns_have_an_error_of_one_sentence() {
    let error_of = |text, kind| match Pattern::new(text, kind, Case::Smart) {
        Ok(_) => panic!("{text} is a pattern"),
        Err(error) => error.to_string(),
    };
    assert_eq!(error_of("", Kind::Text), "nothing to look for");
    assert_eq!(
        error_of("a(b", Kind::Regex),
        "bad regular expression: a(b: unclosed group"
    );
    assert_eq!(
        error_of("(?:x{1000}){1000}", Kind::Regex),
        "regular expression too large: (?:x{1000}){1000}"
    );
}

#[test]
fn filter_excludes_missing_text() {
    let filter = Filter::of(LOG.as_bytes());
    let may = |text, kind| pattern(text, kind, Case::Smart).may_be_in(&filter);
    assert!(may("compiling", Kind::Text));
    assert!(!may("compiled", Kind::Text));
    assert!(!may(r"compiled \d+", Kind::Regex));
    // The pattern is too short, or no text must be in a match: the filter cannot exclude.
    assert!(may("zz", Kind::Text) && may("zzz|yyy", Kind::Regex));
    assert!(!pattern("zz", Kind::Text, Case::Smart).can_be_filtered());
}

#[test]
fn capitals_of_all_kinds_pass_the_filter() {
    for (text, wanted) in [
        ("Straße ÉCOLE kelvin", "école"),
        ("\u{212a}elvin", "kelvin"),
        ("\u{212a}elvin", "\u{212a}elvin"),
        ("con\u{17f}t", "const"),
        ("日本語テキスト", "本語"),
    ] {
        check(
            &pattern(wanted, Kind::Text, Case::Smart),
            &format!("{text}\n"),
            &[text],
        );
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn lines_are_those_that_fit_one_by_one(
        lines in prop::collection::vec("[ab \u{e9}K\u{212a}.]{0,6}", 0..12),
        wanted in prop::sample::select(vec![
            "a", "k", "ab", "a b", ".", "\u{e9}k", "a[^b]*b", "^a", "b$", "[^a]", "\\s+", "a?", "(a|b)k", "^$", "\\bk",
        ]),
        is_regex: bool,
    ) {
        let kind = if is_regex { Kind::Regex } else { Kind::Text };
        let pattern = Pattern::new(wanted, kind, Case::Smart).unwrap();
        let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
        let found: Vec<&str> = pattern.lines(text.as_bytes()).map(|line| &text[line]).collect();
        let expected = lines.iter().filter(|line| pattern.regex.is_match(line.as_bytes()));
        let expected: Vec<&str> = expected.map(String::as_str).collect();
        prop_assert_eq!(&found, &expected);
        if !expected.is_empty() {
            prop_assert!(pattern.may_be_in(&Filter::of(text.as_bytes())));
        }
    }

    /// Typed text never causes a panic.
    #[test]
    fn any_pattern_is_taken_or_refused(wanted in "\\PC{0,12}") {
        for kind in [Kind::Text, Kind::Regex] {
            if let Ok(pattern) = Pattern::new(&wanted, kind, Case::Smart) {
                pattern.lines(wanted.as_bytes()).count();
                assert!(pattern.spans(wanted.as_bytes()).len() <= wanted.len());
            }
        }
    }
}
