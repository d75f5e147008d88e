//! Keeps the keyboard focus in place, even if the pressed button disappears because of its action.
use web_sys::{Element, HtmlElement};
use yew::prelude::*;

/// Moves the focus to this element if the focus was inside it before a render and is lost after it.
#[hook]
pub fn use_kept_focus(node: &NodeRef) {
    // During the render the document is still unchanged.
    let was_inside = holds_focus(node);
    let node = node.clone();
    use_effect(move || {
        if was_inside
            && !holds_focus(&node)
            && let Some(element) = node.cast::<HtmlElement>()
        {
            // Fails only if the element cannot have the focus.
            let _ = element.focus();
        }
    });
}

fn holds_focus(node: &NodeRef) -> bool {
    let active = web_sys::window().and_then(|window| window.document()).and_then(|document| document.active_element());
    // A disabled button is about to lose the focus.
    let is_lasting = |active: &Element| !active.matches(":disabled").unwrap_or(false);
    let active = active.filter(is_lasting);
    node.cast::<Element>().zip(active).is_some_and(|(node, active)| node.contains(Some(&active)))
}
