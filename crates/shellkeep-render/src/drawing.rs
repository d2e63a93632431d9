//! Lines on terminals without UTF-8: the VT100's line drawing charset, which every terminal that can be painted on has.

/// Switches to that charset, and back.
pub(crate) const ON: &[u8] = b"\x1b(0";
pub(crate) const OFF: &[u8] = b"\x1b(B";

/// The byte that draws this text in that charset, if there is one: heavy, double and round lines become light ones. The
/// control pictures are left out, as in terminfo, because some terminals do not have them.
pub(crate) fn byte_for(text: &str) -> Option<u8> {
    let mut chars = text.chars();
    let (c, None) = (chars.next()?, chars.next()) else {
        return None;
    };
    Some(match c {
        '─' | '━' | '═' => b'q',
        '│' | '┃' | '║' => b'x',
        '┌' | '┏' | '╔' | '╭' => b'l',
        '┐' | '┓' | '╗' | '╮' => b'k',
        '└' | '┗' | '╚' | '╰' => b'm',
        '┘' | '┛' | '╝' | '╯' => b'j',
        '├' | '┣' | '╠' => b't',
        '┤' | '┫' | '╣' => b'u',
        '┬' | '┳' | '╦' => b'w',
        '┴' | '┻' | '╩' => b'v',
        '┼' | '╋' | '╬' => b'n',
        '◆' => b'`',
        '▒' => b'a',
        '°' => b'f',
        '±' => b'g',
        '⎺' => b'o',
        '⎻' => b'p',
        '⎼' => b'r',
        '⎽' => b's',
        '≤' => b'y',
        '≥' => b'z',
        'π' => b'{',
        '≠' => b'|',
        '£' => b'}',
        '·' => b'~',
        _ => return None,
    })
}
