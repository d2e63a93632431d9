//! A page: some hundreds of logical lines as bytes, with tables of looks and links of its own, so that it can be stored
//! and read back.
//!
//! A line is a sequence of segments. Each begins with a number: the look's index in the page's table times eight, plus
//! the kind. A segment needs no end marker, so a line can be extended in place while the program is still writing it.

use shellkeep_core::width;

use crate::grid::cell::Cell;
use crate::grid::look::{Link, Look, LookIndex, Tables};
use crate::grid::reflow::Line;
use crate::history::times::LineTimes;
use crate::wire::{ByteReader, Malformed, put_bytes, put_number, put_wide};

/// One byte for each cell.
pub(super) const ASCII: u8 = 0;
/// Single characters with their usual width of one or two columns. The length takes two bytes.
pub(super) const TEXT: u8 = 1;
/// The empty last cell of a row, into which a wide character did not fit. Used only for screens.
pub(super) const PAD: u8 = 2;
pub(super) const CLUSTER: u8 = 3;
/// A cluster of two cells.
pub(super) const WIDE_CLUSTER: u8 = 4;
/// A number of erased cells.
pub(super) const BLANKS: u8 = 5;
/// Erased cells up to the margin.
pub(super) const FILL: u8 = 6;
/// Prompt marks, in place of a look.
pub(super) const MARK: u8 = 7;

/// A page is closed when it has this many lines, bytes or links.
pub(super) const MAX_LINES: usize = 256;
const MAX_BYTES: usize = 32 << 10;
const MAX_LINKS: usize = 256;

/// More cells than any line can have.
pub(super) const MAX_LONGEST: u64 = super::MAX_LINE_CELLS as u64 * 2;

/// Version of the serialised form of a page whose lines have no times.
const VERSION_WITHOUT_TIMES: u8 = 1;

/// Version of the serialised form. Times, which it added, are at the end.
const VERSION: u8 = 2;

/// Lines of history, oldest first.
#[derive(Clone, Debug, Default)]
pub(crate) struct Page {
    bytes: Vec<u8>,
    /// Where each line ends in `bytes`.
    ends: Vec<u32>,
    looks: Vec<Look>,
    links: Vec<Link>,
    times: LineTimes,
    link_bytes: usize,
    /// The page's number plus one for each of the screen's looks; 0 for a look that the page does not have yet. Valid
    /// in `epoch` of the screen's tables.
    locals: Vec<u32>,
    epoch: Option<u32>,
    /// The page's numbers by look. Used once `locals` has become invalid.
    index: Option<LookIndex>,
    /// Cells of all lines, for estimates of rows.
    pub(crate) cells: u64,
    /// The cells of the longest line. On a screen at least as wide, every line has one row.
    pub(crate) longest: u64,
    /// Cells of the newest line.
    line_cells: u64,
    /// Its rows as counted against the limit, at the width for which they were counted.
    pub(super) rows: usize,
}

impl PartialEq for Page {
    fn eq(&self, other: &Self) -> bool {
        self.bytes == other.bytes
            && self.ends == other.ends
            && self.looks == other.looks
            && self.links == other.links
            && self.times == other.times
    }
}

impl Page {
    pub(crate) fn lines(&self) -> usize {
        self.ends.len()
    }

    /// Bytes of the page and its tables, as counted against budgets and the size of a page.
    pub(crate) fn byte_len(&self) -> usize {
        self.bytes.len() + self.looks.len() * size_of::<Look>() + self.link_bytes
    }

    /// Whether the page is to be sealed.
    pub(crate) fn is_full(&self) -> bool {
        // Links are searched linearly, so there must be few.
        self.lines() >= MAX_LINES || self.byte_len() >= MAX_BYTES || self.links.len() >= MAX_LINKS
    }

    /// Whether even the line that is being written has to continue in another page.
    pub(crate) fn is_overfull(&self) -> bool {
        self.byte_len() >= 4 * MAX_BYTES || self.links.len() >= 2 * MAX_LINKS
    }

    /// An empty page with the capacity of this one. A flood fills pages alike, and growing them step by step would cost
    /// more than writing.
    pub(crate) fn successor(&self) -> Self {
        Self {
            bytes: Vec::with_capacity(self.bytes.len()),
            ends: Vec::with_capacity(self.ends.len()),
            ..Self::default()
        }
    }

    /// Frees spare capacity, and the tables that only writing needs.
    pub(crate) fn freeze(&mut self) {
        self.bytes.shrink_to_fit();
        self.ends.shrink_to_fit();
        self.looks.shrink_to_fit();
        self.times.shrink_to_fit();
        self.locals = Vec::new();
        self.epoch = None;
        self.index = None;
    }

    pub(crate) fn heap(&self) -> usize {
        let links: usize = self
            .links
            .iter()
            .map(|link| link.uri.len() + link.id.len() + 32)
            .sum();
        self.bytes.capacity()
            + self.ends.capacity() * 4
            + self.looks.capacity() * 16
            + self.locals.capacity() * 4
            + self.index.as_ref().map_or(0, LookIndex::heap)
            + self.times.heap()
            + links
    }

    /// Begins a line whose first row was written at this time.
    pub(crate) fn begin(&mut self, time: u32) {
        self.ends.push(self.bytes.len() as u32);
        self.line_cells = 0;
        self.times.set_newest(self.lines() - 1, time);
    }

    /// Says when a further row of the newest line was written, which is the line's time if it has none yet.
    pub(crate) fn go_on(&mut self, time: u32) {
        if self.times.last() == 0 {
            self.times.set_newest(self.lines().saturating_sub(1), time);
        }
    }

    /// When a line was printed; 0 if that is not known.
    pub(crate) fn time(&self, line: usize) -> u32 {
        self.times.get(line)
    }

    fn count_cells(&mut self, count: usize) {
        self.cells += count as u64;
        self.line_cells += count as u64;
        self.longest = self.longest.max(self.line_cells);
    }

    pub(crate) fn append(&mut self, cells: &[Cell], fill: u32, mark: u8, tables: &Tables) {
        if self.epoch != Some(tables.epoch) {
            self.epoch = Some(tables.epoch);
            self.locals.clear();
            if !self.looks.is_empty() {
                self.index = Some(LookIndex::build(&self.looks));
            }
        }
        if mark != 0 {
            put_number(&mut self.bytes, u64::from(mark) << 3 | u64::from(MARK));
        }
        self.count_cells(cells.len());
        let mut rest = cells;
        while let Some(first) = rest.first() {
            let run = self.append_run(*first, rest, tables);
            rest = &rest[run..];
        }
        if fill != 0 {
            self.head(fill, FILL, tables);
        }
        if let Some(end) = self.ends.last_mut() {
            *end = self.bytes.len() as u32;
        }
    }

    /// Appends erased cells of the default look to the last line.
    pub(crate) fn append_blanks(&mut self, count: usize) {
        if count == 0 {
            return;
        }
        self.count_cells(count);
        put_number(&mut self.bytes, u64::from(BLANKS));
        put_number(&mut self.bytes, count as u64);
        if let Some(end) = self.ends.last_mut() {
            *end = self.bytes.len() as u32;
        }
    }

    /// Appends the cells at the start of `cells` that form one segment, and returns how many.
    fn append_run(&mut self, first: Cell, cells: &[Cell], tables: &Tables) -> usize {
        let look = first.look;
        if first.is_pad() {
            self.head(look, PAD, tables);
            return 1;
        }
        if first.is_empty() {
            let run = count(cells, |cell| *cell == first);
            self.head(look, BLANKS, tables);
            put_number(&mut self.bytes, run as u64);
            return run;
        }
        let ascii = ascii_run(cells, look);
        let next = cells.get(ascii);
        if next.is_none_or(|next| next.look != look || !is_text(*next)) && ascii > 0 {
            self.head(look, ASCII, tables);
            put_number(&mut self.bytes, ascii as u64);
            self.bytes
                .extend(cells[..ascii].iter().map(|cell| cell.content as u8));
            return ascii;
        }
        if is_text(first) {
            self.head(look, TEXT, tables);
            return self.append_text(look, cells);
        }
        let kind = match (first.cluster(), first.is_wide()) {
            (Some(_), true) => WIDE_CLUSTER,
            (Some(_), false) => CLUSTER,
            (None, _) => {
                // A right half alone cannot occur, but must not cause a failure.
                self.head(look, BLANKS, tables);
                put_number(&mut self.bytes, 1);
                return 1;
            }
        };
        self.head(look, kind, tables);
        let text = first.cluster().map_or("", |number| tables.cluster(number));
        put_bytes(&mut self.bytes, text.as_bytes());
        usize::from(first.width()).clamp(1, cells.len())
    }

    /// Appends single characters after the number of their bytes. Returns how many cells they are.
    fn append_text(&mut self, look: u32, cells: &[Cell]) -> usize {
        let start = self.bytes.len();
        // The length always takes two bytes, so that it can be filled in afterwards.
        self.bytes.extend([0, 0]);
        let mut buffer = [0; 256];
        let (mut used, mut at) = (0, 0);
        while let Some(&cell) = cells.get(at)
            && cell.look == look
            && is_text(cell)
        {
            if used + 4 > buffer.len() {
                self.bytes.extend_from_slice(&buffer[..used]);
                used = 0;
                if self.bytes.len() - start > usize::from(u16::MAX) - buffer.len() {
                    break;
                }
            }
            used += put_char(&mut buffer[used..], cell.code());
            at += usize::from(cell.width());
        }
        self.bytes.extend_from_slice(&buffer[..used]);
        let len = (self.bytes.len() - start - 2) as u16;
        self.bytes[start..start + 2].copy_from_slice(&len.to_le_bytes());
        at.min(cells.len())
    }

    fn head(&mut self, look: u32, kind: u8, tables: &Tables) {
        let local = if look == 0 {
            0
        } else {
            self.local(look, tables)
        };
        put_number(&mut self.bytes, u64::from(local) << 3 | u64::from(kind));
    }

    /// The page's number of one of the screen's looks.
    #[inline]
    fn local(&mut self, look: u32, tables: &Tables) -> u32 {
        match self.locals.get(look as usize) {
            Some(&local) if local != 0 => local - 1,
            _ => self.new_local(look, tables),
        }
    }

    fn new_local(&mut self, look: u32, tables: &Tables) -> u32 {
        let value = tables.look(look);
        let link = tables.link(value.link());
        let link = link.map_or(0, |link| self.local_link(link));
        let local = self.intern(value.with_link(link));
        if self.locals.len() <= look as usize {
            self.locals.resize(look as usize + 1, 0);
        }
        self.locals[look as usize] = local + 1;
        local
    }

    fn intern(&mut self, look: Look) -> u32 {
        if look == Look::default() {
            return 0;
        }
        let known = self
            .index
            .as_ref()
            .and_then(|index| index.find(look, &self.looks));
        if let Some(number) = known {
            return number;
        }
        self.looks.push(look);
        match &mut self.index {
            Some(index) => index.add_last(&self.looks),
            None => self.looks.len() as u32,
        }
    }

    fn local_link(&mut self, link: &Link) -> u32 {
        let at = self.links.iter().rposition(|known| known == link);
        let at = at.unwrap_or_else(|| {
            self.link_bytes += link.id.len() + link.uri.len() + size_of::<Link>();
            self.links.push(link.clone());
            self.links.len() - 1
        });
        at as u32 + 1
    }

    pub(super) fn line_bytes(&self, line: usize) -> &[u8] {
        let Some(&end) = self.ends.get(line) else {
            return &[];
        };
        let start = line.checked_sub(1).map_or(0, |before| self.ends[before]);
        self.bytes.get(start as usize..end as usize).unwrap_or(&[])
    }

    /// Reads a line into cells that refer to `tables`.
    pub(crate) fn line(&self, line: usize, tables: &mut Tables) -> Line {
        let mut out = Line {
            time: self.times.get(line),
            ..Line::default()
        };
        let mut reader = ByteReader::new(self.line_bytes(line));
        while !reader.is_empty() {
            // Pages are checked when they are read, so only a defect in this program can cause this.
            if self.read_segment(&mut reader, tables, &mut out).is_err() {
                break;
            }
        }
        out
    }

    fn read_segment(
        &self,
        reader: &mut ByteReader<'_>,
        tables: &mut Tables,
        out: &mut Line,
    ) -> Result<(), Malformed> {
        let head = reader.number()?;
        let kind = head as u8 & 7;
        if kind == MARK {
            out.mark |= (head >> 3) as u8;
            return Ok(());
        }
        let look = self.global(head >> 3, tables)?;
        match kind {
            ASCII => {
                let text = reader.bytes()?;
                out.cells.extend(
                    text.iter()
                        .map(|&byte| Cell::narrow(char::from(byte), look)),
                );
            }
            TEXT => {
                let len = usize::from(reader.byte()?) | usize::from(reader.byte()?) << 8;
                let text = reader.take(len)?;
                for c in std::str::from_utf8(text).map_err(|_| Malformed)?.chars() {
                    if width::width(c) == 2 {
                        out.cells.extend([Cell::wide(c, look), Cell::spacer(look)]);
                    } else {
                        out.cells.push(Cell::narrow(c, look));
                    }
                }
            }
            CLUSTER | WIDE_CLUSTER => {
                let cell = Cell::blank(look).with_cluster(tables.add_cluster(reader.text()?));
                if kind == CLUSTER {
                    out.cells.push(cell);
                } else {
                    out.cells.extend([cell.widened(), Cell::spacer(look)]);
                }
            }
            BLANKS => {
                let count: usize = reader.small()?;
                if count > super::MAX_LINE_CELLS * 2 {
                    return Err(Malformed);
                }
                out.cells
                    .extend(std::iter::repeat_n(Cell::blank(look), count));
            }
            PAD => out.cells.push(Cell::pad(look)),
            FILL => out.fill = look,
            _ => return Err(Malformed),
        }
        Ok(())
    }

    /// The screen's number of one of the page's looks.
    fn global(&self, local: u64, tables: &mut Tables) -> Result<u32, Malformed> {
        if local == 0 {
            return Ok(0);
        }
        let look = *self.looks.get(local as usize - 1).ok_or(Malformed)?;
        let link = match look.link() {
            0 => 0,
            number => {
                let link = self.links.get(number as usize - 1).ok_or(Malformed)?;
                tables.intern_link(link.clone())
            }
        };
        Ok(tables.intern(look.with_link(link)))
    }

    /// Takes the newest line out.
    pub(crate) fn pop(&mut self, tables: &mut Tables) -> Option<Line> {
        let last = self.lines().checked_sub(1)?;
        let line = self.line(last, tables);
        self.ends.pop();
        self.bytes
            .truncate(self.ends.last().map_or(0, |&end| end as usize));
        self.times.truncate(last);
        self.cells = self.cells.saturating_sub(line.cells.len() as u64);
        Some(line)
    }

    pub(crate) fn write(&self, out: &mut Vec<u8>) {
        out.push(match self.times.is_empty() {
            true => VERSION_WITHOUT_TIMES,
            false => VERSION,
        });
        put_number(out, self.cells);
        put_number(out, self.longest);
        put_number(out, self.line_cells);
        put_number(out, self.looks.len() as u64);
        for look in &self.looks {
            put_wide(out, look.0);
        }
        put_number(out, self.links.len() as u64);
        for link in &self.links {
            put_bytes(out, link.id.as_bytes());
            put_bytes(out, link.uri.as_bytes());
        }
        put_number(out, self.ends.len() as u64);
        let mut start = 0;
        for &end in &self.ends {
            put_number(out, u64::from(end - start));
            start = end;
        }
        put_bytes(out, &self.bytes);
        if !self.times.is_empty() {
            self.times.write(out);
        }
    }

    /// The serialised form alone.
    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        let mut out = Vec::with_capacity(self.byte_len() + 1024);
        self.write(&mut out);
        out
    }

    /// Reads bytes that hold the serialised form and nothing else, and checks all of it.
    pub(crate) fn from_bytes(bytes: &[u8]) -> Result<Self, Malformed> {
        let mut reader = ByteReader::new(bytes);
        let page = Self::read(&mut reader)?;
        if reader.is_empty() {
            Ok(page)
        } else {
            Err(Malformed)
        }
    }

    /// Reads the serialised form and checks all of it.
    pub(crate) fn read(reader: &mut ByteReader<'_>) -> Result<Self, Malformed> {
        let mut page = Self::default();
        let has_times = Self::read_version(reader)?;
        let cells = reader.number()?;
        page.longest = reader.number()?;
        page.line_cells = reader.number()?;
        for _ in 0..reader.count()? {
            page.looks.push(Look(reader.wide()?));
        }
        for _ in 0..reader.count()? {
            let id = reader.text()?.into();
            let link = Link {
                id,
                uri: reader.text()?.into(),
            };
            page.link_bytes += link.id.len() + link.uri.len() + size_of::<Link>();
            page.links.push(link);
        }
        let mut end = 0u32;
        for _ in 0..reader.count()? {
            end = end.checked_add(reader.small()?).ok_or(Malformed)?;
            page.ends.push(end);
        }
        page.bytes = reader.bytes()?.to_vec();
        if page.bytes.len() != end as usize {
            return Err(Malformed);
        }
        if has_times {
            page.times = LineTimes::read(reader, page.lines())?;
        }
        page.cells = page.check()?;
        if page.cells != cells || page.line_cells > page.longest || page.longest > MAX_LONGEST {
            return Err(Malformed);
        }
        Ok(page)
    }

    /// Reads the version, and says whether times follow on the lines.
    pub(super) fn read_version(reader: &mut ByteReader<'_>) -> Result<bool, Malformed> {
        match reader.byte()? {
            VERSION_WITHOUT_TIMES => Ok(false),
            VERSION => Ok(true),
            _ => Err(Malformed),
        }
    }

    /// Reads every line, as a check. Returns the number of all cells.
    fn check(&self) -> Result<u64, Malformed> {
        let mut tables = Tables::default();
        let mut out = Line::default();
        let mut total = 0;
        for line in 0..self.lines() {
            let mut reader = ByteReader::new(self.line_bytes(line));
            let mut cells = 0;
            while !reader.is_empty() {
                out.cells.clear();
                self.read_segment(&mut reader, &mut tables, &mut out)?;
                cells += out.cells.len();
                if cells as u64 > self.longest || cells as u64 > MAX_LONGEST {
                    return Err(Malformed);
                }
            }
            total += cells as u64;
        }
        Ok(total)
    }
}

/// Whether a cell shows a single character.
#[inline]
fn is_text(cell: Cell) -> bool {
    cell.code() != 0
}

/// Encodes a character into a buffer with room for it, and returns its length. Written by hand, because the cells are
/// known to be valid, and every line of a flood passes here.
#[inline]
fn put_char(out: &mut [u8], code: u32) -> usize {
    let tail = |shift: u32| (code >> shift) as u8 & 0x3f | 0x80;
    match code {
        0..0x80 => {
            out[0] = code as u8;
            1
        }
        0x80..0x800 => {
            out[..2].copy_from_slice(&[(code >> 6) as u8 | 0xc0, tail(0)]);
            2
        }
        0x800..0x1_0000 => {
            out[..3].copy_from_slice(&[(code >> 12) as u8 | 0xe0, tail(6), tail(0)]);
            3
        }
        _ => {
            out[..4].copy_from_slice(&[(code >> 18) as u8 | 0xf0, tail(12), tail(6), tail(0)]);
            4
        }
    }
}

/// The number of ASCII cells in this look at the start. Tests eight at a time, because every line of a flood passes
/// here.
fn ascii_run(cells: &[Cell], look: u32) -> usize {
    let other = |cell: &Cell| cell.content.wrapping_sub(1) & !0x7f | (cell.look ^ look);
    let whole = cells
        .chunks_exact(8)
        .take_while(|chunk| chunk.iter().fold(0, |bits, cell| bits | other(cell)) == 0)
        .count()
        * 8;
    whole + count(&cells[whole..], |cell| other(cell) == 0)
}

fn count(cells: &[Cell], alike: impl Fn(&Cell) -> bool) -> usize {
    cells
        .iter()
        .position(|cell| !alike(cell))
        .unwrap_or(cells.len())
}
