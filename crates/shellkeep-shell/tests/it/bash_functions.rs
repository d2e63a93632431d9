//! Bash prints functions that it cannot read again. These are restored too, or reported as missing by name, without
//! harm to others.

use shellkeep_shell::{Kind, RunRc, ShellState};

use crate::bash::{all, version};
use crate::pane::Pane;
use crate::world::{World, difference};

const ODD: &str = include_str!("odd.bash");

/// Prints all functions of the user.
const PRINT: &str = "for f in $(compgen -A function); do case $f in __shellkeep*) ;; *) declare -f -- $f;; esac; done >~/";

/// A shell with some functions.
fn with_functions(program: &std::path::Path, text: &str) -> (World, Pane) {
    let world = World::new(program);
    world.file(".bashrc", "PS1='$ '; shopt -s extglob");
    // Such a pattern is new in 5.2.
    let is_old = version(program) < 502;
    let lines = text
        .lines()
        .filter(|line| !is_old || !line.contains("(esac"));
    world.file(
        "odd",
        &lines.flat_map(|line| [line, "\n"]).collect::<String>(),
    );
    let pane = world.start(Kind::Plain);
    pane.run(". ~/odd 2>~/errors");
    (world, pane)
}

/// Hibernates several times, and checks that all functions are the same and the next command runs.
fn come_back(program: &std::path::Path, text: &str) {
    let (world, mut pane) = with_functions(program, text);
    pane.run(&format!("{PRINT}before"));
    let before = world.read("before");
    assert!(before.contains("z_last"), "{}", world.read("errors"));
    for night in 1..=2 {
        pane = world.cycle(pane);
        pane.run(&format!("{PRINT}after"));
        let difference = difference(&before, &world.read("after"));
        assert_eq!(difference, "", "night {night}");
        pane.run("z_last");
        pane.wait("the next command", |seen| {
            seen.text().contains("\nI am here")
        });
    }
}

#[test]
fn odd_functions_come_back_as_they_were() {
    for program in all() {
        come_back(&program, ODD);
    }
}

#[test]
fn odd_functions_come_back_to_a_shell_that_takes_all_at_once() {
    come_back(&all()[0], &format!("{ODD}\nset -u\n"));
}

#[test]
fn random_functions_come_back_as_they_were_or_are_missed_by_name() {
    let functions = (0..80).map(|seed| Grammar::new(seed).function());
    let text: String = functions.collect();
    let (world, pane) = with_functions(&all()[0], &text);
    pane.run(&format!("{PRINT}before"));
    let pane = world.cycle(pane);
    pane.run(&format!("{PRINT}after"));
    let (before, after) = (world.read("before"), world.read("after"));
    let raw = String::from_utf8_lossy(&pane.seen().raw).into_owned();
    let reported = raw.split_once("cannot read what it wrote: function ");
    let reported = reported.map_or("", |(_, names)| names.split('\x1b').next().unwrap());
    let reported: Vec<&str> = reported.split_whitespace().collect();
    assert!(reported.len() < 15, "{reported:?}");
    for (name, text) in by_name(&before) {
        let again = by_name(&after)
            .into_iter()
            .find(|(other, _)| *other == name);
        match reported.contains(&name) {
            true => assert_eq!(again, None),
            false => assert_eq!(again, Some((name, text))),
        }
    }
}

/// The functions of a listing.
fn by_name(listing: &str) -> Vec<(&str, &str)> {
    let ends = listing.match_indices("\n}\n").map(|(at, _)| at + 3);
    let mut begin = 0;
    let functions = ends.filter_map(|end| {
        // A brace in the first column may end something other than a function.
        let is_end = listing[end..].is_empty() || listing[end..].starts_with('f');
        is_end.then(|| {
            let text = &listing[std::mem::replace(&mut begin, end)..end];
            (text.split(' ').next().unwrap(), text)
        })
    });
    functions.collect()
}

#[test]
fn function_that_cannot_be_read_is_missed_alone_and_by_name() {
    let functions = "a_first() { echo 'first'; }\nbroken() { cat <<E\nx\nE\n}\nz_last() { echo 'I am here'; }\n";
    for setup in [":", "set -u", "PS1='$(broken >/dev/null)$ '"] {
        let (world, mut pane) = with_functions(&all()[0], functions);
        pane.run(setup);
        let captured = world.capture(&pane);
        pane.kill();
        // As if bash had misprinted it: nothing ends the here-document.
        let state = changed(&captured.state, "x\nE\n", "x\nF\n");
        let revival = world.revival(&state, RunRc::Off);
        let pane = world.open(&revival.launch);
        pane.prompt();
        if let Some(key) = revival.line_key {
            pane.send(key);
            pane.wait("the prompt again", |seen| {
                seen.inputs() > 1 && seen.is_at_prompt()
            });
        }
        let reported = format!("{:?}{}", revival.missing(), pane.seen().text());
        assert!(reported.contains("function broken"), "{setup}: {reported}");
        pane.run("a_first; z_last");
        pane.wait("the others", |seen| {
            seen.text().contains("\nfirst\nI am here")
        });
    }
}

/// A state with a changed text of its functions.
fn changed(state: &ShellState, old: &str, new: &str) -> ShellState {
    let text = String::from_utf8(state.encode()).unwrap();
    assert!(text.contains(old), "{text}");
    ShellState::decode(text.replace(old, new).as_bytes()).unwrap()
}

/// Generates random functions with here-documents in all positions.
struct Grammar {
    random: u64,
    seed: u64,
    documents: Vec<String>,
}

impl Grammar {
    fn new(seed: u64) -> Self {
        Self {
            random: (seed + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1,
            seed,
            documents: Vec::new(),
        }
    }

    fn pick(&mut self, count: usize) -> usize {
        self.random ^= self.random << 13;
        self.random ^= self.random >> 7;
        self.random ^= self.random << 17;
        usize::try_from((self.random >> 8) % count as u64).unwrap()
    }

    fn one<'a>(&mut self, of: &[&'a str]) -> &'a str {
        of[self.pick(of.len())]
    }

    fn document(&mut self) -> String {
        let word = self.one(&["EOF", "E", "END"]);
        let (begin, end) = [("", ""), ("'", "'"), ("-", "")][self.pick(3)];
        let body = self.one(&["", "a $x\n", "b \"q\n", "c ' (\n", "d )\n"]);
        self.documents.push(format!("{body}{word}\n"));
        format!("<<{begin}{word}{end}")
    }

    fn line_break(&mut self) -> String {
        format!("\n{}", std::mem::take(&mut self.documents).concat())
    }

    fn end(&mut self) -> String {
        match self.pick(2) {
            0 => "; ".to_owned(),
            _ => self.line_break(),
        }
    }

    fn maybe_document(&mut self) -> String {
        match self.pick(3) {
            0 => format!(" {}", self.document()),
            1 => " >x".to_owned(),
            _ => String::new(),
        }
    }

    fn simple(&mut self) -> String {
        let words = [
            "cat",
            "echo a 'b c'",
            "x=1 y",
            "[[ $a =~ ^(b c)$ ]]",
            "(( a << 2 ))",
        ];
        self.one(&words).to_owned() + &self.maybe_document()
    }

    fn command(&mut self, depth: usize) -> String {
        if depth == 0 {
            return self.simple();
        }
        let kind = self.pick(11);
        let first = match kind {
            8 => String::new(),
            _ => self.command(depth - 1),
        };
        match kind {
            0..=2 => {
                let operator = ["|", "&&", "||"][kind];
                format!("{first} {operator} {}", self.command(depth - 1))
            }
            3 => format!("{{ {first}{}}}{}", self.end(), self.maybe_document()),
            4 => format!("( {first} ){}", self.maybe_document()),
            5 => {
                let then = self.end() + "then " + &self.body(depth - 1);
                format!("if {first}{then}{}fi", self.end())
            }
            6 => {
                let body = self.end() + "do " + &self.body(depth - 1);
                format!(
                    "while {first}{body}{}done{}",
                    self.end(),
                    self.maybe_document()
                )
            }
            7 => {
                let second = self.command(depth - 1) + &self.line_break();
                format!("case $x in (esac) {first} ;; a|b) {second};; esac")
            }
            8 => self.simple(),
            9 => format!("! {first}"),
            _ => format!("inner() {{ {first}{}}}", self.end()),
        }
    }

    fn body(&mut self, depth: usize) -> String {
        let mut text = self.command(depth);
        for _ in 0..self.pick(3) {
            text += &self.end();
            text += &self.command(depth);
        }
        text
    }

    fn function(mut self) -> String {
        let mut text = format!("f{}() {{ ", self.seed);
        for _ in 0..=self.pick(3) {
            let depth = self.pick(4);
            text += &self.command(depth);
            text += self.one(&[" &", ";", ""]);
            text += &self.line_break();
        }
        // A function that bash does not accept is skipped, without harm to the others.
        let text = (text + "}").replace('\'', "'\\''");
        format!("(eval -- '{text}') 2>/dev/null && eval -- '{text}' 2>/dev/null\n")
    }
}
