//! A machine in another module: the client and the server of the byte protocol.
use crate::codec::{Answer, EngineRequest, Question, Report, Wire};
use crate::{Call, Engine, Host, Job, Level, Permission, Progress, RANDOM_AT_START, Ran};
use bytes::Bytes;
use resp::Value;

/// Passes an encoded question of the running script to its host and returns the encoded answer.
pub type Ask<'a> = &'a mut dyn FnMut(&[u8]) -> Vec<u8>;

/// A module that contains a machine.
pub trait Module {
    /// Runs an order to its end and returns the report; its questions go to `ask`. `None`: the module crashed and was replaced.
    fn run(&mut self, order: &[u8], ask: Ask<'_>) -> Option<Vec<u8>>;

    /// Starts an order, which may pause.
    fn begin(&mut self, order: &[u8], ask: Ask<'_>) -> Slice {
        Slice::Ended(self.run(order, ask))
    }

    /// Continues a paused order.
    fn go_on(&mut self, _ask: Ask<'_>) -> Slice {
        Slice::Ended(None)
    }
}

/// The progress of a module with an order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Slice {
    /// The order is paused.
    Paused,
    /// The order has ended, with the report as in [`Module::run`].
    Ended(Option<Vec<u8>>),
}

impl<F: FnMut(&[u8], Ask<'_>) -> Option<Vec<u8>>> Module for F {
    fn run(&mut self, order: &[u8], ask: Ask<'_>) -> Option<Vec<u8>> {
        self(order, ask)
    }
}

/// An engine in another module. Orders and reports are encoded as bytes.
pub struct Remote<M> {
    module: M,
}

impl<M: Module> Remote<M> {
    /// An engine that uses this module.
    pub fn new(module: M) -> Remote<M> {
        Remote { module }
    }
}

impl<M: Module> Engine for Remote<M> {
    fn compile(&mut self, text: &Bytes) -> Result<(), Bytes> {
        let order = EngineRequest::Compile(text.clone()).encode();
        let report = self.module.run(&order, &mut |_| Vec::new());
        match report.as_deref().map(Report::decode) {
            Some(Ok(Report::Compiled(None))) => Ok(()),
            Some(Ok(Report::Compiled(Some(message)))) => Err(message),
            _ => Err(Bytes::from_static(b"user_script: the machine broke down")),
        }
    }

    fn run(&mut self, job: &Job, host: &mut dyn Host) -> Ran {
        let order = EngineRequest::Run(job.clone()).encode();
        ran(self.module.run(&order, &mut |question| answer(question, host)), job.random)
    }

    fn begin(&mut self, job: &Job, host: &mut dyn Host) -> Progress {
        let order = EngineRequest::Run(job.clone()).encode();
        progress(self.module.begin(&order, &mut |question| answer(question, host)), job.random)
    }

    fn go_on(&mut self, host: &mut dyn Host) -> Progress {
        progress(self.module.go_on(&mut |question| answer(question, host)), RANDOM_AT_START)
    }
}

fn progress(slice: Slice, random: u64) -> Progress {
    match slice {
        Slice::Paused => Progress::Paused,
        Slice::Ended(report) => Progress::Ended(ran(report, random)),
    }
}

/// Decodes a report. `random` is the state of `math.random` before the run.
fn ran(report: Option<Vec<u8>>, random: u64) -> Ran {
    match report.as_deref().map(Report::decode) {
        Some(Ok(Report::Ran(ran))) => ran,
        _ => Ran::broken(random),
    }
}

/// The host's answer to an encoded question; empty if the question is malformed.
pub fn answer(question: &[u8], host: &mut dyn Host) -> Vec<u8> {
    let answer = match Question::decode(question) {
        Ok(Question::Call(call)) => Answer::Reply(host.call(call)),
        Ok(Question::Log(level, message)) => {
            host.log(level, message);
            Answer::Noted
        }
        Ok(Question::May(argv)) => Answer::Permission(host.may(argv)),
        Ok(Question::GoesOn) => Answer::GoesOn(host.goes_on()),
        Err(_) => return Vec::new(),
    };
    answer.encode()
}

/// The server side: runs an encoded order with a local engine, sends questions through `ask`, and returns the encoded
/// report. A malformed order gives an empty report.
pub fn serve(engine: &mut dyn Engine, order: &[u8], ask: Ask<'_>) -> Vec<u8> {
    let report = match EngineRequest::decode(order) {
        Ok(EngineRequest::Compile(text)) => Report::Compiled(engine.compile(&text).err()),
        Ok(EngineRequest::Run(job)) => Report::Ran(engine.run(&job, &mut Far { ask })),
        Err(_) => return Vec::new(),
    };
    report.encode()
}

/// A host in another module.
struct Far<'a> {
    ask: Ask<'a>,
}

impl Far<'_> {
    fn ask(&mut self, question: &Question) -> Option<Answer> {
        Answer::decode(&(self.ask)(&question.encode())).ok()
    }
}

impl Host for Far<'_> {
    fn call(&mut self, call: Call) -> Value {
        match self.ask(&Question::Call(call)) {
            Some(Answer::Reply(value)) => value,
            _ => Value::error("ERR the server gave no answer"),
        }
    }

    fn log(&mut self, level: Level, message: Bytes) {
        self.ask(&Question::Log(level, message));
    }

    fn may(&mut self, argv: Vec<Bytes>) -> Permission {
        match self.ask(&Question::May(argv)) {
            Some(Answer::Permission(permission)) => permission,
            _ => Permission::Denied,
        }
    }

    fn goes_on(&mut self) -> bool {
        // No answer: the host no longer exists.
        matches!(self.ask(&Question::GoesOn), Some(Answer::GoesOn(true)))
    }
}
