//! Reading a journal, record by record. Behind a damaged one, the next good one is looked for.

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

/// How far behind damage a good record is looked for. No hole that a disk makes is longer.
const MAX_HOLE: u64 = 64 << 20;
/// How many bytes are checked for that: a program can print what looks like the beginning of a record at every byte.
const MAX_CHECKED: usize = 256 << 20;

/// What came next in a journal.
pub(crate) enum Step<'a> {
    Record(Record<'a>),
    End,
    /// [`JournalReader::skip_damage`] may find a good record behind it.
    Damage(FormatError),
}

/// A journal being read.
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
    /// Opens a journal and reads its header. Damage in it is told by the first step.
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
    /// A journal that is in memory. That a later version wrote it is told by the first step, too.
    pub(crate) fn over(bytes: &'a [u8], modified_ms: u64) -> Self {
        let mut reader = Self::new(bytes, modified_ms);
        // Nothing can go wrong with reading what is in memory.
        if let Ok(Some(newer)) = reader.read_header() {
            reader.header = Some(newer);
        }
        reader
    }

    /// Whether there is nothing in it.
    pub(crate) fn is_empty(&mut self) -> bool {
        let rest = self.source.fill_buf().map_or(0, <[u8]>::len);
        self.done || (self.header.is_none() && rest == 0)
    }
}

#[cfg(any(test, feature = "hostile"))]
impl<'a> JournalReader<io::Cursor<&'a [u8]>> {
    /// The same for one whose damage is to be skipped.
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

    /// Reads the header; what it says if a later version wrote it.
    fn read_header(&mut self) -> io::Result<Option<FormatError>> {
        let mut header = [0; HEADER];
        let count = read_full(&mut self.source, &mut header)?;
        match decode_header(&header[..count]) {
            // Made, and the server ended before it wrote the header.
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

    /// How it stands to the journal before it.
    pub(crate) fn begins(&self) -> Begins {
        self.begins
    }

    /// The end of the last record that is closed and good; 0 if not even the header is.
    pub(crate) fn good_end(&self) -> u64 {
        self.good_end
    }

    /// The bytes of output after the good end whose header was never written.
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

    /// An open record: all that is left is output.
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
    /// After damage, goes on with the next good record; what is skipped, or nothing if there is none.
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

/// How many bytes after `start`, where a record is damaged, the next good one begins.
fn hole_before_record(rest: &[u8], start: u64) -> Option<usize> {
    if start == 0 {
        // It is what a journal begins with that is damaged.
        return (record_at(rest, HEADER) == Some(true)).then_some(HEADER);
    }
    // What the header says of its length is good if another record begins there, or one that is open.
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

/// Whether the record that seems to begin at a place is good; nothing if none can begin there.
fn record_at(bytes: &[u8], at: usize) -> Option<bool> {
    let (header, rest) = bytes.get(at..)?.split_first_chunk()?;
    let header = RecordHeader::decode(header).ok()??;
    let payload = rest.get(..header.length as usize)?;
    Some(header.read(payload).is_ok())
}
