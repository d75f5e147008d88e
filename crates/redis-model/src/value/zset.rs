//! stub
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct ZSet;
impl ZSet {
    pub fn len(&self) -> usize {
        0
    }
}
