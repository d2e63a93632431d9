//! `source-file`: runs the commands in files.

use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use shellkeep_command::Target;
use shellkeep_command::cmd::source_file::Args;
use shellkeep_command::glob::matches;
use shellkeep_command::parse::{Arg, List, Outcome as ParseOutcome, Rest, TextParser, print_full};
use shellkeep_shell::user_file;

use crate::commands::config::ConfigHost;
use crate::commands::queue::{Caller, Item, Spent};
use crate::commands::reply::{Outcome, Reply};
use crate::commands::{config, jobs, pending, targets};
use crate::formats;
use crate::server::Server;

/// How deep files may source each other.
const MAX_DEPTH: usize = 50;

/// How many files one pattern may match.
const MAX_FILES: usize = 1000;

/// How many statements are parsed before other events get a turn.
const STATEMENTS_PER_TURN: usize = 1000;

pub(crate) fn run(server: &mut Server, caller: &Caller, args: &Args) -> Outcome {
    if server.commands.depth > MAX_DEPTH {
        // Files that source each other may come here hundreds of times.
        return match spent(server).reports_depth() {
            true => Err(format!(
                "source-file: more than {MAX_DEPTH} files inside each other"
            )),
            false => Ok(Reply::default()),
        };
    }
    let mut names = Vec::new();
    for name in &args.files {
        let name = expanded(server, caller, args, name);
        if crate::commands::exec::stdin::is_meant(&name) {
            if args.files.len() == 1 {
                return from_stdin(server, caller, args);
            }
            names.push(Named::Stdin);
            continue;
        }
        let path = jobs::job_directory(&server.model, caller, None).join(&name);
        crate::commands::exec::stdin::refuse_descriptor(&path)?;
        names.push(Named::Path { name, path });
    }
    let args = args.clone();
    Ok(pending::work_on_files(
        server,
        move || names.into_iter().flat_map(load).collect::<Vec<Loaded>>(),
        move |server, loaded| take_all(server, &args, loaded),
    ))
}

/// A file name of the command line.
enum Named {
    Stdin,
    Path { name: String, path: PathBuf },
}

enum Loaded {
    Stdin,
    /// No file matches.
    Missing(String),
    File {
        name: String,
        text: Result<TextParser, String>,
    },
}

/// Reads the files that a name stands for.
fn load(named: Named) -> Vec<Loaded> {
    let (name, path) = match named {
        Named::Stdin => return vec![Loaded::Stdin],
        Named::Path { name, path } => (name, path),
    };
    let files = files(&path);
    if files.is_empty() {
        return vec![Loaded::Missing(name)];
    }
    let load = |file: PathBuf| Loaded::File {
        name: file.display().to_string(),
        text: match config::load(&file) {
            Ok(bytes) => Ok(text_parser(&bytes)),
            Err(error) => Err(user_file::reason(&error)),
        },
    };
    files.into_iter().map(load).collect()
}

/// Handles what was read.
fn take_all(server: &mut Server, args: &Args, loaded: Vec<Loaded>) -> Outcome {
    let spent = spent(server);
    let (mut texts, mut missing) = (Vec::new(), Vec::new());
    for each in loaded {
        match each {
            Loaded::Missing(_) if args.quiet => {}
            Loaded::Missing(name) => missing.push(format!("{name}: No such file or directory")),
            Loaded::Stdin => texts.push(Text::Stdin),
            Loaded::File { name, text } => {
                if let Err(error) = spent.count_file() {
                    drop_rest(server);
                    return Err(format!("source-file: {error}; the rest is not run"));
                }
                match text {
                    Ok(parser) => texts.push(Text::Parser {
                        name: name.into(),
                        parser,
                    }),
                    Err(reason) => texts.push(Text::Fault(format!("{name}: {reason}"))),
                }
            }
        }
    }
    if texts.is_empty() && !missing.is_empty() {
        return Err(missing.join("\n"));
    }
    // As in tmux, the other files are run all the same.
    let mut commands = Commands::new(args);
    missing
        .into_iter()
        .for_each(|fault| commands.push_fault(fault));
    commands.take(server, texts.into())
}

/// The counts of the running list of commands.
fn spent(server: &Server) -> Arc<Spent> {
    let queue = server
        .model
        .running()
        .and_then(|id| server.commands.queues.get(&id));
    queue.map(|queue| queue.spent.clone()).unwrap_or_default()
}

/// Drops the rest of the running list of commands: files that source each other would report the same error hundreds of
/// times.
fn drop_rest(server: &mut Server) {
    let queue = server
        .model
        .running()
        .and_then(|id| server.commands.queues.get_mut(&id));
    if let Some(queue) = queue {
        queue.items.clear();
    }
}

enum Text {
    Stdin,
    Fault(String),
    Parser { name: Arc<str>, parser: TextParser },
}

fn text_parser(bytes: &[u8]) -> TextParser {
    TextParser::new(&String::from_utf8_lossy(bytes))
}

/// The commands parsed so far. As in tmux, everything is parsed before the first one runs.
struct Commands {
    args: Args,
    items: Vec<Item>,
    trace: Vec<u8>,
}

impl Commands {
    fn new(args: &Args) -> Self {
        Self {
            args: args.clone(),
            items: Vec::new(),
            trace: Vec::new(),
        }
    }

    fn next_group(&self) -> u32 {
        self.items.last().map_or(0, |item| item.group + 1)
    }

    fn push_fault(&mut self, fault: String) {
        self.items.push(Item {
            fault: Some(fault),
            group: self.next_group(),
            ..Item::default()
        });
    }

    /// Parses some of the texts, and the rest in other turns.
    fn take(mut self, server: &mut Server, mut texts: VecDeque<Text>) -> Outcome {
        while let Some(text) = texts.pop_front() {
            match text {
                Text::Fault(fault) => self.push_fault(fault),
                Text::Stdin => self.push_stdin(),
                Text::Parser { name, mut parser } => {
                    let rest =
                        parser.read_some(STATEMENTS_PER_TURN, &mut ConfigHost(&mut server.model));
                    self.push_read(&name, parser.take_read());
                    if rest == Rest::None {
                        continue;
                    }
                    texts.push_front(Text::Parser { name, parser });
                    return pending::in_next_turn(server, move |server| self.take(server, texts));
                }
            }
        }
        Ok(Reply {
            stdout: self.trace,
            next: self.items,
            ..Reply::default()
        })
    }

    fn push_read(&mut self, name: &Arc<str>, read: ParseOutcome) {
        let base = self.next_group();
        let items = config::items_of(name, read);
        if self.args.verbose {
            for line in trace(name, &items) {
                self.trace.extend(line.into_bytes());
            }
        }
        let parse_only = self.args.parse_only;
        let kept = items.into_iter().filter_map(|item| match parse_only {
            true => faulty(item),
            false => Some(item),
        });
        self.items.extend(kept.map(|item| Item {
            group: base + item.group,
            ..item
        }));
    }

    /// Adds the caller's standard input, as a command of its own because the queue has to wait for it.
    fn push_stdin(&mut self) {
        let flags = [
            (self.args.parse_only, "-n"),
            (self.args.quiet, "-q"),
            (self.args.verbose, "-v"),
        ];
        let flags = flags
            .into_iter()
            .filter_map(|(is_set, flag)| is_set.then_some(flag));
        let words = ["source-file"].into_iter().chain(flags).chain(["-"]);
        self.items.push(Item {
            group: self.next_group(),
            ..Item::of(words.map(Arg::from).collect())
        });
    }
}

/// Asks the client for its standard input; the queue waits.
fn from_stdin(server: &mut Server, caller: &Caller, args: &Args) -> Outcome {
    let args = args.clone();
    crate::commands::exec::stdin::ask(
        server,
        caller,
        config::MAX_SIZE,
        Box::new(move |server, data| {
            let texts = [Text::Parser {
                name: "-".into(),
                parser: text_parser(&data),
            }];
            Commands::new(&args).take(server, texts.into())
        }),
    )
}

fn expanded(server: &Server, caller: &Caller, args: &Args, name: &str) -> String {
    if !args.expand {
        return name.to_owned();
    }
    let found = targets::find(&server.model, caller, None, Target::Pane).ok();
    let scope = formats::scope(&server.model).client(caller.client);
    found
        .map_or(scope.clone(), |found| scope.found(found))
        .expand(name)
}

/// A command's syntax error, if it has one.
fn faulty(item: Item) -> Option<Item> {
    if item.fault.is_some() {
        return Some(item);
    }
    let fault = Some(item.command.fault()?.to_string());
    Some(Item { fault, ..item })
}

/// The parsed commands, each with its line (`-v`).
fn trace(name: &str, items: &[Item]) -> Vec<String> {
    let read: Vec<&Item> = items.iter().filter(|item| item.fault.is_none()).collect();
    let groups = read.chunk_by(|a, b| a.group == b.group);
    let lines = groups.map(|group| {
        let line = group[0].place.as_ref().map_or(0, |(_, line)| *line);
        let commands = group.iter().map(|item| item.command.clone());
        let text = print_full(&List(vec![commands.collect()]));
        format!("{name}:{line}: {text}\n")
    });
    lines.collect()
}

/// The files that match a pattern, sorted by name.
fn files(path: &Path) -> Vec<PathBuf> {
    let mut found = vec![PathBuf::new()];
    for part in path.components() {
        let part = part.as_os_str();
        let pattern = part.to_string_lossy();
        if !pattern.contains(['*', '?', '[', '\\']) {
            found.iter_mut().for_each(|path| path.push(part));
            continue;
        }
        let mut next = Vec::new();
        for dir in &found {
            let Ok(entries) = std::fs::read_dir(dir) else {
                continue;
            };
            for entry in entries.flatten() {
                let name = entry.file_name();
                let text = name.to_string_lossy();
                let is_hidden = text.starts_with('.') && !pattern.starts_with('.');
                if !is_hidden && matches(&pattern, &text) && next.len() < MAX_FILES {
                    next.push(dir.join(&name));
                }
            }
        }
        next.sort();
        found = next;
    }
    found.retain(|path| path.exists());
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_stand_for_the_files_that_fit() {
        let dir = std::env::temp_dir().join(format!("shellkeep-glob-{}", std::process::id()));
        std::fs::create_dir_all(dir.join("sub")).unwrap();
        for name in ["b.conf", "a.conf", "c.txt", ".h.conf", "sub/d.conf"] {
            std::fs::write(dir.join(name), "").unwrap();
        }
        let names = |pattern: &str| -> Vec<String> {
            let files = files(&dir.join(pattern));
            let strip = |path: PathBuf| path.strip_prefix(&dir).unwrap().display().to_string();
            files.into_iter().map(strip).collect()
        };
        assert_eq!(names("*.conf"), ["a.conf", "b.conf"]);
        assert_eq!(names("[ac].*"), ["a.conf", "c.txt"]);
        assert_eq!(names("*/*.conf"), ["sub/d.conf"]);
        assert_eq!(names("c.txt"), ["c.txt"]);
        assert_eq!(names("nope*"), [""; 0]);
        std::fs::remove_dir_all(&dir).unwrap();
    }
}
