//! Any bytes as the files of a lesson: every mistake is reported with its file, or both languages can be packed and read again. Also any
//! bytes as a packed file that a page has fetched.
//! An input consists of files, each after a line with its name:
//!
//! ```text
//! %% lesson.toml
//! order = 10
//! %% text.en.md
//! ## An idea {#idea}
//! ```
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use lesson::packed::VERSION;
use lesson::source::read_lesson;
use lesson::{Index, Lesson};

use crate::memory;

/// Prefix of the line before a file.
pub const MARK: &str = "%% ";
/// Headers of packed lessons and of the packed map of the course.
const LESSON: &str = "lockstep-lesson";
const INDEX: &str = "lockstep-lessons";
/// Maximum bytes that an input may allocate.
const BYTES_MAX: usize = 64 << 20;

/// The folder of the files of an input: a lesson in a track.
static FOLDER: LazyLock<PathBuf> =
    LazyLock::new(|| std::env::temp_dir().join(format!("lockstep-fuzz-{}", std::process::id())).join("track/lesson"));

/// Reads an input as a folder, and as one packed file.
pub fn read(bytes: &[u8]) {
    memory::within(BYTES_MAX, || {
        // Unchanged, and after the right header.
        for file in [bytes.to_vec(), with_header(LESSON, bytes)] {
            if let Ok(lesson) = Lesson::read(&file) {
                again(&lesson);
            }
        }
        if let Ok(index) = Index::read(&with_header(INDEX, bytes)) {
            assert_eq!(Index::read(&index.write()).as_ref(), Ok(&index));
        }
        let text = String::from_utf8_lossy(bytes);
        put(&text, &FOLDER);
        match read_lesson(&FOLDER) {
            Err(faults) => {
                assert!(!faults.is_empty(), "refused without a reason");
                for fault in faults {
                    assert!(!fault.what.is_empty() && !fault.path.as_os_str().is_empty(), "{fault:?}");
                }
            }
            Ok(source) => source.lessons.iter().for_each(again),
        }
    });
}

/// A packed file with these bytes as its value.
fn with_header(what: &str, bytes: &[u8]) -> Vec<u8> {
    [format!("{what} {VERSION} {}\n", bytes.len()).as_bytes(), bytes].concat()
}

/// A written lesson can be read again and is equal.
fn again(lesson: &Lesson) {
    let written = lesson.write();
    assert_eq!(Lesson::read(&written).as_ref(), Ok(lesson));
}

/// Writes the files of an input to an empty folder.
fn put(text: &str, folder: &Path) {
    fs::remove_dir_all(folder).ok();
    fs::create_dir_all(folder).expect("a folder for the files");
    for file in format!("\n{text}").split(&format!("\n{MARK}")).skip(1) {
        let (name, text) = file.split_once('\n').unwrap_or((file, ""));
        let stem = name.strip_suffix(".lua").unwrap_or_default();
        let is_program = !stem.is_empty()
            && stem.len() < 40
            && stem.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
        if is_program || ["lesson.toml", "text.en.md", "text.zh-CN.md"].contains(&name) {
            fs::write(folder.join(name), text).expect("a file can be written");
        }
    }
}
