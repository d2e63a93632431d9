//! Decides which part of each strip of a styled text is shown where. Missing space is taken from one strip after the
//! other, in an order that depends on where the list is.

use shellkeep_core::style_text::Align;

use super::{PARTS, Part};

/// The columns of each strip.
#[derive(Clone, Copy)]
pub(super) struct Widths(pub(super) [u32; PARTS]);

/// The part of the list that has to be visible.
#[derive(Clone, Copy)]
pub(super) struct Focus {
    pub(super) start: u32,
    pub(super) end: u32,
}

/// `width` columns of a strip, from `start`, drawn at `offset`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Piece {
    pub(super) part: Part,
    pub(super) offset: u32,
    pub(super) start: u32,
    pub(super) width: u32,
}

impl Widths {
    fn of(&self, part: Part) -> u32 {
        self.0[part as usize]
    }

    fn sum(&self, parts: &[Part]) -> u32 {
        parts.iter().map(|part| self.of(*part)).sum()
    }

    /// Reduces these parts to `available`, taking as much as possible from each before the next.
    fn trim(&mut self, parts: &[Part], available: u32) {
        let mut excess = self.sum(parts).saturating_sub(available);
        for part in parts {
            let width = &mut self.0[*part as usize];
            let taken = excess.min(*width);
            *width -= taken;
            excess -= taken;
        }
    }
}

pub(super) fn arrange(
    list_align: Align,
    full: Widths,
    focus: Option<Focus>,
    available: u32,
) -> Vec<Piece> {
    let mut arranger = Arranger {
        full,
        cut: full,
        available,
        pieces: Vec::new(),
    };
    match list_align {
        Align::None => arranger.without_list(None),
        Align::Left => arranger.list_left(focus),
        Align::Centre => arranger.list_centre(focus),
        Align::Right => arranger.list_right(focus),
        Align::AbsoluteCentre => arranger.list_absolute_centre(focus),
    }
    arranger.pieces
}

struct Arranger {
    full: Widths,
    /// The remaining width of each strip.
    cut: Widths,
    available: u32,
    pieces: Vec<Piece>,
}

impl Arranger {
    fn put(&mut self, part: Part, offset: u32, start: u32, width: u32) {
        self.pieces.push(Piece {
            part,
            offset,
            start,
            width,
        });
    }

    /// From the beginning of the strip.
    fn put_start(&mut self, part: Part, offset: u32) {
        self.put(part, offset, 0, self.cut.of(part));
    }

    /// The end of the strip, so that it ends at column `end`.
    fn put_end(&mut self, part: Part, end: u32) {
        let width = self.cut.of(part);
        let start = self.full.of(part) - width;
        self.put(part, end.saturating_sub(width), start, width);
    }

    /// The middle of the strip, centred between two columns.
    fn put_middle(&mut self, part: Part, from: u32, to: u32) {
        let width = self.cut.of(part);
        let offset = (from + to.saturating_sub(from) / 2).saturating_sub(width / 2);
        self.put(part, offset, self.full.of(part) / 2 - width / 2, width);
    }

    fn put_absolute_centre(&mut self) {
        let width = self.full.of(Part::AbsoluteCentre).min(self.available);
        self.put(Part::AbsoluteCentre, (self.available - width) / 2, 0, width);
    }

    /// Without a list, or without space for it. The text after the list follows the named strip.
    fn without_list(&mut self, after: Option<Part>) {
        let after_width = self.cut.of(Part::After);
        let joined = |part: Part| if Some(part) == after { after_width } else { 0 };
        self.cut = self.full;
        for part in [Part::Left, Part::Centre, Part::Right] {
            self.cut.0[part as usize] += joined(part);
        }
        let whole = self.cut;
        self.cut
            .trim(&[Part::Centre, Part::Right, Part::Left], self.available);
        let (left, right) = (self.cut.of(Part::Left), self.cut.of(Part::Right));
        let end = self.available - right;
        let centre = self.cut.of(Part::Centre);
        let middle = (left + end.saturating_sub(left) / 2).saturating_sub(centre / 2);
        for (part, offset, start) in [
            (Part::Left, 0, 0),
            (Part::Right, end, whole.of(Part::Right) - right),
            (
                Part::Centre,
                middle,
                whole.of(Part::Centre) / 2 - centre / 2,
            ),
        ] {
            let width = self.cut.of(part);
            // The strip itself, then what is joined to it.
            let own = self.full.of(part).saturating_sub(start).min(width);
            self.put(part, offset, start, own);
            if joined(part) > 0 && width > own {
                let skipped = start.saturating_sub(self.full.of(part));
                self.put(Part::After, offset + own, skipped, width - own);
            }
        }
        self.put_absolute_centre();
    }

    fn list_left(&mut self, focus: Option<Focus>) {
        if !self.has_list_at_a_side() {
            return self.without_list(Some(Part::Left));
        }
        let left = self.cut.of(Part::Left);
        let after = left + self.cut.of(Part::List);
        let end = self.available - self.cut.of(Part::Right);
        self.put_start(Part::Left, 0);
        self.put_end(Part::Right, self.available);
        self.put_start(Part::After, after);
        self.put_middle(Part::Centre, after + self.cut.of(Part::After), end);
        self.put_list(left, focus.unwrap_or(Focus { start: 0, end: 0 }));
        self.put_absolute_centre();
    }

    fn list_centre(&mut self, focus: Option<Focus>) {
        let order = [
            Part::List,
            Part::After,
            Part::Centre,
            Part::Right,
            Part::Left,
        ];
        self.cut.trim(&order, self.available);
        let list = self.cut.of(Part::List);
        if list == 0 {
            return self.without_list(Some(Part::Centre));
        }
        let left = self.cut.of(Part::Left);
        let end = self.available - self.cut.of(Part::Right);
        let middle = left + end.saturating_sub(left) / 2;
        let start = middle.saturating_sub(list / 2);
        self.put_start(Part::Left, 0);
        self.put_end(Part::Right, self.available);
        let centre = start.saturating_sub(self.cut.of(Part::Centre));
        self.put_start(Part::Centre, centre);
        self.put_start(Part::After, start + list);
        self.put_list(start, focus.unwrap_or_else(|| self.list_middle()));
        self.put_absolute_centre();
    }

    fn list_right(&mut self, focus: Option<Focus>) {
        if !self.has_list_at_a_side() {
            return self.without_list(Some(Part::Right));
        }
        let list = self.available - self.cut.sum(&[Part::List, Part::After]);
        let right = list - self.cut.of(Part::Right);
        self.put_start(Part::Left, 0);
        self.put_end(Part::After, self.available);
        self.put_start(Part::Right, right);
        self.put_middle(Part::Centre, self.cut.of(Part::Left), right);
        self.put_list(list, focus.unwrap_or(Focus { start: 0, end: 0 }));
        self.put_absolute_centre();
    }

    fn list_absolute_centre(&mut self, focus: Option<Focus>) {
        let sides = [Part::Centre, Part::Right, Part::Left];
        self.cut.trim(&sides, self.available);
        let over = [Part::List, Part::After, Part::AbsoluteCentre];
        self.cut.trim(&over, self.available);
        let left = self.cut.of(Part::Left);
        let end = self.available - self.cut.of(Part::Right);
        let middle = left + end.saturating_sub(left) / 2;
        self.put_start(Part::Left, 0);
        self.put_end(Part::Right, self.available);
        let centre = middle.saturating_sub(self.cut.of(Part::Centre));
        self.put_start(Part::Centre, centre);
        let together = self.cut.sum(&[Part::List, Part::AbsoluteCentre]);
        let mut offset = (self.available - together) / 2;
        self.put_start(Part::AbsoluteCentre, offset);
        offset += self.cut.of(Part::AbsoluteCentre);
        self.put_list(offset, focus.unwrap_or_else(|| self.list_middle()));
        self.put_start(Part::After, offset + self.cut.of(Part::List));
    }

    /// Trims what stands beside a list that is not in the middle; whether anything is left of the list.
    fn has_list_at_a_side(&mut self) -> bool {
        let order = [
            Part::Centre,
            Part::List,
            Part::Right,
            Part::After,
            Part::Left,
        ];
        self.cut.trim(&order, self.available);
        self.cut.of(Part::List) > 0
    }

    fn list_middle(&self) -> Focus {
        let middle = self.full.of(Part::List) / 2;
        Focus {
            start: middle,
            end: middle,
        }
    }

    /// The list, with the focus in the middle if it is cut, and markers where it is cut off.
    fn put_list(&mut self, mut offset: u32, focus: Focus) {
        let full = self.full.of(Part::List);
        let mut width = self.cut.of(Part::List);
        if width >= full {
            self.put(Part::List, offset, 0, width);
            return;
        }
        let middle = focus.start + focus.end.saturating_sub(focus.start) / 2;
        let mut start = middle.saturating_sub(width / 2).min(full - width);
        let marker = self.full.of(Part::LeftMarker);
        if start != 0 && width > marker {
            self.put_start(Part::LeftMarker, offset);
            offset += marker;
            start += marker;
            width -= marker;
        }
        let marker = self.full.of(Part::RightMarker);
        if start + width < full && width > marker {
            self.put_start(Part::RightMarker, offset + width - marker);
            width -= marker;
        }
        self.put(Part::List, offset, start, width);
    }
}
