//! A job that runs in slices: it has its own stack, and control switches to the host and back whenever the job asks its host something.
//!
//! ```text
//!   go_on ──▶ the machine runs ──▶ redis.call ──▶ the host answers ──▶ the machine runs ──▶ … ──▶ the slice is over: Paused
//! ```
//!
//! The VM itself is unchanged: a script can be paused anywhere, also inside `table.sort` or a coroutine.
use crate::bounds::BREATH;
use crate::machine::Machine;
use crate::redis::{HOST, Lent};
use bytes::Bytes;
use corosensei::stack::DefaultStack;
use corosensei::{Coroutine, CoroutineResult, Yielder};
use resp::Value;
use script::{Call, Host, Job, Level, Permission, Progress, Ran};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Stack size of a job in bytes, as large as that of a main thread. Unused pages take no memory.
const STACK_BYTES: usize = 8 << 20;

/// Instructions that one command counts towards a slice.
const COMMAND: u64 = 150;

/// A question of the job to its host.
enum HostQuestion {
    Call(Call),
    Log(Level, Bytes),
    May(Vec<Bytes>),
    GoesOn,
}

/// The host's answer.
enum HostAnswer {
    Nothing,
    Reply(Value),
    Permission(Permission),
    GoesOn(bool),
}

/// A job that has begun.
pub struct Running {
    coroutine: Coroutine<HostAnswer, HostQuestion, (Box<Machine>, Ran)>,
    /// The answer to its last question.
    answer: HostAnswer,
}

/// The result of a slice.
pub enum Slice {
    /// The job is paused and can be resumed.
    Paused(Running),
    /// The job has ended; returns the machine and the stack for reuse.
    Ended(Option<Box<Machine>>, Ran, Option<DefaultStack>),
}

/// Allocates a stack for a job; `None` if the system has no memory for one.
pub fn stack() -> Option<DefaultStack> {
    DefaultStack::new(STACK_BYTES).ok()
}

impl Running {
    /// Creates a job that will run on this machine.
    pub fn new(stack: DefaultStack, mut machine: Box<Machine>, job: Job) -> Running {
        let coroutine = Coroutine::with_stack(stack, move |yielder: &Yielder<HostAnswer, HostQuestion>, _| {
            let mut host = Far { yielder };
            let ran = HOST.set(Lent(&mut host), || machine.carry_out(&job));
            (machine, ran)
        });
        Running { coroutine, answer: HostAnswer::Nothing }
    }

    /// Runs the next `slice` instructions; commands count as instructions too.
    pub fn run(mut self, host: &mut dyn Host, slice: u64, random: u64) -> Slice {
        let mut left = slice;
        loop {
            let answer = std::mem::replace(&mut self.answer, HostAnswer::Nothing);
            // A panic of the machine ends only this job.
            let asked = match catch_unwind(AssertUnwindSafe(|| self.coroutine.resume(answer))) {
                Ok(CoroutineResult::Yield(asked)) => asked,
                Ok(CoroutineResult::Return((machine, ran))) => {
                    return Slice::Ended(Some(machine), ran, Some(self.coroutine.into_stack()));
                }
                Err(_) => return Slice::Ended(None, Ran::broken(random), None),
            };
            let cost;
            (self.answer, cost) = match asked {
                HostQuestion::Call(call) => (HostAnswer::Reply(host.call(call)), COMMAND),
                HostQuestion::Log(level, message) => {
                    host.log(level, message);
                    (HostAnswer::Nothing, COMMAND)
                }
                HostQuestion::May(argv) => (HostAnswer::Permission(host.may(argv)), COMMAND),
                HostQuestion::GoesOn => (HostAnswer::GoesOn(host.goes_on()), u64::from(BREATH)),
            };
            left = left.saturating_sub(cost);
            if left == 0 {
                return Slice::Paused(self);
            }
        }
    }
}

/// The host as seen from the job's stack.
struct Far<'a> {
    yielder: &'a Yielder<HostAnswer, HostQuestion>,
}

impl Host for Far<'_> {
    fn call(&mut self, call: Call) -> Value {
        match self.yielder.suspend(HostQuestion::Call(call)) {
            HostAnswer::Reply(value) => value,
            _ => Value::error("ERR the server gave no answer"),
        }
    }

    fn log(&mut self, level: Level, message: Bytes) {
        self.yielder.suspend(HostQuestion::Log(level, message));
    }

    fn may(&mut self, argv: Vec<Bytes>) -> Permission {
        match self.yielder.suspend(HostQuestion::May(argv)) {
            HostAnswer::Permission(permission) => permission,
            _ => Permission::Denied,
        }
    }

    fn goes_on(&mut self) -> bool {
        !matches!(self.yielder.suspend(HostQuestion::GoesOn), HostAnswer::GoesOn(false))
    }
}

/// The slice's result as the engine's [`script::Progress`].
pub fn progress(slice: &Slice) -> Progress {
    match slice {
        Slice::Paused(_) => Progress::Paused,
        Slice::Ended(_, ran, _) => Progress::Ended(ran.clone()),
    }
}
