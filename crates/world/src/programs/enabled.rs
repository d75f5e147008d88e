//! `enabled`: the possible next inputs of a scheduler, in a fixed order.
use crate::network::RequestStage;
use crate::node::Node;
use crate::programs::{CLOCK_JUMP_MS, Condition, Direction, Faults};
use crate::{Act, ClientIndex, Input, LinkAct, NodeAct, NodeIndex, Process, VirtualClient, World};

impl World {
    /// The steps of threads that can run, by client and thread.
    pub fn ready(&self) -> impl Iterator<Item = Input> + '_ {
        let processes = self.clients().filter_map(|(client, found)| Some((client, found.program.as_ref()?)));
        processes.flat_map(move |(client, process)| {
            let threads = process.phases().map(|(thread, _)| thread);
            threads
                .filter(move |thread| self.can_go_on(client, *thread))
                .map(move |thread| Input::Program { client, act: Act::Step { thread } })
        })
    }

    /// Clients that could run at some moment between now and `until_ms`: they are held back if time passes meanwhile.
    pub(crate) fn passed_over(&self, until_ms: u64) -> Vec<ClientIndex> {
        let could_go_on = |client: ClientIndex, process: &Process| {
            let is_due = self.wakes_ms(client).is_some_and(|at_ms| at_ms < until_ms);
            let mut threads = process.phases().map(|(thread, _)| thread);
            process.condition() == Condition::Runs && (is_due || threads.any(|thread| self.can_go_on(client, thread)))
        };
        let is_passed = |client: ClientIndex, found: &VirtualClient| {
            until_ms > self.now_ms() && found.program.as_ref().is_some_and(|process| could_go_on(client, process))
        };
        self.clients().filter(|(client, found)| is_passed(*client, found)).map(|(client, _)| client).collect()
    }

    /// Time until something happens that no scheduler decides: a thread wakes, a lease expires, a wait times out. `None`: never.
    pub fn until_next_ms(&self) -> Option<u64> {
        let servers = self.servers().filter(|(node, _)| self.is_up(*node)).filter_map(|(node, server)| {
            // Clients do not find a key after its expiry; the server deletes it later.
            let leases = server.used_databases().iter().filter_map(|db| db.next_expiry_ms(self.clock_ms(node))).min();
            let due_ms = [leases, server.next_wait_ms()].into_iter().flatten().min()?;
            Some(due_ms.saturating_sub(self.clock_ahead_ms(node)))
        });
        let programs = self.clients().filter_map(|(client, found)| {
            let process = found.program.as_ref()?;
            let at_ms = self.wakes_ms(client)?;
            // A paused client misses its wake-up time.
            (process.condition() == Condition::Runs || at_ms > self.now_ms()).then_some(at_ms)
        });
        let tables = self.nodes.iter().filter(|node| node.table().is_some()).filter_map(Node::next_deadline_ms);
        servers
            .chain(tables)
            .chain(programs)
            .chain(self.next_arrival_ms())
            .min()
            .map(|at_ms| at_ms.saturating_sub(self.now_ms()))
    }

    /// Everything that a scheduler can do now, in a fixed order: threads that can run; if there are none, an advance of time; then the
    /// faults within these bounds. Time does not pass while a thread can run (a slow client is paused instead), except while a request is
    /// held up, which arrives before or after.
    pub fn enabled(&self, faults: Faults) -> Vec<Input> {
        let mut inputs = Vec::new();
        self.add_enabled(faults, &mut inputs);
        inputs
    }

    /// The same, appended to a list.
    pub(crate) fn add_enabled(&self, faults: Faults, inputs: &mut Vec<Input>) {
        // Not collected: nested iterators are slow to poll item by item.
        self.ready().for_each(|input| inputs.push(input));
        if inputs.is_empty()
            && let Some(ms) = self.until_next_ms().filter(|ms| *ms > 0)
        {
            inputs.push(Input::Advance { ms });
        }
        self.add_faults(faults, inputs);
        self.add_node_faults(faults, inputs);
        self.add_link_faults(faults, inputs);
    }

    /// Adds cuts of links that a program may need, and mends of cut links, which are possible at any moment.
    fn add_link_faults(&self, faults: Faults, inputs: &mut Vec<Input>) {
        if faults.cuts > 0 {
            for (client, found) in self.clients() {
                let Some(process) = found.program.as_ref().filter(|process| !process.is_over()) else { continue };
                let is_needed = |node: &NodeIndex| *node == found.node || process.may_connect();
                for node in self.nodes().filter(|node| is_needed(node) && !self.is_cut(client, *node)) {
                    inputs.push(Input::Link { client, node, act: LinkAct::Cut });
                }
            }
        }
        inputs.extend(self.cut_links().map(|(client, node)| Input::Link { client, node, act: LinkAct::Mend }));
    }

    fn add_node_faults(&self, faults: Faults, inputs: &mut Vec<Input>) {
        let jump = NodeAct::ShiftClock { ms: CLOCK_JUMP_MS.unsigned_abs() };
        let acts = [
            (NodeAct::Crash, faults.node_crashes),
            (NodeAct::Restart, faults.node_restarts),
            (jump, faults.node_clock_jumps),
        ];
        for node in self.nodes() {
            for (act, _) in acts.into_iter().filter(|(act, left)| *left > 0 && self.check_node_act(node, *act).is_ok())
            {
                inputs.push(Input::Node { node, act });
            }
        }
    }

    fn add_faults(&self, faults: Faults, inputs: &mut Vec<Input>) {
        for (client, found) in self.clients() {
            let Some(process) = found.program.as_ref() else { continue };
            let mut add = |act| inputs.push(Input::Program { client, act });
            for (late, _) in (0..).zip(self.held_up(client)).filter(|(_, found)| self.can_arrive(found)) {
                add(Act::Arrive { late });
            }
            if faults.restarts > 0 && process.condition() == Condition::Crashed {
                add(Act::Restart);
            }
            if process.is_over() {
                continue;
            }
            match process.condition() {
                // A pause in which nothing happens has no effect, so resuming at once is harmless.
                Condition::Paused => add(Act::Resume),
                Condition::Runs => {
                    if faults.crashes > 0 {
                        add(Act::Crash);
                    }
                    let can_go_on = |(thread, _)| self.can_go_on(client, thread);
                    if faults.pauses > 0 && process.phases().any(can_go_on) {
                        add(Act::Pause);
                    }
                    let jump = Act::ShiftClock { ms: CLOCK_JUMP_MS };
                    // A jump has no effect on a clock that no program reads.
                    if faults.clock_jumps > 0 && process.may_read_clock() && self.check_act(client, &jump).is_ok() {
                        add(jump);
                    }
                    for (direction, left) in
                        [(Direction::Request, faults.delays), (Direction::Reply, faults.reply_delays)]
                    {
                        let threads = process.phases().map(|(thread, _)| thread).filter(|_| left > 0);
                        for thread in threads.filter(|thread| self.can_hold_up(client, *thread, direction)) {
                            add(Act::HoldUp { thread, direction });
                        }
                    }
                    if faults.losses > 0 {
                        let is_queued = |thread| self.stage_of(client, thread) == Some(&RequestStage::Queued);
                        for (thread, _) in process.phases().filter(|(thread, _)| !is_queued(*thread)) {
                            for direction in [Direction::Request, Direction::Reply] {
                                if self.can_lose(client, thread, direction) {
                                    add(Act::Lose { thread, direction });
                                }
                            }
                        }
                    }
                }
                Condition::Crashed | Condition::RanAway => {}
            }
        }
    }
}
