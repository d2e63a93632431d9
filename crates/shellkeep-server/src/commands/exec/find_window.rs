//! `find-window`: shows the windows that contain a text in a tree.

use shellkeep_command::Target;
use shellkeep_command::cmd::find_window::Args;
use shellkeep_command::parse::Arg;

use crate::commands::queue::{Caller, Item};
use crate::commands::reply::{Outcome, Reply};
use crate::commands::targets;
use crate::server::Server;

pub(crate) fn run(server: &mut Server, caller: &Caller, args: &Args) -> Outcome {
    let found = targets::find(&server.model, caller, args.target.as_deref(), Target::Pane)?;
    let mut argv = vec!["choose-tree".to_owned()];
    if args.zoom {
        argv.push("-Z".to_owned());
    }
    argv.extend(["-f".to_owned(), filter(args)]);
    argv.extend(["-t".to_owned(), found.pane.to_string()]);
    Ok(Reply {
        next: vec![Item::of(argv.into_iter().map(Arg::Text).collect())],
        ..Reply::default()
    })
}

/// The format that is true for the wanted panes.
fn filter(args: &Args) -> String {
    let everywhere = !args.content && !args.name && !args.title;
    let how = match (args.regex, args.ignore_case) {
        (true, true) => "/ri",
        (true, false) => "/r",
        (false, true) => "/i",
        (false, false) => "",
    };
    let star = if args.regex { "" } else { "*" };
    let pattern = &args.pattern;
    let fits = |variable: &str| format!("#{{m{how}:{star}{pattern}{star},#{{{variable}}}}}");
    let mut tests = Vec::new();
    if args.content || everywhere {
        tests.push(format!("#{{C{how}:{pattern}}}"));
    }
    if args.name || everywhere {
        tests.push(fits("window_name"));
    }
    if args.title || everywhere {
        tests.push(fits("pane_title"));
    }
    let either = |rest: String, test: String| format!("#{{||:{test},{rest}}}");
    tests.into_iter().rev().reduce(either).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn filter_tells_where_to_look() {
        let mut args = Args {
            pattern: "x".to_owned(),
            ..Args::default()
        };
        let all = "#{||:#{C:x},#{||:#{m:*x*,#{window_name}},#{m:*x*,#{pane_title}}}}";
        assert_eq!(filter(&args), all);
        (args.name, args.regex, args.ignore_case) = (true, true, true);
        assert_eq!(filter(&args), "#{m/ri:x,#{window_name}}");
    }
}
