//! A small set of the trigrams (three consecutive bytes) of a text. It can report a trigram that the text does not
//! have, and never misses one that it has.
//!
//! It is a Bloom filter with one hash. The filter of ten thousand lines of a build log has some kilobytes. A pattern of
//! eight characters tests six trigrams, so the filter nearly always excludes a text without the pattern.

/// The size of the largest filter, as a power of two of bits.
const MAX_SIZE_LOG: u32 = 17;
/// The size of the smallest filter, as a power of two of bits.
const MIN_SIZE_LOG: u32 = 9;

/// A filter is halved while at most this many of a thousand bits would be set afterwards.
const FULL: usize = 300;

/// The set of trigrams of one text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Filter {
    bits: Vec<u8>,
}

#[derive(Clone, Debug)]
pub struct FilterBuilder {
    bits: Vec<u64>,
    folded: Vec<u8>,
}

impl Default for FilterBuilder {
    fn default() -> Self {
        Self {
            bits: vec![0; 1 << (MAX_SIZE_LOG - 6)],
            folded: Vec::new(),
        }
    }
}

impl FilterBuilder {
    pub fn add(&mut self, text: &[u8]) {
        self.folded.clear();
        fold(text, &mut self.folded);
        for gram in self.folded.windows(3) {
            let bit = hash([gram[0], gram[1], gram[2]]);
            self.bits[bit as usize >> 6] |= 1 << (bit & 63);
        }
    }

    /// Returns the filter of all texts added so far, and starts a new one.
    pub fn finish(&mut self) -> Filter {
        let mut bits = std::mem::replace(&mut self.bits, vec![0; 1 << (MAX_SIZE_LOG - 6)]);
        while bits.len() > 1 << (MIN_SIZE_LOG - 6) {
            let (low, high) = bits.split_at(bits.len() / 2);
            let half: Vec<u64> = low.iter().zip(high).map(|(low, high)| low | high).collect();
            let set: usize = half.iter().map(|word| word.count_ones() as usize).sum();
            if set * 1000 > half.len() * 64 * FULL {
                break;
            }
            bits = half;
        }
        let bits = bits.iter().flat_map(|word| word.to_le_bytes()).collect();
        Filter { bits }
    }
}

impl Filter {
    #[must_use]
    pub fn of(text: &[u8]) -> Self {
        let mut builder = FilterBuilder::default();
        builder.add(text);
        builder.finish()
    }

    /// The filter's bytes, to be stored.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        &self.bits
    }

    /// A stored filter; `None` if these cannot be the bytes of one.
    #[must_use]
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let fits = (1 << (MIN_SIZE_LOG - 3)..=1 << (MAX_SIZE_LOG - 3)).contains(&bytes.len());
        (fits && bytes.len().is_power_of_two()).then(|| Self {
            bits: bytes.to_vec(),
        })
    }

    /// Whether the text of this filter may contain all of these trigrams.
    pub(crate) fn may_hold(&self, grams: &[u32]) -> bool {
        let mask = (self.bits.len() * 8 - 1) as u32;
        grams.iter().all(|gram| {
            let bit = gram & mask;
            self.bits[bit as usize >> 3] >> (bit & 7) & 1 != 0
        })
    }
}

/// The bit of a trigram in the largest filter. Smaller filters use the low bits of it.
pub(crate) fn hash(gram: [u8; 3]) -> u32 {
    let number = u32::from_le_bytes([gram[0], gram[1], gram[2], 0]);
    number.wrapping_mul(0x9e37_79b1) >> (32 - MAX_SIZE_LOG)
}

/// Appends a text in lower case: ASCII letters, and the two other characters that a pattern of ASCII letters matches
/// when case is ignored.
pub(crate) fn fold(text: &[u8], out: &mut Vec<u8>) {
    let start = out.len();
    out.extend_from_slice(text);
    out[start..].make_ascii_lowercase();
    if !text.is_ascii() {
        let folded = fold_others(&out[start..]);
        out.truncate(start);
        out.extend_from_slice(&folded);
    }
}

/// Replaces the Kelvin sign by k, and the long s by s.
fn fold_others(text: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some((&first, after)) = rest.split_first() {
        rest = if let Some(after) = rest.strip_prefix("\u{212a}".as_bytes()) {
            out.push(b'k');
            after
        } else if let Some(after) = rest.strip_prefix("\u{17f}".as_bytes()) {
            out.push(b's');
            after
        } else {
            out.push(first);
            after
        };
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn filter_comes_back_from_its_bytes_and_junk_does_not() {
        let filter = Filter::of(b"some text");
        assert_eq!(Filter::from_bytes(filter.as_bytes()), Some(filter.clone()));
        assert_eq!(filter.as_bytes().len(), 64);
        for length in [0, 1, 63, 65, 100, 1 << 20] {
            assert_eq!(Filter::from_bytes(&vec![0; length]), None, "{length}");
        }
    }

    #[test]
    fn filter_grows_with_its_content_up_to_the_limit() {
        let lines: String = (0..100_000_u32)
            .map(|n| format!("{:x} ", n.wrapping_mul(2_654_435_761)))
            .collect();
        let (small, large) = (
            Filter::of(&lines.as_bytes()[..2000]),
            Filter::of(lines.as_bytes()),
        );
        assert!(small.as_bytes().len() < large.as_bytes().len());
        assert!(large.as_bytes().len() <= 1 << (MAX_SIZE_LOG - 3));
    }

    #[test]
    fn builder_begins_anew() {
        let mut builder = FilterBuilder::default();
        builder.add(b"first");
        builder.finish();
        builder.add(b"second");
        assert_eq!(builder.finish(), Filter::of(b"second"));
    }

    #[test]
    fn folding_leaves_other_characters_alone() {
        let mut out = b"x".to_vec();
        fold("ABC É \u{212a}\u{17f}".as_bytes(), &mut out);
        assert_eq!(out, "xabc É ks".as_bytes());
    }
}
