//! What `SRANDMEMBER`, `HRANDFIELD` and `ZRANDMEMBER` with a count share: a positive count draws distinct elements, a negative one may
//! repeat them.
use crate::{Ctx, Error};

/// Approximate memory of one element while the reply is built, in bytes.
const ELEMENT_BYTES: u64 = 128;

/// Word `i` as such a count; `i64::MIN` has no positive counterpart and is refused.
///
/// # Errors
/// [`Error::NotInteger`], [`Error::OutOfRangeBetween`]
pub(super) fn signed_count(ctx: &Ctx<'_>, i: usize) -> Result<i64, Error> {
    match ctx.int(i)? {
        i64::MIN => Err(Error::OutOfRangeBetween(-i64::MAX, i64::MAX)),
        count => Ok(count),
    }
}

/// Uniformly random indices below `len`: `count` distinct ones (all of them in order if `len` is not larger), or, for a negative count,
/// `-count` that may repeat.
///
/// # Errors
/// Those of [`Ctx::reserve`]: with repetition, a short command can request a reply of any size.
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
