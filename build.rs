//! How the program is linked.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    // At a fixed address: a program this large, moved to a random one, spends half a millisecond at every start on correcting its own
    // pointers, and it is started for every command. Stack, heap and libraries stay at random addresses.
    if std::env::var_os("CARGO_CFG_TARGET_OS").is_some_and(|system| system == "linux") {
        println!("cargo::rustc-link-arg-bins=-no-pie");
    }
}
