//! What looks idle and is not: each is refused with its reason, in every shell that has it, and is none the worse for it.

use shellkeep_testkit::real::Rig;

use crate::hibernate::{
    ask, assert_stays, begin, enter, hibernate, picture, rig_with, wait_for_picture,
    wait_for_prompt, wait_for_text,
};

#[test]
fn zsh_that_has_read_compiled_functions_sleeps() {
    let Some(rig) = rig_with("zsh") else {
        return;
    };
    rig.write("home/fns/compiled", "echo it is compiled\n");
    begin(&rig, "work");
    enter(&rig, "work", "zcompile -M -U ~/fns.zwc ~/fns/compiled");
    enter(
        &rig,
        "work",
        "fpath=(~/fns $fpath); autoload -Uz compiled; compiled",
    );
    wait_for_text(&rig, "work", "\nit is compiled\n$");
    hibernate(&rig, "work");
    enter(&rig, "work", "compiled; echo twice");
    wait_for_text(&rig, "work", "\nit is compiled\ntwice\n");
}

const ALL: &[&str] = &["bash", "zsh", "fish"];
const POSIX: &[&str] = &["bash", "zsh"];

/// Something that goes on in a pane.
struct Busy {
    name: &'static str,
    shells: &'static [&'static str],
    line: &'static str,
    sign: Sign,
    reason: &'static str,
}

/// How it is known that it goes on.
enum Sign {
    /// This is shown.
    Shown(&'static str),
    /// A `sleep` of this length runs.
    Sleeps(&'static str),
    /// So does this one, and the prompt is back.
    Behind(&'static str),
    /// The prompt is back.
    Prompt,
}

const BUSY: &[Busy] = &[
    Busy {
        name: "program",
        shells: &["fish"],
        line: "sleep 1100",
        sign: Sign::Sleeps("1100"),
        reason: "runs: sleep 1100",
    },
    Busy {
        name: "background",
        shells: &["fish"],
        line: "sleep 1101 &",
        sign: Sign::Behind("1101"),
        reason: "a background job: sleep 1101",
    },
    Busy {
        name: "disowned",
        shells: ALL,
        line: "sleep 1102 & disown",
        sign: Sign::Behind("1102"),
        reason: "a background job: sleep 1102",
    },
    Busy {
        name: "read",
        shells: &["fish"],
        line: "echo be''gun; read x",
        sign: Sign::Shown("\nbegun"),
        reason: "its shell runs a command",
    },
    Busy {
        // A line editor as at a prompt, and yet it is none.
        name: "edited-read",
        shells: &["bash"],
        line: "echo be''gun; read -e -p 'name: ' x",
        sign: Sign::Shown("\nname:"),
        reason: "its shell runs a command",
    },
    Busy {
        name: "vared",
        shells: &["zsh"],
        line: "x=; echo be''gun; vared -p 'name: ' x",
        sign: Sign::Shown("\nname:"),
        reason: "its shell runs a command",
    },
    Busy {
        name: "secret-read",
        shells: ALL,
        line: "echo be''gun; read -s x",
        sign: Sign::Shown("\nbegun"),
        reason: "its shell runs a command",
    },
    Busy {
        name: "loop",
        shells: POSIX,
        line: "for i in 1 2; do",
        sign: Sign::Shown("do\n>"),
        reason: "a half-typed command of several lines",
    },
    Busy {
        name: "backslash",
        shells: POSIX,
        line: "echo one \\",
        sign: Sign::Shown("one \\\n>"),
        reason: "a half-typed command of several lines",
    },
    Busy {
        name: "heredoc-begun",
        shells: POSIX,
        line: "cat <<EOF >saved\nfirst line",
        sign: Sign::Shown("first line\n>"),
        reason: "a half-typed command of several lines",
    },
    Busy {
        name: "nested",
        shells: &["fish"],
        line: "bash --norc",
        sign: Sign::Shown("bash-5"),
        reason: "runs: bash --norc",
    },
    Busy {
        name: "nested-same",
        shells: &["bash"],
        line: "PS1='nes''ted ' bash --norc -i",
        sign: Sign::Shown("\nnested"),
        reason: "runs: bash --norc -i",
    },
    Busy {
        name: "exec",
        shells: &["fish"],
        line: "exec sleep 1103",
        sign: Sign::Sleeps("1103"),
        reason: "runs: sleep 1103",
    },
    Busy {
        name: "orphan",
        shells: ALL,
        line: "sh -c 'sh -c \"sleep 1104 &\" &'",
        sign: Sign::Behind("1104"),
        reason: "a process left behind: sleep 1104",
    },
    Busy {
        name: "raw",
        shells: ALL,
        line: "sh -c 'stty raw -echo; exec sleep 1105'",
        sign: Sign::Sleeps("1105"),
        reason: "runs: sleep 1105",
    },
    Busy {
        name: "pipeline",
        shells: ALL,
        line: "sleep 1106 | cat",
        sign: Sign::Sleeps("1106"),
        reason: "runs: sleep 1106",
    },
    Busy {
        name: "coprocess",
        shells: &["bash"],
        line: "coproc worker { sleep 1107; }",
        sign: Sign::Behind("1107"),
        reason: "a background job: ",
    },
    Busy {
        name: "coproc",
        shells: &["zsh"],
        line: "coproc sleep 1108",
        sign: Sign::Behind("1108"),
        reason: "a background job: sleep 1108",
    },
    Busy {
        name: "open-file",
        shells: POSIX,
        line: "exec 7>kept",
        sign: Sign::Prompt,
        reason: "its shell has open files",
    },
    Busy {
        name: "substitution",
        shells: &["bash"],
        line: "exec 7> >(sleep 1109)",
        sign: Sign::Behind("1109"),
        reason: "sleep 1109",
    },
    Busy {
        name: "wait",
        shells: POSIX,
        line: "sleep 1110 & wait",
        sign: Sign::Sleeps("1110"),
        reason: "a background job: sleep 1110",
    },
];

fn wait_for_sleep(rig: &Rig, word: &str) {
    rig.wait_until(word, || {
        let found = rig.processes_with(word);
        found.iter().any(|one| one.argv()[0].ends_with("sleep"))
    });
}

fn wait_for(rig: &Rig, busy: &Busy) {
    match busy.sign {
        Sign::Shown(text) => wait_for_text(rig, busy.name, text),
        // Not the one that the line was typed at.
        Sign::Prompt => wait_for_text(rig, busy.name, &format!("{}\n$", busy.line)),
        Sign::Sleeps(word) => wait_for_sleep(rig, word),
        Sign::Behind(word) => {
            wait_for_sleep(rig, word);
            wait_for_prompt(rig, busy.name);
        }
    }
    // A program runs before the shell gives it the terminal.
    if busy.reason.starts_with("runs: sleep") {
        rig.wait_until("it in front", || {
            ask(rig, busy.name, "#{pane_current_command}") == "sleep"
        });
    }
}

fn all_are_refused(shell: &str) {
    let Some(rig) = rig_with(shell) else {
        return;
    };
    let config = rig.read("config/shellkeep/shellkeep.conf") + "set -s max-active 0\n";
    // There are more of them than run at a time: the last one would be put to sleep as soon as it can be.
    rig.write("config/shellkeep/shellkeep.conf", &config);
    for busy in BUSY.iter().filter(|busy| busy.shells.contains(&shell)) {
        begin(&rig, busy.name);
        for line in busy.line.split('\n') {
            enter(&rig, busy.name, line);
        }
        wait_for(&rig, busy);
        assert_stays(&rig, busy.name, busy.reason);
    }
}

#[test]
fn bash_that_only_looks_idle_is_refused() {
    all_are_refused("bash");
}

#[test]
fn zsh_that_only_looks_idle_is_refused() {
    all_are_refused("zsh");
}

#[test]
fn fish_that_only_looks_idle_is_refused() {
    all_are_refused("fish");
}

#[test]
fn stopped_job_of_fish_is_refused() {
    let Some(rig) = rig_with("fish") else {
        return;
    };
    begin(&rig, "work");
    enter(&rig, "work", "sleep 1200");
    rig.wait_until("sleep", || {
        ask(&rig, "work", "#{pane_current_command}") == "sleep"
    });
    rig.ok(&["send-keys", "-t", "work", "C-z"]);
    wait_for_prompt(&rig, "work");
    assert_stays(&rig, "work", "a stopped job: sleep 1200");
}

#[test]
fn lines_half_typed_in_fish_sleep_and_return_as_one_command() {
    // There is no continuation prompt in fish: all its lines are in the editor.
    let Some(rig) = rig_with("fish") else {
        return;
    };
    begin(&rig, "work");
    enter(&rig, "work", "for i in one two");
    rig.ok(&["send-keys", "-t", "work", "-l", "echo \"it is $i\""]);
    wait_for_text(&rig, "work", "echo \"it is $i\"");
    let before = picture(&rig, "work");
    hibernate(&rig, "work");
    rig.ok(&["restore", "-t", "work"]);
    wait_for_picture(&rig, "work", &before);
    rig.ok(&["send-keys", "-t", "work", "Enter"]);
    enter(&rig, "work", "end");
    wait_for_text(&rig, "work", "\nit is one\nit is two\n");
}
