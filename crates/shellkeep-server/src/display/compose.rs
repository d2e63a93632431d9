//! Composes the scene of a client: the panes in their places, and everything around them.

use std::collections::BTreeMap;
use std::sync::Arc;

use shellkeep_core::layout::BorderStatus;
use shellkeep_core::{ClientId, Color, PaneId, Style, WindowId};
use shellkeep_render::{
    BorderIndicators, BorderLines, BorderLook, Canvas, Frame, Rect, draw_borders, draw_outside,
};
use tokio::sync::mpsc;
use tokio::sync::mpsc::error::TrySendError;

use crate::display::division::division;
use crate::display::part_shown::part_shown;
use crate::display::scene::{CursorOf, Layer, Pan, PartMoved, PartShown, Scene};
use crate::event::Event;
use crate::formats;
use crate::formats::Scope;
use crate::hibernation::sleep_hint;
use crate::model::{Client, KeyGrab, Model, Pane, StatusClick, Window};
use crate::modes::{copy_frame, menu, pane_numbers, prompt, view};
use crate::panes::place;
use crate::status::status_line::option_style;
use crate::status::{message, status_line};

/// A scene, and what can be clicked in it.
pub(crate) struct ComposedScene {
    pub(crate) scene: Scene,
    pub(crate) clicks: Vec<StatusClick>,
}

pub(crate) fn compose_scene(
    model: &Model,
    events: &mpsc::Sender<Event>,
    id: ClientId,
) -> Option<ComposedScene> {
    let client = model.clients.get(&id)?;
    if client.terminal.awaits_ready || client.control.is_some() || client.scrolls_natively() {
        return None;
    }
    let session = client.session?;
    let window = model.current_window(session)?;
    let scope = formats::scope(model).client(Some(id)).session(session);
    let division = division(model, client);
    let mut base = Frame::new(client.terminal.size);
    base.modes = place::wanted_modes(model, session);
    base.modes.extended_keys = place::wants_extended_keys(model, client);
    if model.session_options(Some(session)).flag("set-titles") {
        let options = model.session_options(Some(session));
        base.set_title(&scope.expand_time(options.text("set-titles-string")));
    }
    let clicks = status_line::draw_status(model, client, division.status, &mut base);
    let mut scene = window_scene(
        model,
        events,
        (client, window),
        &scope,
        division.window,
        base,
    );
    add_key_grab(model, client, &mut scene);
    menu::add_overlay(client, &mut scene);
    Some(ComposedScene { scene, clicks })
}

/// The part of the scene that shows the window.
fn window_scene(
    model: &Model,
    events: &mpsc::Sender<Event>,
    (client, window): (&Client, &Window),
    scope: &Scope<'_>,
    room: Rect,
    mut base: Frame,
) -> Scene {
    let active = client.active_in(window);
    let size = window.shown().size();
    let is_larger = size.rows() > room.rows || size.cols() > room.cols;
    let mut pan = None;
    let inside = Rect {
        rows: size.rows().min(room.rows),
        cols: size.cols().min(room.cols),
        ..room
    };
    draw_outside(&mut base, room, inside);
    fill_outside(model, &mut base, room, inside, window.id);
    let corner = if is_larger {
        let mut borders = Frame::new(size);
        draw_window(
            model,
            &mut borders,
            Rect::whole(size),
            (window, active),
            scope,
        );
        let part = part_shown(model, client).map(|part| (part.row, part.col));
        pan = Some(Pan {
            area: inside,
            at: match client.view.pan {
                Some((panned, ..)) if panned == window.id => {
                    PartShown::At(part.unwrap_or_default())
                }
                _ => PartShown::AroundCursor {
                    last: part.unwrap_or_default(),
                    moved: part_reporter(events.clone(), client.id),
                },
            },
            base: Arc::new(borders),
            layers: 0,
            active: None,
        });
        Rect::whole(size)
    } else {
        draw_window(model, &mut base, inside, (window, active), scope);
        inside
    };
    let (mut layers, focus) = pane_layers(model, (window, active), scope, corner);
    if let Some(KeyGrab::PaneNumbers(_)) = client.view.key_grab {
        pane_numbers::number_layers(model, client, window, corner, &mut layers);
    }
    if let Some(pan) = &mut pan {
        pan.layers = layers.len();
        pan.active = focus;
    }
    Scene {
        caps: client.terminal.caps,
        base: Arc::new(base),
        pan,
        layers,
        focus,
        cursor: CursorOf::Focus,
    }
}

/// The panes of a window whose top left corner is at `corner`, and which of them is active.
fn pane_layers(
    model: &Model,
    (window, active): (&Window, PaneId),
    scope: &Scope<'_>,
    corner: Rect,
) -> (Vec<Layer>, Option<usize>) {
    let (mut layers, mut hints) = (Vec::new(), Vec::new());
    let mut focus = None;
    for (pane, place) in window.shown().places() {
        let Some(pane) = model.panes.get(&pane) else {
            continue;
        };
        if pane.id == active {
            focus = Some(layers.len());
        }
        let rect = Rect {
            row: place.row + corner.row,
            col: place.col + corner.col,
            ..place
        };
        let content = copy_frame::pane_content(model, pane, pane_style(model, pane, active, scope));
        layers.push(Layer { rect, content });
        hints.extend(sleep_hint::sleep_hint(
            model,
            pane,
            scope.session.map(|it| it.id),
            rect,
        ));
    }
    layers.append(&mut hints);
    (layers, focus)
}

/// Draws a prompt or pane numbers, and the message.
fn add_key_grab(model: &Model, client: &Client, scene: &mut Scene) {
    let division = division(model, client);
    let row = crate::status::message::message_row(&division);
    view::add_hints(model, client, &division, scene);
    match &client.view.key_grab {
        Some(KeyGrab::Prompt(prompt)) => {
            let mut col = 0;
            scene.cover(row, |frame| {
                col = prompt::draw_client_prompt(model, client, prompt, &division, frame);
            });
            scene.hide_cursor(row.row, row.col + col);
        }
        Some(KeyGrab::PaneNumbers(_)) => scene.hide_cursor(0, 0),
        None => {}
    }
    if let Some(message) = &client.view.message {
        scene.cover(row, |frame| {
            message::draw_client_message(model, client, message, &division, frame);
        });
        scene.hide_cursor(row.row, 0);
    }
}

/// The colours of a pane's cells whose program has set none.
pub(crate) fn pane_style(model: &Model, pane: &Pane, active: PaneId, scope: &Scope<'_>) -> Style {
    let options = model.pane_options(pane.id);
    let scope = scope.clone().pane(pane.id);
    let style = |name| option_style(options, name, &scope, Style::default());
    let mut look = style("window-style");
    if pane.id == active {
        let active = style("window-active-style");
        if active.fg != Color::Default {
            look.fg = active.fg;
        }
        if active.bg != Color::Default {
            look.bg = active.bg;
        }
    }
    look
}

fn draw_window(
    model: &Model,
    frame: &mut Frame,
    area: Rect,
    (window, active): (&Window, PaneId),
    scope: &Scope<'_>,
) {
    let layout = window.shown();
    if layout.panes().len() < 2 && layout.border_status() == BorderStatus::Off {
        return;
    }
    let options = model.window_options(window.id);
    let of_pane = |pane: PaneId| scope.clone().pane(pane);
    let styles: BTreeMap<PaneId, Style> = layout
        .panes()
        .iter()
        .map(|pane| {
            let name = match *pane == active {
                true => "pane-active-border-style",
                false => "pane-border-style",
            };
            let style = option_style(options, name, &of_pane(*pane), Style::default());
            (*pane, style)
        })
        .collect();
    let marked = model.marked.filter(|pane| layout.panes().contains(pane));
    let look = BorderLook {
        lines: match options.text("pane-border-lines") {
            "double" => BorderLines::Double,
            "heavy" => BorderLines::Heavy,
            "simple" => BorderLines::Simple,
            "number" => BorderLines::Number,
            _ => BorderLines::Single,
        },
        indicators: match options.text("pane-border-indicators") {
            "off" => BorderIndicators::Off,
            "arrows" => BorderIndicators::Arrows,
            "both" => BorderIndicators::Both,
            _ => BorderIndicators::Colour,
        },
        active,
        marked,
        first_number: u32::try_from(options.number("pane-base-index")).unwrap_or(0),
        style: &|pane| styles.get(&pane).copied().unwrap_or_default(),
        title: &|pane| {
            let format = model.pane_options(pane).text("pane-border-format");
            of_pane(pane).expand_time(format)
        },
    };
    draw_borders(frame, area, layout, &look);
}

/// Fills the area outside of the window with `fill-character`.
fn fill_outside(model: &Model, frame: &mut Frame, room: Rect, inside: Rect, window: WindowId) {
    let fill = model.window_options(window).text("fill-character");
    let mut fill = fill.chars();
    let (Some(fill), None) = (fill.next(), fill.next()) else {
        return;
    };
    let mut text = [0; 4];
    let text = fill.encode_utf8(&mut text);
    let mut canvas = Canvas::new(frame, room);
    for row in 0..room.rows {
        let first = match row.cmp(&inside.rows) {
            std::cmp::Ordering::Less | std::cmp::Ordering::Equal => inside.cols + 1,
            std::cmp::Ordering::Greater => 0,
        };
        for col in first..room.cols {
            canvas.put(row, col, text, 1, Style::default(), None);
        }
    }
}

/// Reports to the event loop that the visible part of a window has moved.
fn part_reporter(events: mpsc::Sender<Event>, client: ClientId) -> PartMoved {
    PartMoved::new(move |last| {
        let event = Event::PartMoved { client, last };
        if let Err(TrySendError::Full(event)) = events.try_send(event) {
            // The queue is full. The loop must get this report, since no further frame may come.
            let events = events.clone();
            tokio::spawn(async move {
                let _ = events.send(event).await;
            });
        }
    })
}
