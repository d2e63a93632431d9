use shellkeep_core::key::Modifiers;

use super::super::{MouseButton, MouseEvent, MouseKind, encode_mouse};
use super::*;
use crate::mode::{Modes, MouseEncoding, MouseProtocol};

const NONE: Modifiers = Modifiers::empty();

fn event(kind: MouseKind, button: MouseButton, mods: Modifiers, row: u16, col: u16) -> MouseEvent {
    MouseEvent {
        kind,
        button,
        mods,
        row,
        col,
    }
}

fn modes(mouse: MouseProtocol, mouse_encoding: MouseEncoding) -> Modes {
    Modes {
        mouse,
        mouse_encoding,
        ..Modes::default()
    }
}

#[test]
fn mouse_of_every_encoding_is_read() {
    use MouseButton as B;
    use MouseKind as K;
    for (bytes, expected) in [
        (&b"\x1b[<0;5;3M"[..], event(K::Press, B::Left, NONE, 2, 4)),
        (b"\x1b[<0;5;3m", event(K::Release, B::Left, NONE, 2, 4)),
        (
            b"\x1b[<2;300;200m",
            event(K::Release, B::Right, NONE, 199, 299),
        ),
        (b"\x1b[<32;1;1M", event(K::Motion, B::Left, NONE, 0, 0)),
        (b"\x1b[<35;1;1M", event(K::Motion, B::None, NONE, 0, 0)),
        (b"\x1b[<64;1;1M", event(K::Press, B::WheelUp, NONE, 0, 0)),
        (
            b"\x1b[<69;1;1M",
            event(K::Press, B::WheelDown, Modifiers::SHIFT, 0, 0),
        ),
        (b"\x1b[<66;1;1M", event(K::Press, B::WheelLeft, NONE, 0, 0)),
        (b"\x1b[<128;1;1M", event(K::Press, B::Extra(8), NONE, 0, 0)),
        (
            b"\x1b[<24;1;1M",
            event(K::Press, B::Left, Modifiers::META | Modifiers::CTRL, 0, 0),
        ),
        (
            b"\x1b[<0;0;99999999M",
            event(K::Press, B::Left, NONE, u16::MAX, 0),
        ),
        (b"\x1b[M !!", event(K::Press, B::Left, NONE, 0, 0)),
        (b"\x1b[M#%$", event(K::Release, B::None, NONE, 3, 4)),
        (
            b"\x1b[M@\xff\xfe",
            event(K::Motion, B::Left, NONE, 221, 222),
        ),
        (b"\x1b[M`!!", event(K::Press, B::WheelUp, NONE, 0, 0)),
        (b"\x1b[32;5;3M", event(K::Press, B::Left, NONE, 2, 4)),
        (b"\x1b[35;500;3M", event(K::Release, B::None, NONE, 2, 499)),
    ] {
        assert_eq!(decode(bytes), [Input::Mouse(expected)], "{bytes:?}");
        assert_eq!(decode_slowly(bytes), [Input::Mouse(expected)], "{bytes:?}");
    }
}

#[test]
fn mouse_in_utf8_is_read_when_asked_for() {
    let mut decoder = InputDecoder::new();
    decoder.set_mouse_encoding(MouseEncoding::Utf8);
    let mut out = Vec::new();
    decoder.feed("\x1b[M !\u{14c}\x1b[M \u{200}!".as_bytes(), &mut out);
    decoder.feed(b"\x1b[M \xff", &mut out);
    let press = |row, col| {
        let (kind, button) = (MouseKind::Press, MouseButton::Left);
        Input::Mouse(event(kind, button, NONE, row, col))
    };
    assert_eq!(out[..2], [press(0x14c - 33, 0), press(0, 0x200 - 33)]);
    assert_eq!(out[2], Input::Unknown(b"\x1b[M \xff".to_vec()));
}

#[test]
fn mouse_after_escape_is_both() {
    let out = decode(b"\x1b\x1b[<0;1;1M");
    assert_eq!(names(&out[..1]), "Escape");
    assert!(matches!(out[1..], [Input::Mouse(_)]));
}

#[test]
fn mouse_is_sent_only_where_asked_for() {
    use MouseButton as B;
    use MouseKind as K;
    use MouseProtocol as P;
    let all = [P::Off, P::X10, P::Buttons, P::Drag, P::Motion];
    for (kind, button, wanted) in [
        (K::Press, B::Left, &all[1..]),
        (K::Press, B::WheelUp, &all[2..]),
        (K::Press, B::Extra(9), &all[2..]),
        (K::Press, B::None, &[]),
        (K::Release, B::Left, &all[2..]),
        (K::Release, B::None, &all[2..]),
        (K::Release, B::WheelUp, &[]),
        (K::Motion, B::Left, &all[3..]),
        (K::Motion, B::None, &all[4..]),
    ] {
        for protocol in all {
            let mut out = Vec::new();
            let modes = modes(protocol, MouseEncoding::Sgr);
            let sent = encode_mouse(&event(kind, button, NONE, 0, 0), &modes, &mut out);
            assert_eq!(
                sent,
                wanted.contains(&protocol),
                "{kind:?} {button:?} {protocol:?}"
            );
            assert_eq!(sent, !out.is_empty());
        }
    }
}

#[test]
#[expect(clippy::too_many_lines, reason = "a table")]
fn mouse_is_written_in_every_encoding() {
    use MouseButton as B;
    use MouseEncoding as E;
    use MouseKind as K;
    let ctrl = Modifiers::CTRL;
    for (encoding, event, expected) in [
        (
            E::Sgr,
            event(K::Press, B::Left, NONE, 2, 4),
            &b"\x1b[<0;5;3M"[..],
        ),
        (
            E::Sgr,
            event(K::Release, B::Right, ctrl, 2, 299),
            b"\x1b[<18;300;3m",
        ),
        (
            E::Sgr,
            event(K::Release, B::None, NONE, 0, 0),
            b"\x1b[<0;1;1m",
        ),
        (
            E::Sgr,
            event(K::Motion, B::None, NONE, 0, 0),
            b"\x1b[<35;1;1M",
        ),
        (
            E::Legacy,
            event(K::Press, B::Left, NONE, 2, 4),
            b"\x1b[M %#",
        ),
        (
            E::Legacy,
            event(K::Release, B::Left, ctrl, 2, 4),
            b"\x1b[M3%#",
        ),
        (
            E::Legacy,
            event(K::Press, B::WheelDown, NONE, 0, 500),
            b"\x1b[Ma\xff!",
        ),
        (
            E::Utf8,
            event(K::Press, B::Left, NONE, 0, 500),
            b"\x1b[M \xc8\x95!",
        ),
        (
            E::Utf8,
            event(K::Press, B::Left, NONE, 0, 9000),
            b"\x1b[M \xdf\xbf!",
        ),
        (
            E::Urxvt,
            event(K::Press, B::Left, NONE, 2, 299),
            b"\x1b[32;300;3M",
        ),
        (
            E::Urxvt,
            event(K::Release, B::Left, NONE, 2, 4),
            b"\x1b[35;5;3M",
        ),
        (
            E::SgrPixels,
            event(K::Press, B::Left, NONE, 1, 2),
            b"\x1b[<0;20;24M",
        ),
    ] {
        let mut out = Vec::new();
        assert!(encode_mouse(
            &event,
            &modes(MouseProtocol::Motion, encoding),
            &mut out
        ));
        assert_eq!(out, expected, "{encoding:?} {event:?}");
    }
    // X10 reports no modifiers.
    let mut out = Vec::new();
    let press = event(K::Press, B::Left, ctrl, 0, 0);
    assert!(encode_mouse(
        &press,
        &modes(MouseProtocol::X10, E::Legacy),
        &mut out
    ));
    assert_eq!(out, b"\x1b[M !!");
}

/// What tmux 3.3a passed on to a pane in each mode when its own terminal sent the first column. Only the release with
/// Control differs: tmux drops the modifier, xterm does not.
#[test]
fn mouse_is_what_tmux_passes_on() {
    use MouseEncoding as E;
    use MouseProtocol as P;
    type Row = (&'static [u8], &'static [u8], &'static [u8]);
    let table: [Row; 8] = [
        (b"\x1b[<0;5;3M", b"\x1b[M %#", b"\x1b[M %#"),
        (b"\x1b[<0;6;3m", b"\x1b[M#&#", b"\x1b[M#&#"),
        (b"\x1b[<2;300;3M", b"\x1b[M\"\xff#", b"\x1b[M\"\xc5\x8c#"),
        (b"\x1b[<2;300;3m", b"\x1b[M#\xff#", b"\x1b[M#\xc5\x8c#"),
        (b"\x1b[<64;1;1M", b"\x1b[M`!!", b"\x1b[M`!!"),
        (b"\x1b[<18;5;3M", b"\x1b[M2%#", b"\x1b[M2%#"),
        (b"\x1b[<32;6;3M", b"\x1b[M@&#", b"\x1b[M@&#"),
        (b"\x1b[<35;9;9M", b"\x1b[MC))", b"\x1b[MC))"),
    ];
    for (index, (sent, legacy, utf8)) in table.into_iter().enumerate() {
        let [Input::Mouse(event)] = decode(sent)[..] else {
            panic!("{sent:?}")
        };
        for protocol in [P::Off, P::Buttons, P::Drag, P::Motion] {
            let wanted = match protocol {
                P::Off => false,
                P::Buttons => index < 6,
                P::Drag => index < 7,
                _ => true,
            };
            for (encoding, bytes) in [(E::Legacy, legacy), (E::Utf8, utf8), (E::Sgr, sent)] {
                let mut out = Vec::new();
                encode_mouse(&event, &modes(protocol, encoding), &mut out);
                let expected = if wanted { bytes } else { b"" };
                assert_eq!(out, expected, "{sent:?} {protocol:?} {encoding:?}");
            }
        }
    }
}
