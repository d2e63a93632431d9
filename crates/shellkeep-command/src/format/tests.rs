//! Compares every template of `tmux-3.3a.tsv` with tmux's result (recorded by `record.sh`), and tests what tmux cannot
//! be asked for: times that pass, jobs, and hostile templates.

use super::*;

/// The sessions of `record.sh`: each session with its windows, the current one and the last, and the number of their
/// panes.
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

/// One of these panes, and user options.
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
                for (session, (_, windows)) in SESSIONS.iter().enumerate() {
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
        // The screen has 24 rows, half of which are this pane's.
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

fn check(template: &str, options: &[(&str, &str)], wanted: &str) {
    assert_eq!(
        expand(template, &Fixture::new(options)),
        wanted,
        "{template}"
    );
}

#[test]
fn percent_without_time_is_kept() {
    check("100% %H #{?@a,%%,}", &[("@a", "1")], "100% %H %%");
    check("#{T:@a}", &[("@a", "%Y")], "2027");
}

#[test]
fn time_in_template_is_put_in_first() {
    let found = expand_time("%Y-%m-%d %H:%M #S", &Fixture::new(&[]));
    assert_eq!(found, "2027-01-15 08:00 alpha");
}

#[test]
fn job_output_is_expanded_once_and_runs_no_jobs() {
    check(
        "[#(echo #{session_name} (x))]",
        &[],
        "[<echo alpha (x)>alpha]",
    );
    check("#(a #(b))c", &[], "<a >alphac");
    check("a#(never ends", &[], "a");
}

#[test]
fn time_in_the_past_is_vaguer_the_older_it_is() {
    let mut source = Fixture::new(&[("@t", "1700000000")]);
    let hour = 3_600;
    let day = 24 * hour;
    for (age, wanted) in [
        (-5, "22:13"),
        (0, "22:13"),
        (23 * hour, "22:13"),
        (day, "Tue14"),
        (27 * day, "Tue14"),
        (29 * day, "14Nov"),
        (300 * day, "14Nov"),
        (360 * day, "Nov23"),
        (3_000 * day, "Nov23"),
    ] {
        source.now = 1_700_000_000 + age;
        assert_eq!(expand("#{t/p:@t}", &source), wanted, "{age}");
    }
}

#[test]
fn local_time_counts_days_as_the_calendar_does() {
    for (seconds, offset, wanted) in [
        (0, 0, "1970-01-01 00:00:00 +0000 Thu 001"),
        (-1, 0, "1969-12-31 23:59:59 +0000 Wed 365"),
        (951_782_400, 0, "2000-02-29 00:00:00 +0000 Tue 060"),
        (4_107_542_399, 0, "2100-02-28 23:59:59 +0000 Sun 059"),
        (4_107_542_400, 0, "2100-03-01 00:00:00 +0000 Mon 060"),
        (1_445_765_102, 7_200, "2015-10-25 11:25:02 +0200 Sun 298"),
        (1_445_765_102, -12_600, "2015-10-25 05:55:02 -0330 Sun 298"),
        (-62_135_596_800, 0, "1-01-01 00:00:00 +0000 Mon 001"),
    ] {
        let local = LocalTime::new(seconds, offset, "X");
        let found = time::strftime("%Y-%m-%d %H:%M:%S %z %a %j", &local, 100);
        assert_eq!(found.as_deref(), Some(wanted));
        let again = time::strftime("%s", &local, 100);
        assert_eq!(again, Some(seconds.to_string()));
    }
    for seconds in [i64::MIN, i64::MAX] {
        assert!(!expand_time("%c %G %V %s", &Late(seconds)).is_empty());
    }
}

/// Any moment.
struct Late(i64);

impl Source for Late {
    fn value(&self, _: &str) -> Option<Cow<'_, str>> {
        Some(Cow::Owned(self.0.to_string()))
    }

    fn now(&self) -> i64 {
        self.0
    }

    fn local_time(&self, seconds: i64) -> LocalTime {
        LocalTime::new(seconds, 50_400, "LATE")
    }

    fn job(&self, _: &str) -> String {
        String::new()
    }

    fn for_each(&self, _: Loop, visit: &mut dyn FnMut(&dyn Source, Position)) {
        for _ in 0..1_000 {
            visit(self, Position::Other);
        }
    }

    fn search_pane(&self, fits: &dyn Fn(&str) -> bool) -> usize {
        usize::from(fits("x"))
    }

    fn has_name(&self, _: Named, _: &str) -> bool {
        false
    }
}

#[test]
fn substitution_of_nothing_moves_by_characters() {
    // tmux moves by bytes here, and then hangs or writes half a character.
    check("#{s/x*/-/:@a}", &[("@a", "日本")], "日-本-");
}

#[test]
fn hostile_template_ends_soon() {
    let long = "#{p1000000:x}".repeat(100);
    let deep = "#{E:".repeat(5_000);
    let groups = "(a{1,200}){1,200}";
    let options = [
        ("@twice", "#{E:@twice}#{E:@twice}"),
        ("@loop", "#{W:#{E:@loop}}#{W:#{E:@loop}}"),
        ("@long", long.as_str()),
        ("@deep", deep.as_str()),
        ("@grow", "#{p-100000:#{E:@grow}}#{E:@grow}"),
        ("@again", "#{s/a*/#{E:@again}#{E:@again}/:@groups}"),
        ("@groups", groups),
    ];
    let source = Fixture::new(&options);
    for template in [
        "#{E:@twice}",
        "#{E:@loop}",
        "#{E:@long}",
        "#{E:@deep}",
        "#{E:@grow}",
        "#{E:@again}",
        "#{p2000000000:@twice}",
        "#{=2000000000:@long}",
        "#{e|+|f|2000000000:1,2}",
        "#{t/f/%1000000000d:@x}",
        "#{m/r:#{@groups},aaaa}#{m/r:(((a*)*)*)*b,aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa}",
        "#{W:#{W:#{W:#{W:#{W:#{W:#{W:#{W:#{W:#{W:#{W:#{W:#{W:x}}}}}}}}}}}}}",
        &"s=".repeat(100_000),
        &format!("#{{{}:x}}", "=;".repeat(100_000)),
        &format!("#{{s/{}/x/:@long}}", "a*".repeat(2_000)),
        &"#{?".repeat(50_000),
        &"#{?x,#{".repeat(50_000),
        &"#[".repeat(50_000),
        &"#{w:#{l:#[}}".repeat(10_000),
    ] {
        assert!(expand_time(template, &source).len() <= 1 << 20);
        assert!(expand(template, &source).len() <= 1 << 20);
        assert!(expand(template, &Late(7)).len() <= 1 << 20);
    }
}

proptest::proptest! {
    #[test]
    fn any_template_expands_within_bounds(
        parts in proptest::collection::vec(part(), 0..30),
        value in proptest::collection::vec(part(), 0..10),
    ) {
        let template = parts.concat();
        let value = value.concat();
        let source = [("@a", value.as_str()), ("@b", "é#[x]日,a}b##")];
        let source = Fixture::new(&source);
        let mut expander = Expander::new();
        let once = expander.expand(&template, &source);
        proptest::prop_assert_eq!(&once, &expander.expand(&template, &source));
        proptest::prop_assert!(once.len() <= 1 << 20);
        let _ = expand_time(&template, &source);
    }

    #[test]
    fn text_without_hash_stays(text in "[^#]*") {
        proptest::prop_assert_eq!(expand(&text, &Fixture::new(&[])), text);
    }

    #[test]
    fn any_pattern_is_read(pattern in "[a-c\\[\\](){}*+?|^$\\\\.,:0-9é-]{0,20}", text in "[a-cé]{0,10}") {
        if let Some(pattern) = pattern::Pattern::new(&pattern, crate::glob::Case::Ignored) {
            let _ = pattern.replace(&text, "\\0\\1\\", |_| true);
        }
        let glob = crate::glob::Glob::new(&pattern, crate::glob::Case::Ignored);
        let _ = glob.is_match(&text);
    }
}

/// Parts of templates, valid and invalid.
fn part() -> impl proptest::strategy::Strategy<Value = String> {
    let known = [
        "#{",
        "}",
        "#{?",
        ",",
        ":",
        ";",
        "#",
        "##",
        "#[",
        "]",
        "#(",
        ")",
        "@a",
        "@b",
        "#{@a}",
        "#{E:@a}",
        "#{E;=-3:@b}",
        "#{T:@a}",
        "=",
        "=5:",
        "=/2/é/:",
        "p",
        "p-7:",
        "s/",
        "s/.|x*/\\0#S/",
        "/",
        "e|",
        "e|+|f:",
        "m/r:",
        "m:",
        "C:",
        "W:",
        "S:",
        "P:",
        "N/s:",
        "t:",
        "t/f/%%:",
        "%",
        "%Y",
        "%10",
        "b;d;q:",
        "n:",
        "w:",
        "l:",
        "a:",
        "c:",
        "==:",
        "||:",
        "1",
        "0",
        "日",
        "é",
        "#S",
        "\\",
        "*",
        "-",
        " ",
    ];
    use proptest::strategy::Strategy as _;
    proptest::prop_oneof![
        8 => proptest::sample::select(known.to_vec()).prop_map(str::to_owned),
        1 => "\\PC{0,3}",
    ]
}
