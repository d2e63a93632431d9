//! The `shellkeep` program: parse, choose a side, run.

fn main() -> anyhow::Result<()> {
    anyhow::bail!("not built yet")
}
