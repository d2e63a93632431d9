//! The history's part of a dump. Since version 3, pages in the store are not listed: the dump only says where they
//! begin.

use crate::history::count::Counted;
use crate::history::page::Page;
use crate::history::store::{Seam, TakenPage};
use crate::history::{Body, History, Sealed, pack, unpack};
use crate::wire::{ByteReader, Malformed, put_bytes, put_number};

use super::put_bool;

/// Where the content of a page is.
const AWAY: u8 = 0;
const OPEN: u8 = 1;
const PACKED: u8 = 2;

pub(super) fn put(out: &mut Vec<u8>, history: &History) {
    put_bool(out, history.open);
    put_number(out, history.open_cells as u64);
    put_number(out, history.hot_first);
    put_number(out, history.next_page);
    put_number(out, history.hot.len() as u64);
    for page in &history.hot {
        page.write(out);
    }
    let (taken, here) = history.split_taken();
    put_bool(out, taken.is_some());
    if let Some(start) = taken {
        put_number(out, start.page);
        put_number(out, start.line);
    }
    put_number(out, here.len() as u64);
    for sealed in here {
        put_number(out, sealed.number);
        put_number(out, sealed.first_line);
        put_number(out, u64::from(sealed.lines));
        put_number(out, sealed.cells);
        put_number(out, sealed.longest);
        match &sealed.body {
            Body::Open(page) => {
                out.push(OPEN);
                put_bytes(out, &pack(page));
            }
            Body::Packed(data) => {
                out.push(PACKED);
                put_bytes(out, data);
            }
            Body::Away | Body::Lost => out.push(AWAY),
        }
    }
}

/// Reads the present format. `known` are pages in the store.
pub(super) fn read(
    reader: &mut ByteReader<'_>,
    history: &mut History,
    known: &[TakenPage],
) -> Result<(), Malformed> {
    read_hot(reader, history)?;
    let mut taken = None;
    if reader.flag()? {
        taken = Some(Seam {
            page: reader.number()?,
            line: reader.number()?,
        });
    }
    for _ in 0..reader.count()? {
        let sealed = read_sealed(reader, |_| Ok(false))?;
        history.sealed.push_back(sealed);
    }
    if let Some(start) = taken {
        history.adopt(start, known)?;
    }
    history.check()?;
    history.recount();
    Ok(())
}

/// Reads the format of versions 1 and 2, which list all pages.
pub(super) fn read_listed(
    reader: &mut ByteReader<'_>,
    history: &mut History,
) -> Result<(), Malformed> {
    read_hot(reader, history)?;
    for _ in 0..reader.count()? {
        let sealed = read_sealed(reader, ByteReader::flag)?;
        history.sealed.push_back(sealed);
    }
    history.check()?;
    history.recount();
    Ok(())
}

fn read_hot(reader: &mut ByteReader<'_>, history: &mut History) -> Result<(), Malformed> {
    history.open = reader.flag()?;
    history.open_cells = reader.small()?;
    history.hot_first = reader.number()?;
    history.next_page = reader.number()?;
    for _ in 0..reader.count()? {
        history.hot.push_back(Page::read(reader)?);
    }
    Ok(())
}

/// Reads a page. `taken` is whether it is in the store.
fn read_sealed<'a>(
    reader: &mut ByteReader<'a>,
    taken: impl FnOnce(&mut ByteReader<'a>) -> Result<bool, Malformed>,
) -> Result<Sealed, Malformed> {
    Ok(Sealed {
        number: reader.number()?,
        first_line: reader.number()?,
        lines: reader.small()?,
        cells: reader.number()?,
        longest: reader.number()?,
        taken: taken(reader)?,
        body: match reader.byte()? {
            AWAY => Body::Away,
            OPEN => Body::Open(frozen(unpack(reader.bytes()?)?)),
            PACKED => {
                let data = reader.bytes()?;
                unpack(data)?;
                Body::Packed(data.to_vec())
            }
            _ => return Err(Malformed),
        },
        counted: Counted::default(),
        rows: 0,
    })
}

fn frozen(mut page: Page) -> Box<Page> {
    page.freeze();
    Box::new(page)
}
