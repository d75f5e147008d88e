//! `Typed`: conversion between a value of any type and the type that a command works on.
use std::rc::Rc;

use crate::value::{Value, hash::Hash, list::List, set::Set, stream::Stream, string::Str, zset::ZSet};

/// A data type that a key can hold.
pub trait Typed: Sized {
    /// `list`, `zset` …
    const TYPE_NAME: &'static str;
    /// The value, if it is of this type.
    fn of(value: &Value) -> Option<&Self>;
    /// The value, mutable, if it is of this type; copied first if it is shared.
    fn of_mut(value: &mut Value) -> Option<&mut Self>;
    /// Converts it into a value of any type.
    fn wrap(self) -> Value;
    /// Is it an empty collection, so that its key must be deleted? Never true for a string or a stream.
    fn is_vacant(&self) -> bool;
}

impl Typed for Str {
    const TYPE_NAME: &'static str = "string";
    fn of(value: &Value) -> Option<&Str> {
        if let Value::String(string) = value { Some(string) } else { None }
    }
    fn of_mut(value: &mut Value) -> Option<&mut Str> {
        if let Value::String(string) = value { Some(string) } else { None }
    }
    fn wrap(self) -> Value {
        Value::String(self)
    }
    fn is_vacant(&self) -> bool {
        false
    }
}

impl Typed for Stream {
    const TYPE_NAME: &'static str = "stream";
    fn of(value: &Value) -> Option<&Stream> {
        if let Value::Stream(stream) = value { Some(stream) } else { None }
    }
    fn of_mut(value: &mut Value) -> Option<&mut Stream> {
        if let Value::Stream(stream) = value { Some(Rc::make_mut(stream)) } else { None }
    }
    fn wrap(self) -> Value {
        self.into()
    }
    fn is_vacant(&self) -> bool {
        false
    }
}

/// The four collections differ only in their names.
macro_rules! collection {
    ($type:ty, $variant:ident, $name:literal) => {
        impl Typed for $type {
            const TYPE_NAME: &'static str = $name;
            fn of(value: &Value) -> Option<&$type> {
                if let Value::$variant(inner) = value { Some(inner) } else { None }
            }
            fn of_mut(value: &mut Value) -> Option<&mut $type> {
                if let Value::$variant(inner) = value { Some(Rc::make_mut(inner)) } else { None }
            }
            fn wrap(self) -> Value {
                Value::$variant(Rc::new(self))
            }
            fn is_vacant(&self) -> bool {
                self.len() == 0
            }
        }
    };
}

collection!(List, List, "list");
collection!(Set, Set, "set");
collection!(Hash, Hash, "hash");
collection!(ZSet, ZSet, "zset");
