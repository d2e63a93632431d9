//! Chores of the project, run as `cargo xtask NAME`.

#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a chore talks to its caller"
)]
#![allow(
    clippy::disallowed_methods,
    reason = "chores start programs and read the real clock"
)]

mod bench;
mod cargo;
mod gen_files;
mod hardening;
mod soak;
mod test;
mod tidy;

use std::process::ExitCode;

const USAGE: &str = "\
usage: cargo xtask CHORE [ARGS]

  test  [-- NEXTEST-ARGS]   install what the tests drive, then run all of them
  bench [--quick] [--only NAME]... [--json FILE] [--bin PATH]
                            measure shellkeep against the installed tmux
  soak  [--steps N] [--rounds N] [--seed N]
                            random work in the virtual rig, then rounds of real shells under faults
  gen   [--check]           write man pages and completions from the command table
  hardening [--bin PATH]    check that the release binary is a PIE with full RELRO and a non-executable stack
  tidy                      check the rules of the house that are not lints";

fn main() -> ExitCode {
    let mut args = std::env::args().skip(1);
    let chore = args.next().unwrap_or_default();
    let rest: Vec<String> = args.collect();
    let done = match chore.as_str() {
        "test" => test::run(&rest),
        "bench" => bench::run(&rest),
        "hardening" => hardening::run(&rest),
        "soak" => soak::run(&rest),
        "gen" => gen_files::run(&rest),
        "tidy" => tidy::run(&rest),
        "help" | "-h" | "--help" => {
            println!("{USAGE}");
            return ExitCode::SUCCESS;
        }
        _ => {
            eprintln!("{USAGE}");
            return ExitCode::from(2);
        }
    };
    match done {
        Ok(code) => code,
        Err(error) => {
            eprintln!("xtask {chore}: {error:#}");
            ExitCode::FAILURE
        }
    }
}
