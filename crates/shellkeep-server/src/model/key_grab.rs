//! What takes a client's keys before its panes do: a prompt, or pane numbers.

use std::collections::VecDeque;

use shellkeep_command::Script;
use shellkeep_core::PaneId;

use crate::alarm::Timer;
use crate::commands::queue::{Caller, QueueId};
use crate::modes::overlay::tree;
use crate::modes::prompt_line::{Line, PromptType};

/// What takes a client's keys before its panes do. A client has at most one; a new one replaces it.
#[derive(Debug)]
pub(crate) enum KeyGrab {
    Prompt(Box<Prompt>),
    PaneNumbers(PaneNumbers),
}

/// The client and queue that wait for the user's answer.
#[derive(Clone, Debug)]
pub(crate) struct Asker {
    pub(crate) caller: Caller,
    /// The queue that continues after the answer. `None` if no command waits.
    pub(crate) queue: Option<QueueId>,
}

#[derive(Debug)]
pub(crate) struct Prompt {
    /// The question, expanded.
    pub(crate) label: String,
    pub(crate) line: Line,
    pub(crate) kind: PromptType,
    pub(crate) purpose: Purpose,
    pub(crate) asker: Asker,
    /// How many entries back in the history it shows.
    pub(crate) back: usize,
}

#[derive(Debug)]
pub(crate) enum Purpose {
    /// Commands, with `%1` for the first answer.
    Template {
        template: Script,
        /// The questions that are still to be asked.
        questions: VecDeque<PromptQuestion>,
        answers: Vec<String>,
    },
    /// Commands that run if the answer is yes.
    Confirm(Script),
    /// A question of the tree mode in a pane.
    Tree {
        pane: PaneId,
        question: tree::Question,
    },
}

/// The text of a question and its initial answer. Both are formats.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PromptQuestion {
    pub(crate) label: String,
    pub(crate) input: String,
}

/// The pane numbers of `display-panes`.
#[derive(Debug)]
pub(crate) struct PaneNumbers {
    /// The commands that run for the chosen pane; `%%` is the pane.
    pub(crate) template: Script,
    pub(crate) keys: NumberKeys,
    pub(crate) asker: Asker,
    pub(crate) timer: Option<Timer>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NumberKeys {
    Choose,
    /// Keys go to the pane as usual.
    Pass,
}
