//! A terminal as bytes, and back: everything, down to a half-read sequence.
//!
//! Rows are written the way history lines are, with their own table of looks, so that two engines in the
//! same state write the same bytes whatever numbers their tables happen to use.

mod history;
mod later;

use std::fmt;
use std::sync::Arc;

use shellkeep_core::{CursorShape, Size};

use crate::charset::{Charset, Charsets};
use crate::config::Config;
use crate::emulator::Emulator;
use crate::emulator::palette::Rgb;
use crate::emulator::screen::{Flags, Pen, Place, Protection, Saved, Screen};
use crate::grid::look::{Link, Look, Tables};
use crate::grid::row::Row;
use crate::grid::{Area, Grid};
use crate::history::page::Page;
use crate::history::store::{PageStore, TakenPage};
use crate::mode::{Modes, MouseEncoding, MouseProtocol};
use crate::parser::{Csi, MAX_INTERMEDIATES, MAX_PARAMS, Parser, State};
use crate::tabstop::TabStops;
use crate::wire::{Malformed, Reader, put_bytes, put_number, put_wide};

/// How many of the dynamic colours version 1 had.
const FIRST_DYNAMIC: usize = 3;

const MAGIC: &[u8; 4] = b"SKTM";
const VERSION: u64 = 4;

/// Why bytes could not be made a terminal again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RestoreError {
    /// They are not a dump.
    NotADump,
    /// They were written by a newer version.
    Newer(
        /// The version they say they are.
        u64,
    ),
    /// They are cut or damaged.
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
    /// Everything about it as bytes, for [`Emulator::restore`]. Of the pages with the store it says only where they
    /// begin, so it takes no longer with a long history than with a short one.
    #[must_use]
    pub fn dump(&self) -> Vec<u8> {
        let mut out = MAGIC.to_vec();
        put_number(&mut out, VERSION);
        let screen = &self.screen;
        put_number(&mut out, u64::from(screen.size.rows()));
        put_number(&mut out, u64::from(screen.size.cols()));
        put_parser(&mut out, &self.parser);
        put_state(&mut out, screen);
        put_texts(&mut out, screen);
        put_grid(&mut out, &screen.grid, screen);
        put_bool(&mut out, screen.other.is_some());
        if let Some(other) = &screen.other {
            put_grid(&mut out, other, screen);
        }
        history::put(&mut out, &screen.history);
        later::put(&mut out, screen);
        later::put_prompt(&mut out, screen);
        out
    }

    /// The terminal that was dumped, under `config`, which is not part of a dump. Pages that were with a store then
    /// read as empty lines.
    ///
    /// # Errors
    /// The bytes are not a whole and sound dump of a version we know.
    pub fn restore(bytes: &[u8], config: Config) -> Result<Self, RestoreError> {
        Self::restore_with(bytes, config, &[])
    }

    /// The terminal that was dumped, with the pages of history it left with a store. `pages` are those the store can
    /// give now, in any order, later ones counting where a number comes twice; further ones than were taken
    /// do not matter, and the lines of those that are not among them read as empty.
    ///
    /// # Errors
    /// The bytes are not a whole and sound dump of a version we know.
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

    /// A fresh terminal above the pages of history that a store can give, for one whose dump is lost. What was on its screen is lost
    /// with that, and so are the lines of the last page.
    #[must_use]
    pub fn over_pages(
        size: Size,
        config: Config,
        pages: &[TakenPage],
        store: Arc<dyn PageStore>,
    ) -> Self {
        let mut emulator = Self::new(size, config.clone());
        let history = &mut emulator.screen.history;
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
        let mut reader = Reader::new(body);
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
        let screen = &mut emulator.screen;
        read_state(&mut reader, screen)?;
        read_texts(&mut reader, screen)?;
        screen.grid = read_grid(&mut reader, size, &mut screen.tables)?;
        if reader.flag()? {
            screen.other = Some(read_grid(&mut reader, size, &mut screen.tables)?);
        } else if screen.alternate {
            return Err(RestoreError::Damaged);
        }
        if version >= 3 {
            history::read(&mut reader, &mut screen.history, pages)?;
        } else {
            history::read_listed(&mut reader, &mut screen.history)?;
        }
        if version >= 2 {
            later::read(&mut reader, screen)?;
        }
        if version >= 4 {
            later::read_prompt(&mut reader, screen)?;
        }
        if !reader.is_empty() {
            return Err(RestoreError::Damaged);
        }
        screen.pen_stale = true;
        Ok(emulator)
    }
}

fn put_bool(out: &mut Vec<u8>, on: bool) {
    out.push(u8::from(on));
}

fn put_parser(out: &mut Vec<u8>, parser: &Parser) {
    out.push(parser.state as u8);
    let csi = &parser.csi;
    // What the last sequence left behind means nothing in the ground state.
    let idle = Csi::default();
    let csi = if parser.state == State::Ground {
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

fn read_parser(reader: &mut Reader<'_>, parser: &mut Parser) -> Result<(), Malformed> {
    parser.state = State::from_number(reader.byte()?).ok_or(Malformed)?;
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
    // Only the start of one character can be left over.
    if partial.len() > 3 || !crate::parser::is_cut_character(partial) {
        return Err(Malformed);
    }
    if !partial.is_empty() && parser.state != State::Ground {
        return Err(Malformed);
    }
    parser.partial[..partial.len()].copy_from_slice(partial);
    parser.partial_len = partial.len() as u8;
    Ok(())
}

fn put_place(out: &mut Vec<u8>, place: Place) {
    put_number(out, u64::from(place.row));
    put_number(out, u64::from(place.col));
    put_bool(out, place.pending);
}

fn read_place(reader: &mut Reader<'_>, size: Size) -> Result<Place, Malformed> {
    let place = Place {
        row: reader.small()?,
        col: reader.small()?,
        pending: reader.flag()?,
    };
    if place.row >= size.rows() || place.col >= size.cols() {
        return Err(Malformed);
    }
    Ok(place)
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

fn read_pen(reader: &mut Reader<'_>, tables: &mut Tables) -> Result<Pen, Malformed> {
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

/// The flags, in the order of their bits in a dump.
fn flags_mut(flags: &mut Flags) -> [&mut bool; 15] {
    [
        &mut flags.origin,
        &mut flags.insert,
        &mut flags.autowrap,
        &mut flags.reverse_wrap,
        &mut flags.extended_reverse_wrap,
        &mut flags.side_margins,
        &mut flags.cursor_visible,
        &mut flags.cursor_blink,
        &mut flags.column_switch,
        &mut flags.wide_columns,
        &mut flags.keep_on_column_switch,
        &mut flags.rectangular,
        &mut flags.keyboard_locked,
        &mut flags.local_echo_off,
        &mut flags.clusters,
    ]
}

/// The modes that are on or off, in the order of their bits in a dump.
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

fn put_bits<const N: usize>(out: &mut Vec<u8>, bits: [&mut bool; N]) {
    let number = bits
        .into_iter()
        .rev()
        .fold(0, |sum, bit| sum << 1 | u64::from(*bit));
    put_number(out, number);
}

fn read_bits<const N: usize>(
    reader: &mut Reader<'_>,
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

fn put_state(out: &mut Vec<u8>, screen: &Screen) {
    put_bool(out, screen.alternate);
    put_place(out, screen.place);
    put_pen(out, &screen.pen, &screen.tables);
    for saved in &screen.saved {
        put_place(out, saved.place);
        put_pen(out, &saved.pen, &screen.tables);
        put_bool(out, saved.origin);
    }
    let margins = screen.margins;
    for side in [margins.top, margins.left, margins.bottom, margins.right] {
        put_number(out, u64::from(side));
    }
    let (mut flags, mut modes) = (screen.flags, screen.modes);
    put_bits(out, flags_mut(&mut flags));
    put_bits(out, modes_mut(&mut modes));
    put_bool(out, modes.in_band_resize);
    out.extend([
        modes.mouse as u8,
        modes.mouse_encoding as u8,
        modes.modify_other_keys,
    ]);
    for stack in &screen.kitty {
        put_bytes(out, stack);
    }
    out.extend([screen.shape as u8, screen.protection as u8]);
    put_number(
        out,
        screen.last_char.map_or(0, |c| u64::from(u32::from(c)) + 1),
    );
}

fn read_state(reader: &mut Reader<'_>, screen: &mut Screen) -> Result<(), Malformed> {
    let size = screen.size;
    screen.alternate = reader.flag()?;
    screen.place = read_place(reader, size)?;
    screen.pen = read_pen(reader, &mut screen.tables)?;
    for at in 0..2 {
        screen.saved[at] = Saved {
            place: read_place(reader, size)?,
            pen: read_pen(reader, &mut screen.tables)?,
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
    screen.margins = margins;
    read_bits(reader, flags_mut(&mut screen.flags))?;
    let modes = &mut screen.modes;
    read_bits(reader, modes_mut(modes))?;
    modes.in_band_resize = reader.flag()?;
    modes.mouse = mouse_protocol(reader.byte()?)?;
    modes.mouse_encoding = mouse_encoding(reader.byte()?)?;
    modes.modify_other_keys = reader.byte()?;
    for stack in &mut screen.kitty {
        *stack = reader.bytes()?.to_vec();
    }
    modes.kitty_keyboard = screen.kitty[usize::from(screen.alternate)]
        .last()
        .copied()
        .unwrap_or(0);
    screen.shape = CursorShape::from_number(reader.byte()?.into()).ok_or(Malformed)?;
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

fn read_rgb(reader: &mut Reader<'_>) -> Result<Option<Rgb>, Malformed> {
    Ok(if reader.flag()? {
        Some((reader.byte()?, reader.byte()?, reader.byte()?))
    } else {
        None
    })
}

/// Titles, directory, colours, tab stops, saved modes.
fn put_texts(out: &mut Vec<u8>, screen: &Screen) {
    put_bytes(out, screen.title.as_bytes());
    put_bytes(out, screen.icon.as_bytes());
    put_number(out, screen.titles.len() as u64);
    for (title, icon) in &screen.titles {
        put_bytes(out, title.as_bytes());
        put_bytes(out, icon.as_bytes());
    }
    put_bool(out, screen.cwd.is_some());
    put_bytes(out, screen.cwd.as_deref().unwrap_or("").as_bytes());
    put_bool(out, screen.palette.colors.is_some());
    for color in screen
        .palette
        .colors
        .iter()
        .flat_map(|colors| colors.iter())
    {
        put_rgb(out, *color);
    }
    for color in &screen.palette.dynamic[..FIRST_DYNAMIC] {
        put_rgb(out, *color);
    }
    let words = screen.tabs.words();
    put_bool(out, words.is_some());
    put_number(out, words.unwrap_or_default().len() as u64);
    for &word in words.unwrap_or_default() {
        put_number(out, word);
    }
    put_number(out, screen.saved_modes.len() as u64);
    for &(mode, on) in &screen.saved_modes {
        put_number(out, u64::from(mode));
        put_bool(out, on);
    }
}

fn read_texts(reader: &mut Reader<'_>, screen: &mut Screen) -> Result<(), Malformed> {
    screen.title = reader.text()?.to_owned();
    screen.icon = reader.text()?.to_owned();
    for _ in 0..reader.count()? {
        let title = reader.text()?.to_owned();
        screen.titles.push((title, reader.text()?.to_owned()));
    }
    let has_cwd = reader.flag()?;
    let cwd = reader.text()?.to_owned();
    screen.cwd = has_cwd.then_some(cwd);
    if reader.flag()? {
        let mut colors = Box::new([None; 256]);
        for color in colors.iter_mut() {
            *color = read_rgb(reader)?;
        }
        screen.palette.colors = Some(colors);
    }
    for color in &mut screen.palette.dynamic[..FIRST_DYNAMIC] {
        *color = read_rgb(reader)?;
    }
    let own_tabs = reader.flag()?;
    let mut words = Vec::new();
    for _ in 0..reader.count()? {
        words.push(reader.number()?);
    }
    screen.tabs = TabStops::from_words(own_tabs.then_some(words));
    for _ in 0..reader.count()? {
        screen.saved_modes.push((reader.small()?, reader.flag()?));
    }
    Ok(())
}

fn put_grid(out: &mut Vec<u8>, grid: &Grid, screen: &Screen) {
    let mut page = Page::default();
    for row in 0..grid.height() {
        let row = grid.row(row);
        page.begin();
        let whole = row.with_right_half();
        let cells = whole.as_ref().unwrap_or(row).trimmed();
        page.append(cells, 0, row.mark, &screen.tables);
        put_bool(out, row.wrapped);
    }
    page.write(out);
}

fn read_grid(reader: &mut Reader<'_>, size: Size, tables: &mut Tables) -> Result<Grid, Malformed> {
    let cols = usize::from(size.cols());
    let wrapped = reader.take(usize::from(size.rows()))?;
    let page = Page::read(reader)?;
    if page.lines() != wrapped.len() {
        return Err(Malformed);
    }
    let mut rows = Vec::with_capacity(wrapped.len());
    for (at, &wrapped) in wrapped.iter().enumerate() {
        let mut line = page.line(at, tables);
        // Where there is room for one half of a wide character alone, the left one is kept.
        if cols == 1 && line.cells.first().is_some_and(|cell| cell.is_wide()) {
            line.cells.pop();
        }
        if line.cells.len() > cols || line.fill != 0 || wrapped > 1 {
            return Err(Malformed);
        }
        rows.push(Row::from_cells(line.cells, wrapped == 1, line.mark));
    }
    Ok(Grid::from_rows(rows, size))
}
