//! What a cast can still do depends on: its *live state*. Casts with the same one go on alike, whatever led to them.
//!
//! ```text
//!   for each thread that waits   its calls (function, place in it), and what is on its stack
//!   from there on                everything that can be reached: tables as they are laid out, functions by their place in the
//!                                text and their variables
//!   besides                      names that were assigned to, what `tostring` has counted, what `cjson` was told
//! ```
//!
//! Objects are numbered in the order in which they are reached first, so addresses do not matter. What every program finds
//! (libraries, natives) has numbers of its own, the same on every machine. Where a thread waits inside a call, what lies above the
//! called function is no longer there, and what lies below it is in use: the compiler takes registers like a stack.
//!
//! Some states cannot be told in this way: a coroutine of the program's own, a native function that a program has made (`gmatch`), text
//! that was compiled by `loadstring`, tables with tables as keys. Then there is no live state, and the history tells.
use std::collections::{BTreeSet, VecDeque};
use std::hash::{Hash, Hasher};

use bytes::Bytes;
use lua_types::{GcRef, LuaClosure, LuaProto, LuaTable, LuaValue, StackIdx, UpVal};
use lua_vm::state::LuaState;
use rustc_hash::FxHashMap;
use script::Fingerprinter;
use script::program::State;

use super::cast::Actor;
use crate::library::json::Settings;

/// Objects that are looked at; a program that has more is told by its history.
const OBJECTS_MAX: usize = 10_000;

/// Numbers for what a program finds, or for the functions of its text.
pub type Numbers = FxHashMap<usize, u32>;

/// How live states are told. A player that no one searches with has none of this, and a module with only such a player does not contain it.
pub struct Teller {
    /// Numbers for what every program finds.
    pub known: fn(&[LuaValue]) -> Numbers,
    /// Numbers for the functions of a text.
    pub protos: fn(&LuaValue, &mut Numbers),
    /// The fingerprint of a live state.
    pub live: fn(&LuaState, &[Actor], &Besides<'_>) -> Option<u128>,
}

/// The one that there is.
pub static TELLER: Teller = Teller { known, protos, live };

/// Numbers for everything that can be reached from these, whose order is the same on every machine. Of what cannot be ordered
/// (names that are no strings), nothing is numbered.
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
                // Functions that it makes are told by their text.
                closure.proto.p.iter().for_each(|inner| number_text(inner, &mut numbers));
            }
            _ => {}
        }
    }
    numbers
}

/// Numbers a function's text and the functions in it.
fn number_text(proto: &GcRef<LuaProto>, numbers: &mut Numbers) {
    let next = u32::try_from(numbers.len()).unwrap_or(u32::MAX);
    if numbers.insert(proto.identity(), next).is_none() {
        proto.p.iter().for_each(|inner| number_text(inner, numbers));
    }
}

/// Numbers for a function's text and the functions in it.
fn protos(body: &LuaValue, numbers: &mut Numbers) {
    if let LuaValue::Function(LuaClosure::Lua(closure)) = body {
        number_text(&closure.proto, numbers);
    }
}

/// Where an object is; `None` of what is only its value.
fn address(value: &LuaValue) -> Option<usize> {
    Some(match value {
        LuaValue::Table(table) => table.identity(),
        LuaValue::Function(LuaClosure::Lua(closure)) => closure.identity(),
        LuaValue::Function(LuaClosure::C(closure)) => closure.identity(),
        // Its place in the machine's list: odd, as no address is.
        LuaValue::Function(LuaClosure::LightC(place)) => place.saturating_mul(2) | 1,
        _ => return None,
    })
}

/// What is looked at besides the threads.
pub struct Besides<'a> {
    /// What every program finds.
    pub known: &'a Numbers,
    /// The functions of its text.
    pub protos: &'a Numbers,
    /// The global names that it has assigned to.
    pub assigned: &'a BTreeSet<Bytes>,
    /// The addresses of what `tostring` has counted, in that order.
    pub named: &'a [usize],
    /// What `cjson` was told.
    pub json: &'a Settings,
}

/// The fingerprint of the live state of these threads; `None`: it cannot be told.
fn live(state: &LuaState, actors: &[Actor], besides: &Besides<'_>) -> Option<u128> {
    let mut walk =
        Walk { state, actors, besides, out: Fingerprinter::default(), seen: Numbers::default(), open: VecDeque::new() };
    actors.len().hash(&mut walk.out);
    for actor in actors {
        std::mem::discriminant(&actor.state).hash(&mut walk.out);
        if let State::Requests(request) = &actor.state {
            request.hash(&mut walk.out);
            walk.thread(&actor.coroutine)?;
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

/// An object whose inside is still to be looked at.
enum Object {
    Table(GcRef<LuaTable>),
    Function(GcRef<lua_types::closure::LuaLClosure>),
    Variable(GcRef<UpVal>),
}

struct Walk<'a> {
    state: &'a LuaState,
    actors: &'a [Actor],
    besides: &'a Besides<'a>,
    out: Fingerprinter,
    seen: Numbers,
    open: VecDeque<Object>,
}

impl Walk<'_> {
    /// The calls of a thread that waits, and its stack.
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
            // A place that a function sees too is known by that: what one writes the other reads.
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
                let is_it = |actor: &Actor| matches!(actor.coroutine, LuaValue::Thread(own) if own.id == thread.id);
                (9_u8, self.actors.iter().position(is_it)?).hash(&mut self.out);
            }
            LuaValue::UserData(_) | LuaValue::LightUserData(_) => return None,
        }
        Some(())
    }

    /// An object was reached: it is told by its number, and looked into once.
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
                    // As it is laid out: that decides in which order `next` goes through it, and what `#` says.
                    (inner.array.len(), inner.node.len(), inner.lastfree, inner.alimit).hash(&mut self.out);
                    for value in &inner.array {
                        self.value(value)?;
                    }
                    for node in &inner.node {
                        match (&node.key, &node.value) {
                            // What stood here may be gone for good: only that something did counts.
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
                    // Made by a function that every program finds.
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
