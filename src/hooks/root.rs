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

/// Sets the attribute while the component is mounted, so that a panel can change the page around it; `None` sets nothing. With `:has()`
/// instead, the browser would restyle the whole page whenever an element is added.
#[hook]
pub fn use_root_mark(name: Option<&'static str>) {
    use_effect_with(name, |name| {
        let name = *name;
        count_root_mark(name, 1);
        move || count_root_mark(name, -1)
    });
}

/// The value of a mark is the number of components that set it: the last one removes it.
#[inline(never)]
fn count_root_mark(name: Option<&str>, change: i32) {
    let root = web_sys::window().and_then(|window| window.document()?.document_element());
    let Some((name, root)) = name.zip(root) else { return };
    let before = root.get_attribute(name).and_then(|count| count.parse::<i32>().ok()).unwrap_or(0);
    let count = before.saturating_add(change);
    mark_root(name, (count > 0).then(|| count.to_string()).as_deref());
}
