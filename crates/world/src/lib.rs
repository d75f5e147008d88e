//! The virtual world around the model: servers, clients, one clock, and a timeline that can go forward and back.
//!
//! ```text
//!   Input ──► World::step ──► Events          World: a value, Clone + Eq + Hash
//!     │                         │
//!     └──────► Timeline ◄───────┘             Timeline: a tree of inputs, a cursor, keyframes
//!                 │
//!              text form                      for links, files and the browser's storage
//! ```
//!
//! Architecture invariant: the log of inputs is the single source of truth. Two worlds that started from the same [`Settings`] and took the
//! same inputs are equal, on every machine.
//!
//! Architecture invariant: a step that returns an error has changed nothing.
pub mod claim;
mod engines;
mod error;
mod event;
pub mod explore;
mod input;
mod network;
mod node;
mod programs;
mod property;
pub mod timeline;
pub mod traffic;
mod virtual_client;
mod world;

pub use engines::Engines;
pub use error::StepError;
pub use event::{Event, EventKind, KeyState, ProgramEvent};
pub use input::{Act, ClientIndex, Input, Settings, is_good_name};
pub use network::{Delivery, HeldUp, InFlight, Link, LinkAct, Queued, RequestStage, Typed};
pub use node::{CLOCK_AHEAD_MAX_MS, Durability, NODES_MAX, NodeAct, NodeIndex, NodeKind, NodeSettings, printed_key};
pub use programs::{
    ARGS_MAX, CLOCK_JUMP_MS, Condition, DELAY_MAX_MS, Direction, Fault, Faults, Phase, Process, TEXT_BYTES_MAX,
    TIMED_OUT, TIMEOUT_MS,
};
pub use property::{
    Atom, Bound, Breach, ClientThread, Disorder, Formula, KeySums, Ledger, Looked, Message, Operand, PROPERTIES_MAX,
    Property, Sum, Term, Watch, When,
};
pub use script::{Fingerprint, fingerprint};
pub use timeline::{Branch, Step, StepId, Timeline};
pub use virtual_client::VirtualClient;
pub use world::{ARGUMENTS_MAX, CLIENTS_MAX, World};
