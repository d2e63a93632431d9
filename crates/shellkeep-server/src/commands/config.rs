//! Reading configurations: texts of commands. An error in one line does not affect the others.

use std::io;
use std::path::Path;
use std::sync::Arc;

use shellkeep_command::parse::{Host, Outcome, Rest, TextParser, Visibility};
use shellkeep_shell::user_file;

use crate::commands::queue::{Item, into_items};
use crate::formats;
use crate::model::Model;

/// Larger files are refused, since a file is parsed as a whole before any of it runs.
pub(crate) const MAX_SIZE: u64 = 4 << 20;

/// The commands of a text, each with file and line. Syntax errors are items, too, so that they are reported in order.
pub(crate) fn read(model: &mut Model, file: &str, text: &str) -> Vec<Item> {
    let mut parser = TextParser::new(text);
    while parser.read_some(usize::MAX, &mut ConfigHost(model)) == Rest::More {}
    items_of(&file.into(), parser.finish())
}

/// The commands of one part of a text.
pub(crate) fn items_of(file: &Arc<str>, outcome: Outcome) -> Vec<Item> {
    let groups = u32::try_from(outcome.list.0.len()).unwrap_or(u32::MAX);
    let mut all = into_items(outcome.list);
    for item in &mut all {
        item.place = Some((file.clone(), item.command.line));
    }
    let faults = (groups..).zip(outcome.errors).map(|(group, error)| Item {
        group,
        fault: Some(error.message),
        place: Some((file.clone(), error.line)),
        ..Item::default()
    });
    all.extend(faults);
    // Sort by line, so that an error is reported where it is in the text.
    all.sort_by_key(|item| item.place.as_ref().map(|(_, line)| *line));
    all
}

/// The contents of a file.
///
/// # Errors
/// If it cannot be read.
pub(crate) fn load(file: &Path) -> io::Result<Vec<u8>> {
    user_file::read(file, MAX_SIZE)
}

/// What a text may use of the model while it is parsed.
pub(crate) struct ConfigHost<'a>(pub(crate) &'a mut Model);

impl Host for ConfigHost<'_> {
    fn variable(&self, name: &str) -> Option<String> {
        let value = self.0.environ.get(name)?;
        Some(String::from_utf8_lossy(value).into_owned())
    }

    fn set_variable(&mut self, name: &str, value: &str, visibility: Visibility) {
        match visibility {
            Visibility::Exported => self.0.environ.set(name, value),
            Visibility::Hidden => self.0.environ.set_hidden(name, value),
        }
    }

    fn home(&self, user: Option<&str>) -> Option<String> {
        if user.is_none()
            && let Some(home) = self.variable("HOME").filter(|home| !home.is_empty())
        {
            return Some(home);
        }
        let user = match user {
            Some(name) => nix::unistd::User::from_name(name),
            None => nix::unistd::User::from_uid(nix::unistd::getuid()),
        };
        Some(user.ok()??.dir.to_string_lossy().into_owned())
    }

    fn expand(&mut self, format: &str) -> String {
        formats::scope(self.0).expand(format)
    }

    fn alias(&self, name: &str) -> Option<String> {
        let options = self.0.options.server();
        let mut aliases = options.texts("command-alias");
        aliases.find_map(|alias| {
            let (known, text) = alias.split_once('=')?;
            (known == name).then(|| text.to_owned())
        })
    }
}
