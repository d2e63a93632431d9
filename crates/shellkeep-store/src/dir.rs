//! The state directory. It is private to its owner, and is made when it is first needed.

use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

/// Makes the state directory, `$XDG_STATE_HOME/shellkeep` or another one, if it does not exist, and makes it private in
/// any case: it holds what was on a user's screen.
///
/// # Errors
/// When it cannot be made, or belongs to another user.
pub fn make_state_dir(path: &Path) -> io::Result<()> {
    shellkeep_files::make_dir(path)?;
    let mode = std::fs::metadata(path)?.permissions().mode();
    if mode & 0o077 != 0 {
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o700))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn state_dir_is_made_and_made_private() {
        let temp = tempfile::tempdir().unwrap();
        let path = temp.path().join("a/b");
        make_state_dir(&path).unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
        make_state_dir(&path).unwrap();
        assert_eq!(
            std::fs::metadata(&path).unwrap().permissions().mode() & 0o777,
            0o700
        );
    }
}
