//! Runs cargo, and finds the workspace.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};

/// The root directory of the workspace: the parent of this crate's directory.
pub(crate) fn workspace_root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .expect("xtask lies inside the workspace")
}

/// The cargo that runs us, in the root of the workspace.
pub(crate) fn cargo() -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.current_dir(workspace_root());
    command
}

/// Runs `command` in our own terminal. Failure is an error.
pub(crate) fn must_succeed(command: &mut Command) -> Result<()> {
    let status = command
        .status()
        .with_context(|| format!("cannot run {}", line_of(command)))?;
    if !status.success() {
        bail!("{} failed: {status}", line_of(command));
    }
    Ok(())
}

/// The standard output of `command`. Failure is an error with its standard error.
pub(crate) fn output_of(command: &mut Command) -> Result<String> {
    let output = command
        .output()
        .with_context(|| format!("cannot run {}", line_of(command)))?;
    if !output.status.success() {
        let complaint = String::from_utf8_lossy(&output.stderr);
        bail!(
            "{} failed: {}: {}",
            line_of(command),
            output.status,
            complaint.trim()
        );
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// A command as a user would type it. Debug would also print directory and environment.
fn line_of(command: &Command) -> String {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    words
        .map(|word| word.to_string_lossy())
        .collect::<Vec<_>>()
        .join(" ")
}

/// Builds the program, and returns its path.
pub(crate) fn build_program(release: bool) -> Result<PathBuf> {
    let mut build = cargo();
    build.args(["build", "--package", "shellkeep", "--bin", "shellkeep"]);
    build.arg("--message-format=json-render-diagnostics");
    if release {
        build.arg("--release");
    }
    let output = build
        .stderr(Stdio::inherit())
        .output()
        .context("cannot run cargo build")?;
    if !output.status.success() {
        bail!("cargo build failed: {}", output.status);
    }
    executable_in(&String::from_utf8_lossy(&output.stdout))
        .context("cargo build named no executable for shellkeep")
}

/// The path of the program in cargo's JSON messages, one on each line.
fn executable_in(messages: &str) -> Option<PathBuf> {
    messages
        .lines()
        .filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok())
        .filter(|message| message["target"]["name"] == "shellkeep")
        .find_map(|message| message["executable"].as_str().map(PathBuf::from))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_executable_is_read_from_cargos_messages() {
        let messages = concat!(
            r#"{"reason":"compiler-artifact","target":{"name":"anyhow"},"executable":null}"#,
            "\n",
            r#"{"reason":"compiler-artifact","target":{"name":"shellkeep"},"executable":"/t/shellkeep"}"#,
            "\n",
            r#"{"reason":"build-finished","success":true}"#,
        );
        assert_eq!(executable_in(messages), Some(PathBuf::from("/t/shellkeep")));
        assert_eq!(executable_in("not json"), None);
    }

    #[test]
    fn a_failure_names_the_command_and_what_it_said() {
        let mut command = Command::new("sh");
        command
            .args(["-c", "echo no luck >&2; exit 3"])
            .env("SECRET", "x");
        let error = output_of(&mut command).unwrap_err().to_string();
        assert!(error.starts_with("sh -c echo"), "{error}");
        assert!(
            error.ends_with("no luck") && !error.contains("SECRET"),
            "{error}"
        );
    }
}
