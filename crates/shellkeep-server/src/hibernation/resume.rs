//! How programs that ended with their panes come back, by the rules of `shellkeep_hibernation`. This reads the
//! directories for them in which programs keep their conversations.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use shellkeep_core::PaneId;
use shellkeep_hibernation::{FoundFile, How, Lookup, Millis, Resume, Shell, are_rivals};
use shellkeep_shell::user_file;

use crate::hibernation::running::Run;
use crate::model::{Model, Pane};
use crate::panes::usual_shell;

/// How many directory entries are read for one pattern.
const MAX_ENTRIES: usize = 20_000;

/// How many files a rule gets at most, the newest.
const MAX_FILES: usize = 256;

/// How many bytes of a file are read.
const MAX_HEAD: u64 = 16 << 10;

pub(crate) fn program_name(model: &Model, pane: &Pane) -> Option<String> {
    let sleep = pane.sleep().filter(|it| !it.program.is_empty())?;
    let shell = quoting_of(model, pane);
    Some(
        sleep
            .run
            .with(&sleep.program, shell, shellkeep_hibernation::name),
    )
}

/// A sleeping pane's program in a sentence. None if it had none.
pub(crate) fn program_text(model: &Model, id: PaneId) -> Option<String> {
    let pane = model.panes.get(&id)?;
    let sleep = pane.sleep().filter(|it| !it.program.is_empty())?;
    let shell = quoting_of(model, pane);
    Some(
        sleep
            .run
            .with(&sleep.program, shell, shellkeep_hibernation::text),
    )
}

/// When other panes with the same program in the same directory last printed something.
pub(crate) fn rivals_of(model: &Model, id: PaneId, argv: &[String], run: &Run) -> Vec<Millis> {
    let shell = model
        .panes
        .get(&id)
        .map_or(Shell::Posix, |pane| quoting_of(model, pane));
    let has_rivals = run.with(argv, shell, |one| are_rivals(one, one));
    let others = model.panes.values().filter(|pane| pane.id != id);
    let others = others.filter_map(|pane| {
        let (other, other_run, last) = match pane.sleep() {
            Some(sleep) => (&sleep.program, &sleep.run, Some(sleep.run.last_output)),
            None => (&pane.facts.program, &pane.facts.run, None),
        };
        // Compare the directories first: for most panes that is enough, and no rule has to run.
        if other.is_empty() || other_run.directory != run.directory {
            return None;
        }
        let is_same = *other == argv && other_run.typed == run.typed;
        let is_rival = match is_same {
            true => has_rivals,
            false => run.with(argv, shell, |one| {
                other_run.with(other, shell, |other| are_rivals(one, other))
            }),
        };
        is_rival.then(|| last.unwrap_or_else(|| pane.last_output()))
    });
    nearest(run.last_output, others)
}

/// Notes for panes whose programs were lost together which of them share program and directory. It must be done before
/// one of them wakes, since then it cannot be known any more.
pub(crate) fn note_rivals(model: &mut Model) {
    let is_new = |pane: &&mut Pane| {
        let sleep = pane.sleep();
        sleep.is_some_and(|it| !it.program.is_empty() && it.run.rivals.is_none())
    };
    let mut new = Vec::new();
    for pane in model.panes.values_mut().filter(is_new) {
        let last_output = pane.last_output();
        if let Some(sleep) = pane.sleep_mut() {
            sleep.run.last_output = last_output;
        }
        new.push(pane.id);
    }
    for id in new {
        let sleep = model.panes.get(&id).and_then(Pane::sleep);
        let Some(sleep) = sleep else { continue };
        let rivals = rivals_of(model, id, &sleep.program, &sleep.run);
        let Some(pane) = model.panes.get_mut(&id) else {
            continue;
        };
        if let Some(sleep) = pane.sleep_mut() {
            sleep.run.rivals = Some(rivals);
        }
        let window = pane.window;
        model.window_note_due(window);
    }
}

pub(crate) fn quoting_of(model: &Model, pane: &Pane) -> Shell {
    let shell = pane.shell_program.as_ref();
    match shell.and_then(|path| path.to_str()) {
        Some(path) => Shell::of(path),
        None => {
            let session = model.session_of(pane.id);
            let shell = session.map(|session| usual_shell::shell(model, session));
            Shell::of(&String::from_utf8_lossy(&shell.unwrap_or_default()))
        }
    }
}

/// Adds the server's HOME to a program whose environment is not known.
pub(crate) fn add_home(model: &Model, run: &mut Run) {
    if run.variables.iter().any(|(name, _)| name == "HOME") {
        return;
    }
    if let Some(home) = model.environ.get("HOME") {
        let home = String::from_utf8_lossy(home).into_owned();
        run.variables.push(("HOME".to_owned(), home));
    }
}

/// What would be run or typed in a pane that wakes.
pub(crate) fn would_wake(resume: Option<&Resume>) -> String {
    match resume.filter(|it| !it.line.is_empty()) {
        None => "would wake".to_owned(),
        Some(resume) if resume.how == How::Run => format!("would wake, and run: {}", resume.line),
        Some(resume) => format!("would wake, and type: {}", resume.line),
    }
}

/// Read access to the disk for the rules.
pub(crate) struct Disk;

impl Lookup for Disk {
    fn newest_files(&self, directory: &str, pattern: &str) -> Vec<FoundFile> {
        let parts: Vec<&str> = pattern.split('/').collect();
        let mut found = Vec::new();
        let mut left = MAX_ENTRIES;
        gather(Path::new(directory), &parts, &mut left, &mut found);
        found.sort_by_key(|file| std::cmp::Reverse(file.modified));
        found.truncate(MAX_FILES);
        found
    }

    fn exists(&self, path: &str) -> bool {
        Path::new(path).exists()
    }

    fn head(&self, path: &str) -> Option<String> {
        let head = user_file::read_start(Path::new(path), MAX_HEAD).ok()?;
        Some(String::from_utf8_lossy(&head).into_owned())
    }
}

/// Collects the files below a directory that match a pattern, path part by path part.
fn gather(directory: &Path, parts: &[&str], left: &mut usize, found: &mut Vec<FoundFile>) {
    let Some((part, rest)) = parts.split_first() else {
        return;
    };
    let Ok(entries) = fs::read_dir(directory) else {
        return;
    };
    let is_match = |path: &PathBuf| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        matches(part, &name)
    };
    let mut paths: Vec<PathBuf> = Vec::new();
    for entry in entries.flatten() {
        *left = left.saturating_sub(1);
        paths.push(entry.path());
        if *left == 0 {
            break;
        }
    }
    paths.retain(is_match);
    // Directories are often named after dates. Take the latest first, since the limit may not allow all.
    paths.sort_unstable_by(|a, b| b.cmp(a));
    for path in paths {
        if !rest.is_empty() {
            if *left > 0 && path.is_dir() {
                gather(&path, rest, left, found);
            }
            continue;
        }
        let modified = fs::metadata(&path).and_then(|data| data.modified());
        let since = modified.map(|when| when.duration_since(UNIX_EPOCH));
        if let (Some(path), Ok(Ok(since))) = (path.to_str(), since) {
            found.push(FoundFile {
                path: path.to_owned(),
                modified: u64::try_from(since.as_millis()).unwrap_or(u64::MAX),
            });
        }
    }
}

/// Whether a name has the parts of a pattern with stars, in their order.
fn matches(pattern: &str, name: &str) -> bool {
    let mut parts = pattern.split('*');
    let Some(mut rest) = name.strip_prefix(parts.next().unwrap_or_default()) else {
        return false;
    };
    let mut last = None;
    for part in parts {
        if let Some(middle) = last.replace(part) {
            match rest.split_once(middle) {
                Some((_, after)) => rest = after,
                None => return false,
            }
        }
    }
    last.map_or(rest.is_empty(), |end| rest.ends_with(end))
}

/// Of these moments, the last before `moment` and the first after it. What was written near `moment`, and nearer to any
/// other, is near one of these two.
fn nearest(moment: Millis, others: impl Iterator<Item = Millis>) -> Vec<Millis> {
    let (mut before, mut after) = (None, None);
    for other in others {
        if other <= moment {
            before = before.max(Some(other));
        } else {
            after = Some(after.map_or(other, |after: Millis| after.min(other)));
        }
    }
    before.into_iter().chain(after).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_match_patterns_with_stars() {
        for (pattern, name, expected) in [
            ("*", "", true),
            ("*.jsonl", "a.jsonl", true),
            ("*.jsonl", "a.json", false),
            ("rollout-*.jsonl", "rollout-1-2.jsonl", true),
            ("rollout-*.jsonl", "x-rollout-1.jsonl", false),
            ("a*b*c", "a-b-c", true),
            ("a*b*c", "a-c", false),
            ("ses_*", "ses_1", true),
            ("name", "name", true),
            ("name", "names", false),
        ] {
            assert_eq!(matches(pattern, name), expected, "{pattern} {name}");
        }
    }

    #[test]
    fn of_many_rivals_those_count_that_were_the_nearest() {
        let of = |others: &[Millis]| nearest(50, others.iter().copied());
        assert!(of(&[]).is_empty());
        assert_eq!(of(&[10, 40, 30]), [40]);
        assert_eq!(of(&[90, 70, 80]), [70]);
        assert_eq!(of(&[10, 90, 50, 60, 50]), [50, 60]);
    }

    #[test]
    fn files_are_found_by_their_parts_the_newest_first() {
        let temp = tempfile::tempdir().unwrap();
        let base = temp.path().to_str().unwrap();
        for (at, name) in ["2026/01/a.jsonl", "2026/02/b.jsonl", "2026/02/c.txt"]
            .into_iter()
            .enumerate()
        {
            let path = temp.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            let file = fs::File::create(&path).unwrap();
            let when = std::time::SystemTime::UNIX_EPOCH + std::time::Duration::from_secs(10);
            file.set_modified(when - std::time::Duration::from_secs(at as u64))
                .unwrap();
        }
        let found = Disk.newest_files(base, "*/*/*.jsonl");
        let names: Vec<&str> = found
            .iter()
            .map(|file| file.path.rsplit('/').next().unwrap())
            .collect();
        assert_eq!(names, ["a.jsonl", "b.jsonl"]);
        assert_eq!(found[0].modified, 10_000);
        assert!(Disk.newest_files("/nowhere/at/all", "*").is_empty());
        assert_eq!(Disk.head("/nowhere/at/all"), None);
        assert_eq!(Disk.head(base), None);
    }
}
