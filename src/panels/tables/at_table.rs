//! The state of a client of a database: in a transaction, running a statement, waiting for a lock.
use table::Activity;
use yew::prelude::*;

use crate::hooks::{SessionPart, use_clock, use_lang, use_session_for};
use crate::i18n::{code, rich};
use crate::panels::client::{ClientPaneProps, interrupt_button, tenths};
use crate::panels::terminal::waits_for_row;
use crate::ui::{html, time_ring};

/// The state of a client that is connected to a database; empty for an idle one.
#[component]
pub fn AtTable(props: &ClientPaneProps) -> Html {
    let t = use_lang();
    let session = use_session_for(&[SessionPart::Steps]);
    let now_ms = use_clock().now_ms;
    let (client, world) = (props.client, session.world());
    let Some((node, connection)) = world.table_connection(client) else {
        return html! { <p class="client-state" data-kind="closed">{ t.state_closed() }</p> };
    };
    let is_in_transaction = connection.is_in_transaction();
    let name_of = |holder: table::ConnectionId| match world.client_of_connection(node, holder.0) {
        Some(client) => session.name_of(client),
        None => t.tables_gone().to_owned(),
    };
    let waits = match connection.activity() {
        Activity::Idle => None,
        Activity::Queued { .. } => Some((t.state_statement_queued().to_owned(), None)),
        Activity::AtWork { until_ms } => Some((t.state_statement_at_work().to_owned(), Some(*until_ms))),
        Activity::Waiting { until_ms, lock, holders } => {
            let holders: Vec<String> = holders.iter().map(|holder| code(&name_of(*holder))).collect();
            Some((waits_for_row(t, &lock.table, &lock.key, &holders), Some(*until_ms)))
        }
    };
    html! {
        <div class="client-states">
            if let Some((what, until_ms)) = waits {
                <div class="client-state" data-kind="waits" data-testid="blocked">
                    <div class="client-words">
                        <span>{ rich(&what) }</span>
                        if let Some(left_ms) = until_ms.map(|at_ms| world.world_ms(node, at_ms).saturating_sub(now_ms)) {
                            <span class="soft tabular row-tight">{ time_ring(left_ms, left_ms) }{ t.state_left(tenths(left_ms)) }</span>
                        }
                    </div>
                    { interrupt_button(t, &session, client) }
                </div>
            }
            if is_in_transaction {
                <div class="client-state" data-kind="multi"><span>{ rich(t.state_transaction()) }</span></div>
            }
        </div>
    }
}
