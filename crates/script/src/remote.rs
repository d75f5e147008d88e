//! A machine in another module: the two ends of the bytes.
use crate::codec::{Answer, Order, Question, Report, Wire};
use crate::{Call, Engine, Host, Job, Level, Outcome, Permission, Ran};
use bytes::Bytes;
use resp::Value;

/// Asks the module that runs a script a question of that script, in bytes; its answer, in bytes.
pub type Ask<'a> = &'a mut dyn FnMut(&[u8]) -> Vec<u8>;

/// An engine in another module, reached by a function that takes an order and answers a report, both in bytes, and asks
/// meanwhile. `None` from it: the other module broke down (and whoever wrote the function has a new one in its place).
pub struct Remote<F> {
    send: F,
}

impl<F: FnMut(&[u8], Ask<'_>) -> Option<Vec<u8>>> Remote<F> {
    /// Speaks through this function.
    pub fn new(send: F) -> Remote<F> {
        Remote { send }
    }
}

impl<F: FnMut(&[u8], Ask<'_>) -> Option<Vec<u8>>> Engine for Remote<F> {
    fn compile(&mut self, text: &Bytes) -> Result<(), Bytes> {
        let order = Order::Compile(text.clone()).encode();
        let report = (self.send)(&order, &mut |_| Vec::new());
        match report.as_deref().map(Report::decode) {
            Some(Ok(Report::Compiled(None))) => Ok(()),
            Some(Ok(Report::Compiled(Some(message)))) => Err(message),
            _ => Err(Bytes::from_static(b"user_script: the machine broke down")),
        }
    }

    fn run(&mut self, job: &Job, host: &mut dyn Host) -> Ran {
        let order = Order::Run(job.clone()).encode();
        let report = (self.send)(&order, &mut |question| answer(question, host));
        match report.as_deref().map(Report::decode) {
            Some(Ok(Report::Ran(ran))) => ran,
            _ => Ran { outcome: Outcome::Broken, instructions: 0, random: job.random },
        }
    }
}

/// The host's answer; none at all to a question that is none.
fn answer(question: &[u8], host: &mut dyn Host) -> Vec<u8> {
    let answer = match Question::decode(question) {
        Ok(Question::Call(call)) => Answer::Reply(host.call(call)),
        Ok(Question::Log(level, message)) => {
            host.log(level, message);
            Answer::Noted
        }
        Ok(Question::May(argv)) => Answer::Permission(host.may(argv)),
        Err(_) => return Vec::new(),
    };
    answer.encode()
}

/// The other end: carries out an order that came in bytes with the engine that is here, asks through `ask`, and returns the
/// report. An order that is none gives an empty report.
pub fn serve(engine: &mut dyn Engine, order: &[u8], ask: Ask<'_>) -> Vec<u8> {
    let report = match Order::decode(order) {
        Ok(Order::Compile(text)) => Report::Compiled(engine.compile(&text).err()),
        Ok(Order::Run(job)) => Report::Ran(engine.run(&job, &mut Far { ask })),
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
}
