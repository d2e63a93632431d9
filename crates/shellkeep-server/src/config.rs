//! The configuration: a text of commands. A bad line spoils only itself.

use shellkeep_command::lex::lex;

use crate::queue::Item;

/// The commands of a text, each with file and line; what cannot be read is told in its turn.
pub(crate) fn read(file: &str, text: &str) -> Vec<Item> {
    let mut items = Vec::new();
    for (group, line) in lex(text).into_iter().enumerate() {
        let item = Item {
            group: u32::try_from(group).unwrap_or(u32::MAX),
            place: Some((file.to_owned(), line.number)),
            ..Item::default()
        };
        match line.commands {
            Err(error) => items.push(Item {
                fault: Some(error.to_string()),
                ..item
            }),
            Ok(commands) => items.extend(commands.into_iter().map(|argv| Item {
                argv,
                ..item.clone()
            })),
        }
    }
    items
}
