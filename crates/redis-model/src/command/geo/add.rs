//! Adding positions: `GEOADD`, a `ZADD` with positions as scores.
use super::{Command, Flags, Group, KeyFlags, KeySpec, Run};
use crate::{
    Answer, Ctx, Error,
    command::sorted_set::{Options, add_members},
};

pub(super) const GEOADD: Command = Command {
    name: "geoadd",
    summary: "Add one or more geospatial items in the geospatial index represented using a sorted set",
    since: "3.2.0",
    complexity: "O(log(N)) for each item added, where N is the number of elements in the sorted set.",
    arity: -5,
    flags: Flags::GROWING_WRITE,
    history: &[("6.2.0", "Added the `CH`, `NX` and `XX` options.")],
    keys: &[KeySpec::one(1, KeyFlags::RW.union(KeyFlags::UPDATE))],
    syntax: "key#0 [condition(NX|XX)@6.2.0] [CH=change:flag@6.2.0] longitude_latitude_member{longitude:double \
        latitude:double member}...",
    run: Run::Call(geoadd),
    ..Command::of(Group::Geo)
};

fn geoadd(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    const WORDS: [(&str, Options); 3] = [("nx", Options::NX), ("xx", Options::XX), ("ch", Options::CH)];
    let mut options = Options::empty();
    let mut at = 2usize;
    while let Some((_, option)) = WORDS.iter().find(|(word, _)| ctx.is_word(at, word)) {
        options |= *option;
        at = at.saturating_add(1);
    }
    let triples = ctx.args_from(at).chunks_exact(3);
    if triples.len() == 0 || !triples.remainder().is_empty() || options.contains(Options::NX | Options::XX) {
        return Err(Error::Syntax);
    }
    let members = triples
        .enumerate()
        .filter_map(|(i, triple)| Some((ctx.point(at.saturating_add(i.saturating_mul(3))), triple.last()?)))
        .map(|(point, member)| Ok((point?.score(), member)))
        .collect::<Result<Vec<_>, Error>>()?;
    add_members(ctx, options, &members)
}
