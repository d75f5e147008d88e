//! Properties and how they came out, in the reader's language.
use world::{Bound, Breach, ClientIndex, EventKind, Place, Property, Term, Timeline, When, World};

use super::lanes::label;
use crate::i18n::messages::{
    VerdictSumAtLeast, VerdictSumAtMost, VerdictSumEquals, VerdictWhyBoth, VerdictWhyCheck, VerdictWhyLost,
    VerdictWhyOrder, VerdictWhyRelease, VerdictWhyRepeated, VerdictWhySame, VerdictWhySumOf,
};
use crate::i18n::{Lang, code};

/// How a property came out so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// It holds so far.
    Holds,
    /// It holds, and all programs are over.
    Kept,
    /// It was broken.
    Broken,
    /// It is looked at when all programs are over.
    AtEnd,
    /// Only a search through all schedules can say.
    BySearch,
}

/// How a property came out so far.
pub fn mark(world: &World, property: &Property, breach: Option<&Breach>) -> Mark {
    let is_for_the_end = match property {
        Property::Sum { when, .. } => *when == When::End,
        Property::EveryoneGetsIn { .. } | Property::NothingLost => true,
        _ => false,
    };
    match (breach, world.is_end()) {
        (Some(_), _) => Mark::Broken,
        (None, true) => Mark::Kept,
        (None, false) if *property == Property::NoDeadlock => Mark::BySearch,
        (None, false) if is_for_the_end => Mark::AtEnd,
        (None, false) => Mark::Holds,
    }
}

/// The position right after the step that broke the property of this number first.
pub fn first_break(timeline: &Timeline, number: usize) -> Option<usize> {
    let breaks = |kind: &EventKind| matches!(kind, EventKind::Broken { property, .. } if *property == number);
    let at = timeline.taken().position(|(_, step)| step.events.iter().any(|event| breaks(&event.kind)))?;
    at.checked_add(1)
}

/// What a property says. Names of keys carry the marks of [`code`].
pub fn name(t: Lang, property: &Property) -> String {
    match property {
        Property::MutualExclusion => t.verdict_mutual().to_owned(),
        Property::OnlyOwnerReleases { key } => t.verdict_owner(&code(&label::word(key))),
        Property::EveryoneGetsIn { section } => t.verdict_everyone(&code(&label::word(section))),
        Property::NoDeadlock => t.verdict_deadlock().to_owned(),
        Property::Checks => t.verdict_checks().to_owned(),
        Property::NoErrors => t.verdict_errors().to_owned(),
        Property::NothingLost => t.verdict_nothing_lost().to_owned(),
        Property::ProcessedOnce => t.verdict_once().to_owned(),
        Property::InOrder => t.verdict_in_order().to_owned(),
        Property::InOrderByKey => t.verdict_in_order_by_key().to_owned(),
        Property::Sum { terms, bound, when } => {
            let sum = sum_name(t, terms);
            let what = match bound {
                Bound::Equals(n) => t.say(VerdictSumEquals { sum: &sum, n: &n.to_string() }),
                Bound::AtMost(n) => t.say(VerdictSumAtMost { sum: &sum, n: &n.to_string() }),
                Bound::AtLeast(n) => t.say(VerdictSumAtLeast { sum: &sum, n: &n.to_string() }),
            };
            match when {
                When::Always => what,
                When::End => t.verdict_sum_end(&what),
            }
        }
    }
}

fn sum_name(t: Lang, terms: &[Term]) -> String {
    terms.iter().map(|term| term_name(t, term)).collect::<Vec<_>>().join(" + ")
}

fn term_name(t: Lang, term: &Term) -> String {
    match term {
        Term::Key(key) => code(&label::word(key)),
        Term::Field(key, field) => code(&format!("{}.{}", label::word(key), label::word(field))),
        Term::Length(key) => t.verdict_length(&code(&label::word(key))),
        Term::Tally(name) => t.verdict_count(&code(&label::word(name))),
    }
}

/// Why this property was broken, in one sentence: it says what was summed up.
pub fn why_of(
    t: Lang,
    property: Option<&Property>,
    breach: &Breach,
    name_of: &dyn Fn(ClientIndex) -> String,
) -> String {
    match (property, breach) {
        (Some(Property::Sum { terms, .. }), Breach::Sum { is }) => {
            t.say(VerdictWhySumOf { sum: &sum_name(t, terms), is: &is.to_string() })
        }
        _ => why(t, breach, name_of),
    }
}

/// Why a property was broken, in one sentence.
pub fn why(t: Lang, breach: &Breach, name_of: &dyn Fn(ClientIndex) -> String) -> String {
    let name = |client: &ClientIndex| code(&name_of(*client));
    match breach {
        Breach::BothInside { section, first: Place { client: first, .. }, second: Place { client: second, .. } } => {
            let section = code(&label::word(section));
            if first == second {
                t.say(VerdictWhySame { first: &name(first), section: &section })
            } else {
                t.say(VerdictWhyBoth { second: &name(second), section: &section, first: &name(first) })
            }
        }
        Breach::ReleasedByOther { key, owner, by } => {
            t.say(VerdictWhyRelease { by: &name(by), key: &code(&label::word(key)), owner: &name(owner) })
        }
        Breach::Sum { is } => t.verdict_why_sum(&is.to_string()),
        Breach::NeverIn { client } => t.verdict_why_never(&name(client)),
        Breach::Stuck => t.verdict_why_stuck().to_owned(),
        Breach::Check { client, text } => {
            t.say(VerdictWhyCheck { who: &name(client), text: &code(&label::said(text)) })
        }
        Breach::Error { client } => t.verdict_why_error(&name(client)),
        Breach::Lost { id, count } => t.say(VerdictWhyLost { n: *count, id: &code(&label::word(id)) }),
        Breach::Repeated { id, client } => {
            t.say(VerdictWhyRepeated { who: &name(client), id: &code(&label::word(id)) })
        }
        Breach::OutOfOrder { late, early } => {
            t.say(VerdictWhyOrder { late: &code(&label::word(late)), early: &code(&label::word(early)) })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::stage::{LEASE, Stage};
    use super::{Mark, first_break, mark, name, why};
    use crate::i18n::{Lang, plain};

    fn marks(stage: &Stage) -> Vec<Mark> {
        let world = stage.world();
        world.watch().verdicts().map(|(property, breach)| mark(world, property, breach)).collect()
    }

    #[test]
    fn a_verdict_has_a_mark_a_place_and_a_reason_in_both_languages() {
        let mut stage = Stage::new([LEASE, LEASE]);
        for words in ["mutual-exclusion", "only-owner-releases lock", "everyone-gets-in checkout", "no-deadlock"] {
            stage.watch(words);
        }
        assert_eq!(marks(&stage), [Mark::Holds, Mark::Holds, Mark::AtEnd, Mark::BySearch]);
        stage.step(0);
        stage.pass(10_001);
        stage.step(1);
        let at = stage.timeline.position();
        stage.pass(4_999);
        stage.step(0);
        stage.step(0);
        assert_eq!(marks(&stage), [Mark::Broken, Mark::Broken, Mark::AtEnd, Mark::BySearch]);
        assert_eq!((first_break(&stage.timeline, 0), first_break(&stage.timeline, 2)), (Some(at), None));
        stage.pass(20_000);
        stage.step(1);
        stage.step(1);
        assert_eq!(marks(&stage), [Mark::Broken, Mark::Broken, Mark::Kept, Mark::Kept]);
        let whys = |t| -> Vec<String> {
            let name_of = |client: u32| format!("c{}", client + 1);
            let breaches = stage.world().watch().verdicts().filter_map(|(_, breach)| breach);
            breaches.map(|breach| plain(&why(t, breach, &name_of))).collect()
        };
        assert_eq!(
            whys(Lang::En),
            ["c2 came into checkout while c1 was inside.", "c1 took away lock, which belonged to c2."]
        );
        assert_eq!(whys(Lang::ZhCn), ["c1 还在 checkout 里，c2 就进来了。", "c1 删掉了 lock，而它属于 c2。"]);
    }

    #[test]
    fn a_sum_is_written_out() {
        let mut stage = Stage::new([]);
        stage.watch("sum end = 5 key stock tally sold");
        stage.watch("sum always <= 5 field item released");
        let names = |t| -> Vec<String> {
            stage.world().watch().verdicts().map(|(property, _)| plain(&name(t, property))).collect()
        };
        assert_eq!(names(Lang::En), ["at the end, stock + count of sold is 5", "item.released is at most 5"]);
        assert_eq!(names(Lang::ZhCn), ["最后 stock + sold 的计数 等于 5", "item.released 不超过 5"]);
    }
}
