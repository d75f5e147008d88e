//! A HyperLogLog: its header, the encoding of its registers, all 16384 registers, and the estimate that they give.
use redis_model::value::hyperloglog::{Encoding, HyperLogLog, Opcode, Registers};
use redis_model::value::string::Str;
use yew::prelude::*;

use super::cell::{more, px, shown};
use crate::i18n::Lang;
use crate::i18n::messages::{InsideHllKeeps, InsideHllRaises, InsideHllSum};
use crate::state::inside::sketch::{TRACED_MAX, Trace, histogram, paths, position, raised, registers_of, traces};
use crate::state::inside::{DRAWN_MAX, Look};
use crate::ui::html;

/// If more registers than this are 0, the others are drawn enlarged: a dot of two pixels is invisible from the back of a classroom.
const FEW_ABOVE: u64 = 16_000;

/// The picture of a string as a HyperLogLog.
#[inline(never)]
pub fn picture(t: Lang, look: &Look, before: Option<&Str>, now: &Str) -> Html {
    let bytes = now.to_bytes();
    let Ok(sketch) = HyperLogLog::of(&bytes) else { return Html::default() };
    let was = before.filter(|_| look.is_changed()).and_then(registers_of);
    let opcodes: Vec<Opcode> = sketch.opcodes().take(DRAWN_MAX).collect();
    let hidden = sketch.opcodes().count().saturating_sub(opcodes.len());
    html! {
        <div class="inside-picture" data-testid="registers">
            { header(t, &sketch) }
            {
                match sketch.registers() {
                    Ok(registers) => body(t, look, was.as_ref(), &registers),
                    Err(_) => html! { <p class="inside-step">{ t.inside_hll_spoilt() }</p> },
                }
            }
            if sketch.encoding() == Encoding::Sparse {
                <p class="node-head">{ t.inside_hll_runs(opcodes.len().saturating_add(hidden) as u64) }</p>
                <div class="cells" data-testid="register-runs">{ for opcodes.into_iter().map(run) }{ more(t, hidden) }</div>
            }
        </div>
    }
}

fn header(t: Lang, sketch: &HyperLogLog<'_>) -> Html {
    let (number, how) = match sketch.encoding() {
        Encoding::Dense => ("0", t.inside_hll_dense()),
        Encoding::Sparse => ("1", t.inside_hll_sparse()),
    };
    html! {
        <div class="blocks" data-testid="register-header">
            <span class="block"><b>{ "HYLL" }</b><small>{ "4 B" }</small></span>
            <span class="block"><b>{ number }{ " " }{ sketch.encoding().name() }</b><small>{ how }</small></span>
            <span class="block">
                <b>{ sketch.cached_count().map_or_else(|| "—".to_owned(), |count| t.number(count)) }</b>
                <small>{ if sketch.cached_count().is_some() { t.inside_hll_count() } else { t.inside_hll_stale() } }</small>
            </span>
        </div>
    }
}

/// A run of the sparse encoding; longer runs are wider, but not proportionally.
fn run(opcode: Opcode) -> Html {
    let (name, is_value) = match opcode {
        Opcode::Zero(_) => ("ZERO", None),
        Opcode::ZeroLong(_) => ("XZERO", None),
        Opcode::Value(..) => ("VAL", Some("")),
    };
    let width = format!("min-width: {}em", px(2.0 + f64::from(opcode.len().max(1).ilog2())));
    let text = match opcode {
        Opcode::Value(value, len) => format!("{value} × {len}"),
        zeros => format!("0 × {}", zeros.len()),
    };
    html! { <span class="cell hll-run" data-value={is_value} style={width}><small>{ name }</small><span>{ text }</span></span> }
}

fn body(t: Lang, look: &Look, was: Option<&Registers>, now: &Registers) -> Html {
    // A new key started with all registers at 0.
    let zeros = Registers::default();
    let was = was.or((look.is_changed() && look.value_before().is_none()).then_some(&zeros));
    let (counts, raised) = (histogram(now), was.map(|was| raised(was, now)).unwrap_or_default());
    let traces = traces(&look.words, was.or(Some(now)));
    let zero = counts.first().copied().unwrap_or(0);
    let highest = counts.len().saturating_sub(1) as u64;
    let ring = |(register, ..): &(usize, u8, u8)| {
        let (x, y) = position(*register);
        html! { <circle cx={format!("{x}.5")} cy={format!("{y}.5")} r="3" /> }
    };
    let is_few = zero > FEW_ABOVE;
    let tones = ["1", "2", "3", "4", "5"].into_iter().zip(paths(now));
    html! {
        <>
            if !traces.is_empty() {
                <ul class="inside-list inside-step" data-testid="traces">{ for traces.iter().map(|trace| trace_line(t, trace)) }</ul>
            }
            <svg class="hll" data-testid="register-map" data-few={is_few.then_some("")} viewBox="-3 -3 262 70" role="img" aria-label={t.inside_hll_map()}>
                <rect width="256" height="64" />
                <g transform="translate(0 .5)">{ for tones.map(|(tone, path)| html! { <path data-tone={tone} d={path} /> }) }</g>
                { for raised.iter().take(TRACED_MAX).map(ring) }
            </svg>
            <p class="soft small">{ t.inside_hll_map() }</p>
            <p>{ t.say(InsideHllSum { zero, highest, n: now.estimate() }) }</p>
            { bars(t, &counts) }
        </>
    }
}

/// `ann → register 9372: 5 → 6`
fn trace_line(t: Lang, Trace { element, place, was }: &Trace) -> Html {
    let (register, run, was_text) = (place.register.to_string(), place.run.to_string(), was.to_string());
    let is_raised = *was < place.run;
    html! {
        <li>
            <b>{ shown(element) }</b>{ " → " }
            {
                if is_raised {
                    t.say(InsideHllRaises { register: &register, was: &was_text, now: &run })
                } else {
                    t.say(InsideHllKeeps { register: &register, was: &was_text, now: &run })
                }
            }
        </li>
    }
}

/// How many registers hold each value above 0.
fn bars(t: Lang, counts: &[u64]) -> Html {
    let most = counts.iter().skip(1).max().copied().unwrap_or(0);
    if most == 0 {
        return Html::default();
    }
    let bar = |(value, count): (usize, &u64)| {
        let height = format!("height: {}em", px(*count as f64 / most as f64 * 4.0));
        html! { <li title={t.number(*count)}><small>{ t.number(*count) }</small><i style={height}></i><b>{ value.to_string() }</b></li> }
    };
    html! {
        <>
            <p class="node-head">{ t.inside_hll_histogram() }</p>
            <ol class="hll-bars">{ for counts.iter().enumerate().skip(1).map(bar) }</ol>
        </>
    }
}
