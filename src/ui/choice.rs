//! A choice among a few values: a native `<select>`.
use web_sys::HtmlSelectElement;
use yew::prelude::*;

use super::html;

/// A list of values, one of them selected. `label` is its accessible name, needed if no enclosing element labels it.
pub fn choice<T: Clone + PartialEq + 'static>(
    label: Option<&'static str>,
    testid: &'static str,
    among: &[T],
    chosen: &T,
    shown: impl Fn(&T) -> String,
    onchoose: impl Fn(T) + 'static,
) -> Html {
    let values = among.to_vec();
    let onchange = Callback::from(move |event: Event| {
        let nth: Option<usize> = event.target_unchecked_into::<HtmlSelectElement>().value().parse().ok();
        if let Some(value) = nth.and_then(|nth| values.get(nth)) {
            onchoose(value.clone());
        }
    });
    html! {
        <select class="field" aria-label={label} {onchange} data-testid={testid}>
            { for among.iter().enumerate().map(|(nth, value)| html! {
                <option value={nth.to_string()} selected={value == chosen}>{ shown(value) }</option>
            }) }
        </select>
    }
}
