//! Building blocks that do not depend on the session: icons, buttons, dialogs, badges, marks, splitters.
mod badge;
mod button;
mod choice;
mod dialog;
pub mod element;
mod icon;
mod later;
mod mark;
mod menu;
mod name_field;
mod part;
mod splitter;
mod tabs;

pub use badge::{time_ring, type_badge};
pub use button::{Button, ButtonLook};
pub use choice::choice;
pub use dialog::{dialog, wide_dialog};
pub use icon::{Picture, icon};
pub use later::later;
pub use mark::{client_mark, client_shape, client_shape_name};
pub use menu::{Menu, MenuProps};
pub use name_field::{NameField, NameFieldProps};
pub use part::{part, part_of};
pub use splitter::{Splitter, SplitterProps};
pub use tabs::{Tab, TabList, TabListProps};

/// Builds [`Html`](yew::Html) from markup, with the syntax of Yew's macro.
pub use markup::html;
