use shellkeep_core::{ClientId, PaneId, SessionId, Size, WindowId};

use super::*;
use crate::Target;

/// Sessions a (windows 1, 3 and 5), abc and b, as they were set up in tmux to record what it finds.
struct Mock {
    marked: Option<ResolvedTarget>,
}

const A: SessionId = SessionId(0);
const ABC: SessionId = SessionId(1);
const B: SessionId = SessionId(2);

fn pane(id: u32, index: u32, place: (u16, u16), size: (u16, u16)) -> PaneBox {
    PaneBox {
        pane: PaneId(id),
        index,
        top: place.0,
        left: place.1,
        size: Size::new(size.0, size.1),
        used: u64::from(id),
    }
}

impl World for Mock {
    fn sessions(&self) -> Vec<SessionId> {
        vec![B, A, ABC]
    }

    fn session_name(&self, session: SessionId) -> Option<String> {
        let names = ["a", "abc", "b"];
        names.get(session.0 as usize).map(|name| (*name).to_owned())
    }

    fn links(&self, session: SessionId) -> Vec<Link> {
        let links: &[(u32, u32)] = match session {
            A => &[(1, 1), (3, 3), (5, 4)],
            ABC => &[(0, 5)],
            _ => &[(0, 6)],
        };
        let link = |(index, window): &(u32, u32)| Link {
            index: *index,
            window: WindowId(*window),
        };
        links.iter().map(link).collect()
    }

    fn current_index(&self, session: SessionId) -> Option<u32> {
        Some(if session == A { 1 } else { 0 })
    }

    fn last_index(&self, session: SessionId) -> Option<u32> {
        (session == A).then_some(5)
    }

    fn window_name(&self, window: WindowId) -> Option<String> {
        let names = ["", "bash", "", "two", "three", "w", "one"];
        names.get(window.0 as usize).map(|name| (*name).to_owned())
    }

    fn window_size(&self, _: WindowId) -> Size {
        Size::new(24, 80)
    }

    fn panes(&self, window: WindowId) -> Vec<PaneBox> {
        match window.0 {
            3 => vec![
                pane(6, 0, (0, 0), (24, 40)),
                pane(8, 1, (0, 41), (12, 39)),
                pane(9, 2, (13, 41), (11, 39)),
            ],
            1 => vec![pane(1, 0, (0, 0), (12, 80)), pane(5, 1, (13, 0), (11, 80))],
            4 => vec![pane(7, 0, (0, 0), (24, 80))],
            5 => vec![pane(10, 0, (0, 0), (24, 80))],
            _ => vec![pane(11, 0, (0, 0), (24, 80))],
        }
    }

    fn active_pane(&self, window: WindowId) -> Option<PaneId> {
        let panes = self.panes(window);
        let at = usize::from(window.0 == 1);
        panes.get(at).map(|pane| pane.pane)
    }

    fn last_pane(&self, window: WindowId) -> Option<PaneId> {
        (window.0 == 1).then_some(PaneId(1))
    }

    fn window_of(&self, pane: PaneId) -> Option<WindowId> {
        let mut windows = [1, 3, 4, 5, 6].map(WindowId).into_iter();
        windows.find(|window| self.panes(*window).iter().any(|other| other.pane == pane))
    }

    fn marked(&self) -> Option<ResolvedTarget> {
        self.marked
    }

    fn clients(&self) -> Vec<ClientSpot> {
        vec![ClientSpot {
            client: ClientId(4),
            name: "/dev/pts/9".to_owned(),
            tty: "/dev/pts/9".to_owned(),
            session: Some(ABC),
        }]
    }
}

fn world() -> Mock {
    Mock { marked: None }
}

/// In session b, as the tmux that was asked was.
fn in_b() -> Current {
    Current {
        place: Some(ResolvedTarget {
            session: B,
            index: 0,
            window: WindowId(6),
            pane: PaneId(11),
        }),
        ..Current::default()
    }
}

/// In pane 1 of window 3 of session a.
fn in_a() -> Current {
    Current {
        place: Some(ResolvedTarget {
            session: A,
            index: 3,
            window: WindowId(3),
            pane: PaneId(8),
        }),
        ..Current::default()
    }
}

fn say(target: &str, kind: Target, current: &Current) -> String {
    match resolve(Some(target), kind, current, &world()) {
        Err(error) => error.to_string(),
        Ok(found) => {
            let world = world();
            let panes = world.panes(found.window);
            let pane = panes.iter().find(|pane| pane.pane == found.pane).unwrap();
            let name = world.session_name(found.session).unwrap();
            format!("{name}:{}.{}", found.index, pane.index)
        }
    }
}

#[test]
fn panes_are_found_as_tmux_finds_them() {
    for (target, expected) in [
        ("a", "a:1.1"),
        ("a:", "a:1.1"),
        ("a:3", "a:3.0"),
        ("a:3.1", "a:3.1"),
        ("a:tw", "a:3.0"),
        ("a:t", "can't find window: t"),
        ("a:=3", "a:3.0"),
        ("a:=tw", "can't find window: tw"),
        ("a:*wo", "a:3.0"),
        ("ab", "abc:0.0"),
        ("=ab:", "can't find session: ab"),
        ("=b:", "b:0.0"),
        ("a:!", "a:5.0"),
        ("a:{last}", "a:5.0"),
        ("a:+", "a:3.0"),
        ("a:-", "a:5.0"),
        ("a:^", "a:1.1"),
        ("a:$", "a:5.0"),
        ("a:{end}", "a:5.0"),
        ("a:+2", "a:5.0"),
        ("a:-9", "a:1.1"),
        ("a:3.+", "a:3.0"),
        ("a:3.-", "a:3.2"),
        ("a:3.!", "can't find pane: !"),
        ("a:1.!", "a:1.0"),
        ("a:3.{bottom}", "a:3.0"),
        ("a:3.{right}", "a:3.1"),
        ("a:3.{top-right}", "a:3.1"),
        ("a:3.bottom-right", "a:3.2"),
        ("a:3.{up-of}", "can't find pane: {up-of}"),
        ("a:3.{foo}", "can't find pane: {foo}"),
        ("a:3.9", "can't find pane: 9"),
        ("a:3.%1", "can't find pane: %1"),
        ("a:.0", "a:1.0"),
        (".0", "b:0.0"),
        (".9", "can't find pane: 9"),
        ("%9", "a:3.2"),
        ("%999", "can't find pane: %999"),
        ("@3", "a:3.0"),
        ("@3.1", "a:3.1"),
        ("$1", "abc:0.0"),
        ("$9", "can't find session: $9"),
        ("a:@9", "can't find window: @9"),
        ("zz", "can't find pane: zz"),
        ("zz:", "can't find session: zz"),
        ("a:zz", "can't find window: zz"),
        (":99", "can't find window: 99"),
        ("3", "can't find pane: 3"),
        ("{next}", "b:0.0"),
        ("{top}", "b:0.0"),
        ("=", "no mouse target"),
        ("{mouse}", "no mouse target"),
        ("~", "no marked target"),
        ("", "b:0.0"),
        (":", "b:0.0"),
        (".", "b:0.0"),
        ("/dev/pts/9", "abc:0.0"),
    ] {
        assert_eq!(say(target, Target::Pane, &in_b()), expected, "{target}");
    }
}

#[test]
fn session_of_that_very_name_comes_first_where_sessions_are_meant_too() {
    use Extent::{Pane, Session, Window};
    let found = |session, index, window, pane| ResolvedTarget {
        session,
        index,
        window: WindowId(window),
        pane: PaneId(pane),
    };
    let (a, abc, b) = (found(A, 1, 1, 5), found(ABC, 0, 5, 10), found(B, 0, 6, 11));
    let two = found(A, 3, 3, 6);
    for (target, place, extent) in [
        // Window 1 of session a, which is the current one, is called bash.
        ("b", b, Session),
        ("=b", b, Session),
        ("b:", b, Session),
        ("$2", b, Session),
        ("", found(A, 3, 3, 8), Session),
        (":", found(A, 3, 3, 8), Session),
        ("ab", abc, Session),
        ("/dev/pts/9", abc, Session),
        ("ba", a, Window),
        ("=bash", a, Window),
        ("5", found(A, 5, 4, 7), Window),
        ("a:3", two, Window),
        ("@3", two, Window),
        ("1", found(A, 3, 3, 8), Pane),
        ("+", found(A, 3, 3, 9), Pane),
        ("%6", two, Pane),
        ("a:3.", two, Pane),
        ("a:3.0", two, Pane),
    ] {
        let expected = Ok((place, extent));
        let found = resolve_extent(Some(target), &in_a(), &world());
        assert_eq!(found, expected, "{target}");
    }
    for (target, error) in [
        ("=ab", "can't find pane: =ab"),
        ("zz", "can't find pane: zz"),
        ("zz:", "can't find session: zz"),
        ("=", "no mouse target"),
        ("{marked}", "no marked target"),
    ] {
        let found = resolve_extent(Some(target), &in_a(), &world());
        assert_eq!(found.unwrap_err().to_string(), error, "{target}");
    }
}

#[test]
fn panes_are_found_from_where_one_is() {
    for (target, expected) in [
        ("+", "a:3.2"),
        (".+", "a:3.2"),
        (".-", "a:3.0"),
        ("{left-of}", "a:3.0"),
        ("{right-of}", "a:3.0"),
        ("{down-of}", "a:3.2"),
        ("{up-of}", "a:3.2"),
        ("1", "a:3.1"),
        ("5", "a:5.0"),
        (":+", "a:3.0"),
        (":three", "a:5.0"),
    ] {
        assert_eq!(say(target, Target::Pane, &in_a()), expected, "{target}");
    }
}

#[test]
fn windows_and_sessions_are_found_as_tmux_finds_them() {
    for (target, expected) in [
        ("zz", "can't find window: zz"),
        ("3", "can't find window: 3"),
        ("a", "a:1.1"),
        ("{last}", "can't find window: !"),
        ("@999", "can't find window: @999"),
        ("%1", "a:1.0"),
        ("x.1", "can't find window: x"),
        (".1", "can't find pane: 1"),
    ] {
        assert_eq!(say(target, Target::Window, &in_b()), expected, "{target}");
    }
    for (target, expected) in [
        ("zz", "can't find session: zz"),
        ("zz:1", "can't find session: zz"),
        ("$99", "can't find session: $99"),
        ("%99", "can't find pane: %99"),
        ("@999", "can't find window: @999"),
        ("%1", "a:1.0"),
        ("a:zz", "can't find window: zz"),
        ("a*", "can't find session: a*"),
        ("=ab", "can't find session: ab"),
        ("!", "can't find session: !"),
        (":3", "can't find window: 3"),
        (".", "b:0.0"),
        ("a:3", "a:3.0"),
    ] {
        assert_eq!(say(target, Target::Session, &in_b()), expected, "{target}");
    }
}

#[test]
fn places_for_windows_need_not_be_taken() {
    let slot = |target: &str| match resolve_index(Some(target), &in_b(), &world()) {
        Ok(slot) => format!("{} {:?}", slot.session, slot.index),
        Err(error) => error.to_string(),
    };
    assert_eq!(slot("99"), "$2 Some(99)");
    assert_eq!(slot("a:99"), "$0 Some(99)");
    assert_eq!(slot("a:"), "$0 None");
    assert_eq!(slot("a"), "$0 None");
    assert_eq!(slot("+1"), "$2 Some(1)");
    assert_eq!(slot("a:+"), "$0 Some(2)");
    assert_eq!(slot("a:{end}"), "$0 Some(5)");
    assert_eq!(slot(":"), "$2 None");
    assert_eq!(slot("zz"), "can't find window: zz");
    assert_eq!(slot("!"), "can't find window: !");
    assert_eq!(slot("zz:1"), "can't find session: zz");
    assert_eq!(slot("a:1.0"), "can't specify pane here");
    assert_eq!(slot("a:-9"), "can't find window: -9");
}

#[test]
fn clients_are_found_by_their_terminals() {
    for name in ["/dev/pts/9", "pts/9", "/dev/pts/9:"] {
        assert_eq!(
            resolve_client(Some(name), &in_b(), &world()),
            Ok(ClientId(4))
        );
    }
    assert_eq!(resolve_client(None, &in_b(), &world()), Ok(ClientId(4)));
    let error = resolve_client(Some("zz"), &in_b(), &world()).unwrap_err();
    assert_eq!(error.to_string(), "can't find client: zz");
}

#[test]
fn marked_pane_and_mouse_are_found() {
    let marked = in_a().place;
    let world = Mock { marked };
    let current = Current {
        mouse: marked,
        ..in_b()
    };
    let find = |target| resolve(target, Target::Pane, &current, &world).ok();
    assert_eq!(find(Some("~")), marked);
    assert_eq!(find(Some("{marked}")), marked);
    assert_eq!(find(Some("=")), marked);
    assert_eq!(find(None), in_b().place);
    let found = resolve_or_marked(None, Target::Pane, &current, &world);
    assert_eq!(found.ok(), marked);
}

#[test]
fn nothing_current_is_the_session_used_last() {
    let found = resolve(None, Target::Pane, &Current::default(), &world());
    assert_eq!(found.ok(), in_b().place);
}
