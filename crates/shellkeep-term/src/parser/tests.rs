//! The parser alone, and compared with `vte` where both define the language alike.

use proptest::prelude::*;

use super::*;

/// What the parser recognised. Runs of text are joined, so that it does not matter how they were split.
#[derive(Default)]
struct Log {
    entries: Vec<String>,
    text: String,
}

impl Log {
    fn flush(&mut self) {
        if !self.text.is_empty() {
            let text = std::mem::take(&mut self.text);
            self.entries.push(format!("text {text}"));
        }
    }

    fn push(&mut self, entry: String) {
        self.flush();
        self.entries.push(entry);
    }

    fn finish(mut self) -> Vec<String> {
        self.flush();
        self.entries
    }
}

fn groups(params: &[u16], is_sub: impl Fn(usize) -> bool) -> String {
    let mut out = String::new();
    for (at, param) in params.iter().enumerate() {
        if at > 0 {
            out.push(if is_sub(at) { ':' } else { ';' });
        }
        out.push_str(&param.to_string());
    }
    // No parameter and a single 0 mean the same; `vte` does not distinguish them.
    if out.is_empty() { "0".to_owned() } else { out }
}

impl Perform for Log {
    fn ascii(&mut self, run: &[u8]) {
        self.text.push_str(&String::from_utf8_lossy(run));
    }

    fn plain(&mut self, _: &[u8]) -> usize {
        0
    }

    fn char(&mut self, c: char) {
        self.text.push(c);
    }

    fn control(&mut self, byte: u8) {
        self.push(format!("control {byte:02x}"));
    }

    fn esc(&mut self, intermediates: &[u8], last: u8) {
        self.push(format!(
            "esc {}{}",
            intermediates.escape_ascii(),
            char::from(last)
        ));
    }

    fn csi(&mut self, csi: &Csi) {
        let params = groups(csi.params(), |at| csi.is_sub(at));
        let prefix = [csi.prefix];
        let prefix = if csi.prefix == 0 { &[][..] } else { &prefix };
        let marks = [
            prefix,
            &csi.intermediates[..usize::from(csi.intermediate_len)],
        ]
        .concat();
        self.push(format!(
            "csi {} {params} {}",
            marks.escape_ascii(),
            char::from(csi.last)
        ));
    }

    fn osc(&mut self, payload: &[u8], _: StringEnd) {
        self.push(format!("osc {}", payload.escape_ascii()));
    }

    fn wants_dcs(&self, _: &Csi) -> bool {
        true
    }

    fn dcs(&mut self, header: &Csi, payload: &[u8]) {
        let params = groups(header.params(), |at| header.is_sub(at));
        self.push(format!(
            "dcs {params} {} {}",
            char::from(header.last),
            payload.escape_ascii()
        ));
    }
}

fn ours(bytes: &[u8]) -> Vec<String> {
    let mut log = Log::default();
    Parser::new(1 << 16).feed(bytes, &mut log);
    log.finish()
}

#[derive(Default)]
struct Vte {
    log: Log,
    dcs: String,
}

fn vte_groups(params: &vte::Params) -> String {
    let group = |group: &[u16]| {
        let parts: Vec<String> = group.iter().map(u16::to_string).collect();
        parts.join(":")
    };
    params.iter().map(group).collect::<Vec<_>>().join(";")
}

impl vte::Perform for Vte {
    fn print(&mut self, c: char) {
        if c != '\x7f' {
            self.log.text.push(c);
        }
    }

    fn execute(&mut self, byte: u8) {
        self.log.control(byte);
    }

    fn esc_dispatch(&mut self, intermediates: &[u8], ignore: bool, byte: u8) {
        // In `vte` the end of a string is a sequence of its own.
        if !ignore && byte != b'\\' {
            self.log.esc(intermediates, byte);
        }
    }

    fn csi_dispatch(
        &mut self,
        params: &vte::Params,
        intermediates: &[u8],
        ignore: bool,
        action: char,
    ) {
        if !ignore {
            let marks = intermediates.escape_ascii();
            self.log
                .push(format!("csi {marks} {} {action}", vte_groups(params)));
        }
    }

    fn osc_dispatch(&mut self, params: &[&[u8]], _: bool) {
        self.log.osc(&params.join(&b';'), StringEnd::Bell);
    }

    fn hook(&mut self, params: &vte::Params, _: &[u8], _: bool, action: char) {
        self.dcs = format!("dcs {} {action} ", vte_groups(params));
    }

    fn put(&mut self, byte: u8) {
        self.dcs.push_str(&[byte].escape_ascii().to_string());
    }

    fn unhook(&mut self) {
        let dcs = std::mem::take(&mut self.dcs);
        self.log.push(dcs);
    }
}

fn theirs(bytes: &[u8]) -> Vec<String> {
    let mut vte = Vte::default();
    vte::Parser::new().advance(&mut vte, bytes);
    vte.log.finish()
}

/// Input that both read alike. Left out on purpose: 8-bit controls as single bytes (they are invalid UTF-8), aborted
/// strings (xterm drops them, vte executes them), too many parameters (xterm keeps the first ones, vte drops the
/// sequence).
fn piece() -> impl Strategy<Value = String> {
    prop_oneof![
        "[ -~]{1,20}",
        "[a-zé漢🚀]{1,6}",
        prop::sample::select(vec![
            "\r", "\n", "\x08", "\t", "\x07", "\x00", "\x0e", "\x7f"
        ])
        .prop_map(str::to_owned),
        "\x1b\\[[<=>?]?([0-9]{0,6}[;:]){0,6}[0-9]{0,6}[ -/]?[@-~]",
        "\x1b\\[[0-9]{0,3}[ -/]{2}[@-~]",
        "\x1b\\[[0-9;]{0,3}\x08[0-9;]{0,3}[@-~]",
        "\x1b\\[[0-9]{0,2}[<-?][0-9;<-?]{0,3}[@-~]",
        "\x1b[ -/]{1,2}[0-OQ-WYZ`-~]",
        // A window's name begins with `ESC k`, which vte does not know.
        "\x1b[0-OQ-WYZ`-jl-~]",
        "\x1b\\][0-9]{1,4};[ -:<-~é漢]{0,20}(\x07|\x1b\\\\)",
        "\x1bP[0-9;]{0,4}[ -/]?[@-~][ -~]{0,10}\x1b\\\\",
        "\x1b[X^_][ -~]{0,10}\x1b\\\\",
        "\x1b\\[[0-9;]{0,4}[\x18\x1a]",
        "\x1b\\[[0-9;]{0,4}\x1b\\[m",
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn vte_reads_the_same(pieces in prop::collection::vec(piece(), 0..20)) {
        let bytes = pieces.concat().into_bytes();
        prop_assert_eq!(ours(&bytes), theirs(&bytes), "{}", bytes.escape_ascii());
    }

    #[test]
    fn broken_text_is_replaced_as_the_standard_library_does(bytes in prop::collection::vec(any::<u8>(), 0..40)) {
        let bytes: Vec<u8> = bytes.into_iter().filter(|byte| (0x20..0x7f).contains(byte) || *byte > 0xa0).collect();
        let mut log = Log::default();
        let mut parser = Parser::new(1 << 16);
        parser.feed(&bytes, &mut log);
        // The last byte shows the parser that an incomplete character will not be completed.
        parser.feed(b"!", &mut log);
        let mut whole = bytes.clone();
        whole.push(b'!');
        prop_assert_eq!(log.finish(), [format!("text {}", String::from_utf8_lossy(&whole))]);
    }

    #[test]
    fn any_bytes_in_pieces_read_as_at_once(bytes in prop::collection::vec(any::<u8>(), 0..80), cut in 1usize..5) {
        let mut log = Log::default();
        let mut parser = Parser::new(1 << 16);
        bytes.chunks(cut).for_each(|piece| parser.feed(piece, &mut log));
        prop_assert_eq!(log.finish(), ours(&bytes));
    }
}

#[test]
fn parameters_keep_their_separators() {
    assert_eq!(
        ours(b"\x1b[4:3;;58:2::1mx"),
        ["csi  4:3;0;58:2:0:1 m", "text x"]
    );
    assert_eq!(ours(b"\x1b[99999999m"), ["csi  65535 m"]);
}

#[test]
fn parameters_past_the_cap_are_dropped() {
    let entries = ours(format!("\x1b[{}Hx", "7;".repeat(40)).as_bytes());
    assert_eq!(entries.len(), 2);
    assert_eq!(entries[0].matches('7').count(), MAX_PARAMS);
}

#[test]
fn runs_of_ascii_end_at_the_first_other_byte() {
    for at in 0..20 {
        for stop in [0x00, 0x1b, 0x1f, 0x7f, 0x80, 0xff] {
            let mut bytes = vec![b'a'; 24];
            bytes[at] = stop;
            assert_eq!(ascii_run(&bytes), at, "{stop:02x}");
        }
    }
    assert_eq!(ascii_run(b" ~"), 2);
}
