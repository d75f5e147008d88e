//! Files and the clipboard: downloads, uploads and copying, always at the reader's request.
use js_sys::Array;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use web_sys::{Blob, BlobPropertyBag, File, HtmlAnchorElement, Url};

use super::link::{LinkFault, SESSION_BYTES_MAX};

/// Downloads `text` as a file called `name`.
///
/// # Errors
/// When the browser refuses to make the file.
pub fn download(name: &str, text: &str) -> Result<(), JsValue> {
    let options = BlobPropertyBag::new();
    options.set_type("text/plain;charset=utf-8");
    save(name, &Blob::new_with_str_sequence_and_options(&Array::of1(&text.into()), &options)?)
}

/// Downloads `blob` as a file called `name`.
///
/// # Errors
/// When the browser refuses to make the file.
pub fn save(name: &str, blob: &Blob) -> Result<(), JsValue> {
    let url = Url::create_object_url_with_blob(blob)?;
    let document = web_sys::window().and_then(|window| window.document()).ok_or(JsValue::NULL)?;
    let anchor: HtmlAnchorElement = document.create_element("a")?.unchecked_into();
    anchor.set_href(&url);
    anchor.set_download(name);
    anchor.click();
    // Once it has handled the click, the browser no longer needs the URL.
    gloo_timers::callback::Timeout::new(10_000, move || drop(Url::revoke_object_url(&url))).forget();
    Ok(())
}

/// The text of a file that the reader chose or dropped.
///
/// # Errors
/// When it is larger than a session can be, or cannot be read.
pub async fn read(file: &File) -> Result<String, LinkFault> {
    if file.size() > SESSION_BYTES_MAX as f64 {
        return Err(LinkFault::TooLarge);
    }
    let text = JsFuture::from(file.text()).await.map_err(|_| LinkFault::Unreadable)?;
    text.as_string().ok_or(LinkFault::Unreadable)
}

/// Copies `text` to the clipboard; true on success.
///
/// The clipboard API exists on secure origins only. A classroom may use plain http in a local network: there the text is copied through
/// a selected text area.
pub async fn copy(text: &str) -> bool {
    let Some(window) = web_sys::window() else { return false };
    if window.is_secure_context() && JsFuture::from(window.navigator().clipboard().write_text(text)).await.is_ok() {
        return true;
    }
    copy_by_selection(text).unwrap_or(false)
}

fn copy_by_selection(text: &str) -> Option<bool> {
    let document = web_sys::window()?.document()?;
    let area: web_sys::HtmlTextAreaElement = document.create_element("textarea").ok()?.unchecked_into();
    area.set_value(text);
    area.set_class_name("sr-only");
    // Inside an open dialog only the dialog's own content can be focused.
    let parent = document.query_selector("dialog[open]").ok().flatten();
    let parent = parent.or_else(|| document.body().map(Into::into))?;
    let focused = document.active_element();
    parent.append_child(&area).ok()?;
    area.select();
    let command = js_sys::Reflect::get(&document, &"execCommand".into()).ok()?.dyn_into::<js_sys::Function>().ok()?;
    let copied = command.call1(&document, &"copy".into()).ok()?.is_truthy();
    area.remove();
    if let Some(element) = focused.and_then(|element| element.dyn_into::<web_sys::HtmlElement>().ok()) {
        let _ = element.focus();
    }
    Some(copied)
}
