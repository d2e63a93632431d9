//! Only `shellkeep-files` may open what lies in the state and runtime directories, because it never blocks at a pipe
//! and follows no link. Code that opens another file has a comment above the line that begins with [`FOREIGN_MARK`].

use super::findings::Findings;
use super::source::Source;

/// The crates that deal with files in these directories.
const CRATES: &[&str] = &[
    "crates/shellkeep-client/src/",
    "crates/shellkeep-doctor/src/",
    "crates/shellkeep-keeper/src/",
    "crates/shellkeep-server/src/",
    "crates/shellkeep-shell/src/",
    "crates/shellkeep-store/src/",
    "src/",
];

const CALLS: &[&str] = &[
    "File::open(",
    "File::create(",
    "File::create_new(",
    "File::options(",
    "OpenOptions::new(",
    "fs::read(",
    "fs::read_to_string(",
    "fs::write(",
    "fs::copy(",
    "DirBuilder::new(",
    "fs::create_dir",
];

const FOREIGN_MARK: &str = "// Opened without `shellkeep-files`: ";

pub(super) fn check(sources: &[Source], findings: &mut Findings) {
    let of_concern = |source: &&Source| {
        let is_test = source.path.ends_with("tests.rs") || source.path.contains("/tests/");
        !is_test && CRATES.iter().any(|begin| source.path.starts_with(begin))
    };
    for source in sources.iter().filter(of_concern) {
        let (code, _) = source.split_tests();
        for (index, line) in code.iter().enumerate() {
            let is_call = CALLS.iter().any(|call| line.contains(call));
            let above = &code[index.saturating_sub(2)..index];
            let is_marked = above.iter().any(|line| line.contains(FOREIGN_MARK));
            let below = &code[index..code.len().min(index + 5)];
            let is_system = below
                .iter()
                .any(|line| line.contains("\"/proc/") || line.contains("\"/dev/"));
            if is_call && !is_marked && !is_system && !line.trim_start().starts_with("//") {
                findings.faults.push(format!(
                    "{}:{}: open our files with shellkeep_files, and mark others with {FOREIGN_MARK}…",
                    source.path,
                    index + 1
                ));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_that_are_not_explained_are_found() {
        let text = "fs::read(ours);\n// Opened without `shellkeep-files`: a user's file.\nfs::read(theirs);\n\
                    let x = 1;\nlet y = 2;\nFile::open(\"/proc/self/stat\");\n#[cfg(test)]\nmod tests {\n    fs::read(x);\n}\n";
        let mut findings = Findings::default();
        let path = "crates/shellkeep-store/src/a.rs".into();
        let text = text.into();
        check(&[Source { path, text }], &mut findings);
        assert_eq!(findings.faults.len(), 1, "{:?}", findings.faults);
        assert!(findings.faults[0].starts_with("crates/shellkeep-store/src/a.rs:1: "));
    }
}
