//! The structure of the code: the size of types, and cyclic dependencies of modules.
//!
//! A type with dozens of fields or methods does the work of several types, and modules in a cycle can only be
//! understood together. Tests do not count.

mod cycles;
mod module;
mod types;

use std::collections::BTreeMap;

use anyhow::{Context, Result};

use super::findings::Findings;
use super::source::Source;
use module::{Crate, Module};

/// The limits of the structure.
///
/// A larger type does the work of several types, and a larger cycle can only be understood as a whole.
struct Limits {
    fields: usize,
    methods: usize,
    cycle: usize,
    server_fields: usize,
    server_methods: usize,
}

const LIMITS: Limits = Limits {
    fields: 25,
    methods: 60,
    cycle: 4,
    server_fields: 12,
    server_methods: 40,
};

/// The server's router has limits of its own.
const ROUTER: (&str, &str) = ("shellkeep-server", "Server");

pub(super) fn check(sources: &[Source], findings: &mut Findings) -> Result<()> {
    let crates = parse(sources)?;
    let shapes: Vec<types::Shape> = crates.values().flat_map(types::shapes).collect();
    let is_router = |shape: &&types::Shape| (&shape.krate[..], &shape.name[..]) == ROUTER;
    let router = shapes.iter().filter(is_router);
    let others = || shapes.iter().filter(|shape| !is_router(shape));
    for shape in router {
        let what = format!("{} ({})", shape.name, shape.place);
        measure(
            "fields",
            &what,
            shape.fields,
            LIMITS.server_fields,
            findings,
        );
        measure(
            "methods",
            &what,
            shape.methods,
            LIMITS.server_methods,
            findings,
        );
    }
    if let Some(largest) = others().max_by_key(|shape| shape.fields) {
        let what = format!("the largest struct, {} ({})", largest.name, largest.place);
        measure("fields", &what, largest.fields, LIMITS.fields, findings);
    }
    if let Some(largest) = others().max_by_key(|shape| shape.methods) {
        let what = format!("the busiest type, {} ({})", largest.name, largest.place);
        measure("methods", &what, largest.methods, LIMITS.methods, findings);
    }
    for (name, krate) in &crates {
        let cycles = cycles::cycles(krate);
        let Some(cycle) = cycles.iter().max_by_key(|cycle| cycle.len()) else {
            continue;
        };
        let first: Vec<&str> = cycle
            .iter()
            .take(MAX_MODULES_NAMED)
            .map(String::as_str)
            .collect();
        let dots = if cycle.len() > MAX_MODULES_NAMED {
            ", …"
        } else {
            ""
        };
        let what = format!("the largest circle of {name} ({}{dots})", first.join(", "));
        measure("modules", &what, cycle.len(), LIMITS.cycle, findings);
    }
    Ok(())
}

/// The most modules of a cycle that are named.
const MAX_MODULES_NAMED: usize = 6;

fn measure(unit: &str, what: &str, count: usize, limit: usize, findings: &mut Findings) {
    let text = format!("{what} has {count} {unit} of at most {limit}");
    if count > limit {
        findings.faults.push(text);
    } else {
        findings.notes.push(text);
    }
}

/// The crates of the workspace by name, without tests.
fn parse(sources: &[Source]) -> Result<BTreeMap<String, Crate>> {
    let mut crates = BTreeMap::<String, Crate>::new();
    for source in sources.iter().filter(|source| !source.is_test_file()) {
        let Some((krate, path)) = place(&source.path) else {
            continue;
        };
        let file = syn::parse_file(&source.text)
            .with_context(|| format!("cannot parse {}", source.path))?;
        let krate = crates.entry(krate.to_owned()).or_insert_with(|| Crate {
            name: krate.to_owned(),
            modules: BTreeMap::new(),
        });
        krate
            .modules
            .insert(path, Module::new(source.path.clone(), file));
    }
    Ok(crates)
}

/// The crate to which a file belongs, and the path of its module. `None` for benches, examples and build scripts.
fn place(path: &str) -> Option<(&str, Vec<String>)> {
    let (krate, inner) = match path.strip_prefix("crates/") {
        Some(rest) => rest.split_once("/src/")?,
        None => match path.strip_prefix("xtask/src/") {
            Some(inner) => ("xtask", inner),
            None => ("shellkeep", path.strip_prefix("src/")?),
        },
    };
    let stem = inner.strip_suffix(".rs")?;
    let stem = stem.strip_suffix("/mod").unwrap_or(stem);
    let parts = match stem {
        "lib" | "main" => Vec::new(),
        _ => stem.split('/').map(str::to_owned).collect(),
    };
    Some((krate, parts))
}

#[cfg(test)]
mod tests;
