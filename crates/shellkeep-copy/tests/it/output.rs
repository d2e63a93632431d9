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
    kit.run(&["select-output"]);
    assert_eq!(kit.copied().as_deref(), Some("first 0\nlast 0"));
}

#[test]
fn select_output_without_marks_does_nothing() {
    let mut kit = Kit::new(5, 20, "no marks\r\nhere");
    kit.run(&["select-output"]);
    assert_eq!(kit.mode.selection(), None);
}
