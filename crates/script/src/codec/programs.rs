//! The encoding of the messages to and from a player of programs.
use super::shapes::{array, tagged};
use super::{Malformed, Reader, Wire, Writer};
use crate::program::remote::{PlayRequest, Report};
use crate::program::{
    Answer, Failed, Frame, History, Local, MemoryCommand, ProgramState, Reply, Request, State, Target, ThreadSnapshot,
    Unplayable,
};
use bytes::Bytes;

impl Wire for PlayRequest {
    fn write(&self, to: &mut Writer) {
        match self {
            PlayRequest::Whole(text, history) => {
                tagged(to, 0, text);
                history.write(to);
            }
            PlayRequest::Next { text, before, answer } => {
                to.byte(1);
                to.raw(&text.to_le_bytes());
                to.raw(&before.to_le_bytes());
                answer.write(to);
            }
        }
    }

    fn read(from: &mut Reader<'_>) -> Result<PlayRequest, Malformed> {
        Ok(match from.byte()? {
            0 => PlayRequest::Whole(Wire::read(from)?, Wire::read(from)?),
            1 => {
                let text = u128::from_le_bytes(array(from)?);
                let before = u128::from_le_bytes(array(from)?);
                PlayRequest::Next { text, before, answer: Wire::read(from)? }
            }
            _ => return Err(Malformed::Choice),
        })
    }
}

impl Wire for Report {
    fn write(&self, to: &mut Writer) {
        match self {
            Report::Played(Ok(scene)) => {
                to.byte(0);
                to.number(scene.threads.len() as u64);
                scene.threads.iter().for_each(|thread| write_thread(thread, to));
                let live = scene.live.map(u128::to_le_bytes);
                to.byte(u8::from(live.is_some()));
                live.iter().for_each(|live| to.raw(live));
            }
            Report::Played(Err(Unplayable::DoesNotCompile(message))) => tagged(to, 1, message),
            Report::Played(Err(Unplayable::Diverged { at })) => tagged(to, 2, &(*at as u64)),
            Report::Played(Err(Unplayable::Broken)) => to.byte(3),
            Report::Played(Err(Unplayable::NoPlayer)) => to.byte(4),
            Report::Forgotten => to.byte(5),
        }
    }

    fn read(from: &mut Reader<'_>) -> Result<Report, Malformed> {
        let mut from = Lenient { from, failure: None };
        let report = match from.byte() {
            0 => Report::Played(Ok(ProgramState { threads: from.list(Lenient::thread), live: from.live() })),
            1 => Report::Played(Err(Unplayable::DoesNotCompile(from.text()))),
            2 => Report::Played(Err(Unplayable::Diverged { at: from.small().unwrap_or(0) })),
            3 => Report::Played(Err(Unplayable::Broken)),
            4 => Report::Played(Err(Unplayable::NoPlayer)),
            5 => Report::Forgotten,
            _ => from.no_choice(Report::Forgotten),
        };
        from.failure.map_or(Ok(report), Err)
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

fn write_thread(thread: &ThreadSnapshot, to: &mut Writer) {
    match &thread.state {
        State::Requests(request) => {
            to.byte(0);
            write_request(request, to);
        }
        State::Done => to.byte(1),
        State::Cancelled => to.byte(2),
        State::Failed(Failed::Error(message)) => tagged(to, 3, message),
        State::Failed(Failed::Endless) => to.byte(4),
        State::Failed(Failed::OutOfMemory) => to.byte(5),
    }
    to.number(thread.frames.len() as u64);
    for Frame { name, line, locals } in &thread.frames {
        name.write(to);
        line.write(to);
        to.number(locals.len() as u64);
        for Local { name, shown } in locals {
            name.write(to);
            shown.write(to);
        }
    }
}

fn write_request(request: &Request, to: &mut Writer) {
    match request {
        Request::Begin => to.byte(0),
        Request::Call { to: None, argv } => tagged(to, 1, argv),
        Request::Call { to: Some(Target { node, timeout_ms }), argv } => {
            tagged(to, 19, node);
            timeout_ms.write(to);
            argv.write(to);
        }
        Request::Connect { node } => tagged(to, 20, node),
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
        Request::Produced { id, key } => {
            tagged(to, 16, id);
            key.write(to);
        }
        Request::Processed { id } => tagged(to, 17, id),
        Request::Answer { value } => tagged(to, 21, value),
        Request::Memory { region, most, command } => {
            tagged(to, 22, region);
            most.write(to);
            write_command(command, to);
        }
        Request::Who { number, args } => {
            tagged(to, 18, number);
            args.write(to);
        }
    }
}

fn write_command(command: &MemoryCommand, to: &mut Writer) {
    match command {
        MemoryCommand::Get { key } => tagged(to, 0, key),
        MemoryCommand::Set { key, value, ttl_ms } => {
            tagged(to, 1, key);
            value.write(to);
            ttl_ms.write(to);
        }
        MemoryCommand::Add { key, value, ttl_ms } => {
            tagged(to, 2, key);
            value.write(to);
            ttl_ms.write(to);
        }
        MemoryCommand::Incr { key, n } => {
            tagged(to, 3, key);
            n.write(to);
        }
        MemoryCommand::Delete { key } => tagged(to, 4, key),
        MemoryCommand::Wait { key, timeout_ms } => {
            tagged(to, 5, key);
            timeout_ms.write(to);
        }
        MemoryCommand::SetBits { places } => tagged(to, 6, places),
        MemoryCommand::HasBits { places } => tagged(to, 7, places),
        MemoryCommand::Clear => to.byte(8),
    }
}

/// Remembers the first failure and reads on; later reads return empty values. The page decodes program states with it, where an early
/// return after each read would take more code than the reads.
struct Lenient<'a, 'b> {
    from: &'a mut Reader<'b>,
    failure: Option<Malformed>,
}

impl Lenient<'_, '_> {
    fn thread(&mut self) -> ThreadSnapshot {
        let state = match self.byte() {
            0 => State::Requests(self.request()),
            1 => State::Done,
            2 => State::Cancelled,
            3 => State::Failed(Failed::Error(self.text())),
            4 => State::Failed(Failed::Endless),
            5 => State::Failed(Failed::OutOfMemory),
            _ => self.no_choice(State::Done),
        };
        ThreadSnapshot { state, frames: self.list(Lenient::frame) }
    }

    fn frame(&mut self) -> Frame {
        let name = self.bool().then(|| self.text());
        Frame { name, line: self.small().unwrap_or(0), locals: self.list(Lenient::local) }
    }

    fn local(&mut self) -> Local {
        Local { name: self.text(), shown: self.text() }
    }

    fn request(&mut self) -> Request {
        match self.byte() {
            0 => Request::Begin,
            1 => Request::Call { to: None, argv: self.list(Lenient::text) },
            2 => Request::Sleep { ms: self.number() },
            3 => Request::Work { ms: self.number() },
            4 => Request::Now,
            5 => Request::Uuid,
            6 => Request::Random { from: self.signed(), to: self.signed() },
            7 => Request::Enter { section: self.text() },
            8 => Request::Leave { section: self.text() },
            9 => Request::Spawn { thread: self.small().unwrap_or(0) },
            10 => Request::Cancel { thread: self.small().unwrap_or(0) },
            11 => Request::Subscribe { channels: self.list(Lenient::text) },
            12 => Request::WaitMessage { ms: self.bool().then(|| self.number()) },
            13 => Request::Note { text: self.text() },
            14 => Request::Tally { name: self.text(), n: self.signed() },
            15 => Request::Check { holds: self.bool(), text: self.text() },
            16 => Request::Produced { id: self.text(), key: self.bool().then(|| self.text()) },
            17 => Request::Processed { id: self.text() },
            19 => {
                let node = self.small().unwrap_or(0);
                let timeout_ms = self.bool().then(|| self.number());
                Request::Call { to: Some(Target { node, timeout_ms }), argv: self.list(Lenient::text) }
            }
            21 => Request::Answer { value: self.bool().then(|| self.text()) },
            22 => {
                let region = self.text();
                let most = self.bool().then(|| self.small().unwrap_or(0));
                Request::Memory { region, most, command: self.command() }
            }
            20 => Request::Connect { node: self.text() },
            18 => Request::Who { number: self.bool(), args: self.bool() },
            _ => self.no_choice(Request::Begin),
        }
    }

    fn command(&mut self) -> MemoryCommand {
        match self.byte() {
            0 => MemoryCommand::Get { key: self.text() },
            1 => MemoryCommand::Set { key: self.text(), value: self.text(), ttl_ms: self.ms() },
            2 => MemoryCommand::Add { key: self.text(), value: self.text(), ttl_ms: self.ms() },
            3 => MemoryCommand::Incr { key: self.text(), n: self.signed() },
            4 => MemoryCommand::Delete { key: self.text() },
            5 => MemoryCommand::Wait { key: self.text(), timeout_ms: self.ms() },
            6 => MemoryCommand::SetBits { places: self.list(|from| from.small().unwrap_or(0)) },
            7 => MemoryCommand::HasBits { places: self.list(|from| from.small().unwrap_or(0)) },
            8 => MemoryCommand::Clear,
            _ => self.no_choice(MemoryCommand::Get { key: Bytes::new() }),
        }
    }

    fn ms(&mut self) -> Option<u64> {
        self.bool().then(|| self.number())
    }

    /// Reads all items of a list, or those before the failure.
    fn list<T>(&mut self, read: impl Fn(&mut Self) -> T) -> Vec<T> {
        let count = self.from.count();
        let count = self.or_nothing(count);
        let mut items = Vec::new();
        while items.len() < count && self.failure.is_none() {
            items.push(read(self));
        }
        items
    }

    fn byte(&mut self) -> u8 {
        let byte = self.from.byte();
        self.or_nothing(byte)
    }

    fn live(&mut self) -> Option<u128> {
        if !self.bool() {
            return None;
        }
        let live = array(self.from);
        Some(u128::from_le_bytes(self.or_nothing(live)))
    }

    fn bool(&mut self) -> bool {
        match self.byte() {
            0 => false,
            1 => true,
            _ => self.no_choice(false),
        }
    }

    fn number(&mut self) -> u64 {
        let number = self.from.number();
        self.or_nothing(number)
    }

    fn signed(&mut self) -> i64 {
        let number = self.from.signed();
        self.or_nothing(number)
    }

    /// Reads a number that must fit `N`.
    fn small<N: TryFrom<u64>>(&mut self) -> Option<N> {
        let number = N::try_from(self.number()).ok();
        if number.is_none() {
            self.failure.get_or_insert(Malformed::Number);
        }
        number
    }

    fn text(&mut self) -> Bytes {
        let text = self.from.string();
        self.or_nothing(text)
    }

    fn or_nothing<T: Default>(&mut self, read: Result<T, Malformed>) -> T {
        read.unwrap_or_else(|failure| {
            self.failure.get_or_insert(failure);
            T::default()
        })
    }

    fn no_choice<T>(&mut self, instead: T) -> T {
        self.failure.get_or_insert(Malformed::Choice);
        instead
    }
}
