//! What a client's terminal is to show: the panes in their places, and all that is around them.

use std::collections::BTreeMap;
use std::sync::Arc;

use shellkeep_core::layout::BorderStatus;
use shellkeep_core::{ClientId, Color, PaneId, Style, WindowId};
use shellkeep_render::{
    BorderIndicators, BorderLines, BorderLook, Canvas, Frame, Rect, draw_borders, draw_outside,
};

use super::front::Front;
use super::status::{StatusClick, option_style};
use super::{Server, menu, pane_numbers, place, sleep_hint, status};
use crate::scene::{CursorOf, Layer, Pan, PartMoved, PartShown, Scene};
use crate::state::{Client, Model, Pane, Window};
use crate::variables::Scope;

/// A scene, and what of it can be clicked.
pub(super) struct Picture {
    pub(super) scene: Scene,
    pub(super) clicks: Vec<StatusClick>,
}

impl Server {
    /// What a client's terminal is to show.
    pub(super) fn picture(&self, id: ClientId) -> Option<Picture> {
        let client = self.state.clients.get(&id)?;
        if client.awaits_ready || client.control.is_some() || client.scrolls_natively() {
            return None;
        }
        let session = client.session?;
        let window = self.state.current_window(session)?;
        let scope = self.scope().client(Some(id)).session(session);
        let division = status::division(&self.state, client);
        let mut base = Frame::new(client.size);
        base.modes = place::wanted_modes(&self.state, session);
        base.modes.extended_keys = place::wants_extended_keys(&self.state, client);
        if self.state.session_options(Some(session)).flag("set-titles") {
            let options = self.state.session_options(Some(session));
            base.set_title(&scope.expand_time(options.text("set-titles-string")));
        }
        let clicks = self.draw_status(client, division.status, &mut base);
        let mut scene = self.window_scene(client, window, &scope, division.window, base);
        self.add_front(client, &mut scene);
        menu::add_overlay(client, &mut scene);
        Some(Picture { scene, clicks })
    }

    /// The window's part of the scene.
    fn window_scene(
        &self,
        client: &Client,
        window: &Window,
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
        fill_outside(&self.state, &mut base, room, inside, window.id);
        let corner = if is_larger {
            let mut picture = Frame::new(size);
            draw_window(
                &self.state,
                &mut picture,
                Rect::whole(size),
                (window, active),
                scope,
            );
            let part = self.part_shown(client).map(|part| (part.row, part.col));
            pan = Some(Pan {
                area: inside,
                at: match client.pan {
                    Some((panned, ..)) if panned == window.id => {
                        PartShown::At(part.unwrap_or_default())
                    }
                    _ => PartShown::AroundCursor {
                        last: part.unwrap_or_default(),
                        moved: PartMoved::new(client.id, self.events.clone()),
                    },
                },
                picture: Arc::new(picture),
                layers: 0,
                active: None,
            });
            Rect::whole(size)
        } else {
            draw_window(&self.state, &mut base, inside, (window, active), scope);
            inside
        };
        let (mut layers, focus) = self.pane_layers((window, active), scope, corner);
        if let Some(Front::PaneNumbers(_)) = client.front {
            pane_numbers::number_layers(&self.state, client, window, corner, &mut layers);
        }
        if let Some(pan) = &mut pan {
            pan.layers = layers.len();
            pan.active = focus;
        }
        Scene {
            caps: client.caps,
            base: Arc::new(base),
            pan,
            layers,
            focus,
            cursor: CursorOf::Focus,
        }
    }

    /// The panes of a window whose top left corner is that of `corner`, and which of them is the active one.
    fn pane_layers(
        &self,
        (window, active): (&Window, PaneId),
        scope: &Scope<'_>,
        corner: Rect,
    ) -> (Vec<Layer>, Option<usize>) {
        let (mut layers, mut hints) = (Vec::new(), Vec::new());
        let mut focus = None;
        for (pane, place) in window.shown().places() {
            let Some(pane) = self.state.panes.get(&pane) else {
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
            let content = self.pane_content(pane, pane_look(&self.state, pane, active, scope));
            layers.push(Layer { rect, content });
            hints.extend(sleep_hint::sleep_hint(
                &self.state,
                pane,
                scope.session.map(|it| it.id),
                rect,
            ));
        }
        layers.append(&mut hints);
        (layers, focus)
    }
}

/// The colours of a pane's cells where its program has asked for none.
pub(super) fn pane_look(model: &Model, pane: &Pane, active: PaneId, scope: &Scope<'_>) -> Style {
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

/// Draws the borders of a window.
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

/// Where panes have their titles, by the option.
pub(super) fn border_status(model: &Model, window: WindowId) -> BorderStatus {
    match model.window_options(window).text("pane-border-status") {
        "top" => BorderStatus::Top,
        "bottom" => BorderStatus::Bottom,
        _ => BorderStatus::Off,
    }
}

/// Another character than a dot where there is no window.
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
