//! What was typed at prompts, kept in a file where the user wants it.

use std::path::PathBuf;

use shellkeep_shell::user_file;

use super::Server;
use crate::prompt::PromptType;
use crate::recorder;
use crate::state::Model;

/// A larger file is no history that we have written.
const MAX_SIZE: u64 = 16 << 20;

impl Server {
    /// Remembers a line.
    pub(super) fn add_prompt_history(&mut self, kind: PromptType, line: &str) {
        let most = prompt_history_limit(&self.state);
        self.commands.prompt_histories.add(kind, line, most);
        self.write_prompt_history();
    }

    /// Forgets the lines of a kind.
    pub(crate) fn clear_prompt_history(&mut self, kind: PromptType) {
        self.commands.prompt_histories.clear(kind);
        self.write_prompt_history();
    }

    /// Reads the file, once, when the configuration has said where it is.
    pub(super) fn read_prompt_history(&mut self) {
        let Some(path) = prompt_history_file(&self.state) else {
            return;
        };
        match user_file::read(&path, MAX_SIZE) {
            Ok(text) => {
                let most = prompt_history_limit(&self.state);
                let text = String::from_utf8_lossy(&text);
                self.commands.prompt_histories.read(&text, most);
            }
            Err(error) => tracing::debug!(?path, %error, "no history of prompts"),
        }
    }

    /// Has the file written, at every change: a server that crashes must not lose it.
    fn write_prompt_history(&self) {
        let Some(path) = prompt_history_file(&self.state) else {
            return;
        };
        let bytes = self.commands.prompt_histories.to_text().into_bytes();
        match &self.persistence.keeping {
            Some(keeping) => keeping.recorder.write_file(path, bytes),
            // Nobody writes anything here; but what the user asked for is done.
            None => drop(tokio::task::spawn_blocking(move || {
                recorder::write_file(&path, &bytes);
            })),
        }
    }
}

fn prompt_history_limit(model: &Model) -> usize {
    let limit = model.options.server().number("prompt-history-limit");
    usize::try_from(limit).unwrap_or(0)
}

/// The file, if there is to be one.
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
