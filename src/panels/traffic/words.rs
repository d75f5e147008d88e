//! Names of the figures.
use crate::i18n::Lang;
use crate::state::traffic::Figure;
use crate::state::traffic::compared::Measure;

/// Title of the chart whose first figure this is. Not a table of functions, which would move all of them to the first part of the program.
pub fn title(t: Lang, first: Figure) -> &'static str {
    match first {
        Figure::Answered | Figure::Errors => t.traffic_chart_requests(),
        Figure::HitRatio => t.traffic_chart_hits(),
        Figure::Statements => t.traffic_chart_statements(),
        Figure::AtDatabase | Figure::Waiting => t.traffic_chart_queues(),
        Figure::P50 | Figure::P95 | Figure::P99 => t.traffic_chart_latency(),
        Figure::Stale | Figure::Wrong => t.traffic_chart_untrue(),
        Figure::Keys => t.traffic_chart_keys(),
        Figure::Memory => t.traffic_chart_memory(),
        Figure::Commands => t.traffic_chart_commands(),
        Figure::StaleAge => t.traffic_chart_age(),
    }
}

/// Name in the legend of a chart.
pub fn name(t: Lang, figure: Figure) -> &'static str {
    match figure {
        Figure::Answered => t.traffic_answered(),
        Figure::Errors => t.traffic_errors(),
        Figure::HitRatio => t.traffic_hit_ratio(),
        Figure::Statements => t.traffic_statements(),
        Figure::AtDatabase => t.traffic_at_database(),
        Figure::Waiting => t.traffic_waiting(),
        Figure::P50 => t.traffic_p50(),
        Figure::P95 => t.traffic_p95(),
        Figure::P99 => t.traffic_p99(),
        Figure::Stale => t.traffic_stale(),
        Figure::Wrong => t.traffic_wrong(),
        Figure::Keys => t.traffic_keys(),
        Figure::Memory => t.traffic_memory(),
        Figure::Commands => t.traffic_commands(),
        Figure::StaleAge => t.traffic_age(),
    }
}

/// Column heading, with the unit.
pub fn heading(t: Lang, figure: Figure) -> &'static str {
    match figure {
        Figure::Answered => t.traffic_table_answered(),
        Figure::Errors => t.traffic_table_errors(),
        Figure::HitRatio => t.traffic_table_hit_ratio(),
        Figure::Statements => t.traffic_table_statements(),
        Figure::AtDatabase => t.traffic_table_at_database(),
        Figure::Waiting => t.traffic_table_waiting(),
        Figure::P50 => t.traffic_table_p50(),
        Figure::P95 => t.traffic_table_p95(),
        Figure::P99 => t.traffic_table_p99(),
        Figure::Stale => t.traffic_table_stale(),
        Figure::Wrong => t.traffic_table_wrong(),
        Figure::Keys => t.traffic_table_keys(),
        Figure::Memory => t.traffic_table_memory(),
        Figure::Commands => t.traffic_table_commands(),
        Figure::StaleAge => t.traffic_table_age(),
    }
}

/// Name of a measure in the comparison of two runs.
pub fn measure(t: Lang, measure: Measure) -> &'static str {
    match measure {
        Measure::Peak => t.traffic_peak(),
        Measure::Statements => t.traffic_all_statements(),
        Measure::P99 => t.traffic_all_p99(),
        Measure::Errors => t.traffic_all_errors(),
        Measure::Stale => t.traffic_all_stale(),
        Measure::Wrong => t.traffic_all_wrong(),
        Measure::HitRatio => t.traffic_all_hits(),
        Measure::Commands => t.traffic_all_commands(),
        Measure::StaleAge => t.traffic_all_age(),
    }
}
