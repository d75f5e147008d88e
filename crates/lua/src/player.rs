//! Programs of virtual clients: each thread of a program is a coroutine, which yields its requests and is resumed with the answers.
//!
//! ```text
//!   player.rs                 from a text and a history to a program state
//!   player/snapshot_cache.rs  cache of snapshots by moment, to continue from there
//!   player/compiled.rs        cache of recently compiled texts
//!   player/vm.rs              the machine; one snapshot is active at a time
//!   player/snapshot.rs        the threads of one program at one moment
//!   player/requests.rs        the functions for programs: redis.call, sleep, enter, spawn … and how each waits for its answer
//!   player/memory.rs          `memory` and `hash` for traffic handlers
//!   player/itself.rs          client.id and args, which are set before the program begins
//!   player/names.rs           globals, and advice about unknown names
//!   player/live.rs            the live state of a snapshot: everything that its future depends on
//!   player/look.rs            lines and local variables of a stopped thread
//! ```
//!
//! A *snapshot* holds the coroutines of one program at one moment. It cannot be copied: playing on from a moment uses up
//! its snapshot, and to return to that moment, the program is played again from the beginning.
//!
//! ```text
//!   cached: (text, [a]) ──▶ snapshot    play(text, [a, b]) resumes that snapshot with b; then cached: (text, [a, b])
//!                                       play(text, [a, c]) finds nothing and begins again with a, c
//! ```
//!
//! **Invariant:** a program state is a function of text and history. Snapshots that share a machine are isolated from each other: each
//! has its own globals, the libraries are guarded, and the counter of `tostring` and the settings of `cjson` belong to the snapshot.
//! The collector runs only between plays, so a snapshot's share of the memory is exactly what *it* has allocated. A snapshot that
//! allocates more than its share is played from the beginning on a machine of its own, where the collector runs normally, and that
//! machine reports when memory is full.
mod compiled;
mod frame;
mod itself;
mod live;
mod look;
mod memory;
mod names;
mod requests;
mod snapshot;
mod snapshot_cache;
mod vm;

use bytes::Bytes;
use live::StateHasher;
use lua_types::LuaError;
use script::fingerprint;
use script::program::{Answer, History, Player, ProgramState, State, Unplayable};
use snapshot::Snapshot;
use snapshot_cache::{SnapshotCache, SnapshotKey};
use std::panic::{AssertUnwindSafe, catch_unwind};
use vm::{Stop, Vm};

/// Most machines with a single snapshot.
const DEDICATED_VMS_MAX: usize = 100;

/// Most memory of these machines together, in bytes; the last one played may exceed it alone.
const DEDICATED_VMS_BYTES_MAX: usize = 48 << 20;

/// Plays programs.
#[derive(Default)]
pub struct LuaPlayer {
    /// The shared machine, for most programs.
    shared_vm: Option<SharedVm>,
    /// Machines of snapshots that need much memory, the oldest first.
    dedicated_vms: Vec<DedicatedVm>,
    without_cache: bool,
    /// Computes live states, for searches.
    hasher: Option<&'static StateHasher>,
    /// Whether program states are computed without frames.
    is_blind: bool,
}

/// Many snapshots on one machine.
struct SharedVm {
    vm: Vm,
    cache: SnapshotCache,
}

/// One snapshot with its own machine.
struct DedicatedVm {
    key: SnapshotKey,
    vm: Vm,
    snapshot: Snapshot,
}

impl DedicatedVm {
    fn bytes(&self) -> usize {
        self.vm.bytes().saturating_add(self.snapshot.bytes())
    }
}

impl LuaPlayer {
    /// A player that creates its machine when it is first needed.
    pub fn new() -> LuaPlayer {
        LuaPlayer { hasher: Some(&live::STATE_HASHER), ..LuaPlayer::default() }
    }

    /// A player without live states, for use outside of searches.
    pub fn for_one_schedule() -> LuaPlayer {
        LuaPlayer::default()
    }

    /// A player without live states and frames, for traffic, where the state of a handler is not shown. Errors still name
    /// their line.
    pub fn for_traffic() -> LuaPlayer {
        LuaPlayer { is_blind: true, ..LuaPlayer::default() }
    }

    /// A player without a cache, which plays from the beginning each time: a reference for tests and measurements.
    pub fn without_cache() -> LuaPlayer {
        LuaPlayer { without_cache: true, ..LuaPlayer::new() }
    }

    fn play_on(&mut self, text: &Bytes, history: &History) -> Result<ProgramState, Unplayable> {
        let text_fingerprint = fingerprint(text).0;
        let key = |history: &History| (text_fingerprint, history.fingerprint());
        // Walk back through the history to the latest state with a cached snapshot.
        let mut answers: Vec<&Answer> = Vec::new();
        let mut place = history;
        let (dedicated, snapshot) = loop {
            let now = key(place);
            if let Some(at) = self.dedicated_vms.iter().position(|dedicated| dedicated.key == now) {
                break (Some(self.dedicated_vms.remove(at)), None);
            }
            if let Some(snapshot) = self.shared_vm.as_mut().and_then(|shared_vm| shared_vm.cache.take(now)) {
                break (None, Some(snapshot));
            }
            let (Some(answer), Some(before)) = (place.newest(), place.parent()) else { break (None, None) };
            answers.push(answer);
            place = before;
        };
        answers.reverse();
        let (key, from) = (key(history), place.len());
        if let Some(dedicated) = dedicated {
            return self.play_dedicated(dedicated, key, &answers, from);
        }
        match self.play_shared(text, snapshot, key, &answers, from) {
            Err(Stop::Unplayable(why)) => Err(why),
            Ok(scene) => Ok(scene),
            Err(Stop::TooBig) => {
                let mut vm = Vm::new(vm::Memory::Whole, self.hasher, self.is_blind).map_err(|_| Unplayable::Broken)?;
                let snapshot = vm.begin(text).map_err(Stop::into_unplayable)?;
                let answers = history.answers();
                self.play_dedicated(DedicatedVm { key, vm, snapshot }, key, &answers.iter().collect::<Vec<_>>(), 0)
            }
        }
    }

    fn play_shared(
        &mut self,
        text: &Bytes,
        snapshot: Option<Snapshot>,
        key: SnapshotKey,
        answers: &[&Answer],
        from: usize,
    ) -> Result<ProgramState, Stop> {
        if self.shared_vm.is_none() {
            let vm = Vm::new(vm::Memory::Share, self.hasher, self.is_blind).map_err(|_| Unplayable::Broken)?;
            self.shared_vm = Some(SharedVm { vm, cache: SnapshotCache::default() });
        }
        let Some(SharedVm { vm, cache }) = &mut self.shared_vm else { return Err(Unplayable::Broken.into()) };
        let mut snapshot = match snapshot {
            Some(snapshot) => snapshot,
            None => vm.begin(text)?,
        };
        let scene = vm.play(&mut snapshot, answers, from);
        if self.without_cache || scene.as_ref().map_or(true, is_over) {
            vm.release(snapshot);
        } else if let Some(former) = cache.put(key, snapshot) {
            vm.release(former);
        }
        while cache.is_full() {
            let Some(oldest) = cache.take_oldest() else { break };
            vm.release(oldest);
        }
        vm.collect();
        if vm.is_exhausted() {
            self.shared_vm = None;
        }
        scene
    }

    fn play_dedicated(
        &mut self,
        mut dedicated: DedicatedVm,
        key: SnapshotKey,
        answers: &[&Answer],
        from: usize,
    ) -> Result<ProgramState, Unplayable> {
        let scene = dedicated.vm.play(&mut dedicated.snapshot, answers, from).map_err(Stop::into_unplayable)?;
        if !self.without_cache && !dedicated.vm.is_exhausted() && !is_over(&scene) {
            dedicated.key = key;
            self.dedicated_vms.push(dedicated);
            while self.dedicated_vms.len() > 1
                && (self.dedicated_vms.len() > DEDICATED_VMS_MAX
                    || self.dedicated_vms.iter().map(DedicatedVm::bytes).sum::<usize>() > DEDICATED_VMS_BYTES_MAX)
            {
                self.dedicated_vms.remove(0);
            }
        }
        Ok(scene)
    }
}

/// Whether all threads have ended. Then no step can follow, and the snapshot is not cached.
fn is_over(scene: &ProgramState) -> bool {
    scene.threads.iter().all(|thread| !matches!(thread.state, State::Requests(_)))
}

impl Player for LuaPlayer {
    fn play(&mut self, text: &Bytes, history: &History) -> Result<ProgramState, Unplayable> {
        catch_unwind(AssertUnwindSafe(|| self.play_on(text, history))).unwrap_or_else(|_| {
            // The machines may be in an inconsistent state.
            let LuaPlayer { without_cache, hasher, is_blind, .. } = *self;
            *self = LuaPlayer { without_cache, hasher, is_blind, ..LuaPlayer::default() };
            Err(Unplayable::Broken)
        })
    }
}

/// The message of an error; for a table, its field `err` or its text in Lua notation.
fn message_of(error: LuaError) -> Bytes {
    match error {
        LuaError::Runtime(value) | LuaError::Syntax(value) => look::message(&value),
        other => crate::native::message_of(other).into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use script::program::{Reply, Request};

    #[test]
    fn evicted_snapshots_free_their_memory() {
        let text = Bytes::from_static(
            b"local t = {}\nfor i = 1, 3 do\n  t[i] = tostring({}) .. uuid()\n  spawn(function() sleep(i) end)\nend",
        );
        let (mut player, mut sizes) = (LuaPlayer::new(), Vec::new());
        for round in 0..4 {
            for n in 0..3_000 {
                let reply = Reply::Text(Bytes::from(format!("{round}/{n}")));
                let history = History::default().push(Answer { thread: 0, reply });
                let scene = player.play(&text, &history).expect("it plays");
                let spawn = State::Requests(Request::Spawn { thread: 1 });
                assert_eq!(scene.threads.first().map(|thread| &thread.state), Some(&spawn));
            }
            let shared_vm = player.shared_vm.as_mut().expect("it has played");
            let count = shared_vm.cache.len();
            sizes.push((count, shared_vm.vm.size()));
        }
        assert_eq!(sizes[0].1.0, 2 * sizes[0].0, "two coroutines for each snapshot that is kept: {sizes:?}");
        assert!(sizes.iter().all(|size| *size == sizes[0] && size.0 > 1_000), "{sizes:?}");
    }
}
