//! Executes the commands of copy mode on a text.

use crate::command::{Action, After, Clear, CopyCommand, Direction, Extent, Sink};
use crate::effect::CopyEffect;
use crate::mode::CopyMode;
use crate::motion::{Half, Motion, ScrollOnly};
use crate::options::CopyOptions;
use crate::selection::{Drag, Lines, Reset, Unit};
use crate::text::{Pos, Text};
use crate::walker::Stay;

/// The highest repeat count. More would change nothing and take time.
const MAX_REPEAT: u32 = 10_000;

/// A copy mode and the text on which it works.
pub(crate) struct Run<'a> {
    pub(crate) motion: Motion<'a>,
    effects: Vec<CopyEffect>,
}

impl CopyMode {
    /// Runs a command `repeat` times, and returns the requests to the server.
    pub fn run(
        &mut self,
        command: &CopyCommand,
        repeat: u32,
        text: &dyn Text,
        options: &CopyOptions,
    ) -> Vec<CopyEffect> {
        self.hold(text);
        let mut run = Run::new(self, text, options);
        let ended = run.command(command, repeat.clamp(1, MAX_REPEAT));
        run.clear_highlights(command.clear());
        let mut effects = run.effects;
        self.hold(text);
        effects.push(match ended {
            Outcome::Stay => CopyEffect::Redraw,
            Outcome::Leave => CopyEffect::Cancel,
        });
        effects
    }
}

impl CopyMode {
    /// Continues with a text of another size, or a pane that was frozen again, with the cursor at `cursor`. The
    /// selection is dropped.
    pub fn resize(&mut self, cursor: Pos, text: &dyn Text, options: &CopyOptions) {
        self.go(cursor);
        self.take_text(text, options);
        self.search.origin = Some((self.row, self.col, self.scroll));
    }

    /// Continues with the pane that was frozen again after [`CopyEffect::Refresh`]. `added` is the number of new rows
    /// of history: the view stays on the same text.
    pub fn refresh(&mut self, added: i64, text: &dyn Text, options: &CopyOptions) {
        self.scroll = self.scroll.saturating_add(added);
        self.mark.row = self.mark.row.saturating_sub(added);
        if self.scroll < 0 {
            self.scroll = 0;
        }
        self.take_text(text, options);
    }

    /// Matches that are lit up are lit up again.
    fn take_text(&mut self, text: &dyn Text, options: &CopyOptions) {
        let lit = self.search.marks.is_some();
        self.hold(text);
        let mut run = Run::new(self, text, options);
        run.motion.clear_selection();
        run.clear_marks();
        if lit {
            run.mark_matches();
        }
    }
}

/// Whether copy mode continues.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    Stay,
    Leave,
}

impl<'a> Run<'a> {
    pub(crate) fn new(
        mode: &'a mut CopyMode,
        text: &'a dyn Text,
        options: &'a CopyOptions,
    ) -> Self {
        Self {
            motion: Motion {
                mode,
                text,
                options,
            },
            effects: Vec::new(),
        }
    }

    /// Removes the highlights if this command does that.
    fn clear_highlights(&mut self, clear: Clear) {
        let stays = clear == Clear::Never || (clear == Clear::Emacs && self.motion.is_vi());
        if self.motion.mode.search.marks.is_some() && !stays {
            self.clear_marks();
            self.motion.mode.search.origin = None;
        }
    }

    fn command(&mut self, command: &CopyCommand, repeat: u32) -> Outcome {
        match command {
            CopyCommand::Do(action) => return self.act(*action, repeat),
            CopyCommand::Copy {
                extent,
                sink,
                prefix,
                after,
            } => return self.copy(*extent, sink, prefix.as_deref(), *after, repeat),
            CopyCommand::GotoLine(line) => self.motion.goto_line(line),
            CopyCommand::Jump(direction, land, wanted) => {
                if !wanted.is_empty() {
                    self.motion.mode.jump = Some((*direction, *land, wanted.clone()));
                    self.repeat_jump(*direction, repeat);
                }
            }
            CopyCommand::Search(direction, pattern, wanted) => {
                if let Some(wanted) = wanted.as_deref().filter(|wanted| !wanted.is_empty()) {
                    self.begin_search(*direction, *pattern, wanted);
                    for _ in 0..repeat {
                        self.search(*direction, *pattern);
                    }
                }
            }
            CopyCommand::SearchIncremental(direction, wanted) => {
                self.search_incremental(*direction, wanted);
            }
        }
        Outcome::Stay
    }

    fn act(&mut self, action: Action, repeat: u32) -> Outcome {
        match action {
            Action::AppendSelection => self.append(),
            Action::AppendSelectionAndCancel => {
                self.append();
                return Outcome::Leave;
            }
            Action::Cancel => return Outcome::Leave,
            Action::CursorDownAndCancel => {
                let row = self.motion.mode.row;
                self.motion
                    .times(repeat, |motion| motion.cursor_down(ScrollOnly::No));
                if row == self.motion.mode.row && self.motion.mode.scroll == 0 {
                    return Outcome::Leave;
                }
            }
            Action::HalfpageDown => {
                return self.pages_down(repeat, Half::Yes, self.motion.mode.scroll_exit);
            }
            Action::HalfpageDownAndCancel => return self.pages_down(repeat, Half::Yes, true),
            Action::PageDown => {
                return self.pages_down(repeat, Half::No, self.motion.mode.scroll_exit);
            }
            Action::PageDownAndCancel => return self.pages_down(repeat, Half::No, true),
            Action::ScrollDown | Action::ScrollDownAndCancel => {
                self.motion
                    .times(repeat, |motion| motion.cursor_down(ScrollOnly::Yes));
                let leaves = action == Action::ScrollDownAndCancel || self.motion.mode.scroll_exit;
                if leaves && self.motion.mode.scroll == 0 {
                    return Outcome::Leave;
                }
            }
            Action::RefreshFromPane => self.effects.push(CopyEffect::Refresh),
            Action::TogglePosition => {
                self.motion.mode.hide_position = !self.motion.mode.hide_position
            }
            Action::SetMark => {
                self.motion.mode.mark = self.motion.at();
                self.motion.mode.show_mark = true;
            }
            Action::JumpToMark => self.motion.jump_to_mark(),
            Action::JumpAgain => self.jump_again(repeat, Direction::Forward),
            Action::JumpReverse => self.jump_again(repeat, Direction::Backward),
            Action::SearchAgain => self.search_again(repeat, Direction::Forward),
            Action::SearchReverse => self.search_again(repeat, Direction::Backward),
            _ if self.select(action, repeat) => {}
            _ => self.walk(action, repeat),
        }
        Outcome::Stay
    }

    /// Runs commands that change the selection. False for other commands.
    fn select(&mut self, action: Action, repeat: u32) -> bool {
        let selection = &mut self.motion.mode.selection;
        match action {
            Action::BeginSelection => {
                selection.lines = Lines::No;
                selection.unit = Unit::Char;
                self.motion.start_selection();
            }
            Action::StopSelection => {
                selection.drag = Drag::Neither;
                selection.lines = Lines::No;
                selection.unit = Unit::Char;
            }
            Action::ClearSelection => self.motion.clear_selection(),
            Action::OtherEnd => {
                selection.unit = Unit::Char;
                if repeat % 2 == 1 {
                    self.motion.other_end();
                }
            }
            Action::RectangleOn => self.motion.set_rectangle(Some(true)),
            Action::RectangleOff => self.motion.set_rectangle(Some(false)),
            Action::RectangleToggle => self.motion.set_rectangle(None),
            Action::SelectLine => self.select_line(repeat),
            Action::SelectWord => self.select_word(),
            Action::SelectOutput => self.select_output(),
            _ => return false,
        }
        true
    }

    /// Runs commands that only move.
    fn walk(&mut self, action: Action, repeat: u32) {
        let separators = self.motion.options.word_separators.as_str();
        match action {
            Action::BackToIndentation => self.motion.walk_up(|walker| walker.indentation()),
            Action::StartOfLine => self.motion.walk_up(|walker| walker.line_start()),
            Action::EndOfLine => self.motion.end_of_line(),
            Action::TopLine => self.motion.put_cursor(0),
            Action::MiddleLine => self.motion.put_cursor(self.motion.last_row() / 2),
            Action::BottomLine => self.motion.put_cursor(self.motion.last_row()),
            Action::HistoryTop => self.motion.history_top(),
            Action::HistoryBottom => self.motion.history_bottom(),
            Action::NextPrompt => self.motion.prompt(Direction::Forward),
            Action::PreviousPrompt => self.motion.prompt(Direction::Backward),
            Action::CursorUp => self
                .motion
                .times(repeat, |motion| motion.cursor_up(ScrollOnly::No)),
            Action::CursorDown => self
                .motion
                .times(repeat, |motion| motion.cursor_down(ScrollOnly::No)),
            Action::ScrollUp => self
                .motion
                .times(repeat, |motion| motion.cursor_up(ScrollOnly::Yes)),
            Action::CursorLeft => self.motion.times(repeat, Motion::cursor_left),
            Action::CursorRight => self.motion.times(repeat, Motion::cursor_right),
            Action::HalfpageUp => self
                .motion
                .times(repeat, |motion| motion.page_up(Half::Yes)),
            Action::PageUp => self.motion.times(repeat, |motion| motion.page_up(Half::No)),
            Action::NextParagraph => self.motion.times(repeat, Motion::next_paragraph),
            Action::PreviousParagraph => self.motion.times(repeat, Motion::previous_paragraph),
            Action::NextMatchingBracket => self.next_bracket(repeat),
            Action::PreviousMatchingBracket => self.previous_bracket(repeat),
            Action::NextSpace => self.motion.times(repeat, |motion| motion.next_word("")),
            Action::NextWord => self
                .motion
                .times(repeat, |motion| motion.next_word(separators)),
            Action::NextSpaceEnd => self
                .motion
                .times(repeat, |motion| motion.next_word_end("", Reset::Yes)),
            Action::NextWordEnd => {
                self.motion.times(repeat, |motion| {
                    motion.next_word_end(separators, Reset::Yes)
                });
            }
            Action::PreviousSpace => self
                .motion
                .times(repeat, |motion| motion.previous_word("", Stay::Leave)),
            Action::PreviousWord => {
                self.motion.times(repeat, |motion| {
                    motion.previous_word(separators, Stay::Leave)
                });
            }
            _ => {}
        }
    }

    fn pages_down(&mut self, repeat: u32, half: Half, leaves: bool) -> Outcome {
        for _ in 0..repeat {
            self.motion.page_down(half);
            if leaves && self.motion.mode.scroll == 0 {
                return Outcome::Leave;
            }
        }
        Outcome::Stay
    }

    fn append(&mut self) {
        if let Some(text) = self.selected_text() {
            self.effects.push(CopyEffect::Append {
                text,
                clipboard: self.motion.options.set_clipboard,
            });
        }
        self.motion.clear_selection();
    }

    fn copy(
        &mut self,
        extent: Extent,
        sink: &Sink,
        prefix: Option<&str>,
        after: After,
        repeat: u32,
    ) -> Outcome {
        let before = (
            self.motion.mode.row,
            self.motion.mode.col,
            self.motion.mode.scroll,
        );
        if extent != Extent::Selection {
            if extent == Extent::Line {
                self.motion.mode.selection.unit = Unit::Char;
                self.motion.walk_up(|walker| walker.line_start());
            }
            self.motion.start_selection();
            for _ in 1..repeat {
                self.motion.cursor_down(ScrollOnly::No);
            }
            self.motion.end_of_line();
        }
        self.deliver(sink, prefix);
        match after {
            After::Keep => return Outcome::Stay,
            After::Cancel => return Outcome::Leave,
            After::Clear => self.motion.clear_selection(),
        }
        if extent != Extent::Selection {
            (
                self.motion.mode.row,
                self.motion.mode.col,
                self.motion.mode.scroll,
            ) = before;
        }
        Outcome::Stay
    }

    /// Sends the selected text to its destination.
    fn deliver(&mut self, sink: &Sink, prefix: Option<&str>) {
        let text = self.selected_text();
        if let Sink::BufferAndPipe(command) | Sink::Pipe(command) = sink {
            let named = command.as_deref().filter(|command| !command.is_empty());
            let command = named.unwrap_or(&self.motion.options.copy_command);
            if !command.is_empty() {
                self.effects.push(CopyEffect::Pipe {
                    command: command.to_owned(),
                    text: text.clone().unwrap_or_default(),
                });
            }
        }
        if !matches!(sink, Sink::Pipe(_))
            && let Some(text) = text
        {
            self.effects.push(CopyEffect::Copy {
                text,
                prefix: prefix.map(str::to_owned),
                clipboard: self.motion.options.set_clipboard,
            });
        }
    }

    fn jump_again(&mut self, repeat: u32, way: Direction) {
        let Some((direction, ..)) = self.motion.mode.jump else {
            return;
        };
        self.repeat_jump(turned(direction, way), repeat);
    }

    fn search_again(&mut self, repeat: u32, way: Direction) {
        let Some(direction) = self.motion.mode.search.kind else {
            return;
        };
        let pattern = self.motion.mode.search.pattern;
        for _ in 0..repeat {
            self.search(turned(direction, way), pattern);
        }
    }

    fn repeat_jump(&mut self, direction: Direction, repeat: u32) {
        let Some((_, land, wanted)) = self.motion.mode.jump.clone() else {
            return;
        };
        self.motion
            .times(repeat, |motion| motion.jump(direction, land, &wanted));
    }
}

/// The direction itself, or its reverse.
fn turned(direction: Direction, way: Direction) -> Direction {
    match way {
        Direction::Forward => direction,
        Direction::Backward => direction.reversed(),
    }
}
