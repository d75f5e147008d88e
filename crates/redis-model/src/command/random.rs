//! What `SRANDMEMBER`, `HRANDFIELD` and `ZRANDMEMBER` with a count share: positive for different elements, negative for any.
use crate::{Ctx, Error};

/// Roughly what one element takes while the reply is made.
const ELEMENT_BYTES: u64 = 128;

/// The `i`th word as such a count; the smallest integer has no positive counterpart and is refused.
///
/// # Errors
/// [`Error::NotInteger`], [`Error::OutOfRangeBetween`]
pub(super) fn signed_count(ctx: &Ctx<'_>, i: usize) -> Result<i64, Error> {
    match ctx.int(i)? {
        i64::MIN => Err(Error::OutOfRangeBetween(-i64::MAX, i64::MAX)),
        count => Ok(count),
    }
}

/// Indices drawn evenly below `len`: `count` different ones (all in order, when there are no more), or `-count` of which
/// any may come again.
///
/// # Errors
/// Those of [`Ctx::reserve`]: with repetition a few bytes of command can ask for any amount of reply.
pub(super) fn indices(ctx: &mut Ctx<'_>, len: usize, count: i64) -> Result<Vec<usize>, Error> {
    let wanted = count.unsigned_abs();
    if len == 0 {
        return Ok(Vec::new());
    }
    if count < 0 {
        ctx.reserve(wanted.saturating_mul(ELEMENT_BYTES))?;
        return Ok((0..wanted).map(|_| ctx.rng().index(len)).collect());
    }
    Ok(match usize::try_from(wanted) {
        Ok(wanted) if wanted < len => ctx.rng().distinct_indices(len, wanted),
        _ => (0..len).collect(),
    })
}
