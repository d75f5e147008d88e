//! The seeds of each target, made from existing files of the project.
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use bytes::Bytes;
use conformance::golden::{Action, Script};
use resp::{Protocol, encode, split::quote_command};
use world::{Engines, Input, Settings, Timeline};

use crate::{codec, engine, traffic, words};

/// Writes the seeds of a target into `folder/seeds`, and its dictionary to `folder/words.dict`.
///
/// # Errors
/// If the folder cannot be written, or a file of the project cannot be read.
pub fn write(target: &str, folder: &Path) -> io::Result<()> {
    let seeds: Vec<Vec<u8>> = match target {
        "resp_decode" => replies_and_requests()?,
        "split_line" => {
            golden()?.iter().flat_map(|script| script.steps()).map(|step| step.text.clone().into()).collect()
        }
        "codec" => codec::seeds(&scripts()?, &replies_and_requests()?, &texts_of_programs()?),
        "commands" => golden()?.iter().flat_map(commands).collect(),
        "lua" => scripts()?,
        "session" => golden()?.iter().flat_map(sessions).collect(),
        "programs" => programs()?,
        "traffic" => traffic::seeds(&scripts()?),
        "lessons" => lessons()?,
        "statements" => statements()?,
        _ => Vec::new(),
    };
    let seeds: BTreeSet<Vec<u8>> = seeds.into_iter().collect();
    let place = folder.join("seeds");
    fs::create_dir_all(&place)?;
    for (nth, seed) in seeds.iter().enumerate() {
        fs::write(place.join(format!("{nth:05}")), seed)?;
    }
    let words = words::words(target);
    let line = |word: &String| {
        let bytes = word.bytes().map(|byte| match byte {
            b'"' | b'\\' => format!("\\{}", char::from(byte)),
            32..127 => char::from(byte).to_string(),
            _ => format!("\\x{byte:02X}"),
        });
        format!("\"{}\"\n", bytes.collect::<String>())
    };
    fs::write(folder.join("words.dict"), words.iter().map(line).collect::<String>())
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// All files with this extension in a folder and below, sorted.
fn files(folder: &Path, extension: &str) -> io::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    let mut open = vec![folder.to_path_buf()];
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(folder)? {
            let path = entry?.path();
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|found| found == extension) {
                found.push(path);
            }
        }
    }
    found.sort();
    Ok(found)
}

/// The golden scripts.
fn golden() -> io::Result<Vec<Script>> {
    let texts = files(&root().join("crates/redis-model/tests/golden"), "txt")?;
    let texts = texts.iter().map(fs::read_to_string).collect::<io::Result<Vec<String>>>()?;
    Ok(texts.iter().filter_map(|text| Script::parse(text).ok()).collect())
}

/// The golden scripts of databases: typed lines and passing time.
fn statements() -> io::Result<Vec<Vec<u8>>> {
    let texts = files(&root().join("crates/services/table/tests/golden"), "txt")?;
    let typed = |line: &&str| line.starts_with("@+") || line.split_once("> ").is_some_and(|(name, _)| name.len() == 1);
    let seed = |text: String| text.lines().filter(typed).collect::<Vec<_>>().join("\n").into_bytes();
    texts.iter().map(|file| Ok(seed(fs::read_to_string(file)?))).collect()
}

/// Renames the clients of a script in the order of appearance; from the fourth client on, names repeat.
#[derive(Default)]
struct Names(BTreeMap<String, usize>);

impl Names {
    fn number(&mut self, name: &str) -> usize {
        let next = self.0.len();
        *self.0.entry(name.to_owned()).or_insert(next) % 3
    }

    fn letter(&mut self, name: &str) -> char {
        ['a', 'b', 'c'][self.number(name)]
    }
}

/// Maximum number of lines per input; a longer script is split into several inputs.
const LINES: usize = 40;

/// A golden script as inputs of `commands`.
fn commands(script: &Script) -> Vec<Vec<u8>> {
    let mut names = Names::default();
    let mut head = Vec::new();
    for (parameter, value) in &script.config {
        head.push(format!("a> {}", quote_command(&["CONFIG", "SET", parameter, value])));
    }
    for (client, protocol) in script.protocols.iter().filter(|(_, protocol)| *protocol == Protocol::Resp3) {
        let letter = client.as_ref().map_or('a', |name| names.letter(name));
        head.push(format!("{letter}> HELLO {}", if *protocol == Protocol::Resp3 { 3 } else { 2 }));
    }
    let lines: Vec<String> = script
        .steps()
        .map(|step| match &step.action {
            Action::Command { client, argv, .. } => format!("{}> {}", names.letter(client), quote_command(argv)),
            Action::Advance { by_ms } => format!("@+{by_ms}ms"),
            Action::Disconnect { client } => format!("{}-", names.letter(client)),
        })
        .collect();
    let with_head = |piece: &[String]| [&head, piece].concat().join("\n").into_bytes();
    lines.chunks(LINES).map(with_head).collect()
}

/// A golden script as the text of sessions.
fn sessions(script: &Script) -> Vec<Vec<u8>> {
    let engines = Engines { scripts: engine::scripts(), ..Engines::default() };
    let mut names = Names::default();
    let settings = Settings { maxmemory: 4 << 20, proto_max_bulk_len: 1 << 20, ..Settings::default() };
    let steps: Vec<_> = script.steps().collect();
    let session = |piece: &[&conformance::golden::Step]| {
        let mut timeline = Timeline::with_engines(settings.clone(), &engines);
        let mut push = |input| _ = timeline.push(input);
        for (client, name) in ["a", "b", "c"].iter().enumerate() {
            push(Input::Connect { client: client as u32, name: (*name).to_owned() });
        }
        for step in piece {
            push(match &step.action {
                Action::Command { client, argv, .. } => {
                    Input::Command { client: names.number(client) as u32, argv: argv.clone() }
                }
                Action::Advance { by_ms } => Input::Advance { ms: *by_ms },
                Action::Disconnect { client } => Input::Interrupt { client: names.number(client) as u32 },
            });
        }
        // Some have their cursor in the past, with another future.
        if piece.len().is_multiple_of(3) {
            timeline.seek(piece.len() / 2);
            let argv = vec![Bytes::from_static(b"SET"), Bytes::from_static(b"branch"), Bytes::from_static(b"1")];
            _ = timeline.push(Input::Command { client: 0, argv });
        }
        timeline.to_text().into_bytes()
    };
    steps.chunks(LINES).map(session).collect()
}

/// Scripts with recorded replies, and those of golden scripts.
fn scripts() -> io::Result<Vec<Vec<u8>>> {
    let mut scripts = Vec::new();
    for file in files(&root().join("crates/lua/tests/recorded"), "txt")? {
        let text = fs::read_to_string(file)?;
        scripts.extend(text.lines().filter_map(|line| line.strip_prefix("> ")).map(|line| line.as_bytes().to_vec()));
    }
    for script in golden()? {
        for step in script.steps() {
            let Action::Command { argv, .. } = &step.action else { continue };
            let words: Vec<&[u8]> = argv.iter().map(Bytes::as_ref).collect();
            let is_eval = words.first().is_some_and(|name| name.to_ascii_lowercase().starts_with(b"eval"));
            if let (true, Some(text)) = (is_eval, words.get(1)) {
                scripts.push(text.to_vec());
            }
            scripts.extend(words.iter().filter(|word| word.starts_with(b"#!")).map(|word| word.to_vec()));
        }
    }
    Ok(scripts)
}

/// The folders of all lessons.
fn lesson_folders() -> io::Result<Vec<PathBuf>> {
    let lessons = files(&root().join("lessons"), "toml")?;
    let lessons = lessons.into_iter().filter(|path| path.ends_with("lesson.toml"));
    Ok(lessons.filter_map(|path| Some(path.parent()?.to_path_buf())).collect())
}

/// Lessons as inputs of `lessons`: whole, without one of their files, and packed.
fn lessons() -> io::Result<Vec<Vec<u8>>> {
    let mut inputs = Vec::new();
    for folder in lesson_folders()? {
        let mut pieces = Vec::new();
        for extension in ["toml", "md", "lua"] {
            for path in files(&folder, extension)? {
                let name = path.file_name().unwrap_or_default().to_string_lossy();
                pieces.push(format!("{}{name}\n{}", crate::lessons::MARK, fs::read_to_string(&path)?));
            }
        }
        inputs.push(pieces.concat().into_bytes());
        if let Ok(source) = lesson::source::read_lesson(&folder) {
            let packed = source.lessons.iter().map(lesson::Lesson::write);
            inputs.extend(packed.filter_map(|file| Some(file.splitn(2, |byte| *byte == b'\n').nth(1)?.to_vec())));
        }
        for left_out in 0..pieces.len() {
            let rest = pieces.iter().enumerate().filter(|(at, _)| *at != left_out).map(|(_, piece)| piece.as_str());
            inputs.push(rest.collect::<String>().into_bytes());
        }
    }
    Ok(inputs)
}

/// The programs of lessons, without lines of comments.
fn texts_of_programs() -> io::Result<Vec<String>> {
    let mut programs = Vec::new();
    for folder in lesson_folders()? {
        programs.extend(texts_of_lesson(&folder)?);
    }
    Ok(programs)
}

fn texts_of_lesson(folder: &Path) -> io::Result<Vec<String>> {
    let texts = files(folder, "lua")?.iter().map(fs::read_to_string).collect::<io::Result<Vec<String>>>()?;
    let is_code = |line: &&str| !line.trim_start().starts_with("--");
    Ok(texts.iter().map(|text| text.lines().filter(is_code).collect::<Vec<_>>().join("\n")).collect())
}

/// Programs of lessons, alone and together, and recorded scripts as programs.
fn programs() -> io::Result<Vec<Vec<u8>>> {
    const CHOICES: [&str; 3] = ["0123456789abcdefghijklmnop", "abcabcCFabcVX123OQTabcabc", "ILSILSmnoAmnoBmnoZmno"];
    let mut inputs = Vec::new();
    for folder in lesson_folders()? {
        let texts = texts_of_lesson(&folder)?;
        for (nth, text) in texts.iter().enumerate() {
            let other = texts.get(nth + 1).unwrap_or(text);
            for choices in CHOICES {
                inputs.push(format!("{text}\n%%\n{choices}").into_bytes());
                inputs.push(format!("{text}\n%%\n{other}\n%%\n{text}\n%%\n{choices}").into_bytes());
            }
        }
    }
    for script in scripts()?.into_iter().step_by(5) {
        inputs.push([script.as_slice(), b"\n%%\n012345"].concat());
    }
    Ok(inputs)
}

/// Encoded commands of golden scripts, and the replies of the model in both protocols.
fn replies_and_requests() -> io::Result<Vec<Vec<u8>>> {
    let mut inputs: Vec<Vec<u8>> = [
        "+OK\r\n",
        "-ERR no\r\n",
        ":-1\r\n",
        "$-1\r\n",
        "*-1\r\n",
        "_\r\n",
        ",3.25\r\n",
        ",inf\r\n",
        "#t\r\n",
        "(12345678901234567890\r\n",
        "!5\r\nERR x\r\n",
        "=7\r\ntxt:abc\r\n",
        "%1\r\n+k\r\n:1\r\n",
        "~2\r\n:1\r\n:2\r\n",
        ">2\r\n+message\r\n+x\r\n",
        "|1\r\n+ttl\r\n:3\r\n+v\r\n",
        "*2\r\n*1\r\n:1\r\n$0\r\n\r\n",
        "$?\r\n;3\r\nabc\r\n;0\r\n",
        "*?\r\n:1\r\n.\r\n",
        "set k 'a b'\r\n",
    ]
    .iter()
    .map(|text| text.as_bytes().to_vec())
    .collect();
    for script in golden()? {
        let mut bytes = Vec::new();
        for step in script.steps().take(3) {
            if let Action::Command { argv, .. } = &step.action {
                encode::encode_command(argv, &mut bytes);
            }
        }
        inputs.push(bytes);
    }
    Ok(inputs)
}
