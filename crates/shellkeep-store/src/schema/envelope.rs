//! The file format of `session.json`, a session's description, and of `store.json`. Both are JSON that a person can
//! read.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;

use super::header::{FormatError, checksum};
use super::migration::{STEPS, Step, VERSION, migrate};

const FORMAT: &str = "shellkeep session";

const STORE_FORMAT: &str = "shellkeep store";
/// The latest known version of the layout of the store.
pub(crate) const STORE_VERSION: u32 = 1;

/// The largest description of a session.
pub(crate) const MAX_FILE: u64 = 64 << 20;

#[derive(Serialize)]
struct Written<'a> {
    format: &'a str,
    version: u32,
    check: String,
    body: &'a Value,
}

#[derive(Deserialize)]
struct Envelope<'a> {
    #[serde(borrow)]
    format: Cow<'a, str>,
    version: u32,
    #[serde(borrow)]
    check: Cow<'a, str>,
    #[serde(borrow)]
    body: &'a RawValue,
}

/// The checksum of a body: of its text without white space, so that it does not depend on how numbers are parsed. It
/// includes the version, because otherwise one flipped bit could make the file one of a later version.
fn check(version: u32, body: &str) -> String {
    check_of_compact(version, &compact(body))
}

fn check_of_compact(version: u32, compact: &str) -> String {
    let version = format!("{version}\n");
    format!(
        "{:08x}",
        checksum(&[version.as_bytes(), compact.as_bytes()])
    )
}

/// JSON text without white space outside strings.
fn compact(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut out = String::with_capacity(text.len());
    // In long pieces instead of single bytes, because the start of a server with thousands of sessions waits for this.
    let (mut from, mut at) = (0, 0);
    while at < bytes.len() {
        match bytes[at] {
            b'"' => at += string_length(&bytes[at..]),
            b' ' | b'\n' | b'\r' | b'\t' => {
                out.push_str(&text[from..at]);
                at += 1;
                from = at;
            }
            _ => at += 1,
        }
    }
    out.push_str(&text[from..]);
    out
}

/// The length of the string that begins here, including quotes.
fn string_length(text: &[u8]) -> usize {
    let mut at = 1;
    while at < text.len() {
        match text[at] {
            b'"' => return at + 1,
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
    text.len()
}

pub(crate) fn encode(body: &Value) -> Vec<u8> {
    let written = Written {
        format: FORMAT,
        version: VERSION,
        check: check(VERSION, &body.to_string()),
        body,
    };
    // A `Value` has only text as keys, so this cannot fail.
    let mut bytes = serde_json::to_vec_pretty(&written).unwrap_or_default();
    bytes.push(b'\n');
    bytes
}

#[cfg(any(test, feature = "hostile"))]
pub(crate) fn decode(bytes: &[u8]) -> Result<Value, FormatError> {
    let text = decode_text(bytes)?;
    serde_json::from_str(&text).map_err(|_| FormatError::Value("JSON text"))
}

/// A description with any text as its body, and the right checksum.
#[cfg(any(test, feature = "hostile"))]
pub(crate) fn sealed_for_tests(body: &str) -> Vec<u8> {
    let check = check(VERSION, body);
    format!(r#"{{"format":"{FORMAT}","version":{VERSION},"check":"{check}","body":{body}}}"#)
        .into_bytes()
}

/// The body as compact JSON text of the newest version. Its checksum is verified; its content is not.
pub(crate) fn decode_text(bytes: &[u8]) -> Result<String, FormatError> {
    decode_and_migrate(bytes, STEPS)
}

fn decode_and_migrate(bytes: &[u8], steps: &[Step]) -> Result<String, FormatError> {
    let found: Envelope<'_> =
        serde_json::from_slice(bytes).map_err(|_| FormatError::Value("JSON text"))?;
    if found.format != FORMAT {
        return Err(FormatError::Kind);
    }
    let compact = compact(found.body.get());
    if found.check != check_of_compact(found.version, &compact) {
        return Err(FormatError::Check);
    }
    migrate(found.version, compact, steps)
}

#[derive(Serialize, Deserialize)]
struct Layout<'a> {
    #[serde(borrow)]
    format: Cow<'a, str>,
    version: u32,
    /// The checksum of the version, because one flipped bit could make the store one of a later version. The first
    /// stores had none.
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    check: Option<Cow<'a, str>>,
}

pub(crate) fn encode_store() -> Vec<u8> {
    let layout = Layout {
        format: STORE_FORMAT.into(),
        version: STORE_VERSION,
        check: Some(check(STORE_VERSION, "").into()),
    };
    let mut bytes = serde_json::to_vec_pretty(&layout).unwrap_or_default();
    bytes.push(b'\n');
    bytes
}

pub(crate) fn decode_store(bytes: &[u8]) -> Result<u32, FormatError> {
    let layout: Layout<'_> =
        serde_json::from_slice(bytes).map_err(|_| FormatError::Value("JSON text"))?;
    if layout.format != STORE_FORMAT {
        return Err(FormatError::Kind);
    }
    if let Some(check_in_file) = layout.check
        && check_in_file != check(layout.version, "")
    {
        return Err(FormatError::Check);
    }
    match layout.version {
        0 => Err(FormatError::Value("version")),
        found if found > STORE_VERSION => Err(FormatError::Newer {
            found,
            known: STORE_VERSION,
        }),
        found => Ok(found),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn body_with_every_kind_of_value_comes_back() {
        let body = json!({
            "text": "a \"quoted\\ \n text\\", "numbers": [0, -1, 1.5, 0.1, 1e300, 18_446_744_073_709_551_615u64],
            "nothing": null, "yes": true, "deep": {"": {" ": []}},
        });
        assert_eq!(decode(&encode(&body)), Ok(body));
    }

    #[test]
    fn spaces_between_do_not_matter_and_inside_of_text_they_do() {
        let text = String::from_utf8(encode(&json!({"a": "x y", "b": 1}))).unwrap();
        assert!(
            decode(
                compact(&text)
                    .replace("shellkeepsession", "shellkeep session")
                    .as_bytes()
            )
            .is_ok()
        );
        assert_eq!(
            decode(text.replace("x y", "xy").as_bytes()),
            Err(FormatError::Check)
        );
    }

    #[test]
    fn file_of_version_one_is_migrated_to_a_made_up_version_two() {
        let call_name_a_title = |mut body: Value| {
            body["session"]["title"] = body["session"]["name"].take();
            body
        };
        let bytes = include_bytes!("../../tests/data/whole/sessions/06gyzg3bzpekbbjd/session.json");
        let text = decode_and_migrate(bytes, &[call_name_a_title]).unwrap();
        let body: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(body["session"]["title"], "live");
        assert!(body["session"]["name"].is_null());
    }

    #[test]
    fn later_version_differs_from_a_flipped_digit() {
        let text = String::from_utf8(encode(&json!({"a": 1}))).unwrap();
        let flipped = text.replace("\"version\": 1", "\"version\": 3");
        assert_eq!(decode(flipped.as_bytes()), Err(FormatError::Check));
        let later = flipped.replace(&check(1, "{\"a\":1}"), &check(3, "{\"a\":1}"));
        assert_eq!(
            decode(later.as_bytes()),
            Err(FormatError::Newer { found: 3, known: 1 })
        );
    }
}
