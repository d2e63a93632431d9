//! Completion at the prompt: the candidates for a word.

use shellkeep_core::key::{Key, Modifiers};
use shellkeep_core::{ClientId, Rect};
use shellkeep_render::styled_width;

use crate::commands::queue::Caller;
use crate::display::division;
use crate::display::division::division;
use crate::model::{KeyGrab, Model};
use crate::modes::overlay::{Menu, MenuItem, MenuMouse, MenuPurpose, Overlay};
use crate::modes::prompt_line::PromptType;
use crate::modes::{key_grab, mode_style, overlays};
use crate::status::message::message_row;

/// Completes the word at the cursor, as far as all candidates agree.
pub(crate) fn complete_prompt(model: &mut Model, id: ClientId) {
    let Some(prompt) = key_grab::prompt_mut(model, id) else {
        return;
    };
    let (word, kind) = (prompt.line.word(), prompt.kind);
    if word.text.is_empty() {
        return;
    }
    let candidates = candidates(model, kind, &word.text, word.is_first);
    let text = match &candidates[..] {
        [] => return,
        [only] if only.ends_with(':') => only.clone(),
        [only] => format!("{only} "),
        several => crate::modes::prompt_line::common_start(several),
    };
    if text.len() <= word.text.len() && candidates.len() > 1 {
        return offer_words(model, id, &candidates, word.start);
    }
    if let Some(prompt) = key_grab::prompt_mut(model, id) {
        prompt.line.replace_word(&word, &text);
    }
    model.redraw_client(id);
}

/// Shows the last ten candidates in a menu above the word.
fn offer_words(model: &mut Model, id: ClientId, words: &[String], start: usize) {
    let Some(client) = model.clients.get(&id) else {
        return;
    };
    let (room, session) = (client.terminal.size, client.session);
    let Some(KeyGrab::Prompt(prompt)) = &client.view.key_grab else {
        return;
    };
    let before: String = prompt.line.text().chars().take(start).collect();
    let col = styled_width(&prompt.label) + styled_width(&before.replace('#', "##"));
    let status = session.map_or(0, |session| division::status_rows(model, session));
    let left = room.rows().saturating_sub(status);
    if left < 3 || client.view.overlay.is_some() {
        return;
    }
    let count = usize::from((left - 2).min(10)).min(words.len());
    let shown = &words[words.len() - count..];
    let items = ('0'..).zip(shown).map(|(digit, word)| {
        let key = Some(Key::from_char(digit, Modifiers::empty()));
        MenuItem::new(&word.replace('#', "##"), key, word.clone(), room.cols())
    });
    let items: Vec<MenuItem> = items.collect();
    let (rows, cols) = Menu::size_for("", &items);
    let narrow = |count: usize| u16::try_from(count).unwrap_or(u16::MAX);
    let row = message_row(&division(model, client)).row;
    let rows = narrow(rows);
    let mut menu = Menu {
        title: String::new(),
        place: Rect {
            row: match row {
                0 => status,
                _ => room.rows().saturating_sub(rows + status.max(1)),
            },
            col: narrow(col.saturating_sub(2)),
            rows,
            cols: narrow(cols),
        },
        mouse: MenuMouse::Off,
        choice: Menu::first_choice(&items, MenuMouse::Off),
        items,
        target: None,
        caller: Caller::key(id),
        queue: None,
        chosen_style: mode_style::mode_style(model, session),
        purpose: MenuPurpose::Prompt,
    };
    if menu.fit(room) {
        overlays::lay_over(model, id, Overlay::Menu(Box::new(menu)));
    }
}

/// A candidate was chosen: it replaces the word at the cursor.
pub(crate) fn word_chosen(model: &mut Model, id: ClientId, text: &str) {
    if let Some(prompt) = key_grab::prompt_mut(model, id) {
        let word = prompt.line.word();
        prompt.line.replace_word(&word, text);
    }
    model.redraw_client(id);
}

fn candidates(model: &Model, kind: PromptType, word: &str, is_first: bool) -> Vec<String> {
    let is_target = matches!(kind, PromptType::Target | PromptType::WindowTarget);
    let flag = ["-t", "-s"].into_iter().find(|flag| word.starts_with(flag));
    match flag {
        Some(flag) if !is_target => targets(model, flag, &word[flag.len()..]),
        _ if is_target => targets(model, "", word),
        _ if kind == PromptType::Search => Vec::new(),
        _ => words(model, word, is_first),
    }
}

/// Commands; after the first word options and layouts.
fn words(model: &Model, word: &str, is_first: bool) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    for spec in shellkeep_command::TABLE {
        all.push(spec.name.to_owned());
        all.extend(spec.aliases.iter().map(|alias| (*alias).to_owned()));
    }
    let options = model.options.server();
    let aliases = options.texts("command-alias");
    all.extend(aliases.filter_map(|alias| Some(alias.split_once('=')?.0.to_owned())));
    if !is_first {
        all.extend(shellkeep_command::options::all().map(|spec| spec.name.to_owned()));
        let layouts = [
            "even-horizontal",
            "even-vertical",
            "main-horizontal",
            "main-vertical",
            "tiled",
        ];
        all.extend(layouts.map(str::to_owned));
    }
    all.retain(|candidate| candidate.starts_with(word));
    all.sort();
    all.dedup();
    all
}

/// Sessions; after a colon windows.
fn targets(model: &Model, flag: &str, target: &str) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    match target.split_once(':') {
        None => {
            let sessions = model.sessions_by_name().into_iter();
            all.extend(sessions.map(|session| format!("{flag}{}:", session.name)));
        }
        Some((name, _)) => {
            let mut sessions = model.sessions.values();
            let Some(session) = sessions.find(|session| session.name == name) else {
                return all;
            };
            let links = session.links.keys();
            all.extend(links.map(|index| format!("{flag}{name}:{index}")));
        }
    }
    let start = format!("{flag}{target}");
    all.retain(|candidate| candidate.starts_with(&start));
    all
}
