//! The source format of lessons: reads their folders, reports every mistake with its position, and compiles them.
//!
//! ```text
//!   source/toml_file.rs   lesson.toml and track.toml: fields and their positions
//!   source/text.rs        text.en.md, text.zh-CN.md: pieces with headings, Markdown to safe HTML
//!   source/program.rs     *.lua: selects the comments of one language
//!   source/folder.rs      the folder of a lesson: combines all files
//!   source/repairs.rs     repairs and choices: functions, frames, variations
//!   source/achieve.rs     states to reach: conditions, valid and wrong ways
//!   source/forecast.rs    forecast tasks: rows and their expected results
//!   source/traffic.rs     traffic handlers in lines, claims and tasks
//!   source/scripting.rs   scripts to write: the cases in which they run
//!   source.rs             the folder of all lessons
//! ```
//!
//! # `lesson.toml`
//! ```toml
//! order = 20                                  # position within the track
//! title = { en = "…", zh-CN = "…" }
//! summary = { en = "…", zh-CN = "…" }         # one sentence, shown on the map
//! panels = ["lanes", "programs"]              # panels that are open at the start
//! sections = ["problem", "why", "code"]       # sections of the explanation
//! flow = ["problem", "break", "why", "repair", "code"]    # reading order of sections and tasks; a section after a task opens when
//!                                             # the learner has tried the task. Default: sections first
//! nodes = ["r1 none", "db table"]             # names, each with its persistence (none, everysec, always) or `table` for a database.
//!                                             # Default: one Redis server without a disk
//! clock = "23:00"                             # time of day at which the clock starts (default 12:00)
//! setup = ["SET stock 5", "@db DELETE FROM t"]    # commands before the programs begin, for the first node or the named one
//!
//! traffic = "rate 100 items 2000"              # traffic that starts with the lesson, as words after `@traffic begin`
//! handler = "cache-aside.lua"                 # its handler. In any line, `@traffic begin {traffic} rate 200 lua other.lua` means
//!                                             # the lesson's traffic at another rate with another handler of the folder
//!
//! [budget]                                    # limits of "find a bug"
//! clients = 2                                 # of each clients; without it as many as on the stage
//! faults = { crashes = 1 }                    # crashes, pauses, losses, restarts, clock-jumps, delays, node-crashes, node-restarts,
//!                                             # node-clock-jumps, cuts, reply-delays: default 0
//! depth = 40                                  # steps
//!
//! [[client]]
//! name = "c"                                  # c1, c2, c3
//! program = "client.lua"                      # without it they have only a terminal. Its requests before the first command (now(),
//!                                             # uuid()) are answered when the stage is set up
//! count = 3
//!
//! [[stage]]                                   # an additional stage, for a task that names it
//! id = "five"
//! nodes = ["r1 none", "r2 none"]              # nodes, setup, clients and budget as above
//! client = [{ name = "c", program = "five.lua", count = 2 }]
//! budget = { clients = 2, depth = 40, faults = { node-crashes = 1 } }
//!
//! [[property]]
//! id = "one-at-a-time"
//! title = { en = "…", zh-CN = "…" }
//! watch = "mutual-exclusion"                  # the words after `@watch` in the world's text form
//! broken = 6                                  # steps of the shortest schedule that breaks it; without it, the property holds,
//! broken-by = "wrong-no-lock.lua"             # and these functions break it on the stage (not needed if the start, a wrong answer
//!                                             # or a cheat of a repair breaks it)
//!
//! [[check]]                                   # a property that only variations of repairs watch; same fields
//! id = "sold-out"
//! title = { en = "…", zh-CN = "…" }
//! watch = "sum end = 1 tally sold"
//!
//! [[step]]                                    # the story
//! id = "read"
//! breaks = ["one-at-a-time"]                  # the properties that this step newly breaks; default: none
//! do = ["c1< step 0", "c2< step 0"]                   # lines of the world's text form
//!
//! [[task]]
//! id = "break"
//! kind = "break"                              # break | achieve | repair | handler | script | choose | predict | forecast
//! hints = 2                                   # number of hints
//! property = "one-at-a-time"
//! stage = "five"                              # the stage; default: the lesson's own
//! faults = { node-crashes = 1, cuts = 2 }     # the faults that the learner may cause; default: the stage's budget
//! broken = 12                                 # with `stage` or `faults`: steps of the shortest schedule with these faults
//!
//! [[task]]
//! id = "repair"
//! kind = "repair"
//! program = "client.lua"                      # the program of the stage: functions, a line `---- frame ----`, the frame. A repair of
//!                                             # another program names it too, with a `start` and a `frame` in its first variation
//! start = "naive.lua"                         # the initial functions; default: the program's own
//! properties = ["one-at-a-time", "no-deadlock"]
//! solution = "solution.lua"                   # functions that pass
//! right = ["other-way.lua"]                   # other functions that pass: correct programs may look quite different
//! wrong = [                                   # plausible functions that fail, with the place of their first failure:
//!     { program = "wrong-late.lua", variation = "long-work", property = "one-at-a-time", way = "SET GET DEL" },
//! ]                                           # the variation (default: the first) and the commands sent (`lesson check` prints them)
//! cheats = [{ program = "cheat-no-release.lua", property = "free-again" }]   # functions that circumvent the task
//!
//! [[task.variation]]                          # the first one is the stage; a repair must pass on all of them, in a complete search
//! id = "long-work"
//! title = { en = "…", zh-CN = "…" }           # the difference from the stage
//! frame = "works-twice.lua"                   # another frame; default: the program's
//! set = { work_ms = "60000" }                 # other values for lines `local work_ms = …` of the frame
//! setup = ["SET stock 1"]                     # default: the lesson's
//! seed = 7
//! clients = 2                                 # how many clients run the program
//! faults = { pauses = 1 }                     # possible faults, as in the budget
//! properties = ["one-at-a-time", "sold-out"]  # default: the task's
//!
//! [[task.harmless]]                           # a statement or constant of a solution whose change is harmless
//! program = "solution.lua"                    # default: the solution
//! line = "sleep(1000)"                        # its line
//! what = "1000"                               # the constant; without it, the whole statement
//! why = "How often to ask is a choice."
//!
//! [[task]]
//! id = "write"
//! kind = "handler"                            # write a traffic handler whose metrics stay within bounds under every variation
//! start = "cache-aside.lua"                   # the initial handler; it fails
//! properties = ["capacity", "fresh"]          # each a `[[check]]` with `watch = "traffic queries-peak in * 200"`
//! solution = "jitter.lua"                     # `right`, `wrong` (without `way`), `cheats` and `harmless` as for a repair
//!
//! [[task.variation]]
//! id = "restart"
//! title = { en = "…", zh-CN = "…" }
//! traffic = "rate 150 seed 7"                 # settings that override the lesson's traffic
//! do = ["@+60000ms", "@0 crash", "@0 start", "@+60000ms"]    # the inputs; `nodes` and `setup` default to the lesson's
//!
//! [[task]]
//! id = "take"
//! kind = "script"                             # write a script whose replies and effects are right in every case
//! start = "empty.lua"                         # the initial script; it fails in some case
//! solution = "take.lua"                       # a script that passes; `right` and `harmless` as for a repair, `cheats` if there are any
//! wrong = [{ program = "wrong-nil.lua", variation = "none-left" }]   # plausible scripts with the first case in which they fail. One
//!                                             # is recognised by what it replies and does there
//!
//! [[task.variation]]                          # a case; the learner sees it only when the script has been tried there
//! id = "none-left"
//! title = { en = "…", zh-CN = "…" }
//! setup = ["SET stock 0"]                     # default: the lesson's
//! do = ["c1> EVAL {script} 1 stock"]          # the inputs; `{script}` is the script
//! when = [{ text = { en = "…", zh-CN = "…" }, reply = "c1", is = "(integer) 0" }]   # claims as for a state to reach
//!
//! [[task]]
//! id = "choose"
//! kind = "choose"
//! of = "repair"                               # which of these functions pass there?
//! choices = ["wrong-late.lua", "solution.lua", "other-way.lua"]
//!
//! [[task]]
//! id = "predict"
//! kind = "predict"
//! after = ["c1< step 0"]
//! then = ["c2< step 0"]
//! choices = ["one", "nothing"]
//! answer = "nothing"
//! shows = "(nil)"                             # redis-cli's output for the last reply, which is checked;
//!                                             # or: breaks = "one-at-a-time"
//!                                             # or: counts = "traffic queries-peak in 900 1100", metrics of `world::traffic::bound`
//!
//! [[task]]
//! id = "table"
//! kind = "forecast"                           # which messages are lost, repeated, out of order? One row per key of `produced(id, key)`
//! do = ["p1< step 0", "c1< crash"]            # one script for all rows, from the beginning
//! rows = [                                    # `expect`: lost (produced, but not processed when all programs are over), repeated
//!                                             # (processed more than once), disordered (out of order within the key); the ledger
//!                                             # must agree after the script, and the rows must not all be the same
//!     { key = "list", title = { en = "List, `BLPOP`", zh-CN = "列表，`BLPOP`" }, expect = ["lost"] },
//!     { key = "stream", title = { en = "Stream", zh-CN = "流" }, expect = ["repeated", "disordered"] },
//! ]
//!
//! [[task]]
//! id = "by-hand"
//! kind = "achieve"                            # reach a state in any valid way; done when all claims under `when` hold and no
//!                                             # wrong way is recognised
//! solution = ["c1> SET lock c1 NX EX 10"]     # lines of the world's text form that lead there
//! ways = [["c1> SET lock c1 PX 9000 NX"], ["c1> SET lock c1 EX 5 NX"]]   # at least two other valid ways
//!
//! [[task.when]]
//! text = { en = "`lock` holds `c1`", zh-CN = "`lock` 的值是 `c1`" }   # the text for the learner: one line of Markdown
//! ask = "GET lock"                            # a read-only command, run on a copy of the server in database 0, and its
//! is = '"c1"'                                 # output in redis-cli: this text, or one of a list
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
//! at-most = 1                                 # commands since the stage was set up, typed or sent by programs, or `at-least`;
//! by = "c1"                                   # without `by`: all clients together. Other claims, with or without `by`:
//!                                             # without = ["EXPIRE", "CONFIG SET"]   none of these commands was sent
//!                                             # sent = "SET"                          this command, or one of a list, was sent
//!                                             # lacks = ["NX"]                        and without any of these words
//!                                             # traffic = "queries-peak from 60000", in = "200.."   a metric of traffic
//!                                             # handler = "cache-aside.lua"                         the running handler
//!                                             # Connections: closed = "c1", because = ["output-buffer"]: some connection of c1 was
//!                                             # closed for one of these reasons; not-closed = "c1", because = [...]: none was.
//!                                             # Other reasons are "killed", "quit" and "itself" (Ctrl-C, a crash, another program).
//!
//! [[task.wrong]]                              # a plausible but wrong way; `text.<language>.md` explains why
//! id = "setnx"
//! when = [{ ask = "TTL lock", is = "(integer) -1" }]   # it is recognised when all of these hold; best use its lasting effects
//! example = ["c1> SETNX lock c1"]             # lines that follow this way
//! ```
//!
//! # `text.<language>.md`
//! Headings of the second level have an id: `## Two commands {#commands}`. The ids must be those required by `lesson.toml`, in this
//! order: each section; each step as `step.<id>`; each task as `<id>`, then `<id>.hint-1` …, `<id>.choice-<choice>` and
//! `<id>.reply-<choice>` …, `<id>.wrong-<program>` … (of a state to reach `<id>.wrong-<way>` …), `<id>.right-<program>` for each that
//! survives in a task to choose, `<id>.solution`. The heading of a hint, a choice, a reply or a solution is not shown.
//!
//! A code block marked as `figure` is a drawing made of characters: unlike other blocks, it does not wrap.
//!
//! # `*.lua`
//! A comment is on separate lines, first in English (`-- en: …`), then in Chinese (`-- zh: …`) with the same number of lines, so that
//! line numbers are equal in both languages. The first comment describes the program.
mod achieve;
mod folder;
mod forecast;
mod program;
mod repairs;
mod scripting;
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
pub struct Mistake {
    /// Path of the file or folder.
    pub path: PathBuf,
    /// The line, from 1; 0 for the whole file.
    pub line: usize,
    /// The expectation that is not met.
    pub what: String,
}

impl fmt::Display for Mistake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            0 => write!(f, "{}: {}", self.path.display(), self.what),
            line => write!(f, "{}:{line}: {}", self.path.display(), self.what),
        }
    }
}

/// A lesson in both languages, with additional data for its checks.
#[derive(Clone, Debug)]
pub struct Source {
    /// Its folder.
    pub folder: PathBuf,
    /// Its place within its track.
    pub order: u32,
    /// The lesson, in the order of [`LANGUAGES`].
    pub lessons: [Lesson; 2],
    /// For each step of the story, the properties that it breaks.
    pub breaks: Vec<Vec<String>>,
    /// Checks of the answers of *predict* tasks.
    pub predictions: Vec<Prediction>,
    /// The data for the proof of each repair.
    pub proofs: Vec<Proofs>,
    /// The ways to each state to reach.
    pub ways: Vec<Ways>,
    /// Programs that break properties that the lesson's own programs keep.
    pub broken_by: Vec<BrokenBy>,
    /// Line numbers in `lesson.toml` of steps (`step.read`), properties (`property.sold`) and tasks (`task.break`).
    places: BTreeMap<String, usize>,
}

impl Source {
    /// A mistake found while playing the lesson; the place is `step.<id>`, `property.<id>` or `task.<id>`.
    pub fn fault(&self, place: &str, what: impl Into<String>) -> Mistake {
        let line = self.places.get(place).copied().unwrap_or_default();
        Mistake { path: self.folder.join("lesson.toml"), line, what: what.into() }
    }
}

/// How the answer of a *predict* task is checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Prediction {
    /// The task's id.
    pub task: String,
    /// What redis-cli prints for the last reply.
    pub shows: Option<String>,
    /// The property that is broken afterwards.
    pub breaks: Option<String>,
    /// A claim about traffic that holds afterwards.
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

/// The data for the proof of a repair that are not part of the compiled lesson.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proofs {
    /// The task's id.
    pub task: String,
    /// Functions that pass; the solution is the first.
    pub passing: Vec<Functions>,
    /// Cheats, which must fail.
    pub cheats: Vec<Cheat>,
    /// Changes of passing functions that are harmless.
    pub harmless: Vec<Harmless>,
}

/// Ways to a state, as lines of the world's text form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ways {
    /// The task's id.
    pub task: String,
    /// Valid ways; the solution is the first.
    pub right: Vec<Vec<String>>,
    /// For each wrong way of the task, an example.
    pub wrong: Vec<Vec<String>>,
}

/// Functions that circumvent the task, and must fail.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cheat {
    /// The functions.
    pub functions: Functions,
    /// The first variation in which they fail.
    pub variation: String,
    /// The property that is broken there, or never exercised.
    pub property: String,
}

/// A statement or constant of passing functions whose change is harmless.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Harmless {
    /// The file.
    pub file: String,
    /// Its line, without surrounding whitespace.
    pub line: String,
    /// The constant; `None`: the statement.
    pub what: Option<String>,
    /// Why the change is harmless.
    pub why: String,
}

/// A program that breaks a property that the lesson's own programs keep.
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
    /// The tracks, in order.
    pub tracks: Vec<TrackSource>,
}

/// A track.
#[derive(Clone, Debug)]
pub struct TrackSource {
    /// Its folder's name.
    pub id: String,
    /// Its position in the course.
    pub order: u32,
    title: Both,
    summary: Both,
    /// Its lessons, in order.
    pub lessons: Vec<Source>,
}

/// Reads the folder of one lesson.
///
/// # Errors
/// All its mistakes.
pub fn read_lesson(folder: &Path) -> Result<Source, Vec<Mistake>> {
    folder::read(folder)
}

/// Reads the folder of all lessons.
///
/// # Errors
/// All their mistakes.
pub fn read_course(root: &Path) -> Result<Course, Vec<Mistake>> {
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
pub fn read_track(folder: &Path) -> Result<TrackSource, Vec<Mistake>> {
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

/// Two items with the same position.
fn doubled(places: &[(u32, PathBuf)]) -> Vec<Mistake> {
    let pairs = places.iter().zip(places.iter().skip(1)).filter(|((one, _), (other, _))| one == other);
    pairs
        .map(|((order, one), (_, path))| {
            let what = format!("`order = {order}` is that of {} too", one.display());
            Mistake { path: path.clone(), line: 0, what }
        })
        .collect()
}

/// The folders in a folder, by name.
fn folders(root: &Path) -> Result<Vec<PathBuf>, Mistake> {
    let fault = |error: std::io::Error| Mistake { path: root.to_path_buf(), line: 0, what: error.to_string() };
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

    /// The compiled files: paths relative to the page's document, and their contents.
    pub fn compiled(&self) -> Vec<(String, Vec<u8>)> {
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
