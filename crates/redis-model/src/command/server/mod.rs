//! The whole server: databases, time, configuration, the command table, statistics, diagnostics.
mod commands;
mod config;
mod databases;
mod debug;
mod docs;
mod info;
mod info_sections;
mod latency;
mod lolwut;
mod memory;
mod observe;

use super::Command;

pub(super) static COMMANDS: &[Command] = &[
    commands::COMMAND,
    config::CONFIG,
    databases::DBSIZE,
    databases::FLUSHALL,
    databases::FLUSHDB,
    databases::SWAPDB,
    databases::TIME,
    debug::DEBUG,
    info::INFO,
    latency::LATENCY,
    lolwut::LOLWUT,
    memory::MEMORY,
    observe::LASTSAVE,
    observe::MONITOR,
    observe::ROLE,
    observe::SLOWLOG,
];
