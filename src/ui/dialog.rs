//! A modal dialog based on the native `<dialog>`: the focus stays inside, Escape closes it, and the focus returns afterwards.
use web_sys::HtmlDialogElement;
use yew::prelude::*;

use super::{Button, Picture, html, part};
use crate::hooks::use_lang;

/// A modal dialog with a heading, which is also its accessible name; it is open while it is rendered. `onclose` is called when the reader
/// closes it in any way.
pub fn dialog(title: &'static str, onclose: Callback<()>, testid: &'static str, children: Html) -> Html {
    part::<Dialog>(DialogProps { title, onclose, children, testid, is_wide: false })
}

/// A wider dialog, with room for a table.
pub fn wide_dialog(title: &'static str, onclose: Callback<()>, testid: &'static str, children: Html) -> Html {
    part::<Dialog>(DialogProps { title, onclose, children, testid, is_wide: true })
}

#[derive(Clone, PartialEq, Properties)]
struct DialogProps {
    title: &'static str,
    onclose: Callback<()>,
    children: Html,
    testid: &'static str,
    is_wide: bool,
}

#[component]
fn Dialog(props: &DialogProps) -> Html {
    let t = use_lang();
    let node = use_node_ref();
    {
        let node = node.clone();
        use_effect_with((), move |()| {
            if let Some(dialog) = node.cast::<HtmlDialogElement>() {
                // Fails only if the dialog is already open, which is fine.
                let _ = dialog.show_modal();
            }
        });
    }
    let close = {
        let onclose = props.onclose.clone();
        Callback::from(move |_: MouseEvent| onclose.emit(()))
    };
    let closed = {
        let onclose = props.onclose.clone();
        Callback::from(move |_: Event| onclose.emit(()))
    };
    // A click on the backdrop hits the dialog element itself.
    let backdrop = {
        let (node, onclose) = (node.clone(), props.onclose.clone());
        Callback::from(move |event: MouseEvent| {
            let hit = event.target().zip(node.get()).is_some_and(|(target, node)| target.loose_eq(&node));
            if hit {
                onclose.emit(());
            }
        })
    };
    html! {
        <dialog ref={node} class="dialog" aria-labelledby="dialog-title" onclose={closed} onmousedown={backdrop}
            data-wide={props.is_wide.then_some("")} data-testid={props.testid}>
            <div class="dialog-head">
                <h2 id="dialog-title">{ props.title }</h2>
                { Button::icon(Picture::Close, t.close()).on(close) }
            </div>
            <div class="dialog-body">{ props.children.clone() }</div>
        </dialog>
    }
}
