//! `html!`: the notation of Yew's macro of that name, compiled to a chain of calls.
//!
//! Yew's macro writes each element out as the construction of a struct with a dozen fields: fast, and two hundred bytes
//! of the download apiece. Here an element is built by small functions of the page (`src/ui/element.rs`), one call for
//! an attribute or a child, so what a panel shows costs a third of that:
//!
//! ```text
//! <p class={tone} title="why">{ words }</p>
//!     ⇒  Element::new("p", &["class", "title"]).value(tone).value("why").child(words)
//! ```
//!
//! Understood is what the page uses: elements, fragments, `{ value }`, `{ for iterator }`, `if`/`else` with `let`, and
//! attributes as `name="text"`, `name={value}` and `{name}`. For components with children (providers of a context) there
//! is Yew's own macro; everything else on the page is a part (`src/ui/part.rs`).
mod parse;
mod write;

use proc_macro::TokenStream;

/// Markup as a value of type `Html`.
#[proc_macro]
pub fn html(input: TokenStream) -> TokenStream {
    let root = syn::parse_macro_input!(input as parse::Root);
    write::root(&root).into()
}
