//! Tokens to commands.

use super::lexer::{Fail, Lexer, Resume, Token};
use super::{Arg, DEEPEST, Host, List, Outcome, ParseError, Parsed, Visibility};

/// How often a text is read again from the line after a quote that nothing closes. Each time
/// costs a pass over what is left, so that there has to be an end.
const MOST_RETURNS: usize = 16;

/// How many commands aliases may make of one.
const MOST_FROM_ALIAS: usize = 1000;

/// Whether commands count, or stand in the part of a condition that does not hold.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Life {
    Live,
    Dead,
}

/// What statements stand in.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Within {
    Text,
    Condition,
    Block,
}

struct Grammar<'a> {
    lexer: Lexer,
    host: &'a mut dyn Host,
    peeked: Option<Token>,
    /// The line of the token that was peeked at.
    line: usize,
    errors: Vec<ParseError>,
    returns: usize,
    depth: usize,
    /// Blocks we are in.
    blocks: usize,
}

pub(super) fn read(text: &str, host: &mut dyn Host) -> Outcome {
    let mut grammar = Grammar {
        lexer: Lexer::new(text),
        host,
        peeked: None,
        line: 1,
        errors: Vec::new(),
        returns: 0,
        depth: 0,
        blocks: 0,
    };
    let mut list = List::default();
    let result = grammar.statements(Within::Text, Life::Live, &mut list);
    if let Err(fail) = result {
        grammar.report(&fail);
    }
    list.trim();
    Outcome {
        list,
        errors: grammar.errors,
    }
}

/// Adds a command, or what its alias stands for. An alias is looked up once: what it stands for may have
/// its own name.
pub(super) fn push_command(list: &mut List, command: Parsed, host: &dyn Host) {
    let Some(Arg::Text(name)) = command.argv.first() else {
        return;
    };
    let Some(text) = host.alias(name) else {
        list.push(command);
        return;
    };
    let outcome = super::parse_text(&text, &mut super::NoHost);
    let mut commands: Vec<Parsed> = outcome.list.0.into_iter().flatten().collect();
    commands.truncate(MOST_FROM_ALIAS);
    for made in &mut commands {
        made.line = command.line;
    }
    if let Some(last) = commands.last_mut() {
        last.argv.extend(command.argv.into_iter().skip(1));
    }
    for made in commands {
        list.push(made);
    }
}

impl Grammar<'_> {
    fn peek(&mut self) -> Result<&Token, Fail> {
        if self.peeked.is_none() {
            let token = self.lexer.next(&*self.host)?;
            // A line end belongs to the line it ends.
            let is_newline = token == Token::Newline;
            self.line = self.lexer.line() - usize::from(is_newline);
            self.peeked = Some(token);
        }
        Ok(self.peeked.as_ref().unwrap_or(&Token::End))
    }

    fn next(&mut self) -> Result<Token, Fail> {
        self.peek()?;
        Ok(self.peeked.take().unwrap_or(Token::End))
    }

    /// Takes a word, and nothing else.
    fn word(&mut self) -> Result<Token, Fail> {
        match self.peek()? {
            Token::Word(_) | Token::Equals(..) => self.next(),
            _ => self.syntax(),
        }
    }

    fn syntax<T>(&self) -> Result<T, Fail> {
        Err(Fail::syntax(self.line))
    }

    fn report(&mut self, fail: &Fail) {
        self.errors.push(ParseError {
            line: fail.line,
            message: fail.message.clone(),
        });
    }

    /// Statements up to what ends them, which is left to the caller.
    fn statements(&mut self, within: Within, life: Life, out: &mut List) -> Result<(), Fail> {
        self.deeper()?;
        loop {
            let depth = self.depth;
            out.trim();
            let length = out.0.len();
            let is_over = match self.statement(within, life, out) {
                Ok(is_over) => is_over,
                // What a block stands in is spoilt as well.
                Err(fail) if self.blocks > 0 => return Err(fail),
                Err(fail) => {
                    out.0.truncate(length);
                    self.recover(&fail, depth)
                }
            };
            if is_over {
                break;
            }
        }
        self.depth -= 1;
        Ok(())
    }

    fn deeper(&mut self) -> Result<(), Fail> {
        if self.depth >= DEEPEST {
            return Err(Fail {
                line: self.line,
                message: format!("more than {DEEPEST} blocks inside each other"),
                resume: Resume::Token,
            });
        }
        self.depth += 1;
        Ok(())
    }

    /// Goes on behind the statement that failed. Returns whether there is nothing left.
    fn recover(&mut self, fail: &Fail, depth: usize) -> bool {
        self.report(fail);
        (self.depth, self.blocks) = (depth, 0);
        match fail.resume {
            Resume::Token => {}
            Resume::LineEnd => {
                self.peeked = None;
                self.lexer.source.skip_line();
            }
            Resume::Back(place) => {
                self.peeked = None;
                if !self.go_back(place) {
                    return true;
                }
            }
        }
        loop {
            match self.next() {
                Ok(Token::Newline) if self.lexer.braces == 0 => return false,
                // If a brace is open to the very end nobody knows which lines were meant to stand in it,
                // and to run those by themselves might do harm.
                Ok(Token::End) => return true,
                Ok(_) => {}
                Err(Fail {
                    resume: Resume::Back(place),
                    ..
                }) => {
                    if !self.go_back(place) {
                        return true;
                    }
                }
                Err(_) => self.lexer.source.skip_line(),
            }
        }
    }

    /// Reads again from the end of an earlier line, unless that was done too often.
    fn go_back(&mut self, place: super::source::Place) -> bool {
        self.returns += 1;
        if self.returns > MOST_RETURNS {
            return false;
        }
        self.lexer.source.go_to(place);
        self.lexer.source.skip_line();
        true
    }

    /// One statement with its line end. Returns whether it is the end of them.
    fn statement(&mut self, within: Within, life: Life, out: &mut List) -> Result<bool, Fail> {
        match self.peek()? {
            Token::Newline => {
                self.next()?;
                return Ok(false);
            }
            Token::End if within == Within::Text => return Ok(true),
            Token::End => {
                let fail = Fail::syntax(self.line);
                if self.blocks == 0 {
                    // An open condition: what stood in it counts.
                    self.report(&fail);
                    return Ok(true);
                }
                return Err(fail);
            }
            Token::Close if within == Within::Block => return Ok(true),
            Token::Elif | Token::Else | Token::Endif if within == Within::Condition => {
                return Ok(true);
            }
            Token::Hidden => self.hidden(life)?,
            Token::If => {
                out.begin();
                self.condition(life, out)?;
            }
            _ => {
                out.begin();
                self.commands(life, out)?;
            }
        }
        match self.peek()? {
            Token::Newline => {
                self.next()?;
                Ok(false)
            }
            Token::End => Ok(false),
            Token::Close if within == Within::Block => Ok(true),
            Token::Elif | Token::Else | Token::Endif if within == Within::Condition => Ok(true),
            _ => self.syntax(),
        }
    }

    /// `%hidden NAME=value`
    fn hidden(&mut self, life: Life) -> Result<(), Fail> {
        self.next()?;
        let Token::Equals(word, at) = self.word()? else {
            return self.syntax();
        };
        if life == Life::Live {
            let (name, value) = (&word[..at], &word[at + 1..]);
            self.host.set_variable(name, value, Visibility::Hidden);
        }
        Ok(())
    }

    /// `%if` to `%endif`, over lines or within one.
    fn condition(&mut self, life: Life, out: &mut List) -> Result<(), Fail> {
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
                Token::If => self.holds(life)?,
                Token::Elif if !had_else => self.holds(if has_held { Life::Dead } else { life })?,
                Token::Else if !had_else => {
                    had_else = true;
                    true
                }
                Token::End => {
                    // Already reported: the condition ends with the text.
                    self.peeked = Some(Token::End);
                    break;
                }
                _ => return self.syntax(),
            };
            let branch = if holds && !has_held { life } else { Life::Dead };
            has_held |= holds;
            if *self.peek()? == Token::Newline {
                let mut inner = List::default();
                let target = if branch == Life::Live {
                    &mut *out
                } else {
                    &mut inner
                };
                self.statements(Within::Condition, branch, target)?;
            } else {
                self.commands(branch, out)?;
            }
        }
        self.depth -= 1;
        Ok(())
    }

    fn holds(&mut self, life: Life) -> Result<bool, Fail> {
        let (Token::Word(text) | Token::Equals(text, _)) = self.word()? else {
            return self.syntax();
        };
        if life == Life::Dead {
            return Ok(false);
        }
        let value = self.host.expand(&text);
        Ok(!value.is_empty() && value != "0")
    }

    /// Commands joined by `;`. A double `;;` begins a new sequence, as lines do.
    fn commands(&mut self, life: Life, out: &mut List) -> Result<(), Fail> {
        loop {
            match self.peek()? {
                Token::If => self.condition(life, out)?,
                Token::Word(_) | Token::Equals(..) => self.command(life, out)?,
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
                out.begin();
            }
        }
    }

    fn command(&mut self, life: Life, out: &mut List) -> Result<(), Fail> {
        let mut first = self.next()?;
        if let Token::Equals(word, at) = &first {
            if life == Life::Live {
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
        let line = self.line;
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
                Token::Open => argv.push(Arg::Block(self.block(life)?)),
                _ => break,
            }
        }
        if life == Life::Live {
            push_command(out, Parsed { line, argv }, &*self.host);
        }
        Ok(())
    }

    fn block(&mut self, life: Life) -> Result<List, Fail> {
        self.next()?;
        let line = self.line;
        self.blocks += 1;
        let mut list = List::default();
        let result = self.statements(Within::Block, life, &mut list);
        let closed = result.and_then(|()| self.next());
        self.blocks -= 1;
        match closed {
            Ok(Token::Close) => {}
            _ if self.peeked == Some(Token::End) => return Err(Fail::syntax(line)),
            Ok(_) => return self.syntax(),
            Err(fail) => return Err(fail),
        }
        list.trim();
        Ok(list)
    }
}
