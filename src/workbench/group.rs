//! A group of panels: the selected panel, and tabs if there are several.
use world::NodeIndex;
use yew::prelude::*;

use super::registry::panel;
use crate::hooks::assets::use_chunk;
use crate::hooks::{use_lang, use_turn};
use crate::i18n::unmarked;
use crate::state::layout::{FOLDABLE, Fronts, Group, PanelRef};
use crate::ui::{Button, Picture, Tab, TabList, TabListProps, html, part, part_of};

/// Properties of [`GroupBox`].
#[derive(Clone, PartialEq, Properties)]
pub struct GroupBoxProps {
    /// The group.
    pub group: Group,
    /// The selected panel.
    pub front: PanelRef,
    /// The node of the active client.
    pub active_node: Option<NodeIndex>,
    /// Whether the group is rendered before the others.
    pub is_first: bool,
    /// Whether this is the group that a phone shows.
    pub is_on_phone: bool,
    /// What is in front of each group, and which one is folded.
    pub fronts: Fronts,
    /// Changes that.
    pub onfronts: Callback<Fronts>,
}

/// The id of a group's element.
pub fn group_id(group: &str) -> String {
    format!("group-{group}")
}

/// A group with its selected panel.
#[component]
pub fn GroupBox(props: &GroupBoxProps) -> Html {
    let t = use_lang();
    let GroupBoxProps { group, front, fronts, .. } = props;
    let is_folded = fronts.is_folded(group.id);
    let is_foldable = group.id == FOLDABLE;
    let is_due = use_turn(props.is_first || props.is_on_phone);
    let tab = |each: &PanelRef| {
        let def = panel(each.id)?;
        let name = each.name();
        Some(Tab {
            picture: Some(def.icon),
            title: (def.title)(t),
            id: format!("tab-{name}"),
            controls: format!("panel-{name}"),
            testid: format!("panel-{name}"),
            word: name,
        })
    };
    let front_name = front.name();
    let has_tabs = group.panels.len() > 1;
    let tabs = has_tabs.then(|| {
        part::<TabList>(TabListProps {
            class: "group-tabs",
            label: t.tabs_label(),
            tabs: group.panels.iter().filter_map(tab).collect(),
            chosen: if is_folded { String::new() } else { front_name.clone() },
            onchoose: {
                let (fronts, id) = (fronts.clone(), group.id);
                props.onfronts.reform(move |panel: String| fronts.clone().with(id, &panel))
            },
        })
    });
    let fold = {
        let (fronts, id) = (fronts.clone(), group.id);
        props.onfronts.reform(move |_: MouseEvent| fronts.clone().folded(id, !is_folded))
    };
    html! {
        <div class="group" id={group_id(group.id)} data-group={group.id} data-tabs={has_tabs.then_some("")} data-foldable={is_foldable.then_some("")} data-folded={is_folded.then_some("")} data-phone={props.is_on_phone.then_some("")}>
            if is_foldable {
                <div class="group-fold">
                    { Button::icon(Picture::Side, t.group_fold()).pressed(is_folded).testid("fold").on(fold) }
                </div>
            }
            { for tabs }
            if !is_folded {
                <div key={front_name.clone()} class="group-panel" id={format!("panel-{front_name}")} role={has_tabs.then_some("tabpanel")}
                    aria-labelledby={has_tabs.then(|| format!("tab-{front_name}"))}>
                    if is_due {
                        { part_of::<PanelBox>(&front_name, PanelBoxProps { panel: *front, active_node: props.active_node }) }
                    } else {
                        <div class="later" aria-busy="true" />
                    }
                </div>
            }
        </div>
    }
}

#[derive(Clone, PartialEq, Properties)]
struct PanelBoxProps {
    panel: PanelRef,
    active_node: Option<NodeIndex>,
}

/// A panel with its styles, once its chunk of the program is loaded.
#[component]
fn PanelBox(props: &PanelBoxProps) -> Html {
    let def = panel(props.panel.id);
    let is_here = use_chunk(def.and_then(|def| def.chunk));
    let Some(def) = def.filter(|_| is_here) else { return html! { <div class="later" aria-busy="true" /> } };
    html! {
        <>
            { part::<Styles>(StylesProps { sheets: def.styles }) }
            { def.draw(props.panel, props.active_node) }
        </>
    }
}

/// Properties of [`Styles`].
#[derive(Clone, Properties)]
pub struct StylesProps {
    /// The texts of the style sheets.
    pub sheets: &'static [&'static str],
}

impl PartialEq for StylesProps {
    fn eq(&self, other: &StylesProps) -> bool {
        std::ptr::eq(self.sheets, other.sheets)
    }
}

/// Style sheets that apply while this component is mounted.
#[component]
pub fn Styles(props: &StylesProps) -> Html {
    html! { <style>{ props.sheets.iter().copied().map(unmarked).collect::<String>() }</style> }
}
