//! Selects the node that a terminal is connected to.
use web_sys::HtmlSelectElement;
use world::{ClientIndex, Input, NodeIndex};
use yew::prelude::*;

use crate::hooks::{SessionPart, use_lang, use_session_for};
use crate::ui::html;

/// Properties of [`NodePicker`].
#[derive(Clone, Copy, PartialEq, Eq, Properties)]
pub struct NodePickerProps {
    /// The client of the terminal.
    pub client: ClientIndex,
}

/// The list of nodes; empty for a client with a program, which chooses its node itself.
#[component]
pub fn NodePicker(props: &NodePickerProps) -> Html {
    let t = use_lang();
    let session = use_session_for(&[SessionPart::Steps]);
    let (client, world) = (props.client, session.world());
    let Some(found) = world.client(client).filter(|found| found.program.is_none()) else { return Html::default() };
    let is_busy = found.is_paused || world.is_waiting(client);
    let onchange = {
        let session = session.clone();
        Callback::from(move |event: Event| {
            let node: Option<NodeIndex> = event.target_unchecked_into::<HtmlSelectElement>().value().parse().ok();
            if let Some(node) = node {
                session.push(Input::SwitchNode { client, node });
                session.activate(client);
            }
        })
    };
    html! {
        <select class="field node-picker" aria-label={t.nodes_of(&session.name_of(client))} disabled={is_busy} {onchange}
            data-testid={format!("node-of-{client}")}>
            { for world.nodes().zip(&world.settings().nodes).map(|(node, settings)| html! {
                <option value={node.to_string()} selected={node == found.node}>{ &settings.name }</option>
            }) }
        </select>
    }
}
