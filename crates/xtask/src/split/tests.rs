//! Tests which function goes into which part, and that all parts are valid programs.
use super::*;
use wasm_encoder::{
    CodeSection, ConstExpr, DataSection, ElementSection, Elements, EntityType, ExportKind, ExportSection, Function,
    FunctionSection, GlobalSection, GlobalType, ImportSection, Instruction, MemorySection, MemoryType, Module, NameMap,
    NameSection, RefType, TableSection, TableType, TypeSection, ValType,
};

/// Functions of the program below, by number.
const MAIN: u32 = 1;
const RARE: u32 = 2;
const COMMON: u32 = 3;
const ONLY_RARE: u32 = 4;
const OFTEN: u32 = 5;

/// `main` is exported and calls `rare` and `often`; these two call `common`; only `rare` calls `only_rare`, and `rare` is in the table.
fn shop() -> Vec<u8> {
    // No function is small enough to stay with its caller.
    shop_of(SMALL_BYTES)
}

/// The same with this many padding bytes in each function.
fn shop_of(padding: usize) -> Vec<u8> {
    shop_with(padding, b"early")
}

/// The same with these bytes in its memory, from the eighth byte on.
fn shop_with(padding: usize, text: &[u8]) -> Vec<u8> {
    let mut types = TypeSection::new();
    types.ty().function([], []);
    types.ty().function([ValType::I32], [ValType::I32]);
    types.ty().function([ValType::I32], []);
    let mut imports = ImportSection::new();
    imports.import("a", "log", EntityType::Function(0));
    let mut functions = FunctionSection::new();
    let mut names = NameMap::new();
    let all = [(MAIN, 0, "main"), (RARE, 1, "shop::rare::h1"), (COMMON, 1, "shop::common::h2")];
    for (number, ty, name) in all.into_iter().chain([(ONLY_RARE, 1, "shop::tool::h3"), (OFTEN, 1, "shop::often::h4")]) {
        functions.function(ty);
        names.append(number, name);
    }
    let mut tables = TableSection::new();
    tables.table(TableType {
        element_type: RefType::FUNCREF,
        minimum: 2,
        maximum: Some(2),
        table64: false,
        shared: false,
    });
    let mut memories = MemorySection::new();
    memories.memory(MemoryType { minimum: 1, maximum: None, memory64: false, shared: false, page_size_log2: None });
    let mut globals = GlobalSection::new();
    let stack = GlobalType { val_type: ValType::I32, mutable: true, shared: false };
    globals.global(stack, &ConstExpr::i32_const(1024));
    let mut exports = ExportSection::new();
    exports.export("main", ExportKind::Func, MAIN);
    let mut elements = ElementSection::new();
    elements.active(None, &ConstExpr::i32_const(1), Elements::Functions(vec![RARE].into()));
    let mut code = CodeSection::new();
    let mut body = |called: &[u32], is_main: bool| {
        let mut body = Function::new([]);
        let argument = if is_main { Instruction::I32Const(7) } else { Instruction::LocalGet(0) };
        body.instruction(&argument);
        called.iter().for_each(|number| {
            body.instruction(&Instruction::Call(*number));
        });
        if is_main {
            body.instruction(&Instruction::Drop).instruction(&Instruction::Call(0));
        }
        for _ in 0..padding {
            body.instruction(&Instruction::Nop);
        }
        code.function(body.instruction(&Instruction::End));
    };
    body(&[RARE, OFTEN], true);
    body(&[COMMON, ONLY_RARE], false);
    body(&[], false);
    body(&[COMMON], false);
    body(&[COMMON], false);
    let mut named = NameSection::new();
    named.functions(&names);
    let mut segments = NameMap::new();
    segments.append(0, ".rodata");
    named.data(&segments);
    let mut module = Module::new();
    module.section(&types).section(&imports).section(&functions).section(&tables).section(&memories).section(&globals);
    let mut data = DataSection::new();
    data.active(0, &ConstExpr::i32_const(8), text.iter().copied());
    module.section(&exports).section(&elements).section(&code).section(&data).section(&named);
    module.finish()
}

fn parts(list: &str) -> Parts {
    split(&shop(), &Chunks::parse(list).unwrap(), &Constants::default()).unwrap()
}

/// A part in words: imports and exports, then the calls of each of its functions.
fn listed(bytes: &[u8]) -> Vec<String> {
    use wasmparser::{Operator, Parser, Payload};
    let mut listed = Vec::new();
    for payload in Parser::new(0).parse_all(bytes) {
        match payload.unwrap() {
            Payload::ImportSection(section) => {
                let names = section.into_imports().map(|import| import.unwrap().name.to_owned());
                listed.push(format!("in {}", names.collect::<Vec<_>>().join(" ")));
            }
            Payload::ExportSection(section) => {
                let names = section.into_iter().map(|export| {
                    let export = export.unwrap();
                    format!("{}={}", export.name, export.index)
                });
                listed.push(format!("out {}", names.collect::<Vec<_>>().join(" ")));
            }
            Payload::CodeSectionEntry(body) => {
                let calls =
                    body.get_operators_reader().unwrap().into_iter().filter_map(|operator| match operator.unwrap() {
                        Operator::Call { function_index } => Some(function_index.to_string()),
                        Operator::CallIndirect { .. } => Some("table".to_owned()),
                        _ => None,
                    });
                listed.push(format!("calls {}", calls.collect::<Vec<_>>().join(" ")));
            }
            _ => {}
        }
    }
    listed
}

#[test]
fn a_chunk_contains_named_functions_and_those_only_it_calls() {
    let parts = parts("[rare]\nshop::rare");
    // Imported: 0 log, 1 load; then 2 main, 3 the thunk of rare, 4 common, 5 often.
    assert_eq!(
        listed(&parts.first),
        ["in log load", "out main=2 0=4 0t=0 0m=0 0g=0", "calls 3 5 0", "calls 1 table", "calls ", "calls 4"]
    );
    // Imported: 0 common; then 1 rare, 2 only_rare.
    assert_eq!(listed(&parts.chunks[0].module), ["in 0 0t 0m 0g", "calls 0 2", "calls 0"]);
    assert_eq!(parts.chunks[0].deferred, [1]);
    assert_eq!(parts.chunks[0].thunks, BTreeMap::from([(2, "shop::rare::h1".to_owned())]));
}

#[test]
fn functions_called_by_two_chunks_stay_in_the_first_part() {
    let parts = parts("[rare]\nshop::rare\n[often]\nshop::often");
    // Imported: 0 log, 1 load; then 2 main, 3 the thunk of rare, 4 common, 5 the thunk of often.
    assert_eq!(
        listed(&parts.first),
        ["in log load", "out main=2 0=4 0t=0 0m=0 0g=0", "calls 3 5 0", "calls 1 table", "calls ", "calls 1 table"]
    );
    assert_eq!(listed(&parts.chunks[0].module), ["in 0 0t 0m 0g", "calls 0 2", "calls 0"]);
    assert_eq!(listed(&parts.chunks[1].module), ["in 0 0t 0m 0g", "calls 0"]);
}

#[test]
fn a_chunk_with_copies_adds_nothing_to_the_first_part() {
    let parts = parts("[rare]\nshop::rare\n[often with copies]\nshop::often");
    // Imported: 0 log, 1 load; then 2 main and two thunks. `common` is in both chunks, `tool` in the one that calls it.
    assert_eq!(listed(&parts.first).iter().filter(|line| line.starts_with("calls")).count(), 3);
    let calls = |nth: usize| listed(&parts.chunks[nth].module).iter().filter(|line| line.starts_with("calls")).count();
    assert_eq!((calls(0), calls(1)), (3, 2));
    for part in parts.chunks.iter().map(|chunk| &chunk.module).chain([&parts.first]) {
        wasmparser::Validator::new().validate_all(part).unwrap();
    }
    assert_eq!(Chunks::parse("[a with copies]\nx").unwrap().names, ["a"]);
}

#[test]
fn a_chunk_calls_another_through_a_thunk() {
    let parts = parts("[rare]\nshop::rare\n[tool]\nshop::tool");
    // Imported: 0 common, 1 the thunk of tool; then 2 rare.
    assert_eq!(listed(&parts.chunks[0].module), ["in 0 1 0t 0m 0g", "calls 0 1"]);
    assert_eq!(listed(&parts.chunks[1].module), ["in 0 0t 0m 0g", "calls 0"]);
}

#[test]
fn a_longer_prefix_keeps_functions_in_the_first_part() {
    let list = Chunks::parse("[rest]\nlib::math::\ncore::num::\n[first]\nlib::math::floor").unwrap();
    assert_eq!(list.names, ["rest"]);
    assert_eq!((list.of("lib::math::sin::h1"), list.of("lib::math::floor::h2")), (Some(0), None));
    // The mark of a build of a crate does not count; other brackets do.
    assert_eq!((list.of("<core[c5930c85a12de822]::num::Big>::add"), list.of("core[u8]::num::add")), (Some(0), None));
}

#[test]
fn prefixes_that_fit_no_function_are_told() {
    assert_eq!(parts("[rare]\nshop::rare\nshop::gone").unused, ["shop::gone"]);
}

#[test]
fn exported_functions_stay_in_the_first_part() {
    let parts = parts("[all]\nmain");
    assert_eq!(listed(&parts.chunks[0].module), ["in 0t 0m 0g"]);
    assert_eq!(listed(&parts.first).len(), listed(&shop()).len());
}

#[test]
fn all_parts_are_valid_programs() {
    for list in ["[a]\nshop::rare", "[a]\nshop::", "[a]\nshop::common\n[b]\nshop::rare\n[c]\nshop::tool", "[a]"] {
        let parts = parts(list);
        for part in parts.chunks.iter().map(|chunk| &chunk.module).chain([&parts.first]) {
            wasmparser::Validator::new().validate_all(part).unwrap();
        }
    }
}

#[test]
fn the_longest_prefix_decides() {
    let list = "# Why.\n[one]\na::b\na::c::\n\n[two]\na::b::c";
    let chunks = Chunks::parse(list).unwrap();
    assert_eq!(chunks.of("<lockstep_page::ui::part::Drawn<a::b::C> as lockstep_page::ui::part::Draw>::draw"), Some(0));
    for (function, chunk) in [
        ("a::b::d", Some(0)),
        ("a::b::cd", Some(1)),
        ("<a::c::X as Y>::z", Some(0)),
        ("b", None),
        ("<B as a::b>::c", None),
    ] {
        assert_eq!(chunks.of(function), chunk, "{function}");
    }
    assert!(Chunks::parse("a::b\n[one]").is_err());
}

#[test]
fn small_functions_are_placed_with_their_callers() {
    // Without the padding of `shop`, every function is small.
    let list = Chunks::parse("[rare]\nshop::rare").unwrap();
    let Parts { first, chunks, .. } = split(&shop_of(0), &list, &Constants::default()).unwrap();
    assert_eq!(listed(&chunks[0].module), ["in 0t 0m 0g"]);
    assert_eq!(listed(&first).len(), listed(&shop_of(0)).len());
}

#[test]
fn a_program_without_names_is_rejected() {
    let mut nameless = Module::new();
    nameless.section(&TypeSection::new());
    assert!(split(&nameless.finish(), &Chunks::default(), &Constants::default()).is_err());
}

#[test]
fn every_prefix_in_the_list_matches_the_program() {
    let root = crate::paths::root();
    let chunks = Chunks::parse(include_str!("chunks.txt")).unwrap();
    for name in chunks.prefixes() {
        // A destructor is named after its type, a method outside of its type's module after that module and the type.
        let name = name.trim_start_matches("core::ptr::drop_in_place<");
        let name = match (name.split_once("<impl "), name.split_once(">::")) {
            (Some((module, _)), Some((_, method))) => [module, method].concat(),
            _ => name.to_owned(),
        };
        let mut words = name.split("::").filter(|word| !word.is_empty());
        let mut place = match words.next() {
            Some("redis_model") => root.join("crates/redis-model/src"),
            Some("lockstep_page") => root.join("src"),
            Some("world") => root.join("crates/world/src"),
            Some("script") => root.join("crates/script/src"),
            Some("lesson") => root.join("crates/lesson/src"),
            Some("table") => root.join("crates/services/table/src"),
            other => panic!("{name}: no place is known for {other:?}"),
        };
        for word in words {
            let file = place.with_extension("rs");
            let text = [file, place.join("mod.rs"), place.join("lib.rs")]
                .iter()
                .filter_map(|file| std::fs::read_to_string(file).ok())
                .collect::<String>();
            // Functions of a type contain its name.
            let is_there = ["mod", "fn", "struct", "trait"].iter().any(|kind| text.contains(&format!("{kind} {word}")));
            assert!(is_there, "{name}: no {word}");
            // They are in the module of the type.
            if !word.starts_with(char::is_uppercase) {
                place.push(word);
            }
        }
    }
}

/// The data of a part: place and bytes of each.
fn data_of(bytes: &[u8]) -> Vec<(i32, Vec<u8>)> {
    use wasmparser::{DataKind, Operator, Parser, Payload};
    let mut found = Vec::new();
    for payload in Parser::new(0).parse_all(bytes) {
        let Payload::DataSection(section) = payload.unwrap() else { continue };
        for data in section {
            let data = data.unwrap();
            let DataKind::Active { offset_expr, .. } = data.kind else { panic!("it has no place") };
            let Operator::I32Const { value } = offset_expr.get_operators_reader().read().unwrap() else { panic!() };
            found.push((value, data.data.to_vec()));
        }
    }
    found
}

#[test]
fn marked_text_becomes_data_of_its_chunk_at_the_same_address() {
    let data = b"early <late rare>text</late> more";
    let chunks = |list| Chunks::parse(list).unwrap();
    let shop = shop_with(SMALL_BYTES, data);
    let none = Constants::default();
    let parts = split(&shop, &chunks("[rare]\nshop::rare\n[often]\nshop::often"), &none).unwrap();
    let text = b"<late rare>text</late>".to_vec();
    let mut first = data.to_vec();
    first[6..6 + text.len()].fill(0);
    assert_eq!(data_of(&parts.first), [(8, first)]);
    assert_eq!(data_of(&parts.chunks[0].module), [(8 + 6, text)]);
    assert!(data_of(&parts.chunks[1].module).is_empty());
    for part in parts.chunks.iter().map(|chunk| &chunk.module).chain([&parts.first]) {
        wasmparser::Validator::new().validate_all(part).unwrap();
    }
    // A mark of an unknown chunk, and one without an end.
    assert!(split(&shop, &chunks("[often]\nshop::often"), &none).is_err());
    assert!(split(&shop_with(0, b"<late rare>text"), &chunks("[rare]\nshop::rare"), &none).is_err());
}

/// Adds what the linker leaves in a program: a symbol for each constant of four bytes, and who mentions it: a function by its number, or
/// another constant by its.
fn linked(mut program: Vec<u8>, constants: usize, in_code: &[(u32, u32)], in_data: &[(u32, u32)]) -> Vec<u8> {
    use wasm_encoder::{CustomSection, DataSymbolDefinition, Encode, LinkingSection, Section, SymbolTable};
    use wasmparser::{Parser, Payload};
    let (mut code, mut data, mut bodies) = (0, 0, Vec::new());
    for payload in Parser::new(0).parse_all(&program) {
        match payload.unwrap() {
            Payload::CodeSectionStart { unchecked_range, .. } => code = unchecked_range.start,
            Payload::CodeSectionEntry(body) => bodies.push(body.range().start),
            Payload::DataSection(section) => {
                let start = section.range().start;
                data = section.into_iter().next().unwrap().unwrap().range.end - 4 * constants as u64 - start;
            }
            _ => {}
        }
    }
    let mut symbols = SymbolTable::new();
    for nth in 0..constants as u32 {
        symbols.data(0, &format!("c{nth}"), Some(DataSymbolDefinition { index: 0, offset: 4 * nth, size: 4 }));
    }
    let mut linking = LinkingSection::new();
    linking.symbol_table(&symbols);
    linking.append_to(&mut program);
    // Type, place in the section, symbol, addend.
    let mut append = |name: &str, kind: u8, entries: Vec<(u32, u32)>| {
        let mut bytes = Vec::new();
        0_u32.encode(&mut bytes);
        entries.len().encode(&mut bytes);
        for (place, symbol) in entries {
            bytes.push(kind);
            [place, symbol, 0].iter().for_each(|number| number.encode(&mut bytes));
        }
        CustomSection { name: name.into(), data: bytes.into() }.append_to(&mut program);
    };
    let in_body = |(function, symbol): &(u32, u32)| ((bodies[*function as usize - 1] - code) as u32 + 1, *symbol);
    append("reloc.CODE", 4, in_code.iter().map(in_body).collect());
    append("reloc.DATA", 5, in_data.iter().map(|(holder, symbol)| (data as u32 + 4 * holder, *symbol)).collect());
    program
}

#[test]
fn constants_become_data_of_the_chunks_that_read_them() {
    let list = Chunks::parse("[rare]\nshop::rare\n[often]\nshop::often").unwrap();
    let all = b"aaaabbbbccccddddeeeeffffgggg";
    let shop = shop_with(SMALL_BYTES, all);
    // 0 is read by a chunk, and mentions 3; 1 is read by the first part, and mentions 2; 4 is read by both chunks, 5 by nobody, 6 by a
    // function that only a chunk calls.
    let in_code = [(RARE, 0), (MAIN, 1), (RARE, 4), (OFTEN, 4), (ONLY_RARE, 6)];
    let constants = Constants::read(&linked(shop.clone(), 7, &in_code, &[(1, 2), (0, 3)])).unwrap();
    let parts = split(&shop, &list, &constants).unwrap();
    assert_eq!(data_of(&parts.first), [(8, b"\0\0\0\0bbbbcccc\0\0\0\0\0\0\0\0ffff\0\0\0\0".to_vec())]);
    // What is between constants is written once more.
    assert_eq!(data_of(&parts.chunks[0].module), [(8, all.to_vec())]);
    assert_eq!(data_of(&parts.chunks[1].module), [(8 + 16, b"eeee".to_vec())]);
    for part in parts.chunks.iter().map(|chunk| &chunk.module).chain([&parts.first]) {
        wasmparser::Validator::new().validate_all(part).unwrap();
    }
    // A function that was dropped or renamed after linking may be anybody's; `common` is shared.
    for function in [COMMON, MAIN] {
        let shared: Vec<_> = in_code.into_iter().chain([(function, 0)]).collect();
        let constants = Constants::read(&linked(shop.clone(), 7, &shared, &[(1, 2), (0, 3)])).unwrap();
        let parts = split(&shop, &list, &constants).unwrap();
        assert_eq!(data_of(&parts.first), [(8, b"aaaabbbbccccdddd\0\0\0\0ffff\0\0\0\0".to_vec())], "{function}");
    }
}

#[test]
fn a_constant_whose_address_the_first_part_contains_stays_there() {
    // `main` contains the number 7; a constant from 7 on would be at that address.
    let shop = shop_with(SMALL_BYTES, b"aaaa");
    let list = Chunks::parse("[rare]\nshop::rare").unwrap();
    let constants = Constants::read(&linked(shop.clone(), 1, &[(RARE, 0)], &[])).unwrap();
    let program = program::Program::read(&shop).unwrap();
    let in_chunk =
        |mentioned: &[u32]| constants.of_chunks(&program, |_| 1, &mentioned.iter().copied().collect()).unwrap().len();
    assert_eq!([in_chunk(&[7, 12]), in_chunk(&[11]), in_chunk(&[8])], [1, 0, 0]);
    assert!(data_of(&split(&shop, &list, &constants).unwrap().first).is_empty());
}

#[test]
fn a_program_without_relocations_is_rejected() {
    assert!(Constants::read(&shop()).is_err());
    assert!(Constants::read(&linked(shop_with(0, b"aaaa"), 1, &[], &[])).is_err());
    // One of another build.
    let other = linked(shop_with(0, b"aaab"), 1, &[(RARE, 0)], &[]);
    let list = Chunks::parse("[rare]\nshop::rare").unwrap();
    assert!(split(&shop_with(0, b"aaaa"), &list, &Constants::read(&other).unwrap()).is_err());
    // One that is in no function.
    let mut broken = linked(shop_with(0, b"aaaa"), 1, &[(RARE, 0)], &[]);
    let at = broken.windows(10).position(|window| window == b"reloc.CODE").unwrap() + 10 + 3;
    broken[at] = 0;
    assert!(Constants::read(&broken).is_err());
}
