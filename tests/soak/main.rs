//! The soak: real shells, more of them than may be awake, and everything that may go wrong with the processes and the disk
//! around them, at random. After each round every line ever sent has run once and in order, every session is listed, and every
//! shell has the variables it had.
//!
//! `cargo xtask soak` runs it for as long as wanted: `SHELLKEEP_SOAK_ROUNDS` and `SHELLKEEP_SOAK_SEED`.
#![allow(
    clippy::unwrap_used,
    reason = "a test fails by a panic, also in what several tests share"
)]
#![allow(clippy::print_stdout, reason = "a run of an hour tells how far it is")]

mod disk;
mod fault;
mod session;
mod world;

use world::World;

/// Enough to meet most faults once, and short enough for every run of the tests.
const ROUNDS: u64 = 12;
const SEED: u64 = 20;

/// A number in the environment, or the usual one.
fn wanted(name: &str, usual: u64) -> u64 {
    let chosen = std::env::var(name).ok();
    chosen.and_then(|text| text.parse().ok()).unwrap_or(usual)
}

#[test]
fn rounds_of_work_and_faults_lose_no_line_no_session_and_no_variable() {
    let rounds = wanted("SHELLKEEP_SOAK_ROUNDS", ROUNDS);
    let seed = wanted("SHELLKEEP_SOAK_SEED", SEED);
    let mut world = World::new(seed);
    for round in 1..=rounds {
        world.round(round);
    }
    println!(
        "soak: {rounds} rounds from seed {seed}: {}",
        world.summary()
    );
}

/// A small generator of numbers that are random enough, and the same for the same seed.
struct Dice(u64);

impl Dice {
    fn new(seed: u64) -> Self {
        // Xorshift never leaves 0, and small seeds need some turns until their bits have spread.
        let mut dice = Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
        for _ in 0..8 {
            dice.below(2);
        }
        dice
    }

    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from((self.0 >> 11) % end.max(1) as u64).unwrap()
    }

    fn one_in(&mut self, of: usize) -> bool {
        self.below(of) == 0
    }
}
