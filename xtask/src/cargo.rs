//! Calling cargo, and knowing where the workspace is.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};

/// The workspace's root: the folder above this crate.
pub(crate) fn workspace_root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .expect("xtask lies inside the workspace")
}

/// The cargo that runs us, called in the workspace's root.
pub(crate) fn cargo() -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.current_dir(workspace_root());
    command
}

/// Runs `command` with our own terminal; an unsuccessful end is an error.
pub(crate) fn must_succeed(command: &mut Command) -> Result<()> {
    let status = command
        .status()
        .with_context(|| format!("cannot run {command:?}"))?;
    if !status.success() {
        bail!("{command:?} failed: {status}");
    }
    Ok(())
}

/// What `command` prints on standard output; an unsuccessful end is an error that shows its standard
/// error.
pub(crate) fn output_of(command: &mut Command) -> Result<String> {
    let output = command
        .output()
        .with_context(|| format!("cannot run {command:?}"))?;
    if !output.status.success() {
        let complaint = String::from_utf8_lossy(&output.stderr);
        bail!(
            "{command:?} failed: {}: {}",
            output.status,
            complaint.trim()
        );
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Builds the program and says where cargo put it.
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

/// The path of the program among cargo's JSON messages, one to a line.
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
}
