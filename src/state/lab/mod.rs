//! What the lab shows of programs: pure states, tested natively. Only the page's lab chunk uses them.
pub mod compare;
pub mod description;
#[cfg(test)]
pub(super) mod fixture;
pub mod lanes;
pub mod lua;
pub mod run;
pub mod status;
pub mod summary;
pub mod verdict;
