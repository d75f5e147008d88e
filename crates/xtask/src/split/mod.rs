//! Splits a compiled program into what is needed at first and chunks that are fetched later.
//!
//! ```text
//!  first   f ──call──▶ thunk of g : is its chunk here? ──no──▶ `load` fetches and joins it (static/assets.js)
//!                                  └──────yes───▶ call through the table ┐
//!  chunk   g ◀───────────────────────────────────────────────────────────┘
//!          g ──call──▶ h, which only this chunk calls; what else it calls is imported from the first part
//! ```
//! `chunks.txt` *names* functions of each chunk. A chunk holds these, and whatever is then called by functions of this chunk alone;
//! what two chunks call stays in the first part, unless one of them takes copies of it (`[name with copies]`): that is for a chunk which
//! most sessions never fetch, and which would otherwise make the first part larger for all of them. All parts share memory, table and globals, so joining a chunk is instantiating it.
//!
//! The sources know nothing of it, but for texts that only a chunk reads ([`late`]): a function calls another as ever. Why it is not `wasm_split` of the Leptos project: ARCHITECTURE.md.
mod late;
mod program;
mod write;

use anyhow::{Result, bail};
use late::Late;
use program::Program;
use std::collections::{BTreeMap, BTreeSet};

/// A program in parts.
pub struct Parts {
    /// It imports `load` beside what the whole imported, and exports what the chunks need.
    pub first: Vec<u8>,
    /// The chunks, in their order.
    pub chunks: Vec<ChunkPart>,
    /// Every function: the chunks that have it (none: the first part), its bytes before it is made small, its name.
    pub contents: Vec<(Vec<usize>, usize, String)>,
}

/// A chunk as a module.
pub struct ChunkPart {
    /// It imports everything from the exports of the first part, as module [`FIRST`].
    pub module: Vec<u8>,
    /// Where it puts its functions in the table, and what they are called.
    pub thunks: BTreeMap<u32, String>,
    /// Places of the program's own table whose functions lie in it.
    pub deferred: Vec<u32>,
}

/// What chunks call the first part.
pub const FIRST: &str = "a";

/// The function that the first part imports, from the module `"a"` like everything: given the place of a deferred function in the
/// table, it has its chunk joined before it returns.
pub const LOAD: &str = "load";

/// How a function begins that draws a component of the page (src/ui/part.rs): it belongs to that component.
const DRAWN: &str = "lockstep_page::ui::part::Drawn<";

/// Functions of up to so many bytes go where they are called from: a thunk would weigh as much. And the compiler keeps equal functions
/// once, under the name of one of them, so that what is called in the first part may be called after the course.
const SMALL_BYTES: usize = 200;

/// Where handlers of commands live, which are deferred whatever their size: the page asks of each whether it is here.
const HANDLERS: &str = "redis_model::command::";

/// How the line of a chunk ends that has copies of what it shares with others.
const WITH_COPIES: &str = " with copies";

/// The chunks that a list names: a line `[name]` for each, followed by prefixes of names of functions.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Chunks {
    /// Names of the chunks, in their order.
    pub names: Vec<String>,
    /// Numbers of those that have copies of what they share with others.
    copying: BTreeSet<usize>,
    /// Prefix of names of functions, number of the chunk.
    prefixes: Vec<(String, usize)>,
}

impl Chunks {
    /// Reads a list; lines with `#` are comments.
    ///
    /// # Errors
    /// When a prefix stands before the first `[name]`.
    pub fn parse(text: &str) -> Result<Chunks> {
        let mut chunks = Chunks::default();
        for line in text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#')) {
            if let Some(name) = line.strip_prefix('[').and_then(|line| line.strip_suffix(']')) {
                let alone = name.strip_suffix(WITH_COPIES);
                if alone.is_some() {
                    chunks.copying.insert(chunks.names.len());
                }
                chunks.names.push(alone.unwrap_or(name).to_owned());
                continue;
            }
            let Some(chunk) = chunks.names.len().checked_sub(1) else { bail!("{line} is in no chunk") };
            chunks.prefixes.push((line.to_owned(), chunk));
        }
        Ok(chunks)
    }

    /// The chunk of a function. The longest prefix decides.
    pub fn of(&self, function: &str) -> Option<usize> {
        // `<path::Type as Trait>::function` is of this path too; what only names a type of it among others is not, but for the
        // component that draws others.
        let function = function.trim_start_matches('<');
        let function = function.strip_prefix(DRAWN).unwrap_or(function);
        let fitting = self.prefixes.iter().filter(|(prefix, _)| function.starts_with(prefix.as_str()));
        fitting.max_by_key(|(prefix, _)| prefix.len()).map(|(_, chunk)| *chunk)
    }

    /// The prefixes, in the order of the list.
    #[cfg(test)]
    fn prefixes(&self) -> impl Iterator<Item = &str> {
        self.prefixes.iter().map(|(prefix, _)| prefix.as_str())
    }
}

/// Splits a program whose functions still have their names.
///
/// # Errors
/// When it is not as wasm-bindgen and wasm-opt leave it.
pub fn split(bytes: &[u8], chunks: &Chunks) -> Result<Parts> {
    let program = Program::read(bytes)?;
    let plan = Plan::of(&program, chunks);
    let texts = late::texts(&program, chunks)?;
    let part = |(nth, chunk)| {
        let own: Vec<Late<'_>> = texts.iter().filter(|text| text.chunk == nth).copied().collect();
        plan.part(&program, chunk, &own)
    };
    Ok(Parts {
        first: write::first(bytes, &program, &plan, &texts)?,
        chunks: plan.chunks.iter().enumerate().map(part).collect::<Result<_>>()?,
        contents: program.names.iter().map(|(function, name)| plan.place(&program, *function, name)).collect(),
    })
}

/// Which function goes where. Functions have the numbers that they had in the whole.
struct Plan {
    /// What each chunk holds.
    chunks: Vec<Chunk>,
    /// What chunks call in the first part, each with the number under which it is exported.
    imports: BTreeMap<u32, u32>,
}

struct Chunk {
    /// Its functions.
    functions: BTreeSet<u32>,
    /// Those of them that are called from outside the chunk or stand in the table, with the place in the table where each is put.
    thunks: BTreeMap<u32, u32>,
    /// What it calls outside.
    imports: BTreeSet<u32>,
}

impl Plan {
    fn of(program: &Program<'_>, chunks: &Chunks) -> Plan {
        let named: BTreeMap<u32, usize> = program
            .names
            .iter()
            .filter(|(function, name)| name.starts_with(HANDLERS) || program.size_of(**function) > SMALL_BYTES)
            .filter_map(|(function, name)| Some((*function, chunks.of(name)?)))
            .collect();
        let unnamed = |function: &&u32| !named.contains_key(function);
        // What is exported stays in the first part, whatever its name.
        let roots = program.roots.iter().chain(program.slots.iter().filter(unnamed)).copied();
        let mut first = reached(program, roots.chain(0..program.imported), |function| !named.contains_key(&function));
        let reach: Vec<BTreeSet<u32>> = (0..chunks.names.len())
            .map(|chunk| {
                let own = named.iter().filter(|(_, other)| **other == chunk).map(|(function, _)| *function);
                let is_open = |function: u32| {
                    !first.contains(&function) && named.get(&function).is_none_or(|other| *other == chunk)
                };
                reached(program, own.filter(|function| !first.contains(function)), is_open)
            })
            .collect();
        let mut seen = BTreeSet::new();
        let is_sharing =
            |(chunk, reached): (usize, &'_ BTreeSet<u32>)| (!chunks.copying.contains(&chunk)).then(|| reached.clone());
        let sharing: Vec<BTreeSet<u32>> = reach.iter().enumerate().filter_map(is_sharing).collect();
        let shared: Vec<u32> = sharing.iter().flatten().filter(|function| !seen.insert(**function)).copied().collect();
        // All that something shared calls is shared too.
        first.extend(shared);
        let calls_outside = |functions: &BTreeSet<u32>| {
            let called = functions.iter().flat_map(|function| program.calls_of(*function));
            called.filter(|called| !functions.contains(called)).copied().collect::<Vec<u32>>()
        };
        let parts = reach.iter().chain([&first]);
        let called_from_outside: BTreeSet<u32> =
            parts.flat_map(calls_outside).chain(program.slots.iter().copied()).collect();
        let mut place = program.table_length;
        let mut plan = Plan { chunks: Vec::new(), imports: BTreeMap::new() };
        for functions in reach {
            let functions: BTreeSet<u32> = functions.difference(&first).copied().collect();
            let mut thunks = BTreeMap::new();
            for function in functions.intersection(&called_from_outside) {
                thunks.insert(*function, place);
                place = place.saturating_add(1);
            }
            let called = functions.iter().flat_map(|function| program.calls_of(*function)).copied();
            let imports: BTreeSet<u32> = called.filter(|function| !functions.contains(function)).collect();
            plan.chunks.push(Chunk { functions, thunks, imports });
        }
        let imports: BTreeSet<u32> = plan.chunks.iter().flat_map(|chunk| &chunk.imports).copied().collect();
        plan.imports = imports.into_iter().zip(0..).collect();
        plan
    }

    fn place(&self, program: &Program<'_>, function: u32, name: &str) -> (Vec<usize>, usize, String) {
        let chunks = self.chunks.iter().enumerate().filter(|(_, chunk)| chunk.functions.contains(&function));
        (chunks.map(|(nth, _)| nth).collect(), program.size_of(function), name.to_owned())
    }

    /// Whether a function lies in a chunk.
    fn is_deferred(&self, function: u32) -> bool {
        self.chunks.iter().any(|chunk| chunk.functions.contains(&function))
    }

    /// The place in the table of a function that is called through a thunk.
    fn thunk(&self, function: u32) -> Option<u32> {
        self.chunks.iter().find_map(|chunk| chunk.thunks.get(&function)).copied()
    }

    fn part(&self, program: &Program<'_>, chunk: &Chunk, texts: &[Late<'_>]) -> Result<ChunkPart> {
        let name = |function: &u32| program.names.get(function).copied().unwrap_or_default().to_owned();
        let deferred = program.places.iter().filter(|(_, function)| chunk.thunks.contains_key(function));
        Ok(ChunkPart {
            module: write::chunk(program, self, chunk, texts)?,
            thunks: chunk.thunks.iter().map(|(function, place)| (*place, name(function))).collect(),
            deferred: deferred.map(|(place, _)| *place).collect(),
        })
    }

    /// How many thunks there are.
    fn thunk_count(&self) -> usize {
        self.chunks.iter().map(|chunk| chunk.thunks.len()).sum()
    }
}

/// Whatever can be called from these functions by way of functions that are open.
fn reached(program: &Program<'_>, from: impl IntoIterator<Item = u32>, is_open: impl Fn(u32) -> bool) -> BTreeSet<u32> {
    let mut waiting: Vec<u32> = from.into_iter().collect();
    let mut reached = BTreeSet::new();
    while let Some(function) = waiting.pop() {
        if reached.insert(function) {
            waiting.extend(program.calls_of(function).iter().filter(|called| is_open(**called)));
        }
    }
    reached
}

#[cfg(test)]
mod tests;
