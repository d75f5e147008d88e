//! The syntax-highlighting editor: a separate bundle (`static/editor/`), fetched when a script is first opened. Until it is loaded, and if
//! it cannot be fetched, a plain text area does the same work.
use std::cell::{Cell, RefCell};
use std::rc::Rc;

use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::spawn_local;
use web_sys::Element;
use yew::prelude::*;

use super::assets;
use crate::state::scripts::TEXT_CHARS_MAX;
use crate::state::scripts::outcome::LineError;

#[wasm_bindgen]
extern "C" {
    type Bundle;

    /// Mounts an editor in an element.
    #[wasm_bindgen(method, catch)]
    fn mount(
        this: &Bundle,
        parent: &Element,
        text: &str,
        most: usize,
        label: &str,
        listener: &JsValue,
    ) -> Result<JsValue, JsValue>;

    /// A mounted editor.
    type View;

    /// Replaces the text: another file was opened.
    #[wasm_bindgen(method, catch)]
    fn replace(this: &View, text: &str) -> Result<(), JsValue>;

    /// Marks a line with an error message; an empty text removes the mark.
    #[wasm_bindgen(method, catch)]
    fn mark(this: &View, line: u32, text: &str) -> Result<(), JsValue>;

    /// Sets the accessible name.
    #[wasm_bindgen(method, catch)]
    fn label(this: &View, label: &str) -> Result<(), JsValue>;

    /// Puts the cursor into this line.
    #[wasm_bindgen(method, catch)]
    fn go(this: &View, line: u32) -> Result<(), JsValue>;

    /// Removes the editor from the page.
    #[wasm_bindgen(method, catch)]
    fn destroy(this: &View) -> Result<(), JsValue>;
}

/// File name of the bundle, next to the document.
pub const BUNDLE: &str = "editor.js";

/// The text being edited and its callbacks.
#[derive(Clone, PartialEq)]
pub struct Editing {
    /// The text.
    pub text: Rc<str>,
    /// Increases whenever the text changes other than by typing.
    pub edition: u32,
    /// The text when it was opened or last sent: `fault` refers to this version.
    pub sent: Rc<str>,
    /// Accessible name of the editor.
    pub label: String,
    /// The last error and its line.
    pub fault: Option<LineError>,
    /// Called when the text changes, on Ctrl+Enter, and when a change is refused.
    pub onevent: Callback<EditorEvent>,
}

/// An event of the editor.
#[derive(Clone, Debug, PartialEq)]
pub enum EditorEvent {
    /// The text has changed to this.
    Text(Rc<str>),
    /// Ctrl+Enter: run the script.
    Run,
    /// A change was refused: the text would have been too long.
    TooLarge,
}

/// The editor and the state of its bundle.
#[derive(Clone)]
pub struct EditorHandle {
    /// Whether the editor is mounted.
    pub is_here: bool,
    /// Whether fetching the bundle failed.
    pub is_missing: bool,
    view: Rc<RefCell<Option<Mounted>>>,
}

/// A mounted editor with the closure that it calls.
struct Mounted {
    view: View,
    /// The [`Editing::edition`] that it shows.
    edition: Cell<u32>,
    _listener: Closure<dyn FnMut(String, String)>,
}

impl EditorHandle {
    /// Puts the cursor into a line; false if the editor is not mounted.
    pub fn go(&self, line: u32) -> bool {
        self.view.borrow().as_ref().is_some_and(|mounted| mounted.view.go(line).is_ok())
    }
}

/// Mounts the editor in `host` once the bundle is loaded.
#[hook]
pub fn use_editor(host: &NodeRef, editing: &Editing) -> EditorHandle {
    let (is_here, is_missing) = (use_state_eq(|| false), use_state_eq(|| false));
    let view = use_mut_ref(|| None::<Mounted>);
    let latest = use_mut_ref(|| editing.clone());
    latest.replace(editing.clone());
    {
        let (host, view, latest) = (host.clone(), Rc::clone(&view), Rc::clone(&latest));
        let (set_here, set_missing) = (is_here.setter(), is_missing.setter());
        use_effect_with((), move |()| {
            let here = Rc::new(RefCell::new(Some(view)));
            let place = Rc::clone(&here);
            spawn_local(async move {
                let bundle = assets::module::<Bundle>(BUNDLE).await;
                // The panel may have been closed while the bundle was being fetched.
                let Some(view) = place.borrow().clone() else { return };
                let mounted = bundle.ok().and_then(|bundle| mounted(&bundle, &host, &latest));
                set_here.set(mounted.is_some());
                set_missing.set(mounted.is_none());
                *view.borrow_mut() = mounted;
            });
            move || {
                if let Some(mounted) = here.take().and_then(|view| view.take()) {
                    let _ = mounted.view.destroy();
                }
            }
        });
    }
    {
        let (view, text) = (Rc::clone(&view), Rc::clone(&editing.text));
        let Editing { edition, label, fault, sent, .. } = editing.clone();
        use_effect_with((*is_here, edition, label, fault, sent), move |(_, edition, label, fault, _)| {
            if let Some(mounted) = &*view.borrow() {
                if mounted.edition.replace(*edition) != *edition {
                    let _ = mounted.view.replace(&text);
                }
                let _ = mounted.view.label(label);
                let (line, text) = fault.as_ref().map_or((0, ""), |fault| (fault.line, &fault.text));
                let _ = mounted.view.mark(line, text);
            }
        });
    }
    EditorHandle { is_here: *is_here, is_missing: *is_missing, view }
}

fn mounted(bundle: &Bundle, host: &NodeRef, latest: &Rc<RefCell<Editing>>) -> Option<Mounted> {
    let listener = {
        let latest = Rc::clone(latest);
        Closure::<dyn FnMut(String, String)>::new(move |what: String, text: String| {
            let onevent = latest.borrow().onevent.clone();
            onevent.emit(match what.as_str() {
                "text" => EditorEvent::Text(text.into()),
                "run" => EditorEvent::Run,
                _ => EditorEvent::TooLarge,
            });
        })
    };
    let Editing { text, label, edition, .. } = latest.borrow().clone();
    let view = bundle.mount(&host.cast::<Element>()?, &text, TEXT_CHARS_MAX, &label, listener.as_ref()).ok()?;
    Some(Mounted { view: view.unchecked_into(), edition: Cell::new(edition), _listener: listener })
}
