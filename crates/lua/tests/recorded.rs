//! Scripts with the recorded replies of Redis 7.0.15 in `recorded/*.txt`; the machine must give the same replies.
//!
//! `LUA_RECORD=127.0.0.1:<port> cargo test -p lua-machine --test recorded` records the replies of a real server again; it
//! needs a dedicated server. A line that begins with `>` is a script, the line after it the reply, `#` a comment.
mod support;

use resp::decode::{ReplyDecoder, ReplyLimits};
use resp::{Value, encode::encode_command};
use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::PathBuf;
use support::{Bench, show};

/// Known differences, with their reasons.
const DIFFERENT: [(&str, &str); 12] = [
    ("return tostring(cjson.decode('[nan]')[1])", "the sign of a NaN differs with the platform: it is always there"),
    ("return {string.gsub('hello','l','%')}", "Lua 5.1 reads the zero byte behind the text"),
    ("return tostring(5 % math.huge)", "the machine's own operator"),
    (
        "local co=coroutine.wrap(function() error('x') end) co()",
        "Lua 5.1 adds the place of the caller, the machine does not",
    ),
    ("local co=coroutine.wrap(function() end) co() co()", "the machine does not tell the place"),
    ("local c=cjson.new() c.encode_max_depth(1) return cjson.encode({{}})", "what `new` answers shares its settings"),
    ("local _ENV = {x = 2} return x", "the machine's own name for the globals"),
    ("local _ENV = {redis = 2} return type(redis)", "the machine's own name for the globals"),
    ("_ENV = 1", "the machine's own name for the globals"),
    ("return _ENV", "the machine's own name for the globals"),
    (
        "local t = {} for i = 2, 5 do t[i] = i end for i = 1, 9 do t[i * 100] = i end return {t[2], t[3], t[4], t[5]}",
        "the machine loses the item behind the end of an array that becomes smaller (lua-types 0.7.1, TableInner::resize)",
    ),
    (
        "local t = {} if t then return t.x .. 1 .. 2 .. 3 .. 4 .. 5 .. 6 .. 7 .. 8 end",
        "a long chain stands elsewhere, from where the machine does not find all names",
    ),
];

fn files() -> Vec<PathBuf> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/recorded");
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut files: Vec<_> = entries.map(|entry| entry.path()).collect();
    files.sort();
    files
}

struct Real(TcpStream);

impl Real {
    /// `None`: the script crashed the server.
    fn send(&mut self, argv: &[&[u8]]) -> Option<Value> {
        let mut out = Vec::new();
        encode_command(argv, &mut out);
        self.0.write_all(&out).ok()?;
        let mut decoder = ReplyDecoder::new(ReplyLimits::default());
        let mut buffer = [0; 4096];
        loop {
            let count = self.0.read(&mut buffer).unwrap_or(0);
            if count == 0 {
                return None;
            }
            decoder.feed(buffer.get(..count).unwrap_or_default());
            if let Some(reply) = decoder.next_reply().ok()? {
                return Some(reply);
            }
        }
    }
}

#[test]
fn replies_equal_the_recorded_ones() {
    let record = std::env::var("LUA_RECORD").ok();
    let mut wrong = Vec::new();
    let mut count = 0;
    for file in files() {
        let text = std::fs::read_to_string(&file).unwrap();
        let mut written = String::new();
        let mut lines = text.lines().peekable();
        while let Some(line) = lines.next() {
            let Some(script) = line.strip_prefix("> ") else {
                written.push_str(line);
                written.push('\n');
                continue;
            };
            let recorded = lines.next_if(|line| !line.starts_with("> ")).map(str::to_owned);
            let answer = match &record {
                Some(address) => {
                    let mut real = Real(TcpStream::connect(address).unwrap());
                    real.0.set_read_timeout(Some(std::time::Duration::from_secs(3))).unwrap();
                    real.send(&[b"FLUSHALL"]);
                    real.send(&[b"SCRIPT", b"FLUSH", b"SYNC"]);
                    real.send(&[b"SET", b"s", b"x"]);
                    let Some(answer) = real.send(&[b"EVAL", script.as_bytes(), b"0"]) else {
                        println!("left out: {script}");
                        std::thread::sleep(std::time::Duration::from_secs(2));
                        continue;
                    };
                    show(&answer)
                }
                None => recorded.unwrap(),
            };
            written.push_str(&format!("> {script}\n{answer}\n"));
            count += 1;
            let ours = show(&Bench::new().eval(script.as_bytes()));
            if ours != answer && !DIFFERENT.iter().any(|(known, _)| *known == script) {
                wrong.push(format!("{script}\n    Redis: {answer}\n    ours:  {ours}"));
            }
        }
        if record.is_some() {
            std::fs::write(&file, written).unwrap();
        }
    }
    assert!(count > 0);
    assert!(wrong.is_empty(), "{} of {count} differ:\n{}", wrong.len(), wrong.join("\n"));
}
