//! How sessions begin: where one does that has programs of its own, and whether two begin alike.
use world::{Act, Input, Timeline};

/// The same, whatever the language: comments in programs are in the one in which a lesson was opened first.
pub fn is_alike(one: &Input, other: &Input) -> bool {
    let is_load = |input: &Input| matches!(input, Input::Program { act: Act::Load { .. }, .. });
    one == other
        || is_load(one) && is_load(other) && one.client() == other.client()
        || matches!((one, other), (Input::Traffic { act: one }, Input::Traffic { act: other }) if one.is_alike(other))
}

/// The position after the last program that was loaded before anything else happened: where another stage begins, that of a variation
/// or of a link. Nothing where no program was.
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
