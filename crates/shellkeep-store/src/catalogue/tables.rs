//! Makes and checks the tables, and configures SQLite.

use std::os::unix::fs::FileExt as _;
use std::path::Path;

use rusqlite::{Connection, ErrorCode};
use shellkeep_files::{ANY_SIZE, Access};

use super::error::{Fault, Unusable};
use crate::schema::catalogue::{APPLICATION, TABLES, VERSION};

/// Configures a connection.
pub(super) fn set_up(connection: &Connection) -> rusqlite::Result<()> {
    // If another server that starts at the same moment is switching it on, it is on.
    match connection.pragma_update(None, "journal_mode", "WAL") {
        Err(rusqlite::Error::SqliteFailure(failure, _))
            if failure.code == ErrorCode::DatabaseBusy => {}
        other => other?,
    }
    // The content of a deleted session must not stay in free pages of the file.
    connection.pragma_update(None, "secure_delete", true)?;
    // A power cut may lose the last writes. The sessions' own files have their content.
    connection.pragma_update(None, "synchronous", "NORMAL")
}

/// Makes the tables in an empty file.
pub(super) fn make(connection: &Connection) -> rusqlite::Result<()> {
    connection.execute_batch(&format!(
        "BEGIN IMMEDIATE; {TABLES} PRAGMA application_id = {APPLICATION}; PRAGMA user_version = {VERSION}; COMMIT;"
    ))
}

/// Checks without SQLite, which may change a file when it opens it, that no later version made it.
pub(super) fn refuse_newer(path: &Path) -> Result<(), Unusable> {
    // The position of the two numbers for applications in SQLite's file format.
    const VERSION_AT: u64 = 60;
    const APPLICATION_AT: u64 = 68;
    let number = |at| -> Option<i64> {
        let mut bytes = [0; 4];
        let file = shellkeep_files::open(path, Access::Read, ANY_SIZE).ok()?;
        file.read_exact_at(&mut bytes, at).ok()?;
        Some(i64::from(i32::from_be_bytes(bytes)))
    };
    match (number(APPLICATION_AT), number(VERSION_AT)) {
        (Some(APPLICATION), Some(found)) if found > VERSION => {
            Err(Unusable::Lasting(Fault::Version(found)))
        }
        _ => Ok(()),
    }
}

/// Checks that it is ours, and of this version.
pub(super) fn check(connection: &Connection) -> Result<(), Unusable> {
    let number = |name| connection.pragma_query_value(None, name, |row| row.get::<_, i64>(0));
    let (application, version) = (number("application_id")?, number("user_version")?);
    let tables = || -> rusqlite::Result<i64> {
        connection.query_row("SELECT count(*) FROM sqlite_master", [], |row| row.get(0))
    };
    match version {
        0 if application == 0 && tables()? == 0 => Err(Unusable::Unmade),
        _ if application != APPLICATION => Err(Unusable::Lasting(Fault::Foreign)),
        VERSION => Ok(()),
        1..VERSION => Err(Unusable::Outdated),
        _ => Err(Unusable::Lasting(Fault::Version(version))),
    }
}

/// Whether it was once filled with everything on disk.
pub(super) fn is_complete(connection: &Connection) -> rusqlite::Result<bool> {
    let sql = "SELECT count(*) FROM meta WHERE key = 'complete'";
    connection.query_row(sql, [], |row| row.get(0))
}

/// Records that it has everything on disk.
pub(super) fn set_complete(connection: &Connection) -> rusqlite::Result<()> {
    let sql = "INSERT OR REPLACE INTO meta (key, value) VALUES ('complete', '1')";
    connection.execute(sql, [])?;
    Ok(())
}
