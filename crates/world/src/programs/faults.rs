//! `Fault` and `Faults`: what can go wrong, and how often it may.
use crate::{Act, Direction, Input, LinkAct, NodeAct};

/// A fault, or an event that only follows a fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// A client crashes.
    Crash,
    /// A client is paused.
    Pause,
    /// A request or a reply is lost.
    Loss,
    /// A crashed client is restarted.
    Restart,
    /// The clock of a client jumps ahead.
    ClockJump,
    /// A request is held up in flight.
    Delay,
    /// A reply is held up in flight.
    ReplyDelay,
    /// A node crashes.
    NodeCrash,
    /// A crashed node is restarted.
    NodeRestart,
    /// The clock of a node jumps ahead.
    NodeClockJump,
    /// The link between a client and a node is cut.
    Cut,
}

impl Fault {
    /// Every fault with its name and the name of its count: in lessons, options and search orders.
    pub const ALL: [(Fault, &'static str, &'static str); 11] = [
        (Fault::Crash, "crash", "crashes"),
        (Fault::Pause, "pause", "pauses"),
        (Fault::Loss, "loss", "losses"),
        (Fault::Restart, "restart", "restarts"),
        (Fault::ClockJump, "clock-jump", "clock-jumps"),
        (Fault::Delay, "delay", "delays"),
        (Fault::NodeCrash, "node-crash", "node-crashes"),
        (Fault::NodeRestart, "node-restart", "node-restarts"),
        (Fault::NodeClockJump, "node-clock-jump", "node-clock-jumps"),
        (Fault::Cut, "cut", "cuts"),
        (Fault::ReplyDelay, "reply-delay", "reply-delays"),
    ];

    /// The fault that this input causes.
    pub const fn of(input: &Input) -> Option<Fault> {
        match input {
            Input::Program { act, .. } => match act {
                Act::Crash => Some(Fault::Crash),
                Act::Pause => Some(Fault::Pause),
                Act::Lose { .. } => Some(Fault::Loss),
                Act::Restart => Some(Fault::Restart),
                Act::ShiftClock { .. } => Some(Fault::ClockJump),
                Act::HoldUp { direction: Direction::Request, .. } => Some(Fault::Delay),
                Act::HoldUp { direction: Direction::Reply, .. } => Some(Fault::ReplyDelay),
                _ => None,
            },
            Input::Node { act, .. } => Some(match act {
                NodeAct::Crash => Fault::NodeCrash,
                NodeAct::Restart => Fault::NodeRestart,
                NodeAct::ShiftClock { .. } => Fault::NodeClockJump,
            }),
            Input::Link { act: LinkAct::Cut, .. } => Some(Fault::Cut),
            _ => None,
        }
    }

    /// The fault's name.
    pub fn word(self) -> &'static str {
        Fault::ALL.iter().find(|(fault, ..)| *fault == self).map_or("", |(_, word, _)| word)
    }
}

/// How often each fault may still happen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Faults {
    /// Client crashes.
    pub crashes: u32,
    /// Client pauses.
    pub pauses: u32,
    /// Lost requests or replies.
    pub losses: u32,
    /// Restarts of crashed clients.
    pub restarts: u32,
    /// Clock jumps of clients, by [`CLOCK_JUMP_MS`] each.
    pub clock_jumps: u32,
    /// Held-up requests.
    pub delays: u32,
    /// Node crashes.
    pub node_crashes: u32,
    /// Restarts of crashed nodes.
    pub node_restarts: u32,
    /// Clock jumps of nodes, by [`CLOCK_JUMP_MS`] each.
    pub node_clock_jumps: u32,
    /// Cuts of links between clients and nodes. Mending a link is free.
    pub cuts: u32,
    /// Held-up replies.
    pub reply_delays: u32,
}

/// How far a clock jumps, in ms: an hour, longer than any lease that a client checks against a clock.
pub const CLOCK_JUMP_MS: i64 = 3_600_000;

impl Faults {
    /// No faults.
    pub const NONE: Faults = Faults {
        crashes: 0,
        pauses: 0,
        losses: 0,
        restarts: 0,
        clock_jumps: 0,
        delays: 0,
        node_crashes: 0,
        node_restarts: 0,
        node_clock_jumps: 0,
        cuts: 0,
        reply_delays: 0,
    };

    /// From counts in the order of [`Fault::ALL`].
    pub fn counted(counts: [u32; Fault::ALL.len()]) -> Faults {
        let mut faults = Faults::NONE;
        for ((fault, ..), count) in Fault::ALL.into_iter().zip(counts) {
            *faults.of_mut(fault) = count;
        }
        faults
    }

    /// All counts, in the order of the fields.
    pub(crate) const fn counts(&self) -> [u32; Fault::ALL.len()] {
        let Faults { crashes, pauses, losses, restarts, clock_jumps, delays, .. } = *self;
        let Faults { node_crashes, node_restarts, node_clock_jumps, cuts, reply_delays, .. } = *self;
        [
            crashes,
            pauses,
            losses,
            restarts,
            clock_jumps,
            delays,
            node_crashes,
            node_restarts,
            node_clock_jumps,
            cuts,
            reply_delays,
        ]
    }

    /// How often this fault may happen.
    pub fn of(mut self, fault: Fault) -> u32 {
        *self.of_mut(fault)
    }

    /// The count of this fault, mutable.
    pub fn of_mut(&mut self, fault: Fault) -> &mut u32 {
        match fault {
            Fault::Crash => &mut self.crashes,
            Fault::Pause => &mut self.pauses,
            Fault::Loss => &mut self.losses,
            Fault::Restart => &mut self.restarts,
            Fault::ClockJump => &mut self.clock_jumps,
            Fault::Delay => &mut self.delays,
            Fault::NodeCrash => &mut self.node_crashes,
            Fault::NodeRestart => &mut self.node_restarts,
            Fault::NodeClockJump => &mut self.node_clock_jumps,
            Fault::Cut => &mut self.cuts,
            Fault::ReplyDelay => &mut self.reply_delays,
        }
    }

    /// The remaining faults after this input; `None` if the input is not allowed.
    pub fn after(mut self, input: &Input) -> Option<Faults> {
        if let Some(fault) = Fault::of(input) {
            let left = self.of_mut(fault);
            *left = left.checked_sub(1)?;
        }
        Some(self)
    }
}
