//! `search`: finds lines in the output of all panes, awake, asleep or archived.

use std::ops::Range;
use std::path::Path;

use shellkeep_command::cmd::search::Args;
use shellkeep_command::when::parse_when;
use shellkeep_search::{Case, Kind, Pattern};

use crate::commands::exec::listing::{Form, json_text};
use crate::commands::exec::lookup::number;
use crate::commands::exec::sleeping;
use crate::commands::queue::{Caller, Wait};
use crate::commands::reply::{Outcome, Reply};
use crate::commands::{printable, targets};
use crate::persistence::keep_changes;
use crate::process::call;
use crate::process::wall::{Seconds, offset_at};
use crate::search::requests::{Printing, Wanted, start_search};
use crate::search::{Life, MAX_BYTES, Paint, Query, SearchResults, Show, Wants, as_json, as_lines};
use crate::server::Server;

/// How many lines are shown by default.
const DEFAULT_LIMIT: usize = 10_000;

/// The largest context, which is kept in memory until it is printed.
const MAX_CONTEXT: usize = 10_000;

pub(crate) fn run(server: &mut Server, caller: &Caller, args: &Args) -> Outcome {
    let case = match (args.exact_case, args.ignore_case) {
        (true, _) => Case::Exact,
        (false, true) => Case::Ignore,
        (false, false) => Case::Smart,
    };
    let kind = if args.regex { Kind::Regex } else { Kind::Text };
    let pattern = Pattern::new(&args.pattern, kind, case).map_err(|error| error.to_string())?;
    let wants = match (args.list, args.count) {
        _ if args.go.is_some() => Wants::Lines,
        (true, _) => Wants::Panes,
        (false, true) => Wants::Counts,
        (false, false) => Wants::Lines,
    };
    let go = match &args.go {
        Some(_)
            if targets::typist(&server.model, caller).is_some_and(|client| client.is_read_only) =>
        {
            return Err("client is read-only".to_owned());
        }
        Some(text) => Some(at_least_one(text)?),
        None => None,
    };
    let show = show(server, caller, args);
    let both = context(args.context.as_deref())?;
    let query = Query {
        pattern,
        limit: limit(args, go)?,
        room: MAX_BYTES,
        before: context(args.before.as_deref())?.or(both).unwrap_or(0),
        after: context(args.after.as_deref())?.or(both).unwrap_or(0),
        printed: printed(server, args)?,
        wants,
        paint: match is_at_prompt(server, caller) {
            true => Paint::Plain,
            false => paint(args, show),
        },
    };
    let wanted = wanted(server, caller, args)?;
    let (format, is_json) = (args.format.clone(), args.json);
    let hint = Hint::new(server, caller, args);
    let ending = Box::new(move |found: &SearchResults| match (go, format) {
        (Some(number), _) => Printing::Go(number),
        (None, _) if found.panes.is_empty() && !is_json => Printing::Text(String::new()),
        (None, Some(format)) if !found.panes.is_empty() => Printing::Format {
            format,
            form: Form::from(is_json),
        },
        (None, _) if is_json => Printing::Text(json_text(&as_json(found, wants))),
        (None, _) => Printing::Text(as_lines(found, wants, show) + &hint.text(found, wants, show)),
    });
    // Panes that earlier commands of the line have opened must be searched, too.
    keep_changes::keep_panes(&mut server.model, &mut server.persistence);
    let number = server.model.next_wait();
    let cancel_on_drop = start_search(
        &server.model,
        server.persistence.keeping.clone(),
        server.thread_events.clone(),
        number,
        (wanted, query, ending),
    );
    let queue = server.model.running();
    if let Some(queue) = queue.and_then(|id| server.commands.queues.get_mut(&id)) {
        queue.cancel_on_drop = Some(cancel_on_drop);
    }
    Ok(Reply {
        wait: Some(Wait::Search(number)),
        ..Reply::default()
    })
}

/// Whether the command was typed at the prompt of an attached client, whose view shows text without escape sequences.
fn is_at_prompt(server: &Server, caller: &Caller) -> bool {
    targets::typist(&server.model, caller).is_some_and(|client| client.session.is_some())
}

/// The form of the output: for people, if it goes to a terminal.
fn show(server: &Server, caller: &Caller, args: &Args) -> Show {
    let is_plain = args.json || args.format.is_some() || args.go.is_some();
    if is_plain || !printable::is_read_by_a_person(&server.model, caller) {
        return Show::Lines;
    }
    let has_colors = printable::has_colors(&server.model, caller);
    match has_colors && !is_at_prompt(server, caller) {
        true => Show::ColoredGroups,
        false => Show::Groups,
    }
}

fn paint(args: &Args, show: Show) -> Paint {
    match (args.colors, show) {
        (true, Show::ColoredGroups) => Paint::ColorsAndMarks,
        (true, _) => Paint::Colors,
        (false, Show::ColoredGroups) => Paint::Marks,
        (false, _) => Paint::Plain,
    }
}

/// The hint how to go to a line that was found.
struct Hint {
    /// How the user calls this program, up to the command's name.
    call: String,
    /// The search as it was typed, for `-g 1`.
    search: String,
}

impl Hint {
    fn new(server: &Server, caller: &Caller, args: &Args) -> Self {
        let call = match is_at_prompt(server, caller) {
            true => String::new(),
            false => call::call_for(&server.model, caller) + " ",
        };
        let mut words = vec!["search", "-g", "1"];
        let flags = [
            (args.regex, "-E"),
            (args.ignore_case, "-i"),
            (args.exact_case, "-s"),
        ];
        words.extend(flags.iter().filter(|it| it.0).map(|it| it.1));
        let values = [
            ("-t", &args.target),
            ("--cwd", &args.cwd),
            ("--since", &args.since),
            ("--state", &args.state),
            ("--tag", &args.tag),
            ("--until", &args.until),
        ];
        for (name, value) in values {
            words.extend(value.iter().flat_map(|value| [name, value]));
        }
        if args.pattern.starts_with('-') {
            words.push("--");
        }
        words.push(&args.pattern);
        let quote = match call.is_empty() {
            true => shellkeep_command::parse::quote,
            false => quoted_for_shell,
        };
        let words: Vec<String> = words.into_iter().map(quote).collect();
        Self {
            call,
            search: words.join(" "),
        }
    }

    fn text(&self, found: &SearchResults, wants: Wants, show: Show) -> String {
        let Self { call, search } = self;
        let Some(last) = found.panes.last() else {
            return String::new();
        };
        if wants != Wants::Lines || show == Show::Lines {
            return String::new();
        }
        let text = match last.place.archived {
            // An archived session has no copy mode.
            Some(id) => format!("the last of them is archived; to have it back: {call}reopen {id}"),
            None => format!("the last of them in copy mode: {call}{search}"),
        };
        match show {
            Show::ColoredGroups => format!("\n\x1b[2m{text}\x1b[m\n"),
            Show::Lines | Show::Groups => format!("\n{text}\n"),
        }
    }
}

fn quoted_for_shell(word: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "/._-+:@%".contains(c);
    match !word.is_empty() && word.chars().all(is_plain) {
        true => word.to_owned(),
        false => format!("'{}'", word.replace('\'', "'\\''")),
    }
}

fn at_least_one(text: &str) -> Result<usize, String> {
    match number(text, "number")? {
        0 => Err("number too small".to_owned()),
        number => Ok(usize::try_from(number).unwrap_or(usize::MAX)),
    }
}

fn limit(args: &Args, go: Option<usize>) -> Result<usize, String> {
    let limit = match (go, &args.limit) {
        (Some(number), _) => number,
        (None, Some(text)) => match number(text, "limit")? {
            0 => usize::MAX,
            limit => usize::try_from(limit).unwrap_or(usize::MAX),
        },
        (None, None) => DEFAULT_LIMIT,
    };
    Ok(limit)
}

fn context(text: Option<&str>) -> Result<Option<usize>, String> {
    let Some(text) = text else {
        return Ok(None);
    };
    let lines = usize::try_from(number(text, "context")?).unwrap_or(usize::MAX);
    Ok(Some(lines.min(MAX_CONTEXT)))
}

/// The range of times of `--since` and `--until`. None if neither is given.
fn printed(server: &Server, args: &Args) -> Result<Option<Range<Seconds>>, String> {
    let moment = |text: &str| {
        let now = server.model.now();
        parse_when(text, now, offset_at).map_err(|error| error.to_string())
    };
    let since = args.since.as_deref().map(moment).transpose()?;
    let until = args.until.as_deref().map(moment).transpose()?;
    let is_any = since.is_none() && until.is_none();
    let printed = since.unwrap_or(Seconds::MIN)..until.unwrap_or(Seconds::MAX);
    Ok((!is_any).then_some(printed))
}

fn wanted(server: &Server, caller: &Caller, args: &Args) -> Result<Wanted, String> {
    let life = match args.state.as_deref() {
        None => None,
        Some(name) => Some(
            Life::named(name)
                .ok_or_else(|| format!("unknown state: {name} (active, hibernated or archived)"))?,
        ),
    };
    let mut wanted = Wanted {
        life,
        tag: args.tag.clone(),
        directory: args
            .cwd
            .as_deref()
            .map(|path| absolute(server, caller, path)),
        ..Wanted::default()
    };
    if let Some(target) = &args.target {
        let named = sleeping::Wanted {
            target: Some(target),
            is_all: false,
            tag: None,
        };
        let panes = match life {
            Some(Life::Archived) => Err(format!(
                "no archived session {target} ({} ls -a lists them)",
                call::call_for(&server.model, caller)
            )),
            _ => sleeping::panes(server, caller, &named),
        };
        match panes {
            Ok(panes) => wanted.panes = Some(panes.into_iter().collect()),
            // It may be the name of an archived session.
            Err(error) => {
                wanted.panes = Some(Default::default());
                wanted.archived = Some((target.clone(), error));
            }
        }
    }
    Ok(wanted)
}

/// An absolute path, from the caller's directory.
pub(crate) fn absolute(server: &Server, caller: &Caller, path: &str) -> std::path::PathBuf {
    let client = targets::typist(&server.model, caller);
    let cwd = client.map(|client| String::from_utf8_lossy(&client.context.cwd).into_owned());
    let path = Path::new(&cwd.unwrap_or_default()).join(path);
    // Removes `.` and a final slash.
    path.components().collect()
}
