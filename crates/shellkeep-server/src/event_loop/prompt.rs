//! Prompts: what is asked in place of the status line, and what is done with the answer.

use std::collections::VecDeque;

use shellkeep_command::Script;
use shellkeep_core::key::Key;
use shellkeep_core::{ClientId, PaneId};
use shellkeep_render::{Frame, PromptLine, draw_prompt};

use super::front::{Asker, Front, Pressed};
use super::message::message_row;
use super::status::Division;
use super::{Server, message};
use crate::config::Reader;
use crate::overlay::tree;
use crate::prompt::{EditKeys, Line, PromptType, Taking, Typed};
use crate::state::{Client, Model};

/// A prompt that is open.
#[derive(Debug)]
pub(crate) struct Prompt {
    /// What is asked, expanded.
    pub(super) label: String,
    pub(super) line: Line,
    pub(super) kind: PromptType,
    purpose: Purpose,
    asker: Asker,
    /// How far back in the history it is.
    back: usize,
}

/// What the answer is for.
#[derive(Debug)]
pub(crate) enum Purpose {
    /// Commands, in which `%1` is the first answer.
    Template {
        template: Script,
        /// What remains to be asked.
        questions: VecDeque<Question>,
        answers: Vec<String>,
    },
    /// Commands that are run if the answer is yes.
    Confirm(Script),
    /// Something that the tree in a pane wants to know.
    Tree {
        pane: PaneId,
        question: tree::Question,
    },
}

/// What is asked, and what stands there at first; formats both.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Question {
    pub(crate) label: String,
    pub(crate) input: String,
}

impl Server {
    /// Asks a client.
    pub(crate) fn open_prompt(
        &mut self,
        id: ClientId,
        question: &Question,
        taking: Taking,
        kind: PromptType,
        purpose: Purpose,
        asker: Asker,
    ) {
        let question = self.expanded(id, question);
        self.open_plain_prompt(id, question, taking, kind, purpose, asker);
    }

    /// Asks a client in words that are no formats.
    pub(super) fn open_plain_prompt(
        &mut self,
        id: ClientId,
        question: Question,
        taking: Taking,
        kind: PromptType,
        purpose: Purpose,
        asker: Asker,
    ) {
        let session = self
            .state
            .clients
            .get(&id)
            .and_then(|client| client.session);
        let keys = match self.state.session_options(session).text("status-keys") {
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
        message::clear_message(&mut self.state, id);
        self.set_front(id, Front::Prompt(Box::new(prompt)));
        if let Typed::Changed(text) = first {
            self.run_changed(id, &text);
        }
    }

    /// A question as a client sees it.
    fn expanded(&self, id: ClientId, question: &Question) -> Question {
        let session = self
            .state
            .clients
            .get(&id)
            .and_then(|client| client.session);
        let scope = self.scope().client(Some(id));
        let scope = match session {
            Some(session) => scope.session(session),
            None => scope,
        };
        Question {
            label: scope.expand_time(&question.label),
            input: scope.expand_time(&question.input),
        }
    }

    /// A key at a prompt.
    pub(super) fn press_at_prompt(&mut self, id: ClientId, key: Key) -> Pressed {
        let session = self
            .state
            .clients
            .get(&id)
            .and_then(|client| client.session);
        let separators = self
            .state
            .session_options(session)
            .text("word-separators")
            .to_owned();
        let Some(prompt) = prompt_mut(&mut self.state, id) else {
            return Pressed::Passed;
        };
        let typed = prompt.line.press(key, &separators);
        self.state.redraw_client(id);
        match typed {
            Typed::Nothing => {}
            Typed::Changed(text) => self.run_changed(id, &text),
            Typed::Answer(answer) => self.prompt_answered(id, &answer),
            Typed::AnswerAndKey(answer) => {
                self.prompt_answered(id, &answer);
                return Pressed::Passed;
            }
            Typed::Cancel => self.clear_front(id),
            Typed::Complete => self.complete_prompt(id),
            Typed::Paste => self.paste_into_prompt(id),
            Typed::Older => self.prompt_history(id, 1),
            Typed::Newer => self.prompt_history(id, -1),
        }
        Pressed::Taken
    }

    /// Text that was pasted goes into the line.
    pub(super) fn type_at_prompt(&mut self, id: ClientId, text: &str) {
        if let Some(prompt) = prompt_mut(&mut self.state, id) {
            prompt.line.insert(text);
            let change = prompt.line.change();
            self.state.redraw_client(id);
            if let Typed::Changed(text) = change {
                self.run_changed(id, &text);
            }
        }
    }

    /// Runs the template with what was typed so far.
    fn run_changed(&mut self, id: ClientId, text: &str) {
        let Some(prompt) = prompt_mut(&mut self.state, id) else {
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
        let commands = template.fill(&answers, &mut Reader(self));
        self.run_answer(asker, commands.map_err(|error| error.message));
    }

    fn prompt_answered(&mut self, id: ClientId, answer: &str) {
        let Some(prompt) = prompt_mut(&mut self.state, id) else {
            return;
        };
        let (kind, is_line) = (prompt.kind, prompt.line.is_for_history());
        if is_line && !answer.is_empty() {
            self.add_prompt_history(kind, answer);
        }
        if self.ask_next(id, answer) {
            return;
        }
        let client = self.state.clients.get_mut(&id);
        let Some(Front::Prompt(prompt)) = client.and_then(|client| client.front.take()) else {
            return;
        };
        self.state.redraw_client(id);
        let is_told = prompt.line.tells_changes();
        match prompt.purpose {
            // What was typed has been told already.
            Purpose::Template { .. } if is_told => self.dismissed(prompt.asker),
            Purpose::Template {
                template, answers, ..
            } => {
                let commands = template.fill(&answers, &mut Reader(self));
                self.run_answer(prompt.asker, commands.map_err(|error| error.message));
            }
            Purpose::Confirm(command) if matches!(answer, "y" | "Y") => {
                let commands = command.commands(&mut Reader(self));
                self.run_answer(prompt.asker, commands.map_err(|error| error.message));
            }
            Purpose::Confirm(_) => self.refused(prompt.asker),
            Purpose::Tree { pane, question } => {
                self.tree_answered(id, pane, question, Some(answer));
            }
        }
    }

    /// Takes an answer and asks the next question, if there is one.
    fn ask_next(&mut self, id: ClientId, answer: &str) -> bool {
        let Some(prompt) = prompt_mut(&mut self.state, id) else {
            return false;
        };
        if prompt.line.tells_changes() {
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
        let question = self.expanded(id, &question);
        if let Some(prompt) = prompt_mut(&mut self.state, id) {
            prompt.label = question.label;
            prompt.line.ask(&question.input);
            prompt.back = 0;
        }
        self.state.redraw_client(id);
        true
    }

    /// The user has said no, which is a failure to whoever waits for the command.
    pub(super) fn refused(&mut self, asker: Asker) {
        if let Some(queue) = asker.queue.and_then(|id| self.commands.queues.get_mut(&id)) {
            queue.status = 1;
        }
        self.dismissed(asker);
    }

    /// A prompt is closed without an answer.
    pub(super) fn prompt_dropped(&mut self, prompt: Prompt) {
        match prompt.purpose {
            Purpose::Confirm(_) => self.refused(prompt.asker),
            Purpose::Template { .. } => self.dismissed(prompt.asker),
            Purpose::Tree { pane, question } => {
                if let Some(client) = prompt.asker.caller.client {
                    self.tree_answered(client, pane, question, None);
                }
            }
        }
    }

    fn prompt_history(&mut self, id: ClientId, step: isize) {
        let Some(prompt) = prompt_mut(&mut self.state, id) else {
            return;
        };
        let (kind, back) = (prompt.kind, prompt.back.saturating_add_signed(step));
        let line = match back {
            0 => Some(String::new()),
            back => self
                .commands
                .prompt_histories
                .back(kind, back)
                .map(str::to_owned),
        };
        if let (Some(line), Some(prompt)) = (line, prompt_mut(&mut self.state, id)) {
            prompt.back = back;
            prompt.line.replace(&line);
            if let Typed::Changed(text) = prompt.line.change() {
                self.run_changed(id, &text);
            }
        }
    }

    /// What was cut last in this prompt, or the first line of the newest paste buffer.
    fn paste_into_prompt(&mut self, id: ClientId) {
        let newest = self.state.buffers.newest();
        let newest = newest.map(|buffer| String::from_utf8_lossy(&buffer.data).into_owned());
        let Some(prompt) = prompt_mut(&mut self.state, id) else {
            return;
        };
        let text = prompt.line.last_cut().or(newest).unwrap_or_default();
        let end = text.find(|c: char| c.is_control()).unwrap_or(text.len());
        let text = text[..end].to_owned();
        self.type_at_prompt(id, &text);
    }

    /// Draws a prompt; the answer is the column of its cursor.
    pub(super) fn draw_client_prompt(
        &self,
        client: &Client,
        prompt: &Prompt,
        division: &Division,
        frame: &mut Frame,
    ) -> u16 {
        let option = match prompt.line.is_command_state() {
            true => "message-command-style",
            false => "message-style",
        };
        let style = self.message_style(client, option);
        let (input, cursor) = (prompt.line.text(), prompt.line.cursor());
        let line = PromptLine {
            label: &prompt.label,
            input: &input,
            cursor,
        };
        draw_prompt(frame, message_row(division), line, style)
    }
}

/// Whether a client is asked something already.
pub(crate) fn has_prompt(model: &Model, id: ClientId) -> bool {
    let client = model.clients.get(&id);
    matches!(
        client.and_then(|client| client.front.as_ref()),
        Some(Front::Prompt(_))
    )
}

pub(super) fn prompt_mut(model: &mut Model, id: ClientId) -> Option<&mut Prompt> {
    match model.clients.get_mut(&id)?.front.as_mut()? {
        Front::Prompt(prompt) => Some(prompt),
        _ => None,
    }
}
