//! Streams, changed in the model and in Redis: listpack sizes to the byte, nodes of the radix tree, memory, groups.
use crate::server::{Server, pick, text};
use bytes::Bytes;
use redis_model::rng::Rng;
use redis_model::value::stream::{Id, Node, Stream, Trim, TrimTo};
use redis_model::value::{Limits, Value, memory};

fn limits(server: &mut Server, rng: &mut Rng) -> Limits {
    let limits = Limits {
        stream_node_max_bytes: pick(rng, &[0, 60, 300, 4096, 9000]),
        stream_node_max_entries: pick(rng, &[0, 1, 3, 100, 100, 200]),
        ..Limits::DEFAULT
    };
    let (bytes, entries) = (limits.stream_node_max_bytes, limits.stream_node_max_entries);
    assert_eq!(text(&server.say(&format!("CONFIG SET stream-node-max-bytes {bytes}"))), "OK");
    assert_eq!(text(&server.say(&format!("CONFIG SET stream-node-max-entries {entries}"))), "OK");
    server.say("DEL k");
    limits
}

/// A number from `XINFO STREAM`, by its name.
fn figure(server: &mut Server, name: &str) -> usize {
    let resp::Value::Array(facts) = server.say("XINFO STREAM k") else { panic!("no stream") };
    let at = facts.iter().position(|fact| text(fact) == name).unwrap();
    text(&facts[at + 1]).parse().unwrap()
}

fn same(server: &mut Server, stream: &Stream) {
    assert_eq!(stream.check(), Ok(()));
    assert_eq!(stream.len(), figure(server, "length"));
    assert_eq!(stream.nodes().len(), figure(server, "radix-tree-keys"));
    assert_eq!(stream.radix_nodes(), figure(server, "radix-tree-nodes"));
    assert_eq!(Value::from(stream.clone()).memory() + memory::key(b"k"), server.memory());
    let theirs: Vec<usize> = server.dumped_blobs().iter().map(Vec::len).collect();
    assert_eq!(stream.nodes().map(Node::bytes).collect::<Vec<_>>(), theirs);
}

/// A field or value: integers of various widths, texts of various lengths.
fn word(rng: &mut Rng) -> Bytes {
    Bytes::from(match rng.below(9) {
        0..3 => format!("f{}", rng.below(3)),
        3..6 => rng.next_u64().cast_signed().wrapping_shr(rng.below(64) as u32).to_string(),
        6 | 7 => "y".repeat(rng.index(70)),
        _ => "x".repeat(rng.index(700)),
    })
}

fn add(server: &mut Server, stream: &mut Stream, limits: &Limits, rng: &mut Rng) {
    let last = stream.last_id();
    let gap = rng.next_u64() >> (24 + rng.below(40));
    let id = match rng.below(8) {
        0 => Id::new(last.ms + 1 + gap, rng.below(5)),
        1 => Id::new(last.ms + 1, rng.below(1 << 40)),
        _ => last.next().unwrap(),
    };
    let same_fields = rng.below(3) > 0;
    let pairs: Vec<(Bytes, Bytes)> = match same_fields {
        true => vec![(Bytes::from("name"), word(rng)), (Bytes::from("7"), word(rng))],
        false => (0..=rng.below(4)).map(|_| (word(rng), word(rng))).collect(),
    };
    let mut argv: Vec<Bytes> = vec!["XADD".into(), "k".into(), id.text()];
    argv.extend(pairs.iter().flat_map(|(field, value)| [field.clone(), value.clone()]));
    let argv: Vec<&[u8]> = argv.iter().map(|word| &word[..]).collect();
    assert_eq!(text(&server.ask(&argv)), id.to_string());
    let (fields, values) = pairs.into_iter().unzip();
    assert_eq!(stream.push(id, fields, values, limits), Ok(()));
}

/// The id of an existing or a deleted entry.
fn some_id(stream: &Stream, rng: &mut Rng) -> Option<Id> {
    let node = stream.nodes().nth(rng.index(stream.nodes().len().max(1)))?;
    node.entries().nth(rng.index(node.entries().len())).map(|(id, _)| id)
}

#[test]
#[ignore = "starts a redis-server"]
fn streams() {
    let (mut server, mut rng) = (Server::start(), Rng::new(15));
    for _ in 0..60 {
        let limits = limits(&mut server, &mut rng);
        let mut stream = Stream::new();
        add(&mut server, &mut stream, &limits, &mut rng);
        let groups = [Bytes::from("g"), Bytes::from("another group")];
        for step in 0..rng.below(500) {
            let (group, consumer) = (pick(&mut rng, &groups), Bytes::from(format!("c{}", rng.below(12))));
            let (g, c) =
                (String::from_utf8_lossy(&group).replace(' ', "_"), String::from_utf8_lossy(&consumer).into_owned());
            let name = Bytes::from(g.clone());
            match rng.below(24) {
                0..14 => add(&mut server, &mut stream, &limits, &mut rng),
                14..17 => {
                    let Some(id) = some_id(&stream, &mut rng) else { continue };
                    let theirs = text(&server.say(&format!("XDEL k {id}")));
                    assert_eq!(u8::from(stream.delete(id)).to_string(), theirs);
                }
                17 => {
                    let most = stream.len().saturating_sub(rng.index(30));
                    let (is_approximate, sign) = pick(&mut rng, &[(true, "~"), (false, "=")]);
                    let theirs = text(&server.say(&format!("XTRIM k MAXLEN {sign} {most}")));
                    let limit = is_approximate.then(|| match limits.stream_node_max_entries {
                        0 => 10_000,
                        entries => entries * 100,
                    });
                    let ours = stream.trim(&Trim { to: TrimTo::Length(most), is_approximate, limit });
                    assert_eq!(ours.to_string(), theirs);
                }
                18 => {
                    let Some(id) = some_id(&stream, &mut rng) else { continue };
                    let theirs = text(&server.say(&format!("XTRIM k MINID {id}")));
                    let ours = stream.trim(&Trim { to: TrimTo::From(id), is_approximate: false, limit: None });
                    assert_eq!(ours.to_string(), theirs);
                }
                19 => {
                    let is_new = stream.create_group(&name, Id::MIN, None);
                    assert_eq!(text(&server.say(&format!("XGROUP CREATE k {g} 0"))) == "OK", is_new);
                }
                20 | 21 => {
                    let theirs = server.say(&format!("XREADGROUP GROUP {g} {c} COUNT 3 STREAMS k >"));
                    if matches!(theirs, resp::Value::Array(_)) {
                        stream.see_consumer(&name, &consumer, 0);
                        stream.read_new(&name, &consumer, 3, true, 0);
                    }
                }
                22 => {
                    let Some(id) = some_id(&stream, &mut rng) else { continue };
                    let theirs = text(&server.say(&format!("XACK k {g} {id}")));
                    assert_eq!(stream.acknowledge(&name, &[id]).to_string(), theirs);
                }
                _ => {
                    let theirs = server.say(&format!("XGROUP DELCONSUMER k {g} {c}"));
                    let ours = stream.remove_consumer(&name, &consumer);
                    assert!(theirs.is_error() || text(&theirs) == ours.unwrap_or(0).to_string());
                }
            }
            if step % 10 == 0 {
                same(&mut server, &stream);
            }
        }
        same(&mut server, &stream);
        // A copy takes less memory than the original.
        server.say("COPY k copy REPLACE");
        server.say("RENAME copy k");
        same(&mut server, &stream.copied());
    }
}
