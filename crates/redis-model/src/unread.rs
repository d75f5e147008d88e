//! `Unread`: the output buffer of a client that does not read, and the limits past which the server closes the connection.
//!
//! ```text
//!   replies, messages ──► the connection's own buffer ──► list of blocks
//!                         16 KB, soon 1 KB                16 KB each at least
//!                         obl                             oll blocks of omem bytes, limited by client-output-buffer-limit
//! ```
//! A real server buffers nothing until the socket buffers of both operating systems are full, which takes some megabytes. The model has
//! no socket buffers.
use std::hash::{Hash, Hasher};
use std::rc::Rc;

use resp::{Protocol, Value, encode::encode};

use crate::{
    Config, Output, Server,
    client::{Client, ClientId},
    server::CloseReason,
    value::memory::allocated,
};

/// Size of the reply buffer of a new connection, and after it has shrunk (`PROTO_REPLY_CHUNK_BYTES`, `PROTO_REPLY_MIN_BYTES`).
pub(crate) const REPLY_BUFFER_BYTES: usize = 16_384;
pub(crate) const SHRUNK_REPLY_BUFFER_BYTES: usize = 1024;
/// Redis checks its clients ten times a second. The first check resets the peak, the second shrinks the buffer.
pub(crate) const LOOK_MS: u64 = 100;
/// `sizeof(clientReplyBlock)`: the header of a block.
const BLOCK_HEAD_BYTES: usize = 16;
/// `sizeof(listNode) + sizeof(clientReplyBlock)`, which Redis adds for each block.
const NODE_BYTES: usize = 40;
/// Outputs per chunk: clones of the server share full chunks.
const CHUNK: usize = 64;

/// The output buffer of a client that does not read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unread {
    held: Rc<Vec<Rc<Vec<Held>>>>,
    /// Free bytes in the connection's own buffer.
    room: usize,
    own_bytes: usize,
    blocks: usize,
    /// Bytes of all blocks, used or not.
    block_bytes: usize,
    /// Free bytes in the last block.
    tail_room: usize,
    /// When the soft limit was first exceeded, in seconds of Unix time.
    over_soft_since_s: Option<u64>,
}

/// One buffered output.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Held {
    is_reply: bool,
    value: Value,
}

/// A limit of `client-output-buffer-limit`; 0: none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OutputLimit {
    /// From this many bytes on the connection is closed at once.
    pub hard_bytes: usize,
    /// From this many bytes on the connection is closed if that lasts longer than `soft_s`.
    pub soft_bytes: usize,
    /// Duration in seconds for which the soft limit may be exceeded.
    pub soft_s: u64,
}

impl Config {
    /// The limit of a class of clients: `normal` or `pubsub`.
    pub fn output_limit(&self, class: &str) -> OutputLimit {
        let classes = self.shown_by_name("client-output-buffer-limit");
        let mut numbers =
            classes.split(' ').skip_while(|word| *word != class).skip(1).map_while(|word| word.parse().ok());
        let mut next = || numbers.next().unwrap_or(0_u64);
        let (hard, soft, soft_s) = (next(), next(), next());
        let bytes = |n: u64| usize::try_from(n).unwrap_or(usize::MAX);
        OutputLimit { hard_bytes: bytes(hard), soft_bytes: bytes(soft), soft_s }
    }
}

impl Unread {
    fn new(room: usize) -> Unread {
        Unread {
            held: Rc::default(),
            room,
            own_bytes: 0,
            blocks: 0,
            block_bytes: 0,
            tail_room: 0,
            over_soft_since_s: None,
        }
    }

    /// Number of buffered replies and messages.
    pub fn count(&self) -> usize {
        let full = self.held.len().saturating_sub(1).saturating_mul(CHUNK);
        full.saturating_add(self.held.last().map_or(0, |chunk| chunk.len()))
    }

    /// Bytes in the connection's own buffer: `obl`.
    pub fn own_bytes(&self) -> usize {
        self.own_bytes
    }

    /// Number of blocks: `oll`.
    pub fn blocks(&self) -> usize {
        self.blocks
    }

    /// Bytes of the blocks, to which the limits apply: `omem`.
    pub fn memory(&self) -> usize {
        self.block_bytes.saturating_add(self.blocks.saturating_mul(NODE_BYTES))
    }

    /// Buffered bytes.
    pub fn bytes(&self) -> usize {
        // Only the last block has free bytes.
        self.own_bytes.saturating_add(self.block_bytes.saturating_sub(self.tail_room))
    }

    fn push(&mut self, held: Held, protocol: Protocol) {
        self.write(&held.value, protocol);
        let chunks = Rc::make_mut(&mut self.held);
        match chunks.last_mut().filter(|chunk| chunk.len() < CHUNK) {
            Some(last) => Rc::make_mut(last).push(held),
            None => chunks.push(Rc::new(vec![held])),
        }
    }

    /// Stores a value, piece by piece as Redis writes it.
    fn write(&mut self, value: &Value, protocol: Protocol) {
        match value {
            Value::Bulk(text) => {
                self.write_bytes(text.len().to_string().len().saturating_add(3));
                self.write_bytes(text.len());
                self.write_bytes(2);
            }
            Value::Array(items) | Value::Push(items) => {
                self.write_bytes(items.len().to_string().len().saturating_add(3));
                items.iter().for_each(|item| self.write(item, protocol));
            }
            other => {
                let mut bytes = Vec::new();
                encode(other, protocol, &mut bytes);
                self.write_bytes(bytes.len());
            }
        }
    }

    fn write_bytes(&mut self, mut bytes: usize) {
        if self.blocks == 0 {
            let taken = bytes.min(self.room);
            self.room = self.room.saturating_sub(taken);
            self.own_bytes = self.own_bytes.saturating_add(taken);
            bytes = bytes.saturating_sub(taken);
        }
        let taken = bytes.min(self.tail_room);
        self.tail_room = self.tail_room.saturating_sub(taken);
        bytes = bytes.saturating_sub(taken);
        if bytes > 0 {
            let asked = bytes.max(REPLY_BUFFER_BYTES).saturating_add(BLOCK_HEAD_BYTES);
            let block = allocated(asked).saturating_sub(BLOCK_HEAD_BYTES);
            self.blocks = self.blocks.saturating_add(1);
            self.block_bytes = self.block_bytes.saturating_add(block);
            self.tail_room = block.saturating_sub(bytes);
        }
    }

    /// Is it past the limit at this moment? Records since when the soft limit is exceeded.
    fn is_over(&mut self, limit: OutputLimit, now_ms: u64) -> bool {
        let (memory, now_s) = (self.memory(), now_ms / 1000);
        let is_past = |most: usize| most > 0 && memory >= most;
        self.over_soft_since_s = is_past(limit.soft_bytes).then(|| self.over_soft_since_s.unwrap_or(now_s));
        let is_over_soft = self.over_soft_since_s.is_some_and(|since_s| now_s.saturating_sub(since_s) > limit.soft_s);
        memory > 0 && (is_past(limit.hard_bytes) || is_over_soft)
    }

    /// When the soft limit closes the connection if the client reads nothing until then, Unix time in ms.
    pub fn closes_ms(&self, limit: OutputLimit) -> Option<u64> {
        Some(self.over_soft_since_s?.saturating_add(limit.soft_s).saturating_add(1).saturating_mul(1000))
    }

    pub(crate) fn hash_canonical<H: Hasher>(&self, now_ms: u64, state: &mut H) {
        (&self.held, self.own_bytes, self.blocks, self.block_bytes, self.tail_room).hash(state);
        self.over_soft_since_s.map(|since_s| (now_ms / 1000).saturating_sub(since_s)).hash(state);
    }
}

impl Hash for Unread {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (&self.held, self.own_bytes, self.blocks, self.block_bytes, self.tail_room, self.over_soft_since_s).hash(state);
    }
}

impl Client {
    /// Size of the connection's own reply buffer.
    pub(crate) fn reply_buffer(&self, now_ms: u64) -> usize {
        if self.looks(now_ms) < 2 { REPLY_BUFFER_BYTES } else { SHRUNK_REPLY_BUFFER_BYTES }
    }

    /// How often Redis has checked this client.
    pub(crate) fn looks(&self, now_ms: u64) -> u64 {
        (now_ms / LOOK_MS).saturating_sub(self.connected_ms / LOOK_MS)
    }
}

impl Server {
    /// The limit of a connection's output buffer.
    pub fn output_limit(&self, client: &Client) -> OutputLimit {
        self.config.output_limit(if client.is_subscriber() { "pubsub" } else { "normal" })
    }

    /// The client stops reading: from now on its output stays in its output buffer.
    pub fn stop_reading(&mut self, id: ClientId) {
        let now_ms = self.now_ms;
        let Some(client) = self.clients.get_mut(&id) else { return };
        let room = client.reply_buffer(now_ms);
        client.unread.get_or_insert_with(|| Box::new(Unread::new(room)));
        self.not_reading.insert(id);
    }

    /// The client reads again: returns the buffered output, in order.
    pub fn read_on(&mut self, now_ms: u64, id: ClientId) -> Vec<Output> {
        self.run_until(now_ms);
        self.settle();
        let mut outputs = self.hand_out();
        self.not_reading.remove(&id);
        let unread = self.clients.get_mut(&id).and_then(|client| client.unread.take());
        let chunks = unread.iter().flat_map(|unread| unread.held.iter());
        outputs.extend(chunks.flat_map(|chunk| chunk.iter().cloned()).map(|Held { is_reply, value }| {
            if is_reply { Output::Reply { client: id, value } } else { Output::Push { client: id, value } }
        }));
        outputs
    }

    /// Bytes buffered for clients that do not read, as they count for `maxmemory`.
    pub(crate) fn unread_bytes(&self) -> usize {
        self.slow().fold(0, |sum, (_, unread)| sum.saturating_add(unread.memory()))
    }

    /// Bytes of the largest output buffer, without the connection's own buffer.
    pub(crate) fn largest_output_buffer(&self) -> usize {
        self.slow().map(|(_, unread)| unread.memory()).max().unwrap_or(0)
    }

    fn slow(&self) -> impl Iterator<Item = (&Client, &Unread)> {
        let client = |id| self.clients.get(id);
        self.not_reading.iter().filter_map(client).filter_map(|client| Some((client, client.unread.as_deref()?)))
    }

    /// When the next connection is closed because its client does not read, Unix time in ms.
    pub(crate) fn next_overflow_ms(&self) -> Option<u64> {
        self.slow().filter_map(|(client, unread)| unread.closes_ms(self.output_limit(client))).min()
    }

    /// Returns the outputs of the finished input. Output for clients that do not read stays buffered; connections past their limit are
    /// closed.
    pub(crate) fn hand_out(&mut self) -> Vec<Output> {
        if self.not_reading.is_empty() {
            return std::mem::take(&mut self.outputs);
        }
        let mut handed_out = Vec::new();
        loop {
            for output in std::mem::take(&mut self.outputs) {
                handed_out.extend(self.hold(output));
            }
            if !self.close_full() {
                return handed_out;
            }
            self.settle();
        }
    }

    /// Closes connections whose buffer is past its limit; false if there were none.
    pub(crate) fn close_full(&mut self) -> bool {
        let full = self.full();
        for client in &full {
            self.close(*client, CloseReason::OutputBuffer);
        }
        !full.is_empty()
    }

    fn hold(&mut self, output: Output) -> Option<Output> {
        let (client, held) = match output {
            Output::Reply { client, value } => (client, Held { is_reply: true, value }),
            Output::Push { client, value } => (client, Held { is_reply: false, value }),
            other => return Some(other),
        };
        let slow = self.clients.get_mut(&client).filter(|_| self.not_reading.contains(&client));
        let Some(slow) = slow else {
            let Held { is_reply, value } = held;
            return Some(if is_reply { Output::Reply { client, value } } else { Output::Push { client, value } });
        };
        let (value, protocol) = (held.value.clone(), slow.protocol);
        if let Some(unread) = slow.unread.as_deref_mut() {
            unread.push(held, protocol);
        }
        Some(Output::Held { client, value })
    }

    /// Clients whose buffer is past its limit.
    fn full(&mut self) -> Vec<ClientId> {
        if self.not_reading.is_empty() {
            return Vec::new();
        }
        let (now_ms, ids) = (self.now_ms, self.not_reading.clone());
        let limits = ["normal", "pubsub"].map(|class| self.config.output_limit(class));
        let mut is_full = |id: &ClientId| {
            let Some(client) = self.clients.get_mut(id) else { return false };
            let [normal, pubsub] = limits;
            let limit = if client.is_subscriber() { pubsub } else { normal };
            client.unread.as_deref_mut().is_some_and(|unread| unread.is_over(limit, now_ms))
        };
        ids.iter().copied().filter(|id| is_full(id)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(len: usize) -> Held {
        let words = vec![Value::bulk("message"), Value::bulk("c"), Value::Bulk("x".repeat(len).into())];
        Held { is_reply: false, value: Value::Push(words) }
    }

    /// `(obl, oll, omem)` after messages of these lengths on the channel `c`.
    fn after(room: usize, lengths: &[usize]) -> Vec<(usize, usize, usize)> {
        let mut unread = Unread::new(room);
        let mut sums = |len: &usize| {
            unread.push(message(*len), Protocol::Resp2);
            (unread.own_bytes(), unread.blocks(), unread.memory())
        };
        lengths.iter().map(&mut sums).collect()
    }

    /// Measured on Redis 7.0.15: `CLIENT LIST` between the `PUBLISH` commands of one transaction, during which no output is sent.
    #[test]
    fn blocks_are_those_of_redis() {
        let blocks = |first: &[(usize, usize, usize)], rest: &[(usize, usize)], own: usize| {
            let rest = rest.iter().map(|(oll, omem)| (own, *oll, *omem));
            first.iter().copied().chain(rest).collect::<Vec<_>>()
        };
        assert_eq!(
            after(REPLY_BUFFER_BYTES, &[10, 100, 15_000, 2000, 3000, 16_300, 16_400, 30_000, 5]),
            blocks(
                &[(41, 0, 0), (173, 0, 0), (15_207, 0, 0)],
                &[(1, 20_504), (1, 20_504), (1, 20_504), (2, 41_008), (3, 69_704), (3, 69_704)],
                16_384
            )
        );
        assert_eq!(
            after(SHRUNK_REPLY_BUFFER_BYTES, &[10, 900, 100, 20_000, 5, 400, 40_000, 16_384, 3000]),
            blocks(
                &[(41, 0, 0), (973, 0, 0)],
                &[(1, 20_504), (1, 20_504), (1, 20_504), (2, 41_008), (3, 61_512), (4, 82_016), (4, 82_016)],
                1024
            )
        );
        assert_eq!(
            after(1024, &[1_000_000, 50, 300_000])[..],
            [(1024, 1, 1_048_600), (1024, 1, 1_048_600), (1024, 2, 1_310_768)]
        );
    }
}
