//! A parsed program with the data that splitting needs: the call graph and the names of functions.
use anyhow::{Context, Result, bail};
use std::collections::{BTreeMap, BTreeSet};
use wasmparser::{
    DataKind, ElementItems, ElementKind, FuncType, FunctionBody, GlobalType, KnownCustom, MemoryType, Name, Operator,
    Parser, Payload, TableType, TypeRef, TypeSectionReader,
};

/// Name of the section that lists the WebAssembly features in use.
pub const FEATURES: &str = "target_features";

/// The parsed program. Functions have their numbers in the program, imported ones first.
pub struct Program<'a> {
    /// Number of imported functions.
    pub imported: u32,
    /// The type of each function.
    pub types: Vec<u32>,
    /// All function types.
    pub signatures: Vec<FuncType>,
    /// The encoded types, for the chunks.
    pub type_section: Option<TypeSectionReader<'a>>,
    /// The bodies of the functions that are not imported.
    pub bodies: Vec<FunctionBody<'a>>,
    /// The functions that each of those calls or takes the address of.
    calls: Vec<Vec<u32>>,
    /// Exported functions.
    pub roots: Vec<u32>,
    /// Functions in the table.
    pub slots: BTreeSet<u32>,
    /// Their table indices.
    pub places: BTreeMap<u32, u32>,
    /// Names of functions.
    pub names: BTreeMap<u32, &'a str>,
    /// All tables.
    pub tables: Vec<TableType>,
    /// The index of the table with functions.
    pub table: u32,
    /// Its length.
    pub table_length: u32,
    /// All memories.
    pub memories: Vec<MemoryType>,
    /// All globals.
    pub globals: Vec<GlobalType>,
    /// The initial data of its memory: addresses and bytes.
    pub data: Vec<(u32, &'a [u8])>,
    /// The WebAssembly features in use, for tools that read the program.
    pub features: Option<&'a [u8]>,
}

impl<'a> Program<'a> {
    /// Reads a program.
    ///
    /// # Errors
    /// When it cannot be read, has no names, or imports anything but functions.
    pub fn read(bytes: &'a [u8]) -> Result<Program<'a>> {
        let mut program = Program {
            imported: 0,
            types: Vec::new(),
            signatures: Vec::new(),
            type_section: None,
            bodies: Vec::new(),
            calls: Vec::new(),
            roots: Vec::new(),
            slots: BTreeSet::new(),
            places: BTreeMap::new(),
            names: BTreeMap::new(),
            tables: Vec::new(),
            table: 0,
            table_length: 0,
            memories: Vec::new(),
            globals: Vec::new(),
            data: Vec::new(),
            features: None,
        };
        for payload in Parser::new(0).parse_all(bytes) {
            program.take(payload?)?;
        }
        if program.names.is_empty() {
            bail!("its functions have no names");
        }
        let table = program.tables.iter().position(|table| table.element_type.is_func_ref());
        program.table = table.context("it has no table of functions")? as u32;
        let length = program.tables.get(program.table as usize).map_or(0, |table| table.initial);
        program.table_length = u32::try_from(length)?;
        Ok(program)
    }

    /// The functions that a function calls or takes the address of.
    pub fn calls_of(&self, function: u32) -> &[u32] {
        let nth = function.checked_sub(self.imported).map(|nth| nth as usize);
        nth.and_then(|nth| self.calls.get(nth)).map_or(&[], Vec::as_slice)
    }

    /// Size of a function's body in bytes; 0 if it is imported.
    pub fn size_of(&self, function: u32) -> usize {
        let nth = function.checked_sub(self.imported).map(|nth| nth as usize);
        nth.and_then(|nth| self.bodies.get(nth)).map_or(0, |body| body.as_bytes().len())
    }

    fn take(&mut self, payload: Payload<'a>) -> Result<()> {
        match payload {
            Payload::TypeSection(section) => {
                self.type_section = Some(section.clone());
                self.signatures = section.into_iter_err_on_gc_types().collect::<Result<_, _>>()?;
            }
            Payload::ImportSection(section) => {
                for import in section.into_imports() {
                    let TypeRef::Func(ty) = import?.ty else { bail!("it imports something that is no function") };
                    self.types.push(ty);
                }
                self.imported = self.types.len() as u32;
            }
            Payload::FunctionSection(section) => {
                for ty in section {
                    self.types.push(ty?);
                }
            }
            Payload::TableSection(section) => {
                for table in section {
                    self.tables.push(table?.ty);
                }
            }
            Payload::MemorySection(section) => self.memories = section.into_iter().collect::<Result<_, _>>()?,
            Payload::GlobalSection(section) => {
                for global in section {
                    self.globals.push(global?.ty);
                }
            }
            Payload::ExportSection(section) => {
                for export in section {
                    let export = export?;
                    if export.kind == wasmparser::ExternalKind::Func {
                        self.roots.push(export.index);
                    }
                }
            }
            Payload::StartSection { func, .. } => self.roots.push(func),
            Payload::ElementSection(section) => {
                for element in section {
                    let element = element?;
                    match (element.kind, element.items) {
                        (ElementKind::Active { offset_expr, .. }, ElementItems::Functions(functions)) => {
                            let mut operators = offset_expr.get_operators_reader();
                            let Operator::I32Const { value: from } = operators.read()? else {
                                bail!("a part of its table begins nowhere in particular");
                            };
                            for (place, function) in (from as u32..).zip(functions) {
                                let function = function?;
                                self.slots.insert(function);
                                self.places.insert(place, function);
                            }
                        }
                        _ => bail!("its table is not filled with functions"),
                    }
                }
            }
            Payload::CodeSectionEntry(body) => {
                let mut calls = Vec::new();
                for operator in body.get_operators_reader()? {
                    match operator? {
                        Operator::Call { function_index }
                        | Operator::ReturnCall { function_index }
                        | Operator::RefFunc { function_index } => calls.push(function_index),
                        _ => {}
                    }
                }
                calls.sort_unstable();
                calls.dedup();
                self.calls.push(calls);
                self.bodies.push(body);
            }
            Payload::DataSection(section) => {
                for data in section {
                    let data = data?;
                    let DataKind::Active { offset_expr, .. } = data.kind else { continue };
                    let mut operators = offset_expr.get_operators_reader();
                    let Operator::I32Const { value: from } = operators.read()? else {
                        bail!("a part of its data begins nowhere in particular");
                    };
                    self.data.push((from as u32, data.data));
                }
            }
            Payload::CustomSection(section) => {
                if section.name() == FEATURES {
                    self.features = Some(section.data());
                }
                if let KnownCustom::Name(names) = section.as_known() {
                    for name in names {
                        let Name::Function(map) = name? else { continue };
                        for naming in map {
                            let naming = naming?;
                            self.names.insert(naming.index, naming.name);
                        }
                    }
                }
            }
            _ => {}
        }
        Ok(())
    }
}
