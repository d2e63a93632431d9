//! What tests of the doctor have in common: a made-up store, harm, and what is said of it.

use std::fs::File;
use std::path::Path;

use serde_json::Value;
use shellkeep_store::schema::{PaneHome, SessionFile, StoredPane, StoredSession, StoredWindow};
use shellkeep_store::{Store, StoreId};

/// What one `doctor --json` has said.
pub struct Said {
    /// The exit status.
    pub status: i32,
    /// Every finding.
    pub checks: Vec<Value>,
}

impl Said {
    /// Reads what was printed.
    ///
    /// # Panics
    /// When it is no report.
    #[track_caller]
    #[must_use]
    pub fn of(printed: &str, status: i32) -> Self {
        let json: Value = serde_json::from_str(printed).expect("it is JSON");
        assert_eq!(json["version"], env!("CARGO_PKG_VERSION"));
        let checks = json["checks"].as_array().expect("a list of checks");
        Self {
            status,
            checks: checks.clone(),
        }
    }

    /// The finding of a check that has this status, as its sentence and its fix.
    ///
    /// # Panics
    /// When there is none.
    #[track_caller]
    pub fn finding(&self, name: &str, status: &str) -> (String, String) {
        let mut found = self.checks.iter().filter(|check| check["name"] == name);
        let found = found.find(|check| check["status"] == status);
        let found = found.unwrap_or_else(|| panic!("{name} {status}: {:#?}", self.checks));
        let text = |field: &str| found[field].as_str().unwrap_or_default().to_owned();
        (text("sentence"), text("fix"))
    }

    /// Asserts that the sentence of a finding has this in it; returns its fix.
    ///
    /// # Panics
    /// When there is no such finding, or it says something else.
    #[track_caller]
    pub fn says(&self, name: &str, status: &str, part: &str) -> String {
        self.judge(name, status, part, |sentence| sentence.contains(part))
    }

    /// The same, where the sentence begins so.
    ///
    /// # Panics
    /// When there is no such finding, or it says something else.
    #[track_caller]
    pub fn says_first(&self, name: &str, status: &str, part: &str) -> String {
        self.judge(name, status, part, |sentence| sentence.starts_with(part))
    }

    /// The same, where the sentence ends so.
    ///
    /// # Panics
    /// When there is no such finding, or it says something else.
    #[track_caller]
    pub fn says_at_its_end(&self, name: &str, status: &str, part: &str) -> String {
        self.judge(name, status, part, |sentence| sentence.ends_with(part))
    }

    #[track_caller]
    fn judge(
        &self,
        name: &str,
        status: &str,
        part: &str,
        is_right: impl Fn(&str) -> bool,
    ) -> String {
        let (sentence, fix) = self.finding(name, status);
        assert!(is_right(&sentence), "{part}: {sentence}");
        fix
    }

    /// The findings that are problems.
    #[must_use]
    pub fn problems(&self) -> Vec<&Value> {
        let problems = self.checks.iter();
        problems
            .filter(|check| check["status"] == "problem")
            .collect()
    }

    /// Every finding of this check is that all is well.
    #[must_use]
    pub fn is_well(&self, name: &str) -> bool {
        let mut checks = self.checks.iter().filter(|check| check["name"] == name);
        checks.all(|check| check["status"] == "ok")
    }
}

/// Keeps a session with one pane in the store of a state directory, as a server would; returns its id, which is also the pane's.
///
/// # Panics
/// When it cannot be written.
pub fn keep_session(state: &Path, name: &str) -> StoreId {
    let store = Store::open(state, "default").expect("a store can be made");
    let id = StoreId::new(1_700_000_000_000);
    let pane = StoredPane::default();
    write_session(&store, id, name, pane);
    id
}

/// Keeps a session whose pane has files; returns the ids of both.
///
/// # Panics
/// When they cannot be written.
pub fn keep_session_with_pane(store: &Store, name: &str) -> (StoreId, StoreId) {
    let session = StoreId::new(1_700_000_000_000);
    let pane = StoreId::new(1_700_000_000_001);
    let home = Some(PaneHome { session, pane });
    let stored = StoredPane {
        home,
        ..StoredPane::default()
    };
    write_session(store, session, name, stored);
    let files = store.pane(session, pane);
    files.create().expect("a store takes directories");
    (session, pane)
}

fn write_session(store: &Store, id: StoreId, name: &str, pane: StoredPane) {
    let file = SessionFile {
        session: StoredSession {
            name: name.to_owned(),
            created: 1,
            activity: 2,
            ..StoredSession::default()
        },
        windows: vec![StoredWindow {
            panes: vec![pane],
            ..StoredWindow::default()
        }],
        part_of: None,
    };
    let body = serde_json::to_value(file).expect("a description is JSON");
    store
        .write_session(id, &body)
        .expect("a store takes sessions");
}

/// Cuts a file in half.
///
/// # Panics
/// When it cannot be.
#[track_caller]
pub fn halve(path: &Path) {
    let file = File::options().write(true).open(path).expect("a file");
    let length = file.metadata().expect("a file").len();
    assert!(length > 1, "{}", path.display());
    file.set_len(length / 2).expect("a file can be cut");
}
