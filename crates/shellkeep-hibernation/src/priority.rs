//! Which sessions sleep, which are archived, and when to decide again.

use std::cmp::Reverse;

/// Milliseconds: a moment since 1970, or a length of time.
pub type Millis = u64;

const HOUR: i64 = 3_600_000;

/// Sessions are put to sleep when their number exceeds this share of `max-active`, in per cent.
const BEGINS_AT: usize = 80;

/// Below `max-active` itself, only sessions that were unused for this long are put to sleep for their number: a user
/// who switches between nine sessions must not find them asleep.
const GRACE: Millis = 60_000;

/// A session that was made or used within this time is not archived for the number of sessions.
const SPARED_FOR_NUMBER: Millis = 3_600_000;

/// Memory pressure (PSI `some avg10`, in per cent) from which on sessions are put to sleep, and at which all
/// that can sleep do.
const MEMORY_BEGINS: f64 = 10.0;
const MEMORY_ENDS: f64 = 40.0;

/// While memory is short, decide again after this time: the kernel averages the pressure over 10 s.
const MEMORY_AGAIN: Millis = 10_000;

/// The maker of a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MadeBy {
    /// A user at a terminal.
    User,
    /// A program, through a command or the control protocol.
    Agent,
}

/// How much a session is worth keeping awake. The lowest value sleeps first.
#[must_use]
pub fn priority(idle: Millis, commands: u32, made_by: MadeBy) -> u32 {
    let idle = i64::try_from(idle).unwrap_or(i64::MAX);
    // In tenths of an hour, because whole hours would make all sessions of a morning equal.
    let worn = idle.saturating_mul(10) / HOUR;
    let made = match made_by {
        MadeBy::User => 50,
        MadeBy::Agent => 0,
    };
    let points = 100 + 2 * i64::from(commands) + made - worn;
    u32::try_from(points.max(0)).unwrap_or(u32::MAX)
}

/// Whether a session outside the archive runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Life {
    /// Its programs run.
    Active,
    /// It sleeps.
    Hibernated,
}

/// A session outside the archive: the facts that decide whether it sleeps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate<K> {
    /// The caller's name for it.
    pub key: K,
    /// Whether it runs.
    pub life: Life,
    /// Its maker.
    pub made_by: MadeBy,
    /// How many commands were typed in it.
    pub commands: u32,
    /// When it last got input, printed output or was shown.
    pub last_activity: Millis,
    /// Its `hibernate-after`; `None` for never.
    pub hibernate_after: Option<Millis>,
    /// Pinned, or `hibernate` is off for it: it neither sleeps nor is archived.
    pub is_held: bool,
    /// It was reopened from the archive and not used since: it is not archived for the number of sessions.
    pub is_reopened: bool,
    /// A client shows it.
    pub is_visible: bool,
    /// The idle test lets all of its panes sleep. Ignored once it sleeps.
    pub is_idle: bool,
}

impl<K> Candidate<K> {
    /// Whether it may be put to sleep at all.
    fn can_sleep(&self) -> bool {
        self.life == Life::Active && !self.is_held && !self.is_visible && self.is_idle
    }

    /// Whether it may be archived at all.
    fn can_be_archived(&self) -> bool {
        self.life == Life::Hibernated && !self.is_held && !self.is_visible
    }

    fn idle_at(&self, now: Millis) -> Millis {
        now.saturating_sub(self.last_activity)
    }

    fn priority_at(&self, now: Millis) -> u32 {
        priority(self.idle_at(now), self.commands, self.made_by)
    }
}

/// The options, and the memory pressure.
#[derive(Clone, Debug, PartialEq)]
pub struct Policy {
    /// `max-active`: how many sessions run at a time; 0 for any number.
    pub max_active: usize,
    /// `archive-after`: how long a session sleeps before it is archived; `None` for forever.
    pub archive_after: Option<Millis>,
    /// `max-total`: the number of sessions outside the archive, not counting those of the last hour; 0 for any number.
    pub max_total: usize,
    /// Memory pressure, PSI `some avg10` in per cent; 0 if the system does not report it.
    pub memory_pressure: f64,
}

impl Default for Policy {
    /// The defaults of the options.
    fn default() -> Self {
        Self {
            max_active: 10,
            archive_after: Some(30 * 24 * 3_600_000),
            max_total: 1000,
            memory_pressure: 0.0,
        }
    }
}

/// Why a session is put to sleep.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HibernateCause {
    /// It was unused for `hibernate-after`.
    Time,
    /// More sessions run than `max-active` allows.
    Number,
    /// Memory is short.
    Memory,
}

/// A session to be put to sleep.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hibernate<K> {
    /// The key of the session.
    pub key: K,
    /// The reason.
    pub cause: HibernateCause,
}

/// Why a session is archived.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ArchiveCause {
    /// It slept for `archive-after`.
    Time,
    /// There are more sessions than `max-total`.
    Number,
}

/// A session to be archived.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Archive<K> {
    /// The key of the session.
    pub key: K,
    /// The reason.
    pub cause: ArchiveCause,
}

/// What to do now, and when to decide again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decision<K> {
    /// To be put to sleep, in this order.
    pub hibernate: Vec<Hibernate<K>>,
    /// To be archived, in this order.
    pub archive: Vec<Archive<K>>,
    /// The first moment at which time alone changes the decision; `None` if it never does. After an event (a command
    /// ends, a client leaves, a session is made) the caller decides again at once.
    pub next_look: Option<Millis>,
}

/// Decides which sessions sleep and which are archived. The order of the candidates does not matter.
#[must_use]
pub fn who_sleeps<K: Clone + Ord>(
    sessions: &[Candidate<K>],
    policy: &Policy,
    now: Millis,
) -> Decision<K> {
    let mut awake: Vec<_> = sessions.iter().filter(|one| one.can_sleep()).collect();
    // The lowest priority first; among equals the one unused for longest, then by key, so that the order is total.
    awake.sort_by_key(|one| (one.priority_at(now), one.last_activity, one.key.clone()));
    let running = sessions
        .iter()
        .filter(|one| one.life == Life::Active)
        .count();

    let mut chosen = Chosen::default();
    for one in &awake {
        let after = one.hibernate_after;
        match after.map(|after| one.last_activity.saturating_add(after)) {
            Some(due) if due <= now => chosen.put(one, HibernateCause::Time),
            Some(due) => chosen.look_at(due),
            None => {}
        }
    }
    choose_for_number(&awake, running, policy.max_active, now, &mut chosen);
    choose_for_memory(&awake, policy.memory_pressure, now, &mut chosen);
    let (archive, due) = who_is_archived(sessions, policy, now);
    if let Some(due) = due {
        chosen.look_at(due);
    }
    Decision {
        hibernate: chosen.hibernate,
        archive,
        next_look: chosen.next_look,
    }
}

/// The sessions chosen so far.
struct Chosen<K> {
    hibernate: Vec<Hibernate<K>>,
    next_look: Option<Millis>,
}

impl<K> Default for Chosen<K> {
    fn default() -> Self {
        Self {
            hibernate: Vec::new(),
            next_look: None,
        }
    }
}

impl<K: Clone + Ord> Chosen<K> {
    fn has(&self, one: &Candidate<K>) -> bool {
        self.hibernate.iter().any(|other| other.key == one.key)
    }

    fn put(&mut self, one: &Candidate<K>, cause: HibernateCause) {
        if !self.has(one) {
            let key = one.key.clone();
            self.hibernate.push(Hibernate { key, cause });
        }
    }

    fn look_at(&mut self, due: Millis) {
        self.next_look = Some(self.next_look.map_or(due, |next| next.min(due)));
    }
}

fn choose_for_number<K: Clone + Ord>(
    awake: &[&Candidate<K>],
    running: usize,
    max_active: usize,
    now: Millis,
    chosen: &mut Chosen<K>,
) {
    if max_active == 0 {
        return;
    }
    let begins = (max_active.saturating_mul(BEGINS_AT) / 100).max(1);
    let rests_at = |one: &Candidate<K>| one.last_activity.saturating_add(GRACE);
    // A session that was just made or used goes last, whatever its priority: a new session has the lowest of all. The
    // order is independent of the limit, so a lower limit adds sessions to the choice and never swaps one.
    let mut row = awake.to_vec();
    row.sort_by_key(|one| rests_at(one) > now);
    for one in row {
        let left = running - chosen.hibernate.len();
        if left <= begins {
            return;
        }
        if chosen.has(one) {
            continue;
        }
        let rests = rests_at(one);
        if left > max_active || rests <= now {
            chosen.put(one, HibernateCause::Number);
        } else {
            chosen.look_at(rests);
        }
    }
}

fn choose_for_memory<K: Clone + Ord>(
    awake: &[&Candidate<K>],
    pressure: f64,
    now: Millis,
    chosen: &mut Chosen<K>,
) {
    if pressure.is_nan() || pressure < MEMORY_BEGINS {
        return;
    }
    let share = ((pressure - MEMORY_BEGINS) / (MEMORY_ENDS - MEMORY_BEGINS)).min(1.0);
    let left: Vec<_> = awake.iter().filter(|one| !chosen.has(one)).collect();
    // At least one, or the pressure would not fall.
    let wanted = ((left.len() as f64 * share).ceil() as usize).max(1);
    let more = left.len() > wanted;
    for one in left.into_iter().take(wanted) {
        chosen.put(one, HibernateCause::Memory);
    }
    if more {
        chosen.look_at(now.saturating_add(MEMORY_AGAIN));
    }
}

/// The sessions to archive, and when the next one is due.
fn who_is_archived<K: Clone + Ord>(
    sessions: &[Candidate<K>],
    policy: &Policy,
    now: Millis,
) -> (Vec<Archive<K>>, Option<Millis>) {
    let mut asleep: Vec<_> = sessions
        .iter()
        .filter(|one| one.can_be_archived())
        .collect();
    asleep.sort_by_key(|one| {
        (
            Reverse(one.idle_at(now)),
            one.last_activity,
            one.key.clone(),
        )
    });
    let surplus = match policy.max_total {
        0 => 0,
        most => sessions.len().saturating_sub(most),
    };
    let mut archive = Vec::new();
    let mut next = None;
    for one in asleep {
        let after = policy.archive_after;
        let is_surplus = archive.len() < surplus && !one.is_reopened;
        let number_after = is_surplus.then_some(SPARED_FOR_NUMBER);
        let causes = [
            (after, ArchiveCause::Time),
            (number_after, ArchiveCause::Number),
        ];
        let due_at = |after: Millis| one.last_activity.saturating_add(after);
        let due = causes.map(|(after, cause)| after.map(|after| (due_at(after), cause)));
        let due = || due.into_iter().flatten();
        let Some((_, cause)) = due().find(|(due, _)| *due <= now) else {
            next = next.into_iter().chain(due().map(|(due, _)| due)).min();
            continue;
        };
        let key = one.key.clone();
        archive.push(Archive { key, cause });
    }
    (archive, next)
}

#[cfg(test)]
mod tests;
