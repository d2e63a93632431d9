//! Sealed pages of a pane's history: `history`.
//!
//! Pages are appended. Those beyond a history limit are cut off in front, in units of 4 KiB; the flags of the header
//! say how many units are gone (version 2; a file of version 1 was never cut), and places in the file are counted as if
//! they were still there.
//!
//! After the header come pages: the word `page`, packed length, plain length, lines (`u32` each), number, first line,
//! cells, longest line, place of the base (`u64` each), check of the payload, check of all that (`u32`); then the
//! payload. A page without lines stands for pages that are gone. The *base* is an earlier page whose plain bytes the
//! packer was shown first, since the pages of one build log are much alike (it saves a sixth); 0 is none. A base has
//! none itself, so reading a page means reading two at most.

use std::io;
use std::sync::Arc;

use super::header::{Fields, FormatError, checksum, put_header, split_header};
use super::packed::{self, Packer};

const MAGIC: [u8; 4] = *b"SKHI";
const VERSION: u32 = 2;
/// The version of a file that was never cut, which earlier programs can read.
const UNCUT_VERSION: u32 = 1;
/// Pages are cut off in multiples of this.
pub(crate) const UNIT: u64 = 4096;
/// The word before each page, which the search for the next page after damage looks for.
pub(crate) const WORD: [u8; 4] = *b"page";

/// The length of a page's header.
pub(crate) const RECORD: usize = 64;
/// The largest page.
pub(crate) const MAX_PLAIN: usize = 64 << 20;
pub(crate) const MAX_PACKED: usize = MAX_PLAIN + (MAX_PLAIN >> 7) + 1024;
/// A larger page is not used as a base: unpacking it for every page that uses it would cost more than it saves.
pub(crate) const MAX_BASE: usize = 256 << 10;

/// A sealed page of history.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Page {
    /// Its number. A page of the same number replaces an earlier one.
    pub number: u64,
    /// The number of its first line.
    pub first_line: u64,
    /// The number of its lines.
    pub lines: u32,
    /// The number of their cells.
    pub cells: u64,
    /// The cells of its longest line.
    pub longest: u64,
    /// Its content, not compressed.
    pub data: Vec<u8>,
}

/// What is known of a page without reading it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PageEntry {
    /// Its number.
    pub number: u64,
    /// The number of its first line.
    pub first_line: u64,
    /// The number of its lines.
    pub lines: u32,
    /// The number of their cells.
    pub cells: u64,
    /// The cells of its longest line.
    pub longest: u64,
    /// The length of its content, not compressed.
    pub size: u32,
}

/// The header of a page in the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PageHeader {
    pub(crate) entry: PageEntry,
    pub(crate) packed: u32,
    /// The position of the base in the file; 0 for none.
    pub(crate) base: u64,
    pub(crate) check: u32,
}

/// The header of a file of which so many units were cut off.
pub(crate) fn encode_header(units: u32) -> Vec<u8> {
    let mut out = Vec::new();
    let version = match units {
        0 => UNCUT_VERSION,
        _ => VERSION,
    };
    put_header(&mut out, MAGIC, version, units);
    out
}

/// How many units were cut off, according to the header.
pub(crate) fn decode_header(bytes: &[u8]) -> Result<u32, FormatError> {
    let (units, _) = split_header(bytes, MAGIC, VERSION)?;
    let is_uncut = bytes.get(4..8) == Some(&UNCUT_VERSION.to_le_bytes());
    match units {
        1.. if is_uncut => Err(FormatError::Value("flag")),
        units => Ok(units),
    }
}

/// A compressed page.
#[derive(Debug)]
pub struct PackedPage {
    header: PageHeader,
    payload: Vec<u8>,
}

impl PackedPage {
    /// Compresses a page. `packer` has been given the page at `base`.
    pub(crate) fn new(page: &Page, packer: &mut Packer, base: u64) -> io::Result<Self> {
        if page.data.len() > MAX_PLAIN {
            return Err(io::ErrorKind::FileTooLarge.into());
        }
        let payload = packer.pack(&page.data)?;
        let header = PageHeader {
            entry: PageEntry {
                number: page.number,
                first_line: page.first_line,
                lines: page.lines,
                cells: page.cells,
                longest: page.longest,
                size: page.data.len() as u32,
            },
            packed: payload.len() as u32,
            base,
            check: checksum(&[&payload]),
        };
        Ok(Self { header, payload })
    }

    /// Appends it to `out`, and returns its header.
    pub(crate) fn write(&self, out: &mut Vec<u8>) -> PageHeader {
        out.extend_from_slice(&self.header.encode());
        out.extend_from_slice(&self.payload);
        self.header
    }
}

/// Compresses pages, each on its own, before they are appended.
pub struct PagePacker(Packer);

impl PagePacker {
    /// A new packer.
    ///
    /// # Errors
    /// When there is no memory for it.
    pub fn new() -> io::Result<Self> {
        Packer::new(b"").map(Self)
    }

    /// Compresses a page.
    ///
    /// # Errors
    /// When it is too large.
    pub fn pack(&mut self, page: &Page) -> io::Result<PackedPage> {
        PackedPage::new(page, &mut self.0, 0)
    }
}

/// A page to be appended.
#[derive(Debug)]
pub enum NewPage {
    /// It is compressed while it is appended.
    Plain(Page),
    /// It was compressed before by another thread.
    Packed(Arc<PackedPage>),
}

impl From<Page> for NewPage {
    fn from(page: Page) -> Self {
        Self::Plain(page)
    }
}

impl PageHeader {
    /// The record for pages that were cut off, `packed` bytes long, in a file of which so many units were cut off.
    pub(crate) fn released(packed: usize, units: u32) -> Self {
        Self {
            entry: PageEntry {
                number: units.into(),
                first_line: 0,
                lines: 0,
                cells: 0,
                longest: 0,
                size: 0,
            },
            packed: packed as u32,
            base: 0,
            check: 0,
        }
    }

    /// The end of the page, if it begins at this position.
    pub(crate) fn end(&self, place: u64) -> u64 {
        place
            .saturating_add(RECORD as u64)
            .saturating_add(self.packed.into())
    }

    pub(crate) fn is_released(&self) -> bool {
        self.entry.lines == 0
    }

    /// How many units were cut off, if it is the record for pages that were cut off.
    pub(crate) fn units_before(&self) -> u32 {
        match self.is_released() {
            true => u32::try_from(self.entry.number).unwrap_or(0),
            false => 0,
        }
    }

    pub(crate) fn encode(&self) -> Vec<u8> {
        let entry = &self.entry;
        let mut out = Vec::with_capacity(RECORD);
        out.extend_from_slice(&WORD);
        for number in [self.packed, entry.size, entry.lines] {
            out.extend_from_slice(&number.to_le_bytes());
        }
        let numbers = [
            entry.number,
            entry.first_line,
            entry.cells,
            entry.longest,
            self.base,
        ];
        for number in numbers {
            out.extend_from_slice(&number.to_le_bytes());
        }
        out.extend_from_slice(&self.check.to_le_bytes());
        let check = checksum(&[&out]);
        out.extend_from_slice(&check.to_le_bytes());
        out
    }

    pub(crate) fn decode(bytes: &[u8]) -> Result<Self, FormatError> {
        let mut fields = Fields(bytes);
        let word = fields.take(4)?;
        let packed = fields.u32()?;
        let size = fields.u32()?;
        let lines = fields.u32()?;
        let entry = PageEntry {
            number: fields.u64()?,
            first_line: fields.u64()?,
            cells: fields.u64()?,
            longest: fields.u64()?,
            lines,
            size,
        };
        let base = fields.u64()?;
        let check = fields.u32()?;
        if fields.u32()? != checksum(&[&bytes[..RECORD - 4]]) {
            return Err(FormatError::Check);
        }
        if word != WORD {
            return Err(FormatError::Kind);
        }
        if size as usize > MAX_PLAIN || packed as usize > MAX_PACKED {
            return Err(FormatError::TooLong);
        }
        Ok(Self {
            entry,
            packed,
            base,
            check,
        })
    }

    /// Checks a payload and decompresses it. `base` has the plain bytes of the base, if there is one.
    pub(crate) fn read(&self, payload: &[u8], base: &[u8]) -> Result<Vec<u8>, FormatError> {
        if checksum(&[payload]) != self.check {
            return Err(FormatError::Check);
        }
        packed::unpack(payload, self.entry.size as usize, base)
    }
}
