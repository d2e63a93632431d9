//! Parses tokens to commands.

use super::error::ParseError;
use super::host::{Host, NoHost, Visibility};
use super::lexer::{LexError, Lexer, Resume, Token};
use super::parsed::{Arg, List, Parsed};
use super::source::Position;

/// The deepest nesting of blocks and conditions.
const MAX_DEPTH: usize = 64;

/// How often a text is parsed again from the line after an unclosed quote. Each time takes a pass over the rest, so the
/// number is limited.
const MAX_RETURNS: u8 = 16;

/// The most commands that an alias may expand to.
const MAX_FROM_ALIAS: usize = 1000;

/// The result of parsing a text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    pub list: List,
    pub errors: Vec<ParseError>,
}

/// Whether commands are run, or are in a branch of a condition that is false.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Liveness {
    Live,
    Dead,
}

/// What begins a new sequence of commands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Parting {
    /// A line, and `;;`: so in a file.
    Lines,
    /// Nothing: so in a text that is the argument of a command.
    Nothing,
}

/// The block or condition that contains a statement.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Enclosing {
    Text,
    Condition,
    Block,
}

/// A text that is parsed piece by piece.
///
/// Parsing a long text at once would delay other work. Its host may change between two pieces.
pub struct TextParser {
    lexer: Lexer,
    peeked: Option<Token>,
    /// The line of the peeked token.
    line: usize,
    errors: Vec<ParseError>,
    returns: u8,
    depth: usize,
    blocks: usize,
    list: List,
    parting: Parting,
}

/// Whether a text has more statements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rest {
    More,
    None,
}

impl TextParser {
    /// A text that is not parsed yet.
    #[must_use]
    pub fn new(text: &str) -> Self {
        Self {
            lexer: Lexer::new(text),
            peeked: None,
            line: 1,
            errors: Vec::new(),
            returns: 0,
            depth: 1,
            blocks: 0,
            list: List::default(),
            parting: Parting::Lines,
        }
    }

    /// Parses up to `most` statements. A block or a condition is one statement, whatever its length.
    pub fn read_some(&mut self, most: usize, host: &mut dyn Host) -> Rest {
        let mut list = std::mem::take(&mut self.list);
        let mut grammar = Grammar { text: self, host };
        let mut rest = Rest::More;
        for _ in 0..most {
            match grammar.one_statement(Enclosing::Text, Liveness::Live, &mut list) {
                Ok(false) => continue,
                Ok(true) => {}
                Err(fail) => grammar.report(&fail),
            }
            rest = Rest::None;
            break;
        }
        self.list = list;
        rest
    }

    /// The commands and errors since the last call.
    #[must_use]
    pub fn take_read(&mut self) -> Outcome {
        self.list.trim();
        Outcome {
            list: std::mem::take(&mut self.list),
            errors: std::mem::take(&mut self.errors),
        }
    }

    /// What was read.
    #[must_use]
    pub fn finish(mut self) -> Outcome {
        self.take_read()
    }
}

struct Grammar<'a> {
    text: &'a mut TextParser,
    host: &'a mut dyn Host,
}

pub(super) fn read(text: &str, host: &mut dyn Host) -> Outcome {
    let mut parser = TextParser::new(text);
    while parser.read_some(usize::MAX, host) == Rest::More {}
    parser.finish()
}

/// Reads a text whose commands are one sequence, however many lines it has.
pub(super) fn read_joined(text: &str, host: &mut dyn Host) -> Outcome {
    let mut parser = TextParser::new(text);
    parser.parting = Parting::Nothing;
    while parser.read_some(usize::MAX, host) == Rest::More {}
    parser.finish()
}

/// Adds a command, or the commands of its alias. The result of an alias is not looked up again, because it may have the
/// alias's own name.
pub(super) fn push_command(list: &mut List, command: Parsed, host: &dyn Host) {
    let Some(Arg::Text(name)) = command.argv().first() else {
        return;
    };
    let Some(text) = host.alias(name) else {
        list.push(command);
        return;
    };
    let outcome = read(&text, &mut NoHost);
    let mut commands: Vec<Parsed> = outcome.list.0.into_iter().flatten().collect();
    commands.truncate(MAX_FROM_ALIAS);
    for made in &mut commands {
        made.line = command.line;
    }
    if let Some(last) = commands.last_mut() {
        last.argv_mut().extend(command.argv.into_iter().skip(1));
    }
    for made in commands {
        list.push(made);
    }
}

impl Grammar<'_> {
    fn peek(&mut self) -> Result<&Token, LexError> {
        if self.text.peeked.is_none() {
            let token = self.text.lexer.next(&*self.host)?;
            // A newline belongs to the line that it ends.
            let is_newline = token == Token::Newline;
            self.text.line = self.text.lexer.line() - usize::from(is_newline);
            self.text.peeked = Some(token);
        }
        Ok(self.text.peeked.as_ref().unwrap_or(&Token::End))
    }

    fn next(&mut self) -> Result<Token, LexError> {
        self.peek()?;
        Ok(self.text.peeked.take().unwrap_or(Token::End))
    }

    /// Takes the next token, which must be a word.
    fn word(&mut self) -> Result<Token, LexError> {
        match self.peek()? {
            Token::Word(_) | Token::Equals(..) => self.next(),
            _ => self.syntax(),
        }
    }

    fn syntax<T>(&self) -> Result<T, LexError> {
        Err(LexError::syntax(self.text.line))
    }

    fn report(&mut self, fail: &LexError) {
        self.text.errors.push(ParseError {
            line: fail.line,
            message: fail.message.clone(),
        });
    }

    /// Parses statements up to the token that ends them, which the caller takes.
    fn statements(
        &mut self,
        within: Enclosing,
        liveness: Liveness,
        out: &mut List,
    ) -> Result<(), LexError> {
        self.deeper()?;
        while !self.one_statement(within, liveness, out)? {}
        self.text.depth -= 1;
        Ok(())
    }

    /// Parses one statement, or skips it after an error. Returns whether no statement follows.
    fn one_statement(
        &mut self,
        within: Enclosing,
        liveness: Liveness,
        out: &mut List,
    ) -> Result<bool, LexError> {
        let depth = self.text.depth;
        out.trim();
        let length = out.0.len();
        match self.statement(within, liveness, out) {
            // An error in a block also spoils the statement that contains it.
            Err(fail) if self.text.blocks > 0 => Err(fail),
            Err(fail) => {
                out.0.truncate(length);
                Ok(self.recover(&fail, depth))
            }
            is_over => is_over,
        }
    }

    /// Begins a new sequence where lines do so.
    fn begin(&self, out: &mut List) {
        if self.text.parting == Parting::Lines || out.0.is_empty() {
            out.begin();
        }
    }

    fn deeper(&mut self) -> Result<(), LexError> {
        if self.text.depth >= MAX_DEPTH {
            return Err(LexError {
                line: self.text.line,
                message: format!("more than {MAX_DEPTH} blocks inside each other"),
                resume: Resume::Token,
            });
        }
        self.text.depth += 1;
        Ok(())
    }

    /// Continues after a statement with an error. Returns whether nothing is left.
    fn recover(&mut self, fail: &LexError, depth: usize) -> bool {
        self.report(fail);
        (self.text.depth, self.text.blocks) = (depth, 0);
        match fail.resume {
            Resume::Token => {}
            Resume::LineEnd => {
                self.text.peeked = None;
                self.text.lexer.source.skip_line();
            }
            Resume::Back(position) => {
                self.text.peeked = None;
                if !self.go_back(position) {
                    return true;
                }
            }
        }
        loop {
            match self.next() {
                Ok(Token::Newline) if self.text.lexer.braces == 0 => return false,
                // If a brace is never closed, it is unknown which lines belong to the block, and running them on their
                // own might do harm.
                Ok(Token::End) => return true,
                Ok(_) => {}
                Err(LexError {
                    resume: Resume::Back(position),
                    ..
                }) => {
                    if !self.go_back(position) {
                        return true;
                    }
                }
                Err(_) => self.text.lexer.source.skip_line(),
            }
        }
    }

    /// Parses again from the end of an earlier line, unless that was done too often.
    fn go_back(&mut self, position: Position) -> bool {
        self.text.returns += 1;
        if self.text.returns > MAX_RETURNS {
            return false;
        }
        self.text.lexer.source.go_to(position);
        self.text.lexer.source.skip_line();
        true
    }

    /// Parses one statement with its newline. Returns whether no statement follows.
    fn statement(
        &mut self,
        within: Enclosing,
        liveness: Liveness,
        out: &mut List,
    ) -> Result<bool, LexError> {
        match self.peek()? {
            Token::Newline => {
                self.next()?;
                return Ok(false);
            }
            Token::End if within == Enclosing::Text => return Ok(true),
            Token::End => {
                let fail = LexError::syntax(self.text.line);
                if self.text.blocks == 0 {
                    // A condition without an end: its statements count.
                    self.report(&fail);
                    return Ok(true);
                }
                return Err(fail);
            }
            Token::Close if within == Enclosing::Block => return Ok(true),
            Token::Elif | Token::Else | Token::Endif if within == Enclosing::Condition => {
                return Ok(true);
            }
            Token::Hidden => self.hidden(liveness)?,
            Token::If => {
                self.begin(out);
                self.condition(liveness, out)?;
            }
            _ => {
                self.begin(out);
                self.commands(liveness, out)?;
            }
        }
        match self.peek()? {
            Token::Newline => {
                self.next()?;
                Ok(false)
            }
            Token::End => Ok(false),
            Token::Close if within == Enclosing::Block => Ok(true),
            Token::Elif | Token::Else | Token::Endif if within == Enclosing::Condition => Ok(true),
            _ => self.syntax(),
        }
    }

    /// `%hidden NAME=value`
    fn hidden(&mut self, liveness: Liveness) -> Result<(), LexError> {
        self.next()?;
        let Token::Equals(word, at) = self.word()? else {
            return self.syntax();
        };
        if liveness == Liveness::Live {
            let (name, value) = (&word[..at], &word[at + 1..]);
            self.host.set_variable(name, value, Visibility::Hidden);
        }
        Ok(())
    }

    /// `%if` to `%endif`, over lines or within one.
    fn condition(&mut self, liveness: Liveness, out: &mut List) -> Result<(), LexError> {
        self.deeper()?;
        let mut has_held = false;
        let mut had_else = false;
        loop {
            let is_part = matches!(
                self.peek()?,
                Token::If | Token::Elif | Token::Else | Token::Endif | Token::End
            );
            if !is_part {
                return self.syntax();
            }
            let holds = match self.next()? {
                Token::Endif => break,
                Token::If => self.holds(liveness)?,
                Token::Elif if !had_else => {
                    self.holds(if has_held { Liveness::Dead } else { liveness })?
                }
                Token::Else if !had_else => {
                    had_else = true;
                    true
                }
                Token::End => {
                    // Already reported. The condition ends with the text.
                    self.text.peeked = Some(Token::End);
                    break;
                }
                _ => return self.syntax(),
            };
            let branch = if holds && !has_held {
                liveness
            } else {
                Liveness::Dead
            };
            has_held |= holds;
            if *self.peek()? == Token::Newline {
                let mut inner = List::default();
                let target = if branch == Liveness::Live {
                    &mut *out
                } else {
                    &mut inner
                };
                self.statements(Enclosing::Condition, branch, target)?;
            } else {
                self.commands(branch, out)?;
            }
        }
        self.text.depth -= 1;
        Ok(())
    }

    fn holds(&mut self, liveness: Liveness) -> Result<bool, LexError> {
        let (Token::Word(text) | Token::Equals(text, _)) = self.word()? else {
            return self.syntax();
        };
        if liveness == Liveness::Dead {
            return Ok(false);
        }
        let value = self.host.expand(&text);
        Ok(!value.is_empty() && value != "0")
    }

    /// Commands separated by `;`. As a newline does, `;;` begins a new sequence.
    fn commands(&mut self, liveness: Liveness, out: &mut List) -> Result<(), LexError> {
        loop {
            match self.peek()? {
                Token::If => self.condition(liveness, out)?,
                Token::Word(_) | Token::Equals(..) => self.command(liveness, out)?,
                _ => return self.syntax(),
            }
            let (mut is_joined, mut is_apart) = (false, false);
            while matches!(self.peek()?, Token::Semicolon | Token::Apart) {
                is_apart |= self.next()? == Token::Apart;
                is_joined = true;
            }
            let is_more = matches!(self.peek()?, Token::If | Token::Word(_) | Token::Equals(..));
            if !is_joined || !is_more {
                return Ok(());
            }
            if is_apart {
                self.begin(out);
            }
        }
    }

    fn command(&mut self, liveness: Liveness, out: &mut List) -> Result<(), LexError> {
        let mut first = self.next()?;
        if let Token::Equals(word, at) = &first {
            if liveness == Liveness::Live {
                let (name, value) = (&word[..*at], &word[at + 1..]);
                self.host.set_variable(name, value, Visibility::Exported);
            }
            if !matches!(self.peek()?, Token::Word(_)) {
                return if matches!(self.peek()?, Token::Equals(..)) {
                    self.syntax()
                } else {
                    Ok(())
                };
            }
            first = self.next()?;
        }
        let line = self.text.line;
        let Token::Word(name) = first else {
            return self.syntax();
        };
        let mut argv = vec![Arg::Text(name)];
        loop {
            match self.peek()? {
                Token::Word(_) | Token::Equals(..) => {
                    if let Token::Word(word) | Token::Equals(word, _) = self.next()? {
                        argv.push(Arg::Text(word));
                    }
                }
                Token::Open => argv.push(Arg::Block(self.block(liveness)?)),
                _ => break,
            }
        }
        if liveness == Liveness::Live {
            push_command(out, Parsed::new(line, argv), &*self.host);
        }
        Ok(())
    }

    fn block(&mut self, liveness: Liveness) -> Result<List, LexError> {
        self.next()?;
        let line = self.text.line;
        self.text.blocks += 1;
        let mut list = List::default();
        let result = self.statements(Enclosing::Block, liveness, &mut list);
        let closed = result.and_then(|()| self.next());
        self.text.blocks -= 1;
        match closed {
            Ok(Token::Close) => {}
            _ if self.text.peeked == Some(Token::End) => return Err(LexError::syntax(line)),
            Ok(_) => return self.syntax(),
            Err(fail) => return Err(fail),
        }
        list.trim();
        Ok(list)
    }
}
