//! Generates calls of the page's `ui::element` from markup.
use proc_macro2::TokenStream;
use quote::{format_ident, quote, quote_spanned};

use crate::parse::{Attribute, Element, If, Node, Root};

/// Boolean attributes; their value is a `bool`.
const SWITCHES: [&str; 7] = ["autofocus", "disabled", "hidden", "open", "readonly", "required", "selected"];

/// Generates the expression of type `Html`.
pub fn root(root: &Root) -> TokenStream {
    let whole = match &root.0 {
        Some(Node::Element(node)) => element(node),
        Some(Node::Fragment(children)) => fragment(children),
        Some(node) => fragment(std::slice::from_ref(node)),
        None => fragment(&[]),
    };
    quote! { #whole.finish() }
}

/// Generates a fragment.
fn fragment(children: &[Node]) -> TokenStream {
    let children = children.iter().map(child);
    quote! { crate::ui::element::Element::fragment() #(#children)* }
}

fn element(node: &Element) -> TokenStream {
    let (tag, span) = (&node.tag.text, node.tag.first.span());
    let has_own_value = matches!(tag.as_str(), "input" | "textarea");
    let is_special =
        |name: &str| matches!(name, "ref" | "key") || name.starts_with("on") || (name == "value" && has_own_value);
    let (special, plain): (Vec<_>, Vec<_>) = node.attributes.iter().partition(|each| is_special(&each.name.text));
    let literals: Option<Vec<_>> = plain.iter().map(|each| each.literal()).collect();
    let names = plain.iter().map(|each| &each.name.text);
    let start = match literals {
        Some(texts) if !texts.is_empty() => quote_spanned! {span=>
            crate::ui::element::Element::fixed(
                #tag, &[#((#names, ::yew::virtual_dom::AttributeOrProperty::Static(#texts))),*]
            )
        },
        _ => {
            let values = plain.iter().map(|each| value(each));
            quote_spanned! {span=> crate::ui::element::Element::new(#tag, &[#(#names),*]) #(#values)* }
        }
    };
    let special = special.into_iter().map(special_attribute);
    let children = node.children.iter().map(child);
    quote! { #start #(#special)* #(#children)* }
}

fn value(attribute: &Attribute) -> TokenStream {
    let value = &attribute.value;
    let span = attribute.name.first.span();
    if SWITCHES.contains(&attribute.name.text.as_str()) {
        quote_spanned! {span=> .switch(#value) }
    } else {
        quote_spanned! {span=> .value(#value) }
    }
}

fn special_attribute(attribute: &Attribute) -> TokenStream {
    let (name, value) = (attribute.name.text.as_str(), &attribute.value);
    let span = attribute.name.first.span();
    match name {
        "ref" => quote_spanned! {span=> .node_ref(#value) },
        "key" => quote_spanned! {span=> .key(#value) },
        "value" => quote_spanned! {span=> .content(#value) },
        _ => {
            let event = format_ident!("{name}", span = span);
            quote_spanned! {span=> .listener(::std::rc::Rc::new(::yew::html::#event::Wrapper::new(#value))) }
        }
    }
}

fn child(node: &Node) -> TokenStream {
    match node {
        Node::Value(value) => quote! { .child(#value) },
        Node::Each(values) => quote! { .children(#values) },
        Node::Element(node) => {
            let inner = element(node);
            quote! { .child(#inner) }
        }
        Node::Fragment(children) => {
            let inner = fragment(children);
            quote! { .child(#inner) }
        }
        Node::If(node) => {
            let inner = choice(node);
            quote! { .child(#inner) }
        }
    }
}

/// A condition is always exactly one child, so that the following siblings keep their positions.
fn choice(node: &If) -> TokenStream {
    let (condition, then, otherwise) = (&node.condition, branch(&node.then), branch(&node.otherwise));
    quote! { if #condition { #then } else { #otherwise } }
}

fn branch(nodes: &[Node]) -> TokenStream {
    match nodes {
        [Node::Element(node)] => element(node),
        [Node::If(node)] => choice(node),
        nodes => fragment(nodes),
    }
}
