use super::*;

const SHELL: i32 = 100;

fn idle() -> Facts {
    Facts {
        shell: Some(SHELL),
        replaced_by: None,
        has_integration: true,
        last_mark: Some(Mark::PromptEnds),
        is_continuation: false,
        foreground: Foreground::Shell,
        canonical_tty: false,
        other_processes: Vec::new(),
        extra_fds: Vec::new(),
        is_arriving: false,
        unread_output: true,
        spare_unread: false,
        unread_input: false,
    }
}

fn process(pid: i32, command: &str) -> ProcessFact {
    let argv: Vec<_> = command.split(' ').map(str::to_owned).collect();
    ProcessFact {
        pid,
        group: pid,
        parent: SHELL,
        name: argv[0].clone(),
        argv,
        same_session: true,
        same_tty: true,
        is_stopped: false,
        is_fork: false,
    }
}

fn with(change: impl FnOnce(&mut Facts)) -> Facts {
    let mut facts = idle();
    change(&mut facts);
    facts
}

fn beside(change: impl FnOnce(&mut ProcessFact), command: &str) -> Facts {
    let mut other = process(200, command);
    change(&mut other);
    with(|facts| facts.other_processes = vec![other])
}

#[test]
fn shell_idle_at_its_prompt_can_sleep() {
    assert_eq!(judge(&idle()), Verdict::CanSleep);
    assert_eq!(judge(&idle()).to_string(), "idle at its prompt");
}

#[test]
fn copy_of_the_shell_may_be_gone_in_a_moment_and_a_job_is_not() {
    let is_passing = |facts: &Facts| match judge(facts) {
        Verdict::Refused { reason } => {
            assert_eq!(reason.to_string(), "a background job: bash");
            reason.is_passing()
        }
        verdict => panic!("{verdict:?}"),
    };
    let mut facts = beside(|process| process.is_fork = true, "bash");
    assert!(is_passing(&facts), "it draws the prompt");
    let job = ProcessFact {
        parent: facts.other_processes[0].pid,
        ..process(99, "make")
    };
    facts.other_processes.push(job);
    assert!(!is_passing(&facts), "it runs something");
}

#[test]
fn owner_of_the_terminal_that_the_look_missed_is_looked_for_again() {
    let facts = with(|facts| facts.foreground = Foreground::Other { pid: 99 });
    let Verdict::Refused { reason } = judge(&facts) else {
        panic!("{:?}", judge(&facts));
    };
    assert!(reason.is_passing(), "{reason}");
}

#[test]
fn fork_of_a_shell_at_its_prompt_is_no_program() {
    let mut facts = beside(|process| process.is_fork = true, "bash");
    facts.foreground = Foreground::Other { pid: 200 };
    let text = |facts: &Facts| judge(facts).to_string();
    assert_eq!(text(&facts), "its shell is about to show a prompt");
    // The user typed one: `( sleep 10; … )`.
    facts.last_mark = Some(Mark::CommandBegins);
    assert_eq!(text(&facts), "runs: bash");
}

#[test]
#[expect(clippy::too_many_lines, reason = "a table")]
fn false_positives_are_refused_with_a_sentence() {
    let front = |command: &str| {
        let mut facts = beside(|_| {}, command);
        facts.foreground = Foreground::Other { pid: 200 };
        facts
    };
    let table: Vec<(&str, Facts, &str)> = vec![
        (
            "a program in front",
            front("cargo build"),
            "runs: cargo build",
        ),
        (
            "a background job",
            beside(|_| {}, "yes no"),
            "a background job: yes no",
        ),
        (
            "a stopped job",
            beside(|job| job.is_stopped = true, "/usr/bin/vim notes"),
            "a stopped job: vim notes",
        ),
        // Its pipes are open in the shell as well, but the process is the better description.
        (
            "a coprocess",
            {
                let mut facts = beside(|_| {}, "cat -n");
                facts.extra_fds = vec!["pipe".to_owned(), "pipe".to_owned()];
                facts
            },
            "a background job: cat -n",
        ),
        (
            "a double-forked orphan",
            beside(
                |orphan| {
                    orphan.parent = 1;
                    orphan.same_session = false;
                },
                "server --port 1",
            ),
            "a process left behind: server --port 1",
        ),
        (
            "an orphan of this session without a terminal",
            beside(
                |orphan| {
                    orphan.parent = 1;
                    orphan.same_tty = false;
                },
                "tail -f log",
            ),
            "a process left behind: tail -f log",
        ),
        (
            "a child in a session of its own",
            beside(
                |child| {
                    child.same_session = false;
                    child.same_tty = false;
                },
                "setsid make",
            ),
            "a background job: setsid make",
        ),
        (
            "read",
            with(|facts| {
                facts.last_mark = Some(Mark::CommandBegins);
                facts.canonical_tty = true;
            }),
            "its shell runs a command",
        ),
        (
            "read -e, which edits a line",
            with(|facts| facts.last_mark = Some(Mark::CommandBegins)),
            "its shell runs a command",
        ),
        (
            "a continuation line",
            with(|facts| facts.is_continuation = true),
            "a half-typed command of several lines",
        ),
        (
            "a here-document that is not closed",
            with(|facts| facts.is_continuation = true),
            "a half-typed command of several lines",
        ),
        ("a nested shell", front("-bash"), "runs: bash"),
        (
            "an ssh-like program in raw mode",
            front("ssh host"),
            "runs: ssh host",
        ),
        (
            "a script found on PATH",
            front("/bin/bash /opt/bin/claude --resume"),
            "runs: claude --resume",
        ),
        (
            "a script of one's own",
            front("node server.js -p 80"),
            "runs: node server.js -p 80",
        ),
        (
            "an exec'ed program",
            with(|facts| facts.replaced_by = Some(vec!["/bin/top".to_owned(), "-d1".to_owned()])),
            "runs: top -d1",
        ),
        (
            "a line without an editor",
            with(|facts| facts.canonical_tty = true),
            "something reads lines from the terminal",
        ),
        (
            "a file opened by exec 3>",
            with(|facts| facts.extra_fds = vec!["/tmp/log".to_owned()]),
            "its shell has open files: /tmp/log",
        ),
        (
            "many files",
            with(|facts| facts.extra_fds = ["a", "b", "c", "d"].map(str::to_owned).to_vec()),
            "its shell has open files: a, b, c, …",
        ),
        (
            "a shell without marks",
            with(|facts| {
                facts.has_integration = false;
                facts.last_mark = None;
            }),
            "its shell does not tell where its prompt is",
        ),
        (
            "a shell that still starts",
            with(|facts| facts.last_mark = None),
            "its shell has not shown a prompt yet",
        ),
        (
            "a slow prompt",
            with(|facts| facts.last_mark = Some(Mark::CommandEnds)),
            "its shell is about to show a prompt",
        ),
        (
            "a shell that has just come back",
            with(|facts| facts.is_arriving = true),
            "its shell has not read all of its state yet",
        ),
        (
            "typed ahead",
            with(|facts| facts.unread_input = true),
            "its shell has not read what was typed",
        ),
        (
            "output that no client has shown, when that counts",
            with(|facts| facts.spare_unread = true),
            "nobody has seen its output",
        ),
        (
            "a terminal without an owner",
            with(|facts| facts.foreground = Foreground::Unknown),
            "it is unknown which process uses its terminal",
        ),
        (
            "a leader that cannot be read",
            with(|facts| facts.foreground = Foreground::Other { pid: 7 }),
            "it is unknown which process uses its terminal",
        ),
        (
            "a shell that has ended",
            with(|facts| facts.shell = None),
            "its shell has ended",
        ),
    ];
    for (what, facts, sentence) in table {
        let verdict = judge(&facts);
        assert_ne!(verdict, Verdict::CanSleep, "{what}");
        assert_eq!(verdict.to_string(), sentence, "{what}");
    }
}

#[test]
fn pipeline_whose_leader_ended_is_named_by_the_rest() {
    let mut rest = process(201, "less");
    rest.group = 200;
    let facts = with(|facts| {
        facts.other_processes = vec![rest];
        facts.foreground = Foreground::Other { pid: 200 };
    });
    let program = "less".to_owned();
    assert_eq!(judge(&facts), Verdict::Runs { program, pid: 201 });
}

#[test]
fn unrelated_processes_do_not_keep_a_pane_awake() {
    let facts = beside(
        |stranger| {
            stranger.parent = 1;
            stranger.same_session = false;
            stranger.same_tty = false;
        },
        "cron",
    );
    assert_eq!(judge(&facts), Verdict::CanSleep);
}

#[test]
fn command_texts_are_short_and_printable() {
    let facts = beside(
        |_| {},
        &format!("python3 -c print(1)\x1b[2J\n{}", "x".repeat(99)),
    );
    let text = judge(&facts).to_string();
    assert!(text.starts_with("a background job: python3 -c print(1) [2J xxx"));
    assert!(!text.contains(char::is_control) && text.ends_with('…'));
    assert_eq!(
        text.chars().count(),
        "a background job: ".len() + MAX_COMMAND_SHOWN + 1
    );
    let nameless = beside(|one| one.argv.clear(), "kworker");
    assert_eq!(judge(&nameless).to_string(), "a background job: kworker");
}
