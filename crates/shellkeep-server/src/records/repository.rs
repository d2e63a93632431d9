//! The git repository around a directory, read from its files: the branch, and the commit. It starts no git, which would take
//! milliseconds for each command.

use std::fs::OpenOptions;
use std::io::Read as _;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};

use nix::fcntl::OFlag;

/// More than any `HEAD`, link or branch has.
const MAX_SMALL: u64 = 4096;
/// More than the list of branches of any repository.
const MAX_PACKED: u64 = 16 << 20;

/// The state of a repository.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Repository {
    /// None with a detached head.
    pub(super) branch: Option<String>,
    /// None before the first commit.
    pub(super) commit: Option<String>,
}

impl Repository {
    /// The innermost repository that a directory is in.
    pub(super) fn around(directory: &Path) -> Option<Self> {
        let git = directory.ancestors().find_map(git_directory)?;
        let head = small(&git.join("HEAD"))?;
        let Some(name) = head.strip_prefix("ref: ") else {
            return Some(Self {
                branch: None,
                commit: commit(&head),
            });
        };
        Some(Self {
            branch: Some(name.strip_prefix("refs/heads/").unwrap_or(name).to_owned()),
            commit: branch_commit(&git, name),
        })
    }
}

/// The directory in which git keeps the state of this working directory.
fn git_directory(directory: &Path) -> Option<PathBuf> {
    let git = directory.join(".git");
    let metadata = git.metadata().ok()?;
    if metadata.is_dir() {
        return Some(git);
    }
    // A file with the way to it: a linked working directory, or a submodule.
    let link = small(&git)?;
    Some(directory.join(link.strip_prefix("gitdir: ")?))
}

fn branch_commit(git: &Path, name: &str) -> Option<String> {
    // A name like `refs/../../x` is not one of git's.
    if name.split('/').any(|part| part == "..") || name.starts_with('/') {
        return None;
    }
    let common = small(&git.join("commondir")).map(|common| git.join(common));
    let dirs = [Some(git.to_owned()), common];
    for dir in dirs.into_iter().flatten() {
        let loose = small(&dir.join(name)).and_then(|text| commit(&text));
        if let Some(found) = loose.or_else(|| packed(&dir, name)) {
            return Some(found);
        }
    }
    None
}

/// The commit of a branch in the list of those that have no file.
fn packed(dir: &Path, name: &str) -> Option<String> {
    let text = read(&dir.join("packed-refs"), MAX_PACKED)?;
    text.lines().find_map(|line| {
        let (found, of) = line.split_once(' ')?;
        commit(found).filter(|_| of == name)
    })
}

fn commit(text: &str) -> Option<String> {
    let is_hash = text.len() >= 40 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    is_hash.then(|| text.to_owned())
}

/// The only line of a small file.
fn small(path: &Path) -> Option<String> {
    let text = read(path, MAX_SMALL)?;
    Some(text.trim_end().to_owned()).filter(|text| !text.is_empty())
}

fn read(path: &Path, max: u64) -> Option<String> {
    // Opened without `shellkeep-files`: a file of git's. Without O_NONBLOCK, opening a pipe would wait for its other end.
    let mut options = OpenOptions::new();
    let flags = OFlag::O_NONBLOCK | OFlag::O_NOCTTY;
    let file = options
        .read(true)
        .custom_flags(flags.bits())
        .open(path)
        .ok()?;
    let metadata = file.metadata().ok()?;
    if !metadata.is_file() || metadata.len() > max {
        return None;
    }
    let mut text = String::new();
    file.take(max).read_to_string(&mut text).ok()?;
    Some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    const HASH: &str = "0123456789abcdef0123456789abcdef01234567";
    const OTHER: &str = "89abcdef0123456789abcdef0123456789abcdef";

    fn write(root: &Path, files: &[(&str, &str)]) {
        for (name, text) in files {
            let path = root.join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
    }

    fn found(branch: &str, commit: &str) -> Option<Repository> {
        let some = |text: &str| Some(text.to_owned()).filter(|text| !text.is_empty());
        Some(Repository {
            branch: some(branch),
            commit: some(commit),
        })
    }

    #[test]
    fn branch_and_commit_are_read_as_git_writes_them() {
        let hash = format!("{HASH}\n");
        let packed = format!("# pack-refs with: peeled\n{OTHER} refs/heads/main\n^{HASH}\n");
        for (which, files, expected) in [
            ("no repository", vec![("x", "")], None),
            (
                "branch",
                vec![
                    (".git/HEAD", "ref: refs/heads/a/b\n"),
                    (".git/refs/heads/a/b", &hash[..]),
                ],
                found("a/b", HASH),
            ),
            (
                "packed branch",
                vec![
                    (".git/HEAD", "ref: refs/heads/main\n"),
                    (".git/packed-refs", &packed[..]),
                ],
                found("main", OTHER),
            ),
            (
                "no commit yet",
                vec![(".git/HEAD", "ref: refs/heads/main\n")],
                found("main", ""),
            ),
            ("detached", vec![(".git/HEAD", &hash[..])], found("", HASH)),
            ("junk", vec![(".git/HEAD", "junk")], found("", "")),
            (
                "name out of it",
                vec![(".git/HEAD", "ref: ../../etc/passwd")],
                found("../../etc/passwd", ""),
            ),
            (
                "linked working directory",
                vec![
                    (".git", "gitdir: main/.git/worktrees/w\n"),
                    ("main/.git/worktrees/w/HEAD", "ref: refs/heads/w\n"),
                    ("main/.git/worktrees/w/commondir", "../..\n"),
                    ("main/.git/refs/heads/w", &hash[..]),
                ],
                found("w", HASH),
            ),
        ] {
            let temp = tempfile::tempdir().unwrap();
            write(temp.path(), &files);
            let below = temp.path().join("src/deep");
            std::fs::create_dir_all(&below).unwrap();
            assert_eq!(Repository::around(&below), expected, "{which}");
        }
    }

    #[test]
    fn pipe_in_place_of_a_file_is_not_waited_for() {
        let temp = tempfile::tempdir().unwrap();
        std::fs::create_dir(temp.path().join(".git")).unwrap();
        let mode = nix::sys::stat::Mode::S_IRWXU;
        nix::unistd::mkfifo(&temp.path().join(".git/HEAD"), mode).unwrap();
        assert_eq!(Repository::around(temp.path()), None);
    }
}
