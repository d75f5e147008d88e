//! A connection to a real server: just enough of MySQL's protocol to send statements and read answers without waiting.
#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]
#![allow(dead_code, reason = "not every test needs all of it")]
use std::io::{Read, Write};
use std::os::unix::net::UnixStream;
use std::time::{Duration, Instant};
use table::{Answer, Cell, Done, Failure, Heading, Info, Rows};

pub struct Real {
    stream: UnixStream,
    buffer: Vec<u8>,
    pub is_busy: bool,
    is_update: bool,
}

fn take_number(bytes: &mut &[u8]) -> Option<u64> {
    let (first, rest) = bytes.split_first().unwrap();
    *bytes = rest;
    let length = match first {
        251 => return None,
        252 => 2,
        253 => 3,
        254 => 8,
        small => return Some(u64::from(*small)),
    };
    let mut number = [0; 8];
    number[..length].copy_from_slice(&bytes[..length]);
    *bytes = &bytes[length..];
    Some(u64::from_le_bytes(number))
}

fn take_text(bytes: &mut &[u8]) -> Option<Vec<u8>> {
    let length = take_number(bytes)? as usize;
    let text = bytes[..length].to_vec();
    *bytes = &bytes[length..];
    Some(text)
}

impl Real {
    pub fn connect(socket: &str) -> Real {
        let stream = UnixStream::connect(socket).unwrap();
        let mut real = Real { stream, buffer: Vec::new(), is_busy: false, is_update: false };
        real.packet(Duration::from_secs(5)).unwrap();
        // Long password, long flag, with a database, protocol 4.1, transactions, secure connection, plugins.
        let flags: u32 = 0x1 | 0x4 | 0x8 | 0x200 | 0x2000 | 0x8000 | 0x8_0000;
        let mut hello = flags.to_le_bytes().to_vec();
        hello.extend((1u32 << 24).to_le_bytes());
        hello.push(45);
        hello.extend([0; 23]);
        hello.extend(b"root\0\0lockstep\0mysql_native_password\0");
        real.send(&hello, 1);
        let mut answer = real.packet(Duration::from_secs(5)).unwrap();
        if answer[0] == 0xfe {
            real.send(&[], 3);
            answer = real.packet(Duration::from_secs(5)).unwrap();
        }
        assert_eq!(answer[0], 0, "{}", String::from_utf8_lossy(&answer));
        real
    }

    fn send(&mut self, body: &[u8], number: u8) {
        let mut packet = (body.len() as u32).to_le_bytes().to_vec();
        packet[3] = number;
        packet.extend(body);
        self.stream.write_all(&packet).unwrap();
    }

    fn fill(&mut self, length: usize, patience: Duration) -> bool {
        let until = Instant::now() + patience;
        while self.buffer.len() < length {
            let left = until.saturating_duration_since(Instant::now()).max(Duration::from_millis(1));
            self.stream.set_read_timeout(Some(left)).unwrap();
            let mut chunk = [0; 65536];
            match self.stream.read(&mut chunk) {
                Ok(0) => panic!("the server hung up"),
                Ok(read) => self.buffer.extend(&chunk[..read]),
                Err(_) if Instant::now() >= until => return false,
                Err(_) => {}
            }
        }
        true
    }

    fn packet(&mut self, patience: Duration) -> Option<Vec<u8>> {
        if !self.fill(4, patience) {
            return None;
        }
        let length = u32::from_le_bytes([self.buffer[0], self.buffer[1], self.buffer[2], 0]) as usize;
        self.fill(4 + length, Duration::from_secs(5)).then_some(())?;
        let rest = self.buffer.split_off(4 + length);
        Some(std::mem::replace(&mut self.buffer, rest).split_off(4))
    }

    pub fn start(&mut self, statement: &[u8]) {
        let mut body = vec![3];
        body.extend(statement);
        self.is_update = statement.trim_ascii_start().to_ascii_uppercase().starts_with(b"UPDATE");
        self.send(&body, 0);
        self.is_busy = true;
    }

    pub fn answer(&mut self, patience: Duration) -> Option<Answer> {
        let first = self.packet(patience)?;
        self.is_busy = false;
        let failed = |packet: &[u8]| {
            Answer::Failed(Failure {
                code: u16::from_le_bytes([packet[1], packet[2]]),
                sqlstate: packet[4..9].try_into().unwrap(),
                message: String::from_utf8_lossy(&packet[9..]).into_owned(),
            })
        };
        match first[0] {
            0xff => return Some(failed(&first)),
            0 => {
                let mut rest = &first[1..];
                let affected = take_number(&mut rest).unwrap();
                let last_insert_id = take_number(&mut rest).unwrap();
                let warnings = u64::from(u16::from_le_bytes([rest[2], rest[3]]));
                rest = &rest[4..];
                let text = if rest.is_empty() { Vec::new() } else { take_text(&mut rest).unwrap() };
                let text = String::from_utf8(text).unwrap();
                let numbers: Vec<u64> =
                    text.split(|c: char| !c.is_ascii_digit()).filter_map(|n| n.parse().ok()).collect();
                let info = match numbers[..] {
                    [] => Info::None,
                    [a, b, _] if text.starts_with("Rows") => Info::Updated { matched: a, changed: b },
                    [a, b, _] => Info::Inserted { records: a, duplicates: b },
                    _ => panic!("{text}"),
                };
                return Some(Answer::Done(Done { affected, last_insert_id, warnings, info }));
            }
            _ => {}
        }
        let long = Duration::from_secs(5);
        let count = take_number(&mut &first[..]).unwrap();
        let mut columns = Vec::new();
        let mut is_integer = Vec::new();
        for _ in 0..count {
            let packet = self.packet(long).unwrap();
            let mut rest = &packet[..];
            for _ in 0..4 {
                take_text(&mut rest);
            }
            let name = take_text(&mut rest).unwrap().into();
            take_text(&mut rest);
            let kind = rest[7];
            let flags = u16::from_le_bytes([rest[8], rest[9]]);
            let is_numeric = kind <= 9 && kind != 7 || kind == 13 || kind == 246;
            is_integer.push(matches!(kind, 1 | 2 | 3 | 8 | 9));
            columns.push(Heading { name, is_numeric, is_nullable: flags & 1 == 0 });
        }
        self.packet(long).unwrap();
        let mut rows = Vec::new();
        loop {
            let packet = self.packet(long).unwrap();
            if packet[0] == 0xff {
                return Some(failed(&packet));
            }
            if packet[0] == 0xfe && packet.len() < 9 {
                return Some(Answer::Rows(Rows { columns, rows }));
            }
            let mut rest = &packet[..];
            let cell = |is_integer: &bool| match take_text(&mut rest) {
                None => Cell::Null,
                Some(text) if *is_integer => Cell::Integer(std::str::from_utf8(&text).unwrap().parse().unwrap()),
                Some(text) => Cell::Text(text.into()),
            };
            rows.push(is_integer.iter().map(cell).collect());
        }
    }
}

/// Converts the real server's messages to those of MySQL: see the head of `lib.rs`.
pub fn in_words_of_mysql(statement: &[u8], answer: Answer) -> Answer {
    let Answer::Failed(mut failure) = answer else { return answer };
    let mut text = failure.message.replace("MariaDB server version", "MySQL server version");
    if failure.code == 1054 {
        for (theirs, ours) in [
            ("in 'INSERT INTO'", "in 'field list'"),
            ("in 'SELECT'", "in 'field list'"),
            ("in 'SET'", "in 'field list'"),
            ("in 'UPDATE'", "in 'field list'"),
            ("in 'REPLACE'", "in 'field list'"),
            ("in 'WHERE'", "in 'where clause'"),
            ("in 'ORDER BY'", "in 'order clause'"),
        ] {
            text = text.replace(theirs, ours);
        }
    }
    if matches!(failure.code, 1292 | 1366)
        && let Some((start, rest)) = text.split_once("for column `")
    {
        let parts: Vec<&str> = rest.split('`').collect();
        text = format!("{start}for column '{}'{}", parts[4], parts[5]);
    }
    if failure.code == 1366 {
        failure.sqlstate = *b"HY000";
    }
    let upper = statement.to_ascii_uppercase();
    if failure.code == 1205 && upper.windows(6).any(|word| word == b"NOWAIT") {
        failure.code = 3572;
        text = "Statement aborted because lock(s) could not be acquired immediately and NOWAIT is set.".into();
    }
    failure.message = text;
    Answer::Failed(failure)
}
