//! The tables of the catalogue. It is derived from the sessions' files, so there is no migration: a catalogue of
//! another version is made again.

/// Its name in the state directory.
pub const FILE: &str = "catalogue.db";

/// The version of the tables.
pub const VERSION: i64 = 2;

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
    CREATE TABLE command_files (
        pane TEXT PRIMARY KEY,
        session TEXT NOT NULL,
        length INTEGER NOT NULL
    ) WITHOUT ROWID;
    CREATE INDEX command_files_by_session ON command_files (session);
    CREATE TABLE commands (
        number INTEGER PRIMARY KEY,
        id TEXT NOT NULL UNIQUE,
        pane TEXT NOT NULL,
        line TEXT NOT NULL,
        cwd TEXT NOT NULL,
        started INTEGER NOT NULL,
        maker TEXT NOT NULL,
        ended INTEGER,
        exit INTEGER,
        branch TEXT,
        revision TEXT,
        first_line INTEGER,
        end_line INTEGER,
        last_cells INTEGER
    );
    CREATE INDEX commands_by_pane ON commands (pane, number);
    CREATE VIRTUAL TABLE command_lines USING fts5
        (line, content = 'commands', content_rowid = 'number', tokenize = 'trigram', columnsize = 0);
    INSERT INTO command_lines (command_lines, rank) VALUES ('secure-delete', 1);
    CREATE TRIGGER command_lines_put AFTER INSERT ON commands BEGIN
        INSERT INTO command_lines (rowid, line) VALUES (new.number, new.line);
    END;
    CREATE TRIGGER command_lines_drop AFTER DELETE ON commands BEGIN
        INSERT INTO command_lines (command_lines, rowid, line) VALUES ('delete', old.number, old.line);
    END;
";
