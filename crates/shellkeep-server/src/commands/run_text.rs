//! Commands in the words of a key of a tree or of a menu.

use shellkeep_command::parse::parse_strict;

use crate::action::Action;
use crate::commands::answer;
use crate::commands::config::Reader;
use crate::commands::queue::Caller;
use crate::model::Model;

/// Has a text of commands run for a caller.
pub(crate) fn run_text(model: &mut Model, caller: Caller, text: &str) {
    match parse_strict(text, &mut Reader(model)) {
        Ok(list) => model.act(Action::RunList(caller, list)),
        Err(error) => answer::complain(model, &caller, error.to_string()),
    }
}
