//! Everything that the page fetches: files as text, modules, workers, and the chunks of its own program. The provider itself is
//! `static/assets.js`; it keeps what has come, so a page once loaded goes on without the network.
use gloo_events::EventListener;
use js_sys::{Array, Reflect};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::spawn_local;
use web_sys::EventTarget;
use yew::prelude::*;

#[wasm_bindgen]
extern "C" {
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

    #[wasm_bindgen(js_namespace = lockstep, js_name = isDeferred)]
    fn is_place_deferred(place: u32) -> bool;

    #[wasm_bindgen(js_namespace = lockstep, js_name = ahead)]
    async fn fetch_ahead_of_need(names: Array);

    #[wasm_bindgen(js_namespace = lockstep, js_name = forget)]
    fn forget_file(name: &str);

    #[wasm_bindgen(js_namespace = lockstep, js_name = waiting)]
    fn waiting_now() -> JsValue;
}

/// A part of the program that comes after its first part. The order is that of `crates/xtask/src/split/chunks.txt`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Chunk {
    /// What the course and its lessons need.
    Course,
    /// Commands that are seldom typed, pictures of their values, dialogs, the script editor.
    Rest,
    /// The map of the course.
    Map,
    /// Databases.
    Table,
    /// Several nodes and the links to them.
    Nodes,
    /// Traffic and its figures.
    Traffic,
}

impl Chunk {
    /// All of them.
    pub const ALL: [Chunk; 6] = [Chunk::Course, Chunk::Rest, Chunk::Map, Chunk::Table, Chunk::Nodes, Chunk::Traffic];

    fn number(self) -> u32 {
        match self {
            Chunk::Course => 0,
            Chunk::Rest => 1,
            Chunk::Map => 2,
            Chunk::Table => 3,
            Chunk::Nodes => 4,
            Chunk::Traffic => 5,
        }
    }

    /// Whether it is here.
    pub fn is_here(self) -> bool {
        has_chunk(self.number())
    }

    /// Returns once it is here. Failures of the network are shown and tried again meanwhile.
    pub async fn ready(self) {
        fetch_chunk(self.number()).await;
    }
}

/// Whether all of the program is here.
pub fn is_whole() -> bool {
    Chunk::ALL.into_iter().all(Chunk::is_here)
}

/// Returns once all of the program is here.
pub async fn whole() {
    for chunk in Chunk::ALL {
        chunk.ready().await;
    }
}

/// Whether the function at this address is part of a chunk that is not here.
pub fn is_deferred(address: usize) -> bool {
    u32::try_from(address).is_ok_and(is_place_deferred)
}

/// Why a file does not come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoFile {
    /// The server has none of that name.
    Missing,
    /// It cannot be fetched.
    Unreachable,
}

/// What a server answers where it has no such file.
const NOT_FOUND: f64 = 404.0;

impl From<JsValue> for NoFile {
    fn from(why: JsValue) -> NoFile {
        if why.as_f64() == Some(NOT_FOUND) { NoFile::Missing } else { NoFile::Unreachable }
    }
}

/// The text of a file beside the document.
///
/// # Errors
/// [`NoFile`]
pub async fn text(name: &str) -> Result<String, NoFile> {
    fetch_text(name).await?.as_string().ok_or(NoFile::Unreachable)
}

/// Drops a file that turned out to be wrong. The next request fetches it again.
pub fn forget(name: &str) {
    forget_file(name);
}

/// A module beside the document.
///
/// # Errors
/// [`NoFile`]
pub async fn module<T: JsCast>(name: &str) -> Result<T, NoFile> {
    Ok(fetch_module(name).await?.unchecked_into())
}

/// Starts a worker. It first hears where its module is and of what that is made.
///
/// # Errors
/// [`NoFile`]
pub async fn worker<T: JsCast>(name: &str, script: &str, wasm: &str) -> Result<T, NoFile> {
    Ok(start_worker(name, script, wasm).await?.unchecked_into())
}

/// Fetches the chunks of the program and then these files, while the page has nothing else to do.
pub async fn fetch_ahead(names: impl IntoIterator<Item = String>) {
    fetch_ahead_of_need(names.into_iter().map(JsValue::from).collect()).await;
}

/// Marks, for measurements, that everything has been fetched.
pub fn mark_fetched() {
    // It fails where a browser has no such notes, and then no one measures.
    let _ = web_sys::window().and_then(|window| window.performance()).map(|performance| performance.mark(FETCHED));
}

/// The name of that note.
const FETCHED: &str = "lockstep-fetched";

/// Whether a chunk is here; asks for it, and draws the component again when it has come.
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

/// What somebody waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Waiting {
    /// How much of it has come, in bytes.
    pub bytes: u64,
    /// Whether the network did not answer last time.
    pub has_failed: bool,
}

/// What is being waited for; nothing for most of the time.
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
