//! Supported commands: a searchable list of all commands of Redis 7.0 by family, with what is missing and what differs.
use web_sys::HtmlInputElement;
use yew::prelude::*;

use super::DialogOnlyProps;
use crate::hooks::use_summaries;
use crate::i18n::messages::SupportSum;
use crate::i18n::{Lang, late, unmarked};
use crate::state::support::{State, Support, commands, is_wanted};
use crate::ui::{Button, html, wide_dialog};

/// The dialog of supported commands.
#[component]
pub fn SupportPage(props: &DialogOnlyProps) -> Html {
    let t = use_summaries();
    let wanted = use_state_eq(String::new);
    let is_only = use_state_eq(|| false);
    let all = use_memo((t.tag(), t.lacks_summaries()), |_| commands(t));
    let typed = {
        let wanted = wanted.clone();
        Callback::from(move |event: InputEvent| wanted.set(event.target_unchecked_into::<HtmlInputElement>().value()))
    };
    let toggle = {
        let is_only = is_only.clone();
        Callback::from(move |_: MouseEvent| is_only.set(!*is_only))
    };
    let shown: Vec<&Support> = all
        .iter()
        .filter(|support| is_wanted(support, &wanted) && (!*is_only || support.state != State::Modelled))
        .collect();
    let children = html! {
        <>
            <style>{ unmarked(late!("rest", "/src/panels/dialogs/support.css")) }</style>
            <p class="soft">{ sum(t, &all) }</p>
            <div class="row">
                <input class="field support-search" type="search" value={(*wanted).clone()} oninput={typed} autocomplete="off"
                    placeholder={t.support_search()} aria-label={t.support_search()} data-testid="support-search" />
                { Button::words(t.support_only()).pressed(*is_only).testid("support-only").on(toggle) }
            </div>
            if shown.is_empty() { <p class="soft">{ t.support_nothing() }</p> }
            <div class="support" data-testid="support-list">
                { for shown.chunk_by(|a, b| a.group == b.group).map(|family| of_family(t, family)) }
            </div>
        </>
    };
    wide_dialog(t.support_title(), props.onclose.clone(), "support-dialog", children)
}

fn sum(t: Lang, all: &[Support]) -> String {
    let count = |is: fn(&State) -> bool| all.iter().filter(|support| is(&support.state)).count() as u64;
    let whole = count(|state| *state == State::Modelled);
    let not = count(|state| *state == State::NotModelled);
    let all = all.len() as u64;
    t.say(SupportSum { all, whole, differ: all.saturating_sub(whole).saturating_sub(not), not })
}

fn of_family(t: Lang, family: &[&Support]) -> Html {
    let Some(first) = family.first() else { return Html::default() };
    html! {
        <section key={first.group}>
            <h3>{ first.family }{ " " }<code class="soft small">{ format!("@{}", first.group) }</code></h3>
            <ul>{ for family.iter().map(|support| row(t, support)) }</ul>
        </section>
    }
}

fn row(t: Lang, support: &Support) -> Html {
    let (kind, word) = match support.state {
        State::Modelled => ("whole", t.support_modelled()),
        State::Differs => ("differs", t.support_differs()),
        State::Partly(_) => ("differs", t.support_partly()),
        State::NotModelled => ("not", t.support_not()),
    };
    let without = match &support.state {
        State::Partly(names) => t.support_without(&names.join(t.step_comma()).to_ascii_uppercase()),
        _ => String::new(),
    };
    html! {
        <li key={support.name.clone()} data-kind={kind}>
            <code>{ &support.name }</code>
            <span class="support-what">
                { support.summary }
                if let Some(why) = support.why { <small>{ without }{ " " }{ why }</small> }
            </span>
            <span class="chip">{ word }</span>
        </li>
    }
}
