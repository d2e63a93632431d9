//! `output`: prints what a command has printed.

use shellkeep_command::cmd::output::Args;
use shellkeep_store::StoreId;
use shellkeep_store::catalogue::{CommandFilter, CommandRow};

use crate::commands::exec::listing::json_text;
use crate::commands::queue::Caller;
use crate::commands::reply::{Outcome, Reply};
use crate::commands::targets;
use crate::process::wall;
use crate::records::answer::Answer;
use crate::records::listing::Listed;
use crate::records::query::{self, Sources};
use crate::server::Server;

/// The command whose output is wanted.
enum Which {
    Id(StoreId),
    /// Of this pane, so many before the last that has ended.
    Before(StoreId, usize),
}

pub(crate) fn run(server: &mut Server, caller: &Caller, args: &Args) -> Outcome {
    let which = which(server, caller, args)?;
    let (is_json, has_colors) = (args.json, args.colors);
    let wait = query::ask(
        &mut server.model,
        server.persistence.keeping.clone(),
        server.thread_events.clone(),
        move |sources| {
            let row = find(sources, &which)?;
            let output = sources.output(&row)?;
            let text = output.text(has_colors);
            let complaint = match output.missing {
                0 => None,
                1 => Some("the first line is gone: history-limit".to_owned()),
                lines => Some(format!("the first {lines} lines are gone: history-limit")),
            };
            let text = match is_json {
                false => text,
                true => {
                    let mut json = Listed::new(sources, &row, wall::now()).json();
                    json["output"] = text.into();
                    json_text(&[json])
                }
            };
            Ok(Answer {
                text,
                has_colors: has_colors && !is_json,
                complaint,
                is_found: true,
            })
        },
    )?;
    Ok(Reply {
        wait: Some(wait),
        ..Reply::default()
    })
}

fn which(server: &Server, caller: &Caller, args: &Args) -> Result<Which, String> {
    let text = args.id.as_deref().unwrap_or("-1");
    let bad =
        || format!("bad command: {text} (its id, or -1 for the last one, -2 for the one before)");
    if let Ok(id) = text.parse() {
        return Ok(Which::Id(id));
    }
    let back: usize = text
        .strip_prefix('-')
        .and_then(|number| number.parse().ok())
        .filter(|back| *back > 0)
        .ok_or_else(bad)?;
    let id = targets::pane(&server.model, caller, args.target.as_deref())?;
    let pane = server.model.panes.get(&id);
    let home = pane.and_then(|pane| pane.screen.with_record(|record| record.home().pane));
    let home = home.ok_or_else(|| format!("nothing is kept of pane {id}"))?;
    Ok(Which::Before(home, back - 1))
}

fn find(sources: &mut Sources, which: &Which) -> Result<CommandRow, String> {
    let filter = CommandFilter {
        label: sources.store.label().to_owned(),
        archived: true,
        now: wall::now(),
        limit: usize::MAX,
        ..CommandFilter::default()
    };
    let filter = match which {
        Which::Id(id) => CommandFilter {
            id: Some(*id),
            ..filter
        },
        Which::Before(pane, back) => CommandFilter {
            panes: Some(vec![*pane]),
            // The newest may still run.
            limit: back.saturating_add(2),
            ..filter
        },
    };
    let rows = sources.catalogue.commands(&filter);
    let mut rows = rows.map_err(|error| error.to_string())?.into_iter();
    match which {
        Which::Id(id) => rows.next().ok_or_else(|| format!("no command {id}")),
        Which::Before(_, back) => {
            let mut ended = rows.filter(|row| row.ended.is_some());
            let found = ended.nth(*back);
            found.ok_or_else(|| "no such command has ended in this pane".to_owned())
        }
    }
}
