//! What every shell has to do, tested with each of them. A case is written once; the syntax of each shell is data, in
//! `bash`, `zsh` and `fish` here. Tests of a single shell are in the files named after it.

mod bash;
mod captures;
mod cases;
mod fish;
mod session_variables;
mod zsh;

use std::path::PathBuf;

use shellkeep_shell::{Kind, Phase};

use crate::pane::Pane;
use crate::world::World;

/// Makes a test of each case for each shell that it names. A shell that is left out needs a reason.
macro_rules! conformance {
    ($($module:ident::$case:ident: $($shell:ident)+ $(, not $left_out:ident: $why:literal)*;)*) => {
        $(mod $case {
            $(#[test]
            fn $shell() {
                super::$module::$case(&super::$shell::SHELL);
            })+
        })*

        /// The shells that are left out of cases, and the reasons.
        const LEFT_OUT: &[(&str, &str, &str)] =
            &[$($((stringify!($case), stringify!($left_out), $why),)*)*];

        /// The cases, and the shells with which they are tested.
        const TRIED: &[(&str, &[&str])] = &[$((stringify!($case), &[$(stringify!($shell)),+])),*];
    };
}

conformance! {
    cases::commands_are_reported_with_line_status_and_directory: bash zsh fish;
    cases::question_at_a_continuation_stays_unanswered: bash zsh,
        not fish: "its editor takes several lines at the first prompt: there is no continuation";
    cases::question_while_a_command_runs_stays_unanswered: bash zsh fish;
    cases::program_in_place_of_the_shell_survives_the_question: bash zsh fish;
    cases::line_half_typed_returns_with_its_cursor: bash zsh fish;
    cases::capture_keeps_status_and_screen: bash zsh fish;
    cases::capture_keeps_the_last_word: bash zsh,
        not fish: "it has no variable for the last word";
    cases::state_after_five_cycles_is_as_before: bash zsh fish;
    cases::state_of_a_login_shell_after_five_cycles_is_as_before: bash zsh fish;
    cases::revival_with_rc_files_lays_the_state_over_them: bash zsh fish;
    cases::options_that_break_scripts_are_kept: bash zsh,
        not fish: "it has no options that change how a script is read";
    cases::functions_in_place_of_builtins_are_kept_and_not_called: bash zsh,
        not fish: "it refuses functions with the names of most builtins";
    cases::seconds_are_counted_on: bash zsh,
        not fish: "it has no variable that counts seconds";
    session_variables::own_values_return_and_given_ones_are_renewed: bash zsh fish;
    captures::captured_shell_prints_nothing_and_keeps_the_line_being_typed: bash zsh fish;
    captures::captured_shell_runs_commands_while_its_copy_writes_the_old_state: bash zsh,
        not fish: "it answers itself, not from a copy, and runs nothing meanwhile";
}

/// A shell, and its syntax for what the cases need.
struct Dialect {
    /// The programs with which the cases are tested.
    programs: fn() -> Vec<PathBuf>,
    /// The programs for cases in which versions have differed: all of them.
    all_programs: fn() -> Vec<PathBuf>,
    /// The user's start-up file, relative to the home directory.
    rc_file: &'static str,
    /// Sets the prompt to `$ `.
    prompt: &'static str,
    /// Keeps lines that begin with a space out of the history.
    ignore_blank: &'static str,
    told: Told,
    /// Lines of the start-up file that select emacs's and vi's keys.
    key_modes: [&'static str; 2],
    status: Status,
    day: Day,
    rc: RunAgain,
    options: fn() -> Vec<Kept>,
    builtins: Builtins,
    /// Lines that set the shell's clock, and whether it then shows a decimal point.
    clocks: &'static [(&'static str, bool)],
    /// Sets, replaces and unsets variables of the terminal and the session.
    session_variables: &'static str,
    /// Sets `kept` to `before` and defines a function.
    keep_before: &'static str,
    /// It prints typed text again in colours when it is idle.
    colours_what_is_typed: bool,
}

/// Lines to run, and what the shell has written after them: the number of commands, and the status of the last.
type Step = (&'static [&'static str], (u64, Option<i32>));

/// What a shell writes about commands.
struct Told {
    steps: &'static [Step],
    /// A line that has to be written exactly, after the command that copies the file.
    odd: &'static str,
    /// The statuses in the marks, from the first prompt on.
    exits: &'static [Option<i32>],
    /// It also marks ends of commands without a status.
    marks_more_ends: bool,
    /// It prints command lines itself.
    prints_lines: bool,
}

/// A failing command, and how the shell shows its status.
struct Status {
    fail: &'static str,
    /// A line that prints the status, and the end of what it prints.
    ask: (&'static str, &'static str),
    answers: &'static [&'static str],
}

/// A day of a user.
struct Day {
    /// The user's start-up files.
    files: &'static [(&'static str, &'static str)],
    lines: &'static [&'static str],
    /// Dumps the complete state of the shell.
    dump: fn(&World, &Pane) -> String,
    /// Text that the dump must contain.
    dumped: &'static [&'static str],
    /// Environment variables that change while the shell hibernates.
    outside: &'static [(&'static str, &'static str)],
    /// Lines to run before each hibernation.
    before_sleep: &'static [&'static str],
    /// Text that the prompt must show after each wake-up, and text that it must not show.
    shown: Option<(&'static str, &'static str)>,
    /// Lines that leave the virtual environment, and the output of the last.
    deactivate: Option<(&'static [&'static str], &'static str)>,
}

/// A start-up file that runs again when the shell is revived.
struct RunAgain {
    file: &'static str,
    typed: &'static str,
    ask: &'static str,
    answer: &'static str,
}

/// Something that is set up, and a check that it is still set up.
struct Kept {
    setup: String,
    question: String,
    answers: Vec<String>,
}

/// Functions with the names of builtins.
struct Builtins {
    names: &'static [&'static str],
    /// Defines a function `NAME` that records its calls.
    define: &'static str,
    /// Writes the names of all functions into `~/names`.
    list: &'static str,
    /// The text before a name there.
    before_name: &'static str,
    /// There are no other functions except ours.
    are_all: bool,
}

impl Dialect {
    fn world(&self, program: &std::path::Path, rc: &str) -> World {
        let world = World::new(program);
        world.file(self.rc_file, rc);
        world
    }

    /// The prompt and more lines.
    fn rc_with(&self, more: &str) -> String {
        format!("{}\n{more}\n", self.prompt)
    }

    /// A world with the prompt `$ ` for each program.
    fn worlds(&self) -> impl Iterator<Item = World> {
        let rc = self.rc_with("");
        let programs = (self.programs)().into_iter();
        programs.map(move |program| self.world(&program, &rc))
    }

    /// As [`Self::worlds`], with a shell at its first prompt.
    fn panes(&self) -> impl Iterator<Item = (World, Pane)> {
        self.worlds().map(|world| {
            let pane = world.start(Kind::Plain);
            (world, pane)
        })
    }
}

fn at_prompt((commands, exit): (u64, Option<i32>)) -> (u64, Phase) {
    (commands, Phase::Prompt { exit })
}

#[test]
fn every_case_runs_with_every_shell_or_has_a_reason() {
    for (case, tried) in TRIED {
        for shell in ["bash", "zsh", "fish"] {
            let is_left_out = |entry: &&(&str, &str, &str)| (entry.0, entry.1) == (*case, shell);
            let reason = LEFT_OUT.iter().find(is_left_out);
            let is_tried = tried.contains(&shell);
            assert_ne!(is_tried, reason.is_some(), "{case} with {shell}");
        }
    }
}
