//! `math.random` with the generator of Redis, and fixes for functions of `math` that the VM rejects.
use super::{add_rare, truncate};
use crate::native::{self, Returns};
use crate::redis::Session;
use lua_types::{LuaError, LuaValue};
use lua_vm::api;
use lua_vm::state::LuaState;
use std::rc::Rc;

/// 48 bits.
const MASK: u64 = (1 << 48) - 1;

/// The modulus of Redis' `math.random`: the greatest number of `lrand48`.
const RANDOM_MAX: u64 = 0x7fff_ffff;

pub fn install(state: &mut LuaState, session: &Rc<Session>) -> Result<(), LuaError> {
    truncate(state, "ldexp", &[2])?;
    for name in ["ldexp", "fmod", "mod", "pow", "atan2"] {
        let original = super::original(state, name);
        add_rare(state, name, move |state| {
            // C checks the second argument first.
            native::number(state, 2)?;
            original.call(state)
        })?;
    }
    for name in ["max", "min"] {
        let original = super::original(state, name);
        add_rare(state, name, move |state| {
            native::number(state, 1)?;
            original.call(state)
        })?;
    }
    let seeded = Rc::clone(session);
    add_rare(state, "randomseed", move |state| {
        let seed = native::integer(state, 1)? as u32;
        seeded.random.set((u64::from(seed) << 16) | 0x330E);
        Ok(0)
    })?;
    let session = Rc::clone(session);
    add_rare(state, "random", move |state| random(state, &session))
}

/// The next number of the generator that POSIX specifies for `lrand48`: 31 bits.
fn next(session: &Session) -> u64 {
    let state = session.random.get().wrapping_mul(0x5_DEEC_E66D).wrapping_add(0xB) & MASK;
    session.random.set(state);
    state >> 17
}

fn random(state: &mut LuaState, session: &Session) -> Returns {
    let fraction = (next(session) % RANDOM_MAX) as f64 / RANDOM_MAX as f64;
    let number = match api::get_top(state) {
        0 => fraction,
        1 => {
            let last = native::integer(state, 1)?;
            if last < 1 {
                return native::bad_argument(state, 1, "interval is empty");
            }
            (fraction * last as f64).floor() + 1.0
        }
        2 => {
            let (first, last) = (native::integer(state, 1)?, native::integer(state, 2)?);
            if first > last {
                return native::bad_argument(state, 2, "interval is empty");
            }
            (fraction * (last as f64 - first as f64 + 1.0)).floor() + first as f64
        }
        _ => return native::fail(state, "wrong number of arguments"),
    };
    native::push_value(state, LuaValue::Float(number))?;
    Ok(1)
}
