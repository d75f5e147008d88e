//! Error messages: the only place that renders code, state and text.
use crate::answer::Failure;

impl Failure {
    #[inline(never)]
    pub(crate) fn new(code: u16, sqlstate: &[u8; 5], message: impl Into<String>) -> Box<Failure> {
        // Boxed, because it is part of most results but rarely present.
        Box::new(Failure { code, sqlstate: *sqlstate, message: message.into() })
    }

    /// `1062 (23000): Duplicate entry …`
    pub fn text(&self) -> String {
        let mut text = self.code.to_string();
        text.push_str(" (");
        text.extend(self.sqlstate.iter().map(|byte| char::from(*byte)));
        text.push_str("): ");
        text.push_str(&self.message);
        text
    }

    pub(crate) fn from_text(text: &[u8]) -> Option<Failure> {
        let text = std::str::from_utf8(text).ok()?;
        let (code, rest) = text.split_once(" (")?;
        let (state, message) = rest.split_once("): ")?;
        let number: u16 = code.parse().ok()?;
        // Reject non-canonical numbers such as `01062`.
        let sqlstate: [u8; 5] = state.as_bytes().try_into().ok().filter(|_| number.to_string() == code)?;
        let ascii = sqlstate.iter().all(u8::is_ascii_alphanumeric);
        ascii.then(|| Failure { code: number, sqlstate, message: message.to_owned() })
    }
}

/// Joins pieces of text without `format!`, which would enlarge the page's module.
#[inline(never)]
pub(crate) fn join(pieces: &[&str]) -> String {
    let mut text = String::with_capacity(pieces.iter().map(|piece| piece.len()).sum());
    for piece in pieces {
        text.push_str(piece);
    }
    text
}

/// Converts bytes to text for a message.
#[inline(never)]
pub(crate) fn lossy(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}
