//! A lesson as a session: its stage, and its story as a sequence of steps for the cursor.
use std::cell::Cell;
use std::collections::BTreeSet;
use std::rc::Rc;

use bytes::Bytes;
use lesson::repair::{self, Variation};
use lesson::{Budget, Lesson, Stage, TaskKind};
use redis_model::sorting;
use resp::split;
use world::timeline::{TextError, TextLog, inputs_from_text};
use world::{Engines, Faults, Input, NodeSettings, Property, Settings, Timeline, World};

use super::address::LessonName;
use super::lab::lua;
use super::session::{Session, is_alike};

/// The faults that a budget allows.
pub fn faults(budget: &Budget) -> Faults {
    Faults::counted(budget.faults.counts())
}

/// The story of a lesson: its inputs, and where a session is in it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Story {
    /// Inputs of all steps, one after the other.
    inputs: Vec<Input>,
    /// For each step, the number of inputs up to its end.
    ends: Vec<usize>,
}

/// How far a session has followed a story.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StoryProgress {
    /// After this many steps of the story.
    After(usize),
    /// Within a step, after this many complete ones.
    Within(usize),
    /// The learner left the story after this many steps.
    Aside(usize),
}

impl StoryProgress {
    /// How many steps have happened.
    pub fn steps(self) -> usize {
        match self {
            StoryProgress::After(steps) | StoryProgress::Within(steps) | StoryProgress::Aside(steps) => steps,
        }
    }
}

/// The commands that a lesson uses before the reader types any, in its setup, its story, its programs and its traffic: the name, and the word after
/// it, which may be a subcommand.
pub fn commands(lesson: &Lesson) -> BTreeSet<Vec<Bytes>> {
    let typed = lesson
        .story
        .iter()
        .flat_map(|step| &step.inputs)
        .map(|line| line.split_once("> ").map_or("", |(_, words)| words));
    let setup = lesson.setup.iter().chain(lesson.stages.iter().flat_map(|stage| &stage.setup));
    let typed = typed.chain(setup.map(String::as_str)).map(|words| words.split(' ').take(2).collect::<Vec<_>>());
    // The handler is a quoted text.
    let traffic = lesson.traffic.replace("\\\"", "\"");
    let texts = lesson.programs.iter().map(|program| &program.text).chain([&traffic]);
    let called = texts.flat_map(|text| text.split("call(").skip(1));
    let quoted = called.filter_map(|rest| {
        let mut parts = rest.strip_prefix(['\'', '"'])?.split(['\'', '"']);
        let name = parts.next()?;
        let word = parts.next().filter(|between| between.trim() == ",").and_then(|_| parts.next());
        Some([name].into_iter().chain(word).collect())
    });
    let bytes = |words: Vec<&str>| words.into_iter().map(|word| Bytes::copy_from_slice(word.as_bytes())).collect();
    sorting::inserted(typed.chain(quoted).map(bytes))
}

/// Whether the lesson itself runs a program or a script, in its setups, its story or a prediction: then the machine has to be there before.
pub fn needs_machine(lesson: &Lesson) -> bool {
    let stages = lesson.stages.iter().flat_map(|stage| lesson.on_stage(&stage.id).opening());
    let predicted = lesson.tasks.iter().filter_map(|task| match &task.kind {
        TaskKind::Predict { after, then, .. } => Some(after.iter().chain(then).cloned()),
        _ => None,
    });
    let story = lesson.story.iter().flat_map(|step| step.inputs.iter().cloned());
    let lines = lesson.opening().into_iter().chain(stages).chain(story).chain(predicted.flatten());
    let mut lines = lines.map(|line| Timeline::text_needs_machine(&line));
    lesson.has_programs() || !lesson.traffic.is_empty() || lines.any(|needs_machine| needs_machine)
}

/// The start of a lesson, as the text of a session. Where programs cannot run, clients have none.
pub fn stage_text(lesson: &Lesson, can_play: bool) -> String {
    text_of(lesson, &opening(lesson, can_play))
}

/// Starts a lesson: returns its session and its story. Where the stage cannot run programs, nothing happens in the story; the terminals
/// still work.
///
/// # Errors
/// If a line of the story is not a valid input.
pub fn staged(lesson: &Lesson, stage: Timeline) -> Result<(Session, Story), TextError> {
    let can_play = stage.world().engines().programs.is_installed();
    let session = Session::staged(stage);
    let mut lines = String::new();
    let (mut count, mut ends) = (0_usize, Vec::new());
    for step in &lesson.story {
        if can_play || !lesson.has_programs() {
            for line in &step.inputs {
                lines.push_str(line);
                lines.push('\n');
            }
            count = count.saturating_add(step.inputs.len());
        }
        ends.push(count);
    }
    let inputs = inputs_from_text(session.world(), &lines).ok_or(TextError::BadLine { line: session.floor() })?;
    Ok((session, Story { inputs, ends }))
}

/// Starts a lesson, for tests.
#[cfg(test)]
pub(crate) fn open(lesson: &Lesson) -> Result<(Session, Story), TextError> {
    let engines = Engines::new(lua_machine::LuaMachine::new(), lua_machine::LuaPlayer::new());
    staged(lesson, Timeline::from_text(&stage_text(lesson, true), &engines)?)
}

/// The lesson after these lines, played from its start.
///
/// # Errors
/// If the world does not understand a line.
pub fn after(lesson: &Lesson, lines: &[String], engines: &Engines) -> Result<Timeline, TextError> {
    Timeline::from_text(&text_after(lesson, lines, engines.programs.is_installed()), engines)
}

/// Like [`after`], as the text of a session.
pub fn text_after(lesson: &Lesson, lines: &[String], can_play: bool) -> String {
    let mut all = opening(lesson, can_play);
    all.extend(lines.iter().cloned());
    text_of(lesson, &all)
}

/// Whether this session starts as the lesson does, in any language of its programs.
pub fn begins_as(lesson: &Lesson, session: &Session) -> bool {
    let timeline = session.timeline();
    let mut lines = String::new();
    for line in lesson.opening() {
        lines.push_str(&line);
        lines.push('\n');
    }
    let root = timeline.world_at(0);
    let Some(inputs) = inputs_from_text(&root, &lines).filter(|_| timeline.settings().nodes == nodes_of(&lesson.nodes))
    else {
        return false;
    };
    let steps = timeline.steps_from(0).map(|(_, step)| &step.input);
    session.floor() == inputs.len() && inputs.iter().zip(steps).all(|(one, other)| is_alike(one, other))
}

/// The lesson's alternative stage that this session runs on, if it does.
pub fn stage_of<'a>(lesson: &'a Lesson, session: &Session) -> Option<&'a Stage> {
    let mut stages = lesson.stages.iter().filter(|_| !session.is_staged());
    stages.find(|stage| begins_as(&lesson.on_stage(&stage.id), session))
}

/// Whether this property is broken at the cursor. A dead lock is not an event: it counts once a search has found it.
pub fn is_broken(lesson: &Lesson, session: &Session, property: &str) -> bool {
    let Some(sought) = lesson.properties.iter().find(|other| other.id == property).and_then(property_of) else {
        return false;
    };
    session.world().watch().verdicts().find(|(other, _)| **other == sought).is_some_and(|(property, breach)| {
        breach.is_some() || (session.searches_for(property) && session.is_dead_lock())
    })
}

/// The world's property for a property of a lesson.
pub fn property_of(property: &lesson::Property) -> Option<Property> {
    split::split(property.text.as_bytes()).ok().and_then(|words| Property::from_words(&words))
}

/// The lesson's title for a property that this world watches. Variations of repairs may give the same property different titles: the frame
/// of the world's programs then decides.
pub fn title_of<'a>(lesson: &'a Lesson, world: &World, property: &Property) -> Option<&'a str> {
    let title = |properties: &'a [lesson::Property]| {
        let found = properties.iter().find(|other| property_of(other).as_ref() == Some(property));
        found.map(|found| found.title.as_str())
    };
    let repairs = lesson.tasks.iter().filter_map(|task| lesson.repair(&task.id));
    let mut varied = repairs.flat_map(|repair| &repair.variations);
    let is_this = |variation: &&Variation| {
        let text = world.clients().find_map(|(_, client)| Some(client.program.as_ref()?.text().clone()));
        let text = String::from_utf8_lossy(&text.unwrap_or_default()).into_owned();
        repair::split(&text).is_some_and(|(_, frame)| lua::is_same_code(frame, &variation.frame))
    };
    title(&lesson.properties).or_else(|| {
        let titles: Vec<(&Variation, &str)> =
            varied.by_ref().filter_map(|variation| Some((variation, title(&variation.properties)?))).collect();
        let first = titles.first()?.1;
        if titles.iter().all(|(_, title)| *title == first) {
            return Some(first);
        }
        titles.iter().find(|(variation, _)| is_this(variation)).map(|(_, title)| *title).or(Some(first))
    })
}

/// Whether the clients of this world run the lesson's own programs. Their comments may be in another language.
pub fn runs_own_programs(lesson: &Lesson, world: &World) -> bool {
    let names: Vec<(String, &str)> = lesson.clients().collect();
    world.clients().all(|(_, client)| {
        let own =
            names.iter().find(|(name, _)| **name == *client.name).and_then(|(_, program)| lesson.program(program));
        match (client.program.as_ref(), own) {
            (Some(process), Some(own)) => {
                let text = String::from_utf8_lossy(process.text());
                text == own.text || lua::is_same_code(&text, &own.text)
            }
            (None, _) => true,
            (Some(_), None) => false,
        }
    })
}

/// The lines that start a lesson; without programs and scripts where they cannot run.
fn opening(lesson: &Lesson, can_play: bool) -> Vec<String> {
    let mut lines = lesson.opening();
    if !can_play {
        lines.retain(|line| !Timeline::text_needs_machine(line) && !line.starts_with("@traffic "));
    }
    lines
}

fn nodes_of(nodes: &[String]) -> Vec<NodeSettings> {
    nodes.iter().filter_map(|words| NodeSettings::from_words(words)).collect()
}

/// A session of these lines on the lesson's nodes, with the cursor at its end.
fn text_of(lesson: &Lesson, lines: &[String]) -> String {
    let usual = Settings::default();
    let start_ms = lesson.start_ms().unwrap_or(usual.start_ms);
    let mut text = TextLog::head(&Settings { start_ms, nodes: nodes_of(&lesson.nodes), ..usual });
    for line in lines {
        text.push_str(line);
        text.push('\n');
    }
    let count = lines.len();
    text.push_str(&format!("end {count} at {count} of {count}\n"));
    text
}

impl Story {
    /// How many steps it has.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether it has no steps.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The number of inputs in the first `steps` steps.
    fn end(&self, steps: usize) -> usize {
        steps.checked_sub(1).and_then(|last| self.ends.get(last)).copied().unwrap_or(0)
    }

    /// Where the session's cursor is in this story; the story runs on its own stage only.
    pub fn progress(&self, session: &Session) -> StoryProgress {
        if !session.is_staged() {
            return StoryProgress::Aside(0);
        }
        let floor = session.floor();
        let taken = session.timeline().position().saturating_sub(floor);
        let same = self.common(session, taken);
        let steps = self.ends.partition_point(|end| *end <= same);
        match (same == taken, self.end(steps) == taken) {
            (true, true) => StoryProgress::After(steps),
            (true, false) => StoryProgress::Within(steps),
            (false, _) => StoryProgress::Aside(steps),
        }
    }

    /// How many of the first inputs after the stage match the story.
    fn common(&self, session: &Session, most: usize) -> usize {
        let steps = session.timeline().steps_from(session.floor()).take(most);
        self.inputs.iter().zip(steps).take_while(|(input, (_, step))| **input == step.input).count()
    }

    /// Position of the cursor after this many steps of the story, if the session's path has them.
    pub fn position(&self, session: &Session, steps: usize) -> usize {
        session.floor().saturating_add(self.end(steps))
    }

    /// The inputs that remain until the step after [`StoryProgress::steps`] is complete, from the session's position (or, aside, from where it left
    /// the story).
    pub fn rest(&self, session: &Session) -> &[Input] {
        let progress = self.progress(session);
        let from = match progress {
            StoryProgress::Aside(steps) => self.end(steps),
            _ => session.timeline().position().saturating_sub(session.floor()),
        };
        self.inputs.get(from..self.end(progress.steps().saturating_add(1))).unwrap_or_default()
    }
}

/// A lesson in one language, together with the parts that do not depend on the language.
#[derive(Clone, Debug)]
pub struct Opened {
    /// Its name.
    pub name: LessonName,
    /// Its text.
    pub lesson: Rc<Lesson>,
    /// Its story; empty until the stage is set up.
    pub story: Rc<Story>,
    /// How far its text is scrolled, in px. The text is shown before the stage is set up, and stays where it was read.
    pub scrolled_px: Rc<Cell<i32>>,
}

impl PartialEq for Opened {
    fn eq(&self, other: &Opened) -> bool {
        Rc::ptr_eq(&self.lesson, &other.lesson) && Rc::ptr_eq(&self.story, &other.story)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use std::rc::Rc;

    use lesson::{ClientGroup, Lesson, Program, Step, Task, TaskKind};
    use world::explore::{SearchOutcome, SearchRequest};
    use world::{Input, Timeline};
    use yew::Reducible;

    use super::{Story, StoryProgress, is_broken, needs_machine, open, stage_text, title_of};
    use crate::state::explorer::dead_lock_request;
    use crate::state::session::{Session, SessionAction};

    fn lesson() -> Lesson {
        let step = |inputs: &[&str]| Step {
            inputs: inputs.iter().map(|line| (*line).to_owned()).collect(),
            ..Step::default()
        };
        Lesson {
            setup: vec!["SET stock 5".into()],
            story: vec![step(&["c1> GET stock", "c2> GET stock"]), step(&[]), step(&["c1> SET stock 4", "@+5ms"])],
            ..Lesson::default()
        }
    }

    #[test]
    fn a_lesson_that_runs_a_script_by_itself_needs_the_machine() {
        let script = || "EVAL 'return 1' 0".to_owned();
        assert!(!needs_machine(&lesson()));
        assert!(needs_machine(&Lesson { setup: vec![script()], ..lesson() }));
        let step = Step { inputs: vec![format!("c1> {}", script())], ..Step::default() };
        assert!(needs_machine(&Lesson { story: vec![step], ..lesson() }));
        for (after, then) in [(vec![format!("c1> {}", script())], vec![]), (vec![], vec![format!("c2> {}", script())])]
        {
            let kind = TaskKind::Predict { after, then, choices: Vec::new() };
            assert!(needs_machine(&Lesson { tasks: vec![Task { kind, ..Task::default() }], ..lesson() }));
        }
        // Without the machine the rest of the setup is there.
        let without = stage_text(&Lesson { setup: vec![script(), "SET a 1".into()], ..lesson() }, false);
        assert!(without.contains("SET a 1") && !without.contains("EVAL"), "{without}");
    }

    fn play_on(mut session: Rc<Session>, story: &Story) -> Rc<Session> {
        for input in story.rest(&session.clone()) {
            session = session.reduce(SessionAction::Push { input: input.clone(), ahead_ms: 0 });
        }
        session
    }

    #[test]
    fn commands_come_from_setup_story_programs_and_traffic() {
        let lesson = Lesson {
            setup: vec!["XADD s 1-1 a b".into(), "CONFIG SET maxmemory 1mb".into()],
            story: vec![Step { inputs: vec!["c1< step 0".into(), "c1> zadd z 1 a".into()], ..Step::default() }],
            programs: vec![Program {
                name: "one".into(),
                text: "table.sort({}) redis.pcall(\"GET\", 'k') redis.call('XACK', 's')".into(),
            }],
            traffic: "rate 200 lua \"redis.call('SETEX', KEYS[1], 5, 'a') redis.call(\\\"ZCARD\\\", 'z')\"".into(),
            ..Lesson::default()
        };
        let words = |words: Vec<bytes::Bytes>| String::from_utf8_lossy(&words.join(&b' ')).into_owned();
        let calls: Vec<String> = super::commands(&lesson).into_iter().map(words).collect();
        assert_eq!(calls, ["", "CONFIG SET", "GET k", "SETEX", "XACK s", "XADD s", "ZCARD z", "zadd z"]);
    }

    #[test]
    fn lesson_starts_after_its_stage() {
        let (session, story) = open(&lesson()).unwrap();
        assert_eq!((session.floor(), session.timeline().position(), story.len()), (5, 5, 3));
        assert!(session.is_untouched() && session.is_at_floor());
        assert_eq!(session.world().clients().count(), 2);
    }

    #[test]
    fn lesson_starts_with_its_nodes() {
        let lesson = Lesson {
            nodes: vec!["r1 always".into(), "r2 none".into()],
            setup: vec!["SET k v".into()],
            story: vec![Step { inputs: vec!["@crash 1".into(), "c1@ 1 cut".into()], ..Step::default() }],
            clients: vec![ClientGroup { name: "c".into(), count: 2, ..ClientGroup::default() }],
            ..Lesson::default()
        };
        let (session, story) = open(&lesson).unwrap();
        assert_eq!((session.world().settings().nodes.len(), story.len()), (2, 1));
        // The check of the lesson searches the same stage.
        let checked = Timeline::from_text(&lesson.session(&[]), session.world().engines()).unwrap();
        assert_eq!(session.world().settings().nodes, checked.settings().nodes);
    }

    #[test]
    fn story_can_be_followed_forward_back_and_left() {
        let (session, story) = open(&lesson()).unwrap();
        let mut session = Rc::new(session);
        assert_eq!(story.progress(&session), StoryProgress::After(0));
        session = play_on(session, &story);
        // A step without events is shown together with the one before it.
        assert_eq!(story.progress(&session), StoryProgress::After(2));
        session = play_on(session, &story);
        assert_eq!(story.progress(&session), StoryProgress::After(3));
        // Advancing time is a step like any other.
        session = session.reduce(SessionAction::Back).reduce(SessionAction::Back);
        assert_eq!(story.progress(&session), StoryProgress::After(2));
        session = session.reduce(SessionAction::Back);
        assert_eq!(story.progress(&session), StoryProgress::Within(0));
        session = play_on(session, &story);
        assert_eq!((story.progress(&session), session.timeline().branches().len()), (StoryProgress::After(2), 1));
        let position = story.position(&session, 0);
        session = session.reduce(SessionAction::Seek(position));
        assert_eq!(story.progress(&session), StoryProgress::After(0));
        session = play_on(session, &story);
        session = session.reduce(SessionAction::Push { input: Input::Advance { ms: 7 }, ahead_ms: 0 });
        assert_eq!(story.progress(&session), StoryProgress::Aside(2));
    }

    #[test]
    fn stored_session_has_the_same_stage() {
        let (stage, story) = open(&lesson()).unwrap();
        let played = play_on(Rc::new(stage.clone()), &story);
        let text = played.timeline().to_text();
        let again =
            Session::of(world::Timeline::from_text(&text, stage.world().engines()).unwrap()).on_stage_of(&stage);
        assert_eq!(again.floor(), 5);
        assert_eq!(story.progress(&again), StoryProgress::After(2));
        // A session with another stage starts after its programs were loaded; none of the story has happened there.
        let varied = Lesson {
            programs: vec![Program { name: "one".into(), text: "redis.call('PING')".into() }],
            clients: vec![ClientGroup { name: "c".into(), program: "one".into(), count: 1 }],
            story: Vec::new(),
            ..lesson()
        };
        let text = open(&varied).unwrap().0.timeline().to_text();
        let varied =
            Session::of(world::Timeline::from_text(&text, stage.world().engines()).unwrap()).on_stage_of(&stage);
        assert_eq!((varied.is_at_floor(), varied.is_staged(), varied.floor()), (true, false, 5));
        assert_eq!(story.progress(&varied), StoryProgress::Aside(0));
        let other = Session::fresh(world::Settings::default(), &world::Engines::default()).on_stage_of(&stage);
        assert_eq!(other.floor(), 2);
    }

    /// The session with the explorer's answer.
    fn searched(session: Rc<Session>) -> Rc<Session> {
        let request = dead_lock_request(session.timeline()).unwrap();
        let mut explorer =
            SearchRequest::from_text(&request.to_text()).unwrap().begin(session.world().engines()).unwrap();
        explorer.carry_on(usize::MAX);
        match explorer.outcome() {
            Some(SearchOutcome::Broken { schedule, .. }) if schedule.is_empty() => {
                let revision = session.revision();
                session.reduce(SessionAction::DeadLock(revision))
            }
            _ => session,
        }
    }

    #[test]
    fn dead_lock_is_found_when_the_holder_has_died() {
        let text =
            "while redis.call('SETNX', 'lock', 'held') == 0 do sleep(1000) end enter('s') redis.call('DEL', 'lock')";
        let lesson = Lesson {
            programs: vec![Program { name: "setnx".into(), text: text.into() }],
            clients: vec![ClientGroup { name: "c".into(), program: "setnx".into(), count: 2 }],
            properties: vec![lesson::Property {
                id: "on".into(),
                text: "no-deadlock".into(),
                ..lesson::Property::default()
            }],
            story: vec![
                Step { inputs: vec!["c1< step 0".into()], ..Step::default() },
                Step { inputs: vec!["c1< crash".into()], ..Step::default() },
            ],
            ..Lesson::default()
        };
        let (session, story) = open(&lesson).unwrap();
        let mut session = searched(Rc::new(session));
        assert!(session.watches_dead_locks() && !is_broken(&lesson, &session, "on"));
        session = searched(play_on(session, &story));
        assert!(!is_broken(&lesson, &session, "on"), "the holder will come to its DEL");
        session = play_on(session, &story);
        assert!(!is_broken(&lesson, &session, "on"), "nobody has searched yet");
        session = searched(session);
        assert!(is_broken(&lesson, &session, "on"));
        // A finding holds only at its own position.
        let revision = session.revision();
        session = session.reduce(SessionAction::Push { input: Input::Advance { ms: 1 }, ahead_ms: 0 });
        session = session.reduce(SessionAction::DeadLock(revision));
        assert!(!is_broken(&lesson, &session, "on"));
        assert!(is_broken(&lesson, &searched(session), "on"));
    }

    #[test]
    fn property_has_its_title_from_the_lesson() {
        let property = |title: &str, text: &str| lesson::Property {
            title: title.into(),
            text: text.into(),
            ..lesson::Property::default()
        };
        let lesson = Lesson {
            properties: vec![
                property("Nobody gives up", "no-errors"),
                property("At most 5", "sum always <= 5 key sold"),
            ],
            ..Lesson::default()
        };
        let (session, _) = open(&lesson).unwrap();
        let titles: Vec<_> = session
            .world()
            .watch()
            .verdicts()
            .map(|(property, _)| title_of(&lesson, session.world(), property))
            .collect();
        assert_eq!(titles, [Some("Nobody gives up"), Some("At most 5")]);
        assert_eq!(title_of(&lesson, session.world(), &world::Property::Checks), None);
    }

    #[test]
    fn invalid_line_is_an_error() {
        let broken = Lesson { setup: vec!["SET \"open".into()], ..Lesson::default() };
        assert!(open(&broken).is_err());
    }
}
