//! A single Yew component that renders all function components.
//!
//! Yew compiles the whole lifecycle (create, compare, render, destroy) again for each component type, about three kilobytes of download
//! each. So the page has one component, [`Part`], which receives what to render as a value. A part is written like any function component,
//! with hooks and properties, and is rendered again under the same conditions. Instead of `<Header {onopen} />` a page writes `{
//! part::<Header>(HeaderProps { onopen }) }`.
use std::any::Any;
use std::fmt::Display;
use std::hash::BuildHasher as _;
use std::rc::Rc;

use rustc_hash::FxBuildHasher;
use yew::functional::{FunctionProvider, Hook, HookContext};
use yew::prelude::*;
use yew::virtual_dom::{Key, VComp, VNode};

/// A function component with its properties, as a trait object.
trait Draw: Any {
    fn draw(&self, context: &mut HookContext) -> HtmlResult;
    fn is_same(&self, other: &dyn Draw) -> bool;
}

/// A function component with its properties. The function is called through a pointer, so the compiler does not inline it here and it can be
/// part of a deferred chunk (`crates/xtask/src/split/`).
struct Drawn<C: FunctionProvider> {
    run: fn(&mut HookContext, &C::Properties) -> HtmlResult,
    props: C::Properties,
}

impl<C: FunctionProvider + 'static> Draw for Drawn<C> {
    fn draw(&self, context: &mut HookContext) -> HtmlResult {
        (self.run)(context, &self.props)
    }

    fn is_same(&self, other: &dyn Draw) -> bool {
        (other as &dyn Any).downcast_ref::<Drawn<C>>().is_some_and(|other| self.props == other.props)
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

/// Runs the rendered function component with the hooks of [`Part`].
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

/// Renders the function component `C` with these properties. For several components of one type among siblings, use [`part_of`].
pub fn part<C: FunctionProvider + 'static>(props: C::Properties) -> Html {
    part_of::<C>(&"", props)
}

/// Like [`part`], with a key that identifies it among siblings of its type.
pub fn part_of<C: FunctionProvider + 'static>(key: &dyn Display, props: C::Properties) -> Html {
    component(key, Rc::new(Drawn::<C> { run: C::run, props }))
}

fn component(key: &dyn Display, drawn: Rc<dyn Draw>) -> Html {
    // The state of one component type must never be reused for another, so the key contains the type.
    let kind = (&*drawn as &dyn Any).type_id();
    let key = Key::from(format!("{}.{key}", FxBuildHasher.hash_one(kind)));
    VNode::from(VComp::new::<Part>(Rc::new(PartProps { drawn }), Some(key)))
}
