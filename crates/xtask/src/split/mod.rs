//! Splits a compiled program into a first part and chunks that are fetched later.
//!
//! ```text
//!  first   f ──call──▶ thunk of g : is its chunk here? ──no──▶ `load` fetches and joins it (static/assets.js)
//!                                  └──────yes───▶ call through the table ┐
//!  chunk   g ◀───────────────────────────────────────────────────────────┘
//!          g ──call──▶ h, which only this chunk calls; other functions are imported from the first part
//! ```
//! `chunks.txt` *names* functions of each chunk. A chunk contains these, and all functions that are then called only by functions of this
//! chunk. Functions that two chunks call stay in the first part, unless one of them takes copies of them (`[name with copies]`): that is
//! for a chunk which most sessions never fetch, and which would otherwise make the first part larger for all of them. All parts share
//! memory, table and globals, so joining a chunk means instantiating it.
//!
//! Constants that only a chunk reads are its data ([`constants`]). The sources need no changes, except for texts that are used only once a
//! chunk is there, though the first part mentions them ([`late`]). ARCHITECTURE.md explains why this does not use
//! `wasm_split` of the Leptos project.
mod constants;
mod late;
mod program;
mod write;

use anyhow::{Result, bail};
pub use constants::Constants;
use late::Late;
use program::Program;
use std::collections::{BTreeMap, BTreeSet};

/// A program in parts.
pub struct Parts {
    /// It imports `load` in addition to the imports of the whole, and exports everything the chunks need.
    pub first: Vec<u8>,
    /// The chunks, in their order.
    pub chunks: Vec<ChunkPart>,
    /// Every function: the chunks that contain it (none: the first part), its size in bytes before wasm-opt, its name.
    pub contents: Vec<(Vec<usize>, usize, String)>,
    /// Prefixes in the list that fit no function: it has another name, or has become part of its callers.
    pub unused: Vec<String>,
}

/// A chunk as a module.
pub struct ChunkPart {
    /// It imports everything from the exports of the first part, as module [`FIRST`].
    pub module: Vec<u8>,
    /// The table indices of its functions, and their names.
    pub thunks: BTreeMap<u32, String>,
    /// Indices of the program's original table whose functions are in this chunk.
    pub deferred: Vec<u32>,
}

/// The module name under which chunks import the first part.
pub const FIRST: &str = "a";

/// The function that the first part imports, from the module `"a"` like everything: given the table index of a deferred function, it joins
/// the chunk of the function before it returns.
pub const LOAD: &str = "load";

/// Prefix of functions that draw a component of the page (src/ui/part.rs): they belong to that component.
const DRAWN: &str = "lockstep_page::ui::part::Drawn<";

/// Functions of up to this many bytes are placed with their callers: a thunk would be as large. Also, the compiler merges equal functions
/// under the name of one of them, so a function that the first part calls may have a name from the course.
const SMALL_BYTES: usize = 200;

/// Module of the command handlers, which are deferred independent of their size: the page checks for each whether it is loaded.
const HANDLERS: &str = "redis_model::command::";

/// Suffix of the line of a chunk that has copies of functions it shares with others.
const WITH_COPIES: &str = " with copies";

/// Name of the section for functions that stay in the first part, though a shorter prefix names a chunk.
const STAYING: &str = "first";

/// The chunks in a list: a line `[name]` for each, followed by prefixes of function names. Prefixes after `[first]` name what stays.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Chunks {
    /// Names of the chunks, in their order.
    pub names: Vec<String>,
    /// Numbers of the chunks that have copies of shared functions.
    copying: BTreeSet<usize>,
    /// Prefix of function names, number of the chunk; `None`: the first part.
    prefixes: Vec<(String, Option<usize>)>,
}

impl Chunks {
    /// Reads a list; lines with `#` are comments.
    ///
    /// # Errors
    /// If a prefix comes before the first `[name]`.
    pub fn parse(text: &str) -> Result<Chunks> {
        let mut chunks = Chunks::default();
        // The chunk of the lines to come.
        let mut current = None;
        for line in text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#')) {
            if let Some(name) = line.strip_prefix('[').and_then(|line| line.strip_suffix(']')) {
                current = Some((name != STAYING).then_some(chunks.names.len()));
                if name == STAYING {
                    continue;
                }
                let alone = name.strip_suffix(WITH_COPIES);
                if alone.is_some() {
                    chunks.copying.insert(chunks.names.len());
                }
                chunks.names.push(alone.unwrap_or(name).to_owned());
                continue;
            }
            let Some(chunk) = current else { bail!("{line} is in no chunk") };
            chunks.prefixes.push((line.to_owned(), chunk));
        }
        Ok(chunks)
    }

    /// The chunk of a function. The longest prefix decides.
    pub fn of(&self, function: &str) -> Option<usize> {
        let function = plain(function);
        let fitting = self.prefixes.iter().filter(|(prefix, _)| function.starts_with(prefix.as_str()));
        fitting.max_by_key(|(prefix, _)| prefix.len()).and_then(|(_, chunk)| *chunk)
    }

    /// The prefixes that fit no function of a program.
    fn unused(&self, program: &Program<'_>) -> Vec<String> {
        let names: Vec<String> = program.names.values().map(|name| plain(name)).collect();
        let is_used = |prefix: &str| names.iter().any(|name| name.starts_with(prefix));
        self.prefixes.iter().map(|(prefix, _)| prefix).filter(|prefix| !is_used(prefix)).cloned().collect()
    }

    /// The prefixes, in the order of the list.
    #[cfg(test)]
    fn prefixes(&self) -> impl Iterator<Item = &str> {
        self.prefixes.iter().map(|(prefix, _)| prefix.as_str())
    }
}

/// The name of a function as prefixes know it. `<path::Type as Trait>::function` also belongs to this path; a name that only mentions a type
/// of the path does not, except for the component that draws others. Marks of a build of a crate (`core[c5930c85a12de822]`) are removed.
fn plain(function: &str) -> String {
    let function = function.trim_start_matches('<');
    let function = function.strip_prefix(DRAWN).unwrap_or(function);
    let mut parts = function.split('[');
    let mut plain = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        match part.split_once(']') {
            Some((mark, rest)) if mark.len() == 16 => plain.push_str(rest),
            _ => plain.extend(["[", part]),
        }
    }
    plain
}

/// Splits a program whose functions still have their names.
///
/// # Errors
/// If it is not in the form that wasm-bindgen and wasm-opt write.
pub fn split(bytes: &[u8], chunks: &Chunks, constants: &Constants) -> Result<Parts> {
    let program = Program::read(bytes)?;
    let plan = Plan::of(&program, chunks);
    let mut texts = late::texts(&program, chunks)?;
    texts.extend(plan.constants(&program, constants)?);
    let part = |(nth, chunk)| {
        let own: Vec<Late<'_>> = texts.iter().filter(|text| text.chunk == nth).copied().collect();
        plan.part(&program, chunk, &constants::joined(&program, own))
    };
    Ok(Parts {
        first: write::first(bytes, &program, &plan, &texts)?,
        chunks: plan.chunks.iter().enumerate().map(part).collect::<Result<_>>()?,
        contents: program.names.iter().map(|(function, name)| plan.place(&program, *function, name)).collect(),
        unused: chunks.unused(&program),
    })
}

/// The part of each function. Functions keep their numbers of the whole program.
struct Plan {
    /// The content of each chunk.
    chunks: Vec<Chunk>,
    /// Functions of the first part that chunks call, each with its export number.
    imports: BTreeMap<u32, u32>,
}

struct Chunk {
    /// Its functions.
    functions: BTreeSet<u32>,
    /// Its functions that are called from outside the chunk or are in the table, each with its table index.
    thunks: BTreeMap<u32, u32>,
    /// The functions outside the chunk that it calls.
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
        // Exported functions stay in the first part, independent of their names.
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
        // Functions called by a shared function are shared too.
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

    /// Whether a function is in a chunk.
    fn is_deferred(&self, function: u32) -> bool {
        self.chunks.iter().any(|chunk| chunk.functions.contains(&function))
    }

    /// The constants that only chunks read.
    fn constants<'a>(&self, program: &Program<'a>, constants: &Constants) -> Result<Vec<Late<'a>>> {
        let chunks_of = |function: u32| {
            let chunks = self.chunks.iter().zip(0..).filter(|(chunk, _)| chunk.functions.contains(&function));
            chunks.fold(0, |all, (_, nth)| all | 1 << nth)
        };
        // Several functions may have one name.
        let mut parts: BTreeMap<&str, u64> = BTreeMap::new();
        for (function, name) in &program.names {
            let chunks = chunks_of(*function);
            *parts.entry(name).or_default() |= if chunks == 0 { constants::FIRST } else { chunks };
        }
        let is_first = |function: &u32| !self.is_deferred(*function);
        let first = (program.imported..).zip(&program.bodies).filter(|(function, _)| is_first(function));
        let mentioned = constants::mentioned(first.map(|(_, body)| body))?;
        // A function that was dropped or renamed after linking counts as one of the first part.
        let parts_of = |name: &str| parts.get(name).copied().unwrap_or(constants::FIRST);
        constants.of_chunks(program, parts_of, &mentioned)
    }

    /// The table index of a function that is called through a thunk.
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

    /// The number of thunks.
    fn thunk_count(&self) -> usize {
        self.chunks.iter().map(|chunk| chunk.thunks.len()).sum()
    }
}

/// All functions reachable from these through calls of `open` functions.
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
