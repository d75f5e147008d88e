//! A session in the address: squeezed by the browser itself, written in base64url, kept in the fragment, which
//! never leaves the browser. What stands where in an address: `state::address`.
use js_sys::{Reflect, Uint8Array};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use web_sys::{ReadableStream, ReadableStreamDefaultReader, ReadableWritablePair, Response};

use crate::state::{address, base64url};

#[wasm_bindgen]
extern "C" {
    type CompressionStream;
    type DecompressionStream;

    /// Squeezes what is piped through it.
    #[wasm_bindgen(constructor, catch)]
    fn new(format: &str) -> Result<CompressionStream, JsValue>;

    /// Unpacks what is piped through it.
    #[wasm_bindgen(constructor, catch)]
    fn new(format: &str) -> Result<DecompressionStream, JsValue>;
}

/// The bare format: no header and no checksum, every character of a link counts.
const FORMAT: &str = "deflate-raw";
/// Marks a squeezed session in the address.
const SQUEEZED: &str = "s=";
/// Marks a session that the browser could not squeeze.
const PLAIN: &str = "t=";
/// Longest link that chats, mail programs and browsers carry unharmed, in characters.
pub const LINK_CHARS_MAX: usize = 8_000;
/// Largest session text that is unpacked from a link or read from a file, in bytes.
pub const SESSION_BYTES_MAX: usize = 16 * 1024 * 1024;

/// Why a link holds no session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LinkFault {
    /// It is not one of ours, or it was damaged on the way.
    Unreadable,
    /// It unpacks to more than the page accepts.
    TooLarge,
}

/// The address that opens the page, or this lesson, with the session in `text`.
pub async fn address_with(text: &str) -> String {
    let href = current_href();
    let (page, mark) = match address::page_of(&href) {
        // A lesson's own address is a fragment already.
        page if page.contains('#') => (page, '?'),
        page => (page, '#'),
    };
    match squeeze(text.as_bytes()).await {
        Ok(bytes) => format!("{page}{mark}{SQUEEZED}{}", base64url::encode(&bytes)),
        Err(_) => format!("{page}{mark}{PLAIN}{}", base64url::encode(text.as_bytes())),
    }
}

/// The text of the session in the page's address. Nothing when there is none.
pub async fn text_in_address() -> Option<Result<String, LinkFault>> {
    let href = current_href();
    let packed = address::rest_of(&href);
    let (packed, is_squeezed) = match packed.strip_prefix(SQUEEZED) {
        Some(packed) => (packed, true),
        None => (packed.strip_prefix(PLAIN)?, false),
    };
    Some(unpack(packed, is_squeezed).await)
}

async fn unpack(packed: &str, is_squeezed: bool) -> Result<String, LinkFault> {
    // Chat programs break lines and add full stops; what is no base64url at the end is not ours.
    let packed = packed.trim().trim_end_matches(['.', ',', '。', '，', ')', '）']);
    let bytes = base64url::decode(packed.trim_end_matches('=')).ok_or(LinkFault::Unreadable)?;
    let bytes = if is_squeezed { unsqueeze(&bytes).await? } else { bytes };
    String::from_utf8(bytes).map_err(|_| LinkFault::Unreadable)
}

async fn squeeze(bytes: &[u8]) -> Result<Vec<u8>, JsValue> {
    if !has("CompressionStream") {
        return Err(JsValue::NULL);
    }
    let pair: ReadableWritablePair = CompressionStream::new(FORMAT)?.unchecked_into();
    let stream = stream_of(bytes)?.pipe_through(&pair);
    let buffer = JsFuture::from(Response::new_with_opt_readable_stream(Some(&stream))?.array_buffer()?).await?;
    Ok(Uint8Array::new(&buffer).to_vec())
}

/// Unpacks chunk by chunk, so that a small link cannot fill the memory.
async fn unsqueeze(bytes: &[u8]) -> Result<Vec<u8>, LinkFault> {
    if !has("DecompressionStream") {
        return Err(LinkFault::Unreadable);
    }
    let unreadable = |_: JsValue| LinkFault::Unreadable;
    let pair: ReadableWritablePair = DecompressionStream::new(FORMAT).map_err(unreadable)?.unchecked_into();
    let stream = stream_of(bytes).map_err(unreadable)?.pipe_through(&pair);
    let reader: ReadableStreamDefaultReader = stream.get_reader().unchecked_into();
    let mut out = Vec::new();
    loop {
        let read = JsFuture::from(reader.read()).await.map_err(unreadable)?;
        let is_done = Reflect::get(&read, &"done".into()).map_err(unreadable)?.is_truthy();
        if is_done {
            return Ok(out);
        }
        let chunk = Uint8Array::new(&Reflect::get(&read, &"value".into()).map_err(unreadable)?).to_vec();
        if out.len().saturating_add(chunk.len()) > SESSION_BYTES_MAX {
            // The rest is of no interest; the stream may end when it likes.
            drop(reader.cancel());
            return Err(LinkFault::TooLarge);
        }
        out.extend_from_slice(&chunk);
    }
}

fn stream_of(bytes: &[u8]) -> Result<ReadableStream, JsValue> {
    let array = Uint8Array::from(bytes);
    let response = Response::new_with_opt_buffer_source(Some(&array))?;
    response.body().ok_or(JsValue::NULL)
}

/// Whether the browser has a class of that name.
fn has(name: &str) -> bool {
    web_sys::window().is_some_and(|window| Reflect::has(&window, &name.into()).unwrap_or(false))
}

/// The page's address.
pub fn current_href() -> String {
    web_sys::window().and_then(|window| window.location().href().ok()).unwrap_or_default()
}

/// The fragment of the page's address, `#` included.
pub fn current_fragment() -> String {
    web_sys::window().and_then(|window| window.location().hash().ok()).unwrap_or_default()
}

/// Takes the session out of the address without loading anything: a reload then finds it in storage, with everything
/// that was done since, and not the link's beginning again. What names a lesson stays.
pub fn clear_rest() {
    if let Some(history) = web_sys::window().and_then(|window| window.history().ok()) {
        // It fails only in documents without an address of their own; the fragment then simply stays.
        let _ = history.replace_state_with_url(&JsValue::NULL, "", Some(address::page_of(&current_href())));
    }
}
