//! `html!`: the notation of Yew's macro of that name, compiled to a chain of calls.
//!
//! Yew's macro expands each element to a struct with a dozen fields: fast, but each costs two hundred bytes
//! of download. Here an element is built by small functions of the page (`src/ui/element.rs`), one call per
//! attribute or child, so the markup of a panel takes a third of that size:
//!
//! ```text
//! <p class={tone} title="why">{ words }</p>
//!     ⇒  Element::new("p", &["class", "title"]).value(tone).value("why").child(words)
//! ```
//!
//! The macro supports the syntax that the page uses: elements, fragments, `{ value }`, `{ for iterator }`, `if`/`else` with `let`, and
//! attributes as `name="text"`, `name={value}` and `{name}`. For components with children (context providers), use
//! Yew's own macro; everything else on the page is a part (`src/ui/part.rs`).
mod parse;
mod write;

use proc_macro::TokenStream;

/// Compiles markup to an expression of type `Html`.
#[proc_macro]
pub fn html(input: TokenStream) -> TokenStream {
    let root = syn::parse_macro_input!(input as parse::Root);
    write::root(&root).into()
}
