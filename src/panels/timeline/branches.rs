//! The list of branches, with a button that switches to each.
use yew::prelude::*;

use super::plain_description;
use super::track::first_own_step;
use crate::hooks::SessionHandle;
use crate::i18n::Lang;
use crate::ui::{Picture, html, icon};

/// The list of branches.
pub fn branches(t: Lang, session: &SessionHandle) -> Html {
    let branches = session.timeline().branches();
    html! {
        <section class="branches" aria-label={t.time_branches()}>
            <h3 class="soft small">{ t.time_branches() }</h3>
            if branches.len() <= 1 {
                <p class="soft small">{ t.time_branches_none() }</p>
            } else {
                <ul data-testid="branch-list">
                    { for branches.into_iter().map(|branch| {
                        let onclick = {
                            let session = session.clone();
                            Callback::from(move |_: MouseEvent| session.switch(branch.head))
                        };
                        let id = if branch.is_active {
                            Some(branch.head)
                        } else {
                            first_own_step(session, branch.head, branch.shared)
                        };
                        let description = id.map(|id| plain_description(t, session, id)).unwrap_or_default();
                        html! {
                            <li key={branch.head}>
                                <button type="button" class="step" {onclick} aria-current={branch.is_active.then_some("true")}>
                                    { icon(Picture::Branch) }
                                    <span>
                                        { description }{ " " }
                                        <span class="soft small">
                                            if branch.is_active { { t.time_branch_here() } } else {
                                                { t.time_branch_parts(session.stops_until(branch.shared) as u64) }
                                            }
                                        </span>
                                    </span>
                                </button>
                            </li>
                        }
                    }) }
                </ul>
            }
        </section>
    }
}
