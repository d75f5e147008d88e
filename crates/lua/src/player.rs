//! Programs of virtual clients: each of their threads is a coroutine, which yields with a request and is resumed with the answer.
//!
//! ```text
//!   player.rs           from a text and a history to a scene
//!   player/kept.rs      casts of moments that were played lately, which go on from there
//!   player/compiled.rs  texts that were compiled lately
//!   player/stage.rs     the machine, with one cast on it at a time
//!   player/cast.rs      the threads of one program at one moment
//!   player/requests.rs  what a program finds: redis.call, sleep, enter, spawn … and how each waits for its answer
//!   player/memory.rs    what a handler of traffic asks its machine's memory for
//!   player/itself.rs    client.id and args, which it is told before it begins
//!   player/names.rs     globals, and advice about names that there are not
//!   player/live.rs      what tells two casts apart by what they can still do
//!   player/look.rs      lines and local variables of a thread that has stopped
//! ```
//!
//! A *cast* is the coroutines of one program at one moment. It cannot be copied: what goes on from a moment takes its cast along,
//! and if someone comes back to the moment, it is played from the beginning.
//!
//! ```text
//!   kept: (text, [a]) ──▶ cast        play(text, [a, b]) resumes that cast with b; kept then: (text, [a, b])
//!                                     play(text, [a, c]) finds nothing and begins again with a, c
//! ```
//!
//! **Invariant:** a scene is a function of text and history. Many casts share one machine, so whatever they could see of each
//! other is kept from them: their globals are their own and the libraries are guarded; what `tostring` counts and `cjson` was told
//! goes with the cast. The collector works only between plays, so that a cast's share of the memory is what *it* has made. A cast that makes
//! more than its share is played from its beginning on a machine of its own, with a collector that works, and it is
//! that machine which says when memory is full.
mod cast;
mod compiled;
mod frame;
mod itself;
mod kept;
mod live;
mod look;
mod memory;
mod names;
mod requests;
mod stage;

use bytes::Bytes;
use cast::Cast;
use kept::{Kept, Moment};
use live::Teller;
use lua_types::LuaError;
use script::fingerprint;
use script::program::{Answer, History, Player, Scene, State, Unplayable};
use stage::{Stage, Stop};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Machines that one cast has for itself, at most.
const SOLOISTS_MAX: usize = 100;

/// What these take in memory together at most, in bytes; the one that was played last may take more.
const SOLOISTS_BYTES_MAX: usize = 48 << 20;

/// Plays programs.
#[derive(Default)]
pub struct LuaPlayer {
    /// Where most programs are played.
    company: Option<Company>,
    /// Casts that need much memory, the oldest first.
    soloists: Vec<Soloist>,
    forgetful: bool,
    /// Tells live states, for searches.
    teller: Option<&'static Teller>,
    /// Scenes have no frames.
    is_blind: bool,
}

/// Many casts on one machine.
struct Company {
    stage: Stage,
    kept: Kept,
}

/// One cast with a machine of its own.
struct Soloist {
    moment: Moment,
    stage: Stage,
    cast: Cast,
}

impl Soloist {
    fn bytes(&self) -> usize {
        self.stage.bytes().saturating_add(self.cast.bytes())
    }
}

impl LuaPlayer {
    /// A player whose machine is not there yet.
    pub fn new() -> LuaPlayer {
        LuaPlayer { teller: Some(&live::TELLER), ..LuaPlayer::default() }
    }

    /// One whose scenes have no live state: enough where no one searches.
    pub fn for_one_schedule() -> LuaPlayer {
        LuaPlayer::default()
    }

    /// One whose scenes have no live state and no frames either: for traffic, where no one looks at a handler. What a program that breaks
    /// off does so with tells its line all the same.
    pub fn for_traffic() -> LuaPlayer {
        LuaPlayer { is_blind: true, ..LuaPlayer::default() }
    }

    /// One that keeps no cast and plays from the beginning each time: to measure and to test the other with.
    pub fn forgetful() -> LuaPlayer {
        LuaPlayer { forgetful: true, ..LuaPlayer::new() }
    }

    fn play_on(&mut self, text: &Bytes, history: &History) -> Result<Scene, Unplayable> {
        let text_fingerprint = fingerprint(text).0;
        let moment = |history: &History| (text_fingerprint, history.fingerprint());
        // Back from this moment to the latest one whose cast is kept.
        let mut answers: Vec<&Answer> = Vec::new();
        let mut place = history;
        let (soloist, cast) = loop {
            let now = moment(place);
            if let Some(at) = self.soloists.iter().position(|soloist| soloist.moment == now) {
                break (Some(self.soloists.remove(at)), None);
            }
            if let Some(cast) = self.company.as_mut().and_then(|company| company.kept.take(now)) {
                break (None, Some(cast));
            }
            let (Some(answer), Some(before)) = (place.newest(), place.parent()) else { break (None, None) };
            answers.push(answer);
            place = before;
        };
        answers.reverse();
        let (moment, from) = (moment(history), place.len());
        if let Some(soloist) = soloist {
            return self.play_alone(soloist, moment, &answers, from);
        }
        match self.play_in_company(text, cast, moment, &answers, from) {
            Err(Stop::Unplayable(why)) => Err(why),
            Ok(scene) => Ok(scene),
            Err(Stop::TooBig) => {
                let mut stage =
                    Stage::new(stage::Memory::Whole, self.teller, self.is_blind).map_err(|_| Unplayable::Broken)?;
                let cast = stage.begin(text).map_err(Stop::told)?;
                let answers = history.answers();
                self.play_alone(Soloist { moment, stage, cast }, moment, &answers.iter().collect::<Vec<_>>(), 0)
            }
        }
    }

    fn play_in_company(
        &mut self,
        text: &Bytes,
        cast: Option<Cast>,
        moment: Moment,
        answers: &[&Answer],
        from: usize,
    ) -> Result<Scene, Stop> {
        if self.company.is_none() {
            let stage = Stage::new(stage::Memory::Share, self.teller, self.is_blind).map_err(|_| Unplayable::Broken)?;
            self.company = Some(Company { stage, kept: Kept::default() });
        }
        let Some(Company { stage, kept }) = &mut self.company else { return Err(Unplayable::Broken.into()) };
        let mut cast = match cast {
            Some(cast) => cast,
            None => stage.begin(text)?,
        };
        let scene = stage.play(&mut cast, answers, from);
        if self.forgetful || scene.as_ref().map_or(true, is_over) {
            stage.dismiss(cast);
        } else if let Some(former) = kept.put(moment, cast) {
            stage.dismiss(former);
        }
        while kept.is_full() {
            let Some(oldest) = kept.take_oldest() else { break };
            stage.dismiss(oldest);
        }
        stage.collect();
        if stage.is_worn() {
            self.company = None;
        }
        scene
    }

    fn play_alone(
        &mut self,
        mut soloist: Soloist,
        moment: Moment,
        answers: &[&Answer],
        from: usize,
    ) -> Result<Scene, Unplayable> {
        let scene = soloist.stage.play(&mut soloist.cast, answers, from).map_err(Stop::told)?;
        if !self.forgetful && !soloist.stage.is_worn() && !is_over(&scene) {
            soloist.moment = moment;
            self.soloists.push(soloist);
            while self.soloists.len() > 1
                && (self.soloists.len() > SOLOISTS_MAX
                    || self.soloists.iter().map(Soloist::bytes).sum::<usize>() > SOLOISTS_BYTES_MAX)
            {
                self.soloists.remove(0);
            }
        }
        Ok(scene)
    }
}

/// Are all threads over? Then nothing goes on from this moment, and its cast is of no use.
fn is_over(scene: &Scene) -> bool {
    scene.threads.iter().all(|thread| !matches!(thread.state, State::Requests(_)))
}

impl Player for LuaPlayer {
    fn play(&mut self, text: &Bytes, history: &History) -> Result<Scene, Unplayable> {
        catch_unwind(AssertUnwindSafe(|| self.play_on(text, history))).unwrap_or_else(|_| {
            // What is left of the machines is not to be trusted.
            let LuaPlayer { forgetful, teller, is_blind, .. } = *self;
            *self = LuaPlayer { forgetful, teller, is_blind, ..LuaPlayer::default() };
            Err(Unplayable::Broken)
        })
    }
}

/// What an error says; of a table, its field `err` or how Lua would write it.
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
    fn what_is_forgotten_leaves_nothing_behind() {
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
                assert_eq!(scene.threads.first().map(|stand| &stand.state), Some(&spawn));
            }
            let company = player.company.as_mut().expect("it has played");
            let count = company.kept.len();
            sizes.push((count, company.stage.size()));
        }
        assert_eq!(sizes[0].1.0, 2 * sizes[0].0, "two coroutines for each cast that is kept: {sizes:?}");
        assert!(sizes.iter().all(|size| *size == sizes[0] && size.0 > 1_000), "{sizes:?}");
    }
}
