//! Zsh: unusual set-ups, and waking with the user's files run again.

use shellkeep_shell::{Kind, RunRc};

use crate::pane::Pane;
use crate::world::World;
use crate::zsh::program;

fn world(rc: &str) -> World {
    let world = World::new(&program());
    world.file(".zshrc", rc);
    world
}

/// Hibernates, and wakes with the user's files run before the state is restored.
fn cycle_with_rc(world: &World, pane: Pane) -> Pane {
    let captured = world.capture(&pane);
    drop(pane);
    world.revive(&captured.state, RunRc::On)
}

/// The output of a line.
fn printed(world: &World, pane: &Pane, line: &str) -> String {
    pane.run(&format!(" {{ {line} }} >|~/printed 2>&1"));
    world.read("printed")
}

#[test]
fn read_only_variables_of_rc_files_are_no_hindrance() {
    let rc = "PS1='$ '; setopt hist_ignore_space
        typeset -r RO=readonly; typeset -ra LIST=(a b); typeset -T TIED tied=(x y); typeset -r TIED tied
        readonly HISTFILE=~/.zsh_history HISTSIZE=500 SPROMPT='? ' cdpath";
    let world = world(rc);
    let mut pane = world.start(Kind::Plain);
    pane.run("mine=1 aaa=1 zzz=1; hash -d docs=/usr; alias mine=true; WORDCHARS=abc");
    pane.run("typeset -r by_hand=kept; typeset -r PS4='4 ' FCEDIT=ed");
    let question = "print -r - $mine $aaa $zzz $RO $LIST $TIED $HISTSIZE $by_hand $WORDCHARS ~docs; alias mine
        print -r - ${(t)RO} ${(t)LIST} ${(t)tied} ${(t)HISTFILE} ${(t)HISTSIZE} ${(t)SPROMPT} ${(t)by_hand} ${(t)PS4} ${(t)FCEDIT} ${(t)cdpath}";
    let before = printed(&world, &pane, question);
    assert!(
        before.contains("1 1 1 readonly a b x:y 500 kept abc /usr"),
        "{before}"
    );
    for run_rc in [RunRc::On, RunRc::Off, RunRc::On, RunRc::Off] {
        let captured = world.capture(&pane);
        drop(pane);
        pane = world.revive(&captured.state, run_rc);
        assert_eq!(printed(&world, &pane, question), before, "{run_rc:?}");
    }
}

#[test]
fn variables_that_rc_files_make_something_else_are_as_they_were() {
    let world = world("PS1='$ '; typeset -A text=(a b); typeset -i list=1; number=x");
    let pane = world.start(Kind::Plain);
    pane.run("unset text list number; text=mine; list=(1 2); typeset -i number=3");
    let question = "typeset -p text list number";
    let before = printed(&world, &pane, question);
    let pane = cycle_with_rc(&world, pane);
    assert_eq!(printed(&world, &pane, question), before);
}

#[test]
fn options_of_rc_files_are_no_hindrance() {
    for option in [
        "ksh_arrays",
        "err_exit",
        "no_unset",
        "posix_builtins",
        "ignore_braces",
        "no_glob",
    ] {
        let world = world(&format!(
            "PS1='$ '; list=(a 'b c'); typeset -r RO=1; setopt {option}"
        ));
        let pane = world.start(Kind::Plain);
        pane.run("list+=(d); shown() { print -r - \"${list[@]}\"; }");
        let pane = cycle_with_rc(&world, cycle_with_rc(&world, pane));
        pane.run("shown");
        let text = pane.seen().text();
        assert!(text.contains("\na b c d\n"), "{option}: {text}");
    }
}

#[test]
fn history_is_the_same_with_rc_files() {
    for options in [
        "",
        "setopt no_append_history",
        "setopt inc_append_history",
        "setopt share_history",
    ] {
        let world = world(&format!(
            "PS1='$ '; setopt hist_ignore_space extended_history; {options}
            HISTFILE=~/.zsh_history HISTSIZE=1000 SAVEHIST=1000"
        ));
        world.file(
            ".zsh_history",
            ": 1600000000:0;old one\n: 1600000001:0;old two\\\nlines\n",
        );
        let mut pane = world.start(Kind::Plain);
        pane.run("print mine").run("print mine");
        let question = "fc -li 1; print -r - $HISTFILE $HISTSIZE $SAVEHIST";
        let before = printed(&world, &pane, question);
        assert!(
            before.contains("old one") && before.contains("    4  "),
            "{before}"
        );
        for _ in 0..3 {
            pane = cycle_with_rc(&world, pane);
            assert_eq!(printed(&world, &pane, question), before, "{options}");
        }
        pane.run("print last");
        pane.send("exit\r");
        pane.wait_end();
        let commands = |text: &str| text.matches(";print mine\n").count();
        let saved = world.read(".zsh_history");
        assert_eq!(commands(&saved), 2, "{options}: {saved}");
        assert_eq!(saved.matches("old one").count(), 1, "{options}: {saved}");
        assert!(saved.contains(";print last\n"), "{options}: {saved}");
    }
}

#[test]
fn rc_files_run_again_wherever_they_are() {
    // From the environment, or by a file in the home directory.
    for is_told in [true, false] {
        let mut world = World::new(&program());
        let place = world.home().join("it's here");
        match is_told {
            true => world.set("ZDOTDIR", &place.to_string_lossy()),
            false => drop(world.file(".zshenv", "ZDOTDIR=\"$HOME/it's here\"; print home >>~/ran")),
        }
        world.file("it's here/.zshenv", "print env >>~/ran");
        world.file("it's here/.zshrc", "PS1='$ '; print rc >>~/ran; fresh=1");
        let pane = world.start(Kind::Plain);
        pane.run("unset fresh; mine=1");
        let ran = world.read("ran");
        let question = "print -r - $mine $fresh; typeset -p ZDOTDIR";
        let before = printed(&world, &pane, "print -r - 1 1; typeset -p ZDOTDIR");
        let mut pane = world.cycle(pane);
        assert_eq!(world.read("ran"), ran);
        for turn in 2..4 {
            pane = cycle_with_rc(&world, pane);
            assert_eq!(printed(&world, &pane, question), before);
            assert_eq!(world.read("ran"), ran.repeat(turn));
        }
    }
}

#[test]
fn lines_put_aside_come_back_one_after_another() {
    let world = world("PS1='$ '; bindkey -e");
    let mut pane = world.start(Kind::Plain);
    for line in ["print -r 'it'\\''s  one'", "", "print two"] {
        pane.type_text(line, line).send("\x1bq");
        pane.wait("an empty line", |seen| {
            seen.cursor_row().0.trim_end() == "$"
        });
    }
    pane.type_text("half", "$ half");
    for _ in 0..3 {
        pane = world.cycle(pane);
        pane.wait("the line", |seen| seen.cursor_row().0 == "$ half");
    }
    pane.send("\x15print typed\r");
    pane.wait("the last one", |seen| {
        seen.text().ends_with("\ntyped\n$ print two")
    });
    pane.send("\r");
    pane.wait("an empty one", |seen| seen.text().ends_with("\ntwo\n$"));
    pane.prompt().send("\r");
    pane.wait("the first one", |seen| {
        seen.cursor_row().0.ends_with("'it'\\''s  one'")
    });
    pane.send("\r");
    pane.wait("its output", |seen| seen.text().ends_with("\nit's  one\n$"));
}

#[test]
fn key_maps_of_the_users_return() {
    let world = world(
        "PS1='$ '; bindkey -e; bindkey -N mymap emacs; bindkey -N zero; bindkey -A zero also",
    );
    let pane = world.start(Kind::Plain);
    pane.run("bindkey -M mymap -s '^Xm' 'print mine\\n'; bindkey -M zero a self-insert");
    let question = "bindkey -lL; bindkey -L -M mymap | grep -v shellkeep; bindkey -L -M zero; bindkey -L -M also";
    let before = printed(&world, &pane, question);
    assert!(before.contains("bindkey -N mymap"), "{before}");
    let pane = world.cycle(world.cycle(pane));
    assert_eq!(printed(&world, &pane, question), before);
    pane.run("bindkey -A mymap main");
    let pane = world.cycle(world.cycle(pane));
    pane.send("\x18m");
    pane.wait("the key", |seen| seen.text().ends_with("\nmine\n$"));
}

#[test]
fn scheduled_commands_are_run_at_their_time() {
    let world = world("PS1='$ '");
    let pane = world.start(Kind::Plain);
    pane.run("sched +10:00 print \"it's\" $'two\\nlines'; sched -o +11:00 print -- a:b");
    let question = "sched; print -rl - $zsh_scheduled_events";
    let before = printed(&world, &pane, question);
    assert!(before.contains("two\nlines"), "{before}");
    let pane = world.cycle(world.cycle(pane));
    assert_eq!(printed(&world, &pane, question), before);
    // Its time has passed when the shell is revived.
    pane.run("clear; sched 100000 'print overdue >~/late'");
    let pane = world.cycle(pane);
    crate::pane::wait_until("what was to be run", || {
        (world.read("late") == "overdue\n").then_some(())
    });
    pane.run("print on");
}

#[test]
fn numbers_keep_their_digits_and_all_of_their_value() {
    let world = world("PS1='$ '; typeset -F 3 three=1.23456789; typeset -E 4 four=1234.56789");
    let pane = world.start(Kind::Plain);
    pane.run("typeset -F plain=0.1; typeset -rxF 2 fixed=2.345; typeset -H -F 1 hidden=-0.25");
    let question = "print $three $four $plain $fixed $hidden $((three)) $((four)) $((plain)) $((fixed)) $((hidden)); typeset -p three four plain fixed; print ${(t)hidden}";
    let before = printed(&world, &pane, question);
    assert!(before.starts_with("1.235 1.235e+03 0.1"), "{before}");
    let pane = world.cycle(world.cycle(pane));
    assert_eq!(printed(&world, &pane, question), before);
    let pane = cycle_with_rc(&world, pane);
    assert_eq!(printed(&world, &pane, question), before);
}

#[test]
fn last_word_of_the_last_command_is_kept() {
    let world = world("PS1='$ '; precmd() { true precmd }");
    let mut pane = world.start(Kind::Plain);
    pane.run("setopt sh_word_split glob_subst")
        .run("true \"it's the\nlast\"");
    for turn in 0..4 {
        pane = world.cycle(pane);
        // Printing `$_` must not change it.
        pane.run("print -r - \"$_\"");
        let text = pane.seen().text();
        assert!(text.ends_with("\nit's the\nlast\n$"), "{turn}: {text}");
    }
    pane.type_text("print -r - \"<$_>\"", "<$_>\"");
    let pane = world.cycle(pane);
    pane.wait("the line", |seen| seen.cursor_row().0.ends_with("<$_>\""));
    pane.send("\r");
    pane.wait("the word", |seen| {
        seen.text().ends_with("\n<it's the\nlast>\n$")
    });
}

#[test]
fn mode_for_commands_of_vi_returns() {
    let rc = "PS1='$ '; bindkey -v; KEYTIMEOUT=1
        zle-keymap-select() { print -r - $KEYMAP >>~/modes }; zle -N zle-keymap-select";
    let world = world(rc);
    let mut pane = world.start(Kind::Plain);
    pane.type_text("print abcd", "$ print abcd").send("\x1bb");
    pane.wait("the begin of the word", |seen| seen.cursor_row().1 == 8);
    for _ in 0..3 {
        pane = world.cycle(pane);
        pane.wait("the line", |seen| {
            seen.cursor_row() == ("$ print abcd".into(), 8)
        });
    }
    pane.send("x");
    pane.wait("what is left", |seen| {
        seen.cursor_row() == ("$ print bcd".into(), 8)
    });
    assert_eq!(world.read("modes"), "vicmd\n".repeat(4));
    // Also with an empty line, where input typed meanwhile is not text.
    pane.send("dd");
    pane.wait("an empty line", |seen| {
        seen.cursor_row().0.trim_end() == "$"
    });
    let captured = world.capture(&pane);
    drop(pane);
    let revival = world.revival(&captured.state, RunRc::Off);
    assert_eq!(revival.goes_first(b"ix"), 0);
    let pane = world.revive(&captured.state, RunRc::Off);
    pane.send("xiprint new\r");
    pane.wait("the output", |seen| seen.text().ends_with("\nnew\n$"));
    let pane = world.cycle(pane);
    pane.send("print again\r");
    pane.wait("the output", |seen| seen.text().ends_with("\nagain\n$"));
}

#[test]
fn mode_for_typing_returns_where_lines_begin_in_the_other() {
    let rc = "PS1='$ '; bindkey -v; zle-line-init() { zle -K vicmd }; zle -N zle-line-init";
    let world = world(rc);
    let pane = world.start(Kind::Plain);
    pane.send("i");
    pane.type_text("print ab", "$ print ab");
    let pane = world.cycle(world.cycle(pane));
    pane.wait("the line", |seen| seen.cursor_row().0 == "$ print ab");
    pane.send("x\r");
    pane.wait("the output", |seen| seen.text().ends_with("\nabx\n$"));
}
