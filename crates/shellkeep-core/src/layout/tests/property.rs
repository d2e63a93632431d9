//! Properties that hold for every layout.

use proptest::prelude::*;

use crate::layout::*;
use crate::{PaneId, Size};

#[derive(Clone, Debug)]
enum Step {
    Split(usize, SplitOptions),
    Join(usize, usize, SplitOptions),
    Remove(usize),
    Resize(u16, u16),
    ResizePane(usize, Direction, u16),
    ResizeTo(usize, Axis, u32),
    Drag((u16, u16), (u16, u16)),
    Spread(usize),
    Rotate(Rotation),
    Swap(usize, usize),
    Apply(Preset, SplitSize, SplitSize),
    Status(BorderStatus),
}

fn axis() -> impl Strategy<Value = Axis> {
    prop_oneof![Just(Axis::Rows), Just(Axis::Columns)]
}

fn length() -> impl Strategy<Value = SplitSize> {
    prop_oneof![
        (0u32..60).prop_map(SplitSize::Cells),
        Just(SplitSize::Cells(u32::MAX)),
        (0u32..200).prop_map(SplitSize::Percent),
        Just(SplitSize::Percent(u32::MAX)),
    ]
}

fn options() -> impl Strategy<Value = SplitOptions> {
    let side = prop_oneof![Just(Side::Before), Just(Side::After)];
    let span = prop_oneof![Just(Span::Pane), Just(Span::FullWindow)];
    (axis(), prop::option::of(length()), side, span).prop_map(|(direction, size, side, span)| {
        SplitOptions {
            direction,
            size,
            side,
            span,
        }
    })
}

fn step() -> impl Strategy<Value = Step> {
    let direction = prop::sample::select(vec![
        Direction::Up,
        Direction::Down,
        Direction::Left,
        Direction::Right,
    ]);
    let status = prop::sample::select(vec![
        BorderStatus::Off,
        BorderStatus::Top,
        BorderStatus::Bottom,
    ]);
    let place = || (0u16..40, 0u16..90);
    let pane = || 0usize..20;
    prop_oneof![
        4 => (pane(), options()).prop_map(|(at, options)| Step::Split(at, options)),
        1 => (pane(), pane(), options()).prop_map(|(a, b, options)| Step::Join(a, b, options)),
        1 => pane().prop_map(Step::Remove),
        1 => (0u16..60, 0u16..120).prop_map(|(rows, cols)| Step::Resize(rows, cols)),
        1 => (pane(), direction, 0u16..30).prop_map(|(at, way, n)| Step::ResizePane(at, way, n)),
        1 => (pane(), axis(), 0u32..60).prop_map(|(at, axis, n)| Step::ResizeTo(at, axis, n)),
        1 => (place(), place()).prop_map(|(from, to)| Step::Drag(from, to)),
        1 => pane().prop_map(Step::Spread),
        1 => Just(Step::Rotate(Rotation::Up)),
        1 => Just(Step::Rotate(Rotation::Down)),
        1 => (pane(), pane()).prop_map(|(a, b)| Step::Swap(a, b)),
        1 => (prop::sample::select(Preset::ALL.to_vec()), length(), length())
            .prop_map(|(preset, main, other)| Step::Apply(preset, main, other)),
        1 => status.prop_map(Step::Status),
    ]
}

fn run(layout: &mut Layout, step: &Step, new: PaneId) {
    let pane = |index: &usize| layout.panes()[index % layout.panes().len()];
    match step {
        Step::Split(at, options) => drop(layout.split(pane(at), new, *options)),
        Step::Join(at, from, options) => {
            let (at, from) = (pane(at), pane(from));
            if layout.join(at, new, *options).is_ok() && layout.remove(from) {
                layout.replace(new, from);
            }
        }
        Step::Remove(at) => drop(layout.remove(pane(at))),
        Step::Resize(rows, cols) => layout.resize(Size::new(*rows, *cols)),
        Step::ResizePane(at, direction, n) => layout.resize_pane(pane(at), *direction, *n),
        Step::ResizeTo(at, axis, n) => layout.resize_pane_to(pane(at), *axis, *n),
        Step::Drag(from, to) => drop(layout.drag_border(*from, *to)),
        Step::Spread(at) => layout.spread(pane(at)),
        Step::Rotate(rotation) => layout.rotate(*rotation),
        Step::Swap(a, b) => layout.swap(pane(a), pane(b)),
        Step::Apply(preset, main, other) => {
            let options = PresetOptions {
                main_pane_height: *main,
                main_pane_width: *main,
                other_pane_height: *other,
                other_pane_width: *other,
            };
            layout.apply(*preset, &options);
        }
        Step::Status(status) => layout.set_border_status(*status),
    }
}

/// Checks that every cell of the window belongs to one pane, or to a border that some pane touches.
fn check(layout: &Layout) {
    let size = layout.size();
    let mut panes = 0;
    for (pane, place) in layout.places() {
        assert!(place.rows > 0 && place.cols > 0, "{pane} {place:?}");
        assert!(place.bottom() <= size.rows() && place.right() <= size.cols());
        panes += usize::from(place.rows) * usize::from(place.cols);
    }
    let borders = layout.borders();
    for border in &borders {
        assert_eq!(layout.pane_at(border.row, border.col), None);
        assert!(!border.panes.is_empty(), "{border:?} {}", layout.to_text());
    }
    let all = usize::from(size.rows()) * usize::from(size.cols());
    assert_eq!(panes + borders.len(), all, "{}", layout.to_text());
}

/// Checks that a layout is restored from its text, even if its panes have other numbers now, and that a new pane is
/// left over.
fn assert_restored(layout: &Layout) {
    let mut layout = layout.clone();
    layout.set_border_status(BorderStatus::Off);
    let text = layout.to_text();
    let mut panes: Vec<(u32, PaneId)> = Vec::new();
    for pane in layout.panes().to_vec() {
        let other = PaneId(pane.0 + 10_000);
        panes.push((pane.0, other));
        layout.replace(pane, other);
    }
    let stranger = PaneId(5);
    panes.insert(panes.len() / 2, (99_999, stranger));
    let (restored, left) = Layout::restore(&text, &panes).unwrap();
    assert_eq!(restored, layout);
    assert_eq!(left, [stranger]);
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn layout_after_any_steps_fills_the_window(
        rows in 1u16..50,
        cols in 1u16..100,
        steps in prop::collection::vec(step(), 0..40),
    ) {
        let mut layout = Layout::single(PaneId(0), Size::new(rows, cols));
        for (number, step) in steps.iter().enumerate() {
            run(&mut layout, step, PaneId(number as u32 + 1));
            check(&layout);
            let mut again = layout.clone();
            // The order of the panes is not in the text.
            again.order = again.tree.leaves().into_iter().map(|(_, pane)| pane).collect();
            let text = layout.to_text();
            let parsed = Layout::parse(&text).unwrap();
            assert_eq!(parsed.panes(), layout.panes().len());
            again.apply_text(&parsed).unwrap();
            assert_eq!(again.to_text(), text);
            assert_eq!(again.places().len(), layout.places().len());
            assert_restored(&layout);
        }
    }

    #[test]
    fn layout_of_up_to_500_panes_is_restored_as_it_was(
        rows in 1u16..400,
        cols in 1u16..600,
        steps in prop::collection::vec((any::<prop::sample::Index>(), options()), 0..700),
        preset in prop::option::of(prop::sample::select(Preset::ALL.to_vec())),
        gone in prop::collection::vec(any::<prop::sample::Index>(), 0..100),
    ) {
        let mut layout = Layout::single(PaneId(7), Size::new(rows, cols));
        for ((at, options), number) in steps.iter().zip(100..) {
            let at = *at.get(layout.panes());
            let _ = layout.split(at, PaneId(number), *options);
            if layout.panes().len() == 500 {
                break;
            }
        }
        if let Some(preset) = preset {
            layout.apply(preset, &PresetOptions::default());
        }
        assert_restored(&layout);

        // Without some of its panes, the result is as if these had been closed.
        let (text, mut less) = (layout.to_text(), layout.clone());
        let kept = *gone.first().map_or(&layout.panes()[0], |index| index.get(layout.panes()));
        let gone: Vec<PaneId> = gone.iter().map(|index| *index.get(layout.panes())).collect();
        for (_, pane) in layout.tree.leaves() {
            if pane != kept && gone.contains(&pane) {
                less.remove(pane);
            }
        }
        let panes: Vec<(u32, PaneId)> = less.panes().iter().map(|pane| (pane.0, *pane)).collect();
        let (restored, left) = Layout::restore(&text, &panes).unwrap();
        assert_eq!((restored, left), (less, Vec::new()));
    }

    #[test]
    fn any_layout_text_is_parsed_or_refused(tree in "[0-9x,{}\\[\\]]{0,40}") {
        let sum = tree.bytes().fold(0u16, |sum, byte| {
            sum.rotate_right(1).wrapping_add(u16::from(byte))
        });
        if let Ok(text) = Layout::parse(&format!("{sum:04x},{tree}")) {
            let mut layout = Layout::single(PaneId(0), Size::default());
            if layout.apply_text(&text).is_ok() {
                check(&layout);
            }
        }
    }
}

#[test]
fn layout_text_nested_deeply_is_refused() {
    let mut tree = String::from("1x1,0,0");
    for _ in 0..5_000 {
        tree = format!("1x1,0,0[{tree}]");
    }
    let sum = tree.bytes().fold(0u16, |sum, byte| {
        sum.rotate_right(1).wrapping_add(u16::from(byte))
    });
    let text = format!("{sum:04x},{tree}");
    assert_eq!(Layout::parse(&text), Err(LayoutError::Invalid));
}

fn with_checksum(tree: &str) -> String {
    let sum = tree.bytes().fold(0u16, |sum, byte| {
        sum.rotate_right(1).wrapping_add(u16::from(byte))
    });
    format!("{sum:04x},{tree}")
}

#[test]
fn layout_text_with_nodes_around_single_cells_is_applied() {
    let text = with_checksum("9x9,0,0{4x9,0,0[4x9,0,0,0],4x9,5,0[4x9,5,0,1]}");
    let text = Layout::parse(&text).unwrap();
    let mut layout = Layout::single(PaneId(0), Size::default());
    layout.apply_text(&text).unwrap();
    check(&layout);
    assert_eq!(layout.panes(), [PaneId(0)]);
}

#[test]
fn layout_nested_as_deep_as_it_can_be_is_restored() {
    let mut layout = Layout::single(PaneId(0), Size::new(2_000, 2_000));
    let one = |span, number: u32| SplitOptions {
        span,
        size: Some(SplitSize::Cells(1)),
        ..SplitOptions::new(match number % 2 {
            0 => Axis::Rows,
            _ => Axis::Columns,
        })
    };
    let mut number = 0;
    let mut split = |layout: &mut Layout, at, span| {
        number += 1;
        layout.split(at, PaneId(number), one(span, number)).is_ok()
    };
    while layout.tree.deepest() < 190 {
        assert!(split(&mut layout, PaneId(0), Span::Pane));
    }
    // The pane at which the window is split is not the deepest.
    while split(&mut layout, PaneId(1), Span::FullWindow) {}
    while split(&mut layout, PaneId(0), Span::Pane) {}
    assert_eq!(layout.tree.deepest(), 200);
    assert_restored(&layout);
}

#[test]
fn layout_text_that_names_a_pane_twice_gives_it_one_place() {
    let text = with_checksum("9x9,0,0{4x9,0,0,1,4x9,5,0,1}");
    let (layout, left) = Layout::restore(&text, &[(1, PaneId(1)), (2, PaneId(2))]).unwrap();
    check(&layout);
    assert_eq!(
        (layout.panes(), &left[..]),
        (&[PaneId(1)][..], &[PaneId(2)][..])
    );
    assert_eq!(
        Layout::restore(&text, &[(3, PaneId(3))]),
        Err(LayoutError::Invalid)
    );
}

#[test]
fn layout_text_with_fewer_cells_than_panes_is_refused_with_both_numbers() {
    let mut layout = Layout::single(PaneId(0), Size::default());
    layout
        .split(PaneId(0), PaneId(1), SplitOptions::new(Axis::Rows))
        .unwrap();
    let text = Layout::parse("b25d,80x24,0,0,0").unwrap();
    let error = layout.apply_text(&text).unwrap_err();
    assert_eq!(error.to_string(), "have 2 panes but need 1");
    assert_eq!(
        Layout::parse("b25e,80x24,0,0,0").unwrap_err().to_string(),
        "invalid layout"
    );
}

/// The expected layouts are tmux's after the same drags.
#[test]
fn border_dragged_moves_as_far_as_it_can() {
    let mut layout = Layout::single(PaneId(0), Size::default());
    for (at, new, axis) in [(0, 1, Axis::Columns), (1, 2, Axis::Rows)] {
        let options = SplitOptions::new(axis);
        layout.split(PaneId(at), PaneId(new), options).unwrap();
    }
    for (from, to, text) in [
        (
            (3, 40),
            (3, 50),
            "1b5c,80x24,0,0{50x24,0,0,0,29x24,51,0[29x12,51,0,1,29x11,51,13,2]}",
        ),
        (
            (12, 60),
            (23, 60),
            "9274,80x24,0,0{50x24,0,0,0,29x24,51,0[29x22,51,0,1,29x1,51,23,2]}",
        ),
        // Where two borders meet, both move.
        (
            (22, 50),
            (10, 20),
            "2944,80x24,0,0{20x24,0,0,0,59x24,21,0[59x10,21,0,1,59x13,21,11,2]}",
        ),
        (
            (3, 20),
            (3, 79),
            "9ce5,80x24,0,0{78x24,0,0,0,1x24,79,0[1x10,79,0,1,1x13,79,11,2]}",
        ),
    ] {
        assert!(layout.drag_border(from, to));
        assert_eq!(layout.to_text(), text);
    }
    assert!(!layout.drag_border((5, 5), (6, 6)));
}

#[test]
fn pane_in_names_the_corners() {
    let mut layout = Layout::single(PaneId(0), Size::default());
    for (at, new, axis) in [(0, 1, Axis::Columns), (1, 2, Axis::Rows)] {
        let options = SplitOptions::new(axis);
        layout.split(PaneId(at), PaneId(new), options).unwrap();
    }
    assert_eq!(layout.pane_in(NamedPlace::Left), Some(PaneId(0)));
    assert_eq!(layout.pane_in(NamedPlace::TopRight), Some(PaneId(1)));
    assert_eq!(layout.pane_in(NamedPlace::BottomRight), Some(PaneId(2)));
    assert_eq!(layout.pane_near(5, 40), Some(PaneId(0)));
    assert_eq!(layout.pane_at(5, 40), None);
}

#[test]
fn borders_of_three_panes_meet_in_a_join() {
    let mut layout = Layout::single(PaneId(0), Size::new(5, 7));
    for (at, new, axis) in [(0, 1, Axis::Columns), (1, 2, Axis::Rows)] {
        let options = SplitOptions::new(axis);
        layout.split(PaneId(at), PaneId(new), options).unwrap();
    }
    let borders = layout.borders();
    let at = |row, col| {
        borders
            .iter()
            .find(|b| (b.row, b.col) == (row, col))
            .unwrap()
    };
    assert_eq!(at(0, 3).lines, Lines::UP | Lines::DOWN);
    assert_eq!(at(2, 3).lines, Lines::all() - Lines::LEFT);
    assert_eq!(at(2, 3).panes, [PaneId(0), PaneId(1), PaneId(2)]);
    assert_eq!(at(2, 6).lines, Lines::LEFT | Lines::RIGHT);
    assert_eq!(at(0, 3).panes, [PaneId(0), PaneId(1)]);
}
