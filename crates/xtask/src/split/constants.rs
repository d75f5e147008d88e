//! Constants that only chunks read: they become data of those chunks. The linker knows who reads what: it leaves its symbols and relocations
//! in the program (`--emit-relocs`, build.rs), as tools that link it once more would need them.
//!
//! ```text
//!  relocation in f     ──▶ symbol: constant a ◀── relocation in b       f reads a, and so does every function that reads b
//! ```
use anyhow::{Context, Result, bail};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use wasmparser::{
    DataKind, FunctionBody, KnownCustom, Linking, Name, Operator, Parser, Payload, RelocationEntry, SymbolInfo,
};

use super::late::Late;
use super::program::Program;

/// Name of the segment that nobody writes to.
const CONSTANT: &str = ".rodata";

/// Constants that are this close to each other become one piece of data of a chunk, with what is between them.
const GAP_BYTES: u32 = 16;

/// The parts of the program that read a constant: a bit for each chunk, and [`FIRST`].
type Readers = u64;

/// The bit of the first part.
pub const FIRST: Readers = 1 << 63;

/// The constants of a linked program.
#[derive(Debug, Default)]
pub struct Constants {
    /// By their symbols.
    all: BTreeMap<u32, Constant>,
    /// All of them: address and bytes.
    bytes: (u32, Vec<u8>),
}

#[derive(Debug, Default)]
struct Constant {
    addresses: Range<u32>,
    /// Names of the functions that mention it.
    functions: BTreeSet<String>,
    /// Other constants that mention it.
    constants: BTreeSet<u32>,
    /// Whether it is mentioned by data that is no constant.
    has_other_readers: bool,
}

/// A linked program as far as it has been read.
#[derive(Default)]
struct Linked<'a> {
    imported: u32,
    /// Start of each section in the file.
    code_start: u64,
    data_start: u64,
    bodies: Vec<FunctionBody<'a>>,
    /// For each segment: its address, and its bytes and their place in the file.
    segments: Vec<(u32, &'a [u8], u64)>,
    names: BTreeMap<u32, String>,
    constant_segment: Option<u32>,
    symbols: Vec<SymbolInfo<'a>>,
    in_code: Vec<RelocationEntry>,
    in_data: Vec<RelocationEntry>,
}

impl Constants {
    /// Reads the program as the linker has written it.
    ///
    /// # Errors
    /// If it cannot be read, or the linker has left no symbols or relocations in it.
    pub fn read(bytes: &[u8]) -> Result<Constants> {
        let mut linked = Linked::default();
        for payload in Parser::new(0).parse_all(bytes) {
            linked.take(payload?)?;
        }
        linked.constants()
    }

    /// Who reads each constant, given the parts of a function of this name.
    fn readers(&self, parts_of: impl Fn(&str) -> Readers) -> BTreeMap<u32, Readers> {
        let of = |constant: &Constant| {
            let functions = constant.functions.iter().map(|name| parts_of(name));
            functions.fold(if constant.has_other_readers { FIRST } else { 0 }, |all, parts| all | parts)
        };
        let mut readers: BTreeMap<u32, Readers> =
            self.all.iter().map(|(symbol, constant)| (*symbol, of(constant))).collect();
        // A function that reads a constant also reads the constants that it mentions.
        loop {
            let mut has_changed = false;
            for (symbol, constant) in &self.all {
                let before = readers.get(symbol).copied().unwrap_or_default();
                let through = constant.constants.iter().filter_map(|other| readers.get(other));
                let now = through.fold(before, |all, parts| all | parts);
                has_changed |= now != before;
                readers.insert(*symbol, now);
            }
            if !has_changed {
                return readers;
            }
        }
    }

    /// The constants that only chunks read, as data of each chunk that reads them. `parts_of` gives the parts of the functions of a name.
    /// What the first part mentions by its address in any way stays.
    ///
    /// # Errors
    /// If the program has other constants.
    pub fn of_chunks<'a>(
        &self,
        program: &Program<'a>,
        parts_of: impl Fn(&str) -> Readers,
        mentioned: &BTreeSet<u32>,
    ) -> Result<Vec<Late<'a>>> {
        let (address, own) = (self.bytes.0, self.bytes.1.as_slice());
        if bytes_at(program, address..address.saturating_add(own.len() as u32)).unwrap_or_default() != own {
            bail!("what the linker wrote is of another build");
        }
        let readers = self.readers(parts_of);
        let mut bytes: BTreeMap<u32, Readers> = BTreeMap::new();
        for (symbol, constant) in &self.all {
            let is_mentioned = mentioned.range(constant.addresses.clone()).next().is_some();
            let readers = match readers.get(symbol) {
                Some(readers) if *readers > 0 && !is_mentioned => *readers,
                _ => FIRST,
            };
            for address in constant.addresses.clone() {
                *bytes.entry(address).or_default() |= readers;
            }
        }
        // Runs of bytes that have the same readers.
        let mut runs: Vec<(Range<u32>, Readers)> = Vec::new();
        for (address, readers) in bytes {
            match runs.last_mut() {
                Some((run, of)) if run.end == address && *of == readers => run.end = address.saturating_add(1),
                _ => runs.push((address..address.saturating_add(1), readers)),
            }
        }
        let late = runs.into_iter().filter(|(_, readers)| readers & FIRST == 0);
        let chunks = |readers: Readers| (0..63).filter(move |chunk| readers >> chunk & 1 == 1);
        let pieces = late.flat_map(|(run, readers)| chunks(readers).map(move |chunk| (chunk, run.clone())));
        let late =
            |(chunk, run): (usize, Range<u32>)| Some(Late { chunk, place: run.start, bytes: bytes_at(program, run)? });
        Ok(pieces.filter_map(late).collect())
    }
}

/// The data of a program at these addresses.
fn bytes_at<'a>(program: &Program<'a>, addresses: Range<u32>) -> Option<&'a [u8]> {
    program.data.iter().find_map(|(from, data)| {
        let begin = addresses.start.checked_sub(*from)? as usize;
        data.get(begin..begin.checked_add(addresses.len())?)
    })
}

/// The data of a chunk in fewer pieces: what is between two that are close is constant too, and written once more.
pub fn joined<'a>(program: &Program<'a>, mut pieces: Vec<Late<'a>>) -> Vec<Late<'a>> {
    pieces.sort_by_key(|piece| piece.place);
    let mut joined: Vec<Late<'a>> = Vec::new();
    for piece in pieces {
        let end = |piece: &Late<'_>| piece.place.saturating_add(piece.bytes.len() as u32);
        let both = joined.last().filter(|last| piece.place.saturating_sub(end(last)) <= GAP_BYTES).and_then(|last| {
            let bytes = bytes_at(program, last.place..end(last).max(end(&piece)))?;
            Some(Late { bytes, ..*last })
        });
        match (joined.last_mut(), both) {
            (Some(last), Some(both)) => *last = both,
            _ => joined.push(piece),
        }
    }
    joined
}

impl<'a> Linked<'a> {
    fn take(&mut self, payload: Payload<'a>) -> Result<()> {
        match payload {
            Payload::ImportSection(section) => {
                for import in section.into_imports() {
                    self.imported += u32::from(matches!(import?.ty, wasmparser::TypeRef::Func(_)));
                }
            }
            Payload::CodeSectionStart { unchecked_range, .. } => self.code_start = unchecked_range.start,
            Payload::CodeSectionEntry(body) => self.bodies.push(body),
            Payload::DataSection(section) => {
                self.data_start = section.range().start;
                for data in section {
                    let data = data?;
                    let DataKind::Active { offset_expr, .. } = data.kind else { bail!("its data has no address") };
                    let Operator::I32Const { value } = offset_expr.get_operators_reader().read()? else {
                        bail!("a part of its data begins nowhere in particular");
                    };
                    let begin = data.range.end.saturating_sub(data.data.len() as u64);
                    self.segments.push((value as u32, data.data, begin));
                }
            }
            Payload::CustomSection(section) => match section.as_known() {
                KnownCustom::Name(names) => {
                    for name in names {
                        match name? {
                            Name::Function(map) => {
                                for naming in map {
                                    let naming = naming?;
                                    // As the program's functions are called after wasm-bindgen.
                                    let name = rustc_demangle::demangle(naming.name).to_string();
                                    self.names.insert(naming.index, name);
                                }
                            }
                            Name::Data(map) => {
                                for naming in map {
                                    let naming = naming?;
                                    if naming.name == CONSTANT {
                                        self.constant_segment = Some(naming.index);
                                    }
                                }
                            }
                            _ => {}
                        }
                    }
                }
                KnownCustom::Linking(linking) => {
                    for part in linking {
                        if let Linking::SymbolTable(symbols) = part? {
                            self.symbols = symbols.into_iter().collect::<Result<_, _>>()?;
                        }
                    }
                }
                KnownCustom::Reloc(relocations) => {
                    let entries = relocations.entries().into_iter().collect::<Result<_, _>>()?;
                    match section.name() {
                        "reloc.CODE" => self.in_code = entries,
                        "reloc.DATA" => self.in_data = entries,
                        _ => {}
                    }
                }
                _ => {}
            },
            _ => {}
        }
        Ok(())
    }

    fn constants(self) -> Result<Constants> {
        let segment = self.constant_segment.with_context(|| format!("the program has no segment {CONSTANT}"))?;
        if self.in_code.is_empty() || self.symbols.is_empty() {
            bail!("the linker has left no relocations in the program (--emit-relocs)");
        }
        let mut all = BTreeMap::new();
        // Where each piece of data is in the file: its end, and its symbol if it is a constant.
        let mut in_file = BTreeMap::new();
        for (symbol, info) in (0..).zip(&self.symbols) {
            let SymbolInfo::Data { symbol: Some(data), .. } = info else { continue };
            let Some((address, _, file)) = self.segments.get(data.index as usize) else { continue };
            let begin = address.saturating_add(data.offset);
            let place = file.saturating_add(u64::from(data.offset));
            let is_constant = data.index == segment;
            in_file.insert(place, (place.saturating_add(u64::from(data.size)), is_constant.then_some(symbol)));
            if is_constant {
                all.insert(
                    symbol,
                    Constant { addresses: begin..begin.saturating_add(data.size), ..Constant::default() },
                );
            }
        }
        for entry in &self.in_code {
            let Some(constant) = all.get_mut(&entry.index) else { continue };
            let place = self.code_start.saturating_add(u64::from(entry.offset));
            let nth = self.bodies.partition_point(|body| body.range().start <= place).checked_sub(1);
            let nth = nth.filter(|nth| self.bodies.get(*nth).is_some_and(|body| body.range().contains(&place)));
            let nth = nth.context("a relocation is in no function")?;
            let name = self.names.get(&self.imported.saturating_add(nth as u32));
            match name {
                Some(name) => drop(constant.functions.insert(name.clone())),
                None => constant.has_other_readers = true,
            }
        }
        for entry in &self.in_data {
            let Some(constant) = all.get_mut(&entry.index) else { continue };
            let place = self.data_start.saturating_add(u64::from(entry.offset));
            let holder = in_file.range(..=place).next_back().filter(|(_, (end, _))| place < *end);
            match holder {
                Some((_, (_, Some(holder)))) => drop(constant.constants.insert(*holder)),
                _ => constant.has_other_readers = true,
            }
        }
        let (address, bytes, _) = self.segments.get(segment as usize).context("its segments have other numbers")?;
        Ok(Constants { all, bytes: (*address, bytes.to_vec()) })
    }
}

/// The numbers in these functions that could be addresses.
pub fn mentioned<'a>(functions: impl IntoIterator<Item = &'a FunctionBody<'a>>) -> Result<BTreeSet<u32>> {
    let mut mentioned = BTreeSet::new();
    for body in functions {
        for operator in body.get_operators_reader()? {
            let number = match operator? {
                Operator::I32Const { value } => value as u32,
                Operator::I32Load { memarg }
                | Operator::I32Load8S { memarg }
                | Operator::I32Load8U { memarg }
                | Operator::I32Load16S { memarg }
                | Operator::I32Load16U { memarg }
                | Operator::I64Load { memarg }
                | Operator::I64Load8S { memarg }
                | Operator::I64Load8U { memarg }
                | Operator::I64Load16S { memarg }
                | Operator::I64Load16U { memarg }
                | Operator::I64Load32S { memarg }
                | Operator::I64Load32U { memarg }
                | Operator::F32Load { memarg }
                | Operator::F64Load { memarg } => u32::try_from(memarg.offset).unwrap_or_default(),
                _ => continue,
            };
            mentioned.insert(number);
        }
    }
    Ok(mentioned)
}
