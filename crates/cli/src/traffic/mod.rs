//! `lockstep traffic`: simulates millions of requests against a handler, a Redis server and a database, and reports the figures.
//!
//! ```text
//! lockstep traffic --rate 500 --for 1h
//! lockstep traffic get.lua --against jitter.lua --rate 0s:50,2h:400 --for 3h
//! ```
mod options;
mod report;

use std::error::Error;
use std::path::PathBuf;
use std::time::Instant;

use lua_machine::{LuaMachine, LuaPlayer};
use world::Engines;
use world::traffic::Site;
use world::traffic::report::csv;

pub use options::Options;

use crate::output::say;

/// A handler with the result of its traffic.
struct Ran {
    name: String,
    site: Site,
    seconds: f64,
}

/// Runs traffic, and prints the figures.
///
/// # Errors
/// If a file cannot be read, or a setting is out of range.
pub fn traffic(options: &Options) -> Result<(), Box<dyn Error>> {
    let first = run(options, options.handler.as_ref())?;
    if options.csv {
        say(csv(first.site.traffic().series()).trim_end());
    } else {
        say(report::summary(&first.name, first.site.traffic(), first.seconds));
    }
    let Some(against) = &options.against else { return Ok(()) };
    let second = run(options, Some(against))?;
    say(if options.csv {
        csv(second.site.traffic().series())
    } else {
        let text = report::summary(&second.name, second.site.traffic(), second.seconds);
        let names = [first.name.as_str(), second.name.as_str()];
        text + &report::compared(names, [first.site.traffic(), second.site.traffic()])
    });
    Ok(())
}

fn run(options: &Options, handler: Option<&PathBuf>) -> Result<Ran, Box<dyn Error>> {
    let engines = Engines::new(LuaMachine::new(), LuaPlayer::for_traffic());
    let settings = options.settings(handler)?;
    let mut site = Site::begin(settings, options.database(), options.maxmemory, &engines)?;
    let started = Instant::now();
    site.run(options.until_ms());
    let name = handler.map_or_else(|| "cache-aside".to_owned(), |path| path.display().to_string());
    Ok(Ran { name, site, seconds: started.elapsed().as_secs_f64() })
}
