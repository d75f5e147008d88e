//! The *live state* of a snapshot: everything that its future depends on. Casts with equal live states behave alike from there on.
//!
//! ```text
//!   for each waiting thread      its calls (function, position in it), and the values on its stack
//!   from there on                all reachable objects: tables with their layout, functions by their position in the
//!                                text and their variables
//!   besides                      names assigned to, the objects numbered by `tostring`, the settings of `cjson`
//! ```
//!
//! Objects are numbered in the order of the traversal, so addresses do not matter. Objects that all programs share
//! (libraries, native functions) have fixed numbers, the same on every machine. Where a thread waits inside a call, stack slots above the
//! called function are dead, and those below it are live: the compiler allocates registers like a stack.
//!
//! Some states cannot be captured: a program's own coroutines, native functions that a program has created (`gmatch`), text
//! compiled by `loadstring`, tables with tables as keys. These snapshots have no live state; their history identifies them instead.
use std::collections::{BTreeSet, VecDeque};
use std::hash::{Hash, Hasher};

use bytes::Bytes;
use lua_types::{GcRef, LuaClosure, LuaProto, LuaTable, LuaValue, StackIdx, UpVal};
use lua_vm::state::LuaState;
use rustc_hash::FxHashMap;
use script::Fingerprinter;
use script::program::State;

use super::snapshot::Coroutine;
use crate::library::json::Settings;

/// Most objects visited; a program with more has no live state.
const OBJECTS_MAX: usize = 10_000;

/// Numbers of shared objects, or of the functions of a program's text.
pub type Numbers = FxHashMap<usize, u32>;

/// The functions that compute live states. A module whose players never search does not link this code.
pub struct StateHasher {
    /// Numbers the objects that all programs share.
    pub known: fn(&[LuaValue]) -> Numbers,
    /// Numbers the functions of a text.
    pub protos: fn(&LuaValue, &mut Numbers),
    /// Computes the fingerprint of a live state.
    pub live: fn(&LuaState, &[Coroutine], &Besides<'_>) -> Option<u128>,
}

/// The only instance.
pub static STATE_HASHER: StateHasher = StateHasher { known, protos, live };

/// Numbers all objects reachable from these, in an order that is the same on every machine. Keys without an order
/// (names that are not strings) are skipped.
fn known(roots: &[LuaValue]) -> Numbers {
    let mut numbers = Numbers::default();
    let mut open: VecDeque<LuaValue> = roots.iter().copied().collect();
    while let Some(value) = open.pop_front() {
        let Some(address) = address(&value) else { continue };
        let number = u32::try_from(numbers.len()).unwrap_or(u32::MAX);
        if numbers.contains_key(&address) {
            continue;
        }
        numbers.insert(address, number);
        match &value {
            LuaValue::Table(table) => {
                let mut fields: Vec<(Vec<u8>, LuaValue)> = Vec::new();
                table.for_each_entry(|name, value| {
                    if let LuaValue::Str(name) = name {
                        fields.push((name.as_bytes().to_vec(), *value));
                    }
                });
                fields.sort_by(|a, b| a.0.cmp(&b.0));
                open.extend(fields.into_iter().map(|(_, value)| value));
                open.extend(table.metatable().map(LuaValue::Table));
            }
            LuaValue::Function(LuaClosure::C(closure)) => open.extend(closure.upvalues.borrow().iter().copied()),
            LuaValue::Function(LuaClosure::Lua(closure)) => {
                open.extend(closure.upvals.iter().filter_map(|upvalue| upvalue.get().try_closed_value()));
                // Closures that it creates are identified by their text.
                closure.proto.p.iter().for_each(|inner| number_text(inner, &mut numbers));
            }
            _ => {}
        }
    }
    numbers
}

/// Numbers a function's prototype and those nested in it.
fn number_text(proto: &GcRef<LuaProto>, numbers: &mut Numbers) {
    let next = u32::try_from(numbers.len()).unwrap_or(u32::MAX);
    if numbers.insert(proto.identity(), next).is_none() {
        proto.p.iter().for_each(|inner| number_text(inner, numbers));
    }
}

/// Numbers a function's prototype and those nested in it.
fn protos(body: &LuaValue, numbers: &mut Numbers) {
    if let LuaValue::Function(LuaClosure::Lua(closure)) = body {
        number_text(&closure.proto, numbers);
    }
}

/// The address of an object; `None` for plain values.
fn address(value: &LuaValue) -> Option<usize> {
    Some(match value {
        LuaValue::Table(table) => table.identity(),
        LuaValue::Function(LuaClosure::Lua(closure)) => closure.identity(),
        LuaValue::Function(LuaClosure::C(closure)) => closure.identity(),
        // Its index in the VM's list, made odd so that it differs from every address.
        LuaValue::Function(LuaClosure::LightC(place)) => place.saturating_mul(2) | 1,
        _ => return None,
    })
}

/// The parts of a live state besides the threads.
pub struct Besides<'a> {
    /// Numbers of the objects that all programs share.
    pub known: &'a Numbers,
    /// Numbers of the functions of its text.
    pub protos: &'a Numbers,
    /// The global names that it has assigned to.
    pub assigned: &'a BTreeSet<Bytes>,
    /// The addresses of the objects numbered by `tostring`, in that order.
    pub named: &'a [usize],
    /// The settings of `cjson`.
    pub json: &'a Settings,
}

/// The fingerprint of these threads' live state; `None` if it cannot be captured.
fn live(state: &LuaState, coroutines: &[Coroutine], besides: &Besides<'_>) -> Option<u128> {
    let mut walk = Walk {
        state,
        coroutines,
        besides,
        out: Fingerprinter::default(),
        seen: Numbers::default(),
        open: VecDeque::new(),
    };
    coroutines.len().hash(&mut walk.out);
    for coroutine in coroutines {
        std::mem::discriminant(&coroutine.state).hash(&mut walk.out);
        if let State::Requests(request) = &coroutine.state {
            request.hash(&mut walk.out);
            walk.thread(&coroutine.value)?;
        }
    }
    while let Some(object) = walk.open.pop_front() {
        walk.inside_of(object)?;
    }
    besides.assigned.hash(&mut walk.out);
    besides.json.hash(&mut walk.out);
    for address in besides.named {
        walk.seen.get(address).hash(&mut walk.out);
    }
    Some(walk.out.finish128())
}

/// An object whose content is still to be visited.
enum Object {
    Table(GcRef<LuaTable>),
    Function(GcRef<lua_types::closure::LuaLClosure>),
    Variable(GcRef<UpVal>),
}

struct Walk<'a> {
    state: &'a LuaState,
    coroutines: &'a [Coroutine],
    besides: &'a Besides<'a>,
    out: Fingerprinter,
    seen: Numbers,
    open: VecDeque<Object>,
}

impl Walk<'_> {
    /// Visits the calls of a waiting thread, and its stack.
    fn thread(&mut self, coroutine: &LuaValue) -> Option<()> {
        let LuaValue::Thread(thread) = coroutine else { return None };
        self.value(&self.state.v51_thread_lgt(thread.id))?;
        let entry = self.state.global().threads.get(&thread.id).map(|entry| std::rc::Rc::clone(&entry.state))?;
        let coroutine = entry.try_borrow().ok()?;
        (coroutine.status, coroutine.errfunc).hash(&mut self.out);
        let mut at = Some(lua_types::CallInfoIdx(0));
        while let Some(number) = at {
            let call = coroutine.call_info.get(usize::try_from(number.0).ok()?)?;
            let frame = &call.u;
            (call.func.0, call.nresults, call.callstatus, call.tailcalls, call.u2.value).hash(&mut self.out);
            (frame.savedpc, frame.nextraargs, frame.old_errfunc, frame.ctx, frame.k.is_some()).hash(&mut self.out);
            at = if number == coroutine.ci { None } else { Some(call.next?) };
        }
        let top = usize::try_from(coroutine.top.0).ok()?;
        top.hash(&mut self.out);
        let mut variables: Vec<(StackIdx, GcRef<UpVal>)> = coroutine
            .openupval
            .iter()
            .filter_map(|variable| Some((variable.try_open_payload()?.1, *variable)))
            .collect();
        variables.sort_unstable_by_key(|(place, _)| place.0);
        for (place, slot) in coroutine.stack.get(..top)?.iter().enumerate() {
            // A stack slot that a closure captures is identified by its upvalue: both share one variable.
            let shared = variables.binary_search_by_key(&place, |(at, _)| usize::try_from(at.0).unwrap_or(usize::MAX));
            match shared.ok().and_then(|found| variables.get(found)) {
                Some((_, variable)) => self.reach(variable.identity(), Object::Variable(*variable), 8)?,
                None => self.value(&slot.val)?,
            }
        }
        Some(())
    }

    fn value(&mut self, value: &LuaValue) -> Option<()> {
        match value {
            LuaValue::Nil => self.out.write_u8(0),
            LuaValue::Bool(yes) => (1_u8, yes).hash(&mut self.out),
            LuaValue::Int(number) => (2_u8, number).hash(&mut self.out),
            LuaValue::Float(number) => (3_u8, number.to_bits()).hash(&mut self.out),
            LuaValue::Str(text) => (4_u8, text.as_bytes()).hash(&mut self.out),
            LuaValue::Table(table) => self.reach(table.identity(), Object::Table(*table), 5)?,
            LuaValue::Function(LuaClosure::Lua(closure)) => {
                self.reach(closure.identity(), Object::Function(*closure), 6)?;
            }
            LuaValue::Function(LuaClosure::C(_) | LuaClosure::LightC(_)) => {
                (7_u8, self.besides.known.get(&address(value)?)?).hash(&mut self.out);
            }
            LuaValue::Thread(thread) => {
                let is_it =
                    |coroutine: &Coroutine| matches!(coroutine.value, LuaValue::Thread(own) if own.id == thread.id);
                (9_u8, self.coroutines.iter().position(is_it)?).hash(&mut self.out);
            }
            LuaValue::UserData(_) | LuaValue::LightUserData(_) => return None,
        }
        Some(())
    }

    /// Visits an object: hashes its number, and queues its content at the first visit.
    fn reach(&mut self, address: usize, object: Object, kind: u8) -> Option<()> {
        if let Some(number) = self.besides.known.get(&address) {
            (kind, true, number).hash(&mut self.out);
            return Some(());
        }
        let next = u32::try_from(self.seen.len()).ok()?;
        let number = *self.seen.entry(address).or_insert(next);
        (kind, false, number).hash(&mut self.out);
        if number == next {
            if self.seen.len() > OBJECTS_MAX {
                return None;
            }
            self.open.push_back(object);
        }
        Some(())
    }

    fn inside_of(&mut self, object: Object) -> Option<()> {
        match object {
            Object::Table(table) => {
                match table.metatable() {
                    Some(metatable) => self.value(&LuaValue::Table(metatable))?,
                    None => self.out.write_u8(0),
                }
                table.with_inner(|inner| {
                    // With its layout, which decides the order of `next` and the result of `#`.
                    (inner.array.len(), inner.node.len(), inner.lastfree, inner.alimit).hash(&mut self.out);
                    for value in &inner.array {
                        self.value(value)?;
                    }
                    for node in &inner.node {
                        match (&node.key, &node.value) {
                            // The old key may have been freed: only the fact that the slot was used counts.
                            (key, LuaValue::Nil) => matches!(key, LuaValue::Nil).hash(&mut self.out),
                            (LuaValue::Bool(_) | LuaValue::Int(_) | LuaValue::Float(_) | LuaValue::Str(_), value) => {
                                self.value(&node.key)?;
                                self.value(value)?;
                            }
                            _ => return None,
                        }
                    }
                    Some(())
                })
            }
            Object::Function(closure) => {
                let text = closure.proto.identity();
                match self.besides.protos.get(&text) {
                    Some(number) => number.hash(&mut self.out),
                    // Created by a function that all programs share.
                    None => (u32::MAX, self.besides.known.get(&text)?).hash(&mut self.out),
                }
                for variable in &closure.upvals {
                    let variable = variable.get();
                    self.reach(variable.identity(), Object::Variable(variable), 8)?;
                }
                Some(())
            }
            Object::Variable(variable) => match variable.try_open_payload() {
                None => self.value(&variable.closed_value()),
                Some((thread, place)) => {
                    let entry =
                        self.state.global().threads.get(&thread).map(|entry| std::rc::Rc::clone(&entry.state))?;
                    let coroutine = entry.try_borrow().ok()?;
                    let value = coroutine.stack.get(usize::try_from(place.0).ok()?)?.val;
                    self.value(&value)
                }
            },
        }
    }
}
