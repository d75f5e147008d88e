//! Handlers that a learner writes for traffic, and the variations under which their figures have to stay within bounds.
//!
//! ```text
//!   lesson.traffic  +  variation.traffic  +  the learner's handler  ─▶  @traffic begin …
//!                      variation.inputs                             ─▶  time that passes, crashes, statements of others
//!                      variation.bounds                             ─▶  figures that are measured at the end
//! ```
use super::opening::quoted;
use super::read::{add, read_property, read_wrong, set};
use super::repair::Wrong;
use super::{Lesson, Property};
use crate::packed::{Pieces, Unreadable};
use std::sync::Arc;

/// A handler to write.
#[derive(Clone, Debug, Default, Eq)]
pub struct Handling {
    /// The handler that one begins with; a figure of it is out of bounds.
    pub start: String,
    /// A handler that passes.
    pub solution: String,
    /// Handlers that look good and fail. [`Wrong::property`] is the bound, and there is no way.
    pub wrong: Vec<Wrong>,
    /// A handler has to pass on all of these.
    pub variations: Vec<Load>,
}

/// Traffic that a handler has to stand.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Load {
    /// What wrong answers call it.
    pub id: String,
    /// What is different, plain text.
    pub title: String,
    /// Nodes, as those of a lesson.
    pub nodes: Vec<String>,
    /// Commands that are sent before traffic begins.
    pub setup: Vec<String>,
    /// How traffic is set up, without the handler.
    pub traffic: String,
    /// What happens then, as lines of the world's text form.
    pub inputs: Vec<String>,
    /// What has to hold at the end; [`Property::text`] is a claim.
    pub bounds: Vec<Property>,
}

impl PartialEq for Handling {
    // By hand, so that the page can have it in the same chunk.
    #[inline(never)]
    fn eq(&self, other: &Handling) -> bool {
        let Handling { start, solution, wrong, variations } = self;
        (start, solution, wrong, variations) == (&other.start, &other.solution, &other.wrong, &other.variations)
    }
}

impl Handling {
    /// The variation of this name.
    pub fn variation(&self, id: &str) -> Option<&Load> {
        self.variations.iter().find(|load| load.id == id)
    }
}

impl Load {
    /// The lesson with this load and handler, traffic begun.
    pub fn varied(&self, lesson: &Lesson, handler: &str) -> Lesson {
        let mut varied = lesson.clone();
        varied.nodes.clone_from(&self.nodes);
        varied.setup.clone_from(&self.setup);
        varied.traffic = with_handler(&self.traffic, handler);
        varied
    }

    /// The whole session in the world's text form.
    ///
    /// ```
    /// use lesson::{Lesson, handling::Load};
    /// let load = Load { traffic: "rate 50".into(), inputs: vec!["@+1000ms".into()], ..Load::default() };
    /// let text = load.session(&Lesson::default(), "function get(id) return 1 end\n");
    /// assert!(text.contains("@traffic begin rate 50 lua \"function get(id) return 1 end\\n\"\n@+1000ms\n"));
    /// ```
    pub fn session(&self, lesson: &Lesson, handler: &str) -> String {
        self.varied(lesson, handler).session(&self.inputs)
    }
}

/// Settings of traffic with a handler.
pub fn with_handler(traffic: &str, handler: &str) -> String {
    let words = [traffic.trim(), "lua", &quoted(handler)];
    words.iter().filter(|word| !word.is_empty()).copied().collect::<Vec<_>>().join(" ")
}

/// Reads the compiled form of a handler to write. The page has it in a chunk that it fetches for lessons that need it.
#[inline(never)]
pub(super) fn read(text: &str) -> Result<Arc<Handling>, Unreadable> {
    let mut handling = Handling::default();
    let mut pieces = Pieces::of(text);
    while let Some((name, value)) = pieces.piece()? {
        match name {
            "start" => set(&mut handling.start, value),
            "solution" => set(&mut handling.solution, value),
            "wrong" => handling.wrong.push(read_wrong(value)?),
            "variation" => handling.variations.push(read_load(value)?),
            _ => return Err(Unreadable::Damaged),
        }
    }
    Ok(Arc::new(handling))
}

fn read_load(text: &str) -> Result<Load, Unreadable> {
    let mut load = Load::default();
    let mut pieces = Pieces::of(text);
    while let Some((name, value)) = pieces.piece()? {
        match name {
            "id" => set(&mut load.id, value),
            "title" => set(&mut load.title, value),
            "node" => add(&mut load.nodes, value),
            "setup" => add(&mut load.setup, value),
            "traffic" => set(&mut load.traffic, value),
            "input" => add(&mut load.inputs, value),
            "bound" => load.bounds.push(read_property(value)?),
            _ => return Err(Unreadable::Damaged),
        }
    }
    Ok(load)
}
