//! Words of a line, by the rules of tmux's prompt.

use crate::modes::prompt_line::Blanks;

/// A line, and what separates its words.
pub(crate) struct Words<'a> {
    pub(crate) text: &'a [char],
    pub(crate) separators: &'a str,
}

pub(crate) fn is_space(c: char) -> bool {
    c == ' '
}

impl Words<'_> {
    /// With words separated by blanks alone, as for vi's capital commands.
    pub(crate) fn only(self, blanks: Blanks) -> Self {
        match blanks {
            Blanks::Only => Self {
                separators: "",
                ..self
            },
            Blanks::AndSeparators => self,
        }
    }

    fn is_separator(&self, at: usize) -> bool {
        self.text
            .get(at)
            .is_some_and(|c| self.separators.contains(*c))
    }

    fn is_space(&self, at: usize) -> bool {
        self.text.get(at).is_some_and(|c| is_space(*c))
    }

    fn skip_spaces(&self, mut at: usize) -> usize {
        while self.is_space(at) {
            at += 1;
        }
        at
    }

    /// The beginning of the previous word.
    pub(crate) fn backward(&self, mut at: usize) -> usize {
        while at > 0 {
            at -= 1;
            if !self.is_space(at) {
                break;
            }
        }
        let kind = self.is_separator(at);
        while at > 0 && !self.is_space(at - 1) && self.is_separator(at - 1) == kind {
            at -= 1;
        }
        at
    }

    /// The end of the next word.
    pub(crate) fn forward(&self, at: usize) -> usize {
        self.behind_word(self.skip_spaces(at))
    }

    /// The beginning of the next word.
    pub(crate) fn vi_next(&self, at: usize) -> usize {
        self.skip_spaces(self.behind_word(at))
    }

    /// The last character of a word.
    pub(crate) fn vi_end(&self, at: usize) -> usize {
        let size = self.text.len();
        if at >= size {
            return at;
        }
        let start = self.skip_spaces(at + 1);
        self.behind_word(start).saturating_sub(1).max(at.min(size))
    }

    fn behind_word(&self, mut at: usize) -> usize {
        let size = self.text.len();
        if at >= size {
            return size;
        }
        let kind = self.is_separator(at) && !self.is_space(at);
        at += 1;
        while at < size && !self.is_space(at) && self.is_separator(at) == kind {
            at += 1;
        }
        at
    }
}
