//! Clients in control mode: lines of commands in, answers and notices out.

use std::collections::BTreeMap;
use std::io::Write as _;
use std::sync::Arc;
use std::time::Duration;

use shellkeep_command::CommandError;
use shellkeep_command::parse::{List, parse_text};
use shellkeep_core::{ClientId, PaneId, Size, WindowId};
use shellkeep_proto::Role;

use super::Server;
use crate::alarm::{self, Alarm};
use crate::config::Reader;
use crate::control_feed::{Flow, Silence};
use crate::notice::Notice;
use crate::queue::{Caller, Origin};
use crate::state::{Block, Client, Control, ControlLine, Session, Subject, Subscription};
use crate::tap::{Tap, TapKey};

/// How often subscriptions are looked at.
const SUBSCRIPTION_TIME: Duration = Duration::from_secs(1);

/// How an answer ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    Done,
    Failed,
}

impl Server {
    /// A client has said what kind it is.
    pub(super) fn client_role(&mut self, id: ClientId, role: Role) {
        let Some(client) = self.state.clients.get_mut(&id) else {
            return;
        };
        client.is_tmux = role.is_tmux;
        if role.is_control && client.control.is_none() {
            client.is_control = true;
            client.control = Some(Box::new(Control::new(client.outbox.feed().clone())));
        }
    }

    // ---- commands ----

    /// A client in control mode has read a line, or its input has ended.
    pub(super) fn control_line(&mut self, id: ClientId, line: ControlLine) {
        let Some(control) = self.control_of(id) else {
            return;
        };
        control.lines.push_back(line);
        self.run_lines(id);
    }

    /// Runs what was read, until a command has to wait.
    fn run_lines(&mut self, id: ClientId) {
        loop {
            let Some(control) = self.control_of(id).filter(|control| !control.is_busy) else {
                return;
            };
            let Some(line) = control.lines.pop_front() else {
                return;
            };
            self.run_line(id, line.text.as_deref());
            // Only now may another be read.
            drop(line.permit);
        }
    }

    /// Goes on with the lines of clients whose command has come to its end.
    pub(super) fn run_waiting_lines(&mut self) {
        let waiting = self.state.clients.values().filter(|client| {
            let control = client.control.as_ref();
            control.is_some_and(|control| !control.is_busy && !control.lines.is_empty())
        });
        let waiting: Vec<ClientId> = waiting.map(|client| client.id).collect();
        for id in waiting {
            self.run_lines(id);
        }
    }

    /// Runs one line. An empty one, and the end of the input, end the client.
    fn run_line(&mut self, id: ClientId, line: Option<&[u8]>) {
        let Some(control) = self.control_of(id) else {
            return;
        };
        if control.has_exited {
            if line.is_none_or(<[u8]>::is_empty) {
                control.feed.end(control.exit.unwrap_or_default());
            }
            return;
        }
        let Some(line) = line.filter(|line| !line.is_empty()) else {
            let status = u8::from(control.has_failed);
            return self.control_exits(id, status);
        };
        let text = String::from_utf8_lossy(line);
        let caller = Caller::command_line(id);
        match self.read_line(&text) {
            Ok(list) if list.is_empty() => {}
            Ok(list) => {
                if let Some(control) = self.control_of(id) {
                    control.is_busy = true;
                }
                self.run_list(caller, &list);
            }
            Err(message) => {
                self.begin_answer(&caller);
                self.say_in_answer(&caller, format!("parse error: {message}\n").as_bytes());
                self.end_answer(&caller, Verdict::Failed);
            }
        }
    }

    /// Understands a line as a whole, or not at all.
    fn read_line(&mut self, text: &str) -> Result<List, String> {
        let outcome = parse_text(text, &mut Reader(self));
        if let Some(error) = outcome.errors.into_iter().next() {
            return Err(error.message);
        }
        for command in outcome.list.commands() {
            match shellkeep_command::parse(&command.words()) {
                Ok(_) | Err(CommandError::Help(_)) => {}
                Err(error) => return Err(error.to_string()),
            }
        }
        Ok(outcome.list)
    }

    /// The commands of a control client are done: goes on, or ends if they have shown it nothing.
    pub(super) fn control_idle(&mut self, id: ClientId, status: u8) {
        let Some(client) = self.state.clients.get_mut(&id) else {
            return;
        };
        let is_attached = client.session.is_some();
        client.owes_answer = false;
        let Some(control) = &mut client.control else {
            return;
        };
        control.is_busy = false;
        let was_started = std::mem::replace(&mut control.is_started, true);
        if !was_started && !is_attached {
            self.control_exits(id, status);
        }
    }

    // ---- answers ----

    /// The control client a caller's output goes to.
    fn answered(&mut self, caller: &Caller) -> Option<&mut Control> {
        if caller.origin != Origin::CommandLine {
            return None;
        }
        self.control_of(caller.client?)
    }

    fn control_of(&mut self, id: ClientId) -> Option<&mut Control> {
        self.state.clients.get_mut(&id)?.control.as_deref_mut()
    }

    /// A command begins: its answer does, too.
    pub(super) fn begin_answer(&mut self, caller: &Caller) {
        let time = self.now();
        let number = self.next_answer;
        let Some(control) = self.answered(caller) else {
            return;
        };
        control.block = Some(Block {
            time,
            number,
            flags: u8::from(control.is_started),
            text: Vec::new(),
            holds_notices: false,
        });
        self.next_answer += 1;
    }

    /// Adds to the answer; `false` if the caller is in no control mode.
    pub(super) fn say_in_answer(&mut self, caller: &Caller, text: &[u8]) -> bool {
        let Some(control) = self.answered(caller) else {
            return false;
        };
        match &mut control.block {
            Some(block) => {
                block.text.extend_from_slice(text);
                if text.last().is_some_and(|last| *last != b'\n') {
                    block.text.push(b'\n');
                }
            }
            // Nobody waits for it any more.
            None => control.feed.line(text.strip_suffix(b"\n").unwrap_or(text)),
        }
        true
    }

    /// The command has to wait for a pane's start. That takes no time, but what happens meanwhile is to be told behind it.
    pub(super) fn hold_notices(&mut self, caller: &Caller) {
        if let Some(control) = self.answered(caller)
            && let Some(block) = &mut control.block
        {
            block.holds_notices = true;
        }
    }

    /// The command has ended: the answer is given, as a whole, so that nothing stands within it.
    pub(super) fn end_answer(&mut self, caller: &Caller, verdict: Verdict) {
        let Some(control) = self.answered(caller) else {
            return;
        };
        let Some(block) = control.block.take() else {
            return;
        };
        control.has_failed |= verdict == Verdict::Failed;
        let end = match verdict {
            Verdict::Done => "%end",
            Verdict::Failed => "%error",
        };
        let guard = format!("{} {} {}", block.time, block.number, block.flags);
        let mut answer = format!("%begin {guard}\n").into_bytes();
        answer.extend_from_slice(&block.text);
        let _ = write!(answer, "{end} {guard}");
        control.feed.line(&answer);
        for line in std::mem::take(&mut control.held) {
            control.feed.line(line.as_bytes());
        }
    }

    // ---- the end ----

    /// A client is to end, when all that happened was told.
    pub(super) fn control_exits(&mut self, id: ClientId, status: u8) {
        if let Some(control) = self.control_of(id) {
            control.exit.get_or_insert(status);
        }
    }

    /// Ends the clients that are to end.
    pub(super) fn end_control_clients(&mut self) {
        let ending = self.state.clients.values().filter(|client| {
            let control = client.control.as_ref();
            control.is_some_and(|control| control.exit.is_some() && !control.has_exited)
        });
        let ending: Vec<ClientId> = ending.map(|client| client.id).collect();
        for id in ending {
            self.end_control_client(id);
        }
    }

    fn end_control_client(&mut self, id: ClientId) {
        let Some(client) = self.state.clients.get_mut(&id) else {
            return;
        };
        let session = client.session.take();
        client.owes_answer = false;
        let name = client.name();
        if let Some(control) = &mut client.control {
            control.has_exited = true;
            control.timer = None;
            control.feed.line(b"%exit");
            if !control.waits_to_exit {
                control.feed.end(control.exit.unwrap_or_default());
            }
        }
        if let Some(session) = session {
            self.tell(Notice::ClientDetached {
                client: id,
                name,
                session,
            });
            self.session_changed(session);
        }
    }

    // ---- notices ----

    /// Tells the clients in control mode what has happened.
    pub(super) fn tell_control_clients(&mut self, notices: &[Notice]) {
        if notices.is_empty() || !self.has_taps_to_see_to() {
            return;
        }
        // A session that is opened is told of after its windows, a client that shows it after both, and a window's name last.
        let rank = |notice: &Notice| match notice {
            Notice::WindowUnlinked { .. } => 1,
            Notice::SessionCreated(_) => 2,
            Notice::ClientAttached(_) | Notice::ClientSessionChanged(_) => 3,
            Notice::WindowRenamed(_) => 4,
            _ => 0,
        };
        // A window's first name is no other one.
        let is_new = |window: &WindowId| {
            notices
                .iter()
                .any(|notice| matches!(notice, Notice::WindowLinked { window: new, .. } if new == window))
        };
        let mut notices: Vec<&Notice> = notices
            .iter()
            .filter(|notice| !matches!(notice, Notice::WindowRenamed(window) if is_new(window)))
            .collect();
        notices.sort_by_key(|notice| rank(notice));
        let clients = self.state.clients.values();
        let clients = clients.filter(|client| client.control.is_some());
        let ids: Vec<ClientId> = clients.map(|client| client.id).collect();
        for id in ids {
            let mut lines: Vec<String> = Vec::new();
            for notice in &notices {
                let line = self.control_notice(id, notice);
                // Being attached and showing another session are two notices of one thing. Two sessions are two things.
                let is_more =
                    |line: &String| line == "%sessions-changed" || lines.last() != Some(line);
                let line = line.filter(is_more);
                lines.extend(line);
            }
            if let Some(control) = self.control_of(id) {
                for line in lines {
                    control.notify(line);
                }
            }
        }
        self.place_taps();
    }

    /// A notice in the words of control mode, if the client is to hear of it.
    fn control_notice(&self, id: ClientId, notice: &Notice) -> Option<String> {
        let client = self.state.clients.get(&id)?;
        if let Notice::SessionCreated(_) | Notice::SessionClosed { .. } = notice {
            return Some("%sessions-changed".to_owned());
        }
        let own = self.state.sessions.get(&client.session?)?;
        let prefix = |window: WindowId| match own.index_of(window) {
            Some(_) => "",
            None => "unlinked-",
        };
        let line = match notice {
            Notice::WindowLinked { window, .. } => {
                format!("%{}window-add {window}", prefix(*window))
            }
            Notice::WindowUnlinked { window, .. } => {
                format!("%{}window-close {window}", prefix(*window))
            }
            Notice::WindowRenamed(window) => {
                let name = &self.state.windows.get(window)?.name;
                format!("%{}window-renamed {window} {name}", prefix(*window))
            }
            Notice::WindowLayoutChanged(window) => self.layout_notice(client, own, *window)?,
            Notice::WindowPaneChanged(window) => {
                let active = self.state.windows.get(window)?.active;
                format!("%window-pane-changed {window} {active}")
            }
            Notice::PaneModeChanged(pane) => format!("%pane-mode-changed {pane}"),
            Notice::SessionRenamed(session) => {
                let name = &self.state.sessions.get(session)?.name;
                format!("%session-renamed {session} {name}")
            }
            Notice::SessionWindowChanged(session) => {
                let window = self.state.current_window(*session)?.id;
                format!("%session-window-changed {session} {window}")
            }
            Notice::ClientAttached(other) | Notice::ClientSessionChanged(other) => {
                self.session_notice(client, *other)?
            }
            Notice::ClientDetached { name, .. } => format!("%client-detached {name}"),
            _ => return None,
        };
        Some(line)
    }

    fn layout_notice(&self, client: &Client, own: &Session, window: WindowId) -> Option<String> {
        let index = own.index_of(window)?;
        let scope = self.scope().client(Some(client.id)).session(own.id);
        Some(scope.link(index).expand(
            "%layout-change #{window_id} #{window_layout} #{window_visible_layout} #{window_raw_flags}",
        ))
    }

    /// Some client shows another session: it is told so in its own words.
    fn session_notice(&self, client: &Client, other: ClientId) -> Option<String> {
        let other = self.state.clients.get(&other)?;
        let session = self.state.sessions.get(&other.session?)?;
        let (id, name) = (session.id, &session.name);
        Some(if other.id == client.id {
            format!("%session-changed {id} {name}")
        } else {
            format!("%client-session-changed {} {id} {name}", other.name())
        })
    }

    /// Whether some client hears panes, or has until now.
    fn has_taps_to_see_to(&self) -> bool {
        let is_tapping = |client: &Client| client.control.is_some() || client.native.is_some();
        self.are_taps_placed || self.state.clients.values().any(is_tapping)
    }

    /// Lets every control client hear the panes of its session.
    fn place_taps(&mut self) {
        let mut wanted: BTreeMap<PaneId, Vec<ClientId>> = BTreeMap::new();
        let clients = self.state.clients.values();
        for client in clients.filter(|client| client.control.is_some()) {
            let session = client.session.and_then(|id| self.state.sessions.get(&id));
            let links = session
                .into_iter()
                .flat_map(|session| session.links.values());
            for pane in links.flat_map(|link| self.state.panes_of(link.window)) {
                wanted.entry(pane.id).or_default().push(client.id);
            }
        }
        for client in self.state.clients.values() {
            if let Some(feed) = &client.native {
                wanted.entry(feed.pane()).or_default().push(client.id);
            }
        }
        self.are_taps_placed = !wanted.is_empty();
        for pane in self.state.panes.values() {
            let clients = wanted.remove(&pane.id).unwrap_or_default();
            pane.taps.keep_clients(&clients);
            for id in clients {
                let key = TapKey::Client(id);
                let client = self.state.clients.get(&id);
                let tap = client.and_then(tap_of);
                if let Some(tap) = tap {
                    pane.taps.put(key, tap);
                }
            }
        }
    }

    // ---- refresh-client ----

    /// Sets a client's flags, as `-f` has them: names with commas between them, taken back by `!`. As in tmux, what
    /// is no flag is no error.
    ///
    /// # Errors
    /// For a flag of tmux's that is not built.
    pub(crate) fn set_client_flags(&mut self, id: ClientId, flags: &str) -> Result<(), String> {
        for word in flags.split(',') {
            let (name, is_set) = match word.strip_prefix('!') {
                Some(name) => (name, false),
                None => (word, true),
            };
            let Some(client) = self.state.clients.get_mut(&id) else {
                return Ok(());
            };
            match name {
                "read-only" => client.is_read_only = is_set,
                "ignore-size" => {
                    client.ignores_size = is_set;
                    self.are_sizes_due = true;
                    continue;
                }
                "active-pane" => {
                    client.own_panes = is_set.then(Default::default);
                    self.redraw_client(id);
                    continue;
                }
                _ => {}
            }
            let Some(control) = &mut client.control else {
                continue;
            };
            match name {
                "no-output" => {
                    control.is_silent = is_set;
                    let silence = if is_set { Silence::On } else { Silence::Off };
                    control.feed.set_silent(silence);
                }
                "wait-exit" => control.waits_to_exit = is_set,
                _ if name == "pause-after" || name.starts_with("pause-after=") => {
                    let seconds = name.split_once('=').and_then(|(_, age)| age.parse().ok());
                    let age = is_set.then(|| Duration::from_secs(seconds.unwrap_or(0)));
                    control.pause_after = age;
                    control.feed.set_pause_after(age);
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// `refresh-client -C`: `WxH` or `W,H` for the client, `@ID:WxH` for one window, `@ID:` to take that back.
    ///
    /// # Errors
    /// When it is no size.
    pub(crate) fn set_control_size(&mut self, id: ClientId, text: &str) -> Result<(), String> {
        let (window, size) = match text.strip_prefix('@').and_then(|rest| rest.split_once(':')) {
            Some((number, size)) => {
                let number = number.parse().map_err(|_| bad_size())?;
                (Some(WindowId(number)), size)
            }
            None => (None, text),
        };
        let size = match size {
            "" if window.is_some() => None,
            size => Some(parse_size(size)?),
        };
        let Some(client) = self.state.clients.get_mut(&id) else {
            return Ok(());
        };
        let session = client.session;
        let Some(control) = &mut client.control else {
            return Err("not a control client".to_owned());
        };
        match (window, size) {
            (None, Some(size)) => {
                control.size = Some(size);
                client.size = size;
            }
            (Some(window), Some(size)) => {
                control.window_sizes.insert(window, size);
            }
            (Some(window), None) => {
                control.window_sizes.remove(&window);
            }
            (None, None) => {}
        }
        self.used(id);
        if let Some(session) = session {
            self.session_changed(session);
        }
        Ok(())
    }

    /// `refresh-client -A`: `%ID:on`, `off`, `continue` or `pause`. As in tmux, what is neither is no error.
    pub(crate) fn set_pane_flow(&mut self, id: ClientId, text: &str) {
        let Some((pane, state)) = text.split_once(':') else {
            return;
        };
        let Ok(pane) = pane.parse::<PaneId>() else {
            return;
        };
        if !self.state.panes.contains_key(&pane) {
            return;
        }
        let Some(control) = self.control_of(id) else {
            return;
        };
        let feed = &control.feed;
        match state {
            "on" if feed.flow(pane) == Flow::Off => feed.set_flow(pane, Flow::On),
            "off" => feed.set_flow(pane, Flow::Off),
            "continue" if feed.flow(pane) == Flow::Paused => feed.set_flow(pane, Flow::On),
            "pause" if feed.flow(pane) != Flow::Paused => feed.set_flow(pane, Flow::Paused),
            _ => {}
        }
    }

    /// `refresh-client -B`: `NAME:WHAT:FORMAT`, or `NAME` to take it back.
    pub(crate) fn subscribe(&mut self, id: ClientId, text: &str) {
        let events = self.events.clone();
        let Some(control) = self.control_of(id) else {
            return;
        };
        let mut parts = text.splitn(3, ':');
        let name = parts.next().unwrap_or_default().to_owned();
        match (parts.next(), parts.next()) {
            (Some(what), Some(format)) => {
                let subscription = Subscription {
                    what: subject(what),
                    format: format.to_owned(),
                    values: BTreeMap::new(),
                };
                control.subscriptions.insert(name, subscription);
            }
            _ => {
                control.subscriptions.remove(&name);
            }
        }
        if control.subscriptions.is_empty() {
            control.timer = None;
        } else if control.timer.is_none() {
            let alarm = Alarm::Subscriptions(id);
            control.timer = Some(alarm::set(alarm, SUBSCRIPTION_TIME, events));
        }
    }

    /// Looks whether what a client has subscribed to has changed.
    pub(super) fn look_at_subscriptions(&mut self, id: ClientId) {
        let events = self.events.clone();
        let Some(control) = self.control_of(id) else {
            return;
        };
        let mut subscriptions = std::mem::take(&mut control.subscriptions);
        let mut lines = Vec::new();
        for (name, subscription) in &mut subscriptions {
            self.look_at(id, name, subscription, &mut lines);
        }
        let Some(control) = self.control_of(id) else {
            return;
        };
        control.subscriptions = subscriptions;
        for line in lines {
            control.notify(line);
        }
        let alarm = Alarm::Subscriptions(id);
        control.timer = Some(alarm::set(alarm, SUBSCRIPTION_TIME, events));
    }

    fn look_at(
        &self,
        id: ClientId,
        name: &str,
        subscription: &mut Subscription,
        lines: &mut Vec<String>,
    ) {
        let client = self.state.clients.get(&id);
        let session = client.and_then(|client| client.session);
        let Some(session) = session.and_then(|id| self.state.sessions.get(&id)) else {
            return;
        };
        let mut values = BTreeMap::new();
        for (index, window, pane) in self.subjects(session, subscription.what) {
            let scope = self.scope().client(Some(id)).session(session.id);
            let scope = match index {
                Some(index) => scope.link(index),
                None => scope,
            };
            let scope = match pane {
                Some(pane) => scope.pane(pane),
                None => scope,
            };
            let value = scope.expand(&subscription.format);
            let key = (index.unwrap_or(u32::MAX), pane);
            if subscription.values.get(&key) != Some(&value) {
                let or_dash = |text: Option<String>| text.unwrap_or_else(|| "-".to_owned());
                lines.push(format!(
                    "%subscription-changed {name} {} {} {} {} : {value}",
                    session.id,
                    or_dash(window.map(|window| window.to_string())),
                    or_dash(index.map(|index| index.to_string())),
                    or_dash(pane.map(|pane| pane.to_string())),
                ));
            }
            values.insert(key, value);
        }
        subscription.values = values;
    }

    /// The things a subscription is about: window number, window and pane.
    fn subjects(
        &self,
        session: &Session,
        what: Subject,
    ) -> Vec<(Option<u32>, Option<WindowId>, Option<PaneId>)> {
        let windows = session
            .links
            .iter()
            .map(|(index, link)| (*index, link.window));
        match what {
            Subject::Session => vec![(None, None, None)],
            Subject::AllWindows => windows
                .map(|(index, window)| (Some(index), Some(window), None))
                .collect(),
            Subject::Window(wanted) => windows
                .filter(|(_, window)| *window == wanted)
                .map(|(index, window)| (Some(index), Some(window), None))
                .collect(),
            Subject::Pane(_) | Subject::AllPanes => windows
                .flat_map(|(index, window)| {
                    let panes = self.state.panes_of(window);
                    panes.map(move |pane| (Some(index), Some(window), Some(pane.id)))
                })
                .filter(|(_, _, pane)| match what {
                    Subject::Pane(wanted) => *pane == Some(wanted),
                    _ => true,
                })
                .collect(),
        }
    }

    /// The size a control client wants for a window, if it has said one.
    pub(crate) fn control_size(&self, client: &Client, window: WindowId) -> Option<Size> {
        let control = client.control.as_ref()?;
        let own = control.window_sizes.get(&window).copied();
        own.or(control.size)
    }
}

/// What hears a pane for a client.
fn tap_of(client: &Client) -> Option<Arc<dyn Tap>> {
    match (&client.control, &client.native) {
        (Some(control), _) => Some(control.feed.clone()),
        (None, Some(feed)) => Some(feed.clone()),
        (None, None) => None,
    }
}

fn subject(what: &str) -> Subject {
    let number = |prefix: char| what.strip_prefix(prefix)?.parse().ok();
    match what {
        "%*" => Subject::AllPanes,
        "@*" => Subject::AllWindows,
        _ => match (number('%'), number('@')) {
            (Some(pane), _) => Subject::Pane(PaneId(pane)),
            (_, Some(window)) => Subject::Window(WindowId(window)),
            _ => Subject::Session,
        },
    }
}

fn bad_size() -> String {
    "bad size argument".to_owned()
}

fn parse_size(text: &str) -> Result<Size, String> {
    let (cols, rows) = text
        .split_once('x')
        .or_else(|| text.split_once(','))
        .ok_or_else(bad_size)?;
    let side = |text: &str| text.parse::<u32>().map_err(|_| bad_size());
    let (cols, rows) = (side(cols)?, side(rows)?);
    let fits = |side: u32| {
        u16::try_from(side)
            .ok()
            .filter(|side| (1..=10_000).contains(side))
    };
    match (fits(rows), fits(cols)) {
        (Some(rows), Some(cols)) => Ok(Size::new(rows, cols)),
        _ => Err("size too small or too big".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_read_as_tmux_reads_them() {
        assert_eq!(parse_size("100x30"), Ok(Size::new(30, 100)));
        assert_eq!(parse_size("100,30"), Ok(Size::new(30, 100)));
        assert_eq!(parse_size("0x0"), Err("size too small or too big".into()));
        assert_eq!(
            parse_size("9999999x3"),
            Err("size too small or too big".into())
        );
        assert_eq!(parse_size("x"), Err("bad size argument".into()));
        assert_eq!(parse_size(""), Err("bad size argument".into()));
    }

    #[test]
    fn subscriptions_are_about_what_they_name() {
        assert_eq!(subject(""), Subject::Session);
        assert_eq!(subject("%*"), Subject::AllPanes);
        assert_eq!(subject("%4"), Subject::Pane(PaneId(4)));
        assert_eq!(subject("@*"), Subject::AllWindows);
        assert_eq!(subject("@2"), Subject::Window(WindowId(2)));
    }
}
