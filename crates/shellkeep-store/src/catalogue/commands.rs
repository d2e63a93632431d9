//! Commands in the catalogue: added from the panes' files, and queried.
//!
//! The number of a row contains the time at which its command began, so that the order of numbers is the order of time,
//! in the table and in the index over its text. The newest matches are found without sorting.

use std::path::Path;

use rusqlite::types::ToSql;
use rusqlite::{Connection, OptionalExtension as _, Row, Statement, params};

use super::error::CatalogueError;
use super::{Catalogue, SessionState};
use crate::access::StoreAccess;
use crate::disk;
use crate::id::StoreId;
use crate::pane::PaneDir;
use crate::pane::commands::CommandEntries;
use crate::schema::commands::{CommandEntry, CommandLines};

/// Bits of a row's number that distinguish commands of the same millisecond.
const RANDOM_BITS: u32 = 20;

/// Shorter texts are not in the index, which has trigrams.
const INDEXED_CHARS: usize = 3;

/// A condition on how a command ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExitFilter {
    /// With status 0.
    Ok,
    /// With another status.
    Failed,
    /// With this status.
    Status(i32),
}

/// A condition on who made the session of a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MakerFilter {
    /// A user at a terminal.
    User,
    /// A program.
    Agent,
}

/// Which commands to list. All conditions must hold.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CommandFilter {
    /// The label of the session's server.
    pub label: String,
    /// A text in the command line.
    pub text: Option<String>,
    /// Whether case matters in the text.
    pub exact_case: bool,
    /// One of these panes.
    pub panes: Option<Vec<StoreId>>,
    /// The session.
    pub session: Option<StoreId>,
    /// The directory in which it began, or one above that.
    pub cwd: Option<String>,
    /// How it ended.
    pub exit: Option<ExitFilter>,
    /// The earliest start, in milliseconds since 1970.
    pub since: Option<u64>,
    /// The start must be before this time.
    pub until: Option<u64>,
    /// The minimum duration in milliseconds; a command that is still running counts up to `now`.
    pub longer_than: Option<u64>,
    /// The present time.
    pub now: u64,
    /// A tag of the session.
    pub tag: Option<String>,
    /// Who made the session.
    pub by: Option<MakerFilter>,
    /// Whether commands of archived sessions are listed too.
    pub archived: bool,
    /// The id of a single command.
    pub id: Option<StoreId>,
    /// The most commands to return; the newest are returned.
    pub limit: usize,
}

/// A command in a listing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommandRow {
    /// Its name in the store.
    pub id: StoreId,
    /// The session in which it ran, or to which its pane has moved.
    pub session: StoreId,
    /// The pane in which it ran.
    pub pane: StoreId,
    /// The name of that session; empty if the session is not in the catalogue yet.
    pub session_name: String,
    /// Whether that session is archived.
    pub is_archived: bool,
    /// As typed.
    pub line: String,
    /// The directory in which it began.
    pub cwd: String,
    /// When it began, in milliseconds since 1970.
    pub started: u64,
    /// When it ended; `None` if it is running, or its end is unknown.
    pub ended: Option<u64>,
    /// Its exit status.
    pub exit: Option<i32>,
    /// Who made its session: `user`, or the name of a program.
    pub by: String,
    /// The branch of the repository when it began.
    pub branch: Option<String>,
    /// The commit of the repository when it began.
    pub commit: Option<String>,
    /// Its output.
    pub lines: Option<CommandLines>,
}

impl Catalogue {
    /// Puts in what was added to the commands of a session in this directory since they were last put in.
    pub(super) fn refresh_commands(
        &mut self,
        session: StoreId,
        dir: &Path,
    ) -> Result<(), CatalogueError> {
        let root = self.root.clone();
        refresh(self, &root, session, dir)
    }

    /// The commands that match, newest first.
    ///
    /// # Errors
    /// As every call.
    pub fn commands(&mut self, filter: &CommandFilter) -> Result<Vec<CommandRow>, CatalogueError> {
        self.ask(|connection| list(connection, filter))
    }
}

/// The panes of a session that have commands, found by their directories.
fn panes_in(root: &Path, dir: &Path) -> Vec<(StoreId, PaneDir)> {
    let names = disk::names(root, dir).unwrap_or_default();
    let panes = names.into_iter().filter(|entry| entry.is_dir);
    let panes = panes.filter_map(|entry| Some((entry.name.parse().ok()?, dir.join(entry.name))));
    panes
        .map(|(pane, path): (StoreId, _)| {
            let nowhere = path.clone();
            let dir = PaneDir::new(root, path, nowhere, StoreAccess::Look);
            (pane, dir)
        })
        .filter(|(_, dir)| dir.commands_length() > 0)
        .collect()
}

fn refresh(
    catalogue: &mut Catalogue,
    root: &Path,
    session: StoreId,
    dir: &Path,
) -> Result<(), CatalogueError> {
    let panes = panes_in(root, dir);
    catalogue.ask(|connection| forget_others(connection, session, &panes))?;
    for (pane, dir) in panes {
        let mut at = catalogue.ask(|connection| begin(connection, session, pane, &dir))?;
        // A file that cannot be read now is read again when its session changes.
        while let Ok(part) = dir.read_commands(at)
            && part.end > at
        {
            catalogue.ask(|connection| put(connection, pane, &part))?;
            at = part.end;
            if !part.has_more {
                break;
            }
        }
    }
    Ok(())
}

/// Removes the commands of a deleted session.
pub(super) fn forget_session(connection: &Connection, session: StoreId) -> rusqlite::Result<()> {
    forget_others(connection, session, &[])
}

/// Removes the commands of panes that are no longer in a session.
fn forget_others(
    connection: &Connection,
    session: StoreId,
    panes: &[(StoreId, PaneDir)],
) -> rusqlite::Result<()> {
    let mut statement = connection.prepare("SELECT pane FROM command_files WHERE session = ?1")?;
    let known = statement.query_map([session], |row| row.get(0))?;
    let known: Vec<StoreId> = known.collect::<rusqlite::Result<_>>()?;
    for pane in known {
        if !panes.iter().any(|(id, _)| *id == pane) {
            forget_pane(connection, pane)?;
        }
    }
    Ok(())
}

fn forget_pane(connection: &Connection, pane: StoreId) -> rusqlite::Result<()> {
    let transaction = connection.unchecked_transaction()?;
    transaction.execute("DELETE FROM commands WHERE pane = ?1", [pane])?;
    transaction.execute("DELETE FROM command_files WHERE pane = ?1", [pane])?;
    transaction.commit()
}

/// The position from which a pane's file has to be read. Its commands belong to this session from now on.
fn begin(
    connection: &Connection,
    session: StoreId,
    pane: StoreId,
    dir: &PaneDir,
) -> rusqlite::Result<u64> {
    let known: Option<(StoreId, i64)> = connection
        .prepare("SELECT session, length FROM command_files WHERE pane = ?1")?
        .query_row([pane], |row| Ok((row.get(0)?, row.get(1)?)))
        .optional()?;
    let read = known.map(|(_, length)| u64::try_from(length).unwrap_or(0));
    match read {
        // The file was replaced by another one.
        Some(read) if read > dir.commands_length() => forget_pane(connection, pane)?,
        Some(read) if known.is_some_and(|(known, _)| known == session) => return Ok(read),
        _ => {}
    }
    let sql = "INSERT INTO command_files (pane, session, length) VALUES (?1, ?2, 0) \
               ON CONFLICT (pane) DO UPDATE SET session = ?2 RETURNING length";
    let mut statement = connection.prepare(sql)?;
    let length: i64 = statement.query_row(params![pane, session], |row| row.get(0))?;
    Ok(u64::try_from(length).unwrap_or(0))
}

fn put(connection: &Connection, pane: StoreId, part: &CommandEntries) -> rusqlite::Result<()> {
    let transaction = connection.unchecked_transaction()?;
    Statements::prepare(&transaction)?.put(pane, &part.entries)?;
    let sql = "UPDATE command_files SET length = ?2 WHERE pane = ?1";
    transaction.execute(sql, params![pane, signed(part.end)])?;
    transaction.commit()
}

/// The statements that add entries, prepared once for many.
struct Statements<'a> {
    began: Statement<'a>,
    repository: Statement<'a>,
    ended: Statement<'a>,
}

impl<'a> Statements<'a> {
    fn prepare(connection: &'a Connection) -> rusqlite::Result<Self> {
        Ok(Self {
            // A command that began in the same millisecond may have the number already, so count up to a free one.
            began: connection.prepare(
                "INSERT INTO commands (number, id, pane, line, cwd, started, maker) VALUES \
                 (iif(EXISTS (SELECT 1 FROM commands WHERE number = ?1), \
                 (SELECT max(number) + 1 FROM commands WHERE number <= (?1 | 1048575)), ?1), ?2, ?3, ?4, ?5, ?6, ?7) \
                 ON CONFLICT (id) DO NOTHING",
            )?,
            repository: connection
                .prepare("UPDATE commands SET branch = ?2, revision = ?3 WHERE id = ?1")?,
            ended: connection.prepare(
                "UPDATE commands SET ended = ?2, exit = ?3, first_line = ?4, end_line = ?5, last_cells = ?6 WHERE id = ?1",
            )?,
        })
    }

    fn put(&mut self, pane: StoreId, entries: &[CommandEntry]) -> rusqlite::Result<()> {
        for entry in entries {
            match entry {
                CommandEntry::Began(it) => self.began.execute(params![
                    number_of(it.id),
                    it.id,
                    pane,
                    it.line,
                    String::from_utf8_lossy(&it.cwd),
                    signed(it.started),
                    it.by,
                ])?,
                CommandEntry::Repository(it) => {
                    let state = params![it.id, it.branch, it.commit];
                    self.repository.execute(state)?
                }
                CommandEntry::Ended(it) => {
                    let lines = it.lines.as_ref();
                    self.ended.execute(params![
                        it.id,
                        signed(it.ended),
                        it.exit,
                        lines.map(|lines| signed(lines.first)),
                        lines.map(|lines| signed(lines.end)),
                        lines
                            .and_then(|lines| lines.last_cells)
                            .map(|cells| signed(cells as u64)),
                    ])?
                }
            };
        }
        Ok(())
    }
}

/// The number of a command's row, unless another row has it.
fn number_of(id: StoreId) -> i64 {
    let random = id.bits() & ((1 << RANDOM_BITS) - 1);
    signed(id.made_ms() << RANDOM_BITS | random as u64)
}

/// The condition of a query: its text and its values.
#[derive(Default)]
struct Condition<'a> {
    sql: String,
    values: Vec<Box<dyn ToSql + 'a>>,
}

impl<'a> Condition<'a> {
    fn add(&mut self, sql: &str, value: impl ToSql + 'a) {
        self.sql.push_str(" AND ");
        self.values.push(Box::new(value));
        let number = format!("?{}", self.values.len());
        self.sql.push_str(&sql.replace("??", &number));
    }
}

fn list(connection: &Connection, filter: &CommandFilter) -> rusqlite::Result<Vec<CommandRow>> {
    let mut condition = Condition::default();
    let mut from = "commands c";
    if let Some(text) = &filter.text {
        if text.chars().count() >= INDEXED_CHARS && !text.contains('\0') {
            from = "command_lines l CROSS JOIN commands c ON c.number = l.rowid";
            let phrase = format!("\"{}\"", text.replace('"', "\"\""));
            condition.add("l.line MATCH ??", phrase);
        } else if !filter.exact_case {
            condition.add("instr(lower(c.line), lower(??)) > 0", text);
        }
        if filter.exact_case {
            condition.add("instr(c.line, ??) > 0", text);
        }
    }
    conditions(filter, &mut condition);
    let limit = i64::try_from(filter.limit).unwrap_or(i64::MAX);
    let sql = format!(
        "SELECT c.id, f.session, c.pane, coalesce(s.name, ''), coalesce(s.state = 'archived', 0), c.line, c.cwd, c.started, \
         c.ended, c.exit, c.maker, c.branch, c.revision, c.first_line, c.end_line, c.last_cells \
         FROM {from} JOIN command_files f ON f.pane = c.pane LEFT JOIN sessions s ON s.id = f.session \
         WHERE 1{} ORDER BY {} DESC LIMIT {limit}",
        condition.sql,
        if from == "commands c" {
            "c.number"
        } else {
            "l.rowid"
        },
    );
    let values: Vec<&dyn ToSql> = condition.values.iter().map(AsRef::as_ref).collect();
    connection
        .prepare(&sql)?
        .query_map(&values[..], row)?
        .collect()
}

fn conditions<'a>(filter: &'a CommandFilter, condition: &mut Condition<'a>) {
    // A session that is not in the catalogue yet belongs to a running server.
    condition.add("coalesce(s.label = ??, 1)", &filter.label);
    if !filter.archived {
        condition.add("coalesce(s.state <> ??, 1)", SessionState::Archived);
    }
    if let Some(panes) = &filter.panes {
        let panes: Vec<String> = panes.iter().map(StoreId::to_string).collect();
        let panes = serde_json::Value::from(panes).to_string();
        condition.add("c.pane IN (SELECT value FROM json_each(??))", panes);
    }
    if let Some(session) = filter.session {
        condition.add("f.session = ??", session);
    }
    if let Some(id) = filter.id {
        condition.add("c.id = ??", id);
    }
    if let Some(cwd) = &filter.cwd {
        let below = format!("{}/", cwd.trim_end_matches('/'));
        condition.add("(c.cwd || '/' = ?? OR instr(c.cwd, ??) = 1)", below);
    }
    match filter.exit {
        None => {}
        Some(ExitFilter::Ok) => condition.add("c.exit = ??", 0),
        Some(ExitFilter::Failed) => condition.add("c.exit <> ??", 0),
        Some(ExitFilter::Status(status)) => condition.add("c.exit = ??", status),
    }
    if let Some(since) = filter.since {
        condition.add("c.number >= ??", signed(since.min(1 << 43) << RANDOM_BITS));
    }
    if let Some(until) = filter.until {
        condition.add("c.number < ??", signed(until.min(1 << 43) << RANDOM_BITS));
    }
    if let Some(longer) = filter.longer_than {
        let end = filter.now.saturating_sub(longer);
        condition.add(
            "(c.ended - c.started > ?? OR c.ended IS NULL)",
            signed(longer),
        );
        condition.add("(c.ended IS NOT NULL OR c.started < ??)", signed(end));
    }
    if let Some(tag) = &filter.tag {
        condition.add(
            "EXISTS (SELECT 1 FROM json_each(s.tags) WHERE value = ??)",
            tag,
        );
    }
    match filter.by {
        None => {}
        Some(MakerFilter::User) => condition.add("c.maker = ??", "user"),
        Some(MakerFilter::Agent) => condition.add("c.maker <> ??", "user"),
    }
}

fn row(row: &Row<'_>) -> rusqlite::Result<CommandRow> {
    let number = |at| -> rusqlite::Result<Option<u64>> {
        let number: Option<i64> = row.get(at)?;
        Ok(number.and_then(|number| u64::try_from(number).ok()))
    };
    Ok(CommandRow {
        id: row.get(0)?,
        session: row.get(1)?,
        pane: row.get(2)?,
        session_name: row.get(3)?,
        is_archived: row.get(4)?,
        line: row.get(5)?,
        cwd: row.get(6)?,
        started: number(7)?.unwrap_or(0),
        ended: number(8)?,
        exit: row.get(9)?,
        by: row.get(10)?,
        branch: row.get(11)?,
        commit: row.get(12)?,
        lines: match (number(13)?, number(14)?) {
            (Some(first), Some(end)) => Some(CommandLines {
                first,
                end,
                last_cells: number(15)?.and_then(|cells| usize::try_from(cells).ok()),
            }),
            _ => None,
        },
    })
}

fn signed(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}
