//! Splits text into tokens.

use super::host::Host;
use super::source::{Position, Source};

/// What the grammar is made of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Token {
    Word(String),
    /// A word `NAME=value`; the number is the position of the equals sign.
    Equals(String, usize),
    Open,
    Close,
    Semicolon,
    /// `;;`, which we print where a new sequence begins.
    Apart,
    Newline,
    Hidden,
    If,
    Elif,
    Else,
    Endif,
    End,
}

/// Why there is no token, and from where to continue.
#[derive(Debug)]
pub(super) struct LexError {
    pub(super) line: usize,
    pub(super) message: String,
    pub(super) resume: Resume,
}

/// Where to continue after an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Resume {
    /// From the next token.
    Token,
    /// At the end of the line, because the rest of it is part of the broken token.
    LineEnd,
    /// At the end of an earlier line, because a quote contains everything after it.
    Back(Position),
}

impl LexError {
    pub(super) fn syntax(line: usize) -> Self {
        Self {
            line,
            message: "syntax error".to_owned(),
            resume: Resume::Token,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Quote {
    Start,
    None,
    Single,
    Double,
}

/// Splits a text into tokens, one at a time, because variables may be set between them.
pub(super) struct Lexer {
    pub(super) source: Source,
    /// The number of open braces.
    pub(super) braces: usize,
    /// Whether a format may come next, as after `%if`.
    wants_format: bool,
}

impl Lexer {
    pub(super) fn new(text: &str) -> Self {
        Self {
            source: Source::new(text),
            braces: 0,
            wants_format: false,
        }
    }

    pub(super) fn line(&self) -> usize {
        self.source.position().line
    }

    fn fail<T>(&self, message: &str) -> Result<T, LexError> {
        Err(LexError {
            line: self.line(),
            message: message.to_owned(),
            resume: Resume::LineEnd,
        })
    }

    pub(super) fn next(&mut self, host: &dyn Host) -> Result<Token, LexError> {
        let wants_format = std::mem::take(&mut self.wants_format);
        loop {
            let Some(c) = self.source.peek() else {
                return Ok(Token::End);
            };
            match c {
                ' ' | '\t' => {
                    self.source.next();
                }
                '\n' => return Ok(self.single(Token::Newline)),
                ';' => {
                    self.source.next();
                    return Ok(if self.source.take(';') {
                        Token::Apart
                    } else {
                        Token::Semicolon
                    });
                }
                '{' => {
                    self.braces += 1;
                    return Ok(self.single(Token::Open));
                }
                '}' => {
                    self.braces = self.braces.saturating_sub(1);
                    return Ok(self.single(Token::Close));
                }
                '#' if wants_format && self.source.rest().starts_with("#{") => {
                    return self.format();
                }
                '#' => self.source.skip_line(),
                '%' => return self.percent(),
                _ => return self.word(host),
            }
        }
    }

    fn single(&mut self, token: Token) -> Token {
        self.source.next();
        token
    }

    /// `%if` and similar directives; a word of percent signs and digits is a word.
    fn percent(&mut self) -> Result<Token, LexError> {
        let line = self.line();
        let word = self
            .source
            .take_while(|c| !matches!(c, ' ' | '\t' | '\n' | ';' | '{' | '}'));
        if word.chars().all(|c| c == '%' || c.is_ascii_digit()) {
            return Ok(Token::Word(word));
        }
        self.wants_format = true;
        match word.as_str() {
            "%hidden" => Ok(Token::Hidden),
            "%if" => Ok(Token::If),
            "%elif" => Ok(Token::Elif),
            "%else" => Ok(Token::Else),
            "%endif" => Ok(Token::Endif),
            _ => Err(LexError::syntax(line)),
        }
    }

    /// `#{…}` with its content.
    fn format(&mut self) -> Result<Token, LexError> {
        let mut text = String::new();
        let mut open = 0_usize;
        while let Some(c) = self.source.peek().filter(|c| *c != '\n') {
            self.source.next();
            text.push(c);
            match c {
                '#' if self.source.take('{') => {
                    text.push('{');
                    open += 1;
                }
                '}' => {
                    open -= 1;
                    if open == 0 {
                        return Ok(Token::Word(text));
                    }
                }
                _ => {}
            }
        }
        Err(LexError::syntax(self.line()))
    }

    fn word(&mut self, host: &dyn Host) -> Result<Token, LexError> {
        let mut word = Vec::new();
        let mut quote = Quote::None;
        let mut before = Quote::Start;
        let mut opened = self.source.position();
        while let Some(c) = self.source.peek() {
            let is_end = quote == Quote::None && matches!(c, ' ' | '\t' | '\n' | ';' | '}');
            if is_end {
                break;
            }
            let position = self.source.position();
            self.source.next();
            match c {
                '\n' => self.line_in_quotes(&mut word),
                '\\' if quote != Quote::Single => self.escape(&mut word)?,
                '~' if quote != Quote::Single && before != quote => self.home(&mut word, host)?,
                '$' if quote != Quote::Single => self.variable(&mut word, host)?,
                '\'' if quote != Quote::Double => {
                    quote = turn(quote, Quote::Single);
                    opened = position;
                    continue;
                }
                '"' if quote != Quote::Single => {
                    quote = turn(quote, Quote::Double);
                    opened = position;
                    continue;
                }
                _ => push(&mut word, c),
            }
            before = quote;
        }
        self.check_quote(quote, opened)?;
        let word = String::from_utf8(word)
            .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned());
        if word.contains('\0') {
            return self.fail("a null character");
        }
        Ok(match assignment(&word) {
            Some(at) => Token::Equals(word, at),
            None => Token::Word(word),
        })
    }

    /// An unclosed quote ends with the text, as in tmux. But if it contains whole lines, parsing these is better than
    /// guessing.
    fn check_quote(&self, quote: Quote, opened: Position) -> Result<(), LexError> {
        let name = match quote {
            Quote::Single => "single",
            Quote::Double => "double",
            Quote::Start | Quote::None => return Ok(()),
        };
        if opened.line == self.line() {
            return Ok(());
        }
        Err(LexError {
            line: opened.line,
            message: format!("a {name} quote is not closed"),
            resume: Resume::Back(opened),
        })
    }

    /// A newline in quotes stays; blanks at the beginning of the next line, or a comment, are dropped.
    fn line_in_quotes(&mut self, word: &mut Vec<u8>) {
        word.push(b'\n');
        self.source.take_while(|c| matches!(c, ' ' | '\t'));
        if self.source.peek() == Some('#') {
            self.source.skip_line();
        }
    }

    fn escape(&mut self, word: &mut Vec<u8>) -> Result<(), LexError> {
        let Some(c) = self.source.next() else {
            return Err(LexError::syntax(self.line()));
        };
        match c {
            'a' => word.push(0x07),
            'b' => word.push(0x08),
            'e' => word.push(0x1b),
            'f' => word.push(0x0c),
            'n' => word.push(b'\n'),
            'r' => word.push(b'\r'),
            's' => word.push(b' '),
            't' => word.push(b'\t'),
            'v' => word.push(0x0b),
            'u' => return self.unicode(word, 4, "invalid \\u argument"),
            'U' => return self.unicode(word, 8, "invalid \\U argument"),
            '0'..='7' => return self.octal(word, c),
            _ => push(word, c),
        }
        Ok(())
    }

    fn octal(&mut self, word: &mut Vec<u8>, first: char) -> Result<(), LexError> {
        let mut number = first.to_digit(8).unwrap_or_default();
        for _ in 0..2 {
            match self.source.peek().and_then(|c| c.to_digit(8)) {
                Some(digit) => number = number * 8 + digit,
                None => return self.fail("invalid octal escape"),
            }
            self.source.next();
        }
        match u8::try_from(number) {
            Ok(byte) => word.push(byte),
            Err(_) => return self.fail("invalid octal escape"),
        }
        Ok(())
    }

    fn unicode(
        &mut self,
        word: &mut Vec<u8>,
        digits: usize,
        message: &str,
    ) -> Result<(), LexError> {
        let mut number = 0_u32;
        for _ in 0..digits {
            match self.source.peek().and_then(|c| c.to_digit(16)) {
                Some(digit) => number = (number << 4) | digit,
                None => return self.fail(message),
            }
            self.source.next();
        }
        match char::from_u32(number) {
            Some(c) => push(word, c),
            None => return self.fail(message),
        }
        Ok(())
    }

    fn home(&mut self, word: &mut Vec<u8>, host: &dyn Host) -> Result<(), LexError> {
        let user = self
            .source
            .take_while(|c| !matches!(c, '/' | ' ' | '\t' | '\n' | '"' | '\'' | ';' | '}'));
        let user = Some(user.as_str()).filter(|user| !user.is_empty());
        match host.home(user) {
            Some(home) => word.extend(home.bytes()),
            None => return Err(LexError::syntax(self.line())),
        }
        Ok(())
    }

    fn variable(&mut self, word: &mut Vec<u8>, host: &dyn Host) -> Result<(), LexError> {
        let is_braced = self.source.take('{');
        let begins_name = |c: char| c == '_' || c.is_ascii_alphabetic();
        if !is_braced && !self.source.peek().is_some_and(begins_name) {
            word.push(b'$');
            return Ok(());
        }
        let name = self
            .source
            .take_while(|c| c == '_' || c.is_ascii_alphanumeric());
        if is_braced && !self.source.take('}') {
            return self.fail("invalid environment variable");
        }
        word.extend(host.variable(&name).unwrap_or_default().bytes());
        Ok(())
    }
}

fn turn(quote: Quote, wanted: Quote) -> Quote {
    if quote == Quote::None {
        wanted
    } else {
        Quote::None
    }
}

fn push(word: &mut Vec<u8>, c: char) {
    word.extend(c.encode_utf8(&mut [0; 4]).bytes());
}

/// The position of the equals sign in `NAME=value`.
fn assignment(word: &str) -> Option<usize> {
    let at = word.find('=')?;
    let name = &word[..at];
    let is_name = name.starts_with(|c: char| c == '_' || c.is_ascii_alphabetic())
        && name.chars().all(|c| c == '_' || c.is_ascii_alphanumeric());
    is_name.then_some(at)
}
