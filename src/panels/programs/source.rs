//! The source of a program, with the current lines of its threads. The line that separates the functions from the frame is drawn as a
//! divider.
use std::cell::Cell;
use std::rc::Rc;

use script::program::{FRAME_MARK, Thread};
use web_sys::Element;
use yew::prelude::*;

use crate::hooks::{Size, Write, before_paint, use_lang, use_sizes};
use crate::state::lab::lua::{Kind, tokens};
use crate::ui::{html, part_of};

/// Properties of [`Source`].
#[derive(Clone, PartialEq, Properties)]
pub struct SourceProps {
    /// The text of the program.
    pub text: Rc<str>,
    /// Threads and their current lines, from 1.
    pub lines: Vec<(Thread, u32)>,
    /// The line of the error that ended the program.
    pub fault: Option<u32>,
}

/// The source; the current line of the first thread is scrolled into view.
#[component]
pub fn Source(props: &SourceProps) -> Html {
    let t = use_lang();
    let list = use_node_ref();
    let first = props.lines.first().map(|(_, line)| *line).or(props.fault);
    let placed = use_memo((), |()| Cell::new(0));
    {
        let (list, placed) = (list.clone(), Rc::clone(&placed));
        use_effect_with(first, move |_| {
            before_paint(move || scroll_to(&list.cast()?, first?, &placed));
        });
    }
    // A hidden tab has no layout, and larger text moves the lines: scroll after a change of size too, unless the user has scrolled away.
    let current = use_mut_ref(|| first);
    current.replace(first);
    {
        let (node, was_hidden) = (list.clone(), Cell::new(true));
        let onsizes = Callback::from(move |[size, _]: [Size; 2]| {
            let was_hidden = was_hidden.replace(size.height <= 0.0);
            if size.height > 0.0 {
                let (list, line, placed) = (node.clone(), *current.borrow(), Rc::clone(&placed));
                before_paint(move || {
                    let list: Element = list.cast()?;
                    let is_placed = list.scroll_top().abs_diff(placed.get()) <= 1;
                    if was_hidden || is_placed { scroll_to(&list, line?, &placed) } else { None }
                });
            }
        });
        use_sizes(&list, &list, onsizes);
    }
    let lines = use_memo(Rc::clone(&props.text), |text| {
        let lines = tokens(text).into_iter();
        lines
            .map(|pieces| pieces.into_iter().map(|(kind, text)| (kind, text.to_owned())).collect())
            .collect::<Vec<Rc<[_]>>>()
    });
    // If there are several such lines, the last one counts, as in the machine that runs the program.
    let frame = (1_u32..)
        .zip(props.text.lines())
        .filter(|(_, line)| line.trim() == FRAME_MARK)
        .map(|(number, _)| number)
        .last();
    html! {
        <div class="program-source">
            <ol class="program-lines" ref={list} tabindex="0" aria-label={t.programs_title()} data-testid="program-lines">
                { for (1u32..).zip(&*lines).map(|(number, pieces)| {
                    if frame == Some(number) {
                        return html! { <li key={number} class="program-frame"><span>{ t.programs_frame() }</span></li> };
                    }
                    let threads = props.lines.iter().filter(|(_, line)| *line == number).map(|(thread, _)| *thread);
                    part_of::<SourceLine>(&number, SourceLineProps {
                        number,
                        pieces: Rc::clone(pieces),
                        threads: threads.collect(),
                        is_fault: props.fault == Some(number),
                    })
                }) }
            </ol>
        </div>
    }
}

/// Properties of [`SourceLine`].
#[derive(Clone, PartialEq, Properties)]
struct SourceLineProps {
    /// Line number, from 1.
    number: u32,
    pieces: Rc<[(Kind, String)]>,
    /// The threads at this line.
    threads: Vec<Thread>,
    /// Whether an error ended the program at this line.
    is_fault: bool,
}

/// A line of the source. A step changes at most two lines.
#[component]
fn SourceLine(props: &SourceLineProps) -> Html {
    let SourceLineProps { number, pieces, threads, is_fault } = props;
    let is_here = !threads.is_empty();
    let names = threads.iter().map(|thread| if *thread == 0 { String::new() } else { thread.to_string() });
    let mark = if is_here { format!("▶{}", names.collect::<Vec<_>>().join(",")) } else { String::new() };
    html! {
        <li data-here={is_here.then_some("")} data-fault={is_fault.then_some("")} aria-current={is_here.then_some("step")}>
            <span class="program-at" aria-hidden="true">{ mark }</span>
            <span class="program-number" aria-hidden="true">{ number.to_string() }</span>
            <code>{ for pieces.iter().map(|(kind, text)| token(*kind, text)) }</code>
        </li>
    }
}

fn token(kind: Kind, text: &str) -> Html {
    let class = match kind {
        Kind::Plain => return html! { { text } },
        Kind::Word => "lua-word",
        Kind::Text => "lua-text",
        Kind::Comment => "lua-comment",
        Kind::Verb => "lua-verb",
    };
    html! { <span {class}>{ text }</span> }
}

/// Scrolls only the source, not its ancestors, so that this line is in view. `placed` becomes the position.
fn scroll_to(list: &Element, line: u32, placed: &Cell<i32>) -> Option<Write> {
    let row = list.children().item(line.checked_sub(1)?)?;
    let (row, area) = (row.get_bounding_client_rect(), list.get_bounding_client_rect());
    if row.bottom() <= area.bottom() && row.top() >= area.top() {
        placed.set(list.scroll_top());
        return None;
    }
    let beyond = row.top() - area.top() - (area.height() - row.height()) / 2.0;
    let last = list.scroll_height().saturating_sub(list.client_height()).max(0);
    let top = list.scroll_top().saturating_add(beyond as i32).clamp(0, last);
    placed.set(top);
    let list = list.clone();
    Some(Box::new(move || list.set_scroll_top(top)))
}
