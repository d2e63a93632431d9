//! Keys in a tree.

use shellkeep_core::key::{Key, KeyCode, Modifiers};

use crate::modes::overlay::tree::{
    Asked, Direction, Item, Kind, Preview, Question, Reach, Tree, Wish, node,
};

/// A request to put something to sleep or to wake it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Resting {
    Sleep,
    Wake,
}

/// What a key requests beyond the tree itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Act {
    /// To redraw the tree.
    Draw,
    Leave,
    /// To run the template for this item.
    Choose(Item),
    /// To run these commands, and keep the tree.
    Run(Vec<String>),
    /// To ask whether to kill these, and do so.
    Kill(Vec<Item>),
    /// The same for all tagged items, even for one.
    KillTagged(Vec<Item>),
    /// To run this command for each of these.
    Command(String, Vec<Item>),
    /// In the trees of buffers and clients: to do what this key stands for.
    Special(char, Vec<Item>),
    /// To put these to sleep, or to wake them.
    Rest(Resting, Vec<Item>),
    Mark(Item),
    Unmark,
    Edit(Item),
    Swap(Item, Item),
    /// In the tree of settings.
    Customize(Wish),
}

impl Tree {
    /// Handles a key; `rows` are the rows of the list.
    pub(crate) fn key(&mut self, key: Key, rows: u16) -> Act {
        if let Some(at) = self.lines.iter().position(|line| line.key == Some(key)) {
            self.current = at;
            return self.choose();
        }
        match self.move_key(key, rows).or_else(|| self.fold_key(key)) {
            Some(act) => act,
            None => self.other_key(key),
        }
    }

    pub(crate) fn choose(&self) -> Act {
        if self.setup.kind == Kind::Settings {
            return self.change_current(Reach::Nearest);
        }
        match self.current_item() {
            Some(item) => Act::Choose(item.clone()),
            None => Act::Leave,
        }
    }

    /// Keys that move the selection.
    fn move_key(&mut self, key: Key, rows: u16) -> Option<Act> {
        let last = self.lines.len().saturating_sub(1);
        let page = usize::from(rows.max(1));
        let is_control = key.mods() == Modifiers::CTRL;
        if !key.mods().is_empty() && !is_control {
            return None;
        }
        let at = self.current;
        let to = match (key.code(), is_control) {
            (KeyCode::Up | KeyCode::Char('k'), false) | (KeyCode::Char('p'), true) => {
                at.checked_sub(1).unwrap_or(last)
            }
            (KeyCode::Down | KeyCode::Char('j'), false) | (KeyCode::Char('n'), true) => {
                if at >= last { 0 } else { at + 1 }
            }
            (KeyCode::PageUp, false) | (KeyCode::Char('b'), true) => at.saturating_sub(page),
            (KeyCode::PageDown, false) | (KeyCode::Char('f'), true) => (at + page).min(last),
            (KeyCode::Home | KeyCode::Char('g'), false) => 0,
            (KeyCode::End | KeyCode::Char('G'), false) => last,
            (KeyCode::Char('H'), false) if self.setup.kind == Kind::Sessions => {
                let home = self.setup.home.clone();
                self.unfold_to(home.as_ref());
                self.current
            }
            _ => return None,
        };
        self.current = at;
        self.step(to);
        Some(Act::Draw)
    }

    /// Selects another line, and scrolls its preview to the start.
    fn step(&mut self, to: usize) {
        if self.current != to {
            self.scroll = 0;
        }
        self.current = to;
    }

    /// Unfolds the parents of an item, and selects it.
    fn unfold_to(&mut self, item: Option<&Item>) {
        let Some(item) = item else { return };
        let mut above = item.parent();
        while let Some(parent) = above {
            above = parent.parent();
            self.open.insert(parent, true);
        }
        self.refold(Some(item));
    }

    /// Keys that fold and unfold.
    fn fold_key(&mut self, key: Key) -> Option<Act> {
        let item = self.current_item()?.clone();
        let is_plain = key.mods().is_empty();
        let is_meta = key.mods() == Modifiers::META;
        match key.code() {
            KeyCode::Left | KeyCode::Char('h' | '-') if is_plain => {
                let line = &self.lines[self.current];
                if line.lead.ends_with("- ") {
                    self.open.insert(item.clone(), false);
                    self.refold(Some(&item));
                } else if let Some(parent) = item.parent() {
                    self.open.insert(parent.clone(), false);
                    self.refold(Some(&parent));
                } else {
                    self.step(self.current.saturating_sub(1));
                }
            }
            KeyCode::Right | KeyCode::Char('l' | '+') if is_plain => {
                self.open.insert(item.clone(), true);
                self.refold(Some(&item));
            }
            KeyCode::Char('-') if is_meta => self.fold_all(false, &item),
            KeyCode::Char('+') if is_meta => self.fold_all(true, &item),
            _ => return None,
        }
        Some(Act::Draw)
    }

    fn fold_all(&mut self, is_open: bool, current: &Item) {
        for node in &self.nodes {
            self.open.insert(node.item.clone(), is_open);
            for child in &node.children {
                self.open.insert(child.item.clone(), is_open);
            }
        }
        self.refold(Some(current));
    }

    fn other_key(&mut self, key: Key) -> Act {
        let (code, mods) = (key.code(), key.mods());
        match code {
            KeyCode::Char('t') if mods == Modifiers::CTRL => self.tag_all(),
            KeyCode::Char('s') if mods == Modifiers::CTRL => self.ask(Question::Search),
            KeyCode::Char('g' | 'c') if mods == Modifiers::CTRL => return Act::Leave,
            KeyCode::Up | KeyCode::Down if mods == Modifiers::SHIFT => return self.swap(code),
            _ if !mods.is_empty() => {}
            KeyCode::Enter => return self.choose(),
            KeyCode::Escape | KeyCode::Char('q') => return Act::Leave,
            KeyCode::Char(key) => return self.letter(key),
            _ => {}
        }
        Act::Draw
    }

    fn letter(&mut self, letter: char) -> Act {
        match letter {
            't' => {
                let current = self.current_item().cloned();
                if let Some(item) = current.filter(Item::can_be_tagged) {
                    node::tag(&item, &mut self.tagged);
                    self.current = (self.current + 1).min(self.lines.len().saturating_sub(1));
                }
            }
            'T' => self.tagged.clear(),
            'O' => self.setup.order += 1,
            'r' => {
                self.setup.direction = match self.setup.direction {
                    Direction::Forward => Direction::Reversed,
                    Direction::Reversed => Direction::Forward,
                };
            }
            'v' => {
                self.setup.preview = match self.setup.preview {
                    Preview::Shown => Preview::Hidden,
                    Preview::Hidden => Preview::Shown,
                };
            }
            'f' => self.ask(Question::Filter),
            '/' | '?' => self.ask(Question::Search),
            'n' => self.find(Way::Down),
            'N' => self.find(Way::Up),
            '<' => self.scroll -= 1,
            '>' => self.scroll += 1,
            ':' if self.setup.kind == Kind::Sessions => self.ask(Question::Command),
            letter => return self.letter_of_kind(letter),
        }
        Act::Draw
    }

    fn letter_of_kind(&mut self, letter: char) -> Act {
        if self.setup.kind == Kind::Settings {
            return self.letter_for_setting(letter);
        }
        let current: Vec<Item> = self.current_item().cloned().into_iter().collect();
        let tagged = match self.tagged.is_empty() {
            true => Vec::new(),
            false => self.chosen(),
        };
        match (self.setup.kind, letter) {
            (Kind::Sessions, 'x') => Act::Kill(current),
            (Kind::Sessions, 'X') if !tagged.is_empty() => Act::KillTagged(tagged),
            (Kind::Sessions, 'z') => Act::Rest(Resting::Sleep, current),
            (Kind::Sessions, 'Z') => Act::Rest(Resting::Sleep, tagged),
            (Kind::Sessions, 'w') => Act::Rest(Resting::Wake, current),
            (Kind::Sessions, 'W') => Act::Rest(Resting::Wake, tagged),
            (Kind::Sessions, 'm') => current.into_iter().next().map_or(Act::Draw, Act::Mark),
            (Kind::Sessions, 'M') => Act::Unmark,
            (Kind::Buffers, 'p') => self.choose(),
            (Kind::Buffers, 'e') => current.into_iter().next().map_or(Act::Draw, Act::Edit),
            (Kind::Buffers, 'd') | (Kind::Clients, 'd' | 'x' | 'z') => {
                Act::Special(letter, current)
            }
            (Kind::Buffers, 'P' | 'D') | (Kind::Clients, 'D' | 'X' | 'Z') => {
                Act::Special(letter.to_ascii_lowercase(), tagged)
            }
            _ => Act::Draw,
        }
    }

    /// Swaps the current window with the one before or after it.
    fn swap(&mut self, code: KeyCode) -> Act {
        let Some(item @ Item::Window(session, index)) = self.current_item().cloned() else {
            return Act::Draw;
        };
        let siblings: Vec<u32> = self
            .nodes
            .iter()
            .filter(|node| node.item == Item::Session(session))
            .flat_map(|node| &node.children)
            .filter_map(|node| match node.item {
                Item::Window(_, index) => Some(index),
                _ => None,
            })
            .collect();
        let at = siblings.iter().position(|other| *other == index);
        let other = at.and_then(|at| match code {
            KeyCode::Up => at.checked_sub(1),
            _ => Some(at + 1),
        });
        match other.and_then(|at| siblings.get(at)) {
            Some(other) => Act::Swap(item, Item::Window(session, *other)),
            None => Act::Draw,
        }
    }

    pub(crate) fn ask_value(&mut self, question: Question, answer: String) {
        self.asked = Some(Asked { question, answer });
    }

    pub(crate) fn ask(&mut self, question: Question) {
        let answer = match &question {
            Question::Filter => self.setup.filter.clone().unwrap_or_default(),
            _ => String::new(),
        };
        self.asked = Some(Asked { question, answer });
    }

    /// The label of a question's prompt.
    pub(crate) fn label_of(&self, question: &Question) -> String {
        match question {
            Question::Filter => "(filter) ".to_owned(),
            Question::Search => "(search) ".to_owned(),
            Question::Command if self.tagged.is_empty() => "(current) ".to_owned(),
            Question::Command => format!("({} tagged) ", self.chosen().len()),
            Question::Confirm { text, .. } | Question::Value { text, .. } => text.clone(),
        }
    }

    /// Handles an answer; `None` if the prompt was closed.
    pub(crate) fn answered(&mut self, question: Question, answer: Option<String>) -> Act {
        let given = answer.filter(|answer| !answer.is_empty());
        match question {
            Question::Filter => self.setup.filter = given,
            Question::Search => {
                self.search = given;
                self.find(Way::Down);
            }
            Question::Command => {
                if let Some(command) = given {
                    return Act::Command(command, self.chosen());
                }
            }
            Question::Value { .. } | Question::Confirm { .. } => {}
        }
        Act::Draw
    }

    /// Selects the next line that matches the search, wrapping around, and unfolds it if needed.
    fn find(&mut self, way: Way) {
        let Some(wanted) = self.search.clone() else {
            return;
        };
        let mut all: Vec<(Item, bool)> = Vec::new();
        for node in &self.nodes {
            add_found(node, &wanted, &mut all);
        }
        let current = self.current_item();
        let at = all.iter().position(|(item, _)| Some(item) == current);
        let (at, count) = (at.unwrap_or(0), all.len());
        let step = |step: usize| match way {
            Way::Down => (at + step) % count,
            Way::Up => (at + count - step) % count,
        };
        let found = (1..=count).map(step).find(|at| all[*at].1);
        if let Some(found) = found {
            let item = all[found].0.clone();
            self.unfold_to(Some(&item));
        }
    }
}

fn add_found(node: &crate::modes::overlay::tree::Node, wanted: &str, all: &mut Vec<(Item, bool)>) {
    // Options are searched by name.
    let text = match node.item {
        Item::Setting(_) => "",
        _ => node.text.as_deref().unwrap_or_default(),
    };
    let is_found = node.name.contains(wanted) || text.contains(wanted);
    all.push((node.item.clone(), is_found));
    for child in &node.children {
        add_found(child, wanted, all);
    }
}

#[derive(Clone, Copy)]
enum Way {
    Up,
    Down,
}
