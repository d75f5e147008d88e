//! Many clients at once: totals are right in any schedule.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]
mod fixture;

use fixture::Fixture;
use proptest::prelude::*;
use redis_model::rng::Rng;
use world::{Input, World};

/// A worker of a flash sale that serves its buyers one after the other: a buyer with a conflict, or too late, gets nothing.
fn worker(buyers: u32) -> String {
    format!(
        "for buyer = 1, {buyers} do
          redis.call('WATCH', 'sold')
          local sold = tonumber(redis.call('GET', 'sold') or 0)
          if sold >= 20 then
            redis.call('UNWATCH')
            tally('sold out')
          else
            redis.call('MULTI')
            redis.call('INCR', 'sold')
            tally(redis.call('EXEC') and 'won' or 'conflict')
          end
        end"
    )
}

/// Runs everything to its end in a random schedule; returns the number of steps.
fn run(world: &mut World, seed: u64) -> usize {
    let mut rng = Rng::new(seed);
    let mut steps = 0;
    while !world.is_end() {
        let ready: Vec<Input> = world.ready().collect();
        let input = match ready.get(rng.index(ready.len())) {
            Some(input) => input.clone(),
            None => Input::Advance { ms: world.until_next_ms().unwrap() },
        };
        world.step(&input).unwrap();
        steps += 1;
        assert!(steps < 100_000, "it does not come to an end");
    }
    steps
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2, ..ProptestConfig::default() })]

    #[test]
    fn a_flash_sale_has_exactly_as_many_winners_as_items(seed: u64) {
        let text = worker(50);
        let mut stage = Fixture::of(vec![text; 20]);
        stage.watch("sum always <= 20 key sold");
        run(&mut stage.world, seed);
        let tally = |name: &str| stage.world.watch().tally(name.as_bytes());
        prop_assert_eq!(tally("won"), 20);
        prop_assert_eq!(stage.get("sold"), "20");
        prop_assert_eq!(tally("won") + tally("conflict") + tally("sold out"), 1000);
        prop_assert_eq!(stage.world.watch().first_broken(), None);
    }
}

#[test]
fn two_hundred_clients_take_one_lock_in_turn() {
    let text = "while not redis.call('SET', 'lock', uuid(), 'NX', 'PX', 1000) do sleep(100) end
        enter() tally('in') leave() redis.call('DEL', 'lock')";
    let mut stage = Fixture::of(vec![text.to_owned(); 200]);
    stage.watch("mutual-exclusion");
    stage.watch("everyone-gets-in critical");
    run(&mut stage.world, 7);
    assert_eq!(stage.world.watch().tally(b"in"), 200);
    assert_eq!(stage.verdicts(), ["holds", "holds"]);
}
