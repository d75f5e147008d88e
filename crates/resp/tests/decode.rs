//! What the decoders refuse, and with which error texts.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]
use resp::decode::{
    ReplyDecoder, ReplyErrorKind, ReplyLimits, RequestDecoder, RequestError, RequestLimits, decode_reply,
};
use resp::{Protocol, Value, encode};

fn request_error(limits: RequestLimits, bytes: &[u8]) -> Option<RequestError> {
    let mut decoder = RequestDecoder::new(limits);
    decoder.feed(bytes);
    loop {
        match decoder.next_command() {
            Ok(Some(_)) => {}
            Ok(None) => return None,
            Err(error) => {
                assert_eq!(decoder.next_command(), Err(error), "an error stays");
                return Some(error);
            }
        }
    }
}

#[test]
fn broken_requests_get_the_error_texts_of_redis() {
    let long = vec![b'1'; 64 * 1024 + 1];
    let with = |prefix: &str| [prefix.as_bytes(), &long].concat();
    let cases: Vec<(Vec<u8>, &str)> = vec![
        (b"*a\r\n".to_vec(), "invalid multibulk length"),
        (b"*2147483648\r\n".to_vec(), "invalid multibulk length"),
        (b"*\r\n".to_vec(), "invalid multibulk length"),
        (b"*01\r\n".to_vec(), "invalid multibulk length"),
        (b"*1\r\n$-1\r\n".to_vec(), "invalid bulk length"),
        (b"*1\r\n$536870913\r\n".to_vec(), "invalid bulk length"),
        (b"*1\r\n$x\r\n".to_vec(), "invalid bulk length"),
        (b"*1\r\nfoo\r\n".to_vec(), "expected '$', got 'f'"),
        (b"*1\r\n\r\n".to_vec(), "expected '$', got ' '"),
        (b"GET \"a\r\n".to_vec(), "unbalanced quotes in request"),
        (b"GET 'a'b\r\n".to_vec(), "unbalanced quotes in request"),
        (with("*"), "too big mbulk count string"),
        (with("*1\r\n$"), "too big bulk count string"),
        (with(""), "too big inline request"),
        // The server does not see a line end after a zero byte.
        ([&with("a\0")[..], b"\r\n"].concat(), "too big inline request"),
    ];
    for (bytes, detail) in cases {
        let error = request_error(RequestLimits::default(), &bytes).expect(detail);
        assert_eq!(error.reply(), Some(Value::error(format!("ERR Protocol error: {detail}"))));
    }
}

#[test]
fn before_authentication_only_small_requests_are_read() {
    let limits = RequestLimits { unauthenticated: true, ..RequestLimits::default() };
    assert_eq!(request_error(limits, b"*11\r\n"), Some(RequestError::UnauthenticatedMultibulkLength));
    assert_eq!(request_error(limits, b"*1\r\n$16385\r\n"), Some(RequestError::UnauthenticatedBulkLength));
    assert_eq!(request_error(limits, b"*10\r\n$16384\r\n"), None);
}

#[test]
fn empty_requests_are_skipped() {
    let mut decoder = RequestDecoder::default();
    decoder.feed(b"\r\n\n*0\r\n*-1\r\n   \r\nPING\r\n*1\r\n$4\r\nPING\r\n");
    assert_eq!(decoder.next_command().unwrap().unwrap(), ["PING"]);
    assert_eq!(decoder.next_command().unwrap().unwrap(), ["PING"]);
    assert_eq!(decoder.next_command(), Ok(None));
    assert_eq!(decoder.buffered_bytes(), 0);
}

#[test]
fn client_over_the_query_buffer_limit_is_refused() {
    let limits = RequestLimits { buffered_bytes_max: 100, ..RequestLimits::default() };
    let error = request_error(limits, &[b'a'; 101]).unwrap();
    assert_eq!((error, error.reply()), (RequestError::QueryBufferLimit, None));
    let mut decoder = RequestDecoder::new(limits);
    for _ in 0..20 {
        decoder.feed(b"*1000\r\n$10\r\n0123456789\r\n");
        decoder.feed(b"$10\r\n0123456789\r\n$10\r\n0123456789\r\n$10\r\n0123456789\r\n$10\r\n0123456789\r\n");
        if decoder.next_command().is_err() {
            return;
        }
    }
    panic!("arguments already read count too");
}

#[test]
fn broken_replies_are_refused_with_the_matching_error() {
    for (bytes, kind) in [
        ("?", ReplyErrorKind::UnknownType(b'?')),
        ("\r\n", ReplyErrorKind::UnknownType(b'\r')),
        (":1x\r\n", ReplyErrorKind::BadInteger),
        (":9223372036854775808\r\n", ReplyErrorKind::BadInteger),
        ("$-2\r\n", ReplyErrorKind::BadLength),
        ("%-1\r\n", ReplyErrorKind::BadLength),
        (",infinity\r\n", ReplyErrorKind::BadDouble),
        ("#y\r\n", ReplyErrorKind::BadBoolean),
        ("_x\r\n", ReplyErrorKind::BadNull),
        ("(12a\r\n", ReplyErrorKind::BadBigNumber),
        ("=3\r\ntxt\r\n", ReplyErrorKind::BadVerbatim),
        ("+OK\rx", ReplyErrorKind::BadLineEnd),
        ("$1\r\nabc", ReplyErrorKind::BadLineEnd),
        (".\r\n", ReplyErrorKind::BadStream),
        ("*1\r\n.\r\n", ReplyErrorKind::BadStream),
        ("%?\r\n:1\r\n.\r\n", ReplyErrorKind::BadStream),
        ("$?\r\n:1\r\n", ReplyErrorKind::BadStream),
        ("%9223372036854775807\r\n", ReplyErrorKind::TooManyItems),
        ("$9223372036854775807\r\n", ReplyErrorKind::BulkTooLong),
    ] {
        assert_eq!(decode_reply(bytes.as_bytes()).unwrap_err().kind, kind, "{bytes:?}");
    }
}

#[test]
fn replies_past_a_limit_are_refused() {
    let limits = ReplyLimits { bulk_bytes_max: 4, line_bytes_max: 8, items_max: 3, depth_max: 2, reply_bytes_max: 40 };
    for (bytes, kind) in [
        ("$5\r\n", ReplyErrorKind::BulkTooLong),
        ("+123456789", ReplyErrorKind::LineTooLong),
        ("*4\r\n", ReplyErrorKind::TooManyItems),
        ("%2\r\n", ReplyErrorKind::TooManyItems),
        ("*?\r\n:1\r\n:1\r\n:1\r\n:1\r\n", ReplyErrorKind::TooManyItems),
        ("*1\r\n*1\r\n*1\r\n", ReplyErrorKind::TooDeep),
        ("*3\r\n*3\r\n+1234567\r\n+1234567\r\n+1234567\r\n+1234567", ReplyErrorKind::ReplyTooLong),
    ] {
        let mut decoder = ReplyDecoder::new(limits);
        decoder.feed(bytes.as_bytes());
        assert_eq!(decoder.next_reply().unwrap_err().kind, kind, "{bytes:?}");
    }
    // The limit applies to each reply separately.
    let mut decoder = ReplyDecoder::new(limits);
    for _ in 0..10 {
        decoder.feed(b"*2\r\n+1234567\r\n+123456\r\n");
        assert!(decoder.next_reply().unwrap().is_some());
    }
}

#[test]
fn attributes_are_dropped_and_streamed_values_are_joined() {
    let read = |text: &str| decode_reply(text.as_bytes()).unwrap().expect("whole");
    assert_eq!(read("|1\r\n+ttl\r\n:3600\r\n+OK\r\n"), Value::OK);
    assert_eq!(
        read("*2\r\n|1\r\n+a\r\n*1\r\n:1\r\n:1\r\n:2\r\n"),
        Value::Array(vec![Value::Integer(1), Value::Integer(2)])
    );
    assert_eq!(read("$?\r\n;2\r\nab\r\n;1\r\nc\r\n;0\r\n"), Value::bulk("abc"));
    assert_eq!(read("*?\r\n:1\r\n~?\r\n.\r\n.\r\n"), Value::Array(vec![Value::Integer(1), Value::Set(vec![])]));
    assert_eq!(read("%?\r\n+a\r\n:1\r\n.\r\n"), Value::Map(vec![(Value::simple("a"), Value::Integer(1))]));
    assert_eq!(read("!8\r\nERR a\r\nb\r\n"), Value::error("ERR a\r\nb"));
    assert_eq!(read("=4\r\nmkd:\r\n"), Value::Verbatim(*b"mkd", "".into()));
}

#[test]
fn doubles_are_written_as_c_prints_them() {
    let text = |d: f64| {
        let mut out = Vec::new();
        encode::double_text(d, &mut out);
        String::from_utf8(out).unwrap()
    };
    // Each pair was checked against printf("%.17g").
    for (d, expected) in [
        (0.0, "0"),
        (-0.0, "-0"),
        (1.0, "1"),
        (3.1, "3.1000000000000001"),
        (0.1, "0.10000000000000001"),
        (0.5, "0.5"),
        (-1234.5678, "-1234.5678"),
        (99999999999999984.0, "99999999999999984"),
        (1e17, "1e+17"),
        (123456789012345680.0, "1.2345678901234568e+17"),
        (1e21, "1e+21"),
        (1e-4, "0.0001"),
        (0.00012345, "0.00012344999999999999"),
        (1e-5, "1.0000000000000001e-05"),
        (1.7976931348623157e308, "1.7976931348623157e+308"),
        (5e-324, "4.9406564584124654e-324"),
        (f64::INFINITY, "inf"),
        (f64::NEG_INFINITY, "-inf"),
    ] {
        assert_eq!(text(d), expected);
    }
    assert_eq!(text(f64::NAN.copysign(1.0)), "nan");
    assert_eq!(text(f64::NAN.copysign(-1.0)), "-nan");
}

#[test]
fn both_protocols_write_what_redis_writes() {
    let write = |value: &Value, protocol| {
        let mut out = Vec::new();
        encode::encode(value, protocol, &mut out);
        String::from_utf8(out).unwrap()
    };
    let one = || vec![Value::Integer(1)];
    for (value, two, three) in [
        (Value::Null, "$-1\r\n", "_\r\n"),
        (Value::NullArray, "*-1\r\n", "_\r\n"),
        (Value::Boolean(true), ":1\r\n", "#t\r\n"),
        (Value::Boolean(false), ":0\r\n", "#f\r\n"),
        (Value::Double(1.5), "$3\r\n1.5\r\n", ",1.5\r\n"),
        (
            Value::WideDouble("0.10000000000000000555".into()),
            "$22\r\n0.10000000000000000555\r\n",
            ",0.10000000000000000555\r\n",
        ),
        (Value::BigNumber("12".into()), "$2\r\n12\r\n", "(12\r\n"),
        (Value::Verbatim(*b"txt", "hi".into()), "$2\r\nhi\r\n", "=6\r\ntxt:hi\r\n"),
        (Value::Set(one()), "*1\r\n:1\r\n", "~1\r\n:1\r\n"),
        (Value::Push(one()), "*1\r\n:1\r\n", ">1\r\n:1\r\n"),
        (Value::Map(vec![(Value::bulk("a"), Value::Null)]), "*2\r\n$1\r\na\r\n$-1\r\n", "%1\r\n$1\r\na\r\n_\r\n"),
        (Value::error("ERR a\r\nb"), "-ERR a  b\r\n", "-ERR a  b\r\n"),
        (Value::Integer(i64::MIN), ":-9223372036854775808\r\n", ":-9223372036854775808\r\n"),
    ] {
        assert_eq!(write(&value, Protocol::Resp2), two);
        assert_eq!(write(&value, Protocol::Resp3), three);
    }
}

#[test]
fn garbage_is_refused_at_its_first_byte() {
    for bytes in [&b"/"[..], b"/\0\r", b"/\0\r\n"] {
        let mut decoder = ReplyDecoder::default();
        decoder.feed(bytes);
        assert_eq!(decoder.next_reply().unwrap_err().kind, ReplyErrorKind::UnknownType(b'/'), "{bytes:?}");
    }
}
