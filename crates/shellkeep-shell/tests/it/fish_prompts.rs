//! Fish's prompts: how users and programs change them, and what is shown after hibernation.

use shellkeep_shell::{Kind, RunRc};

use crate::fish::{all, world};
use crate::pane::Pane;
use crate::world::World;

const RC: &str = r#"
function fish_greeting; end
function fish_prompt -d 'mine'
    echo -n "<$status>\$ "
end
"#;

/// Like the script that `python -m venv` makes.
const ACTIVATE: &str = r#"
function deactivate -d "Exit virtual environment and return to normal shell environment"
    if test -n "$_OLD_FISH_PROMPT_OVERRIDE"
        set -e _OLD_FISH_PROMPT_OVERRIDE
        if functions -q _old_fish_prompt
            functions -e fish_prompt
            functions -c _old_fish_prompt fish_prompt
            functions -e _old_fish_prompt
        end
    end
    set -e VIRTUAL_ENV
    if test "$argv[1]" != nondestructive
        functions -e deactivate
    end
end
deactivate nondestructive
set -gx VIRTUAL_ENV ~/v
functions -c fish_prompt _old_fish_prompt
function fish_prompt
    set -l old_status $status
    printf "%s%s%s" (set_color 4B8BBE) "(v) " (set_color normal)
    echo "exit $old_status" | .
    _old_fish_prompt
end
set -gx _OLD_FISH_PROMPT_OVERRIDE "$VIRTUAL_ENV"
"#;

fn begin(world: &World) -> Pane {
    world.file("activate.fish", ACTIVATE);
    world.start(Kind::Plain)
}

/// Checks the prompt that is shown, and that nothing else was shown.
#[track_caller]
fn assert_prompt(pane: &Pane, prompt: &str) {
    pane.run("clear");
    let text = pane.seen().text();
    assert_eq!(text, prompt.trim_end());
    // The marks are around the whole prompt.
    let raw = String::from_utf8_lossy(&pane.seen().raw).into_owned();
    let (_, last) = raw.rsplit_once("\x1b]133;A").unwrap();
    assert_eq!(last.matches("\x1b]133;B\x07").count(), 1, "{last:?}");
    assert!(last.contains(prompt.split(' ').next().unwrap()), "{last:?}");
}

#[test]
fn virtual_environment_puts_its_name_before_the_prompt_and_takes_it_away() {
    for program in all() {
        let world = world(&program, RC);
        let mut pane = begin(&world);
        for _ in 0..2 {
            pane.run("source ~/activate.fish");
            assert_prompt(&pane, "(v) <0>$ ");
            pane.run("clear; sh -c 'exit 3'");
            assert_eq!(pane.seen().text(), "(v) <3>$");
            pane.run("deactivate");
            assert_prompt(&pane, "<0>$ ");
            pane.run("source ~/activate.fish");
            pane = world.cycle(world.cycle(pane));
            assert_prompt(&pane, "(v) <0>$ ");
            pane.run("deactivate");
            assert_prompt(&pane, "<0>$ ");
            pane = world.cycle(pane);
            assert_prompt(&pane, "<0>$ ");
        }
    }
}

#[test]
fn virtual_environment_entered_by_a_handler_or_a_key_is_as_one_entered_by_a_command() {
    for program in all() {
        let world = world(&program, RC);
        let mut pane = begin(&world);
        // It runs after our handler, because it is defined later.
        pane.run("function enter --on-event fish_prompt; set -q VIRTUAL_ENV; or source ~/activate.fish; end");
        assert_prompt(&pane, "(v) <0>$ ");
        pane = world.cycle(pane);
        assert_prompt(&pane, "(v) <0>$ ");
        pane.run("functions -e enter; deactivate");
        assert_prompt(&pane, "<0>$ ");
        pane.run("bind \\cg 'source ~/activate.fish; commandline -f repaint'");
        pane.send("\x07");
        pane.wait("the key", |seen| seen.text().contains("(v) <0>$"));
        pane = world.cycle(pane);
        assert_prompt(&pane, "(v) <0>$ ");
        pane.run("deactivate");
        assert_prompt(&pane, "<0>$ ");
    }
}

#[test]
fn prompt_of_a_theme_takes_the_place_of_the_other() {
    for program in all() {
        let world = world(&program, RC);
        let mut pane = begin(&world);
        pane.run("function fish_prompt; echo -n 'one> '; end");
        assert_prompt(&pane, "one> ");
        pane = world.cycle(pane);
        assert_prompt(&pane, "one> ");
        pane.run("function fish_prompt; echo -n 'two> '; end");
        pane = world.cycle(pane);
        assert_prompt(&pane, "two> ");
    }
}

#[test]
fn prompt_that_is_thrown_away_stays_away() {
    for program in all() {
        let world = world(&program, RC);
        let mut pane = begin(&world);
        pane.run("functions -e fish_prompt");
        let shown = format!("{} {} >", who(&pane), world.home().display());
        assert_prompt(&pane, &shown);
        pane = world.cycle(world.cycle(pane));
        assert_prompt(&pane, &shown);
        pane.run("clear; functions -q fish_prompt; or echo none");
        assert!(pane.seen().text().starts_with("none\n"));
    }
}

fn who(pane: &Pane) -> String {
    pane.run("clear; echo \"<<$USER@$hostname>>\"");
    let text = pane.seen().text();
    let (_, text) = text.split_once("<<").unwrap();
    text.split_once(">>").unwrap().0.to_owned()
}

#[test]
fn commands_find_the_users_own_prompt() {
    for program in all() {
        let world = world(&program, RC);
        let pane = begin(&world);
        let mut pane = world.cycle(pane);
        for _ in 0..2 {
            pane.run("funcsave -q fish_prompt; functions fish_prompt fish_mode_prompt >~/shown");
            let saved = world.read(".config/fish/functions/fish_prompt.fish");
            for text in [saved, world.read("shown")] {
                assert!(
                    text.contains("function fish_prompt --description mine"),
                    "{text}"
                );
                assert!(text.contains("echo -n \"<$status>\\$ \""), "{text}");
                assert!(!text.contains("__shellkeep"), "{text}");
            }
            pane = world.cycle(pane);
        }
    }
}

#[test]
fn mode_is_shown_after_a_sleep_and_a_change_of_the_size() {
    for program in all() {
        let world = world(
            &program,
            &format!("{RC}\nset -g fish_key_bindings fish_vi_key_bindings"),
        );
        let mut pane = begin(&world);
        assert_prompt(&pane, "[I] <0>$ ");
        pane.type_text("echo ins", "[I] <0>$ echo ins");
        let before = pane.seen().cursor_row();
        pane = world.cycle(world.cycle(pane));
        pane.wait("the line", |seen| seen.cursor_row() == before);
        pane.resize(20, 90);
        pane.type_text("x", "[I] <0>$ echo insx");
        pane.send("\x15");
        pane.wait("no line", |seen| {
            seen.cursor_row().0.trim_end().ends_with('$')
        });
        pane.run("functions -e fish_mode_prompt");
        pane = world.cycle(pane);
        assert_prompt(&pane, "<0>$ ");
    }
}

#[test]
fn prompt_that_shows_the_mode_itself_changes_with_it() {
    for program in all() {
        let rc = "function fish_greeting; end; function fish_mode_prompt; end; function fish_prompt; echo -n \"{$fish_bind_mode}\\$ \"; end";
        let world = world(
            &program,
            &format!("{rc}\nset -g fish_key_bindings fish_vi_key_bindings"),
        );
        let mut pane = begin(&world);
        for _ in 0..2 {
            assert_prompt(&pane, "{insert}$ ");
            pane.send("\x1b");
            pane.wait("the mode", |seen| seen.text() == "{default}$");
            pane.send("i");
            pane.wait("the mode", |seen| seen.text() == "{insert}$");
            pane = world.cycle(pane);
        }
    }
}

#[test]
fn prompt_comes_from_the_files_when_they_run_again() {
    for program in all() {
        let world = world(&program, RC);
        let pane = begin(&world);
        pane.run("source ~/activate.fish");
        let captured = world.capture(&pane);
        drop(pane);
        let pane = world.revive(&captured.state, RunRc::On);
        assert_prompt(&pane, "(v) <0>$ ");
        pane.run("deactivate");
        assert_prompt(&pane, "<0>$ ");
    }
}
