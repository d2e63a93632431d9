//! The dialect of bash.

use super::{Builtins, Day, Dialect, Kept, RunAgain, Status, Told};
use crate::bash::{all, last};
use crate::bash_state::{ACTIVATE, DAY, RC, dump_of_the_day};

pub(super) const SHELL: Dialect = Dialect {
    programs: || vec![last()],
    all_programs: all,
    rc_file: ".bashrc",
    prompt: "PS1='$ '",
    ignore_blank: "HISTCONTROL=ignorespace",
    told: Told {
        steps: &[
            (&[], (0, None)),
            (
                &["mkdir 'a;b %é\u{1F980}' && cd a*", "(exit 7)"],
                (2, Some(7)),
            ),
            (&[""], (2, None)),
        ],
        odd: "echo 'two;  words' '#é\u{1F980}'  ",
        exits: &[None, Some(0), Some(7), None, Some(0), Some(0), Some(0)],
        marks_more_ends: false,
        prints_lines: false,
    },
    key_modes: ["set -o emacs", "set -o vi"],
    status: Status {
        fail: "echo last | (exit 3)",
        ask: ("echo =$?=${PIPESTATUS[*]}=", "PIPESTATUS[*]}="),
        // The first command of the pipe may be killed by SIGPIPE.
        answers: &["=3=0 3=", "=3=141 3="],
    },
    day: Day {
        files: &[
            (".bashrc", RC),
            (".bash_profile", "export FROM_PROFILE=1; . ~/.bashrc"),
            ("activate", ACTIVATE),
            (
                ".bash_history",
                "#1600000000\nold one\n#1600000001\nold two\nlines of it\n#1600000002\nold three\n",
            ),
        ],
        lines: DAY,
        dump: dump_of_the_day,
        dumped: &["old one", "declare -n ref"],
        outside: &[
            ("NEW_IN_THE_ENVIRONMENT", "1"),
            ("exported", "from outside"),
        ],
        before_sleep: &["(exit 3)", ""],
        shown: None,
        deactivate: Some((&["deactivate", "echo \"<${VIRTUAL_ENV-none}>\""], "<none>")),
    },
    rc: RunAgain {
        file: "echo rc >>~/ran; fresh=1; changed=rc",
        typed: "changed=mine; mine=1; unset fresh",
        ask: "echo \"<$fresh $changed $mine>\"",
        answer: "<1 mine 1>",
    },
    options,
    builtins: Builtins {
        names: &[
            "cd", "command", "printf", "trap", "echo", "declare", "history", "unset", "set",
            "read", "bind", "test", "alias", "complete", "shopt", "umask", "ulimit", "dirs",
            "local", "return", "eval", "source",
        ],
        define: "NAME() { builtin echo \"bad NAME\" >>~/bad; };",
        list: "builtin declare -F >~/names",
        before_name: "declare -f ",
        are_all: true,
    },
    clocks: &[("SECONDS=100000", false)],
    session_variables: "
export SSH_AUTH_SOCK=/mine TERM=vt100 TMUX_PLUGIN_MANAGER_PATH=/plugins SSH_TTY=$SSH_TTY
SSH_INNER='a b'
unset DISPLAY
",
    keep_before: "kept=before; greet() { echo hi; }",
    colours_what_is_typed: false,
};

fn options() -> Vec<Kept> {
    let letters = ["e", "u", "f", "C", "a", "E", "T", "b"].map(|letter| {
        let question = format!("[[ $- == *{letter}* ]] && echo is\"-\"on");
        (format!("set -{letter}"), question)
    });
    let pipefail = (
        "set -o pipefail".to_owned(),
        "[[ -o pipefail ]] && echo is\"-\"on".to_owned(),
    );
    let options = letters.into_iter().chain([pipefail]);
    let kept = options.map(|(setup, question)| Kept {
        setup,
        question,
        answers: vec!["\nis-on".to_owned()],
    });
    kept.collect()
}
