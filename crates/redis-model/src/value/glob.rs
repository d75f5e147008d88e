//! stub
pub fn matches(p: &[u8], t: &[u8], _nocase: bool) -> bool {
    p == t
}
