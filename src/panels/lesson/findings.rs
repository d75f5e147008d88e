//! Results of a check: the result of each variation, what was skipped or never tested, and why a repair does not pass.
use ::lesson::repair::{Repair, Variation};
use world::Property;
use world::explore::Cut;
use yew::prelude::*;

use super::functions::number;
use super::prose;
use crate::hooks::CheckHandle;
use crate::i18n::messages::{RepairBrokeOff, RepairBroken, RepairOutcome, RepairUntested};
use crate::i18n::{Lang, code, plain, rich};
use crate::panels::programs::fault_words;
use crate::state::explorer::why_untested;
use crate::state::lab::status::ProgramError;
use crate::state::lab::verdict::name;
use crate::state::lesson::property_of;
use crate::state::repair::{Judged, Refused, Run, VariationVerdict};
use crate::ui::{Picture, html, icon};

/// Why the functions cannot be checked.
pub fn describe_refusal(t: Lang, refused: &Refused) -> String {
    match refused {
        Refused::Mark(line) => t.repair_mark(&line.to_string()),
        Refused::Missing(names) => {
            let names: Vec<String> = names.iter().map(|name| code(&format!("{name}()"))).collect();
            t.repair_missing(&names.join(t.step_comma()))
        }
        Refused::Program(ProgramError::Endless, Some(line)) => t.repair_endless_at(&line.to_string()),
        Refused::Program(ProgramError::Endless, None) => t.repair_endless().to_owned(),
        Refused::Program(fault @ ProgramError::DoesNotCompile(_), line) => {
            t.repair_wrong(&fault_words(t, fault, *line))
        }
        Refused::Program(fault, line) => t.repair_fails(&fault_words(t, fault, *line)),
        Refused::Idle => t.repair_idle().to_owned(),
        Refused::Broken => t.course_stuck().to_owned(),
    }
}

/// The variations checked so far and the current one; the remaining ones are only counted.
pub fn findings(t: Lang, check: &CheckHandle, run: &Run, repair: &Repair) -> Html {
    let states = check.search_now().and_then(|search| search.progress).map_or(0, |progress| progress.states);
    let begun = run.judged().len().saturating_add(usize::from(!run.is_over()));
    let rest = repair.variations.len().saturating_sub(begun);
    html! {
        <>
            <ul class="repair-findings">
                { for repair.variations.iter().take(begun).enumerate().map(|(nth, variation)| {
                    let judged = run.judged().get(nth);
                    let (picture, word) = sign(judged);
                    let what = judged.map_or_else(|| t.repair_searching(number(states)), |judged| describe(t, variation, judged));
                    html! {
                        <li key={nth} data-verdict={word}>
                            if let Some(picture) = picture { { icon(picture) } }
                            <strong>{ &variation.title }</strong>{ " " }{ rich(&what) }
                        </li>
                    }
                }) }
                if let Some(what) = untested(t, run, repair) {
                    <li data-verdict="untested">{ icon(Picture::Help) }{ rich(&what) }</li>
                }
            </ul>
            if let Some((who, fault, line)) = run.broke_off() {
                <p class="repair-refused" data-testid="repair-refused">{ rich(&t.say(RepairBrokeOff { who: &code(who), why: &fault_words(t, fault, *line) })) }</p>
            }
            if rest > 0 && !run.has_passed() { <p class="soft small">{ t.repair_rest(number(rest)) }</p> }
            if run.has_passed() {
                <p class="task-done" data-testid="repair-done">{ icon(Picture::Check) }{ t.repair_done(number(repair.variations.len())) }</p>
            }
        </>
    }
}

/// The explanation of a known mistake, if the repair makes one.
pub fn known(t: Lang, run: &Run, repair: &Repair) -> Html {
    let Some(wrong) = run.known(repair) else { return Html::default() };
    html! {
        <section class="repair-wrong" data-testid="repair-known">
            <h4>{ t.repair_known(&wrong.title) }</h4>
            { prose(&wrong.html) }
        </section>
    }
}

/// The result of a finished check in one sentence, for screen readers.
pub fn outcome(t: Lang, run: &Run, repair: &Repair) -> String {
    if run.has_passed() {
        return t.repair_done(number(repair.variations.len()));
    }
    let last = || {
        let judged = run.judged().last()?;
        let variation = repair.variations.get(run.judged().len().checked_sub(1)?)?;
        Some(t.say(RepairOutcome { title: &variation.title, what: &describe(t, variation, judged) }))
    };
    plain(&untested(t, run, repair).or_else(last).unwrap_or_default())
}

/// Icon and word of a verdict; the word is for tests and style sheets.
fn sign(judged: Option<&Judged>) -> (Option<Picture>, &'static str) {
    match judged.map(|judged| &judged.verdict) {
        None => (None, "running"),
        Some(VariationVerdict::Holds) => (Some(Picture::Check), "holds"),
        Some(VariationVerdict::Broken { .. }) => (Some(Picture::Close), "broken"),
        Some(VariationVerdict::Undecided(_)) => (Some(Picture::Help), "undecided"),
        Some(VariationVerdict::Failed) => (None, "failed"),
    }
}

/// The result of a variation in one or two sentences. Names in it have the marks of [`code`].
pub fn describe(t: Lang, variation: &Variation, judged: &Judged) -> String {
    let states = number(judged.states);
    let called = |property: &Property| {
        let found = variation.properties.iter().find(|other| property_of(other).as_ref() == Some(property));
        found.map_or_else(|| plain(&name(t, property)), |found| found.title.clone())
    };
    match &judged.verdict {
        VariationVerdict::Holds => t.repair_holds(states),
        VariationVerdict::Broken { property, schedule, .. } if schedule.is_empty() => {
            t.repair_broken_at_once(&called(property))
        }
        VariationVerdict::Broken { property, schedule, .. } => {
            t.say(RepairBroken { steps: number(schedule.len()), property: &called(property) })
        }
        VariationVerdict::Undecided(Cut::Depth) => t.repair_cut_depth(u64::from(judged.depth)),
        VariationVerdict::Undecided(Cut::States) => t.repair_cut_states(states),
        VariationVerdict::Undecided(Cut::Memory) => t.repair_cut_memory(states),
        VariationVerdict::Undecided(Cut::Stopped) => t.repair_cut_stopped(states),
        VariationVerdict::Failed => t.repair_failed().to_owned(),
    }
}

/// If everything holds: what was never tested, and why.
fn untested(t: Lang, run: &Run, repair: &Repair) -> Option<String> {
    let (nth, of) = run.idle()?;
    let property = repair.variations.get(nth)?.properties.get(of)?;
    Some(t.say(RepairUntested { property: &property.title, why: &why_untested(t, &property_of(property)?) }))
}

#[cfg(test)]
mod tests {
    use world::Input;

    use super::*;

    fn judged(verdict: VariationVerdict) -> Judged {
        Judged { verdict, states: 1_234, depth: 56, untested: 0 }
    }

    #[test]
    fn each_verdict_has_its_own_words_in_both_languages() {
        let owner = Property::OnlyOwnerReleases { key: "lock".into() };
        let property = ::lesson::Property {
            id: "owner".into(),
            title: "Only the owner releases".into(),
            text: "only-owner-releases lock".into(),
            ..::lesson::Property::default()
        };
        let variation = Variation { properties: vec![property], ..Variation::default() };
        let broken = |schedule: &[Input]| VariationVerdict::Broken {
            property: owner.clone(),
            schedule: schedule.to_vec(),
            way: String::new(),
        };
        let verdicts = [
            VariationVerdict::Holds,
            broken(&[]),
            broken(&[Input::Advance { ms: 1 }]),
            VariationVerdict::Undecided(Cut::Depth),
            VariationVerdict::Undecided(Cut::States),
            VariationVerdict::Undecided(Cut::Memory),
            VariationVerdict::Undecided(Cut::Stopped),
            VariationVerdict::Failed,
        ];
        for t in [Lang::En, Lang::ZhCn] {
            let said: Vec<String> =
                verdicts.iter().map(|verdict| describe(t, &variation, &judged(verdict.clone()))).collect();
            for (nth, one) in said.iter().enumerate() {
                assert!(!one.is_empty() && !said.iter().take(nth).any(|other| other == one), "{one}");
            }
            assert_eq!(said.iter().filter(|said| said.contains("Only the owner releases")).count(), 2, "{said:?}");
        }
    }

    #[test]
    fn each_property_says_in_its_own_words_what_never_happened() {
        let read = |text: &str| property_of(&::lesson::Property { text: text.into(), ..Default::default() }).unwrap();
        let texts = [
            "mutual-exclusion",
            "only-owner-releases lock",
            "sum always = 5 key stock",
            "everyone-gets-in s",
            "checks",
            "no-errors",
            "nobody-gives-up s",
            "always exists key a",
            "always if exists key a then exists key b",
            "end if exists key a then exists key b",
        ];
        for t in [Lang::En, Lang::ZhCn] {
            let mut said = texts.map(|text| why_untested(t, &read(text))).to_vec();
            assert!(said[1].contains("lock"));
            said.sort();
            said.dedup();
            assert_eq!(said.len(), texts.len());
        }
    }

    #[test]
    fn each_refusal_says_what_to_do() {
        let refusals = [
            Refused::Mark(3),
            Refused::Missing(vec!["acquire".into(), "release".into()]),
            Refused::Program(ProgramError::Endless, Some(2)),
            Refused::Program(ProgramError::Endless, None),
            Refused::Program(ProgramError::DoesNotCompile("why".into()), Some(2)),
            Refused::Program(ProgramError::Error("why".into()), Some(2)),
            Refused::Idle,
            Refused::Broken,
        ];
        for t in [Lang::En, Lang::ZhCn] {
            let said = refusals.clone().map(|refused| plain(&describe_refusal(t, &refused)));
            assert!(
                said[0].contains('3') && said[1].contains("acquire()") && said[1].contains("release()"),
                "{said:?}"
            );
            assert!(said[2].contains('2'), "{said:?}");
            for (nth, one) in said.iter().enumerate() {
                assert!(!one.is_empty() && !said.iter().take(nth).any(|other| other == one), "{one}");
            }
        }
    }
}
