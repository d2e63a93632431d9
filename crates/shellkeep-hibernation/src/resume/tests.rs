//! One line a program: what runs, and how it is resumed.

use proptest::prelude::*;

use super::*;
use crate::priority::Millis;
use crate::quote::Shell;
use words::Line;

const ID: &str = "0198f1a2-0000-7000-8000-00000000abcd";
const OTHER: &str = "0198f1a2-0000-7000-8000-00000000ffff";
const STARTED: Millis = 1_000_000;
const LAST: Millis = 2_000_000;

/// A disk of files, each with when it was written and how it begins.
#[derive(Default)]
struct Disk {
    files: Vec<(String, Millis, String)>,
}

impl Disk {
    fn with(mut self, path: &str, modified: Millis, head: &str) -> Self {
        self.files
            .push((path.to_owned(), modified, head.to_owned()));
        self
    }
}

impl Lookup for Disk {
    fn newest_files(&self, directory: &str, pattern: &str) -> Vec<FoundFile> {
        let depth = pattern.matches('/').count();
        let name = pattern.rsplit('/').next().unwrap();
        let (front, back) = name.split_once('*').unwrap_or((name, ""));
        let is_one = |path: &str| {
            let below = path.strip_prefix(directory);
            let below = below.and_then(|path| path.strip_prefix('/'));
            below.is_some_and(|below| {
                let name = below.rsplit('/').next().unwrap();
                let is_deep = below.matches('/').count() == depth;
                is_deep && name.starts_with(front) && name.ends_with(back)
            })
        };
        let found = self.files.iter().filter(|file| is_one(&file.0));
        found
            .map(|(path, modified, _)| FoundFile {
                path: path.clone(),
                modified: *modified,
            })
            .collect()
    }

    fn exists(&self, path: &str) -> bool {
        self.files.iter().any(|file| file.0 == path)
    }

    fn head(&self, path: &str) -> Option<String> {
        self.files
            .iter()
            .find(|file| file.0 == path)
            .map(|file| file.2.clone())
    }
}

fn owned(text: &str) -> Vec<String> {
    commands(text).unwrap().remove(0)
}

fn commands(text: &str) -> Option<Vec<words::Command>> {
    match words::read(text, Shell::Bash, Some("/home/u")) {
        Line::Commands(commands) => Some(commands),
        Line::Replaced | Line::Longer => None,
    }
}

/// A program called by these words, in `/home/u/app`.
struct Case {
    argv: Vec<String>,
    typed: Option<String>,
    environment: Vec<(String, String)>,
    rivals: Vec<Rival>,
    rules: Rules,
    disk: Disk,
    shell: Shell,
}

fn called(line: &str) -> Case {
    Case {
        argv: owned(line),
        typed: None,
        environment: vec![("HOME".to_owned(), "/home/u".to_owned())],
        rivals: Vec::new(),
        rules: Rules::default(),
        disk: Disk::default(),
        shell: Shell::Bash,
    }
}

/// The line that the shell reported; the words are the arguments.
fn typed(line: &str) -> Case {
    let mut case = called("program");
    case.typed = Some(line.to_owned());
    if let Some(mut commands) = commands(line) {
        let command = commands.pop().unwrap();
        let program = command.iter().skip_while(|word| words::is_assignment(word));
        case.argv = program.cloned().collect();
    }
    case
}

impl Case {
    fn disk(mut self, disk: Disk) -> Self {
        self.disk = disk;
        self
    }

    fn argv(mut self, line: &str) -> Self {
        self.argv = owned(line);
        self
    }

    fn rival(mut self, last_output: Millis) -> Self {
        self.rivals.push(Rival { last_output });
        self
    }

    fn rules(mut self, rules: &[&str]) -> Self {
        let (rules, errors) = Rules::parse(rules.iter().copied());
        assert_eq!(errors, []);
        self.rules = rules;
        self
    }

    fn resume(&self) -> Resume {
        let program = Program {
            argv: &self.argv,
            cwd: "/home/u/app",
            typed: self.typed.as_deref(),
            environment: &self.environment,
            shell: self.shell,
            started: STARTED,
            last_output: LAST,
            rivals: &self.rivals,
        };
        resume(&program, &self.rules, &self.disk)
    }

    #[track_caller]
    fn runs(&self, line: &str) {
        let resumed = self.resume();
        assert_eq!(
            (resumed.how, resumed.line.as_str()),
            (How::Run, line),
            "{:?}",
            resumed.note
        );
        assert_eq!(resumed.wakes_on, WakesOn::FirstKey);
    }

    #[track_caller]
    fn is_typed(&self, line: &str) {
        let resumed = self.resume();
        assert_eq!(
            (resumed.how, resumed.line.as_str()),
            (How::TypeUnsent, line)
        );
        assert_eq!(resumed.wakes_on, WakesOn::View);
    }
}

#[test]
fn scripts_on_the_path_are_typed_by_their_names() {
    let path = |case: Case| {
        let disk = Disk::default().with("/opt/bin/tunnel", LAST, "");
        let mut case = case.disk(disk.with("/usr/bin/deploy", LAST, ""));
        let path = ("PATH".to_owned(), "/opt/bin/:/usr/bin".to_owned());
        case.environment.push(path);
        case
    };
    path(called("/bin/bash /opt/bin/tunnel host 'a b'")).is_typed("tunnel host 'a b'");
    path(called("/usr/bin/python3 -u /usr/bin/deploy now")).is_typed("deploy now");
    // Others stay what they are: by its name another would be found, or none.
    path(called("/bin/bash /home/u/tunnel host")).is_typed("/bin/bash /home/u/tunnel host");
    path(called("bash build.sh all")).is_typed("bash build.sh all");
    path(called("/usr/bin/deploy now")).is_typed("/usr/bin/deploy now");
    called("/bin/bash /opt/bin/tunnel host").is_typed("/bin/bash /opt/bin/tunnel host");
}

fn claude_file(id: &str) -> String {
    format!("/home/u/.claude/projects/-home-u-app/{id}.jsonl")
}

fn one_claude_file() -> Disk {
    Disk::default().with(&claude_file(ID), LAST, "")
}

#[test]
fn programs_without_a_rule_are_typed_as_they_were() {
    typed("make -j4 all").is_typed("make -j4 all");
    typed("for i in *; do cat \"$i\"; done").is_typed("for i in *; do cat \"$i\"; done");
    called("make 'a b'").is_typed("make 'a b'");
    // Several lines: the first newline would send it.
    typed("make \\\n all").argv("make all").is_typed("make all");
    let mut odd = called("make 'a\nb'");
    odd.is_typed(r"make $'a\012b'");
    odd.shell = Shell::Fish;
    odd.is_typed(r"make 'a'\u000a'b'");
    odd.shell = Shell::Posix;
    odd.is_typed("");
    assert!(odd.resume().note.is_some());
}

#[test]
fn claude_is_resumed_by_the_id_it_was_given() {
    for line in [
        format!("claude --session-id {ID}"),
        format!("claude --session-id={ID} 'fix it'"),
        format!("claude --resume {ID} -p 'fix it'"),
        format!("claude -r {ID} fix it all"),
        format!("claude --continue --resume {ID}"),
        format!("claude --resume {ID} -- -x"),
    ] {
        called(&line).runs(&format!("claude --resume {ID}"));
    }
    called(&format!(
        "claude --resume {ID} --model opus --add-dir a b --verbose 'go on'"
    ))
    .runs(&format!(
        "claude --resume {ID} --model opus --add-dir a b --verbose"
    ));
    called("claude -r auth-work --permission-mode plan")
        .runs("claude --resume auth-work --permission-mode plan");
}

#[test]
fn claude_is_resumed_by_its_newest_file() {
    let disk = || {
        one_claude_file()
            .with(&claude_file(OTHER), LAST - 50_000, "")
            .with(
                "/home/u/.claude/projects/-home-u-app/agent-77.jsonl",
                LAST,
                "",
            )
            .with(
                &format!("/home/u/.claude/projects/-home-u/{OTHER}.jsonl"),
                LAST,
                "",
            )
    };
    typed("claude --dangerously-skip-permissions 'fix it'")
        .disk(disk())
        .runs(&format!(
            "claude --resume {ID} --dangerously-skip-permissions"
        ));
    typed("claude -p 'fix it' --output-format json")
        .disk(disk())
        .runs(&format!("claude --resume {ID}"));
    typed(&format!("claude --resume {OTHER} --fork-session"))
        .disk(disk())
        .runs(&format!("claude --resume {ID}"));
    // Another terminal continued after this pane fell quiet.
    let later = one_claude_file().with(&claude_file(OTHER), LAST + 999_999, "");
    called("claude")
        .disk(later)
        .runs(&format!("claude --resume {ID}"));
}

#[test]
fn claude_without_a_conversation_is_not_run() {
    let old = Disk::default().with(&claude_file(OTHER), STARTED - 1, "");
    called("claude --model opus")
        .disk(old)
        .is_typed("claude --resume --model opus");
    // It continued the latest conversation, and nothing was written since.
    let old = Disk::default().with(&claude_file(OTHER), STARTED - 1, "");
    called("claude -c")
        .disk(old)
        .runs(&format!("claude --resume {OTHER}"));
}

#[test]
fn claude_in_a_shared_directory_is_never_continued_by_chance() {
    let disk = || {
        Disk::default()
            .with(&claude_file(ID), LAST - 1000, "")
            .with(&claude_file(OTHER), LAST - 600_000, "")
    };
    // Written when this pane printed, and when the other did not.
    called("claude")
        .disk(disk())
        .rival(LAST - 600_000)
        .runs(&format!("claude --resume {ID}"));
    // Both printed then.
    let doubtful = called("claude").disk(disk()).rival(LAST);
    doubtful.is_typed("claude --resume");
    let note = doubtful.resume().note.unwrap();
    assert_eq!(
        note,
        "several panes share this directory: choose the conversation"
    );
    for case in [
        called("claude").disk(disk()).rival(LAST),
        called("claude -c").disk(disk()).rival(LAST),
        called("claude --continue").rival(LAST),
        called("claude").rival(LAST),
    ] {
        let resumed = case.resume();
        assert!(
            !resumed.line.contains("--continue") && !resumed.line.contains("-c"),
            "{}",
            resumed.line
        );
        assert_eq!(resumed.how, How::TypeUnsent);
    }
}

#[test]
fn claude_directory_can_be_elsewhere() {
    let mut case = called("claude");
    case.environment
        .push(("CLAUDE_CONFIG_DIR".to_owned(), "/c/".to_owned()));
    case.disk(Disk::default().with(&format!("/c/projects/-home-u-app/{ID}.jsonl"), LAST, ""))
        .runs(&format!("claude --resume {ID}"));
}

#[test]
fn commands_that_are_no_conversations_are_typed() {
    for line in [
        "claude mcp list",
        "claude update",
        "codex login",
        "gemini mcp add",
        "opencode serve",
        "goose configure",
        "goose session list",
        "copilot help",
        "cursor-agent ls",
        "amp threads list",
        "amp login",
    ] {
        typed(line).disk(one_claude_file()).is_typed(line);
    }
}

#[test]
fn unknown_flags_are_kept_and_not_run() {
    let case = typed("claude --brand-new thing 'fix it'").disk(one_claude_file());
    case.is_typed(&format!("claude --resume {ID} --brand-new thing"));
    let attached = typed("claude --brand-new=thing 'fix it'").disk(one_claude_file());
    attached.runs(&format!("claude --resume {ID} --brand-new=thing"));
}

#[test]
fn codex_is_resumed_by_its_id_or_file() {
    called(&format!("codex resume {ID} 'go on'")).runs(&format!("codex resume {ID}"));
    called(&format!("codex exec resume {ID} --json 'go on'")).runs(&format!("codex resume {ID}"));
    let file = |id: &str, day: &str| {
        format!("/home/u/.codex/sessions/2026/11/{day}/rollout-2026-11-{day}T10-00-00-{id}.jsonl")
    };
    let disk = || {
        Disk::default()
            .with(
                &file(OTHER, "16"),
                LAST + 1,
                r#"{"payload":{"cwd":"/home/u/else"}}"#,
            )
            .with(
                &file(ID, "15"),
                LAST,
                r#"{"payload":{"id":"x","cwd":"/home/u/app","more":"#,
            )
    };
    called("codex -m gpt-5 --full-auto -i a.png b.png")
        .disk(disk())
        .runs(&format!("codex resume {ID} -m gpt-5"));
    called("codex -mgpt-5 --search 'fix it'")
        .disk(disk())
        .runs(&format!("codex resume {ID} -mgpt-5 --search"));
    called("codex resume --last 'fix it'")
        .disk(disk())
        .runs(&format!("codex resume {ID}"));
    called("codex resume")
        .disk(disk())
        .runs(&format!("codex resume {ID}"));
    // A file without a directory is a guess.
    let silent = Disk::default().with(&file(ID, "15"), LAST, "{}");
    called("codex")
        .disk(silent)
        .is_typed(&format!("codex resume {ID}"));
    called("codex --search").is_typed("codex resume --search");
}

#[test]
fn other_agents_come_back_as_their_documents_say() {
    called("gemini -m flash -i 'fix it'").runs("gemini --resume -m flash");
    called(&format!("gemini --session-id {ID} --yolo"))
        .runs(&format!("gemini --resume {ID} --yolo"));
    called(&format!("gemini -r {ID}")).runs(&format!("gemini --resume {ID}"));
    called("gemini --resume 3").runs("gemini --resume");
    called("gemini fix it")
        .rival(LAST)
        .is_typed("gemini --resume");

    called("opencode -s ses_1 -m a/b ./app").runs("opencode --session ses_1 -m a/b ./app");
    called("opencode --prompt 'fix it'").runs("opencode --continue");
    called("opencode run 'fix it'").runs("opencode --continue");
    called("opencode run -m a/b --format json -s ses_1 fix it")
        .runs("opencode --session ses_1 -m a/b");
    called("opencode run --title x -f a.txt -- 'fix it'").runs("opencode --continue");
    called("opencode")
        .rival(LAST)
        .is_typed("opencode --continue");
    let file = "/home/u/.local/share/opencode/storage/session/p1/ses_9z.json";
    let disk = Disk::default().with(
        file,
        LAST,
        "{\n  \"id\": \"ses_9z\",\n  \"directory\": \"/home/u/app\"\n}",
    );
    called("opencode")
        .disk(disk)
        .runs("opencode --session ses_9z");

    called("goose session -n work --debug").runs("goose session --resume -n work --debug");
    called("goose session --resume --session-id 20251108_1")
        .runs("goose session --resume --session-id 20251108_1");
    called("goose run -t 'fix it' -s --name work").runs("goose session --resume --name work");
    called("goose").is_typed("goose session --resume");

    called("aider --model sonnet --message 'fix it' --edit-format diff a.py b.py")
        .runs("aider --restore-chat-history --model sonnet --edit-format diff a.py b.py");
    called("aider --load setup.txt -m hi").runs("aider --restore-chat-history");
    called("aider")
        .rival(LAST)
        .is_typed("aider --restore-chat-history");

    called(&format!(
        "copilot --resume={ID} --allow-tool 'shell(git)' -p hi"
    ))
    .runs(&format!("copilot --resume {ID} --allow-tool 'shell(git)'"));
    let events = format!("/home/u/.copilot/session-state/{ID}/events.jsonl");
    let disk = Disk::default().with(
        &events,
        LAST,
        r#"{"data":{"context":{"cwd":"/home/u/app"}}}"#,
    );
    called("copilot --model gpt-5 -i hi")
        .disk(disk)
        .runs(&format!("copilot --resume {ID} --model gpt-5"));
    called("copilot").is_typed("copilot --resume");

    called(&format!("cursor-agent --resume={ID} --model x 'fix it'"))
        .runs(&format!("cursor-agent --resume {ID} --model x"));
    let chat = format!("/home/u/.cursor/chats/0a1b/{ID}/store.db");
    called("cursor-agent -f")
        .disk(Disk::default().with(&chat, LAST, ""))
        .is_typed(&format!("cursor-agent --resume {ID} -f"));

    called("amp threads continue T-1a2b -x hi").runs("amp threads continue T-1a2b");
    called("amp t c T-1a2b --mode smart").runs("amp threads continue T-1a2b --mode smart");
    called("amp").is_typed("amp threads continue");
}

#[test]
fn wrappers_and_variables_are_kept() {
    let line = |front: &str| format!("{front} --resume {ID}");
    for front in [
        "env A=1 claude",
        "npx -y @anthropic-ai/claude-code@latest",
        "node /usr/local/bin/claude",
        "node /n/node_modules/@anthropic-ai/claude-code/cli.js",
        "/home/u/.local/bin/claude",
        "nice -n 5 claude",
    ] {
        typed(&format!("{front} 'fix it'"))
            .disk(one_claude_file())
            .runs(&line(front));
        called(&format!("{front} 'fix it'"))
            .disk(one_claude_file())
            .runs(&line(front));
    }
    typed("A='x y' B= claude hi")
        .disk(one_claude_file())
        .runs(&line("A='x y' B= claude"));
    typed("cd app && claude hi")
        .disk(one_claude_file())
        .runs(&line("claude"));
    called("uvx --from aider-chat aider a.py")
        .runs("uvx --from aider-chat aider --restore-chat-history a.py");
    called("python3 -m aider a.py").runs("python3 -m aider --restore-chat-history a.py");
}

#[test]
fn typed_line_takes_precedence_over_a_title() {
    // Node programs write their title over their arguments.
    typed("claude --model opus 'fix it'")
        .argv("claude")
        .disk(one_claude_file())
        .runs(&format!("claude --resume {ID} --model opus"));
    typed("npx @anthropic-ai/claude-code --model opus")
        .argv("claude")
        .disk(one_claude_file())
        .runs(&format!(
            "npx @anthropic-ai/claude-code --resume {ID} --model opus"
        ));
    typed("agent -f 'fix it'")
        .argv(&format!(
            "/n/node /n/cursor-agent/versions/1/index.js --resume {ID}"
        ))
        .is_typed("agent ls -f");
    // An alias: its arguments are the program's, if it shows any.
    typed("cc")
        .argv("claude --model opus")
        .disk(one_claude_file())
        .runs(&format!("claude --resume {ID} --model opus"));
    typed("cc")
        .argv("claude")
        .disk(one_claude_file())
        .is_typed(&format!("claude --resume {ID}"));
}

#[test]
fn parts_of_longer_commands_are_neither_run_nor_typed_alone() {
    for (line, argv) in [
        ("claude | tee log", "claude"),
        ("claude > log", "claude"),
        ("claude --model $M | tee log", "claude --model x"),
        ("claude; make", "claude"),
        ("while true; do claude; done", "claude"),
        ("cd app; cc; make", "claude"),
        ("tail -f /etc/passwd | grep root", "tail -f /etc/passwd"),
        ("tail -f /etc/passwd > copy.log", "tail -f /etc/passwd"),
        (
            "for f in 1 2; do less /etc/passwd; done",
            "less /etc/passwd",
        ),
        ("vim a; make", "vim a"),
    ] {
        let disk = one_claude_file().with("/home/u/app/Session.vim", LAST, "");
        let case = typed(line).argv(argv).disk(disk);
        case.is_typed(line);
        assert_eq!(
            case.resume().note.as_deref(),
            Some(PART_OF_COMMAND),
            "{line}"
        );
    }
    // An alias that cannot be typed as a whole leaves nothing.
    for argv in ["less /etc/passwd", "make"] {
        let lines = typed(&format!("for f in 1 2\ndo {argv}\ndone")).argv(argv);
        lines.is_typed("");
        assert!(lines.resume().note.is_some());
    }
    // Words that the shell has expanded are known from the process.
    let replaced = typed("claude --model $M").argv("claude --model x");
    let replaced = replaced.disk(one_claude_file());
    replaced.is_typed(&format!("claude --resume {ID} --model x"));
    assert!(replaced.resume().note.is_some());
    typed("git log | less")
        .argv("less")
        .is_typed("git log | less");
    typed("sudo less /var/log/x").is_typed("sudo less /var/log/x");
    let note = typed("sudo less /var/log/x").resume().note;
    assert_eq!(
        note.as_deref(),
        Some("runs as another user: press Enter to go on")
    );
}

#[test]
fn pagers_and_monitors_show_the_same_again() {
    for line in [
        "less -R +F notes.txt",
        "more a b",
        "tail -f /var/log/x",
        "man 3 printf",
        "top -d 5",
        "htop",
        "less +/word a",
    ] {
        called(line).runs(line);
        typed(line).runs(line);
    }
    // Its standard input is gone.
    called("less").is_typed("less");
    called("tail -f").is_typed("tail -f");
    called("less '+!make' a").is_typed("less '+!make' a");
}

#[test]
fn editors_come_back_with_their_session() {
    let session = |modified| Disk::default().with("/home/u/app/Session.vim", modified, "");
    called("vim").disk(session(1)).runs("vim -S Session.vim");
    called("nvim -u rc +42 -c 'wq' a b")
        .disk(session(STARTED))
        .runs("nvim -S Session.vim -u rc");
    called("vim -S").disk(session(1)).runs("vim -S Session.vim");
    called("vim -S my.vim a")
        .disk(Disk::default().with("/home/u/app/my.vim", 1, ""))
        .runs("vim -S my.vim");
    called("vim -S /s/my.vim")
        .disk(Disk::default().with("/s/my.vim", 1, ""))
        .runs("vim -S /s/my.vim");
    // An older session belongs to other files.
    called("vim a").disk(session(1)).is_typed("vim a");
    called("vim -S gone.vim").is_typed("vim -S gone.vim");
    called("vim a").is_typed("vim a");
    called("vim -").disk(session(LAST)).is_typed("vim -");
}

#[test]
fn connections_are_typed_with_a_note() {
    for line in [
        "ssh -A host",
        "mosh host",
        "psql -h db app",
        "mysql -u root",
        "docker exec -it x sh",
        "kubectl exec -it x -- sh",
    ] {
        typed(line).is_typed(line);
        called(line).is_typed(line);
        assert!(typed(line).resume().note.is_some());
    }
}

#[test]
fn user_rules_win() {
    typed("claude hi")
        .disk(one_claude_file())
        .rules(&["claude=echo no"])
        .runs("echo no");
    typed("claude hi")
        .disk(one_claude_file())
        .rules(&["cl*=#{program} -r #{id}"])
        .runs(&format!("claude -r {ID}"));
    typed("claude hi")
        .rules(&["claude=#{program} -r #{id}"])
        .is_typed("claude hi");
    typed("make x")
        .rules(&["make:unsent=make -n #{args}"])
        .is_typed("make -n x");
    typed("make 'a b'")
        .rules(&["make=cd #{cwd} && #{line}"])
        .runs("cd /home/u/app && make 'a b'");
    typed("npm run dev")
        .rules(&["npm run *=#{line}"])
        .runs("npm run dev");
    typed("npm test")
        .rules(&["npm run *=#{line}"])
        .is_typed("npm test");
    typed("htop").rules(&["htop="]).is_typed("");
    typed("sudo htop")
        .rules(&["htop=#{line}"])
        .is_typed("sudo htop");
}

#[test]
fn shells_quote_in_their_own_way() {
    let mut case = called(r"less 'it'\''s'");
    case.runs(r"less 'it'\''s'");
    case.shell = Shell::Fish;
    case.runs(r"less 'it\'s'");
}

fn any_argument() -> impl Strategy<Value = String> {
    let known = prop::sample::select(vec![
        "claude",
        "codex",
        "gemini",
        "opencode",
        "goose",
        "aider",
        "copilot",
        "cursor-agent",
        "amp",
        "vim",
        "less",
        "sudo",
        "env",
        "npx",
        "node",
        "A=1",
        "-p",
        "-c",
        "--resume",
        "--continue",
        "--model",
        "--session-id",
        "--",
        "-",
        "-S",
        "session",
        "resume",
        "threads",
        "continue",
        "--last",
        "-m",
        ID,
        "fix it",
        "$(rm)",
        "'",
        "a\nb",
        "-r",
        "--fork-session",
        "--add-dir",
        "python3",
        "-u",
        "exec",
        "npm",
        "",
    ]);
    prop_oneof![4 => known.prop_map(str::to_owned), 1 => any::<String>().prop_map(|text| text.replace('\0', ""))]
}

proptest! {
    #[test]
    fn any_command_has_an_answer_of_one_line(
        argv in prop::collection::vec(any_argument(), 0..8),
        line in prop::option::of(prop::collection::vec(any_argument(), 0..8)),
        shell in prop::sample::select(vec![Shell::Bash, Shell::Zsh, Shell::Fish, Shell::Posix]),
        rivals in 0..2_usize,
    ) {
        let mut case = called("x").disk(one_claude_file());
        case.argv = argv;
        case.typed = line.map(|words| words.join(" "));
        case.shell = shell;
        case.rivals = vec![Rival { last_output: LAST }; rivals];
        let resumed = case.resume();
        prop_assert!(!resumed.line.contains(char::is_control), "{:?}", resumed.line);
        if resumed.how == How::Run {
            prop_assert!(!resumed.line.contains("$(rm)") || resumed.line.contains("'$(rm)'"), "{}", resumed.line);
            let shows = ["less", "vim"].iter().any(|name| resumed.line.contains(name));
            prop_assert!(rivals == 0 || shows || !resumed.line.contains("--continue"), "{}", resumed.line);
        }
    }

    #[test]
    // In capitals, since `codex resume` has an `x r` of its own.
    fn prompts_are_never_given_again(prompt in "[A-Z]{1,5}( [A-Z]{1,5}){1,3}", flag in any_flag()) {
        for name in ["claude", "codex", "gemini", "copilot", "cursor-agent", "amp", "opencode run"] {
            let mut case = called(name).disk(one_claude_file());
            case.argv.extend(flag.iter().map(|word| (*word).to_owned()));
            case.argv.push(prompt.clone());
            prop_assert!(!case.resume().line.contains(&prompt), "{name}: {}", case.resume().line);
        }
    }
}

fn any_flag() -> impl Strategy<Value = Vec<&'static str>> {
    prop::sample::select(vec![
        vec![],
        vec!["--"],
        vec!["--model", "x"],
        vec!["--model=x", "--"],
        vec!["--verbose", "--"],
        vec!["--brand-new"],
        vec!["--brand-new", "x"],
    ])
}
