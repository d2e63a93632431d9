//! `cargo xtask soak`: the tour of an hour's work, for as long as somebody has patience, from another beginning each time.

use std::process::ExitCode;
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::{Context, Result, bail};

use crate::cargo::{cargo, must_succeed};

/// Steps of one tour. More in one are not worth their time: what goes wrong does so early, and a story of ten thousand steps
/// is hard to follow.
const STEPS_OF_A_TOUR: u64 = 1000;

/// Steps in all, if nobody says.
const STEPS: u64 = 10_000;

struct Plan {
    steps: u64,
    seed: u64,
}

pub(crate) fn run(args: &[String]) -> Result<ExitCode> {
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    let plan = plan(args, now.map_or(1, |now| now.as_secs()))?;
    let mut left = plan.steps;
    let mut seed = plan.seed;
    while left > 0 {
        let steps = left.min(STEPS_OF_A_TOUR);
        println!(
            "{steps} steps from {seed}; the same again: cargo xtask soak --steps {steps} --seed {seed}"
        );
        let mut test = cargo();
        test.args([
            "test",
            "--quiet",
            "--package",
            "shellkeep",
            "--test",
            "tour",
        ]);
        test.args([
            "--",
            "--exact",
            "tour_as_long_as_wanted_keeps_the_world_whole",
        ]);
        test.env("SHELLKEEP_SOAK_STEPS", steps.to_string());
        test.env("SHELLKEEP_SOAK_SEED", seed.to_string());
        must_succeed(&mut test)?;
        left -= steps;
        seed += 1;
    }
    Ok(ExitCode::SUCCESS)
}

/// What is asked for. A seed of 0 would roll nothing but zeros.
fn plan(args: &[String], now: u64) -> Result<Plan> {
    let mut plan = Plan {
        steps: STEPS,
        seed: now.max(1),
    };
    let mut words = args.iter();
    while let Some(word) = words.next() {
        let field = match word.as_str() {
            "--steps" => &mut plan.steps,
            "--seed" => &mut plan.seed,
            _ => bail!("{word}: not an option of soak"),
        };
        let value = words
            .next()
            .with_context(|| format!("{word} wants a number"))?;
        *field = value
            .parse()
            .with_context(|| format!("{word} {value}: not a number"))?;
    }
    if plan.seed == 0 {
        bail!("--seed 0: nothing would be random");
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
        let asked = plan(&words("--steps 5 --seed 7"), 1).unwrap();
        assert_eq!((asked.steps, asked.seed), (5, 7));
        let usual = plan(&[], 99).unwrap();
        assert_eq!((usual.steps, usual.seed), (STEPS, 99));
        for wrong in ["--steps", "--steps x", "--seed 0", "--more 1"] {
            assert!(plan(&words(wrong), 1).is_err(), "{wrong}");
        }
    }
}
