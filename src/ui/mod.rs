//! Building blocks without a will of their own: icons, buttons, dialogs, badges, marks, splitters.
mod badge;
mod button;
mod dialog;
mod icon;
mod mark;
mod splitter;

pub use badge::{TtlRing, TypeBadge};
pub use button::{Button, ButtonLook, IconButton};
pub use dialog::Dialog;
pub use icon::{Icon, Picture};
pub use mark::{ClientMark, client_shape_name};
pub use splitter::{Direction, Splitter};
