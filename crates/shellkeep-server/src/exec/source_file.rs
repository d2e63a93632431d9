//! Runs the commands in files.

use std::path::{Path, PathBuf};

use shellkeep_command::cmd::source_file::Args;
use shellkeep_command::glob::matches;
use shellkeep_command::parse::{Arg, List, print_full};
use shellkeep_command::{CommandError, Target};
use shellkeep_proto::FromServer;

use super::{Outcome, Reply};
use crate::config;
use crate::event_loop::Server;
use crate::queue::{Caller, Item, Origin, Wait};

/// How deep files may name each other.
const DEEPEST: usize = 50;

/// How many files one name may stand for.
const MOST_FILES: usize = 1000;

pub(super) fn run(server: &mut Server, caller: &Caller, args: &Args) -> Outcome {
    if server.depth > DEEPEST {
        return Err(format!(
            "source-file: more than {DEEPEST} files inside each other"
        ));
    }
    let mut reply = Reply::default();
    let mut missing = Vec::new();
    let mut count = 0;
    for name in &args.files {
        let name = expanded(server, caller, args, name);
        if name == "-" {
            if args.files.len() == 1 {
                return from_stdin(server, caller, args);
            }
            reply.next.push(stdin_item(&reply.next, args));
            count += 1;
            continue;
        }
        let path = server.job_directory(caller, None).join(&name);
        let files = files(&path);
        if files.is_empty() && !args.quiet {
            missing.push(format!("{name}: No such file or directory"));
        }
        for file in files {
            read(server, args, &file, &mut reply);
            count += 1;
        }
    }
    if count == 0 && !missing.is_empty() {
        return Err(missing.join("\n"));
    }
    // The others are read all the same, as in tmux.
    let faults = (0..).zip(missing).map(|(group, fault)| Item {
        fault: Some(fault),
        group,
        ..Item::default()
    });
    let faults: Vec<Item> = faults.collect();
    let base = faults.last().map_or(0, |item| item.group + 1);
    let read = reply.next.into_iter().map(|item| Item {
        group: base + item.group,
        ..item
    });
    reply.next = faults.into_iter().chain(read).collect();
    Ok(reply)
}

fn expanded(server: &Server, caller: &Caller, args: &Args, name: &str) -> String {
    if !args.expand {
        return name.to_owned();
    }
    let found = super::find(server, caller, None, Target::Pane).ok();
    let scope = server.scope().client(caller.client);
    found
        .map_or(scope.clone(), |found| scope.found(found))
        .expand(name)
}

/// The caller's standard input among files: a command of its own, since it has to wait for it.
fn stdin_item(before: &[Item], args: &Args) -> Item {
    let flags = [
        (args.parse_only, "-n"),
        (args.quiet, "-q"),
        (args.verbose, "-v"),
    ];
    let flags = flags
        .into_iter()
        .filter_map(|(is_set, flag)| is_set.then_some(flag));
    let words = ["source-file"].into_iter().chain(flags).chain(["-"]);
    Item {
        argv: words.map(Arg::from).collect(),
        group: before.last().map_or(0, |item| item.group + 1),
        ..Item::default()
    }
}

/// The caller's standard input: its client is asked for it, and the queue waits.
fn from_stdin(server: &mut Server, caller: &Caller, args: &Args) -> Outcome {
    let client = caller
        .client
        .filter(|_| caller.origin == Origin::CommandLine)
        .and_then(|id| server.state.clients.get_mut(&id));
    let Some(client) = client.filter(|client| client.session.is_none()) else {
        return Err("-: there is no standard input here".to_owned());
    };
    client.outbox.say(FromServer::ReadInput);
    let (id, args) = (client.id, args.clone());
    client.stdin_then = Some(Box::new(move |server, data| {
        let mut reply = Reply::default();
        take(server, &args, "-", &data, &mut reply);
        Ok(reply)
    }));
    Ok(Reply {
        wait: Some(Wait::Input(id)),
        ..Reply::default()
    })
}

fn read(server: &mut Server, args: &Args, file: &Path, reply: &mut Reply) {
    let name = file.display().to_string();
    match config::load(file) {
        Ok(bytes) => take(server, args, &name, &bytes, reply),
        Err(error) => {
            let reason = config::reason(&error);
            reply.next.push(Item {
                fault: Some(format!("{name}: {reason}")),
                group: reply.next.last().map_or(0, |item| item.group + 1),
                ..Item::default()
            });
        }
    }
}

/// Takes the commands of a text up.
fn take(server: &mut Server, args: &Args, name: &str, bytes: &[u8], reply: &mut Reply) {
    let base = reply.next.last().map_or(0, |item| item.group + 1);
    let items = config::read(server, name, &String::from_utf8_lossy(bytes));
    if args.verbose {
        for line in trace(name, &items) {
            reply.stdout.extend(line.into_bytes());
        }
    }
    let kept = items.into_iter().filter_map(|item| match args.parse_only {
        true => faulty(item),
        false => Some(item),
    });
    reply.next.extend(kept.map(|item| Item {
        group: base + item.group,
        ..item
    }));
}

/// What is wrong with a command, if anything is.
fn faulty(item: Item) -> Option<Item> {
    if item.fault.is_some() {
        return Some(item);
    }
    let fault = match shellkeep_command::parse_args(&item.argv) {
        Ok(_) | Err(CommandError::Help(_)) => return None,
        Err(error) => Some(error.to_string()),
    };
    Some(Item { fault, ..item })
}

/// The commands as they were understood, each line with its place.
fn trace(name: &str, items: &[Item]) -> Vec<String> {
    let read: Vec<&Item> = items.iter().filter(|item| item.fault.is_none()).collect();
    let groups = read.chunk_by(|a, b| a.group == b.group);
    let lines = groups.map(|group| {
        let line = group[0].place.as_ref().map_or(0, |(_, line)| *line);
        let commands = group.iter().map(|item| shellkeep_command::parse::Parsed {
            line,
            argv: item.argv.clone(),
        });
        let text = print_full(&List(vec![commands.collect()]));
        format!("{name}:{line}: {text}\n")
    });
    lines.collect()
}

/// The files that a path with patterns stands for, by name.
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
                if !is_hidden && matches(&pattern, &text) && next.len() < MOST_FILES {
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
