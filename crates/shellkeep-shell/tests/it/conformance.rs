//! What every shell has to do, tried with each of them. A case is written once; each shell's syntax is data, in `bash`, `zsh` and `fish`
//! here. Tests of what only one shell has are in the files named after that shell.

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

/// Makes a test of each case for each shell that it names. A shell that is left out has a reason.
macro_rules! conformance {
    ($($module:ident::$case:ident: $($shell:ident)+ $(, not $left_out:ident: $why:literal)*;)*) => {
        $(mod $case {
            $(#[test]
            fn $shell() {
                super::$module::$case(&super::$shell::SHELL);
            })+
        })*

        /// The shells that are left out of a case, and why.
        const LEFT_OUT: &[(&str, &str, &str)] =
            &[$($((stringify!($case), stringify!($left_out), $why),)*)*];

        /// Each case, and the shells that it is tried with.
        const TRIED: &[(&str, &[&str])] = &[$((stringify!($case), &[$(stringify!($shell)),+])),*];
    };
}

conformance! {
    cases::commands_are_told_with_line_status_and_directory: bash zsh fish;
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
    captures::captured_shell_runs_commands_while_its_copy_still_tells_how_it_was: bash zsh,
        not fish: "it answers itself, not from a copy, and runs nothing meanwhile";
}

/// A shell, and how it says what the cases need.
struct Dialect {
    /// The programs that the cases are tried with.
    programs: fn() -> Vec<PathBuf>,
    /// The programs for cases in which versions have differed: all that there are.
    all_programs: fn() -> Vec<PathBuf>,
    /// The user's file, below the home directory.
    rc_file: &'static str,
    /// Makes the prompt `$ ` and nothing else.
    prompt: &'static str,
    /// Keeps lines that begin with a blank out of the history.
    ignore_blank: &'static str,
    told: Told,
    /// Lines of the user's file that choose emacs's and vi's keys.
    key_modes: [&'static str; 2],
    status: Status,
    day: Day,
    rc: RunAgain,
    options: fn() -> Vec<Kept>,
    builtins: Builtins,
    /// Lines that set the clock of the shell, and whether it shows a point then.
    clocks: &'static [(&'static str, bool)],
    /// Sets, replaces and throws away variables of the terminal and the session.
    session_variables: &'static str,
    /// Sets `kept` to `before` and defines a function.
    keep_before: &'static str,
    /// It prints what was typed a second time, in colours, when it has had the time.
    colours_what_is_typed: bool,
}

/// Lines to run, and what the shell has told after them: how many commands, and the status of the last.
type Step = (&'static [&'static str], (u64, Option<i32>));

/// What a shell tells of commands.
struct Told {
    steps: &'static [Step],
    /// A line that is to be told letter by letter, behind the command that copies what is told.
    odd: &'static str,
    /// The statuses in the marks, from the first prompt to the end.
    exits: &'static [Option<i32>],
    /// It marks ends of commands without a status besides.
    marks_more_ends: bool,
    /// It prints command lines itself.
    prints_lines: bool,
}

/// A command that fails, and how the shell says so.
struct Status {
    fail: &'static str,
    /// The line that asks, and its end as it is shown.
    ask: (&'static str, &'static str),
    answers: &'static [&'static str],
}

/// A user's day.
struct Day {
    /// The user's files.
    files: &'static [(&'static str, &'static str)],
    lines: &'static [&'static str],
    /// Writes down everything that the shell is.
    dump: fn(&World, &Pane) -> String,
    /// What must be in that.
    dumped: &'static [&'static str],
    /// Variables of the environment that change while the shell sleeps.
    outside: &'static [(&'static str, &'static str)],
    /// Lines before each sleep.
    before_sleep: &'static [&'static str],
    /// What the screen must show of the prompt after each sleep, and what it must not.
    shown: Option<(&'static str, &'static str)>,
    /// Lines that end the user's virtual environment, and what the last prints.
    deactivate: Option<(&'static [&'static str], &'static str)>,
}

/// A user's file that runs again when the shell comes back.
struct RunAgain {
    file: &'static str,
    typed: &'static str,
    ask: &'static str,
    answer: &'static str,
}

/// Something that is set up, and how it shows that it is still so.
struct Kept {
    setup: String,
    question: String,
    answers: Vec<String>,
}

/// Functions with the names of builtins.
struct Builtins {
    names: &'static [&'static str],
    /// Defines a function `NAME` that notes that it was called.
    define: &'static str,
    /// Writes the names of all functions into `~/names`.
    list: &'static str,
    /// What is before a name there.
    before_name: &'static str,
    /// There are no other functions but ours.
    are_all: bool,
}

impl Dialect {
    fn world(&self, program: &std::path::Path, rc: &str) -> World {
        let world = World::new(program);
        world.file(self.rc_file, rc);
        world
    }

    /// The prompt, and more lines.
    fn rc_with(&self, more: &str) -> String {
        format!("{}\n{more}\n", self.prompt)
    }

    /// Each program, in a world in which its prompt is `$ `.
    fn worlds(&self) -> impl Iterator<Item = World> {
        let rc = self.rc_with("");
        let programs = (self.programs)().into_iter();
        programs.map(move |program| self.world(&program, &rc))
    }

    /// The same, with a shell at its first prompt.
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
fn each_case_is_tried_with_each_shell_or_says_why_not() {
    for (case, tried) in TRIED {
        for shell in ["bash", "zsh", "fish"] {
            let is_left_out = |entry: &&(&str, &str, &str)| (entry.0, entry.1) == (*case, shell);
            let reason = LEFT_OUT.iter().find(is_left_out);
            let is_tried = tried.contains(&shell);
            assert_ne!(is_tried, reason.is_some(), "{case} with {shell}");
        }
    }
}
