//! A page: some hundreds of logical lines as bytes, with its own small tables of looks and links, so that
//! it can leave the process and come back.
//!
//! A line is a sequence of segments. Each begins with a number: the look's place in the page's table
//! times eight, plus the kind. Segments need no closing, so that a line can be extended in place while
//! the program is still writing it.

use std::collections::HashMap;
use std::hash::BuildHasherDefault;

use crate::grid::cell::Cell;
use crate::grid::look::{FastHasher, Link, Look, Tables};
use crate::grid::reflow::Line;
use crate::wire::{Malformed, Reader, put_bytes, put_number, put_wide};

/// One byte a cell.
const ASCII: u8 = 0;
/// One narrow character a cell.
const NARROW: u8 = 1;
/// One wide character for two cells.
const WIDE: u8 = 2;
/// One cluster for one cell.
const CLUSTER: u8 = 3;
/// One cluster for two cells.
const WIDE_CLUSTER: u8 = 4;
/// Erased cells, by number.
const BLANKS: u8 = 5;
/// Erased cells to the margin.
const FILL: u8 = 6;
/// Prompt marks, in the place of a look.
const MARK: u8 = 7;

/// Version of the serialised form.
const VERSION: u8 = 1;

/// Lines of history, oldest first.
#[derive(Clone, Debug, Default)]
pub(crate) struct Page {
    bytes: Vec<u8>,
    /// Where each line ends in `bytes`.
    ends: Vec<u32>,
    looks: Vec<Look>,
    links: Vec<Link>,
    numbers: HashMap<Look, u32, BuildHasherDefault<FastHasher>>,
    /// The screen's look number and ours, of looks used last; valid in `epoch` of the screen's tables.
    recent: [(u32, u32); 8],
    epoch: u32,
    /// Cells of all lines: for estimates of rows at a width.
    pub(crate) cells: u64,
}

impl PartialEq for Page {
    fn eq(&self, other: &Self) -> bool {
        self.bytes == other.bytes
            && self.ends == other.ends
            && self.looks == other.looks
            && self.links == other.links
    }
}

impl Page {
    pub(crate) fn lines(&self) -> usize {
        self.ends.len()
    }

    pub(crate) fn byte_len(&self) -> usize {
        self.bytes.len()
    }

    /// Gives back spare room and the tables only writing needs.
    pub(crate) fn freeze(&mut self) {
        self.bytes.shrink_to_fit();
        self.ends.shrink_to_fit();
        self.looks.shrink_to_fit();
        self.numbers = HashMap::default();
    }

    /// Bytes on the heap.
    pub(crate) fn heap(&self) -> usize {
        let links: usize = self
            .links
            .iter()
            .map(|link| link.uri.len() + link.id.len() + 32)
            .sum();
        self.bytes.capacity()
            + self.ends.capacity() * 4
            + self.looks.capacity() * 16
            + self.numbers.capacity() * 40
            + links
    }

    /// Begins a line.
    pub(crate) fn begin(&mut self) {
        self.ends.push(self.bytes.len() as u32);
    }

    /// Appends cells to the last line.
    pub(crate) fn append(&mut self, cells: &[Cell], fill: u32, mark: u8, tables: &Tables) {
        if self.epoch != tables.epoch {
            self.epoch = tables.epoch;
            self.recent = Default::default();
        }
        if mark != 0 {
            put_number(&mut self.bytes, u64::from(mark) << 3 | u64::from(MARK));
        }
        self.cells += cells.len() as u64;
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

    /// Appends the cells at the start of `cells` that make one segment; returns how many.
    fn append_run(&mut self, first: Cell, cells: &[Cell], tables: &Tables) -> usize {
        let look = first.look;
        if first.is_empty() {
            let run = count(cells, |cell| cell.is_empty() && cell.look == look);
            self.head(look, BLANKS, tables);
            put_number(&mut self.bytes, run as u64);
            return run;
        }
        if first.content < 0x80 {
            let run = count(cells, |cell| {
                cell.content.wrapping_sub(1) < 0x7f && cell.look == look
            });
            self.head(look, ASCII, tables);
            put_number(&mut self.bytes, run as u64);
            self.bytes
                .extend(cells[..run].iter().map(|cell| cell.content as u8));
            return run;
        }
        if let Some(number) = first.cluster() {
            let kind = if first.is_wide() {
                WIDE_CLUSTER
            } else {
                CLUSTER
            };
            self.head(look, kind, tables);
            put_bytes(&mut self.bytes, tables.cluster(number).as_bytes());
            return usize::from(first.width()).max(1);
        }
        self.append_chars(first, cells, tables)
    }

    fn append_chars(&mut self, first: Cell, cells: &[Cell], tables: &Tables) -> usize {
        let look = first.look;
        let wide = first.is_wide();
        let step = if wide { 2 } else { 1 };
        let alike = |cell: &Cell| {
            cell.look == look
                && cell.is_wide() == wide
                && cell.content >= 0x80
                && cell.char().is_some()
        };
        let mut text = String::new();
        let mut at = 0;
        while let Some(cell) = cells.get(at).filter(|cell| alike(cell)) {
            text.extend(cell.char());
            at += step;
        }
        if at == 0 {
            // A right half without its left one: cannot be, but must not stop us.
            self.head(look, BLANKS, tables);
            put_number(&mut self.bytes, 1);
            return 1;
        }
        self.head(look, if wide { WIDE } else { NARROW }, tables);
        put_bytes(&mut self.bytes, text.as_bytes());
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

    /// Our number for one of the screen's looks.
    fn local(&mut self, look: u32, tables: &Tables) -> u32 {
        let slot = look as usize % self.recent.len();
        let (known, local) = self.recent[slot];
        if known == look {
            return local;
        }
        let value = tables.look(look);
        let link = tables
            .link(value.link())
            .map_or(0, |link| self.local_link(link));
        let local = self.intern(value.with_link(link));
        self.recent[slot] = (look, local);
        local
    }

    fn intern(&mut self, look: Look) -> u32 {
        if look == Look::default() {
            return 0;
        }
        if let Some(&number) = self.numbers.get(&look) {
            return number;
        }
        self.looks.push(look);
        let number = self.looks.len() as u32;
        self.numbers.insert(look, number);
        number
    }

    fn local_link(&mut self, link: &Link) -> u32 {
        let at = self.links.iter().rposition(|known| known == link);
        let at = at.unwrap_or_else(|| {
            self.links.push(link.clone());
            self.links.len() - 1
        });
        at as u32 + 1
    }

    fn line_bytes(&self, line: usize) -> &[u8] {
        let Some(&end) = self.ends.get(line) else {
            return &[];
        };
        let start = line.checked_sub(1).map_or(0, |before| self.ends[before]);
        self.bytes.get(start as usize..end as usize).unwrap_or(&[])
    }

    /// Reads a line into cells that point into `tables`.
    pub(crate) fn line(&self, line: usize, tables: &mut Tables) -> Line {
        let mut out = Line::default();
        let mut reader = Reader::new(self.line_bytes(line));
        while !reader.is_empty() {
            // Pages are checked when they come in, so this only ends early on a page of our own making.
            if self.read_segment(&mut reader, tables, &mut out).is_err() {
                break;
            }
        }
        out
    }

    fn read_segment(
        &self,
        reader: &mut Reader<'_>,
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
            NARROW => out
                .cells
                .extend(reader.text()?.chars().map(|c| Cell::narrow(c, look))),
            WIDE => {
                for c in reader.text()?.chars() {
                    out.cells.extend([Cell::wide(c, look), Cell::spacer(look)]);
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
            _ => out.fill = look,
        }
        Ok(())
    }

    /// The screen's number for one of our looks.
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

    /// Takes the newest line off.
    pub(crate) fn pop(&mut self, tables: &mut Tables) -> Option<Line> {
        let last = self.lines().checked_sub(1)?;
        let line = self.line(last, tables);
        self.ends.pop();
        self.bytes
            .truncate(self.ends.last().map_or(0, |&end| end as usize));
        self.cells = self.cells.saturating_sub(line.cells.len() as u64);
        Some(line)
    }

    /// The serialised form.
    pub(crate) fn write(&self, out: &mut Vec<u8>) {
        out.push(VERSION);
        put_number(out, self.cells);
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
    }

    /// Reads the serialised form and checks all of it.
    pub(crate) fn read(reader: &mut Reader<'_>) -> Result<Self, Malformed> {
        let mut page = Self::default();
        if reader.byte()? != VERSION {
            return Err(Malformed);
        }
        page.cells = reader.number()?;
        for _ in 0..reader.count()? {
            let look = Look(reader.wide()?);
            page.looks.push(look);
            page.numbers.insert(look, page.looks.len() as u32);
        }
        for _ in 0..reader.count()? {
            let id = reader.text()?.into();
            let uri = reader.text()?.into();
            page.links.push(Link { id, uri });
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
        page.check()?;
        Ok(page)
    }

    fn check(&self) -> Result<(), Malformed> {
        let mut tables = Tables::default();
        let mut out = Line::default();
        for line in 0..self.lines() {
            let mut reader = Reader::new(self.line_bytes(line));
            let mut cells = 0;
            while !reader.is_empty() {
                out.cells.clear();
                self.read_segment(&mut reader, &mut tables, &mut out)?;
                cells += out.cells.len();
                if cells > super::MAX_LINE_CELLS * 2 {
                    return Err(Malformed);
                }
            }
        }
        Ok(())
    }
}

fn count(cells: &[Cell], alike: impl Fn(&Cell) -> bool) -> usize {
    cells
        .iter()
        .position(|cell| !alike(cell))
        .unwrap_or(cells.len())
}
