//! `tmux-shim`: makes a directory with a link `tmux` to this program.

use std::fs;
use std::io::ErrorKind;
use std::os::unix::fs::symlink;
use std::path::Path;

use crate::{ClientError, context};

/// Makes the directory and the link. Returns the line for a shell's start-up file.
pub(crate) fn make(dir: &str) -> Result<String, ClientError> {
    let dir = std::path::absolute(dir).unwrap_or_else(|_| dir.into());
    let failed = |path: &Path, source| ClientError::File {
        path: path.to_owned(),
        source,
    };
    // Opened without `shellkeep-files`: the user has chosen this directory for the shim.
    fs::create_dir_all(&dir).map_err(|error| failed(&dir, error))?;
    let (link, program) = (dir.join("tmux"), context::program());
    match fs::symlink_metadata(&link) {
        // A link from an earlier run, perhaps to a program that has moved since.
        Ok(metadata) if metadata.is_symlink() => {
            fs::remove_file(&link).map_err(|error| failed(&link, error))?;
        }
        Ok(_) => {
            let taken = std::io::Error::new(
                ErrorKind::AlreadyExists,
                "is not a link, so it is left alone; name another directory",
            );
            return Err(failed(&link, taken));
        }
        Err(_) => {}
    }
    symlink(&program, &link).map_err(|error| failed(&link, error))?;
    Ok(format!(
        "{} is {} now. To have it found before tmux itself:\n  export PATH={}:\"$PATH\"\n",
        link.display(),
        program.display(),
        quoted(&dir.display().to_string()),
    ))
}

/// Quotes a word for a POSIX shell.
fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "/._-+".contains(c);
    if word.chars().all(is_plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_quoted_only_where_a_shell_would_change_them() {
        assert_eq!(quoted("/home/ann/bin"), "/home/ann/bin");
        assert_eq!(quoted("/home/ann's bin"), r"'/home/ann'\''s bin'");
    }
}
