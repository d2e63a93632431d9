//! `display-popup`: runs a program in a popup over a client's panes.

use shellkeep_command::Target;
use shellkeep_command::cmd::display_popup::Args;
use shellkeep_command::options::View;
use shellkeep_command::target::ResolvedTarget;
use shellkeep_core::{ClientId, Rect, Size, Style, StyleText};
use shellkeep_keeper::SpawnRequest;

use crate::commands::queue::Caller;
use crate::commands::reply::{Outcome, Reply};
use crate::commands::targets;
use crate::formats;
use crate::modes::overlay::{BoxLines, CloseWhen, Overlay, Popup};
use crate::modes::placing::Position;
use crate::modes::{overlays, placing, popup};
use crate::panes::shim::StartedAs;
use crate::panes::spawn;
use crate::panes::spawn::{NewProgram, variables};
use crate::persistence::keeping::Start;
use crate::server::Server;
use crate::status::status_line::option_style;

pub(crate) fn run(server: &mut Server, caller: &Caller, args: &Args) -> Outcome {
    let target = targets::find(&server.model, caller, args.target.as_deref(), Target::Pane)?;
    let id = targets::client(&server.model, caller, args.client.as_deref())?;
    if args.close {
        overlays::close_overlay(&mut server.model, id);
        return Ok(Reply::default());
    }
    let Some(shown_on) = server.model.clients.get(&id) else {
        return Ok(Reply::default());
    };
    if shown_on.view.overlay.is_some() {
        return Ok(Reply::default());
    }
    let room = shown_on.terminal.size;
    let rows = extent("height", args.height.as_deref(), room.rows())?;
    let cols = extent("width", args.width.as_deref(), room.cols())?;
    let options = server.model.window_options(target.window);
    let lines = lines(args, options)?;
    let position = Position {
        column: args.column.as_deref(),
        row: args.row.as_deref(),
    };
    let place = placing::overlay_place(
        &server.model,
        shown_on,
        caller,
        target,
        Size::new(rows, cols),
        position,
    );
    let inside = lines.inside(place);
    if inside.rows == 0 || inside.cols == 0 {
        // As in tmux: a popup without room for contents is not shown.
        return Ok(Reply::default());
    }
    let scope = formats::scope(&server.model).client(Some(id)).found(target);
    let style = |given: Option<&str>, name: &str| {
        let set = option_style(options, name, &scope, Style::default());
        let given = given.and_then(|text| scope.expand(text).parse::<StyleText>().ok());
        given.map_or(set, |given| given.change.over(set))
    };
    let (look, border) = (
        style(args.style.as_deref(), "popup-style"),
        style(args.border_style.as_deref(), "popup-border-style"),
    );
    let title = scope.expand(args.title.as_deref().unwrap_or_default());
    let spawn = spawn(server, caller, id, target, args, inside)?;
    let popup = Popup {
        start: Start::of(&spawn),
        pane: popup::open_popup_pane(&mut server.model, target.session, spawn),
        command: args.command.clone(),
        place,
        wanted: place,
        lines,
        style: look,
        border_style: border,
        title,
        close: match args.close_on_exit {
            0 => CloseWhen::Key,
            1 => CloseWhen::Exit,
            _ => CloseWhen::Success,
        },
        has_ended: false,
        drag: None,
        last_mouse: None,
        menu: None,
        target,
        queue: server.model.running(),
    };
    Ok(overlays::lay_over(
        &mut server.model,
        id,
        Overlay::Popup(Box::new(popup)),
    ))
}

fn lines(args: &Args, options: View<'_>) -> Result<BoxLines, String> {
    if args.no_border {
        return Ok(BoxLines::None);
    }
    let name = args.border_lines.as_deref();
    let name = name.unwrap_or_else(|| options.text("popup-border-lines"));
    BoxLines::named(name).ok_or_else(|| format!("popup-border-lines unknown value: {name}"))
}

/// A size in cells or percent of `all`; half of it by default.
fn extent(what: &str, text: Option<&str>, all: u16) -> Result<u16, String> {
    let Some(text) = text else {
        return Ok((all / 2).max(1));
    };
    let (digits, most) = match text.strip_suffix('%') {
        Some(digits) => (digits, 100),
        None => (text, i64::from(all)),
    };
    let number: i64 = digits
        .trim()
        .parse()
        .map_err(|_| format!("{what} invalid"))?;
    let extent = match text.ends_with('%') {
        true if (0..=most).contains(&number) => i64::from(all) * number / 100,
        _ => number,
    };
    match u16::try_from(extent) {
        Ok(extent) if number <= most && extent > 0 => Ok(extent),
        _ if number > most => Err(format!("{what} too large")),
        _ => Err(format!("{what} too small")),
    }
}

fn spawn(
    server: &Server,
    caller: &Caller,
    client: ClientId,
    target: ResolvedTarget,
    args: &Args,
    inside: Rect,
) -> Result<SpawnRequest, String> {
    let scope = formats::scope(&server.model)
        .client(Some(client))
        .found(target);
    let directory = args.directory.as_deref().map(|text| scope.expand(text));
    let session = server.model.sessions.get(&target.session);
    let session = session.ok_or_else(|| "no current session".to_owned())?;
    let new = NewProgram {
        command: &args.command,
        directory: directory.as_deref(),
        environment: variables(&args.environment)?,
        size: Size::new(inside.rows, inside.cols),
        started_as: StartedAs::Command,
        ..NewProgram::default()
    };
    let mut spawn = spawn::spawn_request(&server.model, caller, session.id, &session.environ, &new);
    // The popup is no pane, so commands typed in it are about the pane below. In tmux it has no `$TMUX_PANE`.
    let own: [&[u8]; 2] = [b"SHELLKEEP_PANE=", b"TMUX_PANE="];
    spawn
        .environ
        .retain(|entry| !own.iter().any(|name| entry.starts_with(name)));
    let entry = format!("SHELLKEEP_PANE={}", target.pane);
    spawn.environ.push(entry.into_bytes());
    Ok(spawn)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn extent_is_a_number_or_a_share_within_the_terminal() {
        assert_eq!(extent("height", None, 25), Ok(12));
        assert_eq!(extent("height", Some("7"), 25), Ok(7));
        assert_eq!(extent("height", Some("50%"), 25), Ok(12));
        let fails = |text| extent("height", Some(text), 25).unwrap_err();
        assert_eq!(fails("x"), "height invalid");
        assert_eq!(fails("0"), "height too small");
        assert_eq!(fails("200%"), "height too large");
        assert_eq!(fails("26"), "height too large");
        assert_eq!(fails("-99999999999"), "height too small");
    }
}
