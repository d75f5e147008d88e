//! Cache-aside without Lua, as a peer of handlers in Lua: it sends the same requests.
use bytes::Bytes;
use resp::Value;
use script::program::Reply;

use super::arrivals::Wish;
use super::machines::{Next, Task};
use super::truth::value_of;
use super::{Traffic, WorkerThread};

/// The stages of cache-aside, with the value read.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum CacheAsideStage {
    Begins,
    /// `GET` was sent.
    Looks,
    /// `SELECT` was sent.
    Reads,
    /// `SET` was sent.
    Keeps(Bytes),
    /// `UPDATE` was sent.
    Writes,
    /// `DEL` was sent.
    Deletes,
}

impl Traffic {
    /// Runs the handler until it waits or has ended.
    pub(super) fn go_on_plainly(&mut self, worker: u32, task: &mut Task, reply: Option<Reply>, ttl_s: u32) -> Next {
        let place = WorkerThread { worker, thread: 0 };
        let id = task.job.id;
        let key = || Bytes::from(format!("item:{id}"));
        let number = || Bytes::from(id.to_string());
        let words = |words: &[&'static str]| words.iter().map(|word| Bytes::from_static(word.as_bytes())).collect();
        if let Some(Reply::Value(Value::Error(why))) = &reply {
            let why = Bytes::copy_from_slice(why.as_ref());
            self.breaks(worker, task, why);
            return Next::Over;
        }
        let stage = std::mem::replace(&mut task.stage, CacheAsideStage::Begins);
        let answer = match (stage, task.job.wish, reply) {
            (CacheAsideStage::Begins, Wish::Get, _) => {
                task.stage = CacheAsideStage::Looks;
                self.send(place, task, vec![Bytes::from_static(b"GET"), key()], None, false);
                return Next::Waits;
            }
            (CacheAsideStage::Begins, Wish::Put, _) => {
                task.stage = CacheAsideStage::Writes;
                let value = value_of(task.job.number(), id);
                let said = vec![Bytes::from_static(UPDATE), value, number()];
                self.send(place, task, said, None, true);
                return Next::Waits;
            }
            (CacheAsideStage::Looks, _, Some(Reply::Value(Value::Bulk(value)))) => Some(value),
            (CacheAsideStage::Looks, ..) => {
                task.stage = CacheAsideStage::Reads;
                self.send(place, task, vec![Bytes::from_static(SELECT), number()], None, true);
                return Next::Waits;
            }
            (CacheAsideStage::Reads, _, Some(Reply::Value(rows))) => match first_cell(&rows) {
                Some(value) => {
                    let mut said: Vec<Bytes> = words(&["SET"]);
                    said.extend([key(), value.clone(), Bytes::from_static(b"EX"), Bytes::from(ttl_s.to_string())]);
                    task.stage = CacheAsideStage::Keeps(value);
                    self.send(place, task, said, None, false);
                    return Next::Waits;
                }
                None => None,
            },
            (CacheAsideStage::Keeps(value), ..) => Some(value),
            (CacheAsideStage::Writes, ..) => {
                task.stage = CacheAsideStage::Deletes;
                self.send(place, task, vec![Bytes::from_static(b"DEL"), key()], None, false);
                return Next::Waits;
            }
            (CacheAsideStage::Deletes | CacheAsideStage::Reads, ..) => None,
        };
        self.answers(place, task, answer);
        Next::Over
    }
}

/// The statements with which cache-aside reads and changes an item.
const SELECT: &[u8] = b"SELECT value FROM item WHERE id = ?";
const UPDATE: &[u8] = b"UPDATE item SET value = ? WHERE id = ?";

/// The first cell of the first row of a reply.
fn first_cell(rows: &Value) -> Option<Bytes> {
    let Value::Array(rows) = rows else { return None };
    let Some(Value::Array(row)) = rows.get(1) else { return None };
    match row.first() {
        Some(Value::Bulk(text)) => Some(text.clone()),
        _ => None,
    }
}
