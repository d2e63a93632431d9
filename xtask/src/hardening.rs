//! `cargo xtask hardening`: checks that the release binary has the protections that the toolchain gives by default.
//!
//! The program parses hostile bytes. One flag in a build script is enough to lose a protection without any test
//! noticing, so the finished file is checked and not the flags.
//!
//! A build with another profile shows the same as long as nothing in the repository passes flags to the linker, and the
//! release profile changes only how code is optimised. Both are checked as well, so that CI need not compile everything
//! again.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use anyhow::{Context, Result, bail, ensure};

/// A file that the loader maps at an address of its choice (`e_type`).
const ET_DYN: u16 = 3;

const PT_DYNAMIC: u32 = 2;
const PT_GNU_STACK: u32 = 0x6474_e551;
const PT_GNU_RELRO: u32 = 0x6474_e552;

/// The segment can be executed.
const PF_X: u32 = 1;

const DT_NULL: u64 = 0;
const DT_BIND_NOW: u64 = 24;
const DT_FLAGS: u64 = 30;
const DT_FLAGS_1: u64 = 0x6fff_fffb;

const DF_BIND_NOW: u64 = 8;
const DF_1_NOW: u64 = 1;
/// Distinguishes a program from a library, which is `ET_DYN` as well.
const DF_1_PIE: u64 = 0x0800_0000;

pub(crate) fn run(args: &[String]) -> Result<ExitCode> {
    let program: PathBuf = match args {
        [] => crate::cargo::build_program(true)?,
        [flag, path] if flag == "--bin" => path.into(),
        _ => bail!("usage: cargo xtask hardening [--bin PATH]"),
    };
    let bytes =
        std::fs::read(&program).with_context(|| format!("{} cannot be read", program.display()))?;
    let missing = missing(&bytes).with_context(|| program.display().to_string())?;
    for protection in &missing {
        println!("{} {protection}", program.display());
    }
    let instructions = linker_instructions(&sources(crate::cargo::workspace_root())?);
    for instruction in &instructions {
        println!("{instruction}");
    }
    Ok(if missing.is_empty() && instructions.is_empty() {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

/// The files of the repository that can pass flags to the linker: every manifest, build script and configuration of
/// cargo.
fn sources(root: &Path) -> Result<Vec<(String, String)>> {
    let mut git = Command::new("git");
    git.args([
        "ls-files",
        "-z",
        "--",
        "*Cargo.toml",
        "*build.rs",
        "*.cargo/*",
    ]);
    let listed = crate::cargo::output_of(git.current_dir(root))?;
    let names = listed.split_terminator('\0').map(str::to_owned);
    let read = |name: String| {
        let text = std::fs::read_to_string(root.join(&name)).with_context(|| name.clone())?;
        Ok((name, text))
    };
    names.map(read).collect()
}

/// Places in these files that pass flags to the linker, or make the release profile differ in more than optimisation.
fn linker_instructions(files: &[(String, String)]) -> Vec<String> {
    const WORDS: &[&str] = &[
        "link-arg",
        "rustflags",
        "relocation-model",
        "relro-level",
        "linker",
    ];
    const HARMLESS: &[&str] = &["lto", "codegen-units", "strip", "opt-level", "debug"];
    let mut found = Vec::new();
    for (name, text) in files {
        let mut section = "";
        for (number, line) in text.lines().enumerate() {
            let line = line.trim();
            let place = format!("{name}:{}", number + 1);
            if !line.starts_with(['#', '/']) && WORDS.iter().any(|word| line.contains(word)) {
                found.push(format!("{place} instructs the linker: {line}"));
            }
            if line.starts_with('[') {
                section = line;
            } else if section.starts_with("[profile.release")
                && let Some((key, _)) = line.split_once('=')
                && !line.starts_with('#')
                && !HARMLESS.contains(&key.trim())
            {
                found.push(format!("{place} makes the release another program: {line}"));
            }
        }
    }
    found
}

/// The protections that the program lacks, each as the end of a sentence about it.
fn missing(file: &[u8]) -> Result<Vec<&'static str>> {
    let elf = Elf::parse(file)?;
    let has_flag = |tag, flag| {
        elf.dynamic
            .iter()
            .any(|entry| entry.0 == tag && entry.1 & flag != 0)
    };
    let is_pie = elf.file_type == ET_DYN && has_flag(DT_FLAGS_1, DF_1_PIE);
    let binds_now = elf.dynamic.iter().any(|entry| entry.0 == DT_BIND_NOW)
        || has_flag(DT_FLAGS, DF_BIND_NOW)
        || has_flag(DT_FLAGS_1, DF_1_NOW);
    let segment = |kind| elf.segments.iter().find(|segment| segment.kind == kind);
    // Without this segment the kernel makes the stack executable.
    let has_plain_stack = segment(PT_GNU_STACK).is_some_and(|stack| stack.flags & PF_X == 0);
    let checks = [
        (
            is_pie,
            "is not position-independent: its code is at the same address in every process",
        ),
        (
            binds_now,
            "binds symbols lazily: its table of functions stays writable",
        ),
        (
            segment(PT_GNU_RELRO).is_some(),
            "has no RELRO segment: its relocated data stays writable",
        ),
        (has_plain_stack, "has an executable stack"),
    ];
    let lacks = checks.into_iter().filter(|(is_there, _)| !is_there);
    Ok(lacks.map(|(_, text)| text).collect())
}

/// The parts of a 64-bit little-endian ELF file that control how it is loaded.
struct Elf {
    file_type: u16,
    segments: Vec<Segment>,
    /// Tags and values of the dynamic section.
    dynamic: Vec<(u64, u64)>,
}

struct Segment {
    kind: u32,
    flags: u32,
    offset: u64,
    size: u64,
}

impl Elf {
    fn parse(file: &[u8]) -> Result<Self> {
        ensure!(
            file.starts_with(b"\x7fELF\x02\x01"),
            "it is no 64-bit little-endian ELF file"
        );
        let table = number::<8>(file, 32)?;
        let (length, count) = (number::<2>(file, 54)?, number::<2>(file, 56)?);
        let segments = (0..count).map(|index| Segment::parse(file, table + index * length));
        let segments = segments.collect::<Result<Vec<_>>>()?;
        let mut dynamic = Vec::new();
        for segment in segments.iter().filter(|it| it.kind == PT_DYNAMIC) {
            for at in (segment.offset..segment.offset + segment.size).step_by(16) {
                match number::<8>(file, at)? {
                    DT_NULL => break,
                    tag => dynamic.push((tag, number::<8>(file, at + 8)?)),
                }
            }
        }
        Ok(Self {
            file_type: u16::try_from(number::<2>(file, 16)?)?,
            segments,
            dynamic,
        })
    }
}

impl Segment {
    fn parse(file: &[u8], at: u64) -> Result<Self> {
        Ok(Self {
            kind: u32::try_from(number::<4>(file, at)?)?,
            flags: u32::try_from(number::<4>(file, at + 4)?)?,
            offset: number::<8>(file, at + 8)?,
            size: number::<8>(file, at + 32)?,
        })
    }
}

/// A number of `N` bytes.
fn number<const N: usize>(file: &[u8], at: u64) -> Result<u64> {
    let rest = usize::try_from(at).ok().and_then(|at| file.get(at..));
    let bytes = rest
        .and_then(|rest| rest.first_chunk::<N>())
        .context("the file is cut short")?;
    let mut whole = [0; 8];
    whole[..N].copy_from_slice(bytes);
    Ok(u64::from_le_bytes(whole))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A file with a header, these segments and this dynamic section.
    fn elf(file_type: u16, segments: &[(u32, u32)], dynamic: &[(u64, u64)]) -> Vec<u8> {
        let mut file = vec![0; 64];
        file[..6].copy_from_slice(b"\x7fELF\x02\x01");
        file[16..18].copy_from_slice(&file_type.to_le_bytes());
        file[32] = 64;
        file[54] = 56;
        file[56] = u8::try_from(segments.len() + 1).unwrap();
        let end = 64 + 56 * (segments.len() as u64 + 1);
        let all = segments.iter().chain([&(PT_DYNAMIC, 0)]);
        for (kind, flags) in all {
            file.extend(kind.to_le_bytes());
            file.extend(flags.to_le_bytes());
            let size = dynamic.len() as u64 * 16;
            for field in [end, 0, 0, size, size, 8] {
                file.extend(field.to_le_bytes());
            }
        }
        for (tag, value) in dynamic {
            file.extend(tag.to_le_bytes());
            file.extend(value.to_le_bytes());
        }
        file
    }

    #[test]
    fn each_protection_that_is_missing_is_named() {
        const READ_WRITE: u32 = 6;
        let segments = [(PT_GNU_STACK, READ_WRITE), (PT_GNU_RELRO, 4)];
        let dynamic = [(DT_FLAGS, DF_BIND_NOW), (DT_FLAGS_1, DF_1_NOW | DF_1_PIE)];
        let lacks = |file: Vec<u8>| missing(&file).unwrap().join("; ");
        assert_eq!(lacks(elf(ET_DYN, &segments, &dynamic)), "");
        let fixed = lacks(elf(2, &segments, &dynamic));
        assert!(fixed.starts_with("is not position-independent"), "{fixed}");
        let library = lacks(elf(ET_DYN, &segments, &[(DT_BIND_NOW, 0)]));
        assert!(
            library.starts_with("is not position-independent"),
            "{library}"
        );
        let lazy = lacks(elf(ET_DYN, &segments, &[(DT_FLAGS_1, DF_1_PIE)]));
        assert!(lazy.starts_with("binds symbols lazily"), "{lazy}");
        let no_relro = lacks(elf(ET_DYN, &segments[..1], &dynamic));
        assert!(no_relro.starts_with("has no RELRO"), "{no_relro}");
        for stack in [&segments[1..], &[(PT_GNU_STACK, 7), segments[1]]] {
            let open = lacks(elf(ET_DYN, stack, &dynamic));
            assert_eq!(open, "has an executable stack");
        }
        // Entries after the end of the dynamic section do not count.
        let hidden = [(DT_NULL, 0), dynamic[0], dynamic[1]];
        assert_ne!(lacks(elf(ET_DYN, &segments, &hidden)), "");
    }

    #[test]
    fn what_would_link_the_release_differently_is_named() {
        let found = |name: &str, text: &str| {
            linker_instructions(&[(name.to_owned(), text.to_owned())]).join("; ")
        };
        let script = found(
            "build.rs",
            "fn main() {\n    println!(\"cargo::rustc-link-arg=-no-pie\");\n}\n",
        );
        assert!(script.starts_with("build.rs:2 instructs"), "{script}");
        let config = found(".cargo/config.toml", "[build]\nrustflags = []\n");
        assert!(config.starts_with(".cargo/config.toml:2 "), "{config}");
        let profile = "[profile.release]\n# What is linked.\nlto = \"thin\"\npanic = \"abort\"\n";
        let profile = found("Cargo.toml", profile);
        assert_eq!(
            profile,
            "Cargo.toml:4 makes the release another program: panic = \"abort\""
        );
        assert_eq!(
            found("Cargo.toml", "[profile.dev]\npanic = \"abort\"\n"),
            ""
        );
    }

    #[test]
    fn what_is_no_program_is_an_error() {
        assert!(missing(b"#!/bin/sh\n").is_err());
        let whole = elf(ET_DYN, &[], &[(DT_NULL, 0)]);
        for length in 0..whole.len() - 16 {
            assert!(missing(&whole[..length]).is_err(), "{length}");
        }
    }
}
