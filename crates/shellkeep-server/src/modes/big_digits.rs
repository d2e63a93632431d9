//! Digits of five rows and five columns, for the clock and for pane numbers.

/// The rows and columns of a digit.
pub(crate) const SIDE: u16 = 5;

/// The lit columns of each row of a character, the leftmost in the highest of five bits; `None` if there is no glyph.
pub(crate) fn rows(c: char) -> Option<[u8; 5]> {
    // Seven segments, as on a pocket calculator: a row is both sides, one of them, or a horizontal bar.
    const ALL: u8 = 0b11111;
    const BOTH: u8 = 0b10001;
    const LEFT: u8 = 0b10000;
    const RIGHT: u8 = 0b00001;
    Some(match c {
        '0' => [ALL, BOTH, BOTH, BOTH, ALL],
        '1' => [RIGHT; 5],
        '2' => [ALL, RIGHT, ALL, LEFT, ALL],
        '3' => [ALL, RIGHT, ALL, RIGHT, ALL],
        '4' => [BOTH, BOTH, ALL, RIGHT, RIGHT],
        '5' => [ALL, LEFT, ALL, RIGHT, ALL],
        '6' => [ALL, LEFT, ALL, BOTH, ALL],
        '7' => [ALL, RIGHT, RIGHT, RIGHT, RIGHT],
        '8' => [ALL, BOTH, ALL, BOTH, ALL],
        '9' => [ALL, BOTH, ALL, RIGHT, ALL],
        ':' => [0, 0b00100, 0, 0b00100, 0],
        'A' => [ALL, BOTH, ALL, BOTH, BOTH],
        'P' => [ALL, BOTH, ALL, LEFT, LEFT],
        'M' => [BOTH, 0b11011, 0b10101, BOTH, BOTH],
        _ => return None,
    })
}

/// The lit cells of a text as runs: row, first column, and number of columns. Characters are six columns apart.
pub(crate) fn runs(text: &str) -> Vec<(u16, u16, u16)> {
    let mut runs = Vec::new();
    for (at, c) in (0u16..).zip(text.chars()) {
        let Some(rows) = rows(c) else { continue };
        for (row, bits) in (0u16..).zip(rows) {
            let is_lit = |col: u16| col < SIDE && bits & (1 << (SIDE - 1 - col)) != 0;
            let mut col = 0;
            while col < SIDE {
                let length = (col..SIDE).take_while(|col| is_lit(*col)).count() as u16;
                if length > 0 {
                    runs.push((row, at * (SIDE + 1) + col, length));
                }
                col += length.max(1);
            }
        }
    }
    runs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_of_a_digit_are_its_bars() {
        let bars = runs("7");
        assert_eq!(
            bars,
            [(0, 0, 5), (1, 4, 1), (2, 4, 1), (3, 4, 1), (4, 4, 1)]
        );
        let second = runs(" M");
        assert_eq!(&second[..3], [(0, 6, 1), (0, 10, 1), (1, 6, 2)]);
    }
}
