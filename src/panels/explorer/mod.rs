//! "Find a bug": tries all schedules, the shortest first; a schedule that it finds can be loaded and shared.
mod limits;

use lesson::Budget;
use wasm_bindgen_futures::spawn_local;
use world::Property;
use yew::prelude::*;

use crate::hooks::course::use_lesson;
use crate::hooks::{
    NoticesHandle, SessionHandle, SessionPart, files, link, use_brought_into_view, use_explorer, use_lang, use_notices,
    use_session_for,
};
use crate::i18n::messages::ExploreUntested;
use crate::i18n::{Lang, plain, rich};
use crate::state::explorer::{Finding, Search, Wish, beginning, request, why_untested};
use crate::state::lab::verdict::name;
use crate::state::lesson::{faults, stage_of, title_of};
use crate::state::notices::NoticeText;
use crate::ui::{Button, ButtonLook, Picture, html};

/// The panel. The lesson sets faults and limits unless the reader changes them.
#[component]
pub fn Explorer() -> Html {
    let t = use_lang();
    let opened = use_lesson();
    let session = use_session_for(&[SessionPart::Steps]);
    let notices = use_notices();
    let explorer = use_explorer();
    // The reader's choices apply only to the stage for which they were made.
    let stage = stage_of(&opened.lesson, &session);
    let wished = use_state_eq(|| None::<(String, Wish)>);
    let id = stage.map(|stage| stage.id.clone()).unwrap_or_default();
    let wish = wished.as_ref().filter(|(on, _)| *on == id).map(|(_, wish)| wish.clone()).unwrap_or_else(|| {
        let budget = stage.map_or(&opened.lesson.budget, |stage| &stage.budget);
        let Budget { clients, depth, .. } = *budget;
        Wish { clients, faults: faults(budget), depth, ..Wish::default() }
    });
    let set = {
        let setter = wished.setter();
        Callback::from(move |wish: Wish| setter.set(Some((id.clone(), wish))))
    };
    // A lesson can have its own names for properties.
    let called = |property: &Property| {
        title_of(&opened.lesson, session.world(), property).map_or_else(|| plain(&name(t, property)), str::to_owned)
    };
    let is_running = explorer.search.as_ref().is_some_and(|search| search.finding.is_none());
    let world = session.world();
    let is_idle = world.watch().is_empty() || world.clients().all(|(_, found)| found.program.is_none());
    let find = {
        let (session, explorer, wish) = (session.clone(), explorer.clone(), wish.clone());
        Callback::from(move |_: MouseEvent| {
            if let Some(beginning) = beginning(session.timeline(), &wish) {
                let request = request(session.timeline(), &beginning, &wish);
                explorer.begin(beginning, &request);
            }
        })
    };
    let stop = {
        let explorer = explorer.clone();
        Callback::from(move |_: MouseEvent| explorer.stop())
    };
    let search = explorer.search.as_deref();
    let outcome = use_node_ref();
    use_brought_into_view(&outcome, search.map(word));
    html! {
        <section class="panel explorer" aria-label={t.explore_title()} data-found={search.map(|_| "")} data-testid="explorer">
            <div class="panel-head" data-bare=""><h2>{ t.explore_title() }</h2></div>
            <div class="panel-body explorer-body">
                <div class="explorer-ask">
                    if is_running {
                        { Button::words(t.explore_stop()).picture(Picture::Stop).testid("explore-stop").on(stop) }
                    } else {
                        { Button::words(t.explore_find()).look(ButtonLook::Tool).picture(Picture::Search)
                            .disabled(is_idle).testid("explore-find").on(find) }
                    }
                    { limits::goal(t, session.world(), &wish, &set, &called) }
                </div>
                <div class="explorer-rest">
                    if is_idle { <p class="soft">{ t.explore_idle() }</p> }
                    <div ref={outcome} class="explorer-outcome" data-quiet={search.is_none().then_some("")}>
                        if let Some(search) = search { { progress(t, search) } }
                        <div role="status" data-testid="explore-result" data-finding={search.map(word)}>
                            if let Some(search) = search {
                                <p class="explorer-result">{ rich(&search.describe(t, &called)) }</p>
                                { for search.untested().into_iter().map(|property| untested(t, property, &called(property))) }
                            }
                        </div>
                        if let Some(search) = search { { actions(t, &session, &notices, search) } }
                    </div>
                    { limits::limits(t, &wish, &set) }
                </div>
            </div>
        </section>
    }
}

/// A property that no schedule tested, with the reason.
fn untested(t: Lang, property: &Property, called: &str) -> Html {
    let why = why_untested(t, property);
    html! { <p class="explorer-result" data-testid="explore-untested">{ rich(&t.say(ExploreUntested { property: called, why: &why })) }</p> }
}

/// Progress of the search; not announced by screen readers.
fn progress(t: Lang, search: &Search) -> Html {
    let Some(progress) = search.progress.filter(|_| search.finding.is_none()) else { return Html::default() };
    let number = |n: usize| u64::try_from(n).unwrap_or(u64::MAX);
    html! {
        <dl class="explorer-progress tabular" data-testid="explore-progress">
            <div><dt>{ t.explore_states_now() }</dt><dd>{ t.explore_number(number(progress.states)) }</dd></div>
            <div><dt>{ t.explore_rate() }</dt><dd>{ search.rate().map(|rate| t.explore_number(rate)).unwrap_or_default() }</dd></div>
            <div><dt>{ t.explore_frontier() }</dt><dd>{ t.explore_number(number(progress.frontier)) }</dd></div>
            <div><dt>{ t.explore_depth_now() }</dt><dd>{ t.explore_number(u64::from(progress.depth)) }</dd></div>
        </dl>
    }
}

/// The state of the search in one word, for tests and style sheets.
fn word(search: &Search) -> &'static str {
    match &search.finding {
        None => "running",
        Some(Finding::Broken { .. }) => "broken",
        Some(Finding::Nothing { cut: None }) => "nothing",
        Some(Finding::Nothing { cut: Some(_) }) => "cut",
        Some(Finding::BrokeDown(_) | Finding::Unreachable) => "failed",
    }
}

/// Buttons for a schedule that was found.
fn actions(t: Lang, session: &SessionHandle, notices: &NoticesHandle, search: &Search) -> Html {
    let Some((after, inputs, ahead)) = search.line() else { return Html::default() };
    let load = {
        let (session, laying) = (session.clone(), search.append_branch());
        Callback::from(move |_: MouseEvent| {
            if let Some(laying) = laying.clone() {
                session.travel(laying);
            }
        })
    };
    let share = {
        let (session, notices) = (session.clone(), notices.clone());
        Callback::from(move |_: MouseEvent| {
            let mut timeline = session.timeline().clone();
            // Appending cannot fail: the schedule was found from this step.
            let _ = timeline.append_branch(after, &inputs, ahead);
            let notices = notices.clone();
            spawn_local(async move {
                let address = link::address_with(&timeline.to_text()).await;
                let length = u64::try_from(address.chars().count()).unwrap_or(u64::MAX);
                let is_copied = files::copy(&address).await;
                notices.say(if is_copied { NoticeText::LinkCopied(length) } else { NoticeText::ClipboardRefused });
            });
        })
    };
    html! {
        <div class="row">
            { Button::words(t.explore_load()).look(ButtonLook::Tool).picture(Picture::Play)
                .title(t.explore_load_hint()).testid("explore-load").on(load) }
            { Button::words(t.explore_share()).picture(Picture::Share).title(t.explore_share_hint())
                .testid("explore-share").on(share) }
        </div>
    }
}
