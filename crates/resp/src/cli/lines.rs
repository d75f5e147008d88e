//! A rendered reply as lines of spans, so that the page can colour and link parts of it.
use bytes::Bytes;

use super::{Sink, SpanKind, standard};
use crate::{Protocol, Value};

/// A part of one line, with its meaning.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Span {
    /// What the text stands for.
    pub kind: SpanKind,
    /// The text shown. Bytes that are not UTF-8 (only in status, error and text) become U+FFFD.
    pub text: String,
    /// The original bytes of a string, status, error or text, for links to a key or a value.
    pub source: Option<Bytes>,
}

/// One line of a rendered reply, without its line end.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Line {
    /// The parts, from left to right.
    pub spans: Vec<Span>,
}

impl Line {
    /// The whole line as text.
    pub fn text(&self) -> String {
        self.spans.iter().map(|span| span.text.as_str()).collect()
    }
}

/// The lines that redis-cli shows for a reply or a push. Joined with line ends, their texts equal
/// [`text`](super::text).
///
/// ```
/// use resp::{Protocol, Value, cli};
/// let lines = cli::lines(&Value::Array(vec![Value::bulk("a"), Value::Integer(2)]), Protocol::Resp2);
/// assert_eq!(lines[1].text(), "2) (integer) 2");
/// assert_eq!(lines[1].spans[2].kind, cli::SpanKind::Integer);
/// assert_eq!(lines[0].spans[1].source.as_deref(), Some(b"a".as_slice()));
/// ```
pub fn lines(value: &Value, protocol: Protocol) -> Vec<Line> {
    let mut collector = Collector::default();
    match value {
        Value::Push(_) if protocol == Protocol::Resp3 => standard::push(value, &mut collector),
        _ => standard::reply(value, protocol, &mut collector),
    }
    collector.done
}

#[derive(Default)]
struct Collector {
    done: Vec<Line>,
    current: Line,
}

impl Sink for Collector {
    fn span(&mut self, kind: SpanKind, text: &[u8], source: Option<&Bytes>) {
        let text = String::from_utf8_lossy(text);
        let mut parts = text.split('\n');
        let first = parts.next().unwrap_or_default();
        self.current.spans.push(Span { kind, text: first.to_owned(), source: source.cloned() });
        for part in parts {
            self.newline();
            self.current.spans.push(Span { kind, text: part.to_owned(), source: source.cloned() });
        }
    }

    fn newline(&mut self) {
        self.done.push(std::mem::take(&mut self.current));
    }
}
