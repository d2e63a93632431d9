//! Lists the files that the server found damaged and moved to the quarantine.

use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use shellkeep_store::log_path;

use crate::Setup;
use crate::finding::Finding;
use crate::phrases::counted;
use crate::setup::quoted;
use crate::walk::{self, Entry};

const NAME: &str = "quarantine";

/// How many files are named.
const MAX_NAMED_FILES: usize = 5;

pub(super) fn check(setup: &Setup<'_>) -> Vec<Finding> {
    let dir = setup.state_dir.join("quarantine");
    let mut entries = walk::all(&dir);
    entries.retain(|entry| !entry.metadata.is_dir());
    if entries.is_empty() {
        return vec![Finding::ok(NAME, "nothing was ever found broken")];
    }
    // The newest first: the user may remember what happened then.
    entries.sort_by_key(|entry| std::cmp::Reverse(entry.metadata.modified().ok()));
    let named = entries.iter().take(MAX_NAMED_FILES).map(|entry| {
        let path = entry.path.strip_prefix(&dir).unwrap_or(&entry.path);
        let why = match is_barred(entry) {
            true => "; it may not be read",
            false => "",
        };
        format!("{} ({}{why})", path.display(), kind(path))
    });
    let named: Vec<String> = named.collect();
    let more = match entries.len().saturating_sub(MAX_NAMED_FILES) {
        0 => String::new(),
        count => format!(", and {count} more"),
    };
    let is_any_barred = entries.iter().any(is_barred);
    let sentence = format!(
        "{} {} and set aside; nothing in use depends on {}: {}{more}",
        match entries.len() {
            1 => "1 file was".to_owned(),
            _ => format!("{} were", counted(entries.len(), "file")),
        },
        match is_any_barred {
            true => "found damaged, or could not be read,",
            false => "found damaged",
        },
        if entries.len() == 1 { "it" } else { "them" },
        named.join(", "),
    );
    let unlock = match is_any_barred {
        true => format!("chmod -R u+rwX {}; ", quoted(&dir)),
        false => String::new(),
    };
    let fix = format!(
        "{unlock}look for «set aside» in the log {}; if you need nothing of it, rm -r {}",
        quoted(&log_path(&setup.state_dir, &setup.label())),
        quoted(&dir)
    );
    vec![Finding::warning(NAME, sentence, fix)]
}

/// Whether the file was set aside only because its owner may not read it: its content is whole.
fn is_barred(entry: &Entry) -> bool {
    entry.metadata.permissions().mode() & 0o400 == 0
}

/// What the file held, by its path below the quarantine.
fn kind(path: &Path) -> &'static str {
    // Buffers are named by number, so only the directory identifies them.
    if path.starts_with("buffers") {
        return "a paste buffer";
    }
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    match name.split('.').next().unwrap_or_default() {
        "session" => "names and layout of a session",
        "screen" => "a checkpoint of a screen",
        "journal" => "output after a checkpoint",
        "history" => "scrollback",
        "shell" => "the state of a shell",
        "start" => "how a program was started",
        "store" => "the version of the store",
        _ => "of no known kind",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_of_files_are_known_by_their_names() {
        assert_eq!(
            kind(Path::new("a/b/journal.7.1700000000000")),
            "output after a checkpoint"
        );
        assert_eq!(
            kind(Path::new("a/session.json.17")),
            "names and layout of a session"
        );
        assert_eq!(
            kind(Path::new("buffers/01q6vhyg00000003.17")),
            "a paste buffer"
        );
        assert_eq!(kind(Path::new("whatever")), "of no known kind");
    }
}
