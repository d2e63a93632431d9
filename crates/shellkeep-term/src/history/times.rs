//! The times at which lines were printed, in seconds since 1970; 0 if unknown.
//!
//! Output comes in bursts, so only the lines at which the time changes are stored: in a flood, one a second.

use crate::wire::{ByteReader, Malformed, put_number};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Change {
    line: u32,
    time: u32,
}

/// The times of lines, which are counted from 0. A line without a change has the time of the line before it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct LineTimes {
    /// By line. Adjacent changes have different times, and the first is not 0.
    changes: Vec<Change>,
}

impl LineTimes {
    pub(crate) fn is_empty(&self) -> bool {
        self.changes.is_empty()
    }

    /// The time of the newest line.
    #[inline]
    pub(crate) fn last(&self) -> u32 {
        self.changes.last().map_or(0, |change| change.time)
    }

    pub(crate) fn get(&self, line: usize) -> u32 {
        let after = self
            .changes
            .partition_point(|change| change.line as usize <= line);
        match after.checked_sub(1) {
            Some(at) => self.changes[at].time,
            None => 0,
        }
    }

    /// Sets the time of the newest line, which has this number.
    #[inline]
    pub(crate) fn set_newest(&mut self, line: usize, time: u32) {
        if self.last() != time {
            self.change(line as u32, time);
        }
    }

    fn change(&mut self, line: u32, time: u32) {
        if self.changes.last().is_some_and(|last| last.line >= line) {
            self.changes.pop();
        }
        if self.last() != time {
            self.changes.push(Change { line, time });
        }
    }

    /// Appends the times of lines that follow `lines` others.
    pub(crate) fn append(&mut self, lines: usize, more: &Self) {
        self.set_newest(lines, more.get(0));
        for change in &more.changes {
            self.set_newest(lines + change.line as usize, change.time);
        }
    }

    /// Keeps only the first lines.
    pub(crate) fn truncate(&mut self, lines: usize) {
        while self
            .changes
            .last()
            .is_some_and(|change| change.line as usize >= lines)
        {
            self.changes.pop();
        }
    }

    pub(crate) fn clear(&mut self) {
        self.changes.clear();
    }

    pub(crate) fn shrink_to_fit(&mut self) {
        self.changes.shrink_to_fit();
    }

    pub(crate) fn heap(&self) -> usize {
        self.changes.capacity() * size_of::<Change>()
    }

    pub(crate) fn write(&self, out: &mut Vec<u8>) {
        put_number(out, self.changes.len() as u64);
        let mut before = Change { line: 0, time: 0 };
        for change in &self.changes {
            put_number(out, u64::from(change.line - before.line));
            let delta = i64::from(change.time) - i64::from(before.time);
            put_number(out, zigzag(delta));
            before = *change;
        }
    }

    /// Reads the times of so many lines.
    pub(crate) fn read(reader: &mut ByteReader<'_>, lines: usize) -> Result<Self, Malformed> {
        let mut times = Self::default();
        let mut before = Change { line: 0, time: 0 };
        for number in 0..reader.count()? {
            let step: u32 = reader.small()?;
            let line = before.line.checked_add(step).ok_or(Malformed)?;
            let delta = unzigzag(reader.number()?);
            let time = i64::from(before.time).checked_add(delta).ok_or(Malformed)?;
            let time = u32::try_from(time).map_err(|_| Malformed)?;
            let is_later = number == 0 || step > 0;
            if !is_later || time == before.time || line as usize >= lines {
                return Err(Malformed);
            }
            before = Change { line, time };
            times.changes.push(before);
        }
        Ok(times)
    }
}

/// Maps small numbers of either sign to small numbers.
fn zigzag(number: i64) -> u64 {
    (number << 1 ^ number >> 63) as u64
}

fn unzigzag(number: u64) -> i64 {
    (number >> 1) as i64 ^ -((number & 1) as i64)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn times(of: &[u32]) -> LineTimes {
        let mut times = LineTimes::default();
        for (line, &time) in of.iter().enumerate() {
            times.set_newest(line, time);
        }
        times
    }

    fn all(times: &LineTimes, lines: usize) -> Vec<u32> {
        (0..lines).map(|line| times.get(line)).collect()
    }

    const SOME: [u32; 9] = [0, 7, 7, 5, 0, 0, u32::MAX, 1, 1];

    #[test]
    fn every_line_has_the_time_it_was_given() {
        let mut of = times(&SOME);
        assert_eq!(all(&of, SOME.len()), SOME);
        assert_eq!(of.last(), 1);
        of.set_newest(8, 2);
        of.set_newest(8, 3);
        assert_eq!((of.get(7), of.get(8)), (1, 3));
        of.set_newest(8, 1);
        assert_eq!(of, times(&SOME));
        assert_eq!(all(&LineTimes::default(), 2), [0, 0]);
    }

    #[test]
    fn fewer_lines_are_as_if_there_had_been_no_more() {
        for lines in (0..=SOME.len()).rev() {
            let mut of = times(&SOME);
            of.truncate(lines);
            assert_eq!(of, times(&SOME[..lines]));
        }
    }

    #[test]
    fn appended_lines_keep_their_times() {
        for cut in 0..SOME.len() {
            let mut of = times(&SOME[..cut]);
            of.append(cut, &times(&SOME[cut..]));
            assert_eq!(of, times(&SOME), "{cut}");
        }
    }

    #[test]
    fn times_come_back() {
        let mut bytes = Vec::new();
        times(&SOME).write(&mut bytes);
        let mut reader = ByteReader::new(&bytes);
        assert_eq!(LineTimes::read(&mut reader, 9), Ok(times(&SOME)));
        assert!(reader.is_empty());
        let mut reader = ByteReader::new(&bytes);
        assert_eq!(LineTimes::read(&mut reader, 7), Err(Malformed), "too few");
    }

    #[test]
    fn numbers_of_either_sign_come_back() {
        for number in [0, 1, -1, 63, -64, i64::MAX, i64::MIN] {
            assert_eq!(unzigzag(zigzag(number)), number);
        }
        assert_eq!(zigzag(-1), 1);
    }

    #[test]
    fn what_no_lines_have_is_refused() {
        for bytes in [
            &b"\x01\x00\x00"[..],
            b"\x01\x00\x01",
            b"\x02\x00\x02\x00\x02",
            b"\x02\x00\x02\x01\x00",
            b"\x01\x05\x02",
            b"\x09\x00\x02",
        ] {
            let read = LineTimes::read(&mut ByteReader::new(bytes), 5);
            assert_eq!(read, Err(Malformed), "{bytes:?}");
        }
    }
}
