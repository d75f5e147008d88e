//! A learner's progress in the course: which lessons were begun, which tasks are done, which hints were opened.
//!
//! ```text
//! lockstep-progress 1
//! locks/setnx begun
//! locks/setnx told                 the story was followed to the end
//! locks/setnx done break           a task by its name
//! locks/setnx first guess right    the first answer to a prediction, a forecast or a choice: right, or wrong
//! locks/setnx how break hints      how a task was solved: alone, with hints, or after reading the solution
//! locks/setnx hints break 2        how many of the task's hints were opened
//! locks/setnx solution break       the task's solution was read
//! locks/setnx tried repair         a program was checked in this task
//! locks/setnx opened why           the learner asked for a section that explains
//! ```
//!
//! Progress only grows, so two records (from two tabs, or a file from another computer) can always be merged without loss. If their first
//! answers differ, the wrong one counts; if their ways to solve a task differ, the one with less help counts. A line that cannot be read
//! costs only that line. A task with a `first` or `how` line also has a `done` line, the only one that older versions of the page read; a
//! `done` line alone says nothing about the first answer or the help.
use std::fmt::Write as _;
use std::rc::Rc;

use lesson::{Entry, Index, Task, TaskKind};
use redis_model::sorted_map::SortedMap;
use yew::Reducible;

use super::address::LessonName;

const HEAD: &str = "lockstep-progress";
const VERSION: u32 = 1;
/// Upper bound for the number of a task's hint.
const HINTS_MAX: u32 = 100;

/// The progress in all lessons.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    lessons: SortedMap<LessonName, InLesson>,
}

/// The progress in one lesson.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct InLesson {
    /// Whether the story was followed to the end.
    is_story_over: bool,
    /// Names of the tasks that are done.
    done: SortedMap<String, ()>,
    /// Whether the first answer to a task was right, by task.
    first: SortedMap<String, bool>,
    /// How a task was solved, by task.
    how: SortedMap<String, How>,
    /// How many hints of a task were opened, by task.
    hints: SortedMap<String, u32>,
    /// Tasks whose solutions were read.
    solutions: SortedMap<String, ()>,
    /// Tasks in which a program was checked.
    tried: SortedMap<String, ()>,
    /// Sections that the learner asked for.
    opened: SortedMap<String, ()>,
}

/// With how much help a task was solved; the least help comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum How {
    /// Without any help.
    Alone,
    /// After hints were opened.
    Hints,
    /// After the solution was read.
    Solution,
}

impl How {
    /// All values, each with its word in the stored form.
    const ALL: [(&'static str, How); 3] = [("alone", How::Alone), ("hints", How::Hints), ("solution", How::Solution)];

    fn word(self) -> &'static str {
        How::ALL.iter().find(|(_, how)| *how == self).map_or("", |(word, _)| word)
    }

    fn named(word: &str) -> Option<How> {
        How::ALL.iter().find(|(other, _)| *other == word).map(|(_, how)| *how)
    }
}

/// Stored words for a first answer.
const RIGHT: &str = "right";
const WRONG: &str = "wrong";

/// Something that a learner did in a lesson.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Did {
    /// Opened the lesson and did something in it.
    Begin,
    /// Followed the story to the end.
    HearOut,
    /// Solved a task, with an unknown amount of help.
    Solve(String),
    /// Answered a prediction, a forecast or a choice. Only the first answer counts.
    Answer(String, bool),
    /// Solved a task to break, reach or repair something.
    Reach(String, How),
    /// Read the solution of a task.
    ReadSolution(String),
    /// Had a program checked.
    Try(String),
    /// Asked for a section that explains.
    OpenSection(String),
    /// Opened the hint with this number, from 1, of a task.
    OpenHint(String, u32),
}

/// The state of a lesson on the map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LessonState {
    /// Nothing was done in it yet.
    New,
    /// Something was done, but not everything.
    Begun,
    /// Every task is done; in a lesson without tasks, the story was followed to the end.
    Done,
}

/// The text is not a progress record that this version can read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoProgress;

impl Progress {
    /// The state of a lesson.
    pub fn state(&self, name: &LessonName, entry: &Entry) -> LessonState {
        let Some(lesson) = self.lessons.get(name) else { return LessonState::New };
        let is_done = if entry.tasks.is_empty() {
            lesson.is_story_over
        } else {
            entry.tasks.iter().all(|task| lesson.done.contains_key(task))
        };
        if is_done { LessonState::Done } else { LessonState::Begun }
    }

    /// The lesson to go on with: the first one that was begun and not completed, or else the first one that is not completed.
    pub fn next<'a>(&self, index: &'a Index) -> Option<(LessonName, &'a Entry)> {
        let first =
            |wanted: &[LessonState]| lessons(index).find(|(name, entry)| wanted.contains(&self.state(name, entry)));
        first(&[LessonState::Begun]).or_else(|| first(&[LessonState::New]))
    }

    /// Whether this task is done.
    pub fn is_done(&self, name: &LessonName, task: &str) -> bool {
        self.lessons.get(name).is_some_and(|lesson| lesson.done.contains_key(task))
    }

    /// Whether the first answer to this task was right; `None` if there was none, or an older version did not record it.
    pub fn first(&self, name: &LessonName, task: &str) -> Option<bool> {
        self.lessons.get(name)?.first.get(task).copied()
    }

    /// With how much help this task was solved; `None` if it was not solved, or an older version did not record it.
    pub fn how(&self, name: &LessonName, task: &str) -> Option<How> {
        self.lessons.get(name)?.how.get(task).copied()
    }

    /// Whether the learner asked for this section.
    pub fn is_opened(&self, name: &LessonName, section: &str) -> bool {
        self.lessons.get(name).is_some_and(|lesson| lesson.opened.contains_key(section))
    }

    /// The help that counts if this task were solved now.
    pub fn help(&self, name: &LessonName, task: &str) -> How {
        match self.lessons.get(name) {
            Some(lesson) if lesson.solutions.contains_key(task) => How::Solution,
            Some(lesson) if lesson.hints.get(task).is_some_and(|hints| *hints > 0) => How::Hints,
            _ => How::Alone,
        }
    }

    /// Whether this task was tried: it is done, or all its help was used, or (for a repair or handler) a program was checked.
    pub fn is_tried(&self, name: &LessonName, task: &Task) -> bool {
        let Some(lesson) = self.lessons.get(name) else { return false };
        if lesson.done.contains_key(&task.id) {
            return true;
        }
        let has_all_hints = || {
            let hints = u32::try_from(task.hints.len()).unwrap_or(u32::MAX);
            hints > 0 && self.hints(name, &task.id) >= hints
        };
        match task.kind {
            TaskKind::Predict { .. } | TaskKind::Choose { .. } | TaskKind::Forecast { .. } => false,
            TaskKind::Break(_) | TaskKind::Achieve(_) => lesson.solutions.contains_key(&task.id) || has_all_hints(),
            TaskKind::Repair(_) | TaskKind::Handler(_) | TaskKind::Script(_) => {
                lesson.solutions.contains_key(&task.id) || lesson.tried.contains_key(&task.id)
            }
        }
    }

    /// Among a lesson's tasks with a first answer: how many first answers were right, and how many such tasks there are.
    pub fn firsts(&self, name: &LessonName, entry: &Entry) -> (usize, usize) {
        let firsts: Vec<bool> = entry.tasks.iter().filter_map(|task| self.first(name, task)).collect();
        (firsts.iter().filter(|is_right| **is_right).count(), firsts.len())
    }

    /// How many tasks of a lesson were solved with each amount of help, in the order of `How::ALL`.
    pub fn ways(&self, name: &LessonName, entry: &Entry) -> [usize; 3] {
        let count = |how: How| entry.tasks.iter().filter(|task| self.how(name, task) == Some(how)).count();
        How::ALL.map(|(_, how)| count(how))
    }

    /// How many tasks of a lesson are done.
    pub fn done_count(&self, name: &LessonName, entry: &Entry) -> usize {
        entry.tasks.iter().filter(|task| self.is_done(name, task)).count()
    }

    /// How many hints of a task were opened.
    pub fn hints(&self, name: &LessonName, task: &str) -> u32 {
        self.lessons.get(name).and_then(|lesson| lesson.hints.get(task)).copied().unwrap_or(0)
    }

    /// Whether no lesson was begun.
    pub fn is_empty(&self) -> bool {
        self.lessons.is_empty()
    }

    /// The progress after a learner did something in a lesson. Earlier answers and solutions keep their record.
    #[must_use]
    pub fn after(&self, name: &LessonName, did: Did) -> Progress {
        let mut next = self.clone();
        match &did {
            Did::Answer(task, _) | Did::Reach(task, _) if self.is_done(name, task) => {}
            _ => next.note(name.clone(), did),
        }
        next
    }

    fn note(&mut self, name: LessonName, did: Did) {
        let lesson = self.lessons.entry(name, InLesson::default);
        match did {
            Did::Begin => {}
            Did::HearOut => lesson.is_story_over = true,
            Did::Solve(task) => lesson.done.insert(task, ()),
            Did::Answer(task, is_right) => {
                let is_right = lesson.first.get(&task).is_none_or(|before| *before) && is_right;
                lesson.first.insert(task.clone(), is_right);
                lesson.done.insert(task, ());
            }
            Did::Reach(task, how) => {
                let how = lesson.how.get(&task).map_or(how, |before| how.min(*before));
                lesson.how.insert(task.clone(), how);
                lesson.done.insert(task, ());
            }
            Did::ReadSolution(task) => lesson.solutions.insert(task, ()),
            Did::Try(task) => lesson.tried.insert(task, ()),
            Did::OpenSection(section) => lesson.opened.insert(section, ()),
            Did::OpenHint(task, hint) => {
                let most = lesson.hints.get(&task).copied().unwrap_or(0).max(hint.min(HINTS_MAX));
                lesson.hints.insert(task, most);
            }
        }
    }

    /// The union of both.
    #[must_use]
    pub fn and(&self, other: &Progress) -> Progress {
        let mut sum = self.clone();
        for (name, lesson) in other.lessons.iter() {
            lesson.all().for_each(|did| sum.note(name.clone(), did));
        }
        sum
    }

    /// The stored form, also used for files.
    pub fn to_text(&self) -> String {
        let mut text = format!("{HEAD} {VERSION}\n");
        for (LessonName { track, id }, lesson) in self.lessons.iter() {
            for did in lesson.all() {
                // Writing to a string cannot fail.
                let _ = writeln!(text, "{track}/{id} {}", did.words());
            }
        }
        text
    }

    /// Reads the stored form.
    ///
    /// # Errors
    /// If the text is not a progress record, or was written by a later version.
    pub fn from_text(text: &str) -> Result<Progress, NoProgress> {
        let mut lines = text.lines();
        let version = lines.next().and_then(|head| head.strip_prefix(HEAD)?.strip_prefix(' ')?.trim().parse().ok());
        if version.is_none_or(|version: u32| version > VERSION) {
            return Err(NoProgress);
        }
        let mut progress = Progress::default();
        for (name, did) in lines.filter_map(read_line) {
            progress.note(name, did);
        }
        Ok(progress)
    }
}

impl InLesson {
    /// All entries, in the order of the stored form.
    fn all(&self) -> impl Iterator<Item = Did> {
        let story = self.is_story_over.then_some(Did::HearOut);
        [Did::Begin]
            .into_iter()
            .chain(story)
            .chain(self.done.keys().map(|task| Did::Solve(task.clone())))
            .chain(self.first.iter().map(|(task, is_right)| Did::Answer(task.clone(), *is_right)))
            .chain(self.how.iter().map(|(task, how)| Did::Reach(task.clone(), *how)))
            .chain(self.hints.iter().map(|(task, most)| Did::OpenHint(task.clone(), *most)))
            .chain(self.solutions.keys().map(|task| Did::ReadSolution(task.clone())))
            .chain(self.tried.keys().map(|task| Did::Try(task.clone())))
            .chain(self.opened.keys().map(|section| Did::OpenSection(section.clone())))
    }
}

impl Did {
    /// The rest of its line, after the name of the lesson.
    fn words(&self) -> String {
        match self {
            Did::Begin => "begun".to_owned(),
            Did::HearOut => "told".to_owned(),
            Did::Solve(task) => format!("done {task}"),
            Did::Answer(task, is_right) => format!("first {task} {}", if *is_right { RIGHT } else { WRONG }),
            Did::Reach(task, how) => format!("how {task} {}", how.word()),
            Did::OpenHint(task, most) => format!("hints {task} {most}"),
            Did::ReadSolution(task) => format!("solution {task}"),
            Did::Try(task) => format!("tried {task}"),
            Did::OpenSection(section) => format!("opened {section}"),
        }
    }
}

/// Every lesson, in the order of the course.
pub fn lessons(index: &Index) -> impl Iterator<Item = (LessonName, &Entry)> {
    let of = |track: &lesson::Track, entry: &Entry| LessonName { track: track.id.clone(), id: entry.id.clone() };
    index.tracks.iter().flat_map(move |track| track.lessons.iter().map(move |entry| (of(track, entry), entry)))
}

fn read_line(line: &str) -> Option<(LessonName, Did)> {
    let mut words = line.split_whitespace();
    let name = LessonName::of_path(words.next()?)?;
    let did = match words.next()? {
        "begun" => Did::Begin,
        "told" => Did::HearOut,
        "done" => Did::Solve(words.next()?.to_owned()),
        "first" => {
            let task = words.next()?.to_owned();
            match words.next()? {
                RIGHT => Did::Answer(task, true),
                WRONG => Did::Answer(task, false),
                _ => return None,
            }
        }
        "how" => Did::Reach(words.next()?.to_owned(), How::named(words.next()?)?),
        "solution" => Did::ReadSolution(words.next()?.to_owned()),
        "tried" => Did::Try(words.next()?.to_owned()),
        "opened" => Did::OpenSection(words.next()?.to_owned()),
        "hints" => Did::OpenHint(words.next()?.to_owned(), words.next()?.parse().ok()?),
        _ => return None,
    };
    words.next().is_none().then_some((name, did))
}

/// A change of the progress that the page holds.
#[derive(Clone, Debug, PartialEq)]
pub enum ProgressAction {
    /// The learner did something in a lesson.
    Did(LessonName, Did),
    /// Merge progress from another tab or a file.
    Add(Progress),
    /// The learner wants to start over.
    Forget,
}

impl Reducible for Progress {
    type Action = ProgressAction;

    fn reduce(self: Rc<Self>, action: ProgressAction) -> Rc<Self> {
        let next = match action {
            ProgressAction::Did(name, did) => self.after(&name, did),
            ProgressAction::Add(other) => self.and(&other),
            ProgressAction::Forget => Progress::default(),
        };
        if next == *self { self } else { Rc::new(next) }
    }
}

#[cfg(test)]
mod tests {
    use lesson::repair::Repair;
    use lesson::{Entry, Index, Task, TaskKind};
    use proptest::prelude::*;

    use super::{Did, How, LessonState, NoProgress, Progress};
    use crate::state::address::LessonName;

    fn name(id: &str) -> LessonName {
        LessonName { track: "locks".into(), id: id.into() }
    }

    fn entry(tasks: &[&str]) -> Entry {
        Entry { tasks: tasks.iter().map(|task| (*task).to_owned()).collect(), ..Entry::default() }
    }

    #[test]
    fn lesson_is_done_when_all_its_tasks_are() {
        let tasks = entry(&["break", "repair"]);
        let mut progress = Progress::default();
        let setnx = name("setnx");
        for (did, state, count) in [
            (None, LessonState::New, 0),
            (Some(Did::Begin), LessonState::Begun, 0),
            (Some(Did::Solve("break".into())), LessonState::Begun, 1),
            (Some(Did::HearOut), LessonState::Begun, 1),
            (Some(Did::Solve("repair".into())), LessonState::Done, 2),
            (Some(Did::Solve("of-an-older-lesson".into())), LessonState::Done, 2),
        ] {
            if let Some(did) = did {
                progress = progress.after(&setnx, did);
            }
            assert_eq!((progress.state(&setnx, &tasks), progress.done_count(&setnx, &tasks)), (state, count));
        }
        assert_eq!(progress.state(&setnx, &entry(&[])), LessonState::Done);
        assert_eq!(progress.state(&name("other"), &tasks), LessonState::New);
    }

    #[test]
    fn hints_stay_open() {
        let progress = Progress::default().after(&name("a"), Did::OpenHint("t".into(), 2));
        let progress = progress.after(&name("a"), Did::OpenHint("t".into(), 1));
        assert_eq!((progress.hints(&name("a"), "t"), progress.hints(&name("a"), "u")), (2, 0));
    }

    fn read(lines: &str) -> Progress {
        Progress::from_text(&format!("lockstep-progress 1\n{lines}")).unwrap()
    }

    #[test]
    fn first_answer_counts_and_older_files_record_none() {
        let a = name("a");
        let progress = Progress::default().after(&a, Did::Answer("guess".into(), false));
        assert_eq!((progress.first(&a, "guess"), progress.is_done(&a, "guess")), (Some(false), true));
        let again = progress.after(&a, Did::Answer("guess".into(), true));
        assert_eq!(again, progress);
        let right = Progress::default().after(&a, Did::Answer("guess".into(), true));
        assert_eq!(right.after(&a, Did::Answer("guess".into(), false)).first(&a, "guess"), Some(true));
        let old = read("locks/a begun\nlocks/a done guess\n");
        let answered = old.after(&a, Did::Answer("guess".into(), true));
        assert_eq!((answered.is_done(&a, "guess"), answered.first(&a, "guess")), (true, None));
        // An older version of the page, without first answers, reads the `done` line.
        assert_eq!(
            right.to_text(),
            "lockstep-progress 1\nlocks/a begun\nlocks/a done guess\nlocks/a first guess right\n"
        );
        let entry = entry(&["guess", "other", "third"]);
        let two = right.after(&a, Did::Answer("other".into(), false)).after(&a, Did::Solve("third".into()));
        assert_eq!(two.firsts(&a, &entry), (1, 2));
        // Two tabs answered: a right answer in one tab does not correct the wrong first answer in the other.
        assert_eq!(right.and(&progress).first(&a, "guess"), Some(false));
    }

    #[test]
    fn next_lesson_is_the_one_that_was_begun() {
        let lesson = |id: &str| Entry { id: id.into(), tasks: vec!["t".into()], ..Entry::default() };
        let lessons = ["a", "b", "c"].map(lesson).to_vec();
        let index = Index { tracks: vec![lesson::Track { id: "locks".into(), lessons, ..lesson::Track::default() }] };
        let next = |progress: &Progress| progress.next(&index).map(|(name, _)| name.id);
        let mut progress = Progress::default();
        assert_eq!(next(&progress).as_deref(), Some("a"));
        progress = progress.after(&name("b"), Did::Begin);
        assert_eq!(next(&progress).as_deref(), Some("b"));
        progress = progress.after(&name("b"), Did::Solve("t".into()));
        assert_eq!(next(&progress).as_deref(), Some("a"));
        progress = progress.after(&name("a"), Did::Solve("t".into())).after(&name("c"), Did::Solve("t".into()));
        assert_eq!(next(&progress), None);
    }

    #[test]
    fn solving_records_the_help_that_was_opened_before() {
        let a = name("a");
        let mut progress = Progress::default();
        assert_eq!(progress.help(&a, "break"), How::Alone);
        let alone = progress.after(&a, Did::Reach("break".into(), How::Alone));
        progress = progress.after(&a, Did::OpenHint("break".into(), 1));
        assert_eq!((progress.help(&a, "break"), progress.help(&a, "repair")), (How::Hints, How::Alone));
        progress = progress.after(&a, Did::ReadSolution("break".into()));
        assert_eq!(progress.help(&a, "break"), How::Solution);
        progress = progress.after(&a, Did::Reach("break".into(), How::Solution));
        let again = progress.after(&a, Did::Reach("break".into(), How::Alone));
        assert_eq!(again.how(&a, "break"), Some(How::Solution));
        assert_eq!(progress.and(&alone).how(&a, "break"), Some(How::Alone));
        let tasks = entry(&["break", "repair"]);
        let both = progress.after(&a, Did::Reach("repair".into(), How::Hints));
        assert_eq!(both.ways(&a, &tasks), [0, 1, 1]);
        assert_eq!(both.state(&a, &tasks), LessonState::Done);
        assert_eq!(read("locks/a done break").how(&a, "break"), None);
    }

    #[test]
    fn trying_a_task_opens_its_explanation() {
        let a = name("a");
        let task =
            |kind: TaskKind| Task { id: "t".into(), hints: vec!["one".into(), "two".into()], kind, ..Task::default() };
        let breaking = task(TaskKind::Break(lesson::Break::default()));
        let predict = task(TaskKind::default());
        let choose = task(TaskKind::Choose { of: "r".into(), fixes: Vec::new() });
        let repair = task(TaskKind::Repair(Repair::default()));
        // A task to reach a state opens its explanation as a task to break something does.
        let reach = task(TaskKind::Achieve(lesson::Achieve::default()));
        for lines in ["", "locks/a hints t 1", "locks/a hints t 2", "locks/a solution t", "locks/a how t alone"] {
            assert_eq!(read(lines).is_tried(&a, &reach), read(lines).is_tried(&a, &breaking), "{lines}");
        }
        let tried = |lines: &str| [&breaking, &repair, &predict, &choose].map(|task| read(lines).is_tried(&a, task));
        assert_eq!(tried(""), [false; 4]);
        assert_eq!(tried("locks/a begun\nlocks/a hints t 1"), [false; 4]);
        assert_eq!(tried("locks/a hints t 2"), [true, false, false, false]);
        assert_eq!(tried("locks/a solution t"), [true, true, false, false]);
        assert_eq!(tried("locks/a tried t"), [false, true, false, false]);
        assert_eq!(tried("locks/a first t wrong"), [true; 4]);
        assert_eq!(tried("locks/a done t"), [true; 4]);
        // Without hints, "all hints opened" does not count.
        let bare = Task { hints: Vec::new(), ..breaking.clone() };
        assert!(!read("locks/a begun").is_tried(&a, &bare));
        assert!(read("locks/a opened why").is_opened(&a, "why") && !read("locks/a opened why").is_opened(&a, "t"));
    }

    #[test]
    fn damage_costs_one_line() {
        let text = "lockstep-progress 1\nlocks/a begun\nlocks begun\nlocks/a done\nlocks/a hints t many\n\u{0}\n../x begun\n\
                    locks/a done t u\nlocks/b done t\nlocks/b dreamt\nlocks/a first t perhaps\nlocks/a how t magic\n\
                    locks/a first t\nlocks/a opened";
        let expected = Progress::default().after(&name("a"), Did::Begin).after(&name("b"), Did::Solve("t".into()));
        assert_eq!(Progress::from_text(text), Ok(expected));
        for text in ["", "lockstep 1\n", "lockstep-progress 2\n", "lockstep-progress"] {
            assert_eq!(Progress::from_text(text), Err(NoProgress), "{text:?}");
        }
    }

    fn any_progress() -> impl Strategy<Value = Progress> {
        let word = "[a-c]{1,2}";
        let did = prop_oneof![
            Just(Did::Begin),
            Just(Did::HearOut),
            word.prop_map(Did::Solve),
            (word, any::<bool>()).prop_map(|(task, is_right)| Did::Answer(task, is_right)),
            (word, prop::sample::select(How::ALL.map(|(_, how)| how).to_vec()))
                .prop_map(|(task, how)| Did::Reach(task, how)),
            (word, 0u32..200).prop_map(|(task, hint)| Did::OpenHint(task, hint)),
            word.prop_map(Did::ReadSolution),
            word.prop_map(Did::Try),
            word.prop_map(Did::OpenSection),
        ];
        prop::collection::vec((word, did), 0..12).prop_map(|all| {
            all.into_iter().fold(Progress::default(), |progress, (id, did)| progress.after(&name(&id), did))
        })
    }

    proptest! {
        #[test]
        fn stored_progress_is_restored(progress in any_progress()) {
            prop_assert_eq!(Progress::from_text(&progress.to_text()), Ok(progress));
        }

        #[test]
        fn putting_together_loses_nothing_and_does_not_care_for_order(
            a in any_progress(), b in any_progress(), c in any_progress()
        ) {
            let sum = a.and(&b);
            prop_assert_eq!(&sum, &b.and(&a));
            prop_assert_eq!(&sum.and(&a), &sum);
            prop_assert_eq!(&sum.and(&c), &a.and(&b.and(&c)));
            prop_assert_eq!(&a.and(&Progress::default()), &a);
        }

        #[test]
        fn any_text_can_be_tried(text in any::<String>()) {
            let _ = Progress::from_text(&text);
            let with_head = format!("lockstep-progress 1\n{text}");
            prop_assert!(Progress::from_text(&with_head).is_ok());
        }
    }
}
