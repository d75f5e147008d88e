//! Sorted sets: members ordered by score.
//!
//! ```text
//!  add.rs            ZADD ZINCRBY ZREM
//!  look.rs           ZCARD ZSCORE ZMSCORE ZRANK ZREVRANK ZCOUNT ZLEXCOUNT ZRANDMEMBER ZSCAN
//!  range.rs          ZRANGE, ZRANGESTORE and the six commands that ZRANGE replaces
//!  remove_range.rs   ZREMRANGEBYRANK ZREMRANGEBYSCORE ZREMRANGEBYLEX
//!  combine.rs        ZUNION ZINTER ZDIFF, their STORE forms, ZINTERCARD
//!  pop.rs            ZPOPMIN ZPOPMAX ZMPOP and the blocking three
//! ```
mod add;
mod combine;
mod look;
mod pop;
mod range;
mod remove_range;

pub(super) use add::{Options, add_members};

use bytes::Bytes;
use resp::Value as Reply;

use super::{Command, Deprecation, Flags, Group, KeyFlags, KeySpec, Run};
use crate::{
    Answer, Ctx, Error, Notify, Typed,
    value::{
        range::{LexRange, ScoreRange},
        zset::ZSet,
    },
};

pub(super) static COMMANDS: &[Command] = &[
    add::ZADD,
    add::ZINCRBY,
    add::ZREM,
    combine::ZDIFF,
    combine::ZDIFFSTORE,
    combine::ZINTER,
    combine::ZINTERCARD,
    combine::ZINTERSTORE,
    combine::ZUNION,
    combine::ZUNIONSTORE,
    look::ZCARD,
    look::ZCOUNT,
    look::ZLEXCOUNT,
    look::ZMSCORE,
    look::ZRANDMEMBER,
    look::ZRANK,
    look::ZREVRANK,
    look::ZSCAN,
    look::ZSCORE,
    pop::BZMPOP,
    pop::BZPOPMAX,
    pop::BZPOPMIN,
    pop::ZMPOP,
    pop::ZPOPMAX,
    pop::ZPOPMIN,
    range::ZRANGE,
    range::ZRANGEBYLEX,
    range::ZRANGEBYSCORE,
    range::ZRANGESTORE,
    range::ZREVRANGE,
    range::ZREVRANGEBYLEX,
    range::ZREVRANGEBYSCORE,
    remove_range::ZREMRANGEBYLEX,
    remove_range::ZREMRANGEBYRANK,
    remove_range::ZREMRANGEBYSCORE,
];

impl Ctx<'_> {
    /// Parses two words as a range of scores.
    fn score_range(&self, min: usize, max: usize) -> Result<ScoreRange, Error> {
        ScoreRange::parse(self.arg(min), self.arg(max)).ok_or(Error::Text("ERR min or max is not a float"))
    }

    /// Parses two words as a range of members.
    fn lex_range(&self, min: usize, max: usize) -> Result<LexRange, Error> {
        const NO_RANGE: Error = Error::Text("ERR min or max not valid string range item");
        LexRange::parse(self.arg(min), self.arg(max)).ok_or(NO_RANGE)
    }
}

/// Members as an array; with scores, pairs in RESP3 and a flat array in RESP2.
fn members_reply<M: Into<Bytes>>(
    members: impl Iterator<Item = (M, f64)>,
    is_with_scores: bool,
    is_resp3: bool,
) -> Reply {
    let mut parts = Vec::new();
    for (member, score) in members {
        let member = Reply::Bulk(member.into());
        match (is_with_scores, is_resp3) {
            (false, _) => parts.push(member),
            (true, false) => parts.extend([member, Reply::Double(score)]),
            (true, true) => parts.push(Reply::Array(vec![member, Reply::Double(score)])),
        }
    }
    Reply::Array(parts)
}

/// Stores a result at a key, replacing a value of any type; an empty result deletes the key. Answers the number of members.
fn store(ctx: &mut Ctx<'_>, key: &Bytes, result: ZSet, event: &'static str) -> Result<Answer, Error> {
    let len = result.len();
    if len > 0 {
        ctx.set(key, result.wrap());
        ctx.reply_stands_here();
        ctx.notify(Notify::ZSET, event, key);
    } else {
        ctx.reply_stands_here();
        if ctx.delete_unseen(key) {
            ctx.notify(Notify::GENERIC, "del", key);
        }
    }
    Ok(Answer::int(len))
}
