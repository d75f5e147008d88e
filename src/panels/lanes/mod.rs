//! The lanes: one per client and one per node. Time runs downwards; each step is a row, and a click moves the cursor there.
mod bars;
pub mod columns;
mod compare;
mod fit;
mod row;
mod summary;
pub mod words;
mod wrap;

use std::ops::Range;
use std::rc::Rc;

use redis_model::sorting;
use world::{ClientIndex, Input, NodeIndex, NodeSettings, StepId, VirtualClient, World};
use yew::prelude::*;

use crate::hooks::assets::{Chunk, use_chunk};
use crate::hooks::{
    SessionHandle, SessionPart, Show, use_derived, use_lang, use_preferences, use_session_for, use_window,
};
use crate::i18n::Lang;
use crate::panels::client::slot_of;
use crate::panels::nodes::{NodeActs, NodeActsProps};
use crate::panels::traffic::lanes as requests;
use crate::state::lab::compare as branches;
use crate::state::lab::lanes::{Fold, LaneKey, Picture, Shown};
use crate::state::lab::status::{client_status, next_act};
use crate::ui::{Button, Menu, MenuProps, Picture as Sign, client_mark, html, icon, later, part, part_of};
use columns::Columns;
use compare::{Compare, CompareProps};
use fit::use_fit;
use wrap::{Heights, Labels, Probes, Wrap, use_wrap};

/// More clients than this are a crowd, which is shown as a summary.
const LANES_MAX: usize = 8;
/// Number of open lanes of a crowd while the reader has not chosen any.
const BUSY_MAX: usize = 4;

/// The lanes of all programs.
#[component]
pub fn Lanes() -> Html {
    let session = use_session_for(&[SessionPart::Steps]);
    let is_comparing = use_state_eq(|| false);
    let toggle = {
        let is_comparing = is_comparing.clone();
        Callback::from(move |_: MouseEvent| is_comparing.set(!*is_comparing))
    };
    let has_others = !branches::others(session.timeline()).is_empty();
    if *is_comparing && has_others {
        return later(Chunk::Rest, move || part::<Compare>(CompareProps { onclose: toggle.clone() }));
    }
    part::<LanesOf>(LanesOfProps { branch: None, parts_at: None, title: None, oncompare: has_others.then_some(toggle) })
}

/// Properties of [`LanesOf`].
#[derive(Clone, PartialEq, Properties)]
pub struct LanesOfProps {
    /// Last step of the shown branch; `None` shows the active path.
    pub branch: Option<StepId>,
    /// Position of the first step that the other branch does not share.
    pub parts_at: Option<usize>,
    /// Heading.
    pub title: Option<AttrValue>,
    /// Opens the comparison with another branch.
    pub oncompare: Option<Callback<MouseEvent>>,
}

/// The lanes of a branch.
#[component]
pub fn LanesOf(props: &LanesOfProps) -> Html {
    let t = use_lang();
    let preferences = use_preferences();
    let session = use_session_for(&[SessionPart::Steps]);
    // The branch that is compared needs a picture of its own.
    let picture = use_derived::<Picture>(|| if props.branch.is_some() { "lanes-beside" } else { "lanes" }.to_owned());
    let chosen = use_state_eq(Vec::<ClientIndex>::new);
    let scroller = use_node_ref();
    let body = use_node_ref();
    let (fit, probe) = use_fit(&body);
    let branch = props.branch;
    let other = use_memo((session.revision(), branch), |(_, branch)| {
        branch.map(|head| branches::along(session.timeline(), head))
    });
    let timeline = other.as_ref().as_ref().unwrap_or(session.timeline());
    picture.borrow_mut().follow(timeline, session.floor());
    let picture = picture.borrow();
    // A client that has disconnected without any request has nothing to show.
    let is_seen = |client: &ClientIndex| {
        session.world().client(*client).is_some()
            || picture.lane(LaneKey::Client(*client)).is_some_and(|lane| lane.requests > 0)
    };
    let clients: Vec<ClientIndex> = picture.clients().filter(is_seen).collect();
    let is_crowd = clients.len() > LANES_MAX;
    // If there is no room for all lanes, some are left out instead of shrinking the text.
    let is_some = !is_crowd && clients.len() > fit;
    let has_summary = use_chunk((is_crowd || is_some).then_some(Chunk::Rest));
    let open_before = use_mut_ref(Vec::<ClientIndex>::new);
    let machines_before = use_mut_ref(Vec::new);
    let open: Vec<ClientIndex> = if is_crowd || is_some {
        let picked = chosen.iter().copied().filter(|client| clients.contains(client)).take(fit);
        let picked: Vec<ClientIndex> = picked.collect();
        let most = if is_crowd { fit.min(BUSY_MAX) } else { fit };
        if picked.is_empty() { busy(&session, &picture, &clients, most, &open_before.borrow()) } else { picked }
    } else {
        clients.clone()
    };
    open_before.replace(open.clone());
    let names = use_names(&session);
    // The picture of a hall: labels wrap, where otherwise long ones are cut.
    let (wrap, probes) = use_wrap(preferences.now().focus && props.title.is_none());
    let lanes = open.len().saturating_add(session.world().nodes().count());
    let heights = use_mut_ref(Heights::default);
    let position = match props.parts_at {
        // The cursor is on the active path: on this branch it is shown no further than their last common step.
        Some(parts_at) if branch.is_some() => session.timeline().position().min(parts_at.saturating_sub(1)),
        _ => session.timeline().position(),
    };
    let here = picture.rows_until(position).checked_sub(1);
    // What libraries send when they connect is folded, except around the cursor; programs of lessons have no such commands.
    let folds = use_memo((picture.edition(), branch), |_| {
        if session.is_of_sandbox() { picture.folds(timeline) } else { Vec::new() }
    });
    let unfolded = here.and_then(|here| folds.iter().position(|fold| fold.rows.contains(&here)));
    let shown = {
        let made_of = (picture.edition(), branch, open.clone(), wrap, t, Rc::clone(&names), unfolded);
        use_memo(made_of, |(_, _, open, wrap, _, names, unfolded)| {
            let shown = match wrap {
                Some(wrap) => {
                    let properties: Vec<_> =
                        session.world().watch().verdicts().map(|(property, _)| property.clone()).collect();
                    let labels = Labels { wrap: *wrap, t, open, lanes, names, properties: &properties };
                    heights.borrow_mut().shown(&picture, &labels)
                }
                None => picture.shown(open),
            };
            let is_folded = |(at, fold): &(usize, &Fold)| Some(*at) != *unfolded && open.contains(&fold.client);
            let folds: Vec<Fold> = folds.iter().enumerate().filter(is_folded).map(|(_, fold)| fold.clone()).collect();
            if folds.is_empty() { shown } else { shown.folded(folds) }
        })
    };
    let here = here.and_then(|row| shown.place(row));
    // The row at the cursor is scrolled into view when the cursor moves, and only then. The header covers the top lines.
    let top = |place: usize| shown.tops.get(place).copied();
    let row_lines = here.and_then(|here| Some(top(here)?..top(here.saturating_add(1))?)).unwrap_or(0..0);
    let show = Show { units: row_lines, head: 2, occasion: session.revision() };
    let window = use_window(&scroller, shown.lines(), Some(show));
    let range = shown.between(window.range.clone());
    let machines = if picture.has_requests {
        let place = requests::Seen { picture: &picture, shown: &shown, range: range.clone(), here };
        requests::machines(timeline, place, fit, open.len(), &machines_before)
    } else {
        Vec::new()
    };
    let columns = Rc::new(Columns::of(session.world(), &picture, &open, machines));
    // While two branches are compared, programs cannot be stepped here.
    let can_step = props.title.is_none();
    let seek = {
        let session = session.clone();
        Callback::from(move |position: usize| {
            if let Some(head) = branch {
                session.switch(head);
            }
            session.seek(position);
        })
    };
    let key = {
        let (seek, positions) = (seek.clone(), neighbours(&picture, &shown, here));
        Callback::from(move |event: KeyboardEvent| {
            let to = match event.key().as_str() {
                "ArrowUp" => positions.first(),
                "ArrowDown" => positions.get(1),
                "Home" => positions.get(2),
                "End" => positions.get(3),
                _ => return,
            };
            event.prevent_default();
            if let Some(position) = to {
                seek.emit(*position);
            }
        })
    };
    // Show both steps of a pair or none.
    let pairs = session.decisive().map_or(&[][..], |decisive| decisive.pairs_on(timeline));
    let pairs: Vec<Pair> = pairs.iter().filter_map(|pair| Pair::of(&session, &picture, &shown, *pair)).collect();
    let slots = use_slots(&range);
    // A row outside the view is not in the document.
    let active = here.filter(|here| range.contains(here));
    let drawing = Drawing {
        t,
        session: &session,
        picture: &picture,
        shown: &shown,
        columns: &columns,
        names: &names,
        pairs: &pairs,
        wrap,
    };
    let prefix = branch.map(|head| format!("{head}-")).unwrap_or_default();
    let rows = row::Rows { prefix: &prefix, here, parts_at: props.parts_at };
    let press = Callback::from(move |event: MouseEvent| {
        if let Some(position) = row::position_of(&event) {
            seek.emit(position);
        }
    });
    let is_bare = !is_crowd && props.oncompare.is_none();
    let title = props.title.clone().unwrap_or_else(|| t.lanes_title().into());
    html! {
        <section class="panel lanes" aria-label={title.clone()} data-testid="lanes">
            <div class="panel-head" data-bare={is_bare.then_some("")}>
                <h2>{ title }</h2>
                if is_crowd { <span class="soft small">{ t.lanes_summary(picture.clients().count() as u64) }</span> }
                if let Some(oncompare) = &props.oncompare {
                    <span class="spacer" />
                    { Button::words(t.compare_title()).title(t.compare_hint()).testid("compare").on(oncompare.clone()) }
                }
            </div>
            <div class="panel-body lanes-body" ref={body}>
                { probe }
                if can_step && session.world().settings().has_several_nodes() { { for node_menus(session.world()) } }
                if is_crowd && has_summary { { summary::summary(t, &session, &picture, &chosen, fit) } }
                if is_some && has_summary { { summary::some(t, &session, &clients, &open, &chosen, fit) } }
                if shown.rows.is_empty() {
                    <div class="lanes-scroll" style={columns.style()}>
                        <div class="panel-empty"><p>{ if session.world().traffic().is_some() { t.traffic_lanes_empty() } else { t.lanes_empty() } }</p></div>
                        { head(&drawing, can_step, &probes) }
                    </div>
                } else {
                    <div class="lanes-scroll" style={columns.style()} data-order={(!pairs.is_empty()).then_some("")} ref={scroller} onscroll={window.onscroll.clone()} onkeydown={key} tabindex="0"
                        role="listbox" data-wrap={wrap.map(|_| "")} aria-label={t.lanes_list()} aria-activedescendant={active.map(|here| row::id(&prefix, here))}>
                        <ol class="lanes-list" style={format!("height: calc(var(--lane-line) * {})", shown.lines())} role="presentation" onclick={press}>
                            { for range.filter_map(|place| rows.row(&drawing, place, slots.of(place))) }
                            <li key="bars" class="lanes-bars" role="presentation" aria-hidden="true" data-testid="lanes-bars">
                                { for bars::bars(&drawing, &window.range) }
                            </li>
                        </ol>
                        { head(&drawing, can_step, &probes) }
                        { window.probe.clone() }
                    </div>
                }
            </div>
        </section>
    }
}

/// Up to `most` clients whose lanes are open if the reader has not chosen any: the one that acted last, those inside a critical section,
/// those that acted earlier, then the first ones. The lanes in `open` stay if they include the first two kinds.
fn busy(
    session: &SessionHandle,
    picture: &Picture,
    clients: &[ClientIndex],
    most: usize,
    open: &[ClientIndex],
) -> Vec<ClientIndex> {
    let inside = |found: &VirtualClient| found.program.as_ref().is_some_and(|process| !process.inside().is_empty());
    let inside = session.world().clients().filter(|(_, found)| inside(found)).map(|(client, _)| client);
    let rows = picture.rows.get(..picture.rows_until(session.timeline().position())).unwrap_or_default();
    let latest = rows.iter().rev().flat_map(|row| &row.cells).map(|cell| cell.client);
    let mut found = Vec::new();
    let add = |found: &mut Vec<ClientIndex>, candidates: &mut dyn Iterator<Item = ClientIndex>| {
        while found.len() < most
            && let Some(client) = candidates.next()
        {
            if clients.contains(&client) && !found.contains(&client) {
                found.push(client);
            }
        }
    };
    add(&mut found, &mut latest.clone().take(1).chain(inside));
    let is_full = open.len() == most.min(clients.len());
    if is_full && open.iter().all(|client| clients.contains(client)) && found.iter().all(|client| open.contains(client))
    {
        return open.to_vec();
    }
    add(&mut found, &mut latest.chain(clients.iter().copied()));
    sorting::sort(&mut found);
    found
}

/// Names of the clients by their numbers. The same list is returned until a client is added or renamed.
#[hook]
fn use_names(session: &SessionHandle) -> Rc<[String]> {
    let kept = use_mut_ref(Rc::<[String]>::default);
    let count = session.world().clients().last().map_or(0, |(client, _)| client.saturating_add(1));
    let now: Vec<String> = (0..count).map(|client| session.name_of(client)).collect();
    if *now != **kept.borrow() {
        kept.replace(now.into());
    }
    Rc::clone(&*kept.borrow())
}

/// Maps rows to elements. While the list scrolls, each row keeps its element. After a jump no row is left in view, and the new
/// rows reuse the elements of the old ones: changing an element costs less than creating one.
#[derive(Clone, Copy)]
struct Slots {
    /// Index of the row in slot 0; wraps around.
    zero: usize,
}

impl Slots {
    fn of(self, place: usize) -> usize {
        place.wrapping_sub(self.zero)
    }
}

#[hook]
fn use_slots(range: &Range<usize>) -> Slots {
    let kept = use_mut_ref(|| (0..0, Slots { zero: 0 }));
    let (before, slots) = &mut *kept.borrow_mut();
    if range.end <= before.start || before.end <= range.start {
        slots.zero = slots.zero.wrapping_add(range.start.wrapping_sub(before.start));
    }
    *before = range.clone();
    *slots
}

/// The data needed for rendering.
struct Drawing<'a> {
    t: Lang,
    session: &'a SessionHandle,
    picture: &'a Picture,
    shown: &'a Shown,
    columns: &'a Rc<Columns>,
    /// Names of the clients by their numbers.
    names: &'a Rc<[String]>,
    /// Pairs of steps whose order decides.
    pairs: &'a [Pair],
    /// The widths at which labels wrap.
    wrap: Option<Wrap>,
}

/// Two steps whose order decides: for each the index of its row among the shown rows, and the number of the step.
struct Pair {
    first: (usize, u64),
    second: (usize, u64),
}

impl Pair {
    /// The pair at these positions; `None` if one of the steps has no row.
    fn of(session: &SessionHandle, picture: &Picture, shown: &Shown, (first, second): (usize, usize)) -> Option<Pair> {
        let step = |position: usize| {
            let row = picture.rows.binary_search_by_key(&position, |row| row.position).ok()?;
            Some((shown.rows.binary_search(&row).ok()?, session.number_of(position)))
        };
        Some(Pair { first: step(first)?, second: step(second)? })
    }

    /// If the row at this index belongs to the pair: the number of its step, and that of the other step.
    fn numbers(&self, place: usize) -> Option<(u64, u64)> {
        let Pair { first, second } = self;
        [(first, second), (second, first)]
            .into_iter()
            .find(|(own, _)| own.0 == place)
            .map(|(own, other)| (own.1, other.1))
    }
}

/// Positions of the rows before and after the current one, of the first and of the last row.
fn neighbours(picture: &Picture, shown: &Shown, here: Option<usize>) -> Vec<usize> {
    let Some(last) = shown.rows.len().checked_sub(1) else { return Vec::new() };
    let below = here.map_or(0, |here| here.saturating_add(1)).min(last);
    let places = [here.map_or(0, |here| here.saturating_sub(1)), below, 0, last];
    let position = |place: usize| picture.rows.get(*shown.rows.get(place)?).map(|row| row.position);
    places.into_iter().filter_map(position).collect()
}

/// The id of the menu of a node in the lanes.
fn node_menu_id(node: NodeIndex) -> String {
    format!("menu-lane-{node}")
}

/// The menus of nodes, opened by the names in the header. They are outside the header because screen readers skip the header, but an open
/// menu has the focus.
fn node_menus(world: &World) -> Vec<Html> {
    let menu = |(node, settings): (NodeIndex, &NodeSettings)| {
        let draw = Callback::from(move |()| later(Chunk::Network, move || part::<NodeActs>(NodeActsProps { node })));
        let label = settings.name.clone().into();
        part_of::<Menu>(&node, MenuProps { id: node_menu_id(node), label, testid: "lane-node-menu", draw })
    };
    world.nodes().zip(&world.settings().nodes).map(menu).collect()
}

/// The header with the name of each lane; it stays in view. A click on a client steps its program. Keyboard and screen reader users have
/// the digit keys and the panel of programs instead.
fn head(drawing: &Drawing, can_step: bool, probes: &Probes) -> Html {
    let Drawing { t, session, columns, .. } = *drawing;
    let world = session.world();
    let step = |client: ClientIndex| {
        let act = next_act(world, client).filter(|_| can_step);
        let is_nothing = act.is_none();
        let name = session.name_of(client);
        let session = session.clone();
        let push = Callback::from(move |_: MouseEvent| {
            if let Some(act) = act.clone() {
                session.push(Input::Program { client, act });
            }
        });
        html! {
            <button type="button" class="lane-step" tabindex="-1" title={t.programs_step_of(&name)} hidden={is_nothing} onclick={push}>
                { icon(Sign::Next) }
            </button>
        }
    };
    html! {
        <div class="lanes-head" aria-hidden="true">
            { probes.html(columns.middle()) }
            if drawing.picture.has_requests { { requests::heads(t, columns) } }
            { for columns.clients().map(|(client, column)| {
                let status = client_status(world, client);
                html! {
                    <span class="lane-name" style={format!("grid-column: {column}")} data-client={slot_of(client).to_string()}>
                        { client_mark(slot_of(client)) }
                        <b>{ session.name_of(client) }</b>
                        if let Some(status) = status { <span class="lane-status" data-status={words::status_tag(status)}>{ words::status(t, status) }</span> }
                        { step(client) }
                    </span>
                }
            }) }
            { for columns.nodes().map(|(node, column)| {
                let (name, menu) = (world.settings().shown_name_of_node(node), can_step.then(|| node_menu_id(node)));
                html! {
                    <span class="lane-name lane-name-server" style={format!("grid-column: {column}")}>
                        if let Some((name, menu)) = name.zip(menu) {
                            <button type="button" class="lane-node" tabindex="-1" title={t.nodes_more(name)} popovertarget={menu}>{ name.to_owned() }</button>
                        } else {
                            <b>{ name.unwrap_or_else(|| t.lanes_server()).to_owned() }</b>
                        }
                        if !world.is_up(node) { <span class="lane-status" data-status="crashed">{ t.status_crashed() }</span> }
                    </span>
                }
            }) }
        </div>
    }
}
