//! A terminal that is hurried through sizes while a half-typed line stands at a shell's prompt: what was printed before is there
//! afterwards, in order and once, and so is the line.

use shellkeep_testkit::real::Rig;

use crate::faults::rounds;
use crate::programs_split::Dice;
use crate::{is_installed, rig};

const LINE: &str = "echo one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen";

/// All that the pane shows and has shown, with nothing of how it is broken into rows.
fn all(rig: &Rig) -> String {
    let text = rig.ok(&["capture-pane", "-p", "-t", "work", "-S", "-"]);
    text.split_whitespace().collect()
}

/// Storms around a shell in a terminal that has at least so many rows and columns.
fn check(shell: &str, (rows, cols): (u16, u16), seed: u64) {
    let rig = rig();
    rig.write(
        "config/shellkeep/shellkeep.conf",
        &format!("set -g status off\nset -g default-shell /usr/bin/{shell}\n"),
    );
    let rc = "PS1='user@host:~/path$ '\nHISTFILE=\n";
    rig.write("home/.bash_profile", rc);
    rig.write("home/.zshrc", rc);
    std::fs::create_dir_all(rig.path("home/data/fish/generated_completions")).unwrap();
    rig.write(
        "config/fish/config.fish",
        "set -g fish_greeting\nfunction fish_prompt; printf 'user@host:~/path$ '; end\n",
    );
    let terminal = rig.attach(&["new", "-s", "work"], (24, 80));
    terminal.wait_for_text("user@host:~/path$");
    terminal.enter("seq 1001 1030");
    terminal.wait_until("output", |screen| {
        screen.has("1030") && screen.text().trim_end().ends_with('$')
    });
    terminal.type_text(LINE);
    terminal.wait_for_text("sixteen");
    let before = all(&rig);
    let mut dice = Dice(seed);
    for round in 0..rounds(4) {
        let mut sizes = Vec::new();
        for _ in 0..dice.between(2, 20) {
            let size = match dice.between(0, 2) {
                0 => (dice.between(rows, 3), dice.between(cols, 5)),
                _ => (dice.between(rows, 50), dice.between(cols, 180)),
            };
            terminal.resize(size.0, size.1);
            sizes.push(size);
        }
        let last = (dice.between(10, 40), dice.between(30, 120));
        terminal.resize(last.0, last.1);
        let mut seen = String::new();
        let outcome = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            rig.wait_until("all of it, once", || {
                seen = all(&rig);
                seen == before
            });
        }));
        assert!(
            outcome.is_ok(),
            "{shell}, round {round}, {sizes:?}, {last:?}:\n{seen}\ninstead of\n{before}"
        );
    }
    terminal.keys("C-c");
}

#[test]
fn shell_hurried_through_sizes_keeps_its_line_and_all_above_it() {
    for (shell, least, seed) in [
        ("bash", (1, 1), 1),
        ("fish", (1, 2), 2),
        // In a terminal of a few cells zsh itself dies.
        ("zsh", (2, 4), 3),
    ] {
        if is_installed(shell) {
            check(shell, least, seed);
        }
    }
}
