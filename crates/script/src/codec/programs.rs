//! The form of what goes to a player of programs and comes back from it.
use super::shapes::{array, tagged};
use super::{Malformed, Reader, Wire, Writer};
use crate::program::remote::{Order, Report};
use crate::program::{Answer, Failed, Frame, History, Local, Reply, Request, Scene, Stand, State, Unplayable};

impl Wire for Order {
    fn write(&self, to: &mut Writer) {
        match self {
            Order::Whole(text, history) => {
                tagged(to, 0, text);
                history.write(to);
            }
            Order::Next { text, before, answer } => {
                to.byte(1);
                to.raw(&text.to_le_bytes());
                to.raw(&before.to_le_bytes());
                answer.write(to);
            }
        }
    }

    fn read(from: &mut Reader<'_>) -> Result<Order, Malformed> {
        Ok(match from.byte()? {
            0 => Order::Whole(Wire::read(from)?, Wire::read(from)?),
            1 => {
                let text = u128::from_le_bytes(array(from)?);
                let before = u128::from_le_bytes(array(from)?);
                Order::Next { text, before, answer: Wire::read(from)? }
            }
            _ => return Err(Malformed::Choice),
        })
    }
}

impl Wire for Report {
    fn write(&self, to: &mut Writer) {
        match self {
            Report::Played(played) => tagged(to, 0, played),
            Report::Forgotten => to.byte(1),
        }
    }

    fn read(from: &mut Reader<'_>) -> Result<Report, Malformed> {
        Ok(match from.byte()? {
            0 => Report::Played(Wire::read(from)?),
            1 => Report::Forgotten,
            _ => return Err(Malformed::Choice),
        })
    }
}

impl Wire for History {
    fn write(&self, to: &mut Writer) {
        self.answers().write(to);
    }

    fn read(from: &mut Reader<'_>) -> Result<History, Malformed> {
        Ok(Vec::<Answer>::read(from)?.into_iter().collect())
    }
}

impl Wire for Answer {
    fn write(&self, to: &mut Writer) {
        self.thread.write(to);
        match &self.reply {
            Reply::Nothing => to.byte(0),
            Reply::Integer(number) => tagged(to, 1, number),
            Reply::Text(text) => tagged(to, 2, text),
            Reply::Value(value) => tagged(to, 3, value),
        }
    }

    fn read(from: &mut Reader<'_>) -> Result<Answer, Malformed> {
        let thread = Wire::read(from)?;
        let reply = match from.byte()? {
            0 => Reply::Nothing,
            1 => Reply::Integer(Wire::read(from)?),
            2 => Reply::Text(Wire::read(from)?),
            3 => Reply::Value(Wire::read(from)?),
            _ => return Err(Malformed::Choice),
        };
        Ok(Answer { thread, reply })
    }
}

impl Wire for Request {
    fn write(&self, to: &mut Writer) {
        match self {
            Request::Begin => to.byte(0),
            Request::Call { argv } => tagged(to, 1, argv),
            Request::Sleep { ms } => tagged(to, 2, ms),
            Request::Work { ms } => tagged(to, 3, ms),
            Request::Now => to.byte(4),
            Request::Uuid => to.byte(5),
            Request::Random { from, to: last } => {
                tagged(to, 6, from);
                last.write(to);
            }
            Request::Enter { section } => tagged(to, 7, section),
            Request::Leave { section } => tagged(to, 8, section),
            Request::Spawn { thread } => tagged(to, 9, thread),
            Request::Cancel { thread } => tagged(to, 10, thread),
            Request::Subscribe { channels } => tagged(to, 11, channels),
            Request::WaitMessage { ms } => tagged(to, 12, ms),
            Request::Note { text } => tagged(to, 13, text),
            Request::Tally { name, n } => {
                tagged(to, 14, name);
                n.write(to);
            }
            Request::Check { holds, text } => {
                tagged(to, 15, holds);
                text.write(to);
            }
        }
    }

    fn read(from: &mut Reader<'_>) -> Result<Request, Malformed> {
        Ok(match from.byte()? {
            0 => Request::Begin,
            1 => Request::Call { argv: Wire::read(from)? },
            2 => Request::Sleep { ms: Wire::read(from)? },
            3 => Request::Work { ms: Wire::read(from)? },
            4 => Request::Now,
            5 => Request::Uuid,
            6 => Request::Random { from: Wire::read(from)?, to: Wire::read(from)? },
            7 => Request::Enter { section: Wire::read(from)? },
            8 => Request::Leave { section: Wire::read(from)? },
            9 => Request::Spawn { thread: Wire::read(from)? },
            10 => Request::Cancel { thread: Wire::read(from)? },
            11 => Request::Subscribe { channels: Wire::read(from)? },
            12 => Request::WaitMessage { ms: Wire::read(from)? },
            13 => Request::Note { text: Wire::read(from)? },
            14 => Request::Tally { name: Wire::read(from)?, n: Wire::read(from)? },
            15 => Request::Check { holds: Wire::read(from)?, text: Wire::read(from)? },
            _ => return Err(Malformed::Choice),
        })
    }
}

impl Wire for Scene {
    fn write(&self, to: &mut Writer) {
        self.threads.write(to);
    }

    fn read(from: &mut Reader<'_>) -> Result<Scene, Malformed> {
        Ok(Scene { threads: Wire::read(from)? })
    }
}

impl Wire for Stand {
    fn write(&self, to: &mut Writer) {
        match &self.state {
            State::Requests(request) => tagged(to, 0, request),
            State::Done => to.byte(1),
            State::Cancelled => to.byte(2),
            State::Failed(Failed::Error(message)) => tagged(to, 3, message),
            State::Failed(Failed::Endless) => to.byte(4),
            State::Failed(Failed::OutOfMemory) => to.byte(5),
        }
        self.frames.write(to);
    }

    fn read(from: &mut Reader<'_>) -> Result<Stand, Malformed> {
        let state = match from.byte()? {
            0 => State::Requests(Wire::read(from)?),
            1 => State::Done,
            2 => State::Cancelled,
            3 => State::Failed(Failed::Error(Wire::read(from)?)),
            4 => State::Failed(Failed::Endless),
            5 => State::Failed(Failed::OutOfMemory),
            _ => return Err(Malformed::Choice),
        };
        Ok(Stand { state, frames: Wire::read(from)? })
    }
}

impl Wire for Frame {
    fn write(&self, to: &mut Writer) {
        self.name.write(to);
        self.line.write(to);
        self.locals.write(to);
    }

    fn read(from: &mut Reader<'_>) -> Result<Frame, Malformed> {
        Ok(Frame { name: Wire::read(from)?, line: Wire::read(from)?, locals: Wire::read(from)? })
    }
}

impl Wire for Local {
    fn write(&self, to: &mut Writer) {
        self.name.write(to);
        self.shown.write(to);
    }

    fn read(from: &mut Reader<'_>) -> Result<Local, Malformed> {
        Ok(Local { name: Wire::read(from)?, shown: Wire::read(from)? })
    }
}

impl Wire for Result<Scene, Unplayable> {
    fn write(&self, to: &mut Writer) {
        match self {
            Ok(scene) => tagged(to, 0, scene),
            Err(Unplayable::DoesNotCompile(message)) => tagged(to, 1, message),
            Err(Unplayable::Diverged { at }) => tagged(to, 2, &(*at as u64)),
            Err(Unplayable::Broken) => to.byte(3),
            Err(Unplayable::NoPlayer) => to.byte(4),
        }
    }

    fn read(from: &mut Reader<'_>) -> Result<Result<Scene, Unplayable>, Malformed> {
        Ok(match from.byte()? {
            0 => Ok(Wire::read(from)?),
            1 => Err(Unplayable::DoesNotCompile(Wire::read(from)?)),
            2 => Err(Unplayable::Diverged { at: usize::try_from(from.number()?).map_err(|_| Malformed::Number)? }),
            3 => Err(Unplayable::Broken),
            4 => Err(Unplayable::NoPlayer),
            _ => return Err(Malformed::Choice),
        })
    }
}
