//! Shrinks a round that shows a difference: delta debugging over its actions, then over the words of its commands.
use resp::Protocol;

use super::generate::{Action, Round};
use super::play::{Difference, Player};
use crate::target::TargetError;

/// Maximum number of plays per difference.
const PLAYS_MAX: usize = 600;

/// The shortest round found that still shows a difference, and the difference it shows.
pub(super) fn shrink(
    player: &mut Player,
    round: &Round,
    found: Difference,
) -> Result<(Round, Difference), TargetError> {
    let mut best = round.clone();
    best.actions.truncate(found.action.saturating_add(1));
    let mut found = found;
    let mut plays = 0;
    let mut chunk = best.actions.len().div_ceil(2);
    // Zeller and Hildebrandt's ddmin, in its simple form: remove ever smaller parts.
    while chunk > 0 && plays < PLAYS_MAX {
        let mut start = 0;
        let mut has_shrunk = false;
        while start < best.actions.len() && plays < PLAYS_MAX {
            let mut candidate = best.clone();
            let end = start.saturating_add(chunk).min(candidate.actions.len());
            candidate.actions.drain(start..end);
            plays = plays.saturating_add(1);
            match player.play(&candidate)? {
                Some(difference) if !candidate.actions.is_empty() && is_same_kind(&difference, &found) => {
                    candidate.actions.truncate(difference.action.saturating_add(1));
                    (best, found, has_shrunk) = (candidate, difference, true);
                }
                _ => start = start.saturating_add(chunk),
            }
        }
        if !has_shrunk || chunk > 1 {
            chunk = if chunk == 1 { 0 } else { chunk.div_ceil(2) };
        }
    }
    drop_words(player, best, found, plays)
}

/// Removes words of commands as long as the difference stays.
fn drop_words(
    player: &mut Player,
    round: Round,
    found: Difference,
    plays: usize,
) -> Result<(Round, Difference), TargetError> {
    let (mut best, mut found, mut plays) = (round, found, plays);
    let mut candidates = Vec::new();
    if !best.config.is_empty() {
        candidates.push(Round { config: Vec::new(), ..best.clone() });
    }
    if best.protocols != [Protocol::Resp2; 3] {
        candidates.push(Round { protocols: [Protocol::Resp2; 3], ..best.clone() });
    }
    for (nth, action) in best.actions.iter().enumerate().rev() {
        let Action::Send { commands, .. } = action else { continue };
        for word in (1..commands.first().map_or(0, Vec::len)).rev() {
            let mut candidate = best.clone();
            if let Some(Action::Send { commands, .. }) = candidate.actions.get_mut(nth)
                && let [command] = commands.as_mut_slice()
            {
                command.remove(word);
                candidates.push(candidate);
            }
        }
    }
    // Each candidate was made from the same round; a successful one restarts the search.
    for candidate in candidates {
        if plays >= PLAYS_MAX
            || (candidate.config.is_empty() && best.config.is_empty() && candidate.actions == best.actions)
        {
            continue;
        }
        plays = plays.saturating_add(1);
        if let Some(difference) = player.play(&candidate)?
            && is_same_kind(&difference, &found)
        {
            (best, found) = (candidate, difference);
            return drop_words(player, best, found, plays);
        }
    }
    Ok((best, found))
}

/// Is it still the same difference? Errors are compared by text, other replies only by command.
fn is_same_kind(a: &Difference, b: &Difference) -> bool {
    kind(a) == kind(b)
}

/// The key by which two differences count as the same.
pub(super) fn kind(difference: &Difference) -> (String, String, String) {
    let name = difference.argv.first().map(|name| String::from_utf8_lossy(name).to_ascii_uppercase());
    let class = |text: &str| {
        let is_error = text.contains("(error)");
        if is_error { text.chars().take(60).collect() } else { text.split(' ').next().unwrap_or_default().to_owned() }
    };
    let (model, real) = (class(&difference.model), class(&difference.real));
    // Different values of one type count as the same difference.
    let quoted = |text: String| if text.starts_with('"') { "\"".to_owned() } else { text };
    (name.unwrap_or_default(), quoted(model), quoted(real))
}
