//! The marks on the track: the client of each step. All marks are a few paths of one drawing, however many steps there are: with one
//! element per step, each new step would lay out all of them again, because they move closer together.
use yew::prelude::*;

use crate::hooks::{SessionPart, Size, use_session_for, use_sizes};
use crate::panels::client::slot_of;
use crate::ui::{client_shape, html};

/// Minimum distance between two steps for drawing shapes, in units: closer together they would touch.
const SHAPE_ROOM: usize = 28;
/// Minimum distance between two steps for drawing lines, in units.
const LINE_ROOM: usize = 8;
/// Height of the drawing in units: it is 1 em high, and a client's shape of 24 units takes 0.65 em.
const HEIGHT: u32 = 37;
/// Number of kinds of paths: background, lines, clocks, and the eight slots of clients.
const KINDS: usize = 11;
const GROUND: usize = 0;
const LINE: usize = 1;
const CLOCK: usize = 2;

/// Word for the style sheet, and path relative to the centre.
fn look(kind: usize) -> (&'static str, &'static str) {
    match kind {
        // Covers the rail behind a shape.
        GROUND => ("ground", "m0-18a18 18 0 1 0 .01 0z"),
        LINE => ("line", "m0-12v24"),
        CLOCK => ("clock", "m0-11a11 11 0 1 0 .01 0zm0 5v6.500l4.500 3"),
        client => ("client", client_shape(slot_at(client))),
    }
}

/// The slot of the client for a kind of path.
fn slot_at(kind: usize) -> u8 {
    u8::try_from(kind.saturating_sub(CLOCK)).unwrap_or_default()
}

/// The drawing, as wide as its parent element.
#[component]
pub fn Marks() -> Html {
    let session = use_session_for(&[SessionPart::Steps]);
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

/// Width of an element of this size, in units.
fn units(size: Size) -> u32 {
    if size.height > 0.0 { (size.width / size.height * f64::from(HEIGHT)).round() as u32 } else { 0 }
}

/// Two paths of each kind, for steps up to the cursor and after it. `slots` has the slot of each step's client. Empty if not even lines
/// fit.
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

    /// Number of marks of each kind, up to the cursor and after it.
    fn counts(all: usize, now: usize) -> Vec<(&'static str, u8, usize, usize)> {
        let slots = (0..all).map(|nth| (nth % 3 > 0).then_some((nth % 3) as u8));
        let paths = paths(slots, all, now, 1_000);
        let marks = |place: usize| paths[place].matches('M').count();
        let all = (0..KINDS).map(|kind| (look(kind).0, slot_at(kind), marks(2 * kind), marks(2 * kind + 1)));
        all.filter(|(_, _, early, later)| early + later > 0).collect()
    }

    #[test]
    fn each_step_has_one_mark_by_client_and_side_of_cursor() {
        let expected = [("ground", 0, 6, 0), ("clock", 0, 2, 0), ("client", 1, 1, 1), ("client", 2, 1, 1)];
        assert_eq!(counts(6, 4), expected);
        assert_eq!(counts(100, 20), [("line", 0, 20, 80)], "1,000 units have no room for 100 shapes");
        assert_eq!(counts(126, 20), [], "nor for 126 lines");
        assert_eq!(counts(0, 0), []);
    }

    #[test]
    fn steps_are_evenly_spaced_up_to_the_end() {
        let paths = paths([None, None, None, None].into_iter(), 4, 4, 200);
        let xs: Vec<_> = paths[2 * CLOCK].split('M').skip(1).filter_map(|mark| mark.split(' ').next()).collect();
        assert_eq!(xs, ["50", "100", "150", "200"]);
    }

    #[test]
    fn element_without_size_draws_nothing() {
        assert_eq!(units(Size { width: 300.0, height: 0.0 }), 0);
        assert_eq!(units(Size { width: 300.0, height: 10.0 }), 1_110);
    }
}
