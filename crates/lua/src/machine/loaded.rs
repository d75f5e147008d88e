//! Cached libraries, which need not be loaded again for each call of one of their functions.
//!
//! The variables of a library are reset for each call, so normally the library is loaded again each time. If it has no state that could
//! change, all loads are equal: then its functions are cached, and each call is still charged for one load.
use super::environment::Environment;
use super::text::{self, Text};
use crate::guard;
use crate::library::json::Settings;
use crate::redis::{Registration, Session};
use bytes::Bytes;
use lua_types::{GcRef, LuaClosure, LuaLClosure, LuaProto, LuaValue};
use lua_vm::vm::{InstructionExt as _, OpCode};

/// Functions that may be reachable from a library's registered functions.
const FUNCTIONS_MAX: usize = 256;

/// The functions of a loaded library.
pub struct LoadedLibrary {
    functions: Vec<Function>,
    /// Instructions that the load used.
    pub instructions: usize,
}

/// A registered function.
pub struct Function {
    name: Bytes,
    /// The Lua function. The VM's registry keeps it alive.
    pub callback: LuaValue,
    /// Its number of instructions, if it has no loop and calls no function of its library.
    pub straight: Option<usize>,
}

impl LoadedLibrary {
    /// Caches the finished load if every load gives the same result. `random` is the state of `math.random` before the load,
    /// `instructions` the number that it used.
    pub fn new(
        session: &Session,
        text: &Text,
        environment: &Environment,
        random: u64,
        instructions: u64,
    ) -> Option<LoadedLibrary> {
        let has_effects = session.random.get() != random
            || session.has_logged.get()
            || session.json.get() != Settings::default()
            || !session.named.borrow().is_empty();
        if has_effects || !session.registered.borrow().iter().all(|known| is_constant(&known.callback, environment)) {
            return None;
        }
        text.give(&environment.unguarded_running);
        // Their roots are never removed: they live as long as the machine.
        let functions = session.registered.take().into_iter().map(|Registration { function, callback, .. }| {
            let straight = match callback {
                LuaValue::Function(LuaClosure::Lua(closure)) if !calls_own(&closure) => text::straight(&closure.proto),
                _ => None,
            };
            Function { name: function.name, callback, straight }
        });
        Some(LoadedLibrary { functions: functions.collect(), instructions: usize::try_from(instructions).ok()? })
    }

    pub fn function(&self, name: &[u8]) -> Option<&Function> {
        self.functions.iter().find(|function| function.name == name)
    }
}

/// Whether no call can change this function's state.
fn is_constant(callback: &LuaValue, environment: &Environment) -> bool {
    let mut seen: Vec<GcRef<LuaLClosure>> = Vec::new();
    let mut left = vec![*callback];
    while let Some(value) = left.pop() {
        let is_constant = match value {
            LuaValue::Function(LuaClosure::Lua(closure)) => {
                if seen.iter().any(|known| GcRef::ptr_eq(known, &closure)) {
                    continue;
                }
                seen.push(closure);
                left.extend(kept_by(&closure));
                seen.len() <= FUNCTIONS_MAX
                    && closure.upvals.iter().all(|upvalue| upvalue.get().is_closed())
                    && !assigns(closure.proto)
            }
            LuaValue::Table(table) => guard::behind(&table).is_some(),
            // Native functions created later may have state, as iterators do.
            LuaValue::Function(LuaClosure::LightC(number)) => number < environment.natives,
            LuaValue::Str(_) | LuaValue::Nil | LuaValue::Bool(_) | LuaValue::Int(_) | LuaValue::Float(_) => true,
            _ => false,
        };
        if !is_constant {
            return false;
        }
    }
    true
}

/// The values of a function's upvalues.
fn kept_by(closure: &LuaLClosure) -> impl Iterator<Item = LuaValue> {
    closure.upvals.iter().map(|upvalue| upvalue.get().closed_value())
}

/// Whether it can call other functions of the library.
fn calls_own(closure: &LuaLClosure) -> bool {
    kept_by(closure).any(|value| matches!(value, LuaValue::Function(LuaClosure::Lua(_))))
}

/// Whether it, or a function nested in it, assigns to an upvalue.
fn assigns(proto: GcRef<LuaProto>) -> bool {
    let mut left = vec![proto];
    while let Some(proto) = left.pop() {
        if proto.code.iter().any(|instruction| instruction.opcode() == OpCode::SetUpVal) {
            return true;
        }
        left.extend_from_slice(&proto.p);
    }
    false
}
