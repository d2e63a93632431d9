//! The history of prompts.

/// The type of a prompt. Each has a history of its own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum PromptType {
    #[default]
    Command,
    Search,
    Target,
    WindowTarget,
}

impl PromptType {
    pub(crate) const ALL: [Self; 4] = [
        Self::Command,
        Self::Search,
        Self::Target,
        Self::WindowTarget,
    ];

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Command => "command",
            Self::Search => "search",
            Self::Target => "target",
            Self::WindowTarget => "window-target",
        }
    }

    /// The type of this name.
    ///
    /// # Errors
    /// If there is none.
    pub(crate) fn find(name: &str) -> Result<Self, String> {
        let found = Self::ALL.into_iter().find(|kind| kind.name() == name);
        found.ok_or_else(|| format!("invalid type: {name}"))
    }
}

/// The lines of every type, the oldest first.
#[derive(Debug, Default)]
pub(crate) struct Histories([Vec<String>; 4]);

impl Histories {
    pub(crate) fn of(&self, kind: PromptType) -> &[String] {
        &self.0[kind as usize]
    }

    /// Adds a line, unless it repeats the last one. Beyond `most`, the oldest are dropped.
    pub(crate) fn add(&mut self, kind: PromptType, line: &str, most: usize) {
        let lines = &mut self.0[kind as usize];
        if lines.last().is_none_or(|last| last != line) {
            lines.push(line.to_owned());
        }
        let excess = lines.len().saturating_sub(most);
        lines.drain(..excess);
    }

    pub(crate) fn clear(&mut self, kind: PromptType) {
        self.0[kind as usize].clear();
    }

    /// The line `back` steps ago.
    pub(crate) fn back(&self, kind: PromptType, back: usize) -> Option<&str> {
        let lines = self.of(kind);
        let at = lines.len().checked_sub(back)?;
        lines.get(at).map(String::as_str)
    }

    /// The lines in the format of the file: type, colon, line.
    pub(crate) fn to_text(&self) -> String {
        let kinds = PromptType::ALL.into_iter();
        let lines = kinds.flat_map(|kind| {
            let lines = self.of(kind).iter();
            lines.map(move |line| format!("{}:{line}\n", kind.name()))
        });
        lines.collect()
    }

    /// Adds the lines of a file. A line without a type, as in older files, is a command.
    pub(crate) fn read(&mut self, text: &str, most: usize) {
        for line in text.lines().filter(|line| !line.is_empty()) {
            let typed = line.split_once(':').and_then(|(kind, rest)| {
                let kind = PromptType::find(kind).ok()?;
                Some((kind, rest))
            });
            let (kind, line) = typed.unwrap_or((PromptType::Command, line));
            self.add(kind, line, most);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn history_keeps_the_newest_and_no_line_twice_in_a_row() {
        let mut histories = Histories::default();
        for line in ["a", "b", "b", "c"] {
            histories.add(PromptType::Search, line, 2);
        }
        assert_eq!(histories.of(PromptType::Search), ["b", "c"]);
        assert_eq!(histories.back(PromptType::Search, 1), Some("c"));
        assert_eq!(histories.back(PromptType::Search, 3), None);
        assert_eq!(histories.of(PromptType::Command), [""; 0]);
    }

    #[test]
    fn history_reads_what_it_has_written_and_older_files() {
        let mut histories = Histories::default();
        histories.read("ls\nsearch:a:b\nother:x\n", 9);
        assert_eq!(histories.of(PromptType::Command), ["ls", "other:x"]);
        let mut again = Histories::default();
        again.read(&histories.to_text(), 9);
        assert_eq!(again.to_text(), "command:ls\ncommand:other:x\nsearch:a:b\n");
    }
}
