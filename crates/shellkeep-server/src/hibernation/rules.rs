//! The resume rules of sleeping panes: how a program comes back is found on a thread, when it is first asked for.

use shellkeep_core::PaneId;
use shellkeep_hibernation::{Resume, Rules, WakesOn};

use crate::action::Action;
use crate::event::Event;
use crate::hibernation::outcome::report_dry_run;
use crate::hibernation::resume::{Disk, add_home, quoting_of, would_wake};
use crate::hibernation::state::Hibernation;
use crate::model::ticket::Ticket;
use crate::model::{Model, Rule, Waker};

/// How a program comes back, as far as it is known.
pub(crate) enum FoundRule {
    /// There is no program.
    Nothing,
    Rule(Resume),
    /// The rule is being looked for.
    Later,
}

/// How the program of a sleeping pane comes back. The rules read the disk, which may be slow, so a thread does it on
/// the first call. If `waker` is set, the pane wakes when the rule is found.
pub(crate) fn rule_of(
    model: &mut Model,
    hibernation: &mut Hibernation,
    id: PaneId,
    waker: Option<Waker>,
) -> FoundRule {
    let Some(pane) = model.panes.get_mut(&id) else {
        return FoundRule::Nothing;
    };
    let asleep = pane.life.asleep_mut();
    let Some(asleep) = asleep.filter(|asleep| !asleep.sleep.program.is_empty()) else {
        return FoundRule::Nothing;
    };
    match &mut asleep.rule {
        Rule::Known(resume) => return FoundRule::Rule(resume.clone()),
        Rule::Sought { waker: other, .. } => *other = other.or(waker),
        Rule::Unasked => {
            let question = Ticket::new();
            asleep.rule = Rule::Sought { waker, question };
            find_rule(model, hibernation, id, question);
        }
    }
    FoundRule::Later
}

/// Runs the rules on a thread.
fn find_rule(model: &Model, hibernation: &Hibernation, id: PaneId, question: Ticket) -> Option<()> {
    let pane = model.panes.get(&id)?;
    let sleep = pane.sleep()?.clone();
    let mut run = sleep.run;
    if run.directory.is_empty() {
        run.directory = pane.facts.directory.clone().unwrap_or_default();
    }
    add_home(model, &mut run);
    let shell = quoting_of(model, pane);
    let texts = model.options.server();
    let (rules, errors) = Rules::parse(texts.texts("resume-rules"));
    for error in errors {
        tracing::warn!(%error, "a resume rule in the option resume-rules is ignored");
    }
    let (events, round) = (hibernation.thread_events.clone(), hibernation.rules_round);
    tokio::task::spawn_blocking(move || {
        let resume = run.with(&sleep.program, shell, |program| {
            shellkeep_hibernation::resume(program, &rules, &Disk)
        });
        events.send(Event::RuleFound {
            pane: id,
            question,
            round,
            resume,
        });
    });
    Some(())
}

pub(crate) fn rule_found(
    model: &mut Model,
    hibernation: &mut Hibernation,
    id: PaneId,
    question: Ticket,
    round: u64,
    found: Resume,
) {
    let Some(pane) = model.panes.get_mut(&id) else {
        return;
    };
    let window = pane.window;
    // The pane was woken since, or has fallen asleep anew, so that this answer is out of date.
    let Some(asleep) = pane.life.asleep_mut() else {
        return;
    };
    let waker = match asleep.rule {
        Rule::Sought {
            waker,
            question: asked,
        } if asked == question => waker,
        _ => return,
    };
    if round != hibernation.rules_round {
        asleep.rule = Rule::Unasked;
        drop(rule_of(model, hibernation, id, waker));
        return;
    }
    let would = would_wake(Some(&found));
    asleep.rule = Rule::Known(found);
    report_dry_run(model, id, would);
    match waker {
        Some(waker) => model.act(Action::Wake(id, waker)),
        // A client that shows the pane wakes it now if the rule allows, or displays that it takes a key.
        None => {
            model.redraw_window(window);
            model.changes.is_unsettled = true;
        }
    }
}

/// Whether a sleeping pane needs a key to wake, even if a client shows it.
pub(crate) fn awaits_key(model: &mut Model, hibernation: &mut Hibernation, id: PaneId) -> bool {
    match rule_of(model, hibernation, id, None) {
        FoundRule::Nothing => false,
        FoundRule::Rule(resume) => resume.wakes_on == WakesOn::FirstKey,
        // The clients are redrawn when the rule is found.
        FoundRule::Later => true,
    }
}

/// The option `resume-rules` has changed: rules found earlier are dropped.
pub(crate) fn resume_rules_changed(model: &mut Model, hibernation: &mut Hibernation) {
    hibernation.rules_round += 1;
    for pane in model.panes.values_mut() {
        if let Some(asleep) = pane.life.asleep_mut()
            && let Rule::Known(_) = asleep.rule
        {
            asleep.rule = Rule::Unasked;
        }
    }
}
