use std::collections::BTreeSet;

use shellkeep_core::{PaneId, WindowId};

use crate::model::Outside;
use crate::persistence::notes::*;

/// A window's note as a server leaves it with the keeper, with its layout as text.
fn window_note(id: u32, layout: &str, panes: &[u32]) -> (String, Vec<u8>) {
    let panes = panes.iter().map(|pane| {
        serde_json::json!({"id": pane, "start_command": "", "start_path": "/", "options": []})
    });
    let note = serde_json::json!({
        "version": 2, "id": id, "name": format!("w{id}"), "created": 5, "layout": layout,
        "panes": panes.collect::<Vec<_>>(), "active": 2, "last_panes": [1], "is_zoomed": false, "options": [],
    });
    (window_key(WindowId(id)), note.to_string().into_bytes())
}

fn session_note(id: u32, links: &[(u32, u32)]) -> (String, Vec<u8>) {
    let note = serde_json::json!({
        "version": 2, "id": id, "name": format!("s{id}"), "created": 5, "activity": 5, "last_attached": null,
        "cwd": "/", "links": links, "current": links[0].0, "last": [], "options": [], "environ": [], "group": null,
    });
    (session_key(SessionId(id)), note.to_string().into_bytes())
}

/// The index of a window, and its panes.
type PanesAt = (u32, Vec<u32>);

/// The windows of each session, with their panes.
fn links(memory: &Memory) -> Vec<(String, Vec<PanesAt>)> {
    let window = |id: WindowId| {
        let window = memory.windows.iter().find(|window| window.id == id);
        window.unwrap().panes().iter().map(|pane| pane.0).collect()
    };
    let sessions = memory.sessions.iter();
    let sessions = sessions.map(|session| {
        let links = session.links.iter();
        let links = links.map(|(index, link)| (*index, window(link.window)));
        (session.name.clone(), links.collect())
    });
    sessions.collect()
}

#[test]
fn panes_without_a_place_get_windows_of_their_own_in_the_same_sessions() {
    let held: Vec<PaneId> = (0..5).map(PaneId).collect();
    for (layout, placed) in [
        // With cells for two of them, a cell for none, and no layout at all.
        ("80x24,0,0{40x24,0,0,1,39x24,41,0,2}", vec![1, 2]),
        ("80x24,0,0,77", vec![1]),
        ("", vec![1]),
    ] {
        let sum = layout.bytes().fold(0u16, |sum, byte| {
            sum.rotate_right(1).wrapping_add(u16::from(byte))
        });
        let layout = format!("{sum:04x},{layout}");
        let notes = Notes::from([
            window_note(3, &layout, &[1, 2, 3]),
            window_note(7, "b25d,80x24,0,0,0", &[0]),
            session_note(1, &[(0, 3), (4, 7)]),
            session_note(2, &[(9, 3)]),
            window_note(8, "b261,80x24,0,0,4", &[4]),
            session_note(3, &[(0, 8)]),
        ]);
        let memory = model(&notes, &held, Unheld::Gone, 9);
        let strays: Vec<Vec<u32>> = (1..=3)
            .filter(|pane| !placed.contains(pane))
            .map(|pane| vec![pane])
            .collect();
        let others = |first: u32| (first..).zip(strays.clone());
        let mut first = vec![(0, placed.clone()), (4, vec![0])];
        first.extend(others(5));
        let mut second = vec![(9, placed.clone())];
        second.extend(others(10));
        let expected = vec![
            ("s1".to_owned(), first),
            ("s2".to_owned(), second),
            ("s3".to_owned(), vec![(0, vec![4])]),
        ];
        assert_eq!(links(&memory), expected, "{layout}");
        assert_eq!(memory.panes.len(), 5);
        let displaced = Displaced {
            window: "w3".to_owned(),
            panes: strays.len(),
        };
        assert_eq!(memory.displaced, [displaced]);
        let windows: BTreeSet<WindowId> = memory.windows.iter().map(|window| window.id).collect();
        assert_eq!(windows.len(), memory.windows.len(), "a number each");
        for (pane, place) in &memory.panes {
            let window = memory.windows.iter().find(|it| it.id == place.window);
            assert!(window.unwrap().layout.contains(*pane));
        }
    }
}

#[test]
fn stored_session_whose_numbers_are_taken_has_every_pane_where_it_was() {
    let layout = "9880,80x24,0,0{40x24,0,0,2,39x24,41,0[39x12,41,0,3,39x11,41,13,1]}";
    let notes = Notes::from([
        window_note(0, layout, &[1, 2, 3]),
        session_note(0, &[(0, 0)]),
    ]);
    let (events, _inbox) = tokio::sync::mpsc::channel(1);
    let (keeper, _requests) = shellkeep_keeper::HostHandle::channel();
    let outside = Outside::new(|| 0, crate::alarms::Alarms::new(events), keeper);
    let mut used = Model::new(outside, "".into());
    let taken = model(&notes, &[PaneId(1), PaneId(2), PaneId(3)], Unheld::Gone, 9);
    assert_eq!(taken.displaced, []);
    for window in taken.windows {
        used.windows.insert(window.id, window);
    }
    let text = |key: &str| String::from_utf8(notes[key].clone()).unwrap();
    let body = format!(
        r#"{{"session":{},"windows":[{}]}}"#,
        text("session/0"),
        text("window/0")
    );
    for number in [1, 2, 3] {
        let id = PaneId(number);
        let pane = Pane::new(
            id,
            WindowId(0),
            Size::default(),
            crate::panes::screen::Screen::new(
                id,
                shellkeep_term::Emulator::new(Size::default(), Default::default()),
            ),
        );
        used.panes.insert(id, pane);
    }
    let body = SessionBody::read(&body).unwrap();
    let (memory, numbers) = stored_session(body, &used, Cause::Lost, 9);
    assert_eq!((numbers, memory.displaced.len()), (Numbers::Others, 0));
    let window = &memory.windows[0];
    assert_eq!(
        window.layout.to_text().split_once(',').unwrap().1,
        "80x24,0,0{40x24,0,0,5,39x24,41,0[39x12,41,0,6,39x11,41,13,4]}"
    );
    assert_eq!(window.panes(), [PaneId(4), PaneId(5), PaneId(6)]);
    assert_eq!(window.active, PaneId(5));
}
