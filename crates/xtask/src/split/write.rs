//! Writes the parts of a program.
use super::late::{self, Late};
use super::program::{FEATURES, Program};
use super::{Chunk, FIRST, LOAD, Plan};
use anyhow::{Context, Result, anyhow};
use std::collections::BTreeMap;
use std::convert::Infallible;
use wasm_encoder::reencode::{Error, Reencode, utils};
use wasm_encoder::{
    BlockType, CodeSection, ConstExpr, CustomSection, DataSection, ElementSection, Elements, EntityType, ExportKind,
    ExportSection, Function, FunctionSection, ImportSection, Instruction, Module, TableType, TypeSection,
};
use wasmparser::ValType;

/// The first part: the program without the bodies of deferred functions; calls and table entries refer to thunks instead.
pub fn first(bytes: &[u8], program: &Program<'_>, plan: &Plan, texts: &[Late<'_>]) -> Result<Vec<u8>> {
    let mut numbers = BTreeMap::new();
    let mut next = 0..;
    for function in (0..).take(program.types.len()) {
        if function == program.imported {
            next.next();
        }
        if !plan.is_deferred(function) || plan.thunk(function).is_some() {
            numbers.extend(next.next().map(|number: u32| (function, number)));
        }
    }
    // The type of the additional import `load`: one number as parameter.
    let mut types = program.signatures.iter();
    let load_type = types.position(|ty| ty.params() == [ValType::I32] && ty.results().is_empty());
    let load_type = load_type.context("no function takes a number and gives nothing")? as u32;
    let mut half = First { program, plan, texts, numbers, load_type, types: 0, bodies: 0 };
    let mut module = Module::new();
    let parser = wasmparser::Parser::new(0);
    half.parse_core_module(&mut module, parser, bytes).map_err(|error| anyhow!("{error}"))?;
    Ok(module.finish())
}

/// Export name of a function that a chunk imports. No export of wasm-bindgen starts with a digit.
fn export_name(nth: u32) -> String {
    nth.to_string()
}

fn shared_name(letter: char, nth: usize) -> String {
    format!("{nth}{letter}")
}

struct First<'a> {
    program: &'a Program<'a>,
    plan: &'a Plan,
    /// Data of chunks, which is cut out.
    texts: &'a [Late<'a>],
    /// New numbers of the functions that stay.
    numbers: BTreeMap<u32, u32>,
    load_type: u32,
    /// Number of functions processed so far, in each of two sections.
    types: u32,
    bodies: u32,
}

type WriteError = Error<Infallible>;

impl First<'_> {
    /// The thunk that replaces a deferred function, whose body will be at this table index.
    fn thunk(&self, function: u32, place: u32) -> Function {
        let ty = self.program.types.get(function as usize).copied().unwrap_or_default();
        let count = self.program.signatures.get(ty as usize).map_or(0, |ty| ty.params().len() as u32);
        let (table, place) = (self.program.table, place as i32);
        let mut body = Function::new([]);
        body.instruction(&Instruction::I32Const(place));
        body.instruction(&Instruction::TableGet(table));
        body.instruction(&Instruction::RefIsNull);
        body.instruction(&Instruction::If(BlockType::Empty));
        body.instruction(&Instruction::I32Const(place));
        body.instruction(&Instruction::Call(self.program.imported));
        body.instruction(&Instruction::End);
        for parameter in 0..count {
            body.instruction(&Instruction::LocalGet(parameter));
        }
        body.instruction(&Instruction::I32Const(place));
        body.instruction(&Instruction::CallIndirect { type_index: ty, table_index: table });
        body.instruction(&Instruction::End);
        body
    }
}

impl Reencode for First<'_> {
    type Error = Infallible;

    fn function_index(&mut self, function: u32) -> Result<u32, WriteError> {
        // The plan guarantees that no remaining function calls a removed one.
        Ok(self.numbers.get(&function).copied().unwrap_or(u32::MAX))
    }

    fn table_type(&mut self, ty: wasmparser::TableType) -> Result<TableType, WriteError> {
        let is_grown = ty.element_type.is_func_ref();
        let mut ty = utils::table_type(self, ty)?;
        if is_grown {
            let more = self.plan.thunk_count() as u64;
            ty.minimum = ty.minimum.saturating_add(more);
            ty.maximum = ty.maximum.map(|maximum| maximum.saturating_add(more));
        }
        Ok(ty)
    }

    fn parse_import_section(
        &mut self,
        imports: &mut ImportSection,
        section: wasmparser::ImportSectionReader<'_>,
    ) -> Result<(), WriteError> {
        utils::parse_import_section(self, imports, section)?;
        imports.import("a", LOAD, EntityType::Function(self.load_type));
        Ok(())
    }

    fn parse_function_section(
        &mut self,
        functions: &mut FunctionSection,
        section: wasmparser::FunctionSectionReader<'_>,
    ) -> Result<(), WriteError> {
        for ty in section {
            let function = self.program.imported.saturating_add(self.types);
            self.types = self.types.saturating_add(1);
            if self.numbers.contains_key(&function) {
                functions.function(ty?);
            }
        }
        Ok(())
    }

    fn parse_function_body(
        &mut self,
        code: &mut CodeSection,
        body: wasmparser::FunctionBody<'_>,
    ) -> Result<(), WriteError> {
        let function = self.program.imported.saturating_add(self.bodies);
        self.bodies = self.bodies.saturating_add(1);
        if let Some(place) = self.plan.thunk(function) {
            code.function(&self.thunk(function, place));
        } else if self.numbers.contains_key(&function) {
            utils::parse_function_body(self, code, body)?;
        }
        Ok(())
    }

    fn parse_data_section(
        &mut self,
        data: &mut DataSection,
        section: wasmparser::DataSectionReader<'_>,
    ) -> Result<(), WriteError> {
        // `program.data` has the segments in the same order.
        let mut places = self.program.data.iter();
        for datum in section {
            let datum = datum?;
            let wasmparser::DataKind::Active { memory_index, .. } = datum.kind else {
                utils::parse_data(self, data, datum)?;
                continue;
            };
            if let Some((from, bytes)) = places.next() {
                let left = late::without(self.texts, *from, bytes);
                for (place, piece) in late::without_zeros(*from, &left) {
                    data.active(memory_index, &ConstExpr::i32_const(place as i32), piece.iter().copied());
                }
            }
        }
        Ok(())
    }

    fn parse_export_section(
        &mut self,
        exports: &mut ExportSection,
        section: wasmparser::ExportSectionReader<'_>,
    ) -> Result<(), WriteError> {
        utils::parse_export_section(self, exports, section)?;
        for (function, nth) in &self.plan.imports {
            exports.export(&export_name(*nth), ExportKind::Func, self.function_index(*function)?);
        }
        let program = self.program;
        let shared = [
            ('t', ExportKind::Table, program.tables.len()),
            ('m', ExportKind::Memory, program.memories.len()),
            ('g', ExportKind::Global, program.globals.len()),
        ];
        for (letter, kind, count) in shared {
            for nth in 0..count {
                exports.export(&shared_name(letter, nth), kind, nth as u32);
            }
        }
        Ok(())
    }

    /// Keeps only the features section; names are no longer needed.
    fn parse_custom_section(
        &mut self,
        module: &mut Module,
        section: wasmparser::CustomSectionReader<'_>,
    ) -> Result<(), WriteError> {
        if section.name() == FEATURES { utils::parse_custom_section(self, module, section) } else { Ok(()) }
    }
}

/// The module of a chunk: its functions, their imports, and their table indices.
pub fn chunk(program: &Program<'_>, plan: &Plan, chunk: &Chunk, texts: &[Late<'_>]) -> Result<Vec<u8>> {
    write_chunk(program, plan, chunk, texts).map_err(|error| anyhow!("{error}"))
}

fn write_chunk(program: &Program<'_>, plan: &Plan, chunk: &Chunk, texts: &[Late<'_>]) -> Result<Vec<u8>, WriteError> {
    let numbers: BTreeMap<u32, u32> = chunk.imports.iter().chain(&chunk.functions).copied().zip(0..).collect();
    let mut half = Deferred { numbers };
    let type_of = |function: u32| program.types.get(function as usize).copied().unwrap_or_default();
    let mut module = Module::new();
    let mut types = TypeSection::new();
    if let Some(section) = program.type_section.clone() {
        half.parse_type_section(&mut types, section)?;
    }
    module.section(&types);

    let mut imports = ImportSection::new();
    for function in &chunk.imports {
        let nth = plan.imports.get(function).copied().unwrap_or_default();
        imports.import(FIRST, &export_name(nth), EntityType::Function(type_of(*function)));
    }
    for (nth, ty) in program.tables.iter().enumerate() {
        let mut ty = half.table_type(*ty)?;
        // The table with functions has grown by then.
        ty.maximum = ty.maximum.map(|maximum| maximum.saturating_add(plan.thunk_count() as u64));
        imports.import(FIRST, &shared_name('t', nth), EntityType::Table(ty));
    }
    for (nth, ty) in program.memories.iter().enumerate() {
        imports.import(FIRST, &shared_name('m', nth), EntityType::Memory(half.memory_type(*ty)?));
    }
    for (nth, ty) in program.globals.iter().enumerate() {
        imports.import(FIRST, &shared_name('g', nth), EntityType::Global(half.global_type(*ty)?));
    }
    module.section(&imports);

    let mut functions = FunctionSection::new();
    chunk.functions.iter().for_each(|function| {
        functions.function(type_of(*function));
    });
    module.section(&functions);

    let mut elements = ElementSection::new();
    let thunks: Vec<u32> = chunk.thunks.keys().filter_map(|function| half.numbers.get(function).copied()).collect();
    let from = chunk.thunks.values().next().copied().unwrap_or_default();
    elements.active(Some(program.table), &ConstExpr::i32_const(from as i32), Elements::Functions(thunks.into()));
    module.section(&elements);

    let mut code = CodeSection::new();
    for function in &chunk.functions {
        let nth = function.saturating_sub(program.imported) as usize;
        if let Some(body) = program.bodies.get(nth) {
            half.parse_function_body(&mut code, body.clone())?;
        }
    }
    module.section(&code);
    if !texts.is_empty() {
        let mut data = DataSection::new();
        for text in texts {
            data.active(0, &ConstExpr::i32_const(text.place as i32), text.bytes.iter().copied());
        }
        module.section(&data);
    }
    if let Some(features) = program.features {
        module.section(&CustomSection { name: FEATURES.into(), data: features.into() });
    }
    Ok(module.finish())
}

struct Deferred {
    /// The numbers of functions in the chunk, imported ones first.
    numbers: BTreeMap<u32, u32>,
}

impl Reencode for Deferred {
    type Error = Infallible;

    fn function_index(&mut self, function: u32) -> Result<u32, WriteError> {
        Ok(self.numbers.get(&function).copied().unwrap_or(u32::MAX))
    }
}
