//! The encoding of each type, with `write` and `read` side by side.
use super::{Answer, EngineRequest, Malformed, Question, Reader, Report, Wire, Writer};
use crate::{Call, Failure, Function, Job, Level, Limits, Permission, Ran, Repl, ScriptOutcome, SourceLocation, Work};
use bytes::Bytes;
use resp::{Protocol, Value};

impl Wire for Bytes {
    fn write(&self, to: &mut Writer) {
        to.string(self);
    }

    fn read(from: &mut Reader<'_>) -> Result<Bytes, Malformed> {
        from.string()
    }
}

impl Wire for bool {
    fn write(&self, to: &mut Writer) {
        to.byte(u8::from(*self));
    }

    fn read(from: &mut Reader<'_>) -> Result<bool, Malformed> {
        match from.byte()? {
            0 => Ok(false),
            1 => Ok(true),
            _ => Err(Malformed::Choice),
        }
    }
}

impl Wire for i64 {
    fn write(&self, to: &mut Writer) {
        to.signed(*self);
    }

    fn read(from: &mut Reader<'_>) -> Result<i64, Malformed> {
        from.signed()
    }
}

impl Wire for u64 {
    fn write(&self, to: &mut Writer) {
        to.number(*self);
    }

    fn read(from: &mut Reader<'_>) -> Result<u64, Malformed> {
        from.number()
    }
}

impl Wire for u32 {
    fn write(&self, to: &mut Writer) {
        to.number(u64::from(*self));
    }

    fn read(from: &mut Reader<'_>) -> Result<u32, Malformed> {
        u32::try_from(from.number()?).map_err(|_| Malformed::Number)
    }
}

impl<T: Wire> Wire for Vec<T> {
    fn write(&self, to: &mut Writer) {
        to.number(self.len() as u64);
        for item in self {
            item.write(to);
        }
    }

    fn read(from: &mut Reader<'_>) -> Result<Vec<T>, Malformed> {
        let count = from.count()?;
        // Limit the reserved capacity: an item in memory is larger than its encoding, and the count is not trusted.
        let mut items = Vec::with_capacity(count.min(1024));
        for _ in 0..count {
            items.push(T::read(from)?);
        }
        Ok(items)
    }
}

impl<T: Wire> Wire for Option<T> {
    fn write(&self, to: &mut Writer) {
        match self {
            None => to.byte(0),
            Some(value) => {
                to.byte(1);
                value.write(to);
            }
        }
    }

    fn read(from: &mut Reader<'_>) -> Result<Option<T>, Malformed> {
        match from.byte()? {
            0 => Ok(None),
            1 => Ok(Some(T::read(from)?)),
            _ => Err(Malformed::Choice),
        }
    }
}

impl<A: Wire, B: Wire> Wire for (A, B) {
    fn write(&self, to: &mut Writer) {
        self.0.write(to);
        self.1.write(to);
    }

    fn read(from: &mut Reader<'_>) -> Result<(A, B), Malformed> {
        Ok((A::read(from)?, B::read(from)?))
    }
}

impl Wire for Value {
    fn write(&self, to: &mut Writer) {
        match self {
            Value::Simple(text) => tagged(to, 0, text),
            Value::Error(text) => tagged(to, 1, text),
            Value::Integer(number) => {
                to.byte(2);
                to.signed(*number);
            }
            Value::Bulk(bytes) => tagged(to, 3, bytes),
            Value::Null => to.byte(4),
            Value::NullArray => to.byte(5),
            Value::Array(items) => tagged(to, 6, items),
            Value::Map(pairs) => tagged(to, 7, pairs),
            Value::Set(items) => tagged(to, 8, items),
            Value::Double(number) => {
                to.byte(9);
                to.raw(&number.to_bits().to_le_bytes());
            }
            Value::Boolean(yes) => tagged(to, 10, yes),
            Value::BigNumber(digits) => tagged(to, 11, digits),
            Value::Verbatim(format, text) => {
                to.byte(12);
                to.raw(format);
                to.string(text);
            }
            Value::Push(items) => tagged(to, 13, items),
            Value::WideDouble(digits) => tagged(to, 14, digits),
        }
    }

    fn read(from: &mut Reader<'_>) -> Result<Value, Malformed> {
        Ok(match from.byte()? {
            0 => Value::Simple(from.string()?),
            1 => Value::Error(from.string()?),
            2 => Value::Integer(from.signed()?),
            3 => Value::Bulk(from.string()?),
            4 => Value::Null,
            5 => Value::NullArray,
            6 => Value::Array(from.deeper(Wire::read)?),
            7 => Value::Map(from.deeper(Wire::read)?),
            8 => Value::Set(from.deeper(Wire::read)?),
            9 => Value::Double(f64::from_bits(u64::from_le_bytes(array(from)?))),
            10 => Value::Boolean(bool::read(from)?),
            11 => Value::BigNumber(from.string()?),
            12 => Value::Verbatim(array(from)?, from.string()?),
            13 => Value::Push(from.deeper(Wire::read)?),
            14 => Value::WideDouble(from.string()?),
            _ => return Err(Malformed::Choice),
        })
    }
}

/// Writes an enum variant with one field.
pub fn tagged(to: &mut Writer, tag: u8, value: &impl Wire) {
    to.byte(tag);
    value.write(to);
}

/// Reads an array of `N` bytes.
pub fn array<const N: usize>(from: &mut Reader<'_>) -> Result<[u8; N], Malformed> {
    from.raw(N)?.try_into().map_err(|_| Malformed::Short)
}

impl Wire for Job {
    fn write(&self, to: &mut Writer) {
        self.work.write(to);
        to.number(self.limits.instructions);
        to.number(self.limits.memory_bytes);
        to.number(self.random);
    }

    fn read(from: &mut Reader<'_>) -> Result<Job, Malformed> {
        let work = Work::read(from)?;
        let limits = Limits { instructions: from.number()?, memory_bytes: from.number()? };
        Ok(Job { work, limits, random: from.number()? })
    }
}

impl Wire for Work {
    fn write(&self, to: &mut Writer) {
        match self {
            Work::Script { text, keys, args } => {
                tagged(to, 0, text);
                keys.write(to);
                args.write(to);
            }
            Work::Load { text } => tagged(to, 1, text),
            Work::Call { text, function, keys, args } => {
                tagged(to, 2, text);
                function.write(to);
                keys.write(to);
                args.write(to);
            }
        }
    }

    fn read(from: &mut Reader<'_>) -> Result<Work, Malformed> {
        Ok(match from.byte()? {
            0 => Work::Script { text: Wire::read(from)?, keys: Wire::read(from)?, args: Wire::read(from)? },
            1 => Work::Load { text: Wire::read(from)? },
            2 => Work::Call {
                text: Wire::read(from)?,
                function: Wire::read(from)?,
                keys: Wire::read(from)?,
                args: Wire::read(from)?,
            },
            _ => return Err(Malformed::Choice),
        })
    }
}

impl Wire for Call {
    fn write(&self, to: &mut Writer) {
        self.argv.write(to);
        to.byte(match self.protocol {
            Protocol::Resp2 => 2,
            Protocol::Resp3 => 3,
        });
        self.repl.aof.write(to);
        self.repl.replicas.write(to);
        self.instructions.write(to);
    }

    fn read(from: &mut Reader<'_>) -> Result<Call, Malformed> {
        let argv = Wire::read(from)?;
        let protocol = match from.byte()? {
            2 => Protocol::Resp2,
            3 => Protocol::Resp3,
            _ => return Err(Malformed::Choice),
        };
        let repl = Repl { aof: Wire::read(from)?, replicas: Wire::read(from)? };
        Ok(Call { argv, protocol, repl, instructions: Wire::read(from)? })
    }
}

impl Wire for Level {
    fn write(&self, to: &mut Writer) {
        to.byte(*self as u8);
    }

    fn read(from: &mut Reader<'_>) -> Result<Level, Malformed> {
        [Level::Debug, Level::Verbose, Level::Notice, Level::Warning]
            .get(usize::from(from.byte()?))
            .copied()
            .ok_or(Malformed::Choice)
    }
}

impl Wire for Permission {
    fn write(&self, to: &mut Writer) {
        to.byte(*self as u8);
    }

    fn read(from: &mut Reader<'_>) -> Result<Permission, Malformed> {
        [Permission::Granted, Permission::Denied, Permission::NoSuchCommand]
            .get(usize::from(from.byte()?))
            .copied()
            .ok_or(Malformed::Choice)
    }
}

impl Wire for Ran {
    fn write(&self, to: &mut Writer) {
        self.outcome.write(to);
        to.number(self.instructions);
        to.number(self.random);
    }

    fn read(from: &mut Reader<'_>) -> Result<Ran, Malformed> {
        Ok(Ran { outcome: ScriptOutcome::read(from)?, instructions: from.number()?, random: from.number()? })
    }
}

impl Wire for ScriptOutcome {
    fn write(&self, to: &mut Writer) {
        match self {
            ScriptOutcome::Reply(value) => tagged(to, 0, value),
            ScriptOutcome::Loaded(functions) => tagged(to, 1, functions),
            ScriptOutcome::DoesNotCompile(message) => tagged(to, 2, message),
            ScriptOutcome::Failed(failure) => tagged(to, 3, failure),
            ScriptOutcome::NoSuchFunction => to.byte(4),
            ScriptOutcome::BudgetSpent(place) => tagged(to, 5, place),
            ScriptOutcome::OutOfMemory => to.byte(6),
            ScriptOutcome::Broken => to.byte(7),
        }
    }

    fn read(from: &mut Reader<'_>) -> Result<ScriptOutcome, Malformed> {
        Ok(match from.byte()? {
            0 => ScriptOutcome::Reply(Wire::read(from)?),
            1 => ScriptOutcome::Loaded(Wire::read(from)?),
            2 => ScriptOutcome::DoesNotCompile(Wire::read(from)?),
            3 => ScriptOutcome::Failed(Wire::read(from)?),
            4 => ScriptOutcome::NoSuchFunction,
            5 => ScriptOutcome::BudgetSpent(Wire::read(from)?),
            6 => ScriptOutcome::OutOfMemory,
            7 => ScriptOutcome::Broken,
            _ => return Err(Malformed::Choice),
        })
    }
}

impl Wire for Failure {
    fn write(&self, to: &mut Writer) {
        self.message.write(to);
        self.place.write(to);
        self.counted.write(to);
    }

    fn read(from: &mut Reader<'_>) -> Result<Failure, Malformed> {
        Ok(Failure { message: Wire::read(from)?, place: Wire::read(from)?, counted: Wire::read(from)? })
    }
}

impl Wire for SourceLocation {
    fn write(&self, to: &mut Writer) {
        self.source.write(to);
        to.signed(self.line);
    }

    fn read(from: &mut Reader<'_>) -> Result<SourceLocation, Malformed> {
        Ok(SourceLocation { source: Wire::read(from)?, line: from.signed()? })
    }
}

impl Wire for Function {
    fn write(&self, to: &mut Writer) {
        self.name.write(to);
        self.description.write(to);
        self.flags.write(to);
    }

    fn read(from: &mut Reader<'_>) -> Result<Function, Malformed> {
        Ok(Function { name: Wire::read(from)?, description: Wire::read(from)?, flags: Wire::read(from)? })
    }
}

impl Wire for Question {
    fn write(&self, to: &mut Writer) {
        match self {
            Question::Call(call) => tagged(to, 0, call),
            Question::Log(level, message) => {
                tagged(to, 1, level);
                message.write(to);
            }
            Question::May(argv) => tagged(to, 2, argv),
            Question::GoesOn => to.byte(3),
        }
    }

    fn read(from: &mut Reader<'_>) -> Result<Question, Malformed> {
        Ok(match from.byte()? {
            0 => Question::Call(Wire::read(from)?),
            1 => Question::Log(Wire::read(from)?, Wire::read(from)?),
            2 => Question::May(Wire::read(from)?),
            3 => Question::GoesOn,
            _ => return Err(Malformed::Choice),
        })
    }
}

impl Wire for Answer {
    fn write(&self, to: &mut Writer) {
        match self {
            Answer::Reply(value) => tagged(to, 0, value),
            Answer::Noted => to.byte(1),
            Answer::Permission(permission) => tagged(to, 2, permission),
            Answer::GoesOn(goes_on) => to.byte(if *goes_on { 4 } else { 3 }),
        }
    }

    fn read(from: &mut Reader<'_>) -> Result<Answer, Malformed> {
        Ok(match from.byte()? {
            0 => Answer::Reply(Wire::read(from)?),
            1 => Answer::Noted,
            2 => Answer::Permission(Wire::read(from)?),
            3 => Answer::GoesOn(false),
            4 => Answer::GoesOn(true),
            _ => return Err(Malformed::Choice),
        })
    }
}

impl Wire for EngineRequest {
    fn write(&self, to: &mut Writer) {
        match self {
            EngineRequest::Compile(text) => tagged(to, 0, text),
            EngineRequest::Run(job) => tagged(to, 1, job),
        }
    }

    fn read(from: &mut Reader<'_>) -> Result<EngineRequest, Malformed> {
        Ok(match from.byte()? {
            0 => EngineRequest::Compile(Wire::read(from)?),
            1 => EngineRequest::Run(Wire::read(from)?),
            _ => return Err(Malformed::Choice),
        })
    }
}

impl Wire for Report {
    fn write(&self, to: &mut Writer) {
        match self {
            Report::Compiled(message) => tagged(to, 0, message),
            Report::Ran(ran) => tagged(to, 1, ran),
        }
    }

    fn read(from: &mut Reader<'_>) -> Result<Report, Malformed> {
        Ok(match from.byte()? {
            0 => Report::Compiled(Wire::read(from)?),
            1 => Report::Ran(Wire::read(from)?),
            _ => return Err(Malformed::Choice),
        })
    }
}
