//! Requests of traffic in the lanes: one line per event of a step, at its machine or its server, and which machines have a lane.
//!
//! ```text
//!        machine 1            Redis            machine 4       other machines
//!   #7 read 12
//!   #7 GET item:12 ─ ─ ─ ─ ─ ▶
//!                                              #3 ◀─────────── and so on
//!                       #7 ▸ GET item:12
//! ```
//! A row of the lanes counts its events ([`crate::state::lab::lanes::Row::requests`]); what they are is read from the step. Lanes of
//! machines follow the rows in view: with 50 machines, each of a few rows concerns another one.
use world::traffic::event::{RequestEvent, Service, TrafficEvent};
use world::{EventKind, NodeIndex, Step, World};

/// Where an event is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// In the lane of a machine, from 0.
    Machine(u32),
    /// In the lane of a server.
    Server(Service),
    /// Across all lanes: no machine notices it.
    Everywhere,
}

/// An arrow between a machine and a server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arrow {
    /// The machine sends a command or a statement. It arrives in a later step.
    To(Service),
    /// The machine receives a reply.
    From(Service),
}

/// How many lines the events of requests in a step need.
// Not inlined, so that it can be in a deferred chunk.
#[inline(never)]
pub fn count(step: &Step) -> usize {
    lines(step).count()
}

/// The events of requests in a step that have a line, in order: a request that begins as soon as it comes has one line for both.
pub fn lines(step: &Step) -> impl Iterator<Item = &TrafficEvent> {
    let came = |request: u64| {
        events(step).any(|event| event.request == request && matches!(event.what, RequestEvent::Came { .. }))
    };
    events(step).filter(move |event| !matches!(event.what, RequestEvent::Begins) || !came(event.request))
}

/// The events of requests in a step, in order.
fn events(step: &Step) -> impl Iterator<Item = &TrafficEvent> {
    step.events.iter().filter_map(|each| match &each.kind {
        EventKind::Traffic { event } => Some(event.as_ref()),
        _ => None,
    })
}

/// Where an event is shown.
pub fn place(event: &TrafficEvent) -> Place {
    match &event.what {
        RequestEvent::Queued { server } | RequestEvent::Taken { server, .. } | RequestEvent::Answers { server, .. } => {
            Place::Server(*server)
        }
        _ => event.machine.map_or(Place::Everywhere, Place::Machine),
    }
}

/// The arrow of an event, if it has one.
pub fn arrow(event: &TrafficEvent) -> Option<Arrow> {
    match &event.what {
        RequestEvent::Asks { server, .. } => Some(Arrow::To(*server)),
        RequestEvent::Hears { server, .. } => server.map(Arrow::From),
        RequestEvent::Subscribes { .. } => Some(Arrow::To(Service::Redis)),
        RequestEvent::Subscribed { .. } | RequestEvent::Message { .. } => Some(Arrow::From(Service::Redis)),
        _ => None,
    }
}

/// The node of a server.
pub fn node(world: &World, server: Service) -> Option<NodeIndex> {
    let (redis, database) = world.traffic_nodes();
    match server {
        Service::Redis => redis,
        Service::Database => database,
    }
}

/// Which machines have a lane, if there is room for `most` lanes: the machines of these steps, the most important step first. `None` stands
/// for the lane of all others. Lanes stay as they are (`before`) as long as they show the first step's machine and leave no other machine
/// out that has room.
pub fn machines<'a>(steps: impl Iterator<Item = &'a Step>, most: usize, before: &[Option<u32>]) -> Vec<Option<u32>> {
    let mut wanted: Vec<u32> = Vec::new();
    for machine in steps.flat_map(events).filter_map(|event| event.machine) {
        if !wanted.contains(&machine) {
            wanted.push(machine);
        }
    }
    let is_open = |machine: &u32| before.contains(&Some(*machine));
    let fits = before.len() <= most;
    if fits && wanted.iter().all(is_open) {
        return before.to_vec();
    }
    // One more lane, if there is room for it.
    let missing = wanted.iter().filter(|machine| !is_open(machine)).count();
    if fits && before.len().saturating_add(missing) <= most && !before.contains(&None) {
        wanted.extend(before.iter().flatten().filter(|machine| !wanted.contains(machine)).copied().collect::<Vec<_>>());
    }
    if wanted.len() <= most {
        wanted.sort_unstable();
        return wanted.into_iter().map(Some).collect();
    }
    // Two lanes would change with each step, so then all machines share one.
    let room = if most < 3 { 0 } else { most.saturating_sub(1) };
    let is_kept = before.len() == room.saturating_add(1) && before.contains(&None);
    if is_kept && wanted.first().is_none_or(|first| room == 0 || is_open(first)) {
        return before.to_vec();
    }
    wanted.truncate(room);
    wanted.sort_unstable();
    wanted.into_iter().map(Some).chain([None]).collect()
}

#[cfg(test)]
mod tests {
    use std::rc::Rc;

    use world::traffic::TrafficAct;
    use world::traffic::settings::{RatePoint, TrafficSettings};
    use world::{Engines, Input, NodeSettings, Settings, Timeline};

    use super::*;
    use crate::state::lab::lanes::{LINES_MAX, Picture};

    fn timeline(machines: u32, steps: usize) -> Timeline {
        let nodes = vec![NodeSettings::default(), NodeSettings::table("db")];
        let mut timeline = Timeline::with_engines(Settings { nodes, ..Settings::default() }, &Engines::default());
        let rate = vec![RatePoint { at_ms: 0, per_s: 1_000 }];
        let settings = TrafficSettings { rate, machines, ..TrafficSettings::default() };
        timeline.push(Input::Traffic { act: TrafficAct::Begin { settings: Rc::new(settings) } }).unwrap();
        for _ in 0..steps {
            timeline.push(Input::Traffic { act: TrafficAct::Step }).unwrap();
        }
        timeline
    }

    fn steps(timeline: &Timeline) -> Vec<Rc<Step>> {
        timeline.steps_from(0).map(|(_, step)| Rc::clone(step)).collect()
    }

    #[test]
    fn a_row_has_a_line_for_each_event_of_its_step() {
        let timeline = timeline(4, 300);
        let mut picture = Picture::default();
        picture.follow(&timeline, 1);
        let mut lines = 0;
        for row in &picture.rows {
            let step = timeline.step(row.id).unwrap();
            assert_eq!(row.requests, count(step));
            assert!(row.lines(&[]) as usize >= row.requests.min(LINES_MAX));
            lines += row.requests;
        }
        assert!(picture.rows.len() > 250 && lines > picture.rows.len(), "{lines}");
        // A branch: rows of the other steps disappear.
        let mut branch = timeline.clone();
        branch.seek(100);
        branch.push(Input::Advance { ms: 10 }).unwrap();
        picture.follow(&branch, 1);
        assert_eq!(picture.rows.last().map(|row| (row.requests, row.passed_ms)), Some((0, Some(10))));
        let mut fresh = Picture::default();
        fresh.follow(&branch, 1);
        assert_eq!(picture.rows, fresh.rows);
    }

    #[test]
    fn a_request_goes_from_its_machine_to_the_servers_and_back() {
        let timeline = timeline(1, 60);
        let all = steps(&timeline);
        let first: Vec<(Place, Option<Arrow>)> = all
            .iter()
            .flat_map(|step| lines(step))
            .filter(|event| event.request == 1)
            .map(|event| (place(event), arrow(event)))
            .collect();
        let (machine, redis, database) =
            (Place::Machine(0), Place::Server(Service::Redis), Place::Server(Service::Database));
        assert_eq!(
            first,
            [
                (machine, None),
                (machine, Some(Arrow::To(Service::Redis))),
                (redis, None),
                (machine, Some(Arrow::From(Service::Redis))),
                (machine, Some(Arrow::To(Service::Database))),
                (database, None),
                (database, None),
                (machine, Some(Arrow::From(Service::Database))),
                (machine, Some(Arrow::To(Service::Redis))),
                (redis, None),
                (machine, Some(Arrow::From(Service::Redis))),
                (machine, None),
            ]
        );
        let world = timeline.world();
        let nodes: Vec<NodeIndex> = world.nodes().collect();
        let found = [Service::Redis, Service::Database].map(|server| node(world, server));
        assert_eq!(found.to_vec(), nodes.into_iter().map(Some).collect::<Vec<_>>());
    }

    #[test]
    fn with_fifty_machines_only_some_have_lanes_and_they_seldom_change() {
        let timeline = timeline(50, 400);
        let all = steps(&timeline);
        let mut lanes = Vec::new();
        let mut changes = 0;
        for here in 1..all.len() {
            let from = here.saturating_sub(20);
            let now = machines(all[from..=here].iter().rev().map(AsRef::as_ref), 6, &lanes);
            assert!(now.len() <= 6);
            let shown = |machine: u32| now.contains(&Some(machine)) || now.contains(&None);
            assert!(all[from..=here].iter().flat_map(|step| events(step)).filter_map(|event| event.machine).all(shown));
            if let Some(first) = events(&all[here]).find_map(|event| event.machine) {
                assert!(now.contains(&Some(first)), "the machine of the step at the cursor has a lane");
            }
            changes += usize::from(now != lanes);
            lanes = now;
        }
        assert!(changes < all.len(), "{changes}");
    }

    #[test]
    fn few_machines_keep_their_lanes_and_narrow_panels_have_one_lane_for_all() {
        let timeline = timeline(4, 200);
        let all = steps(&timeline);
        let every = || all.iter().map(AsRef::as_ref);
        let lanes = machines(every(), 6, &[]);
        assert_eq!(lanes, [Some(0), Some(1), Some(2), Some(3)]);
        // A lane stays when its machine is no longer in view, and a new one is added.
        assert_eq!(machines(every().take(3), 6, &lanes), lanes);
        assert_eq!(machines(every(), 6, &[Some(0), Some(9)]), [Some(0), Some(1), Some(2), Some(3), Some(9)]);
        assert_eq!(machines(every(), 2, &lanes), [None]);
        assert_eq!(machines(every(), 2, &[None]), [None]);
        assert_eq!(machines(std::iter::empty(), 6, &[]), []);
    }
}
