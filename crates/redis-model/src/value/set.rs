//! stub
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Set;
impl Set {
    pub fn len(&self) -> usize {
        0
    }
}
