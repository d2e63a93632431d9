//! The dialect of zsh.

use super::{Builtins, Day, Dialect, Kept, RunAgain, Status, Told};
use crate::zsh::{ACTIVATE, DAY, RC, dump, program};

pub(super) const SHELL: Dialect = Dialect {
    programs: || vec![program()],
    all_programs: || vec![program()],
    rc_file: ".zshrc",
    prompt: "PS1='$ '",
    ignore_blank: "setopt hist_ignore_space",
    told: Told {
        steps: &[(
            &[
                "mkdir 'a;b %é\u{1F980}' && cd a*",
                "(exit 7)",
                "",
                " secret",
            ],
            (3, Some(127)),
        )],
        odd: "echo 'two;  words'",
        exits: &[
            None,
            Some(0),
            Some(7),
            None,
            Some(127),
            Some(0),
            Some(0),
            Some(0),
        ],
        marks_more_ends: false,
        prints_lines: false,
    },
    key_modes: ["bindkey -e", "bindkey -v"],
    status: Status {
        fail: "echo last | (exit 3)",
        ask: ("echo \"=$?=$pipestatus=\"", "pipestatus=\""),
        // The first command of the pipe may be killed by SIGPIPE.
        answers: &["=3=0 3=", "=3=141 3="],
    },
    day: Day {
        files: &[
            (".zshrc", RC),
            (".zprofile", "export FROM_PROFILE=1"),
            ("activate", ACTIVATE),
            (
                ".zsh_history",
                ": 1600000000:0;old one\n: 1600000001:0;old two\\\nlines\n",
            ),
        ],
        lines: DAY,
        dump,
        dumped: &["old one", "my-widget"],
        outside: &[
            ("NEW_IN_THE_ENVIRONMENT", "1"),
            ("exported", "from outside"),
        ],
        before_sleep: &["(exit 3)", ""],
        shown: None,
        deactivate: Some((
            &["deactivate", "print -r -- \"<${VIRTUAL_ENV-none}>\""],
            "<none>",
        )),
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
            "cd", "print", "trap", "echo", "typeset", "local", "read", "zle", "bindkey", "alias",
            "return", "fc", "unset", "setopt",
        ],
        define: "NAME() { builtin echo \"bad NAME\" >>~/bad };",
        list: "builtin print -rl -- ${(k)functions} >~/names",
        before_name: "",
        are_all: false,
    },
    clocks: &[
        ("SECONDS=100000", false),
        ("typeset -F SECONDS; SECONDS=100000", true),
    ],
    session_variables: "
export SSH_AUTH_SOCK=/mine TERM=vt100 TMUX_PLUGIN_MANAGER_PATH=/plugins SSH_TTY=$SSH_TTY
SSH_INNER='a b'
unset DISPLAY
",
    keep_before: "kept=before; greet() { echo hi; }",
    colours_what_is_typed: false,
};

const OPTIONS: &[&str] = &[
    "ksh_arrays",
    "sh_word_split",
    "err_exit",
    "no_unset",
    "no_glob",
    "no_clobber",
    "posix_builtins",
    "all_export",
    "csh_null_glob",
    "glob_subst",
    "rc_expand_param",
    "no_short_loops",
    "ignore_braces",
    "no_function_argzero",
];

fn options() -> Vec<Kept> {
    let kept = OPTIONS.iter().map(|option| Kept {
        setup: format!("list=(a 'b c'); setopt {option}"),
        question: format!(
            "print -r -- is \"${{list[@]}}\"; [[ -o {option} ]] && print -r -- is\"-\"on"
        ),
        answers: vec!["\nis a b c\n".to_owned(), "\nis-on\n".to_owned()],
    });
    kept.collect()
}
