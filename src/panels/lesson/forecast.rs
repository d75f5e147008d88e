//! *Forecast*: what happens to the messages of each key? The learner ticks cells before the script runs; then each cell shows the counts of
//! the ledger. The first answer counts; afterwards other cells can be ticked and compared.
use ::lesson::forecast::FATES;
use ::lesson::{Row, Task, TaskKind};
use yew::prelude::*;

use crate::hooks::course::use_lesson;
use crate::hooks::storage::Store;
use crate::hooks::{SessionPart, machine, use_brought_into_view, use_lang, use_persisted, use_session_for};
use crate::i18n::messages::ForecastRight;
use crate::i18n::{late, unmarked};
use crate::state::choice::Ticks;
use crate::state::forecast::{answers, cell, figures, played};
use crate::state::judge::Answer;
use crate::state::session_store;
use crate::ui::{Button, ButtonLook, Picture, html};

/// Properties of [`Forecast`].
#[derive(Clone, PartialEq, Properties)]
pub struct ForecastProps {
    /// The task.
    pub task: Task,
    /// Whether the task was answered.
    pub is_done: bool,
    /// Receives the answer.
    pub onanswer: Callback<Answer>,
}

/// The table, and the button that runs the script.
#[component]
pub fn Forecast(props: &ForecastProps) -> Html {
    let t = use_lang();
    let session = use_session_for(&[SessionPart::Steps]);
    let opened = use_lesson();
    let ForecastProps { task, is_done, onanswer } = props;
    let (inputs, rows) = match &task.kind {
        TaskKind::Forecast { inputs, rows } => (inputs.as_slice(), rows.as_slice()),
        _ => Default::default(),
    };
    let prefix = session_store::of_lesson(&opened.name.track, &opened.name.id);
    let (kept, keep) = use_persisted(Store::Browser, format!("{prefix}forecast-{}", task.id), "");
    // The ticks of the first answer, if known.
    let first = is_done.then(|| Ticks::from_text(&kept)).flatten();
    let ticked = use_state_eq(|| None::<Ticks>);
    let ticks = (*ticked).clone().or_else(|| first.clone()).unwrap_or_default();
    let compared = use_state_eq(|| None::<Ticks>);
    // A changed tick makes a new forecast, which is compared only after the script has run again.
    let is_compared = compared.as_ref().or(first.as_ref()) == Some(&ticks);
    let can_play = machine::engines().programs.is_installed();
    let counted = {
        let (lesson, inputs, rows) = (opened.lesson.clone(), inputs.to_vec(), rows.to_vec());
        use_memo((is_compared, can_play), move |_| {
            let timeline = is_compared.then(|| played(&lesson, &inputs, &machine::engines()))??;
            figures(&rows, timeline.world().watch().ledger())
        })
    };
    let run = {
        let (lesson, inputs, ticks) = (opened.lesson.clone(), inputs.to_vec(), ticks.clone());
        let (compared, is_done, answer) = (compared.clone(), *is_done, onanswer.clone());
        Callback::from(move |_: MouseEvent| {
            let Some(timeline) = played(&lesson, &inputs, &machine::engines()) else { return };
            session.replace(timeline);
            compared.set(Some(ticks.clone()));
            if !is_done {
                keep.emit(ticks.to_text());
                answer.emit(Answer::Ticked(ticks.clone()));
            }
        })
    };
    let id = |what: &str, number: usize| format!("forecast-{}-{what}-{number}", task.id);
    let fates = [t.river_ledger_lost(), t.river_ledger_repeated(), t.river_ledger_disordered()];
    let is_shown = is_compared && *is_done;
    let sum = use_node_ref();
    use_brought_into_view(&sum, (*compared).clone().filter(|_| is_shown));
    let cell_of = |row: usize, column: usize, answer: bool| {
        let nth = cell(row, column);
        let is_ticked = ticks.has(nth);
        let is_right = is_ticked == answer;
        let mark = is_shown.then_some(if is_right { "right" } else { "wrong" });
        let count = counted.as_ref().as_ref().and_then(|figures| figures.get(row)?.get(column).copied());
        let toggle = {
            let (ticked, ticks) = (ticked.clone(), ticks.clone());
            Callback::from(move |_: MouseEvent| ticked.set(Some(ticks.toggled(nth))))
        };
        html! {
            <td data-mark={mark} data-testid="forecast-cell">
                <button type="button" role="checkbox" aria-checked={if is_ticked { "true" } else { "false" }}
                    aria-labelledby={format!("{} {}", id("row", row), id("column", column))}
                    aria-describedby={is_shown.then(|| id("cell", nth))} onclick={toggle} data-testid="forecast-tick" />
                if is_shown {
                    <span id={id("cell", nth)}>
                        if let Some(count) = count { <b class="tabular">{ t.number(count) }</b>{ " " } }
                        <i aria-hidden="true">{ if is_right { "✓" } else { "✗" } }</i>
                        <span class="sr-only">{ if is_right { t.choose_right() } else { t.choose_wrong() } }</span>
                    </span>
                }
            </td>
        }
    };
    html! {
        <div class="forecast" data-testid="forecast">
            <style>{ unmarked(late!("rest", "/src/panels/lesson/forecast.css")) }</style>
            <table>
                <caption>{ t.forecast_ask() }</caption>
                <thead>
                    <tr>
                        { for fates.iter().enumerate().map(|(column, fate)| html! { <th scope="col" id={id("column", column)}>{ *fate }</th> }) }
                    </tr>
                </thead>
                { for rows.iter().enumerate().map(|(row, Row { title, expect, .. })| html! {
                    <tbody>
                        <tr>
                            <th scope="rowgroup" colspan={FATES.len().to_string()} id={id("row", row)}>
                                { Html::from_html_unchecked(AttrValue::from(title.clone())) }
                            </th>
                        </tr>
                        <tr>{ for expect.iter().enumerate().map(|(column, answer)| cell_of(row, column, *answer)) }</tr>
                    </tbody>
                }) }
            </table>
            <div role="status" ref={sum} data-testid="forecast-sum">
                if is_shown {
                    <p><b>{ t.say(ForecastRight {
                        n: ticks.right_count(answers(rows)) as u64, all: rows.len().saturating_mul(FATES.len()) as u64,
                    }) }</b></p>
                    <p class="soft small">{ t.forecast_counted() }</p>
                }
            </div>
            <div class="row">
                { Button::words(t.forecast_run()).look(ButtonLook::Primary).picture(Picture::Play).disabled(!can_play).testid("forecast-run").on(run) }
            </div>
        </div>
    }
}
