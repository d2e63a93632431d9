//! `cargo xtask bench`: compares shellkeep with the installed tmux.
//!
//! Both are measured by one process, in turns, so that a noisy machine affects both, and the *ratio* is meaningful even
//! where the figures are not. The bench plays the terminal on a PTY ([`terminal`]); each program has its own
//! directories ([`sandbox`], [`subject`]); every measure is a [`measure::Measure`]; and [`figure`] has what is reported
//! and its limits.
//!
//! Both programs find the conditions of everyday use: sockets are in memory, where systemd has them, and the store is
//! on a disk. `start-up` finds the directories of an earlier server; `start-up-first` finds nothing.

mod figure;
mod measure;
mod measure_capture;
mod measure_command;
mod measure_echo;
mod measure_flow;
mod measure_journal;
mod measure_list;
mod measure_rest;
mod measure_search;
mod measure_sleep;
mod measure_sleep_echo;
mod measure_store;
mod procfs;
mod report;
mod sandbox;
mod subject;
mod terminal;
mod wait;

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use anyhow::{Context, Result, bail};

use figure::{MeasuredProgram, Sample};
use measure::{Effort, Measure};
use measure_flow::Flow;
use report::{Report, Samples};
use sandbox::Sandbox;
use subject::Subject;

/// All measures, in the order of running and reporting.
fn measures() -> Vec<Box<dyn Measure>> {
    let mut all: Vec<Box<dyn Measure>> = vec![
        Box::new(measure_command::StartUp::to_prompt()),
        Box::new(measure_command::StartUp::to_output()),
        Box::new(measure_command::StartUp::first_ever()),
        Box::new(measure_command::NewDetached),
        Box::new(measure_command::Attach),
        Box::new(measure_command::List),
        Box::new(measure_command::Thousand),
        Box::new(measure_list::ManyPanes),
        Box::new(measure_echo::Echo::idle()),
        Box::new(measure_echo::Echo::under_flood()),
    ];
    all.extend(measure_echo::Gap::ALL.map(|gap| Box::new(gap) as Box<dyn Measure>));
    all.push(Box::new(measure_journal::FloodBesideTyping));
    all.extend(Flow::all().map(|flow| Box::new(flow) as Box<dyn Measure>));
    all.push(Box::new(measure_rest::Memory));
    all.push(Box::new(measure_rest::Idle));
    all.push(Box::new(measure_journal::Flood));
    all.push(Box::new(measure_journal::Typing));
    all.push(Box::new(measure_capture::CaptureEcho::BASH));
    all.push(Box::new(measure_capture::CaptureEcho::ZSH));
    all.push(Box::new(measure_capture::CaptureEcho::FISH));
    all.push(Box::new(measure_store::Start::THOUSAND));
    all.push(Box::new(measure_store::Start::TEN_THOUSAND));
    all.push(Box::new(measure_store::Checkpoint::SHORT));
    all.push(Box::new(measure_store::Checkpoint::LONG));
    all.push(Box::new(measure_store::Disk::SHELL));
    all.push(Box::new(measure_store::Disk::BUILD));
    all.push(Box::new(measure_search::Thousand));
    all.push(Box::new(measure_sleep::NewPrompt));
    all.push(Box::new(measure_sleep::SleepAndWake::BASH));
    all.push(Box::new(measure_sleep::SleepAndWake::ZSH));
    all.push(Box::new(measure_sleep::SleepAndWake::FISH));
    all.push(Box::new(measure_sleep::WakeByKey::BASH));
    all.push(Box::new(measure_sleep::WakeByKey::ZSH));
    all.push(Box::new(measure_sleep::WakeByKey::FISH));
    all.push(Box::new(measure_sleep::AttachAsleep));
    all.push(Box::new(measure_sleep::SleepAll));
    all.push(Box::new(measure_sleep_echo::SleepAllEcho::FULL));
    all.push(Box::new(measure_sleep_echo::SleepAllEcho::EMPTY));
    all
}

/// The command line of the chore.
#[derive(Debug, Default, PartialEq)]
struct Options {
    quick: bool,
    only: Vec<String>,
    json: Option<PathBuf>,
    bin: Option<PathBuf>,
    /// A directory for everything, including sockets; otherwise `/tmp` and memory.
    within: Option<PathBuf>,
}

impl Options {
    fn parse(args: &[String]) -> Result<Self> {
        let mut options = Options::default();
        let mut args = args.iter();
        while let Some(arg) = args.next() {
            let mut value = || args.next().with_context(|| format!("{arg} needs a value"));
            match arg.as_str() {
                "--quick" => options.quick = true,
                "--only" => options.only.push(value()?.clone()),
                "--json" => options.json = Some(value()?.into()),
                "--bin" => options.bin = Some(value()?.into()),
                "--in" => options.within = Some(value()?.into()),
                _ => bail!("unknown argument: {arg}"),
            }
        }
        Ok(options)
    }
}

/// Runs the bench. Succeeds if everything could be measured, whether limits were met or not.
pub(crate) fn run(args: &[String]) -> Result<ExitCode> {
    let options = Options::parse(args)?;
    let chosen = choose(measures(), &options.only)?;
    let ours = match &options.bin {
        Some(path) => path.clone(),
        None => crate::cargo::build_program(true)?,
    };
    let sandbox = Sandbox::new(options.within.as_deref())?;
    // Always in this order: shellkeep, tmux.
    let subjects = [
        Subject::new("shellkeep", &ours, &sandbox)?,
        Subject::new("tmux", "tmux".as_ref(), &sandbox)?,
    ];
    eprintln!(
        "measuring {} against {}",
        subjects[0].version()?,
        subjects[1].version()?
    );
    if let Some(load) = procfs::load().filter(|load| *load > 1.0) {
        eprintln!("note: the machine is busy (load {load}), so even the ratios are rough");
    }

    let effort = if options.quick {
        Effort::Quick
    } else {
        Effort::Full
    };
    let mut samples = Samples::new();
    let mut failures = Vec::new();
    for measure in chosen {
        let begun = Instant::now();
        for (seat, error) in run_measure(measure.as_ref(), &subjects, effort, &mut samples) {
            failures.push(format!(
                "{} of {}: {error:#}",
                measure.name(),
                subjects[seat].name()
            ));
        }
        eprintln!(
            "  {:<16} {:>6.1} s",
            measure.name(),
            begun.elapsed().as_secs_f64()
        );
    }
    drop(sandbox);

    let report = Report::new(&samples);
    print!("{}", report.table());
    if let Some(path) = &options.json {
        let text = serde_json::to_string_pretty(&report.json())?;
        std::fs::write(path, text + "\n")
            .with_context(|| format!("cannot write {}", path.display()))?;
    }
    for failure in &failures {
        eprintln!("not measured: {failure}");
    }
    Ok(if failures.is_empty() {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

/// The measures that `only` names, in full or by prefix; all of them if it is empty.
fn choose(all: Vec<Box<dyn Measure>>, only: &[String]) -> Result<Vec<Box<dyn Measure>>> {
    let names: Vec<_> = all.iter().map(|measure| measure.name()).collect();
    let mut wanted = Vec::new();
    for word in only {
        let known = wanted.len();
        // A full name is not a prefix: `attach` does not mean `attached-ascii`.
        let whole = names.contains(&word.as_str());
        let fits = |name: &&&str| {
            if whole {
                *name == word
            } else {
                name.starts_with(word)
            }
        };
        wanted.extend(names.iter().filter(fits).copied());
        if wanted.len() == known {
            bail!("unknown measure: {word}\nthere are: {}", names.join(", "));
        }
    }
    let keep = |name: &str| only.is_empty() || wanted.contains(&name);
    Ok(all
        .into_iter()
        .filter(|measure| keep(measure.name()))
        .collect())
}

/// Runs all rounds of one measure. A program that fails skips the remaining rounds, and its error is returned; the
/// other one goes on.
fn run_measure(
    measure: &dyn Measure,
    subjects: &[Subject; 2],
    effort: Effort,
    samples: &mut Samples,
) -> Vec<(usize, anyhow::Error)> {
    let mut failed: [Option<anyhow::Error>; 2] = [None, None];
    let is_measured = |subject: &Subject| !subject.is_tmux() || measure.is_for_tmux();
    for (seat, subject) in subjects.iter().enumerate() {
        if is_measured(subject) {
            failed[seat] = subject
                .reset()
                .and_then(|()| measure.prepare(subject))
                .err();
        }
    }
    for round in 0..measure.rounds(effort) {
        // The first program alternates, so that the caches are not always warm for the same one.
        for seat in if round % 2 == 0 { [0, 1] } else { [1, 0] } {
            if failed[seat].is_some() || !is_measured(&subjects[seat]) {
                continue;
            }
            match measure.round(&subjects[seat], effort) {
                Ok(taken) => {
                    for Sample { figure, value, of } in taken {
                        let column = if of == MeasuredProgram::Other {
                            1
                        } else {
                            seat
                        };
                        samples.entry(figure).or_default()[column].push(value);
                    }
                }
                Err(error) => failed[seat] = Some(error),
            }
        }
    }
    for (seat, subject) in subjects.iter().enumerate() {
        let ended = subject.reset();
        if failed[seat].is_none() {
            failed[seat] = ended.err();
        }
    }
    failed
        .into_iter()
        .enumerate()
        .filter_map(|(seat, error)| Some((seat, error?)))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> Result<Options> {
        let args: Vec<String> = line.split_whitespace().map(String::from).collect();
        Options::parse(&args)
    }

    #[test]
    fn the_command_line_is_understood() {
        let options =
            parse("--quick --only ls --only attach --json out.json --bin tmux --in x").unwrap();
        assert_eq!(
            options,
            Options {
                quick: true,
                only: vec!["ls".into(), "attach".into()],
                json: Some("out.json".into()),
                bin: Some("tmux".into()),
                within: Some("x".into()),
            }
        );
        assert!(parse("--json").is_err());
        assert!(parse("--fast").is_err());
    }

    #[test]
    fn only_names_measures_that_exist() {
        let count = |only: &[&str]| {
            let only: Vec<String> = only.iter().map(ToString::to_string).collect();
            choose(measures(), &only).map(|chosen| chosen.len())
        };
        assert_eq!(count(&["ls"]).unwrap(), 1);
        assert_eq!(count(&["echo", "ls"]).unwrap(), 7);
        assert_eq!(count(&["attach"]).unwrap(), 1);
        assert_eq!(count(&[]).unwrap(), measures().len());
        assert!(count(&["nonsense"]).is_err());
    }
}
