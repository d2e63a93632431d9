use proptest::prelude::*;

use super::super::paste::{PASTE_END, PASTE_START, PasteEncoder, encode_paste};
use super::*;
use crate::mode::Modes;

fn plain() -> Modes {
    Modes::default()
}

fn bracketed() -> Modes {
    Modes {
        bracketed_paste: true,
        ..Modes::default()
    }
}

/// The pasted text, and what came after it.
fn pasted(inputs: &[Input]) -> (Vec<u8>, &[Input]) {
    assert_eq!(inputs[0], Input::PasteStart);
    let end = inputs.iter().position(|i| *i == Input::PasteEnd).unwrap();
    let text = inputs[1..end].iter().flat_map(|input| match input {
        Input::Paste(chunk) => chunk.clone(),
        other => panic!("{other:?} in a paste"),
    });
    (text.collect(), &inputs[end + 1..])
}

#[test]
fn paste_is_text_whatever_is_in_it() {
    let text = b"a\x1b[200~\x1b[A\x1b[<0;1;1M\x1b[20\x1b[201\r\n\x1b\x1b]11;\x07\xff\x03";
    let bytes = [PASTE_START, text, PASTE_END, b"x"].concat();
    for inputs in [decode(&bytes), decode_slowly(&bytes)] {
        let (pasted, rest) = pasted(&inputs);
        assert_eq!(pasted, text);
        assert_eq!(names(rest), "x");
    }
}

#[test]
fn paste_of_nothing_is_a_paste() {
    let bytes = [PASTE_START, PASTE_END].concat();
    assert_eq!(decode(&bytes), [Input::PasteStart, Input::PasteEnd]);
}

#[test]
fn huge_paste_streams() {
    let mut decoder = InputDecoder::new();
    let mut out = Vec::new();
    decoder.feed(PASTE_START, &mut out);
    let piece = vec![b'x'; 1 << 18];
    let mut total = 0;
    for _ in 0..64 {
        out.clear();
        decoder.feed(&piece, &mut out);
        for input in &out {
            let Input::Paste(chunk) = input else {
                panic!("{input:?}")
            };
            assert!(chunk.len() <= (1 << 16) + PASTE_END.len());
            total += chunk.len();
        }
        assert!(!decoder.has_pending() && decoder.is_pasting());
    }
    assert_eq!(total, 64 << 18);
}

#[test]
fn paste_without_an_end_can_be_ended() {
    let mut decoder = InputDecoder::new();
    let mut out = Vec::new();
    decoder.feed(b"\x1b[200~ab\x1b[20", &mut out);
    assert!(decoder.has_pending());
    decoder.end_paste(&mut out);
    decoder.feed(b"1~", &mut out);
    let (text, rest) = pasted(&out);
    assert_eq!(text, b"ab\x1b[20");
    assert_eq!(names(rest), "1 ~");
    out.clear();
    decoder.end_paste(&mut out);
    assert!(out.is_empty());
}

#[test]
fn paste_is_wrapped_if_the_program_asked() {
    let mut out = Vec::new();
    encode_paste(b"a\nb", &plain(), &mut out);
    assert_eq!(out, b"a\nb");
    out.clear();
    encode_paste(b"a\nb\x1b[0m", &bracketed(), &mut out);
    assert_eq!(out, b"\x1b[200~a\nb\x1b[0m\x1b[201~");
}

#[test]
fn end_marker_in_a_paste_is_disarmed() {
    for (text, expected) in [
        (&b"a\x1b[201~rm"[..], &b"a [201~rm"[..]),
        (b"\x1b[20\x1b[201~1~x", b"\x1b[20 [201~1~x"),
        (b"\x1b\x1b[201~", b"\x1b [201~"),
        (b"\xc2\x9b201~x\xc2\xa0", b" 201~x\xc2\xa0"),
        (b"\x1b[201", b"\x1b[201"),
    ] {
        let mut out = Vec::new();
        encode_paste(text, &bracketed(), &mut out);
        assert_eq!(out, [PASTE_START, expected, PASTE_END].concat(), "{text:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_paste_ends_early(pieces in prop::collection::vec(prop::sample::select(vec![
        &b"\x1b"[..], b"[", b"2", b"0", b"1", b"~", b"\x1b[201~", b"\xc2", b"\x9b", b"x", b"\x1b[20",
    ]), 0..40)) {
        let mut out = Vec::new();
        let mut encoder = PasteEncoder::start(&bracketed(), &mut out);
        for piece in &pieces {
            encoder.chunk(piece, &mut out);
        }
        encoder.finish(&mut out);
        let ends = out.windows(PASTE_END.len()).filter(|w| *w == PASTE_END).count();
        prop_assert_eq!(ends, 1);
        prop_assert!(out.ends_with(PASTE_END));
        let mut whole = Vec::new();
        encode_paste(&pieces.concat(), &bracketed(), &mut whole);
        prop_assert_eq!(out, whole);
    }
}
