//! No input of a user and no output of a program makes copy mode panic or leave the text.

use proptest::prelude::*;
use shellkeep_copy::{CopyCommand, Frozen, ModeKeys, Text};
use shellkeep_core::Size;

use crate::kit::Kit;

#[derive(Clone, Debug)]
enum Deed {
    Run(usize, u32, String),
    Feed(String),
    Resize(u16, u16),
    Clear,
    Drag(u16, u16),
}

fn deed() -> impl Strategy<Value = Deed> {
    let names = CopyCommand::names().len();
    prop_oneof![
        20 => (0..names, 0u32..20, "[=+-]?[a-z世(.*$^ \\[0-9]{0,3}")
            .prop_map(|(name, repeat, word)| Deed::Run(name, repeat, word)),
        3 => "[a-z世(){} \t\r\n]{0,200}".prop_map(Deed::Feed),
        1 => (1u16..8, 1u16..20).prop_map(|(rows, cols)| Deed::Resize(rows, cols)),
        1 => Just(Deed::Clear),
        2 => (0u16..20, 0u16..40).prop_map(|(row, col)| Deed::Drag(row, col)),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn deeds_of_any_kind_leave_a_view_that_can_be_drawn(
        text in "[a-z世e\u{301}(){}\\[\\] \t\r\n]{0,600}",
        vi in any::<bool>(),
        deeds in prop::collection::vec(deed(), 1..40),
    ) {
        let mut kit = Kit::with_limit(5, 11, &text, 300);
        if !vi {
            kit.options.mode_keys = ModeKeys::Emacs;
        }
        for deed in deeds {
            match deed {
                Deed::Run(name, repeat, word) => {
                    let name = CopyCommand::names()[name];
                    let command = CopyCommand::parse(&[name])
                        .or_else(|_| CopyCommand::parse(&[name, &word]));
                    let text = kit.frozen.text(&kit.emulator);
                    kit.mode.run(&command.unwrap(), repeat, &text, &kit.options);
                }
                Deed::Feed(bytes) => kit.feed(&bytes),
                Deed::Clear => kit.emulator.clear_history(),
                Deed::Resize(rows, cols) => {
                    let spot = kit.frozen.spot(&kit.emulator, kit.mode.cursor());
                    kit.emulator.resize(Size::new(rows, cols));
                    kit.frozen = Frozen::new(&kit.emulator);
                    let place = kit.frozen.place(&kit.emulator, spot);
                    let text = kit.frozen.text(&kit.emulator);
                    kit.mode.resize(place, &text, &kit.options);
                }
                Deed::Drag(row, col) => {
                    let text = kit.frozen.text(&kit.emulator);
                    kit.mode.drag_start(row, col, &text, &kit.options);
                    kit.mode.drag_to(col, row, &text, &kit.options);
                }
            }
            let text = kit.frozen.text(&kit.emulator);
            let view = kit.mode.view(&text, &kit.options);
            prop_assert_eq!(view.rows.len(), usize::from(text.screen_rows()));
            prop_assert!(view.cursor.0 < text.screen_rows() && view.cursor.1 < text.cols());
            for row in &view.rows {
                for span in &row.spans {
                    prop_assert!(span.start < span.end && span.end <= text.cols());
                }
            }
            let word = kit.mode.word_at(kit.mode.cursor(), &text, &kit.options);
            prop_assert!(!word.contains('\n'));
            let copied = kit.mode.selected_text(&text, &kit.options);
            prop_assert!(copied.is_none_or(|copied| !copied.is_empty()));
        }
    }
}
