//! Keeps the scroll position of an element that is replaced by a new one.
use std::cell::Cell;
use std::rc::Rc;

use web_sys::HtmlElement;
use yew::prelude::*;

use super::before_paint;

/// The reference of a scrolled element, and what to call when it scrolls. A new element is scrolled to `scrolled_px`, which follows it.
#[hook]
pub fn use_kept_scroll(scrolled_px: &Rc<Cell<i32>>) -> (NodeRef, Callback<Event>) {
    let node = use_node_ref();
    {
        let (node, scrolled_px) = (node.clone(), scrolled_px.get());
        use_effect_with((), move |()| {
            if scrolled_px > 0 {
                before_paint(move || {
                    let element = node.cast::<HtmlElement>()?;
                    Some(Box::new(move || element.set_scroll_top(scrolled_px)))
                });
            }
        });
    }
    let onscroll = {
        let (node, scrolled_px) = (node.clone(), Rc::clone(scrolled_px));
        Callback::from(move |_: Event| {
            if let Some(element) = node.cast::<HtmlElement>() {
                scrolled_px.set(element.scroll_top());
            }
        })
    };
    (node, onscroll)
}
