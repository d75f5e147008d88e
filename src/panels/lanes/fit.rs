//! How many lanes fit side by side at a readable width.
use yew::prelude::*;

use crate::hooks::{Size, use_sizes};
use crate::ui::html;

/// Minimum number of lanes: with one lane no conflict between clients is visible.
const LEAST: usize = 2;
/// Maximum number of open lanes.
const MOST: usize = 8;
/// Width of the time column, in lanes.
const GUTTER: f64 = 0.7;

/// How many lanes of clients fit next to that of the server. The returned [`Html`] has to be placed inside the panel's element.
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

/// How many lanes fit into this width; `None` while the panel is hidden.
fn fitting(panel_px: f64, lane_px: f64) -> Option<usize> {
    let is_seen = panel_px > 1.0 && lane_px > 1.0;
    // This number includes the lane of the server.
    let all = is_seen.then(|| (panel_px / lane_px - GUTTER).floor())?;
    Some((all as usize).saturating_sub(1).clamp(LEAST, MOST))
}

#[cfg(test)]
mod tests {
    use super::fitting;

    #[test]
    fn narrow_panel_has_fewer_lanes_but_at_least_two() {
        assert_eq!(fitting(600.0, 96.0), Some(4));
        assert_eq!(fitting(100.0, 96.0), Some(2));
        assert_eq!(fitting(4000.0, 96.0), Some(8));
        assert_eq!(fitting(0.0, 96.0), None);
        assert_eq!(fitting(600.0, 0.0), None);
    }
}
