//! The output buffer of one connection, and how the engine notifies the task of the connection.
use std::cell::{Cell, RefCell};
use std::task::Waker;

use redis_model::ClientId;
use resp::{Protocol, Value, encode::encode};

use super::limits::OutputLimit;

/// An empty buffer frees capacity above this size in bytes.
const KEPT_CAPACITY_MAX: usize = 64 * 1024;

/// Bytes that do not count towards the limits: Redis does not count the fixed reply buffer of each client
/// (`PROTO_REPLY_CHUNK_BYTES`).
const UNCOUNTED_BYTES: usize = 16 * 1024;

/// Whether a connection stays open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// It stays open.
    Open,
    /// It is closed after everything has been written.
    CloseWhenWritten,
    /// It is closed now, after writing what the socket accepts at once.
    Close,
}

/// The engine's end of a connection.
#[derive(Debug)]
pub struct Outbox {
    /// The client of this connection.
    pub client: ClientId,
    bytes: RefCell<Vec<u8>>,
    fate: Cell<Fate>,
    is_blocked: Cell<bool>,
    /// Time since which the soft limit is exceeded, in ms.
    over_soft_since_ms: Cell<Option<u64>>,
    waker: RefCell<Option<Waker>>,
}

impl Outbox {
    /// An empty output buffer.
    pub fn new(client: ClientId) -> Outbox {
        Outbox {
            client,
            bytes: RefCell::default(),
            fate: Cell::new(Fate::Open),
            is_blocked: Cell::new(false),
            over_soft_since_ms: Cell::default(),
            waker: RefCell::default(),
        }
    }

    /// Appends a reply or a push.
    pub fn write(&self, value: &Value, protocol: Protocol) {
        encode(value, protocol, &mut self.bytes.borrow_mut());
    }

    /// Is the buffer so large that it should be written before more is added?
    pub fn is_full(&self) -> bool {
        self.len() > KEPT_CAPACITY_MAX
    }

    /// Number of unwritten bytes.
    pub fn len(&self) -> usize {
        self.bytes.borrow().len()
    }

    /// Passes the unwritten bytes to `to` and removes as many as it returns; `to` is not called if the buffer is empty.
    pub fn drain<E>(&self, mut to: impl FnMut(&[u8]) -> Result<usize, E>) -> Result<(), E> {
        let mut bytes = self.bytes.borrow_mut();
        let mut written = 0usize;
        let outcome = loop {
            match bytes.get(written..) {
                None | Some([]) => break Ok(()),
                Some(rest) => match to(rest) {
                    Ok(count) => written = written.saturating_add(count),
                    Err(error) => break Err(error),
                },
            }
        };
        if written < bytes.len() {
            bytes.drain(..written);
        } else {
            bytes.clear();
            bytes.shrink_to(KEPT_CAPACITY_MAX);
        }
        if bytes.len() <= UNCOUNTED_BYTES {
            self.over_soft_since_ms.set(None);
        }
        outcome
    }

    /// Does the buffer exceed the uncounted bytes?
    pub fn counts(&self) -> bool {
        self.len() > UNCOUNTED_BYTES
    }

    /// Is the limit exceeded? `now_ms` is used for the soft limit.
    pub fn is_over(&self, limit: OutputLimit, now_ms: u64) -> bool {
        let len = self.len().saturating_sub(UNCOUNTED_BYTES);
        let is_over_soft = limit.soft_bytes > 0 && len > limit.soft_bytes;
        if !is_over_soft {
            self.over_soft_since_ms.set(None);
            return len > limit.hard_bytes;
        }
        let since_ms = self.over_soft_since_ms.get().unwrap_or(now_ms);
        self.over_soft_since_ms.set(Some(since_ms));
        len > limit.hard_bytes || now_ms.saturating_sub(since_ms) > limit.soft_ms
    }

    /// Whether the connection stays open.
    pub fn fate(&self) -> Fate {
        self.fate.get()
    }

    /// Closes the connection, and wakes its task.
    pub fn close(&self, fate: Fate) {
        self.fate.set(fate);
        self.wake();
    }

    /// Is the client blocked in a command?
    pub fn is_blocked(&self) -> bool {
        self.is_blocked.get()
    }

    /// Sets whether the client is blocked; after unblocking, the task runs the commands that arrived meanwhile.
    pub fn set_blocked(&self, is_blocked: bool) {
        self.is_blocked.set(is_blocked);
        if !is_blocked {
            self.wake();
        }
    }

    /// The task to wake when the engine changes this buffer.
    pub fn set_waker(&self, waker: &Waker) {
        let mut kept = self.waker.borrow_mut();
        if !kept.as_ref().is_some_and(|kept| kept.will_wake(waker)) {
            *kept = Some(waker.clone());
        }
    }

    /// Wakes the task of the connection.
    pub fn wake(&self) {
        if let Some(waker) = self.waker.borrow().as_ref() {
            waker.wake_by_ref();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unwritten_bytes_stay_in_order() {
        let outbox = Outbox::new(1);
        outbox.write(&Value::Integer(12), Protocol::Resp2);
        outbox.write(&Value::OK, Protocol::Resp2);
        let mut taken = Vec::new();
        let outcome = outbox.drain(|bytes| {
            let Some((first, _)) = bytes.split_first().filter(|_| taken.len() < 3) else { return Err("full") };
            taken.push(*first);
            Ok(1)
        });
        assert_eq!((outcome, taken.as_slice(), outbox.len()), (Err("full"), &b":12"[..], 7));
        outbox
            .drain(|bytes| {
                taken.extend_from_slice(bytes);
                Ok::<_, ()>(bytes.len())
            })
            .unwrap();
        assert_eq!((taken.as_slice(), outbox.len()), (&b":12\r\n+OK\r\n"[..], 0));
    }

    #[test]
    fn the_soft_limit_counts_only_uninterrupted_time() {
        let limit = OutputLimit { hard_bytes: 100, soft_bytes: 10, soft_ms: 1000 };
        let outbox = Outbox::new(1);
        let beyond_the_uncounted = Value::bulk(vec![b'x'; UNCOUNTED_BYTES + 20]);
        outbox.write(&beyond_the_uncounted, Protocol::Resp2);
        assert!(!outbox.is_over(limit, 0) && !outbox.is_over(limit, 1000) && outbox.is_over(limit, 1001));
        outbox.drain(|bytes| Ok::<_, ()>(bytes.len())).unwrap();
        assert!(!outbox.is_over(limit, 2000));
        outbox.write(&beyond_the_uncounted, Protocol::Resp2);
        assert!(!outbox.is_over(limit, 3000) && !outbox.is_over(limit, 4000));
        outbox.write(&Value::bulk(vec![b'x'; 100]), Protocol::Resp2);
        assert!(outbox.is_over(limit, 4000), "the hard limit waits for nothing");
    }
}
