//! A compiled text, and static checks of its bytecode.
use super::loaded::LoadedLibrary;
use crate::native;
use lua_types::{GcRef, LuaClosure, LuaProto, LuaTable, LuaValue, UpvalDesc};
use lua_vm::state::LuaState;
use lua_vm::vm::{InstructionExt as _, OpCode};
use std::cell::OnceCell;

/// Most instructions of a text that may run unwatched.
const SHORT: usize = 256;

/// How many times larger the `..` operators of a short text may make its strings.
const COPIES_MAX: u32 = 8;

/// A compiled text. The VM's registry keeps its function alive.
pub struct Text {
    pub function: LuaValue,
    /// Its number of instructions, if each runs at most once and none takes long by itself.
    pub straight: Option<usize>,
    /// The table of its globals.
    globals: LuaValue,
    /// The cached functions, if it is a library that need not be loaded again.
    pub kept: OnceCell<LoadedLibrary>,
}

/// The number of a function's instructions, if each runs at most once and none takes long by itself.
pub fn straight(proto: &LuaProto) -> Option<usize> {
    is_straight(proto).then_some(proto.code.len())
}

impl Text {
    /// Takes the function on top of the stack and keeps it alive. `globals`: the table that it was compiled for; `unguarded`: a table
    /// with the same names, for texts that cannot notice the difference.
    pub fn new(state: &mut LuaState, globals: LuaValue, unguarded: Option<GcRef<LuaTable>>) -> Text {
        let function = native::value(state, -1);
        // This root is never removed: it lives as long as the machine.
        state.external_root_value(function);
        let LuaValue::Function(LuaClosure::Lua(closure)) = function else {
            return Text { function, straight: None, globals, kept: OnceCell::new() };
        };
        let unguarded = unguarded.filter(|names| is_reader(&closure.proto, names));
        let straight = straight(&closure.proto);
        let globals = unguarded.map_or(globals, LuaValue::Table);
        Text { function, straight, globals, kept: OnceCell::new() }
    }

    /// Sets its globals to these, if the text cannot notice the difference.
    pub fn give(&self, unguarded: &GcRef<LuaTable>) {
        if let LuaValue::Function(LuaClosure::Lua(closure)) = self.function
            && is_reader(&closure.proto, unguarded)
        {
            self.find_globals_in(LuaValue::Table(*unguarded));
        }
    }

    /// Sets its globals again, because an earlier run may have changed them: in this VM, `_ENV = nil` removes them.
    pub fn prepare(&self) {
        self.find_globals_in(self.globals);
    }

    fn find_globals_in(&self, names: LuaValue) {
        if let LuaValue::Function(LuaClosure::Lua(closure)) = self.function
            && closure.proto.upvalues.first().is_some_and(is_globals)
            && let Some(globals) = closure.upvals.first()
        {
            globals.get().set_closed_value(names);
        }
    }
}

/// Whether this upvalue holds the globals.
fn is_globals(upvalue: &UpvalDesc) -> bool {
    upvalue.name.is_none_or(|name| name.as_bytes() == GLOBALS)
}

/// Whether it is a short text without loops and functions. No instruction can run twice, and it can only call native functions,
/// which check the bounds themselves. (Functions of a text that it compiles are watched.)
fn is_straight(text: &LuaProto) -> bool {
    let mut copies = 1u32;
    text.code.len() <= SHORT
        && text.p.is_empty()
        && text.code.iter().all(|instruction| match instruction.opcode() {
            OpCode::ForLoop | OpCode::ForPrep | OpCode::TForPrep | OpCode::TForCall | OpCode::TForLoop => false,
            OpCode::Jmp => instruction.arg_s_j() >= 0,
            OpCode::Concat => {
                copies = copies.saturating_mul(instruction.arg_b().unsigned_abs());
                copies <= COPIES_MAX
            }
            _ => true,
        })
}

/// Whether a text and all its functions only read globals by name, and use libraries only for their fields. Such a text
/// cannot notice whether the tables are guarded.
fn is_reader(text: &GcRef<LuaProto>, names: &GcRef<LuaTable>) -> bool {
    let mut left = vec![*text];
    while let Some(proto) = left.pop() {
        if !reads_only(&proto, names) {
            return false;
        }
        left.extend_from_slice(&proto.p);
    }
    true
}

fn reads_only(proto: &LuaProto, names: &GcRef<LuaTable>) -> bool {
    let is_globals =
        |number: i32| usize::try_from(number).ok().and_then(|number| proto.upvalues.get(number)).is_none_or(is_globals);
    let is_library = |name: &[u8]| {
        !matches!(name, super::KEYS | super::ARGV) && matches!(native::field(names, name), LuaValue::Table(_))
    };
    // In Lua 5.1 this is an ordinary name.
    if proto.locvars.iter().any(|local| local.varname.as_bytes() == GLOBALS) {
        return false;
    }
    let mut next = proto.code.iter();
    while let Some(instruction) = next.next() {
        let is_harmless = match instruction.opcode() {
            OpCode::GetUpVal | OpCode::SetUpVal => !is_globals(instruction.arg_b()),
            OpCode::SetTabUp => !is_globals(instruction.arg_a()),
            OpCode::GetTabUp if is_globals(instruction.arg_b()) => {
                match usize::try_from(instruction.arg_c()).ok().and_then(|constant| proto.k.get(constant)) {
                    Some(LuaValue::Str(name)) if name.as_bytes() == b"_G" => false,
                    Some(LuaValue::Str(name)) if is_library(name.as_bytes()) => {
                        let place = instruction.arg_a();
                        next.as_slice().first().is_some_and(|next| {
                            next.opcode() == OpCode::GetField && next.arg_b() == place && next.arg_a() == place
                        })
                    }
                    Some(LuaValue::Str(_)) => true,
                    _ => false,
                }
            }
            _ => true,
        };
        if !is_harmless {
            return false;
        }
    }
    true
}

/// The VM's name for the upvalue that holds the globals.
const GLOBALS: &[u8] = b"_ENV";
