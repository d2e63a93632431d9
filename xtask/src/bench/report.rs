//! The table at the end, as text and as JSON.

use std::collections::BTreeMap;
use std::fmt::Write;

use serde_json::{Value, json};

use super::figure::{Bar, FIGURES, Figure};

/// The readings of each figure in all rounds, for [shellkeep, tmux].
pub(super) type Samples = BTreeMap<&'static str, [Vec<f64>; 2]>;

/// The figures and their limits.
pub(super) struct Report {
    rows: Vec<Row>,
}

struct Row {
    figure: &'static Figure,
    ours: Option<f64>,
    tmux: Option<f64>,
}

impl Row {
    fn ratio(&self) -> Option<f64> {
        match (self.ours?, self.tmux?) {
            (_, 0.0) => None,
            (ours, tmux) => Some(ours / tmux),
        }
    }

    fn met(&self) -> Option<bool> {
        self.figure.bar.is_met(self.ours?, self.tmux)
    }
}

impl Report {
    /// Lines for the figures with samples.
    pub(super) fn new(samples: &Samples) -> Self {
        let row = |figure: &'static Figure| {
            let [ours, tmux] = samples.get(figure.id)?;
            let statistic = |readings: &Vec<f64>| figure.statistic.of(readings);
            Some(Row {
                figure,
                ours: statistic(ours),
                tmux: statistic(tmux),
            })
        };
        Report {
            rows: FIGURES.iter().filter_map(row).collect(),
        }
    }

    pub(super) fn table(&self) -> String {
        let mut text = format!(
            "{:<36} {:>10} {:>10} {:>7} {:>8}\n",
            "measure", "shellkeep", "tmux", "ratio", "bar"
        );
        for row in &self.rows {
            let show = |value: Option<f64>| {
                value.map_or("failed".into(), |value| row.figure.unit.show(value))
            };
            let ratio = row
                .ratio()
                .map_or("-".into(), |ratio| format!("{ratio:.2}"));
            let verdict = match row.met() {
                Some(true) => "met",
                Some(false) => "MISSED",
                None => "",
            };
            let line = format!(
                "{:<36} {:>10} {:>10} {:>7} {:>8}  {verdict}",
                row.figure.title,
                show(row.ours),
                match row.figure.bar {
                    Bar::Alone(_) | Bar::Shown => "-".into(),
                    _ => show(row.tmux),
                },
                ratio,
                row.figure.bar.to_string(),
            );
            writeln!(text, "{}", line.trim_end()).expect("a string takes all");
        }
        let (met, all) = self.score();
        writeln!(
            text,
            "{met} of {all} bars met; ratios are shellkeep / tmux, less is better"
        )
        .expect("a string takes all");
        text
    }

    /// The number of limits that were met, and of those that could be judged.
    fn score(&self) -> (usize, usize) {
        let verdicts: Vec<bool> = self.rows.iter().filter_map(Row::met).collect();
        (verdicts.iter().filter(|met| **met).count(), verdicts.len())
    }

    /// The table as JSON; times in seconds, memory in bytes.
    pub(super) fn json(&self) -> Value {
        let rows: Vec<Value> = self
            .rows
            .iter()
            .map(|row| {
                let (kind, limit) = match row.figure.bar {
                    Bar::None | Bar::Shown => (Value::Null, Value::Null),
                    Bar::Ratio(most) => (json!("ratio"), json!(most)),
                    Bar::Absolute(most) | Bar::Alone(most) => (json!("absolute"), json!(most)),
                };
                json!({
                    "id": row.figure.id,
                    "title": row.figure.title,
                    "unit": format!("{:?}", row.figure.unit).to_lowercase(),
                    "shellkeep": row.ours,
                    "tmux": row.tmux,
                    "ratio": row.ratio(),
                    "bar": { "kind": kind, "limit": limit },
                    "met": row.met(),
                })
            })
            .collect();
        json!({ "figures": rows })
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::*;

    fn report() -> Report {
        Report::new(&Samples::from([
            (
                "start-up",
                [vec![0.004, 0.006, 0.005], vec![0.010, 0.011, 0.009]],
            ),
            ("ls", [vec![0.0009], vec![0.001]]),
            ("attach", [vec![], vec![0.002]]),
            ("memory-1", [vec![3_400_000.0], vec![1_700_000.0]]),
            ("idle-wakeups", [vec![0.0], vec![0.0]]),
        ]))
    }

    #[test]
    fn the_table_shows_ratios_bars_and_failures() {
        expect![[r"
            measure                               shellkeep       tmux   ratio      bar
            start-up, no server to prompt           5.00 ms   10.00 ms    0.50   <= 0.8  met
            attach to painted screen                 failed    2.00 ms       -   <= 1.0
            ls of 10 sessions                        900 us    1.00 ms    0.90   <= 0.8  MISSED
            memory, 1 session                        3.4 MB     1.7 MB    2.00
            wakeups a second, 50 idle sessions          0.0        0.0       -   0 flat  met
            2 of 3 bars met; ratios are shellkeep / tmux, less is better
        "]]
        .assert_eq(&report().table());
    }

    #[test]
    fn machines_get_the_same() {
        let json = report().json();
        assert_eq!(json["figures"][0]["id"], "start-up");
        assert_eq!(json["figures"][0]["met"], true);
        assert_eq!(json["figures"][1]["shellkeep"], Value::Null);
        assert_eq!(json["figures"].as_array().unwrap().len(), 5);
    }
}
