//! stub
use bytes::Bytes;
use std::sync::Arc;
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Str {
    Int(i64),
    Embstr(Bytes),
    Raw(Arc<Vec<u8>>),
}
impl Str {
    pub fn new(b: impl Into<Bytes>) -> Str {
        Str::Embstr(b.into())
    }
    pub fn to_bytes(&self) -> Bytes {
        match self {
            Str::Int(i) => Bytes::from(i.to_string()),
            Str::Embstr(b) => b.clone(),
            Str::Raw(v) => Bytes::from(v.to_vec()),
        }
    }
}
