//! The traffic whose figures are shown.
use std::rc::Rc;

use gloo_timers::future::TimeoutFuture;
use wasm_bindgen_futures::spawn_local;
use world::Engines;
use world::traffic::Site;
use world::traffic::settings::{Handler, TrafficSettings};
use yew::prelude::*;

use super::assets::Chunk;
use crate::i18n::Lang;
use crate::state::traffic::{RunShown, capacity_milli};

/// What there is to show.
#[derive(Clone, PartialEq)]
pub struct TrafficShown {
    /// No run, one or two.
    pub runs: Vec<RunShown>,
    /// How many statements the database can carry out, in thousandths a second.
    pub capacity_milli: Option<u64>,
}

/// The traffic of the session.
///
/// TO BE REPLACED: until a session has traffic, two small runs are computed here for demonstration. Everything below this function goes with
/// that; nothing else knows of it.
#[hook]
pub fn use_traffic(t: Lang) -> TrafficShown {
    let runs = use_state(Vec::<RunShown>::new);
    let set_runs = runs.setter();
    use_effect_with(t, move |t| {
        let t = *t;
        let is_wanted = Rc::new(std::cell::Cell::new(true));
        let is_going = Rc::clone(&is_wanted);
        spawn_local(async move {
            // Its database.
            Chunk::Table.ready().await;
            let mut shown = Vec::new();
            for (name, ttl_s) in [(t.traffic_run_a(), 120), (t.traffic_run_b(), 300)] {
                let Some(mut site) = demonstration(ttl_s) else { return };
                let mut is_over = false;
                while !is_over {
                    // A slice takes some milliseconds, and the page goes on between two of them.
                    is_over = site.run_slice(DEMONSTRATION_MS, SLICE_EVENTS);
                    if !is_going.get() {
                        return;
                    }
                    let series = Rc::new(site.traffic().series().clone());
                    let now = RunShown { name: name.into(), series };
                    set_runs.set(shown.iter().cloned().chain([now.clone()]).collect());
                    if is_over {
                        shown.push(now);
                    }
                    TimeoutFuture::new(PAUSE_MS).await;
                }
            }
        });
        move || is_wanted.set(false)
    });
    let database = table::Settings::default();
    TrafficShown { runs: (*runs).clone(), capacity_milli: capacity_milli(database.workers, database.service_ms) }
}

/// How long the demonstration is, in ms of its own time.
const DEMONSTRATION_MS: u64 = 600_000;
/// Events between two drawings.
const SLICE_EVENTS: u64 = 20_000;
/// Real time between two drawings.
const PAUSE_MS: u32 = 60;

/// An avalanche: all items are asked for soon after the start, so all of them expire together.
fn demonstration(ttl_s: u32) -> Option<Site> {
    let settings =
        TrafficSettings { items: 2_000, handler: Handler::CacheAside { ttl_s }, ..TrafficSettings::default() };
    Site::begin(settings, table::Settings::default(), 0, &Engines::default()).ok()
}
