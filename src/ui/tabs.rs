//! Tabs: a list with one selected tab, changed with the pointer or arrow keys. Each tab names the id of the element that it controls.
use wasm_bindgen::JsCast;
use web_sys::HtmlElement;
use yew::prelude::*;

use super::{Picture, html, icon};

/// A tab.
#[derive(Clone, Debug, PartialEq)]
pub struct Tab {
    /// Identifier, unique in its list.
    pub word: String,
    /// Icon, if any.
    pub picture: Option<Picture>,
    /// The visible name.
    pub title: &'static str,
    /// Id of the tab element.
    pub id: String,
    /// Id of the element that it shows.
    pub controls: String,
    /// Id for browser tests (`data-testid`).
    pub testid: String,
}

/// Properties of [`TabList`].
#[derive(Clone, PartialEq, Properties)]
pub struct TabListProps {
    /// CSS class.
    pub class: &'static str,
    /// Accessible name of the list.
    pub label: &'static str,
    /// The tabs.
    pub tabs: Vec<Tab>,
    /// [`Tab::word`] of the selected tab.
    pub chosen: String,
    /// Called with the [`Tab::word`] of the tab that the reader selects.
    pub onchoose: Callback<String>,
}

/// A list of tabs. Only the selected tab is in the tab order; arrow keys move to the others.
#[component]
pub fn TabList(props: &TabListProps) -> Html {
    let list = use_node_ref();
    let key = {
        let (list, props) = (list.clone(), props.clone());
        Callback::from(move |event: KeyboardEvent| {
            let last = props.tabs.len().saturating_sub(1);
            let at = props.tabs.iter().position(|tab| tab.word == props.chosen).unwrap_or(0);
            let to = match event.key().as_str() {
                "ArrowRight" if at >= last => 0,
                "ArrowRight" => at.saturating_add(1),
                "ArrowLeft" => at.checked_sub(1).unwrap_or(last),
                "Home" => 0,
                "End" => last,
                _ => return,
            };
            event.prevent_default();
            event.stop_propagation();
            let Some(tab) = props.tabs.get(to) else { return };
            props.onchoose.emit(tab.word.clone());
            let children = list.cast::<HtmlElement>().map(|list| list.children());
            let element = children.and_then(|children| children.item(u32::try_from(to).ok()?));
            if let Some(element) = element.and_then(|element| element.dyn_into::<HtmlElement>().ok()) {
                // Fails only if the tab cannot have the focus.
                let _ = element.focus();
            }
        })
    };
    // If no tab is selected, the first one can have the focus.
    let stop = props.tabs.iter().position(|tab| tab.word == props.chosen).unwrap_or(0);
    html! {
        <div class={props.class} role="tablist" aria-label={props.label} ref={list} onkeydown={key}>
            { for props.tabs.iter().enumerate().map(|(at, tab)| {
                let (onchoose, word, is_chosen) = (props.onchoose.clone(), tab.word.clone(), tab.word == props.chosen);
                html! {
                    <button key={word.clone()} type="button" class="tab" role="tab" id={tab.id.clone()} aria-controls={tab.controls.clone()}
                        aria-selected={if is_chosen { "true" } else { "false" }} tabindex={if at == stop { "0" } else { "-1" }}
                        data-testid={tab.testid.clone()} onclick={Callback::from(move |_: MouseEvent| onchoose.emit(word.clone()))}>
                        if let Some(picture) = tab.picture { { icon(picture) } }
                        { tab.title }
                    </button>
                }
            }) }
        </div>
    }
}
