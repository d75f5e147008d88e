//! Parts a compiled program in two: what is needed at first, and what can come late.
//!
//! ```text
//!  first   f ──call──▶ g' : is the late half here? ──no──▶ have it fetched and joined (the script beside it)
//!                             └──────────yes─────▶ call through the table ┐
//!  late    g ◀───────────────────────────────────────────────────────────┘
//!          g ──call──▶ h, which only late functions call; what else it calls is imported from the first half
//! ```
//! `g` is *named* late; late is whatever is then called by late functions alone. Both halves share memory, table and globals,
//! so joining the second is all there is to it. A function that is named late and called at once is therefore no
//! fault: it only means that both halves are fetched at once.
mod program;
mod write;

use anyhow::Result;
use program::Program;
use std::collections::BTreeMap;

/// Both halves of a program.
pub struct Halves {
    /// It imports `load` beside what the whole imported, and exports what the late half needs.
    pub first: Vec<u8>,
    /// It imports everything from the exports of the first, as module [`FIRST`].
    pub late: Vec<u8>,
}

/// What the late half calls the first.
pub const FIRST: &str = "a";

/// The function that the first half imports, from the module `"a"` like everything: it has the late half joined before it returns.
pub const LOAD: &str = "load";

/// Parts a program whose functions still have their names.
///
/// # Errors
/// When it is not as wasm-bindgen and wasm-opt leave it.
pub fn split(bytes: &[u8], is_late: impl Fn(&str) -> bool) -> Result<Halves> {
    let program = Program::read(bytes)?;
    let plan = Plan::of(&program, is_late);
    Ok(Halves { first: write::first(bytes, &program, &plan)?, late: write::late(&program, &plan)? })
}

/// Which function goes where. Functions have the numbers that they had in the whole.
struct Plan {
    /// Functions of the late half, and their numbers there.
    late: BTreeMap<u32, u32>,
    /// Those of them that the first half calls or has in its table, and the place in the table where each is put.
    gates: BTreeMap<u32, u32>,
    /// What the late half calls in the first, and its number there.
    wanted: BTreeMap<u32, u32>,
}

impl Plan {
    fn of(program: &Program<'_>, is_late: impl Fn(&str) -> bool) -> Plan {
        let named = |function: u32| program.names.get(&function).is_some_and(|name| is_late(name));
        let mut is_first = vec![false; program.types.len()];
        let slots = program.slots.iter().copied().filter(|slot| !named(*slot));
        let mut waiting: Vec<u32> = program.roots.iter().copied().chain(slots).collect();
        let mut met: Vec<u32> = program.slots.iter().copied().filter(|slot| named(*slot)).collect();
        while let Some(function) = waiting.pop() {
            let Some(known) = is_first.get_mut(function as usize).filter(|known| !**known) else { continue };
            *known = true;
            for called in program.calls_of(function) {
                if named(*called) { met.push(*called) } else { waiting.push(*called) }
            }
        }
        let is_first =
            |function: u32| function < program.imported || is_first.get(function as usize).copied().unwrap_or(true);
        let late: Vec<u32> = (0..).take(program.types.len()).filter(|function| !is_first(*function)).collect();
        // What is exported stays in the first half, whatever its name.
        met.retain(|function| !is_first(*function));
        met.sort_unstable();
        met.dedup();
        let called = late.iter().flat_map(|function| program.calls_of(*function));
        let mut wanted: Vec<u32> = called.copied().filter(|function| is_first(*function)).collect();
        wanted.sort_unstable();
        wanted.dedup();
        let behind = wanted.len() as u32;
        Plan {
            late: late.into_iter().zip(behind..).collect(),
            gates: met.into_iter().zip(program.table_length..).collect(),
            wanted: wanted.into_iter().zip(0..).collect(),
        }
    }
}

#[cfg(test)]
mod tests;
