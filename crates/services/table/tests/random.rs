//! Random statements of three sessions: the model is compared with a real server (`TABLE_RECORD=/path/to/mysql.sock`), and invariants
//! of the model are checked alone.
#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]
mod real;

use proptest::prelude::*;
use real::{Real, in_words_of_mysql};
use std::collections::hash_map::DefaultHasher;
use std::hash::Hasher;
use std::time::Duration;
use table::{Activity, Answer, ConnectionId, Database, Output, Settings};

const SETUP: [&str; 3] = [
    "CREATE TABLE t (id INT PRIMARY KEY, v VARCHAR(10), n INT, UNIQUE KEY uv (v))",
    "CREATE TABLE u (id INT PRIMARY KEY AUTO_INCREMENT, n INT UNSIGNED NOT NULL DEFAULT 1)",
    "INSERT INTO t VALUES (1,'a',1),(2,'b',2),(3,'c',3)",
];

/// A small random generator (xorshift), so that a seed reproduces a run.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % sides
    }

    fn of<'a>(&mut self, choices: &[&'a str]) -> &'a str {
        choices[self.roll(choices.len() as u64) as usize]
    }

    fn statement(&mut self) -> String {
        let id = self.roll(5) + 1;
        let n = self.roll(5);
        let v = self.of(&["'a'", "'b'", "'c'", "'D'", "NULL"]);
        let condition = match self.roll(9) {
            0 => format!("n = {n}"),
            1 => format!("id > {id}"),
            2 => format!("id IN ({id}, {})", self.roll(5) + 1),
            3 => format!("id = {id} AND n > {n}"),
            4 if v != "NULL" => format!("v = {v}"),
            5 => "n + 0 < 3".into(),
            _ => format!("id = {id}"),
        };
        match self.roll(24) {
            0..3 => format!("INSERT INTO t VALUES ({id}, {v}, {n})"),
            3 => format!("INSERT INTO t VALUES ({id}, {v}, {n}), ({}, 'e', 1)", self.roll(5) + 1),
            4 => format!("INSERT INTO t VALUES ({id}, {v}, {n}) ON DUPLICATE KEY UPDATE n = n + 1"),
            5 => format!("REPLACE INTO t VALUES ({id}, {v}, {n})"),
            6 => format!("INSERT IGNORE INTO t VALUES ({id}, {v}, {n})"),
            7..9 => format!("UPDATE t SET n = n + 1 WHERE {condition}"),
            9 => format!("UPDATE t SET v = {v} WHERE {condition}"),
            10 => format!("UPDATE t SET id = {id} WHERE {condition}"),
            11..13 => format!("DELETE FROM t WHERE {condition}"),
            13..15 => format!("SELECT * FROM t WHERE {condition} ORDER BY id"),
            15 => format!("SELECT * FROM t WHERE {condition} ORDER BY id FOR UPDATE"),
            16 => format!("SELECT * FROM t WHERE {condition} ORDER BY id LOCK IN SHARE MODE"),
            17 => "SELECT * FROM t ORDER BY id".into(),
            18 => "INSERT INTO u () VALUES ()".into(),
            19 => format!("UPDATE u SET n = n - 1 WHERE id = {id}"),
            20 => "SELECT * FROM u ORDER BY id".into(),
            21 => "BEGIN".into(),
            22 => "COMMIT".into(),
            _ => self.of(&["ROLLBACK", "BEGIN", "COMMIT"]).into(),
        }
    }
}

fn model() -> (Database, Vec<ConnectionId>) {
    let mut database = Database::new(Settings::default());
    let ids: Vec<ConnectionId> = (0..3).map(|_| database.connect(0).unwrap()).collect();
    for statement in SETUP {
        database.handle(0, ids[0], statement.as_bytes());
    }
    (database, ids)
}

fn hash(database: &Database) -> u64 {
    let mut hasher = DefaultHasher::new();
    database.hash_canonical(0, &|id| id.0, &mut hasher);
    hasher.finish()
}

#[test]
#[ignore = "needs a running MariaDB: its socket in TABLE_RECORD"]
fn model_answers_as_a_real_server() {
    let socket = std::env::var("TABLE_RECORD").expect("TABLE_RECORD names the socket of a MariaDB");
    let number = |name: &str, or: u64| std::env::var(name).map_or(or, |text| text.parse().unwrap());
    let first = number("TABLE_SEED", 1);
    let mut differences = 0;
    let runs = number("TABLE_RUNS", 20);
    for seed in first..first + runs {
        let mut dice = Dice(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
        let mut setup = Real::connect(&socket);
        for statement in ["DROP TABLE IF EXISTS t", "DROP TABLE IF EXISTS u"].iter().chain(&SETUP) {
            setup.start(statement.as_bytes());
            setup.answer(Duration::from_secs(30)).unwrap();
        }
        let mut reals: Vec<Real> = (0..3).map(|_| Real::connect(&socket)).collect();
        let mut texts = vec![String::new(); 3];
        let (mut database, ids) = model();
        let mut log = String::new();
        for _ in 0..25 {
            let who = dice.roll(3) as usize;
            let statement = dice.statement();
            if *database.connection(ids[who]).unwrap().activity() != Activity::Idle {
                continue;
            }
            let outputs = database.handle(0, ids[who], statement.as_bytes());
            let answered = |at: usize| {
                outputs.iter().find_map(|output| match output {
                    Output::Answered { connection, answer } if *connection == ids[at] => Some(answer.clone()),
                    _ => None,
                })
            };
            reals[who].start(statement.as_bytes());
            texts[who] = statement.clone();
            log.push_str(&format!("{}> {statement}\n", ["a", "b", "c"][who]));
            let mut is_different = false;
            for at in [who, (who + 1) % 3, (who + 2) % 3] {
                let expected = answered(at);
                let real = if reals[at].is_busy {
                    let patience = if expected.is_some() { 3000 } else { 60 };
                    reals[at].answer(Duration::from_millis(patience))
                } else {
                    None
                };
                let real = real.map(|answer| in_words_of_mysql(texts[at].as_bytes(), answer).print(0));
                let ours = expected.map(|answer| answer.print(0));
                if real != ours {
                    is_different = true;
                    log.push_str(&format!("== {at}\n-- real\n{real:?}\n-- ours\n{ours:?}\n"));
                }
            }
            if is_different {
                println!("seed {seed}\n{log}");
                differences += 1;
                break;
            }
        }
    }
    // Because of unpurged deleted records and gaps, about one real run in twelve waits where the model does not (`lib.rs`).
    assert!(differences * 6 <= runs, "{differences} of {runs}");
}

/// Runs statements; `true` means that the statement runs on a clone instead of the original.
fn play(database: &mut Database, ids: &[ConnectionId], seed: u64, count: usize, clones: bool) -> Vec<Output> {
    let mut dice = Dice(seed | 1);
    let mut all = Vec::new();
    for step in 0..count {
        let statement = dice.statement();
        let who = ids[dice.roll(3) as usize];
        if clones && step % 3 == 0 {
            let kept = database.clone();
            let mut other = kept.clone();
            other.handle(step as u64, who, statement.as_bytes());
            assert_eq!(kept, *database);
            *database = kept;
        }
        all.extend(database.handle(step as u64 * 7000, who, statement.as_bytes()));
        all.extend(database.advance(step as u64 * 7000));
    }
    all
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn clones_are_independent_and_answers_survive_encoding(seed in any::<u64>()) {
        let (mut one, ids) = model();
        let (mut two, _) = model();
        let outputs = play(&mut one, &ids, seed, 60, false);
        prop_assert_eq!(&outputs, &play(&mut two, &ids, seed, 60, true));
        prop_assert_eq!(&one, &two);
        prop_assert_eq!(hash(&one), hash(&two));
        for output in outputs {
            if let Output::Answered { answer, .. } = output {
                prop_assert_eq!(Answer::from_value(&answer.to_value()), Some(answer));
            }
        }
        // No transaction state is left after all sessions have disconnected.
        for id in &ids {
            one.disconnect(1_000_000, *id);
        }
        prop_assert_eq!(one.locks().count(), 0);
        prop_assert_eq!(one.uncommitted().count(), 0);
        let restarted = one.restarted();
        prop_assert_eq!(one.tables().collect::<Vec<_>>(), restarted.tables().collect::<Vec<_>>());
    }

    #[test]
    fn equal_hashes_have_equal_futures(seed in any::<u64>(), later in any::<u64>()) {
        let (mut one, ids) = model();
        // The other database has had connections before, so its connection numbers differ.
        let mut two = Database::new(Settings::default());
        let gone = two.connect(0).unwrap();
        two.disconnect(0, gone);
        let others: Vec<ConnectionId> = (0..3).map(|_| two.connect(0).unwrap()).collect();
        for statement in SETUP {
            two.handle(0, others[0], statement.as_bytes());
        }
        play(&mut one, &ids, seed, 30, false);
        play(&mut two, &others, seed, 30, false);
        let mut hasher = DefaultHasher::new();
        two.hash_canonical(0, &|id| id.0 - 1, &mut hasher);
        prop_assert_eq!(hash(&one), hasher.finish());
        let answers = |outputs: Vec<Output>| -> Vec<Answer> {
            outputs.into_iter().filter_map(|output| match output {
                Output::Answered { answer, .. } => Some(answer),
                _ => None,
            }).collect()
        };
        prop_assert_eq!(answers(play(&mut one, &ids, later, 30, false)), answers(play(&mut two, &others, later, 30, false)));
    }

    #[test]
    fn commuting_statements_commute(seed in any::<u64>()) {
        let (mut database, ids) = model();
        database.handle(0, ids[0], b"CREATE TABLE w (id INT PRIMARY KEY, n INT)");
        database.handle(0, ids[0], b"INSERT INTO w VALUES (1,1),(2,2),(3,3)");
        let mut dice = Dice(seed | 1);
        for _ in 0..20 {
            let statements = [dice.statement(), dice.statement().replace(" t ", " w ")].map(|text| text.replace("(id, v, n)", "(id, n)"));
            let feet = [0, 1].map(|at| database.footprint(ids[at], statements[at].as_bytes()));
            if !feet[0].commutes_with(&feet[1]) {
                database.handle(0, ids[2], statements[0].as_bytes());
                continue;
            }
            let mut there = database.clone();
            let mut back = database.clone();
            let first = (there.handle(0, ids[0], statements[0].as_bytes()), there.handle(0, ids[1], statements[1].as_bytes()));
            let second = (back.handle(0, ids[1], statements[1].as_bytes()), back.handle(0, ids[0], statements[0].as_bytes()));
            prop_assert_eq!(first, (second.1, second.0));
            prop_assert_eq!(hash(&there), hash(&back));
        }
    }

    #[test]
    fn any_bytes_are_answered(bytes in proptest::collection::vec(any::<u8>(), 0..80)) {
        let (mut database, ids) = model();
        prop_assert_eq!(database.handle(0, ids[0], &bytes).len(), 1);
        table::only_reads(&bytes);
        table::bind(&bytes, &[]);
    }

    #[test]
    fn any_words_are_answered(words in proptest::collection::vec(proptest::sample::select(vec![
        "SELECT", "FROM", "t", "u", "WHERE", "id", "=", "1", "(", ")", ",", "'x'", "NULL", "AND", "NOT", "IN", "INSERT", "INTO",
        "VALUES", "UPDATE", "SET", "n", "+", "-", "*", "/", "COUNT", "ORDER", "BY", "LIMIT", "FOR", "CREATE", "TABLE", "INT", "PRIMARY",
        "KEY", "DELETE", "9223372036854775807", "1.5", "CONCAT", "NOW", "INTERVAL", "DAY", "LIKE", "'%'", "DESC", "DIV", "UNIQUE", "v",
    ]), 1..24)) {
        let (mut database, ids) = model();
        let outputs = database.handle(0, ids[0], words.join(" ").as_bytes());
        let answers = outputs.iter().filter(|output| matches!(output, Output::Answered { .. })).count();
        prop_assert_eq!(answers, 1);
    }
}

#[test]
fn deep_nesting_is_refused_and_does_not_overflow() {
    let (mut database, ids) = model();
    for text in [
        format!("SELECT {}1{}", "(".repeat(50_000), ")".repeat(50_000)),
        format!("SELECT 1{}", "+1".repeat(50_000)),
        format!("SELECT {}1", "NOT ".repeat(50_000)),
        format!("SELECT 1{}", " IS NULL".repeat(50_000)),
    ] {
        let outputs = database.handle(0, ids[0], text.as_bytes());
        let is_refused =
            |output: &Output| matches!(output, Output::Answered { answer: Answer::Failed(f), .. } if f.code == 1064);
        assert!(is_refused(&outputs[0]), "{:.40}", text);
    }
}

#[test]
fn lookups_in_large_tables_are_quick_and_clones_are_cheap() {
    let mut database = Database::new(Settings::default());
    let id = database.connect(0).unwrap();
    database.handle(0, id, b"CREATE TABLE big (id INT PRIMARY KEY, v INT UNIQUE, n INT, KEY kn (n))");
    for batch in 0..100 {
        let rows: Vec<String> = (0..1000).map(|at| batch * 1000 + at).map(|n| format!("({n},{n},{})", n / 2)).collect();
        database.handle(0, id, format!("INSERT INTO big VALUES {}", rows.join(",")).as_bytes());
    }
    assert_eq!(database.tables().next().unwrap().len(), 100_000);
    let started = std::time::Instant::now();
    for n in 0..1000 {
        let mut copy = database.clone();
        for statement in [
            "SELECT * FROM big WHERE id = 5",
            "UPDATE big SET n = n + 1 WHERE v = 77777",
            "SELECT * FROM big WHERE n = 3",
        ] {
            let outputs = copy.handle(n, id, statement.as_bytes());
            assert!(matches!(outputs.last(), Some(Output::Answered { answer: Answer::Rows(_) | Answer::Done(_), .. })));
        }
    }
    assert!(started.elapsed() < Duration::from_secs(10), "{:?}", started.elapsed());
}
