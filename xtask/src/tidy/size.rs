//! A file must be readable in one sitting: at most 800 lines, not counting tests.

use super::findings::Findings;
use super::source::Source;

const MAX_LINES: usize = 800;

/// Files that may be longer, with the reason: mainly tables.
const LONG_FILES: &[(&str, &str)] = &[];

pub(super) fn check(sources: &[Source], findings: &mut Findings) {
    check_against(sources, LONG_FILES, findings);
}

fn check_against(sources: &[Source], long: &[(&str, &str)], findings: &mut Findings) {
    for source in sources.iter().filter(|source| !source.is_test_file()) {
        let lines = source.lines_of_code();
        let excepted = long.iter().any(|(path, _)| *path == source.path);
        match (lines > MAX_LINES, excepted) {
            (true, false) => findings.faults.push(format!(
                "{}: {lines} lines without tests, the most is {MAX_LINES}",
                source.path
            )),
            (false, true) => findings.faults.push(format!(
                "{}: short enough now, so it no longer belongs in the list of long files",
                source.path
            )),
            _ => {}
        }
    }
    for (path, _) in long {
        if !sources.iter().any(|source| source.path == *path) {
            findings
                .faults
                .push(format!("{path}: in the list of long files, but not there"));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_files_are_found_and_exceptions_kept_fresh() {
        let source = |path: &str, code: usize, tests: usize| Source {
            path: path.into(),
            text: format!(
                "{}#[cfg(test)]\nmod tests {{\n{}}}\n",
                "code\n".repeat(code),
                "    test\n".repeat(tests)
            ),
        };
        let sources = [
            source("fine.rs", 800, 900),
            source("long.rs", 801, 0),
            source("table.rs", 2000, 0),
            source("shrunk.rs", 10, 0),
            source("tests/it/all.rs", 2000, 0),
        ];
        let long = [
            ("table.rs", "a table"),
            ("shrunk.rs", "was a table"),
            ("gone.rs", "was one"),
        ];
        let mut findings = Findings::default();
        check_against(&sources, &long, &mut findings);
        let places: Vec<_> = findings
            .faults
            .iter()
            .map(|fault| fault.split(':').next().unwrap())
            .collect();
        assert_eq!(places, ["long.rs", "shrunk.rs", "gone.rs"]);
    }
}
