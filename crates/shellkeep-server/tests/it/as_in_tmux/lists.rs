//! What scripts read is what tmux would have told them: lists, formats, captures.

use std::collections::BTreeMap;

use super::{Answer, Both};

/// The same sessions, windows and panes in both.
fn prepare(both: &Both) {
    for args in [
        &[
            "new", "-d", "-s", "work", "-n", "one", "-x", "80", "-y", "24", "cat",
        ][..],
        &["neww", "-d", "-t", "work", "-n", "two", "cat -u"],
        &["splitw", "-d", "-t", "work:two", "cat"],
        &["splitw", "-d", "-h", "-t", "work:two.0", "cat"],
        &[
            "new", "-d", "-s", "mail", "-n", "box", "-x", "60", "-y", "20", "cat",
        ],
        // Where our defaults are others.
        &["set", "-g", "history-limit", "2000"],
        &["set", "-g", "mouse", "off"],
        &["set", "-g", "status", "on"],
        &["set", "-g", "@user", "a b"],
        &["set", "-t", "work", "@own", "#{session_name}!"],
    ] {
        both.same(args);
    }
}

/// What cannot be the same: devices, times, process ids, and how much memory a history takes.
fn masked(text: &str) -> String {
    let mut out = String::new();
    for line in text.lines() {
        let line = match (line.find("(created "), line.find(", ")) {
            (Some(at), _) => {
                let rest = &line[at..];
                let end = rest.find(')').unwrap_or(rest.len());
                format!("{}(created{}", &line[..at], &rest[end..])
            }
            (None, Some(at)) if line.contains(" bytes]") => {
                let end = line.find(" bytes]").unwrap_or(line.len());
                format!("{}{}", &line[..at], &line[end..])
            }
            _ => line.to_owned(),
        };
        out.push_str(&masked_words(&line));
        out.push('\n');
    }
    out
}

fn masked_words(line: &str) -> String {
    let is_time = |word: &str| word.len() == 10 && word.bytes().all(|byte| byte.is_ascii_digit());
    let words = line.split(' ').map(|word| match word.rsplit_once('/') {
        Some(("/dev/pts", _)) => "/dev/pts/#",
        _ if is_time(word) => "TIME",
        _ => word,
    });
    words.collect::<Vec<_>>().join(" ")
}

/// Asserts that both answer the same but for what cannot be.
#[track_caller]
fn all_same(both: &Both, cases: &[&[&str]]) {
    both.same_all(cases.iter().copied(), |answer| Answer {
        stdout: masked(&answer.stdout),
        ..answer
    });
}

#[test]
#[expect(clippy::too_many_lines, reason = "a list of commands")]
fn lists_print_as_in_tmux() {
    let both = Both::start("lists");
    prepare(&both);
    all_same(
        &both,
        &[
            &["ls"],
            &["list-sessions", "-F", "#S"],
            &[
                "ls",
                "-F",
                "#{line}:#{session_name}:#{session_windows}:#{session_id}",
            ],
            &["ls", "-f", "#{m:w*,#S}", "-F", "#S"],
            &["ls", "-f", "0"],
            &["ls", "-f", "#{session_attached}"],
            &[
                "ls",
                "-F",
                "#{session_format} #{window_format} #{pane_format} #{command}",
            ],
            &["ls", "-F", "#{window_name} #{pane_index} #{window_index}"],
            &["ls", "-F", "#{client_name}|#{client_session}|"],
            &["lsw", "-t", "work"],
            &["lsw", "-t", "mail"],
            &["lsw", "-a"],
            &["lsw", "-a", "-F", "#S:#I #W #F #{window_raw_flags}"],
            &[
                "lsw",
                "-t",
                "work",
                "-F",
                "#{line} #{window_id} #{window_active}",
            ],
            &["lsw", "-t", "work", "-f", "#{window_active}", "-F", "#W"],
            &["lsw", "-t", "work:two", "-F", "#W"],
            &["lsw", "-t", "nope"],
            &[
                "lsw",
                "-a",
                "-F",
                "#{session_format} #{window_format} #{pane_format}",
            ],
            &["lsp", "-t", "work:two"],
            &["lsp", "-t", "work:one"],
            &["lsp", "-s", "-t", "work"],
            &["lsp", "-a"],
            &[
                "lsp",
                "-a",
                "-F",
                "#{line} #D #P #{pane_active} #{window_id}",
            ],
            &[
                "lsp",
                "-s",
                "-t",
                "work",
                "-f",
                "#{pane_active}",
                "-F",
                "#I.#P",
            ],
            &[
                "lsp",
                "-s",
                "-t",
                "work",
                "-f",
                "#{pane_at_bottom}",
                "-F",
                "#D",
            ],
            &["lsp", "-t", "nope"],
            &["lsp", "-t", "work:9"],
            &[
                "lsp",
                "-a",
                "-F",
                "#{pane_width}x#{pane_height}+#{pane_left}+#{pane_top}",
            ],
            &[
                "lsp",
                "-a",
                "-F",
                "#{pane_right} #{pane_bottom} #{pane_at_left} #{pane_at_top}",
            ],
            &["lsp", "-a", "-F", "#{pane_start_command}"],
            &[
                "lsp",
                "-a",
                "-F",
                "#{pane_format} #{window_format} #{pane_tty}",
            ],
            &[
                "lsp",
                "-a",
                "-F",
                "#{@user}|#{@own}|#{E:@own}|#{nope}|#{history-limit}",
            ],
            &["lsp", "-a", "-F", "#{history_size}/#{history_limit}"],
            &["lsc"],
            &["lsc", "-t", "work"],
            &["lsc", "-t", "nope"],
            &["lsc", "-F", "#{client_name}"],
            &["lscm", "-F", "#{command_list_name}", "lsw"],
            &["lscm", "-F", "#{command_list_alias}", "list-panes"],
            &["lscm", "nosuch"],
            &["has", "-t", "work"],
            &["has", "-t", "nope"],
            &["showmsgs", "-t", "nope"],
            &["start-server"],
            &["server-access"],
            &["server-access", "nosuchuser"],
            &["lockc"],
            &["locks", "-t", "nope"],
            &["lock-server"],
            &["refresh-client"],
            &["refresh-client", "-t", "nope"],
            &["pipe-pane", "-t", "nope", "cat"],
            &["clearhist", "-t", "work"],
            &["clearhist", "-t", "nope"],
            &["send-keys", "-t", "work", "-X", "cancel"],
            &["send-keys", "-t", "work", "-N", "x", "a"],
            &["send-keys", "-t", "work", "-N", "0", "a"],
            &["send-keys", "-t", "work", "-M"],
            &["send-prefix", "-t", "nope"],
        ],
    );
}

#[test]
#[expect(clippy::too_many_lines, reason = "a list of commands")]
fn messages_are_worked_out_as_in_tmux() {
    let both = Both::start("messages");
    prepare(&both);
    let templates = [
        "#S #I #P #W #F #D",
        "#{session_name}:#{window_index}.#{pane_index}",
        "#{window_layout}",
        "#{window_visible_layout}",
        "#{window_panes} #{window_width}x#{window_height} #{window_flags}",
        "#{window_active} #{window_last_flag} #{window_start_flag} #{window_end_flag}",
        "#{window_linked} #{window_linked_sessions} #{window_linked_sessions_list}",
        "#{window_active_clients} [#{window_active_clients_list}] #{window_active_sessions_list}",
        "#{window_zoomed_flag} #{window_marked_flag} #{window_bigger} #{window_offset_x}",
        "#{window_stack_index} #{session_stack} #{session_alerts}|",
        "#{window_cell_width} #{window_cell_height} #{window_activity_flag}",
        "#{session_attached} [#{session_attached_list}] #{session_many_attached}",
        "#{session_group}|#{session_grouped}|#{session_group_size}|#{session_group_list}",
        "#{session_last_attached} #{session_marked} #{session_path}",
        "#{active_window_index} #{last_window_index} #{next_session_id}",
        "#{pane_active} #{pane_last} #{pane_marked} #{pane_marked_set} #{pane_synchronized}",
        "#{pane_dead} #{pane_dead_status}| #{pane_dead_signal}| #{pane_dead_time}|",
        "#{pane_in_mode} #{pane_mode}| #{pane_pipe} #{pane_input_off} #{pane_search_string}|",
        "#{pane_fg} #{pane_bg} #{pane_tabs} #{pane_path}|",
        "#{pane_start_path} #{pane_current_path}",
        "#{cursor_x} #{cursor_y} #{cursor_flag} [#{cursor_character}]",
        "#{alternate_on} #{alternate_saved_x} #{alternate_saved_y}",
        "#{insert_flag} #{origin_flag} #{wrap_flag} #{keypad_flag} #{keypad_cursor_flag}",
        "#{mouse_any_flag}#{mouse_all_flag}#{mouse_button_flag}#{mouse_sgr_flag}#{mouse_utf8_flag}",
        "#{mouse_standard_flag} #{scroll_region_upper} #{scroll_region_lower}",
        "#{client_name}|#{client_tty}|#{client_width}|#{client_prefix}|",
        "#{session_created} #{window_activity} #{start_time}",
        "#{?#{pane_pid},pid,none} #{?pid,server,none}",
        "#{e|+|:#{pane_width},#{pane_height}} #{e|/|f|3:1,3}",
        "#{=3:session_name} #{=-2:session_name} #{p8:session_name}| #{n:session_name}",
        "#{?window_active,yes,no} #{==:#S,work} #{m:w*,#S} #{||:0,1} #{&&:1,0}",
        "#{S:#S,} #{W:#I#{?window_active,*,},[#I]} #{P:#P ,<#P>}",
        "#{N/w:two} #{N/s:mail} #{N/s:nope}",
        "#{s/o/0/:window_name} #{b:pane_start_path} #{q:@user} #{l:#S}",
        "#{@user} #{@own} #{E:@own} #{status} #{prefix} #{history-limit} #{mouse}",
        "#{pane_id} #{window_id} #{session_id}",
        "#{C:nothing} #{a:65} #{c:red} #{nope}|#{hook}|#{line}|#{command}",
        "## #, #} #[fg=red]x#[default] #x",
        "",
    ];
    let targets = ["work", "work:two.1", "mail", "work:two.2"];
    let mut cases: Vec<Vec<&str>> = Vec::new();
    for template in templates {
        for target in targets {
            cases.push(vec!["display", "-p", "-t", target, template]);
        }
    }
    for args in [
        &["display", "-p", "-F", "#S", "-t", "mail"][..],
        &["display", "-p", "-F", "#S", "x"],
        &["display", "-p", "-t", "nope", "[#S]"],
        &["display", "-p", "-c", "nope", "-t", "mail", "#S"],
        &["display", "-p", "-d", "x", "#S"],
        &["display", "-p", "-d", "-1", "#S"],
        &["display", "-p", "-t", "mail", "#S", "y"],
        &["display", "-t", "mail", "nobody sees this"],
        &["display", "-N", "-d", "100", "-t", "mail", "nor this"],
        &[
            "display",
            "-pv",
            "-t",
            "work",
            "#{=2:session_name} #{p5:session_name}",
        ],
        &[
            "display",
            "-pv",
            "-t",
            "work",
            "#{n:session_name} #{l:a} #{E:@own} #{nope}",
        ],
        &[
            "display",
            "-pv",
            "-t",
            "work",
            "#{?nope,a,b} #{?#{==:1,1},a,b} #{?#S,a}",
        ],
        &[
            "display",
            "-pv",
            "-t",
            "work",
            "#{m/r:^w,#S} #{s/o/0/;=2:session_name}",
        ],
        &[
            "display",
            "-pv",
            "-t",
            "work",
            "#{S:#S}#{W:#I,x}#{P:#P}#{N/w:one}",
        ],
        &[
            "display",
            "-pv",
            "-t",
            "work",
            "#{e|+|:1,2} #{e|/|f|3:1,3} #{e|q:1,2}",
        ],
        &[
            "display",
            "-pv",
            "-t",
            "work",
            "## #, #} #x #{#{session_name}} #{m:a}",
        ],
        &[
            "display",
            "-pv",
            "-t",
            "work",
            "#{t:nope} #{C:zzz} #{a:98} #{c:red}",
        ],
        &["display", "-v", "-t", "work", "#S"],
    ] {
        cases.push(args.to_vec());
    }
    let cases: Vec<&[&str]> = cases.iter().map(Vec::as_slice).collect();
    assert!(cases.len() >= 100);
    all_same(&both, &cases);
}

/// The variables of `display-message -a` with their values.
fn variables(output: &Answer) -> BTreeMap<String, String> {
    let lines = output
        .stdout
        .lines()
        .filter_map(|line| line.split_once('='));
    let pairs = lines.map(|(name, value)| (name.to_owned(), masked(value)));
    pairs.collect()
}

#[test]
fn variables_are_all_there_and_worth_what_they_are_in_tmux() {
    let both = Both::start("variables");
    prepare(&both);
    // What is about the server itself, and what tmux alone has: how it keeps its cells.
    let unlike = [
        "config_files",
        "history_all_bytes",
        "history_bytes",
        // A program that a test plays has no process.
        "pane_current_command",
        "version",
    ];
    let mut wrong = String::new();
    for target in ["work", "work:two.1", "mail"] {
        let (ours, theirs) = both.ask(&["display", "-a", "-t", target]);
        let (ours, theirs) = (variables(&ours), variables(&theirs));
        for (name, theirs) in &theirs {
            if !unlike.contains(&&name[..]) && ours.get(name) != Some(theirs) {
                let ours = ours.get(name);
                wrong.push_str(&format!("{target} {name}: {ours:?}, not {theirs:?}\n"));
            }
        }
        assert!(theirs.len() > 100, "{theirs:?}");
    }
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn commands_of_tmux_are_all_listed() {
    let both = Both::start("list_commands");
    both.same(&["new", "-d", "-s", "a", "cat"]);
    let format = "#{command_list_name} #{command_list_alias}";
    let (ours, theirs) = both.ask(&["lscm", "-F", format]);
    let ours: Vec<&str> = ours.stdout.lines().collect();
    for line in theirs.stdout.lines() {
        assert!(ours.contains(&line), "{line}: {ours:?}");
    }
}

/// Paints in all colours.
const PAINT: &str = "plain \x1b[1mbold \x1b[31mred\x1b[0m norm\r\n\
    \x1b[4mund\x1b[24m \x1b[4:3mcurl\x1b[0m \x1b[53mover\x1b[55m\r\n\
    \x1b[38;5;200mx\x1b[48;2;1;2;3my\x1b[0m \x1b[91mbright\x1b[101mbg\x1b[m\r\n\
    \x1b[7mrev\x1b[27m\x1b[2mdim\x1b[22m \x1b[58;5;3m\x1b[4musc\x1b[59m\x1b[24m\r\n\
    back\\slash tab\there   \r\n\
    \x1b[44mblue   \x1b[0m\r\n\x1b[31mspan\r\nnext\x1b[0m\r\n\
    \x1b[9mst\x1b[29m\x1b[3mit\x1b[23m\x1b[8mhid\x1b[28m\x1b[5mbl\x1b[25m\r\n\
    a line that is longer than the pane is wide, and so goes on in the next\r\n\
    wide 漢字 e\u{301} x |end";

#[test]
fn captures_print_as_in_tmux() {
    let both = Both::start("captures");
    both.same(&["new", "-d", "-x", "30", "-y", "8", "-s", "p", "cat"]);
    both.same(&["new", "-d", "-x", "30", "-y", "5", "-s", "alt", "cat"]);
    both.says(0, PAINT, "|end");
    both.says(1, "main\x1b[?1049hother\x1b[1;3", "other");
    all_same(
        &both,
        &[
            &["capturep", "-p", "-t", "p"],
            &["capturep", "-pe", "-t", "p"],
            &["capturep", "-pe", "-S", "-", "-t", "p"],
            &["capturep", "-peC", "-S", "-", "-t", "p"],
            &["capturep", "-pC", "-S", "-", "-t", "p"],
            &["capturep", "-pN", "-S", "-", "-t", "p"],
            &["capturep", "-pJ", "-S", "-", "-t", "p"],
            &["capturep", "-peJ", "-S", "-", "-t", "p"],
            &["capturep", "-peN", "-S", "-3", "-E", "2", "-t", "p"],
            &["capturep", "-p", "-S", "x", "-E", "y", "-t", "p"],
            &["capturep", "-p", "-S", "99", "-t", "p"],
            &["capturep", "-p", "-E", "-99", "-t", "p"],
            &["capturep", "-pP", "-t", "p"],
            &["capturep", "-p", "-a", "-t", "p"],
            &["capturep", "-p", "-aq", "-t", "p"],
            &["capturep", "-p", "-t", "alt"],
            &["capturep", "-pa", "-t", "alt"],
            &["capturep", "-pae", "-S", "0", "-E", "1", "-t", "alt"],
            &["capturep", "-pPC", "-t", "alt"],
            &["capturep", "-P", "-C", "-b", "pending", "-t", "alt"],
            &["show-buffer", "-b", "pending"],
            &["capturep", "-t", "p"],
            &["show-buffer"],
            &["capturep", "-b", "named", "-E", "0", "-t", "p"],
            &["show-buffer", "-b", "named"],
            &["capturep", "-p", "-t", "nope"],
        ],
    );
}
