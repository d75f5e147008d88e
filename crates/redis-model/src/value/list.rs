//! stub
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct List;
impl List {
    pub fn len(&self) -> usize {
        0
    }
}
