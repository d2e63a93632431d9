//! Removes comments and indentation from the bash scripts. Bash reads a script character by character at every start,
//! while a user waits for the prompt.

use std::error::Error;
use std::fs;
use std::path::Path;

/// Marks where a login shell reads the user's files.
const LOGIN_FILES: &str = "#@ login files\n";

/// Starts a part of a script that is a script of its own. Its name follows.
const PART: &str = "#@ part ";

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=scripts");
    let out = std::env::var("OUT_DIR")?;
    let login_files = fs::read_to_string("scripts/login-files.bash")?;
    for entry in fs::read_dir("scripts")? {
        let path = entry?.path();
        if path.extension().is_none_or(|extension| extension != "bash") {
            continue;
        }
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        let text = fs::read_to_string(&path)?.replace(LOGIN_FILES, &login_files);
        let mut parts = text.split(PART);
        let first = parts.next().unwrap_or_default();
        fs::write(Path::new(&out).join(format!("{name}.bash")), lean(first))?;
        for part in parts {
            let (part, text) = part.split_once('\n').unwrap_or((part, ""));
            fs::write(
                Path::new(&out).join(format!("{name}-{part}.bash")),
                lean(text),
            )?;
        }
    }
    Ok(())
}

fn lean(script: &str) -> String {
    let lines = script.lines().map(str::trim_start);
    let lines = lines.filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines.flat_map(|line| [line, "\n"]).collect()
}
