//! Cases about marks, requests and the complete state of a shell.

use std::path::Path;
use std::time::Duration;

use shellkeep_shell::{Kind, Phase, RunRc, Said};
use shellkeep_term::PromptMark;

use super::{Dialect, at_prompt};
use crate::pane::{Pane, pass};
use crate::world::{World, difference};

/// Makes the shell copy its `phase` file while it runs a line.
const COPY: &str = "cp $__shellkeep_dir/phase $__shellkeep_dir/copy";

/// A line with characters of one, two and four bytes, quotes, and something that no shell may expand.
const HALF: &str = "printf '%s\\n' \"it's é\u{1F980}\" \\$x";

pub(super) fn commands_are_reported_with_line_status_and_directory(shell: &Dialect) {
    for program in (shell.programs)() {
        let world = shell.world(&program, &shell.rc_with(shell.ignore_blank));
        let pane = world.start(Kind::Plain);
        for (lines, told) in shell.told.steps {
            for line in *lines {
                pane.run(line);
            }
            assert_eq!(pane.said(), at_prompt(*told), "after {lines:?}");
        }
        let odd = format!("{COPY}; {}", shell.told.odd);
        assert_eq!(pane.run_with_copy(&odd), Some(odd));
        let not_in_the_history = format!(" {COPY}; secret=1 true");
        assert_eq!(pane.run_with_copy(&not_in_the_history), None);
        assert_eq!(pane.run_with_copy(COPY).as_deref(), Some(COPY));
        let mut exits = crate::bash::exits(&pane);
        if shell.told.marks_more_ends {
            exits.retain(Option::is_some);
        }
        assert_eq!(exits, shell.told.exits);
        let cwd = world.home().join("a;b %é\u{1F980}");
        assert_eq!(pane.seen().cwd(), cwd.to_str());
        // Any program can print what looks like a mark, so a mark never contains a command line.
        let printed = String::from_utf8_lossy(&pane.seen().raw).into_owned();
        assert_eq!(printed.contains("cmdline"), shell.told.prints_lines);
    }
}

pub(super) fn question_at_a_continuation_stays_unanswered(shell: &Dialect) {
    for (world, pane) in shell.panes() {
        pane.send(format!("{COPY}; echo 'a\r"));
        pane.wait("a continuation", |seen| {
            seen.marks.ends_with(&[
                PromptMark::PromptStart { secondary: true },
                PromptMark::InputStart,
            ])
        });
        let request = world.ask_in_vain(&pane);
        pane.send("b'\r");
        pane.wait("its output", |seen| seen.text().contains("a\nb\n"));
        pane.prompt();
        assert!(request.state().is_none());
        request.withdraw();
        let copy = Said::read(&pane.dir.join("copy")).unwrap();
        let line = Some(format!("{COPY}; echo 'a\nb'"));
        assert_eq!(copy.phase, Phase::Runs { line });
    }
}

pub(super) fn question_while_a_command_runs_stays_unanswered(shell: &Dialect) {
    for (world, pane) in shell.panes() {
        let before = pane.seen().prompts();
        pane.send("echo go; read x; echo $x\r");
        pane.wait("the command", |seen| seen.text().contains("\ngo"));
        let request = world.ask_in_vain(&pane);
        pane.send("done\r");
        pane.wait("its end", |seen| {
            seen.prompts() > before && seen.is_at_prompt()
        });
        pass(Duration::from_millis(50));
        assert!(request.state().is_none());
        request.withdraw();
        world.capture(&pane);
    }
}

pub(super) fn program_in_place_of_the_shell_survives_the_question(shell: &Dialect) {
    for (world, pane) in shell.panes() {
        pane.send("exec cat\r");
        pane.wait("cat", |_| {
            pane.is_canonical()
                && std::fs::read_link(format!("/proc/{}/exe", pane.pid()))
                    .unwrap()
                    .ends_with("cat")
        });
        world.ask_in_vain(&pane).withdraw();
        pane.send("still here\r");
        pane.wait("an echo", |seen| {
            seen.text().matches("still here").count() == 2
        });
    }
}

pub(super) fn line_half_typed_returns_with_its_cursor(shell: &Dialect) {
    for program in (shell.programs)() {
        for mode in shell.key_modes {
            let world = shell.world(&program, &shell.rc_with(mode));
            let pane = world.start(Kind::Plain);
            pane.type_text(HALF, HALF);
            pane.send("\x1b[D\x1b[D\x1b[D");
            pane.wait("the cursor", |seen| {
                usize::from(seen.cursor_row().1) == 2 + HALF.chars().count() + 1 - 3
            });
            let before = pane.seen().cursor_row();
            let pane = world.cycle(pane);
            pane.wait("the line", |seen| seen.cursor_row() == before);
            let rows = pane.seen().rows();
            let prompts = rows.iter().filter(|row| row.starts_with('$'));
            assert_eq!(prompts.count(), 1, "one prompt: {rows:?}");
            pane.send("Z\r");
            pane.wait("its output", |seen| {
                seen.text().contains("it's é\u{1F980}\n")
            });
        }
    }
}

pub(super) fn capture_keeps_status_and_screen(shell: &Dialect) {
    for (world, pane) in shell.panes() {
        let (ask, end) = shell.status.ask;
        pane.run(shell.status.fail);
        pane.type_text(ask, end);
        let before = pane.seen().text();
        world.capture(&pane);
        pane.signal();
        pane.wait("the same screen", |seen| seen.text() == before);
        pane.send("\r");
        pane.wait("the output", |seen| {
            let answers = shell.status.answers.iter();
            answers.into_iter().any(|it| seen.text().contains(it))
        });
    }
}

pub(super) fn capture_keeps_the_last_word(shell: &Dialect) {
    for (world, pane) in shell.panes() {
        pane.run("echo last");
        world.capture(&pane);
        pane.run("echo \"<$_>\"");
        pane.wait("the last word", |seen| seen.text().contains("<last>"));
    }
}

pub(super) fn state_after_five_cycles_is_as_before(shell: &Dialect) {
    for program in (shell.all_programs)() {
        five_cycles(shell, &program, Kind::Plain);
    }
}

pub(super) fn state_of_a_login_shell_after_five_cycles_is_as_before(shell: &Dialect) {
    for program in (shell.all_programs)() {
        five_cycles(shell, &program, Kind::Login);
    }
}

fn five_cycles(shell: &Dialect, program: &Path, kind: Kind) {
    let day = &shell.day;
    let mut world = World::new(program);
    for (name, text) in day.files {
        world.file(name, text);
    }
    let mut pane = world.start(kind);
    for line in day.lines {
        pane.run(line);
    }
    let before = (day.dump)(&world, &pane);
    for text in day.dumped {
        assert!(before.contains(text), "no {text} in {before}");
    }
    // The environment outside changes meanwhile, and the shell must not.
    for (name, value) in day.outside {
        world.set(name, value);
    }
    for cycle in 1..=5 {
        for line in day.before_sleep {
            pane.run(line);
        }
        pane = world.cycle(pane);
        if let Some((shown, hidden)) = day.shown {
            let text = pane.seen().text();
            assert!(text.contains(shown) && !text.contains(hidden), "{text}");
        }
        let after = (day.dump)(&world, &pane);
        let difference = difference(&before, &after);
        assert_eq!(difference, "", "{program:?} {kind:?}, cycle {cycle}");
    }
    if let Some((lines, printed)) = day.deactivate {
        for line in lines {
            pane.run(line);
        }
        assert!(pane.seen().text().contains(printed));
    }
}

pub(super) fn revival_with_rc_files_lays_the_state_over_them(shell: &Dialect) {
    for program in (shell.programs)() {
        let world = shell.world(&program, &shell.rc_with(shell.rc.file));
        let pane = world.start(Kind::Plain);
        pane.run(shell.rc.typed);
        let captured = world.capture(&pane);
        assert!(captured.state.report().variables > 5);
        drop(pane);
        let pane = world.revive(&captured.state, RunRc::On);
        pane.run(shell.rc.ask);
        assert!(pane.seen().text().contains(shell.rc.answer));
        assert_eq!(world.read("ran"), "rc\nrc\n");
    }
}

pub(super) fn options_that_break_scripts_are_kept(shell: &Dialect) {
    for option in (shell.options)() {
        for (world, mut pane) in shell.panes() {
            pane.run(&option.setup);
            for _ in 0..2 {
                pane = cycle_with_the_same_screen(&world, pane);
            }
            pane.run(&option.question);
            for answer in &option.answers {
                pane.wait(answer, |seen| seen.text().contains(answer));
            }
        }
    }
}

/// Hibernates and wakes. The request must not change the screen.
fn cycle_with_the_same_screen(world: &World, pane: Pane) -> Pane {
    let before = pane.seen().text();
    let captured = world.capture(&pane);
    pane.wait("the same screen", |seen| seen.text() == before);
    drop(pane);
    world.revive(&captured.state, RunRc::Off)
}

pub(super) fn functions_in_place_of_builtins_are_kept_and_not_called(shell: &Dialect) {
    let builtins = &shell.builtins;
    let define = |name: &&str| builtins.define.replace("NAME", name);
    let setup: String = builtins.names.iter().map(define).collect();
    for (world, pane) in shell.panes() {
        pane.run(&setup);
        let pane = world.cycle(world.cycle(pane));
        assert_eq!(world.read("bad"), "");
        pane.run(builtins.list);
        let listed = world.read("names");
        let listed = listed.lines().filter(|line| !line.contains("shellkeep"));
        let listed: Vec<&str> = listed
            .filter_map(|line| line.strip_prefix(builtins.before_name))
            .collect();
        for name in builtins.names {
            assert!(listed.contains(name), "{name}");
        }
        if builtins.are_all {
            assert_eq!(listed.len(), builtins.names.len());
        }
    }
}

pub(super) fn seconds_are_counted_on(shell: &Dialect) {
    for program in (shell.all_programs)() {
        for (set, has_point) in shell.clocks {
            let world = shell.world(&program, &shell.rc_with(""));
            let pane = world.start(Kind::Plain);
            pane.run(set);
            let pane = world.cycle(world.cycle(pane));
            pane.run("clear; echo \"<$SECONDS>\"");
            let text = pane.seen().text();
            assert!(text.contains("<1000"), "{text}");
            assert_eq!(text.contains('.'), *has_point, "{text}");
        }
    }
}
