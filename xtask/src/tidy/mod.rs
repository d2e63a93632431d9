//! `cargo xtask tidy`: rules of the project that no compiler or linter checks.

mod dependencies;
mod files;
mod findings;
mod machine_paths;
mod modules;
mod purity;
mod size;
mod sleep;
mod source;
mod structure;
mod unused;

use std::process::ExitCode;

use anyhow::{Result, bail};

use findings::Findings;

pub(crate) fn run(args: &[String]) -> Result<ExitCode> {
    if let Some(stranger) = args.first() {
        bail!("unknown argument: {stranger}");
    }
    let root = crate::cargo::workspace_root();
    let sources = source::rust_files(root)?;
    let mut findings = Findings::default();
    size::check(&sources, &mut findings);
    sleep::check(&sources, &mut findings);
    files::check(&sources, &mut findings);
    modules::check(&sources, &mut findings);
    structure::check(&sources, &mut findings)?;
    purity::check_sources(&sources, &mut findings);
    purity::check_dependencies(&mut findings)?;
    dependencies::check(&mut findings)?;
    unused::check(&sources, &mut findings)?;
    machine_paths::check(root, &mut findings)?;

    for note in &findings.notes {
        println!("tidy: {note}");
    }
    for fault in &findings.faults {
        eprintln!("tidy: {fault}");
    }
    match findings.faults.len() {
        0 => {
            println!("tidy: {} files are in order", sources.len());
            Ok(ExitCode::SUCCESS)
        }
        count => {
            eprintln!("tidy: {count} faults");
            Ok(ExitCode::FAILURE)
        }
    }
}
