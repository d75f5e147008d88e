//! A pause in long work: the browser draws, and hears what is pressed.
use js_sys::Promise;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{AddEventListenerOptions, MessageChannel};

thread_local! {
    /// A message to ourselves comes at once; of timers in a row, browsers let each after the fifth wait 4 ms (HTML, "timer
    /// initialisation steps").
    static CHANNEL: Option<MessageChannel> = open().ok();
}

fn open() -> Result<MessageChannel, JsValue> {
    let channel = MessageChannel::new()?;
    channel.port1().start();
    Ok(channel)
}

/// Goes on in a task of its own, behind what waits already.
pub async fn pause() {
    let promise = Promise::new(&mut |resolve, _| {
        let is_sent = CHANNEL.with(|channel| channel.as_ref().is_some_and(|channel| send(channel, &resolve).is_ok()));
        if !is_sent {
            // No pause is better than one without end.
            resolve.call0(&JsValue::NULL).ok();
        }
    });
    JsFuture::from(promise).await.ok();
}

fn send(channel: &MessageChannel, resolve: &js_sys::Function) -> Result<(), JsValue> {
    let once = AddEventListenerOptions::new();
    once.set_once(true);
    let listener = resolve.unchecked_ref();
    channel.port1().add_event_listener_with_callback_and_add_event_listener_options("message", listener, &once)?;
    channel.port2().post_message(&JsValue::NULL)
}
