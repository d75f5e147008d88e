//! stub
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Hash;
impl Hash {
    pub fn len(&self) -> usize {
        0
    }
}
