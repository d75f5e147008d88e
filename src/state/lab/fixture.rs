//! A timeline with programs, for tests.
use bytes::Bytes;
use world::{Act, ClientIndex, Input, Property, Settings, Timeline, World};

/// A lock with a lease; the work takes longer than the lease.
pub const LEASE: &str = "
local token = uuid()
if redis.call('SET', 'lock', token, 'NX', 'PX', 10000) then
  enter('checkout')
  work(15000)
  leave('checkout')
  redis.call('DEL', 'lock')
end";

/// A timeline in which each of the clients `c1`, `c2` … has a program.
pub struct Fixture {
    pub timeline: Timeline,
}

impl Fixture {
    pub fn new<const N: usize>(programs: [&str; N]) -> Fixture {
        let engines = world::Engines::new(lua_machine::LuaMachine::new(), lua_machine::LuaPlayer::new());
        let mut stage = Fixture { timeline: Timeline::with_engines(Settings::default(), &engines) };
        for (client, text) in (0..).zip(programs) {
            stage.push(Input::Connect { client, name: format!("c{}", client + 1) });
            stage.program(client, Act::load(Bytes::copy_from_slice(text.as_bytes())));
        }
        stage
    }

    pub fn world(&self) -> &World {
        self.timeline.world()
    }

    pub fn push(&mut self, input: Input) {
        self.timeline.push(input.clone()).unwrap_or_else(|why| panic!("{input:?}: {why}"));
    }

    pub fn program(&mut self, client: ClientIndex, act: Act) {
        self.push(Input::Program { client, act });
    }

    pub fn step(&mut self, client: ClientIndex) {
        self.program(client, Act::Step { thread: 0 });
    }

    pub fn pass(&mut self, ms: u64) {
        self.push(Input::Advance { ms });
    }

    pub fn watch(&mut self, words: &str) {
        let property = Property::from_words(&resp::split::split(words.as_bytes()).unwrap()).unwrap();
        self.push(Input::Watch { property });
    }
}
