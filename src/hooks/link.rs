//! A session in the URL: compressed by the browser, encoded as base64url, stored in the fragment, which the browser never sends to a
//! server. `state::address` describes the parts of a URL.
use js_sys::{Reflect, Uint8Array};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use web_sys::{ReadableStream, ReadableStreamDefaultReader, ReadableWritablePair, Response};

use crate::state::{address, base64url};

#[wasm_bindgen]
extern "C" {
    type CompressionStream;
    type DecompressionStream;

    /// Compresses the stream piped through it.
    #[wasm_bindgen(constructor, catch)]
    fn new(format: &str) -> Result<CompressionStream, JsValue>;

    /// Decompresses the stream piped through it.
    #[wasm_bindgen(constructor, catch)]
    fn new(format: &str) -> Result<DecompressionStream, JsValue>;
}

/// Raw deflate, without header and checksum: every character of a link counts.
const FORMAT: &str = "deflate-raw";
/// Prefix of a compressed session in the URL.
const SQUEEZED: &str = "s=";
/// Prefix of an uncompressed session, from a browser without compression.
const PLAIN: &str = "t=";
/// Longest link that chats, mail programs and browsers transmit intact, in characters.
pub const LINK_CHARS_MAX: usize = 8_000;
/// Largest session text that is decompressed from a link or read from a file, in bytes.
pub const SESSION_BYTES_MAX: usize = 16 * 1024 * 1024;

/// Why a link contains no session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LinkFault {
    /// It is not a link of this page, or it was damaged in transit.
    Unreadable,
    /// It decompresses to more than the page accepts.
    TooLarge,
}

/// The URL that opens the page, or this lesson, with the session in `text`.
pub async fn address_with(text: &str) -> String {
    let href = current_href();
    let (page, mark) = match address::page_of(&href) {
        // The URL of a lesson already has a fragment.
        page if page.contains('#') => (page, '?'),
        page => (page, '#'),
    };
    match squeeze(text.as_bytes()).await {
        Ok(bytes) => format!("{page}{mark}{SQUEEZED}{}", base64url::encode(&bytes)),
        Err(_) => format!("{page}{mark}{PLAIN}{}", base64url::encode(text.as_bytes())),
    }
}

/// The text of the session in the page's URL, if there is one.
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
    // Chat programs break lines and add punctuation; characters at the end that are not base64url are not part of the link.
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

/// Decompresses chunk by chunk, so that a small link cannot fill the memory.
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
            // The rest is not needed, so no one waits for the stream to end.
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

/// The page's URL.
pub fn current_href() -> String {
    web_sys::window().and_then(|window| window.location().href().ok()).unwrap_or_default()
}

/// The fragment of the page's URL, including `#`.
pub fn current_fragment() -> String {
    web_sys::window().and_then(|window| window.location().hash().ok()).unwrap_or_default()
}

/// Removes the session from the URL without loading anything: a reload then restores the session from storage, with all later steps,
/// instead of the state in the link. The name of a lesson stays.
pub fn clear_rest() {
    if let Some(history) = web_sys::window().and_then(|window| window.history().ok()) {
        // Fails only in documents without a URL of their own; then the fragment stays.
        let _ = history.replace_state_with_url(&JsValue::NULL, "", Some(address::page_of(&current_href())));
    }
}
