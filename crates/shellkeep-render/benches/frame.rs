//! What one frame costs the server: building it and finding the difference to the last one.

use std::hint::black_box;

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use shellkeep_core::{Color, Size, Style};
use shellkeep_render::{Caps, Environment, Frame, FrameCursor, diff, repaint};

/// A screen full of coloured text, from a certain line on.
fn draw(frame: &mut Frame, from: u32) {
    let size = frame.size();
    frame.reset(size);
    for row in 0..size.rows() {
        let line = from + u32::from(row);
        for col in 0..size.cols() {
            let word = u32::from(col) / 7 + line * 31;
            let style = Style {
                fg: Color::Palette((word % 12) as u8),
                ..Style::default()
            };
            let byte = [b'a' + ((word * 7 + u32::from(col)) % 26) as u8];
            let text = match col % 7 {
                6 => " ",
                _ => std::str::from_utf8(&byte).unwrap_or(" "),
            };
            frame.put(row, col, text, 1, style, None);
        }
    }
    frame.set_cursor(FrameCursor {
        row: size.rows() - 1,
        col: 5,
        visible: true,
        ..FrameCursor::default()
    });
}

fn bench(c: &mut Criterion) {
    let caps = Caps::detect(&Environment {
        term: "xterm-256color",
        ..Environment::default()
    });
    for (rows, cols) in [(24, 80), (50, 200)] {
        let size = Size::new(rows, cols);
        let mut base = Frame::new(size);
        draw(&mut base, 0);
        let mut key = base.clone();
        key.put(rows - 1, 5, "#", 1, Style::default(), None);
        key.set_cursor(FrameCursor {
            col: 6,
            ..base.cursor()
        });
        let mut scrolled = Frame::new(size);
        draw(&mut scrolled, 1);
        let mut other = Frame::new(size);
        draw(&mut other, 10_000);

        let mut group = c.benchmark_group(size.to_string());
        group.bench_function("draw", |b| {
            let mut frame = Frame::new(size);
            b.iter(|| draw(black_box(&mut frame), 0));
        });
        let mut out = Vec::new();
        for (name, next) in [
            ("same", &base),
            ("key", &key),
            ("scroll", &scrolled),
            ("full", &other),
        ] {
            group.bench_function(BenchmarkId::new("diff", name), |b| {
                b.iter(|| {
                    out.clear();
                    diff(black_box(&base), black_box(next), &caps, &mut out);
                    out.len()
                });
            });
        }
        group.bench_function("repaint", |b| {
            b.iter(|| {
                out.clear();
                repaint(black_box(&base), &caps, &mut out);
                out.len()
            });
        });
        group.finish();
    }
}

criterion_group!(benches, bench);
criterion_main!(benches);
