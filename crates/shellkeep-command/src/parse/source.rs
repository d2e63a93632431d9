//! A text with joined lines, read one character at a time.

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Position {
    at: usize,
    joined: usize,
    /// The line, from 1.
    pub(super) line: usize,
}

/// A text without continuations: a backslash at the end of a line joins the next one to it, even in quotes and
/// comments.
pub(super) struct Source {
    text: String,
    /// The positions in `text` from which a newline was removed.
    joints: Vec<usize>,
    position: Position,
}

impl Source {
    pub(super) fn new(text: &str) -> Self {
        let mut clean = String::with_capacity(text.len());
        let mut joints = Vec::new();
        for piece in text.split_inclusive('\n') {
            let Some(line) = piece.strip_suffix('\n') else {
                clean.push_str(piece);
                break;
            };
            let line = line.strip_suffix('\r').unwrap_or(line);
            let backslashes = line.len() - line.trim_end_matches('\\').len();
            if backslashes % 2 == 1 {
                clean.push_str(&line[..line.len() - 1]);
                joints.push(clean.len());
            } else {
                clean.push_str(line);
                clean.push('\n');
            }
        }
        let position = Position {
            at: 0,
            joined: 0,
            line: 1,
        };
        Self {
            text: clean,
            joints,
            position,
        }
    }

    pub(super) fn position(&self) -> Position {
        self.position
    }

    pub(super) fn go_to(&mut self, position: Position) {
        self.position = position;
    }

    pub(super) fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    pub(super) fn rest(&self) -> &str {
        &self.text[self.position.at..]
    }

    pub(super) fn next(&mut self) -> Option<char> {
        let c = self.peek()?;
        self.position.at += c.len_utf8();
        self.position.line += usize::from(c == '\n');
        while let Some(joint) = self.joints.get(self.position.joined) {
            if *joint >= self.position.at {
                break;
            }
            self.position.joined += 1;
            self.position.line += 1;
        }
        Some(c)
    }

    /// Takes the next character if it is `wanted`.
    pub(super) fn take(&mut self, wanted: char) -> bool {
        let is_next = self.peek() == Some(wanted);
        if is_next {
            self.next();
        }
        is_next
    }

    /// Takes characters while `fits` is true.
    pub(super) fn take_while(&mut self, fits: impl Fn(char) -> bool) -> String {
        let mut taken = String::new();
        while let Some(c) = self.peek().filter(|c| fits(*c)) {
            taken.push(c);
            self.next();
        }
        taken
    }

    /// Skips to the end of the line, before its newline.
    pub(super) fn skip_line(&mut self) {
        while self.peek().is_some_and(|c| c != '\n') {
            self.next();
        }
    }
}
