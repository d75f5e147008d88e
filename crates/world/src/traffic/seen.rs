//! The Redis server's event loop as the learner sees it: the command that it executes, the commands that wait, and the replies on their way.
use bytes::Bytes;
use resp::Value;
use script::program::Reply;

use super::subscribers::SUBSCRIBER;
use super::{Message, Traffic};

/// The Redis server's event loop at one moment.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RedisLine {
    /// Remaining time of the current command in ns; 0: the server is idle.
    pub busy_ns: u64,
    /// The sender of the current command; `None` if the server is idle, or a client typed it.
    pub executes: Option<Sender>,
    /// The waiting commands, next one first.
    pub waiting: Vec<(Sender, Vec<Bytes>)>,
    /// Number of further waiting commands.
    pub more: u64,
    /// Replies on their way to a machine, the next one to arrive first. Empty replies, such as of a closed connection, are left out.
    pub replies: Vec<(Sender, Value)>,
    /// Number of further replies.
    pub more_replies: u64,
}

/// The sender of a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sender {
    /// The number of the command among all that handlers sent.
    pub ask: u64,
    /// The number of the request, from 1; 0 for work of a machine before its first request.
    pub request: u64,
    /// The machine, from 0.
    pub machine: u32,
    /// The worker that waits for the reply, from 0 at each machine; `None` for the machine's subscriber.
    pub worker: Option<u32>,
}

impl Traffic {
    /// The Redis server's event loop, with the first `limit` commands that wait and the first `limit` replies.
    // Part of the page's traffic chunk.
    #[inline(never)]
    pub fn redis_line(&self, limit: usize) -> RedisLine {
        let waiting = |message: &Message<Vec<Bytes>>| (self.sender(message), message.said.clone());
        let waiting: Vec<_> = self.redis_queue.iter().take(limit).map(waiting).collect();
        // The server sends a reply when the command's time is over.
        let is_sent = |at_ns: u64| at_ns.saturating_sub(self.network_ns()) <= self.now_ns;
        // Messages to subscribers are no replies; a command that publishes one is replied to at the same time.
        let is_reply = |message: &Message<Reply>| message.place.thread != SUBSCRIBER;
        let unsent = || self.from_redis.iter().filter(|(at_ns, _)| !is_sent(*at_ns));
        let current = unsent().find(|(_, message)| is_reply(message)).or_else(|| unsent().next());
        let busy_ns = self.redis_busy_ns.saturating_sub(self.now_ns);
        let sent = || self.from_redis.iter().filter(|(at_ns, message)| is_sent(*at_ns) && is_reply(message));
        let reply = |(_, message): &(u64, Message<Reply>)| match &message.said {
            Reply::Value(value) => Some((self.sender(message), value.clone())),
            _ => None,
        };
        let replies: Vec<_> = sent().filter_map(reply).take(limit).collect();
        RedisLine {
            busy_ns,
            executes: current.filter(|_| busy_ns > 0).map(|(_, message)| self.sender(message)),
            more: self.redis_queue.len().saturating_sub(waiting.len()) as u64,
            waiting,
            more_replies: sent().count().saturating_sub(replies.len()) as u64,
            replies,
        }
    }

    fn sender<T>(&self, message: &Message<T>) -> Sender {
        let worker = message.place.worker;
        Sender {
            ask: message.ask,
            request: self.request_of(worker).unwrap_or_default(),
            machine: self.machine_of(worker),
            worker: self.worker_number(worker),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Site;
    use super::super::settings::{RatePoint, TrafficSettings};
    use crate::Engines;

    #[test]
    fn waiting_commands_are_listed_in_order_and_counted() {
        // A command takes longer than the time to the next request.
        let rate = vec![RatePoint { at_ms: 0, per_s: 1_000 }];
        let settings = TrafficSettings { rate, redis_us: 5_000, ..TrafficSettings::default() };
        let mut site = Site::begin(settings, table::Settings::default(), 0, &Engines::default()).unwrap();
        assert_eq!(site.traffic().redis_line(8), super::RedisLine::default());
        site.run(100);
        let traffic = site.traffic();
        let all = traffic.redis_line(usize::MAX);
        assert!(all.waiting.len() > 8 && all.more == 0 && all.busy_ns > 0, "{all:?}");
        assert_eq!(all.waiting.len() as u64, traffic.queues().at_redis);
        let first = traffic.redis_line(8);
        assert_eq!(first.waiting, all.waiting[..8]);
        assert_eq!(first.waiting.len() as u64 + first.more, traffic.queues().at_redis);
        for (sender, argv) in &all.waiting {
            assert!(sender.machine < 4 && sender.worker.is_some_and(|worker| worker < 16) && sender.request > 0);
            assert!(["GET", "SET"].iter().any(|name| argv[0] == name), "{argv:?}");
        }
        // The next executed command is the first waiting one.
        let next = all.waiting[0].clone();
        let mut later = all;
        while later.waiting.first() == Some(&next) {
            site.run(site.traffic().now_ns() / 1_000_000 + 1);
            later = site.traffic().redis_line(usize::MAX);
        }
        assert!(!later.waiting.contains(&next));
        assert_eq!(later.executes, Some(next.0));
        // After its time the server has sent the reply.
        let end_ns = site.traffic().now_ns() + later.busy_ns;
        while site.traffic().redis_line(0).executes == Some(next.0) {
            site.run(site.traffic().now_ns() / 1_000_000 + 1);
        }
        let after = site.traffic().redis_line(usize::MAX);
        assert!(site.traffic().now_ns() >= end_ns && after.more_replies == 0);
        assert!(after.waiting.iter().all(|(sender, _)| *sender != next.0));
    }
}
