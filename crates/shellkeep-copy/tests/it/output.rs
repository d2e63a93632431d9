//! The shell's prompt marks.

use crate::kit::Kit;

fn session() -> Kit {
    let mut bytes = String::new();
    for n in 0..3 {
        bytes.push_str(&format!(
            "\x1b]133;A\x07$ \x1b]133;B\x07run {n}\r\n\x1b]133;C\x07"
        ));
        bytes.push_str(&format!("first {n}\r\nlast {n}\r\n\x1b]133;D\x07"));
    }
    bytes.push_str("\x1b]133;A\x07$ ");
    Kit::new(5, 20, &bytes)
}

#[test]
fn previous_prompt_goes_up_prompt_by_prompt() {
    let mut kit = session();
    let mut seen = Vec::new();
    for _ in 0..4 {
        kit.run(&["previous-prompt"]);
        seen.push(kit.line());
    }
    assert_eq!(seen, ["$ run 2", "$ run 1", "$ run 0", "$ run 0"]);
    kit.run(&["next-prompt"]);
    assert_eq!(kit.line(), "$ run 1");
}

#[test]
fn select_output_takes_the_last_commands_output() {
    let mut kit = session();
    kit.options.mode_keys = shellkeep_copy::ModeKeys::Emacs;
    kit.run(&["select-output"]);
    assert_eq!(kit.copied().as_deref(), Some("first 2\nlast 2"));
    kit.run(&["clear-selection"]);
    kit.run(&["previous-prompt"]);
    kit.run(&["previous-prompt"]);
    kit.run(&["cursor-up"]);
    kit.run(&["select-output"]);
    assert_eq!(kit.copied().as_deref(), Some("first 0\nlast 0"));
}

#[test]
fn select_output_on_a_command_selects_its_output() {
    let mut kit = session();
    kit.options.mode_keys = shellkeep_copy::ModeKeys::Emacs;
    kit.run(&["previous-prompt"]);
    kit.run(&["previous-prompt"]);
    assert_eq!(kit.line(), "$ run 1");
    kit.run(&["select-output"]);
    assert_eq!(kit.copied().as_deref(), Some("first 1\nlast 1"));
}

#[test]
fn select_output_on_a_command_of_two_lines_selects_its_output() {
    let bytes = "\x1b]133;A\x07$ \x1b]133;B\x07old\r\n\x1b]133;C\x07older\r\n\x1b]133;D\x07\
                 \x1b]133;A\x07$ \x1b]133;B\x07new \\\r\n\x1b]133;A;k=s\x07> two\r\n\
                 \x1b]133;C\x07newer\r\n\x1b]133;D\x07\x1b]133;A\x07$ ";
    for up in 2..=3 {
        let mut kit = Kit::new(8, 20, bytes);
        kit.options.mode_keys = shellkeep_copy::ModeKeys::Emacs;
        for _ in 0..up {
            kit.run(&["cursor-up"]);
        }
        kit.run(&["select-output"]);
        assert_eq!(kit.copied().as_deref(), Some("newer"), "{up} rows up");
    }
}

#[test]
fn select_output_on_a_command_given_up_takes_that_of_the_one_before() {
    let mut kit = Kit::new(
        6,
        20,
        "\x1b]133;A\x07$ \x1b]133;B\x07ls\r\n\x1b]133;C\x07files\r\n\x1b]133;D\x07\
         \x1b]133;A\x07$ \x1b]133;B\x07oops^C\r\n\x1b]133;D\x07\x1b]133;A\x07$ \x1b]133;B\x07id\r\n\
         \x1b]133;C\x07me\r\n\x1b]133;D\x07\x1b]133;A\x07$ ",
    );
    kit.options.mode_keys = shellkeep_copy::ModeKeys::Emacs;
    for _ in 0..3 {
        kit.run(&["cursor-up"]);
    }
    assert_eq!(kit.line(), "$ oops^C");
    kit.run(&["select-output"]);
    assert_eq!(kit.copied().as_deref(), Some("files"));
}

#[test]
fn select_output_of_a_command_that_wrote_nothing_selects_nothing() {
    let bytes = "\x1b]133;A\x07$ \x1b]133;B\x07ls\r\n\x1b]133;C\x07files\r\n\x1b]133;D\x07\
                 \x1b]133;A\x07$ \x1b]133;B\x07true\r\n\x1b]133;C\x07\x1b]133;D\x07\x1b]133;A\x07$ ";
    for up in 0..=1 {
        let mut kit = Kit::new(5, 20, bytes);
        // An earlier selection is not output of the command either.
        kit.run(&["select-line"]);
        for _ in 0..up {
            kit.run(&["cursor-up"]);
        }
        kit.run(&["select-output"]);
        assert_eq!(kit.copied(), None, "{up} rows up");
    }
}

#[test]
fn select_output_without_marks_does_nothing() {
    let mut kit = Kit::new(5, 20, "no marks\r\nhere");
    kit.run(&["select-output"]);
    assert_eq!(kit.mode.selection(), None);
}
