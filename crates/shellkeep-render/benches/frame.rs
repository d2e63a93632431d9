//! Measures what one frame costs the server: composing it, and computing the difference to the last one.

use std::fmt::Write as _;
use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use shellkeep_core::Size;
use shellkeep_render::{Caps, Environment, Frame, compose_pane, diff, repaint};
use shellkeep_term::{Config, Emulator};

/// A pane full of coloured words, from a given line on.
fn pane(size: Size, from: u32) -> Emulator {
    let mut text = String::new();
    for line in from..from + u32::from(size.rows()) {
        text.push_str("\r\n");
        for word in 0..u32::from(size.cols()) / 7 {
            let mix = (line * 31 + word).wrapping_mul(2_654_435_761);
            let _ = write!(text, "\x1b[{}m{:06x} ", 30 + mix % 8, mix >> 8);
        }
    }
    let mut pane = Emulator::new(size, Config::default());
    pane.feed(text.as_bytes(), &mut Vec::new());
    pane
}

fn bench(c: &mut Criterion) {
    let caps = Caps::detect(&Environment {
        term: "xterm-256color",
        ..Environment::default()
    });
    for (rows, cols) in [(24, 80), (50, 200), (100, 300)] {
        let size = Size::new(rows, cols);
        let base = pane(size, 0);
        let mut key = pane(size, 0);
        key.feed(b"\x1b[2D\x1b[m#", &mut Vec::new());
        let panes = [
            ("same", pane(size, 0)),
            ("key", key),
            ("scroll", pane(size, 1)),
            ("full", pane(size, 10_000)),
        ];
        let mut prev = Frame::new(size);
        compose_pane(&base, size, &mut prev);
        let mut next = Frame::new(size);
        let mut out = Vec::new();

        let mut group = c.benchmark_group(size.to_string());
        group.bench_function("compose", |b| {
            b.iter(|| compose_pane(black_box(&base), size, &mut next));
        });
        for (name, pane) in &panes {
            compose_pane(pane, size, &mut next);
            group.bench_function(format!("diff/{name}"), |b| {
                b.iter(|| {
                    out.clear();
                    diff(black_box(&prev), black_box(&next), &caps, &mut out);
                    out.len()
                });
            });
            group.bench_function(format!("compose+diff/{name}"), |b| {
                b.iter(|| {
                    compose_pane(black_box(pane), size, &mut next);
                    out.clear();
                    diff(black_box(&prev), &next, &caps, &mut out);
                    out.len()
                });
            });
        }
        group.bench_function("repaint", |b| {
            b.iter(|| {
                out.clear();
                repaint(black_box(&prev), &caps, &mut out);
                out.len()
            });
        });
        group.finish();
    }
}

criterion_group!(benches, bench);
criterion_main!(benches);
