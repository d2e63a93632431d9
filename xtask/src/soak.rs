//! `cargo xtask soak`: random work for any length of time, with another seed each time.
//!
//! Two parts: a tour of an hour's work in the virtual rig, and rounds of real shells under faults.

use std::process::ExitCode;
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::{Context, Result, bail};

use crate::cargo::{cargo, must_succeed};

/// Steps of one tour. Failures occur early, and a long tour is hard to debug.
const STEPS_OF_A_TOUR: u64 = 1000;

const DEFAULT_STEPS: u64 = 10_000;
const DEFAULT_ROUNDS: u64 = 2000;

struct Plan {
    steps: u64,
    rounds: u64,
    seed: u64,
}

pub(crate) fn run(args: &[String]) -> Result<ExitCode> {
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    let plan = plan(args, now.map_or(1, |now| now.as_secs()))?;
    tour(&plan)?;
    rounds(&plan)?;
    Ok(ExitCode::SUCCESS)
}

/// Windows, splits, layouts, modes and crashes in the virtual rig.
fn tour(plan: &Plan) -> Result<()> {
    let mut left = plan.steps;
    let mut seed = plan.seed;
    while left > 0 {
        let steps = left.min(STEPS_OF_A_TOUR);
        println!(
            "{steps} steps from seed {seed}; the same again: cargo xtask soak --rounds 0 --steps {steps} --seed {seed}"
        );
        let only = ["--exact", "tour_as_long_as_wanted_keeps_the_world_whole"];
        test("tour", &only, ("SHELLKEEP_SOAK_STEPS", steps), seed)?;
        left -= steps;
        seed += 1;
    }
    Ok(())
}

/// Real shells above the limit, keys, hibernation, killed processes, regular ends and full disks.
fn rounds(plan: &Plan) -> Result<()> {
    if plan.rounds == 0 {
        return Ok(());
    }
    let (rounds, seed) = (plan.rounds, plan.seed);
    println!(
        "{rounds} rounds from seed {seed}; the same again: cargo xtask soak --steps 0 --rounds {rounds} --seed {seed}"
    );
    test(
        "soak",
        &["--nocapture"],
        ("SHELLKEEP_SOAK_ROUNDS", rounds),
        seed,
    )
}

/// Runs one of the program's test binaries with this amount of work and this seed.
fn test(binary: &str, args: &[&str], (amount, count): (&str, u64), seed: u64) -> Result<()> {
    let mut test = cargo();
    test.args([
        "test",
        "--quiet",
        "--package",
        "shellkeep",
        "--test",
        binary,
        "--",
    ]);
    test.args(args);
    test.env(amount, count.to_string());
    test.env("SHELLKEEP_SOAK_SEED", seed.to_string());
    must_succeed(&mut test)
}

/// Parses the command line.
fn plan(args: &[String], now: u64) -> Result<Plan> {
    let mut plan = Plan {
        steps: DEFAULT_STEPS,
        rounds: DEFAULT_ROUNDS,
        seed: now.max(1),
    };
    let mut words = args.iter();
    while let Some(word) = words.next() {
        let field = match word.as_str() {
            "--steps" => &mut plan.steps,
            "--rounds" => &mut plan.rounds,
            "--seed" => &mut plan.seed,
            _ => bail!("{word}: not an option of soak"),
        };
        let value = words
            .next()
            .with_context(|| format!("{word} needs a number"))?;
        *field = value
            .parse()
            .with_context(|| format!("{word} {value}: not a number"))?;
    }
    if plan.seed == 0 {
        bail!("--seed 0: the generator would roll nothing but zeros");
    }
    Ok(plan)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        text.split_whitespace().map(str::to_owned).collect()
    }

    #[test]
    fn plan_is_what_is_asked_for_and_random_otherwise() {
        let asked = plan(&words("--steps 5 --rounds 3 --seed 7"), 1).unwrap();
        assert_eq!((asked.steps, asked.rounds, asked.seed), (5, 3, 7));
        let usual = plan(&[], 99).unwrap();
        assert_eq!(
            (usual.steps, usual.rounds, usual.seed),
            (DEFAULT_STEPS, DEFAULT_ROUNDS, 99)
        );
        for wrong in ["--steps", "--steps x", "--rounds", "--seed 0", "--more 1"] {
            assert!(plan(&words(wrong), 1).is_err(), "{wrong}");
        }
    }
}
