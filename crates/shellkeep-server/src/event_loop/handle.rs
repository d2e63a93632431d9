//! Routes an event to its component.

use shellkeep_core::ClientId;
use shellkeep_term::key::Input;

use crate::alarm::Alarm;
use crate::clients::{control, drag, input, keys, lock, mouse, subscriptions};
use crate::commands::reply::Reply;
use crate::commands::{capture_job, control_lines, resume_queue, run};
use crate::event::Event;
use crate::event_loop::carry_out::carry_out;
use crate::event_loop::{client_gone, process_notices};
use crate::hibernation::{
    admission, fall_asleep, idle_capture, judging, policy, policy_timer, revival, rules,
};
use crate::model::Client;
use crate::modes::{clock, copy, pane_numbers, trees};
use crate::panes::{dead, pan, pipes, shells, show, sizes};
use crate::persistence::{archive, expiry, stored, written};
use crate::records::query;
use crate::search::requests;
use crate::server::Server;
use crate::shutdown::{last_capture, leaving};
use crate::status::{alerts, message, status_line, window_names};

#[expect(clippy::too_many_lines, reason = "a line or two for each event")]
pub(crate) fn handle(server: &mut Server, event: Event) {
    server.model.changes.process_scan.take();
    match event {
        Event::Connected {
            client,
            pid,
            writer,
        } => {
            let mut new = Client::new(client, pid, writer);
            (new.created, new.activity) = (server.model.now(), server.model.now());
            server.model.clients.insert(client, new);
        }
        Event::Run { client, request } => run::run_request(server, client, *request),
        Event::Role { client, role } => control::client_role(&mut server.model, client, role),
        Event::ControlLine { client, line } => control_lines::control_line(server, client, line),
        Event::Core { client, request } => run::core_request(server, client, &request),
        Event::Typed { client, input } => typed(server, client, input),
        Event::Resized { client, size } => show::client_resized(&mut server.model, client, size),
        Event::PartMoved { client, last } => pan::part_moved(&mut server.model, client, last),
        Event::Ready { client } => show::client_ready(
            &mut server.model,
            &mut server.clients,
            &server.events,
            &server.shutdown.leaving.intake,
            client,
        ),
        Event::Paused { client } => show::suspend(&mut server.model, client),
        Event::Gone { client } => client_gone::client_gone(server, client),
        Event::Host(event) => process_notices::host_event(server, event),
        Event::Printed { pane, process } => process_notices::output_printed(server, pane, process),
        Event::Effects {
            pane,
            process,
            effects,
        } => process_notices::effects_received(server, pane, process, effects),
        Event::Ended { pane, process } => process_notices::output_ended(server, pane, process),
        Event::JobEnded { job, end } => resume_queue::job_ended(server, job, end),
        Event::Searched(searched) => copy::searched(&mut server.model, *searched),
        Event::Piped { pane, pipe, bytes } => pipes::piped(&mut server.model, pane, pipe, &bytes),
        Event::PipeLost { pane, lost } => pipes::pipe_lost(&mut server.model, pane, lost),
        Event::Stdin { client, bytes } => resume_queue::stdin(server, client, &bytes),
        Event::Alarm(ring) => {
            if let Some(alarm) = ring.due() {
                alarm_rang(server, alarm);
            }
        }
        Event::Facts {
            pane,
            process,
            facts,
        } => process_notices::facts_received(&mut server.model, pane, process, facts),
        Event::ShellAnswered { pane, attempt } => {
            let (model, hibernation) = (&mut server.model, &mut server.hibernation);
            if !fall_asleep::shell_answered(model, hibernation, pane, attempt) {
                idle_capture::capture_answered(model, hibernation, pane, attempt);
            }
        }
        Event::Prepared { pane, prepared } => {
            revival::shell_prepared(&mut server.model, pane, *prepared)
        }
        Event::WakeBlockerEnded => policy_timer::round_due(&server.model, &mut server.hibernation),
        Event::RuleFound {
            pane,
            question,
            round,
            resume,
        } => rules::rule_found(
            &mut server.model,
            &mut server.hibernation,
            pane,
            question,
            round,
            resume,
        ),
        Event::WrittenDown {
            pane,
            attempt,
            written,
        } => fall_asleep::written_down(
            &mut server.model,
            &mut server.hibernation,
            pane,
            attempt,
            written,
        ),
        Event::NotedDown {
            pane,
            attempt,
            noted,
        } => fall_asleep::noted_down(&mut server.model, pane, attempt, noted),
        Event::Keeping { trouble } => {
            stored::keeping_trouble(&mut server.model, &mut server.persistence, trouble)
        }
        Event::MemoryShort => policy_timer::round_due(&server.model, &mut server.hibernation),
        Event::Scanned(processes) => {
            judging::processes_scanned(&mut server.model, &mut server.hibernation, processes)
        }
        Event::PaneGap(pane) => stored::note_gap(&mut server.model, pane),
        Event::StoreGone => stored::write_everything(&mut server.model),
        Event::StoreReady => stored::store_is_ready(&mut server.model, &mut server.persistence),
        Event::Kept { number, left } => archive::kept(
            &mut server.model,
            &mut server.persistence,
            number,
            left.as_deref(),
        ),
        Event::Written { revision } => written::written(
            &mut server.model,
            &mut server.persistence,
            &server.commands.queues,
            revision,
        ),
        Event::Flushed { number, left } => {
            let is_unused = client_gone::is_unused(server);
            leaving::flushed(
                &mut server.model,
                &mut server.shutdown,
                is_unused,
                number,
                left,
            );
        }
        Event::ArchiveRead { number, archive } => {
            archive::archive_read(&mut server.model, number, &archive)
        }
        Event::CommandsAnswered { number, answer } => query::answered(
            &mut server.model,
            &mut server.commands.queues,
            number,
            answer,
        ),
        Event::SearchDone(done) => requests::search_done(
            &mut server.model,
            &mut server.commands.queues,
            &server.events,
            *done,
        ),
        Event::Captured(captured) => capture_job::captured(server, *captured),
        Event::FileWorkDone { number } => resume_queue::file_work_done(server, number),
        Event::NextSlice => run::next_slice(server),
        Event::HasRoom { queue } => run::has_room(server, queue),
        Event::Expired(expired) => {
            expiry::expired(&mut server.model, &mut server.persistence, &expired)
        }
        Event::Terminated => leaving::terminated(&mut server.model, &mut server.shutdown),
    }
}

fn typed(server: &mut Server, client: ClientId, input: Vec<Input>) {
    let session = input::typing_begins(&mut server.model, &mut server.clients, client, &input);
    for input in input {
        input::take_input(&mut server.model, client, input);
        // The next key may be for what this one has opened.
        carry_out(server);
    }
    input::typing_ends(&mut server.model, client, session);
}

fn alarm_rang(server: &mut Server, alarm: &Alarm) {
    match alarm {
        Alarm::Repeat(client) => keys::repeat_over(&mut server.model, *client),
        Alarm::Click(client) => mouse::clicked_enough(&mut server.model, *client),
        Alarm::Scroll(client) => drag::continue_drag(&mut server.model, *client),
        Alarm::Rename(window) => window_names::naming_due(&mut server.model, *window),
        Alarm::Status(client) => status_line::status_due(&mut server.model, *client),
        Alarm::Silence(window) => alerts::silence_due(&mut server.model, *window),
        Alarm::FirstKey => input::get_ready_for_keys(&server.model),
        Alarm::Clock => clock::clock_due(&mut server.model, &mut server.clients.clock_timer),
        Alarm::Message(client) => message::message_over(&mut server.model, *client),
        Alarm::PaneNumbers(client) => pane_numbers::pane_numbers_over(&mut server.model, *client),
        Alarm::Subscriptions(client) => {
            subscriptions::evaluate_subscriptions(&mut server.model, *client)
        }
        Alarm::Tree(pane) => trees::refresh_tree(&mut server.model, *pane),
        Alarm::Size(pane) => sizes::size_due(&mut server.model, *pane),
        Alarm::Asleep(pane) => {
            fall_asleep::asleep_due(&mut server.model, &mut server.hibernation, *pane)
        }
        Alarm::Capture(pane) => {
            idle_capture::capture_due(&mut server.model, &mut server.hibernation, *pane)
        }
        Alarm::Admission => admission::continue_admission(&mut server.hibernation),
        Alarm::Settled => admission::requeue_unsettled(&mut server.hibernation),
        Alarm::Judging => judging::continue_judging(&mut server.model, &mut server.hibernation),
        Alarm::Awake(pane) => shells::awake_due(&mut server.model, *pane),
        Alarm::EndGrace(pane) => dead::end_grace_over(&mut server.model, *pane),
        Alarm::Policy => policy::start_round(&server.model, &mut server.hibernation),
        Alarm::Expiry => expiry::expire(
            &mut server.model,
            &mut server.persistence,
            &server.thread_events,
        ),
        Alarm::Leave => {
            let is_unused = client_gone::is_unused(server);
            leaving::leave_again(&mut server.model, &mut server.shutdown, is_unused);
        }
        Alarm::LastCapture(number) => {
            last_capture::last_capture_over(&mut server.model, &mut server.shutdown, *number)
        }
        Alarm::RecheckLastCapture(number) => last_capture::recheck_last_capture(
            &mut server.model,
            &mut server.shutdown,
            &mut server.hibernation,
            *number,
        ),
        Alarm::Lock(session) => lock::lock_due(&mut server.model, *session),
        Alarm::Queue(queue) => run::resume(server, *queue, Ok(Reply::default())),
    }
}
