//! How far a learner has come in the course: which lessons were begun, which tasks are done, which hints were opened.
//!
//! ```text
//! lockstep-progress 1
//! locks/setnx begun
//! locks/setnx told                 its story was followed to the end
//! locks/setnx done break           a task by its name
//! locks/setnx hints break 2        so many of its hints were opened
//! ```
//!
//! Progress only grows, so two of them can always be put together and nothing is lost: two tabs, a file from another
//! computer. A line that is not understood costs that line.
use std::fmt::Write as _;
use std::rc::Rc;

use lesson::Entry;
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
    /// How many hints of a task were opened.
    hints: SortedMap<String, u32>,
}

/// What a learner has done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Did {
    /// Opened a lesson and did something in it.
    Begin,
    /// Followed its story to the end.
    HearOut,
    /// Solved a task.
    Solve(String),
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

    /// The progress after somebody did something in a lesson.
    #[must_use]
    pub fn after(&self, name: &LessonName, did: Did) -> Progress {
        let mut next = self.clone();
        next.note(name.clone(), did);
        next
    }

    fn note(&mut self, name: LessonName, did: Did) {
        let lesson = self.lessons.entry(name, InLesson::default);
        match did {
            Did::Begin => {}
            Did::HearOut => lesson.is_told = true,
            Did::Solve(task) => lesson.done.insert(task, ()),
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
            sum.note(name.clone(), Did::Begin);
            if lesson.is_told {
                sum.note(name.clone(), Did::HearOut);
            }
            lesson.done.keys().for_each(|task| sum.note(name.clone(), Did::Solve(task.clone())));
            lesson.hints.iter().for_each(|(task, most)| sum.note(name.clone(), Did::OpenHint(task.clone(), *most)));
        }
        sum
    }

    /// The stored form, which is also that of the file.
    pub fn to_text(&self) -> String {
        let mut text = format!("{HEAD} {VERSION}\n");
        for (LessonName { track, id }, lesson) in self.lessons.iter() {
            // Writing to a string cannot fail.
            let _ = writeln!(text, "{track}/{id} begun");
            if lesson.is_told {
                let _ = writeln!(text, "{track}/{id} told");
            }
            for task in lesson.done.keys() {
                let _ = writeln!(text, "{track}/{id} done {task}");
            }
            for (task, most) in lesson.hints.iter() {
                let _ = writeln!(text, "{track}/{id} hints {task} {most}");
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

fn read_line(line: &str) -> Option<(LessonName, Did)> {
    let mut words = line.split_whitespace();
    let name = LessonName::of_path(words.next()?)?;
    let did = match words.next()? {
        "begun" => Did::Begin,
        "told" => Did::HearOut,
        "done" => Did::Solve(words.next()?.to_owned()),
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
    /// The learner wants to begin anew.
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
    use lesson::Entry;
    use proptest::prelude::*;

    use super::{Did, LessonState, NoProgress, Progress};
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

    #[test]
    fn damage_costs_one_line() {
        let text = "lockstep-progress 1\nlocks/a begun\nlocks begun\nlocks/a done\nlocks/a hints t many\n\u{0}\n../x begun\n\
                    locks/a done t u\nlocks/b done t\nlocks/b dreamt";
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
            (word, 0u32..200).prop_map(|(task, hint)| Did::OpenHint(task, hint)),
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
        fn putting_together_loses_nothing_and_does_not_care_for_order(a in any_progress(), b in any_progress()) {
            let sum = a.and(&b);
            prop_assert_eq!(&sum, &b.and(&a));
            prop_assert_eq!(&sum.and(&a), &sum);
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
