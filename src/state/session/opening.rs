//! How sessions start: where a session with its own programs starts, and whether two sessions start alike.
use world::{Act, Input, Timeline};

/// Whether two inputs are the same in any language: programs have their comments in the language in which a lesson was opened.
pub fn is_alike(one: &Input, other: &Input) -> bool {
    let is_load = |input: &Input| matches!(input, Input::Program { act: Act::Load { .. }, .. });
    one == other
        || is_load(one) && is_load(other) && one.client() == other.client()
        || matches!((one, other), (Input::Traffic { act: one }, Input::Traffic { act: other }) if one.is_alike(other))
}

/// The position after the last program that was loaded before anything else happened: the end of another stage, such as that of a variation
/// or a link. `None` if no program was loaded.
pub fn loaded(timeline: &Timeline) -> Option<usize> {
    let is_load = |input: &Input| matches!(input, Input::Program { act: Act::Load { .. }, .. });
    let is_opening = |input: &Input| {
        let is_set_up = matches!(
            input,
            Input::Connect { .. }
                | Input::Disconnect { .. }
                | Input::SwitchNode { .. }
                | Input::Command { .. }
                | Input::Watch { .. }
        );
        is_set_up || is_load(input)
    };
    let opening = (1_usize..).zip(timeline.steps_from(0)).take_while(|(_, (_, step))| is_opening(&step.input));
    opening.filter(|(_, (_, step))| is_load(&step.input)).map(|(position, _)| position).last()
}
