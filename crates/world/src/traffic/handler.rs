//! Handlers in Lua: which request follows the answers so far. A known history needs no run of Lua.
use std::cell::RefCell;
use std::sync::Arc;

use bytes::Bytes;
use resp::Value;
use rustc_hash::FxHashMap;
use script::program::{Answer, FRAME_MARK, History, ProgramState, Programs, Reply, Unplayable};

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

/// Maximum size of the cached scenes, in bytes. Beyond it the cache is cleared.
const SCENES_BYTES_MAX: usize = 96 << 20;

/// A cache of scenes by history, for one program. It only saves time.
#[derive(Default)]
pub struct Memo(RefCell<Scenes>);

#[derive(Default)]
struct Scenes {
    known: FxHashMap<u128, Arc<ProgramState>>,
    /// Size of the cached scenes, in bytes.
    bytes: usize,
}

impl Memo {
    /// The program's scene after a history. `runs` is increased if it is not cached.
    pub fn scene(
        &self,
        programs: &Programs,
        text: &Bytes,
        history: &History,
        runs: &mut u64,
    ) -> Result<Arc<ProgramState>, Unplayable> {
        let key = history.fingerprint();
        if let Some(known) = self.0.borrow().known.get(&key) {
            return Ok(Arc::clone(known));
        }
        *runs = runs.saturating_add(1);
        let scene = programs.scene(text, history)?;
        let mut scenes = self.0.borrow_mut();
        scenes.bytes = scenes.bytes.saturating_add(scene.bytes());
        if scenes.bytes > SCENES_BYTES_MAX {
            scenes.known.clear();
            scenes.bytes = scene.bytes();
        }
        scenes.known.insert(key, Arc::clone(&scene));
        Ok(scene)
    }
}

/// The history with one more answer.
pub fn answered(history: &History, thread: u32, reply: Reply) -> History {
    history.push(Answer { thread, reply })
}
