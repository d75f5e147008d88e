//! Requests that no other client can observe: they are answered within the step that led to them.
use std::rc::Rc;

use redis_model::rng::Rng;
use resp::Value;
use script::program::{Reply, Request, Thread};

use super::Condition;
use crate::{ClientIndex, Event, ProgramEvent, World, property::ClientThread};

/// After this many such requests in a row, the program counts as endless.
const REQUESTS_MAX: usize = 1_000;

impl World {
    /// Answers requests until every thread is at one that other clients can observe.
    pub(super) fn settle(&mut self, client: ClientIndex, events: &mut Vec<Event>) {
        if self.process(client).is_some_and(|process| process.phases.is_empty()) {
            // Before its first request: the main thread arrives there.
            self.arrive(client, 0, self.now_ms, events);
        }
        for _ in 0..REQUESTS_MAX {
            let Some((thread, request)) = self.at_once(client) else { return };
            let reply = self.reply_at_once(client, thread, request, events);
            self.take(client, thread, reply, events);
        }
        if self.at_once(client).is_some() {
            self.end(client, Condition::RanAway);
            self.emit_program(events, client, 0, ProgramEvent::RanAway);
        }
    }

    /// The first thread whose request can be answered at once.
    fn at_once(&self, client: ClientIndex) -> Option<(Thread, Request)> {
        let process = self.process(client).filter(|process| !process.is_over())?;
        process.phases().find_map(|(thread, _)| {
            let request = process.request(thread)?;
            let is_noticed = matches!(
                request,
                Request::Call { .. }
                    | Request::Sleep { .. }
                    | Request::Work { .. }
                    | Request::Subscribe { .. }
                    | Request::WaitMessage { .. }
            );
            (!is_noticed).then(|| (thread, request.clone()))
        })
    }

    fn reply_at_once(
        &mut self,
        client: ClientIndex,
        thread: Thread,
        request: Request,
        events: &mut Vec<Event>,
    ) -> Reply {
        match request {
            Request::Who { number, args } => {
                let Some(process) = self.process_mut(client) else { return Reply::Nothing };
                process.knows_its_number |= number;
                // A client keeps its number for life.
                let number = if number { Value::Integer(i64::from(client).saturating_add(1)) } else { Value::Null };
                let args = process.args().iter().filter(|_| args).cloned().map(Value::Bulk);
                Reply::Value(Value::Array(std::iter::once(number).chain(args).collect()))
            }
            Request::Connect { node } => {
                let mut nodes = (0..).zip(&self.settings().nodes);
                let found = nodes.find(|(_, settings)| settings.name.as_bytes() == node.as_ref());
                Reply::Value(match found {
                    Some((number, _)) => Value::Integer(number),
                    None => Value::error(format!("no node is called '{}'", String::from_utf8_lossy(&node))),
                })
            }
            Request::Now => {
                if let Some(process) = self.process_mut(client) {
                    process.has_read_clock = true;
                }
                let shift = self.process(client).map_or(0, super::Process::clock_shift_ms);
                Reply::Integer(i64::try_from(self.now_ms).unwrap_or(i64::MAX).saturating_add(shift))
            }
            Request::Uuid => {
                if let Some(process) = self.process_mut(client) {
                    process.has_drawn_text = true;
                }
                let (high, low) = (self.draw(client), self.draw(client));
                Reply::Text(uuid(high, low).into())
            }
            Request::Random { from, to } => {
                // The span of all 64-bit numbers is 2^64, one too many for 64 bits; that the last number is never drawn does not matter.
                let span = to.abs_diff(from).saturating_add(1);
                let steps = Rng::new(self.draw(client)).below(span);
                Reply::Integer(from.wrapping_add_unsigned(steps))
            }
            Request::Enter { section } => {
                if let Some(process) = self.process_mut(client) {
                    process.inside.push((section.clone(), thread));
                    if let Err(place) = process.has_been_in.binary_search(&section) {
                        Rc::make_mut(&mut process.has_been_in).insert(place, section.clone());
                    }
                }
                self.emit_program(events, client, thread, ProgramEvent::Entered { section: section.clone() });
                self.watch_entering(&section, ClientThread { client, thread }, events);
                Reply::Nothing
            }
            Request::Leave { section } => {
                if let Some(process) = self.process_mut(client) {
                    let is_own = |place: &(bytes::Bytes, Thread)| *place == (section.clone(), thread);
                    if let Some(at) = process.inside.iter().rposition(is_own) {
                        process.inside.remove(at);
                    }
                }
                self.emit_program(events, client, thread, ProgramEvent::Left { section });
                Reply::Nothing
            }
            Request::Spawn { thread: child } => {
                self.emit_program(events, client, thread, ProgramEvent::Spawned { thread: child });
                Reply::Nothing
            }
            Request::Note { text } => {
                self.emit_program(events, client, thread, ProgramEvent::Noted { text });
                Reply::Nothing
            }
            Request::Check { holds, text } => {
                self.emit_program(events, client, thread, ProgramEvent::Checked { holds, text: text.clone() });
                if !holds {
                    self.watch_failed_check(client, &text, events);
                }
                Reply::Nothing
            }
            Request::Tally { name, n } => {
                let total = self.watch.add(&name, n);
                self.emit_program(events, client, thread, ProgramEvent::Tallied { name, n, total });
                Reply::Nothing
            }
            Request::Produced { id, key } => {
                self.emit_program(events, client, thread, ProgramEvent::Produced { id: id.clone(), key: key.clone() });
                self.note_produced(&id, key.as_ref(), events);
                Reply::Nothing
            }
            Request::Processed { id } => {
                let (times, disorders) = self.watch.ledger.process(&id);
                self.emit_program(events, client, thread, ProgramEvent::Processed { id: id.clone(), times });
                self.watch_processed(client, &id, times, &disorders, events);
                Reply::Nothing
            }
            Request::Memory { .. } => {
                Reply::Value(Value::error("a client has no memory of a machine: only a handler of traffic has one"))
            }
            _ => Reply::Nothing,
        }
    }

    /// A random number for a client, independent of other clients' draws.
    fn draw(&mut self, client: ClientIndex) -> u64 {
        let seed = self.settings().seed;
        let Some(process) = self.process_mut(client) else { return 0 };
        process.draws = process.draws.wrapping_add(1);
        let own = Rng::new(seed ^ (u64::from(client) << 32)).next_u64();
        Rng::new(own ^ process.draws).next_u64()
    }
}

/// A UUID of version 4 from 128 random bits.
fn uuid(high: u64, low: u64) -> String {
    let (high, low) = ((high & !0xf000) | 0x4000, (low & !(0b11 << 62)) | (0b10 << 62));
    let [a, b, c] = [high >> 32, (high >> 16) & 0xffff, high & 0xffff];
    let (d, e) = (low >> 48, low & 0xffff_ffff_ffff);
    format!("{a:08x}-{b:04x}-{c:04x}-{d:04x}-{e:012x}")
}

#[cfg(test)]
mod tests {
    use super::uuid;

    #[test]
    fn uuid_has_version_4_and_its_variant() {
        assert_eq!(uuid(0, 0), "00000000-0000-4000-8000-000000000000");
        assert_eq!(uuid(u64::MAX, u64::MAX), "ffffffff-ffff-4fff-bfff-ffffffffffff");
    }
}
