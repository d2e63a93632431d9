//! Running commands given as text, for trees and menus.

use shellkeep_command::parse::parse_argument;

use crate::action::Action;
use crate::commands::answer;
use crate::commands::config::ConfigHost;
use crate::commands::queue::Caller;
use crate::model::Model;

/// Runs a text of commands for a caller.
pub(crate) fn run_text(model: &mut Model, caller: Caller, text: &str) {
    match parse_argument(text, &mut ConfigHost(model)) {
        Ok(list) => model.act(Action::RunList(caller, list)),
        Err(error) => answer::complain(model, &caller, error.to_string()),
    }
}
