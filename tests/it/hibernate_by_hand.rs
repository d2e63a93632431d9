//! What `hibernate` says of panes that cannot sleep now: it waits for a prompt that is about to come, and refuses what would wake at once.

use shellkeep_testkit::real::Rig;

use crate::hibernate::{
    begin, enter, hibernate, is_asleep, rig_with, rig_with_config, wait_for_command,
    wait_for_prompt, wait_for_text,
};
use crate::side_by_side;

/// A zsh that has just come back sleeps again.
fn zsh_is_waited_for() {
    let Some(rig) = rig_with("zsh") else {
        return;
    };
    let rc = "autoload -Uz compinit; compinit -u -d ~/.zcompdump; PS1='$ '\n";
    rig.write("home/.zshrc", rc);
    begin(&rig, "work");
    for _ in 0..10 {
        rig.ok(&["hibernate", "-t", "work"]);
        rig.ok(&["restore", "-t", "work"]);
    }
}

/// The shell's own work between a command and its prompt is waited for.
fn bash_is_waited_for() {
    let Some(rig) = rig_with("bash") else {
        return;
    };
    let work = "PROMPT_COMMAND='echo at work $((++round)); for i in {1..100000}; do :; done'";
    rig.write("home/.profile", &format!("PS1='$ '; {work}\n"));
    begin(&rig, "work");
    enter(&rig, "work", "true");
    wait_for_text(&rig, "work", "at work 2");
    rig.ok(&["hibernate", "-t", "work"]);
    assert!(is_asleep(&rig, "work"));
}

#[test]
fn prompt_that_is_about_to_come_is_waited_for() {
    let rows = [
        ("zsh", zsh_is_waited_for as fn()),
        ("bash", bash_is_waited_for),
    ];
    side_by_side(&rows, |_, check| check());
}

/// One that sleeps is told as such, whatever is asked.
fn assert_sleeps_already(rig: &Rig, name: &str) {
    for flags in [&[][..], &["--dry-run"], &["--dry-run", "--force"]] {
        let args = [&["hibernate", "-t", name], flags].concat();
        let refused = rig.run(&args).fails();
        let already = "stays as it is: sleeps already";
        assert!(refused.contains(already), "{flags:?}: {refused}");
    }
    let json = rig.ok(&["hibernate", "--dry-run", "--json", "-t", name]);
    assert!(json.contains("\"text\": \"sleeps already\""), "{json}");
}

#[test]
fn pane_that_sleeps_or_that_somebody_looks_at_is_refused() {
    let Some(rig) = rig_with("bash") else {
        return;
    };
    begin(&rig, "work");
    begin(&rig, "other");
    let terminal = rig.attach(&["attach", "-t", "work"], (24, 80));
    terminal.wait_for_text("$");
    let in_sight = "work:0.0: stays as it is: somebody looks at it, and it would wake at once";
    let refused = rig.run(&["hibernate", "-t", "work"]).fails();
    assert!(refused.contains(in_sight), "{refused}");
    let dry = rig.run(&["hibernate", "--dry-run", "-t", "work"]).fails();
    assert!(dry.contains(in_sight), "{dry}");
    enter(&rig, "work", "sleep 1000");
    wait_for_text(&rig, "work", "sleep 1000\n");
    let told = rig.ok(&["hibernate", "-a", "--force"]);
    assert!(told.contains(in_sight), "{told}");
    assert!(told.contains("other:0.0: asleep"), "{told}");
    assert!(is_asleep(&rig, "other") && !is_asleep(&rig, "work"));
    assert_sleeps_already(&rig, "other");
    rig.ok(&["send-keys", "-t", "work", "C-c"]);
    // Then nothing but a key would wake it.
    rig.ok(&["set", "-g", "revive-on", "key"]);
    rig.ok(&["send-keys", "-t", "work", "C-l"]);
    wait_for_prompt(&rig, "work");
    hibernate(&rig, "work");
    assert!(is_asleep(&rig, "work"));
    assert_sleeps_already(&rig, "work");
}

/// A program is ended, and that is said.
fn force_ends_a_program(rig: &Rig) {
    begin(rig, "work");
    enter(rig, "work", "cd proj; sleep 1000");
    let program = rig.wait_for("the program", || rig.processes_with("1000").pop());
    wait_for_command(rig, "work", "sleep");
    let dry = rig.ok(&["hibernate", "--dry-run", "--force", "-t", "work"]);
    assert_eq!(dry, "work:0.0: would sleep, and end sleep 1000\n");
    let said = rig.ok(&["hibernate", "--force", "-t", "work"]);
    assert!(said.contains("ended: sleep 1000"), "{said}");
    program.wait_gone();
    assert!(is_asleep(rig, "work"));
    rig.ok(&["restore", "-t", "work"]);
    let ended = "sleep 1000 ended when the pane was put to sleep";
    wait_for_text(rig, "work", ended);
    // What was typed stands there again, and is the user's to send.
    wait_for_text(rig, "work", "\n$ cd proj; sleep 1000");
    rig.ok(&["send-keys", "-t", "work", "C-u"]);
    enter(rig, "work", "pwd");
    wait_for_text(rig, "work", "/home/proj\n");
}

/// A shell that tells nothing comes back where it was.
fn force_ends_a_shell_that_tells_nothing(rig: &Rig) {
    begin(rig, "work");
    enter(rig, "work", "cd proj; umask 027; echo th''ere");
    wait_for_text(rig, "work", "\nthere\n$");
    let refused = rig.run(&["hibernate", "-t", "work"]).fails();
    assert!(refused.contains("does not tell where"), "{refused}");
    let dry = rig.ok(&["hibernate", "--force", "--dry-run", "-t", "work"]);
    assert!(dry.contains("would sleep, and end its shell"), "{dry}");
    rig.ok(&["hibernate", "--force", "-t", "work"]);
    assert!(is_asleep(rig, "work"));
    let told = rig.ok(&["restore", "-t", "work"]);
    let said = "a new shell; the one before ended when the pane was put to sleep";
    assert!(told.contains(said), "{told}");
    enter(rig, "work", "pwd; umask");
    wait_for_text(rig, "work", "/home/proj\n0027\n");
    wait_for_text(rig, "work", "\nthere\n");
}

#[test]
fn force_ends_a_program_or_a_shell_that_tells_nothing_and_says_so() {
    let off = "set -g shell-integration off\n";
    let rows = [
        ("program", ("bash", "")),
        ("bash", ("bash", off)),
        ("sh", ("sh", off)),
    ];
    side_by_side(&rows, |which, (shell, config)| {
        let Some(rig) = rig_with_config(shell, config) else {
            return;
        };
        match which {
            "program" => force_ends_a_program(&rig),
            _ => force_ends_a_shell_that_tells_nothing(&rig),
        }
    });
}
