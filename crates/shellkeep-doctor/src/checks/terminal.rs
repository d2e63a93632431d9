//! Checks what the terminal can do, and whether programs in panes find their terminfo entry.

use std::io::IsTerminal as _;
use std::path::PathBuf;

use shellkeep_render::{Caps, Colors, Environment, Features};

use crate::Setup;
use crate::finding::Finding;

const NAME: &str = "terminal";

pub(super) fn check(setup: &Setup<'_>) -> Vec<Finding> {
    let mut findings = Vec::new();
    let inside = ["tmux-256color", "screen-256color"]
        .into_iter()
        .find(|name| is_known(setup, name));
    if inside.is_none() {
        findings.push(Finding::warning(
            NAME,
            "neither tmux-256color nor screen-256color has a terminfo entry, so programs inside will know little of their terminal",
            "install the full terminfo, e.g. sudo apt install ncurses-term",
        ));
    }
    let inside = inside.unwrap_or("screen-256color");
    let Some(term) = setup.variable("TERM") else {
        findings.push(match std::io::stdout().is_terminal() {
            true => Finding::warning(
                NAME,
                "TERM is not set, so the terminal is taken for the simplest there is",
                "export TERM=xterm-256color",
            ),
            false => Finding::ok(
                NAME,
                "not run on a terminal; programs inside see ".to_owned() + inside,
            ),
        });
        return findings;
    };
    if !is_known(setup, &term) && term != "dumb" {
        let sentence = format!(
            "TERM={term} has no terminfo entry here: shellkeep does not need it, but other programs do"
        );
        findings.push(Finding::warning(
            NAME,
            sentence,
            "install the entry (infocmp -x | ssh HOST tic -x -), or export TERM=xterm-256color",
        ));
    }
    let variable = |name: &str| setup.variable(name);
    let (colorterm, program, vte) = (
        variable("COLORTERM"),
        variable("TERM_PROGRAM"),
        variable("VTE_VERSION"),
    );
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"]
        .into_iter()
        .find_map(variable);
    let caps = Caps::detect(&Environment {
        term: &term,
        colorterm: colorterm.as_deref(),
        term_program: program.as_deref(),
        vte_version: vte.as_deref(),
        locale: locale.as_deref(),
    });
    findings.extend(judge(&term, &caps, locale.as_deref()));
    if findings.is_empty() {
        let colors = colors(caps.colors);
        findings.push(Finding::ok(
            NAME,
            format!("{term} with {colors} and UTF-8; programs inside see {inside}"),
        ));
    }
    findings
}

fn judge(term: &str, caps: &Caps, locale: Option<&str>) -> Vec<Finding> {
    let mut findings = Vec::new();
    if !caps.features.contains(Features::ADDRESSING) {
        let sentence = format!("TERM={term} cannot show a session: its cursor cannot be moved");
        findings.push(Finding::problem(NAME, sentence, "use another terminal, or export TERM=xterm-256color if it is a better one than it says"));
    } else if caps.colors < Colors::Palette256 {
        let sentence = format!(
            "TERM={term} says {}; others are shown as the nearest of these",
            colors(caps.colors)
        );
        findings.push(Finding::warning(
            NAME,
            sentence,
            "export TERM=xterm-256color if the terminal can do it",
        ));
    }
    if !caps.features.contains(Features::UTF8) {
        let locale = locale.unwrap_or("C");
        let sentence =
            format!("the locale {locale} is not UTF-8, so everything beyond ASCII is shown as _");
        findings.push(Finding::warning(NAME, sentence, "export LC_CTYPE=C.UTF-8"));
    }
    findings
}

fn colors(colors: Colors) -> &'static str {
    match colors {
        Colors::None => "no colours",
        Colors::Ansi8 => "8 colours",
        Colors::Ansi16 => "16 colours",
        Colors::Palette256 => "256 colours",
        Colors::True => "all colours",
    }
}

/// Whether there is a terminfo entry where ncurses looks for it.
fn is_known(setup: &Setup<'_>, name: &str) -> bool {
    let Some(first) = name.chars().next().filter(|_| !name.contains('/')) else {
        return false;
    };
    let own = setup.variable("TERMINFO").map(PathBuf::from);
    let home = setup
        .variable("HOME")
        .map(|home| PathBuf::from(home).join(".terminfo"));
    let listed = setup.variable("TERMINFO_DIRS").unwrap_or_default();
    let listed = listed
        .split(':')
        .filter(|dir| !dir.is_empty())
        .map(PathBuf::from);
    let usual = [
        "/etc/terminfo",
        "/lib/terminfo",
        "/usr/share/terminfo",
        "/usr/local/share/terminfo",
        "/usr/lib/terminfo",
    ];
    let dirs = own
        .into_iter()
        .chain(home)
        .chain(listed)
        .chain(usual.map(PathBuf::from));
    // The folder is named after the first letter, or after its code on file systems that ignore case.
    let folders = [first.to_string(), format!("{:x}", u32::from(first))];
    dirs.into_iter().any(|dir| {
        folders
            .iter()
            .any(|folder| dir.join(folder).join(name).exists())
    })
}
