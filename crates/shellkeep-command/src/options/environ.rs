//! Options from the environment: `SHELLKEEP_ESCAPE_TIME=5` sets `escape-time`.

use super::error::OptionError;
use super::name;
use super::spec::{Family, OptionSpec};

/// What the variables of options begin with.
const PREFIX: &str = "SHELLKEEP_";

/// Variables with this prefix that are not options.
const OTHERS: [&str; 11] = [
    "SHELLKEEP_BLESS",
    "SHELLKEEP_ENV",
    "SHELLKEEP_FISH",
    "SHELLKEEP_LOG",
    "SHELLKEEP_PANE",
    "SHELLKEEP_REVIVE",
    "SHELLKEEP_SHELL_DIR",
    "SHELLKEEP_SHIM",
    "SHELLKEEP_TEST_FULL",
    "SHELLKEEP_ZDOTDIR",
    "SHELLKEEP_ZSH",
];

/// An option that an environment variable sets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assignment {
    /// The name of the variable, for messages.
    pub variable: String,
    pub option: &'static OptionSpec,
    /// Its value, not parsed yet.
    pub text: String,
}

/// The options that an environment sets, in its order, and an error for each variable that looks like one and is not.
/// Values are checked here, so that the error can name the variable.
pub fn assignments<'a>(
    environment: impl IntoIterator<Item = (&'a str, &'a str)>,
) -> impl Iterator<Item = Result<Assignment, OptionError>> {
    let environment = environment.into_iter();
    environment.filter_map(|(variable, text)| {
        let stem = variable.strip_prefix(PREFIX)?;
        if stem.is_empty() || OTHERS.contains(&variable) {
            return None;
        }
        let option = stem.to_ascii_lowercase().replace('_', "-");
        Some(assignment(variable, &option, text))
    })
}

fn assignment(variable: &str, option: &str, text: &str) -> Result<Assignment, OptionError> {
    // Hooks are commands, and an environment is too easily inherited by accident.
    let spec = name::known(option).filter(|spec| spec.family == Family::Setting);
    let Some(spec) = spec else {
        return Err(OptionError::UnknownVariable {
            variable: variable.to_owned(),
            option: option.to_owned(),
        });
    };
    match spec.parse(text) {
        Ok(_) => Ok(Assignment {
            variable: variable.to_owned(),
            option: spec,
            text: text.to_owned(),
        }),
        Err(error) => Err(OptionError::BadVariable {
            variable: variable.to_owned(),
            error: Box::new(error),
        }),
    }
}
