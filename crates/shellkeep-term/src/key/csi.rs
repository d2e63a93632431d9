//! Splits a control sequence into its parameters.

use super::event::KeyKind;

/// A complete control sequence without `ESC [`.
pub(super) struct Csi<'a> {
    /// One of `< = > ?` at the start.
    pub(super) private: Option<u8>,
    /// Digits, `;` and `:`.
    params: &'a [u8],
    /// The bytes between the parameters and the final byte.
    pub(super) intermediates: &'a [u8],
    /// The final byte.
    pub(super) last: u8,
}

impl<'a> Csi<'a> {
    pub(super) fn new(body: &'a [u8], last: u8) -> Self {
        let (private, rest) = match body.split_first() {
            Some((&first, rest)) if matches!(first, b'<'..=b'?') => (Some(first), rest),
            _ => (None, body),
        };
        let end = rest
            .iter()
            .position(|b| matches!(b, b' '..=b'/'))
            .unwrap_or(rest.len());
        let (params, intermediates) = rest.split_at(end);
        Self {
            private,
            params,
            intermediates,
            last,
        }
    }

    pub(super) fn len(&self) -> usize {
        if self.params.is_empty() {
            return 0;
        }
        self.params.split(|&b| b == b';').count()
    }

    pub(super) fn field(&self, index: usize) -> &'a [u8] {
        self.params
            .split(|&b| b == b';')
            .nth(index)
            .unwrap_or_default()
    }

    /// A sub-parameter; `None` if it is missing, empty or not a number.
    pub(super) fn part(&self, index: usize, part: usize) -> Option<u32> {
        parse_number(self.field(index).split(|&b| b == b':').nth(part)?)
    }

    /// A parameter without its sub-parameters.
    pub(super) fn number(&self, index: usize) -> Option<u32> {
        self.part(index, 0)
    }

    /// A parameter as a size or position: 0 if missing, limited to `u16`.
    pub(super) fn short(&self, index: usize) -> u16 {
        u16::try_from(self.number(index).unwrap_or(0)).unwrap_or(u16::MAX)
    }

    /// The kind of key event in the second parameter.
    pub(super) fn kind(&self) -> KeyKind {
        match self.part(1, 1) {
            Some(2) => KeyKind::Repeat,
            Some(3) => KeyKind::Release,
            _ => KeyKind::Press,
        }
    }
}

pub(super) fn parse_number(digits: &[u8]) -> Option<u32> {
    if digits.is_empty() {
        return None;
    }
    digits.iter().try_fold(0u32, |number, &b| {
        let digit = char::from(b).to_digit(10)?;
        Some(number.saturating_mul(10).saturating_add(digit))
    })
}
