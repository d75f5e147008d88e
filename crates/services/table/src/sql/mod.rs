//! The SQL parser: from the text of a statement to its syntax tree.
pub(crate) mod ast;
mod expression;
mod parse;
mod table;
pub(crate) mod tokens;

pub(crate) use parse::parse;
