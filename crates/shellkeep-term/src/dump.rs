//! Dumps a terminal to bytes and restores it, down to a partly read sequence.
//!
//! Rows are written in the format of history lines, with a table of styles of their own. So two engines in the same
//! state write the same bytes, whatever the numbers in their tables are.

mod history;
mod later;

use std::fmt;
use std::sync::Arc;

use shellkeep_core::{CursorShape, Size};

use crate::charset::{Charset, Charsets};
use crate::config::Config;
use crate::emulator::Emulator;
use crate::emulator::cursor::{CursorPosition, SavedCursor};
use crate::emulator::palette::Rgb;
use crate::emulator::pen::Pen;
use crate::emulator::screen::Protection;
use crate::emulator::terminal::Terminal;
use crate::grid::look::{Link, Look, Tables};
use crate::grid::row::Row;
use crate::grid::{Area, Grid};
use crate::history::page::Page;
use crate::history::store::{PageStore, TakenPage};
use crate::mode::{Modes, MouseEncoding, MouseProtocol};
use crate::parser::{Csi, MAX_INTERMEDIATES, MAX_PARAMS, Parser, ParserState};
use crate::tabstop::TabStops;
use crate::wire::{ByteReader, Malformed, put_bytes, put_number, put_wide};

/// How many of the dynamic colours version 1 had.
const FIRST_DYNAMIC: usize = 3;

const MAGIC: &[u8; 4] = b"SKTM";
const VERSION: u64 = 5;

/// Why bytes cannot be restored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RestoreError {
    NotADump,
    Newer(
        /// The version of the dump.
        u64,
    ),
    Damaged,
}

impl fmt::Display for RestoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotADump => f.write_str("not a terminal dump"),
            Self::Newer(version) => {
                write!(
                    f,
                    "terminal dump of version {version}, newer than {VERSION}"
                )
            }
            Self::Damaged => f.write_str("damaged terminal dump"),
        }
    }
}

impl std::error::Error for RestoreError {}

impl From<Malformed> for RestoreError {
    fn from(_: Malformed) -> Self {
        Self::Damaged
    }
}

impl Emulator {
    /// Writes the whole state for [`Emulator::restore`]. For pages in the store it writes only where they begin, so the
    /// time does not grow with the history.
    #[must_use]
    pub fn dump(&self) -> Vec<u8> {
        let mut out = MAGIC.to_vec();
        put_number(&mut out, VERSION);
        let (terminal, size) = (&self.terminal, self.size());
        let canvas = &terminal.screen.canvas;
        put_number(&mut out, u64::from(size.rows()));
        put_number(&mut out, u64::from(size.cols()));
        put_parser(&mut out, &self.parser);
        put_state(&mut out, terminal);
        put_texts(&mut out, terminal);
        put_grid(&mut out, &canvas.grid, &canvas.tables);
        put_bool(&mut out, canvas.other.is_some());
        if let Some(other) = &canvas.other {
            put_grid(&mut out, other, &canvas.tables);
        }
        history::put(&mut out, &canvas.history);
        later::put(&mut out, terminal);
        later::put_prompt(&mut out, terminal);
        put_number(&mut out, u64::from(terminal.screen.canvas.time));
        out
    }

    /// Restores a dump under `config`, which is not part of a dump. Pages that were in a store read as empty lines.
    ///
    /// # Errors
    /// When the bytes are not a complete and valid dump of a known version.
    pub fn restore(bytes: &[u8], config: Config) -> Result<Self, RestoreError> {
        Self::restore_with(bytes, config, &[])
    }

    /// Restores a dump together with the pages of history in a store. `pages` are those that the store has now, in any
    /// order. If a number occurs twice the later one counts. Pages that were not in the store at the time of the dump
    /// are ignored, and missing ones read as empty lines.
    ///
    /// # Errors
    /// When the bytes are not a complete and valid dump of a known version.
    pub fn restore_kept(
        bytes: &[u8],
        config: Config,
        pages: &[TakenPage],
        store: Arc<dyn PageStore>,
    ) -> Result<Self, RestoreError> {
        let mut emulator = Self::restore_with(bytes, config, pages)?;
        emulator.set_page_store(store);
        Ok(emulator)
    }

    /// A new terminal above the pages of history in a store, for a terminal whose dump is lost. The screen and the
    /// lines of the last page are lost with the dump.
    #[must_use]
    pub fn over_pages(
        size: Size,
        config: Config,
        pages: &[TakenPage],
        store: Arc<dyn PageStore>,
    ) -> Self {
        let mut emulator = Self::new(size, config.clone());
        let history = &mut emulator.terminal.screen.canvas.history;
        if history.adopt_all(pages).is_err() {
            emulator = Self::new(size, config);
        }
        emulator.set_page_store(store);
        emulator
    }

    fn restore_with(
        bytes: &[u8],
        config: Config,
        pages: &[TakenPage],
    ) -> Result<Self, RestoreError> {
        let body = bytes.strip_prefix(MAGIC).ok_or(RestoreError::NotADump)?;
        let mut reader = ByteReader::new(body);
        let version = reader.number()?;
        if version > VERSION {
            return Err(RestoreError::Newer(version));
        }
        let (rows, cols) = (reader.small()?, reader.small()?);
        let size = Size::new(rows, cols);
        if (size.rows(), size.cols()) != (rows, cols) {
            return Err(RestoreError::Damaged);
        }
        let mut emulator = Self::new(size, config);
        read_parser(&mut reader, &mut emulator.parser)?;
        let terminal = &mut emulator.terminal;
        read_state(&mut reader, terminal)?;
        read_texts(&mut reader, terminal)?;
        let canvas = &mut terminal.screen.canvas;
        canvas.grid = read_grid(&mut reader, size, &mut canvas.tables)?;
        if reader.flag()? {
            canvas.other = Some(read_grid(&mut reader, size, &mut canvas.tables)?);
        } else if canvas.alternate {
            return Err(RestoreError::Damaged);
        }
        if version >= 3 {
            history::read(&mut reader, &mut canvas.history, pages)?;
        } else {
            history::read_listed(&mut reader, &mut canvas.history)?;
        }
        if version >= 2 {
            later::read(&mut reader, terminal)?;
        }
        if version >= 4 {
            later::read_prompt(&mut reader, terminal)?;
        }
        // Besides, the rows have times since version 5: they are in the pages.
        if version >= 5 {
            terminal.screen.canvas.time = reader.small()?;
        }
        if !reader.is_empty() {
            return Err(RestoreError::Damaged);
        }
        emulator.terminal.screen.pen_stale = true;
        Ok(emulator)
    }
}

fn put_bool(out: &mut Vec<u8>, on: bool) {
    out.push(u8::from(on));
}

fn put_parser(out: &mut Vec<u8>, parser: &Parser) {
    out.push(parser.state as u8);
    let csi = &parser.csi;
    // In the ground state, what the last sequence left behind has no meaning.
    let idle = Csi::default();
    let csi = if parser.state == ParserState::Ground {
        &idle
    } else {
        csi
    };
    put_number(out, u64::from(csi.len));
    for &param in csi.params() {
        put_number(out, u64::from(param));
    }
    put_number(out, u64::from(csi.colons));
    out.extend([csi.prefix, csi.last, csi.intermediate_len]);
    let kept = usize::from(csi.intermediate_len).min(MAX_INTERMEDIATES);
    out.extend(&csi.intermediates[..kept]);
    put_bytes(out, &parser.string);
    put_bool(out, parser.overlong);
    put_bytes(out, &parser.partial[..usize::from(parser.partial_len)]);
}

fn read_parser(reader: &mut ByteReader<'_>, parser: &mut Parser) -> Result<(), Malformed> {
    parser.state = ParserState::from_number(reader.byte()?).ok_or(Malformed)?;
    let csi = &mut parser.csi;
    let len: usize = reader.small()?;
    if len > MAX_PARAMS {
        return Err(Malformed);
    }
    csi.len = len as u8;
    for param in &mut csi.params[..len] {
        *param = reader.small()?;
    }
    csi.colons = reader.small()?;
    csi.prefix = reader.byte()?;
    csi.last = reader.byte()?;
    csi.intermediate_len = reader.byte()?;
    let kept = usize::from(csi.intermediate_len);
    if kept > MAX_INTERMEDIATES + 1 {
        return Err(Malformed);
    }
    let kept = kept.min(MAX_INTERMEDIATES);
    csi.intermediates[..kept].copy_from_slice(reader.take(kept)?);
    parser.string = reader.bytes()?.to_vec();
    parser.overlong = reader.flag()?;
    let partial = reader.bytes()?;
    // Only the first bytes of one character can be left over.
    if partial.len() > 3 || !crate::parser::is_cut_character(partial) {
        return Err(Malformed);
    }
    if !partial.is_empty() && parser.state != ParserState::Ground {
        return Err(Malformed);
    }
    parser.partial[..partial.len()].copy_from_slice(partial);
    parser.partial_len = partial.len() as u8;
    Ok(())
}

fn put_position(out: &mut Vec<u8>, position: CursorPosition) {
    put_number(out, u64::from(position.row));
    put_number(out, u64::from(position.col));
    put_bool(out, position.pending);
}

fn read_position(reader: &mut ByteReader<'_>, size: Size) -> Result<CursorPosition, Malformed> {
    let position = CursorPosition {
        row: reader.small()?,
        col: reader.small()?,
        pending: reader.flag()?,
    };
    if position.row >= size.rows() || position.col >= size.cols() {
        return Err(Malformed);
    }
    Ok(position)
}

fn put_pen(out: &mut Vec<u8>, pen: &Pen, tables: &Tables) {
    put_wide(out, Look::new(&pen.style, 0, pen.protected).0);
    let link = tables.link(pen.link);
    put_bool(out, link.is_some());
    if let Some(link) = link {
        put_bytes(out, link.id.as_bytes());
        put_bytes(out, link.uri.as_bytes());
    }
    out.extend(pen.charsets.sets.map(|set| set as u8));
    out.extend([pen.charsets.left, pen.charsets.single.map_or(0, |n| n + 1)]);
}

fn read_pen(reader: &mut ByteReader<'_>, tables: &mut Tables) -> Result<Pen, Malformed> {
    let look = Look(reader.wide()?);
    let mut link = 0;
    if reader.flag()? {
        let (id, uri) = (reader.text()?.into(), reader.text()?.into());
        link = tables.intern_link(Link { id, uri });
    }
    let mut charsets = Charsets::default();
    for set in &mut charsets.sets {
        *set = Charset::from_number(reader.byte()?).ok_or(Malformed)?;
    }
    charsets.left = reader.byte()?;
    charsets.single = reader.byte()?.checked_sub(1);
    if charsets.left > 3 || charsets.single.is_some_and(|n| n > 3) {
        return Err(Malformed);
    }
    Ok(Pen {
        style: look.style(),
        link,
        protected: look.is_protected(),
        charsets,
    })
}

/// The modes that only the engine uses, in the order of their bits in a dump, as values or as references.
macro_rules! inner_modes {
    ($terminal:expr $(, $reference:tt)*) => {{
        let Terminal {
            screen,
            cursor_style,
            flags,
            ..
        } = $terminal;
        [
            $($reference)* screen.margins.origin,
            $($reference)* screen.writing.insert,
            $($reference)* screen.writing.autowrap,
            $($reference)* screen.writing.reverse_wrap,
            $($reference)* screen.writing.extended_reverse_wrap,
            $($reference)* screen.margins.has_sides,
            $($reference)* cursor_style.is_visible,
            $($reference)* cursor_style.blinks,
            $($reference)* flags.column_switch,
            $($reference)* flags.wide_columns,
            $($reference)* flags.keep_on_column_switch,
            $($reference)* flags.rectangular,
            $($reference)* flags.keyboard_locked,
            $($reference)* flags.local_echo_off,
            $($reference)* screen.writing.clusters,
        ]
    }};
}

/// The boolean modes, in the order of their bits in a dump.
fn modes_mut(modes: &mut Modes) -> [&mut bool; 11] {
    [
        &mut modes.application_cursor,
        &mut modes.application_keypad,
        &mut modes.newline,
        &mut modes.backarrow_sends_backspace,
        &mut modes.bracketed_paste,
        &mut modes.focus_events,
        &mut modes.alternate_scroll,
        &mut modes.format_other_keys_csi_u,
        &mut modes.synchronized_output,
        &mut modes.reverse_screen,
        &mut modes.color_scheme_events,
    ]
}

fn put_bits<const N: usize>(out: &mut Vec<u8>, bits: [bool; N]) {
    let number = bits
        .into_iter()
        .rev()
        .fold(0, |sum, bit| sum << 1 | u64::from(bit));
    put_number(out, number);
}

fn read_bits<const N: usize>(
    reader: &mut ByteReader<'_>,
    bits: [&mut bool; N],
) -> Result<(), Malformed> {
    let number = reader.number()?;
    if number >> N != 0 {
        return Err(Malformed);
    }
    for (at, bit) in bits.into_iter().enumerate() {
        *bit = number >> at & 1 != 0;
    }
    Ok(())
}

fn put_state(out: &mut Vec<u8>, terminal: &Terminal) {
    let screen = &terminal.screen;
    let tables = &screen.canvas.tables;
    put_bool(out, screen.canvas.alternate);
    put_position(out, screen.cursor);
    put_pen(out, &screen.pen, tables);
    for saved in &screen.saved {
        put_position(out, saved.position);
        put_pen(out, &saved.pen, tables);
        put_bool(out, saved.origin);
    }
    let margins = screen.margins.area;
    for side in [margins.top, margins.left, margins.bottom, margins.right] {
        put_number(out, u64::from(side));
    }
    put_bits(out, inner_modes!(terminal));
    let mut modes = terminal.modes;
    put_bits(out, modes_mut(&mut modes).map(|mode| *mode));
    put_bool(out, modes.in_band_resize);
    out.extend([
        modes.mouse as u8,
        modes.mouse_encoding as u8,
        modes.modify_other_keys,
    ]);
    for stack in &terminal.kitty.stacks {
        put_bytes(out, stack);
    }
    out.extend([terminal.cursor_style.shape as u8, screen.protection as u8]);
    put_number(
        out,
        screen.last_char.map_or(0, |c| u64::from(u32::from(c)) + 1),
    );
}

fn read_state(reader: &mut ByteReader<'_>, terminal: &mut Terminal) -> Result<(), Malformed> {
    let size = terminal.size();
    let screen = &mut terminal.screen;
    screen.canvas.alternate = reader.flag()?;
    screen.cursor = read_position(reader, size)?;
    screen.pen = read_pen(reader, &mut screen.canvas.tables)?;
    for saved in &mut screen.saved {
        *saved = SavedCursor {
            position: read_position(reader, size)?,
            pen: read_pen(reader, &mut screen.canvas.tables)?,
            origin: reader.flag()?,
        };
    }
    let margins = Area {
        top: reader.small()?,
        left: reader.small()?,
        bottom: reader.small()?,
        right: reader.small()?,
    };
    let ordered = margins.top <= margins.bottom && margins.left <= margins.right;
    if !ordered || margins.bottom >= size.rows() || margins.right >= size.cols() {
        return Err(Malformed);
    }
    screen.margins.area = margins;
    read_bits(reader, inner_modes!(&mut *terminal, &, mut))?;
    let modes = &mut terminal.modes;
    read_bits(reader, modes_mut(modes))?;
    modes.in_band_resize = reader.flag()?;
    modes.mouse = mouse_protocol(reader.byte()?)?;
    modes.mouse_encoding = mouse_encoding(reader.byte()?)?;
    modes.modify_other_keys = reader.byte()?;
    for stack in &mut terminal.kitty.stacks {
        *stack = reader.bytes()?.to_vec();
    }
    let screen = &mut terminal.screen;
    modes.kitty_keyboard = terminal.kitty.top(screen.canvas.side());
    let shape = CursorShape::from_number(reader.byte()?.into());
    terminal.cursor_style.shape = shape.ok_or(Malformed)?;
    screen.protection = match reader.byte()? {
        0 => Protection::Off,
        1 => Protection::Dec,
        2 => Protection::Iso,
        _ => return Err(Malformed),
    };
    let last: u32 = reader.small()?;
    screen.last_char = match last.checked_sub(1) {
        Some(number) => Some(char::from_u32(number).ok_or(Malformed)?),
        None => None,
    };
    Ok(())
}

fn mouse_protocol(number: u8) -> Result<MouseProtocol, Malformed> {
    use MouseProtocol::{Buttons, Drag, Motion, Off, X10};
    let all = [Off, X10, Buttons, Drag, Motion];
    all.into_iter()
        .find(|protocol| *protocol as u8 == number)
        .ok_or(Malformed)
}

fn mouse_encoding(number: u8) -> Result<MouseEncoding, Malformed> {
    use MouseEncoding::{Legacy, Sgr, SgrPixels, Urxvt, Utf8};
    let all = [Legacy, Utf8, Sgr, Urxvt, SgrPixels];
    all.into_iter()
        .find(|encoding| *encoding as u8 == number)
        .ok_or(Malformed)
}

fn put_rgb(out: &mut Vec<u8>, color: Option<Rgb>) {
    match color {
        Some((r, g, b)) => out.extend([1, r, g, b]),
        None => out.push(0),
    }
}

fn read_rgb(reader: &mut ByteReader<'_>) -> Result<Option<Rgb>, Malformed> {
    Ok(if reader.flag()? {
        Some((reader.byte()?, reader.byte()?, reader.byte()?))
    } else {
        None
    })
}

/// Titles, directory, colours, tab stops, saved modes.
fn put_texts(out: &mut Vec<u8>, terminal: &Terminal) {
    put_bytes(out, terminal.titles.title.as_bytes());
    put_bytes(out, terminal.titles.icon.as_bytes());
    put_number(out, terminal.titles.pushed.len() as u64);
    for (title, icon) in &terminal.titles.pushed {
        put_bytes(out, title.as_bytes());
        put_bytes(out, icon.as_bytes());
    }
    put_bool(out, terminal.cwd.is_some());
    put_bytes(out, terminal.cwd.as_deref().unwrap_or("").as_bytes());
    put_bool(out, terminal.palette.colors.is_some());
    for color in terminal
        .palette
        .colors
        .iter()
        .flat_map(|colors| colors.iter())
    {
        put_rgb(out, *color);
    }
    for color in &terminal.palette.dynamic[..FIRST_DYNAMIC] {
        put_rgb(out, *color);
    }
    let words = terminal.screen.tabs.words();
    put_bool(out, words.is_some());
    put_number(out, words.unwrap_or_default().len() as u64);
    for &word in words.unwrap_or_default() {
        put_number(out, word);
    }
    put_number(out, terminal.saved_modes.modes.len() as u64);
    for &(mode, on) in &terminal.saved_modes.modes {
        put_number(out, u64::from(mode));
        put_bool(out, on);
    }
}

fn read_texts(reader: &mut ByteReader<'_>, terminal: &mut Terminal) -> Result<(), Malformed> {
    terminal.titles.title = reader.text()?.to_owned();
    terminal.titles.icon = reader.text()?.to_owned();
    for _ in 0..reader.count()? {
        let title = reader.text()?.to_owned();
        terminal
            .titles
            .pushed
            .push((title, reader.text()?.to_owned()));
    }
    let has_cwd = reader.flag()?;
    let cwd = reader.text()?.to_owned();
    terminal.cwd = has_cwd.then_some(cwd);
    if reader.flag()? {
        let mut colors = Box::new([None; 256]);
        for color in colors.iter_mut() {
            *color = read_rgb(reader)?;
        }
        terminal.palette.colors = Some(colors);
    }
    for color in &mut terminal.palette.dynamic[..FIRST_DYNAMIC] {
        *color = read_rgb(reader)?;
    }
    let own_tabs = reader.flag()?;
    let mut words = Vec::new();
    for _ in 0..reader.count()? {
        words.push(reader.number()?);
    }
    terminal.screen.tabs = TabStops::from_words(own_tabs.then_some(words));
    for _ in 0..reader.count()? {
        terminal
            .saved_modes
            .modes
            .push((reader.small()?, reader.flag()?));
    }
    Ok(())
}

fn put_grid(out: &mut Vec<u8>, grid: &Grid, tables: &Tables) {
    let mut page = Page::default();
    for row in 0..grid.height() {
        let row = grid.row(row);
        page.begin(row.time);
        let whole = row.with_right_half();
        let cells = whole.as_ref().unwrap_or(row).trimmed();
        page.append(cells, 0, row.mark, tables);
        put_bool(out, row.wrapped);
    }
    page.write(out);
}

fn read_grid(
    reader: &mut ByteReader<'_>,
    size: Size,
    tables: &mut Tables,
) -> Result<Grid, Malformed> {
    let cols = usize::from(size.cols());
    let wrapped = reader.take(usize::from(size.rows()))?;
    let page = Page::read(reader)?;
    if page.lines() != wrapped.len() {
        return Err(Malformed);
    }
    let mut rows = Vec::with_capacity(wrapped.len());
    for (at, &wrapped) in wrapped.iter().enumerate() {
        let mut line = page.line(at, tables);
        // If only one half of a wide character fits, it is the left one.
        if cols == 1 && line.cells.first().is_some_and(|cell| cell.is_wide()) {
            line.cells.pop();
        }
        if line.cells.len() > cols || line.fill != 0 || wrapped > 1 {
            return Err(Malformed);
        }
        rows.push(Row::from_cells(
            line.cells,
            wrapped == 1,
            line.mark,
            line.time,
        ));
    }
    Ok(Grid::from_rows(rows, size))
}
