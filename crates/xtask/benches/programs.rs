//! Programs of virtual clients: the cost of a step by one answer, from a cached VM snapshot and from the beginning.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]
use bytes::Bytes;
use lua_machine::LuaPlayer;
use resp::Value;
use script::program::{Answer, History, Player, ProgramState, Reply, Request, State};
use std::time::{Duration, Instant};

/// A client that acquires a lock, decrements a stock, releases the lock, and repeats: 31 requests.
const PROGRAM: &str = r#"
local function acquire(key, ttl)
  local token = uuid()
  while not redis.call('SET', key, token, 'NX', 'PX', ttl) do
    sleep(50)
  end
  return token
end

local function release(key, token)
  if redis.call('GET', key) == token then
    redis.call('DEL', key)
  end
end

for order = 1, 3 do
  local token = acquire('lock:stock', 3000)
  enter('stock')
  local left = tonumber(redis.call('GET', 'stock'))
  work(20)
  if left > 0 then
    redis.call('SET', 'stock', left - 1)
    tally('sold', 1)
  end
  leave('stock')
  release('lock:stock', token)
  note('order ' .. order)
end
"#;

/// Clients that run it at the same time.
const CLIENTS: usize = 1_000;

fn main() {
    let text = Bytes::from_static(PROGRAM.as_bytes());
    let mut player = LuaPlayer::new();
    let (plays, taken, longest) = all_to_their_end(&mut player, &text, CLIENTS);
    println!("{CLIENTS} clients of {} requests, interleaved, going on from kept casts:", plays / CLIENTS - 1);
    println!("  {:>9.0} plays/s, {taken:.2?} in all, longest play {longest:.2?}", plays as f64 / taken.as_secs_f64());
    let (plays, taken, longest) = all_to_their_end(&mut LuaPlayer::without_cache(), &text, CLIENTS / 10);
    println!("{} clients, each play from the beginning:", CLIENTS / 10);
    println!("  {:>9.0} plays/s, {taken:.2?} in all, longest play {longest:.2?}", plays as f64 / taken.as_secs_f64());
    let started = Instant::now();
    let rounds = 2_000;
    let mut player = LuaPlayer::without_cache();
    for _ in 0..rounds {
        player.play(&text, &History::default()).unwrap();
    }
    println!("a program's beginning: {:.1?}", started.elapsed() / rounds);
}

/// Gives clients their answers in turns until all have ended: the number of plays, their time, and the longest one.
fn all_to_their_end(player: &mut dyn Player, text: &Bytes, clients: usize) -> (usize, Duration, Duration) {
    let mut histories = vec![History::default(); clients];
    let (mut plays, mut longest) = (0, Duration::ZERO);
    let started = Instant::now();
    loop {
        let mut goes_on = false;
        for (client, history) in histories.iter_mut().enumerate() {
            let asked = Instant::now();
            let scene = player.play(text, history).unwrap();
            longest = longest.max(asked.elapsed());
            plays += 1;
            if let Some(reply) = reply(&scene, client) {
                *history = history.push(Answer { thread: 0, reply });
                goes_on = true;
            }
        }
        if !goes_on {
            return (plays, started.elapsed(), longest);
        }
    }
}

fn reply(scene: &ProgramState, client: usize) -> Option<Reply> {
    let State::Requests(request) = &scene.threads[0].state else {
        assert_eq!(scene.threads[0].state, State::Done);
        return None;
    };
    let token = format!("token of client {client}");
    Some(match request {
        Request::Uuid => Reply::Text(token.into()),
        Request::Call { argv, .. } if argv[0] == "GET" && argv[1] == "stock" => Reply::Value(Value::bulk("7")),
        Request::Call { argv, .. } if argv[0] == "GET" => Reply::Value(Value::bulk(token)),
        Request::Call { .. } => Reply::Value(Value::OK),
        _ => Reply::Nothing,
    })
}
