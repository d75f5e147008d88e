//! Everything that the page fetches: text files, modules, workers, and the chunks of its own program. `static/assets.js` does the fetching
//! and caches each file, so a loaded page keeps working offline.
use gloo_events::EventListener;
use js_sys::{Array, Reflect, Uint8Array};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::spawn_local;
use web_sys::EventTarget;
use yew::prelude::*;

use crate::i18n::Lang;

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_namespace = lockstep, js_name = bytes, catch)]
    async fn fetch_bytes(name: &str) -> Result<JsValue, JsValue>;

    #[wasm_bindgen(js_namespace = lockstep, js_name = text, catch)]
    async fn fetch_text(name: &str) -> Result<JsValue, JsValue>;

    #[wasm_bindgen(js_namespace = lockstep, js_name = module, catch)]
    async fn fetch_module(name: &str) -> Result<JsValue, JsValue>;

    #[wasm_bindgen(js_namespace = lockstep, js_name = worker, catch)]
    async fn start_worker(name: &str, script: &str, wasm: &str) -> Result<JsValue, JsValue>;

    #[wasm_bindgen(js_namespace = lockstep, js_name = chunk)]
    async fn fetch_chunk(nth: u32);

    #[wasm_bindgen(js_namespace = lockstep, js_name = hasChunk)]
    fn has_chunk(nth: u32) -> bool;

    #[wasm_bindgen(js_namespace = lockstep)]
    fn missing(place: u32) -> i32;

    #[wasm_bindgen(js_namespace = lockstep, js_name = ahead)]
    async fn fetch_ahead_of_need(names: Array);

    #[wasm_bindgen(js_namespace = lockstep, js_name = keep)]
    fn keep_files(service: &str);

    #[wasm_bindgen(js_namespace = lockstep, js_name = newer)]
    async fn wait_for_newer();

    #[wasm_bindgen(js_namespace = lockstep, js_name = forget)]
    fn forget_file(name: &str);

    #[wasm_bindgen(js_namespace = lockstep, js_name = waiting)]
    fn waiting_now() -> JsValue;
}

/// A part of the program that is loaded after the first part. The order is that of `crates/xtask/src/split/chunks.txt`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Chunk {
    /// Rarely used commands.
    Commands,
    /// Code of the course and its lessons.
    Course,
    /// Pictures of values, dialogs, the script editor. It calls rarely used commands.
    Rest,
    /// The map of the course.
    Map,
    /// Databases.
    Table,
    /// Several nodes and the links to them.
    Nodes,
    /// Traffic and its figures.
    Traffic,
    /// The page's side of the module that runs scripts and programs.
    Scripts,
    /// Commands on values with an order: lists, sorted sets, streams, places.
    Ordered,
    /// Programs of clients, and the lanes.
    Lab,
    /// What lets time pass in traffic, and shows its steps.
    Stretch,
    /// The panel of nodes.
    Network,
    /// The messages of the first part, in English.
    English,
    /// The same in Chinese.
    Chinese,
}

impl Chunk {
    /// All chunks of code, in the order of their numbers.
    pub const ALL: [Chunk; 12] = [
        Chunk::Commands,
        Chunk::Course,
        Chunk::Rest,
        Chunk::Map,
        Chunk::Table,
        Chunk::Nodes,
        Chunk::Traffic,
        Chunk::Scripts,
        Chunk::Ordered,
        Chunk::Lab,
        Chunk::Stretch,
        Chunk::Network,
    ];

    /// The commands that are not in the first part.
    pub const COMMANDS: [Chunk; 2] = [Chunk::Commands, Chunk::Ordered];

    /// The chunks that this one calls.
    fn called(self) -> &'static [Chunk] {
        match self {
            Chunk::Rest => &[Chunk::Commands, Chunk::Ordered, Chunk::Lab],
            Chunk::Stretch => &[Chunk::Traffic],
            Chunk::Network => &[Chunk::Nodes],
            _ => &[],
        }
    }

    fn number(self) -> u32 {
        match self {
            Chunk::Commands => 0,
            Chunk::Course => 1,
            Chunk::Rest => 2,
            Chunk::Map => 3,
            Chunk::Table => 4,
            Chunk::Nodes => 5,
            Chunk::Traffic => 6,
            Chunk::Scripts => 7,
            Chunk::Ordered => 8,
            Chunk::Lab => 9,
            Chunk::Stretch => 10,
            Chunk::Network => 11,
            Chunk::English => 12,
            Chunk::Chinese => 13,
        }
    }

    /// The messages of a language.
    pub fn messages(lang: Lang) -> Chunk {
        match lang {
            Lang::En => Chunk::English,
            Lang::ZhCn => Chunk::Chinese,
        }
    }

    /// Whether the chunk is loaded, and what it calls.
    pub fn is_here(self) -> bool {
        has_chunk(self.number()) && self.called().iter().all(|called| called.is_here())
    }

    /// Requests the chunk without waiting for it.
    pub fn request(self) {
        spawn_local(self.ready());
    }

    /// Returns once the chunk is loaded, and what it calls. If the network fails, the page shows it and tries again.
    pub async fn ready(self) {
        self.called().iter().copied().for_each(Chunk::request);
        for called in self.called() {
            fetch_chunk(called.number()).await;
        }
        fetch_chunk(self.number()).await;
    }
}

/// Loads these chunks, all at the same time.
pub async fn ready(chunks: impl IntoIterator<Item = Chunk> + Clone) {
    chunks.clone().into_iter().for_each(Chunk::request);
    for chunk in chunks {
        chunk.ready().await;
    }
}

/// Loads all code.
pub async fn whole() {
    ready(Chunk::ALL).await;
}

/// The chunk of the function at this address (its index in the module's table), if it is not loaded yet.
pub fn missing_chunk(address: usize) -> Option<Chunk> {
    let number = u32::try_from(missing(u32::try_from(address).ok()?)).ok()?;
    Chunk::ALL.into_iter().find(|chunk| chunk.number() == number)
}

/// Why a file could not be fetched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoFile {
    /// The server has no file of that name (404).
    Missing,
    /// The request failed for another reason.
    Unreachable,
}

/// HTTP status of a file that the server does not have.
const NOT_FOUND: f64 = 404.0;

impl From<JsValue> for NoFile {
    fn from(why: JsValue) -> NoFile {
        if why.as_f64() == Some(NOT_FOUND) { NoFile::Missing } else { NoFile::Unreachable }
    }
}

/// The text of a file next to the document.
///
/// # Errors
/// [`NoFile`]
pub async fn text(name: &str) -> Result<String, NoFile> {
    fetch_text(name).await?.as_string().ok_or(NoFile::Unreachable)
}

/// The bytes of a file next to the document.
///
/// # Errors
/// [`NoFile`]
pub async fn bytes(name: &str) -> Result<Vec<u8>, NoFile> {
    Ok(Uint8Array::new(&fetch_bytes(name).await?).to_vec())
}

/// Requests files without waiting for them. A failed file is requested again when it is needed.
pub fn request(names: &[&'static str]) {
    for name in names {
        spawn_local(async { drop(fetch_bytes(name).await) });
    }
}

/// Removes a file from the cache because its content was wrong. The next request fetches it again.
pub fn forget(name: &str) {
    forget_file(name);
}

/// A JavaScript module next to the document.
///
/// # Errors
/// [`NoFile`]
pub async fn module<T: JsCast>(name: &str) -> Result<T, NoFile> {
    Ok(fetch_module(name).await?.unchecked_into())
}

/// Starts a worker. The first message to it contains the location of `script` and the bytes of `wasm`.
///
/// # Errors
/// [`NoFile`]
pub async fn worker<T: JsCast>(name: &str, script: &str, wasm: &str) -> Result<T, NoFile> {
    Ok(start_worker(name, script, wasm).await?.unchecked_into())
}

/// Prefetches the chunks of the program and then these files, while the page is idle.
pub async fn fetch_ahead(names: impl IntoIterator<Item = String>) {
    fetch_ahead_of_need(names.into_iter().map(JsValue::from).collect()).await;
}

/// The service worker.
const SERVICE: &str = "service.js";

/// Keeps all files in the browser, so that the page also opens without a network.
pub fn keep() {
    keep_files(SERVICE);
}

/// Returns once the browser keeps a newer build than this one, complete. Otherwise never.
pub async fn newer() {
    wait_for_newer().await;
}

/// Sets a performance mark: everything has been fetched.
pub fn mark_fetched() {
    // Fails only in a browser without performance marks; then nothing is measured.
    let _ = web_sys::window().and_then(|window| window.performance()).map(|performance| performance.mark(FETCHED));
}

/// Name of the performance mark.
const FETCHED: &str = "lockstep-fetched";

/// Whether a chunk is loaded. If not, requests it and renders the component again once it is loaded.
#[hook]
pub fn use_chunk(chunk: Option<Chunk>) -> bool {
    let come = use_force_update();
    use_effect_with(chunk.filter(|chunk| !chunk.is_here()), move |missing| {
        if let Some(chunk) = *missing {
            spawn_local(async move {
                chunk.ready().await;
                come.force_update();
            });
        }
    });
    chunk.is_none_or(Chunk::is_here)
}

/// A download that the page is waiting for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Waiting {
    /// Bytes received so far.
    pub bytes: u64,
    /// Whether the last attempt failed.
    pub has_failed: bool,
}

/// The download that the page is waiting for, if any.
#[hook]
pub fn use_waiting() -> Option<Waiting> {
    let waiting = use_state_eq(look);
    {
        let waiting = waiting.setter();
        use_effect_with((), move |()| {
            let listener = web_sys::window().map(|window| {
                let target: &EventTarget = &window;
                EventListener::new(target, "lockstep-assets", move |_| waiting.set(look()))
            });
            move || drop(listener)
        });
    }
    *waiting
}

fn look() -> Option<Waiting> {
    let now = waiting_now();
    let field = |name: &str| Reflect::get(&now, &name.into()).ok();
    (!now.is_undefined()).then(|| Waiting {
        bytes: field("bytes").and_then(|bytes| bytes.as_f64()).unwrap_or(0.0) as u64,
        has_failed: field("hasFailed").is_some_and(|failed| failed.is_truthy()),
    })
}
