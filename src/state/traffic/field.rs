//! The fields of the traffic form, with the format and the range of each.
use world::traffic::settings::{IDS_MAX, ITEMS_MAX, RATE_MAX, TIME_MAX_MS, WHOLE_PPM, WORKERS_MAX};

use super::notation::{DAY_MS, bytes_text, day_text, fraction_text, time_text};
use crate::i18n::Lang;

/// A field with one or several numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Field {
    /// Requests per second, at points in time.
    Rate,
    /// How long traffic runs.
    Duration,
    /// Number of existing items.
    Items,
    /// The exponent of Zipf's law.
    Exponent,
    /// Share of requests for the hot item.
    Hot,
    /// Share of requests for ids that do not exist.
    Absent,
    /// Number of such ids.
    AbsentIds,
    /// Share of requests that update an item.
    Writes,
    /// Workers of the database.
    DatabaseWorkers,
    /// Service time of a statement, in ms.
    DatabaseMs,
    /// Most connections of the database.
    DatabaseConnections,
    /// Application machines.
    Machines,
    /// Workers per machine.
    Workers,
    /// Requests that may wait at each machine.
    Backlog,
    /// Timeout of a caller, in ms.
    Patience,
    /// How often a caller retries.
    Retries,
    /// One-way network latency, in µs.
    Network,
    /// Execution time of a command, in µs.
    Command,
    /// The length of an interval.
    Interval,
    /// The time of day at which the clock of a new session starts.
    Clock,
    /// The memory limit of the Redis server, in bytes.
    Maxmemory,
    /// Seed of the random numbers.
    Seed,
}

/// The format of a field's number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// An integer.
    Count,
    /// A decimal with up to three digits after the point, stored in thousandths.
    Milli,
    /// A percentage with up to four digits after the point, stored in millionths.
    Share,
    /// A time with its unit, stored in ms.
    Time,
    /// Requests per second at points in time.
    Points,
    /// A time of day, stored in ms since midnight.
    Day,
    /// An amount of memory with its unit, stored in bytes.
    Bytes,
}

impl Field {
    /// All fields, in the order of the form.
    pub const ALL: [Field; 22] = [
        Field::Rate,
        Field::Duration,
        Field::Items,
        Field::Exponent,
        Field::Hot,
        Field::Absent,
        Field::AbsentIds,
        Field::Writes,
        Field::DatabaseWorkers,
        Field::DatabaseMs,
        Field::DatabaseConnections,
        Field::Machines,
        Field::Workers,
        Field::Backlog,
        Field::Patience,
        Field::Retries,
        Field::Network,
        Field::Command,
        Field::Maxmemory,
        Field::Interval,
        Field::Clock,
        Field::Seed,
    ];

    /// Its format, and its least and greatest value.
    pub fn range(self) -> (Kind, u64, u64) {
        match self {
            Field::Rate => (Kind::Points, 0, RATE_MAX.into()),
            Field::Duration => (Kind::Time, 1, TIME_MAX_MS),
            Field::Items => (Kind::Count, 1, ITEMS_MAX.into()),
            Field::Exponent => (Kind::Milli, 0, 5_000),
            Field::Hot | Field::Absent | Field::Writes => (Kind::Share, 0, WHOLE_PPM.into()),
            Field::AbsentIds => (Kind::Count, 1, IDS_MAX.into()),
            Field::DatabaseWorkers | Field::DatabaseConnections => (Kind::Count, 0, 100_000),
            Field::DatabaseMs => (Kind::Count, 0, 60_000),
            Field::Machines | Field::Workers => (Kind::Count, 1, WORKERS_MAX.into()),
            Field::Backlog => (Kind::Count, 0, 100_000),
            Field::Patience => (Kind::Count, 0, 3_600_000),
            Field::Retries => (Kind::Count, 0, 100),
            Field::Network | Field::Command => (Kind::Count, 0, 10_000_000),
            Field::Interval => (Kind::Time, 1, 86_400_000),
            Field::Clock => (Kind::Day, 0, DAY_MS - 1),
            // Memory of a web page has an end, too.
            Field::Maxmemory => (Kind::Bytes, 0, 1 << 30),
            Field::Seed => (Kind::Count, 0, u64::MAX),
        }
    }

    /// Its label, with its unit.
    pub fn label(self, t: Lang) -> &'static str {
        match self {
            Field::Rate => t.traffic_field_rate(),
            Field::Duration => t.traffic_field_duration(),
            Field::Items => t.traffic_field_items(),
            Field::Exponent => t.traffic_field_exponent(),
            Field::Hot => t.traffic_field_hot(),
            Field::Absent => t.traffic_field_absent(),
            Field::AbsentIds => t.traffic_field_absent_ids(),
            Field::Writes => t.traffic_field_writes(),
            Field::DatabaseWorkers => t.traffic_field_database_workers(),
            Field::DatabaseMs => t.traffic_field_database_ms(),
            Field::DatabaseConnections => t.traffic_field_database_connections(),
            Field::Machines => t.traffic_field_machines(),
            Field::Workers => t.traffic_field_workers(),
            Field::Backlog => t.traffic_field_backlog(),
            Field::Patience => t.traffic_field_patience(),
            Field::Retries => t.traffic_field_retries(),
            Field::Network => t.traffic_field_network(),
            Field::Command => t.traffic_field_command(),
            Field::Interval => t.traffic_field_interval(),
            Field::Clock => t.traffic_field_clock(),
            Field::Maxmemory => t.traffic_field_maxmemory(),
            Field::Seed => t.traffic_field_seed(),
        }
    }

    /// A value as form text; `number` is in the smallest unit of the field.
    pub fn text_of(self, number: u64) -> String {
        match self.range().0 {
            Kind::Count | Kind::Points => number.to_string(),
            Kind::Milli => fraction_text(number, 3),
            Kind::Share => fraction_text(number, 4),
            Kind::Time => time_text(number),
            Kind::Day => day_text(number),
            Kind::Bytes => bytes_text(number),
        }
    }

    /// A value with its unit, for a sentence.
    pub fn spoken(self, t: Lang, number: u64) -> String {
        let text = self.text_of(number);
        match self {
            Field::Rate => t.traffic_rate(&text),
            Field::Duration | Field::Interval => t.duration(number),
            Field::Hot | Field::Absent | Field::Writes => text + "%",
            Field::DatabaseMs | Field::Patience => t.traffic_ms(&text),
            Field::Network | Field::Command => t.traffic_us(&text),
            Field::Maxmemory => t.bytes(number),
            _ => text,
        }
    }

    /// Its index in [`Field::ALL`].
    pub(super) fn place(self) -> usize {
        Field::ALL.iter().position(|field| *field == self).unwrap_or(0)
    }
}
