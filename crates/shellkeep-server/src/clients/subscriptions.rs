//! The subscriptions of control clients (`refresh-client -B`).

use std::collections::BTreeMap;
use std::time::Duration;

use shellkeep_core::{ClientId, PaneId, WindowId};

use crate::alarm::Alarm;
use crate::clients::control;
use crate::formats;
use crate::model::{Model, Session, Subject, Subscription};

const SUBSCRIPTION_INTERVAL: Duration = Duration::from_secs(1);

/// Evaluates a client's subscriptions, and sends those that have changed.
pub(crate) fn evaluate_subscriptions(model: &mut Model, id: ClientId) {
    let alarms = model.outside.alarms.clone();
    let Some(control) = control::control_of(model, id) else {
        return;
    };
    let mut subscriptions = std::mem::take(&mut control.subscriptions);
    let mut lines = Vec::new();
    for (name, subscription) in &mut subscriptions {
        evaluate(model, id, name, subscription, &mut lines);
    }
    let Some(control) = control::control_of(model, id) else {
        return;
    };
    control.subscriptions = subscriptions;
    for line in lines {
        control.notify(line);
    }
    let alarm = Alarm::Subscriptions(id);
    control.timer = Some(alarms.set(alarm, SUBSCRIPTION_INTERVAL));
}

fn evaluate(
    model: &Model,
    id: ClientId,
    name: &str,
    subscription: &mut Subscription,
    lines: &mut Vec<String>,
) {
    let client = model.clients.get(&id);
    let session = client.and_then(|client| client.session);
    let Some(session) = session.and_then(|id| model.sessions.get(&id)) else {
        return;
    };
    let mut values = BTreeMap::new();
    for (index, window, pane) in subjects(model, session, subscription.what) {
        let scope = formats::scope(model).client(Some(id)).session(session.id);
        let scope = match index {
            Some(index) => scope.link(index),
            None => scope,
        };
        let scope = match pane {
            Some(pane) => scope.pane(pane),
            None => scope,
        };
        let value = scope.expand(&subscription.format);
        let key = (index.unwrap_or(u32::MAX), pane);
        if subscription.values.get(&key) != Some(&value) {
            let or_dash = |text: Option<String>| text.unwrap_or_else(|| "-".to_owned());
            lines.push(format!(
                "%subscription-changed {name} {} {} {} {} : {value}",
                session.id,
                or_dash(window.map(|window| window.to_string())),
                or_dash(index.map(|index| index.to_string())),
                or_dash(pane.map(|pane| pane.to_string())),
            ));
        }
        values.insert(key, value);
    }
    subscription.values = values;
}

/// `refresh-client -B`: `NAME:WHAT:FORMAT`, or `NAME` to remove it.
pub(crate) fn subscribe(model: &mut Model, id: ClientId, text: &str) {
    let alarms = model.outside.alarms.clone();
    let Some(control) = control::control_of(model, id) else {
        return;
    };
    let mut parts = text.splitn(3, ':');
    let name = parts.next().unwrap_or_default().to_owned();
    match (parts.next(), parts.next()) {
        (Some(what), Some(format)) => {
            let subscription = Subscription {
                what: subject(what),
                format: format.to_owned(),
                values: BTreeMap::new(),
            };
            control.subscriptions.insert(name, subscription);
        }
        _ => {
            control.subscriptions.remove(&name);
        }
    }
    if control.subscriptions.is_empty() {
        control.timer = None;
    } else if control.timer.is_none() {
        let alarm = Alarm::Subscriptions(id);
        control.timer = Some(alarms.set(alarm, SUBSCRIPTION_INTERVAL));
    }
}

/// The targets of a subscription: window index, window and pane.
fn subjects(
    model: &Model,
    session: &Session,
    what: Subject,
) -> Vec<(Option<u32>, Option<WindowId>, Option<PaneId>)> {
    let windows = session
        .links
        .iter()
        .map(|(index, link)| (*index, link.window));
    match what {
        Subject::Session => vec![(None, None, None)],
        Subject::AllWindows => windows
            .map(|(index, window)| (Some(index), Some(window), None))
            .collect(),
        Subject::Window(wanted) => windows
            .filter(|(_, window)| *window == wanted)
            .map(|(index, window)| (Some(index), Some(window), None))
            .collect(),
        Subject::Pane(_) | Subject::AllPanes => windows
            .flat_map(|(index, window)| {
                let panes = model.panes_of(window);
                panes.map(move |pane| (Some(index), Some(window), Some(pane.id)))
            })
            .filter(|(_, _, pane)| match what {
                Subject::Pane(wanted) => *pane == Some(wanted),
                _ => true,
            })
            .collect(),
    }
}

fn subject(what: &str) -> Subject {
    let number = |prefix: char| what.strip_prefix(prefix)?.parse().ok();
    match what {
        "%*" => Subject::AllPanes,
        "@*" => Subject::AllWindows,
        _ => match (number('%'), number('@')) {
            (Some(pane), _) => Subject::Pane(PaneId(pane)),
            (_, Some(window)) => Subject::Window(WindowId(window)),
            _ => Subject::Session,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn subscriptions_are_about_what_they_name() {
        assert_eq!(subject(""), Subject::Session);
        assert_eq!(subject("%*"), Subject::AllPanes);
        assert_eq!(subject("%4"), Subject::Pane(PaneId(4)));
        assert_eq!(subject("@*"), Subject::AllWindows);
        assert_eq!(subject("@2"), Subject::Window(WindowId(2)));
    }
}
