//! Handlers in Lua: what a request wants next after the answers that it has got. A history that was seen before costs no Lua.
use std::cell::RefCell;
use std::sync::Arc;

use bytes::Bytes;
use resp::Value;
use rustc_hash::FxHashMap;
use script::program::{Answer, FRAME_MARK, History, Programs, Reply, Scene, Unplayable};

use super::arrivals::Wish;

/// Cache-aside as people write it: it asks for just what the handler without Lua does that keeps items for two hours.
pub const CACHE_ASIDE: &str = include_str!("handlers/cache-aside.lua");

/// Calls a handler's functions. It is told what is wanted by `args`. A handler need not define `start`.
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

/// The program of a handler: its functions, and the frame that calls them.
pub fn program(functions: &[u8]) -> Bytes {
    let mut text = functions.to_vec();
    if !text.ends_with(b"\n") {
        text.push(b'\n');
    }
    text.extend_from_slice(FRAME_MARK.as_bytes());
    text.push(b'\n');
    text.extend_from_slice(FRAME.as_bytes());
    text.into()
}

/// What a request is told of itself: its machine, if it asks for that, and what is wanted.
pub fn who(machine: Option<u32>, wish: Wish, id: u32, value: impl FnOnce() -> Bytes) -> Reply {
    let mut told = vec![
        numbered(machine),
        Value::bulk(if wish == Wish::Put { "put" } else { "get" }),
        Value::bulk(id.to_string()),
    ];
    if wish == Wish::Put {
        told.push(Value::Bulk(value()));
    }
    Reply::Value(Value::Array(told))
}

/// What is told where a machine's handler starts.
pub fn start(machine: Option<u32>) -> Reply {
    Reply::Value(Value::Array(vec![numbered(machine), Value::bulk("start")]))
}

/// Machines are numbered from 1 for handlers.
fn numbered(machine: Option<u32>) -> Value {
    machine.map_or(Value::Null, |machine| Value::Integer(i64::from(machine).saturating_add(1)))
}

/// What remembered scenes take at most, in bytes. When it is more, all are forgotten.
const SCENES_BYTES_MAX: usize = 96 << 20;

/// Scenes by their histories, all of one program. It only saves time.
#[derive(Default)]
pub struct Memo(RefCell<Scenes>);

#[derive(Default)]
struct Scenes {
    known: FxHashMap<u128, Arc<Scene>>,
    /// What they take.
    bytes: usize,
}

impl Memo {
    /// What the program looks like after a history.
    pub fn scene(&self, programs: &Programs, text: &Bytes, history: &History) -> Result<Arc<Scene>, Unplayable> {
        let key = history.fingerprint();
        if let Some(known) = self.0.borrow().known.get(&key) {
            return Ok(Arc::clone(known));
        }
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

/// A history with an answer more.
pub fn answered(history: &History, thread: u32, reply: Reply) -> History {
    history.push(Answer { thread, reply })
}
