//! A lock (Web Locks API) that this tab holds on its session for as long as the tab is open.
use std::cell::RefCell;
use std::rc::Rc;

use js_sys::{Function, Promise, Reflect};
use wasm_bindgen::{JsCast, JsValue, closure::Closure};
use wasm_bindgen_futures::JsFuture;

use crate::state::session_store::{SANDBOX, SESSION};

/// Result of requesting a lock.
#[derive(Clone, Debug)]
pub enum Hold {
    /// This tab holds the lock; dropping the value releases it.
    Held(Rc<Release>),
    /// Another tab holds it.
    Taken,
    /// The browser has no locks (it is old, or the page comes from an insecure origin).
    Unknown,
}

/// Releases a lock when dropped.
#[derive(Debug)]
pub struct Release(Function);

impl Drop for Release {
    fn drop(&mut self) {
        // Resolving the promise releases the lock; it cannot fail.
        let _ = self.0.call0(&JsValue::NULL);
    }
}

/// Tries to acquire the lock on session `id` without waiting for it.
pub async fn hold(id: &str) -> Hold {
    try_hold(id).await.unwrap_or(Hold::Unknown)
}

async fn try_hold(id: &str) -> Result<Hold, JsValue> {
    let navigator = web_sys::window().ok_or(JsValue::NULL)?.navigator();
    let locks = Reflect::get(&navigator, &"locks".into())?;
    let request: Function = Reflect::get(&locks, &"request".into())?.dyn_into()?;

    // The lock is held until `until` resolves; `answer` says whether it was acquired.
    let release: Rc<RefCell<Option<Function>>> = Rc::default();
    let until = {
        let release = Rc::clone(&release);
        Promise::new(&mut |resolve, _| *release.borrow_mut() = Some(resolve))
    };
    let resolve_held: Rc<RefCell<Option<Function>>> = Rc::default();
    let answer = {
        let resolve_held = Rc::clone(&resolve_held);
        Promise::new(&mut |resolve, _| *resolve_held.borrow_mut() = Some(resolve))
    };
    let callback = Closure::once_into_js(move |lock: JsValue| -> JsValue {
        let is_held = !lock.is_null();
        if let Some(resolve_held) = resolve_held.borrow_mut().take() {
            let _ = resolve_held.call1(&JsValue::NULL, &JsValue::from_bool(is_held));
        }
        if is_held { until.into() } else { JsValue::UNDEFINED }
    });
    let options = js_sys::Object::new();
    Reflect::set(&options, &"ifAvailable".into(), &JsValue::TRUE)?;
    let name = format!("{SANDBOX}{SESSION}{id}");
    let asked: Promise = request.call3(&locks, &name.into(), &options, &callback)?.dyn_into()?;
    // On an insecure origin `asked` is rejected and the callback never runs, so the first of the two promises decides.
    let first = Promise::race(&js_sys::Array::of2(&answer, &asked));
    if JsFuture::from(first).await?.is_truthy() {
        let release = release.borrow_mut().take().ok_or(JsValue::NULL)?;
        Ok(Hold::Held(Rc::new(Release(release))))
    } else {
        Ok(Hold::Taken)
    }
}
