//! One page a route: the sandbox, where everybody lands, and in the other program the map of the course and its lessons.
mod course;
mod lab;
mod lesson;
mod sandbox;

pub use course::CourseMap;
pub use lab::Lab;
pub use lesson::{LessonPage, LessonPageProps};
pub use sandbox::Sandbox;
