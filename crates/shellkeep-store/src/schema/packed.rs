//! Compressed bytes.

use std::io::{self, Read};

use super::header::FormatError;

/// A flood is compressed at the same time as it is printed, on as many CPUs, so use the fastest of the real levels: the
/// files are a few per cent larger, and it takes half of the time.
pub(crate) const LEVEL: i32 = 1;

/// Compresses several texts that are similar to a base.
pub(crate) struct Packer(zstd::bulk::Compressor<'static>);

impl Packer {
    pub(crate) fn new(like: &[u8]) -> io::Result<Self> {
        let mut packer = zstd::bulk::Compressor::with_dictionary(LEVEL, like)?;
        // Adds a checksum of the plain bytes: with the wrong base, decompressing would give wrong bytes.
        packer.include_checksum(true)?;
        Ok(Self(packer))
    }

    pub(crate) fn pack(&mut self, plain: &[u8]) -> io::Result<Vec<u8>> {
        self.0.compress(plain)
    }
}

/// Compresses a text on its own.
pub(crate) fn pack(plain: &[u8]) -> io::Result<Vec<u8>> {
    Packer::new(b"")?.pack(plain)
}

/// The most memory that is allocated because a file claims to need it.
const TRUSTED: usize = 1 << 20;

/// Decompresses to exactly `size` bytes. `like` is the base that was used for compression.
pub(crate) fn unpack(packed: &[u8], size: usize, like: &[u8]) -> Result<Vec<u8>, FormatError> {
    let plain = match size <= TRUSTED {
        true => zstd::bulk::Decompressor::with_dictionary(like)
            .and_then(|mut unpacker| unpacker.decompress(packed, size)),
        false => unpack_large(packed, size, like),
    };
    match plain {
        Ok(plain) if plain.len() == size => Ok(plain),
        Ok(_) => Err(FormatError::Value("length")),
        Err(_) => Err(FormatError::Check),
    }
}

/// Grows with the data that arrives instead of the size that the file claims. Reads one byte more, to detect a wrong
/// claim.
fn unpack_large(packed: &[u8], size: usize, like: &[u8]) -> io::Result<Vec<u8>> {
    let decoder = zstd::stream::read::Decoder::with_dictionary(packed, like)?;
    let mut plain = Vec::new();
    let limit = (size as u64).saturating_add(1);
    decoder.single_frame().take(limit).read_to_end(&mut plain)?;
    Ok(plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packed_bytes_come_back_and_a_lying_length_is_refused() {
        for plain in [
            &b""[..],
            b"x",
            &[7; 100_000],
            &[7; TRUSTED],
            &[7; TRUSTED + 2],
        ] {
            for like in [&b""[..], b"something alike"] {
                let packed = Packer::new(like).unwrap().pack(plain).unwrap();
                assert_eq!(unpack(&packed, plain.len(), like).unwrap(), plain);
                assert!(unpack(&packed, plain.len() + 1, like).is_err());
                assert!(unpack(&packed, usize::MAX, like).is_err());
                if let Some(less) = plain.len().checked_sub(1) {
                    assert!(unpack(&packed, less, like).is_err());
                }
            }
        }
    }

    #[test]
    fn bytes_that_are_not_packed_are_refused() {
        assert!(unpack(b"", 1, b"").is_err());
        assert!(unpack(b"not compressed at all", 5, b"").is_err());
    }
}
