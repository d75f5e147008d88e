//! How far a learner has come in the course: which lessons were begun, which tasks are done, which hints were opened.
//!
//! ```text
//! lockstep-progress 1
//! locks/setnx begun
//! locks/setnx told                 its story was followed to the end
//! locks/setnx done break           a task by its name
//! locks/setnx first guess right    the first answer to a prediction, a forecast or a choice: right, or wrong
//! locks/setnx how break hints      how something was broken, reached or repaired: alone, with hints, after the solution
//! locks/setnx hints break 2        so many of its hints were opened
//! locks/setnx solution break       its solution was read
//! locks/setnx tried repair         a program was checked
//! locks/setnx opened why           a section that explains was asked for
//! ```
//!
//! Progress only grows, so two of them can always be put together and nothing is lost: two tabs, a file from another
//! computer. Of two first answers the wrong one counts, of two ways to reach something the one with less help. A line that is
//! not understood costs that line. A task with a first answer, or with how it was reached, also has its line `done`, which is all
//! that earlier versions of the page read; where there is only that line, nothing is claimed beyond it.
use std::fmt::Write as _;
use std::rc::Rc;

use lesson::{Entry, Task, TaskKind};
use redis_model::sorted_map::SortedMap;
use yew::Reducible;

use super::address::LessonName;

const HEAD: &str = "lockstep-progress";
const VERSION: u32 = 1;
/// More hints than a task can have.
const HINTS_MAX: u32 = 100;

/// How far somebody has come.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    lessons: SortedMap<LessonName, InLesson>,
}

/// How far somebody has come in a lesson that was begun.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct InLesson {
    /// Its story was followed to the end.
    is_told: bool,
    /// Tasks that are done, by name.
    done: SortedMap<String, ()>,
    /// Whether the first answer to a task was right.
    first: SortedMap<String, bool>,
    /// How a task was reached.
    how: SortedMap<String, How>,
    /// How many hints of a task were opened.
    hints: SortedMap<String, u32>,
    /// Tasks whose solutions were read.
    solutions: SortedMap<String, ()>,
    /// Tasks in which a program was checked.
    tried: SortedMap<String, ()>,
    /// Sections that were asked for.
    opened: SortedMap<String, ()>,
}

/// How something was broken, reached or repaired; the least help comes first.
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
    /// All of them with their words in the stored form.
    const ALL: [(&'static str, How); 3] = [("alone", How::Alone), ("hints", How::Hints), ("solution", How::Solution)];

    fn word(self) -> &'static str {
        How::ALL.iter().find(|(_, how)| *how == self).map_or("", |(word, _)| word)
    }

    fn named(word: &str) -> Option<How> {
        How::ALL.iter().find(|(other, _)| *other == word).map(|(_, how)| *how)
    }
}

/// Words for a first answer.
const RIGHT: &str = "right";
const WRONG: &str = "wrong";

/// What a learner has done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Did {
    /// Opened a lesson and did something in it.
    Begin,
    /// Followed its story to the end.
    HearOut,
    /// Solved a task; it is not known how.
    Solve(String),
    /// Gave an answer to a prediction, a forecast or a choice. Only the first one counts.
    Answer(String, bool),
    /// Broke, reached or repaired something.
    Reach(String, How),
    /// Read the solution of a task.
    ReadSolution(String),
    /// Had a program checked.
    Try(String),
    /// Asked for a section that explains.
    OpenSection(String),
    /// Opened a task's hint of this number, from 1.
    OpenHint(String, u32),
}

/// The state of a lesson on the map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LessonState {
    /// Nothing was done in it.
    New,
    /// Something was done, not everything.
    Begun,
    /// Every task is done; a lesson without tasks: its story was followed to the end.
    Done,
}

/// Why a text is no progress.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoProgress;

impl Progress {
    /// The state of a lesson.
    pub fn state(&self, name: &LessonName, entry: &Entry) -> LessonState {
        let Some(lesson) = self.lessons.get(name) else { return LessonState::New };
        let is_done = if entry.tasks.is_empty() {
            lesson.is_told
        } else {
            entry.tasks.iter().all(|task| lesson.done.contains_key(task))
        };
        if is_done { LessonState::Done } else { LessonState::Begun }
    }

    /// Is this task done?
    pub fn is_done(&self, name: &LessonName, task: &str) -> bool {
        self.lessons.get(name).is_some_and(|lesson| lesson.done.contains_key(task))
    }

    /// Was the first answer to this task right? Nothing where none was given, or before first answers were noted.
    pub fn first(&self, name: &LessonName, task: &str) -> Option<bool> {
        self.lessons.get(name)?.first.get(task).copied()
    }

    /// How this task was reached; nothing where it was not, or before that was noted.
    pub fn how(&self, name: &LessonName, task: &str) -> Option<How> {
        self.lessons.get(name)?.how.get(task).copied()
    }

    /// Was this section asked for?
    pub fn is_opened(&self, name: &LessonName, section: &str) -> bool {
        self.lessons.get(name).is_some_and(|lesson| lesson.opened.contains_key(section))
    }

    /// With how much help this task would be reached now.
    pub fn help(&self, name: &LessonName, task: &str) -> How {
        match self.lessons.get(name) {
            Some(lesson) if lesson.solutions.contains_key(task) => How::Solution,
            Some(lesson) if lesson.hints.get(task).is_some_and(|hints| *hints > 0) => How::Hints,
            _ => How::Alone,
        }
    }

    /// Was this task tried: a question answered, something broken or reached or its help used up, a repair checked?
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
            TaskKind::Repair(_) | TaskKind::Handler(_) => {
                lesson.solutions.contains_key(&task.id) || lesson.tried.contains_key(&task.id)
            }
        }
    }

    /// Of the tasks of a lesson that have a first answer, how many were right, and how many there are.
    pub fn firsts(&self, name: &LessonName, entry: &Entry) -> (usize, usize) {
        let firsts: Vec<bool> = entry.tasks.iter().filter_map(|task| self.first(name, task)).collect();
        (firsts.iter().filter(|is_right| **is_right).count(), firsts.len())
    }

    /// How many tasks of a lesson were reached in each of the ways, the one with the least help first.
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

    /// Whether nothing was done at all.
    pub fn is_empty(&self) -> bool {
        self.lessons.is_empty()
    }

    /// The progress after somebody did something in a lesson. What was answered or reached before stays as it was.
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
            Did::HearOut => lesson.is_told = true,
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

    /// Everything that was done in either.
    #[must_use]
    pub fn and(&self, other: &Progress) -> Progress {
        let mut sum = self.clone();
        for (name, lesson) in other.lessons.iter() {
            lesson.all().for_each(|did| sum.note(name.clone(), did));
        }
        sum
    }

    /// The stored form, which is also that of the file.
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
    /// When it is something else, or was written by a later version.
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
    /// All that was done, in the order of the stored form.
    fn all(&self) -> impl Iterator<Item = Did> {
        let told = self.is_told.then_some(Did::HearOut);
        [Did::Begin]
            .into_iter()
            .chain(told)
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
    /// Its words behind the name of the lesson.
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

/// What happens to the progress that the page holds.
#[derive(Clone, Debug, PartialEq)]
pub enum ProgressAction {
    /// Somebody did something in a lesson.
    Did(LessonName, Did),
    /// More came from elsewhere: another tab, a file.
    Add(Progress),
    /// The learner wants to begin again.
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
    use lesson::{Entry, Task, TaskKind};
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
    fn a_lesson_is_done_when_all_its_tasks_are() {
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
    fn the_first_answer_counts_and_an_earlier_file_claims_nothing() {
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
        // A version of the page that knows no first answers finds the line `done`.
        assert_eq!(
            right.to_text(),
            "lockstep-progress 1\nlocks/a begun\nlocks/a done guess\nlocks/a first guess right\n"
        );
        let entry = entry(&["guess", "other", "third"]);
        let two = right.after(&a, Did::Answer("other".into(), false)).after(&a, Did::Solve("third".into()));
        assert_eq!(two.firsts(&a, &entry), (1, 2));
        // Two tabs answered: what was wrong first is not made right by the other.
        assert_eq!(right.and(&progress).first(&a, "guess"), Some(false));
    }

    #[test]
    fn how_something_was_reached_is_what_was_opened_before() {
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
    fn what_was_tried_opens_what_explains_it() {
        let a = name("a");
        let task =
            |kind: TaskKind| Task { id: "t".into(), hints: vec!["one".into(), "two".into()], kind, ..Task::default() };
        let breaking = task(TaskKind::Break(lesson::Break::default()));
        let predict = task(TaskKind::default());
        let choose = task(TaskKind::Choose { of: "r".into(), fixes: Vec::new() });
        let repair = task(TaskKind::Repair(Repair::default()));
        // What is to be reached opens as what is to be broken.
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
        // Without hints nothing has been opened to the end.
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
        fn what_is_stored_comes_back(progress in any_progress()) {
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
