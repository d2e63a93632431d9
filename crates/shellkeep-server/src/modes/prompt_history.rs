//! The history of prompts in a file (`history-file`).

use std::path::PathBuf;

use shellkeep_shell::user_file;

use crate::action::Action;
use crate::model::Model;
use crate::modes::prompt_line::PromptType;

/// A larger file is not a history that shellkeep has written.
const MAX_SIZE: u64 = 16 << 20;

pub(crate) fn add_prompt_history(model: &mut Model, kind: PromptType, line: &str) {
    let most = prompt_history_limit(model);
    model.prompt_histories.add(kind, line, most);
    write_prompt_history(model);
}

pub(crate) fn clear_prompt_history(model: &mut Model, kind: PromptType) {
    model.prompt_histories.clear(kind);
    write_prompt_history(model);
}

/// Reads the file, once, after the configuration has set its name.
pub(crate) fn read_prompt_history(model: &mut Model) {
    let Some(path) = prompt_history_file(model) else {
        return;
    };
    match user_file::read(&path, MAX_SIZE) {
        Ok(text) => {
            let most = prompt_history_limit(model);
            let text = String::from_utf8_lossy(&text);
            model.prompt_histories.read(&text, most);
        }
        Err(error) => tracing::debug!(?path, %error, "cannot read the history of prompts"),
    }
}

/// Writes the file at every change, so that a crash loses nothing.
fn write_prompt_history(model: &mut Model) {
    let Some(path) = prompt_history_file(model) else {
        return;
    };
    let bytes = model.prompt_histories.to_text().into_bytes();
    model.act(Action::WriteFile(path, bytes));
}

fn prompt_history_limit(model: &Model) -> usize {
    let limit = model.options.server().number("prompt-history-limit");
    usize::try_from(limit).unwrap_or(0)
}

fn prompt_history_file(model: &Model) -> Option<PathBuf> {
    let name = model.options.server().text("history-file");
    if let Some(rest) = name.strip_prefix("~/") {
        let home = model.environ.get("HOME")?;
        let home = PathBuf::from(String::from_utf8_lossy(home).into_owned());
        return Some(home.join(rest));
    }
    let path = PathBuf::from(name);
    path.is_absolute().then_some(path)
}
