//! Measures the build of trunk: the download size of each file, and which files the first load needs.
//!
//! The files of the first load are read from the files themselves, starting with `index.html`: every file that it names, and every file
//! that a named module imports or a named style sheet uses. This is an upper bound that needs no browser; a browser test compares it with
//! the files that are really fetched.
//!
//! Three things are known here by name: a visitor needs the messages of one language; a lesson needs more before its first step, the
//! chunk of the course and the text of the lesson; and one with programs needs what runs them, which the document names too.
use anyhow::{Context, Result};
use std::collections::BTreeSet;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

/// A file of `dist/`.
pub struct DistFile {
    /// Path relative to `dist/`, with `/`.
    pub name: String,
    /// Size of the file, in bytes.
    pub bytes: usize,
    /// Size compressed with brotli, quality 11.
    pub compressed: usize,
    /// Is it fetched before the sandbox can be used?
    pub first_load: bool,
    /// Is it fetched before any lesson can be used?
    pub course_load: bool,
}

/// Suffixes of the chunks of the course and of programs.
const COURSE: [&str; 3] = ["_course.wasm", "_lab.wasm", "_scripts.wasm"];
/// Suffixes of the chunks with the messages of a language. A visitor needs one of them at once: the larger one counts.
const MESSAGES: [&str; 2] = ["_en.wasm", "_zh-CN.wasm"];
/// The files that run the programs and scripts of lessons. The second part of the module follows them.
const MACHINE: [&str; 4] = ["lua-page.js", "lua-page_bg.wasm", "machine.js", "breathe.js"];

/// All files, largest first.
pub struct Weight {
    /// The files.
    pub files: Vec<DistFile>,
}

impl Weight {
    /// Compressed bytes of everything the first load fetches.
    pub fn first_load(&self) -> usize {
        self.files.iter().filter(|file| file.first_load).map(|file| file.compressed).sum()
    }

    /// Compressed bytes of everything fetched to open the largest lesson, without the module that runs scripts, which [`Weight::machine`]
    /// counts. The list of lessons is fetched after the first step.
    pub fn course_load(&self) -> usize {
        let always: usize = self.files.iter().filter(|file| file.course_load).map(|file| file.compressed).sum();
        let heaviest = |is_it: fn(&str) -> bool| {
            self.files.iter().filter(|file| is_it(&file.name)).map(|file| file.compressed).max()
        };
        let is_lesson = |name: &str| name.starts_with("lessons/") && !name.starts_with("lessons/index.");
        always + heaviest(is_lesson).unwrap_or(0)
    }

    /// Compressed bytes of what runs the programs and scripts of a lesson.
    pub fn machine(&self) -> usize {
        let is_machine = |file: &&DistFile| MACHINE.contains(&file.name.as_str());
        self.files.iter().filter(is_machine).map(|file| file.compressed).sum()
    }
}

/// Reads and weighs every file under the folder.
///
/// # Errors
/// When a file cannot be read.
pub fn weigh(folder: &Path) -> Result<Weight> {
    let mut contents = Vec::new();
    for path in files_under(folder)? {
        let name = name_of(folder, &path)?;
        let bytes = fs::read(&path).with_context(|| format!("cannot read {}", path.display()))?;
        contents.push((name, bytes));
    }
    let first = first_load_names(&contents, "index.html");
    let mut files = Vec::new();
    for (name, bytes) in &contents {
        files.push(DistFile {
            name: name.clone(),
            bytes: bytes.len(),
            compressed: compressed_size(bytes)?,
            first_load: first.contains(name),
            course_load: first.contains(name) || COURSE.iter().any(|suffix| name.ends_with(suffix)),
        });
    }
    files.sort_by_key(|file| std::cmp::Reverse(file.compressed));
    if let Some(messages) = files.iter_mut().find(|file| MESSAGES.iter().any(|suffix| file.name.ends_with(suffix))) {
        (messages.first_load, messages.course_load) = (true, true);
    }
    Ok(Weight { files })
}

/// The path of a file relative to the folder, with `/`.
///
/// # Errors
/// If the file is not in the folder.
pub fn name_of(folder: &Path, file: &Path) -> Result<String> {
    let parts = file.strip_prefix(folder)?.components().map(|part| part.as_os_str().to_string_lossy());
    Ok(parts.collect::<Vec<_>>().join("/"))
}

/// Every file under a folder, in order of path.
///
/// # Errors
/// If a folder cannot be read.
pub fn files_under(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in folder.read_dir().with_context(|| format!("cannot read {}", folder.display()))? {
            let path = entry?.path();
            if path.is_dir() {
                folders.push(path);
            } else {
                files.push(path);
            }
        }
    }
    files.sort();
    Ok(files)
}

fn compressed_size(bytes: &[u8]) -> Result<usize> {
    let mut compressed = Vec::new();
    let mut writer = brotli::CompressorWriter::new(&mut compressed, 1 << 16, 11, 22);
    writer.write_all(bytes)?;
    drop(writer);
    Ok(compressed.len())
}

/// All files reached by following names, starting at `root`.
fn first_load_names(contents: &[(String, Vec<u8>)], root: &str) -> BTreeSet<String> {
    let mut reached = BTreeSet::new();
    let mut waiting = vec![root.to_owned()];
    while let Some(name) = waiting.pop() {
        let Some((_, bytes)) = contents.iter().find(|(other, _)| *other == name) else { continue };
        if !reached.insert(name.clone()) {
            continue;
        }
        let text = String::from_utf8_lossy(bytes);
        let mentioned: Vec<&str> = match name.rsplit('.').next() {
            // Dynamic imports in scripts of the document do not count either.
            Some("html") => text.split("import(").enumerate().map(|(nth, part)| behind_import(nth, part)).collect(),
            // A dynamic `import(…)` is fetched on use; only static ones count.
            Some("js" | "mjs") => text.split(';').filter(|part| is_static_import(part)).collect(),
            Some("css") => text.split("url(").skip(1).filter_map(|part| part.split(')').next()).collect(),
            _ => Vec::new(),
        };
        for (other, _) in contents {
            let base = other.rsplit('/').next().unwrap_or(other);
            let counts = *other != name && !MACHINE.contains(&other.as_str());
            if counts && mentioned.iter().any(|text| names_file(text, base)) {
                waiting.push(other.clone());
            }
        }
    }
    reached
}

/// A part of a text that was split at `import(`, without the imported name.
fn behind_import(nth: usize, part: &str) -> &str {
    if nth == 0 { part } else { part.split_once(')').map_or("", |(_, rest)| rest) }
}

fn is_static_import(statement: &str) -> bool {
    let statement = statement.trim_start();
    let from = statement.starts_with("export") && statement.contains(" from ");
    from || (statement.starts_with("import") && !statement.starts_with("import(") && !statement.starts_with("import."))
}

/// Does the text mention the file name as a whole name, not as the end of a longer one?
fn names_file(text: &str, base: &str) -> bool {
    let inside_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.');
    text.match_indices(base).any(|(at, _)| {
        let before = text.get(..at).and_then(|head| head.chars().next_back());
        let after = text.get(at + base.len()..).and_then(|rest| rest.chars().next());
        !before.is_some_and(inside_name) && !after.is_some_and(inside_name)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn first_load(files: &[(&str, &str)]) -> Vec<String> {
        let contents: Vec<_> =
            files.iter().map(|(name, text)| ((*name).to_owned(), text.as_bytes().to_vec())).collect();
        first_load_names(&contents, "index.html").into_iter().collect()
    }

    #[test]
    fn static_imports_belong_to_the_first_load_and_dynamic_ones_do_not() {
        let files = [
            (
                "index.html",
                "<script>import init from './page-1a.js'; init('./page-1a_bg.wasm'); later = () => import('./late.js?' + n)</script><link href=a.css>",
            ),
            ("page-1a.js", "import { x } from './snippets/x.js';\nconst late = () => import('./editor.js');"),
            ("page-1a_bg.wasm", ""),
            ("snippets/x.js", ""),
            ("editor.js", ""),
            ("late.js", ""),
            ("worker.js", ""),
            ("a.css", "@font-face { src: url('./f.woff2') }"),
            ("f.woff2", ""),
        ];
        assert_eq!(
            first_load(&files),
            ["a.css", "f.woff2", "index.html", "page-1a.js", "page-1a_bg.wasm", "snippets/x.js"]
        );
    }

    #[test]
    fn a_lesson_weighs_the_first_load_and_its_chunk_and_its_text() {
        let folder = std::env::temp_dir().join(format!("lockstep-weigh-{}", std::process::id()));
        fs::create_dir_all(folder.join("lessons")).unwrap();
        let load = "<script>load('./lockstep-page-1.js', './lockstep-page-1_bg.wasm')</script>";
        let files = [
            ("index.html", load),
            ("lockstep-page-1.js", "export const CHUNKS=['lockstep-page-1_course.wasm','lockstep-page-1_rest.wasm']"),
            ("lockstep-page-1_bg.wasm", "first"),
            ("lockstep-page-1_course.wasm", "course"),
            ("lockstep-page-1_rest.wasm", "rest"),
            ("lockstep-page-1_en.wasm", "words"),
            ("lockstep-page-1_zh-CN.wasm", "many more words"),
            ("lessons/index.en.bin", "index"),
            ("lessons/short.bin", "a"),
            ("lessons/long.bin", "abcdefghijkl"),
        ];
        for (name, text) in files {
            fs::write(folder.join(name), text).unwrap();
        }
        let weight = weigh(&folder).unwrap();
        fs::remove_dir_all(&folder).unwrap();
        let of = |name: &str| weight.files.iter().find(|file| file.name == name).unwrap().compressed;
        let program = of("lockstep-page-1.js") + of("lockstep-page-1_bg.wasm");
        let first = of("index.html") + program + of("lockstep-page-1_zh-CN.wasm");
        assert_eq!(weight.first_load(), first);
        let lesson = of("lockstep-page-1_course.wasm") + of("lessons/long.bin");
        assert_eq!(weight.course_load(), first + lesson);
    }

    #[test]
    fn a_suffix_of_a_longer_name_is_not_a_mention() {
        assert!(!names_file("./my-worker.js", "worker.js"));
        assert!(names_file("./worker.js?x", "worker.js"));
    }

    #[test]
    fn repetition_compresses() {
        assert!(compressed_size(&[b'a'; 10_000]).unwrap() < 100);
    }
}
