//! Second opinions: pictures compared with the server's own replies, for any typed commands.
use super::*;

/// The server's description of the stream, from a copy of the world.
fn full(stage: &Fixture) -> Value {
    let mut world = stage.timeline.world().clone();
    world.step(&Input::Connect { client: 9, name: "asks".into() }).unwrap();
    let argv = ["XINFO", "STREAM", "s", "FULL", "COUNT", "0"].map(Bytes::from).to_vec();
    let events = world.step(&Input::Command { client: 9, argv }).unwrap();
    let reply = events.into_iter().find_map(|event| match event.kind {
        world::EventKind::Reply { value, .. } => Some(value),
        _ => None,
    });
    reply.unwrap()
}

/// A field of a reply with names and values.
fn field<'a>(value: &'a Value, name: &str) -> &'a Value {
    let is_name = |key: &Value| matches!(key, Value::Bulk(key) if key.as_ref() == name.as_bytes());
    match value {
        Value::Map(pairs) => pairs.iter().find(|(key, _)| is_name(key)).map(|(_, value)| value),
        Value::Array(flat) => flat.chunks(2).find(|pair| is_name(&pair[0])).map(|pair| &pair[1]),
        _ => None,
    }
    .unwrap_or_else(|| panic!("no {name} in {value:?}"))
}

fn array(value: &Value) -> &[Value] {
    match value {
        Value::Array(values) => values,
        other => panic!("no array: {other:?}"),
    }
}

fn bulk(value: &Value) -> String {
    match value {
        Value::Bulk(found) => text(found),
        other => panic!("no text: {other:?}"),
    }
}

fn number(value: &Value) -> i64 {
    match value {
        Value::Integer(n) => *n,
        other => panic!("no number: {other:?}"),
    }
}

/// Compares the picture with `XINFO STREAM FULL`.
fn agrees(picture: &Picture, said: &Value, now_ms: u64) {
    let log = &picture.log;
    let entries = log.lines(0..log.places());
    let live: Vec<String> = entries.iter().filter(|line| !line.entry.is_deleted()).map(|line| short(line.id)).collect();
    let listed: Vec<String> = array(field(said, "entries")).iter().map(|entry| bulk(&array(entry)[0])).collect();
    assert_eq!(live, listed);
    assert_eq!(log.len() as i64, number(field(said, "length")));
    assert_eq!(short(log.last_id()), bulk(field(said, "last-generated-id")));
    assert_eq!(log.brackets(0..log.places()).len() as i64, number(field(said, "radix-tree-keys")));
    let groups = array(field(said, "groups"));
    assert_eq!(picture.groups.len(), groups.len());
    for (group, said) in picture.groups.iter().zip(groups) {
        assert_eq!(text(&group.name), bulk(field(said, "name")));
        assert_eq!(short(group.last_id), bulk(field(said, "last-delivered-id")));
        match field(said, "lag") {
            Value::Integer(lag) => assert_eq!(group.lag, u64::try_from((*lag).max(0)).ok()),
            _ => assert_eq!(group.lag, None),
        }
        // The entries before the cursor are read, those after it are not.
        let is_read = |line: &LogLine| line.id <= group.last_id;
        assert!(entries.iter().all(|line| is_read(line) == (line.place < group.place)), "{group:?}");
        assert_eq!(group.pending as i64, number(field(said, "pel-count")));
        let consumers = array(field(said, "consumers"));
        let ids =
            consumers.iter().flat_map(|said| array(field(said, "pending"))).filter_map(|held| match &array(held)[0] {
                Value::Bulk(id) => Id::parse(id, 0),
                other => panic!("no id: {other:?}"),
            });
        assert_eq!(group.oldest_pending(), ids.min());
        assert_eq!(group.consumers.len(), consumers.len());
        for (consumer, said) in group.consumers.iter().zip(consumers) {
            assert_eq!(text(&consumer.name), bulk(field(said, "name")));
            assert_eq!(consumer.pending as i64, number(field(said, "pel-count")));
            assert_eq!(i64::try_from(now_ms - consumer.silent_ms).unwrap(), number(field(said, "seen-time")));
            let held = array(field(said, "pending"));
            assert_eq!(consumer.chips.len(), held.len().min(CHIPS));
            for (chip, said) in consumer.chips.iter().zip(held) {
                assert_eq!(short(chip.id), bulk(&array(said)[0]));
                assert_eq!(now_ms as i64 - chip.idle_ms, number(&array(said)[1]));
                assert_eq!(chip.deliveries as i64, number(&array(said)[2]));
                assert_eq!(chip.is_in_log, live.contains(&short(chip.id)));
            }
        }
    }
}

/// The overview agrees with the entries, one by one.
fn far_agrees(picture: &Picture, past: &Past) {
    let places = picture.log.places();
    for most in [1, 3, 100] {
        let stretches = picture.overview(most);
        assert!(stretches.len() <= most);
        assert_eq!(stretches.iter().map(|stretch| stretch.places.len()).sum::<usize>(), places);
        for (nth, group) in picture.groups.iter().enumerate() {
            let mut pending = 0;
            for stretch in &stretches {
                let lines = picture.log.lines(stretch.places.clone());
                let statuses: Vec<EntryStatus> =
                    lines.iter().map(|line| picture.entry_status(group, line.id, past)).collect();
                let count = |is_it: fn(&EntryStatus) -> bool| statuses.iter().filter(|status| is_it(status)).count();
                let share = stretch.shares[nth];
                let beyond = lines.iter().filter(|line| line.id > group.last_id).count();
                assert_eq!(share.ahead, beyond, "{stretch:?}");
                // Pending entries that are gone from the log count as well.
                assert!(share.pending >= count(|status| matches!(status, EntryStatus::Held { .. })), "{stretch:?}");
                pending += share.pending;
            }
            assert!(pending == group.pending || places == 0, "{group:?}");
        }
    }
}

/// A random command on the stream by one of three clients, or time that passes.
fn any_line() -> impl Strategy<Value = String> {
    let id = || prop::sample::select(vec!["1-1", "2-1", "3-1", "5-0", "0-1", "9-9", "1767268800000-0"]);
    let group = || prop::sample::select(vec!["g", "h"]);
    let consumer = || prop::sample::select(vec!["alice", "bob"]);
    let command = prop_oneof![
        6 => Just("XADD s * f v".to_owned()),
        2 => id().prop_map(|id| format!("XADD s {id} a 1 b 2")),
        2 => (0..6u32).prop_map(|n| format!("XADD s MAXLEN ~ {n} * f v")),
        2 => id().prop_map(|id| format!("XDEL s {id}")),
        1 => (0..4u32).prop_map(|n| format!("XTRIM s MAXLEN {n}")),
        1 => id().prop_map(|id| format!("XTRIM s MINID {id}")),
        3 => (group(), prop::sample::select(vec!["0", "$", "2-1"])).prop_map(|(g, id)| format!("XGROUP CREATE s {g} {id} MKSTREAM")),
        1 => (group(), id()).prop_map(|(g, id)| format!("XGROUP SETID s {g} {id}")),
        1 => group().prop_map(|g| format!("XGROUP DESTROY s {g}")),
        1 => (group(), consumer()).prop_map(|(g, c)| format!("XGROUP CREATECONSUMER s {g} {c}")),
        1 => (group(), consumer()).prop_map(|(g, c)| format!("XGROUP DELCONSUMER s {g} {c}")),
        6 => (group(), consumer(), 1..4u32).prop_map(|(g, c, n)| format!("XREADGROUP GROUP {g} {c} COUNT {n} STREAMS s >")),
        1 => (group(), consumer()).prop_map(|(g, c)| format!("XREADGROUP GROUP {g} {c} NOACK STREAMS s >")),
        1 => (group(), consumer()).prop_map(|(g, c)| format!("XREADGROUP GROUP {g} {c} STREAMS s 0")),
        1 => (group(), consumer()).prop_map(|(g, c)| format!("XREADGROUP GROUP {g} {c} BLOCK 500 STREAMS s >")),
        1 => Just("XREAD BLOCK 500 STREAMS s $".to_owned()),
        1 => id().prop_map(|id| format!("XREAD STREAMS s {id}")),
        3 => (group(), id()).prop_map(|(g, id)| format!("XACK s {g} {id}")),
        2 => (group(), consumer(), id()).prop_map(|(g, c, id)| format!("XCLAIM s {g} {c} 0 {id} RETRYCOUNT 3")),
        2 => (group(), consumer()).prop_map(|(g, c)| format!("XAUTOCLAIM s {g} {c} 0 0")),
        1 => id().prop_map(|id| format!("XSETID s {id}")),
        1 => Just("DEL s".to_owned()),
        1 => Just("COPY s t".to_owned()),
        1 => Just("RENAME t s".to_owned()),
        1 => Just("EVAL \"redis.call('XADD', 's', '*', 'f', 'v') return redis.call('XLEN', 's')\" 0".to_owned()),
    ];
    let channel = || prop::sample::select(vec!["news", "nothing", "other"]);
    let element = || prop::sample::select(vec!["a", "b", "c"]);
    let queue = prop_oneof![
        4 => element().prop_map(|e| format!("LPUSH q {e} {e}")),
        1 => element().prop_map(|e| format!("RPUSH q {e}")),
        2 => Just("RPOP q".to_owned()),
        1 => (1..4u32).prop_map(|n| format!("LPOP q {n}")),
        2 => Just("BRPOP p q 1".to_owned()),
        1 => Just("BLMPOP 1 2 p q LEFT COUNT 2".to_owned()),
        2 => Just("LMOVE q p RIGHT LEFT".to_owned()),
        1 => Just("BRPOPLPUSH q p 2".to_owned()),
        1 => Just("RPOPLPUSH q q".to_owned()),
        1 => element().prop_map(|e| format!("LREM p 0 {e}")),
        1 => Just("DEL q".to_owned()),
        1 => Just("MULTI".to_owned()),
        1 => Just("EXEC".to_owned()),
        2 => channel().prop_map(|name| format!("SUBSCRIBE {name}")),
        1 => Just("PSUBSCRIBE n*".to_owned()),
        1 => channel().prop_map(|name| format!("UNSUBSCRIBE {name}")),
        1 => Just("RESET".to_owned()),
        3 => (channel(), element()).prop_map(|(name, text)| format!("PUBLISH {name} {text}")),
        1 => channel().prop_map(|name| format!("EVAL \"return redis.call('PUBLISH', KEYS[1], 'x')\" 1 {name}")),
        1 => channel().prop_map(|name| format!("EVAL \"return redis.call('PUBLISH', KEYS[1], string.rep('x', 17000))\" 1 {name}")),
        1 => Just("CONFIG SET client-output-buffer-limit \"pubsub 40kb 10kb 1\"".to_owned()),
    ];
    prop_oneof![
        1 => (1..4u32, prop::sample::select(vec!['!', '+', '#', '#', '*'])).prop_map(|(client, what)| format!("c{client}{what}")),
        6 => (1..4u32, queue).prop_map(|(client, words)| format!("c{client}> {words}")),
        12 => (1..4u32, command).prop_map(|(client, words)| format!("c{client}> {words}")),
        1 => (1..3u32).prop_map(|seconds| format!("@+{seconds}s")),
    ]
}

proptest! {
    #[test]
    fn a_picture_never_contradicts_the_server(lines in prop::collection::vec(any_line(), 0..60)) {
        let mut stage = Fixture::new();
        stage.take("c1> CONFIG SET stream-node-max-entries 3");
        for line in &lines {
            stage.take(line);
            if let Some(picture) = stage.picture("s") {
                agrees(&picture, &full(&stage), stage.timeline.world().now_ms());
                for group in &picture.groups {
                    let Sums { delivered, passed, acknowledged, dropped, .. } = stage.past.sums(&picture.key, &group.name, picture.position);
                    prop_assert_eq!(delivered, group.pending as u64 + passed + acknowledged + dropped, "{:?}", group);
                }
                far_agrees(&picture, &stage.past);
                // The page asks for one entry per consumer: the oldest must be among them.
                let short = stage.picture_of("s", Most { groups: usize::MAX, chips: 1 }).unwrap();
                let oldest = |picture: &Picture| picture.groups.iter().map(Group::oldest_pending).collect::<Vec<_>>();
                prop_assert_eq!(oldest(&short), oldest(&picture));
            }
        }
    }

    /// A queue agrees with `LRANGE` and with the order of service, and a reply has delivered every taken element.
    #[test]
    fn a_queue_never_contradicts_the_server(lines in prop::collection::vec(any_line(), 0..80)) {
        let mut stage = Fixture::new();
        let mut replies: Vec<Vec<u8>> = Vec::new();
        // Clients that lost a connection since they took an element.
        let mut away: BTreeSet<u32> = BTreeSet::new();
        for line in &lines {
            let before = stage.timeline.position();
            stage.take(line);
            if stage.timeline.position() > before {
                let (_, step) = stage.timeline.taken().last().unwrap();
                away.extend(step.events.iter().filter_map(|event| match event.kind {
                    world::EventKind::Disconnected { client, .. } => Some(client),
                    _ => None,
                }));
                let of_replies = step.events.iter().filter_map(|event| match &event.kind {
                    world::EventKind::Reply { value, .. } => Some(value),
                    _ => None,
                });
                for value in of_replies {
                    let mut wire = Vec::new();
                    resp::encode::encode(value, resp::Protocol::Resp2, &mut wire);
                    replies.push(wire);
                }
            }
            let Some(queue) = stage.queue("q") else { continue };
            let world = stage.timeline.world();
            let here = |name: &str| Database { node: NodeIndex::FIRST, db: 0 }.key(Bytes::copy_from_slice(name.as_bytes()));
            let elements = match here("q").entry(world).map(|entry| &entry.value) {
                Some(redis_model::value::Value::List(list)) => list.iter().map(|element| element.to_bytes()).collect(),
                _ => Vec::new(),
            };
            let listed: Vec<Bytes> = queue.left.iter().chain(&queue.right).map(|element| element.text.clone()).collect();
            prop_assert_eq!(queue.len, elements.len());
            prop_assert_eq!(queue.left_out(), elements.len() - listed.len());
            prop_assert!(elements.starts_with(&listed[..queue.left.len()]) && elements.ends_with(&listed[queue.left.len()..]));
            prop_assert!(queue.waiting.is_empty() || queue.len == 0);
            for hand in &queue.hands {
                let mut wire = Vec::new();
                let element = Value::Bulk(hand.elements[0].clone());
                resp::encode::encode(&element, resp::Protocol::Resp2, &mut wire);
                prop_assert!(replies.iter().any(|reply| reply.windows(wire.len()).any(|part| part == wire)), "{hand:?}");
                if hand.is_new {
                    away.remove(&hand.client);
                }
                let moved_to: Vec<Bytes> = match here("p").entry(world).map(|entry| &entry.value) {
                    Some(redis_model::value::Value::List(list)) => list.iter().map(|element| element.to_bytes()).collect(),
                    _ => Vec::new(),
                };
                match &hand.kept {
                    ItemSafety::Lost => prop_assert!(away.contains(&hand.client), "{hand:?}"),
                    ItemSafety::Nowhere => prop_assert!(!away.contains(&hand.client), "{hand:?}"),
                    ItemSafety::In(list) if list == "p" => prop_assert!(hand.elements.iter().any(|element| moved_to.contains(element))),
                    ItemSafety::Removed(list) if list == "p" => prop_assert!(!hand.elements.iter().any(|element| moved_to.contains(element))),
                    ItemSafety::In(_) | ItemSafety::Removed(_) => {}
                }
            }
        }
    }

    /// A message counts once per matching subscription of a client, `PUBLISH` replies with their number, and a client that missed it had
    /// subscribed but no longer does.
    #[test]
    fn channels_never_contradict_the_replies(lines in prop::collection::vec(any_line(), 0..80)) {
        let mut stage = Fixture::new();
        for line in &lines {
            let before = stage.timeline.position();
            stage.take(line);
            let Some(channels) = stage.channels() else { continue };
            let messages = stage.said.messages(NodeIndex::FIRST, stage.timeline.position(), 0..channels.count);
            prop_assert_eq!(messages.len(), channels.count);
            if stage.timeline.position() == before {
                continue;
            }
            let (_, step) = stage.timeline.taken().last().unwrap();
            let pushes = step.events.iter().filter(|event| match &event.kind {
                world::EventKind::Push { value: Value::Push(words) | Value::Array(words), .. } => {
                    matches!(words.first(), Some(Value::Bulk(kind)) if kind.ends_with(b"message"))
                }
                _ => false,
            });
            let new: Vec<&Broadcast> = messages.iter().filter(|(number, _)| channels.new.contains(number)).map(|(_, said)| *said).collect();
            let ways = |said: &Broadcast| {
                let held = said.held.iter().map(|held| held.ways.len()).sum::<usize>();
                said.heard.iter().map(|(_, ways)| ways.len()).sum::<usize>() + held
            };
            // What a paused client reads afterwards was published before.
            let read = if line.ends_with('*') { 0 } else { pushes.count() };
            let held = step.events.iter().filter(|event| matches!(event.kind, world::EventKind::Held { value: Value::Push(_), .. }));
            prop_assert_eq!(new.iter().map(|said| ways(said)).sum::<usize>(), read + held.count());
            let replies = step.events.iter().filter_map(|event| match &event.kind {
                world::EventKind::Reply { value: Value::Integer(n), .. } if line.contains("PUBLISH") => usize::try_from(*n).ok(),
                _ => None,
            });
            for heard in replies {
                if heard > 0 || !line.contains("EVAL") {
                    prop_assert_eq!(new.len(), 1);
                    prop_assert_eq!(ways(new[0]), heard);
                    prop_assert_eq!(new[0].from.is_none(), line.contains("EVAL"));
                }
            }
            for said in new {
                for client in &said.missed {
                    prop_assert!(said.heard.iter().all(|(other, _)| other != client));
                    let now = channels.subscribers.iter().find(|each| each.client == *client).unwrap();
                    prop_assert!(!now.names.contains(&said.channel), "{now:?}");
                    let own = format!("c{}> ", client + 1);
                    let is_own = |line: &String| line.starts_with(&own) && line.contains("SUBSCRIBE");
                    prop_assert!(lines.iter().any(is_own));
                }
            }
            // The totals cover all messages.
            for each in &channels.subscribers {
                let position = stage.timeline.position();
                let fate = |said: &Broadcast| {
                    let held = said.held.iter().find(|held| held.client == each.client)?;
                    Some(stage.said.fate(NodeIndex::FIRST, held, position))
                };
                let heard_at_once = |said: &Broadcast| said.heard.iter().any(|(client, _)| *client == each.client);
                let count = |is_so: &dyn Fn(&Broadcast) -> bool| messages.iter().filter(|(_, said)| is_so(said)).count();
                let heard = count(&|said| heard_at_once(said) || fate(said) == Some(Fate::Heard));
                let missed = count(&|said| said.missed.contains(&each.client) || fate(said) == Some(Fate::Dropped));
                prop_assert_eq!((each.heard, each.missed), (heard, missed));
                // The held messages are those that the server keeps.
                let world = stage.timeline.world();
                let kept = world.unread(each.client).and_then(|client| client.unread.as_ref()).map_or(0, |unread| unread.count());
                let waiting: usize = messages.iter().filter(|(_, said)| fate(said) == Some(Fate::Waits))
                    .flat_map(|(_, said)| said.held.iter().filter(|held| held.client == each.client)).map(|held| held.ways.len()).sum();
                prop_assert!(kept >= waiting);
                prop_assert_eq!(each.buffer.map_or(0, |buffer| buffer.count), kept);
            }
        }
    }

    /// An entry shown as done was pending, and then acknowledged by a command that names it.
    #[test]
    fn only_acknowledged_entries_are_done(lines in prop::collection::vec(any_line(), 0..80)) {
        let mut stage = Fixture::new();
        let mut acks: Vec<(String, String)> = Vec::new();
        // A stream that arrives with its groups does not show how they moved there, a script does not show its calls, and a transaction
        // does not show its groups' positions in between.
        let tells_less = |line: &&String| ["COPY", "RENAME", "EVAL", "MULTI", "EXEC"].iter().any(|word| line.contains(word));
        for line in lines.iter().filter(|line| !tells_less(line)) {
            let words: Vec<&str> = line.split(' ').collect();
            let was_held = |stage: &mut Fixture, group: &str, id: &str| {
                let picture = stage.picture("s");
                let found = picture.iter().flat_map(|picture| &picture.groups).find(|found| text(&found.name) == group);
                found.is_some_and(|found| found.consumers.iter().flat_map(|consumer| &consumer.chips).any(|chip| short(chip.id) == id))
            };
            if let [_, "XACK", _, group, id] = words.as_slice() && was_held(&mut stage, group, id) {
                acks.push(((*group).to_owned(), (*id).to_owned()));
            }
            stage.take(line);
            let Some(picture) = stage.picture("s") else { continue };
            for group in &picture.groups {
                for line in picture.log.lines(0..picture.log.places()) {
                    let is_acked = acks.contains(&(text(&group.name), short(line.id)));
                    let status = picture.entry_status(group, line.id, &stage.past);
                    if matches!(status, EntryStatus::Done { .. }) {
                        prop_assert!(is_acked, "{:?} of {:?}", line.id, group);
                    }
                }
            }
        }
    }

    /// The totals of a group equal the sums over the replies.
    #[test]
    fn sums_equal_a_recount(lines in prop::collection::vec(any_line(), 0..120)) {
        let mut stage = Fixture::new();
        let mut asked: BTreeMap<u32, Vec<Bytes>> = BTreeMap::new();
        // For each group: entries delivered as new, and acknowledged.
        let mut counts: BTreeMap<String, (u64, u64)> = BTreeMap::new();
        let tells_less = |line: &&String| ["COPY", "RENAME", "EVAL", "MULTI", "EXEC"].iter().any(|word| line.contains(word));
        for line in lines.iter().filter(|line| !tells_less(line)) {
            let before = stage.timeline.position();
            // Entries delivered after the cursor was set back may still be pending: they count once.
            let held: BTreeSet<(String, String)> = stage.picture("s").iter().flat_map(|picture| &picture.groups)
                .flat_map(|group| group.consumers.iter().flat_map(|consumer| &consumer.chips).map(|chip| (text(&group.name), short(chip.id))))
                .collect();
            stage.take(line);
            let picture = stage.picture("s");
            if stage.timeline.position() > before {
                let events = stage.timeline.taken().last().unwrap().1.events.clone();
                for event in &events {
                    match &event.kind {
                        world::EventKind::Command { client, argv, .. } => {
                            asked.insert(*client, argv.clone());
                        }
                        // What a paused client reads afterwards was counted when it was held.
                        world::EventKind::Reply { .. } if line.ends_with('*') => {}
                        world::EventKind::Reply { client, value, .. } | world::EventKind::Held { client, value } => {
                            let words: Vec<String> = asked[client].iter().map(text).collect();
                            let words: Vec<&str> = words.iter().map(String::as_str).collect();
                            match (words.as_slice(), value) {
                                (["XACK", _, group, ..], Value::Integer(n)) => {
                                    counts.entry((*group).to_owned()).or_default().1 += n.unsigned_abs();
                                }
                                (["XREADGROUP", "GROUP", group, .., ">"], Value::Array(streams)) => {
                                    let Value::Array(stream) = &streams[0] else { panic!("{streams:?}") };
                                    let Value::Array(entries) = &stream[1] else { panic!("{streams:?}") };
                                    let id = |entry: &Value| match entry {
                                        Value::Array(parts) => bulk(&parts[0]),
                                        other => panic!("{other:?}"),
                                    };
                                    let is_new = |entry: &&Value| words.contains(&"NOACK") || !held.contains(&((*group).to_owned(), id(entry)));
                                    counts.entry((*group).to_owned()).or_default().0 += entries.iter().filter(is_new).count() as u64;
                                }
                                (["XGROUP", "CREATE" | "DESTROY", _, group, ..], Value::Simple(_) | Value::Integer(_)) => {
                                    counts.remove(*group);
                                }
                                _ => {}
                            }
                        }
                        _ => {}
                    }
                }
            }
            let Some(picture) = picture else {
                counts.clear();
                continue;
            };
            for group in &picture.groups {
                let sums = stage.past.sums(&picture.key, &group.name, picture.position);
                let (delivered, acked) = counts.get(&text(&group.name)).copied().unwrap_or_default();
                prop_assert_eq!((sums.delivered, sums.acknowledged), (delivered, acked), "{:?} after {}", group, line);
            }
        }
    }

    /// Earlier seeks and branches do not change a picture.
    #[test]
    fn a_picture_is_a_function_of_the_path(lines in prop::collection::vec(any_line(), 1..180), seeks in prop::collection::vec((0..200usize, any_line()), 0..12)) {
        let mut stage = Fixture::new();
        for line in &lines {
            stage.take(line);
        }
        for (to, line) in seeks {
            stage.timeline.seek(to);
            let here = stage.description();
            let mut fresh = Fixture { timeline: stage.timeline.clone(), past: Followed::default(), said: Followed::default() };
            prop_assert_eq!(&here, &fresh.description());
            stage.take(&line);
        }
    }
}
