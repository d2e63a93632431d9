//! How the program is linked.

use std::path::Path;
use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    if let Some(dir) = unwinder() {
        println!("cargo::rustc-link-arg-bins=-L{dir}");
    }
    // At a fixed address: a program this large, moved to a random one, spends half a millisecond at every start on correcting its own
    // pointers, and it is started for every command. Stack, heap and libraries stay at random addresses.
    if is("CARGO_CFG_TARGET_OS", "linux") {
        println!("cargo::rustc-link-arg-bins=-no-pie");
    }
    // Elsewhere the words of the command line are known to nobody but Rust's own.
    println!("cargo::rustc-check-cfg=cfg(own_main)");
    if is_glibc() {
        println!("cargo::rustc-cfg=own_main");
    }
    println!("cargo::rerun-if-changed={NEAR}");
    if understands_scripts() {
        let root = std::env::var("CARGO_MANIFEST_DIR").unwrap_or_default();
        println!("cargo::rustc-link-arg-bins=-Wl,-T,{root}/{NEAR}");
    }
}

/// What lies together in the program, and why.
const NEAR: &str = "link/near.ld";

fn is(name: &str, value: &str) -> bool {
    std::env::var(name).is_ok_and(|it| it == value)
}

/// Whether the program is for Linux with GNU's library.
fn is_glibc() -> bool {
    is("CARGO_CFG_TARGET_OS", "linux") && is("CARGO_CFG_TARGET_ENV", "gnu")
}

/// Whether the linker is one of those that can be told what lies together. Whoever has chosen another one has a reason, and it may know nothing of
/// this.
fn understands_scripts() -> bool {
    let flags = std::env::var("CARGO_ENCODED_RUSTFLAGS").unwrap_or_default();
    let is_chosen = std::env::var_os("RUSTC_LINKER").is_some()
        || ["linker", "fuse-ld", "link-self-contained"]
            .iter()
            .any(|word| flags.contains(word));
    is_glibc() && !is_chosen
}

/// A directory in which the linker finds libgcc's part that unwinds as one to be linked into the program, where the compiler has it so: to
/// load it as a library took a tenth of a millisecond of every start. Rust names the library itself, so it can only be told what that name means.
fn unwinder() -> Option<String> {
    let features = std::env::var("CARGO_CFG_TARGET_FEATURE").unwrap_or_default();
    let is_static = features.split(',').any(|feature| feature == "crt-static");
    if is_static || !is_glibc() {
        return None;
    }
    let linker = std::env::var_os("RUSTC_LINKER").unwrap_or_else(|| "cc".into());
    let mut question = Command::new(linker);
    let answer = question.arg("-print-file-name=libgcc_eh.a").output().ok()?;
    // What it does not have it calls by its bare name.
    let found = String::from_utf8(answer.stdout).ok()?;
    if !Path::new(found.trim()).is_absolute() {
        return None;
    }
    let dir = std::env::var("OUT_DIR").ok()?;
    let script = Path::new(&dir).join("libgcc_s.so");
    std::fs::write(script, "INPUT(-lgcc_eh -lgcc)\n").ok()?;
    Some(dir)
}
