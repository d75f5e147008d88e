//! Labels of focus mode wrap, so that the last row of a hall reads all of them: how many lines each one needs at the width of its lane, and
//! the heights of the rows that follow from that. All but the measuring is code of a chunk that comes later.
use std::rc::Rc;

use script::program::Thread;
use world::{Breach, ClientIndex, Property};
use yew::prelude::*;

use super::words;
use crate::hooks::assets::{Chunk, use_chunk};
use crate::hooks::{Size, use_sizes};
use crate::i18n::{Lang, plain};
use crate::state::lab::lanes::{AtServer, LabelLines, LaneEvent, LaneLine, Picture, Row, Shown};
use crate::state::lab::verdict;
use crate::ui::html;

/// Width of a character of the code font, the unit of all widths here.
const CODE: u32 = 10;
/// Width of a Chinese character.
const WIDE: u32 = 18;
/// The padding of a label.
const PADDING: u32 = 8;
/// A sign before a label, the number of a thread, or the head of a reply's arrow.
const SIGN: u32 = 2 * CODE;

/// Width of the labels in each kind of lane, in tenths of a character of the code font.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wrap {
    client: u32,
    node: u32,
}

impl Wrap {
    /// Lines of a label of a client.
    #[inline(never)]
    pub fn client(self, t: Lang, thread: Thread, what: &LaneEvent) -> u32 {
        let (sign, mut text) = words::says(t, what);
        let signs = [!sign.is_empty(), thread > 0].into_iter().filter(|stands| *stands).map(|_| SIGN);
        let (before, is_code) = (signs.sum::<u32>(), words::is_code(what));
        if let Some(fate) = words::fate(t, what) {
            text.push(' ');
            text.push_str(fate);
        }
        let head = if matches!(what, LaneEvent::Gets { .. } | LaneEvent::Misses) { SIGN } else { 0 };
        // The head of a reply's arrow stands behind the text, and to the right of the nodes before it.
        let left = lines(&text, [before, PADDING.saturating_add(head)], self.client, is_code);
        left.max(lines(&text, [before.saturating_add(head), PADDING], self.client, is_code))
    }

    /// Lines of a label of a node.
    #[inline(never)]
    pub fn node(self, t: Lang, line: &AtServer, name_of: &dyn Fn(ClientIndex) -> String) -> u32 {
        let (client, sign, text) = words::serves(t, line, name_of);
        let is_marked = client.is_some() || !sign.is_empty();
        lines(&text, [if is_marked { SIGN } else { 0 }, PADDING], self.node, false)
    }

    /// Lines of the sentence on a broken property, which stands across `lanes` lanes.
    #[inline(never)]
    pub fn broken(
        self,
        t: Lang,
        (property, breach): (Option<&Property>, &Breach),
        lanes: usize,
        name_of: &dyn Fn(ClientIndex) -> String,
    ) -> u32 {
        let all = self.client.saturating_mul(u32::try_from(lanes).unwrap_or(u32::MAX));
        lines(&plain(&verdict::why_of(t, property, breach, name_of)), [SIGN, SIGN], all, false)
    }
}

/// Everything that the height of a row depends on, besides the row.
pub struct Labels<'a> {
    /// The widths.
    pub wrap: Wrap,
    /// The language of the labels.
    pub t: Lang,
    /// The clients whose lanes are open.
    pub open: &'a [ClientIndex],
    /// How many lanes there are.
    pub lanes: usize,
    /// Names of the clients by their numbers.
    pub names: &'a Rc<[String]>,
    /// The watched properties, by their numbers.
    pub properties: &'a [Property],
}

impl Labels<'_> {
    fn name_of(&self, client: ClientIndex) -> String {
        self.names.get(client as usize).cloned().unwrap_or_default()
    }
}

impl LabelLines for Labels<'_> {
    fn client(&self, line: &LaneLine) -> u32 {
        self.wrap.client(self.t, line.thread, &line.what)
    }

    fn node(&self, line: &AtServer) -> u32 {
        self.wrap.node(self.t, line, &|client| self.name_of(client))
    }

    fn broken(&self, property: usize, breach: &Breach) -> u32 {
        let property = self.properties.get(property);
        self.wrap.broken(self.t, (property, breach), self.lanes, &|client| self.name_of(client))
    }
}

/// What all heights depend on: the widths, the language, and the open lanes with their names.
type Basis = (Wrap, Lang, Vec<ClientIndex>, Rc<[String]>);

/// Heights of the rows at the last render. A step changes one of them.
#[derive(Default)]
pub struct Heights {
    of: Option<Basis>,
    rows: Vec<(Rc<Row>, u32)>,
}

impl Heights {
    /// The rows that are drawn, with their places.
    #[inline(never)]
    pub fn shown(&mut self, picture: &Picture, labels: &Labels<'_>) -> Shown {
        let of = (labels.wrap, labels.t, labels.open.to_vec(), Rc::clone(labels.names));
        if self.of.as_ref() != Some(&of) {
            self.rows.clear();
            self.of = Some(of);
        }
        self.rows.truncate(picture.rows.len());
        picture.shown_by(|index, row| match self.rows.get_mut(index) {
            Some((before, lines)) if Rc::ptr_eq(before, row) => *lines,
            Some(place) => {
                *place = (Rc::clone(row), row.lines_of(labels.open, labels));
                place.1
            }
            None => {
                let lines = row.lines_of(labels.open, labels);
                self.rows.push((Rc::clone(row), lines));
                lines
            }
        })
    }
}

/// Measures the lanes. The returned probes have to stand in the header of the lanes. `None` while nothing is measured, and if labels need not
/// wrap.
#[hook]
pub fn use_wrap(is_wanted: bool) -> (Option<Wrap>, Probes) {
    let probes = use_memo(is_wanted, |is_wanted| Probes { is_wanted: *is_wanted, ..Probes::default() });
    let [client, node, letters] = &probes.nodes;
    let (client, node) = (use_width(client, letters), use_width(node, letters));
    let is_here = use_chunk(is_wanted.then_some(Chunk::Rest));
    let wrap = (is_wanted && is_here && client > 0 && node > 0).then_some(Wrap { client, node });
    (wrap, (*probes).clone())
}

/// The width of an element, in tenths of a character of the code font.
#[hook]
fn use_width(area: &NodeRef, letters: &NodeRef) -> u32 {
    let width = use_state_eq(|| 0_u32);
    let set = width.setter();
    use_sizes(
        area,
        letters,
        Callback::from(move |[area, letters]: [Size; 2]| {
            // A hidden panel has no width; its rows keep theirs.
            if letters.width > 0.0 && area.width > 0.0 {
                set.set((area.width / letters.width * f64::from(LETTERS)) as u32);
            }
        }),
    );
    *width
}

/// Width of the probe that measures the letters.
const LETTERS: u32 = 10 * CODE;

/// Elements as wide as the labels of a client, those of a node, and ten letters (`lanes.css`).
#[derive(Clone, Default)]
pub struct Probes {
    is_wanted: bool,
    nodes: [NodeRef; 3],
}

impl Probes {
    /// The elements, for the header of the lanes; `node` is the column of the first node.
    pub fn html(&self, node: usize) -> Html {
        if !self.is_wanted {
            return Html::default();
        }
        let [client, server, letters] = &self.nodes;
        html! {
            <>
                <i ref={client.clone()} class="lane-cell lane-probe" data-side="before" style="grid-column: 2" />
                <i ref={server.clone()} class="lane-cell lane-cell-server lane-probe" style={format!("grid-column: {node}")} />
                <i ref={letters.clone()} class="lane-probe lane-probe-letters" />
            </>
        }
    }
}

/// Lines of a text between two signs of these widths, where `width` fits into a line: as a browser breaks it, between words, beside each
/// Chinese character, and within a word that is longer than a line.
fn lines(text: &str, [before, after]: [u32; 2], width: u32, is_code: bool) -> u32 {
    let (mut lines, mut at, mut word) = (1_u32, before.min(width), 0_u32);
    let place = |word: u32, lines: &mut u32, at: &mut u32| {
        if at.saturating_add(word) <= width {
            *at = at.saturating_add(word);
            return;
        }
        let more = word.checked_div(width).unwrap_or(0);
        *lines = lines.saturating_add(1).saturating_add(more);
        *at = word.checked_rem(width).unwrap_or(0);
    };
    for letter in text.chars() {
        let is_wide = letter >= '\u{1100}';
        if is_wide || letter == ' ' {
            place(word, &mut lines, &mut at);
            word = 0;
        }
        match letter {
            // Spaces hang over the end of a line.
            ' ' => at = at.saturating_add(if is_code { CODE } else { 6 }),
            _ if is_wide => place(WIDE, &mut lines, &mut at),
            'm' | 'w' | 'M' | 'W' | '…' | '=' | '+' if !is_code => word = word.saturating_add(16),
            _ => word = word.saturating_add(CODE),
        }
    }
    place(word.saturating_add(after), &mut lines, &mut at);
    lines
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{CODE, lines};

    #[test]
    fn text_breaks_between_words_and_beside_chinese_characters() {
        let ten = 10 * CODE;
        assert_eq!(lines("", [0; 2], ten, true), 1);
        assert_eq!(lines("GET stock", [0; 2], ten, true), 1);
        assert_eq!(lines("GET stock", [2 * CODE, 0], ten, true), 2, "the sign takes room");
        assert_eq!(lines("GET stock", [0, 2 * CODE], ten, true), 2, "the head of an arrow stays beside the last word");
        assert_eq!(lines("SUBSCRIBE lock", [0; 2], ten, true), 2);
        assert_eq!(lines("abcdefghijklmnopqrstuvwxyz", [0; 2], ten, true), 4, "begins a line, and is longer than two");
        assert_eq!(lines("删除了锁", [0; 2], ten, true), 1);
        assert_eq!(lines("它的锁已经过期", [0; 2], ten, true), 2);
    }

    #[test]
    fn nothing_is_divided_by_a_width_of_zero() {
        assert!(lines("SET a 1", [5, 0], 0, true) >= 1);
    }

    proptest! {
        /// No text needs fewer lines than its length, and a wider lane never needs more.
        #[test]
        fn lines_hold_their_text(text in "[a-z 锁键]{0,60}", taken in 0u32..40, after in 0u32..30, width in 50u32..600) {
            let letters = text.chars().filter(|letter| *letter != ' ').count() as u32;
            let found = lines(&text, [taken, after], width, true);
            prop_assert!(found * width >= letters * CODE, "{found}");
            prop_assert!(lines(&text, [0; 2], width, true) <= found);
        }
    }
}
