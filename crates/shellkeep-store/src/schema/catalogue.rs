//! The tables of the catalogue. It is derived from the sessions' files, so it has no migration: a catalogue of another version is made
//! anew.

/// Its name in the state directory.
pub const FILE: &str = "catalogue.db";

/// The version of the tables.
pub const VERSION: i64 = 1;

/// Marks a database as ours: "SKCA".
pub(crate) const APPLICATION: i64 = 0x534b_4341;

pub(crate) const TABLES: &str = "
    CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
    CREATE TABLE sessions (
        id TEXT NOT NULL UNIQUE,
        label TEXT NOT NULL,
        owner TEXT NOT NULL,
        name TEXT NOT NULL,
        state TEXT NOT NULL,
        created INTEGER NOT NULL,
        activity INTEGER NOT NULL,
        windows INTEGER NOT NULL,
        panes INTEGER NOT NULL,
        origin TEXT NOT NULL,
        tags TEXT NOT NULL,
        size INTEGER NOT NULL,
        mtime INTEGER NOT NULL,
        length INTEGER NOT NULL,
        checksum INTEGER NOT NULL,
        body BLOB NOT NULL
    );
    CREATE INDEX sessions_by_label ON sessions (label, state);
    CREATE TABLE events (
        number INTEGER PRIMARY KEY AUTOINCREMENT,
        time INTEGER NOT NULL,
        session TEXT,
        kind TEXT NOT NULL,
        text TEXT NOT NULL
    );
    CREATE INDEX events_by_session ON events (session, number);
";
