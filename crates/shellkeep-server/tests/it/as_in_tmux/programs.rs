//! Programs that a test plays in a pane, where tmux runs the real ones.

/// What `cat -v` prints of what it reads, on a terminal that changes nothing.
pub(super) fn cat_v(read: &str) -> String {
    let bytes = read.bytes().map(|byte| match byte {
        b'\n' | b'\t' => char::from(byte).to_string(),
        _ => {
            let meta = if byte < 0x80 { "" } else { "M-" };
            match byte & 0x7f {
                0x7f => format!("{meta}^?"),
                low @ 0..0x20 => format!("{meta}^{}", char::from(low + 0x40)),
                low => format!("{meta}{}", char::from(low)),
            }
        }
    });
    bytes.collect()
}

/// What a terminal that echoes and `cat` behind it print when this is typed.
pub(super) fn echo_and_cat(typed: &str) -> String {
    let mut printed = String::new();
    for line in typed.split_inclusive('\r') {
        match line.strip_suffix('\r') {
            Some(line) => printed.push_str(&format!("{line}\r\n{line}\r\n")),
            None => printed.push_str(line),
        }
    }
    printed
}
