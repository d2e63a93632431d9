//! Every template of `tmux-3.3a.tsv` against what tmux made of it (`record.sh` asks it), and what tmux
//! cannot be asked: times that pass, jobs, and templates that mean harm.

use super::*;

/// The sessions of `record.sh`: session, its windows, the current one and the last, and their panes' numbers.
const SESSIONS: [(&str, &[Window]); 2] = [
    (
        "alpha",
        &[
            Window {
                name: "one",
                flags: "-",
                panes: &[0],
            },
            Window {
                name: "two",
                flags: "*",
                panes: &[1, 3],
            },
            Window {
                name: "three",
                flags: "",
                panes: &[2],
            },
        ],
    ),
    (
        "beta",
        &[Window {
            name: "only",
            flags: "*",
            panes: &[4],
        }],
    ),
];

const SCREEN: [&str; 3] = ["hello world", "Start here", "  an [odd] line"];

struct Window {
    name: &'static str,
    flags: &'static str,
    panes: &'static [u32],
}

/// A pane of those, and user options.
#[derive(Clone, Copy)]
struct Fixture<'o> {
    session: usize,
    window: usize,
    pane: usize,
    now: i64,
    options: &'o [(&'o str, &'o str)],
}

impl<'o> Fixture<'o> {
    fn new(options: &'o [(&'o str, &'o str)]) -> Self {
        Self {
            session: 0,
            window: 1,
            pane: 0,
            now: 1_800_000_000,
            options,
        }
    }

    fn windows(&self) -> &'static [Window] {
        SESSIONS[self.session].1
    }
}

impl Source for Fixture<'_> {
    fn value(&self, name: &str) -> Option<Cow<'_, str>> {
        if let Some((_, value)) = self.options.iter().find(|(known, _)| *known == name) {
            return Some(Cow::Borrowed(value));
        }
        let window = &self.windows()[self.window];
        let number = |number: usize| Some(Cow::Owned(number.to_string()));
        match name {
            "session_name" => Some(Cow::Borrowed(SESSIONS[self.session].0)),
            "window_name" => Some(Cow::Borrowed(window.name)),
            "window_flags" => Some(Cow::Borrowed(window.flags)),
            "window_index" => number(self.window),
            "window_active" => number(usize::from(window.flags == "*")),
            "pane_index" => number(self.pane),
            "pane_active" => number(usize::from(self.pane == 0)),
            "pane_id" => Some(Cow::Owned(format!("%{}", window.panes[self.pane]))),
            "pane_title" => Some(Cow::Borrowed("a title")),
            _ => None,
        }
    }

    fn now(&self) -> i64 {
        self.now
    }

    fn local_time(&self, seconds: i64) -> LocalTime {
        LocalTime::new(seconds, 0, "UTC")
    }

    fn job(&self, command: &str) -> String {
        format!("<{command}>#S")
    }

    fn for_each(&self, what: Loop, visit: &mut dyn FnMut(&dyn Source, Position)) {
        let position = |is_current| match is_current {
            true => Position::Current,
            false => Position::Other,
        };
        match what {
            Loop::Sessions => {
                for session in 0..SESSIONS.len() {
                    let windows = SESSIONS[session].1;
                    let window = windows
                        .iter()
                        .position(|window| window.flags == "*")
                        .unwrap();
                    let is_current = session == self.session;
                    visit(
                        &Self {
                            session,
                            window,
                            pane: 0,
                            ..*self
                        },
                        position(is_current),
                    );
                }
            }
            Loop::Windows => {
                for (window, known) in self.windows().iter().enumerate() {
                    visit(
                        &Self {
                            window,
                            pane: 0,
                            ..*self
                        },
                        position(known.flags == "*"),
                    );
                }
            }
            Loop::Panes => {
                for pane in 0..self.windows()[self.window].panes.len() {
                    visit(&Self { pane, ..*self }, position(pane == 0));
                }
            }
        }
    }

    fn search_pane(&self, fits: &dyn Fn(&str) -> bool) -> usize {
        // The screen has 24 rows, of which a half is this pane's.
        let blank = std::iter::repeat_n("", 9);
        let mut lines = SCREEN.into_iter().chain(blank);
        lines.position(fits).map_or(0, |at| at + 1)
    }

    fn has_name(&self, what: Named, name: &str) -> bool {
        match what {
            Named::Window => self.windows().iter().any(|window| window.name == name),
            Named::Session => SESSIONS.iter().any(|(session, _)| *session == name),
        }
    }
}

#[test]
fn recorded_templates_expand_as_in_tmux() {
    let recorded = include_str!("tmux-3.3a.tsv");
    let lines = recorded.lines().map(|line| line.split_once('\t').unwrap());
    let options: Vec<_> = lines
        .clone()
        .filter_map(|(left, value)| Some((left.strip_prefix("set ")?, value)))
        .collect();
    let source = Fixture::new(&options);
    let cases = lines.filter(|(left, _)| !left.starts_with("set "));
    let wrong: Vec<_> = cases
        .clone()
        .map(|(template, wanted)| (template, wanted, expand_time(template, &source)))
        .filter(|(_, wanted, found)| found != wanted)
        .map(|(template, wanted, found)| format!("{template}\n  tmux: {wanted}\n  ours: {found}"))
        .collect();
    assert!(cases.count() > 1_000);
    assert!(
        wrong.is_empty(),
        "{} differ:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}
