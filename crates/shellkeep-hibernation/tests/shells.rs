//! Reads the quoting back with real shells. Shells that are not installed are skipped; bash is always there.

use std::process::Command;

use shellkeep_hibernation::Shell;

const WORDS: &[&str] = &[
    "",
    "plain",
    "a b",
    "it's",
    "it's!",
    "!!",
    "$HOME `id` $(id)",
    "\\",
    "a\\nb",
    "'\\''",
    "\"",
    "~",
    "=ls",
    "%1",
    "*",
    "?[a]{b,c}",
    "#no",
    "a\nb\n",
    "\t\u{1b}[2J\u{7f}",
    "\u{85}x",
    "äß日本👍",
    "-n",
    "^a",
    "<>|&;()",
    "A=1",
];

#[test]
fn quoted_words_are_read_back_by_the_shells() {
    for (name, shell) in [
        ("bash", Shell::Bash),
        ("zsh", Shell::Zsh),
        ("fish", Shell::Fish),
        ("dash", Shell::Posix),
    ] {
        let words: Vec<_> = WORDS.iter().map(|word| (*word).to_owned()).collect();
        // With an external printf, so that the words are passed as arguments.
        let line = format!(
            "/usr/bin/env printf '%s\\0' {}",
            shell.join(&with_front(&words))
        );
        let mut command = Command::new(name);
        command
            .env_clear()
            .env("PATH", "/usr/bin:/bin")
            .env("LC_ALL", "C.UTF-8")
            .env("HOME", "/");
        if name == "zsh" {
            command.arg("-f");
        }
        let output = match command.arg("-c").arg(&line).output() {
            Ok(output) => output,
            Err(_) if name != "bash" => continue,
            Err(error) => panic!("{name}: {error}"),
        };
        let text = String::from_utf8(output.stdout).unwrap();
        let read: Vec<_> = text.split_terminator('\0').skip(1).collect();
        assert_eq!(read, WORDS, "{name}: {line}");
    }
}

/// The first word of a line is quoted in another way; these are all arguments.
fn with_front(words: &[String]) -> Vec<String> {
    let mut all = vec!["front".to_owned()];
    all.extend_from_slice(words);
    all
}
