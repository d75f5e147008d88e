//! A lesson in reading order: its sections and tasks, and which sections are still closed.
use lesson::{Lesson, Section, Task};

use super::address::LessonName;
use super::progress::Progress;

/// A piece of a lesson.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Item<'a> {
    /// Text, with the task that must be tried before it opens by itself; `None` if it is open.
    Section(&'a Section, Option<&'a Task>),
    /// A task to do.
    Task(&'a Task),
}

/// All pieces of a lesson. A section that explains a task stays closed until the learner tries the task or asks for the section.
pub fn items<'a>(lesson: &'a Lesson, name: &LessonName, progress: &Progress) -> Vec<Item<'a>> {
    let section = |section: &'a Section| {
        let is_closed = |task: &&Task| !progress.is_tried(name, task) && !progress.is_opened(name, &section.id);
        Item::Section(section, lesson.opened_by(&section.id).filter(is_closed))
    };
    if lesson.flow.is_empty() {
        return lesson.sections.iter().map(section).chain(lesson.tasks.iter().map(Item::Task)).collect();
    }
    let found = |id: &String| lesson.section(id).map(section).or_else(|| lesson.task(id).map(Item::Task));
    lesson.flow.iter().filter_map(found).collect()
}

#[cfg(test)]
mod tests {
    use lesson::TaskKind;

    use super::*;
    use crate::state::progress::Did;

    fn lesson(flow: &[&str]) -> Lesson {
        let section = |id: &str| Section { id: id.into(), ..Section::default() };
        let task = |id: &str, kind: TaskKind| Task { id: id.into(), kind, ..Task::default() };
        Lesson {
            sections: ["problem", "why", "more"].map(section).to_vec(),
            tasks: vec![task("guess", TaskKind::default()), task("break", TaskKind::Break(lesson::Break::default()))],
            flow: flow.iter().map(|id| (*id).to_owned()).collect(),
            ..Lesson::default()
        }
    }

    /// Ids in order; a closed section is listed with the task that opens it.
    fn shown(lesson: &Lesson, progress: &Progress) -> Vec<String> {
        let words = |item: &Item<'_>| match item {
            Item::Section(section, None) => section.id.clone(),
            Item::Section(section, Some(task)) => format!("{} behind {}", section.id, task.id),
            Item::Task(task) => format!("[{}]", task.id),
        };
        items(lesson, &name(), progress).iter().map(words).collect()
    }

    fn name() -> LessonName {
        LessonName { track: "locks".into(), id: "a".into() }
    }

    #[test]
    fn section_opens_when_its_task_was_tried_or_on_request() {
        let lesson = lesson(&["problem", "guess", "why", "break", "more"]);
        let mut progress = Progress::default();
        assert_eq!(
            shown(&lesson, &progress),
            ["problem", "[guess]", "why behind guess", "[break]", "more behind break"]
        );
        progress = progress.after(&name(), Did::Answer("guess".into(), false));
        assert_eq!(shown(&lesson, &progress), ["problem", "[guess]", "why", "[break]", "more behind break"]);
        progress = progress.after(&name(), Did::OpenSection("more".into()));
        assert_eq!(shown(&lesson, &progress), ["problem", "[guess]", "why", "[break]", "more"]);
    }

    #[test]
    fn lesson_without_an_order_starts_with_its_open_sections() {
        let lesson = lesson(&[]);
        assert_eq!(shown(&lesson, &Progress::default()), ["problem", "why", "more", "[guess]", "[break]"]);
    }
}
