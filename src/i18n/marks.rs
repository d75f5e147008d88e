//! How a message is kept as text: what stands for its arguments. `build.rs` writes it (and includes this file), `fill.rs` reads it.
//!
//! An argument is a mark and a digit, its place among the arguments of the message in the order of their names. A choice is a mark and
//! the digit of what it counts, then its variants; each begins with what it is for and ends with [`END`], and [`OTHER`] comes last:
//!
//! ```text
//! { $key } has { $n -> [0] nothing [one] one field *[other] { NUMBER($n) } fields }
//!     ⇒  TEXT 0 " has " CHOICE 1 "0" FOR "nothing" END ONE FOR "one field" END OTHER FOR NUMBER 1 " fields" END
//! ```

/// Between two messages of a language.
pub const NEXT: char = '\u{0}';
/// An argument as it is.
pub const TEXT: char = '\u{1}';
/// A number with thousands separators.
pub const NUMBER: char = '\u{2}';
/// Milliseconds as a duration.
pub const DURATION: char = '\u{3}';
/// Bytes as a size.
pub const BYTES: char = '\u{4}';
/// One of several texts, chosen by a number.
pub const CHOICE: char = '\u{5}';
/// Between what a variant is for and its text.
pub const FOR: char = '\u{6}';
/// The end of a variant.
pub const END: char = '\u{7}';
/// What a variant for the singular is for. One for an exact number names it in digits.
pub const ONE: char = 's';
/// What the last variant is for: everything else.
pub const OTHER: char = '*';
