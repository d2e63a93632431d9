//! Splits bytes into the parts of the terminal language: runs of text, controls, sequences, strings. It does not know
//! what a sequence means; [`crate::op`] does.
//!
//! The states are those of the well-known DEC/ANSI diagram. No external parser is used for three reasons: a run of
//! printable ASCII must stay in one piece, because that is where the speed comes from; strings must be limited while
//! they are read; and the state must be dumped in the middle of a sequence. The tests compare with the `vte` crate.

/// The most parameters (including sub-parameters) of a sequence. Further ones are dropped.
pub(crate) const MAX_PARAMS: usize = 32;
/// The most intermediate bytes of a sequence. A sequence with more is ignored.
pub(crate) const MAX_INTERMEDIATES: usize = 2;

/// Receives what the parser recognises, in order.
pub(crate) trait Perform {
    /// A run of bytes between 0x20 and 0x7e.
    fn ascii(&mut self, run: &[u8]);
    /// Text as UTF-8, which may be invalid or contain controls. Writes as much of it as is simple and returns the
    /// number of bytes. The rest comes as characters.
    fn plain(&mut self, bytes: &[u8]) -> usize;
    /// A character beyond ASCII that is not a control.
    fn char(&mut self, c: char);
    /// A C0 or C1 control that does not start a sequence.
    fn control(&mut self, byte: u8);
    /// `ESC`, intermediates, final byte.
    fn esc(&mut self, intermediates: &[u8], last: u8);
    /// A complete control sequence.
    fn csi(&mut self, csi: &Csi);
    /// A complete operating system command.
    fn osc(&mut self, payload: &[u8], end: StringEnd);
    /// Whether a device control string with this header is of use. If not, it is not stored while it is read: it can be
    /// a picture of megabytes.
    fn wants_dcs(&self, header: &Csi) -> bool;
    /// A complete device control string for which [`Self::wants_dcs`] was true.
    fn dcs(&mut self, header: &Csi, payload: &[u8]);
}

/// The terminator of a string. The reply to a query has the same terminator as the query.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum StringEnd {
    /// `BEL`.
    Bell,
    /// `ESC \` or its 8-bit form.
    StringTerminator,
}

/// A control sequence, or the header of a device control string.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Csi {
    pub(crate) params: [u16; MAX_PARAMS],
    /// How many of `params` were given.
    pub(crate) len: u8,
    /// Bit `i`: parameter `i` follows a colon, so it is a sub-parameter.
    pub(crate) colons: u32,
    /// `<`, `=`, `>`, `?`, or 0.
    pub(crate) prefix: u8,
    pub(crate) intermediates: [u8; MAX_INTERMEDIATES],
    pub(crate) intermediate_len: u8,
    /// The final byte.
    pub(crate) last: u8,
}

impl Csi {
    fn clear(&mut self) {
        self.len = 0;
        self.colons = 0;
        self.prefix = 0;
        self.intermediate_len = 0;
        self.last = 0;
    }

    pub(crate) fn params(&self) -> &[u16] {
        &self.params[..usize::from(self.len)]
    }

    /// Parameter `index`, or 0 where there is none.
    pub(crate) fn raw(&self, index: usize) -> u16 {
        self.params().get(index).copied().unwrap_or(0)
    }

    /// Parameter `index` as a count: missing and 0 both mean 1.
    pub(crate) fn count(&self, index: usize) -> u16 {
        self.raw(index).max(1)
    }

    pub(crate) fn is_sub(&self, index: usize) -> bool {
        self.colons & (1 << index) != 0
    }

    /// The one intermediate byte, 0 for none, 0xff for more than one.
    pub(crate) fn intermediate(&self) -> u8 {
        match self.intermediate_len {
            0 => 0,
            1 => self.intermediates[0],
            _ => 0xff,
        }
    }

    /// The parameter that is being read; 0 before the first.
    fn last_param(&self) -> u16 {
        self.params().last().copied().unwrap_or(0)
    }

    /// Changes the parameter that is being read, if there is one.
    #[inline]
    fn set_last_param(&mut self, value: u16) {
        let at = usize::from(self.len).wrapping_sub(1);
        if let Some(slot) = self.params.get_mut(at) {
            *slot = value;
        }
    }

    /// Starts the next parameter. Returns false if there is no room.
    fn open(&mut self) -> bool {
        let at = usize::from(self.len);
        if at == MAX_PARAMS {
            return false;
        }
        self.params[at] = 0;
        self.len += 1;
        true
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum ParserState {
    #[default]
    Ground = 0,
    Escape = 1,
    EscapeIntermediate = 2,
    /// After `CSI`, nothing read yet.
    CsiEntry = 3,
    CsiParam = 4,
    /// Parameters above the limit: read and dropped.
    CsiOverflow = 5,
    CsiIntermediate = 6,
    CsiIgnore = 7,
    DcsEntry = 8,
    DcsParam = 9,
    DcsOverflow = 10,
    DcsIntermediate = 11,
    /// The header was invalid: the string is ignored up to its end.
    DcsIgnore = 12,
    Dcs = 13,
    Osc = 14,
    /// SOS, PM, APC: ignored up to its end.
    Opaque = 15,
    /// An `ESC` inside a string: a backslash ends it, anything else abandons it.
    DcsEscape = 16,
    OscEscape = 17,
    OpaqueEscape = 18,
}

impl ParserState {
    pub(crate) fn from_number(number: u8) -> Option<Self> {
        const ALL: [ParserState; 19] = [
            ParserState::Ground,
            ParserState::Escape,
            ParserState::EscapeIntermediate,
            ParserState::CsiEntry,
            ParserState::CsiParam,
            ParserState::CsiOverflow,
            ParserState::CsiIntermediate,
            ParserState::CsiIgnore,
            ParserState::DcsEntry,
            ParserState::DcsParam,
            ParserState::DcsOverflow,
            ParserState::DcsIntermediate,
            ParserState::DcsIgnore,
            ParserState::Dcs,
            ParserState::Osc,
            ParserState::Opaque,
            ParserState::DcsEscape,
            ParserState::OscEscape,
            ParserState::OpaqueEscape,
        ];
        ALL.get(usize::from(number)).copied()
    }
}

/// The parser. It keeps only what is needed between two feeds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Parser {
    pub(crate) state: ParserState,
    pub(crate) csi: Csi,
    /// The payload of the string that is being read, up to the limit.
    pub(crate) string: Vec<u8>,
    /// The string exceeded the limit, so it will be ignored.
    pub(crate) overlong: bool,
    /// The first bytes of a character that the end of a feed has split.
    pub(crate) partial: [u8; 4],
    pub(crate) partial_len: u8,
    /// The most bytes a string may have.
    pub(crate) string_limit: usize,
}

/// The result of decoding a character beyond ASCII.
pub(crate) enum Decoded {
    Char(char, usize),
    Invalid(usize),
    Incomplete,
}

impl Parser {
    pub(crate) fn new(string_limit: usize) -> Self {
        Self {
            string_limit,
            ..Self::default()
        }
    }

    pub(crate) fn feed<P: Perform>(&mut self, bytes: &[u8], performer: &mut P) {
        let mut rest = bytes;
        while self.partial_len > 0 && !rest.is_empty() {
            rest = self.finish_partial(rest, performer);
        }
        while !rest.is_empty() {
            let used = match self.state {
                ParserState::Ground => self.ground(rest, performer),
                ParserState::CsiEntry | ParserState::CsiParam => self.csi_params(rest, performer),
                ParserState::Dcs
                | ParserState::Osc
                | ParserState::Opaque
                | ParserState::DcsIgnore => self.string_bytes(rest, performer),
                _ => {
                    self.step(rest[0], performer);
                    1
                }
            };
            rest = &rest[used..];
        }
    }

    /// Text and controls up to the next sequence. Returns the number of bytes used.
    fn ground<P: Perform>(&mut self, bytes: &[u8], performer: &mut P) -> usize {
        let mut at = 0;
        while at < bytes.len() {
            let run = ascii_run(&bytes[at..]);
            if run > 0 {
                performer.ascii(&bytes[at..at + run]);
                at += run;
                continue;
            }
            let byte = bytes[at];
            if byte == 0x1b {
                self.enter_escape();
                // The most common sequences are handled here, before the general states.
                if bytes.get(at + 1) == Some(&b'[') {
                    self.state = ParserState::CsiEntry;
                    return at + 2;
                }
                return at + 1;
            }
            if byte < 0x80 {
                // DEL has no effect on a screen.
                if byte != 0x7f {
                    performer.control(byte);
                }
                at += 1;
                continue;
            }
            at += self.text(&bytes[at..], performer);
            if self.state != ParserState::Ground || self.partial_len > 0 {
                return at;
            }
        }
        at
    }

    /// Text that starts with a character beyond ASCII. Returns the number of bytes used.
    fn text<P: Perform>(&mut self, bytes: &[u8], performer: &mut P) -> usize {
        let mut at = 0;
        while at < bytes.len() {
            at += performer.plain(&bytes[at..]);
            // The caller has a faster way for runs of ASCII, and handles all controls.
            if bytes.get(at).is_none_or(|byte| *byte < 0x80) {
                return at;
            }
            match decode(&bytes[at..]) {
                Decoded::Char(c @ '\u{80}'..='\u{9f}', used) => {
                    self.c1(c as u8, performer);
                    return at + used;
                }
                Decoded::Char(c, used) => {
                    performer.char(c);
                    at += used;
                }
                Decoded::Invalid(used) => {
                    performer.char(char::REPLACEMENT_CHARACTER);
                    at += used;
                }
                Decoded::Incomplete => {
                    let cut = &bytes[at..];
                    self.partial[..cut.len()].copy_from_slice(cut);
                    self.partial_len = cut.len() as u8;
                    return bytes.len();
                }
            }
        }
        at
    }

    /// Adds one more byte to the character that the end of the last feed has split. Returns the rest of the bytes.
    fn finish_partial<'b, P: Perform>(&mut self, bytes: &'b [u8], performer: &mut P) -> &'b [u8] {
        let had = usize::from(self.partial_len);
        self.partial[had] = bytes[0];
        match decode(&self.partial[..=had]) {
            Decoded::Char(c, _) => {
                self.partial_len = 0;
                if ('\u{80}'..='\u{9f}').contains(&c) {
                    self.c1(c as u8, performer);
                } else {
                    performer.char(c);
                }
                &bytes[1..]
            }
            Decoded::Incomplete => {
                self.partial_len += 1;
                &bytes[1..]
            }
            // The earlier bytes were incomplete, and the new byte starts afresh.
            Decoded::Invalid(_) => {
                self.partial_len = 0;
                performer.char(char::REPLACEMENT_CHARACTER);
                bytes
            }
        }
    }

    fn enter_escape(&mut self) {
        self.csi.clear();
        self.state = ParserState::Escape;
    }

    fn enter_string(&mut self, state: ParserState) {
        self.string.clear();
        self.overlong = false;
        self.state = state;
    }

    fn leave_string(&mut self) {
        // A megabyte of clipboard must not stay allocated for the life of the pane.
        self.string.clear();
        self.string.shrink_to(256);
        self.overlong = false;
        self.state = ParserState::Ground;
    }

    /// The 8-bit controls, which mean the same as their 7-bit forms.
    fn c1<P: Perform>(&mut self, byte: u8, performer: &mut P) {
        self.csi.clear();
        match byte {
            0x90 => self.state = ParserState::DcsEntry,
            0x98 | 0x9e | 0x9f => self.enter_string(ParserState::Opaque),
            0x9b => self.state = ParserState::CsiEntry,
            0x9d => self.enter_string(ParserState::Osc),
            _ => performer.control(byte),
        }
    }

    /// The parameters of a control sequence, in one tight loop, because full-screen programs send little else.
    fn csi_params<P: Perform>(&mut self, bytes: &[u8], performer: &mut P) -> usize {
        let mut at = 0;
        if self.state == ParserState::CsiEntry {
            if (0x3c..=0x3f).contains(&bytes[0]) {
                self.csi.prefix = bytes[0];
                at = 1;
            }
            self.state = ParserState::CsiParam;
        }
        // The parameter that is being read is in this local, and is written back before every return.
        let mut value = u32::from(self.csi.last_param());
        while let Some(&byte) = bytes.get(at) {
            at += 1;
            let digit = byte.wrapping_sub(b'0');
            if digit < 10 {
                value = (value * 10 + u32::from(digit)).min(u32::from(u16::MAX));
                self.csi.len = self.csi.len.max(1);
            } else if digit == b';' - b'0' || digit == b':' - b'0' {
                self.csi.set_last_param(value as u16);
                value = 0;
                self.separator(byte);
                if self.state != ParserState::CsiParam {
                    return at;
                }
            } else {
                self.csi.set_last_param(value as u16);
                if (0x40..=0x7e).contains(&byte) {
                    self.csi.last = byte;
                    self.state = ParserState::Ground;
                    performer.csi(&self.csi);
                } else {
                    self.step(byte, performer);
                }
                return at;
            }
        }
        self.csi.set_last_param(value as u16);
        at
    }

    fn separator(&mut self, byte: u8) {
        if self.csi.len == 0 {
            self.csi.open();
        }
        let next = self.csi.len;
        if !self.csi.open() {
            self.state = match self.state {
                ParserState::DcsParam => ParserState::DcsOverflow,
                _ => ParserState::CsiOverflow,
            };
        } else if byte == b':' {
            self.csi.colons |= 1 << next;
        }
    }

    /// Bytes of a string up to its end.
    fn string_bytes<P: Perform>(&mut self, bytes: &[u8], performer: &mut P) -> usize {
        let end = bytes
            .iter()
            .position(|&b| b < 0x20 || b == 0x9c)
            .unwrap_or(bytes.len());
        self.keep_string(&bytes[..end]);
        if end == bytes.len() {
            return end;
        }
        match bytes[end] {
            0x1b => {
                self.state = match self.state {
                    ParserState::Osc => ParserState::OscEscape,
                    ParserState::Dcs => ParserState::DcsEscape,
                    _ => ParserState::OpaqueEscape,
                }
            }
            0x07 if self.state == ParserState::Osc => {
                self.finish_string(StringEnd::Bell, performer)
            }
            0x18 | 0x1a => self.cancel(bytes[end], performer),
            0x9c => self.eight_bit_end(performer),
            // A sixel or a clipboard may contain line breaks, which have no meaning.
            _ => {}
        }
        end + 1
    }

    /// 0x9c ends a string only as the character U+009C; inside another character it is text.
    fn eight_bit_end<P: Perform>(&mut self, performer: &mut P) {
        if self.string.last() == Some(&0xc2) {
            self.string.pop();
            self.finish_string(StringEnd::StringTerminator, performer);
        } else {
            self.keep_string(&[0x9c]);
        }
    }

    fn keep_string(&mut self, bytes: &[u8]) {
        match self.state {
            ParserState::Osc | ParserState::Dcs => {
                if self.string.len() + bytes.len() > self.string_limit {
                    self.overlong = true;
                    self.string = Vec::new();
                }
                if !self.overlong {
                    self.string.extend_from_slice(bytes);
                    return;
                }
            }
            _ => {}
        }
        // The string is ignored. Only its last byte is kept, to recognise U+009C.
        if let Some(&last) = bytes.last() {
            self.string.clear();
            self.string.push(last);
        }
    }

    fn finish_string<P: Perform>(&mut self, end: StringEnd, performer: &mut P) {
        if !self.overlong {
            match self.state {
                ParserState::Osc | ParserState::OscEscape => performer.osc(&self.string, end),
                ParserState::Dcs | ParserState::DcsEscape => performer.dcs(&self.csi, &self.string),
                _ => {}
            }
        }
        self.leave_string();
    }

    /// CAN and SUB cancel the current sequence or string.
    fn cancel<P: Perform>(&mut self, byte: u8, performer: &mut P) {
        self.leave_string();
        performer.control(byte);
    }

    /// One byte of a sequence, in any state except ground and inside strings.
    fn step<P: Perform>(&mut self, byte: u8, performer: &mut P) {
        match byte {
            0x18 | 0x1a => return self.cancel(byte, performer),
            0x1b => {
                // After ESC in a string, any byte but a backslash abandons the string.
                self.leave_string();
                return self.enter_escape();
            }
            _ => {}
        }
        match self.state {
            ParserState::Escape => self.step_escape(byte, performer),
            ParserState::EscapeIntermediate => match byte {
                0x00..=0x1f => performer.control(byte),
                0x20..=0x2f => self.collect(byte),
                0x30..=0x7e => self.dispatch_esc(byte, performer),
                _ => {}
            },
            ParserState::OscEscape | ParserState::DcsEscape | ParserState::OpaqueEscape => {
                if byte == b'\\' {
                    self.finish_string(StringEnd::StringTerminator, performer);
                } else {
                    self.leave_string();
                    self.enter_escape();
                    self.step_escape(byte, performer);
                }
            }
            ParserState::DcsEntry
            | ParserState::DcsParam
            | ParserState::DcsOverflow
            | ParserState::DcsIntermediate => {
                self.step_dcs(byte, performer);
            }
            _ => self.step_csi(byte, performer),
        }
    }

    fn step_escape<P: Perform>(&mut self, byte: u8, performer: &mut P) {
        match byte {
            0x00..=0x1f => performer.control(byte),
            0x20..=0x2f => {
                self.collect(byte);
                self.state = ParserState::EscapeIntermediate;
            }
            b'[' => self.state = ParserState::CsiEntry,
            b']' => self.enter_string(ParserState::Osc),
            b'P' => self.state = ParserState::DcsEntry,
            // The name of a window (`ESC k`): a string like a title, with another introducer.
            b'k' => {
                self.enter_string(ParserState::Osc);
                self.string.extend_from_slice(b"k;");
            }
            b'X' | b'^' | b'_' => self.enter_string(ParserState::Opaque),
            0x30..=0x7e => self.dispatch_esc(byte, performer),
            _ => {}
        }
    }

    fn dispatch_esc<P: Perform>(&mut self, byte: u8, performer: &mut P) {
        self.state = ParserState::Ground;
        let len = usize::from(self.csi.intermediate_len);
        if len <= MAX_INTERMEDIATES {
            performer.esc(&self.csi.intermediates[..len], byte);
        }
    }

    /// Stores an intermediate byte. One above the limit marks the sequence as ignored.
    fn collect(&mut self, byte: u8) {
        let at = usize::from(self.csi.intermediate_len);
        if let Some(slot) = self.csi.intermediates.get_mut(at) {
            *slot = byte;
            self.csi.intermediate_len += 1;
        } else {
            self.csi.intermediate_len = MAX_INTERMEDIATES as u8 + 1;
        }
    }

    fn step_csi<P: Perform>(&mut self, byte: u8, performer: &mut P) {
        match byte {
            0x00..=0x1f => performer.control(byte),
            0x20..=0x2f => {
                self.collect(byte);
                if self.state != ParserState::CsiIgnore {
                    self.state = ParserState::CsiIntermediate;
                }
            }
            // Parameters above the limit are dropped. The first ones still count, as in xterm.
            0x30..=0x3b if self.state == ParserState::CsiOverflow => {}
            0x30..=0x3f => self.state = ParserState::CsiIgnore,
            0x40..=0x7e => {
                let ignored = self.state == ParserState::CsiIgnore
                    || usize::from(self.csi.intermediate_len) > MAX_INTERMEDIATES;
                self.state = ParserState::Ground;
                if !ignored {
                    self.csi.last = byte;
                    performer.csi(&self.csi);
                }
            }
            _ => {}
        }
    }

    fn step_dcs<P: Perform>(&mut self, byte: u8, performer: &P) {
        match byte {
            0x20..=0x2f => {
                self.collect(byte);
                self.state = ParserState::DcsIntermediate;
            }
            0x3c..=0x3f if self.state == ParserState::DcsEntry => {
                self.csi.prefix = byte;
                self.state = ParserState::DcsParam;
            }
            0x30..=0x3b if self.state == ParserState::DcsOverflow => {}
            0x30..=0x39 if self.state != ParserState::DcsIntermediate => {
                self.state = ParserState::DcsParam;
                if self.csi.len == 0 {
                    self.csi.open();
                }
                let slot = &mut self.csi.params[usize::from(self.csi.len) - 1];
                *slot = slot
                    .saturating_mul(10)
                    .saturating_add(u16::from(byte - b'0'));
            }
            b';' | b':' if self.state != ParserState::DcsIntermediate => {
                self.state = ParserState::DcsParam;
                self.separator(byte);
            }
            0x30..=0x3f => self.enter_string(ParserState::DcsIgnore),
            0x40..=0x7e => {
                self.csi.last = byte;
                let sound = usize::from(self.csi.intermediate_len) <= MAX_INTERMEDIATES;
                let state = if sound && performer.wants_dcs(&self.csi) {
                    ParserState::Dcs
                } else {
                    ParserState::DcsIgnore
                };
                self.enter_string(state);
            }
            _ => {}
        }
    }
}

/// The number of printable ASCII bytes at the start. It tests eight at a time, as the innermost loop for large output.
#[inline]
fn ascii_run(bytes: &[u8]) -> usize {
    const ONES: u64 = 0x0101_0101_0101_0101;
    const HIGH: u64 = 0x8080_8080_8080_8080;
    let mut at = 0;
    while let Some(chunk) = bytes.get(at..at + 8) {
        let word = u64::from_le_bytes(chunk.try_into().unwrap_or([0; 8]));
        // The high bit of a byte is set where the byte is below 0x20, is 0x7f, or is beyond ASCII.
        // Borrows and carries only reach bytes above the first such byte, so the lowest is exact.
        let stop = (word.wrapping_sub(ONES * 0x20) | word.wrapping_add(ONES) | word) & HIGH;
        if stop != 0 {
            return at + (stop.trailing_zeros() / 8) as usize;
        }
        at += 8;
    }
    let rest = &bytes[at..];
    at + rest
        .iter()
        .position(|b| !(0x20..0x7f).contains(b))
        .unwrap_or(rest.len())
}

/// Decodes the character beyond ASCII at the start of `bytes`. Invalid input is split as the Unicode standard
/// recommends.
#[inline(always)]
pub(crate) fn decode(bytes: &[u8]) -> Decoded {
    let bits = |byte: u8| u32::from(byte & 0x3f);
    let char = |value: u32, len: usize| match char::from_u32(value) {
        Some(c) => Decoded::Char(c, len),
        None => Decoded::Invalid(1),
    };
    // The most frequent characters first.
    match *bytes {
        [a @ 0xc2..=0xdf, b @ 0x80..=0xbf, ..] => {
            return char((u32::from(a) & 0x1f) << 6 | bits(b), 2);
        }
        [
            a @ (0xe1..=0xec | 0xee | 0xef),
            b @ 0x80..=0xbf,
            c @ 0x80..=0xbf,
            ..,
        ] => {
            return char((u32::from(a) & 0x0f) << 12 | bits(b) << 6 | bits(c), 3);
        }
        _ => {}
    }
    decode_rare(bytes)
}

fn decode_rare(bytes: &[u8]) -> Decoded {
    let lead = bytes[0];
    let (len, mut low, mut high) = match lead {
        0xc2..=0xdf => (2, 0x80, 0xbf),
        0xe0 => (3, 0xa0, 0xbf),
        0xed => (3, 0x80, 0x9f),
        0xe1..=0xef => (3, 0x80, 0xbf),
        0xf0 => (4, 0x90, 0xbf),
        0xf1..=0xf3 => (4, 0x80, 0xbf),
        0xf4 => (4, 0x80, 0x8f),
        _ => return Decoded::Invalid(1),
    };
    let mut value = u32::from(lead) & (0xff >> (len + 1));
    for at in 1..len {
        let Some(&byte) = bytes.get(at) else {
            return Decoded::Incomplete;
        };
        if byte < low || byte > high {
            return Decoded::Invalid(at);
        }
        value = value << 6 | u32::from(byte & 0x3f);
        (low, high) = (0x80, 0xbf);
    }
    match char::from_u32(value) {
        Some(c) => Decoded::Char(c, len),
        None => Decoded::Invalid(len),
    }
}

/// Whether bytes are empty, or the incomplete start of a character.
pub(crate) fn is_cut_character(bytes: &[u8]) -> bool {
    bytes.is_empty() || matches!(decode(bytes), Decoded::Incomplete)
}

#[cfg(test)]
mod tests;
