//! Placing a question where a shell reads it.

use shellkeep_core::PaneId;
use shellkeep_shell::{Purpose, Request};

use crate::hibernation::shell_answers::Watch;
use crate::hibernation::state::Hibernation;
use crate::model::Model;
use crate::model::ticket::Ticket;
use crate::panes::shell_dir::{ensure_shell_dir, shell_dir};

/// Places a question for a pane's shell, and watches for its answer (`Event::ShellAnswered`).
///
/// # Errors
/// Why it cannot be asked, in a few words.
pub(crate) fn put_question(
    model: &Model,
    hibernation: &mut Hibernation,
    id: PaneId,
    purpose: Purpose,
    attempt: Ticket,
) -> Result<(Request, Watch), String> {
    let dir = shell_dir(model, id);
    ensure_shell_dir(model, id);
    let nonce = crate::persistence::record::now() ^ (u64::from(id.0) << 48);
    let request = Request::place(&dir, nonce, purpose);
    let request = request.map_err(|error| format!("cannot ask: {error}"))?;
    let watch = hibernation
        .answers
        .watch(&dir, id, attempt, &hibernation.events);
    let watch = watch.map_err(|error| format!("cannot wait for the answer: {error}"))?;
    Ok((request, watch))
}
