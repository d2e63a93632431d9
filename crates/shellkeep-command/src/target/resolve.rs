//! From what was typed to what is meant.

use shellkeep_core::{ClientId, PaneId, SessionId, WindowId};

use super::{Current, Extent, Link, PaneBox, ResolvedTarget, Slot, TargetError, World, directions};
use crate::Target;
use crate::glob::matches;

/// Finds what a `-t` or `-s` means. A client or a place for a window has its own function.
///
/// # Errors
/// When there is no such thing, or more than one.
pub fn resolve(
    target: Option<&str>,
    kind: Target,
    current: &Current,
    world: &dyn World,
) -> Result<ResolvedTarget, TargetError> {
    let finder = Finder { world, current };
    match target.unwrap_or_default() {
        "" => finder.here(),
        "=" | "{mouse}" => current.mouse.ok_or(TargetError::NoMouse),
        "~" | "{marked}" => world.marked().ok_or(TargetError::NoMarked),
        text => finder.found(&Parts::of(text, kind)),
    }
}

/// As [`resolve`], but without a target the marked pane is meant, if there is one.
///
/// # Errors
/// As [`resolve`].
pub fn resolve_or_marked(
    target: Option<&str>,
    kind: Target,
    current: &Current,
    world: &dyn World,
) -> Result<ResolvedTarget, TargetError> {
    match (target, world.marked()) {
        (None, Some(marked)) => Ok(marked),
        _ => resolve(target, kind, current, world),
    }
}

/// Finds what a `-t` means to a command that takes sessions, windows and panes alike, and how much of it is meant.
///
/// A session of that very name comes first: tmux, whose commands want a pane here, would rather take a window whose name
/// begins so. Otherwise a word is looked up as tmux looks up a pane.
///
/// # Errors
/// As [`resolve`].
pub fn resolve_extent(
    target: Option<&str>,
    current: &Current,
    world: &dyn World,
) -> Result<(ResolvedTarget, Extent), TargetError> {
    let finder = Finder { world, current };
    let text = target.unwrap_or_default();
    let parts = Parts::of(text, Target::Pane);
    let extent = match (parts.window, parts.pane) {
        _ if text.is_empty() => Extent::Session,
        _ if matches!(text, "=" | "{mouse}" | "~" | "{marked}") => Extent::Pane,
        _ if parts.form == PaneForm::Dotted => Extent::Pane,
        (_, Some(pane)) if pane.starts_with('%') => Extent::Pane,
        (_, Some(word)) => {
            let found = finder.word(text);
            return found.ok_or_else(|| TargetError::Pane(word.to_owned()));
        }
        (Some(_), None) => Extent::Window,
        (None, None) => Extent::Session,
    };
    Ok((resolve(target, Target::Pane, current, world)?, extent))
}

/// Finds the place for a window that a `-t` means: taken or not.
///
/// # Errors
/// When there is no such session or window.
pub fn resolve_index(
    target: Option<&str>,
    current: &Current,
    world: &dyn World,
) -> Result<Slot, TargetError> {
    let finder = Finder { world, current };
    let slot = |found: ResolvedTarget| Slot {
        session: found.session,
        index: Some(found.index),
    };
    match target.unwrap_or_default() {
        "" | ":" => Ok(Slot {
            session: finder.here()?.session,
            index: None,
        }),
        "=" | "{mouse}" => current.mouse.map(slot).ok_or(TargetError::NoMouse),
        "~" | "{marked}" => world.marked().map(slot).ok_or(TargetError::NoMarked),
        text => finder.slot(&Parts::of(text, Target::Window)),
    }
}

/// Finds the client a `-t` or `-c` means, by its terminal.
///
/// # Errors
/// When there is no such client.
pub fn resolve_client(
    target: Option<&str>,
    current: &Current,
    world: &dyn World,
) -> Result<ClientId, TargetError> {
    let clients = world.clients();
    let Some(text) = target else {
        let session = current.place.map(|place| place.session);
        let own = clients
            .iter()
            .find(|spot| Some(spot.client) == current.client);
        let shows = clients
            .iter()
            .find(|spot| session.is_some() && spot.session == session);
        let spot = own.or(shows).or(clients.first());
        return spot.map(|spot| spot.client).ok_or(TargetError::NoClient);
    };
    let name = text.strip_suffix(':').unwrap_or(text);
    let spot = clients
        .iter()
        .find(|spot| is_client(&spot.name, &spot.tty, name));
    spot.map(|spot| spot.client)
        .ok_or_else(|| TargetError::Client(name.to_owned()))
}

fn is_client(name: &str, tty: &str, wanted: &str) -> bool {
    let short = tty.strip_prefix("/dev/");
    !wanted.is_empty() && (name == wanted || tty == wanted || short == Some(wanted))
}

/// A name, and whether it must be that very name.
#[derive(Clone, Copy)]
struct Name<'a> {
    text: &'a str,
    is_exact: bool,
}

impl<'a> Name<'a> {
    fn of(text: &'a str) -> Option<Self> {
        let (text, is_exact) = match text.strip_prefix('=') {
            Some(text) => (text, true),
            None => (text, false),
        };
        (!text.is_empty()).then_some(Self { text, is_exact })
    }
}

/// How a pane was written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum PaneForm {
    /// As a word alone, which may mean a window or session, too.
    Word,
    /// Behind a dot: it can be nothing but a pane.
    Dotted,
}

/// The session, window and pane parts of a target.
struct Parts<'a> {
    session: Option<Name<'a>>,
    window: Option<Name<'a>>,
    pane: Option<&'a str>,
    form: PaneForm,
}

impl<'a> Parts<'a> {
    fn of(text: &'a str, kind: Target) -> Self {
        let (session, rest) = match text.split_once(':') {
            Some((session, rest)) => (Some(session), Some(rest)),
            None => (None, None),
        };
        let (mut session, mut window, mut pane) = (session, None, None);
        let mut form = PaneForm::Word;
        match rest.unwrap_or(text).split_once('.') {
            Some((before, behind)) => {
                (window, pane) = (Some(before), Some(behind));
                form = PaneForm::Dotted;
            }
            None if rest.is_some() => window = rest,
            None => match (text.as_bytes().first(), kind) {
                (Some(b'$'), _) if text.len() > 1 => session = Some(text),
                (Some(b'@'), _) => window = Some(text),
                (Some(b'%'), _) | (_, Target::Pane) => pane = Some(text),
                (_, Target::Session) => session = Some(text),
                _ => window = Some(text),
            },
        }
        Self {
            session: session.and_then(Name::of),
            window: window.map(window_sign).and_then(Name::of),
            pane: pane.map(pane_sign).filter(|pane| !pane.is_empty()),
            form,
        }
    }
}

/// The short sign for a window in braces.
fn window_sign(text: &str) -> &str {
    match text {
        "{start}" => "^",
        "{last}" => "!",
        "{end}" => "$",
        "{next}" => "+",
        "{previous}" => "-",
        _ => text,
    }
}

/// The short sign for a pane in braces.
fn pane_sign(text: &str) -> &str {
    match text {
        "{last}" => "!",
        "{next}" => "+",
        "{previous}" => "-",
        _ => text,
    }
}

/// The number behind `+` or `-`, which is 1 if there is none.
fn offset(text: &str) -> Option<(Step, u32)> {
    let (way, number) = if let Some(number) = text.strip_prefix('+') {
        (Step::On, number)
    } else {
        (Step::Back, text.strip_prefix('-')?)
    };
    match number {
        "" => Some((way, 1)),
        _ if number.starts_with(|c: char| c.is_ascii_digit()) => Some((way, number.parse().ok()?)),
        _ => None,
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Step {
    On,
    Back,
}

/// Goes round a ring of `length` places.
fn step(at: usize, way: Step, number: u32, length: usize) -> usize {
    let number = number as usize % length;
    match way {
        Step::On => (at + number) % length,
        Step::Back => (at + length - number) % length,
    }
}

struct Finder<'a> {
    world: &'a dyn World,
    current: &'a Current,
}

impl Finder<'_> {
    /// What is current, or else what was used last.
    fn here(&self) -> Result<ResolvedTarget, TargetError> {
        if let Some(place) = self.current.place {
            return Ok(place);
        }
        let sessions = self.world.sessions();
        let mut shown = sessions.iter().filter_map(|session| self.shown(*session));
        shown.next().ok_or(TargetError::NoCurrent)
    }

    /// The active pane of a session's current window.
    fn shown(&self, session: SessionId) -> Option<ResolvedTarget> {
        let index = self.world.current_index(session)?;
        let links = self.world.links(session);
        let link = links.iter().find(|link| link.index == index)?;
        self.active(session, *link)
    }

    fn active(&self, session: SessionId, link: Link) -> Option<ResolvedTarget> {
        Some(ResolvedTarget {
            session,
            index: link.index,
            window: link.window,
            pane: self.world.active_pane(link.window)?,
        })
    }

    fn found(&self, parts: &Parts<'_>) -> Result<ResolvedTarget, TargetError> {
        let no_pane = |pane: &str| TargetError::Pane(pane.to_owned());
        let Some(name) = parts.session else {
            return match (parts.window, parts.pane) {
                (Some(window), pane) => {
                    let found = self
                        .window(window)
                        .ok_or_else(|| TargetError::Window(window.text.to_owned()))?;
                    match pane {
                        Some(pane) => self.pane_in(found, pane).ok_or_else(|| no_pane(pane)),
                        None => Ok(found),
                    }
                }
                (None, Some(pane)) => self.pane(pane, parts.form).ok_or_else(|| no_pane(pane)),
                (None, None) => self.here(),
            };
        };
        let no_session = || TargetError::Session(name.text.to_owned());
        let session = self.session(name).ok_or_else(no_session)?;
        let found = match parts.window {
            Some(window) => self
                .window_in(session, window)
                .ok_or_else(|| TargetError::Window(window.text.to_owned()))?,
            None => self.shown(session).ok_or_else(no_session)?,
        };
        match parts.pane {
            Some(pane) => self.pane_in(found, pane).ok_or_else(|| no_pane(pane)),
            None => Ok(found),
        }
    }

    fn session(&self, name: Name<'_>) -> Option<SessionId> {
        let sessions = self.world.sessions();
        if name.text.starts_with('$') {
            let id: SessionId = name.text.parse().ok()?;
            return sessions.into_iter().find(|session| *session == id);
        }
        let named: Vec<(SessionId, String)> = sessions
            .into_iter()
            .filter_map(|session| Some((session, self.world.session_name(session)?)))
            .collect();
        if let Some((session, _)) = named.iter().find(|(_, own)| own == name.text) {
            return Some(*session);
        }
        let clients = self.world.clients();
        let client = clients
            .iter()
            .find(|spot| is_client(&spot.name, &spot.tty, name.text));
        if let Some(session) = client.and_then(|spot| spot.session) {
            return Some(session);
        }
        if name.is_exact {
            return None;
        }
        begins_or_matches(&named, name.text)
    }

    /// A window without a session: in the current one, or else a session of this name.
    fn window(&self, name: Name<'_>) -> Option<ResolvedTarget> {
        if name.text.starts_with('@') {
            let window: WindowId = name.text.parse().ok()?;
            return self.link_of(window);
        }
        if let Some(found) = self
            .here()
            .ok()
            .and_then(|here| self.window_in(here.session, name))
        {
            return Some(found);
        }
        if name.is_exact {
            return None;
        }
        self.shown(self.session(name)?)
    }

    /// A window in the session that was used last among those that have it; where it is there several times, as the current one.
    fn link_of(&self, window: WindowId) -> Option<ResolvedTarget> {
        let sessions = self.world.sessions().into_iter();
        let mut found = sessions.filter_map(|session| {
            let links = self.world.links(session);
            let link = self.best_link(session, &links, window)?;
            self.active(session, link)
        });
        found.next()
    }

    /// Where a session has a window: it may be there more than once.
    fn best_link(&self, session: SessionId, links: &[Link], window: WindowId) -> Option<Link> {
        let current = self.world.current_index(session);
        let all = || links.iter().filter(|link| link.window == window);
        let shown = all().find(|link| Some(link.index) == current);
        shown.or_else(|| all().next()).copied()
    }

    fn window_in(&self, session: SessionId, name: Name<'_>) -> Option<ResolvedTarget> {
        let links = self.world.links(session);
        let link = self.link_in(session, &links, name)?;
        self.active(session, link)
    }

    fn link_in(&self, session: SessionId, links: &[Link], name: Name<'_>) -> Option<Link> {
        let text = name.text;
        if text.starts_with('@') {
            return self.best_link(session, links, text.parse().ok()?);
        }
        let at = |index: u32| links.iter().find(|link| link.index == index).copied();
        if !name.is_exact {
            if let Some((way, number)) = offset(text) {
                let current = self.world.current_index(session)?;
                let from = links.iter().position(|link| link.index == current)?;
                return links.get(step(from, way, number, links.len())).copied();
            }
            match text {
                "!" => return at(self.world.last_index(session)?),
                "^" => return links.first().copied(),
                "$" => return links.last().copied(),
                _ => {}
            }
        }
        if let Some(link) = index(text).and_then(at) {
            return Some(link);
        }
        let named: Vec<(Link, String)> = links
            .iter()
            .filter_map(|link| Some((*link, self.world.window_name(link.window)?)))
            .collect();
        match the_one(&named, |own| own == text) {
            Err(Several::None) if !name.is_exact => {}
            result => return result.ok(),
        }
        begins_or_matches(&named, text)
    }

    /// A pane without a window: in the current one, or else a window or session of this name.
    fn pane(&self, text: &str, form: PaneForm) -> Option<ResolvedTarget> {
        if text.starts_with('%') {
            let pane: PaneId = text.parse().ok()?;
            let found = self.link_of(self.world.window_of(pane)?)?;
            return Some(ResolvedTarget { pane, ..found });
        }
        let here = self.here().ok()?;
        if let Some(found) = self.pane_in(here, text) {
            return Some(found);
        }
        if form == PaneForm::Dotted {
            return None;
        }
        let name = Name::of(window_sign(text))?;
        self.window(name)
    }

    /// What a word alone means, if it may be a session as well as a pane.
    fn word(&self, text: &str) -> Option<(ResolvedTarget, Extent)> {
        let wanted = Name::of(text)?.text;
        let mut sessions = self.world.sessions().into_iter();
        let is_wanted = |id: &SessionId| self.world.session_name(*id).as_deref() == Some(wanted);
        if let Some(session) = sessions.find(is_wanted) {
            return Some((self.shown(session)?, Extent::Session));
        }
        let here = self.here().ok()?;
        if let Some(found) = self.pane_in(here, pane_sign(text)) {
            return Some((found, Extent::Pane));
        }
        let name = Name::of(window_sign(text))?;
        if let Some(found) = self.window_in(here.session, name) {
            return Some((found, Extent::Window));
        }
        let session = self.session(name)?;
        Some((self.shown(session)?, Extent::Session))
    }

    fn pane_in(&self, place: ResolvedTarget, text: &str) -> Option<ResolvedTarget> {
        let panes = self.world.panes(place.window);
        let pane = self.pane_of(place.window, &panes, text)?;
        Some(ResolvedTarget { pane, ..place })
    }

    fn pane_of(&self, window: WindowId, panes: &[PaneBox], text: &str) -> Option<PaneId> {
        if text.starts_with('%') {
            let id: PaneId = text.parse().ok()?;
            return panes.iter().map(|pane| pane.pane).find(|pane| *pane == id);
        }
        if text == "!" {
            return self.world.last_pane(window);
        }
        // Seen from the current pane. From another window the next is the first, the previous the last.
        let here = self.here().ok().map(|here| here.pane);
        if let Some((way, number)) = offset(text) {
            let length = panes.len().max(1);
            let from = panes.iter().position(|pane| Some(pane.pane) == here);
            let at = match (from, way) {
                (Some(from), _) => step(from, way, number, length),
                (None, Step::On) => step(length - 1, way, number, length),
                (None, Step::Back) => step(0, way, number, length),
            };
            return panes.get(at).map(|pane| pane.pane);
        }
        if let Some(number) = index(text) {
            let mut panes = panes.iter();
            return panes
                .find(|pane| pane.index == number)
                .map(|pane| pane.pane);
        }
        let bare = text
            .strip_prefix('{')
            .and_then(|text| text.strip_suffix('}'));
        let size = self.world.window_size(window);
        // A zoomed pane is at every edge.
        let at_edge = directions::at_edge(bare.unwrap_or(text), size, panes);
        let at_edge = at_edge.map(|pane| self.world.zoomed(window).unwrap_or(pane));
        at_edge.or_else(|| directions::beside(bare?, size, panes, here?))
    }

    fn slot(&self, parts: &Parts<'_>) -> Result<Slot, TargetError> {
        let found = |found: ResolvedTarget| Slot {
            session: found.session,
            index: Some(found.index),
        };
        if parts.pane.is_some() {
            return Err(TargetError::PaneHere);
        }
        let session = match parts.session {
            Some(name) => self
                .session(name)
                .ok_or_else(|| TargetError::Session(name.text.to_owned()))?,
            None => self.here()?.session,
        };
        let Some(window) = parts.window else {
            return Ok(Slot {
                session,
                index: None,
            });
        };
        if let Some(slot) = self.slot_in(session, window) {
            return Ok(slot);
        }
        // A word alone may be a session, in which any place will do.
        let other = match parts.session {
            None if window.text.starts_with('@') => self.window(window).map(found),
            None if !window.is_exact => self.session(window).map(|session| Slot {
                session,
                index: None,
            }),
            _ => None,
        };
        other.ok_or_else(|| TargetError::Window(window.text.to_owned()))
    }

    fn slot_in(&self, session: SessionId, window: Name<'_>) -> Option<Slot> {
        let number = match offset(window.text).filter(|_| !window.is_exact) {
            // A place before the first or behind the last there can be is none.
            Some((Step::On, number)) => {
                Some(self.world.current_index(session)?.checked_add(number)?)
            }
            Some((Step::Back, number)) => {
                Some(self.world.current_index(session)?.checked_sub(number)?)
            }
            None => index(window.text),
        };
        let index = match number {
            Some(number) => number,
            None => {
                let links = self.world.links(session);
                self.link_in(session, &links, window)?.index
            }
        };
        Some(Slot {
            session,
            index: Some(index),
        })
    }
}

/// A plain number, without a sign.
fn index(text: &str) -> Option<u32> {
    let is_number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse()
        .ok()
        .filter(|number| is_number && *number <= i32::MAX.unsigned_abs())
}

/// Why there is not the one.
enum Several {
    None,
    Many,
}

/// The only one whose name begins so; or, if none does, the only one whose name fits the pattern.
fn begins_or_matches<T: Copy>(named: &[(T, String)], text: &str) -> Option<T> {
    match the_one(named, |own| own.starts_with(text)) {
        Err(Several::None) => the_one(named, |own| matches(text, own)).ok(),
        result => result.ok(),
    }
}

/// The only one that fits.
fn the_one<T: Copy>(named: &[(T, String)], fits: impl Fn(&str) -> bool) -> Result<T, Several> {
    let mut fitting = named.iter().filter(|(_, name)| fits(name));
    let first = fitting.next().ok_or(Several::None)?;
    match fitting.next() {
        None => Ok(first.0),
        Some(_) => Err(Several::Many),
    }
}
