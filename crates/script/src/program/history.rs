//! The answers that a program has received: a persistent list that grows at its newest end; histories share common prefixes.
//!
//! ```text
//!   [] ◀── "OK" ◀── 7 ◀── "OK"       one branch of the world
//!                   ▲
//!                   └──── nil        another one
//! ```
use super::Answer;
use crate::fingerprint;
use serde::{Deserialize, Serialize};
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// Answers, oldest first. Cloning takes constant time; equal histories have equal fingerprints on every platform.
#[derive(Clone, Default, Serialize, Deserialize)]
#[serde(from = "Vec<Answer>", into = "Vec<Answer>")]
pub struct History {
    newest: Option<Arc<Node>>,
}

struct Node {
    answer: Answer,
    earlier: History,
    len: usize,
    fingerprint: u128,
}

impl History {
    /// This history with one more answer.
    #[must_use]
    pub fn push(&self, answer: Answer) -> History {
        let fingerprint = fingerprint(&(self.fingerprint(), &answer)).0;
        let len = self.len().saturating_add(1);
        History { newest: Some(Arc::new(Node { answer, earlier: self.clone(), len, fingerprint })) }
    }

    /// Number of answers.
    pub fn len(&self) -> usize {
        self.newest.as_ref().map_or(0, |node| node.len)
    }

    /// Whether there are no answers.
    pub const fn is_empty(&self) -> bool {
        self.newest.is_none()
    }

    /// The fingerprint; 0 for the empty history.
    pub fn fingerprint(&self) -> u128 {
        self.newest.as_ref().map_or(0, |node| node.fingerprint)
    }

    /// The newest answer.
    pub fn newest(&self) -> Option<&Answer> {
        self.newest.as_ref().map(|node| &node.answer)
    }

    /// The history before the newest answer.
    pub fn parent(&self) -> Option<&History> {
        self.newest.as_ref().map(|node| &node.earlier)
    }

    /// The answers, oldest first.
    pub fn answers(&self) -> Vec<Answer> {
        let mut answers: Vec<Answer> = self.newest_first().cloned().collect();
        answers.reverse();
        answers
    }

    /// The answers, newest first.
    pub fn newest_first(&self) -> impl Iterator<Item = &Answer> {
        std::iter::successors(Some(self), |history| history.parent()).filter_map(History::newest)
    }
}

impl Drop for History {
    /// Drops the nodes in a loop. The default recursion would overflow the stack for a long history.
    fn drop(&mut self) {
        let mut newest = self.newest.take();
        while let Some(mut node) = newest.and_then(Arc::into_inner) {
            newest = node.earlier.newest.take();
        }
    }
}

impl FromIterator<Answer> for History {
    fn from_iter<I: IntoIterator<Item = Answer>>(answers: I) -> History {
        answers.into_iter().fold(History::default(), |history, answer| history.push(answer))
    }
}

impl From<Vec<Answer>> for History {
    fn from(answers: Vec<Answer>) -> History {
        answers.into_iter().collect()
    }
}

impl From<History> for Vec<Answer> {
    fn from(history: History) -> Vec<Answer> {
        history.answers()
    }
}

impl PartialEq for History {
    fn eq(&self, other: &History) -> bool {
        self.len() == other.len() && self.fingerprint() == other.fingerprint()
    }
}

impl Eq for History {}

impl Hash for History {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.len().hash(state);
        self.fingerprint().hash(state);
    }
}

impl std::fmt::Debug for History {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.answers()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::Reply;
    use bytes::Bytes;
    use proptest::prelude::*;
    use resp::Value;

    fn answer() -> impl Strategy<Value = Answer> {
        let text = prop::sample::select(vec!["", "a", "OK"]);
        let reply = prop_oneof![
            Just(Reply::Nothing),
            (0i64..3).prop_map(Reply::Integer),
            text.clone().prop_map(|text| Reply::Text(Bytes::from_static(text.as_bytes()))),
            text.prop_map(|text| Reply::Value(Value::bulk(text))),
            (0i64..3).prop_map(|n| Reply::Value(Value::Integer(n))),
        ];
        (0u32..3, reply).prop_map(|(thread, reply)| Answer { thread, reply })
    }

    proptest! {
        #[test]
        fn equal_answers_give_equal_histories(a in prop::collection::vec(answer(), 0..5), b in prop::collection::vec(answer(), 0..5)) {
            let (one, other): (History, History) = (a.iter().cloned().collect(), b.iter().cloned().collect());
            prop_assert_eq!(&one.answers(), &a);
            prop_assert_eq!(one.len(), a.len());
            prop_assert_eq!(one.is_empty(), a.is_empty());
            prop_assert_eq!(one.newest(), a.last());
            prop_assert_eq!(one == other, a == b);
            prop_assert_eq!(one.fingerprint() == other.fingerprint(), a == b);
            let before = one.parent().map(History::answers);
            prop_assert_eq!(before.as_deref(), a.split_last().map(|(_, before)| before));
        }
    }

    #[test]
    fn a_fingerprint_is_the_same_on_every_platform() {
        let one = Answer { thread: 1, reply: Reply::Value(Value::Array(vec![Value::Integer(-1), Value::bulk("a")])) };
        let two = Answer { thread: 0, reply: Reply::Integer(7) };
        let history: History = [one, two].into_iter().collect();
        assert_eq!(history.fingerprint(), 0xb45d_ad2c_8e88_d9f3_940b_1f52_0df8_6380);
        assert_eq!(History::default().fingerprint(), 0);
    }

    #[test]
    fn a_new_branch_does_not_change_the_parent_history() {
        let said = |n| Answer { thread: 0, reply: Reply::Integer(n) };
        let trunk: History = (0..3).map(said).collect();
        let branches = [trunk.push(said(7)), trunk.push(said(8))];
        assert_ne!(branches[0], branches[1]);
        drop(trunk);
        let answers = branches.map(|branch| branch.answers());
        assert_eq!(answers, [[0, 1, 2, 7].map(said).to_vec(), [0, 1, 2, 8].map(said).to_vec()]);
    }

    #[test]
    fn long_history_is_dropped_without_recursion() {
        let one = Answer { thread: 0, reply: Reply::Nothing };
        let long: History = std::iter::repeat_n(one.clone(), 1_000_000).collect();
        let branch = long.parent().cloned().map(|before| before.push(one));
        assert_eq!(branch.as_ref(), Some(&long));
        drop(long);
        drop(branch);
    }
}
