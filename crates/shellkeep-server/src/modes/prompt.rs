//! Prompts: a question in place of the status line, and what happens with the answer.

use shellkeep_core::ClientId;
use shellkeep_core::key::Key;
use shellkeep_render::{Frame, PromptLine, draw_prompt};

use crate::action::Action;
use crate::commands::config::ConfigHost;
use crate::display::division::Division;
use crate::formats;
use crate::model::{Asker, Client, KeyGrab, Model, Prompt, PromptQuestion, Purpose};
use crate::modes::key_grab::Pressed;
use crate::modes::prompt_line::{EditKeys, Line, PromptType, Taking, Typed};
use crate::modes::{key_grab, prompt_history, prompt_words};
use crate::status::message;
use crate::status::message::message_row;

pub(crate) fn open_prompt(
    model: &mut Model,
    id: ClientId,
    question: &PromptQuestion,
    taking: Taking,
    kind: PromptType,
    purpose: Purpose,
    asker: Asker,
) {
    let question = expanded(model, id, question);
    open_plain_prompt(model, id, question, taking, kind, purpose, asker);
}

/// Opens a prompt with a text that is not a format.
pub(crate) fn open_plain_prompt(
    model: &mut Model,
    id: ClientId,
    question: PromptQuestion,
    taking: Taking,
    kind: PromptType,
    purpose: Purpose,
    asker: Asker,
) {
    let session = model.clients.get(&id).and_then(|client| client.session);
    let keys = match model.session_options(session).text("status-keys") {
        "vi" => EditKeys::Vi,
        _ => EditKeys::Emacs,
    };
    let prompt = Prompt {
        label: question.label,
        line: Line::new(keys, taking, &question.input),
        kind,
        purpose,
        asker,
        back: 0,
    };
    let first = prompt.line.change();
    message::clear_message(model, id);
    key_grab::set_key_grab(model, id, KeyGrab::Prompt(Box::new(prompt)));
    if let Typed::Changed(text) = first {
        run_changed(model, id, &text);
    }
}

fn expanded(model: &Model, id: ClientId, question: &PromptQuestion) -> PromptQuestion {
    let session = model.clients.get(&id).and_then(|client| client.session);
    let scope = formats::scope(model).client(Some(id));
    let scope = match session {
        Some(session) => scope.session(session),
        None => scope,
    };
    PromptQuestion {
        label: scope.expand_time(&question.label),
        input: scope.expand_time(&question.input),
    }
}

pub(crate) fn press_at_prompt(model: &mut Model, id: ClientId, key: Key) -> Pressed {
    let session = model.clients.get(&id).and_then(|client| client.session);
    let separators = model
        .session_options(session)
        .text("word-separators")
        .to_owned();
    let Some(prompt) = key_grab::prompt_mut(model, id) else {
        return Pressed::Passed;
    };
    let typed = prompt.line.press(key, &separators);
    model.redraw_client(id);
    match typed {
        Typed::Nothing => {}
        Typed::Changed(text) => run_changed(model, id, &text),
        Typed::Answer(answer) => prompt_answered(model, id, &answer),
        Typed::AnswerAndKey(answer) => {
            prompt_answered(model, id, &answer);
            return Pressed::PassedLater;
        }
        Typed::Cancel => key_grab::clear_key_grab(model, id),
        Typed::Complete => prompt_words::complete_prompt(model, id),
        Typed::Paste => paste_into_prompt(model, id),
        Typed::Older => prompt_history(model, id, 1),
        Typed::Newer => prompt_history(model, id, -1),
    }
    Pressed::Taken
}

/// Inserts pasted text into the line.
pub(crate) fn type_at_prompt(model: &mut Model, id: ClientId, text: &str) {
    if let Some(prompt) = key_grab::prompt_mut(model, id) {
        prompt.line.insert(text);
        let change = prompt.line.change();
        model.redraw_client(id);
        if let Typed::Changed(text) = change {
            run_changed(model, id, &text);
        }
    }
}

/// Runs the template with what was typed so far.
fn run_changed(model: &mut Model, id: ClientId, text: &str) {
    let Some(prompt) = key_grab::prompt_mut(model, id) else {
        return;
    };
    let Purpose::Template {
        template, answers, ..
    } = &prompt.purpose
    else {
        return;
    };
    let (template, mut answers) = (template.clone(), answers.clone());
    let asker = Asker {
        queue: None,
        ..prompt.asker.clone()
    };
    answers.push(text.to_owned());
    let commands = template.fill(&answers, &mut ConfigHost(model));
    key_grab::run_answer(model, asker, commands.map_err(|error| error.message));
}

fn prompt_answered(model: &mut Model, id: ClientId, answer: &str) {
    let Some(prompt) = key_grab::prompt_mut(model, id) else {
        return;
    };
    let (kind, is_line) = (prompt.kind, prompt.line.is_for_history());
    if is_line && !answer.is_empty() {
        prompt_history::add_prompt_history(model, kind, answer);
    }
    if ask_next(model, id, answer) {
        return;
    }
    let client = model.clients.get_mut(&id);
    let Some(KeyGrab::Prompt(prompt)) = client.and_then(|client| client.view.key_grab.take())
    else {
        return;
    };
    model.redraw_client(id);
    let is_reported = prompt.line.reports_changes();
    match prompt.purpose {
        // The template was run with every change already.
        Purpose::Template { .. } if is_reported => key_grab::dismissed(model, prompt.asker),
        Purpose::Template {
            template, answers, ..
        } => {
            let commands = template.fill(&answers, &mut ConfigHost(model));
            key_grab::run_answer(model, prompt.asker, commands.map_err(|error| error.message));
        }
        Purpose::Confirm(command) if matches!(answer, "y" | "Y") => {
            let commands = command.commands(&mut ConfigHost(model));
            key_grab::run_answer(model, prompt.asker, commands.map_err(|error| error.message));
        }
        Purpose::Confirm(_) => key_grab::refused(model, prompt.asker),
        Purpose::Tree { pane, question } => {
            model.act(Action::TreeAnswered {
                client: id,
                pane,
                question,
                answer: Some(answer.to_owned()),
            });
        }
    }
}

/// Stores an answer, and asks the next question if there is one.
fn ask_next(model: &mut Model, id: ClientId, answer: &str) -> bool {
    let Some(prompt) = key_grab::prompt_mut(model, id) else {
        return false;
    };
    if prompt.line.reports_changes() {
        return false;
    }
    let Purpose::Template {
        questions, answers, ..
    } = &mut prompt.purpose
    else {
        return false;
    };
    answers.push(answer.to_owned());
    let Some(question) = questions.pop_front() else {
        return false;
    };
    let question = expanded(model, id, &question);
    if let Some(prompt) = key_grab::prompt_mut(model, id) {
        prompt.label = question.label;
        prompt.line.ask(&question.input);
        prompt.back = 0;
    }
    model.redraw_client(id);
    true
}

fn prompt_history(model: &mut Model, id: ClientId, step: isize) {
    let Some(prompt) = key_grab::prompt_mut(model, id) else {
        return;
    };
    let (kind, back) = (prompt.kind, prompt.back.saturating_add_signed(step));
    let line = match back {
        0 => Some(String::new()),
        back => model.prompt_histories.back(kind, back).map(str::to_owned),
    };
    if let (Some(line), Some(prompt)) = (line, key_grab::prompt_mut(model, id)) {
        prompt.back = back;
        prompt.line.replace(&line);
        if let Typed::Changed(text) = prompt.line.change() {
            run_changed(model, id, &text);
        }
    }
}

/// The text that was cut last in this prompt, or the first line of the newest paste buffer.
fn paste_into_prompt(model: &mut Model, id: ClientId) {
    let newest = model.buffers.newest();
    let newest = newest.map(|buffer| String::from_utf8_lossy(&buffer.data).into_owned());
    let Some(prompt) = key_grab::prompt_mut(model, id) else {
        return;
    };
    let text = prompt.line.last_cut().or(newest).unwrap_or_default();
    let end = text.find(|c: char| c.is_control()).unwrap_or(text.len());
    let text = text[..end].to_owned();
    type_at_prompt(model, id, &text);
}

/// Draws a prompt. Returns the column of its cursor.
pub(crate) fn draw_client_prompt(
    model: &Model,
    client: &Client,
    prompt: &Prompt,
    division: &Division,
    frame: &mut Frame,
) -> u16 {
    let option = match prompt.line.is_command_state() {
        true => "message-command-style",
        false => "message-style",
    };
    let style = message::message_style(model, client, option);
    let (input, cursor) = (prompt.line.text(), prompt.line.cursor());
    let line = PromptLine {
        label: &prompt.label,
        input: &input,
        cursor,
    };
    draw_prompt(frame, message_row(division), line, style)
}
