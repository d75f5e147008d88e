//! Properties and their verdicts, in the reader's language.
use bytes::Bytes;
use world::{
    Atom, Bound, Breach, ClientIndex, ClientThread, EventKind, Formula, Operand, Property, Term, Timeline, When, World,
};

use super::lanes::label;
use crate::i18n::messages::{
    VerdictAnd, VerdictAtMost, VerdictDifferent, VerdictEveryoneOf, VerdictIf, VerdictIfEnd, VerdictOr, VerdictSame,
    VerdictSumAtLeast, VerdictSumAtMost, VerdictSumEquals, VerdictWhyBoth, VerdictWhyCheck, VerdictWhyCrowd,
    VerdictWhyLost, VerdictWhyOrder, VerdictWhyRelease, VerdictWhyRepeated, VerdictWhySame, VerdictWhySumOf,
};
use crate::i18n::{Lang, code};

/// The verdict on a property so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// It holds so far.
    Holds,
    /// It holds, and all programs have ended.
    Kept,
    /// It was broken.
    Broken,
    /// It is checked when all programs have ended.
    AtEnd,
    /// Only a search over all schedules can decide it.
    BySearch,
}

/// The verdict on a property so far.
pub fn mark(world: &World, property: &Property, breach: Option<&Breach>) -> Mark {
    let is_for_the_end = match property {
        Property::Sum { when, .. } | Property::Claim { when, .. } => *when == When::End,
        Property::EveryoneGetsIn { .. } | Property::NothingLost => true,
        _ => false,
    };
    match (breach, world.is_end()) {
        (Some(_), _) => Mark::Broken,
        (None, true) => Mark::Kept,
        (None, false) if property.is_by_search() => Mark::BySearch,
        (None, false) if is_for_the_end => Mark::AtEnd,
        (None, false) => Mark::Holds,
    }
}

/// The position after the step that first broke the property with this number.
pub fn first_break(timeline: &Timeline, number: usize) -> Option<usize> {
    let breaks = |kind: &EventKind| matches!(kind, EventKind::Broken { property, .. } if *property == number);
    let at = timeline.taken().position(|(_, step)| step.events.iter().any(|event| breaks(&event.kind)))?;
    at.checked_add(1)
}

/// A property in words. Names of keys carry the marks of [`code`].
pub fn name(t: Lang, property: &Property) -> String {
    match property {
        Property::MutualExclusion => t.verdict_mutual().to_owned(),
        Property::OnlyOwnerReleases { key } => t.verdict_owner(&code(&label::word(key))),
        Property::AtMost { most, section } => {
            t.say(VerdictAtMost { n: u64::from(*most), section: &code(&label::word(section)) })
        }
        Property::EveryoneGetsIn { section, clients } => {
            let section = code(&label::word(section));
            let names: Vec<String> = clients.iter().map(|name| code(&label::word(name))).collect();
            if names.is_empty() {
                t.verdict_everyone(&section)
            } else {
                t.say(VerdictEveryoneOf { section: &section, names: &names.join(" ") })
            }
        }
        Property::NoClientGivesUp { section } => t.verdict_gives_up(&code(&label::word(section))),
        Property::NoDeadlock => t.verdict_deadlock().to_owned(),
        Property::EveryoneGetsOn => t.verdict_gets_on().to_owned(),
        Property::Checks => t.verdict_checks().to_owned(),
        Property::NoErrors => t.verdict_errors().to_owned(),
        Property::NothingLost => t.verdict_nothing_lost().to_owned(),
        Property::ProcessedOnce => t.verdict_once().to_owned(),
        Property::InOrder => t.verdict_in_order().to_owned(),
        Property::InOrderByKey => t.verdict_in_order_by_key().to_owned(),
        Property::Sum { terms, bound, when } => timed(t, *when, bounded(t, terms, *bound)),
        Property::Claim { when, premise, claim } => {
            let claim = formula(t, claim);
            let premise = premise.as_ref().map(|premise| formula(t, premise));
            match (&premise, when) {
                (Some(premise), When::Always) => t.say(VerdictIf { premise, claim: &claim }),
                (Some(premise), When::End) => t.say(VerdictIfEnd { premise, claim: &claim }),
                (None, _) => timed(t, *when, claim),
            }
        }
    }
}

fn timed(t: Lang, when: When, what: String) -> String {
    match when {
        When::Always => what,
        When::End => t.verdict_sum_end(&what),
    }
}

fn bounded(t: Lang, terms: &[(i32, Term)], bound: Bound) -> String {
    let sum = &sum_name(t, terms);
    match bound {
        Bound::Equals(n) => t.say(VerdictSumEquals { sum, n: &n.to_string() }),
        Bound::AtMost(n) => t.say(VerdictSumAtMost { sum, n: &n.to_string() }),
        Bound::AtLeast(n) => t.say(VerdictSumAtLeast { sum, n: &n.to_string() }),
    }
}

fn formula(t: Lang, formula: &Formula) -> String {
    let mut atoms = formula.atoms.iter().map(|one| atom(t, one));
    let first = atoms.next().unwrap_or_default();
    atoms.fold(first, |one, other| {
        let (one, other) = (one.as_str(), other.as_str());
        if formula.is_any { t.say(VerdictOr { one, other }) } else { t.say(VerdictAnd { one, other }) }
    })
}

fn atom(t: Lang, atom: &Atom) -> String {
    match atom {
        Atom::Exists(place) => t.verdict_exists(&operand(place)),
        Atom::Missing(place) => t.verdict_missing(&operand(place)),
        Atom::Same(one, other) => t.say(VerdictSame { one: &operand(one), other: &operand(other) }),
        Atom::Different(one, other) => t.say(VerdictDifferent { one: &operand(one), other: &operand(other) }),
        Atom::Sum(terms, bound) => bounded(t, terms, *bound),
    }
}

fn operand(operand: &Operand) -> String {
    match operand {
        Operand::Key(key) => code(&label::word(key)),
        Operand::Field(key, field) => field_name(key, field),
        Operand::Text(text) => {
            let word = label::word(text);
            code(&if word.starts_with('"') { word } else { format!("\"{word}\"") })
        }
    }
}

fn field_name(key: &Bytes, field: &Bytes) -> String {
    code(&format!("{}.{}", label::word(key), label::word(field)))
}

/// Terms with their signs and factors: `10 × boxes − money`.
fn sum_name(t: Lang, terms: &[(i32, Term)]) -> String {
    let mut name = String::new();
    for (factor, term) in terms {
        name.push_str(match (name.is_empty(), *factor < 0) {
            (true, false) => "",
            (true, true) => "−",
            (false, false) => " + ",
            (false, true) => " − ",
        });
        if factor.unsigned_abs() != 1 {
            name.push_str(&factor.unsigned_abs().to_string());
            name.push_str(" × ");
        }
        name.push_str(&term_name(t, term));
    }
    name
}

fn term_name(t: Lang, term: &Term) -> String {
    match term {
        Term::Key(key) => code(&label::word(key)),
        Term::Field(key, field) => field_name(key, field),
        Term::Length(key) => t.verdict_length(&code(&label::word(key))),
        Term::Tally(name) => t.verdict_count(&code(&label::said(name))),
        Term::Cell(table, key, column) => code(&format!("{}.{}", label::row(table, key), label::word(column))),
    }
}

/// Why this property was broken, in one sentence with the terms of the sum.
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
        (Some(Property::EveryoneGetsOn), Breach::Stuck) => t.verdict_why_starved_some().to_owned(),
        _ => why(t, breach, name_of),
    }
}

/// Why a property was broken, in one sentence.
pub fn why(t: Lang, breach: &Breach, name_of: &dyn Fn(ClientIndex) -> String) -> String {
    let name = |client: &ClientIndex| code(&name_of(*client));
    match breach {
        Breach::BothInside {
            section,
            first: ClientThread { client: first, .. },
            second: ClientThread { client: second, .. },
        } => {
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
        Breach::Crowd { section, last, inside } => t.say(VerdictWhyCrowd {
            who: &name(&last.client),
            section: &code(&label::word(section)),
            n: u64::from(*inside),
        }),
        Breach::Untrue => t.verdict_why_untrue().to_owned(),
        Breach::GaveUp { client } => t.verdict_why_gave_up(&name(client)),
        Breach::Starved { client } => t.verdict_why_starved(&name(client)),
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
    use super::super::fixture::{Fixture, LEASE};
    use world::Breach;

    use super::{Mark, first_break, mark, name, why};
    use crate::i18n::{Lang, plain};

    fn marks(stage: &Fixture) -> Vec<Mark> {
        let world = stage.world();
        world.watch().verdicts().map(|(property, breach)| mark(world, property, breach)).collect()
    }

    #[test]
    fn verdict_has_mark_position_and_reason_in_both_languages() {
        let mut stage = Fixture::new([LEASE, LEASE]);
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
            ["c2 entered checkout while c1 was inside.", "c1 deleted lock, which belonged to c2."]
        );
        assert_eq!(whys(Lang::ZhCn), ["c1 还在 checkout 里，c2 就进来了。", "c1 删掉了 lock，而它属于 c2。"]);
    }

    #[test]
    fn sum_is_written_out() {
        let mut stage = Fixture::new([]);
        stage.watch("sum end = 5 key stock tally sold");
        stage.watch("sum always <= 5 field item released");
        let names = |t| -> Vec<String> {
            stage.world().watch().verdicts().map(|(property, _)| plain(&name(t, property))).collect()
        };
        assert_eq!(names(Lang::En), ["at the end, stock + count of sold is 5", "item.released is at most 5"]);
        assert_eq!(names(Lang::ZhCn), ["最后 stock + sold 的计数 等于 5", "item.released 不超过 5"]);
    }

    #[test]
    fn claims_and_client_properties_are_written_out() {
        let mut stage = Fixture::new([]);
        for words in [
            "sum always = 0 10 key boxes -1 key money -3 length jobs",
            "sum always = 0 -1 key a",
            "end if exists key cache then same key cache key db",
            "always if missing field item f and sum >= 1 tally n then different key state text paid",
            "always exists key a or exists key b or missing key \"a b\"",
            "at-most 3 inside pool",
            "everyone-gets-in pool c1 c3",
            "nobody-gives-up pool",
            "everyone-gets-on",
        ] {
            stage.watch(words);
        }
        let names = |t| -> Vec<String> {
            stage.world().watch().verdicts().map(|(property, _)| plain(&name(t, property))).collect()
        };
        assert_eq!(
            names(Lang::En),
            [
                "10 × boxes − money − 3 × elements of jobs is 0",
                "−a is 0",
                "if cache is there at the end, then cache is the same as db",
                "if item.f is not there and count of n is at least 1, then state differs from \"paid\"",
                "a is there or b is there or \"a b\" is not there",
                "At most 3 at a time in pool",
                "pool is entered by c1 c3",
                "No program ends without entering pool",
                "Each client can always go on",
            ]
        );
        assert_eq!(
            names(Lang::ZhCn),
            [
                "10 × boxes − money − 3 × jobs 的元素个数 等于 0",
                "−a 等于 0",
                "结束时如果 cache 存在，那么 cache 与 db 相同",
                "如果 item.f 不存在，并且 n 的计数 不少于 1，那么 state 与 \"paid\" 不同",
                "a 存在，或者 b 存在，或者 \"a b\" 不存在",
                "pool 里同时最多有 3 个",
                "c1 c3 能进入 pool",
                "程序没进过 pool，就不会自行结束",
                "每个客户端始终能继续",
            ]
        );
        let marks = marks(&stage);
        assert_eq!((marks[2], marks[3], marks[6], marks[8]), (Mark::AtEnd, Mark::Holds, Mark::AtEnd, Mark::BySearch));
    }

    #[test]
    fn each_breach_has_its_own_sentence() {
        let place = world::ClientThread { client: 1, thread: 0 };
        let breaches = [
            Breach::Crowd { section: "pool".into(), last: place, inside: 4 },
            Breach::Untrue,
            Breach::GaveUp { client: 1 },
            Breach::Starved { client: 1 },
        ];
        let said = |t| breaches.each_ref().map(|breach| plain(&why(t, breach, &|client| format!("c{}", client + 1))));
        assert_eq!(
            said(Lang::En),
            [
                "c2 entered pool, and then 4 were inside.",
                "The claim was not true then.",
                "c2 ended without ever getting in.",
                "From here on c2 can never go on.",
            ]
        );
        assert_eq!(
            said(Lang::ZhCn),
            [
                "c2 一进来，pool 里就有了 4 个。",
                "这时断言不成立。",
                "c2 始终没有进入，就自行结束了。",
                "从这里起，c2 再也无法继续。"
            ]
        );
    }
}
