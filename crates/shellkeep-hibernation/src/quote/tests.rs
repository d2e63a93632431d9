use proptest::prelude::*;

use super::*;

const ALL: [Shell; 4] = [Shell::Bash, Shell::Zsh, Shell::Fish, Shell::Posix];

#[test]
fn words_that_need_nothing_stay_bare() {
    for word in [
        "ls",
        "-la",
        "--model=opus",
        "/a/b.c",
        "user@host:22",
        "1,2",
        "a+b",
    ] {
        for shell in ALL {
            assert_eq!(shell.quote(word), word);
        }
    }
}

#[test]
fn words_are_quoted_as_each_shell_reads_them() {
    for (word, bash, fish) in [
        ("", "''", "''"),
        ("a b", "'a b'", "'a b'"),
        ("it's", r"'it'\''s'", r"'it\'s'"),
        ("'", r"\'", r"'\''"),
        ("$HOME", "'$HOME'", "'$HOME'"),
        (r"a\b", r"'a\b'", r"'a\\b'"),
        ("a\nb", r"$'a\012b'", r"'a'\u000a'b'"),
        ("hi!", "'hi!'", "'hi!'"),
        ("it's!", r"$'it\047s\041'", r"'it\'s!'"),
        ("~", "'~'", "'~'"),
        ("=ls", "'=ls'", "'=ls'"),
        ("ä", "'ä'", "'ä'"),
    ] {
        assert_eq!(Shell::Bash.quote(word), bash, "{word:?}");
        assert_eq!(Shell::Zsh.quote(word), bash, "{word:?}");
        assert_eq!(Shell::Fish.quote(word), fish, "{word:?}");
    }
}

#[test]
fn first_word_is_never_an_assignment() {
    let words = ["A=1", "B=2"].map(str::to_owned);
    assert_eq!(Shell::Bash.join(&words), "'A=1' B=2");
}

#[test]
fn shells_are_known_by_their_names() {
    for (path, shell) in [
        ("/bin/bash", Shell::Bash),
        ("-zsh", Shell::Zsh),
        ("/usr/local/bin/fish", Shell::Fish),
        ("/bin/sh", Shell::Posix),
        ("", Shell::Posix),
    ] {
        assert_eq!(Shell::of(path), shell);
    }
}

/// Parses a line as a shell does, or returns the character at which it would do more than read words.
fn read(line: &str, shell: Shell) -> Result<Vec<String>, char> {
    let mut words: Vec<Vec<u8>> = Vec::new();
    let mut word: Option<Vec<u8>> = None;
    let mut chars = line.chars().peekable();
    let push = |word: &mut Option<Vec<u8>>, c: char| {
        let bytes = word.get_or_insert_with(Vec::new);
        bytes.extend(c.encode_utf8(&mut [0; 4]).bytes());
    };
    while let Some(c) = chars.next() {
        match c {
            ' ' => words.extend(word.take()),
            '\'' => {
                word.get_or_insert_with(Vec::new);
                loop {
                    match chars.next().ok_or('\'')? {
                        '\'' => break,
                        '\\' if shell == Shell::Fish
                            && matches!(chars.peek(), Some('\'' | '\\')) =>
                        {
                            push(&mut word, chars.next().unwrap());
                        }
                        c => push(&mut word, c),
                    }
                }
            }
            '\\' if shell == Shell::Fish && chars.peek() == Some(&'u') => {
                chars.next();
                let digits: String = chars.by_ref().take(4).collect();
                let number = u32::from_str_radix(&digits, 16).unwrap();
                push(&mut word, char::from_u32(number).unwrap());
            }
            '\\' => push(&mut word, chars.next().ok_or('\\')?),
            '$' if matches!(shell, Shell::Bash | Shell::Zsh) && chars.peek() == Some(&'\'') => {
                chars.next();
                let bytes = word.get_or_insert_with(Vec::new);
                loop {
                    match chars.next().ok_or('$')? {
                        '\'' => break,
                        '!' => return Err('!'),
                        '\\' => {
                            let digits: String = chars.by_ref().take(3).collect();
                            bytes.push(u8::from_str_radix(&digits, 8).unwrap());
                        }
                        c => bytes.extend(c.encode_utf8(&mut [0; 4]).bytes()),
                    }
                }
            }
            c if c.is_control() || "|&;<>()$`\"*?[]{}#~!^%".contains(c) => return Err(c),
            c => push(&mut word, c),
        }
    }
    words.extend(word);
    Ok(words
        .into_iter()
        .map(|bytes| String::from_utf8(bytes).unwrap())
        .collect())
}

fn any_word() -> impl Strategy<Value = String> {
    let odd = prop::sample::select(
        " '\"\\$`!~#*?[]{}()<>|&;=%^\n\t\u{1b}\u{7f}\u{85}äß日a0-"
            .chars()
            .collect::<Vec<_>>(),
    );
    let some =
        prop_oneof![3 => odd, 1 => any::<char>().prop_filter("no argument has it", |c| *c != '\0')];
    prop::collection::vec(some, 0..12).prop_map(|chars| chars.into_iter().collect())
}

proptest! {
    #[test]
    fn joined_words_are_read_back(words in prop::collection::vec(any_word(), 1..5)) {
        for shell in ALL {
            let line = shell.join(&words);
            if shell != Shell::Posix {
                prop_assert!(!line.contains(char::is_control), "{line:?}");
            }
            prop_assert_eq!(read(&line, shell), Ok(words.clone()), "{:?}: {}", shell, line);
        }
    }
}
