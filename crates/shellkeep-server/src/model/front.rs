//! What has a client's keyboard before the panes: a prompt, or the numbers of panes.

use std::collections::VecDeque;

use shellkeep_command::Script;
use shellkeep_core::PaneId;

use crate::alarm::Timer;
use crate::commands::queue::{Caller, QueueId};
use crate::modes::overlay::tree;
use crate::modes::prompt_line::{Line, PromptType};

/// What has the keyboard before the panes. A client has one at a time: the next takes the place of the last.
#[derive(Debug)]
pub(crate) enum Front {
    Prompt(Box<Prompt>),
    PaneNumbers(PaneNumbers),
}

/// Who waits for the user's answer.
#[derive(Clone, Debug)]
pub(crate) struct Asker {
    pub(crate) caller: Caller,
    /// The queue that goes on after the answer; `None` if nobody waits.
    pub(crate) queue: Option<QueueId>,
}

/// A prompt that is open.
#[derive(Debug)]
pub(crate) struct Prompt {
    /// What is asked, expanded.
    pub(crate) label: String,
    pub(crate) line: Line,
    pub(crate) kind: PromptType,
    pub(crate) purpose: Purpose,
    pub(crate) asker: Asker,
    /// How far back in the history it is.
    pub(crate) back: usize,
}

/// What the answer is for.
#[derive(Debug)]
pub(crate) enum Purpose {
    /// Commands, in which `%1` is the first answer.
    Template {
        template: Script,
        /// What remains to be asked.
        questions: VecDeque<PromptQuestion>,
        answers: Vec<String>,
    },
    /// Commands that are run if the answer is yes.
    Confirm(Script),
    /// Something that the tree in a pane wants to know.
    Tree {
        pane: PaneId,
        question: tree::Question,
    },
}

/// What is asked, and what stands there at first; formats both.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PromptQuestion {
    pub(crate) label: String,
    pub(crate) input: String,
}

/// Numbers that are shown.
#[derive(Debug)]
pub(crate) struct PaneNumbers {
    /// What to run for the pane that is chosen; `%%` is the pane.
    pub(crate) template: Script,
    pub(crate) keys: NumberKeys,
    pub(crate) asker: Asker,
    pub(crate) timer: Option<Timer>,
}

/// What keys do while numbers are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NumberKeys {
    /// A number chooses its pane.
    Choose,
    /// They are keys like any other.
    Pass,
}
