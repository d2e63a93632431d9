//! No test sleeps: it waits for a condition, or it is slow on a good day and fails on a bad one.

use super::source::{bare_code, words};
use super::{Findings, Source};

pub(super) fn check(sources: &[Source], findings: &mut Findings) {
    for source in sources {
        let (_, tests) = source.split_tests();
        for (index, line) in bare_code(&tests.join("\n")).lines().enumerate() {
            if words(line).any(|word| matches!(word, "sleep" | "sleep_until" | "sleep_ms")) {
                findings.faults.push(format!(
                    "{}:{}: a test sleeps; wait for a condition instead",
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
    fn only_calls_in_tests_count() {
        let text = "fn a() { sleep(1) }\n#[cfg(test)]\nmod tests {\n    run(\"sleep 9\"); // sleep\n    \
                    tokio::time::sleep(x).await;\n}\n";
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
