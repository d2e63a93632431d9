//! The commands of a pane: appended, read in parts, and read despite damage.

use std::fs;
use std::path::PathBuf;

use shellkeep_store::schema::{
    CommandBegan, CommandEnded, CommandEntry, CommandLines, CommandRepository,
};
use shellkeep_store::{PaneDir, StoreError, StoreId};

use crate::sample::{NOW, new_pane, open, scratch};

/// The id of a command that began so many milliseconds later.
pub(crate) fn id(after: u64) -> StoreId {
    let bits = (u128::from(NOW + after) << 32) | 7;
    StoreId::from_bits(bits).unwrap()
}

pub(crate) fn began(after: u64, line: &str) -> CommandEntry {
    CommandEntry::Began(CommandBegan {
        id: id(after),
        line: line.to_owned(),
        cwd: b"/src".to_vec(),
        started: NOW + after,
        by: "user".to_owned(),
        shell: Some((4711, 1)),
    })
}

pub(crate) fn ended(began: u64, after: u64, exit: i32) -> CommandEntry {
    CommandEntry::Ended(CommandEnded {
        id: id(began),
        ended: NOW + after,
        exit: Some(exit),
        lines: Some(CommandLines {
            first: began,
            end: after,
            last_cells: Some(3),
        }),
    })
}

fn read(pane: &PaneDir) -> (Vec<CommandEntry>, usize) {
    let found = pane.read_commands(0).unwrap();
    assert_eq!(found.end, pane.commands_length());
    (found.entries, found.damaged)
}

fn path(pane: &PaneDir) -> PathBuf {
    pane.path().join("commands")
}

#[test]
fn file_is_written_as_version_one() {
    let temp = scratch();
    let pane = new_pane(&open(temp.path()));
    let repository = CommandEntry::Repository(CommandRepository {
        id: id(0),
        branch: Some("main".to_owned()),
        commit: None,
    });
    let entries = [began(0, "echo 'ä\n\"b\"'"), repository, ended(0, 12, 1)];
    pane.append_commands(&entries).unwrap();
    let text = fs::read_to_string(path(&pane)).unwrap();
    let expected = concat!(
        "shellkeep commands 1\n",
        "1b5c7cbf {\"began\":{\"id\":\"06gv5ewm00000007\",\"line\":\"echo 'ä\\n\\\"b\\\"'\",\"cwd\":\"/src\",",
        "\"started\":1794000000000,\"by\":\"user\",\"shell\":[4711,1]}}\n",
        "97c6d08a {\"repository\":{\"id\":\"06gv5ewm00000007\",\"branch\":\"main\",\"commit\":null}}\n",
        "683e94c2 {\"ended\":{\"id\":\"06gv5ewm00000007\",\"ended\":1794000000012,\"exit\":1,\"lines\":{\"first\":0,\"end\":12,\"last_cells\":3}}}\n",
    );
    assert_eq!(text, expected);
    assert_eq!(read(&pane), (entries.to_vec(), 0));
    // A later version may omit fields and add others.
    let text = "{\"began\":{\"id\":\"06gv5ewm00000007\",\"line\":\"ls\",\"started\":5,\"mood\":3}}";
    let check = crc32fast::hash(text.as_bytes());
    fs::write(
        path(&pane),
        format!("shellkeep commands 1\n{check:08x} {text}\n"),
    )
    .unwrap();
    let (entries, damaged) = read(&pane);
    assert_eq!((entries.len(), damaged), (1, 0));
}

#[test]
fn process_killed_at_any_byte_costs_the_entry_it_wrote() {
    let temp = scratch();
    let pane = new_pane(&open(temp.path()));
    pane.append_commands(&[began(0, "first")]).unwrap();
    let before = fs::read(path(&pane)).unwrap();
    pane.append_commands(&[ended(0, 5, 0)]).unwrap();
    let whole = fs::read(path(&pane)).unwrap();
    for length in before.len()..whole.len() {
        fs::write(path(&pane), &whole[..length]).unwrap();
        let is_torn = length > before.len();
        let found = pane.read_commands(0).unwrap();
        assert_eq!(
            (&found.entries[..], found.damaged),
            (&[began(0, "first")][..], 0)
        );
        pane.append_commands(&[began(9, "next")]).unwrap();
        let (entries, damaged) = read(&pane);
        // A line without its last byte is complete again as soon as another one follows.
        let mut expected = vec![began(0, "first"), began(9, "next")];
        if length + 1 == whole.len() {
            expected.insert(1, ended(0, 5, 0));
            assert_eq!(damaged, 0);
        } else {
            assert_eq!(damaged, usize::from(is_torn), "{length}");
        }
        assert_eq!(entries, expected, "{length}");
    }
    // The first line, too.
    for length in 0..21 {
        fs::write(path(&pane), &whole[..length]).unwrap();
        let appended = pane.append_commands(&[began(9, "next")]);
        assert_eq!(appended.is_ok(), length == 0 || length == 20, "{length}");
    }
}

#[test]
fn flipped_byte_costs_one_entry() {
    let temp = scratch();
    let pane = new_pane(&open(temp.path()));
    let entries: Vec<_> = (0..5)
        .map(|at| began(at, &format!("command {at}")))
        .collect();
    pane.append_commands(&entries).unwrap();
    let whole = fs::read(path(&pane)).unwrap();
    let title = whole.iter().position(|byte| *byte == b'\n').unwrap() + 1;
    for at in title..whole.len() {
        let mut bytes = whole.clone();
        bytes[at] ^= 0x20;
        fs::write(path(&pane), &bytes).unwrap();
        let found = pane.read_commands(0).unwrap();
        // A missing newline joins two lines.
        let lost = if whole[at] == b'\n' { 2 } else { 1 };
        let is_last = at + 1 == whole.len();
        assert!(found.entries.len() + lost >= entries.len(), "{at}");
        // Hexadecimal digits are the same in capitals.
        let is_same = found.entries.len() == entries.len();
        assert!(is_last || is_same || found.damaged > 0, "{at}");
        assert!(found.entries.iter().all(|entry| entries.contains(entry)));
    }
}

#[test]
fn file_is_read_in_parts_that_go_on_where_the_last_ended() {
    let temp = scratch();
    let pane = new_pane(&open(temp.path()));
    assert_eq!(pane.read_commands(0).unwrap().entries, []);
    let line = "x".repeat(10_000);
    let entries: Vec<_> = (0..1000).map(|at| began(at, &line)).collect();
    for some in entries.chunks(100) {
        pane.append_commands(some).unwrap();
    }
    let (mut found, mut at, mut parts) = (Vec::new(), 0, 0);
    loop {
        let part = pane.read_commands(at).unwrap();
        (at, parts) = (part.end, parts + 1);
        found.extend(part.entries);
        if !part.has_more {
            break;
        }
    }
    assert!(parts > 1);
    assert_eq!(at, pane.commands_length());
    assert!(found == entries);
    pane.append_commands(&[ended(0, 9, 0)]).unwrap();
    assert_eq!(pane.read_commands(at).unwrap().entries, [ended(0, 9, 0)]);
}

#[test]
fn what_is_not_ours_is_neither_read_nor_changed() {
    let temp = scratch();
    let pane = new_pane(&open(temp.path()));
    for (text, is_newer) in [
        ("shellkeep commands 2\nwhat will be\n", true),
        ("something else\n", false),
    ] {
        fs::write(path(&pane), text).unwrap();
        for result in [
            pane.read_commands(0).map(drop),
            pane.append_commands(&[began(0, "ls")]),
        ] {
            let error = result.unwrap_err();
            assert_eq!(
                matches!(error, StoreError::Newer { .. }),
                is_newer,
                "{error}"
            );
        }
        assert_eq!(fs::read_to_string(path(&pane)).unwrap(), text);
    }
    fs::remove_file(path(&pane)).unwrap();
    let outside = temp.path().join("outside");
    fs::write(&outside, "mine").unwrap();
    std::os::unix::fs::symlink(&outside, path(&pane)).unwrap();
    assert!(pane.append_commands(&[began(0, "ls")]).is_err());
    assert!(pane.read_commands(0).is_err());
    assert_eq!(fs::read_to_string(&outside).unwrap(), "mine");
}
