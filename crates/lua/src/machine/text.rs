//! A compiled text, and what its instructions tell of it before it runs.
use super::kept::Kept;
use crate::native;
use lua_types::{GcRef, LuaClosure, LuaProto, LuaTable, LuaValue, UpvalDesc};
use lua_vm::state::LuaState;
use lua_vm::vm::{InstructionExt as _, OpCode};
use std::cell::OnceCell;

/// A text of at most as many instructions may run unwatched.
const SHORT: usize = 256;

/// How often over a short text may repeat, with its `..`, what it has already.
const COPIES_MAX: u32 = 8;

/// A compiled text. The machine's registry keeps the function.
pub struct Text {
    pub function: LuaValue,
    /// The number of its instructions, if each of them runs once at most and none takes long by itself.
    pub straight: Option<usize>,
    /// What it finds its globals in.
    globals: LuaValue,
    /// What its load has left, if it is a library that need not be loaded again.
    pub kept: OnceCell<Kept>,
}

/// The number of a function's instructions, if each of them runs once at most and none takes long by itself.
pub fn straight(proto: &LuaProto) -> Option<usize> {
    is_straight(proto).then_some(proto.code.len())
}

impl Text {
    /// The function on top of the stack, which is kept from now on. `globals`: what it was compiled for; `unguarded`: the same
    /// names in a table for texts that could not tell one from the other.
    pub fn new(state: &mut LuaState, globals: LuaValue, unguarded: Option<GcRef<LuaTable>>) -> Text {
        let function = native::value(state, -1);
        // Never taken out again: it lives as long as the machine.
        state.external_root_value(function);
        let LuaValue::Function(LuaClosure::Lua(closure)) = function else {
            return Text { function, straight: None, globals, kept: OnceCell::new() };
        };
        let unguarded = unguarded.filter(|names| is_reader(&closure.proto, names));
        let straight = straight(&closure.proto);
        let globals = unguarded.map_or(globals, LuaValue::Table);
        Text { function, straight, globals, kept: OnceCell::new() }
    }

    /// Gives it these globals, if it only reads some and could not tell.
    pub fn give(&self, unguarded: &GcRef<LuaTable>) {
        if let LuaValue::Function(LuaClosure::Lua(closure)) = self.function
            && is_reader(&closure.proto, unguarded)
        {
            self.find_globals_in(LuaValue::Table(*unguarded));
        }
    }

    /// Gives it its globals, whatever it did to them when it ran before: `_ENV = nil` takes them away in this machine.
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

/// Is that where a function reaches its globals?
fn is_globals(upvalue: &UpvalDesc) -> bool {
    upvalue.name.is_none_or(|name| name.as_bytes() == GLOBALS)
}

/// Is it a short text without loops and functions? Nothing in it can run twice, and what it may call are native functions,
/// which look at the bounds themselves. (Functions of a text that is compiled meanwhile are watched.)
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

/// Does a text, with all its functions, only read globals by name, and the libraries among them only for their fields? Then
/// nothing tells it whether their tables are guarded.
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
    // To Lua 5.1 that is a name like any other.
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

/// What the machine calls the table of globals where a function reaches it.
const GLOBALS: &[u8] = b"_ENV";
