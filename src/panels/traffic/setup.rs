//! The form of the traffic settings: fields with their units, the handler, and error messages.
use std::rc::Rc;

use web_sys::{HtmlInputElement, HtmlTextAreaElement};
use yew::prelude::*;

use crate::hooks::use_lang;
use crate::i18n::Lang;
use crate::state::traffic::draft::{Draft, Plan, Popular};
use crate::state::traffic::field::Field;
use crate::state::traffic::handlers::Starter;
use crate::state::traffic::scenarios::Scenario;
use crate::state::traffic::shape::Shape;
use crate::state::traffic::slider::{position, values};
use crate::state::traffic::stage::Stage;
use crate::ui::{Button, ButtonLook, choice, html};

/// Properties of [`Setup`].
#[derive(Clone, PartialEq, Properties)]
pub struct SetupProps {
    /// The current settings.
    pub plan: Plan,
    /// Whether traffic has run already.
    pub has_run: bool,
    /// The servers of this session; `None` if a plan always opens a new session.
    pub stage: Option<Stage>,
    /// Runs traffic with these settings.
    pub onrun: Callback<Plan>,
    /// Whether traffic stops when its handler fails.
    pub stops_at_fault: bool,
    /// Sets `stops_at_fault`.
    pub onfault: Callback<bool>,
}

/// Fields that are always shown; the others are collapsed.
const FIRST: [Field; 10] = [
    Field::Rate,
    Field::Duration,
    Field::Items,
    Field::Exponent,
    Field::Hot,
    Field::Absent,
    Field::Writes,
    Field::DatabaseWorkers,
    Field::DatabaseMs,
    Field::DatabaseConnections,
];

/// The form of the traffic settings.
#[component]
pub fn Setup(props: &SetupProps) -> Html {
    let t = use_lang();
    let draft = {
        let plan = props.plan.clone();
        use_state(move || Draft::of(&plan))
    };
    {
        // When the traffic at the cursor has other settings, the form shows those. Its duration does not reset the form.
        let (draft, plan) = (draft.clone(), props.plan.clone());
        let of = (props.plan.traffic.clone(), props.plan.stage.clone());
        use_effect_with(of, move |_| {
            // After a run the form already has these settings.
            let is_own = |own: Plan| own.traffic == plan.traffic && own.stage == plan.stage;
            if !draft.plan().is_ok_and(is_own) {
                draft.set(Draft::of(&plan));
            }
        });
    }
    let read = draft.plan();
    let wrong = read.as_ref().err().copied();
    let field = |field: Field| -> Html {
        let fault = wrong.filter(|wrong| wrong.field() == field).map(|wrong| wrong.describe(t));
        let id = format!("traffic-field-{}", field as u32);
        let describes = fault.is_some().then(|| format!("{id}-wrong"));
        let oninput = {
            let draft = draft.clone();
            Callback::from(move |event: InputEvent| {
                let text = event.target_unchecked_into::<HtmlInputElement>().value();
                draft.set(draft.with(field, &text));
            })
        };
        html! {
            <div class="traffic-field" key={id.clone()}>
                <label>
                    <span>{ field.label(t) }</span>
                    <input class="field" type="text" autocomplete="off" spellcheck="false" value={draft.text(field).to_string()} {oninput}
                        aria-invalid={fault.is_some().then_some("true")} aria-describedby={describes.clone()} data-testid={id} />
                </label>
                if !draft.has_points(field) { { slider(t, &draft, field) } }
                if let Some(fault) = fault { <span class="traffic-wrong" id={describes} role="alert">{ fault }</span> }
            </div>
        }
    };
    let shown = |among: &[Field]| -> Vec<Html> {
        among.iter().filter(|each| draft.has(**each)).map(|each| field(*each)).collect()
    };
    let others: Vec<Field> = Field::ALL.into_iter().filter(|each| !FIRST.contains(each)).collect();
    let is_other_wrong = wrong.is_some_and(|wrong| others.contains(&wrong.field()));
    let opens_session = read.as_ref().is_ok_and(|plan| props.stage.as_ref() != Some(&plan.stage));
    let run = {
        let (onrun, read) = (props.onrun.clone(), read.clone());
        Callback::from(move |_: MouseEvent| {
            if let Ok(plan) = &read {
                onrun.emit(plan.clone());
            }
        })
    };
    let onhandler = {
        let draft = draft.clone();
        Callback::from(move |event: InputEvent| {
            let lua: Rc<str> = event.target_unchecked_into::<HtmlTextAreaElement>().value().into();
            draft.set(draft.changed(|draft| draft.lua = lua));
        })
    };
    let words = if props.has_run { t.traffic_run_again() } else { t.traffic_run() };
    html! {
        <div class="traffic-setup" data-testid="traffic-setup">
            <label class="traffic-preset"><span>{ t.traffic_scenario() }</span>{ scenario(t, &draft, read.as_ref().ok()) }</label>
            <div class="traffic-fields">
                { shape(t, &draft) }
                { popularity(t, &draft) }
                { for shown(&FIRST).into_iter() }
            </div>
            <details open={is_other_wrong}>
                <summary data-testid="traffic-more">{ t.traffic_setup_more() }</summary>
                <div class="traffic-fields">
                    { for shown(&others).into_iter() }
                    { service(t, &draft) }
                </div>
            </details>
            <div class="traffic-handler">
                <label class="traffic-preset"><span>{ t.traffic_handler_preset() }</span>{ preset(t, &draft) }</label>
                <label for="traffic-lua">{ t.traffic_handler() }</label>
                <textarea id="traffic-lua" class="field traffic-lua" spellcheck="false" autocapitalize="off" rows="12" value={draft.lua.to_string()}
                    oninput={onhandler} data-testid="traffic-lua" />
                { at_fault(t, props) }
            </div>
            <div class="traffic-acts">
                { Button::words(words).look(ButtonLook::Tool).disabled(read.is_err()).testid("traffic-run").on(run) }
                if opens_session {
                    <span class="soft">{ t.traffic_run_fresh() }</span>
                    if props.has_run { <span class="soft">{ t.traffic_run_fresh_compared() }</span> }
                }
            </div>
        </div>
    }
}

/// The slider of a field: it shows the field's value and changes it.
fn slider(t: Lang, draft: &UseStateHandle<Draft>, field: Field) -> Html {
    let values = values(field);
    let held = draft.single(field);
    let place = held.map_or(0, |held| position(&values, held));
    let spoken = held.map_or_else(|| draft.text(field).to_string(), |held| field.spoken(t, held));
    let last = values.len().saturating_sub(1);
    let oninput = {
        let draft = draft.clone();
        Callback::from(move |event: InputEvent| {
            let place: Option<usize> = event.target_unchecked_into::<HtmlInputElement>().value().parse().ok();
            if let Some(value) = place.and_then(|place| values.get(place)) {
                draft.set(draft.with(field, &field.text_of(*value)));
            }
        })
    };
    html! {
        <input type="range" class="traffic-slider" min="0" max={last.to_string()} value={place.to_string()} {oninput}
            aria-label={field.label(t)} aria-valuetext={spoken} data-testid={format!("traffic-slider-{}", field as u32)} />
    }
}

/// Selects a scenario, which fills the whole form.
fn scenario(t: Lang, draft: &UseStateHandle<Draft>, plan: Option<&Plan>) -> Html {
    let chosen = plan.and_then(Scenario::of);
    let among: Vec<Option<Scenario>> =
        chosen.is_none().then_some(None).into_iter().chain(Scenario::ALL.into_iter().map(Some)).collect();
    let shown =
        |scenario: &Option<Scenario>| scenario.map_or(t.traffic_scenario_own(), |scenario| scenario.name(t)).to_owned();
    let set = draft.clone();
    choice(None, "traffic-scenario", &among, &chosen, shown, move |scenario| {
        if let Some(scenario) = scenario {
            set.set(Draft::of(&scenario.plan()));
        }
    })
}

/// Selects the shape of the rate, which writes its points.
fn shape(t: Lang, draft: &UseStateHandle<Draft>) -> Html {
    let chosen = draft.shape();
    let points = (chosen == Shape::Points).then_some(Shape::Points);
    let among: Vec<Shape> = [Shape::Steady, Shape::Ramp, Shape::Spike].into_iter().chain(points).collect();
    let shown = |shape: &Shape| {
        match shape {
            Shape::Steady => t.traffic_shape_steady(),
            Shape::Ramp => t.traffic_shape_ramp(),
            Shape::Spike => t.traffic_shape_spike(),
            Shape::Points => t.traffic_shape_points(),
        }
        .to_owned()
    };
    let set = draft.clone();
    html! {
        <label class="traffic-field">
            <span>{ t.traffic_shape() }</span>
            { choice(None, "traffic-shape", &among, &chosen, shown, move |shape| set.set(set.shaped(shape))) }
        </label>
    }
}

fn popularity(t: Lang, draft: &UseStateHandle<Draft>) -> Html {
    let shown = |popular: &Popular| {
        match popular {
            Popular::Zipf => t.traffic_popularity_zipf(),
            Popular::Uniform => t.traffic_popularity_uniform(),
            Popular::Hot => t.traffic_popularity_hot(),
        }
        .to_owned()
    };
    let set = draft.clone();
    html! {
        <label class="traffic-field">
            <span>{ t.traffic_popularity() }</span>
            { choice(None, "traffic-popularity", &[Popular::Zipf, Popular::Uniform, Popular::Hot], &draft.popular, shown,
                move |popular| set.set(set.changed(|draft| draft.popular = popular))) }
        </label>
    }
}

fn at_fault(t: Lang, props: &SetupProps) -> Html {
    let shown = |stops: &bool| if *stops { t.traffic_fault_stop() } else { t.traffic_fault_go_on() }.to_owned();
    let onfault = props.onfault.clone();
    html! {
        <label class="traffic-preset">
            <span>{ t.traffic_fault_then() }</span>
            { choice(None, "traffic-at-fault", &[false, true], &props.stops_at_fault, shown, move |stops| onfault.emit(stops)) }
        </label>
    }
}

fn service(t: Lang, draft: &UseStateHandle<Draft>) -> Html {
    let shown = |is_exponential: &bool| {
        if *is_exponential { t.traffic_service_exponential() } else { t.traffic_service_fixed() }.to_owned()
    };
    let set = draft.clone();
    html! {
        <label class="traffic-field">
            <span>{ t.traffic_service() }</span>
            { choice(None, "traffic-service", &[false, true], &draft.is_exponential, shown,
                move |is_exponential| set.set(set.changed(|draft| draft.is_exponential = is_exponential))) }
        </label>
    }
}

/// Selects a predefined handler. An edited handler counts as the reader's own.
fn preset(t: Lang, draft: &UseStateHandle<Draft>) -> Html {
    let chosen = Starter::of(&draft.lua);
    let among: Vec<Option<Starter>> =
        Starter::ALL.into_iter().map(Some).chain(chosen.is_none().then_some(None)).collect();
    let shown =
        |handler: &Option<Starter>| handler.map_or(t.traffic_handler_own(), |handler| handler.name(t)).to_owned();
    let set = draft.clone();
    choice(None, "traffic-preset", &among, &chosen, shown, move |handler| {
        if let Some(handler) = handler {
            set.set(set.changed(|draft| draft.lua = handler.text().into()));
        }
    })
}
