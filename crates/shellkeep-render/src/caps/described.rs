//! Reads a compiled terminfo entry in the format of term(5): the standard capabilities, and then the extended ones,
//! which have names.

use super::{Caps, Colors, Features};

/// Numbers have two bytes.
const MAGIC: u16 = 0o432;
/// Numbers have four bytes.
const MAGIC_WIDE: u16 = 0o1036;
/// Indices of standard capabilities in their tables (term.h).
const COLORS: usize = 13;
const SITM: usize = 311;

/// Capabilities that describe sequences this crate sends, by the prefix that both must share. An entry with another
/// string describes a terminal that would not understand ours.
const STRINGS: &[(&[u8], &[u8], Features)] = &[
    (b"Setulc", b"\x1b[58:", Features::UNDERLINE_COLOR),
    (b"Smol", b"\x1b[53m", Features::OVERLINE),
    (b"Smulx", b"\x1b[4:", Features::STYLED_UNDERLINE),
    (b"sitm", b"\x1b[3m", Features::ITALIC),
    (b"smxx", b"\x1b[9m", Features::STRIKE),
];

impl Caps {
    /// Adds the capabilities of a compiled terminfo entry. A file that is not an entry changes nothing.
    pub fn add_terminfo(&mut self, entry: &[u8]) {
        let Some((standard, rest)) = Standard::read(entry) else {
            return;
        };
        // A damaged extended part does not affect what was read before it.
        let extended = Extended::read(rest, standard.is_wide).unwrap_or_default();
        // An entry must not turn a terminal that cannot be painted on into half of one.
        if !self.is_usable() {
            return;
        }
        self.colors = self.colors.max(Colors::from_count(standard.colors));
        let sitm = standard.sitm.map(|value| (&b"sitm"[..], value));
        for (name, value) in sitm.into_iter().chain(extended.strings) {
            let mut rows = STRINGS.iter();
            let row = rows.find(|row| row.0 == name && value.starts_with(row.1));
            self.features |= row.map_or(Features::empty(), |row| row.2);
        }
        for name in extended.names {
            match name {
                b"RGB" | b"Tc" => self.colors = Colors::True,
                b"Su" => self.features |= Features::STYLED_UNDERLINE | Features::UNDERLINE_COLOR,
                _ => {}
            }
        }
    }
}

struct Standard<'a> {
    is_wide: bool,
    colors: u32,
    sitm: Option<&'a [u8]>,
}

impl<'a> Standard<'a> {
    /// The standard part, and what follows it.
    fn read(entry: &'a [u8]) -> Option<(Self, Bytes<'a>)> {
        let mut bytes = Bytes { all: entry, at: 0 };
        let is_wide = match bytes.short()? {
            MAGIC => false,
            MAGIC_WIDE => true,
            _ => return None,
        };
        let [names, flags, numbers, strings, table] = bytes.counts()?;
        bytes.take(names + flags)?;
        bytes.align();
        let numbers = bytes.take(numbers * number_size(is_wide))?;
        let offsets = bytes.take(strings * 2)?;
        let table = bytes.take(table)?;
        let standard = Self {
            is_wide,
            colors: number(numbers, COLORS, is_wide),
            sitm: string(table, offset(offsets, SITM)),
        };
        Some((standard, bytes))
    }
}

#[derive(Default)]
struct Extended<'a> {
    /// The names of flags that are set, and of all numbers and strings: `RGB` may be any of the three.
    names: Vec<&'a [u8]>,
    strings: Vec<(&'a [u8], &'a [u8])>,
}

impl<'a> Extended<'a> {
    fn read(mut bytes: Bytes<'a>, is_wide: bool) -> Option<Self> {
        bytes.align();
        let [flag_count, number_count, string_count, _, table] = bytes.counts()?;
        let flags = bytes.take(flag_count)?;
        bytes.align();
        let numbers = bytes.take(number_count * number_size(is_wide))?;
        let value_offsets = bytes.take(string_count * 2)?;
        let name_offsets = bytes.take((flag_count + number_count + string_count) * 2)?;
        let table = bytes.take(table)?;

        let values: Vec<Option<&[u8]>> = (0..string_count)
            .map(|index| string(table, offset(value_offsets, index)))
            .collect();
        // Names follow the values, and their offsets count from there.
        let values_size: usize = values.iter().flatten().map(|value| value.len() + 1).sum();
        let name_table = table.get(values_size..)?;
        let name = |index| string(name_table, offset(name_offsets, index));

        let mut extended = Self::default();
        let set = (0..flag_count).filter(|index| flags[*index] == 1);
        extended.names.extend(set.filter_map(name));
        let present = (0..number_count).filter(|index| number(numbers, *index, is_wide) > 0);
        let present = present.filter_map(|index| name(flag_count + index));
        extended.names.extend(present);
        for (index, value) in values.into_iter().enumerate() {
            if let (Some(name), Some(value)) = (name(flag_count + number_count + index), value) {
                extended.names.push(name);
                extended.strings.push((name, value));
            }
        }
        Some(extended)
    }
}

/// The unread part of an entry. Positions count from its beginning, because tables are aligned to it.
struct Bytes<'a> {
    all: &'a [u8],
    at: usize,
}

impl<'a> Bytes<'a> {
    fn take(&mut self, count: usize) -> Option<&'a [u8]> {
        let taken = self.all.get(self.at..)?.get(..count)?;
        self.at += count;
        Some(taken)
    }

    fn short(&mut self) -> Option<u16> {
        let bytes = self.take(2)?;
        Some(u16::from_le_bytes([bytes[0], bytes[1]]))
    }

    /// The five sizes of a header, none of which is negative.
    fn counts(&mut self) -> Option<[usize; 5]> {
        let mut counts = [0; 5];
        for count in &mut counts {
            *count = usize::from(self.short().filter(|count| *count < 0x8000)?);
        }
        Some(counts)
    }

    fn align(&mut self) {
        self.at += self.at % 2;
    }
}

const fn number_size(is_wide: bool) -> usize {
    if is_wide { 4 } else { 2 }
}

/// A number of a table; 0 if it is absent, which terminfo stores as a negative one.
fn number(table: &[u8], index: usize, is_wide: bool) -> u32 {
    let number = if is_wide {
        let found = table.as_chunks::<4>().0.get(index);
        found.map_or(-1, |bytes| i32::from_le_bytes(*bytes))
    } else {
        let found = table.as_chunks::<2>().0.get(index);
        found.map_or(-1, |bytes| i32::from(i16::from_le_bytes(*bytes)))
    };
    u32::try_from(number).unwrap_or(0)
}

/// An offset into a table of strings; `None` if the string is absent or cancelled.
fn offset(offsets: &[u8], index: usize) -> Option<usize> {
    let bytes = offsets.as_chunks::<2>().0.get(index)?;
    usize::try_from(i16::from_le_bytes(*bytes)).ok()
}

/// The string at an offset, without its final NUL.
fn string(table: &[u8], offset: Option<usize>) -> Option<&[u8]> {
    let rest = table.get(offset?..)?;
    let end = rest.iter().position(|byte| *byte == 0)?;
    Some(&rest[..end])
}

#[cfg(test)]
mod tests {
    use super::super::Environment;
    use super::*;

    macro_rules! entry {
        ($name:literal) => {
            include_bytes!(concat!("../../tests/terminfo/s/", $name)).as_slice()
        };
    }

    const UNDERLINES: Features = Features::STYLED_UNDERLINE.union(Features::UNDERLINE_COLOR);
    const SEEN: Features = UNDERLINES
        .union(Features::STRIKE)
        .union(Features::OVERLINE)
        .union(Features::ITALIC);

    fn unknown() -> Caps {
        Caps::detect(&Environment {
            term: "sk",
            ..Environment::default()
        })
    }

    fn described(entry: &[u8]) -> (Colors, Features) {
        let mut caps = unknown();
        caps.add_terminfo(entry);
        (caps.colors, caps.features & SEEN)
    }

    #[test]
    fn entry_adds_only_described_features() {
        let none = Features::empty();
        assert_eq!(described(&[]), (Colors::Ansi8, none));
        for (name, entry, colors, features) in [
            ("styled", entry!("sk-styled"), Colors::Palette256, SEEN),
            (
                "curly",
                entry!("sk-curly"),
                Colors::Ansi16,
                Features::STYLED_UNDERLINE,
            ),
            ("other", entry!("sk-other"), Colors::Ansi8, none),
            ("direct", entry!("sk-direct"), Colors::True, UNDERLINES),
            ("tc", entry!("sk-tc"), Colors::True, none),
            ("bits", entry!("sk-bits"), Colors::True, none),
            ("standard", entry!("sk-standard"), Colors::Palette256, none),
        ] {
            assert_eq!(described(entry), (colors, features), "{name}");
        }
    }

    #[test]
    fn entry_takes_nothing_away() {
        let mut caps = Caps::detect(&Environment {
            term: "foot",
            ..Environment::default()
        });
        let before = caps;
        caps.add_terminfo(entry!("sk-other"));
        assert_eq!(caps, before);
    }

    #[test]
    fn terminal_that_cannot_be_painted_on_stays_so() {
        let mut caps = Caps::detect(&Environment {
            term: "dumb",
            ..Environment::default()
        });
        let before = caps;
        caps.add_terminfo(entry!("sk-styled"));
        assert_eq!(caps, before);
    }

    #[test]
    fn damaged_entry_is_read_without_a_panic() {
        for whole in [entry!("sk-styled"), entry!("sk-direct")] {
            for end in 0..whole.len() {
                described(&whole[..end]);
                for value in [0, 1, 0x7f, 0x80, 0xff] {
                    let mut damaged = whole.to_vec();
                    damaged[end] = value;
                    described(&damaged);
                }
            }
            let (cut, _) = whole.split_at(11);
            assert_eq!(described(cut), described(&[]), "a part of a header");
        }
    }
}
