//! The page of Lockstep: a Redis classroom that runs entirely in the browser.
//!
//! Modules: `state` holds pure reducers, `hooks` all effects, `panels` the panels, `workbench` their frame, `ui` building blocks, `i18n`
//! the two languages, and `pages` one page per route.
pub mod app;
pub mod hooks;
pub mod i18n;
pub mod pages;
pub mod panels;
pub mod state;
pub mod ui;
pub mod workbench;
