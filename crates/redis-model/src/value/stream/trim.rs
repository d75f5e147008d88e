//! Trimming: removing entries from the front, whole nodes first.
use super::Stream;
use super::id::Id;

/// The entries that stay.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TrimTo {
    /// `MAXLEN`: at most this many entries.
    Length(usize),
    /// `MINID`: entries from this id on.
    From(Id),
}

/// How to trim.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Trim {
    /// The entries that stay.
    pub to: TrimTo,
    /// `~`: only whole nodes are removed.
    pub is_approximate: bool,
    /// `LIMIT`: at most this many entries are removed; `None`: any number.
    pub limit: Option<usize>,
}

impl Stream {
    /// Removes entries from the front; returns how many. O(log n) per removed node.
    pub fn trim(&mut self, trim: &Trim) -> usize {
        let before = self.len;
        while let Some((key, node)) = self.nodes.first() {
            let (live, last_id) = (node.live(), node.last_id());
            let trimmed = before - self.len;
            if is_short_enough(self.len, trim.to) || trim.limit.is_some_and(|limit| trimmed + live > limit) {
                break;
            }
            let goes_whole = match trim.to {
                TrimTo::Length(most) => self.len - live >= most,
                TrimTo::From(least) => last_id < least,
            };
            if goes_whole {
                self.remove_node(key);
                continue;
            }
            if !trim.is_approximate {
                self.trim_inside(key, trim.to);
            }
            break;
        }
        let trimmed = before - self.len;
        if trimmed > 0 {
            self.find_first();
        }
        trimmed
    }

    /// Marks entries as deleted in the first node, of which some entries stay.
    fn trim_inside(&mut self, key: Id, to: TrimTo) {
        let mut left = self.len;
        let Some(node) = self.nodes.get_mut(key) else { return };
        self.listpacks -= node.allocated();
        self.len -= node.mark_front(|id, is_live| {
            let goes = match to {
                TrimTo::Length(_) => !is_short_enough(left, to),
                TrimTo::From(least) => id < least,
            };
            left -= usize::from(goes && is_live);
            goes
        });
        self.listpacks += node.allocated();
    }
}

fn is_short_enough(len: usize, to: TrimTo) -> bool {
    matches!(to, TrimTo::Length(most) if len <= most)
}
