//! The page of Lockstep: a Redis classroom that runs wholly in the browser.
//!
//! Rooms: `state` holds pure reducers, `hooks` all effects, `panels` what stands on a stage, `ui` building blocks,
//! `i18n` the two languages, `pages` one page a route.
pub mod app;
pub mod hooks;
pub mod i18n;
pub mod pages;
pub mod panels;
pub mod state;
pub mod ui;
pub mod workbench;
