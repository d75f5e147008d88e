//! Data that panels derive from a session step by step. It is cached beside the session: a panel that is opened again continues where it
//! stopped, and two panels that show the same data share it.
use std::any::Any;
use std::cell::RefCell;
use std::rc::Rc;

use yew::prelude::*;

use super::watching::Watched;

/// Derived data by name.
#[derive(Default)]
pub struct Derived(RefCell<Vec<(String, Rc<dyn Any>)>>);

impl Derived {
    /// The data with this name, empty at first. A name belongs to one type: asking for another type replaces the data.
    pub fn named<T: Default + 'static>(&self, name: &str) -> Rc<RefCell<T>> {
        let mut kept = self.0.borrow_mut();
        let found = kept.iter().find(|(other, _)| other == name).map(|(_, found)| Rc::clone(found));
        if let Some(found) = found.and_then(|found| found.downcast::<RefCell<T>>().ok()) {
            return found;
        }
        let fresh = Rc::<RefCell<T>>::default();
        kept.retain(|(other, _)| other != name);
        kept.push((name.to_owned(), Rc::clone(&fresh) as Rc<dyn Any>));
        fresh
    }
}

/// The data derived from the session under this name, which must not change while the component is mounted. Before a read, bring it up to
/// date ([`crate::state::followed::Followed::follow`]).
#[hook]
pub fn use_derived<T: Default + 'static>(name: impl FnOnce() -> String) -> Rc<RefCell<T>> {
    let watched = use_context::<Rc<Watched>>();
    use_mut_ref(|| match watched {
        Some(watched) => watched.derived().named(&name()),
        None => Rc::<RefCell<T>>::default(),
    })
    .borrow()
    .clone()
}

#[cfg(test)]
mod tests {
    use super::Derived;

    #[test]
    fn same_name_returns_same_data_other_name_or_type_does_not() {
        let derived = Derived::default();
        derived.named::<Vec<u8>>("a").borrow_mut().push(1);
        assert_eq!(*derived.named::<Vec<u8>>("a").borrow(), [1]);
        assert!(derived.named::<Vec<u8>>("b").borrow().is_empty());
        assert_eq!(*derived.named::<String>("a").borrow(), "");
    }
}
