//! A builder of elements: the page's `html!` macro expands to its calls.
//!
//! Each method is a small function that is compiled only once, so markup costs no more code than the calls. For the same reason an
//! `Element` is a single pointer.
use std::mem;
use std::rc::Rc;

use yew::prelude::*;
use yew::virtual_dom::{AttributeOrProperty, Attributes, Key, Listener, VList, VNode, VTag, VText};

/// An element or fragment under construction; [`Element::finish`] turns it into [`Html`].
pub struct Element(Box<Parts>);

struct Parts {
    /// Empty for a fragment.
    tag: &'static str,
    fixed: &'static [(&'static str, AttributeOrProperty)],
    names: &'static [&'static str],
    values: Vec<Option<AttributeOrProperty>>,
    node_ref: Option<NodeRef>,
    key: Option<Key>,
    /// The value of an input field.
    content: Option<AttrValue>,
    listeners: Vec<Option<Rc<dyn Listener>>>,
    children: Vec<Html>,
}

impl Element {
    /// An element with these attributes; their values have to be set in the same order.
    #[inline(never)]
    pub fn new(tag: &'static str, names: &'static [&'static str]) -> Element {
        Element(Box::new(Parts {
            tag,
            fixed: &[],
            names,
            values: Vec::new(),
            node_ref: None,
            key: None,
            content: None,
            listeners: Vec::new(),
            children: Vec::new(),
        }))
    }

    /// An element whose attributes are constant.
    #[inline(never)]
    pub fn fixed(tag: &'static str, fixed: &'static [(&'static str, AttributeOrProperty)]) -> Element {
        let mut element = Element::new(tag, &[]);
        element.0.fixed = fixed;
        element
    }

    /// Children without an enclosing element.
    pub fn fragment() -> Element {
        Element::new("", &[])
    }

    /// Sets the value of the next attribute.
    pub fn value(self, value: impl Value) -> Element {
        value.put(self)
    }

    /// Sets the next attribute, a boolean one.
    pub fn switch(self, is_on: bool) -> Element {
        self.put_static(is_on.then_some(""))
    }

    #[inline(never)]
    fn put_static(mut self, value: Option<&'static str>) -> Element {
        self.0.values.push(value.map(|value| AttributeOrProperty::Attribute(AttrValue::Static(value))));
        self
    }

    #[inline(never)]
    fn put(mut self, value: Option<AttrValue>) -> Element {
        self.0.values.push(value.map(AttributeOrProperty::Attribute));
        self
    }

    /// Binds the element to a reference.
    #[inline(never)]
    pub fn node_ref(mut self, node_ref: NodeRef) -> Element {
        self.0.node_ref = Some(node_ref);
        self
    }

    /// Sets the key that identifies it among its siblings.
    pub fn key(self, key: impl Into<Key>) -> Element {
        self.put_key(key.into())
    }

    #[inline(never)]
    fn put_key(mut self, key: Key) -> Element {
        self.0.key = Some(key);
        self
    }

    /// Sets the value of an input field.
    pub fn content(self, content: impl Into<AttrValue>) -> Element {
        self.put_content(content.into())
    }

    #[inline(never)]
    fn put_content(mut self, content: AttrValue) -> Element {
        self.0.content = Some(content);
        self
    }

    /// Adds an event listener.
    #[inline(never)]
    pub fn listener(mut self, listener: Rc<dyn Listener>) -> Element {
        self.0.listeners.push(Some(listener));
        self
    }

    /// Adds a child.
    pub fn child(self, child: impl Child) -> Element {
        child.put(self)
    }

    /// Adds a varying number of children. They form a list of their own, so that their siblings keep their positions.
    pub fn children<C: Child>(self, children: impl IntoIterator<Item = C>) -> Element {
        let mut list = Element::fragment();
        for child in children {
            list = child.put(list);
        }
        self.put_children(list.0.children)
    }

    #[inline(never)]
    fn put_text(mut self, text: &str) -> Element {
        self.0.children.push(VNode::VText(VText::new(AttrValue::from(Rc::from(text)))));
        self
    }

    #[inline(never)]
    fn put_child(mut self, child: Html) -> Element {
        self.0.children.push(child);
        self
    }

    #[inline(never)]
    fn put_element(self, child: Element) -> Element {
        self.put_child(child.finish())
    }

    #[inline(never)]
    fn put_children(self, children: Vec<Html>) -> Element {
        self.put_child(VNode::from(VList::with_children(children, None)))
    }

    /// The finished element.
    #[inline(never)]
    pub fn finish(self) -> Html {
        let mut parts = *self.0;
        let children = match parts.children.pop() {
            // A single child needs no list.
            Some(child) if parts.children.is_empty() => child,
            last => {
                parts.children.extend(last);
                VNode::from(VList::with_children(parts.children, None))
            }
        };
        if parts.tag.is_empty() {
            return children;
        }
        let mut tag = VTag::new(parts.tag);
        tag.attributes = match parts.names {
            [] => Attributes::Static(parts.fixed),
            keys => Attributes::Dynamic { keys, values: parts.values.into_boxed_slice() },
        };
        tag.key = parts.key;
        if let Some(node_ref) = parts.node_ref {
            tag.node_ref = node_ref;
        }
        if !parts.listeners.is_empty() {
            tag.set_listeners(parts.listeners.into_boxed_slice());
        }
        if let Some(place) = tag.children_mut() {
            let _ = mem::replace(place, children);
        }
        tag.set_value(parts.content);
        VNode::from(tag)
    }
}

/// A possible value of an attribute; `None` omits the attribute.
pub trait Value {
    #[doc(hidden)]
    fn put(self, element: Element) -> Element;
}

impl Value for &'static str {
    fn put(self, element: Element) -> Element {
        element.put_static(Some(self))
    }
}

impl Value for Option<&'static str> {
    fn put(self, element: Element) -> Element {
        element.put_static(self)
    }
}

impl Value for AttrValue {
    fn put(self, element: Element) -> Element {
        element.put(Some(self))
    }
}

impl Value for Option<AttrValue> {
    fn put(self, element: Element) -> Element {
        element.put(self)
    }
}

impl Value for String {
    fn put(self, element: Element) -> Element {
        element.put(Some(self.into()))
    }
}

impl Value for Option<String> {
    fn put(self, element: Element) -> Element {
        element.put(self.map(AttrValue::from))
    }
}

/// A possible child of an element.
pub trait Child {
    #[doc(hidden)]
    fn put(self, element: Element) -> Element;
}

impl Child for &str {
    fn put(self, element: Element) -> Element {
        element.put_text(self)
    }
}

impl Child for &String {
    fn put(self, element: Element) -> Element {
        element.put_text(self)
    }
}

impl Child for String {
    fn put(self, element: Element) -> Element {
        element.put_text(&self)
    }
}

impl Child for AttrValue {
    fn put(self, element: Element) -> Element {
        element.put_child(VNode::VText(VText::new(self)))
    }
}

impl Child for Element {
    fn put(self, element: Element) -> Element {
        element.put_element(self)
    }
}

impl Child for Html {
    fn put(self, element: Element) -> Element {
        element.put_child(self)
    }
}

impl Child for Option<Html> {
    fn put(self, element: Element) -> Element {
        element.put_child(self.unwrap_or_default())
    }
}

impl Child for Vec<Html> {
    fn put(self, element: Element) -> Element {
        element.put_children(self)
    }
}

#[cfg(test)]
mod tests {
    use yew::Html;

    use crate::ui::html;

    /// Compares both macros for the same markup. They may differ only in the order of attributes: Yew moves `class` to the end.
    macro_rules! same {
        ($($markup:tt)*) => {
            let (ours, yews): (Html, Html) = (html! { $($markup)* }, yew::html! { $($markup)* });
            assert!(ours == yews, "{ours:?}\nis not what Yew makes of it:\n{yews:?}");
        };
    }

    #[test]
    fn markup_equals_that_of_yew() {
        let (words, some, none) = (String::from("words"), Some("some"), None::<&'static str>);
        same! { <br /> };
        same! { <p id="a" class="b">{ "text" }</p> };
        same! { <p aria-label={words.clone()} title={some} data-testid={none}>{ &words }</p> };
        same! { <><b>{ "one" }</b>{ " " }<i /></> };
        same! { <ol><li key="x">{ &words }</li><li key="y">{ words.to_uppercase() }</li></ol> };
        same! { <input id="i" value="held" /> };
        let title = "short";
        same! { <p {title}><span><em>{ "deep" }</em></span></p> };
    }

    #[test]
    fn list_with_one_child_stays_a_list() {
        let rows = |count: usize| -> Html {
            html! { <ul>{ for (0..count).map(|i| html! { <li key={i}></li> }) }</ul> }
        };
        let yews = |count: usize| -> Html {
            yew::html! { <ul>{ for (0..count).map(|i| yew::html! { <li key={i}></li> }) }</ul> }
        };
        for count in 0..3 {
            assert!(rows(count) == yews(count), "{:?}", rows(count));
        }
    }

    #[test]
    fn list_among_siblings_is_one_child() {
        for count in 0..3 {
            let html: Html = html! { <p>{ for (0..count).map(|i| html! { <b key={i} /> }) }<s /></p> };
            let Html::VTag(tag) = &html else { panic!("{html:?}") };
            assert!(matches!(tag.children(), Some(Html::VList(list)) if list.len() == 2), "{html:?}");
        }
    }

    #[test]
    fn condition_keeps_position_of_following_child() {
        let choose = |number: Option<u8>| -> Html {
            html! { <p>if let Some(number) = number { <b>{ number.to_string() }</b> } else if false { <i /> }<s /></p> }
        };
        let children = |html: &Html| match html {
            Html::VTag(tag) => match tag.children() {
                Some(Html::VList(list)) => list.len(),
                _ => 0,
            },
            _ => 0,
        };
        assert_eq!(children(&choose(Some(1))), 2);
        assert_eq!(children(&choose(None)), 2);
    }
}
