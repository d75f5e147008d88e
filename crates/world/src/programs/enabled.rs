//! What could be done next: the choices of a scheduler, in a fixed order.
use crate::network::Stage;
use crate::node::Node;
use crate::programs::{CLOCK_JUMP_MS, Condition, Faults, Leg};
use crate::{Act, ClientIndex, Input, LinkAct, NodeAct, NodeIndex, Process, VirtualClient, World};

impl World {
    /// Steps of threads that can go on, by client and thread.
    pub fn ready(&self) -> impl Iterator<Item = Input> + '_ {
        let processes = self.clients().filter_map(|(client, found)| Some((client, found.program.as_ref()?)));
        processes.flat_map(move |(client, process)| {
            let threads = process.phases().map(|(thread, _)| thread);
            threads
                .filter(move |thread| self.can_go_on(client, *thread))
                .map(move |thread| Input::Program { client, act: Act::Step { thread } })
        })
    }

    /// Clients that could go on at some moment from now to then: they stand still when time passes meanwhile.
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

    /// How long until something can happen that no scheduler decides: a thread wakes, a lease ends, a wait is over. `None`: never.
    pub fn until_next_ms(&self) -> Option<u64> {
        let servers = self.servers().filter(|(node, _)| self.is_up(*node)).filter_map(|(node, server)| {
            // A client no longer finds a key once its time has come; the server takes it away later.
            let leases = server.databases().iter().filter_map(|db| db.next_expiry_ms(self.clock_ms(node))).min();
            let due_ms = [leases, server.next_wait_ms()].into_iter().flatten().min()?;
            Some(due_ms.saturating_sub(self.clock_ahead_ms(node)))
        });
        let programs = self.clients().filter_map(|(client, found)| {
            let process = found.program.as_ref()?;
            let at_ms = self.wakes_ms(client)?;
            // One that is paused misses its time.
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

    /// Everything that a scheduler could do now, in a fixed order: who goes on; when no one can, time that passes; then what can
    /// go wrong within these bounds. Time does not pass while somebody could go on: who is slow is paused. It does while a request is held
    /// up, which arrives before or after that.
    pub fn enabled(&self, faults: Faults) -> Vec<Input> {
        let mut inputs = Vec::new();
        self.add_enabled(faults, &mut inputs);
        inputs
    }

    /// The same, added to a list.
    pub(crate) fn add_enabled(&self, faults: Faults, inputs: &mut Vec<Input>) {
        // Not collected: one iterator inside another is slow to be asked for one item after the other.
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

    /// Links that a program may need are cut; one that is cut can be mended at any moment.
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
                // A pause in which nothing happened was none.
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
                    // No jump is noticed of a clock that no one reads.
                    if faults.clock_jumps > 0 && process.may_read_clock() && self.check_act(client, &jump).is_ok() {
                        add(jump);
                    }
                    for (leg, left) in [(Leg::Request, faults.delays), (Leg::Reply, faults.reply_delays)] {
                        let threads = process.phases().map(|(thread, _)| thread).filter(|_| left > 0);
                        for thread in threads.filter(|thread| self.can_hold_up(client, *thread, leg)) {
                            add(Act::HoldUp { thread, leg });
                        }
                    }
                    if faults.losses > 0 {
                        let is_queued = |thread| self.stage_of(client, thread) == Some(&Stage::Queued);
                        for (thread, _) in process.phases().filter(|(thread, _)| !is_queued(*thread)) {
                            for leg in [Leg::Request, Leg::Reply] {
                                if self.can_lose(client, thread, leg) {
                                    add(Act::Lose { thread, leg });
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
