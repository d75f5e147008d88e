//! A text field for renaming something in place.
use web_sys::HtmlInputElement;
use yew::prelude::*;

use super::html;

/// Properties of [`NameField`].
#[derive(Clone, PartialEq, Properties)]
pub struct NameFieldProps {
    /// The current name.
    pub name: String,
    /// Accessible name of the field.
    pub label: String,
    /// Maximum length, in characters.
    pub most: u32,
    /// Called with the new name, or `None` if the reader cancelled.
    pub ondone: Callback<Option<String>>,
}

/// The field: Enter and leaving it accept the name, Escape cancels.
#[component]
pub fn NameField(props: &NameFieldProps) -> Html {
    let node = use_node_ref();
    // Escape also removes the focus: only the first of the two events counts.
    let is_done = use_mut_ref(|| false);
    {
        let node = node.clone();
        use_effect_with((), move |()| {
            if let Some(input) = node.cast::<HtmlInputElement>() {
                let _ = input.focus();
                input.select();
            }
        });
    }
    let finish = {
        let (node, ondone) = (node.clone(), props.ondone.clone());
        move |is_kept: bool| {
            if is_done.replace(true) {
                return;
            }
            let name = node.cast::<HtmlInputElement>().map(|input| input.value().trim().to_owned());
            ondone.emit(name.filter(|name| is_kept && !name.is_empty()));
        }
    };
    let submit = {
        let finish = finish.clone();
        Callback::from(move |event: SubmitEvent| {
            event.prevent_default();
            finish(true);
        })
    };
    let left = {
        let finish = finish.clone();
        Callback::from(move |_: FocusEvent| finish(true))
    };
    let key = Callback::from(move |event: KeyboardEvent| {
        if event.key() == "Escape" {
            event.stop_propagation();
            finish(false);
        }
    });
    html! {
        <form class="name-field" onsubmit={submit}>
            <input ref={node} class="field" value={props.name.clone()} maxlength={props.most.to_string()} onblur={left} onkeydown={key}
                aria-label={props.label.clone()} />
        </form>
    }
}
