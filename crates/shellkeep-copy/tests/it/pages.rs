//! A search that skips pages of history finds the same as one that reads every row.

use proptest::prelude::*;
use shellkeep_copy::{CopyCommand, FrozenText, Text};
use shellkeep_term::view::RowView;

use crate::kit::{Kit, lines};

/// The same text, which can only be read by rows.
struct RowsOnly<'a>(FrozenText<'a>);

impl Text for RowsOnly<'_> {
    fn cols(&self) -> u16 {
        self.0.cols()
    }

    fn screen_rows(&self) -> u16 {
        self.0.screen_rows()
    }

    fn history_rows(&self) -> usize {
        self.0.history_rows()
    }

    fn count_history(&self) -> usize {
        self.0.count_history()
    }

    fn with_row(&self, row: i64, read: &mut dyn FnMut(RowView<'_>)) {
        self.0.with_row(row, read);
    }
}

/// Runs a command in both ways, and returns the cursor, the highlights and the count of each.
fn both(kit: &mut Kit, other: &mut Kit, words: &[&str]) -> [String; 2] {
    kit.run(words);
    let command = CopyCommand::parse(words).expect("a command");
    let rows_only = RowsOnly(other.frozen.text(&other.emulator));
    other.mode.run(&command, 1, &rows_only, &other.options);
    [kit, other].map(|kit| {
        let text = kit.frozen.text(&kit.emulator);
        let view = kit.mode.view(&text, &kit.options);
        format!("{:?} {view:?}", kit.mode.cursor())
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn leaving_out_pages_changes_nothing(
        pieces in prop::collection::vec("[ab世e\u{301} ]{0,30}", 1..20),
        repeats in 60usize..120,
        rare in "[ab世 ]{0,12}xy[ab世 ]{0,12}",
        cols in 3u16..40,
        searches in prop::collection::vec(
            (0usize..4, "(x|y|xy|a|b世|a b|ba|\\^x|\\^b|y\\$|a.x|x +b|q)"), 1..8),
    ) {
        let mut text = format!("{rare}\r\n");
        for _ in 0..repeats {
            text.push_str(&pieces.join("\r\n"));
            text.push_str("\r\n");
        }
        text.push_str(&format!("{rare}\r\n{}", lines(400)));
        let mut kit = Kit::new(5, cols, &text);
        let mut other = Kit::new(5, cols, &text);
        let names = [
            "search-forward", "search-backward", "search-forward-text", "search-backward-text",
        ];
        for (name, wanted) in searches {
            let [skipping, reading] = both(&mut kit, &mut other, &[names[name], &wanted]);
            prop_assert_eq!(skipping, reading, "{} {}", names[name], wanted);
        }
    }
}

#[test]
fn match_across_a_cell_that_a_wide_character_did_not_fit_into_is_found() {
    let text = format!("abcd世界\r\n{}", lines(2000));
    let mut kit = Kit::new(5, 5, &text);
    kit.run(&["search-backward-text", "d世"]);
    assert_eq!(kit.line(), "abcd");
    assert_eq!(kit.mode.cursor().col, 3);
}
