//! How many lanes can be read beside each other: as many as there is room for at a size that is never too small.
use yew::prelude::*;

use crate::hooks::{Size, use_sizes};
use crate::ui::html;

/// Fewer lanes than this say nothing about who is in whose way.
const LEAST: usize = 2;
/// More have never been open at once.
const MOST: usize = 8;
/// What the column of the times takes, in lanes.
const GUTTER: f64 = 0.7;

/// How many lanes of clients fit beside that of the server; the second part has to stand in the element.
#[hook]
pub fn use_fit(panel: &NodeRef) -> (usize, Html) {
    let fit = use_state_eq(|| MOST);
    let probe = use_node_ref();
    let set = fit.setter();
    use_sizes(
        panel,
        &probe,
        Callback::from(move |[panel, lane]: [Size; 2]| {
            if let Some(fit) = fitting(panel.width, lane.width) {
                set.set(fit);
            }
        }),
    );
    (*fit, html! { <i ref={probe} class="lane-fit" aria-hidden="true" /> })
}

/// How many lanes fit into so much room; nothing while the panel is not in view.
fn fitting(panel_px: f64, lane_px: f64) -> Option<usize> {
    let is_seen = panel_px > 1.0 && lane_px > 1.0;
    // With the lane of the server.
    let all = is_seen.then(|| (panel_px / lane_px - GUTTER).floor())?;
    Some((all as usize).saturating_sub(1).clamp(LEAST, MOST))
}

#[cfg(test)]
mod tests {
    use super::fitting;

    #[test]
    fn a_narrow_panel_has_fewer_lanes_and_never_less_than_two() {
        assert_eq!(fitting(600.0, 96.0), Some(4));
        assert_eq!(fitting(100.0, 96.0), Some(2));
        assert_eq!(fitting(4000.0, 96.0), Some(8));
        assert_eq!(fitting(0.0, 96.0), None);
        assert_eq!(fitting(600.0, 0.0), None);
    }
}
