//! The verdict: each property with a mark, the reason if it was broken, and a link to the step that broke it.
use world::{Breach, Property};
use yew::prelude::*;

use crate::hooks::{SessionHandle, SessionPart, use_brought_into_view, use_lang, use_session_for};
use crate::i18n::messages::VerdictOrder;
use crate::i18n::{Lang, rich};
use crate::panels::explorer::Explorer;
use crate::state::lab::verdict::{Mark, first_break, mark, name, why_of};
use crate::state::lesson::{Opened, title_of};
use crate::ui::{Button, Picture, html, part};

/// The verdict, and below it the search for a schedule that breaks a property.
#[component]
pub fn Findings() -> Html {
    html! { <div class="findings">{ part::<Verdict>(()) }{ part::<Explorer>(()) }</div> }
}

/// All watched properties.
#[component]
fn Verdict() -> Html {
    let t = use_lang();
    let session = use_session_for(&[SessionPart::Steps]);
    let opened = use_context::<Opened>();
    let title = |property: &Property| title_of(&opened.as_ref()?.lesson, session.world(), property).map(str::to_owned);
    let verdicts = session.world().watch().verdicts().enumerate();
    // A deadlock has no event, but has to be shown.
    let is_stuck = session.is_dead_lock();
    let seen = |property: &Property| (is_stuck && session.searches_for(property)).then_some(&Breach::Stuck);
    let is_empty = session.world().watch().is_empty();
    let order_node = use_node_ref();
    // The search below may have scrolled the verdict out of view.
    use_brought_into_view(&order_node, session.decisive().cloned());
    html! {
        <section class="panel verdict" aria-label={t.verdict_title()} data-testid="verdict">
            <div class="panel-head" data-bare=""><h2>{ t.verdict_title() }</h2></div>
            <div class="panel-body" tabindex="0">
                if is_empty { <div class="panel-empty"><p>{ t.verdict_none() }</p></div> }
                <ul class="verdict-list">
                    { for verdicts.map(|(number, (property, breach))| item(t, &session, number, property, breach.or(seen(property)), title(property), &order_node)) }
                </ul>
            </div>
        </section>
    }
}

fn item(
    t: Lang,
    session: &SessionHandle,
    number: usize,
    property: &Property,
    breach: Option<&Breach>,
    title: Option<String>,
    order_node: &NodeRef,
) -> Html {
    let mark = mark(session.world(), property, breach);
    let (sign, tag, word) = match mark {
        Mark::Holds => ("✓", "holds", t.verdict_holds()),
        Mark::Kept => ("✓", "kept", t.verdict_kept()),
        Mark::Broken => ("✕", "broken", t.verdict_broken()),
        Mark::AtEnd => ("…", "open", t.verdict_open()),
        Mark::BySearch => ("…", "open", t.verdict_open_search()),
    };
    let name_of = |client| session.name_of(client);
    let decisive = session.decisive().filter(|decisive| decisive.property == *property);
    let place = breach.and_then(|_| first_break(session.timeline(), number));
    let go = place.map(|place| {
        let session = session.clone();
        Callback::from(move |_: MouseEvent| session.seek(place))
    });
    // A lesson can have its own names for properties.
    let called = title.map_or_else(|| rich(&name(t, property)), Html::from);
    html! {
        <li key={number} class="verdict-item" data-mark={tag}>
            <span class="verdict-sign" aria-hidden="true">{ sign }</span>
            <div class="verdict-words">
                <p><b>{ called }</b>{ " " }<span class="verdict-mark">{ word }</span></p>
                if let Some(breach) = breach { <p>{ rich(&why_of(t, Some(property), breach, &name_of)) }</p> }
                { for decisive.map_or(&[][..], |decisive| decisive.pairs_on(session.timeline())).iter().map(|(first, second)| {
                    let (first, second) = (session.number_of(*first), session.number_of(*second));
                    html! { <p ref={order_node.clone()} class="verdict-order" data-testid="verdict-order">{ t.say(VerdictOrder { first, second }) }</p> }
                }) }
            </div>
            if let Some(go) = go {
                { Button::words(t.verdict_go()).picture(Picture::Previous).on(go) }
            }
        </li>
    }
}
