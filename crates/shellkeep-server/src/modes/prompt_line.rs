//! The line editor of prompts, with the keys of emacs or vi, a history and completion.
//!
//! It does not know the server: keys go in, and results come out.

mod complete;
mod history;
mod words;

use shellkeep_core::key::{Key, KeyCode, Modifiers};

pub(crate) use crate::modes::prompt_line::complete::{Word, common_start};
pub(crate) use crate::modes::prompt_line::history::{Histories, PromptType};
use crate::modes::prompt_line::words::{Words, is_space};

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum EditKeys {
    #[default]
    Emacs,
    Vi,
}

/// How the answer is read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Taking {
    /// A line, ended by Enter.
    #[default]
    Line,
    Character,
    /// A single key, as its name.
    KeyName,
    /// Digits; any other key ends it.
    Number,
    /// A line that is reported at every change.
    Changes,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum ViState {
    #[default]
    Insert,
    Command,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Typed {
    /// Nothing, except perhaps a change on the screen.
    Nothing,
    /// The text so far, for a line that is reported; before it `=`, `-` or `+` for how to continue a search.
    Changed(String),
    Answer(String),
    /// The answer; the key is then handled as usual.
    AnswerAndKey(String),
    Cancel,
    /// The word before the cursor is to be completed.
    Complete,
    /// The last cut text is to be inserted.
    Paste,
    /// An older or newer line of the history is wanted.
    Older,
    Newer,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Line {
    text: Vec<char>,
    cursor: usize,
    keys: EditKeys,
    vi: ViState,
    taking: Taking,
    /// The text cut last by C-w.
    cut: Option<Vec<char>>,
    /// The text of the last search, for C-r and C-s on an empty line.
    last: String,
}

/// The meaning of a key, in either editor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Edit {
    Left,
    Right,
    Start,
    End,
    Complete,
    DeleteBefore,
    DeleteAt,
    Clear,
    CutToEnd,
    CutWord,
    ForwardWord,
    BackwardWord,
    /// Movements of vi: to the next word, to a word's end, and the same with words separated by blanks alone.
    ViNextWord(Blanks),
    ViEndWord(Blanks),
    ViBackWord,
    Older,
    Newer,
    Paste,
    Swap,
    Accept,
    Cancel,
    SearchBack,
    SearchForward,
    Insert(char),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Blanks {
    Only,
    AndSeparators,
}

impl Line {
    pub(crate) fn new(keys: EditKeys, taking: Taking, text: &str) -> Self {
        let mut line = Self {
            keys,
            taking,
            ..Self::default()
        };
        line.ask(text);
        line
    }

    /// Starts over with this text.
    pub(crate) fn ask(&mut self, text: &str) {
        if self.taking == Taking::Changes {
            text.clone_into(&mut self.last);
            self.replace("");
        } else {
            self.replace(text);
        }
        self.vi = ViState::Insert;
    }

    pub(crate) fn text(&self) -> String {
        self.text.iter().collect()
    }

    /// The number of characters before the cursor.
    pub(crate) fn cursor(&self) -> usize {
        self.cursor
    }

    /// Whether vi's keys are commands now.
    pub(crate) fn is_command_state(&self) -> bool {
        self.keys == EditKeys::Vi && self.vi == ViState::Command
    }

    /// Replaces the text; the cursor is at its end.
    pub(crate) fn replace(&mut self, text: &str) {
        self.text = text.chars().collect();
        self.cursor = self.text.len();
    }

    pub(crate) fn insert(&mut self, text: &str) {
        let text: Vec<char> = text.chars().filter(|c| !c.is_control()).collect();
        let count = text.len();
        self.text.splice(self.cursor..self.cursor, text);
        self.cursor += count;
    }

    /// The text cut last in this line.
    pub(crate) fn last_cut(&self) -> Option<String> {
        self.cut.as_ref().map(|cut| cut.iter().collect())
    }

    /// Whether the text is reported at every change, instead of at the end.
    pub(crate) fn reports_changes(&self) -> bool {
        self.taking == Taking::Changes
    }

    /// Whether its answers go into the history: only those typed as a line.
    pub(crate) fn is_for_history(&self) -> bool {
        matches!(self.taking, Taking::Line | Taking::Changes)
    }

    /// The text so far, as it is reported.
    pub(crate) fn change(&self) -> Typed {
        self.changed('=')
    }

    fn changed(&self, sign: char) -> Typed {
        match self.taking {
            Taking::Changes => Typed::Changed(format!("{sign}{}", self.text())),
            _ => Typed::Nothing,
        }
    }

    /// The word that the cursor is in or behind.
    pub(crate) fn word(&self) -> Word {
        Word::around(&self.text, self.cursor)
    }

    pub(crate) fn replace_word(&mut self, word: &Word, text: &str) {
        let text: Vec<char> = text.chars().collect();
        let end = word.start + text.len();
        self.text.splice(word.start..word.end, text);
        self.cursor = end;
    }

    pub(crate) fn press(&mut self, key: Key, separators: &str) -> Typed {
        match self.taking {
            Taking::KeyName => return Typed::Answer(key.to_string()),
            Taking::Number => {
                return match key.code() {
                    KeyCode::Char(digit @ '0'..='9') if key.mods().is_empty() => {
                        self.edit(Edit::Insert(digit), separators)
                    }
                    _ => Typed::AnswerAndKey(self.text()),
                };
            }
            _ => {}
        }
        let edit = match (self.keys, self.vi) {
            (EditKeys::Emacs, _) => emacs(key),
            (EditKeys::Vi, ViState::Insert) => self.vi_insert(key),
            (EditKeys::Vi, ViState::Command) => self.vi_command(key),
        };
        edit.map_or(Typed::Nothing, |edit| self.edit(edit, separators))
    }

    fn edit(&mut self, edit: Edit, separators: &str) -> Typed {
        let size = self.text.len();
        let words = Words {
            text: &self.text,
            separators,
        };
        match edit {
            Edit::Left => self.cursor = self.cursor.saturating_sub(1),
            Edit::Right => self.cursor = (self.cursor + 1).min(size),
            Edit::Start => self.cursor = 0,
            Edit::End => self.cursor = size,
            Edit::ForwardWord => self.cursor = words.forward(self.cursor),
            Edit::BackwardWord => self.cursor = words.backward(self.cursor),
            Edit::ViNextWord(blanks) => self.cursor = words.only(blanks).vi_next(self.cursor),
            Edit::ViEndWord(blanks) => self.cursor = words.only(blanks).vi_end(self.cursor),
            Edit::ViBackWord => self.cursor = words.only(Blanks::Only).backward(self.cursor),
            Edit::Complete => return Typed::Complete,
            Edit::Paste => return Typed::Paste,
            Edit::Older => return Typed::Older,
            Edit::Newer => return Typed::Newer,
            Edit::Accept => return Typed::Answer(self.text()),
            Edit::Cancel => return Typed::Cancel,
            Edit::SearchBack => return self.search('-'),
            Edit::SearchForward => return self.search('+'),
            Edit::Insert(c) => {
                self.text.insert(self.cursor, c);
                self.cursor += 1;
                return match (self.taking, self.text.len()) {
                    (Taking::Character, 1) => Typed::Answer(self.text()),
                    (Taking::Character, _) => Typed::Cancel,
                    _ => self.changed('='),
                };
            }
            deletion => {
                self.delete(deletion, separators);
                return self.changed('=');
            }
        }
        Typed::Nothing
    }

    fn delete(&mut self, edit: Edit, separators: &str) {
        let size = self.text.len();
        match edit {
            Edit::DeleteBefore if self.cursor > 0 => {
                self.cursor -= 1;
                self.text.remove(self.cursor);
            }
            Edit::DeleteAt if self.cursor < size => {
                self.text.remove(self.cursor);
            }
            Edit::Clear => {
                self.text.clear();
                self.cursor = 0;
            }
            Edit::CutToEnd => self.text.truncate(self.cursor),
            Edit::CutWord => {
                let words = Words {
                    text: &self.text,
                    separators,
                };
                let start = words.backward(self.cursor);
                self.cut = Some(self.text.drain(start..self.cursor).collect());
                self.cursor = start;
            }
            Edit::Swap => {
                let at = (self.cursor + 1).min(size);
                if at >= 2 {
                    self.text.swap(at - 2, at - 1);
                }
                self.cursor = at;
            }
            _ => {}
        }
    }

    /// Continues a search in a direction; on an empty line with the last search text.
    fn search(&mut self, sign: char) -> Typed {
        if self.taking != Taking::Changes {
            return Typed::Nothing;
        }
        if self.text.is_empty() {
            let last = self.last.clone();
            self.replace(&last);
            return self.changed('=');
        }
        self.changed(sign)
    }

    fn vi_insert(&mut self, key: Key) -> Option<Edit> {
        if key == Key::plain(KeyCode::Escape) {
            self.vi = ViState::Command;
            return None;
        }
        emacs(key)
    }

    fn vi_command(&mut self, key: Key) -> Option<Edit> {
        if !key.mods().is_empty() {
            return match emacs(key) {
                Some(edit @ (Edit::Accept | Edit::Cancel | Edit::DeleteBefore)) => Some(edit),
                _ => None,
            };
        }
        let insert = matches!(
            key.code(),
            KeyCode::Char('A' | 'I' | 'C' | 's' | 'a' | 'S' | 'i') | KeyCode::Escape
        );
        if insert {
            self.vi = ViState::Insert;
        }
        Some(match key.code() {
            KeyCode::BSpace => Edit::Left,
            KeyCode::Enter => Edit::Accept,
            KeyCode::Char('A' | '$') | KeyCode::End => Edit::End,
            KeyCode::Char('I' | '0' | '^') | KeyCode::Home => Edit::Start,
            KeyCode::Char('C' | 'D') => Edit::CutToEnd,
            KeyCode::Char('S' | 'd') => Edit::Clear,
            KeyCode::Char('X') => Edit::DeleteBefore,
            KeyCode::Char('s' | 'x') | KeyCode::Delete => Edit::DeleteAt,
            KeyCode::Char('b') => Edit::BackwardWord,
            KeyCode::Char('B') => Edit::ViBackWord,
            KeyCode::Char('e') => Edit::ViEndWord(Blanks::AndSeparators),
            KeyCode::Char('E') => Edit::ViEndWord(Blanks::Only),
            KeyCode::Char('w') => Edit::ViNextWord(Blanks::AndSeparators),
            KeyCode::Char('W') => Edit::ViNextWord(Blanks::Only),
            KeyCode::Char('p') => Edit::Paste,
            KeyCode::Char('q') => Edit::Cancel,
            KeyCode::Char('j') | KeyCode::Down => Edit::Newer,
            KeyCode::Char('k') | KeyCode::Up => Edit::Older,
            KeyCode::Char('h') | KeyCode::Left => Edit::Left,
            KeyCode::Char('a' | 'l') | KeyCode::Right => Edit::Right,
            _ => return None,
        })
    }
}

/// The meaning of a key in emacs, and in vi's insert mode.
fn emacs(key: Key) -> Option<Edit> {
    const NONE: Modifiers = Modifiers::empty();
    const CTRL: Modifiers = Modifiers::CTRL;
    const META: Modifiers = Modifiers::META;
    Some(match (key.code(), key.mods()) {
        (KeyCode::Left, NONE) | (KeyCode::Char('b'), CTRL) => Edit::Left,
        (KeyCode::Right, NONE) | (KeyCode::Char('f'), CTRL) => Edit::Right,
        (KeyCode::Home, NONE) | (KeyCode::Char('a'), CTRL) => Edit::Start,
        (KeyCode::End, NONE) | (KeyCode::Char('e'), CTRL) => Edit::End,
        (KeyCode::Tab, NONE) => Edit::Complete,
        (KeyCode::BSpace, NONE) | (KeyCode::Char('h' | '?'), CTRL) => Edit::DeleteBefore,
        (KeyCode::Delete, NONE) | (KeyCode::Char('d'), CTRL) => Edit::DeleteAt,
        (KeyCode::Char('u'), CTRL) => Edit::Clear,
        (KeyCode::Char('k'), CTRL) => Edit::CutToEnd,
        (KeyCode::Char('w'), CTRL) => Edit::CutWord,
        (KeyCode::Char('f'), META) | (KeyCode::Right, CTRL) => Edit::ForwardWord,
        (KeyCode::Char('b'), META) | (KeyCode::Left, CTRL) => Edit::BackwardWord,
        (KeyCode::Up, NONE) | (KeyCode::Char('p'), CTRL) => Edit::Older,
        (KeyCode::Down, NONE) | (KeyCode::Char('n'), CTRL) => Edit::Newer,
        (KeyCode::Char('y'), CTRL) => Edit::Paste,
        (KeyCode::Char('t'), CTRL) => Edit::Swap,
        (KeyCode::Enter, NONE) | (KeyCode::Char('j'), CTRL) => Edit::Accept,
        (KeyCode::Escape, NONE) | (KeyCode::Char('c' | 'g'), CTRL) => Edit::Cancel,
        (KeyCode::Char('r'), CTRL) => Edit::SearchBack,
        (KeyCode::Char('s'), CTRL) => Edit::SearchForward,
        (KeyCode::Char(c), mods) if (mods - Modifiers::SHIFT).is_empty() => Edit::Insert(c),
        (KeyCode::Keypad(key), NONE) => Edit::Insert(key.text()?),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::{Expect, expect};

    /// Checks the line after these keys, with a bar for the cursor, and the result of the last key.
    fn check(mut line: Line, keys: &str, expected: &Expect) {
        let mut last = Typed::Nothing;
        for name in keys.split(' ') {
            last = line.press(name.parse().expect("a key"), " -_@");
        }
        let mut text = line.text();
        let at = text
            .char_indices()
            .nth(line.cursor())
            .map_or(text.len(), |(at, _)| at);
        text.insert(at, '|');
        expected.assert_eq(&format!("{text} {last:?}"));
    }

    fn emacs_line() -> Line {
        Line::new(EditKeys::Emacs, Taking::Line, "one two-three")
    }

    fn vi_line() -> Line {
        Line::new(EditKeys::Vi, Taking::Line, "one two-three")
    }

    #[test]
    fn emacs_keys_move_and_delete_as_in_tmux() {
        check(emacs_line(), "C-w", &expect!["one two-| Nothing"]);
        check(emacs_line(), "C-w C-w", &expect!["one two| Nothing"]);
        check(emacs_line(), "C-a M-f C-k", &expect!["one| Nothing"]);
        check(
            emacs_line(),
            "M-b M-b X",
            &expect!["one twoX|-three Nothing"],
        );
        check(emacs_line(), "C-a C-t", &expect!["o|ne two-three Nothing"]);
        check(
            emacs_line(),
            "C-a Right Right C-t",
            &expect!["oen| two-three Nothing"],
        );
        check(emacs_line(), "C-u a b Left BSpace", &expect!["|b Nothing"]);
        check(emacs_line(), "Home DC", &expect!["|ne two-three Nothing"]);
        check(
            emacs_line(),
            "Enter",
            &expect![[r#"one two-three| Answer("one two-three")"#]],
        );
        check(emacs_line(), "C-c", &expect!["one two-three| Cancel"]);
    }

    #[test]
    fn vi_keys_are_commands_after_escape() {
        check(vi_line(), "Escape", &expect!["one two-three| Nothing"]);
        check(vi_line(), "Escape 0 w x", &expect!["one |wo-three Nothing"]);
        check(vi_line(), "Escape 0 e", &expect!["on|e two-three Nothing"]);
        check(vi_line(), "Escape 0 W D", &expect!["one | Nothing"]);
        check(vi_line(), "Escape B", &expect!["one |two-three Nothing"]);
        check(vi_line(), "Escape I x", &expect!["x|one two-three Nothing"]);
        check(vi_line(), "Escape A x", &expect!["one two-threex| Nothing"]);
        check(vi_line(), "Escape S x", &expect!["x| Nothing"]);
        check(vi_line(), "Escape q", &expect!["one two-three| Cancel"]);
    }

    #[test]
    fn answers_of_one_key_need_no_enter() {
        let line = |taking| Line::new(EditKeys::Emacs, taking, "");
        check(
            line(Taking::Character),
            "y",
            &expect![[r#"y| Answer("y")"#]],
        );
        check(line(Taking::Character), "Escape", &expect!["| Cancel"]);
        check(
            line(Taking::KeyName),
            "C-Left",
            &expect![[r#"| Answer("C-Left")"#]],
        );
        check(
            line(Taking::Number),
            "1 2 x",
            &expect![[r#"12| AnswerAndKey("12")"#]],
        );
    }

    #[test]
    fn changes_are_told_with_their_direction() {
        let line = || Line::new(EditKeys::Emacs, Taking::Changes, "before");
        check(line(), "a b", &expect![[r#"ab| Changed("=ab")"#]]);
        check(line(), "a C-r", &expect![[r#"a| Changed("-a")"#]]);
        check(line(), "a C-s", &expect![[r#"a| Changed("+a")"#]]);
        check(line(), "C-r", &expect![[r#"before| Changed("=before")"#]]);
    }
}
