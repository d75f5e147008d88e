//! Handlers in Lua: which request follows the answers so far. A known history needs no run of Lua.
use std::cell::RefCell;
use std::collections::hash_map;
use std::sync::Arc;

use bytes::Bytes;
use resp::Value;
use rustc_hash::FxHashMap;
use script::program::{Answer, FRAME_MARK, History, ProgramState, Programs, Reply, Request, State, Unplayable};

use super::arrivals::Wish;
use super::subscribers::Notice;

/// Cache-aside as a programmer would write it: it sends the same requests as the built-in handler with a TTL of two hours.
pub const CACHE_ASIDE: &str = include_str!("handlers/cache-aside.lua");

/// Calls a handler's functions. `args` says what is wanted. A handler need not define `start`.
pub const FRAME: &str = "\
if args[1] == 'put' then
  put(args[2], args[3])
  answer()
elseif args[1] == 'start' then
  local is_there, begin = pcall(function() return start end)
  if is_there and begin then begin() end
else
  answer(get(args[2]))
end
";

/// Goes before [`FRAME`] in programs that subscribe: calls `message`, and `subscribed` if it is defined.
const MESSAGES_FRAME: &str = "\
if args[1] == 'message' then
  message(args[2], args[3])
elseif args[1] == 'subscribed' then
  local is_there, hook = pcall(function() return subscribed end)
  if is_there and hook then hook(args[2]) end
else";

/// A program whose text does not contain this name cannot subscribe.
const SUBSCRIBE: &[u8] = b"subscribe";

/// The program of a handler: its functions and the frame that calls them.
pub fn program(functions: &[u8]) -> Bytes {
    let mut text = functions.to_vec();
    if !text.ends_with(b"\n") {
        text.push(b'\n');
    }
    text.extend_from_slice(FRAME_MARK.as_bytes());
    text.push(b'\n');
    if functions.windows(SUBSCRIBE.len()).any(|part| part == SUBSCRIBE) {
        text.extend_from_slice(MESSAGES_FRAME.as_bytes());
    }
    text.extend_from_slice(FRAME.as_bytes());
    text.into()
}

/// What a handler learns about its request: the machine, if the handler asks for it, and what the caller wants.
pub fn who(machine: Option<u32>, wish: Wish, id: u32, value: impl FnOnce() -> Bytes) -> Reply {
    let mut words = vec![
        numbered(machine),
        Value::bulk(if wish == Wish::Put { "put" } else { "get" }),
        Value::bulk(id.to_string()),
    ];
    if wish == Wish::Put {
        words.push(Value::Bulk(value()));
    }
    Reply::Value(Value::Array(words))
}

/// What a handler learns at the start of its machine.
pub fn start(machine: Option<u32>) -> Reply {
    Reply::Value(Value::Array(vec![numbered(machine), Value::bulk("start")]))
}

/// What a handler learns when a message or a confirmation arrives at its machine.
pub(super) fn notice_of(machine: Option<u32>, notice: &Notice) -> Reply {
    let mut words = vec![numbered(machine)];
    match notice {
        Notice::Subscribed { channel } => words.extend([Value::bulk("subscribed"), Value::Bulk(channel.clone())]),
        Notice::Message { channel, text } => {
            words.extend([Value::bulk("message"), Value::Bulk(channel.clone()), Value::Bulk(text.clone())]);
        }
    }
    Reply::Value(Value::Array(words))
}

/// For handlers, machines are numbered from 1.
fn numbered(machine: Option<u32>) -> Value {
    machine.map_or(Value::Null, |machine| Value::Integer(i64::from(machine).saturating_add(1)))
}

/// Maximum size of the cached scenes and beginnings, in bytes. Beyond it the cache is cleared.
const SCENES_BYTES_MAX: usize = 96 << 20;
/// Number of discarded scenes, and of beginnings, dropped whenever something is cached.
const DROPPED_AT_ONCE: usize = 8;

/// A cache of scenes by history, for one program. It only saves time.
#[derive(Default)]
pub struct Memo(RefCell<Scenes>);

#[derive(Default)]
struct Scenes {
    /// By the fingerprint of the history.
    known: FxHashMap<u128, Scene>,
    /// By item.
    beginnings: FxHashMap<u32, Beginning>,
    /// Size of the cached scenes and beginnings, in bytes.
    bytes: usize,
    /// What is no longer cached. A hundred thousand scenes take a fifth of a second to drop, so they are dropped a few at a time.
    discarded: (hash_map::IntoIter<u128, Scene>, hash_map::IntoIter<u32, Beginning>),
}

impl Scenes {
    /// Makes room for this many bytes.
    fn reserve(&mut self, bytes: usize) {
        let (scenes, beginnings) = &mut self.discarded;
        scenes.take(DROPPED_AT_ONCE).for_each(drop);
        beginnings.take(DROPPED_AT_ONCE).for_each(drop);
        self.bytes = self.bytes.saturating_add(bytes);
        if self.bytes > SCENES_BYTES_MAX {
            let (scenes, beginnings) = (std::mem::take(&mut self.known), std::mem::take(&mut self.beginnings));
            self.discarded = (scenes.into_iter(), beginnings.into_iter());
            self.bytes = bytes;
        }
    }
}

/// What a program asks for after a history.
#[derive(Clone)]
pub(super) struct Scene {
    pub(super) state: Arc<ProgramState>,
    /// Whether the program is known to be over after [`Reply::Nothing`], without an error.
    pub(super) is_last: bool,
}

/// A call of `get` up to its first question whose answer does not follow from the item alone.
#[derive(Clone)]
pub(super) struct Beginning {
    pub(super) history: History,
    /// Size of its answers, in bytes.
    pub(super) received_bytes: usize,
    pub(super) scene: Scene,
}

impl Beginning {
    /// Does the answer to what this scene asks follow from the item alone?
    pub(super) fn includes(scene: &ProgramState) -> bool {
        let [thread] = scene.threads.as_slice() else { return false };
        matches!(thread.state, State::Requests(Request::Connect { .. } | Request::Who { number: false, .. }))
    }

    /// Size in bytes, without its scene and the texts in its answers.
    fn bytes(&self) -> usize {
        let answers = self.history.len().saturating_mul(size_of::<Answer>());
        size_of::<Beginning>().saturating_add(answers).saturating_add(self.received_bytes)
    }
}

impl Memo {
    /// How `get` begins for this item, if it is cached.
    pub(super) fn beginning(&self, id: u32) -> Option<Beginning> {
        self.0.borrow().beginnings.get(&id).cloned()
    }

    /// Caches how `get` begins for this item.
    pub(super) fn keep_beginning(&self, id: u32, beginning: Beginning) {
        let mut scenes = self.0.borrow_mut();
        scenes.reserve(beginning.bytes());
        scenes.beginnings.insert(id, beginning);
    }

    /// The program's scene after a history. `runs` is increased if it is not cached.
    pub(super) fn scene(
        &self,
        programs: &Programs,
        text: &Bytes,
        history: &History,
        runs: &mut u64,
    ) -> Result<Scene, Unplayable> {
        let key = history.fingerprint();
        if let Some(known) = self.0.borrow().known.get(&key) {
            return Ok(known.clone());
        }
        *runs = runs.saturating_add(1);
        let scene = Scene { state: programs.scene(text, history)?, is_last: false };
        let mut scenes = self.0.borrow_mut();
        scenes.reserve(scene.state.bytes());
        scenes.known.insert(key, scene.clone());
        Ok(scene)
    }

    /// The program is over after [`Reply::Nothing`] to the question that follows this history.
    pub(super) fn mark_last(&self, history: &History) {
        if let Some(scene) = self.0.borrow_mut().known.get_mut(&history.fingerprint()) {
            scene.is_last = true;
        }
    }
}

/// The history with one more answer.
pub fn answered(history: &History, thread: u32, reply: Reply) -> History {
    history.push(Answer { thread, reply })
}
