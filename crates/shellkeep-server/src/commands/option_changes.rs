//! What follows when an option changes.

use std::time::Duration;

use shellkeep_core::WindowId;

use crate::clients::lock;
use crate::hibernation::{policy_timer, rules};
use crate::panes::manage;
use crate::persistence::expiry;
use crate::server::Server;
use crate::status::alerts;

/// Passes options on to where they are used.
pub(crate) fn apply_options(server: &mut Server) {
    let milliseconds = server.model.options.server().number("escape-time");
    let time = Duration::from_millis(milliseconds.unsigned_abs());
    server.clients.escape_time.send_replace(time);
    // What is around the panes may look different, and need more or fewer rows.
    server.model.sizes_due();
    server.model.redraw_all();
    alerts::follow_silence_options(&mut server.model);
    if let Some(keeping) = &server.persistence.keeping {
        let mebibytes = server.model.options.server().number("record-limit");
        let limit = u64::try_from(mebibytes)
            .unwrap_or(0)
            .saturating_mul(1 << 20);
        keeping.recorder.set_record_limit(limit);
    }
}

/// An option was set in some scope.
pub(crate) fn option_changed(server: &mut Server, name: &str) {
    apply_options(server);
    match name {
        "pane-border-status" | "pane-border-lines" => {
            let windows: Vec<WindowId> = server.model.windows.keys().copied().collect();
            for window in windows {
                manage::layout_changed(&mut server.model, window);
            }
        }
        "lock-after-time" => lock::lock_time_changed(&mut server.model),
        "key-table" => {
            for client in server.model.clients.values_mut() {
                client.input.key_table.clear();
            }
        }
        "hibernate" | "hibernate-after" | "max-active" | "max-total" | "archive-after"
        | "spare-unread" => policy_timer::round_due(&server.model, &mut server.hibernation),
        "archive-keep" => expiry::expiry_changed(&mut server.model, &mut server.persistence),
        "resume-rules" => rules::resume_rules_changed(&mut server.model, &mut server.hibernation),
        _ => {}
    }
}
