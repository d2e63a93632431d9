//! Completion: finding the word, and what all candidates have in common.

use crate::modes::prompt_line::is_space;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Word {
    pub(crate) text: String,
    /// The position of its first character.
    pub(crate) start: usize,
    /// The position after its last character.
    pub(crate) end: usize,
    /// It is the first word of the line.
    pub(crate) is_first: bool,
}

impl Word {
    /// The word at a position; an empty one between blanks.
    pub(crate) fn around(text: &[char], at: usize) -> Self {
        let at = at.min(text.len());
        let before = text[..at].iter().rposition(|c| is_space(*c));
        let start = before.map_or(0, |space| space + 1);
        let after = text[at..].iter().position(|c| is_space(*c));
        let end = after.map_or(text.len(), |space| at + space);
        Self {
            text: text[start..end].iter().collect(),
            start,
            end,
            is_first: text[..start].iter().all(|c| is_space(*c)),
        }
    }
}

pub(crate) fn common_start(candidates: &[String]) -> String {
    let Some((first, rest)) = candidates.split_first() else {
        return String::new();
    };
    let mut common: &str = first;
    for other in rest {
        let same = common.chars().zip(other.chars());
        let same = same.take_while(|(a, b)| a == b);
        let length = same.map(|(a, _)| a.len_utf8()).sum();
        common = &common[..length];
    }
    common.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn word_is_what_lies_between_blanks() {
        let text: Vec<char> = "set -g stat".chars().collect();
        let word = Word::around(&text, 11);
        assert_eq!(
            (&word.text[..], word.start, word.is_first),
            ("stat", 7, false)
        );
        let word = Word::around(&text, 2);
        assert_eq!((&word.text[..], word.end, word.is_first), ("set", 3, true));
        assert_eq!(Word::around(&[], 0).text, "");
    }

    #[test]
    fn candidates_have_their_beginning_in_common() {
        let words = ["status-left", "status-left-style", "status-lé"].map(str::to_owned);
        assert_eq!(common_start(&words[..2]), "status-left");
        assert_eq!(common_start(&words), "status-l");
        assert_eq!(common_start(&[]), "");
    }
}
