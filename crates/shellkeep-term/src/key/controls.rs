//! The 8-bit forms of controls (S8C1T).

const ESC: u8 = 0x1b;

/// Replaces controls by their 8-bit forms, from `start` on: `ESC [` becomes 0x9b and so on.
pub(crate) fn use_eight_bit_controls(bytes: &mut Vec<u8>, start: usize) {
    let mut kept = start;
    let mut at = start;
    while let Some(&byte) = bytes.get(at) {
        let next = bytes.get(at + 1).copied();
        (bytes[kept], at) = match (byte, next) {
            (ESC, Some(last @ 0x40..=0x5f)) => (last + 0x40, at + 2),
            _ => (byte, at + 1),
        };
        kept += 1;
    }
    bytes.truncate(kept);
}
