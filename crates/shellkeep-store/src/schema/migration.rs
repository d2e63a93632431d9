//! Migrates bodies of `session.json` from earlier versions to this one.

use serde_json::Value;

use super::header::FormatError;

/// Migrates a body from one version to the next.
pub(crate) type Step = fn(Value) -> Value;

/// The steps from version 1 on: the first migrates version 1 to version 2, and so on. A step must not be changed after
/// its release, because files of every version may exist.
pub(crate) const STEPS: &[Step] = &[];

/// The version that is written.
pub(crate) const VERSION: u32 = version(STEPS);

const fn version(steps: &[Step]) -> u32 {
    steps.len() as u32 + 1
}

/// Migrates a body to the version after the last step. Text of that version is returned unchanged.
///
/// # Errors
/// When the version is unknown, or the text is not JSON.
pub(crate) fn migrate(found: u32, text: String, steps: &[Step]) -> Result<String, FormatError> {
    let known = version(steps);
    let done = match found {
        0 => return Err(FormatError::Value("version")),
        found if found > known => return Err(FormatError::Newer { found, known }),
        found => found as usize - 1,
    };
    if done == steps.len() {
        return Ok(text);
    }
    let body: Value = serde_json::from_str(&text).map_err(|_| FormatError::Value("JSON text"))?;
    let migrated = steps[done..].iter().fold(body, |body, step| step(body));
    Ok(migrated.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A made-up version 2, in which the name is called title.
    fn rename_to_title(mut body: Value) -> Value {
        let name = body["session"]["name"].take();
        body["session"]["title"] = name;
        body
    }

    /// A made-up version 3, with a field that was not there before.
    fn add_colour(mut body: Value) -> Value {
        body["session"]["colour"] = "green".into();
        body
    }

    fn check(found: u32, text: &str, result: Result<&str, FormatError>) {
        let migrated = migrate(found, text.to_owned(), &[rename_to_title, add_colour]);
        assert_eq!(migrated, result.map(str::to_owned));
    }

    #[test]
    fn body_of_each_earlier_version_becomes_one_of_the_newest() {
        let newest = r#"{"session":{"colour":"green","name":null,"title":"work"}}"#;
        check(1, r#"{"session":{"name":"work"}}"#, Ok(newest));
        check(2, r#"{"session":{"title":"work","name":null}}"#, Ok(newest));
    }

    #[test]
    fn body_of_the_newest_version_is_left_as_it_is() {
        let text = r#"{"session" : {"title":"work"}}"#;
        check(3, text, Ok(text));
    }

    #[test]
    fn body_of_a_later_or_no_version_is_refused() {
        check(4, "{}", Err(FormatError::Newer { found: 4, known: 3 }));
        check(0, "{}", Err(FormatError::Value("version")));
    }
}
