//! The rows of the catalogue's tables.

use rusqlite::types::{FromSql, FromSqlError, FromSqlResult, ToSql, ToSqlOutput, ValueRef};
use rusqlite::{Connection, Row, params};
use serde_json::Value;

use crate::file_stamp::FileStamp;
use crate::id::StoreId;
use crate::schema::{SessionFile, SessionOwner};

/// The state of a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum SessionState {
    /// Its programs run.
    Active,
    /// It has no process; everything is on disk.
    Hibernated,
    /// It is in the archive.
    Archived,
}

impl SessionState {
    /// The name that users see.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Active => "active",
            Self::Hibernated => "hibernated",
            Self::Archived => "archived",
        }
    }

    /// The state of this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        let all = [Self::Active, Self::Hibernated, Self::Archived];
        all.into_iter().find(|state| state.name() == name)
    }
}

impl ToSql for SessionState {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        self.name().to_sql()
    }
}

impl FromSql for SessionState {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        Self::named(value.as_str()?).ok_or(FromSqlError::InvalidType)
    }
}

impl ToSql for StoreId {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(self.to_string().into())
    }
}

impl FromSql for StoreId {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        value.as_str()?.parse().map_err(FromSqlError::other)
    }
}

/// A session in a listing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Summary {
    /// Its name in the store.
    pub id: StoreId,
    /// The label of its server.
    pub label: String,
    /// The server that owns it, or owned it last.
    pub owner: String,
    /// The name that users see.
    pub name: String,
    /// Its state.
    pub state: SessionState,
    /// When it was made, in seconds since 1970.
    pub created: i64,
    /// When something last happened in it, in seconds since 1970.
    pub activity: i64,
    /// The number of windows.
    pub windows: u32,
    /// The number of panes.
    pub panes: u32,
    /// Who made it: `user`, or the name of a program.
    pub origin: String,
    /// Its tags.
    pub tags: Vec<String>,
    /// Bytes on disk.
    pub size: u64,
}

impl Summary {
    /// Summarises the body of a `session.json`, as JSON text, in the part of the store that `state` names. A session
    /// whose panes are all asleep is hibernated. Fields that cannot be read are empty.
    #[must_use]
    pub fn read(id: StoreId, description: &str, state: SessionState, size: u64) -> Self {
        let owner = SessionOwner::read(description).unwrap_or_default();
        let file = SessionFile::read(description).unwrap_or_default();
        let count = |length: usize| u32::try_from(length).unwrap_or(u32::MAX);
        let mut panes = file
            .windows
            .iter()
            .flat_map(|window| &window.panes)
            .peekable();
        let is_asleep = panes.peek().is_some() && panes.clone().all(|pane| pane.sleep.is_some());
        let standing = file.session.standing;
        Self {
            id,
            label: owner.label,
            owner: owner.owner,
            state: match state {
                SessionState::Active if is_asleep => SessionState::Hibernated,
                state => state,
            },
            created: file.session.created,
            activity: file.session.activity,
            windows: count(file.windows.len()),
            panes: count(panes.count()),
            name: file.session.name,
            origin: standing.origin.unwrap_or_default(),
            tags: standing.tags,
            size,
        }
    }
}

/// A row: a session with everything that its server needs at its start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SessionRow {
    /// The part for listings.
    pub summary: Summary,
    /// The stamp of its `session.json` when it was read or written.
    pub stamp: FileStamp,
    /// The body of that file as compact JSON, including label and owner.
    pub body: Vec<u8>,
}

/// A batch of what a server loads at its start.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Bodies {
    /// The rows in the order of their ids, without those that are damaged.
    pub sound: Vec<Body>,
    /// The last row, damaged or not; `None` if there are no more.
    pub last: Option<StoreId>,
}

/// The row of a session that a server loads at its start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Body {
    /// The session's name in the store.
    pub id: StoreId,
    /// Active or hibernated.
    pub state: SessionState,
    /// The stamp. The body is valid only while `session.json` has the same one.
    pub stamp: FileStamp,
    /// Bytes on disk when the row was made.
    pub size: u64,
    /// The body of that file, as compact JSON.
    pub body: Vec<u8>,
}

/// An event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// Milliseconds since 1970.
    pub time: i64,
    /// The session; `None` for the server itself.
    pub session: Option<StoreId>,
    /// The kind of event in a word: `hibernated`.
    pub kind: String,
    /// More text for a reader.
    pub text: String,
}

/// Which sessions to list. All conditions must hold.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Filter {
    /// The label of the server.
    pub label: Option<String>,
    /// The state.
    pub state: Option<SessionState>,
    /// The name.
    pub name: Option<String>,
    /// A tag.
    pub tag: Option<String>,
}

/// Numbers of items in the catalogue.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CatalogueStats {
    /// Running sessions.
    pub active: u64,
    /// Hibernated sessions.
    pub hibernated: u64,
    /// Sessions in the archive.
    pub archived: u64,
    /// Bytes on disk of all sessions.
    pub size: u64,
    /// The number of events.
    pub events: u64,
}

/// Inserts a row, or replaces the old one.
pub(super) const UPSERT: &str = concat!(
    "INSERT INTO sessions (id, label, owner, name, state, created, activity, windows, panes, origin, tags, size, ",
    "mtime, length, checksum, body) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16) ",
    "ON CONFLICT (id) DO UPDATE SET label = ?2, owner = ?3, name = ?4, state = ?5, created = ?6, activity = ?7, ",
    "windows = ?8, panes = ?9, origin = ?10, tags = ?11, size = ?12, mtime = ?13, length = ?14, checksum = ?15, body = ?16",
);

/// As [`UPSERT`], unless the present row was made from a newer file.
pub(super) fn upsert_unless_newer() -> String {
    format!("{UPSERT} WHERE excluded.mtime >= sessions.mtime")
}

pub(super) fn insert(connection: &Connection, row: &SessionRow, sql: &str) -> rusqlite::Result<()> {
    let Summary {
        id,
        label,
        owner,
        name,
        state,
        created,
        activity,
        windows,
        panes,
        origin,
        tags,
        size,
    } = &row.summary;
    let tags = Value::from(tags.clone()).to_string();
    let signed = |number: u64| i64::try_from(number).unwrap_or(i64::MAX);
    connection.execute(
        sql,
        params![
            id,
            label,
            owner,
            name,
            state,
            created,
            activity,
            windows,
            panes,
            origin,
            tags,
            signed(*size),
            row.stamp.mtime,
            signed(row.stamp.len),
            crc32fast::hash(&row.body),
            row.body,
        ],
    )?;
    Ok(())
}

pub(super) fn list(connection: &Connection, filter: &Filter) -> rusqlite::Result<Vec<Summary>> {
    let mut statement = connection.prepare(
        "SELECT id, label, owner, name, state, created, activity, windows, panes, origin, tags, size FROM sessions \
         WHERE (?1 IS NULL OR label = ?1) AND (?2 IS NULL OR state = ?2) AND (?3 IS NULL OR name = ?3) \
         AND (?4 IS NULL OR EXISTS (SELECT 1 FROM json_each(tags) WHERE value = ?4)) \
         ORDER BY activity DESC, id",
    )?;
    let given = params![filter.label, filter.state, filter.name, filter.tag];
    statement.query_map(given, summary)?.collect()
}

fn summary(row: &Row<'_>) -> rusqlite::Result<Summary> {
    let tags: String = row.get(10)?;
    Ok(Summary {
        id: row.get(0)?,
        label: row.get(1)?,
        owner: row.get(2)?,
        name: row.get(3)?,
        state: row.get(4)?,
        created: row.get(5)?,
        activity: row.get(6)?,
        windows: row.get(7)?,
        panes: row.get(8)?,
        origin: row.get(9)?,
        tags: serde_json::from_str(&tags).unwrap_or_default(),
        size: unsigned(row.get(11)?),
    })
}

pub(super) fn bodies(
    connection: &Connection,
    label: &str,
    after: Option<StoreId>,
    most: usize,
) -> rusqlite::Result<Bodies> {
    // In the order of ids. The plus signs keep SQLite from using the index on labels, which would sort everything for
    // each batch.
    let mut statement = connection.prepare(
        "SELECT id, state, mtime, length, checksum, body, size FROM sessions \
         WHERE id > ?2 AND +label = ?1 AND +state IN ('active', 'hibernated') ORDER BY id LIMIT ?3",
    )?;
    let most = i64::try_from(most).unwrap_or(i64::MAX);
    // Without an id, from the first row on.
    let after = after.map_or(String::new(), |id| id.to_string());
    let mut rows = statement.query(params![label, after, most])?;
    let mut bodies = Bodies::default();
    while let Some(row) = rows.next()? {
        let id = row.get(0)?;
        bodies.last = Some(id);
        let body: Vec<u8> = row.get(5)?;
        // SQLite does not detect a flipped bit in a text, which must not become a wrong session.
        if crc32fast::hash(&body) != row.get::<_, u32>(4)? {
            continue;
        }
        bodies.sound.push(Body {
            id,
            state: row.get(1)?,
            stamp: FileStamp {
                mtime: row.get(2)?,
                len: unsigned(row.get(3)?),
            },
            size: unsigned(row.get(6)?),
            body,
        });
    }
    Ok(bodies)
}

pub(super) fn events(
    connection: &Connection,
    session: Option<StoreId>,
    most: usize,
) -> rusqlite::Result<Vec<Event>> {
    let mut statement = connection.prepare(
        "SELECT time, session, kind, text FROM events WHERE (?1 IS NULL OR session = ?1) ORDER BY number DESC LIMIT ?2",
    )?;
    let most = i64::try_from(most).unwrap_or(i64::MAX);
    let event = |row: &Row<'_>| {
        Ok(Event {
            time: row.get(0)?,
            session: row.get(1)?,
            kind: row.get(2)?,
            text: row.get(3)?,
        })
    };
    statement
        .query_map(params![session, most], event)?
        .collect()
}

pub(super) fn stats(connection: &Connection) -> rusqlite::Result<CatalogueStats> {
    let mut stats = CatalogueStats::default();
    let mut statement =
        connection.prepare("SELECT state, count(*), sum(size) FROM sessions GROUP BY state")?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        let count = unsigned(row.get(1)?);
        match row.get(0)? {
            SessionState::Active => stats.active = count,
            SessionState::Hibernated => stats.hibernated = count,
            SessionState::Archived => stats.archived = count,
        }
        stats.size = stats.size.saturating_add(unsigned(row.get(2)?));
    }
    let events = connection.query_row("SELECT count(*) FROM events", [], |row| row.get(0))?;
    stats.events = unsigned(events);
    Ok(stats)
}

fn unsigned(number: i64) -> u64 {
    u64::try_from(number).unwrap_or(0)
}
