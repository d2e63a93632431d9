//! Random bytes, and likely ones, fed in random pieces.

use proptest::prelude::*;

use super::*;

/// Joins the pieces of a paste, which depend on the reads.
fn joined(inputs: Vec<Input>) -> Vec<Input> {
    let mut out: Vec<Input> = Vec::new();
    for input in inputs {
        match (out.last_mut(), input) {
            (Some(Input::Paste(before)), Input::Paste(after)) => before.extend(after),
            (_, input) => out.push(input),
        }
    }
    out
}

/// Bytes that form sequences, and random bytes now and then.
fn likely_bytes() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop_oneof![
        4 => prop::sample::select(vec![
            "\x1b", "\x1b[", "\x1bO", "\x1b]", "\x1bP", "\x1b_G", "\x1b\\", "\x07", "\x1b[M", "\x1b[<",
            "\x1b[?", "\x1b[>", "\x1b[200~", "\x1b[201~", "0", "1", "5", "27", "200", ";", ":", "$", "~",
            "A", "M", "m", "u", "R", "c", "y", "t", "n", "[", "11;rgb:1/2/3", ">|", "1+r41=42", "52;c;YQ==",
            "a", "é", "日", "😀", "\r", "\x7f", "\x18", " ",
        ]).prop_map(|text| text.as_bytes().to_vec()),
        1 => prop::collection::vec(any::<u8>(), 1..4),
    ];
    prop::collection::vec(piece, 0..24).prop_map(|pieces| pieces.concat())
}

fn check_pieces(bytes: &[u8], cut: usize) -> Result<(), TestCaseError> {
    let mut decoder = InputDecoder::new();
    let mut whole = Vec::new();
    decoder.feed(bytes, &mut whole);
    let whole = joined(whole);
    prop_assert_eq!(&joined(decode_slowly(bytes)), &whole);

    let (head, tail) = bytes.split_at(cut.min(bytes.len()));
    let mut cutter = InputDecoder::new();
    let mut halves = Vec::new();
    cutter.feed(head, &mut halves);
    cutter.feed(tail, &mut halves);
    prop_assert_eq!(&joined(halves), &whole);
    prop_assert_eq!(cutter.has_pending(), decoder.has_pending());

    // In every state, the timer brings the decoder to rest, and keys work again.
    let mut out = Vec::new();
    decoder.end_paste(&mut out);
    for _ in 0..4 {
        decoder.flush(&mut out);
    }
    prop_assert!(!decoder.has_pending());
    out.clear();
    decoder.feed(b"x", &mut out);
    prop_assert_eq!(names(&out), "x");
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(1000) })]

    #[test]
    fn likely_bytes_in_pieces_are_the_same_as_at_once(bytes in likely_bytes(), cut in 0..64usize) {
        check_pieces(&bytes, cut)?;
    }

    #[test]
    fn any_bytes_in_pieces_are_the_same_as_at_once(
        bytes in prop::collection::vec(any::<u8>(), 0..64),
        cut in 0..64usize,
    ) {
        check_pieces(&bytes, cut)?;
    }

    /// Each event except Escape needs at least one byte, and no more is held than was fed.
    #[test]
    fn events_are_bounded_by_the_bytes(bytes in likely_bytes()) {
        let mut decoder = InputDecoder::new();
        let mut out = Vec::new();
        decoder.feed(&bytes, &mut out);
        prop_assert!(out.len() <= bytes.len());
    }
}
