//! `history`: lists the commands that were run.

use shellkeep_command::cmd::history::Args;
use shellkeep_command::format::Expander;
use shellkeep_command::options::parse_duration;
use shellkeep_command::when::parse_when;
use shellkeep_store::StoreId;
use shellkeep_store::catalogue::{CommandFilter, CommandRow, ExitFilter, MakerFilter};

use crate::commands::exec::listing::json_text;
use crate::commands::exec::lookup::number;
use crate::commands::exec::search::absolute;
use crate::commands::exec::sleeping;
use crate::commands::printable;
use crate::commands::queue::Caller;
use crate::commands::reply::{Outcome, Reply};
use crate::process::wall::{self, offset_at};
use crate::records::answer::Answer;
use crate::records::listing::{Listed, table};
use crate::records::query::{self, Sources};
use crate::server::Server;

/// How many commands are listed, unless -n says otherwise.
const DEFAULT_COUNT: usize = 1000;

pub(crate) fn run(server: &mut Server, caller: &Caller, args: &Args) -> Outcome {
    let filter = filter(server, caller, args)?;
    let form = Form::of(server, caller, args);
    let wait = query::ask(
        &mut server.model,
        server.persistence.keeping.clone(),
        server.thread_events.clone(),
        move |sources| {
            let filter = CommandFilter {
                label: sources.store.label().to_owned(),
                ..filter
            };
            let found = sources.catalogue.commands(&filter);
            let mut rows = found.map_err(|error| error.to_string())?;
            rows.reverse();
            Ok(Answer {
                text: form.text(sources, &rows, filter.now),
                has_colors: matches!(form, Form::Table { has_colors: true }),
                complaint: None,
                is_found: !rows.is_empty(),
            })
        },
    )?;
    Ok(Reply {
        wait: Some(wait),
        ..Reply::default()
    })
}

/// How the commands are printed.
enum Form {
    Table { has_colors: bool },
    Lines(String),
    Json(Option<String>),
}

impl Form {
    fn of(server: &Server, caller: &Caller, args: &Args) -> Self {
        match (args.json, &args.format) {
            (true, format) => Self::Json(format.clone()),
            (false, Some(format)) => Self::Lines(format.clone()),
            (false, None) => Self::Table {
                has_colors: printable::has_colors(&server.model, caller),
            },
        }
    }

    fn text(&self, sources: &Sources, rows: &[CommandRow], now: u64) -> String {
        let listed: Vec<Listed<'_>> = rows
            .iter()
            .map(|row| Listed::new(sources, row, now))
            .collect();
        let mut expander = Expander::new();
        match self {
            Self::Table { has_colors } => table(&listed, *has_colors),
            Self::Lines(format) => {
                let lines = listed.iter().map(|it| it.in_format(format, &mut expander));
                lines.map(|line| line + "\n").collect()
            }
            Self::Json(format) => {
                let items: Vec<_> = listed
                    .iter()
                    .map(|it| {
                        let mut json = it.json();
                        if let Some(format) = format {
                            json["text"] = it.in_format(format, &mut expander).into();
                        }
                        json
                    })
                    .collect();
                json_text(&items)
            }
        }
    }
}

fn filter(server: &Server, caller: &Caller, args: &Args) -> Result<CommandFilter, String> {
    let now = wall::now();
    let moment = |text: &str| {
        let seconds = parse_when(text, server.model.now(), offset_at);
        let seconds = seconds.map_err(|error| error.to_string())?;
        Ok(u64::try_from(seconds).unwrap_or(0).saturating_mul(1000))
    };
    let longer_than = args.longer_than.as_deref().map(|text| {
        let duration = parse_duration(text)
            .ok_or_else(|| format!("bad time: {text} (such as 10s, 5m or 1h)"))?;
        Ok::<u64, String>(u64::try_from(duration.as_millis()).unwrap_or(u64::MAX))
    });
    let moment_of = |text: &Option<String>| -> Result<Option<u64>, String> {
        text.as_deref().map(moment).transpose()
    };
    let cwd = args.cwd.as_deref().map(|path| {
        let path = absolute(server, caller, path);
        path.to_string_lossy().into_owned()
    });
    Ok(CommandFilter {
        label: String::new(),
        exact_case: args.pattern.as_deref().is_some_and(has_capital),
        text: args.pattern.clone().filter(|text| !text.is_empty()),
        panes: panes(server, caller, args)?,
        session: None,
        cwd,
        exit: args.exit.as_deref().map(exit).transpose()?,
        since: moment_of(&args.since)?,
        until: moment_of(&args.until)?,
        longer_than: longer_than.transpose()?,
        now,
        tag: args.tag.clone(),
        by: args.by.as_deref().map(maker).transpose()?,
        archived: args.archived,
        id: None,
        limit: match args.count.as_deref().map(|text| number(text, "count")) {
            None => DEFAULT_COUNT,
            Some(Ok(0)) => usize::MAX,
            Some(count) => usize::try_from(count?).unwrap_or(usize::MAX),
        },
    })
}

fn has_capital(text: &str) -> bool {
    text.chars().any(char::is_uppercase)
}

fn exit(text: &str) -> Result<ExitFilter, String> {
    match text {
        "ok" => Ok(ExitFilter::Ok),
        "failed" => Ok(ExitFilter::Failed),
        text => text
            .parse()
            .map(ExitFilter::Status)
            .map_err(|_| format!("bad exit status: {text} (ok, failed or a number)")),
    }
}

fn maker(text: &str) -> Result<MakerFilter, String> {
    match text {
        "user" => Ok(MakerFilter::User),
        "agent" => Ok(MakerFilter::Agent),
        text => Err(format!("unknown maker: {text} (user or agent)")),
    }
}

/// The panes that are meant, by their names in the store.
fn panes(server: &Server, caller: &Caller, args: &Args) -> Result<Option<Vec<StoreId>>, String> {
    let Some(target) = &args.target else {
        return Ok(None);
    };
    let named = sleeping::Wanted {
        target: Some(target),
        is_all: false,
        tag: None,
    };
    let panes = sleeping::panes(server, caller, &named)?.into_iter();
    let panes = panes.filter_map(|id| server.model.panes.get(&id));
    let homes = panes.filter_map(|pane| pane.screen.with_record(|record| record.home().pane));
    Ok(Some(homes.collect()))
}
