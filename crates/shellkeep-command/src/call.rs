//! The command line prefix that reaches a server from a shell, for messages that suggest a command.

/// The label of the default server.
pub const LABEL: &str = "default";

/// The program, and the flag with which it reaches the server at `socket`, as short as possible. `around` is the socket
/// of the server in whose pane the command will be typed, and `dir` is the directory of the sockets of labels.
#[must_use]
pub fn program(socket: &str, around: Option<&str>, dir: &str) -> String {
    let label = socket.strip_prefix(dir);
    let label = label.and_then(|rest| rest.strip_prefix('/'));
    let label = label.filter(|label| !label.is_empty() && !label.contains('/'));
    match (around, label) {
        (Some(around), _) if around == socket => "shellkeep".to_owned(),
        (None, Some(LABEL)) => "shellkeep".to_owned(),
        (_, Some(label)) => format!("shellkeep -L {}", word(label)),
        (_, None) => format!("shellkeep -S {}", word(socket)),
    }
}

/// Quotes a word for any shell.
#[must_use]
pub fn word(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "/._-+@".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn server_is_named_only_where_it_would_not_be_meant_anyway() {
        for (socket, around, expected) in [
            ("/run/sk/default", None, "shellkeep"),
            ("/run/sk/work", None, "shellkeep -L work"),
            ("/run/sk/my work", None, "shellkeep -L 'my work'"),
            ("/tmp/default", None, "shellkeep -S /tmp/default"),
            ("/run/sk/a/b", None, "shellkeep -S /run/sk/a/b"),
            ("/run/skx", None, "shellkeep -S /run/skx"),
            ("/run/sk/work", Some("/run/sk/work"), "shellkeep"),
            ("/tmp/it", Some("/tmp/it"), "shellkeep"),
            (
                "/run/sk/default",
                Some("/run/sk/work"),
                "shellkeep -L default",
            ),
        ] {
            assert_eq!(program(socket, around, "/run/sk"), expected, "{socket}");
        }
    }

    #[test]
    fn words_are_quoted_only_where_a_shell_would_change_them() {
        assert_eq!(word("/home/ann/.x"), "/home/ann/.x");
        assert_eq!(word("/a b'c"), r"'/a b'\''c'");
        assert_eq!(word(""), "''");
    }
}
