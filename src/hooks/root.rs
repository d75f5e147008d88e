//! Attributes of `<html>`, which all style sheets can match.
use yew::prelude::*;

/// Sets an attribute of `<html>`, or removes it.
pub fn mark_root(name: &str, value: Option<&str>) {
    let Some(root) = web_sys::window().and_then(|window| window.document()?.document_element()) else { return };
    // Fails only for an invalid attribute name.
    let _ = match value {
        Some(value) => root.set_attribute(name, value),
        None => root.remove_attribute(name),
    };
}

/// Sets the attribute while the component is mounted, so that a panel can change the page around it. With `:has()` instead, the browser
/// would restyle the whole page whenever an element is added.
#[hook]
pub fn use_root_mark(name: &'static str) {
    use_effect_with((), move |()| {
        mark_root(name, Some(""));
        move || mark_root(name, None)
    });
}
