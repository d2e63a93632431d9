//! What a pane's shell reports: prompts, commands, and how a revived shell gets back what it had.

use std::time::Duration;

use shellkeep_core::{PaneId, WindowId};
use shellkeep_hibernation::How;
use shellkeep_keeper::steps;
use shellkeep_shell::Revival;
use shellkeep_term::PromptMark;

use crate::action::Action;
use crate::alarm::Alarm;
use crate::hibernation::report::Report;
use crate::hibernation::{idle_capture, marks, outcome};
use crate::model::notice::Notice;
use crate::model::{Model, Pane, RevivalStage, Reviving, ShellNews};
use crate::panes::server_output;
use crate::records::follow;

/// How long a resumed program may take to start before the held input is released anyway.
const PROGRAM_START_TIMEOUT: Duration = Duration::from_secs(2);

/// A mark was printed in a pane: reads the report of the pane's shell.
pub(crate) fn read_shell_report(model: &mut Model, id: PaneId) {
    if let Some(pane) = model.panes.get_mut(&id) {
        let news = pane.shell_report.read_report();
        shell_news(model, id, news);
    }
}

/// A mark was printed in a pane, by its shell or by any program.
pub(crate) fn shell_marked(
    model: &mut Model,
    id: PaneId,
    mark: &PromptMark,
    place: Option<(u64, usize)>,
) {
    follow::marked(model, id, mark, place);
    if let Some(pane) = model.panes.get_mut(&id) {
        let news = pane.shell_report.take_mark(mark);
        shell_news(model, id, news);
    }
}

fn shell_news(model: &mut Model, id: PaneId, news: ShellNews) {
    match news {
        ShellNews::Nothing => {}
        ShellNews::HasRun => {
            if let Some(pane) = model.panes.get_mut(&id) {
                pane.capture.command_began();
            }
            if !calls_program(model, id) {
                marks::fade_revived(model, id);
            }
        }
        ShellNews::Prompted => {
            prompt_shown(model, id);
            model.act(Action::PaneLeftAlone(id));
            idle_capture::capture_due_at_prompt(model, id);
        }
    }
}

/// A shell shows its prompt. A revived one is sent the key that restores its half-typed line, or the command of the
/// program that ran.
pub(crate) fn prompt_shown(model: &mut Model, id: PaneId) {
    let pane = model.panes.get_mut(&id);
    let Some(mut reviving) = pane.and_then(|pane| pane.life.take_reviving()) else {
        return;
    };
    match reviving.stage {
        RevivalStage::Prompt => steps::reached("prompted"),
        RevivalStage::Late => return late_prompt(model, id, *reviving),
        RevivalStage::Program => return put_back(model, id, reviving),
    }
    let timer = model.set_alarm(Alarm::Awake(id), PROGRAM_START_TIMEOUT);
    let Some(pane) = model.panes.get_mut(&id) else {
        return;
    };
    let resume = reviving.resume.take().filter(|it| !it.line.is_empty());
    if let Some(revival) = &reviving.revival
        && let Some(key) = revival.line_key
    {
        // The shell may take a while to obey the key.
        match revival.goes_first(&pane.early_input()) {
            behind @ 1.. if resume.is_none() => reviving.key_within = Some((behind, key)),
            _ => pane.write_line_key(key),
        }
    }
    let mut calls = false;
    if let Some(resume) = resume {
        let was_sent_input = pane
            .life
            .waking()
            .is_some_and(|it| it.asleep.was_sent_input);
        if resume.how == How::TypeUnsent && was_sent_input {
            // Input that a command has sent would be appended to the line and run with it.
            let text = format!("{} was not typed, as something else was", resume.line);
            reviving.unsaid.push(text.clone());
            reviving.report.missing.push(text);
        } else {
            calls = resume.how == How::Run;
            let end = if calls { "\r" } else { "" };
            if let Some(task) = pane.task() {
                task.write(format!("{}{end}", resume.line).as_bytes());
            }
            reviving.report.resumed(&resume);
        }
    }
    if calls {
        // Some shells would take the input that follows for their next prompt's.
        (reviving.stage, reviving.timer) = (RevivalStage::Program, timer);
    }
    revived(model, id, reviving);
}

/// A waking pane's time is over: it is sent the held input, whatever its shell does.
pub(crate) fn awake_due(model: &mut Model, id: PaneId) {
    let Some(pane) = model.panes.get_mut(&id) else {
        return;
    };
    let Some(mut reviving) = pane.life.take_reviving() else {
        return;
    };
    if reviving.stage == RevivalStage::Program {
        pane.life.is_awake();
        return pane.release_input(None);
    }
    if let Some(task) = pane.task() {
        task.show_held_output();
    }
    reviving.stage = RevivalStage::Late;
    // Whatever the shell asks for now, a command line is no answer to it.
    if let Some(resume) = reviving.resume.take().filter(|it| !it.line.is_empty()) {
        let text = format!(
            "{} was not typed, as its shell shows no prompt",
            resume.line
        );
        reviving.report.missing.push(text);
    }
    let text = "its shell shows no prompt yet".to_owned();
    reviving.report.missing.push(text);
    revived(model, id, reviving);
}

/// A pane is revived: records what is missing, sends the notices, and releases the held input.
fn revived(model: &mut Model, id: PaneId, mut reviving: Box<Reviving>) {
    let took = reviving.began.elapsed();
    let is_late = reviving.stage == RevivalStage::Late;
    if let Some(revival) = reviving.revival.take_if(|_| !is_late) {
        let missing = did_not_return(&revival);
        reviving.report.missing.extend(missing.iter().cloned());
        reviving.unsaid.extend(missing);
        revival.clean();
    }
    if !reviving.unsaid.is_empty() && !is_late {
        let text = std::mem::take(&mut reviving.unsaid).join("; ");
        tracing::warn!(pane = %id, text, "the pane was not fully revived");
        server_output::print_above_prompt(model, id, &text);
    }
    let mut report = std::mem::take(&mut reviving.report);
    report.took_ms = u64::try_from(took.as_millis()).unwrap_or(u64::MAX);
    let Some(pane) = model.panes.get_mut(&id) else {
        return;
    };
    let is_over = reviving.stage == RevivalStage::Prompt;
    let key_within = reviving.key_within.take();
    let is_first = match pane.life.waking_mut() {
        Some(waking) if !is_over => {
            waking.reviving = Some(reviving);
            std::mem::take(&mut waking.wakes_session)
        }
        _ => pane.life.is_awake(),
    };
    let window = pane.window;
    // Note the pane as awake only now, because until here all it has is on disk; and before the input is released,
    // because the next server would give the input of a sleeping pane to a new shell.
    model.window_note_due(window);
    if is_over || is_late {
        model.act(Action::ReleaseInput(id, key_within));
    }
    model.act(Action::Revived(took));
    notify_revived(model, (id, window), is_first, &report);
    let text = report.text();
    outcome::report_revival(model, id, Ok(text), Some(report));
}

/// A program runs in a pane that was asleep. With shell integration the pane counts as awake at the first prompt;
/// otherwise now, unless something is to be typed into it.
pub(crate) fn woken(model: &mut Model, id: PaneId) {
    let Some(pane) = model.panes.get_mut(&id) else {
        return;
    };
    let tells = pane.shell_program.is_some();
    match pane.life.take_reviving() {
        // A command has started another program in it.
        None => {
            let (window, is_first) = (pane.window, pane.life.is_awake());
            notify_revived(model, (id, window), is_first, &Report::default());
            outcome::report_outcome(model, id, Ok("awake".to_owned()));
        }
        Some(reviving) if tells || reviving.resume.is_some() => put_back(model, id, reviving),
        Some(reviving) => revived(model, id, reviving),
    }
}

/// A pane whose shell has no integration has printed something, which counts as a prompt.
pub(crate) fn printed_while_waking(model: &mut Model, id: PaneId) {
    let pane = model.panes.get(&id);
    let is_waiting = |pane: &Pane| pane.shell_program.is_none() && pane.life.reviving().is_some();
    if pane.is_some_and(is_waiting) {
        prompt_shown(model, id);
        calls_program(model, id);
    }
}

fn notify_revived(
    model: &mut Model,
    (id, window): (PaneId, WindowId),
    is_first: bool,
    report: &Report,
) {
    model.notify(Notice::PaneRevived {
        pane: id,
        report: Box::new(report.clone()),
    });
    if let Some(session) = model.session_with(window).filter(|_| is_first) {
        model.notify(Notice::SessionRevived {
            session,
            report: Box::new(report.clone()),
        });
    }
    marks::mark_revived(model, id);
}

/// A shell has started a command. If it is the resumed program, releases the held input to it and returns true.
fn calls_program(model: &mut Model, id: PaneId) -> bool {
    let pane = model.panes.get_mut(&id);
    let is_called = |it: &Reviving| it.stage == RevivalStage::Program;
    let Some(pane) = pane.filter(|it| it.life.reviving().is_some_and(is_called)) else {
        return false;
    };
    pane.life.is_awake();
    pane.release_input(None);
    true
}

fn put_back(model: &mut Model, id: PaneId, reviving: Box<Reviving>) {
    let pane = model.panes.get_mut(&id);
    if let Some(waking) = pane.and_then(|pane| pane.life.waking_mut()) {
        waking.reviving = Some(reviving);
    }
}

/// A shell shows its prompt after its time was over.
fn late_prompt(model: &mut Model, id: PaneId, reviving: Reviving) {
    if let Some(pane) = model.panes.get_mut(&id) {
        pane.life.is_awake();
    }
    let Some(revival) = reviving.revival else {
        return;
    };
    let missing = did_not_return(&revival);
    if !missing.is_empty() {
        server_output::print_above_prompt(model, id, &missing.join("; "));
    }
    if let (Some(pane), Some(key)) = (model.panes.get(&id), revival.line_key)
        && let Some(task) = pane.task()
    {
        task.write(key);
    }
    revival.clean();
}

/// Releases the input that was held while a pane woke.
pub(crate) fn release_input(model: &mut Model, id: PaneId, key_within: Option<(usize, &[u8])>) {
    if let Some(pane) = model.panes.get_mut(&id) {
        pane.release_input(key_within);
    }
}

/// The parts of a shell's state that did not load, as sentences.
fn did_not_return(revival: &Revival) -> Vec<String> {
    let missing = revival.missing();
    let missing = missing.iter().map(|name| format!("{name} did not return"));
    missing.collect()
}
