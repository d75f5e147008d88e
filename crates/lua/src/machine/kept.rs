//! Libraries that need not be loaded again for each call of one of their functions.
//!
//! What a library keeps in variables of its own begins again with each call. Where it keeps nothing that could change, one load
//! is as good as another: then its functions are kept, and a call is charged for the load that it is spared.
use super::environment::Environment;
use super::text::{self, Text};
use crate::guard;
use crate::library::json::Settings;
use crate::redis::{Registration, Session};
use bytes::Bytes;
use lua_types::{GcRef, LuaClosure, LuaLClosure, LuaProto, LuaValue};
use lua_vm::vm::{InstructionExt as _, OpCode};

/// How many functions a library may reach from those that it registers.
const FUNCTIONS_MAX: usize = 256;

/// A library that was loaded.
pub struct Kept {
    functions: Vec<Function>,
    /// What the load took.
    pub instructions: usize,
}

/// A function that it registered.
pub struct Function {
    name: Bytes,
    /// The function in Lua, which the machine's registry keeps.
    pub callback: LuaValue,
    /// The number of its instructions, if it cannot run for long by itself.
    pub straight: Option<usize>,
}

impl Kept {
    /// What the load that is over has left, if every load leaves the same. `random`: the state of `math.random` before it;
    pub fn new(
        session: &Session,
        text: &Text,
        environment: &Environment,
        random: u64,
        instructions: u64,
    ) -> Option<Kept> {
        let has_effects = session.random.get() != random
            || session.has_logged.get()
            || session.json.get() != Settings::default()
            || !session.named.borrow().is_empty();
        if has_effects || !session.registered.borrow().iter().all(|known| is_constant(&known.callback, environment)) {
            return None;
        }
        text.give(&environment.unguarded_running);
        // Their roots are never taken out: they live as long as the machine.
        let functions = session.registered.take().into_iter().map(|Registration { function, callback, .. }| {
            let straight = match callback {
                LuaValue::Function(LuaClosure::Lua(closure)) if !calls_own(&closure) => text::straight(&closure.proto),
                _ => None,
            };
            Function { name: function.name, callback, straight }
        });
        Some(Kept { functions: functions.collect(), instructions: usize::try_from(instructions).ok()? })
    }

    /// The function of a name.
    pub fn function(&self, name: &[u8]) -> Option<&Function> {
        self.functions.iter().find(|function| function.name == name)
    }
}

/// Is there nothing about this function that a call could change?
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
            // Those that are made later may have something in them, as iterators have.
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

/// What a function finds outside of itself.
fn kept_by(closure: &LuaLClosure) -> impl Iterator<Item = LuaValue> {
    closure.upvals.iter().map(|upvalue| upvalue.get().closed_value())
}

/// Can it call functions of the library besides itself?
fn calls_own(closure: &LuaLClosure) -> bool {
    kept_by(closure).any(|value| matches!(value, LuaValue::Function(LuaClosure::Lua(_))))
}

/// Does it, or a function in it, assign to a variable outside of itself?
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
