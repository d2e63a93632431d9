use proptest::prelude::*;

use super::*;

const MINUTE: Millis = 60_000;
const NOW: Millis = 1_000_000 * MINUTE;

fn session(key: u32, idle: Millis) -> Candidate<u32> {
    Candidate {
        key,
        life: Life::Active,
        made_by: MadeBy::User,
        commands: 0,
        last_activity: NOW - idle,
        hibernate_after: Some(5 * MINUTE),
        is_held: false,
        is_reopened: false,
        is_visible: false,
        is_idle: true,
    }
}

fn asleep(key: u32, idle: Millis) -> Candidate<u32> {
    Candidate {
        life: Life::Hibernated,
        ..session(key, idle)
    }
}

fn slept(decision: &Decision<u32>) -> Vec<(u32, HibernateCause)> {
    let each = decision.hibernate.iter();
    each.map(|one| (one.key, one.cause)).collect()
}

#[test]
fn priority_table() {
    let hour = 60 * MINUTE;
    for (idle, commands, made_by, expected) in [
        (0, 0, MadeBy::User, 150),
        (0, 0, MadeBy::Agent, 100),
        (hour, 0, MadeBy::User, 140),
        (hour, 5, MadeBy::Agent, 100),
        (90 * MINUTE, 0, MadeBy::Agent, 85),
        (10 * hour, 0, MadeBy::Agent, 0),
        (11 * hour, 0, MadeBy::Agent, 0),
        (24 * hour, 100, MadeBy::User, 110),
        (15 * hour, 0, MadeBy::User, 0),
        (Millis::MAX, u32::MAX, MadeBy::User, 0),
        (0, u32::MAX, MadeBy::User, u32::MAX),
    ] {
        let points = priority(idle, commands, made_by);
        assert_eq!(points, expected, "{idle} {commands} {made_by:?}");
    }
}

#[test]
fn time_reached_sleeps_and_not_a_moment_before() {
    let sessions = [
        session(1, 5 * MINUTE),
        session(2, 5 * MINUTE - 1),
        Candidate {
            hibernate_after: None,
            ..session(3, 500 * MINUTE)
        },
    ];
    let decision = who_sleeps(&sessions, &Policy::default(), NOW);
    assert_eq!(slept(&decision), [(1, HibernateCause::Time)]);
    assert_eq!(decision.next_look, Some(NOW + 1));
}

#[test]
fn sessions_in_use_stay_awake_whatever_the_pressure() {
    let mut held = session(1, 500 * MINUTE);
    held.is_held = true;
    let mut visible = session(2, 500 * MINUTE);
    visible.is_visible = true;
    let mut busy = session(3, 500 * MINUTE);
    busy.is_idle = false;
    let policy = Policy {
        max_active: 1,
        memory_pressure: 100.0,
        ..Policy::default()
    };
    let decision = who_sleeps(&[held, visible, busy], &policy, NOW);
    assert!(decision.hibernate.is_empty());
    assert_eq!(decision.next_look, None);
}

#[test]
fn number_above_eighty_per_cent_sends_the_lowest_to_sleep() {
    let ten: Vec<_> = (0..10)
        .map(|key| Candidate {
            commands: key,
            hibernate_after: None,
            ..session(key, 2 * MINUTE)
        })
        .collect();
    let decision = who_sleeps(&ten, &Policy::default(), NOW);
    let number = HibernateCause::Number;
    assert_eq!(slept(&decision), [(0, number), (1, number)]);
    assert_eq!(who_sleeps(&ten[2..], &Policy::default(), NOW).hibernate, []);
}

#[test]
fn number_within_the_limit_spares_sessions_just_used() {
    let nine: Vec<_> = (0..9).map(|key| session(key, 1000)).collect();
    let decision = who_sleeps(&nine, &Policy::default(), NOW);
    assert!(decision.hibernate.is_empty());
    assert_eq!(decision.next_look, Some(NOW - 1000 + GRACE));
    let eleven: Vec<_> = (0..11).map(|key| session(key, 1000)).collect();
    let decision = who_sleeps(&eleven, &Policy::default(), NOW);
    assert_eq!(slept(&decision), [(0, HibernateCause::Number)]);
}

#[test]
fn lower_limit_hibernates_more_sessions_and_wakes_none() {
    // The first has the lower priority, but was used at this moment; the second was unused for long enough.
    let fresh = session(0, 0);
    let rested = Candidate {
        commands: 1,
        ..session(1, GRACE)
    };
    for (max_active, expected) in [
        (3, vec![]),
        (2, vec![(1, HibernateCause::Number)]),
        (1, vec![(1, HibernateCause::Number)]),
    ] {
        let policy = Policy {
            max_active,
            ..Policy::default()
        };
        let decision = who_sleeps(&[fresh.clone(), rested.clone()], &policy, NOW);
        assert_eq!(slept(&decision), expected, "max-active {max_active}");
    }
}

#[test]
fn new_session_above_the_limit_stays_and_the_lowest_of_the_others_sleeps() {
    let mut sessions: Vec<_> = (0..10)
        .map(|key| Candidate {
            commands: 20 + key,
            hibernate_after: None,
            ..session(key, 2 * MINUTE)
        })
        .collect();
    sessions.push(session(99, 0));
    let decision = who_sleeps(&sessions, &Policy::default(), NOW);
    let number = HibernateCause::Number;
    assert_eq!(slept(&decision), [(0, number), (1, number), (2, number)]);
}

#[test]
fn sessions_that_cannot_sleep_count_for_the_number() {
    let mut sessions: Vec<_> = (0..10).map(|key| session(key, 2 * MINUTE)).collect();
    for one in &mut sessions[..9] {
        one.is_visible = true;
    }
    let decision = who_sleeps(&sessions, &Policy::default(), NOW);
    assert_eq!(slept(&decision), [(9, HibernateCause::Number)]);
}

#[test]
fn memory_pressure_sends_more_to_sleep_the_higher_it_is() {
    let sessions: Vec<_> = (0..6).map(|key| session(key, MINUTE / 2)).collect();
    let count = |memory_pressure| {
        let policy = Policy {
            memory_pressure,
            ..Policy::default()
        };
        let decision = who_sleeps(&sessions, &policy, NOW);
        assert!(
            decision
                .hibernate
                .iter()
                .all(|one| one.cause == HibernateCause::Memory)
        );
        decision.hibernate.len()
    };
    let counts = [0.0, 9.9, 10.0, 20.0, 30.0, 40.0, 100.0, f64::NAN].map(count);
    assert_eq!(counts, [0, 0, 1, 2, 4, 6, 6, 0]);
}

#[test]
fn sleepers_are_archived_by_age_and_by_number() {
    let day = 24 * 60 * MINUTE;
    let sessions = [asleep(1, 31 * day), asleep(2, 29 * day), asleep(3, day)];
    let decision = who_sleeps(&sessions, &Policy::default(), NOW);
    assert_eq!(
        decision.archive,
        [Archive {
            key: 1,
            cause: ArchiveCause::Time
        }]
    );
    assert_eq!(decision.next_look, Some(NOW + day));
    let policy = Policy {
        max_total: 1,
        ..Policy::default()
    };
    let decision = who_sleeps(&sessions, &policy, NOW);
    let causes: Vec<_> = decision
        .archive
        .iter()
        .map(|one| (one.key, one.cause))
        .collect();
    assert_eq!(causes, [(1, ArchiveCause::Time), (2, ArchiveCause::Number)]);
}

#[test]
fn session_of_the_last_hour_is_not_archived_for_their_number() {
    let policy = Policy {
        max_total: 1,
        ..Policy::default()
    };
    let of = |sessions: &[Candidate<u32>]| {
        let decision = who_sleeps(sessions, &policy, NOW);
        let keys: Vec<_> = decision.archive.iter().map(|one| one.key).collect();
        (keys, decision.next_look)
    };
    // Oldest first by last use, and looked at again when the next one is old enough.
    let sessions = [
        asleep(1, 61 * MINUTE),
        asleep(2, 59 * MINUTE),
        asleep(3, 60 * MINUTE),
        asleep(4, 90 * MINUTE),
        asleep(5, 0),
    ];
    assert_eq!(of(&sessions), (vec![4, 1, 3], Some(NOW + MINUTE)));
    assert_eq!(of(&sessions[1..2]).0, [0; 0]);
    // By age they are archived as before.
    let policy = Policy {
        archive_after: Some(MINUTE),
        ..policy.clone()
    };
    let decision = who_sleeps(&sessions, &policy, NOW);
    assert_eq!(decision.archive.len(), 4);
}

#[test]
fn reopened_session_is_archived_by_age_alone() {
    let day = 24 * 60 * MINUTE;
    let reopened = |key, idle| Candidate {
        is_reopened: true,
        ..asleep(key, idle)
    };
    let policy = Policy {
        max_total: 1,
        ..Policy::default()
    };
    let keys = |sessions: &[Candidate<u32>]| {
        let decision = who_sleeps(sessions, &policy, NOW);
        let keys: Vec<_> = decision.archive.iter().map(|one| one.key).collect();
        (keys, decision.next_look)
    };
    // Another goes in its place, if there is one.
    let sessions = [reopened(1, 3 * day), asleep(2, 2 * day), asleep(3, day)];
    assert_eq!(keys(&sessions), (vec![2, 3], Some(NOW + 27 * day)));
    let sessions = [reopened(1, 3 * day), session(2, 0), session(3, 0)];
    assert_eq!(keys(&sessions).0, [0; 0]);
    assert_eq!(keys(&[reopened(1, 30 * day)]).0, [1]);
}

#[test]
fn zero_means_no_limit() {
    let day = 24 * 60 * MINUTE;
    let policy = Policy {
        max_active: 0,
        archive_after: None,
        max_total: 0,
        memory_pressure: 0.0,
    };
    let mut sessions: Vec<_> = (0..50).map(|key| session(key, MINUTE)).collect();
    sessions.extend((50..99).map(|key| asleep(key, 999 * day / 2)));
    for one in &mut sessions {
        one.hibernate_after = None;
    }
    let decision = who_sleeps(&sessions, &policy, NOW);
    assert_eq!((decision.hibernate.len(), decision.archive.len()), (0, 0));
    assert_eq!(decision.next_look, None);
}

prop_compose! {
    fn any_session()(
        life in prop_oneof![3 => Just(Life::Active), 1 => Just(Life::Hibernated)],
        made_by in prop_oneof![Just(MadeBy::User), Just(MadeBy::Agent)],
        commands in 0..80_u32,
        idle in prop_oneof![0..10 * MINUTE, 0..60 * 24 * 60 * MINUTE],
        hibernate_after in prop_oneof![3 => Just(Some(5 * MINUTE)), 1 => Just(None)],
        is_held in prop::bool::weighted(0.1),
        is_reopened in prop::bool::weighted(0.1),
        is_visible in prop::bool::weighted(0.1),
        is_idle in prop::bool::weighted(0.8),
    ) -> Candidate<u32> {
        Candidate {
            key: 0, life, made_by, commands, last_activity: NOW - idle, hibernate_after, is_held,
            is_reopened, is_visible, is_idle,
        }
    }
}

fn any_sessions() -> impl Strategy<Value = Vec<Candidate<u32>>> {
    prop::collection::vec(any_session(), 0..30).prop_map(|mut sessions| {
        for (one, key) in sessions.iter_mut().zip(0..) {
            one.key = key;
        }
        sessions
    })
}

prop_compose! {
    fn any_policy()(
        max_active in 0..20_usize,
        archive_after in prop_oneof![Just(None), (0..60_u64).prop_map(|days| Some(days * 24 * 60 * MINUTE))],
        max_total in 0..30_usize,
        memory_pressure in prop_oneof![2 => Just(0.0), 1 => 0.0..100.0],
    ) -> Policy {
        Policy { max_active, archive_after, max_total, memory_pressure }
    }
}

/// The sessions once the decision was carried out.
fn carried_out(sessions: &[Candidate<u32>], decision: &Decision<u32>) -> Vec<Candidate<u32>> {
    let archived = |one: &Candidate<u32>| decision.archive.iter().any(|gone| gone.key == one.key);
    let mut left: Vec<_> = sessions
        .iter()
        .filter(|one| !archived(one))
        .cloned()
        .collect();
    for one in &mut left {
        if decision
            .hibernate
            .iter()
            .any(|chosen| chosen.key == one.key)
        {
            one.life = Life::Hibernated;
        }
    }
    left
}

proptest! {
    #[test]
    fn sessions_that_must_stay_awake_are_never_chosen(sessions in any_sessions(), policy in any_policy()) {
        let decision = who_sleeps(&sessions, &policy, NOW);
        for chosen in &decision.hibernate {
            let one = &sessions[chosen.key as usize];
            prop_assert!(one.can_sleep());
        }
        for archive in &decision.archive {
            let one = &sessions[archive.key as usize];
            prop_assert!(one.life == Life::Hibernated && !one.is_held && !one.is_visible);
        }
        let mut keys: Vec<_> = decision.hibernate.iter().map(|one| one.key).collect();
        keys.extend(decision.archive.iter().map(|one| one.key));
        keys.sort_unstable();
        keys.dedup();
        prop_assert_eq!(keys.len(), decision.hibernate.len() + decision.archive.len());
    }

    #[test]
    fn choice_does_not_depend_on_the_order(sessions in any_sessions(), policy in any_policy(), turn in 0..30_usize) {
        let mut other = sessions.clone();
        other.reverse();
        let turn = turn.min(other.len());
        other.rotate_left(turn);
        prop_assert_eq!(who_sleeps(&sessions, &policy, NOW), who_sleeps(&other, &policy, NOW));
    }

    #[test]
    fn pressure_spares_no_session_of_lower_priority(sessions in any_sessions(), policy in any_policy()) {
        let decision = who_sleeps(&sessions, &policy, NOW);
        let sleeps = |one: &Candidate<u32>| decision.hibernate.iter().any(|chosen| chosen.key == one.key);
        // Within the limit a session that was just used is spared, but not when memory is short.
        let forced = decision.hibernate.iter().filter(|one| one.cause == HibernateCause::Memory);
        for chosen in forced {
            let one = &sessions[chosen.key as usize];
            let lower = sessions.iter().filter(|other| {
                other.can_sleep() && other.priority_at(NOW) < one.priority_at(NOW)
            });
            for other in lower {
                prop_assert!(sleeps(other));
            }
        }
    }

    #[test]
    fn lower_limits_and_higher_pressure_wake_no_session(
        sessions in any_sessions(), policy in any_policy(), less in 0..20_usize, more in 0.0..50.0,
    ) {
        let keys = |policy: &Policy| {
            let decision = who_sleeps(&sessions, policy, NOW);
            decision.hibernate.into_iter().map(|one| one.key).collect::<std::collections::BTreeSet<_>>()
        };
        let tighter = Policy {
            memory_pressure: policy.memory_pressure + more,
            ..policy.clone()
        };
        prop_assert!(keys(&policy).is_subset(&keys(&tighter)));
        if policy.max_active > 0 && policy.memory_pressure == 0.0 {
            let fewer = Policy { max_active: policy.max_active.saturating_sub(less).max(1), ..policy.clone() };
            prop_assert!(keys(&policy).is_subset(&keys(&fewer)));
        }
    }

    #[test]
    fn nothing_is_due_before_the_next_look(sessions in any_sessions(), policy in any_policy(), part in 0.0..1.0) {
        let policy = Policy { memory_pressure: 0.0, ..policy };
        let mut sessions = sessions;
        // A sleeper may be archived at once, and that may be all: it takes two rounds at most.
        let mut decision = who_sleeps(&sessions, &policy, NOW);
        for _ in 0..2 {
            sessions = carried_out(&sessions, &decision);
            decision = who_sleeps(&sessions, &policy, NOW);
        }
        prop_assert!(decision.hibernate.is_empty() && decision.archive.is_empty());
        let end = decision.next_look.unwrap_or(NOW + 100 * 24 * 60 * MINUTE);
        prop_assert!(end > NOW);
        let before = NOW + ((end - NOW - 1) as f64 * part) as Millis;
        let early = who_sleeps(&sessions, &policy, before);
        prop_assert!(early.hibernate.is_empty() && early.archive.is_empty(), "{early:?} at {before}");
        if let Some(due) = decision.next_look {
            let then = who_sleeps(&sessions, &policy, due);
            let acts = !then.hibernate.is_empty() || !then.archive.is_empty();
            prop_assert!(acts || then.next_look.is_none_or(|next| next > due));
        }
    }
}
