//! What can go wrong, and how often it may.
use crate::{Act, Input, Leg, LinkAct, NodeAct};

/// Something that goes wrong, or that only follows on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// A client crashes.
    Crash,
    /// A client is paused.
    Pause,
    /// A request or a reply is lost.
    Loss,
    /// A client that has crashed is started again.
    Restart,
    /// The clock of a client jumps ahead.
    ClockJump,
    /// A request is held up.
    Delay,
    /// A reply is held up.
    ReplyDelay,
    /// A node crashes.
    NodeCrash,
    /// A node that has crashed is started again.
    NodeRestart,
    /// The clock of a node jumps ahead.
    NodeClockJump,
    /// The link between a client and a node is cut.
    Cut,
}

impl Fault {
    /// Each with its name, and the name of how often it may happen: in lessons, options and orders of a search.
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

    /// What goes wrong by this input.
    pub const fn of(input: &Input) -> Option<Fault> {
        match input {
            Input::Program { act, .. } => match act {
                Act::Crash => Some(Fault::Crash),
                Act::Pause => Some(Fault::Pause),
                Act::Lose { .. } => Some(Fault::Loss),
                Act::Restart => Some(Fault::Restart),
                Act::ShiftClock { .. } => Some(Fault::ClockJump),
                Act::HoldUp { leg: Leg::Request, .. } => Some(Fault::Delay),
                Act::HoldUp { leg: Leg::Reply, .. } => Some(Fault::ReplyDelay),
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

    /// Its name.
    pub fn word(self) -> &'static str {
        Fault::ALL.iter().find(|(fault, ..)| *fault == self).map_or("", |(_, word, _)| word)
    }
}

/// How often each fault may still happen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Faults {
    /// Clients may crash.
    pub crashes: u32,
    /// Clients may be paused.
    pub pauses: u32,
    /// Requests or replies may be lost.
    pub losses: u32,
    /// Clients that have crashed may be started again.
    pub restarts: u32,
    /// Clients' clocks may jump ahead, by [`CLOCK_JUMP_MS`] each time.
    pub clock_jumps: u32,
    /// Requests may be held up.
    pub delays: u32,
    /// Nodes may crash.
    pub node_crashes: u32,
    /// Nodes that have crashed may be started again.
    pub node_restarts: u32,
    /// Nodes' clocks may jump ahead, by [`CLOCK_JUMP_MS`] each time.
    pub node_clock_jumps: u32,
    /// Links between clients and nodes may be cut. Mending one takes nothing.
    pub cuts: u32,
    /// Replies may be held up.
    pub reply_delays: u32,
}

/// How far a clock jumps, in ms: an hour, more than any lease that is held against a clock.
pub const CLOCK_JUMP_MS: i64 = 3_600_000;

impl Faults {
    /// Nothing goes wrong.
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

    /// As often as these say, in the order of [`Fault::ALL`].
    pub fn counted(counts: [u32; Fault::ALL.len()]) -> Faults {
        let mut faults = Faults::NONE;
        for ((fault, ..), count) in Fault::ALL.into_iter().zip(counts) {
            *faults.of_mut(fault) = count;
        }
        faults
    }

    /// How often this may happen.
    pub fn of(mut self, fault: Fault) -> u32 {
        *self.of_mut(fault)
    }

    /// The same, to be changed.
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

    /// What is left after this input; `None` when it was not allowed.
    pub fn after(mut self, input: &Input) -> Option<Faults> {
        if let Some(fault) = Fault::of(input) {
            let left = self.of_mut(fault);
            *left = left.checked_sub(1)?;
        }
        Some(self)
    }
}
