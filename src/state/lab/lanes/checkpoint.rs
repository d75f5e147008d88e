//! Checkpoints of a diagram: its length, and everything that later steps could still change.
use redis_model::sorted_map::SortedMap;
use script::program::Thread;
use world::{ClientIndex, Step, StepId};

use super::{Bar, Diagram, Lane, LaneKey};
use crate::state::followed::Derive;

/// A diagram at a step. Rows and closed bars do not change: only their number is kept.
#[derive(Clone, Debug)]
pub struct Checkpoint {
    rows: usize,
    locks: usize,
    lanes: Vec<(LaneKey, LaneCheckpoint)>,
    asked: Vec<(ClientIndex, Thread, String)>,
}

#[derive(Clone, Debug)]
struct LaneCheckpoint {
    bars: usize,
    beside: u8,
    /// The open bars, with their indexes.
    open: Vec<(usize, Bar)>,
    threads: Vec<Thread>,
    requests: u32,
}

impl Derive for Diagram {
    /// The floor of the session.
    type Context = usize;
    type Checkpoint = Checkpoint;

    fn take(&mut self, position: usize, id: StepId, step: &Step, floor: &usize) {
        self.add(position, id, step, *floor);
    }

    fn checkpoint(&self) -> Checkpoint {
        Checkpoint {
            rows: self.rows.len(),
            locks: self.locks.len(),
            lanes: self.lanes.iter().map(|(key, lane)| (*key, lane.checkpoint())).collect(),
            asked: self.asked.clone(),
        }
    }

    fn go_back(&mut self, checkpoint: &Checkpoint) {
        self.rows.truncate(checkpoint.rows);
        self.depths.truncate(checkpoint.rows);
        self.locks.truncate(checkpoint.locks);
        self.asked.clone_from(&checkpoint.asked);
        let mut lanes = SortedMap::new();
        for (key, before) in &checkpoint.lanes {
            let mut lane = self.lanes.get_mut(key).map(std::mem::take).unwrap_or_default();
            lane.go_back(before);
            lanes.insert(*key, lane);
        }
        self.lanes = lanes;
    }
}

impl Lane {
    fn checkpoint(&self) -> LaneCheckpoint {
        let open = self.open.iter().filter_map(|at| Some((*at, self.bars.get(*at)?.clone())));
        LaneCheckpoint {
            bars: self.bars.len(),
            beside: self.beside,
            open: open.collect(),
            threads: self.threads.clone(),
            requests: self.requests,
        }
    }

    fn go_back(&mut self, checkpoint: &LaneCheckpoint) {
        self.bars.truncate(checkpoint.bars);
        self.tracks.truncate(checkpoint.bars);
        self.beside = checkpoint.beside;
        for (at, before) in &checkpoint.open {
            if let Some(bar) = self.bars.get_mut(*at) {
                bar.clone_from(before);
            }
        }
        self.open = checkpoint.open.iter().map(|(at, _)| *at).collect();
        self.threads.clone_from(&checkpoint.threads);
        self.requests = checkpoint.requests;
    }
}
