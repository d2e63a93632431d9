use super::*;

fn words(text: &str) -> Vec<String> {
    text.split(' ').map(str::to_owned).collect()
}

#[test]
fn lines_that_are_nothing_but_a_shell_are_known() {
    for (line, program, is_login) in [
        ("bash", "bash", false),
        ("bash -l", "bash", true),
        ("  zsh   -l ", "zsh", true),
        ("zsh\t-i", "zsh", false),
        ("fish", "fish", false),
        ("fish --login", "fish", true),
        ("/bin/bash --login", "/bin/bash", true),
        ("/usr/local/bin/zsh -il", "/usr/local/bin/zsh", true),
        ("bash -i -l", "bash", true),
        ("exec bash -l", "bash", true),
        ("exec $SHELL", "/usr/bin/fish", false),
        ("$SHELL", "/usr/bin/fish", false),
        ("${SHELL}", "/usr/bin/fish", false),
        ("\"$SHELL\" -l", "/usr/bin/fish", true),
        ("exec \"${SHELL}\" -l", "/usr/bin/fish", true),
    ] {
        let expected = Asked {
            program: program.to_owned(),
            is_login,
        };
        let found = shell_of_line(line, "/usr/bin/fish");
        assert_eq!(found, Some(expected), "{line}");
    }
}

#[test]
fn lines_that_are_more_than_a_shell_or_another_are_left_alone() {
    for line in [
        "",
        " ",
        "exec",
        "exec exec bash",
        "exec -a x bash",
        "bash -c 'echo x'",
        "bash -c true",
        "bash script",
        "bash --rcfile x",
        "bash --norc",
        "bash --posix",
        "bash -",
        "bash --",
        "bash -s",
        "bash -lc",
        "bash +l",
        "bash; ls",
        "bash;",
        "bash\nls",
        "bash | tee log",
        "bash > log",
        "bash &",
        "A=1 bash",
        "env bash",
        "reattach-to-user-namespace -l zsh",
        "./bash",
        "bin/bash",
        "~/bin/bash",
        "$HOME/bin/zsh",
        "$SHELL-x",
        "'bash'x",
        "ba\\sh",
        "$(which zsh)",
        "sh",
        "sh -l",
        "dash",
        "vim",
        "-bash",
    ] {
        assert_eq!(shell_of_line(line, "/usr/bin/fish"), None, "{line}");
    }
    assert_eq!(shell_of_line("$SHELL", "/bin/sh"), None);
    assert_eq!(shell_of_line("$SHELL", "/my shells/bash"), None);
    let quoted = shell_of_line("\"$SHELL\"", "/my shells/bash");
    assert_eq!(
        quoted.map(|it| it.program).as_deref(),
        Some("/my shells/bash")
    );
}

#[test]
fn words_of_a_program_are_taken_as_they_are() {
    let is_login = |text: &str| shell_of_words(&words(text)).map(|it| it.is_login);
    assert_eq!(is_login("zsh -l"), Some(true));
    assert_eq!(is_login("/bin/bash -i"), Some(false));
    assert_eq!(is_login("exec bash"), None);
    assert_eq!(is_login("$SHELL -l"), None);
    assert_eq!(is_login("bash -c zsh"), None);
    assert_eq!(shell_of_words(&[]), None);
}
