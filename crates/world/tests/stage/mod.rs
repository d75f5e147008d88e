//! A world with programs, for tests.
#![allow(dead_code, reason = "each test program uses its part")]
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test that cannot go on fails")]
use bytes::Bytes;
use resp::split;
use script::program::{Request, Thread};
use world::{
    Act, ClientIndex, Durability, Event, EventKind, Happening, Input, NodeIndex, NodeKind, NodeSettings, Process,
    Property, Settings, StepError, World,
};

/// A world with a client for each program, and the inputs that led to it.
pub struct Stage {
    pub world: World,
    pub inputs: Vec<Input>,
    /// What was told, in words.
    pub told: Vec<String>,
}

impl Stage {
    pub fn new<const N: usize>(programs: [&str; N]) -> Stage {
        Stage::of(programs.into_iter().map(str::to_owned).collect())
    }

    pub fn of(programs: Vec<String>) -> Stage {
        Stage::with_settings(Settings::default(), programs)
    }

    /// With the nodes r1, r2 …
    pub fn on_nodes<const N: usize>(count: usize, durability: Durability, programs: [&str; N]) -> Stage {
        let mut nodes = nodes(count);
        nodes.iter_mut().for_each(|node| node.kind = NodeKind::Redis(durability));
        let settings = Settings { nodes, ..Settings::default() };
        Stage::with_settings(settings, programs.into_iter().map(str::to_owned).collect())
    }

    fn with_settings(settings: Settings, programs: Vec<String>) -> Stage {
        let engines = world::Engines::new(lua_machine::LuaMachine::new(), lua_machine::LuaPlayer::new());
        let mut stage = Stage { world: World::with_engines(settings, &engines), inputs: Vec::new(), told: Vec::new() };
        for (client, text) in (0..).zip(programs) {
            stage.step(Input::Connect { client, name: format!("c{client}") });
            stage.program(client, Act::load(text.into()));
        }
        stage
    }

    pub fn step(&mut self, input: Input) -> Vec<Event> {
        let events = self.world.step(&input).unwrap_or_else(|why| panic!("{input:?}: {why}"));
        self.inputs.push(input);
        self.told.extend(shown(&events));
        events
    }

    pub fn program(&mut self, client: ClientIndex, act: Act) -> Vec<Event> {
        self.step(Input::Program { client, act })
    }

    pub fn refused(&self, client: ClientIndex, act: Act) -> StepError {
        self.world.clone().step(&Input::Program { client, act }).unwrap_err()
    }

    pub fn watching(mut self, properties: &[&str]) -> Stage {
        properties.iter().for_each(|words| self.watch(words));
        self
    }

    pub fn watch(&mut self, words: &str) {
        let property = Property::from_words(&split::split(words.as_bytes()).unwrap()).unwrap();
        self.step(Input::Watch { property });
    }

    pub fn process(&self, client: ClientIndex) -> &Process {
        self.world.process(client).unwrap()
    }

    /// Where the request of a thread is.
    pub fn stage_of(&self, client: ClientIndex, thread: Thread) -> Option<&world::Stage> {
        self.world.in_flight(client, thread).map(|found| &found.stage)
    }

    pub fn request(&self, client: ClientIndex) -> String {
        match self.process(client).request(0) {
            Some(Request::Call { argv, .. }) => format!("Call {}", split::quote_command(argv)),
            Some(Request::Work { ms }) => format!("Work {ms}"),
            other => format!("{other:?}"),
        }
    }

    pub fn line(&self, client: ClientIndex) -> u32 {
        self.process(client).stand(0).unwrap().frames[0].line
    }

    pub fn verdicts(&self) -> Vec<&'static str> {
        self.world.watch().verdicts().map(|(_, breach)| if breach.is_some() { "broken" } else { "holds" }).collect()
    }

    /// What a key of database 0 holds.
    pub fn get(&self, key: &str) -> String {
        let mut server = redis_model::Server::clone(self.world.server(NodeIndex::FIRST).unwrap());
        let client = server.connect(self.world.now_ms());
        let outputs =
            server.handle(self.world.now_ms(), client, vec!["GET".into(), Bytes::copy_from_slice(key.as_bytes())]);
        outputs
            .into_iter()
            .find_map(|output| match output {
                redis_model::Output::Reply { value: resp::Value::Bulk(text), .. } => {
                    Some(String::from_utf8_lossy(&text).into_owned())
                }
                _ => None,
            })
            .unwrap_or_default()
    }
}

/// So many nodes without a disk: r1, r2 …
pub fn nodes(count: usize) -> Vec<NodeSettings> {
    let node = |number: usize| NodeSettings::redis(format!("r{number}"), Durability::None);
    (1..=count).map(node).collect()
}

/// What happened to programs, in words.
pub fn shown(events: &[Event]) -> Vec<String> {
    events
        .iter()
        .filter_map(|event| match &event.kind {
            EventKind::Program { what: Happening::Noted { text }, .. } => {
                Some(format!("Noted {}", String::from_utf8_lossy(text)))
            }
            EventKind::Program { what, .. } => Some(format!("{what:?}")),
            _ => None,
        })
        .collect()
}
