//! Charts: a bundle of its own (`static/charts/`), fetched when figures are first shown. Where it cannot be fetched, their table remains.
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

    /// Puts charts into an element.
    #[wasm_bindgen(method, catch)]
    fn mount(this: &Bundle, host: &Element, spec: &str, tell: &JsValue) -> Result<JsValue, JsValue>;

    /// Charts that are in the page.
    #[derive(Clone)]
    type View;

    /// These are the figures now.
    #[wasm_bindgen(method, catch)]
    fn set(this: &View, figures: &[f64], points: u32, interval_ms: f64) -> Result<(), JsValue>;

    /// All of them as one picture.
    #[wasm_bindgen(method, catch)]
    async fn picture(this: &View, title: &str) -> Result<JsValue, JsValue>;

    /// Takes the charts out of the page.
    #[wasm_bindgen(method, catch)]
    fn destroy(this: &View) -> Result<(), JsValue>;
}

/// The bundle, beside the document.
pub const BUNDLE: &str = "charts.js";

/// What charts are told and whom they ask.
#[derive(Clone)]
pub struct Charting {
    /// What there is to draw, as `static/charts/source.js` reads it.
    pub spec: Rc<str>,
    /// The figures.
    pub drawn: Rc<Drawn>,
    /// Writes numbers.
    pub write: fn(Lang, &str, f64) -> String,
    /// The language in which it does.
    pub lang: Lang,
    /// A moment was chosen, in ms since traffic began.
    pub onpick: Option<Callback<u64>>,
}

/// Charts, once they are there.
#[derive(Clone)]
pub struct ChartsHandle {
    /// Whether they are there.
    pub is_here: bool,
    /// Whether they could not be fetched.
    pub is_missing: bool,
    mounted: Rc<RefCell<Option<Mounted>>>,
}

/// Charts in the page, with what they call.
struct Mounted {
    view: View,
    _tell: Closure<dyn FnMut(String, f64) -> String>,
}

impl Drop for Mounted {
    fn drop(&mut self) {
        // What is not in the page any more needs no taking out.
        let _ = self.view.destroy();
    }
}

impl ChartsHandle {
    /// All charts as one picture.
    ///
    /// # Errors
    /// When there are none, or the browser cannot draw it.
    pub async fn picture(&self, title: &str) -> Result<Blob, JsValue> {
        let view = self.mounted.borrow().as_ref().map(|mounted| mounted.view.clone());
        view.ok_or(JsValue::NULL)?.picture(title).await?.dyn_into()
    }
}

/// Puts charts into `host` as soon as they have been fetched, and keeps their figures up to date.
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
            // The charts before are taken out first: both would be there at once.
            mounted.take();
            if let Some((bundle, host)) = bundle.zip(host.cast::<Element>()) {
                mounted.replace(begin(&bundle, &host, spec, &latest));
            }
            move || drop(mounted.take())
        });
    }
    {
        let (mounted, drawn) = (Rc::clone(&mounted), Rc::clone(&charting.drawn));
        // Figures that have changed lie elsewhere: those before are kept until then.
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
    let tell = Closure::<dyn FnMut(String, f64) -> String>::new(move |what: String, number: f64| {
        let Charting { write, lang, onpick, .. } = latest.borrow().clone();
        if what == "pick" {
            if let Some(onpick) = onpick {
                onpick.emit(number as u64);
            }
            return String::new();
        }
        write(lang, &what, number)
    });
    let view = bundle.mount(host, spec, tell.as_ref()).ok()?;
    Some(Mounted { view: view.unchecked_into(), _tell: tell })
}
