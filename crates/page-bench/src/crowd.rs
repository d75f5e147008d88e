//! 100,000 messages through a list to a hundred consumers, scheduled at random: the same natively (`bench crowds`) and in a
//! browser (`bench page`).
use lesson::{ClientGroup, Lesson, Program};
use redis_model::rng::Rng;
use wasm_bindgen::prelude::*;
use world::{Engines, Input, Timeline};

/// The producer, which pushes a hundred messages at a time.
const PRODUCER: &str = "
for batch = 0, 999 do
  local ids = {}
  for n = 1, 100 do ids[n] = batch * 100 + n end
  redis.call('LPUSH', 'jobs', unpack(ids))
  for n = 1, 100 do produced(ids[n], ids[n] % 10) end
end
";

/// The consumer, which takes one message after another until none has come for ten seconds.
const CONSUMER: &str = "
while true do
  local job = redis.call('BRPOP', 'jobs', 10)
  if not job then break end
  processed(job[2])
end
";

/// Seeds and their expected ledgers in the format of [`ledger`], one per line: the results must be equal on every platform.
pub const EXPECTED: &str = include_str!("crowd.txt");

/// The ledger of this seed: `seed produced processed repeated open disordered disordered-of-keys steps`; or an error message if the
/// crowd cannot be played.
#[wasm_bindgen]
pub fn ledger(seed: u32) -> String {
    let engines = Engines::new(lua_machine::LuaMachine::new(), lua_machine::LuaPlayer::for_one_schedule());
    played(seed, &engines).unwrap_or_else(|why| why)
}

fn played(seed: u32, engines: &Engines) -> Result<String, String> {
    let program = |name: &str, text: &str| Program { name: name.into(), text: text.into() };
    let cast = |name: &str, program: &str, count| ClientGroup { name: name.into(), program: program.into(), count };
    let lesson = Lesson {
        programs: vec![program("producer", PRODUCER), program("consumer", CONSUMER)],
        clients: vec![cast("p", "producer", 1), cast("c", "consumer", 100)],
        ..Lesson::default()
    };
    let opened = Timeline::from_text(&lesson.session(&[]), engines).map_err(|why| why.to_string())?;
    let mut world = opened.world().clone();
    let (mut rng, mut steps) = (Rng::new(seed.into()), 0_usize);
    while !world.is_end() {
        let ready: Vec<Input> = world.ready().collect();
        let input = match (ready.get(rng.index(ready.len())), world.until_next_ms()) {
            (Some(input), _) => input.clone(),
            (None, Some(ms)) => Input::Advance { ms },
            (None, None) => return Err("time brings nothing".to_owned()),
        };
        world.step(&input).map_err(|why| why.to_string())?;
        steps = steps.saturating_add(1);
    }
    let ledger = world.watch().ledger();
    let numbers = [ledger.produced(), ledger.processed(), ledger.repeated(), ledger.open()];
    let order = [ledger.disordered(), ledger.disordered_of_keys()];
    let written: Vec<String> = numbers.iter().chain(&order).map(ToString::to_string).collect();
    Ok(format!("{seed} {} {steps}", written.join(" ")))
}
