//! The reader's selection in a picture, and the switch between several pictures of one value.
use bytes::Bytes;
use yew::prelude::*;

use crate::i18n::Lang;
use crate::state::inside::{Choice, Look, View};
use crate::ui::{Button, html};

/// The selection, and callbacks that change it.
pub struct Chooser {
    /// The current selection.
    pub now: Choice,
    set: UseStateSetter<Choice>,
}

impl Chooser {
    /// The selection for the inspected key.
    pub fn of(choice: &UseStateHandle<Choice>, look: Option<&Look>) -> Chooser {
        Chooser { now: look.map(|look| choice.of(&look.key)).unwrap_or_default(), set: choice.setter() }
    }

    /// A click handler that selects `choice`.
    pub fn click(&self, choice: Choice) -> Callback<MouseEvent> {
        let set = self.set.clone();
        Callback::from(move |_| set.set(choice.clone()))
    }

    /// A click handler that moves to a window of a long string; `home` is the window shown by default.
    pub fn window(&self, window: u64, home: u64) -> Callback<MouseEvent> {
        self.click(Choice { window: Some((window, home)), ..self.now.clone() })
    }

    /// Like [`Chooser::window`], for a slider.
    pub fn slide(&self, home: u64) -> Callback<InputEvent> {
        let (set, now) = (self.set.clone(), self.now.clone());
        Callback::from(move |event: InputEvent| {
            let slider = event.target_unchecked_into::<web_sys::HtmlInputElement>();
            let window = slider.value().parse().unwrap_or(home);
            set.set(Choice { window: Some((window, home)), ..now.clone() });
        })
    }

    /// Selects the sets that are drawn beside the key's.
    pub fn sets(&self) -> impl Fn(Vec<Bytes>) + use<> {
        let (set, now) = (self.set.clone(), self.now.clone());
        move |sets| set.set(Choice { sets: Some(sets), ..now.clone() })
    }

    /// The switch between pictures; empty if there is only one.
    pub fn views(&self, t: Lang, all: &[View], chosen: View) -> Html {
        if all.is_empty() {
            return Html::default();
        }
        let button = |view: &View| {
            let (word, testid) = match view {
                View::Text => (t.inside_view_text(), "view-text"),
                View::Bits => (t.inside_view_bits(), "view-bits"),
                View::Registers => (t.inside_view_registers(), "view-registers"),
                View::Ranking => (t.inside_view_ranking(), "view-ranking"),
                View::Map => (t.inside_view_map(), "view-map"),
                View::Table => (t.inside_view_table(), "view-table"),
                View::Venn => (t.inside_view_venn(), "view-venn"),
            };
            let click = self.click(Choice { view: Some(*view), ..self.now.clone() });
            Button::words(word).pressed(*view == chosen).testid(testid).on(click)
        };
        html! { <div class="inside-views" role="group" aria-label={t.inside_views()}>{ for all.iter().map(button) }</div> }
    }
}
