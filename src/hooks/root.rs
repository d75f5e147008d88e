//! Marks on `<html>`, where all style sheets can see them.
use yew::prelude::*;

/// Sets an attribute of `<html>`, or takes it away.
pub fn mark_root(name: &str, value: Option<&str>) {
    let Some(root) = web_sys::window().and_then(|window| window.document()?.document_element()) else { return };
    // It fails only for a name that is none.
    let _ = match value {
        Some(value) => root.set_attribute(name, value),
        None => root.remove_attribute(name),
    };
}

/// The attribute is there for as long as the component is, so that a panel can change the page around it. With `:has()` instead, the
/// browser would restyle the whole page whenever an element is added.
#[hook]
pub fn use_root_mark(name: &'static str) {
    use_effect_with((), move |()| {
        mark_root(name, Some(""));
        move || mark_root(name, None)
    });
}
