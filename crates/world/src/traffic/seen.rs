//! The Redis server's queue as the learner sees it: how long the server stays busy, and which commands wait.
use bytes::Bytes;

use super::{Message, Traffic};

/// The Redis server's queue at one moment.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RedisLine {
    /// Remaining time of the current command in ns; 0: the server is idle.
    pub busy_ns: u64,
    /// The waiting commands, next one first.
    pub waiting: Vec<WaitingCommand>,
    /// Number of further waiting commands.
    pub more: u64,
}

/// A waiting command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WaitingCommand {
    /// The machine that sent it, from 0.
    pub machine: u32,
    /// The worker that waits for its reply, from 0 at each machine; `None` for the machine's subscriber.
    pub worker: Option<u32>,
    /// The command's words.
    pub argv: Vec<Bytes>,
}

impl Traffic {
    /// The Redis server's queue, with its first `limit` commands.
    // Part of the page's traffic chunk.
    #[inline(never)]
    pub fn redis_line(&self, limit: usize) -> RedisLine {
        let waiting = |message: &Message<Vec<Bytes>>| WaitingCommand {
            machine: self.machine_of(message.place.worker),
            worker: self.worker_number(message.place.worker),
            argv: message.said.clone(),
        };
        let waiting: Vec<WaitingCommand> = self.redis_queue.iter().take(limit).map(waiting).collect();
        RedisLine {
            busy_ns: self.redis_busy_ns.saturating_sub(self.now_ns),
            more: self.redis_queue.len().saturating_sub(waiting.len()) as u64,
            waiting,
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
        for command in &all.waiting {
            assert!(command.machine < 4 && command.worker.is_some_and(|worker| worker < 16));
            assert!(["GET", "SET"].iter().any(|name| command.argv[0] == name), "{command:?}");
        }
        // The next executed command is the first waiting one.
        let next = all.waiting[0].clone();
        let mut later = all;
        while later.waiting.first() == Some(&next) {
            site.run(site.traffic().now_ns() / 1_000_000 + 1);
            later = site.traffic().redis_line(usize::MAX);
        }
        assert!(!later.waiting.contains(&next));
    }
}
