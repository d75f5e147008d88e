//! Small meters: how far a value is from the limits at which Redis stores it in another way.
use redis_model::value::Value;
use redis_model::value::limits::Limits;
use yew::prelude::*;

use crate::i18n::Lang;
use crate::i18n::messages::{
    InsideMeterBytes, InsideMeterFields, InsideMeterLongestField, InsideMeterLongestMember, InsideMeterMembers,
    InsideMeterNodeBytes, InsideMeterNodeElements,
};
use crate::state::inside::limits::{Measure, Meter, meters};
use crate::ui::html;

/// The meters of a value.
#[inline(never)]
pub fn limits(t: Lang, value: &Value, limits: &Limits) -> Html {
    let meters = meters(value, limits);
    if meters.is_empty() {
        return Html::default();
    }
    html! { <ul class="inside-meters" data-testid="meters">{ for meters.iter().map(|meter| drawn(t, meter)) }</ul> }
}

/// A bar with its limit at the end; what is beyond the limit reaches past it.
fn drawn(t: Lang, meter: &Meter) -> Html {
    let (n, most) = (meter.now as u64, meter.most as u64);
    let text = match meter.measure {
        Measure::Fields => t.say(InsideMeterFields { n, most }),
        Measure::Members => t.say(InsideMeterMembers { n, most }),
        Measure::LongestField => t.say(InsideMeterLongestField { n, most }),
        Measure::LongestMember => t.say(InsideMeterLongestMember { n, most }),
        Measure::Length => t.say(InsideMeterBytes { n, most }),
        Measure::NodeElements => t.say(InsideMeterNodeElements { n, most }),
        Measure::NodeBytes => t.say(InsideMeterNodeBytes { n, most }),
    };
    let is_beyond = meter.is_beyond();
    html! {
        <li data-beyond={is_beyond.then_some("")}>
            <span class="meter" aria-hidden="true"><i style={format!("width: {}%", meter.percent())}></i>{ if is_beyond { "▸" } else { "" } }</span>
            <span class="small">{ text }if is_beyond { <b>{ " " }{ t.inside_meter_beyond() }</b> }</span>
        </li>
    }
}
