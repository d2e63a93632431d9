//! Bytes in JSON. Unix promises no encoding for paths and variables, but nearly all of them are text. Text is written
//! as a string, which a person can read and which takes a quarter of the space. Other bytes are a list of numbers, the
//! only form in earlier versions.

use std::fmt;

use serde::de::{SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Bytes that are written as a string if they are text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TextBytes(pub Vec<u8>);

impl Serialize for TextBytes {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match std::str::from_utf8(&self.0) {
            Ok(text) => serializer.serialize_str(text),
            Err(_) => self.0.serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for TextBytes {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Either;

        impl<'de> Visitor<'de> for Either {
            type Value = TextBytes;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("text or a list of bytes")
            }

            fn visit_str<E>(self, text: &str) -> Result<TextBytes, E> {
                Ok(TextBytes(text.as_bytes().to_vec()))
            }

            fn visit_string<E>(self, text: String) -> Result<TextBytes, E> {
                Ok(TextBytes(text.into_bytes()))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<TextBytes, A::Error> {
                let mut bytes = Vec::new();
                while let Some(byte) = list.next_element()? {
                    bytes.push(byte);
                }
                Ok(TextBytes(bytes))
            }
        }

        deserializer.deserialize_any(Either)
    }
}

/// For a single value.
pub(super) mod one {
    use super::{Deserialize as _, Deserializer, Serialize as _, Serializer, TextBytes};

    pub(crate) fn serialize<S: Serializer>(bytes: &[u8], serializer: S) -> Result<S::Ok, S::Error> {
        TextBytes(bytes.to_vec()).serialize(serializer)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<u8>, D::Error> {
        TextBytes::deserialize(from).map(|bytes| bytes.0)
    }
}

/// For an optional value.
pub(super) mod option {
    use super::{Deserialize as _, Deserializer, Serialize as _, Serializer, TextBytes};

    pub(crate) fn serialize<S: Serializer>(
        bytes: &Option<Vec<u8>>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        bytes.clone().map(TextBytes).serialize(serializer)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(
        from: D,
    ) -> Result<Option<Vec<u8>>, D::Error> {
        Option::<TextBytes>::deserialize(from).map(|bytes| bytes.map(|bytes| bytes.0))
    }
}

/// For a list of values.
pub(super) mod list {
    use super::{Deserialize as _, Deserializer, Serializer, TextBytes};

    pub(crate) fn serialize<S: Serializer>(
        list: &[Vec<u8>],
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(list.iter().map(|bytes| TextBytes(bytes.clone())))
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(
        from: D,
    ) -> Result<Vec<Vec<u8>>, D::Error> {
        let list = Vec::<TextBytes>::deserialize(from)?;
        Ok(list.into_iter().map(|bytes| bytes.0).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_of_both_kinds_come_back() {
        for bytes in [&b"/home/ann"[..], b"", b"\xff\x00a"] {
            let bytes = TextBytes(bytes.to_vec());
            let value = serde_json::to_value(&bytes).unwrap();
            assert_eq!(serde_json::from_value::<TextBytes>(value).unwrap(), bytes);
        }
        assert_eq!(
            serde_json::to_string(&TextBytes(b"/\"".to_vec())).unwrap(),
            r#""/\"""#
        );
    }

    #[test]
    fn numbers_that_earlier_versions_wrote_are_read() {
        let bytes: TextBytes = serde_json::from_str("[47, 97]").unwrap();
        assert_eq!(bytes.0, b"/a");
        assert!(serde_json::from_str::<TextBytes>("[256]").is_err());
    }
}
