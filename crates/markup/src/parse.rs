//! Parses the markup inside `html! { … }`.
use syn::ext::IdentExt as _;
use syn::parse::{Parse, ParseStream, Result};
use syn::{Expr, Ident, LitStr, Token, braced};

/// The content of one `html! { … }`.
pub struct Root(pub Option<Node>);

/// One node of the markup.
pub enum Node {
    /// `<name …>…</name>` or `<name … />`.
    Element(Element),
    /// `<>…</>`.
    Fragment(Vec<Node>),
    /// `{ value }`.
    Value(Expr),
    /// `{ for iterator }`.
    Each(Expr),
    /// `if condition { … } else { … }`.
    If(If),
}

/// An element with its attributes and children.
pub struct Element {
    pub tag: Name,
    pub attributes: Vec<Attribute>,
    pub children: Vec<Node>,
}

/// One attribute: a literal, a value in braces, or `{name}` for a variable of the same name.
pub struct Attribute {
    pub name: Name,
    pub value: Expr,
}

/// Markup that is rendered under a condition.
pub struct If {
    pub condition: Expr,
    pub then: Vec<Node>,
    pub otherwise: Vec<Node>,
}

/// A name that may contain hyphens, unlike Rust identifiers.
pub struct Name {
    pub text: String,
    pub first: Ident,
}

impl Parse for Root {
    fn parse(input: ParseStream<'_>) -> Result<Root> {
        let node = if input.is_empty() { None } else { Some(root_node(input)?) };
        if input.is_empty() { Ok(Root(node)) } else { Err(input.error("one root only: wrap several in <>…</>")) }
    }
}

/// At the root, a value may be written without braces.
fn root_node(input: ParseStream<'_>) -> Result<Node> {
    let is_markup = input.peek(Token![<]) || input.peek(syn::token::Brace) || input.peek(Token![if]);
    if is_markup { input.parse() } else { Ok(Node::Value(input.parse()?)) }
}

impl Parse for Node {
    fn parse(input: ParseStream<'_>) -> Result<Node> {
        if input.peek(Token![if]) {
            return input.parse().map(Node::If);
        }
        if input.peek(syn::token::Brace) {
            let content;
            braced!(content in input);
            let is_each = content.parse::<Option<Token![for]>>()?.is_some();
            let value = content.parse()?;
            expect_end(&content)?;
            return Ok(if is_each { Node::Each(value) } else { Node::Value(value) });
        }
        input.parse::<Token![<]>()?;
        if input.parse::<Option<Token![>]>>()?.is_some() {
            let children = children_until_close(input)?;
            input.parse::<Token![>]>()?;
            return Ok(Node::Fragment(children));
        }
        element_after_bracket(input).map(Node::Element)
    }
}

fn element_after_bracket(input: ParseStream<'_>) -> Result<Element> {
    let tag: Name = input.parse()?;
    let mut attributes = Vec::new();
    while !input.peek(Token![>]) && !input.peek(Token![/]) {
        attributes.push(input.parse()?);
    }
    if input.parse::<Option<Token![/]>>()?.is_some() {
        input.parse::<Token![>]>()?;
        return Ok(Element { tag, attributes, children: Vec::new() });
    }
    input.parse::<Token![>]>()?;
    let children = children_until_close(input)?;
    let close: Name = input.parse()?;
    input.parse::<Token![>]>()?;
    if close.text != tag.text {
        return Err(syn::Error::new(close.first.span(), format!("<{}> is closed as </{}>", tag.text, close.text)));
    }
    Ok(Element { tag, attributes, children })
}

/// Parses all nodes up to `</`, which is consumed.
fn children_until_close(input: ParseStream<'_>) -> Result<Vec<Node>> {
    let mut children = Vec::new();
    while !(input.peek(Token![<]) && input.peek2(Token![/])) {
        if input.is_empty() {
            return Err(input.error("something is not closed"));
        }
        children.push(input.parse()?);
    }
    input.parse::<Token![<]>()?;
    input.parse::<Token![/]>()?;
    Ok(children)
}

impl Parse for Attribute {
    fn parse(input: ParseStream<'_>) -> Result<Attribute> {
        if input.peek(syn::token::Brace) {
            let content;
            braced!(content in input);
            let first: Ident = content.parse()?;
            expect_end(&content)?;
            let value = syn::parse_quote!(#first);
            return Ok(Attribute { name: Name { text: first.to_string(), first }, value });
        }
        let name = input.parse()?;
        input.parse::<Token![=]>()?;
        let value = if input.peek(syn::token::Brace) {
            let content;
            braced!(content in input);
            let value = content.parse()?;
            expect_end(&content)?;
            value
        } else {
            Expr::Lit(input.parse()?)
        };
        Ok(Attribute { name, value })
    }
}

impl Attribute {
    /// The value of an attribute with a constant text.
    pub fn literal(&self) -> Option<&LitStr> {
        match &self.value {
            Expr::Lit(syn::ExprLit { lit: syn::Lit::Str(text), .. }) => Some(text),
            _ => None,
        }
    }
}

impl Parse for If {
    fn parse(input: ParseStream<'_>) -> Result<If> {
        input.parse::<Token![if]>()?;
        let condition = input.call(Expr::parse_without_eager_brace)?;
        let then = braced_nodes(input)?;
        let otherwise = if input.parse::<Option<Token![else]>>()?.is_none() {
            Vec::new()
        } else if input.peek(Token![if]) {
            vec![input.parse().map(Node::If)?]
        } else {
            braced_nodes(input)?
        };
        Ok(If { condition, then, otherwise })
    }
}

fn braced_nodes(input: ParseStream<'_>) -> Result<Vec<Node>> {
    let content;
    braced!(content in input);
    let mut nodes = Vec::new();
    while !content.is_empty() {
        nodes.push(content.parse()?);
    }
    Ok(nodes)
}

impl Parse for Name {
    fn parse(input: ParseStream<'_>) -> Result<Name> {
        let first = input.call(Ident::parse_any)?;
        let mut text = first.unraw().to_string();
        while input.parse::<Option<Token![-]>>()?.is_some() {
            text.push('-');
            text.push_str(&input.call(Ident::parse_any)?.to_string());
        }
        Ok(Name { text, first })
    }
}

fn expect_end(input: ParseStream<'_>) -> Result<()> {
    if input.is_empty() { Ok(()) } else { Err(input.error("only one value in braces")) }
}

#[cfg(test)]
mod tests {
    use super::Root;

    fn fault(text: &str) -> String {
        match syn::parse_str::<Root>(text) {
            Ok(_) => String::new(),
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn markup_is_read() {
        for text in [
            "",
            "<br />",
            "<p class=\"a\" aria-label={x} {title}>{ \"text\" }{ for rows }</p>",
            "<>if let Some(x) = y && x.is_z() { <b /> } else if z { {x} } else { <i></i><u /> }</>",
            "match x { _ => y }",
        ] {
            assert_eq!(fault(text), "", "{text}");
        }
    }

    #[test]
    fn mistakes_are_reported() {
        for (text, named) in [
            ("<p></q>", "<p> is closed as </q>"),
            ("<p /><p />", "one root only: wrap several in <>…</>"),
            ("<p>{ a, b }</p>", "only one value in braces"),
            ("<p class=>", "expected literal"),
            ("<p>", "something is not closed"),
        ] {
            assert!(fault(text).contains(named), "{text}: {}", fault(text));
        }
    }
}
