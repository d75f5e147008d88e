//! The marks on the track: who took each step. However many steps there are, they are a few paths of one drawing: an element a step was laid
//! out again with each step, because all of them move closer together.
use yew::prelude::*;

use crate::hooks::{Side, Size, use_session_for, use_sizes};
use crate::panels::client::slot_of;
use crate::ui::{client_shape, html};

/// Units from one step to the next that a shape needs: closer together they would touch.
const SHAPE_ROOM: usize = 28;
/// Units that a line needs.
const LINE_ROOM: usize = 8;
/// Height of the drawing in units: a client's shape, which is 24 units high, takes 0.65 em of its 1 em.
const HEIGHT: u32 = 37;
/// What the paths of the drawing show, by number: the ground, lines, clocks, and the clients in their eight places.
const KINDS: usize = 11;
const GROUND: usize = 0;
const LINE: usize = 1;
const CLOCK: usize = 2;

/// The word for the style sheet, and the shape relative to its centre.
fn look(kind: usize) -> (&'static str, &'static str) {
    match kind {
        // So that the rail does not cross a shape.
        GROUND => ("ground", "m0-18a18 18 0 1 0 .01 0z"),
        LINE => ("line", "m0-12v24"),
        CLOCK => ("clock", "m0-11a11 11 0 1 0 .01 0zm0 5v6.500l4.500 3"),
        client => ("client", client_shape(slot_at(client))),
    }
}

/// Which client's shape that is.
fn slot_at(kind: usize) -> u8 {
    u8::try_from(kind.saturating_sub(CLOCK)).unwrap_or_default()
}

/// The drawing, as wide as the element that it stands in.
#[component]
pub fn Marks() -> Html {
    let session = use_session_for(&[Side::Steps]);
    let drawing = use_node_ref();
    let width = use_state_eq(|| 0_u32);
    {
        let width = width.setter();
        let onsizes = Callback::from(move |[size, _]: [Size; 2]| width.set(units(size)));
        use_sizes(&drawing, &drawing, onsizes);
    }
    let (all, now) = (session.stops().len(), session.stop());
    let timeline = session.timeline();
    let slots = session.stops().iter().map(|position| {
        let step = timeline.step_at(position.checked_sub(1)?)?;
        step.input.client().map(slot_of)
    });
    let paths = paths(slots, all, now, *width);
    html! {
        <svg ref={drawing} class="track-marks" viewBox={format!("0 0 {} {HEIGHT}", *width)}>
            { for paths.into_iter().enumerate().map(|(place, path)| {
                let (kind, is_later) = (place / 2, place % 2 > 0);
                let client = (kind > CLOCK).then(|| slot_at(kind).to_string());
                html! { <path data-kind={look(kind).0} data-client={client} data-later={is_later.then_some("")} d={path} /> }
            }) }
        </svg>
    }
}

/// How many units wide an element of this size is.
fn units(size: Size) -> u32 {
    if size.height > 0.0 { (size.width / size.height * f64::from(HEIGHT)).round() as u32 } else { 0 }
}

/// Two paths of each kind, up to the cursor and behind it; `slots` are those of the clients that took the steps. Empty where not even lines fit.
fn paths(slots: impl Iterator<Item = Option<u8>>, all: usize, now: usize, width: u32) -> Vec<String> {
    let mut paths = vec![String::new(); KINDS * 2];
    let room = (width as usize).checked_div(all).unwrap_or_default();
    if room < LINE_ROOM {
        return paths;
    }
    for (stop, slot) in (1_usize..).zip(slots) {
        let kind = match slot {
            _ if room < SHAPE_ROOM => LINE,
            Some(slot) => CLOCK.saturating_add(usize::from(slot)),
            None => CLOCK,
        };
        let x = (stop * width as usize).checked_div(all).unwrap_or_default();
        let mut put = |place: usize, kind| {
            if let Some(path) = paths.get_mut(place) {
                path.push_str(&format!("M{x} {}{}", HEIGHT / 2, look(kind).1));
            }
        };
        if kind != LINE {
            put(GROUND * 2, GROUND);
        }
        put(kind * 2 + usize::from(stop > now), kind);
    }
    paths
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How many marks there are of each kind, up to the cursor and behind it.
    fn counts(all: usize, now: usize) -> Vec<(&'static str, u8, usize, usize)> {
        let slots = (0..all).map(|nth| (nth % 3 > 0).then_some((nth % 3) as u8));
        let paths = paths(slots, all, now, 1_000);
        let marks = |place: usize| paths[place].matches('M').count();
        let all = (0..KINDS).map(|kind| (look(kind).0, slot_at(kind), marks(2 * kind), marks(2 * kind + 1)));
        all.filter(|(_, _, early, later)| early + later > 0).collect()
    }

    #[test]
    fn each_step_is_drawn_once_and_told_apart_by_client_and_cursor() {
        let expected = [("ground", 0, 6, 0), ("clock", 0, 2, 0), ("client", 1, 1, 1), ("client", 2, 1, 1)];
        assert_eq!(counts(6, 4), expected);
        assert_eq!(counts(100, 20), [("line", 0, 20, 80)], "1,000 units have no room for 100 shapes");
        assert_eq!(counts(126, 20), [], "nor for 126 lines");
        assert_eq!(counts(0, 0), []);
    }

    #[test]
    fn steps_stand_at_even_distances_up_to_the_end() {
        let paths = paths([None, None, None, None].into_iter(), 4, 4, 200);
        let xs: Vec<_> = paths[2 * CLOCK].split('M').skip(1).filter_map(|mark| mark.split(' ').next()).collect();
        assert_eq!(xs, ["50", "100", "150", "200"]);
    }

    #[test]
    fn what_has_no_size_is_not_drawn() {
        assert_eq!(units(Size { width: 300.0, height: 0.0 }), 0);
        assert_eq!(units(Size { width: 300.0, height: 10.0 }), 1_110);
    }
}
