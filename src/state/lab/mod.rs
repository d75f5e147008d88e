//! What the lab shows of programs: pure states, tested natively. Only the lab's program of the page reaches them.
pub mod compare;
pub mod lanes;
pub mod lua;
pub mod run;
#[cfg(test)]
pub(super) mod stage;
pub mod stand;
pub mod summary;
pub mod told;
pub mod verdict;
