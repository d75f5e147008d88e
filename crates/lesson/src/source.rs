//! Lessons as people write them: reads their folders, tells every mistake with its place, and compiles them.
//!
//! ```text
//!   source/toml_file.rs   lesson.toml and track.toml: fields, and where each stands
//!   source/text.rs        text.en.md, text.zh-CN.md: headed pieces, Markdown to safe HTML
//!   source/program.rs     *.lua: comments of one language
//!   source/folder.rs      the folder of a lesson: all of them put together
//!   source/repairs.rs     repairs and choices: functions, frames, variations
//!   source/achieve.rs     states to reach: what has to hold, right and wrong ways
//!   source/forecast.rs    tables to forecast: rows and what is expected of each
//!   source/traffic.rs     handlers of traffic: in lines, in claims, and to write
//!   source.rs             the folder of all lessons
//! ```
//!
//! # `lesson.toml`
//! ```toml
//! order = 20                                  # place within the track
//! title = { en = "…", zh-CN = "…" }
//! summary = { en = "…", zh-CN = "…" }         # a sentence, shown on the map
//! panels = ["lanes", "programs"]              # which stand open
//! sections = ["problem", "why", "code"]       # headed pieces of the explanation
//! flow = ["problem", "break", "why", "repair", "code"]    # sections and tasks in the order in which a learner meets them; a section
//!                                             # behind a task opens when the task was tried. Without it sections come first
//! nodes = ["r1 none", "db table"]             # names, and what a restart finds: none, everysec, always; or a database. Without it, one
//!                                             # Redis server without a disk
//! setup = ["SET stock 5", "@db DELETE FROM t"]    # commands before the programs begin, to the first node or the one that is named
//!
//! traffic = "rate 100 items 2000"              # traffic that begins with the lesson, as words after `@traffic begin`
//! handler = "cache-aside.lua"                 # and its handler. In any line, `@traffic begin {traffic} rate 200 lua other.lua` stands
//!                                             # for the lesson's traffic at another rate with another handler of the folder
//!
//! [budget]                                    # how far "find a bug" looks
//! clients = 2                                 # of each clients; without it as many as on the stage
//! faults = { crashes = 1 }                    # crashes, pauses, losses, restarts, clock-jumps, delays, node-crashes, node-restarts,
//!                                             # node-clock-jumps, cuts, reply-delays: 0 without it
//! depth = 40                                  # steps
//!
//! [[client]]
//! name = "c"                                  # c1, c2, c3
//! program = "client.lua"                      # without it they only have a terminal. What it asks before its first request (now(),
//!                                             # uuid()) is answered when the stage is set
//! count = 3
//!
//! [[stage]]                                   # a stage beside this one, for a task that names it
//! id = "five"
//! nodes = ["r1 none", "r2 none"]              # nodes, setup, clients and budget as above
//! client = [{ name = "c", program = "five.lua", count = 2 }]
//! budget = { clients = 2, depth = 40, faults = { node-crashes = 1 } }
//!
//! [[property]]
//! id = "one-at-a-time"
//! title = { en = "…", zh-CN = "…" }
//! watch = "mutual-exclusion"                  # what stands behind `@watch` in the world's text form
//! broken = 6                                  # steps of the shortest schedule that breaks it; without it: it holds,
//! broken-by = "wrong-no-lock.lua"             # and these functions break it on the stage (not needed where a start, a wrong answer
//!                                             # or a cheat of a repair breaks it)
//!
//! [[check]]                                   # a property that only variations of repairs watch: the same fields
//! id = "sold-out"
//! title = { en = "…", zh-CN = "…" }
//! watch = "sum end = 1 tally sold"
//!
//! [[step]]                                    # the story
//! id = "read"
//! breaks = ["one-at-a-time"]                  # which properties are broken by then and were not before; without it: none
//! do = ["c1< step 0", "c2< step 0"]                   # lines of the world's text form
//!
//! [[task]]
//! id = "break"
//! kind = "break"                              # break | achieve | repair | handler | choose | predict | forecast
//! hints = 2                                   # how many
//! property = "one-at-a-time"
//! stage = "five"                              # on which stage; without it, the lesson's own
//! faults = { node-crashes = 1, cuts = 2 }     # what the learner may let go wrong; without it, as the budget of the stage
//! broken = 12                                 # with one of these two: steps of the shortest schedule with these faults
//!
//! [[task]]
//! id = "repair"
//! kind = "repair"
//! program = "client.lua"                      # the program of the stage: functions, a line `---- frame ----`, the frame. A repair of
//!                                             # something else names it too, with a `start` and a `frame` in its first variation
//! start = "naive.lua"                         # the functions that one begins with; without it, the program's own
//! properties = ["one-at-a-time", "no-deadlock"]
//! solution = "solution.lua"                   # functions that pass
//! right = ["other-way.lua"]                   # other functions that pass: a right program may look quite different
//! wrong = [                                   # functions that look good, and where it shows first that they are not: in which
//!     { program = "wrong-late.lua", variation = "long-work", property = "one-at-a-time", way = "SET GET DEL" },
//! ]                                           # variation (without it, the first) and what is sent (`lesson check` tells it)
//! cheats = [{ program = "cheat-no-release.lua", property = "free-again" }]   # functions that only want to pass
//!
//! [[task.variation]]                          # the first one is the stage; a repair has to hold on all of them, in whole spaces
//! id = "long-work"
//! title = { en = "…", zh-CN = "…" }           # what is different
//! frame = "works-twice.lua"                   # another frame; without it, the program's
//! set = { work_ms = "60000" }                 # other values for lines `local work_ms = …` of the frame
//! setup = ["SET stock 1"]                     # without it, the lesson's
//! seed = 7
//! clients = 2                                 # how many run the program
//! faults = { pauses = 1 }                     # what may go wrong, as in the budget
//! properties = ["one-at-a-time", "sold-out"]  # without it, the task's
//!
//! [[task.harmless]]                           # a statement or a constant of a solution that does not matter
//! program = "solution.lua"                    # without it, the solution
//! line = "sleep(1000)"                        # its line
//! what = "1000"                               # the constant; without it, the statement
//! why = "How often to ask is a choice."
//!
//! [[task]]
//! id = "write"
//! kind = "handler"                            # write a handler of traffic whose figures stay within bounds under every variation
//! start = "cache-aside.lua"                   # what one begins with; it fails
//! properties = ["capacity", "fresh"]          # each a `[[check]]` with `watch = "traffic queries-peak in * 200"`
//! solution = "jitter.lua"                     # `right`, `wrong` (without `way`), `cheats` and `harmless` as of a repair
//!
//! [[task.variation]]
//! id = "restart"
//! title = { en = "…", zh-CN = "…" }
//! traffic = "rate 150 seed 7"                 # what of the lesson's traffic is different
//! do = ["@+60000ms", "@0 crash", "@0 start", "@+60000ms"]    # what happens; `nodes` and `setup` as of the lesson without them
//!
//! [[task]]
//! id = "choose"
//! kind = "choose"
//! of = "repair"                               # which of these pass there?
//! choices = ["wrong-late.lua", "solution.lua", "other-way.lua"]
//!
//! [[task]]
//! id = "predict"
//! kind = "predict"
//! after = ["c1< step 0"]
//! then = ["c2< step 0"]
//! choices = ["one", "nothing"]
//! answer = "nothing"
//! shows = "(nil)"                             # what redis-cli prints for the last reply, by which the answer is checked;
//!                                             # or: breaks = "one-at-a-time"
//!                                             # or: counts = "traffic queries-peak in 900 1100", figures of `world::traffic::bound`
//!
//! [[task]]
//! id = "table"
//! kind = "forecast"                           # which messages are lost, repeated, out of order? A row for each key of `produced(id, key)`
//! do = ["p1< step 0", "c1< crash"]            # one script for all rows, from the beginning
//! rows = [                                    # `expect`: lost (produced, not processed when all programs are over), repeated
//!                                             # (processed more than once), disordered (out of order within the key); the ledger has
//!                                             # to say just that when the script is over, and not the same of all rows
//!     { key = "list", title = { en = "List, `BLPOP`", zh-CN = "列表，`BLPOP`" }, expect = ["lost"] },
//!     { key = "stream", title = { en = "Stream", zh-CN = "流" }, expect = ["repeated", "disordered"] },
//! ]
//!
//! [[task]]
//! id = "by-hand"
//! kind = "achieve"                            # reach a state, in any right way; done when everything under `when` holds and no
//!                                             # wrong way is recognised
//! solution = ["c1> SET lock c1 NX EX 10"]     # lines of the world's text form that lead there
//! ways = [["c1> SET lock c1 PX 9000 NX"], ["c1> SET lock c1 EX 5 NX"]]   # two other ways at least: a right way may look different
//!
//! [[task.when]]
//! text = { en = "`lock` holds `c1`", zh-CN = "`lock` 的值是 `c1`" }   # what the learner reads: one line of Markdown
//! ask = "GET lock"                            # a command that only reads, asked of a copy of the server in database 0, and what
//! is = '"c1"'                                 # redis-cli prints then: this text, or one of a list
//!
//! [[task.when]]
//! text = { en = "It ends within ten seconds", zh-CN = "它在十秒内到期" }
//! ask = "PTTL lock"                           # instead of `is`:
//! in = "1..10000"                             # an integer, both ends included, `1..` and `..10` without one of them
//!                                             # or: not = "(nil)"
//! [[task.when]]
//! text = { en = "`c2` was turned away", zh-CN = "`c2` 没有抢到" }
//! reply = "c2"                                # the last reply of a client: is, not, in
//! is = "(nil)"
//!
//! [[task.when]]
//! text = { en = "One command of `c1`", zh-CN = "`c1` 只用一条命令" }
//! at-most = 1                                 # commands since the stage was set, typed or sent by programs, or `at-least`;
//! by = "c1"                                   # without `by`: of all clients together. Other claims, with or without `by`:
//!                                             # without = ["EXPIRE", "CONFIG SET"]   none of these commands was sent
//!                                             # sent = "SET"                          this command, or one of a list, was sent
//!                                             # lacks = ["NX"]                        and without any of these words
//!                                             # traffic = "queries-peak from 60000", in = "200.."   a figure of traffic
//!                                             # handler = "cache-aside.lua"                         what it runs
//!                                             # Of a client's connections: closed = "c1", because = ["output-buffer"], one was
//!                                             # closed for one of these reasons; not-closed = "c1", because = [...], none was.
//!                                             # Others are "killed", "quit" and "itself" (Ctrl-C, a crash, another program).
//!
//! [[task.wrong]]                              # a way that looks right; `text.<language>.md` says why it is not
//! id = "setnx"
//! when = [{ ask = "TTL lock", is = "(integer) -1" }]   # it is recognised when all of these hold, best by what it leaves behind
//! example = ["c1> SETNX lock c1"]             # lines that go this way
//! ```
//!
//! # `text.<language>.md`
//! Headings of the second level carry an id: `## Two commands {#commands}`. The ids are those that `lesson.toml` asks for, in this
//! order: each section; each step as `step.<id>`; each task as `<id>`, then `<id>.hint-1` …, `<id>.choice-<choice>` and
//! `<id>.reply-<choice>` …, `<id>.wrong-<program>` … (of a state to reach `<id>.wrong-<way>` …), `<id>.right-<program>` for each that survives in a task to choose,
//! `<id>.solution`. The heading of a hint, a choice, a reply or a solution is not shown.
//!
//! A block marked as `figure` is drawn with characters: it does not wrap, as other blocks do.
//!
//! # `*.lua`
//! A comment stands on lines of its own, first in English (`-- en: …`), then in Chinese (`-- zh: …`) on as many lines, so that
//! line n is line n in both languages. The first one says what the program is.
mod achieve;
mod folder;
mod forecast;
mod program;
mod repairs;
mod text;
mod toml_file;
mod traffic;

use crate::{Entry, Index, LANGUAGES, Lesson, Track};
use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};
use toml_file::{Both, TrackToml};

/// A mistake in the files of a lesson.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The file or folder.
    pub path: PathBuf,
    /// The line, from 1; 0 where the file as a whole is meant.
    pub line: usize,
    /// What was expected.
    pub what: String,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            0 => write!(f, "{}: {}", self.path.display(), self.what),
            line => write!(f, "{}:{line}: {}", self.path.display(), self.what),
        }
    }
}

/// A lesson in both languages, with what only its checks need.
#[derive(Clone, Debug)]
pub struct Source {
    /// Its folder.
    pub folder: PathBuf,
    /// Its place within its track.
    pub order: u32,
    /// The lesson, in the order of [`LANGUAGES`].
    pub lessons: [Lesson; 2],
    /// By step of the story, the properties that it breaks.
    pub breaks: Vec<Vec<String>>,
    /// How the answers of *predict* tasks are checked.
    pub predictions: Vec<Prediction>,
    /// What is to be proved of each repair.
    pub proofs: Vec<Proofs>,
    /// The ways to each state that is to be reached.
    pub ways: Vec<Ways>,
    /// Programs that break what the lesson's own programs do not.
    pub broken_by: Vec<BrokenBy>,
    /// Lines of `lesson.toml` where steps (`step.read`), properties (`property.sold`) and tasks (`task.break`) stand.
    places: BTreeMap<String, usize>,
}

impl Source {
    /// A mistake that shows when the lesson is played; the place is `step.<id>`, `property.<id>` or `task.<id>`.
    pub fn fault(&self, place: &str, what: impl Into<String>) -> Fault {
        let line = self.places.get(place).copied().unwrap_or_default();
        Fault { path: self.folder.join("lesson.toml"), line, what: what.into() }
    }
}

/// How the answer of a *predict* task is checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Prediction {
    /// The task's id.
    pub task: String,
    /// What redis-cli prints for the last reply.
    pub shows: Option<String>,
    /// The property that is broken then.
    pub breaks: Option<String>,
    /// A claim about traffic that holds then.
    pub counts: Option<String>,
}

/// Functions with the name of their file, comments in English.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Functions {
    /// `own-token.lua`
    pub file: String,
    /// Lua.
    pub text: String,
}

/// What is to be proved of a repair, besides what the page knows of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proofs {
    /// The task's id.
    pub task: String,
    /// Functions that pass; the solution is the first.
    pub passing: Vec<Functions>,
    /// Functions that only want to pass.
    pub cheats: Vec<Cheat>,
    /// What can be changed in those that pass.
    pub harmless: Vec<Harmless>,
}

/// Ways to a state, as lines of the world's text form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ways {
    /// The task's id.
    pub task: String,
    /// Ways that lead there; the solution is the first.
    pub right: Vec<Vec<String>>,
    /// For each wrong way of the task, one that goes it.
    pub wrong: Vec<Vec<String>>,
}

/// Functions that only want to pass, and do not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cheat {
    /// They.
    pub functions: Functions,
    /// The variation in which that shows first.
    pub variation: String,
    /// The property that is broken there, or never put to the test.
    pub property: String,
}

/// A statement or a constant of functions that pass which does not matter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Harmless {
    /// The file.
    pub file: String,
    /// Its line, without the space around it.
    pub line: String,
    /// The constant; `None`: the statement.
    pub what: Option<String>,
    /// Why that does no harm.
    pub why: String,
}

/// A program that breaks a property which the lesson's own programs keep.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BrokenBy {
    /// The property's id.
    pub property: String,
    /// The program, or functions above the stage's frame.
    pub functions: Functions,
}

/// All lessons.
#[derive(Clone, Debug)]
pub struct Course {
    /// In their order.
    pub tracks: Vec<TrackSource>,
}

/// A track.
#[derive(Clone, Debug)]
pub struct TrackSource {
    /// Its folder's name.
    pub id: String,
    /// Its place within the course.
    pub order: u32,
    title: Both,
    summary: Both,
    /// In their order.
    pub lessons: Vec<Source>,
}

/// Reads the folder of one lesson.
///
/// # Errors
/// All its mistakes.
pub fn read_lesson(folder: &Path) -> Result<Source, Vec<Fault>> {
    folder::read(folder)
}

/// Reads the folder of all lessons.
///
/// # Errors
/// All their mistakes.
pub fn read_course(root: &Path) -> Result<Course, Vec<Fault>> {
    let mut faults = Vec::new();
    let mut tracks = Vec::new();
    for folder in folders(root).map_err(|fault| vec![fault])? {
        match read_track(&folder) {
            Ok(track) => tracks.push(track),
            Err(found) => faults.extend(found),
        }
    }
    tracks.sort_by_key(|track: &TrackSource| track.order);
    let places: Vec<_> = tracks.iter().map(|track| (track.order, root.join(&track.id))).collect();
    faults.extend(doubled(&places));
    if faults.is_empty() { Ok(Course { tracks }) } else { Err(faults) }
}

/// Reads the folder of a track.
///
/// # Errors
/// All its mistakes.
pub fn read_track(folder: &Path) -> Result<TrackSource, Vec<Fault>> {
    let mut faults = Vec::new();
    let toml: Option<TrackToml> = toml_file::read(&folder.join("track.toml"), &mut faults).map(|(toml, _)| toml);
    let mut lessons = Vec::new();
    match folders(folder) {
        Ok(found) => {
            for folder in found {
                match read_lesson(&folder) {
                    Ok(lesson) => lessons.push(lesson),
                    Err(found) => faults.extend(found),
                }
            }
        }
        Err(fault) => faults.push(fault),
    }
    lessons.sort_by_key(|lesson: &Source| lesson.order);
    let places: Vec<_> = lessons.iter().map(|lesson| (lesson.order, lesson.folder.clone())).collect();
    faults.extend(doubled(&places));
    match toml {
        Some(TrackToml { order, title, summary }) if faults.is_empty() => {
            Ok(TrackSource { id: name_of(folder), order, title, summary, lessons })
        }
        _ => Err(faults),
    }
}

/// Two neighbours that want the same place.
fn doubled(places: &[(u32, PathBuf)]) -> Vec<Fault> {
    let pairs = places.iter().zip(places.iter().skip(1)).filter(|((one, _), (other, _))| one == other);
    pairs
        .map(|((order, one), (_, path))| {
            let what = format!("`order = {order}` is that of {} too", one.display());
            Fault { path: path.clone(), line: 0, what }
        })
        .collect()
}

/// The folders in a folder, by name.
fn folders(root: &Path) -> Result<Vec<PathBuf>, Fault> {
    let fault = |error: std::io::Error| Fault { path: root.to_path_buf(), line: 0, what: error.to_string() };
    let mut found = Vec::new();
    for entry in root.read_dir().map_err(fault)? {
        let path = entry.map_err(fault)?.path();
        if path.is_dir() {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}

fn name_of(path: &Path) -> String {
    path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}

impl Course {
    /// All lessons in their order.
    pub fn lessons(&self) -> impl Iterator<Item = &Source> {
        self.tracks.iter().flat_map(|track| &track.lessons)
    }

    /// The map of the course in one of [`LANGUAGES`].
    pub fn index(&self, language: usize) -> Index {
        let entry = |source: &Source| {
            let lesson = source.lessons.get(language)?;
            let tasks = lesson.tasks.iter().map(|task| task.id.clone()).collect();
            Some(Entry { id: lesson.id.clone(), title: lesson.title.clone(), summary: lesson.summary.clone(), tasks })
        };
        let tracks = self.tracks.iter().map(|track| Track {
            id: track.id.clone(),
            title: track.title.of(language).to_owned(),
            summary: track.summary.of(language).to_owned(),
            lessons: track.lessons.iter().filter_map(entry).collect(),
        });
        Index { tracks: tracks.collect() }
    }

    /// What the page fetches: paths relative to its document, and their contents.
    pub fn compiled(&self) -> Vec<(String, String)> {
        let mut files = Vec::new();
        for (number, language) in LANGUAGES.into_iter().enumerate() {
            files.push((Index::path(language), self.index(number).write()));
            for lesson in self.lessons().filter_map(|source| source.lessons.get(number)) {
                files.push((Lesson::path(&lesson.track, &lesson.id, language), lesson.write()));
            }
        }
        files
    }
}
