//! The dialect of fish.

use super::{Builtins, Day, Dialect, RunAgain, Status, Told};
use crate::fish::{DAY, RC, all, dump};

pub(super) const SHELL: Dialect = Dialect {
    programs: all,
    all_programs: all,
    rc_file: ".config/fish/config.fish",
    prompt: "function fish_prompt; echo -n '$ '; end; function fish_mode_prompt; end; function fish_greeting; end",
    // Fish always does.
    ignore_blank: "",
    told: Told {
        steps: &[(
            &["mkdir 'a;b %é\u{1F980}' && cd a*", "sh -c 'exit 7'"],
            (2, Some(7)),
        )],
        odd: "echo 'two;  words'",
        exits: &[Some(0), Some(7), Some(0), Some(0), Some(0)],
        marks_more_ends: true,
        prints_lines: false,
    },
    key_modes: ["fish_default_key_bindings", "fish_vi_key_bindings"],
    status: Status {
        fail: "sh -c 'exit 3'",
        ask: ("echo \"=$status=$pipestatus=\"", "pipestatus=\""),
        answers: &["\n=3=3="],
    },
    day: Day {
        files: &[(".config/fish/config.fish", RC)],
        lines: DAY,
        dump,
        dumped: &[],
        outside: &[("NEW_IN_THE_ENVIRONMENT", "1")],
        before_sleep: &["sh -c 'exit 3'"],
        shown: Some(("[3]", "hello there")),
        deactivate: None,
    },
    rc: RunAgain {
        file: "echo rc >>~/ran; set -g changed rc",
        typed: "set -g changed mine",
        ask: "echo \"<$changed>\"",
        answer: "\n<mine>",
    },
    options: Vec::new,
    builtins: Builtins {
        names: &[],
        define: "",
        list: "",
        before_name: "",
        are_all: false,
    },
    clocks: &[],
    session_variables: "
function fish_greeting; end
set -gx SSH_AUTH_SOCK /mine; set -gx TERM vt100; set -gx TMUX_PLUGIN_MANAGER_PATH /plugins
set -g SSH_INNER 'a b'
set -e DISPLAY
",
    keep_before: "set -g kept before; function greet; echo hi; end",
    colours_what_is_typed: true,
};
