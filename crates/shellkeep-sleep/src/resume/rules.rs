//! The rules that are built in: one entry a program.
//!
//! Flags are those of the programs' own documentation and sources, read in November 2026: Claude Code 2,
//! Codex 0.14x, Gemini CLI 0.2x, OpenCode 1, goose 1, aider 0.86, Copilot CLI 1, Cursor's agent, Amp.

use super::agent::Fate::{Drop, Fork, Id, Keep, Latest, Names};
use super::agent::Takes::{Many, Maybe, Nothing, One};
use super::agent::{Agent, Asked, Flag, Words};
use super::store::{IdIn, Place, Store};
use super::{Call, Lookup, Program, Resume, run, unsent};

/// What a rule does.
#[derive(Clone, Copy)]
pub(super) enum Kind {
    /// A conversation is resumed.
    Agent(&'static Agent),
    /// vim and its kin, by a session file.
    Editor,
    /// The same again: nothing is changed by looking.
    Again(Input),
    /// Typed, and this is why it is not sent.
    Unsent(&'static str),
}

/// What a program shows.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Input {
    /// Files it is given; without any, what is piped into it, which is gone.
    Files,
    /// Whatever it finds by itself.
    Own,
}

/// One program.
pub(super) struct Rule {
    /// Its name, then others it goes by.
    pub(super) names: &'static [&'static str],
    pub(super) kind: Kind,
}

const CONNECTS: &str = "opens a connection: press Enter to go on";

const RULES: &[Rule] = &[
    rule(&["claude", "claude-code"], Kind::Agent(&CLAUDE)),
    rule(&["codex"], Kind::Agent(&CODEX)),
    rule(&["gemini", "gemini-cli"], Kind::Agent(&GEMINI)),
    rule(&["opencode", "opencode-ai"], Kind::Agent(&OPENCODE)),
    rule(&["goose"], Kind::Agent(&GOOSE)),
    rule(&["aider", "aider-chat"], Kind::Agent(&AIDER)),
    rule(&["copilot"], Kind::Agent(&COPILOT)),
    rule(&["cursor-agent"], Kind::Agent(&CURSOR)),
    rule(&["amp"], Kind::Agent(&AMP)),
    rule(&["vim", "nvim", "vi", "view", "vimdiff"], Kind::Editor),
    rule(
        &["less", "more", "most", "tail", "bat"],
        Kind::Again(Input::Files),
    ),
    rule(
        &["man", "top", "htop", "btop", "atop"],
        Kind::Again(Input::Own),
    ),
    rule(&["ssh", "mosh", "telnet", "sftp"], Kind::Unsent(CONNECTS)),
    rule(
        &["psql", "mysql", "mariadb", "redis-cli", "mongosh"],
        Kind::Unsent(CONNECTS),
    ),
    rule(
        &["docker", "podman", "kubectl", "oc"],
        Kind::Unsent(CONNECTS),
    ),
];

const fn rule(names: &'static [&'static str], kind: Kind) -> Rule {
    Rule { names, kind }
}

/// The rule for a program.
pub(super) fn find(name: &str) -> Option<&'static Rule> {
    RULES.iter().find(|rule| rule.names.contains(&name))
}

/// Whether two names are the same program's.
pub(super) fn is_same(one: &str, other: &str) -> bool {
    one == other
        || find(one).is_some_and(|rule| rule.names.contains(&other) && rule.is_one_program())
}

impl Rule {
    fn is_one_program(&self) -> bool {
        matches!(self.kind, Kind::Agent(_))
    }
}

/// Whether the first of the words is one of these.
fn begins(words: &[String], names: &[&str]) -> bool {
    words
        .first()
        .is_some_and(|word| names.contains(&word.as_str()))
}

static CLAUDE: Agent = Agent {
    flags: &[
        Flag(&["--session-id"], One, Id),
        Flag(&["--resume", "-r"], Maybe, Id),
        Flag(&["--from-pr"], Maybe, Drop),
        Flag(&["--continue", "-c"], Nothing, Latest),
        Flag(&["--fork-session"], Nothing, Fork),
        Flag(
            &["--print", "-p", "--init", "--init-only", "--maintenance"],
            Nothing,
            Drop,
        ),
        Flag(
            &[
                "--include-partial-messages",
                "--replay-user-messages",
                "--no-session-persistence",
            ],
            Nothing,
            Drop,
        ),
        Flag(&["--tmux", "--include-hook-events"], Nothing, Drop),
        Flag(
            &[
                "--output-format",
                "--input-format",
                "--json-schema",
                "--max-turns",
            ],
            One,
            Drop,
        ),
        Flag(
            &["--max-budget-usd", "--permission-prompt-tool", "--remote"],
            One,
            Drop,
        ),
        Flag(&["--worktree", "-w", "--teleport"], Maybe, Drop),
        Flag(&["--debug", "-d"], Maybe, Keep),
        Flag(
            &[
                "--verbose",
                "--ide",
                "--strict-mcp-config",
                "--chrome",
                "--no-chrome",
            ],
            Nothing,
            Keep,
        ),
        Flag(
            &[
                "--dangerously-skip-permissions",
                "--allow-dangerously-skip-permissions",
            ],
            Nothing,
            Keep,
        ),
        Flag(
            &["--disable-slash-commands", "--mcp-debug", "--bare"],
            Nothing,
            Keep,
        ),
        Flag(
            &[
                "--add-dir",
                "--allowedTools",
                "--allowed-tools",
                "--betas",
                "--tools",
            ],
            Many,
            Keep,
        ),
        Flag(
            &["--disallowedTools", "--disallowed-tools", "--mcp-config"],
            Many,
            Keep,
        ),
        Flag(
            &[
                "--model",
                "--fallback-model",
                "--advisor",
                "--agent",
                "--agents",
                "--effort",
            ],
            One,
            Keep,
        ),
        Flag(
            &[
                "--settings",
                "--setting-sources",
                "--permission-mode",
                "--plugin-dir",
            ],
            One,
            Keep,
        ),
        Flag(
            &[
                "--system-prompt",
                "--system-prompt-file",
                "--append-system-prompt",
            ],
            One,
            Keep,
        ),
        Flag(
            &[
                "--append-system-prompt-file",
                "--debug-file",
                "--name",
                "-n",
            ],
            One,
            Keep,
        ),
    ],
    words: Words::Prompt,
    asked: |words| {
        let others = [
            "mcp",
            "plugin",
            "plugins",
            "config",
            "doctor",
            "update",
            "upgrade",
            "install",
            "setup-token",
            "auth",
            "agents",
            "remote-control",
            "auto-mode",
            "migrate-installer",
        ];
        match begins(words, &others) {
            true => Asked::Other,
            false => Asked::Talk,
        }
    },
    by_id: &["--resume"],
    // The latest of a directory may be another terminal's; the files tell which is this one's.
    latest: None,
    choose: &["--resume"],
    store: Some(&Store {
        base: ("CLAUDE_CONFIG_DIR", "", ".claude"),
        below: "projects/{cwd}",
        pattern: "*.jsonl",
        id: IdIn::Name,
        place: Place::Path,
    }),
};

static CODEX: Agent = Agent {
    flags: &[
        Flag(&["--last"], Nothing, Latest),
        Flag(
            &["--all", "--json", "--skip-git-repo-check", "--ephemeral"],
            Nothing,
            Drop,
        ),
        Flag(&["--include-non-interactive"], Nothing, Drop),
        Flag(&["--image", "-i"], Many, Drop),
        Flag(
            &["--output-last-message", "-o", "--output-schema", "--color"],
            One,
            Drop,
        ),
        // Refused by `codex resume` since 0.145; the policies it stood for are the defaults there.
        Flag(&["--full-auto"], Nothing, Drop),
        Flag(
            &["--oss", "--search", "--no-alt-screen", "--yolo"],
            Nothing,
            Keep,
        ),
        Flag(
            &[
                "--dangerously-bypass-approvals-and-sandbox",
                "--strict-config",
            ],
            Nothing,
            Keep,
        ),
        Flag(
            &[
                "--model",
                "-m",
                "--profile",
                "-p",
                "--sandbox",
                "-s",
                "--ask-for-approval",
                "-a",
            ],
            One,
            Keep,
        ),
        Flag(
            &[
                "--cd",
                "-C",
                "--config",
                "-c",
                "--enable",
                "--disable",
                "--add-dir",
            ],
            One,
            Keep,
        ),
        Flag(
            &["--local-provider", "--remote", "--remote-auth-token-env"],
            One,
            Keep,
        ),
    ],
    words: Words::Prompt,
    asked: |words| {
        let words = match begins(words, &["exec", "e"]) {
            true => &words[1..],
            false => words,
        };
        let others = [
            "login",
            "logout",
            "mcp",
            "mcp-server",
            "app-server",
            "completion",
            "sandbox",
            "debug",
            "apply",
            "a",
            "cloud",
            "features",
            "review",
            "help",
            "execpolicy",
            "app",
            "proto",
            "plugin",
        ];
        if begins(words, &["resume"]) {
            // Without an id it was chosen from a list, which only its file tells of.
            let id = words.get(1);
            id.map_or(Asked::Talk, |id| Asked::Id(id.clone()))
        } else if begins(words, &others) {
            Asked::Other
        } else {
            Asked::Talk
        }
    },
    by_id: &["resume"],
    latest: None,
    choose: &["resume"],
    store: Some(&Store {
        base: ("CODEX_HOME", "", ".codex"),
        below: "sessions",
        pattern: "*/*/*/rollout-*.jsonl",
        id: IdIn::NameEnd,
        place: Place::Key("cwd"),
    }),
};

static GEMINI: Agent = Agent {
    flags: &[
        Flag(&["--session-id"], One, Id),
        Flag(&["--resume", "-r"], Maybe, Id),
        Flag(
            &[
                "--prompt",
                "-p",
                "--prompt-interactive",
                "-i",
                "--output-format",
                "-o",
            ],
            One,
            Drop,
        ),
        Flag(&["--delete-session"], One, Drop),
        Flag(
            &["--list-sessions", "--list-extensions", "-l"],
            Nothing,
            Drop,
        ),
        Flag(
            &[
                "--model",
                "-m",
                "--approval-mode",
                "--sandbox-image",
                "--proxy",
            ],
            One,
            Keep,
        ),
        Flag(
            &[
                "--telemetry-target",
                "--telemetry-otlp-endpoint",
                "--telemetry-outfile",
            ],
            One,
            Keep,
        ),
        Flag(&["--telemetry-otlp-protocol"], One, Keep),
        Flag(
            &[
                "--extensions",
                "-e",
                "--include-directories",
                "--allowed-tools",
            ],
            Many,
            Keep,
        ),
        Flag(&["--allowed-mcp-server-names", "--policy"], Many, Keep),
        Flag(
            &[
                "--sandbox",
                "-s",
                "--debug",
                "-d",
                "--yolo",
                "-y",
                "--checkpointing",
                "-c",
            ],
            Nothing,
            Keep,
        ),
        Flag(
            &[
                "--all-files",
                "-a",
                "--show-memory-usage",
                "--screen-reader",
            ],
            Nothing,
            Keep,
        ),
        Flag(
            &[
                "--telemetry",
                "--telemetry-log-prompts",
                "--skip-trust",
                "--raw-output",
            ],
            Nothing,
            Keep,
        ),
    ],
    words: Words::Prompt,
    asked: |words| match begins(
        words,
        &["mcp", "extensions", "extension", "skills", "hooks"],
    ) {
        true => Asked::Other,
        false => Asked::Talk,
    },
    by_id: &["--resume"],
    // Its files are under a hash of the project, so the latest one of the project it is.
    latest: Some(&["--resume"]),
    choose: &["--resume"],
    store: None,
};

static OPENCODE: Agent = Agent {
    flags: &[
        Flag(&["--session", "-s"], One, Id),
        Flag(&["--continue", "-c"], Nothing, Latest),
        Flag(&["--fork"], Nothing, Fork),
        Flag(&["--prompt"], One, Drop),
        Flag(
            &[
                "--model",
                "-m",
                "--agent",
                "--port",
                "--hostname",
                "--log-level",
            ],
            One,
            Keep,
        ),
        Flag(
            &[
                "--mdns-domain",
                "--cors",
                "--dir",
                "--password",
                "-p",
                "--username",
                "-u",
            ],
            One,
            Keep,
        ),
        Flag(
            &["--mdns", "--print-logs", "--auto", "--pure"],
            Nothing,
            Keep,
        ),
    ],
    words: Words::Files,
    asked: |words| {
        let others = [
            "run",
            "serve",
            "web",
            "agent",
            "auth",
            "github",
            "mcp",
            "models",
            "session",
            "stats",
            "upgrade",
            "uninstall",
            "export",
            "import",
            "acp",
            "debug",
            "pr",
            "db",
            "providers",
            "plugin",
            "completion",
        ];
        match begins(words, &others) {
            true => Asked::Other,
            false => Asked::Talk,
        }
    },
    by_id: &["--session"],
    latest: Some(&["--continue"]),
    choose: &["--continue"],
    // Later versions have a database in place of these files.
    store: Some(&Store {
        base: ("XDG_DATA_HOME", "/opencode", ".local/share/opencode"),
        below: "storage/session",
        pattern: "*/ses_*.json",
        id: IdIn::NameBeginning("ses_"),
        place: Place::Key("directory"),
    }),
};

static GOOSE: Agent = Agent {
    flags: &[
        Flag(
            &["--name", "-n", "--session-id", "--id", "--path"],
            One,
            Names,
        ),
        Flag(&["--resume", "-r"], Nothing, Drop),
        Flag(
            &[
                "--interactive",
                "-s",
                "--no-session",
                "--explain",
                "--quiet",
                "-q",
            ],
            Nothing,
            Drop,
        ),
        Flag(
            &[
                "--instructions",
                "-i",
                "--text",
                "-t",
                "--recipe",
                "--params",
                "--system",
            ],
            One,
            Drop,
        ),
        Flag(&["--output-format", "--sub-recipe"], One, Drop),
        Flag(&["--fork"], Nothing, Drop),
        Flag(&["--history", "--debug"], Nothing, Keep),
        Flag(
            &[
                "--max-turns",
                "--max-tool-repetitions",
                "--provider",
                "--model",
            ],
            One,
            Keep,
        ),
        Flag(
            &[
                "--with-extension",
                "--with-remote-extension",
                "--with-builtin",
            ],
            One,
            Keep,
        ),
        Flag(&["--with-streamable-http-extension"], One, Keep),
    ],
    words: Words::Prompt,
    asked: |words| {
        let is_list = words.get(1).is_some_and(|word| {
            ["list", "remove", "export", "diagnostics", "import"].contains(&word.as_str())
        });
        match begins(words, &["session", "s", "run"]) && !is_list || words.is_empty() {
            true => Asked::Talk,
            false => Asked::Other,
        }
    },
    by_id: &["session", "--resume", "--session-id"],
    // The latest is that of all directories, so it is not run unasked.
    latest: None,
    choose: &["session", "--resume"],
    store: None,
};

static AIDER: Agent = Agent {
    flags: &[
        Flag(
            &[
                "--message",
                "--msg",
                "-m",
                "--message-file",
                "-f",
                "--load",
                "--apply",
            ],
            One,
            Drop,
        ),
        Flag(
            &["--restore-chat-history", "--no-restore-chat-history"],
            Nothing,
            Drop,
        ),
        Flag(
            &[
                "--test",
                "--lint",
                "--commit",
                "--exit",
                "--apply-clipboard-edits",
            ],
            Nothing,
            Drop,
        ),
        Flag(
            &[
                "--upgrade",
                "--update",
                "--install-main-branch",
                "--just-check-update",
            ],
            Nothing,
            Drop,
        ),
        Flag(&["--show-prompts", "--show-repo-map"], Nothing, Drop),
    ],
    words: Words::Files,
    asked: |_| Asked::Talk,
    by_id: &["--restore-chat-history"],
    // The history is a file of the directory: two panes there write into the same one.
    latest: Some(&["--restore-chat-history"]),
    choose: &["--restore-chat-history"],
    store: None,
};

static COPILOT: Agent = Agent {
    flags: &[
        Flag(&["--resume"], Maybe, Id),
        Flag(&["--session-id"], One, Id),
        Flag(&["--continue"], Nothing, Latest),
        Flag(
            &[
                "--prompt",
                "-p",
                "--interactive",
                "-i",
                "--output-format",
                "--share",
            ],
            One,
            Drop,
        ),
        Flag(
            &[
                "--silent",
                "-s",
                "--share-gist",
                "--banner",
                "--autopilot",
                "--fleet",
            ],
            Nothing,
            Drop,
        ),
        Flag(
            &["--allow-tool", "--deny-tool", "--allow-url", "--deny-url"],
            Many,
            Keep,
        ),
        Flag(&["--available-tools", "--excluded-tools"], Many, Keep),
        Flag(
            &[
                "--add-dir",
                "--additional-mcp-config",
                "--agent",
                "--model",
                "-C",
            ],
            One,
            Keep,
        ),
        Flag(
            &[
                "--disable-mcp-server",
                "--log-dir",
                "--log-level",
                "--stream",
                "--config-dir",
            ],
            One,
            Keep,
        ),
        Flag(
            &[
                "--reasoning-effort",
                "--effort",
                "--add-github-mcp-tool",
                "--name",
                "-n",
            ],
            One,
            Keep,
        ),
        Flag(
            &[
                "--allow-all-tools",
                "--allow-all-paths",
                "--allow-all-urls",
                "--allow-all",
            ],
            Nothing,
            Keep,
        ),
        Flag(
            &[
                "--yolo",
                "--no-color",
                "--screen-reader",
                "--no-auto-update",
            ],
            Nothing,
            Keep,
        ),
        Flag(
            &[
                "--no-custom-instructions",
                "--disable-builtin-mcps",
                "--experimental",
            ],
            Nothing,
            Keep,
        ),
        Flag(
            &[
                "--disallow-temp-dir",
                "--no-ask-user",
                "--enable-all-github-mcp-tools",
            ],
            Nothing,
            Keep,
        ),
    ],
    words: Words::Prompt,
    asked: |words| {
        let others = [
            "help",
            "init",
            "update",
            "version",
            "plugin",
            "login",
            "logout",
            "mcp",
            "app",
            "config",
            "sessions",
            "skill",
            "completion",
            "workflow",
            "memories",
            "instruction",
            "lsp",
            "sandbox",
        ];
        match begins(words, &others) {
            true => Asked::Other,
            false => Asked::Talk,
        }
    },
    by_id: &["--resume"],
    latest: None,
    choose: &["--resume"],
    store: Some(&Store {
        base: ("COPILOT_HOME", "", ".copilot"),
        below: "session-state",
        pattern: "*/events.jsonl",
        id: IdIn::Directory,
        place: Place::Key("cwd"),
    }),
};

static CURSOR: Agent = Agent {
    flags: &[
        Flag(&["--resume"], Maybe, Id),
        Flag(&["--continue"], Nothing, Latest),
        Flag(
            &["--print", "-p", "--background", "-b", "--fullscreen"],
            Nothing,
            Drop,
        ),
        Flag(&["--stream-partial-output", "--trust"], Nothing, Drop),
        Flag(&["--output-format"], One, Drop),
        Flag(&["--worktree", "-w"], Maybe, Drop),
        Flag(
            &[
                "--api-key",
                "-a",
                "--header",
                "-H",
                "--model",
                "-m",
                "--mode",
                "--workspace",
            ],
            One,
            Keep,
        ),
        Flag(&["--sandbox", "-e", "--plugin-dir"], One, Keep),
        Flag(
            &[
                "--force",
                "-f",
                "--yolo",
                "--approve-mcps",
                "--browser",
                "--plan",
                "--auto-review",
            ],
            Nothing,
            Keep,
        ),
    ],
    words: Words::Prompt,
    asked: |words| {
        let others = [
            "login",
            "logout",
            "status",
            "whoami",
            "mcp",
            "update",
            "upgrade",
            "ls",
            "create-chat",
            "models",
            "about",
            "help",
            "install-shell-integration",
            "uninstall-shell-integration",
            "generate-rule",
        ];
        if begins(words, &["resume"]) {
            Asked::Latest
        } else if begins(words, &others) {
            Asked::Other
        } else {
            Asked::Talk
        }
    },
    by_id: &["--resume"],
    latest: None,
    choose: &["ls"],
    // Below a hash of the directory, so a file does not tell whose it is.
    store: Some(&Store {
        base: ("CURSOR_DATA_DIR", "", ".cursor"),
        below: "chats",
        pattern: "*/*/store.db",
        id: IdIn::Directory,
        place: Place::Nowhere,
    }),
};

static AMP: Agent = Agent {
    flags: &[
        Flag(&["--execute", "-x", "--orb-execute", "-ox"], Maybe, Drop),
        Flag(
            &[
                "--stream-json",
                "--stream-json-input",
                "--stream-json-thinking",
            ],
            Nothing,
            Drop,
        ),
        Flag(&["--last"], Nothing, Latest),
        Flag(
            &[
                "--mode",
                "-m",
                "--settings-file",
                "--mcp-config",
                "--log-level",
                "--log-file",
            ],
            One,
            Keep,
        ),
        Flag(
            &["--visibility", "--toolbox", "--executor", "--runner-dir"],
            One,
            Keep,
        ),
        Flag(
            &[
                "--dangerously-allow-all",
                "--no-dangerously-allow-all",
                "--no-ide",
                "--ide",
            ],
            Nothing,
            Keep,
        ),
        Flag(
            &[
                "--no-notifications",
                "--notifications",
                "--no-color",
                "--no-tui",
            ],
            Nothing,
            Keep,
        ),
    ],
    words: Words::Prompt,
    asked: |words| {
        let others = [
            "login",
            "logout",
            "mcp",
            "permissions",
            "permission",
            "tools",
            "tool",
            "update",
            "up",
            "doctor",
            "review",
            "account",
            "usage",
            "skill",
            "skills",
            "completions",
            "secrets",
            "clone",
            "runner",
        ];
        if begins(words, &["threads", "thread", "t"]) {
            match words.get(1).map(String::as_str) {
                Some("continue" | "c") => {
                    let id = words.get(2);
                    id.map_or(Asked::Talk, |id| Asked::Id(id.clone()))
                }
                _ => Asked::Other,
            }
        } else if begins(words, &others) {
            Asked::Other
        } else {
            Asked::Talk
        }
    },
    by_id: &["threads", "continue"],
    latest: None,
    choose: &["threads", "continue"],
    // Versions of 2026 keep threads on the service's side; earlier ones here, without the directory.
    store: Some(&Store {
        base: ("XDG_DATA_HOME", "/amp", ".local/share/amp"),
        below: "threads",
        pattern: "T-*.json",
        id: IdIn::NameBeginning("T-"),
        place: Place::Nowhere,
    }),
};

/// Flags of vim that take the next word.
const VIM_VALUED: &[&str] = &[
    "-c", "--cmd", "-S", "-s", "-w", "-W", "-u", "-U", "-i", "-T", "-t", "-q",
];
/// Of those, the ones that set it up and do nothing to a file.
const VIM_KEPT: &[&str] = &["-u", "-U", "-i", "-T"];

/// vim by its session file. Without one it is typed: opening the files alone is not what was there.
pub(super) fn resume_editor(
    program: &Program<'_>,
    call: &Call,
    lookup: &dyn Lookup,
) -> Option<Resume> {
    let mut kept = Vec::new();
    let mut session = None;
    let mut has_files = false;
    let mut rest = call.parts.args.as_slice();
    while let Some((word, after)) = rest.split_first() {
        rest = after;
        let is_valued = VIM_VALUED.contains(&word.as_str());
        let value = rest.first().filter(|_| is_valued);
        if value.is_some() {
            rest = &rest[1..];
        }
        match (word.as_str(), value) {
            // The text came through a pipe.
            ("-", _) => return None,
            ("-S", Some(file)) => session = Some(file.clone()),
            ("-S", None) => session = Some("Session.vim".to_owned()),
            (flag, Some(value)) if VIM_KEPT.contains(&flag) => {
                kept.extend([word.clone(), value.clone()]);
            }
            // Commands, scripts and places: they would run again, or belong to the files.
            (_, Some(_)) => {}
            (word, None) if word.starts_with('+') => {}
            ("--", None) => {
                has_files = !rest.is_empty();
                break;
            }
            (_, None) if word.starts_with('-') => kept.push(word.clone()),
            _ => has_files = true,
        }
    }
    let usual = || {
        let files = lookup.newest_files(program.cwd, "Session.vim");
        let file = files.first()?;
        // One from long ago says nothing of the files that were opened by name.
        (!has_files || file.modified >= program.started).then(|| "Session.vim".to_owned())
    };
    let session = session.or_else(usual)?;
    let path = match session.starts_with('/') {
        true => session.clone(),
        false => format!("{}/{session}", program.cwd),
    };
    if !lookup.exists(&path) {
        return None;
    }
    let mut args = vec!["-S".to_owned(), session];
    args.append(&mut kept);
    Some(run(call.line(program.shell, &args), None))
}

/// A program that only shows, with the same arguments.
pub(super) fn show_again(program: &Program<'_>, call: &Call, input: Input) -> Option<Resume> {
    let args = &call.parts.args;
    let is_file = |word: &String| !word.starts_with(['-', '+']);
    if input == Input::Files && !args.iter().any(is_file) {
        return None;
    }
    let line = call.line(program.shell, args);
    // less runs shell commands that are among its first ones.
    let acts = |word: &String| word.starts_with('+') && word.contains(['!', '|']);
    if args.iter().any(acts) {
        return Some(unsent(
            line,
            Some("runs a command at its start: press Enter to go on"),
        ));
    }
    Some(run(line, None))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn names_and_flags_are_there_once() {
        let mut names = BTreeSet::new();
        for rule in RULES {
            for name in rule.names {
                assert!(names.insert(name), "{name} is there twice");
            }
            if let Kind::Agent(agent) = rule.kind {
                let mut flags = BTreeSet::new();
                for flag in agent.flags.iter().flat_map(|flag| flag.0) {
                    assert!(
                        flags.insert(flag),
                        "{}: {flag} is there twice",
                        rule.names[0]
                    );
                    assert!(flag.starts_with('-'), "{flag}");
                }
            }
        }
    }

    #[test]
    fn names_of_one_program_are_the_same_and_kin_are_not() {
        assert!(is_same("claude", "claude-code") && is_same("zsh", "zsh"));
        assert!(!is_same("vim", "nvim") && !is_same("less", "more"));
    }
}
