//! Parses the page's URL: which page it names, which lesson, and the session that a link carries.
//!
//! ```text
//! https://school.example/redis/                         the sandbox
//! https://school.example/redis/#s=…                     the sandbox with a session
//! https://school.example/redis/#learn                   the course
//! https://school.example/redis/#learn/locks/setnx       a lesson
//! https://school.example/redis/#learn/locks/setnx?s=…   a lesson with a session
//! ```

/// Fragment of the course; the guard (`static/guard.js`) knows it too.
pub const COURSE: &str = "#learn";

/// Which page an address names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Route {
    /// The sandbox.
    Sandbox,
    /// The map of the course.
    Course,
    /// A lesson.
    Lesson(LessonName),
}

impl Route {
    /// The page that an address names. A course address without a lesson leads to the map.
    pub fn of_address(href: &str) -> Route {
        match LessonName::of_address(href) {
            Some(name) => Route::Lesson(name),
            None if page_of(href).contains('#') => Route::Course,
            None => Route::Sandbox,
        }
    }
}

/// A lesson, named by its track and its id.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct LessonName {
    /// Its track: `locks`.
    pub track: String,
    /// Its id within the track: `setnx`.
    pub id: String,
}

impl LessonName {
    /// The lesson that an address names, if it names one.
    pub fn of_address(href: &str) -> Option<LessonName> {
        let path = page_of(href).split_once(COURSE)?.1.strip_prefix('/')?;
        LessonName::of_path(path.trim_end_matches('/'))
    }

    /// Parses `locks/setnx`.
    pub fn of_path(path: &str) -> Option<LessonName> {
        let (track, id) = path.split_once('/')?;
        let is_name = |name: &str| !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '-');
        (is_name(track) && is_name(id)).then(|| LessonName { track: track.to_owned(), id: id.to_owned() })
    }

    /// The URL fragment that opens the lesson.
    pub fn fragment(&self) -> String {
        format!("{COURSE}/{}/{}", self.track, self.id)
    }
}

/// The address without the session that it carries.
pub fn page_of(href: &str) -> &str {
    split(href).0
}

/// The rest of the address, after [`page_of`] and its separator: a packed session, or empty.
pub fn rest_of(href: &str) -> &str {
    split(href).1
}

fn split(href: &str) -> (&str, &str) {
    let Some((page, fragment)) = href.split_once('#') else { return (href, "") };
    if !is_course(fragment) {
        return (page, fragment);
    }
    let rest = fragment.split_once('?').map_or("", |(_, rest)| rest);
    // The separator `?` stands before the session.
    let end = href.len().saturating_sub(if fragment.contains('?') { rest.len().saturating_add(1) } else { 0 });
    (href.get(..end).unwrap_or(href), rest)
}

fn is_course(fragment: &str) -> bool {
    let beyond = fragment.strip_prefix(COURSE.trim_start_matches('#'));
    beyond.is_some_and(|beyond| beyond.is_empty() || beyond.starts_with(['/', '?']))
}

#[cfg(test)]
mod tests {
    use super::{LessonName, Route, page_of, rest_of};

    #[test]
    fn address_splits_into_page_and_session() {
        for (href, page, rest) in [
            ("http://a/b/", "http://a/b/", ""),
            ("http://a/b/?x=1#s=QUI", "http://a/b/?x=1", "s=QUI"),
            ("http://a/b/#learn", "http://a/b/#learn", ""),
            ("http://a/b/#learned", "http://a/b/", "learned"),
            ("http://a/?x#learn/locks/setnx", "http://a/?x#learn/locks/setnx", ""),
            ("http://a/#learn/locks/setnx?s=QUI", "http://a/#learn/locks/setnx", "s=QUI"),
            ("http://a/#learn/locks/setnx?", "http://a/#learn/locks/setnx", ""),
            ("", "", ""),
        ] {
            assert_eq!((page_of(href), rest_of(href)), (page, rest), "{href}");
        }
    }

    #[test]
    fn address_names_a_page() {
        for (href, route) in [
            ("http://a/b/", Route::Sandbox),
            ("http://a/b/#s=QUI", Route::Sandbox),
            ("http://a/b/#commands", Route::Sandbox),
            ("http://a/b/#learn", Route::Course),
            ("http://a/b/#learn/", Route::Course),
            ("http://a/b/#learn?s=QUI", Route::Course),
            ("http://a/b/#learn/locks", Route::Course),
        ] {
            assert_eq!(Route::of_address(href), route, "{href}");
        }
        let lesson = LessonName { track: "locks".into(), id: "setnx".into() };
        assert_eq!(Route::of_address("http://a/#learn/locks/setnx?s=QUI"), Route::Lesson(lesson));
    }

    #[test]
    fn lesson_name_has_two_parts() {
        let named = |href| LessonName::of_address(href).map(|lesson| lesson.fragment());
        assert_eq!(named("http://a/#learn/locks/set-nx-ex").as_deref(), Some("#learn/locks/set-nx-ex"));
        assert_eq!(named("http://a/#learn/locks/setnx/?s=QUI").as_deref(), Some("#learn/locks/setnx"));
        for href in [
            "http://a/",
            "http://a/#learn",
            "http://a/#learn/",
            "http://a/#learn/locks",
            "http://a/#learn/../x",
            "http://a/#learn/a/b/c",
            "http://a/#s=#learn/a/b",
        ] {
            assert_eq!(named(href), None, "{href}");
        }
    }
}
