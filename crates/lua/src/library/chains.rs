//! Chains of `..`, which compile to a single instruction however long they are.
//!
//! The memory cap is checked between instructions, so two hundred long strings in one chain would be concatenated before
//! the next check. So a long chain is split into short ones: its instruction becomes a jump to the end of the code, where the chain
//! is built from right to left, part by part, with a check of the cap after each part.
use crate::native;
use lua_types::opcode::Instruction;
use lua_types::{AbsLineInfo, GcRef, LuaClosure, LuaProto, LuaValue};
use lua_vm::state::LuaState;
use lua_vm::vm::{InstructionExt as _, OpCode};

/// Most strings that are concatenated by one instruction.
const LINKS_MAX: i32 = 8;

/// No-op instructions after each part, so that the cap is checked before the next part.
const PAUSE: usize = 3;

/// Marks an instruction whose line is stored in the absolute line table.
const ABSOLUTE: i8 = i8::MIN;

/// Replaces the function on top of the stack by one with short chains.
pub fn shorten(state: &mut LuaState) {
    let LuaValue::Function(LuaClosure::Lua(closure)) = native::value(state, -1) else { return };
    let Some(proto) = shortened(&closure.proto) else { return };
    let new = state.new_lclosure(proto, closure.upvals.len());
    for (number, upvalue) in closure.upvals.iter().enumerate() {
        new.set_upval(number, upvalue.get());
    }
    state.pop();
    state.push(LuaValue::Function(LuaClosure::Lua(new)));
}

/// The function with short chains; `None` if it had only short ones. The compiler limits the nesting depth of functions.
fn shortened(proto: &GcRef<LuaProto>) -> Option<GcRef<LuaProto>> {
    let inner: Vec<_> = proto.p.iter().map(|inner| (*inner, shortened(inner))).collect();
    let is_long = |instruction: &Instruction| instruction.opcode() == OpCode::Concat && instruction.arg_b() > LINKS_MAX;
    if inner.iter().all(|(_, new)| new.is_none()) && !proto.code.iter().any(is_long) {
        return None;
    }
    let mut new = LuaProto {
        numparams: proto.numparams,
        is_vararg: proto.is_vararg,
        maxstacksize: proto.maxstacksize,
        upvalues: proto.upvalues.clone(),
        k: proto.k.clone(),
        code: proto.code.clone(),
        p: inner.into_iter().map(|(old, new)| new.unwrap_or(old)).collect(),
        lineinfo: proto.lineinfo.clone(),
        abslineinfo: proto.abslineinfo.clone(),
        locvars: proto.locvars.clone(),
        linedefined: proto.linedefined,
        lastlinedefined: proto.lastlinedefined,
        source: proto.source,
        vararg_table_reg: proto.vararg_table_reg,
        vararg_table_needed: proto.vararg_table_needed,
        ..LuaProto::placeholder()
    };
    let lines = lines(proto);
    for (at, chain) in proto.code.iter().enumerate().filter(|(_, instruction)| is_long(instruction)) {
        let begin = new.code.len();
        let line = lines.get(at).copied().unwrap_or(proto.linedefined);
        if let Some(place) = new.code.get_mut(at) {
            *place = jump(at, begin)?;
        }
        let (first, mut left) = (chain.arg_a(), chain.arg_b());
        while left > 1 {
            let links = left.min(LINKS_MAX);
            let from = first + left - links;
            new.code.push(instruction(OpCode::Concat, from, links));
            new.code.extend([instruction(OpCode::Move, from, from); PAUSE]);
            left -= links - 1;
        }
        new.code.push(jump(new.code.len(), at + 1)?);
        new.abslineinfo.push(AbsLineInfo { pc: i32::try_from(begin).ok()?, line });
        new.lineinfo.push(ABSOLUTE);
        new.lineinfo.resize(new.code.len(), 0);
    }
    let new = GcRef::new(new);
    new.account_buffer(isize::try_from(new.buffer_bytes()).unwrap_or(0));
    Some(new)
}

/// The line of each instruction.
fn lines(proto: &LuaProto) -> Vec<i32> {
    let mut absolute = proto.abslineinfo.iter();
    let mut line = proto.linedefined;
    let step = |&step: &i8| {
        line = match step {
            ABSOLUTE => absolute.next().map_or(line, |absolute| absolute.line),
            step => line.saturating_add(i32::from(step)),
        };
        line
    };
    proto.lineinfo.iter().map(step).collect()
}

/// An instruction with a register and a number or a second register.
const fn instruction(operation: OpCode, register: i32, other: i32) -> Instruction {
    Instruction::new(operation as u32 | register.unsigned_abs() << 7 | other.unsigned_abs() << 16)
}

/// The jump from one position to another.
fn jump(from: usize, to: usize) -> Option<Instruction> {
    /// The operand bias: the encoding of a jump to the next instruction.
    const MIDDLE: i64 = (1 << 24) - 1;
    let steps = i64::try_from(to).ok()? - i64::try_from(from).ok()? - 1;
    let steps = u32::try_from(steps + MIDDLE).ok().filter(|steps| *steps < 1 << 25)?;
    Some(Instruction::new(OpCode::Jmp as u32 | steps << 7))
}
