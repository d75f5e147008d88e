//! One component that draws them all.
//!
//! Yew compiles the whole life of a component (creating, comparing, rendering, going away) once more for every
//! component type: some three kilobytes of the download each. So the page has one component, [`Part`], which
//! carries what to draw as a value. A part is written as any function component, with hooks and properties, and is
//! rendered again under the same conditions; only instead of `<Header {onopen} />` a page says
//! `{ part::<Header>(HeaderProps { onopen }) }`.
use std::any::Any;
use std::fmt::Display;
use std::rc::Rc;

use yew::functional::{FunctionProvider, Hook, HookContext};
use yew::prelude::*;
use yew::virtual_dom::{Key, VComp, VNode};

/// What a part draws.
trait Draw: Any {
    fn draw(&self, context: &mut HookContext) -> HtmlResult;
    fn is_same(&self, other: &dyn Draw) -> bool;
}

/// A function component with its properties.
struct Drawn<C: FunctionProvider>(C::Properties);

impl<C: FunctionProvider + 'static> Draw for Drawn<C> {
    fn draw(&self, context: &mut HookContext) -> HtmlResult {
        C::run(context, &self.0)
    }

    fn is_same(&self, other: &dyn Draw) -> bool {
        (other as &dyn Any).downcast_ref::<Drawn<C>>().is_some_and(|other| self.0 == other.0)
    }
}

#[derive(Clone, Properties)]
struct PartProps {
    drawn: Rc<dyn Draw>,
}

impl PartialEq for PartProps {
    fn eq(&self, other: &PartProps) -> bool {
        Rc::ptr_eq(&self.drawn, &other.drawn) || self.drawn.is_same(&*other.drawn)
    }
}

/// Hands the hooks of [`Part`] to what it draws.
struct Drawing<'a>(&'a dyn Draw);

impl Hook for Drawing<'_> {
    type Output = HtmlResult;

    fn run(self, context: &mut HookContext) -> HtmlResult {
        self.0.draw(context)
    }
}

fn use_drawing(drawn: &dyn Draw) -> Drawing<'_> {
    Drawing(drawn)
}

#[component]
fn Part(props: &PartProps) -> HtmlResult {
    use_drawing(&*props.drawn)
}

/// The function component `C` with these properties. Of one kind there may be one among siblings: several
/// want [`part_of`].
pub fn part<C: FunctionProvider + 'static>(props: C::Properties) -> Html {
    part_of::<C>(&"", props)
}

/// The same under a key that tells it from siblings of its kind.
pub fn part_of<C: FunctionProvider + 'static>(key: &dyn Display, props: C::Properties) -> Html {
    // What was remembered for one kind must never be handed to another: the key says the kind too.
    let kind = C::run as fn(&mut HookContext, &C::Properties) -> HtmlResult as usize;
    component(kind, key, Rc::new(Drawn::<C>(props)))
}

fn component(kind: usize, key: &dyn Display, drawn: Rc<dyn Draw>) -> Html {
    let key = Key::from(format!("{kind}.{key}"));
    VNode::from(VComp::new::<Part>(Rc::new(PartProps { drawn }), Some(key)))
}
