//! Compares with the recorded behaviour of tmux 3.3a, command by command: see `tests/tmux/record.py`.

use shellkeep_copy::{
    CopyCommand, CopyEffect, CopyMode, CopyOptions, EnterOptions, Frozen, ModeKeys, Remembered,
    Text,
};
use shellkeep_core::Size;
use shellkeep_term::{Config, Emulator};

const TEXT: &[u8] = include_bytes!("../tmux/text.bin");
const RECORDING: &str = include_str!("../tmux/recording.txt");

/// A sequence of commands in one copy mode.
struct Sequence {
    line: usize,
    keys: ModeKeys,
    scroll_exit: bool,
    page_up: bool,
    steps: Vec<Step>,
}

struct Step {
    line: usize,
    repeat: u32,
    words: Vec<String>,
    state: Vec<String>,
    copied: Option<String>,
}

fn sequences() -> Vec<Sequence> {
    let mut out: Vec<Sequence> = Vec::new();
    for (at, line) in RECORDING.lines().enumerate() {
        let number = at + 1;
        if let Some(head) = line.strip_prefix("# ") {
            out.push(Sequence {
                line: number,
                keys: if head.starts_with("vi") {
                    ModeKeys::Vi
                } else {
                    ModeKeys::Emacs
                },
                scroll_exit: head.ends_with("-e"),
                page_up: head.ends_with("-u"),
                steps: Vec::new(),
            });
            continue;
        }
        let steps = &mut out.last_mut().expect("a sequence is open").steps;
        if let Some(copied) = line.strip_prefix("= ") {
            let step = steps.last_mut().expect("a command was run");
            step.copied = Some(serde_json::from_str(copied).expect("a JSON string"));
            continue;
        }
        let (command, state) = line.split_once('\t').expect("a state follows");
        let (repeat, command) = command.split_once(' ').expect("a count precedes");
        let mut fields = steps.last().map_or(Vec::new(), |last| last.state.clone());
        fields.resize(14, String::new());
        for (field, new) in fields.iter_mut().zip(state.split('|')) {
            if !state.is_empty() && new != "~" {
                new.clone_into(field);
            }
        }
        steps.push(Step {
            line: number,
            repeat: repeat.parse().expect("a number"),
            words: command.splitn(2, ' ').map(str::to_owned).collect(),
            state: fields,
            copied: None,
        });
    }
    out
}

fn state(mode: &CopyMode, text: &dyn Text, options: &CopyOptions) -> Vec<String> {
    let flag = |on: bool| u8::from(on).to_string();
    let row = |row: i64| (row + text.history_rows() as i64).to_string();
    let mut out = vec![
        "1".to_owned(),
        mode.scroll_position().to_string(),
        mode.cursor_row().to_string(),
        mode.cursor().col.to_string(),
    ];
    match mode.selection() {
        Some(selection) => out.extend([
            "1".to_owned(),
            flag(selection.active),
            row(selection.start.row),
            selection.start.col.to_string(),
            row(selection.end.row),
            selection.end.col.to_string(),
        ]),
        None => out.extend(["0", "0", "", "", "", ""].map(str::to_owned)),
    }
    out.extend([
        flag(mode.is_rectangle()),
        flag(mode.has_matches()),
        mode.word_at(mode.cursor(), text, options),
        mode.match_text(text).unwrap_or_default(),
    ]);
    out
}

/// tmux 3.3a takes the word from the screen that it drew, which has the position in it, and does not join rows.
fn is_word_comparable(mode: &CopyMode, text: &dyn Text) -> bool {
    let mut wrapped = false;
    for row in [mode.cursor().row - 1, mode.cursor().row] {
        text.with_row(row, &mut |view| wrapped |= view.is_wrapped());
    }
    !wrapped && mode.cursor_row() > 0
}

/// Runs a sequence, and returns the first difference.
fn play(
    sequence: &Sequence,
    emulator: &Emulator,
    search: &mut Option<Remembered>,
) -> Result<(), String> {
    let options = CopyOptions {
        mode_keys: sequence.keys,
        ..CopyOptions::default()
    };
    let frozen = Frozen::new(emulator);
    let text = frozen.text(emulator);
    let enter = EnterOptions {
        scroll_exit: sequence.scroll_exit,
        search: search.clone(),
        ..EnterOptions::default()
    };
    let mut mode = CopyMode::enter(frozen.cursor(), &text, enter);
    if sequence.page_up {
        let page_up = CopyCommand::parse(&["page-up"]).expect("a command");
        mode.run(&page_up, 1, &text, &options);
    }
    let mut buffer = "INIT".to_owned();
    let mut last = Vec::new();
    let mut stale = false;
    for step in &sequence.steps {
        let words: Vec<&str> = step.words.iter().map(String::as_str).collect();
        let command = CopyCommand::parse(&words).expect("a known command");
        let effects = mode.run(&command, step.repeat, &text, &options);
        *search = mode.remembered().cloned();
        let mut left = false;
        for effect in effects {
            match effect {
                CopyEffect::Copy { text, .. } => buffer = text,
                CopyEffect::Append { text, .. } => buffer.push_str(&text),
                CopyEffect::Cancel => left = true,
                _ => {}
            }
        }
        let report = |what: &str, ours: &dyn std::fmt::Debug, theirs: &dyn std::fmt::Debug| {
            Err(format!(
                "line {} (from {}): {} {:?}\n   {what}\n   last {last:?}\n   ours {ours:?}\n   tmux {theirs:?}",
                step.line, sequence.line, step.repeat, step.words
            ))
        };
        if let Some(copied) = &step.copied {
            // tmux copies the blank at the margin where a wide character did not fit, which the program did not write.
            let copied = copied.replace("12345 世", "12345世");
            let copied = match copied.strip_suffix("12345 ") {
                Some(before) => format!("{before}12345"),
                None => copied,
            };
            if copied != buffer {
                return report("copied", &buffer, &copied);
            }
        }
        if left != (step.state[0] == "0") {
            return report("left", &left, &step.state);
        }
        if left {
            return Ok(());
        }
        let mut ours = state(&mode, &text, &options);
        if !is_word_comparable(&mode, &text) {
            ours[12].clone_from(&step.state[12]);
        }
        // tmux keeps the matches highlighted where they were before this command moved the view.
        stale = step.words[0] == "goto-line" || (stale && !step.words[0].starts_with("search-"));
        if stale {
            ours[13].clone_from(&step.state[13]);
        }
        if ours != step.state {
            return report("state", &ours, &step.state);
        }
        last = ours;
    }
    Ok(())
}

#[test]
fn recording_of_tmux_replayed_gives_the_same_states() {
    let mut emulator = Emulator::new(Size::new(12, 40), Config::default());
    emulator.feed(TEXT, &mut Vec::new());
    let mut search: Option<Remembered> = None;
    let mut failures = Vec::new();
    let sequences = sequences();
    assert!(sequences.len() >= 400, "the recording is there");
    for sequence in &sequences {
        if let Err(failure) = play(sequence, &emulator, &mut search) {
            failures.push(failure);
        }
    }
    let report: Vec<&str> = failures.iter().take(40).map(String::as_str).collect();
    assert!(
        failures.is_empty(),
        "{} of {} sequences differ:\n{}",
        failures.len(),
        sequences.len(),
        report.join("\n")
    );
}
