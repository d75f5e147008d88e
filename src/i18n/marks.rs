//! The encoding of a message as text: the marks for its arguments. `build.rs` writes it (and includes this file), `fill.rs` reads it.
//!
//! An argument is a mark and a digit: its index among the arguments of the message, sorted by name. A choice is a mark and the digit of the
//! argument that it depends on, then its variants. Each variant begins with its selector and ends with [`END`]; [`OTHER`] is the last one:
//!
//! ```text
//! { $key } has { $n -> [0] nothing [one] one field *[other] { NUMBER($n) } fields }
//!     ⇒  TEXT 0 " has " CHOICE 1 "0" FOR "nothing" END ONE FOR "one field" END OTHER FOR NUMBER 1 " fields" END
//! ```

/// Separates two messages of a language.
pub const NEXT: char = '\u{0}';
/// An argument that is inserted unchanged.
pub const TEXT: char = '\u{1}';
/// A number with thousands separators.
pub const NUMBER: char = '\u{2}';
/// Milliseconds as a duration.
pub const DURATION: char = '\u{3}';
/// Bytes as a size.
pub const BYTES: char = '\u{4}';
/// One of several texts, chosen by a number.
pub const CHOICE: char = '\u{5}';
/// Separates the selector of a variant from its text.
pub const FOR: char = '\u{6}';
/// The end of a variant.
pub const END: char = '\u{7}';
/// Selector of the singular. The selector of an exact number is its digits.
pub const ONE: char = 's';
/// Selector of the last variant: all other numbers.
pub const OTHER: char = '*';
