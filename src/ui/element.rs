//! An element being built: what the page's `html!` is compiled to.
//!
//! Every method is a small function that exists once, so a call of it is all that markup costs. An `Element` is one
//! pointer for the same reason.
use std::mem;
use std::rc::Rc;

use yew::prelude::*;
use yew::virtual_dom::{AttributeOrProperty, Attributes, Key, Listener, VList, VNode, VTag, VText};

/// An element or a fragment that still grows; [`Element::finish`] makes it part of the page.
pub struct Element(Box<Parts>);

struct Parts {
    /// Empty for a fragment.
    tag: &'static str,
    fixed: &'static [(&'static str, AttributeOrProperty)],
    names: &'static [&'static str],
    values: Vec<Option<AttributeOrProperty>>,
    node_ref: Option<NodeRef>,
    key: Option<Key>,
    /// What an input field holds.
    content: Option<AttrValue>,
    listeners: Vec<Option<Rc<dyn Listener>>>,
    children: Vec<Html>,
}

impl Element {
    /// An element with these attributes, whose values follow in this order.
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

    /// An element whose attributes are always the same.
    #[inline(never)]
    pub fn fixed(tag: &'static str, fixed: &'static [(&'static str, AttributeOrProperty)]) -> Element {
        let mut element = Element::new(tag, &[]);
        element.0.fixed = fixed;
        element
    }

    /// Children without an element around them.
    pub fn fragment() -> Element {
        Element::new("", &[])
    }

    /// The value of the next attribute.
    pub fn value(self, value: impl Value) -> Element {
        value.put(self)
    }

    /// The next attribute is there, or is not.
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

    /// Tells it from its siblings.
    pub fn key(self, key: impl Into<Key>) -> Element {
        self.put_key(key.into())
    }

    #[inline(never)]
    fn put_key(mut self, key: Key) -> Element {
        self.0.key = Some(key);
        self
    }

    /// What an input field holds.
    pub fn content(self, content: impl Into<AttrValue>) -> Element {
        self.put_content(content.into())
    }

    #[inline(never)]
    fn put_content(mut self, content: AttrValue) -> Element {
        self.0.content = Some(content);
        self
    }

    /// Hears an event.
    #[inline(never)]
    pub fn listener(mut self, listener: Rc<dyn Listener>) -> Element {
        self.0.listeners.push(Some(listener));
        self
    }

    /// One more child.
    pub fn child(self, child: impl Child) -> Element {
        child.put(self)
    }

    /// More children, now so many and then so many: a list of its own, so that their siblings keep their places.
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

    /// The element as part of the page.
    #[inline(never)]
    pub fn finish(self) -> Html {
        let mut parts = *self.0;
        let children = match parts.children.pop() {
            // An only child needs no list around it.
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

/// What an attribute may be set to; nothing leaves it out.
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

/// What may stand in an element.
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

    /// Both macros over the same markup; they differ only in the order of attributes, where Yew moves `class` back.
    macro_rules! same {
        ($($markup:tt)*) => {
            let (ours, yews): (Html, Html) = (html! { $($markup)* }, yew::html! { $($markup)* });
            assert!(ours == yews, "{ours:?}\nis not what Yew makes of it:\n{yews:?}");
        };
    }

    #[test]
    fn markup_means_what_it_means_to_yew() {
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
    fn a_list_of_one_is_a_list() {
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
    fn a_list_beside_others_takes_one_place() {
        for count in 0..3 {
            let html: Html = html! { <p>{ for (0..count).map(|i| html! { <b key={i} /> }) }<s /></p> };
            let Html::VTag(tag) = &html else { panic!("{html:?}") };
            assert!(matches!(tag.children(), Some(Html::VList(list)) if list.len() == 2), "{html:?}");
        }
    }

    #[test]
    fn what_stands_behind_a_condition_keeps_its_place() {
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
