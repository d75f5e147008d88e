//! Charts: a separate bundle (`static/charts/`), fetched when figures are first shown. If it cannot be fetched, only the table is shown.
use std::cell::RefCell;
use std::rc::Rc;

use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::spawn_local;
use web_sys::{Blob, Element};
use yew::prelude::*;

use super::assets;
use crate::i18n::Lang;
use crate::state::traffic::columns::Drawn;

#[wasm_bindgen]
extern "C" {
    type Bundle;

    /// Mounts charts in an element.
    #[wasm_bindgen(method, catch)]
    fn mount(this: &Bundle, host: &Element, spec: &str, listener: &JsValue) -> Result<JsValue, JsValue>;

    /// Mounted charts.
    #[derive(Clone)]
    type View;

    /// Replaces the figures.
    #[wasm_bindgen(method, catch)]
    fn set(this: &View, figures: &[f64], points: u32, interval_ms: f64) -> Result<(), JsValue>;

    /// All charts as one picture.
    #[wasm_bindgen(method, catch)]
    async fn picture(this: &View, title: &str) -> Result<JsValue, JsValue>;

    /// Removes the charts from the page.
    #[wasm_bindgen(method, catch)]
    fn destroy(this: &View) -> Result<(), JsValue>;
}

/// File name of the bundle, next to the document.
pub const BUNDLE: &str = "charts.js";

/// The data of the charts and the functions that they call.
#[derive(Clone)]
pub struct Charting {
    /// The specification of the charts, in the format that `static/charts/source.js` reads.
    pub spec: Rc<str>,
    /// The figures, by column.
    pub drawn: Rc<Drawn>,
    /// Formats a number; the third argument is its purpose and unit, such as `axis-time` or `value-ms`.
    pub write: fn(Lang, Option<u64>, &str, f64) -> String,
    /// The time of day at which traffic began, for `write`.
    pub start: Option<u64>,
    /// The language of the formatted numbers.
    pub lang: Lang,
    /// Called when the reader picks a point in time, in ms since traffic began.
    pub onpick: Option<Callback<u64>>,
}

/// The charts and the state of their bundle.
#[derive(Clone)]
pub struct ChartsHandle {
    /// Whether the bundle is loaded.
    pub is_here: bool,
    /// Whether fetching the bundle failed.
    pub is_missing: bool,
    mounted: Rc<RefCell<Option<Mounted>>>,
}

/// Mounted charts with the closure that they call.
struct Mounted {
    view: View,
    _listener: Closure<dyn FnMut(String, f64) -> String>,
}

impl Drop for Mounted {
    fn drop(&mut self) {
        // Fails only if the charts are no longer in the page.
        let _ = self.view.destroy();
    }
}

impl ChartsHandle {
    /// All charts as one picture.
    ///
    /// # Errors
    /// When no charts are mounted, or the browser cannot draw the picture.
    pub async fn picture(&self, title: &str) -> Result<Blob, JsValue> {
        let view = self.mounted.borrow().as_ref().map(|mounted| mounted.view.clone());
        view.ok_or(JsValue::NULL)?.picture(title).await?.dyn_into()
    }
}

/// Mounts charts in `host` once the bundle is loaded, and keeps their figures up to date.
#[hook]
pub fn use_charts(host: &NodeRef, charting: &Charting) -> ChartsHandle {
    let (bundle, is_missing) = (use_state(|| None::<Rc<Bundle>>), use_state_eq(|| false));
    let mounted = use_mut_ref(|| None::<Mounted>);
    let latest = use_mut_ref(|| charting.clone());
    latest.replace(charting.clone());
    {
        let (set_bundle, set_missing) = (bundle.setter(), is_missing.setter());
        use_effect_with((), move |()| {
            spawn_local(async move {
                match assets::module::<Bundle>(BUNDLE).await {
                    Ok(found) => set_bundle.set(Some(Rc::new(found))),
                    Err(_) => set_missing.set(true),
                }
            });
        });
    }
    let is_here = bundle.is_some();
    {
        let (host, mounted, latest) = (host.clone(), Rc::clone(&mounted), Rc::clone(&latest));
        let bundle = (*bundle).clone();
        use_effect_with((is_here, Rc::clone(&charting.spec)), move |(_, spec)| {
            // Remove the old charts first, otherwise both would be in the page.
            mounted.take();
            if let Some((bundle, host)) = bundle.zip(host.cast::<Element>()) {
                mounted.replace(begin(&bundle, &host, spec, &latest));
            }
            move || drop(mounted.take())
        });
    }
    {
        let (mounted, drawn) = (Rc::clone(&mounted), Rc::clone(&charting.drawn));
        // Changed figures have a new address, because the old ones are kept alive until then.
        let which = (is_here, Rc::clone(&charting.spec), Rc::as_ptr(&drawn));
        use_effect_with(which, move |_| {
            if let Some(mounted) = &*mounted.borrow() {
                let _ = mounted.view.set(&drawn.numbers, drawn.points, drawn.interval_ms as f64);
            }
        });
    }
    ChartsHandle { is_here, is_missing: *is_missing, mounted }
}

fn begin(bundle: &Bundle, host: &Element, spec: &str, latest: &Rc<RefCell<Charting>>) -> Option<Mounted> {
    let latest = Rc::clone(latest);
    let listener = Closure::<dyn FnMut(String, f64) -> String>::new(move |what: String, number: f64| {
        let Charting { write, start, lang, onpick, .. } = latest.borrow().clone();
        if what == "pick" {
            if let Some(onpick) = onpick {
                onpick.emit(number as u64);
            }
            return String::new();
        }
        write(lang, start, &what, number)
    });
    let view = bundle.mount(host, spec, listener.as_ref()).ok()?;
    Some(Mounted { view: view.unchecked_into(), _listener: listener })
}
