//! Carrying out a command.

use crate::command::{Action, After, Clear, CopyCommand, Direction, Extent, Land, Sink};
use crate::mode::{CopyEffect, CopyMode, CopyOptions, Drag, Lines, ModeKeys, Unit};
use crate::motion::{Half, ScrollOnly};
use crate::reader::{Reach, Stay};
use crate::selection::Reset;
use crate::text::{Pos, Text};

/// The highest repeat count: more changes nothing and only costs time.
const MAX_REPEAT: u32 = 10_000;

/// A copy mode at work on its text.
pub(crate) struct Run<'a> {
    pub(crate) mode: &'a mut CopyMode,
    pub(crate) text: &'a dyn Text,
    pub(crate) options: &'a CopyOptions,
    effects: Vec<CopyEffect>,
}

impl CopyMode {
    /// Runs a command `repeat` times and says what the server has to do.
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
        run.put_out(command.clear());
        let mut effects = run.effects;
        self.hold(text);
        effects.push(match ended {
            Ended::Stay => CopyEffect::Redraw,
            Ended::Leave => CopyEffect::Cancel,
        });
        effects
    }
}

/// Whether copy mode goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ended {
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
            mode,
            text,
            options,
            effects: Vec::new(),
        }
    }

    pub(crate) fn is_vi(&self) -> bool {
        self.options.mode_keys == ModeKeys::Vi
    }

    pub(crate) fn last_row(&self) -> i64 {
        self.text.bottom().max(0)
    }

    /// The cursor's row in the text.
    pub(crate) fn at_row(&self) -> i64 {
        self.mode.row - self.mode.scroll
    }

    pub(crate) fn at(&self) -> Pos {
        self.mode.cursor()
    }

    /// Puts out the lit matches if this command does that.
    fn put_out(&mut self, clear: Clear) {
        let stays = clear == Clear::Never || (clear == Clear::Emacs && self.is_vi());
        if self.mode.search.marks.is_some() && !stays {
            self.clear_marks();
            self.mode.search.origin = None;
        }
    }

    fn command(&mut self, command: &CopyCommand, repeat: u32) -> Ended {
        match command {
            CopyCommand::Do(action) => return self.act(*action, repeat),
            CopyCommand::Copy {
                extent,
                sink,
                prefix,
                after,
            } => return self.copy(*extent, sink, prefix.as_deref(), *after, repeat),
            CopyCommand::GotoLine(line) => self.goto_line(line),
            CopyCommand::Jump(direction, land, wanted) => {
                if !wanted.is_empty() {
                    self.mode.jump = Some((*direction, *land, wanted.clone()));
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
        Ended::Stay
    }

    fn act(&mut self, action: Action, repeat: u32) -> Ended {
        match action {
            Action::AppendSelection => self.append(),
            Action::AppendSelectionAndCancel => {
                self.append();
                return Ended::Leave;
            }
            Action::Cancel => return Ended::Leave,
            Action::CursorDownAndCancel => {
                let row = self.mode.row;
                self.times(repeat, |run| run.cursor_down(ScrollOnly::No));
                if row == self.mode.row && self.mode.scroll == 0 {
                    return Ended::Leave;
                }
            }
            Action::HalfpageDown => {
                return self.pages_down(repeat, Half::Yes, self.mode.scroll_exit);
            }
            Action::HalfpageDownAndCancel => return self.pages_down(repeat, Half::Yes, true),
            Action::PageDown => return self.pages_down(repeat, Half::No, self.mode.scroll_exit),
            Action::PageDownAndCancel => return self.pages_down(repeat, Half::No, true),
            Action::ScrollDown | Action::ScrollDownAndCancel => {
                self.times(repeat, |run| run.cursor_down(ScrollOnly::Yes));
                let leaves = action == Action::ScrollDownAndCancel || self.mode.scroll_exit;
                if leaves && self.mode.scroll == 0 {
                    return Ended::Leave;
                }
            }
            Action::RefreshFromPane => self.effects.push(CopyEffect::Refresh),
            Action::TogglePosition => self.mode.hide_position = !self.mode.hide_position,
            Action::SetMark => {
                self.mode.mark = self.at();
                self.mode.show_mark = true;
            }
            Action::JumpToMark => self.jump_to_mark(),
            Action::JumpAgain => self.jump_again(repeat, Direction::Forward),
            Action::JumpReverse => self.jump_again(repeat, Direction::Backward),
            Action::SearchAgain => self.search_again(repeat, Direction::Forward),
            Action::SearchReverse => self.search_again(repeat, Direction::Backward),
            _ if self.select(action, repeat) => {}
            _ => self.walk(action, repeat),
        }
        Ended::Stay
    }

    pub(crate) fn times(&mut self, repeat: u32, step: impl Fn(&mut Self)) {
        for _ in 0..repeat {
            let before = (self.mode.row, self.mode.col, self.mode.scroll);
            step(self);
            // Steps that lead nowhere lead nowhere the next time too.
            if before == (self.mode.row, self.mode.col, self.mode.scroll) {
                return;
            }
        }
    }

    /// The commands that change the selection. False if it is none of them.
    fn select(&mut self, action: Action, repeat: u32) -> bool {
        let selection = &mut self.mode.selection;
        match action {
            Action::BeginSelection => {
                selection.lines = Lines::No;
                selection.unit = Unit::Char;
                self.start_selection();
            }
            Action::StopSelection => {
                selection.drag = Drag::Neither;
                selection.lines = Lines::No;
                selection.unit = Unit::Char;
            }
            Action::ClearSelection => self.clear_selection(),
            Action::OtherEnd => {
                selection.unit = Unit::Char;
                if repeat % 2 == 1 {
                    self.other_end();
                }
            }
            Action::RectangleOn => self.set_rectangle(Some(true)),
            Action::RectangleOff => self.set_rectangle(Some(false)),
            Action::RectangleToggle => self.set_rectangle(None),
            Action::SelectLine => self.select_line(repeat),
            Action::SelectWord => self.select_word(),
            Action::SelectOutput => self.select_output(),
            _ => return false,
        }
        true
    }

    /// The commands that only move.
    fn walk(&mut self, action: Action, repeat: u32) {
        let separators = self.options.word_separators.as_str();
        match action {
            Action::BackToIndentation => self.walk_up(|reader| reader.indentation()),
            Action::StartOfLine => self.walk_up(|reader| reader.line_start()),
            Action::EndOfLine => self.end_of_line(),
            Action::TopLine => self.put_cursor(0),
            Action::MiddleLine => self.put_cursor(self.last_row() / 2),
            Action::BottomLine => self.put_cursor(self.last_row()),
            Action::HistoryTop => self.history_top(),
            Action::HistoryBottom => self.history_bottom(),
            Action::NextPrompt => self.prompt(Direction::Forward),
            Action::PreviousPrompt => self.prompt(Direction::Backward),
            Action::CursorUp => self.times(repeat, |run| run.cursor_up(ScrollOnly::No)),
            Action::CursorDown => self.times(repeat, |run| run.cursor_down(ScrollOnly::No)),
            Action::ScrollUp => self.times(repeat, |run| run.cursor_up(ScrollOnly::Yes)),
            Action::CursorLeft => self.times(repeat, Self::cursor_left),
            Action::CursorRight => self.times(repeat, Self::cursor_right),
            Action::HalfpageUp => self.times(repeat, |run| run.page_up(Half::Yes)),
            Action::PageUp => self.times(repeat, |run| run.page_up(Half::No)),
            Action::NextParagraph => self.times(repeat, Self::next_paragraph),
            Action::PreviousParagraph => self.times(repeat, Self::previous_paragraph),
            Action::NextMatchingBracket => self.next_bracket(repeat),
            Action::PreviousMatchingBracket => self.previous_bracket(repeat),
            Action::NextSpace => self.times(repeat, |run| run.next_word("")),
            Action::NextWord => self.times(repeat, |run| run.next_word(separators)),
            Action::NextSpaceEnd => self.times(repeat, |run| run.next_word_end("", Reset::Yes)),
            Action::NextWordEnd => {
                self.times(repeat, |run| run.next_word_end(separators, Reset::Yes));
            }
            Action::PreviousSpace => self.times(repeat, |run| run.previous_word("", Stay::Leave)),
            Action::PreviousWord => {
                self.times(repeat, |run| run.previous_word(separators, Stay::Leave));
            }
            _ => {}
        }
    }

    fn pages_down(&mut self, repeat: u32, half: Half, leaves: bool) -> Ended {
        for _ in 0..repeat {
            self.page_down(half);
            if leaves && self.mode.scroll == 0 {
                return Ended::Leave;
            }
        }
        Ended::Stay
    }

    fn append(&mut self) {
        if let Some(text) = self.selected_text() {
            self.effects.push(CopyEffect::Append {
                text,
                clipboard: self.options.set_clipboard,
            });
        }
        self.clear_selection();
    }

    fn copy(
        &mut self,
        extent: Extent,
        sink: &Sink,
        prefix: Option<&str>,
        after: After,
        repeat: u32,
    ) -> Ended {
        let before = (self.mode.row, self.mode.col, self.mode.scroll);
        if extent != Extent::Selection {
            if extent == Extent::Line {
                self.mode.selection.unit = Unit::Char;
                self.walk_up(|reader| reader.line_start());
            }
            self.start_selection();
            for _ in 1..repeat {
                self.cursor_down(ScrollOnly::No);
            }
            self.end_of_line();
        }
        self.give(sink, prefix);
        match after {
            After::Keep => return Ended::Stay,
            After::Cancel => return Ended::Leave,
            After::Clear => self.clear_selection(),
        }
        if extent != Extent::Selection {
            (self.mode.row, self.mode.col, self.mode.scroll) = before;
        }
        Ended::Stay
    }

    /// Sends what is selected where it should go.
    fn give(&mut self, sink: &Sink, prefix: Option<&str>) {
        let text = self.selected_text();
        if let Sink::BufferAndPipe(command) | Sink::Pipe(command) = sink {
            let named = command.as_deref().filter(|command| !command.is_empty());
            let command = named.unwrap_or(&self.options.copy_command);
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
                clipboard: self.options.set_clipboard,
            });
        }
    }

    fn jump_again(&mut self, repeat: u32, way: Direction) {
        let Some((direction, ..)) = self.mode.jump else {
            return;
        };
        self.repeat_jump(turned(direction, way), repeat);
    }

    fn search_again(&mut self, repeat: u32, way: Direction) {
        let Some(direction) = self.mode.search.kind else {
            return;
        };
        let pattern = self.mode.search.pattern;
        for _ in 0..repeat {
            self.search(turned(direction, way), pattern);
        }
    }

    fn repeat_jump(&mut self, direction: Direction, repeat: u32) {
        let Some((_, land, wanted)) = self.mode.jump.clone() else {
            return;
        };
        self.times(repeat, |run| match (direction, land) {
            (Direction::Forward, Land::On) => run.jump_on(&wanted),
            (Direction::Forward, Land::Before) => run.jump_before(&wanted),
            (Direction::Backward, Land::On) => run.jump_back_on(&wanted),
            (Direction::Backward, Land::Before) => run.jump_back_before(&wanted),
        });
    }

    /// How far right the cursor may go: anywhere if a rectangle is being selected.
    pub(crate) fn reach(&self) -> Reach {
        if self.mode.selection.exists && self.mode.selection.rectangle {
            Reach::Margin
        } else {
            Reach::Text
        }
    }
}

/// A direction as it was, or the other one.
fn turned(direction: Direction, way: Direction) -> Direction {
    match way {
        Direction::Forward => direction,
        Direction::Backward => direction.reversed(),
    }
}
