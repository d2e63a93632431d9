//! Makes and checks the tables, and sets SQLite up.

use std::os::unix::fs::FileExt as _;
use std::path::Path;

use rusqlite::{Connection, ErrorCode};
use shellkeep_files::{ANY_SIZE, Access};

use super::error::{Fault, Unwell};
use crate::schema::catalogue::{APPLICATION, TABLES, VERSION};

/// For every connection.
pub(super) fn set_up(connection: &Connection) -> rusqlite::Result<()> {
    // A server that comes at the same moment may be switching it on: then it is on.
    match connection.pragma_update(None, "journal_mode", "WAL") {
        Err(rusqlite::Error::SqliteFailure(failure, _))
            if failure.code == ErrorCode::DatabaseBusy => {}
        other => other?,
    }
    // The content of a forgotten session must not stay in free pages of the file.
    connection.pragma_update(None, "secure_delete", true)?;
    // A power cut may take the last writes, which are in the sessions' own files.
    connection.pragma_update(None, "synchronous", "NORMAL")
}

/// Makes the tables in an empty file.
pub(super) fn make(connection: &Connection) -> rusqlite::Result<()> {
    connection.execute_batch(&format!(
        "BEGIN IMMEDIATE; {TABLES} PRAGMA application_id = {APPLICATION}; PRAGMA user_version = {VERSION}; COMMIT;"
    ))
}

/// Whether a file says of itself that a later version made it. SQLite is not asked: it may tidy up what it opens.
pub(super) fn refuse_newer(path: &Path) -> Result<(), Unwell> {
    // Where the format of SQLite's files has the two numbers of an application.
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
            Err(Unwell::Lasting(Fault::Version(found)))
        }
        _ => Ok(()),
    }
}

/// Whether it is ours, and of our version.
pub(super) fn check(connection: &Connection) -> Result<(), Unwell> {
    let number = |name| connection.pragma_query_value(None, name, |row| row.get::<_, i64>(0));
    let (application, version) = (number("application_id")?, number("user_version")?);
    let tables = || -> rusqlite::Result<i64> {
        connection.query_row("SELECT count(*) FROM sqlite_master", [], |row| row.get(0))
    };
    match version {
        0 if application == 0 && tables()? == 0 => Err(Unwell::Unmade),
        _ if application != APPLICATION => Err(Unwell::Lasting(Fault::Foreign)),
        VERSION => Ok(()),
        1..VERSION => Err(Unwell::Outdated),
        _ => Err(Unwell::Lasting(Fault::Version(version))),
    }
}

/// Whether all that is on disk was put in once.
pub(super) fn is_complete(connection: &Connection) -> rusqlite::Result<bool> {
    let sql = "SELECT count(*) FROM meta WHERE key = 'complete'";
    connection.query_row(sql, [], |row| row.get(0))
}

/// Says that all that is on disk is in it.
pub(super) fn set_complete(connection: &Connection) -> rusqlite::Result<()> {
    let sql = "INSERT OR REPLACE INTO meta (key, value) VALUES ('complete', '1')";
    connection.execute(sql, [])?;
    Ok(())
}
