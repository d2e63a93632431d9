//! `show-options`. `show-window-options` and `show-hooks` share its code.

use serde_json::{Map, Value as Json, json};
use shellkeep_command::Target;
use shellkeep_command::cmd::show_options::Args;
use shellkeep_command::options::{
    self, Family, Form, Hooks, Inherited, OptionName, OptionSpec, Origin, Scope, Show, Value,
    show_all, show_one,
};

use crate::commands::exec::option_place::{Asked, OptionSet};
use crate::commands::exec::set_option::Quiet;
use crate::commands::queue::Caller;
use crate::commands::reply::{Outcome, Reply};
use crate::formats;
use crate::model::refusal;
use crate::server::Server;

/// What to show, for any of these commands.
pub(crate) struct Showing<'a> {
    pub(crate) asked: Asked<'a>,
    pub(crate) show: Show,
    pub(crate) quiet: Quiet,
    pub(crate) output: Output,
    pub(crate) option: Option<&'a str>,
}

/// The format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Output {
    Lines,
    Json,
}

impl From<bool> for Output {
    fn from(is_json: bool) -> Self {
        if is_json { Self::Json } else { Self::Lines }
    }
}

pub(crate) fn run(server: &Server, caller: &Caller, args: &Args) -> Outcome {
    let showing = Showing {
        asked: Asked {
            server: args.server,
            global: args.global,
            window: args.window,
            pane: args.pane,
            target: args.target.as_deref(),
            kind: Target::Pane,
        },
        show: Show {
            form: form(args.value_only),
            inherited: if args.inherited {
                Inherited::Mark
            } else {
                Inherited::Leave
            },
            hooks: if args.hooks {
                Hooks::Include
            } else {
                Hooks::Leave
            },
        },
        quiet: args.quiet.into(),
        output: args.json.into(),
        option: args.option.as_deref(),
    };
    show(server, caller, &showing)
}

/// The contents of a line.
pub(crate) fn form(is_value_only: bool) -> Form {
    if is_value_only {
        Form::Value
    } else {
        Form::Line
    }
}

pub(crate) fn show(server: &Server, caller: &Caller, showing: &Showing<'_>) -> Outcome {
    let shown = lines(server, caller, showing);
    if showing.quiet == Quiet::Quiet && shown.is_err() {
        return Ok(match showing.output {
            Output::Lines => Reply::default(),
            Output::Json => crate::commands::exec::listing::json(&json!([])),
        });
    }
    shown
}

fn lines(server: &Server, caller: &Caller, showing: &Showing<'_>) -> Outcome {
    let Showing { asked, show, .. } = showing;
    let gone = || "no current session".to_owned();
    let Some(typed) = showing.option else {
        let place = asked.place(server, caller)?;
        if showing.output == Output::Json {
            return Ok(json_all(server, place, *show));
        }
        let (options, parents) = place.sets(&server.model).ok_or_else(gone)?;
        let mut lines = show_all(place.scope(), options, parents, *show);
        // Tools for tmux cannot handle shellkeep's own hooks, so one is listed only if it is set.
        let is_own_hook =
            |spec: &OptionSpec| spec.family == Family::Hook && spec.origin == Origin::Ours;
        lines.retain(|line| !options::known(line).is_some_and(is_own_hook));
        return Ok(text(&lines));
    };
    let scope = formats::scope(&server.model).client(caller.client);
    let found = asked.found(server, caller);
    let scope = found.map_or(scope.clone(), |found| scope.found(found));
    let name = options::find(&scope.expand(typed)).map_err(|error| refusal(&error))?;
    let place = asked.place_of(server, caller, &name)?;
    let (options, parents) = place.sets(&server.model).ok_or_else(gone)?;
    let lines = show_one(&name, options, parents, *show).map_err(|error| refusal(&error))?;
    if showing.output == Output::Json {
        let value = json_one(server, place, &name, *show);
        return Ok(crate::commands::exec::listing::json(&Json::from_iter(
            value,
        )));
    }
    Ok(text(&lines))
}

fn text(lines: &[String]) -> Reply {
    let lines = lines.iter().flat_map(|line| [line, "\n"]);
    Reply::text(lines.collect::<String>())
}

/// `[{"name": "prefix", "value": "C-b", "inherited": false}, …]`
fn json_all(server: &Server, place: OptionSet, show: Show) -> Reply {
    let mut all = Vec::new();
    if let Some((options, _)) = place.sets(&server.model)
        && show.hooks != Hooks::Only
    {
        for (name, value) in options.users() {
            all.push(json!({ "name": name, "value": value, "inherited": false }));
        }
    }
    let scope = place.scope();
    for spec in options::all() {
        let is_here = spec.scope == scope || (scope == Scope::Window && spec.scope == Scope::Pane);
        let is_meant = match show.hooks {
            Hooks::Leave => spec.family == Family::Setting,
            Hooks::Include => true,
            Hooks::Only => spec.family == Family::Hook,
        };
        if is_here && is_meant {
            let name = OptionName::Known { spec, index: None };
            all.extend(json_one(server, place, &name, show));
        }
    }
    crate::commands::exec::listing::json(&Json::from(all))
}

fn json_one(server: &Server, place: OptionSet, name: &OptionName, show: Show) -> Option<Json> {
    let (options, parents) = place.sets(&server.model)?;
    let inherited = show.inherited == Inherited::Mark;
    let Some(spec) = name.spec() else {
        let own = options.user(name.name());
        let value = own.or_else(|| parents.user(name.name()).filter(|_| inherited))?;
        let is_inherited = own.is_none();
        return Some(json!({ "name": name.name(), "value": value, "inherited": is_inherited }));
    };
    let own = options.get(spec.name);
    let value = own.or_else(|| parents.get(spec.name).filter(|_| inherited))?;
    let value = match (value, name.index()) {
        (Value::Array(items), Some(index)) => items.get(&index).map_or(Json::Null, to_json),
        (value, _) => to_json(value),
    };
    Some(json!({ "name": name.to_string(), "value": value, "inherited": own.is_none() }))
}

fn to_json(value: &Value) -> Json {
    match value {
        Value::Number(number) => Json::from(*number),
        Value::Flag(is_on) => Json::from(*is_on),
        Value::Array(items) => {
            let items = items
                .iter()
                .map(|(index, item)| (index.to_string(), to_json(item)));
            Json::Object(items.collect::<Map<String, Json>>())
        }
        other => Json::from(other.print()),
    }
}
