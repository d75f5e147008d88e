//! One page a route. The sandbox is where everybody lands.
mod sandbox;

pub use sandbox::Sandbox;
