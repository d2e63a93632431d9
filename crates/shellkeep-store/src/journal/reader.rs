//! Reads a journal, record by record. After a damaged record, it searches for the next good one.

use std::fs::File;
use std::io::{self, BufRead as _, BufReader, Read, Seek, SeekFrom};
use std::ops::Range;
use std::path::Path;

use shellkeep_files::Access;

use crate::disk::{self, read_full};
use crate::error::StoreError;
use crate::schema::header::FormatError;
use crate::schema::journal::{
    Begins, HEADER, MAX_FILE, MAX_PAYLOAD, RECORD, Record, RecordHeader, decode_header,
};

const BUFFER: usize = 128 << 10;

/// How far after damage a good record is searched for. Holes made by a disk are shorter.
const MAX_HOLE: u64 = 64 << 20;
/// The most bytes that are checked in that search: a program can print what looks like the start of a record at every
/// byte.
const MAX_CHECKED: usize = 256 << 20;

/// The next item of a journal.
pub(crate) enum Step<'a> {
    Record(Record<'a>),
    End,
    /// [`JournalReader::skip_damage`] may find a good record after it.
    Damage(FormatError),
}

/// A journal that is being read.
pub(crate) struct JournalReader<R = File> {
    source: BufReader<R>,
    modified_ms: u64,
    payload: Vec<u8>,
    /// The end of the last closed record.
    good_end: u64,
    open_length: Option<usize>,
    begins: Begins,
    /// What is wrong with the header.
    header: Option<FormatError>,
    done: bool,
}

impl JournalReader {
    /// Opens a journal and reads its header. The first step reports damage in the header.
    pub(crate) fn open(path: &Path) -> Result<Self, StoreError> {
        let gone = || StoreError::io("open", path)(io::ErrorKind::NotFound.into());
        let file = disk::open_as(path, Access::Read, MAX_FILE)?.ok_or_else(gone)?;
        let modified_ms = disk::modified_ms(&file).map_err(StoreError::io("look at", path))?;
        let mut reader = Self::new(file, modified_ms);
        match reader.read_header() {
            Err(error) => Err(StoreError::io("read", path)(error)),
            Ok(Some(why)) => Err(StoreError::format(path, why)),
            Ok(None) => Ok(reader),
        }
    }
}

impl<'a> JournalReader<&'a [u8]> {
    /// A journal in memory. The first step also reports that a later version wrote it.
    pub(crate) fn over(bytes: &'a [u8], modified_ms: u64) -> Self {
        let mut reader = Self::new(bytes, modified_ms);
        // Reading memory cannot fail.
        if let Ok(Some(newer)) = reader.read_header() {
            reader.header = Some(newer);
        }
        reader
    }

    /// Whether it has no records.
    pub(crate) fn is_empty(&mut self) -> bool {
        let rest = self.source.fill_buf().map_or(0, <[u8]>::len);
        self.done || (self.header.is_none() && rest == 0)
    }
}

#[cfg(any(test, feature = "hostile"))]
impl<'a> JournalReader<io::Cursor<&'a [u8]>> {
    /// As [`Self::over`], for a journal whose damage will be skipped.
    pub(crate) fn over_cursor(bytes: &'a [u8]) -> Self {
        let mut reader = Self::new(io::Cursor::new(bytes), 0);
        if let Ok(Some(newer)) = reader.read_header() {
            reader.header = Some(newer);
        }
        reader
    }
}

impl<R: Read> JournalReader<R> {
    fn new(source: R, modified_ms: u64) -> Self {
        Self {
            source: BufReader::with_capacity(BUFFER, source),
            modified_ms,
            payload: Vec::new(),
            good_end: 0,
            open_length: None,
            begins: Begins::After(0),
            header: None,
            done: false,
        }
    }

    /// Reads the header. Returns an error if a later version wrote it.
    fn read_header(&mut self) -> io::Result<Option<FormatError>> {
        let mut header = [0; HEADER];
        let count = read_full(&mut self.source, &mut header)?;
        match decode_header(&header[..count]) {
            // The server ended after it made the file and before it wrote the header.
            Err(_) if count == 0 => self.done = true,
            Err(why @ FormatError::Newer { .. }) => return Ok(Some(why)),
            Err(why) => self.header = Some(why),
            Ok(begins) => {
                self.begins = begins;
                self.good_end = HEADER as u64;
            }
        }
        Ok(None)
    }

    /// How it relates to the previous journal.
    pub(crate) fn begins(&self) -> Begins {
        self.begins
    }

    /// The end of the last closed, good record; 0 if the header is damaged.
    pub(crate) fn good_end(&self) -> u64 {
        self.good_end
    }

    /// The bytes of output after the good end that have no record header.
    pub(crate) fn open_length(&self) -> Option<usize> {
        self.open_length
    }

    pub(crate) fn step(&mut self) -> io::Result<Step<'_>> {
        if let Some(why) = self.header.take() {
            self.done = true;
            return Ok(Step::Damage(why));
        }
        if self.done {
            return Ok(Step::End);
        }
        let mut header = [0; RECORD];
        let count = read_full(&mut self.source, &mut header)?;
        if count == 0 {
            self.done = true;
            return Ok(Step::End);
        }
        if count < RECORD {
            return Ok(self.damage(FormatError::Short));
        }
        match RecordHeader::decode(&header) {
            Ok(Some(header)) => self.closed(header),
            Ok(None) => self.rest(),
            Err(why) => Ok(self.damage(why)),
        }
    }

    fn closed(&mut self, header: RecordHeader) -> io::Result<Step<'_>> {
        let length = header.length as usize;
        self.payload.resize(length, 0);
        if read_full(&mut self.source, &mut self.payload)? < length {
            return Ok(self.damage(FormatError::Short));
        }
        match header.read(&self.payload) {
            Ok(record) => {
                self.good_end += (RECORD + length) as u64;
                Ok(Step::Record(record))
            }
            Err(why) => {
                self.done = true;
                Ok(Step::Damage(why))
            }
        }
    }

    /// An open record: the rest of the file is output.
    fn rest(&mut self) -> io::Result<Step<'_>> {
        self.payload.resize(MAX_PAYLOAD + 1, 0);
        let length = read_full(&mut self.source, &mut self.payload)?;
        if length > MAX_PAYLOAD {
            return Ok(self.damage(FormatError::Value("record")));
        }
        self.done = true;
        self.open_length = Some(length);
        Ok(Step::Record(Record::Output {
            time: self.modified_ms,
            bytes: &self.payload[..length],
        }))
    }

    fn damage(&mut self, why: FormatError) -> Step<'static> {
        self.done = true;
        Step::Damage(why)
    }
}

impl<R: Read + Seek> JournalReader<R> {
    /// After damage, goes to the next good record. Returns the skipped range, or `None` if there is none.
    pub(crate) fn skip_damage(&mut self) -> io::Result<Option<Range<u64>>> {
        let start = self.good_end;
        self.source.seek(SeekFrom::Start(start))?;
        let mut rest = Vec::new();
        (&mut self.source).take(MAX_HOLE).read_to_end(&mut rest)?;
        let Some(length) = hole_before_record(&rest, start) else {
            return Ok(None);
        };
        self.good_end = start + length as u64;
        self.source.seek(SeekFrom::Start(self.good_end))?;
        self.done = false;
        Ok(Some(start..self.good_end))
    }
}

/// After how many bytes from `start`, where a record is damaged, the next good one begins.
fn hole_before_record(rest: &[u8], start: u64) -> Option<usize> {
    if start == 0 {
        // The header of the journal is damaged.
        return (record_at(rest, HEADER) == Some(true)).then_some(HEADER);
    }
    // The length in the record's header is right if another record begins there, or an open one.
    if let Some(Ok(Some(header))) = rest.first_chunk().map(RecordHeader::decode) {
        let next = RECORD + header.length as usize;
        let is_open = rest.get(next..).is_some_and(|rest| {
            rest.len() <= RECORD + MAX_PAYLOAD && rest.first_chunk() == Some(&[0; RECORD])
        });
        if is_open || record_at(rest, next) == Some(true) {
            return Some(next);
        }
    }
    let mut checked = 0;
    for at in RECORD..rest.len() {
        match record_at(rest, at) {
            Some(true) => return Some(at),
            Some(false) => checked += MAX_PAYLOAD,
            None => {}
        }
        if checked > MAX_CHECKED {
            break;
        }
    }
    None
}

/// Whether the record that seems to begin here is good; `None` if none can begin here.
fn record_at(bytes: &[u8], at: usize) -> Option<bool> {
    let (header, rest) = bytes.get(at..)?.split_first_chunk()?;
    let header = RecordHeader::decode(header).ok()??;
    let payload = rest.get(..header.length as usize)?;
    Some(header.read(payload).is_ok())
}
