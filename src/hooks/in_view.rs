//! Whether an element is visible, as reported by the browser (`IntersectionObserver`), and scrolling one into view.
use js_sys::Array;
use wasm_bindgen::prelude::*;
use web_sys::{Element, IntersectionObserver, IntersectionObserverEntry, ScrollIntoViewOptions, ScrollLogicalPosition};
use yew::prelude::*;

use super::frame::{Write, before_paint};

/// Scrolls the element into view, by as little as possible, whenever `occasion` becomes another value than `None`. It scrolls before the
/// next frame, so that a focus that moves in the same render does not scroll it away again.
#[hook]
pub fn use_brought_into_view<T: PartialEq + 'static>(node: &NodeRef, occasion: Option<T>) {
    let node = node.clone();
    use_effect_with(occasion, move |occasion| {
        if occasion.is_some() {
            bring_into_view(&node);
        }
    });
}

fn bring_into_view(node: &NodeRef) {
    let Some(element) = node.cast::<Element>() else { return };
    let scroll = move || {
        let options = ScrollIntoViewOptions::new();
        options.set_block(ScrollLogicalPosition::Nearest);
        element.scroll_into_view_with_scroll_into_view_options(&options);
    };
    before_paint(move || Some(Box::new(scroll) as Write));
}

/// Whether any part of the element is in view: inside the window and not scrolled out of an enclosing element. False until the browser's
/// first report. The element must exist from the first render on.
#[hook]
pub fn use_in_view(node: &NodeRef) -> bool {
    let is_seen = use_state_eq(|| false);
    let set = is_seen.setter();
    let node = node.clone();
    use_effect_with((), move |()| {
        let heard = Closure::<dyn FnMut(Array)>::new(move |entries: Array| {
            // Of several changes only the last one counts.
            let last = entries.iter().last().and_then(|entry| entry.dyn_into::<IntersectionObserverEntry>().ok());
            if let Some(last) = last {
                set.set(last.is_intersecting());
            }
        });
        let observer = IntersectionObserver::new(heard.as_ref().unchecked_ref()).ok();
        if let (Some(observer), Some(element)) = (&observer, node.cast::<Element>()) {
            observer.observe(&element);
        }
        move || {
            if let Some(observer) = observer {
                observer.disconnect();
            }
            drop(heard);
        }
    });
    *is_seen
}
