//! The byte codec of dumps and history pages: variable-length numbers and length-prefixed bytes.

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Malformed;

pub(crate) fn put_number(out: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

pub(crate) fn put_wide(out: &mut Vec<u8>, number: u128) {
    put_number(out, number as u64);
    put_number(out, (number >> 64) as u64);
}

pub(crate) fn put_bytes(out: &mut Vec<u8>, bytes: &[u8]) {
    put_number(out, bytes.len() as u64);
    out.extend_from_slice(bytes);
}

/// Reads what the functions above wrote. It never reads past the end, and never allocates more than the input can hold.
#[derive(Clone, Debug)]
pub(crate) struct ByteReader<'a> {
    rest: &'a [u8],
}

impl<'a> ByteReader<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Self { rest: bytes }
    }

    pub(crate) fn rest(&self) -> &'a [u8] {
        self.rest
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.rest.is_empty()
    }

    pub(crate) fn byte(&mut self) -> Result<u8, Malformed> {
        let (&first, rest) = self.rest.split_first().ok_or(Malformed)?;
        self.rest = rest;
        Ok(first)
    }

    pub(crate) fn number(&mut self) -> Result<u64, Malformed> {
        let mut number = 0u64;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            let bits = u64::from(byte & 0x7f);
            if shift == 63 && bits > 1 {
                return Err(Malformed);
            }
            number |= bits << shift;
            if byte & 0x80 == 0 {
                return Ok(number);
            }
        }
        Err(Malformed)
    }

    pub(crate) fn wide(&mut self) -> Result<u128, Malformed> {
        let low = self.number()?;
        let high = self.number()?;
        Ok(u128::from(low) | u128::from(high) << 64)
    }

    pub(crate) fn small<T: TryFrom<u64>>(&mut self) -> Result<T, Malformed> {
        T::try_from(self.number()?).map_err(|_| Malformed)
    }

    pub(crate) fn flag(&mut self) -> Result<bool, Malformed> {
        match self.byte()? {
            0 => Ok(false),
            1 => Ok(true),
            _ => Err(Malformed),
        }
    }

    /// A number of items that take at least one byte each.
    pub(crate) fn count(&mut self) -> Result<usize, Malformed> {
        let count: usize = self.small()?;
        if count > self.rest.len() {
            return Err(Malformed);
        }
        Ok(count)
    }

    pub(crate) fn take(&mut self, len: usize) -> Result<&'a [u8], Malformed> {
        let (taken, rest) = self.rest.split_at_checked(len).ok_or(Malformed)?;
        self.rest = rest;
        Ok(taken)
    }

    pub(crate) fn bytes(&mut self) -> Result<&'a [u8], Malformed> {
        let len = self.count()?;
        self.take(len)
    }

    pub(crate) fn text(&mut self) -> Result<&'a str, Malformed> {
        std::str::from_utf8(self.bytes()?).map_err(|_| Malformed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_back() {
        for number in [
            0,
            1,
            127,
            128,
            16_383,
            16_384,
            u64::from(u32::MAX),
            u64::MAX,
        ] {
            let mut out = Vec::new();
            put_number(&mut out, number);
            assert_eq!(ByteReader::new(&out).number(), Ok(number));
        }
        let mut out = Vec::new();
        put_wide(&mut out, u128::MAX - 5);
        assert_eq!(ByteReader::new(&out).wide(), Ok(u128::MAX - 5));
    }

    #[test]
    fn lies_about_length_are_refused() {
        assert_eq!(ByteReader::new(b"\x05ab").bytes(), Err(Malformed));
        assert_eq!(ByteReader::new(&[0xff; 11]).number(), Err(Malformed));
        assert_eq!(ByteReader::new(b"\x02\xff\xff").text(), Err(Malformed));
        assert_eq!(ByteReader::new(b"").byte(), Err(Malformed));
        assert_eq!(ByteReader::new(b"\x02").flag(), Err(Malformed));
    }
}
