//! The search for a bug, as the panel shows it: where it starts, which property it checks, its progress and its result.
use world::explore::{Cut, Limits, Progress, Report, SearchRequest};
use world::timeline::{TextLog, inputs_from_text};
use world::{Act, ClientIndex, Faults, Input, Process, Property, StepId, Timeline, When, World};

use crate::i18n::messages::{
    ExploreBrokeDown, ExploreBroken, ExploreCutDepth, ExploreCutMemory, ExploreCutStates, ExploreCutStopped,
    ExploreWhole,
};
use crate::i18n::{Lang, code};
use crate::state::lab::lanes::label;
use crate::state::session::{self, SessionAction};

/// Where a search starts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Outset {
    /// Before the first step of any program.
    #[default]
    Beginning,
    /// At the cursor.
    Here,
}

/// The search options that the reader chose.
#[derive(Clone, Debug, PartialEq)]
pub struct Wish {
    /// Where the search starts.
    pub from: Outset,
    /// The property to break; `None`: any property.
    pub goal: Option<Property>,
    /// From the beginning, only this many clients of each program take part and the others disconnect; 0: all take part.
    pub clients: u32,
    /// The faults that may occur.
    pub faults: Faults,
    /// Length of the longest schedule, in steps.
    pub depth: u32,
    /// How many worlds are visited at most.
    pub states: usize,
}

/// Depths that the reader can choose.
pub const DEPTHS: [u32; 5] = [10, 20, 50, 100, 200];
/// Numbers of worlds that the reader can choose.
pub const STATES: [usize; 4] = [10_000, 100_000, 300_000, 1_000_000];
/// Numbers of clients per program that the reader can choose; 0: all.
pub const CLIENTS: [u32; 5] = [0, 2, 3, 4, 5];
/// Most faults of one kind.
pub const FAULTS_MAX: u32 = 3;

impl Default for Wish {
    fn default() -> Wish {
        Wish { from: Outset::default(), goal: None, clients: 0, faults: Faults::default(), depth: 100, states: 100_000 }
    }
}

/// Where a search starts, in this timeline.
#[derive(Clone, Debug, PartialEq)]
pub struct Beginning {
    /// After this step.
    pub after: StepId,
    /// Inputs to apply first: they disconnect clients that take no part, load changed programs and add properties that were added later.
    pub first: Vec<Input>,
    /// The world after `first`.
    pub world: World,
}

/// Where a search would start; `None` if no client has a program.
pub fn beginning(timeline: &Timeline, wish: &Wish) -> Option<Beginning> {
    let from = wish.from;
    let is_start = |input: &Input| matches!(input, Input::Program { act, .. } if !matches!(act, Act::Load { .. }));
    let position = match from {
        Outset::Here => timeline.position(),
        Outset::Beginning => {
            let first = timeline.taken().position(|(_, step)| is_start(&step.input));
            first.unwrap_or_else(|| timeline.position())
        }
    };
    let after = position.checked_sub(1).and_then(|i| timeline.id_at(i)).unwrap_or(0);
    let mut world = timeline.world_at(after);
    let mut first = Vec::new();
    if from == Outset::Beginning {
        let needless = needless(&world, wish.clients);
        let leave = needless.iter().map(|client| Input::Disconnect { client: *client });
        let changed = timeline.world().clients().filter(|(client, _)| !needless.contains(client));
        let changed = changed.filter_map(|(client, found)| {
            let newest = found.program.as_ref()?;
            let differs = |process: &Process| process.text() != newest.text() || process.args() != newest.args();
            let is_known = world.client(client).is_some() && world.process(client).is_none_or(differs);
            let act = || Act::Load { text: newest.text().clone(), args: newest.args().to_vec() };
            is_known.then(|| Input::Program { client, act: act() })
        });
        let watched: Vec<&Property> = world.watch().verdicts().map(|(property, _)| property).collect();
        let added = timeline.world().watch().verdicts().filter(|(property, _)| !watched.contains(property));
        let added = added.map(|(property, _)| Input::Watch { property: property.clone() });
        let wanted: Vec<Input> = leave.chain(changed).chain(added).collect();
        for input in wanted {
            if world.step(&input).is_ok() {
                first.push(input);
            }
        }
    }
    let has_programs = world.clients().any(|(_, found)| found.program.is_some());
    has_programs.then_some(Beginning { after, first, world })
}

/// The clients beyond the first `most` of each program; none if `most` is 0.
fn needless(world: &World, most: u32) -> Vec<ClientIndex> {
    let mut kinds: Vec<(&[u8], u32)> = Vec::new();
    let mut needless = Vec::new();
    for (client, found) in world.clients() {
        let Some(text) = found.program.as_ref().map(|process| process.text().as_ref()) else { continue };
        let count = match kinds.iter_mut().find(|(known, _)| *known == text) {
            Some((_, count)) => count,
            None => {
                kinds.push((text, 0));
                match kinds.last_mut() {
                    Some((_, count)) => count,
                    None => continue,
                }
            }
        };
        *count = count.saturating_add(1);
        if most > 0 && *count > most {
            needless.push(client);
        }
    }
    needless
}

/// The request that the worker gets for a search.
pub fn request(timeline: &Timeline, beginning: &Beginning, wish: &Wish) -> SearchRequest {
    let mut log = TextLog::default();
    let mut session = TextLog::head(timeline.settings());
    let (mut line, mut has_failed) = (Vec::new(), false);
    let mut at = beginning.after;
    while let Some(step) = timeline.step(at) {
        // Setting a clock or restarting a client may be part of the setup as well as a fault.
        has_failed |= Faults { restarts: 1, clock_jumps: 1, ..Faults::NONE }.after(&step.input).is_none();
        line.push(&step.input);
        at = step.parent;
    }
    for input in line.into_iter().rev().chain(&beginning.first) {
        session.push_str(&log.line(input));
    }
    session.push_str(&log.end());
    let number = |goal: &Property| beginning.world.watch().verdicts().position(|(property, _)| property == goal);
    let limits =
        Limits { faults: wish.faults, depth: wish.depth, states: wish.states, has_failed, ..Limits::default() };
    SearchRequest { goal: wish.goal.as_ref().and_then(number), limits, session }
}

/// The request that asks whether the world at the cursor is a dead lock: a search of zero steps. `None` if no watched property asks for that.
pub fn dead_lock_request(timeline: &Timeline) -> Option<SearchRequest> {
    let goal = timeline.world().watch().by_search().cloned();
    let wish = Wish { from: Outset::Here, goal, depth: 0, ..Wish::default() };
    let beginning = beginning(timeline, &wish)?;
    let request = request(timeline, &beginning, &wish);
    request.goal.is_some().then_some(request)
}

/// The result of a search.
#[derive(Clone, Debug, PartialEq)]
pub enum Finding {
    /// A shortest schedule that breaks a property.
    Broken {
        /// The broken property.
        property: Property,
        /// The schedule.
        schedule: Vec<Input>,
        /// Which order of steps mattered, see [`world::explore::decisive`]; `None` if unknown.
        order: Option<Vec<(usize, usize)>>,
    },
    /// No broken property was found.
    Nothing {
        /// Why part of the space was not searched; `None`: all of it was.
        cut: Option<Cut>,
    },
    /// The explorer crashed, with the technical message.
    BrokeDown(String),
    /// The explorer could not be loaded.
    Unreachable,
}

/// A search, from the click on the button to its end.
#[derive(Clone, Debug, PartialEq)]
pub struct Search {
    /// Where it started.
    pub beginning: Beginning,
    /// The progress so far; `None` while the explorer is loading.
    pub progress: Option<Progress>,
    /// How long it has been searching, in ms.
    pub took_ms: f64,
    /// The result; `None` while the search runs.
    pub finding: Option<Finding>,
}

impl Search {
    /// A search that starts now.
    pub fn new(beginning: Beginning) -> Search {
        Search { beginning, progress: None, took_ms: 0.0, finding: None }
    }

    /// The search after a report that came `took_ms` after its start.
    #[must_use]
    pub fn after(&self, report: Report, took_ms: f64) -> Search {
        let (progress, finding) = match report {
            Report::Progress(progress) => (Some(progress), None),
            Report::Nothing { progress, cut } => (Some(progress), Some(Finding::Nothing { cut })),
            Report::Refused(why) | Report::BrokeDown(why) => (self.progress, Some(Finding::BrokeDown(why))),
            Report::Broken { property, progress, schedule, order } => {
                let world = &self.beginning.world;
                let property = world.watch().verdicts().nth(property).map(|(property, _)| property.clone());
                let are_steps = |schedule: &Vec<Input>| {
                    order.iter().flatten().all(|(first, second)| first < second && *second < schedule.len())
                };
                let finding = match (property, inputs_from_text(world, &schedule).filter(are_steps)) {
                    (Some(property), Some(schedule)) => Finding::Broken { property, schedule, order },
                    _ => Finding::BrokeDown(schedule),
                };
                (Some(progress), Some(finding))
            }
        };
        Search { beginning: self.beginning.clone(), progress, took_ms, finding: finding.or(self.finding.clone()) }
    }

    /// The search, ended by the page with this result.
    #[must_use]
    pub fn ended(&self, finding: Finding) -> Search {
        Search { finding: Some(finding), ..self.clone() }
    }

    /// Worlds per second.
    pub fn rate(&self) -> Option<u64> {
        let states = self.progress?.states;
        // Too early, there is no meaningful rate; a rate for people may be rounded.
        (self.took_ms > 50.0).then_some((states as f64 / self.took_ms * 1_000.0) as u64)
    }

    /// The progress or the result as a sentence, with each property under the title of its lesson. The sentence says that nothing breaks a
    /// property only if the whole space was searched.
    pub fn describe(&self, t: Lang, called: &dyn Fn(&Property) -> String) -> String {
        let progress = self.progress.unwrap_or_default();
        let (states, depth) = (u64::try_from(progress.states).unwrap_or(u64::MAX), u64::from(progress.depth));
        let took_ms = self.took_ms as u64;
        match &self.finding {
            None if self.progress.is_some() => t.explore_searching().to_owned(),
            None => t.explore_fetching().to_owned(),
            Some(Finding::Broken { property, schedule, .. }) => {
                let steps = u64::try_from(schedule.len()).unwrap_or(u64::MAX);
                t.say(ExploreBroken { property: &called(property), steps, states, took: took_ms })
            }
            Some(Finding::Nothing { cut: None }) => t.say(ExploreWhole { states, depth, took: took_ms }),
            Some(Finding::Nothing { cut: Some(Cut::Depth) }) => t.say(ExploreCutDepth { depth, states }),
            Some(Finding::Nothing { cut: Some(Cut::States) }) => t.say(ExploreCutStates { states, depth }),
            Some(Finding::Nothing { cut: Some(Cut::Memory) }) => t.say(ExploreCutMemory { states, depth }),
            Some(Finding::Nothing { cut: Some(Cut::Stopped) }) => t.say(ExploreCutStopped { states, depth }),
            Some(Finding::Unreachable) => t.explore_unreachable().to_owned(),
            Some(Finding::BrokeDown(why)) if why.is_empty() => t.explore_silent(states),
            Some(Finding::BrokeDown(why)) => {
                t.say(ExploreBrokeDown { states, why: &code(why.lines().next().unwrap_or_default()) })
            }
        }
    }

    /// Properties that the whole space was searched for, but that no schedule ever tested.
    pub fn untested(&self) -> Vec<&Property> {
        let untested = self.progress.map_or(0, |progress| progress.untested);
        if self.finding != Some(Finding::Nothing { cut: None }) {
            return Vec::new();
        }
        let is_untested =
            |(number, _): &(u32, &Property)| 1_u32.checked_shl(*number).is_some_and(|bit| untested & bit != 0);
        let properties = self.beginning.world.watch().verdicts().map(|(property, _)| property);
        (0..).zip(properties).filter(is_untested).map(|(_, property)| property).collect()
    }

    /// What to insert into the timeline to show the counterexample: the step to insert after, the inputs, and how many of them precede the
    /// schedule.
    pub fn line(&self) -> Option<(StepId, Vec<Input>, usize)> {
        let Some(Finding::Broken { schedule, .. }) = &self.finding else { return None };
        let first = &self.beginning.first;
        Some((self.beginning.after, first.iter().chain(schedule).cloned().collect(), first.len()))
    }

    /// Which order of steps mattered, if known.
    pub fn order(&self) -> Option<session::DecisivePairs> {
        let Some(Finding::Broken { property, schedule, order }) = &self.finding else { return None };
        Some(session::DecisivePairs { property: property.clone(), steps: schedule.len(), pairs: order.clone()? })
    }

    /// The action that inserts the counterexample into the session.
    pub fn append_branch(&self) -> Option<SessionAction> {
        let (after, inputs, ahead) = self.line()?;
        Some(SessionAction::AppendBranch { after, inputs, ahead, order: self.order() })
    }
}

/// What never happened and would have tested the property; see `tested.rs` in the world.
pub fn why_untested(t: Lang, property: &Property) -> String {
    match property {
        Property::MutualExclusion => t.untested_entered().to_owned(),
        Property::OnlyOwnerReleases { key } => t.untested_released(&code(&label::word(key))),
        Property::AtMost { .. } => t.untested_entered().to_owned(),
        Property::Sum { when: When::End, .. }
        | Property::Claim { when: When::End, premise: None, .. }
        | Property::EveryoneGetsIn { .. } => t.untested_end().to_owned(),
        Property::NoClientGivesUp { .. } => t.untested_ended().to_owned(),
        Property::Claim { when: When::End, .. } => t.untested_if_end().to_owned(),
        Property::Claim { premise: None, .. } => t.untested_claim().to_owned(),
        Property::Claim { .. } => t.untested_if().to_owned(),
        Property::Sum { .. } => t.untested_sum().to_owned(),
        Property::Checks => t.untested_checks().to_owned(),
        Property::NoDeadlock | Property::EveryoneGetsOn | Property::NoErrors => t.untested_sent().to_owned(),
        Property::NothingLost => t.untested_produced().to_owned(),
        Property::ProcessedOnce => t.untested_processed().to_owned(),
        Property::InOrder => t.untested_pair().to_owned(),
        Property::InOrderByKey => t.untested_pair_of_key().to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use bytes::Bytes;
    use world::Settings;
    use world::explore::{SearchOutcome, decisive};

    use super::*;
    use crate::i18n::plain;
    use crate::state::lab::verdict::name;

    const RACE: &str = "local n = tonumber(redis.call('GET', 'n')) redis.call('SET', 'n', n + 1) tally('all')";
    const SAFE: &str = "redis.call('INCR', 'n') tally('all')";

    fn load(client: u32, text: &str) -> Input {
        Input::Program { client, act: Act::load(Bytes::copy_from_slice(text.as_bytes())) }
    }

    fn step(client: u32) -> Input {
        Input::Program { client, act: Act::Step { thread: 0 } }
    }

    fn property() -> Property {
        let words = ["sum", "end", "=", "2", "key", "n"].map(Into::into);
        Property::from_words(&words).unwrap()
    }

    fn stage() -> Timeline {
        let engines = world::Engines::new(lua_machine::LuaMachine::new(), lua_machine::LuaPlayer::new());
        let mut timeline = Timeline::with_engines(Settings::default(), &engines);
        timeline.push(Input::Connect { client: 0, name: "a".into() }).unwrap();
        timeline.push(Input::Connect { client: 1, name: "b".into() }).unwrap();
        timeline.push(Input::Command { client: 0, argv: ["SET", "n", "0"].map(Into::into).to_vec() }).unwrap();
        timeline.push(load(0, RACE)).unwrap();
        timeline.push(load(1, RACE)).unwrap();
        timeline.push(Input::Watch { property: property() }).unwrap();
        timeline
    }

    /// Runs a search as the worker does.
    fn searched(timeline: &Timeline, wish: &Wish) -> Search {
        let beginning = beginning(timeline, wish).unwrap();
        let request = SearchRequest::from_text(&request(timeline, &beginning, wish).to_text()).unwrap();
        let mut explorer = request.begin(timeline.world().engines()).unwrap();
        assert_eq!(explorer.start(), &beginning.world);
        explorer.carry_on(usize::MAX);
        assert!(!matches!(explorer.outcome(), None | Some(SearchOutcome::Nothing { cut: Some(_) })));
        let report = Report::of(&explorer);
        let report = match explorer.outcome() {
            Some(SearchOutcome::Broken { property, schedule, .. }) => {
                report.with_order(decisive(explorer.start(), schedule, *property))
            }
            _ => report,
        };
        Search::new(beginning).after(Report::from_text(&report.to_text()).unwrap(), 100.0)
    }

    #[test]
    fn counterexample_knows_its_decisive_order() {
        let timeline = stage();
        let search = searched(&timeline, &Wish::default());
        // Both clients read before either writes: if one wrote before the other read, no update would be lost.
        let Some(Finding::Broken { order: Some(pairs), schedule, .. }) = &search.finding else { panic!("{search:?}") };
        assert_eq!(pairs.as_slice(), [(1, 2)]);
        assert_eq!(schedule.iter().map(Input::client).collect::<Vec<_>>()[1..3], [Some(1), Some(0)]);
        let found = session::DecisivePairs { property: property(), steps: 4, pairs: vec![(1, 2)] };
        let Some(SessionAction::AppendBranch { order, ahead: 0, .. }) = search.append_branch() else {
            panic!("{search:?}")
        };
        assert_eq!(order, Some(found));
        // Without a search there is no order, and a report with pairs of no steps is invalid.
        let progress = Progress::default();
        let schedule = world::timeline::inputs_to_text(&search.beginning.world, schedule);
        let report = |order| Report::Broken { property: 0, progress, schedule: schedule.clone(), order };
        let after = |order| Search::new(search.beginning.clone()).after(report(order), 1.0);
        assert_eq!(after(None).order(), None);
        assert!(matches!(after(None).finding, Some(Finding::Broken { .. })));
        for wrong in [(2, 1), (1, 1), (1, 4), (0, usize::MAX)] {
            assert!(matches!(after(Some(vec![wrong])).finding, Some(Finding::BrokeDown(_))), "{wrong:?}");
        }
    }

    #[test]
    fn counterexample_can_be_inserted_into_the_timeline() {
        let mut timeline = stage();
        for client in [0, 0, 1] {
            timeline.push(step(client)).unwrap();
        }
        let search = searched(&timeline, &Wish::default());
        let Some(Finding::Broken { property: broken, schedule, .. }) = &search.finding else { panic!("{search:?}") };
        assert_eq!((broken, schedule.len()), (&property(), 4));
        let (after, inputs, ahead) = search.line().unwrap();
        assert_eq!((after, ahead), (6, 0));
        timeline.append_branch(after, &inputs, ahead).unwrap();
        assert_eq!((timeline.position(), timeline.len()), (6, 10));
        timeline.seek(10);
        assert_eq!(timeline.world().watch().first_broken(), Some(0));
        assert!(search.rate().is_some());
    }

    #[test]
    fn message_of_the_worker_before_its_search_is_a_report() {
        let script = include_str!("../../static/explorer.js");
        let said: Vec<&str> = script
            .split("postMessage(\"progress")
            .skip(1)
            .filter_map(|rest| rest.split_once('"'))
            .map(|(rest, _)| rest)
            .collect();
        assert_eq!(said.len(), 1);
        for rest in said {
            let report = Report::from_text(&format!("progress{rest}"));
            assert_eq!(report, Some(Report::Progress(Progress::default())));
        }
    }

    #[test]
    fn search_from_here_may_find_nothing() {
        let mut timeline = stage();
        for client in [0, 0] {
            timeline.push(step(client)).unwrap();
        }
        let search = searched(&timeline, &Wish { from: Outset::Here, ..Wish::default() });
        assert_eq!(search.finding, Some(Finding::Nothing { cut: None }));
        assert_eq!(search.line(), None);
    }

    #[test]
    fn search_starts_with_changed_programs() {
        let mut timeline = stage();
        timeline.push(step(0)).unwrap();
        timeline.push(load(0, SAFE)).unwrap();
        timeline.push(load(1, SAFE)).unwrap();
        timeline.push(Input::Watch { property: Property::NoErrors }).unwrap();
        let found = beginning(&timeline, &Wish::default()).unwrap();
        let expected = [load(0, SAFE), load(1, SAFE), Input::Watch { property: Property::NoErrors }];
        assert_eq!((found.after, found.first.as_slice()), (6, expected.as_slice()));
        let search = searched(&timeline, &Wish { goal: Some(Property::NoErrors), ..Wish::default() });
        assert_eq!(search.finding, Some(Finding::Nothing { cut: None }));
    }

    #[test]
    fn clients_that_take_no_part_disconnect_first() {
        let mut timeline = stage();
        timeline.push(Input::Connect { client: 2, name: "c".into() }).unwrap();
        timeline.push(load(2, RACE)).unwrap();
        let search = searched(&timeline, &Wish { clients: 2, ..Wish::default() });
        assert_eq!(search.beginning.first, [Input::Disconnect { client: 2 }]);
        let (_, inputs, ahead) = search.line().unwrap();
        assert_eq!((inputs.len(), ahead), (5, 1));
    }

    /// A search that is cut off by its limits or from outside, described in both languages.
    fn cut_off(timeline: &Timeline, wish: &Wish, worlds: usize, cut: Option<Cut>) -> [String; 2] {
        let beginning = beginning(timeline, wish).unwrap();
        let mut explorer = SearchRequest::from_text(&request(timeline, &beginning, wish).to_text())
            .unwrap()
            .begin(timeline.world().engines())
            .unwrap();
        explorer.carry_on(worlds);
        if let Some(cut) = cut {
            explorer.give_up(cut);
        }
        let report = Report::from_text(&Report::of(&explorer).to_text()).unwrap();
        let search = Search::new(beginning).after(report, 100.0);
        [Lang::En, Lang::ZhCn].map(|t| plain(&search.describe(t, &|property| name(t, property))))
    }

    #[test]
    fn every_result_has_its_own_sentence_and_only_one_says_that_nothing_breaks() {
        let mut timeline = stage();
        timeline.push(load(0, SAFE)).unwrap();
        timeline.push(load(1, SAFE)).unwrap();
        let all = Wish { goal: Some(property()), ..Wish::default() };
        let ends = [
            // Start, one, both: clients that run the same program are interchangeable.
            cut_off(&timeline, &all, usize::MAX, None),
            cut_off(&timeline, &Wish { depth: 1, ..all.clone() }, usize::MAX, None),
            cut_off(&timeline, &Wish { states: 2, ..all.clone() }, usize::MAX, None),
            cut_off(&timeline, &all, 1, Some(Cut::Memory)),
            cut_off(&timeline, &all, 1, Some(Cut::Stopped)),
            // A search that has ended cannot be cut off.
            cut_off(&timeline, &all, usize::MAX, Some(Cut::Stopped)),
            cut_off(&timeline, &all, 1, None),
        ];
        let begins = [
            [
                "Nothing: with these clients and faults no schedule breaks it. All 3 states",
                "没有找到：在这些客户端和故障之内，",
            ],
            ["Nothing within 1 step, in 2 states. Longer", "1 步以内没有找到，查了 2 个状态；"],
            ["Nothing in 2 states, up to 1 steps deep. There are more", "查了 2 个状态，最深 1 步，没有找到；还有"],
            ["Nothing in 2 states, up to 0 steps deep. Then memory", "查了 2 个状态，最深 0 步，没有找到；内存"],
            ["Stopped. Nothing so far in 2 states", "已停止。到目前为止查了 2 个状态"],
            [
                "Nothing: with these clients and faults no schedule breaks it. All 3 states",
                "没有找到：在这些客户端和故障之内，",
            ],
            ["Searching through", "正在搜索"],
        ];
        for (end, begin) in ends.iter().zip(begins) {
            for (text, begin) in end.iter().zip(begin) {
                assert!(text.starts_with(begin), "{text}");
            }
        }
    }

    #[test]
    fn untested_properties_are_named() {
        let mut timeline = stage();
        timeline.push(load(0, SAFE)).unwrap();
        timeline.push(load(1, SAFE)).unwrap();
        for property in [Property::MutualExclusion, Property::Checks] {
            timeline.push(Input::Watch { property }).unwrap();
        }
        let all = searched(&timeline, &Wish::default());
        assert_eq!(all.untested(), [&Property::MutualExclusion, &Property::Checks]);
        let one = searched(&timeline, &Wish { goal: Some(Property::Checks), ..Wish::default() });
        assert_eq!(one.untested(), [&Property::Checks]);
        let tested = searched(&timeline, &Wish { goal: Some(property()), ..Wish::default() });
        assert_eq!(tested.untested(), Vec::<&Property>::new());
        // If part of the space was left out, nothing is reported as untested.
        assert_eq!(all.ended(Finding::Nothing { cut: Some(Cut::Depth) }).untested(), Vec::<&Property>::new());
    }

    #[test]
    fn without_programs_there_is_nothing_to_search() {
        assert_eq!(beginning(&Timeline::new(Settings::default()), &Wish::default()), None);
    }

    #[test]
    fn unreadable_report_counts_as_a_crash() {
        let timeline = stage();
        let search = Search::new(beginning(&timeline, &Wish { from: Outset::Here, ..Wish::default() }).unwrap());
        let report =
            Report::Broken { property: 9, progress: Progress::default(), schedule: String::new(), order: None };
        assert!(matches!(search.after(report, 1.0).finding, Some(Finding::BrokeDown(_))));
        let report = Report::BrokeDown("unreachable".into());
        assert_eq!(search.after(report, 1.0).finding, Some(Finding::BrokeDown("unreachable".into())));
    }
}
