//! What calls `tmux` finds this server, whether the server or the user started it; a real tmux that runs beside hears nothing of it.

use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use shellkeep_testkit::real::{Output, Rig, Terminal};

use crate::{is_installed, rig};

/// A command that tells what `tmux` is where it runs: the program, the variables, and what it says.
fn telling(rig: &Rig, name: &str) -> String {
    let script = "{ command -v tmux; echo \"<$TMUX> <$TMUX_PANE>\"; tmux set -g @from-$1 yes; } >$2/$1.new 2>&1\nmv $2/$1.new $2/$1\n";
    // Once: a shell may be reading it.
    let script = match rig.path("home/tell") {
        path if path.exists() => path,
        _ => rig.write("home/tell", script),
    };
    let dir = rig.path("");
    format!("sh {} {name} {}", script.display(), dir.display())
}

fn told(rig: &Rig, name: &str) -> String {
    rig.wait_for(&format!("what is told by {name}"), || {
        Some(rig.read(name)).filter(|text| !text.is_empty())
    })
}

fn shim_of(rig: &Rig) -> String {
    let socket = rig.socket();
    format!("{}.tmux-shim/tmux", socket.display())
}

/// Two servers of a real tmux: the one that `tmux` finds by default, and one with a label.
struct RealTmux<'a> {
    rig: &'a Rig,
    before: String,
}

impl<'a> RealTmux<'a> {
    const LABELS: [&'static str; 2] = ["default", "own"];

    /// They are there before ours, which is started in a pane of the first one, as far as it can tell.
    fn start(rig: &'a Rig) -> Self {
        std::fs::create_dir(rig.path("tmux")).unwrap();
        let mut real = Self {
            rig,
            before: String::new(),
        };
        for label in Self::LABELS {
            real.run(
                label,
                &["new", "-d", "-s", "work", "-x", "90", "-y", "30", "cat"],
            )
            .ok();
            real.run(label, &["set", "-g", "@mine", "kept"]).ok();
        }
        real.before = real.everything();
        real
    }

    fn run(&self, label: &str, args: &[&str]) -> Output {
        let mut command = self.rig.other_command("/usr/bin/tmux");
        command.env("TMUX_TMPDIR", self.rig.path("tmux"));
        command.args(["-f", "/dev/null", "-L", label]).args(args);
        self.rig.finish(command)
    }

    /// `$TMUX` in a pane of the first one.
    fn place(&self) -> String {
        let format = "#{socket_path},#{pid},0";
        let place = self.run("default", &["display", "-p", format]).ok();
        place.trim_end().to_owned()
    }

    /// All that plugins may change.
    fn everything(&self) -> String {
        let panes = "#{session_name}:#{window_index} #{window_name} #D #{pane_pid} #{pane_width}x#{pane_height} #{pane_in_mode}";
        let asked: [&[&str]; 9] = [
            &["list-panes", "-a", "-F", panes],
            &["show", "-s"],
            &["show", "-g"],
            &["show", "-gw"],
            &["show-environment", "-g"],
            &["show-environment", "-t", "work"],
            &["show-hooks", "-g"],
            &["list-keys"],
            &["list-buffers"],
        ];
        let all = Self::LABELS.iter().flat_map(|label| {
            asked
                .iter()
                .map(move |args| format!("{label} {args:?}\n{}", self.run(label, args).stdout))
        });
        all.collect()
    }

    fn assert_untouched(&self) {
        assert_eq!(self.everything(), self.before);
    }

    /// A command of ours, typed in a pane of the first one.
    fn inside(&self, args: &[&str]) {
        let mut command = self.rig.command(args);
        command.env("TMUX_TMPDIR", self.rig.path("tmux"));
        command.env("TMUX", self.place()).env("TMUX_PANE", "%0");
        self.rig.finish(command).ok();
    }
}

/// What is called from the panes of a tmux within a pane is that tmux.
fn tmux_within_a_pane_is_called_from_its_own_panes(rig: &Rig, real: &RealTmux<'_>) {
    let script = rig.write(
        "home/nest",
        r#"export TMUX_TMPDIR=$1 TMUX=
/usr/bin/tmux -f /dev/null -L inner new -d -s in cat
/usr/bin/tmux -L inner run-shell 'command -v tmux >'"$1"'/found; tmux set -g @where inner'
# As fzf-tmux has it: without the session.
/usr/bin/tmux -L inner run-shell 'TMUX=${TMUX%,*}; tmux set -g @short inner'
echo done >$1/done
"#,
    );
    let dir = rig.path("tmux");
    let command = format!("sh {} {}; cat", script.display(), dir.display());
    rig.ok(&["new", "-d", "-s", "nest", &command]);
    told(rig, "tmux/done");
    assert_eq!(rig.read("tmux/found").trim_end(), shim_of(rig));
    for option in ["@where", "@short"] {
        assert_eq!(real.run("inner", &["show", "-gqv", option]).ok(), "inner\n");
        assert_eq!(rig.ok(&["show", "-gqv", option]), "");
    }
}

#[test]
fn everything_the_server_starts_finds_it_as_tmux() {
    if !is_installed("tmux") {
        return;
    }
    let rig = rig();
    let real = RealTmux::start(&rig);
    let config = format!(
        "run-shell '{}'\nif-shell '{}' 'set -g @condition yes'\nset-hook -g session-created {{ run-shell '{}' }}\n",
        telling(&rig, "configuration"),
        telling(&rig, "condition"),
        telling(&rig, "hook"),
    );
    rig.write("config/shellkeep/shellkeep.conf", &config);
    real.inside(&["new", "-d", "-s", "a", "cat"]);
    let terminal = rig.attach(&["attach", "-t", "a"], (20, 80));
    rig.ok(&["run-shell", &telling(&rig, "command")]);
    rig.ok(&["run-shell", "-b", &telling(&rig, "background")]);
    rig.ok(&[
        "set",
        "-g",
        "status-right",
        &format!("#({})", telling(&rig, "format")),
    ]);
    rig.ok(&["pipe-pane", "-t", "a", &telling(&rig, "pipe")]);
    rig.ok(&["copy-mode", "-t", "a"]);
    let copy = ["send", "-t", "a", "-X", "copy-pipe-line-and-cancel"];
    rig.ok(&[&copy[..], &[&telling(&rig, "copy")]].concat());
    let client = rig.ok(&["list-clients", "-F", "#{client_name}"]);
    let popup = ["display-popup", "-c", client.trim_end(), "-t", "a", "-E"];
    rig.ok(&[&popup[..], &[&telling(&rig, "popup")]].concat());
    rig.ok(&["neww", "-d", "-t", "a", &telling(&rig, "window")]);
    rig.ok(&["splitw", "-d", "-t", "a", &telling(&rig, "split")]);
    rig.ok(&["set", "-g", "default-command", &telling(&rig, "default")]);
    rig.ok(&["neww", "-d", "-t", "a"]);
    let commands = [
        "configuration",
        "condition",
        "hook",
        "command",
        "background",
        "format",
        "pipe",
        "copy",
        "popup",
    ];
    let panes = ["window", "split", "default"];
    for name in commands.into_iter().chain(panes) {
        let told = told(&rig, name);
        let mut lines = told.lines();
        assert_eq!(lines.next(), Some(&*shim_of(&rig)), "{name}");
        let variables = lines.next().unwrap();
        let place = format!("<{},{},", rig.socket().display(), rig.server().pid);
        assert!(variables.starts_with(&place), "{name}: {variables}");
        // As in tmux, a pane has a number, and nothing else has.
        assert_eq!(
            variables.ends_with("<>"),
            !panes.contains(&name),
            "{name}: {variables}"
        );
        assert_eq!(lines.next(), None, "{name}");
        assert_eq!(rig.ok(&["show", "-gv", &format!("@from-{name}")]), "yes\n");
    }
    tmux_within_a_pane_is_called_from_its_own_panes(&rig, &real);
    real.assert_untouched();
    drop(terminal);
    rig.ok(&["kill-server"]);
    rig.wait_until("the shim goes with the server", || {
        !Path::new(&shim_of(&rig)).parent().unwrap().exists()
    });
}

#[test]
fn option_says_who_finds_it_and_the_link_where_the_program_is() {
    let rig = rig();
    rig.ok(&["new", "-d", "-s", "a", "cat"]);
    for (value, in_command, in_pane) in [
        ("panes", true, true),
        ("commands", true, false),
        ("off", false, false),
    ] {
        rig.ok(&["set", "-g", "tmux-shim", value]);
        let tell = |name: &str| {
            let to = rig.path(name);
            format!(
                "echo \"$PATH $TMUX\" >{0}.new; mv {0}.new {0}",
                to.display()
            )
        };
        let (command, pane) = (format!("{value}.command"), format!("{value}.pane"));
        rig.ok(&["run-shell", &tell(&command)]);
        // A shell of a pane types a command: that has the PATH which the pane has.
        let path = format!("{}:/bin:/usr/bin", shim_of(&rig).trim_end_matches("/tmux"));
        let mut typed = rig.command(&["neww", "-d", "-t", "a", &tell(&pane)]);
        typed.env("PATH", path);
        rig.finish(typed).ok();
        for (name, expected) in [(command, in_command), (pane, in_pane)] {
            let told = told(&rig, &name);
            let place = format!(" {},", rig.socket().display());
            let found = (told.contains(".tmux-shim"), told.contains(&place));
            assert_eq!(found, (expected, expected), "{value}, {name}: {told}");
        }
    }
    assert!(rig.run(&["set", "-g", "tmux-shim", "on"]).status == 1);
    rig.ok(&["set", "-gu", "tmux-shim"]);
    link_follows_the_program_of_the_server(&rig);
}

/// After an upgrade, too.
fn link_follows_the_program_of_the_server(rig: &Rig) {
    let link = |rig: &Rig| std::fs::read_link(shim_of(rig)).unwrap();
    let program = link(rig);
    // An upgrade to a program that is elsewhere.
    let newer = rig.path("newer");
    std::fs::copy(&program, &newer).unwrap();
    let mut restart = rig.other_command(&newer.display().to_string());
    restart.arg("restart-server");
    rig.finish(restart).ok();
    rig.wait_until("the newer program", || link(rig) == newer);
}

/// The shells with an integration that are installed, and how each one's start-up file sets a PATH without anything of ours.
fn shells(rig: &Rig) -> Vec<(&'static str, String)> {
    let files = [
        (
            "bash",
            "home/.bash_profile",
            "PATH=/usr/bin:/bin; PS1='$ '\n",
        ),
        ("zsh", "home/.zshrc", "PATH=/usr/bin:/bin; PS1='$ '\n"),
        (
            "fish",
            "config/fish/config.fish",
            "set -gx PATH /usr/bin /bin\nfunction fish_prompt; echo '$ '; end\nfunction fish_greeting; end\n",
        ),
    ];
    let mut shells = Vec::new();
    for (name, file, text) in files {
        if is_installed(name) {
            rig.write(file, text);
            // Or fish makes them in the background.
            std::fs::create_dir_all(rig.path("home/data/fish/generated_completions")).unwrap();
            shells.push((name, format!("/usr/bin/{name}")));
        }
    }
    shells
}

/// A command of ours where this is the runtime directory.
fn in_runtime(rig: &Rig, dir: &str, args: &[&str]) -> Output {
    let mut command = rig.command(args);
    command.env("XDG_RUNTIME_DIR", rig.path(dir));
    rig.finish(command)
}

/// Types a line that writes a shell's PATH, and what else of ours it passes on, into a file.
fn path_of(rig: &Rig, (dir, session): (&str, &str), name: &str) -> String {
    let to = rig.path(name);
    let line = format!(
        "env | grep -e ^PATH= -e ^SHELLKEEP_ | sort >{0}.new; mv {0}.new {0}",
        to.display()
    );
    in_runtime(rig, dir, &["send-keys", "-t", session, &line, "Enter"]).ok();
    told(rig, name)
}

#[test]
fn shells_have_it_behind_their_start_up_files_and_when_they_come_back() {
    let rig = rig();
    let shells = shells(&rig);
    for (name, path) in &shells {
        rig.ok(&["start-server"]);
        rig.ok(&["set", "-g", "default-shell", path]);
        rig.ok(&["new", "-d", "-s", name]);
    }
    let dir = shim_of(&rig).trim_end_matches("/tmux").to_owned();
    for (name, _) in &shells {
        rig.wait_for_pane("a prompt", name, |text| text.contains('$'));
        let first = path_of(&rig, ("run", name), &format!("{name}.first"));
        let expected = format!("PATH={dir}:/usr/bin:/bin\n");
        assert!(first.starts_with(&expected), "{name}: {first}");
        // Nothing else of ours is passed on.
        assert!(!first.contains("SHELLKEEP_SHIM"), "{name}: {first}");
        // The user puts something before it, which stays there.
        let more = match *name {
            "fish" => "set -gx PATH /mine $PATH; clear",
            _ => "PATH=/mine:$PATH; clear",
        };
        rig.enter(name, more);
        let second = path_of(&rig, ("run", name), &format!("{name}.second"));
        let expected = format!("PATH=/mine:{dir}:/usr/bin:/bin\n");
        assert!(second.starts_with(&expected), "{name}: {second}");
    }
    for (name, _) in &shells {
        rig.wait_until("it sleeps", || {
            rig.run(&["hibernate", "-t", name]).status == 0
        });
    }
    // The next server has another runtime directory: the one of a login is another one after a reboot, if it is in /tmp.
    rig.ok(&["kill-server", "--keep"]);
    rig.wait_until("the server is gone", || rig.find_server().is_none());
    std::fs::create_dir(rig.path("other")).unwrap();
    let other = dir.replace("/run/", "/other/");
    for (name, _) in &shells {
        let third = path_of(&rig, ("other", name), &format!("{name}.third"));
        let expected = format!("PATH=/mine:{other}:/usr/bin:/bin\n");
        assert!(third.starts_with(&expected), "{name}: {third}");
    }
    // Without a shim, none is left of the one before.
    for (name, _) in &shells {
        rig.wait_until("it sleeps", || {
            in_runtime(&rig, "other", &["hibernate", "-t", name]).status == 0
        });
    }
    in_runtime(&rig, "other", &["set", "-g", "tmux-shim", "commands"]).ok();
    for (name, _) in &shells {
        let last = path_of(&rig, ("other", name), &format!("{name}.last"));
        assert!(
            last.starts_with("PATH=/mine:/usr/bin:/bin\n"),
            "{name}: {last}"
        );
    }
}

/// A plugin manager of tpm's shape: it asks for the version, keeps its path in the environment, binds keys, finds the plugins in the
/// configuration and runs them.
const MANAGER: &str = r#"#!/usr/bin/env bash
version=$(tmux -V | tr -dC '[:digit:]')
[ "$version" -ge 19 ] || exit 1
tmux show-environment -g TMUX_PLUGIN_MANAGER_PATH >/dev/null 2>&1 ||
    tmux set-environment -g TMUX_PLUGIN_MANAGER_PATH "$HOME/.tmux/plugins/"
key=$(tmux show-option -gqv @tpm-install)
tmux bind-key "${key:-I}" run-shell "$HOME/.tmux/plugins/tpm/bindings/install_plugins"
path=$(tmux start-server\; show-environment -g TMUX_PLUGIN_MANAGER_PATH | cut -f2 -d=)
for plugin in $(awk '/^ *set +-g +@plugin/ { gsub(/'\''/, ""); print $4 }' ~/.tmux.conf); do
    for file in "$path$(basename "$plugin")"/*.tmux; do "$file" >/dev/null 2>&1; done
done
"#;

/// A theme that asks for its options and sets everything in one call, as catppuccin does.
const THEME_AT_ONCE: &str = r##"#!/usr/bin/env bash
flavour=$(tmux show-option -gqv @flavour)
commands=()
set() { commands+=(set-option -gq "$1" "$2" ";"); }
setw() { commands+=(set-window-option -gq "$1" "$2" ";"); }
set status on
set status-left-length 100
set message-style "fg=#89dceb,bg=#313244,align=centre"
set pane-active-border-style "fg=#89b4fa"
setw window-status-separator ""
setw window-status-current-format "#[fg=#1e1e2e,bg=#fab387] #I #[fg=#cdd6f4] #{b:pane_current_path} "
set @theme-flavour "${flavour:-mocha}"
tmux "${commands[@]}"
"##;

/// A theme that sets one thing after the other, and has scripts in the status line that call tmux as well, as dracula does.
const THEME_STEPS: &str = r##"#!/usr/bin/env bash
dir=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
tmux set-option -g status-interval 5
tmux set-option -g status-right-length 100
tmux set-option -g status-right ""
for plugin in $(tmux show-option -gqv @dracula-plugins); do
    tmux set-option -ga status-right "#[fg=#282a36,bg=#ff79c6] #($dir/$plugin.sh)"
done
tmux set-window-option -g window-status-activity-style "bold"
"##;

/// The script in the status line.
const STATUS_SCRIPT: &str =
    "#!/bin/sh\ntmux set -g @status yes; echo [$(tmux show -gqv @flavour)]\n";

fn write_program(rig: &Rig, name: &str, text: &str) {
    let path = rig.write(name, text);
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755)).unwrap();
}

#[test]
fn plugin_manager_and_themes_work_and_leave_a_real_tmux_alone() {
    if !is_installed("tmux") {
        return;
    }
    let debian = "/usr/share/tmux-plugin-manager/tpm";
    let managers = ["~/.tmux/plugins/tpm/tpm", debian];
    for manager in managers
        .into_iter()
        .filter(|it| *it != debian || Path::new(it).exists())
    {
        let rig = rig();
        let real = RealTmux::start(&rig);
        write_program(&rig, "home/.tmux/plugins/tpm/tpm", MANAGER);
        write_program(&rig, "home/.tmux/plugins/catppuccin/it.tmux", THEME_AT_ONCE);
        write_program(&rig, "home/.tmux/plugins/dracula/it.tmux", THEME_STEPS);
        write_program(&rig, "home/.tmux/plugins/dracula/flavour.sh", STATUS_SCRIPT);
        rig.write(
            "home/.tmux.conf",
            &format!(
                "set -g @plugin 'tmux-plugins/tpm'\nset -g @plugin 'x/catppuccin'\nset -g @plugin 'y/dracula'\nset -g @flavour frappe\nset -g @dracula-plugins flavour\nrun '{manager}'\n"
            ),
        );
        rig.write(
            "config/shellkeep/shellkeep.conf",
            "source-file ~/.tmux.conf\n",
        );
        real.inside(&["new", "-d", "-s", "a", "cat"]);
        let path = rig.ok(&["show-environment", "-g", "TMUX_PLUGIN_MANAGER_PATH"]);
        assert!(path.ends_with("/.tmux/plugins/\n"), "{path}");
        let bound = rig.ok(&["list-keys", "-T", "prefix", "I"]);
        assert!(bound.contains("/bindings/install_plugins"), "{bound}");
        for (option, value) in [
            ("status-left-length", "100"),
            ("@theme-flavour", "frappe"),
            ("status-interval", "5"),
            ("status-right-length", "100"),
            ("window-status-activity-style", "bold"),
        ] {
            assert_eq!(
                rig.ok(&["show", "-gv", option]).trim_end(),
                value,
                "{manager}: {option}"
            );
        }
        let terminal = rig.attach(&["attach", "-t", "a"], (10, 80));
        terminal.wait_for_text("[frappe]");
        assert_eq!(rig.ok(&["show", "-gv", "@status"]), "yes\n");
        real.assert_untouched();
    }
}

/// A terminal with bash in it, behind start-up files that set a PATH.
fn bash_in_a_pane(rig: &Rig, config: &str) -> Terminal {
    rig.write("home/.bash_profile", "PATH=/usr/bin:/bin; PS1='$ '\n");
    let text = format!("set -g status off\nset -g default-shell /bin/bash\n{config}");
    rig.write("config/shellkeep/shellkeep.conf", &text);
    let terminal = rig.attach(&["new", "-s", "a"], (24, 80));
    terminal.wait_until("a prompt", |screen| screen.row(0).starts_with('$'));
    terminal
}

#[test]
fn fzf_opens_its_list_in_a_pane_and_in_a_popup() {
    if !is_installed("fzf-tmux") || !is_installed("tmux") {
        return;
    }
    let rig = rig();
    let real = RealTmux::start(&rig);
    let terminal = bash_in_a_pane(&rig, "");
    for (flags, name) in [("-d 50%", "pane"), ("-p 60%,60%", "popup")] {
        let to = rig.path(name);
        terminal.enter(&format!(
            "clear; printf 'one\\ntwo\\nthree\\n' | fzf-tmux {flags} >{0}.new; mv {0}.new {0}",
            to.display()
        ));
        terminal.wait_for_text("3/3");
        let panes = rig.ok(&["list-panes", "-t", "a", "-F", "#D"]);
        assert_eq!(
            panes.lines().count(),
            if name == "pane" { 2 } else { 1 },
            "{name}"
        );
        terminal.type_text("tw");
        terminal.wait_for_text("1/3");
        terminal.keys("Enter");
        assert_eq!(told(&rig, name), "two\n", "{name}");
    }
    real.assert_untouched();
}

/// What vim-tmux-navigator does: it moves between vim's windows, and beyond the last of them between panes.
const NAVIGATOR: &str = r"set nocompatible
function! Go(direction)
  let nr = winnr()
  execute 'wincmd ' . a:direction
  if nr == winnr()
    call system('tmux -S ' . split($TMUX, ',')[0] . ' select-pane -t ' . shellescape($TMUX_PANE) . ' -' . tr(a:direction, 'hjkl', 'LDUR'))
  endif
endfunction
nnoremap <silent> <c-h> :call Go('h')<cr>
nnoremap <silent> <c-l> :call Go('l')<cr>
";

/// And the bindings that it has in tmux's configuration.
const NAVIGATOR_KEYS: &str = r##"
is_vim="ps -o state= -o comm= -t '#{pane_tty}' | grep -iqE '^[^TXZ ]+ +(\\S+\\/)?g?(view|l?n?vim?x?)([.]basic|[.]tiny)?(diff)?$'"
bind-key -n 'C-h' if-shell "$is_vim" 'send-keys C-h' 'select-pane -L'
bind-key -n 'C-l' if-shell "$is_vim" 'send-keys C-l' 'select-pane -R'
"##;

#[test]
fn vim_moves_between_its_windows_and_panes() {
    if !is_installed("vim") || !is_installed("tmux") {
        return;
    }
    let rig = rig();
    let real = RealTmux::start(&rig);
    rig.write("home/.vimrc", NAVIGATOR);
    let terminal = bash_in_a_pane(&rig, NAVIGATOR_KEYS);
    rig.ok(&["splitw", "-d", "-h", "-t", "a", "cat"]);
    terminal.enter("vim -O first second");
    terminal.wait_for_text("second");
    let window = |terminal: &Terminal, to: &str| {
        // Asked of vim itself.
        let path = rig.path(to);
        terminal.send(format!(":call writefile([winnr()], '{}')\r", path.display()).as_bytes());
        told(&rig, to)
    };
    let active = || rig.ok(&["display", "-p", "-t", "a", "#{pane_index}"]);
    assert_eq!(window(&terminal, "w1"), "1\n");
    terminal.keys("C-l");
    // The binding runs a command first: vim has the key when it says so.
    rig.wait_until("the second window", || {
        let _ = std::fs::remove_file(rig.path("w2"));
        window(&terminal, "w2") == "2\n"
    });
    assert_eq!(active(), "0\n");
    terminal.keys("C-l");
    rig.wait_until("the second pane", || active() == "1\n");
    terminal.keys("C-h");
    rig.wait_until("vim again", || active() == "0\n");
    real.assert_untouched();
}
