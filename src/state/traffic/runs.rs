//! The traffic runs of a session: each start of traffic is a run, and the figures are those of its longest branch.
use std::collections::BTreeMap;
use std::rc::Rc;

use world::traffic::TrafficAct;
use world::traffic::series::Series;
use world::traffic::settings::TrafficSettings;
use world::{Input, Step, StepId, Timeline, World};

/// A run: traffic from its start.
#[derive(Clone, Debug)]
pub struct Run {
    /// The step that started it.
    pub begun: StepId,
    /// Its settings.
    pub settings: Rc<TrafficSettings>,
    /// The last step.
    pub end: StepId,
    /// Its duration, in ms.
    ms: u64,
    /// Whether it ends with a single event: then the reader is stepping through events.
    ends_with_step: bool,
}

impl Run {
    /// Its duration, in ms.
    pub const fn ms(&self) -> u64 {
        self.ms
    }
}

fn settings_of(step: &Step) -> Option<&Rc<TrafficSettings>> {
    match &step.input {
        Input::Traffic { act: TrafficAct::Begin { settings } } => Some(settings),
        _ => None,
    }
}

/// All runs, ordered by their end. A branch that leaves another run midway counts as a run of its own once it is half as long, unless it
/// ends with single events.
pub fn runs(timeline: &Timeline) -> Vec<Run> {
    let mut ends: BTreeMap<StepId, Run> = BTreeMap::new();
    for branch in timeline.branches() {
        let mut at = branch.head;
        // The end of the run that this branch ends with, or of an earlier one that was followed by another.
        let mut end = at;
        while let Some(step) = timeline.step(at) {
            if let Some(settings) = settings_of(step) {
                if let Some(last) = timeline.step(end) {
                    let run = Run {
                        begun: at,
                        settings: Rc::clone(settings),
                        end,
                        ms: last.now_ms.saturating_sub(step.now_ms),
                        ends_with_step: matches!(last.input, Input::Traffic { act: TrafficAct::Step }),
                    };
                    ends.insert(end, run);
                }
                end = step.parent;
            }
            at = step.parent;
        }
    }
    let mut longest: BTreeMap<StepId, (u64, StepId)> = BTreeMap::new();
    for run in ends.values() {
        let known = longest.entry(run.begun).or_insert((run.ms, run.end));
        if run.ms > known.0 {
            *known = (run.ms, run.end);
        }
    }
    let is_meant = |run: &Run| {
        longest.get(&run.begun).is_some_and(|(ms, end)| {
            *end == run.end || (!run.ends_with_step && run.ms.saturating_mul(2) >= *ms && run.ms > 0)
        })
    };
    ends.into_values().filter(is_meant).collect()
}

/// The run to show: the one on the active path, or the longest one with the same first step.
pub fn shown(timeline: &Timeline, runs: &[Run], begun: StepId) -> Option<Run> {
    let of = || runs.iter().filter(|run| run.begun == begun);
    let is_on_path = |run: &&Run| timeline.steps_from(0).any(|(id, _)| id == run.end);
    of().filter(is_on_path).max_by_key(|run| run.ms).or_else(|| of().max_by_key(|run| run.ms)).cloned()
}

/// The start of the traffic at the cursor: its position on the active path, from 1, and its step.
pub fn begun(timeline: &Timeline) -> Option<(usize, StepId)> {
    timeline.world().traffic()?;
    let taken = timeline.taken().enumerate().collect::<Vec<_>>();
    let mut back = taken.into_iter().rev();
    back.find(|(_, (_, step))| settings_of(step).is_some()).map(|(place, (id, _))| (place.saturating_add(1), id))
}

/// Where on the active path a moment of the traffic that began at this position is: how many steps come before it, and how much time must
/// then pass, in ms. `at_ms` counts from the start of traffic.
pub fn moment(timeline: &Timeline, begun: usize, at_ms: u64) -> Option<(usize, u64)> {
    let start_ms = timeline.step_at(begun.checked_sub(1)?)?.now_ms;
    let sought_ms = start_ms.saturating_add(at_ms);
    let mut before = (begun, start_ms);
    for place in begun..timeline.len() {
        let step = timeline.step_at(place)?;
        if step.now_ms > sought_ms {
            break;
        }
        before = (place.saturating_add(1), step.now_ms);
    }
    Some((before.0, sought_ms.saturating_sub(before.1)))
}

/// A cache of the figures of runs, so that no world is computed twice.
#[derive(Debug, Default)]
pub struct Known {
    by_end: BTreeMap<StepId, (Rc<Step>, Rc<Series>)>,
}

impl Known {
    /// The figures of a run that is not at the cursor.
    pub fn series(&mut self, timeline: &Timeline, run: &Run) -> Option<Rc<Series>> {
        // The newest step may still grow, and steps of another timeline have the same numbers.
        let step = timeline.step(run.end)?;
        if let Some((of, known)) = self.by_end.get(&run.end)
            && Rc::ptr_eq(of, step)
        {
            return Some(Rc::clone(known));
        }
        let world: World = timeline.world_at(run.end);
        let series = Rc::new(world.traffic()?.series().clone());
        self.by_end.insert(run.end, (Rc::clone(step), Rc::clone(&series)));
        Some(series)
    }
}

#[cfg(test)]
mod tests {
    use world::traffic::settings::RatePoint;
    use world::{Engines, NodeSettings, Settings};

    use super::*;

    fn begin(per_s: u32) -> Input {
        let rate = vec![RatePoint { at_ms: 0, per_s }];
        let settings = Rc::new(TrafficSettings { rate, items: 10, ..TrafficSettings::default() });
        Input::Traffic { act: TrafficAct::Begin { settings } }
    }

    fn timeline() -> Timeline {
        let nodes = vec![NodeSettings::default(), NodeSettings::table("db")];
        Timeline::with_engines(Settings { nodes, ..Settings::default() }, &Engines::default())
    }

    #[test]
    fn each_start_is_a_run_with_its_longest_branch() {
        let mut timeline = timeline();
        assert!(runs(&timeline).is_empty() && begun(&timeline).is_none());
        timeline.push(begin(10)).unwrap();
        timeline.push(Input::Advance { ms: 5_000 }).unwrap();
        timeline.seek(1);
        timeline.push(Input::Advance { ms: 2_000 }).unwrap();
        timeline.seek(0);
        timeline.push(begin(20)).unwrap();
        timeline.push(Input::Advance { ms: 1_000 }).unwrap();
        let found = runs(&timeline);
        let ends: Vec<(StepId, StepId, u32)> =
            found.iter().map(|run| (run.begun, run.end, run.settings.rate[0].per_s)).collect();
        assert_eq!(ends, [(1, 2, 10), (4, 5, 20)]);
        assert_eq!(begun(&timeline), Some((1, 4)));
        let mut known = Known::default();
        let series = known.series(&timeline, &found[0]).unwrap();
        assert_eq!(series.over().len(), 5);
        assert!(Rc::ptr_eq(&series, &known.series(&timeline, &found[0]).unwrap()));
        // The newest step grows.
        timeline.push(Input::Advance { ms: 3_000 }).unwrap();
        let found = runs(&timeline);
        assert_eq!(known.series(&timeline, &found[1]).unwrap().over().len(), 4);
        // A branch of the first run that is as long counts as a run; one that ends with single events does not.
        timeline.switch_to(2);
        timeline.seek(1);
        timeline.push(Input::Advance { ms: 1_000 }).unwrap();
        timeline.push(Input::Traffic { act: TrafficAct::Step }).unwrap();
        assert_eq!(runs(&timeline).len(), 2);
        assert_eq!(shown(&timeline, &runs(&timeline), 1).unwrap().end, 2);
        timeline.push(Input::Advance { ms: 3_500 }).unwrap();
        let end = timeline.cursor();
        assert_eq!(runs(&timeline).iter().map(|run| run.end).collect::<Vec<_>>(), [2, 5, end]);
        assert_eq!(shown(&timeline, &runs(&timeline), 1).unwrap().end, end);
        // Two runs on one branch.
        timeline.switch_to(5);
        timeline.push(begin(30)).unwrap();
        let last = timeline.cursor();
        let found: Vec<(StepId, StepId)> = runs(&timeline).iter().map(|run| (run.begun, run.end)).collect();
        assert_eq!(found, [(1, 2), (4, 5), (1, end), (last, last)]);
    }

    #[test]
    fn figures_of_another_session_are_never_shown() {
        let mut known = Known::default();
        let mut figures = |per_s: u32| {
            let mut timeline = timeline();
            timeline.push(begin(per_s)).unwrap();
            timeline.push(Input::Advance { ms: 5_000 }).unwrap();
            let found = runs(&timeline);
            assert_eq!(found[0].end, 2);
            known.series(&timeline, &found[0]).unwrap().total().arrived
        };
        let (few, many) = (figures(1), figures(100));
        assert!(few < 50 && many > 300, "{few} {many}");
    }

    #[test]
    fn moment_is_found_between_the_steps() {
        let mut timeline = timeline();
        timeline.push(Input::Advance { ms: 777 }).unwrap();
        timeline.push(begin(10)).unwrap();
        timeline.push(Input::Advance { ms: 5_000 }).unwrap();
        timeline.push(Input::Connect { client: 0, name: "a".to_owned() }).unwrap();
        timeline.push(Input::Advance { ms: 5_000 }).unwrap();
        let (position, _) = begun(&timeline).unwrap();
        assert_eq!(position, 2);
        assert_eq!(moment(&timeline, position, 0), Some((2, 0)));
        assert_eq!(moment(&timeline, position, 4_999), Some((2, 4_999)));
        assert_eq!(moment(&timeline, position, 5_000), Some((4, 0)));
        assert_eq!(moment(&timeline, position, 7_000), Some((4, 2_000)));
        assert_eq!(moment(&timeline, position, 20_000), Some((5, 10_000)));
    }
}
