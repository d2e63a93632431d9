//! Editing a paste buffer in the user's editor.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use shellkeep_files::{ANY_SIZE, Access};

use crate::commands::answer;
use crate::commands::queue::Caller;
use crate::commands::run_text::run_text;
use crate::model::Model;

/// Opens an editor with a buffer's data in a popup. What it saves becomes the buffer.
pub(crate) fn edit_buffer(model: &mut Model, caller: &Caller, name: &str) {
    let Some(buffer) = model.buffers.get(name) else {
        return;
    };
    let path = match write(&model.socket, &buffer.data) {
        Ok(path) => quoted(&path.to_string_lossy()),
        Err(error) => {
            return answer::complain(model, caller, format!("cannot write the buffer: {error}"));
        }
    };
    let editor = model.options.server().text("editor").to_owned();
    // If the editor fails or is closed, the buffer stays as it is.
    let edit = quoted(&format!("{editor} {path} || rm -f {path}"));
    let load = quoted(&format!("load-buffer -b {} {path}", quoted(name)));
    let text = format!(
        "display-popup -E -w 90% -h 90% {edit} ; if-shell {exists} {load} ; run-shell -b {remove}",
        exists = quoted(&format!("test -s {path}")),
        remove = quoted(&format!("rm -f {path}")),
    );
    run_text(model, caller.clone(), &text);
}

/// Writes data into a new file beside the socket, readable for this user alone.
fn write(socket: &Path, data: &[u8]) -> std::io::Result<PathBuf> {
    let mut number = 0;
    loop {
        let path = socket.with_extension(format!("edit{number}"));
        match shellkeep_files::open(&path, Access::New, ANY_SIZE) {
            Ok(mut file) => return file.write_all(data).map(|()| path),
            Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists && number < 1000 => {
                number += 1;
            }
            Err(error) => return Err(error),
        }
    }
}

/// Quoted as one word of a command, or of a shell command.
fn quoted(word: &str) -> String {
    format!("'{}'", word.replace('\'', "'\\''"))
}
