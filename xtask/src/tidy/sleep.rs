//! Tests must not sleep. They wait for a condition; a test that sleeps is slow, and fails on a busy machine.

use super::findings::Findings;
use super::source::{Source, bare_code};

const CALLS: [&str; 3] = ["sleep", "sleep_until", "sleep_ms"];

pub(super) fn check(sources: &[Source], findings: &mut Findings) {
    for source in sources {
        let (_, tests) = source.split_tests();
        for (index, line) in bare_code(&tests.join("\n")).lines().enumerate() {
            if CALLS.iter().any(|call| has_call(line, call)) {
                findings.faults.push(format!(
                    "{}:{}: a test sleeps; wait for a condition instead",
                    source.path,
                    index + 1
                ));
            }
        }
    }
}

/// Whether a line calls a function of this name. A field may have the same name.
fn has_call(line: &str, name: &str) -> bool {
    line.match_indices(name).any(|(at, _)| {
        let before = line[..at].chars().next_back();
        let is_whole = before.is_none_or(|it| !it.is_alphanumeric() && it != '_');
        is_whole && line[at + name.len()..].trim_start().starts_with('(')
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_calls_in_tests_count() {
        let text = "fn a() { sleep(1) }\n#[cfg(test)]\nmod tests {\n    run(\"sleep 9\"); // sleep\n    \
                    tokio::time::sleep(x).await;\n    pane.sleep = None;\n}\n";
        let mut findings = Findings::default();
        check(
            &[Source {
                path: "a.rs".into(),
                text: text.into(),
            }],
            &mut findings,
        );
        assert_eq!(
            findings.faults,
            ["a.rs:5: a test sleeps; wait for a condition instead"]
        );
    }
}
