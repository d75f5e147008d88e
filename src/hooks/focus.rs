//! The focus stays where somebody works by keyboard, also when the button that was pressed goes away with what it did.
use web_sys::{Element, HtmlElement};
use yew::prelude::*;

/// Gives the focus to this element when it was inside before a drawing and is nowhere after it.
#[hook]
pub fn use_kept_focus(node: &NodeRef) {
    // Asked while the component is drawn: the document is still as it was.
    let was_inside = holds_focus(node);
    let node = node.clone();
    use_effect(move || {
        if was_inside
            && !holds_focus(&node)
            && let Some(element) = node.cast::<HtmlElement>()
        {
            // It fails only where the element cannot have the focus.
            let _ = element.focus();
        }
    });
}

fn holds_focus(node: &NodeRef) -> bool {
    let active = web_sys::window().and_then(|window| window.document()).and_then(|document| document.active_element());
    // A button that can no longer be pressed is about to lose it.
    let is_lasting = |active: &Element| !active.matches(":disabled").unwrap_or(false);
    let active = active.filter(is_lasting);
    node.cast::<Element>().zip(active).is_some_and(|(node, active)| node.contains(Some(&active)))
}
