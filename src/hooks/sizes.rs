//! Sizes of elements, measured by the browser when they change (`ResizeObserver`), never during a render.
use std::cell::RefCell;
use std::rc::Rc;

use js_sys::Array;
use wasm_bindgen::prelude::*;
use web_sys::{Element, ResizeObserver, ResizeObserverEntry};
use yew::prelude::*;

/// Size of an element's content box, in px.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Size {
    /// Width.
    pub width: f64,
    /// Height.
    pub height: f64,
}

/// Calls `onsizes` with the sizes of two elements whenever one of them changes. The elements may appear after the component and may be
/// replaced. The callback passed when they appear is kept. To observe one element, pass it twice.
#[hook]
pub fn use_sizes(first: &NodeRef, second: &NodeRef, onsizes: Callback<[Size; 2]>) {
    let observing = use_mut_ref(|| None::<Observing>);
    let nodes = [first.clone(), second.clone()];
    use_effect(move || {
        let [Some(first), Some(second)] = nodes.map(|node| node.cast::<Element>()) else { return };
        let elements = [first, second];
        let mut observing = observing.borrow_mut();
        if observing.as_ref().is_none_or(|observing| observing.elements != elements) {
            *observing = Observing::begin(elements, onsizes);
        }
    });
}

/// An observer of two elements; dropping it ends the observation.
struct Observing {
    elements: [Element; 2],
    observer: ResizeObserver,
    _heard: Closure<dyn FnMut(Array)>,
}

impl Observing {
    fn begin(elements: [Element; 2], onsizes: Callback<[Size; 2]>) -> Option<Observing> {
        let sizes: Rc<RefCell<[Size; 2]>> = Rc::default();
        let heard = {
            let elements = elements.clone();
            Closure::<dyn FnMut(Array)>::new(move |entries: Array| {
                let mut sizes = sizes.borrow_mut();
                for entry in entries.iter().filter_map(|entry| entry.dyn_into::<ResizeObserverEntry>().ok()) {
                    let (target, rect) = (entry.target(), entry.content_rect());
                    let found = elements.iter().zip(sizes.iter_mut()).find(|(element, _)| **element == target);
                    if let Some((_, size)) = found {
                        *size = Size { width: rect.width(), height: rect.height() };
                    }
                }
                onsizes.emit(*sizes);
            })
        };
        let observer = ResizeObserver::new(heard.as_ref().unchecked_ref()).ok()?;
        for element in &elements {
            observer.observe(element);
        }
        Some(Observing { elements, observer, _heard: heard })
    }
}

impl Drop for Observing {
    fn drop(&mut self) {
        self.observer.disconnect();
    }
}
