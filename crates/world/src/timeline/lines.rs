//! Inputs as lines of text, and the client names that the lines use.
use std::fmt::Write as _;

use redis_model::sorted_map::SortedMap;
use resp::split;

use super::StepId;
use crate::traffic::TrafficAct;
use crate::{Act, ClientIndex, Input, Property, World, network, node};

/// The inputs that follow this world, one line each, as in the text form of a timeline.
///
/// ```
/// use world::{Input, Settings, World, timeline::{inputs_from_text, inputs_to_text}};
/// let mut world = World::new(Settings::default());
/// world.step(&Input::Connect { client: 0, name: "a".into() })?;
/// let inputs = [Input::Command { client: 0, argv: vec!["PING".into()] }, Input::Advance { ms: 5 }];
/// assert_eq!(inputs_to_text(&world, &inputs), "a> PING\n@+5ms\n");
/// assert_eq!(inputs_from_text(&world, "a> PING\n@+5ms\n"), Some(inputs.to_vec()));
/// # Ok::<(), world::StepError>(())
/// ```
pub fn inputs_to_text(world: &World, inputs: &[Input]) -> String {
    let mut names = Names::of_world(world);
    inputs.iter().zip(0..).fold(String::new(), |mut text, (input, parent)| {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{}", names.line(parent, parent.saturating_add(1), input));
        text
    })
}

/// Parses such lines; `None` if a line is invalid. Does not check whether the world accepts the inputs.
pub fn inputs_from_text(world: &World, text: &str) -> Option<Vec<Input>> {
    let mut names = Names::of_world(world);
    let lines = text.lines().zip(0..).map(|(line, parent)| {
        let input = names.input(parent, line)?;
        names.note(parent, parent.saturating_add(1), &input);
        Some(input)
    });
    lines.collect()
}

/// The clients' names after each step. Branches may give the same client different names.
#[derive(Clone, Default)]
pub(super) struct Names {
    /// Names after each step that changed them; the other steps share their parent's.
    after: SortedMap<StepId, SortedMap<ClientIndex, String>>,
    /// For each step, the step whose names apply.
    owner: SortedMap<StepId, StepId>,
}

impl Names {
    /// The names in a world, before the first step.
    fn of_world(world: &World) -> Names {
        let mut known = SortedMap::new();
        for (client, found) in world.clients() {
            known.insert(client, found.name.to_string());
        }
        let mut names = Names::default();
        names.after.insert(0, known);
        names
    }

    fn of(&self, step: StepId) -> Option<&SortedMap<ClientIndex, String>> {
        self.after.get(self.owner.get(&step).unwrap_or(&0))
    }

    fn name(&self, step: StepId, client: ClientIndex) -> String {
        self.of(step).and_then(|names| names.get(&client)).cloned().unwrap_or_default()
    }

    fn client(&self, step: StepId, name: &str) -> Option<ClientIndex> {
        self.of(step)?.iter().find(|(_, known)| *known == name).map(|(client, _)| *client)
    }

    /// Notes how a step changes the names.
    pub(super) fn note(&mut self, parent: StepId, id: StepId, input: &Input) {
        let changed = match input {
            Input::Connect { client, name } | Input::Rename { client, name } => Some((*client, Some(name.clone()))),
            Input::Disconnect { client } => Some((*client, None)),
            _ => None,
        };
        let Some((client, name)) = changed else {
            let owner = self.owner.get(&parent).copied().unwrap_or(0);
            self.owner.insert(id, owner);
            return;
        };
        let mut names = self.of(parent).cloned().unwrap_or_default();
        match name {
            Some(name) => names.insert(client, name),
            None => _ = names.remove(&client),
        };
        self.after.insert(id, names);
        self.owner.insert(id, id);
    }

    /// The line of a step.
    pub(super) fn line(&mut self, parent: StepId, id: StepId, input: &Input) -> String {
        let name = input.client().map(|client| self.name(parent, client)).unwrap_or_default();
        self.note(parent, id, input);
        match input {
            Input::Connect { client, name } => format!("+ {name} {client}"),
            Input::Disconnect { .. } => format!("- {name}"),
            Input::Rename { name: new, .. } => format!("{name}= {new}"),
            Input::Command { argv, .. } => format!("{name}> {}", split::quote_command(argv)),
            Input::Interrupt { .. } => format!("{name}!"),
            Input::Advance { ms } => format!("@+{ms}ms"),
            Input::Program { act, .. } => format!("{name}< {}", split::quote_command(&act.to_words())),
            Input::Serve { node } => format!("@serve {node}"),
            Input::SwitchNode { node, .. } => format!("{name}@ {node}"),
            Input::Link { node, act, .. } => format!("{name}@ {}", network::lines::words(*node, *act)),
            Input::Node { .. } => node::lines::line(input),
            Input::Traffic { act } => format!("@traffic {}", split::quote_command(&act.to_words())),
            Input::Watch { property } => format!("@watch {}", split::quote_command(&property.to_words())),
        }
    }

    /// Parses the input of a line that follows this step; `None` if it is invalid.
    pub(super) fn input(&self, parent: StepId, text: &str) -> Option<Input> {
        if let Some(ms) = text.strip_prefix("@+") {
            return Some(Input::Advance { ms: ms.strip_suffix("ms")?.parse().ok()? });
        }
        if let Some(node) = text.strip_prefix("@serve ") {
            return Some(Input::Serve { node: node.parse().ok()? });
        }
        if let Some(words) = text.strip_prefix("@watch ") {
            let words = split::split(words.as_bytes()).ok()?;
            return Some(Input::Watch { property: Property::from_words(&words)? });
        }
        if let Some(words) = text.strip_prefix("@traffic ") {
            let words = split::split(words.as_bytes()).ok()?;
            return Some(Input::Traffic { act: TrafficAct::from_words(&words)? });
        }
        if text.starts_with('@') {
            return node::lines::input(text);
        }
        if let Some(rest) = text.strip_prefix("+ ") {
            let (name, client) = rest.split_once(' ')?;
            return Some(Input::Connect { client: client.parse().ok()?, name: name.to_owned() });
        }
        if let Some(name) = text.strip_prefix("- ") {
            return Some(Input::Disconnect { client: self.client(parent, name)? });
        }
        let mark = text.find(['>', '!', '=', '<', '@'])?;
        let (name, rest) = text.split_at_checked(mark)?;
        let client = self.client(parent, name)?;
        if let Some(words) = rest.strip_prefix("> ") {
            return Some(Input::Command { client, argv: split::split(words.as_bytes()).ok()? });
        }
        if let Some(words) = rest.strip_prefix("< ") {
            let words = split::split(words.as_bytes()).ok()?;
            return Some(Input::Program { client, act: Act::from_words(&words)? });
        }
        if let Some(new) = rest.strip_prefix("= ") {
            return Some(Input::Rename { client, name: new.to_owned() });
        }
        if let Some(words) = rest.strip_prefix("@ ") {
            return network::lines::input(client, words);
        }
        (rest == "!").then_some(Input::Interrupt { client })
    }
}
