//! One step as a row: what happened to which client or node, with arrows between clients and nodes.
use std::ops::Range;
use std::rc::Rc;

use script::program::Thread;
use web_sys::Element;
use world::{ClientIndex, LinkAct, Property};
use yew::prelude::*;

use super::columns::Columns;
use super::wrap::Wrap;
use super::{Drawing, words};
use crate::hooks::{SessionHandle, use_lang};
use crate::i18n::{Lang, code, plain, rich};
use crate::panels::client::slot_of;
use crate::panels::traffic::lanes;
use crate::state::description::Describer;
use crate::state::lab::lanes::{AtServer, Cell, LINES_MAX, LaneEvent, RequestProgress, Row, lines_uncut};
use crate::state::lab::verdict;
use crate::ui::{client_mark, html, part_of};

/// The id of the row at this index.
pub fn id(prefix: &str, place: usize) -> String {
    format!("lane-row-{prefix}{place}")
}

/// Data shared by all rows.
pub(super) struct Rows<'a> {
    /// Prefix of the ids, different for each branch.
    pub prefix: &'a str,
    /// Index of the row at the cursor.
    pub here: Option<usize>,
    /// Position at which the other branch diverges.
    pub parts_at: Option<usize>,
}

impl Rows<'_> {
    /// The shown row at index `place`, rendered by the element in `slot`.
    pub(super) fn row(&self, drawing: &Drawing, place: usize, slot: usize) -> Option<Html> {
        let Drawing { session, picture, shown, columns, names, .. } = *drawing;
        let index = *shown.rows.get(place)?;
        let row = picture.rows.get(index)?;
        let before = place.checked_sub(1).and_then(|place| picture.rows.get(*shown.rows.get(place)?));
        let (top, bottom) = (*shown.tops.get(place)?, *shown.tops.get(place.saturating_add(1))?);
        let property =
            |number: usize| session.world().watch().verdicts().nth(number).map(|(property, _)| property.clone());
        let row = RowProps {
            fold: shown.fold(index).map(|fold| (fold.client, fold.commands as u64)),
            row: Rc::clone(row),
            session: session.clone(),
            columns: Rc::clone(columns),
            names: Rc::clone(names),
            properties: row.broken.iter().map(|(number, _)| property(*number)).collect(),
            time: clock(session, row, before.map(|before| &**before)),
            id: (self.here == Some(place)).then(|| id(self.prefix, place)),
            lines: top..bottom,
            wrap: drawing.wrap,
            order: drawing.pairs.iter().filter_map(|pair| pair.numbers(place)).collect(),
            parts: self.parts_at == Some(row.position),
            is_here: self.here == Some(place),
            is_future: self.here.is_none_or(|here| place > here),
        };
        Some(part_of::<DrawnRow>(&slot, row))
    }
}

/// A row. Most steps leave the other rows unchanged.
#[derive(Clone, Properties)]
struct RowProps {
    row: Rc<Row>,
    /// The client that connects and the number of its commands, if the row stands for all of them.
    fold: Option<(ClientIndex, u64)>,
    /// Contains the step of the row, which never changes.
    session: SessionHandle,
    columns: Rc<Columns>,
    names: Rc<[String]>,
    /// The properties that the step broke.
    properties: Vec<Option<Property>>,
    time: String,
    /// Id of the row at the cursor, to which the list refers (`aria-activedescendant`).
    id: Option<String>,
    /// The lines that the row covers, counted from the top of the list.
    lines: Range<u32>,
    /// The widths at which its labels wrap.
    wrap: Option<Wrap>,
    /// For each decisive pair of this step: its own number and that of the other step.
    order: Vec<(u64, u64)>,
    /// Whether the other branch diverges here.
    parts: bool,
    is_here: bool,
    is_future: bool,
}

impl PartialEq for RowProps {
    fn eq(&self, other: &RowProps) -> bool {
        self.row == other.row
            && self.fold == other.fold
            && self.columns == other.columns
            && self.names == other.names
            && self.properties == other.properties
            && self.time == other.time
            && self.id == other.id
            && self.lines == other.lines
            && self.wrap == other.wrap
            && self.order == other.order
            && self.parts == other.parts
            && self.is_here == other.is_here
            && self.is_future == other.is_future
    }
}

#[component]
fn DrawnRow(props: &RowProps) -> Html {
    let t = use_lang();
    let RowProps { row, columns, names, lines, wrap, .. } = props;
    let name_of = |client: ClientIndex| names.get(client as usize).cloned().unwrap_or_default();
    if let Some(fold) = props.fold {
        return folded(t, props, fold);
    }
    let gap = row.lines_above();
    let cells = row.cells.iter().filter_map(|cell| Some((cell, columns.column(cell.client)?)));
    let depth = lines.end.saturating_sub(lines.start);
    // Broken properties stand at the end of the row.
    let mut line = depth;
    let mut broken: Vec<_> = row
        .broken
        .iter()
        .zip(&props.properties)
        .rev()
        .map(|((_, breach), property)| {
            let lines = wrap.map_or(1, |wrap| wrap.broken(t, (property.as_ref(), breach), columns.lanes(), &name_of));
            line = line.saturating_sub(lines);
            (line, lines, property.as_ref(), breach)
        })
        .collect();
    broken.reverse();
    html! {
        <li id={props.id.clone()} class="lane-row" style={format!("--top: {}; --lines: {depth}", lines.start)} role="option"
            aria-selected={if props.is_here { "true" } else { "false" }}
            data-future={props.is_future.then_some("")} data-broken={(!row.broken.is_empty()).then_some("")}
            data-position={row.position.to_string()} data-parts={props.parts.then_some("")}>
            <span class="sr-only">
                { description(t, &props.session, row, &name_of) }
                { for props.order.iter().map(|(_, other)| html! { <>{ " " }{ t.lanes_order(*other) }</> }) }
            </span>
            <span class="lane-drawn" aria-hidden="true">
                if props.parts { <span class="lane-parts">{ t.compare_parts() }</span> }
                if let Some((number, other)) = props.order.first() {
                    <b class="lane-order tabular" data-testid="lane-order" title={t.lanes_order(*other)}>{ number.to_string() }</b>
                }
                <time class="lane-time tabular">{ props.time.clone() }</time>
                if let Some(ms) = row.passed_ms { <span class="lane-gap"><span>{ t.lanes_passes(ms) }</span></span> }
                if row.requests > 0 { { lanes::lines(t, &props.session, row, columns) } }
                { for cells.map(|(cell, column)| client_cell(t, cell, column, columns, gap, *wrap)) }
                { for row.nodes.iter().filter_map(|cell| {
                    Some(node_cell(t, &cell.lines, (columns.node(cell.node)?, gap), *wrap, &name_of))
                }) }
                { for broken.iter().map(|(line, lines, property, breach)| {
                    html! {
                        <span class="lane-broken" style={format!("--line: {line}; --deep: {lines}")}>
                            <span>{ "✕ " }{ rich(&verdict::why_of(t, *property, breach, &name_of)) }</span>
                        </span>
                    }
                }) }
            </span>
        </li>
    }
}

/// A row that stands for several: a click goes to the first of their steps, and so unfolds them.
fn folded(t: Lang, props: &RowProps, (client, commands): (ClientIndex, u64)) -> Html {
    let words = t.lanes_connects(commands);
    let Some(column) = props.columns.column(client) else { return Html::default() };
    let side = if props.columns.is_before(column) { "before" } else { "behind" };
    html! {
        <li id={props.id.clone()} class="lane-row" style={format!("--top: {}; --lines: 1", props.lines.start)} role="option"
            aria-selected={if props.is_here { "true" } else { "false" }} data-future={props.is_future.then_some("")}
            data-position={props.row.position.to_string()} data-testid="lane-fold">
            <span class="sr-only">{ props.session.name_of(client) }{ " " }{ &words }</span>
            <span class="lane-drawn" aria-hidden="true">
                <time class="lane-time tabular">{ props.time.clone() }</time>
                <span class="lane-cell" data-side={side} data-client={slot_of(client).to_string()} style={format!("grid-column: {column}; --line: 0")}>
                    <span class="lane-line" title={words.clone()}><span class="lane-words soft" data-sign="▸">{ words }</span></span>
                </span>
            </span>
        </li>
    }
}

/// The position of the row that was clicked.
pub(super) fn position_of(event: &MouseEvent) -> Option<usize> {
    let row = event.target_dyn_into::<Element>()?.closest("[data-position]").ok()??;
    row.get_attribute("data-position")?.parse().ok()
}

/// The step as one sentence, for screen readers.
fn description(t: Lang, session: &SessionHandle, row: &Row, name_of: &dyn Fn(ClientIndex) -> String) -> String {
    let step = session.timeline().step(row.id);
    step.map(|step| {
        plain(&Describer { t, name_of, settings: session.timeline().settings() }.step(&step.input, &step.events))
    })
    .unwrap_or_default()
}

/// Time since the world began, to the millisecond; empty if it equals that of the previous row.
fn clock(session: &SessionHandle, row: &Row, before: Option<&Row>) -> String {
    if before.is_some_and(|before| before.now_ms == row.now_ms) {
        return String::new();
    }
    let ms = row.now_ms.saturating_sub(session.timeline().settings().start_ms);
    let (minutes, seconds) = (ms / 60_000, ms % 60_000 / 1_000);
    format!("{minutes}:{seconds:02}.{:03}", ms % 1_000)
}

fn client_cell(t: Lang, cell: &Cell, column: usize, columns: &Columns, gap: usize, wrap: Option<Wrap>) -> Html {
    let is_before = columns.is_before(column);
    let side = if is_before { "before" } else { "behind" };
    let span = |node: usize| match is_before {
        true => format!("grid-column: {column} / {node}"),
        false => format!("grid-column: {} / {}", node.saturating_add(1), column.saturating_add(1)),
    };
    let (kept, hidden) = cell.kept();
    let depths: Vec<u32> = kept
        .iter()
        .map(|line| wrap.map_or_else(|| lines_uncut(&line.what), |wrap| wrap.client(t, line.thread, &line.what)))
        .collect();
    let lines_above = depths.iter().scan(gap, |above, depth| {
        let at = *above;
        *above = above.saturating_add(*depth as usize);
        Some(at)
    });
    html! {
        <>
            { for kept.iter().zip(lines_above).filter_map(|(line, above)| {
                let (kind, fate) = arrow(&line.what)?;
                let style = format!("{}; --line: {above}", span(columns.node(line.node?)?));
                Some(html! { <span class="lane-arrow" data-side={side} data-arrow={kind} data-fate={fate} {style} /> })
            }) }
            <span class="lane-cell" data-side={side} data-client={slot_of(cell.client).to_string()} style={format!("grid-column: {column}; --line: {gap}")}>
                { for kept.iter().zip(&depths).map(|(line, depth)| client_line(t, line.thread, &line.what, *depth)) }
                if hidden > 0 { <span class="lane-line soft">{ t.lanes_more(hidden as u64) }</span> }
            </span>
        </>
    }
}

/// The style of a label that is more than one line high.
fn deep(lines: u32) -> Option<String> {
    (lines > 1).then(|| format!("--deep: {lines}"))
}

/// Direction of an arrow, and whether the message arrives, is queued or is lost.
fn arrow(what: &LaneEvent) -> Option<(&'static str, &'static str)> {
    match what {
        LaneEvent::Asks { way: RequestProgress::Executed, .. } => Some(("out", "arrives")),
        LaneEvent::Asks { way: RequestProgress::Queued, .. } => Some(("out", "queued")),
        LaneEvent::Asks { way: RequestProgress::Lost, .. } => Some(("out", "lost")),
        LaneEvent::Gets { .. } => Some(("in", "arrives")),
        LaneEvent::Misses => Some(("in", "lost")),
        _ => None,
    }
}

fn client_line(t: Lang, thread: Thread, what: &LaneEvent, depth: u32) -> Html {
    let (sign, words) = words::says(t, what);
    let title = match what {
        LaneEvent::Asks { whole, .. } | LaneEvent::Gets { whole, .. } => whole.clone(),
        LaneEvent::Enters(section) => format!("enter('{section}')"),
        LaneEvent::Leaves(section) => format!("leave('{section}')"),
        _ => words.clone(),
    };
    let fate = words::fate(t, what);
    html! {
        <span class="lane-line" {title} style={deep(depth)} data-deep={(depth > 1).then_some("")} data-bad={words::is_bad(what).then_some("")} data-arrow={arrow(what).map(|(kind, _)| kind)}>
            <span class="lane-words" data-code={words::is_code(what).then_some("")} data-sign={(!sign.is_empty()).then_some(sign)}>
                if thread > 0 { <sup>{ thread.to_string() }</sup> }
                { words }
                if let Some(fate) = fate { <small>{ " " }{ fate }</small> }
            </span>
        </span>
    }
}

fn node_cell(
    t: Lang,
    lines: &[AtServer],
    (column, gap): (usize, usize),
    wrap: Option<Wrap>,
    name_of: &dyn Fn(ClientIndex) -> String,
) -> Html {
    html! {
        <span class="lane-cell lane-cell-server" style={format!("grid-column: {column}; --line: {gap}")}>
            { for lines.iter().take(LINES_MAX).map(|line| {
                let (client, sign, words) = words::serves(t, line, name_of);
                let is_bad = matches!(line,
                    AtServer::Released { is_owner: false, .. }
                        | AtServer::Crashed
                        | AtServer::Link { act: LinkAct::Cut, .. }
                );
                let title = match line {
                    AtServer::Serves { client, whole, .. } => format!("{}> {whole}", name_of(*client)),
                    _ => words.clone(),
                };
                let depth = wrap.map_or(1, |wrap| wrap.node(t, line, name_of));
                html! {
                    <span class="lane-line" {title} style={deep(depth)} data-bad={is_bad.then_some("")}>
                        <span class="lane-words" data-client={client.map(|client| slot_of(client).to_string())}
                            data-sign={(!sign.is_empty() && client.is_none()).then_some(sign)}>
                            if let Some(client) = client { { client_mark(slot_of(client)) }{ " " } }
                            { rich(&words_of(line, &words)) }
                        </span>
                    </span>
                }
            }) }
        </span>
    }
}

/// The text of a line with commands in the code font.
fn words_of(line: &AtServer, words: &str) -> String {
    if matches!(line, AtServer::Serves { .. }) { code(words) } else { words.to_owned() }
}
