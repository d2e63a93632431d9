//! The tables that cells refer to by number: looks, clusters and links.
//!
//! A look is a style, a link and the protected bit, packed into one number. Each different look is stored once. Tables
//! grow between collections. A collection runs when a table has doubled since the last one, so that its cost is
//! proportional to what was added.

use std::collections::HashMap;

use shellkeep_core::{Attrs, Color, Style, Underline};

/// A style, a link and the protected bit, packed so that equal looks are equal numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Look(pub(crate) u128);

const BG: u32 = 26;
const UNDERLINE_COLOR: u32 = 52;
const UNDERLINE: u32 = 78;
const ATTRS: u32 = 81;
const PROTECTED: u32 = 89;
const LINK: u32 = 90;
/// The largest link number a look can hold.
pub(crate) const MAX_LINK: u32 = (1 << 24) - 1;

const fn pack_color(color: Color) -> u128 {
    match color {
        Color::Default => 0,
        Color::Palette(index) => 1 << 24 | index as u128,
        Color::Rgb(r, g, b) => 2 << 24 | (r as u128) << 16 | (g as u128) << 8 | b as u128,
    }
}

fn unpack_color(bits: u128) -> Color {
    let [blue, green, red, tag, ..] = bits.to_le_bytes();
    match tag & 3 {
        1 => Color::Palette(blue),
        2 => Color::Rgb(red, green, blue),
        _ => Color::Default,
    }
}

impl Look {
    /// Packs a style, a link (0 for none) and the protected bit.
    #[inline]
    pub(crate) fn new(style: &Style, link: u32, protected: bool) -> Self {
        Self(
            pack_color(style.fg)
                | pack_color(style.bg) << BG
                | pack_color(style.underline_color) << UNDERLINE_COLOR
                | (style.underline as u128) << UNDERLINE
                | u128::from(style.attrs.bits()) << ATTRS
                | u128::from(protected) << PROTECTED
                | u128::from(link & MAX_LINK) << LINK,
        )
    }

    pub(crate) fn style(self) -> Style {
        let underline = match (self.0 >> UNDERLINE) & 7 {
            1 => Underline::Single,
            2 => Underline::Double,
            3 => Underline::Curly,
            4 => Underline::Dotted,
            5 => Underline::Dashed,
            _ => Underline::None,
        };
        Style {
            fg: unpack_color(self.0),
            bg: unpack_color(self.0 >> BG),
            underline_color: unpack_color(self.0 >> UNDERLINE_COLOR),
            underline,
            attrs: Attrs::from_bits_retain((self.0 >> ATTRS) as u8),
        }
    }

    pub(crate) fn link(self) -> u32 {
        (self.0 >> LINK) as u32 & MAX_LINK
    }

    pub(crate) fn is_protected(self) -> bool {
        self.0 >> PROTECTED & 1 != 0
    }

    /// The same look with another link.
    pub(crate) fn with_link(self, link: u32) -> Self {
        Self(self.0 & !(u128::from(MAX_LINK) << LINK) | u128::from(link & MAX_LINK) << LINK)
    }
}

/// Maps a look to its number: an open-addressing table with a power of two of slots, at most three quarters full, zero
/// for empty. The standard hash map costs three times as much, and every change of colour looks here.
#[derive(Clone, Debug, Default)]
pub(crate) struct LookIndex {
    slots: Vec<u32>,
}

impl LookIndex {
    fn slot(&self, look: Look) -> usize {
        let folded = (look.0 as u64 ^ (look.0 >> 64) as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (folded >> 32) as usize & (self.slots.len() - 1)
    }

    /// The number of a look in `looks`; `looks[n - 1]` has the number `n`.
    #[inline]
    pub(crate) fn find(&self, look: Look, looks: &[Look]) -> Option<u32> {
        if self.slots.is_empty() {
            return None;
        }
        let mut at = self.slot(look);
        loop {
            let number = self.slots[at];
            if number == 0 {
                return None;
            }
            if looks[number as usize - 1] == look {
                return Some(number);
            }
            at = (at + 1) & (self.slots.len() - 1);
        }
    }

    /// Adds the look at the end of `looks`, and returns its number.
    pub(crate) fn add_last(&mut self, looks: &[Look]) -> u32 {
        if looks.len() * 4 > self.slots.len() * 3 {
            *self = Self::build(looks);
        } else if let Some(&look) = looks.last() {
            self.place(look, looks.len() as u32);
        }
        looks.len() as u32
    }

    pub(crate) fn build(looks: &[Look]) -> Self {
        let mut index = Self {
            slots: vec![0; (looks.len() * 3 / 2).next_power_of_two().max(16)],
        };
        for (look, number) in looks.iter().zip(1..) {
            index.place(*look, number);
        }
        index
    }

    fn place(&mut self, look: Look, number: u32) {
        let mut at = self.slot(look);
        while self.slots[at] != 0 {
            at = (at + 1) & (self.slots.len() - 1);
        }
        self.slots[at] = number;
    }

    pub(crate) fn heap(&self) -> usize {
        self.slots.capacity() * 4
    }
}

/// A link as OSC 8 gives it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Link {
    pub(crate) id: Box<str>,
    pub(crate) uri: Box<str>,
}

/// The tables that the cells of a screen or of a page of history refer to.
#[derive(Clone, Debug)]
pub(crate) struct Tables {
    /// All looks except the default one; `looks[n - 1]` has the number `n`.
    looks: Vec<Look>,
    look_index: LookIndex,
    clusters: Vec<Box<str>>,
    links: Vec<Link>,
    link_numbers: HashMap<Link, u32>,
    /// Table sizes above which a collection is due.
    look_limit: usize,
    cluster_limit: usize,
    link_limit: usize,
    /// Grows with every collection. Numbers from an earlier epoch are invalid.
    pub(crate) epoch: u32,
}

/// Marks the table entries that are in use, then maps old numbers to new ones.
pub(crate) struct Marks {
    looks: Vec<u32>,
    clusters: Vec<u32>,
    links: Vec<u32>,
}

const UNUSED: u32 = u32::MAX;
const FIRST_LIMIT: usize = 256;

impl Default for Tables {
    fn default() -> Self {
        Self {
            looks: Vec::new(),
            look_index: LookIndex::default(),
            clusters: Vec::new(),
            links: Vec::new(),
            link_numbers: HashMap::new(),
            look_limit: FIRST_LIMIT,
            cluster_limit: FIRST_LIMIT,
            link_limit: FIRST_LIMIT,
            epoch: 0,
        }
    }
}

impl Tables {
    pub(crate) fn look(&self, number: u32) -> Look {
        let at = (number as usize).wrapping_sub(1);
        self.looks.get(at).copied().unwrap_or_default()
    }

    pub(crate) fn cluster(&self, number: u32) -> &str {
        self.clusters
            .get(number as usize)
            .map_or("", |text| &**text)
    }

    /// The link with this number; 0 is none.
    pub(crate) fn link(&self, number: u32) -> Option<&Link> {
        self.links.get((number as usize).checked_sub(1)?)
    }

    /// The number of a look, which is added if it is new. Never collects, because a caller may hold other numbers.
    pub(crate) fn intern(&mut self, look: Look) -> u32 {
        if look == Look::default() {
            return 0;
        }
        if let Some(number) = self.look_index.find(look, &self.looks) {
            return number;
        }
        self.looks.push(look);
        self.look_index.add_last(&self.looks)
    }

    pub(crate) fn add_cluster(&mut self, text: &str) -> u32 {
        self.clusters.push(text.into());
        self.clusters.len() as u32 - 1
    }

    /// The number of a link, which is added if it is new; 0 if the table is full.
    pub(crate) fn intern_link(&mut self, link: Link) -> u32 {
        if let Some(&number) = self.link_numbers.get(&link) {
            return number;
        }
        if self.links.len() >= MAX_LINK as usize {
            return 0;
        }
        self.links.push(link.clone());
        let number = self.links.len() as u32;
        self.link_numbers.insert(link, number);
        number
    }

    /// Whether a collection is due.
    pub(crate) fn is_full(&self) -> bool {
        self.looks.len() > self.look_limit
            || self.clusters.len() > self.cluster_limit
            || self.links.len() > self.link_limit
    }

    /// Starts a collection: the caller marks everything in use, then calls [`Self::sweep`].
    pub(crate) fn marks(&self) -> Marks {
        Marks {
            looks: vec![UNUSED; self.looks.len() + 1],
            clusters: vec![UNUSED; self.clusters.len()],
            links: vec![UNUSED; self.links.len() + 1],
        }
    }

    /// Drops the entries without a mark. Afterwards `marks` maps old numbers to new ones. `cells` is how many cells the
    /// collection had to look at; the next one waits until that many entries can have been added.
    pub(crate) fn sweep(&mut self, marks: &mut Marks, cells: usize) {
        self.sweep_links(marks);
        let mut looks = Vec::new();
        marks.looks[0] = 0;
        for (old, mark) in self.looks.iter().zip(&mut marks.looks[1..]) {
            if *mark != UNUSED {
                let link = marks.links.get(old.link() as usize).copied().unwrap_or(0);
                looks.push(old.with_link(if link == UNUSED { 0 } else { link }));
                *mark = looks.len() as u32;
            }
        }
        self.look_index = LookIndex::build(&looks);
        self.looks = looks;
        let mut clusters = Vec::new();
        for (old, mark) in self.clusters.iter_mut().zip(&mut marks.clusters) {
            if *mark != UNUSED {
                *mark = clusters.len() as u32;
                clusters.push(std::mem::take(old));
            }
        }
        self.clusters = clusters;
        let spread = FIRST_LIMIT.max(cells / 16);
        self.look_limit = self.looks.len() * 2 + spread;
        self.cluster_limit = self.clusters.len() * 2 + spread;
        self.link_limit = self.links.len() * 2 + FIRST_LIMIT;
        self.epoch = self.epoch.wrapping_add(1);
    }

    fn sweep_links(&mut self, marks: &mut Marks) {
        for (look, mark) in self.looks.iter().zip(&marks.looks[1..]) {
            if *mark != UNUSED {
                marks.links[look.link() as usize] = 0;
            }
        }
        marks.links[0] = 0;
        let mut links = Vec::new();
        for (old, mark) in self.links.drain(..).zip(&mut marks.links[1..]) {
            if *mark != UNUSED {
                links.push(old);
                *mark = links.len() as u32;
            }
        }
        self.link_numbers = links
            .iter()
            .enumerate()
            .map(|(at, link)| (link.clone(), at as u32 + 1))
            .collect();
        self.links = links;
    }

    /// Approximate bytes on the heap.
    pub(crate) fn heap(&self) -> usize {
        let texts: usize = self.clusters.iter().map(|text| text.len() + 16).sum();
        let links: usize = self
            .links
            .iter()
            .map(|link| (link.uri.len() + link.id.len() + 40) * 2)
            .sum();
        self.looks.capacity() * 16 + self.look_index.heap() + texts + links
    }
}

impl Marks {
    pub(crate) fn mark(&mut self, cell: super::cell::Cell) {
        if let Some(mark) = self.looks.get_mut(cell.look as usize) {
            *mark = 0;
        }
        if let Some(number) = cell.cluster()
            && let Some(mark) = self.clusters.get_mut(number as usize)
        {
            *mark = 0;
        }
    }

    pub(crate) fn mark_link(&mut self, number: u32) {
        if let Some(mark) = self.links.get_mut(number as usize) {
            *mark = 0;
        }
    }

    /// The cell with the numbers after the sweep.
    pub(crate) fn moved(&self, cell: super::cell::Cell) -> super::cell::Cell {
        let mut cell = cell;
        cell.look = self.looks.get(cell.look as usize).copied().unwrap_or(0);
        if let Some(number) = cell.cluster() {
            cell = cell.with_cluster(self.clusters.get(number as usize).copied().unwrap_or(0));
        }
        cell
    }

    pub(crate) fn moved_link(&self, number: u32) -> u32 {
        self.links.get(number as usize).copied().unwrap_or(0)
    }
}
