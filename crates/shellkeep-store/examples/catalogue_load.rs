//! Measures the start of a server with very many sessions: one query for the descriptions, and one `stat` each.
//!
//! `cargo run --release -p shellkeep-store --example catalogue_load [SESSIONS]`

use std::path::{Path, PathBuf};
use std::time::Instant;

use shellkeep_store::Store;
use shellkeep_store::StoreId;
use shellkeep_store::catalogue::{Catalogue, FileStamp, Filter, SessionRow, SessionState, Summary};
use shellkeep_store::schema::{
    SessionFile, StoredPane, StoredSession, StoredStanding, StoredWindow,
};

#[expect(clippy::print_stdout, reason = "it is what this program is for")]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let sessions: usize = match std::env::args().nth(1) {
        Some(word) => word.parse()?,
        None => 10_000,
    };
    let dir = std::env::temp_dir().join(format!("catalogue-load-{}", std::process::id()));
    let store = Store::open(&dir, "default")?;
    let mut rows = Vec::new();
    for number in 0..sessions {
        let id = StoreId::new(1_700_000_000_000 + number as u64);
        let body = description(number)?;
        let text = body.to_string();
        store.write_session(id, &body)?;
        let path = file(&dir, id);
        rows.push(SessionRow {
            summary: Summary::read(id, &text, SessionState::Active, 1000),
            stamp: FileStamp::of(&path)?,
            body: text.into_bytes(),
        });
    }
    let took = |what: &str, since: Instant| {
        println!("{what:<44} {:>9.2} ms", since.elapsed().as_secs_f64() * 1e3);
    };
    let begin = Instant::now();
    let mut catalogue = Catalogue::open(&dir)?.catalogue;
    took("make the catalogue", begin);
    let begin = Instant::now();
    catalogue.rebuild(&mut |_, _| {})?;
    took(&format!("rebuild it from {sessions} files"), begin);
    let begin = Instant::now();
    for row in rows.iter().take(100) {
        catalogue.upsert(row)?;
    }
    took("put 100 sessions in, one by one", begin);
    drop(catalogue);

    let begin = Instant::now();
    let mut catalogue = Catalogue::open(&dir)?.catalogue;
    took("open it", begin);
    let begin = Instant::now();
    let bodies = catalogue.bodies("default", None, usize::MAX)?.sound;
    took(&format!("load {} bodies", bodies.len()), begin);
    let begin = Instant::now();
    let unchanged = bodies
        .iter()
        .filter(|body| FileStamp::of(&file(&dir, body.id)).is_ok_and(|stamp| stamp == body.stamp));
    let unchanged = unchanged.count();
    took(&format!("stat each: {unchanged} are unchanged"), begin);
    let begin = Instant::now();
    let listed = catalogue.list(&Filter::default())?.len();
    took(&format!("list {listed} summaries"), begin);
    let begin = Instant::now();
    let mut bytes = 0;
    for body in &bodies {
        bytes += std::fs::read(file(&dir, body.id))?.len();
    }
    took(
        &format!("for comparison, read each file: {bytes} bytes"),
        begin,
    );
    std::fs::remove_dir_all(&dir)?;
    Ok(())
}

/// The description of a session: three windows with two panes each.
fn description(number: usize) -> serde_json::Result<serde_json::Value> {
    let pane = StoredPane {
        title: Some("~/project".to_owned()),
        start_path: b"/home/ann/project".to_vec(),
        ..StoredPane::default()
    };
    let window = StoredWindow {
        name: "bash".to_owned(),
        layout: "5a1c,80x24,0,0{40x24,0,0,1,39x24,41,0,2}".to_owned(),
        panes: vec![pane.clone(), pane],
        options: vec![("synchronize-panes".to_owned(), "off".to_owned())],
        ..StoredWindow::default()
    };
    let standing = StoredStanding {
        origin: Some("user".to_owned()),
        tags: vec!["bench".to_owned()],
        ..StoredStanding::default()
    };
    let session = StoredSession {
        name: format!("session {number}"),
        created: 1_700_000_000,
        activity: 1_700_000_000 + number as i64,
        standing,
        ..StoredSession::default()
    };
    let mut body = serde_json::to_value(SessionFile {
        session,
        windows: vec![window; 3],
        part_of: None,
    })?;
    body["label"] = "default".into();
    body["owner"] = "default".into();
    Ok(body)
}

fn file(dir: &Path, id: StoreId) -> PathBuf {
    dir.join("sessions")
        .join(id.to_string())
        .join("session.json")
}
