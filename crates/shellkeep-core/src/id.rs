//! Ids of sessions, windows, panes and clients. An id is not used again while the server lives. Ids are printed and
//! parsed as in tmux: `$1` is a session, `@1` a window, `%1` a pane.

use std::fmt;
use std::str::FromStr;

use bincode::{Decode, Encode};

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident = $sigil:literal;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Encode, Decode)]
        pub struct $name(pub u32);

        impl $name {
            /// The character before this kind of id in a target.
            pub const SIGIL: char = $sigil;
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "{}{}", $sigil, self.0)
            }
        }

        impl FromStr for $name {
            type Err = BadId;

            fn from_str(text: &str) -> Result<Self, BadId> {
                let digits = text.strip_prefix($sigil).ok_or(BadId)?;
                // `u32::from_str` accepts a leading plus sign, which no id has.
                if !digits.starts_with(|c: char| c.is_ascii_digit()) {
                    return Err(BadId);
                }
                digits.parse().map($name).map_err(|_| BadId)
            }
        }
    )*};
}

ids! {
    SessionId = '$';
    WindowId = '@';
    PaneId = '%';
    /// A client's connection. Users never type it; the sigil is only for the log.
    ClientId = '#';
}

/// The text is not an id of this kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BadId;

impl fmt::Display for BadId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not an id")
    }
}

impl std::error::Error for BadId {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn id_printed_parses_back() {
        assert_eq!(SessionId(7).to_string(), "$7");
        assert_eq!("$7".parse(), Ok(SessionId(7)));
        assert_eq!("%4294967295".parse(), Ok(PaneId(u32::MAX)));
    }

    #[test]
    fn id_malformed_is_refused() {
        for text in ["", "$", "7", "$+7", "$-7", "$7x", "@7", "$4294967296"] {
            assert_eq!(text.parse::<SessionId>(), Err(BadId), "{text:?}");
        }
    }
}
