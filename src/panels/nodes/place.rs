//! Positions on the map: clients on the left, nodes on the right, each group spread evenly over the height; a straight line for each pair.
//! All positions are in percent of the area between the two groups.
//!
//! ```text
//!   c1 ─╌╌→╌╌───(60 ms)──────╌╌ r1     Messages are drawn on the first part of a line, its symbol after that. The symbols of each
//!          ╲       (×)              client have a column of their own, so symbols of different clients never overlap, and the
//!   c2 ─────╌╌╌╌╌╌╌╌╌╌╌(●)──╌╌ r2     further they are from their client, the larger is the gap between two of them.
//! ```
use resp::decimal::fixed;

/// Positions of the symbols of the first and of the last client.
const FIRST_SIGN: f64 = 42.0;
const LAST_SIGN: f64 = 86.0;
/// Messages travel between these two positions.
const FIRST_MESSAGE: f64 = 5.0;
const LAST_MESSAGE: f64 = 26.0;
/// Half of the gap in a cut line, which is wider than the symbol in it. Both ends of the line stay visible.
const HALF_GAP: f64 = 16.0;
const LAST_END: f64 = 96.0;
/// Maximum number of clients on the map.
pub const CLIENTS_MAX: usize = 8;

/// The number of clients and nodes on the map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field {
    /// Clients that are shown.
    pub clients: usize,
    /// Nodes.
    pub nodes: usize,
}

/// The line between a client and a node.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LinkLine {
    from: f64,
    to: f64,
    /// Horizontal position of its symbol.
    sign: f64,
}

impl Field {
    /// The line between a client and a node, by their places from the top.
    pub fn line(self, client: usize, node: usize) -> LinkLine {
        let step = match self.clients.saturating_sub(1) {
            0 => 0.0,
            gaps => (LAST_SIGN - FIRST_SIGN) / gaps as f64,
        };
        let sign = if self.clients > 1 { FIRST_SIGN + step * client as f64 } else { (FIRST_SIGN + LAST_SIGN) / 2.0 };
        LinkLine { from: middle(client, self.clients), to: middle(node, self.nodes), sign }
    }
}

/// The middle of a row of `count` equal ones.
fn middle(row: usize, count: usize) -> f64 {
    (row as f64 + 0.5) * 100.0 / count.max(1) as f64
}

impl LinkLine {
    fn y(self, x: f64) -> f64 {
        self.from + (self.to - self.from) * x / 100.0
    }

    fn style(self, x: f64) -> String {
        format!("left: {}%; top: {}%", fixed(x, 2), fixed(self.y(x), 2))
    }

    /// The style of its symbol.
    pub fn sign(self) -> String {
        self.style(self.sign)
    }

    /// The style of a message at `way` percent of the distance from the client to the end of the message section.
    pub fn message(self, way: u8) -> String {
        self.style(FIRST_MESSAGE + (LAST_MESSAGE - FIRST_MESSAGE) * f64::from(way.min(100)) / 100.0)
    }

    /// The SVG path of the line in an area of 100 × 100; a cut line has a gap around its symbol.
    pub fn path(self, is_cut: bool) -> String {
        let point = |x: f64| format!("{} {}", fixed(x, 2), fixed(self.y(x), 2));
        if is_cut {
            let (end, start) = (point(self.sign - HALF_GAP), point((self.sign + HALF_GAP).min(LAST_END)));
            format!("M{}L{end}M{start}L{}", point(0.0), point(100.0))
        } else {
            format!("M{}L{}", point(0.0), point(100.0))
        }
    }
}

/// How many clients fit, given the widths of the area and of a symbol; `None` while the panel is hidden.
pub fn fitting(field_px: f64, sign_px: f64) -> Option<usize> {
    let is_seen = field_px > 1.0 && sign_px > 1.0;
    let columns = is_seen.then(|| (field_px * (LAST_SIGN - FIRST_SIGN) / 100.0 / sign_px).floor())?;
    Some((columns as usize).saturating_add(1).clamp(1, CLIENTS_MAX))
}

#[cfg(test)]
mod tests {
    use super::{CLIENTS_MAX, Field, fitting};

    #[test]
    fn lines_go_from_their_client_to_their_node() {
        let field = Field { clients: 2, nodes: 4 };
        assert_eq!(field.line(0, 3).path(false), "M0.00 25.00L100.00 87.50");
        assert_eq!(field.line(1, 0).path(true), "M0.00 75.00L70.00 31.25M96.00 15.00L100.00 12.50");
        assert_eq!(field.line(0, 3).sign(), "left: 42.00%; top: 51.25%");
        assert_eq!(field.line(0, 3).message(100), "left: 26.00%; top: 41.25%");
        assert_eq!(Field { clients: 1, nodes: 1 }.line(0, 0).sign(), "left: 64.00%; top: 50.00%");
    }

    #[test]
    fn narrow_area_has_fewer_clients_but_at_least_one() {
        assert_eq!(fitting(450.0, 64.0), Some(4));
        assert_eq!(fitting(215.0, 46.0), Some(3));
        assert_eq!(fitting(20.0, 46.0), Some(1));
        assert_eq!(fitting(9_000.0, 46.0), Some(CLIENTS_MAX));
        assert_eq!(fitting(0.0, 46.0), None);
        assert_eq!(fitting(400.0, 0.0), None);
    }
}
