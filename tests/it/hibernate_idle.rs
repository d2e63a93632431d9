//! What looks idle and is not: each is refused with its reason, in every shell that has it, and is none the worse for it.

use shellkeep_testkit::real::Rig;

use crate::hibernate::{
    SHELLS, assert_stays, begin, enter, hibernate, picture, sleep_and_wake, wait_for_command,
    wait_for_picture, wait_for_prompt, wait_for_text, with_each_configured_shell, with_each_shell,
};

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
        shells: ALL,
        line: "sleep 1100",
        sign: Sign::Sleeps("1100"),
        reason: "runs: sleep 1100",
    },
    Busy {
        name: "background",
        shells: ALL,
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
        shells: ALL,
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
        name: "quote",
        shells: POSIX,
        line: "echo 'open",
        sign: Sign::Shown("echo 'open\n"),
        reason: "a half-typed command of several lines",
    },
    Busy {
        name: "heredoc",
        shells: POSIX,
        line: "cat <<EOF",
        sign: Sign::Shown("cat <<EOF\n"),
        reason: "a half-typed command of several lines",
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
        shells: POSIX,
        line: "PS1='nes''ted ' bash --norc",
        sign: Sign::Shown("\nnested"),
        reason: "runs: bash --norc",
    },
    Busy {
        name: "nested-other",
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
        shells: ALL,
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
        name: "subshell",
        shells: POSIX,
        line: "( sleep 1111 & )",
        sign: Sign::Behind("1111"),
        reason: "a process left behind: sleep 1111",
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
        shells: POSIX,
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
        wait_for_command(rig, busy.name, "sleep");
    }
}

/// Opens sessions at once: their shells start side by side.
fn begin_all(rig: &Rig, names: &[&str]) {
    let open = |name: &&str| format!("new -d -s {name} -x 80 -y 24 ;");
    let line: String = names.iter().map(open).collect::<Vec<_>>().join(" ");
    rig.ok(&line.split(' ').collect::<Vec<_>>());
    names.iter().for_each(|name| wait_for_prompt(rig, name));
}

fn stopped_job_is_refused(rig: &Rig) {
    enter(rig, "stopped", "sleep 1200");
    wait_for_command(rig, "stopped", "sleep");
    rig.ok(&["send-keys", "-t", "stopped", "C-z"]);
    wait_for_prompt(rig, "stopped");
    assert_stays(rig, "stopped", "a stopped job: sleep 1200");
}

fn private_session_is_refused(rig: &Rig) {
    let size = ["-x", "80", "-y", "24"];
    rig.ok(&[&["new", "-d", "--private", "-s", "secret"][..], &size].concat());
    wait_for_prompt(rig, "secret");
    let reason = "is private, and nothing of it may be on disk";
    assert_stays(rig, "secret", reason);
}

#[test]
fn shell_that_only_looks_idle_is_refused_with_the_reason_and_untouched() {
    // There are more of them than run at a time: the last one would be put to sleep as soon as it can be.
    with_each_configured_shell(&SHELLS, "set -s max-active 0\n", |rig, shell| {
        let rows = BUSY.iter().filter(|busy| busy.shells.contains(&shell));
        let names = rows.clone().map(|busy| busy.name).chain(["stopped"]);
        begin_all(rig, &names.collect::<Vec<_>>());
        for busy in rows {
            for line in busy.line.split('\n') {
                enter(rig, busy.name, line);
            }
            wait_for(rig, busy);
            assert_stays(rig, busy.name, busy.reason);
        }
        stopped_job_is_refused(rig);
        if shell == "bash" {
            private_session_is_refused(rig);
        }
    });
}

/// A zsh that has read compiled functions holds files open, and sleeps.
fn compiled_functions_come_back(rig: &Rig) {
    rig.write("home/fns/compiled", "echo it is compiled\n");
    begin(rig, "work");
    enter(rig, "work", "zcompile -M -U ~/fns.zwc ~/fns/compiled");
    enter(
        rig,
        "work",
        "fpath=(~/fns $fpath); autoload -Uz compiled; compiled",
    );
    wait_for_text(rig, "work", "\nit is compiled\n$");
    hibernate(rig, "work");
    enter(rig, "work", "compiled; echo twice");
    wait_for_text(rig, "work", "\nit is compiled\ntwice\n");
}

/// There is no continuation prompt in fish: all its lines are in the editor, and return as one command.
fn half_typed_lines_come_back(rig: &Rig) {
    begin(rig, "work");
    enter(rig, "work", "for i in one two");
    rig.ok(&["send-keys", "-t", "work", "-l", "echo \"it is $i\""]);
    wait_for_text(rig, "work", "echo \"it is $i\"");
    let before = picture(rig, "work");
    sleep_and_wake(rig, "work");
    wait_for_picture(rig, "work", &before);
    rig.ok(&["send-keys", "-t", "work", "Enter"]);
    enter(rig, "work", "end");
    wait_for_text(rig, "work", "\nit is one\nit is two\n");
}

#[test]
fn shell_that_only_looks_busy_sleeps_and_comes_back() {
    with_each_shell(&["zsh", "fish"], |rig, shell| match shell {
        "zsh" => compiled_functions_come_back(rig),
        _ => half_typed_lines_come_back(rig),
    });
}
