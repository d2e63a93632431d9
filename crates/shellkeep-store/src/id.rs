//! Names of stored sessions and panes. They are made here and never by a user, so they are safe as file names.

use std::fmt;
use std::fs::File;
use std::hash::{BuildHasher, RandomState};
use std::io::Read;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Crockford's base 32 in ASCII order, so that names sort as the ids do.
const ALPHABET: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";
const LENGTH: usize = 16;
const RANDOM_BITS: u32 = 32;
const TIME_MASK: u64 = (1 << 48) - 1;

/// The name of a stored session or pane. Names sort by creation time, and are never used twice.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StoreId(u128);

impl StoreId {
    /// A new id made at `now_ms` (milliseconds since 1970).
    #[must_use]
    pub fn new(now_ms: u64) -> Self {
        Self::from_parts(now_ms, random())
    }

    pub(crate) fn from_parts(now_ms: u64, random: u32) -> Self {
        Self(u128::from(now_ms & TIME_MASK) << RANDOM_BITS | u128::from(random))
    }

    /// The id as a number, where making a name would take too long.
    #[must_use]
    pub fn bits(self) -> u128 {
        self.0
    }

    /// The id with this number; `None` if it is not one.
    #[must_use]
    pub fn from_bits(bits: u128) -> Option<Self> {
        (bits >> (5 * LENGTH) == 0).then_some(Self(bits))
    }

    /// When it was made, in milliseconds since 1970.
    #[must_use]
    pub fn made_ms(self) -> u64 {
        (self.0 >> RANDOM_BITS) as u64
    }
}

fn random() -> u32 {
    let mut bytes = [0; 4];
    let read = File::open("/dev/urandom").and_then(|mut file| file.read_exact(&mut bytes));
    match read {
        Ok(()) => u32::from_le_bytes(bytes),
        // In a chroot without devices, use the random keys of the standard hasher, which come from a system call.
        Err(_) => RandomState::new().hash_one(0u8) as u32,
    }
}

/// The value of each byte in a name; 32 for a byte that cannot be in one.
const DIGITS: [u8; 256] = {
    let mut digits = [32; 256];
    let mut at = 0;
    while at < ALPHABET.len() {
        digits[ALPHABET[at] as usize] = at as u8;
        at += 1;
    }
    digits
};

impl fmt::Display for StoreId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = [0u8; LENGTH];
        for (at, place) in text.iter_mut().enumerate() {
            let shift = 5 * (LENGTH - 1 - at);
            *place = ALPHABET[(self.0 >> shift) as usize & 31];
        }
        f.pad(std::str::from_utf8(&text).unwrap_or_default())
    }
}

impl fmt::Debug for StoreId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "StoreId({self})")
    }
}

/// The text is not the name of a stored session or pane.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not the id of a kept session or pane: {0:?}")]
pub struct BadStoreId(pub String);

impl FromStr for StoreId {
    type Err = BadStoreId;

    fn from_str(text: &str) -> Result<Self, BadStoreId> {
        let bad = || BadStoreId(text.chars().take(40).collect());
        if text.len() != LENGTH {
            return Err(bad());
        }
        text.bytes()
            .try_fold(0u128, |id, byte| {
                let digit = DIGITS[usize::from(byte)];
                (digit < 32).then_some(id << 5 | u128::from(digit))
            })
            .map(Self)
            .ok_or_else(bad)
    }
}

impl Serialize for StoreId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for StoreId {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn id_printed_and_parsed_is_the_same() {
        for (time, random) in [
            (0, 0),
            (1, u32::MAX),
            (TIME_MASK, 7),
            (1_790_000_000_000, 0x1234_5678),
        ] {
            let id = StoreId::from_parts(time, random);
            assert_eq!(id.to_string().len(), LENGTH);
            assert_eq!(id.to_string().parse(), Ok(id));
            assert_eq!(id.made_ms(), time);
            let json = serde_json::to_string(&id).unwrap();
            assert_eq!(serde_json::from_str::<StoreId>(&json).unwrap(), id);
        }
    }

    #[test]
    fn ids_sort_by_time_as_numbers_and_as_text() {
        let ids: Vec<_> = [0, 1, 31, 32, 1 << 20, 1 << 40, TIME_MASK]
            .map(|time| StoreId::from_parts(time, 5))
            .to_vec();
        assert!(ids.is_sorted());
        let texts: Vec<_> = ids.iter().map(ToString::to_string).collect();
        assert!(texts.is_sorted());
        assert_ne!(StoreId::new(1), StoreId::new(1));
    }

    #[test]
    fn id_from_anything_else_is_refused() {
        for text in [
            "",
            "0",
            "000000000000000I",
            "00000000000000/.",
            "0000000000000000 ",
            "000000000000000ü",
            "000000000000000u",
            "00000000000000ü",
        ] {
            assert!(text.parse::<StoreId>().is_err(), "{text:?}");
        }
    }
}
