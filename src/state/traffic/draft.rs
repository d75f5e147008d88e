//! The traffic form: text fields, and the errors in them.
use std::rc::Rc;

use bytes::Bytes;
use world::traffic::settings::{
    Handler, POINTS_MAX, Popularity, RatePoint, Service, TrafficSettings, WHOLE_PPM, WORKERS_MAX,
};

use super::field::{Field, Kind};
use super::handlers::cache_aside;
use super::notation::{bytes, day, fraction, points, points_text, time};
use super::shape::Shape;
use super::stage::Stage;
use crate::i18n::Lang;

/// How requests choose their items.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Popular {
    /// By Zipf's law.
    Zipf,
    /// All items alike.
    Uniform,
    /// One item more often than the others.
    Hot,
}

/// The current text of all fields.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Draft {
    texts: Vec<Rc<str>>,
    /// How requests choose their items.
    pub popular: Popular,
    /// Whether the service time of a statement is exponentially distributed.
    pub is_exponential: bool,
    /// The handler in Lua.
    pub lua: Rc<str>,
}

/// An error in a draft.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wrong {
    /// The text of a field is not a number of its format.
    Unreadable(Field),
    /// The number of a field is out of range.
    OutOfRange(Field),
    /// The points in time of the rate do not ascend.
    Descends,
    /// The shares of missing ids and of updates exceed 100 % together.
    TooMuch,
    /// Machines times workers is too many.
    TooManyWorkers,
}

/// The settings that a draft describes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// The traffic.
    pub traffic: TrafficSettings,
    /// The servers that it meets.
    pub stage: Stage,
    /// How long traffic runs, in ms.
    pub ms: u64,
}

/// The default: a cache that fills, and a database that can handle the misses.
impl Default for Plan {
    fn default() -> Plan {
        let handler = Handler::Lua(Bytes::from(cache_aside(120)));
        let rate = vec![RatePoint { at_ms: 0, per_s: 200 }];
        Plan {
            traffic: TrafficSettings { rate, items: 2_000, handler, ..TrafficSettings::default() },
            stage: Stage::default(),
            ms: 600_000,
        }
    }
}

impl Draft {
    /// The form for existing settings.
    pub fn of(plan: &Plan) -> Draft {
        let Plan { traffic, stage: Stage { database, maxmemory, clock_ms }, ms } = plan;
        let (popular, exponent, hot) = match traffic.popularity {
            Popularity::Zipf { exponent_milli } => (Popular::Zipf, exponent_milli, 500_000),
            Popularity::Uniform => (Popular::Uniform, 1_000, 500_000),
            Popularity::Hot { share_ppm } => (Popular::Hot, 1_000, share_ppm),
        };
        let text = |field: Field| -> String {
            let number = match field {
                Field::Rate => return points_text(&traffic.rate),
                Field::Duration => *ms,
                Field::Items => traffic.items.into(),
                Field::Exponent => exponent.into(),
                Field::Hot => hot.into(),
                Field::Absent => traffic.absent_ppm.into(),
                Field::AbsentIds => traffic.absent_ids.into(),
                Field::Writes => traffic.writes_ppm.into(),
                Field::DatabaseWorkers => database.workers.into(),
                Field::DatabaseMs => database.service_ms,
                Field::DatabaseConnections => database.connections_max.into(),
                Field::Machines => traffic.machines.into(),
                Field::Workers => traffic.workers.into(),
                Field::Backlog => traffic.backlog.into(),
                Field::Patience => traffic.patience_ms.into(),
                Field::Retries => traffic.retries.into(),
                Field::Network => traffic.network_us.into(),
                Field::Command => traffic.redis_us.into(),
                Field::Interval => traffic.interval_ms.into(),
                Field::Clock => *clock_ms,
                Field::Maxmemory => *maxmemory,
                Field::Seed => traffic.seed,
            };
            field.text_of(number)
        };
        let lua = match &traffic.handler {
            Handler::Lua(text) => String::from_utf8_lossy(text).into(),
            Handler::CacheAside { ttl_s } => cache_aside(*ttl_s).into(),
        };
        Draft {
            texts: Field::ALL.iter().map(|field| text(*field).into()).collect(),
            popular,
            is_exponential: traffic.service == Service::Exponential,
            lua,
        }
    }

    /// The text of a field.
    pub fn text(&self, field: Field) -> Rc<str> {
        self.texts.get(field.place()).cloned().unwrap_or_default()
    }

    /// A copy with another text in a field.
    #[must_use]
    pub fn with(&self, field: Field, text: &str) -> Draft {
        let mut draft = self.clone();
        if let Some(place) = draft.texts.get_mut(field.place()) {
            *place = text.into();
        }
        draft
    }

    /// A copy with a change applied.
    #[must_use]
    pub fn changed(&self, change: impl FnOnce(&mut Draft)) -> Draft {
        let mut draft = self.clone();
        change(&mut draft);
        draft
    }

    /// Whether a field is used, given the other fields.
    pub fn has(&self, field: Field) -> bool {
        match field {
            Field::Exponent => self.popular == Popular::Zipf,
            Field::Hot => self.popular == Popular::Hot,
            _ => true,
        }
    }

    /// The number in a field, in its smallest unit, in range or not; `None` if the text is not a single number.
    pub fn single(&self, field: Field) -> Option<u64> {
        let text = self.text(field);
        let text = text.trim();
        match field.range().0 {
            Kind::Count | Kind::Points => text.parse().ok(),
            Kind::Milli => fraction(text, 3),
            Kind::Share => fraction(text.strip_suffix('%').unwrap_or(text).trim_end(), 4),
            Kind::Time => time(text),
            Kind::Day => day(text),
            Kind::Bytes => bytes(text),
        }
    }

    /// Whether a field holds rates at points in time, which no slider can show.
    pub fn has_points(&self, field: Field) -> bool {
        field.range().0 == Kind::Points && self.text(field).contains([':', ','])
    }

    /// The shape of the rate.
    pub fn shape(&self) -> Shape {
        points(&self.text(Field::Rate)).map_or(Shape::Points, |rate| Shape::of(&rate))
    }

    /// A copy whose rate has this shape, from its present first rate and over its duration.
    #[must_use]
    pub fn shaped(&self, shape: Shape) -> Draft {
        let usual = Plan::default();
        let rate = points(&self.text(Field::Rate)).unwrap_or(usual.traffic.rate);
        let per_s = rate.iter().map(|point| point.per_s).find(|per_s| *per_s > 0).unwrap_or(0);
        let ms = self.number(Field::Duration).unwrap_or(usual.ms);
        shape.points(per_s, ms).map_or_else(|| self.clone(), |rate| self.with(Field::Rate, &points_text(&rate)))
    }

    fn number(&self, field: Field) -> Result<u64, Wrong> {
        let (_, least, most) = field.range();
        let number = self.single(field).ok_or(Wrong::Unreadable(field))?;
        if (least..=most).contains(&number) { Ok(number) } else { Err(Wrong::OutOfRange(field)) }
    }

    /// The ranges of the fields asked here keep their numbers below 2³².
    fn small(&self, field: Field) -> Result<u32, Wrong> {
        u32::try_from(self.number(field)?).map_err(|_| Wrong::OutOfRange(field))
    }

    /// Parses the form.
    ///
    /// # Errors
    /// The first error.
    pub fn plan(&self) -> Result<Plan, Wrong> {
        let rate = points(&self.text(Field::Rate)).ok_or(Wrong::Unreadable(Field::Rate))?;
        if rate.len() > POINTS_MAX || rate.iter().any(|point| u64::from(point.per_s) > Field::Rate.range().2) {
            return Err(Wrong::OutOfRange(Field::Rate));
        }
        if rate.iter().zip(rate.iter().skip(1)).any(|(point, next)| point.at_ms >= next.at_ms) {
            return Err(Wrong::Descends);
        }
        let popularity = match self.popular {
            Popular::Zipf => Popularity::Zipf { exponent_milli: self.small(Field::Exponent)? },
            Popular::Uniform => Popularity::Uniform,
            Popular::Hot => Popularity::Hot { share_ppm: self.small(Field::Hot)? },
        };
        let traffic = TrafficSettings {
            seed: self.number(Field::Seed)?,
            rate,
            items: self.small(Field::Items)?,
            popularity,
            absent_ppm: self.small(Field::Absent)?,
            absent_ids: self.small(Field::AbsentIds)?,
            writes_ppm: self.small(Field::Writes)?,
            machines: self.small(Field::Machines)?,
            workers: self.small(Field::Workers)?,
            backlog: self.small(Field::Backlog)?,
            patience_ms: self.small(Field::Patience)?,
            retries: self.small(Field::Retries)?,
            network_us: self.small(Field::Network)?,
            redis_us: self.small(Field::Command)?,
            service: if self.is_exponential { Service::Exponential } else { Service::Fixed },
            handler: Handler::Lua(Bytes::copy_from_slice(self.lua.as_bytes())),
            interval_ms: self.small(Field::Interval)?,
        };
        if traffic.absent_ppm.saturating_add(traffic.writes_ppm) > WHOLE_PPM {
            return Err(Wrong::TooMuch);
        }
        if traffic.machines.saturating_mul(traffic.workers) > WORKERS_MAX {
            return Err(Wrong::TooManyWorkers);
        }
        let database = table::Settings {
            service_ms: self.number(Field::DatabaseMs)?,
            workers: self.small(Field::DatabaseWorkers)?,
            connections_max: self.small(Field::DatabaseConnections)?,
            ..table::Settings::default()
        };
        let stage = Stage { database, maxmemory: self.number(Field::Maxmemory)?, clock_ms: self.number(Field::Clock)? };
        Ok(Plan { traffic, stage, ms: self.number(Field::Duration)? })
    }
}

impl Wrong {
    /// The field with the error.
    pub fn field(self) -> Field {
        match self {
            Wrong::Unreadable(field) | Wrong::OutOfRange(field) => field,
            Wrong::Descends => Field::Rate,
            Wrong::TooMuch => Field::Writes,
            Wrong::TooManyWorkers => Field::Workers,
        }
    }

    /// The error as a sentence.
    pub fn describe(self, t: Lang) -> String {
        match self {
            Wrong::Unreadable(field) => match field.range().0 {
                Kind::Count => t.traffic_wrong_count().to_owned(),
                Kind::Milli => t.traffic_wrong_decimal().to_owned(),
                Kind::Share => t.traffic_wrong_share().to_owned(),
                Kind::Time => t.traffic_wrong_time().to_owned(),
                Kind::Points => t.traffic_wrong_rate().to_owned(),
                Kind::Day => t.traffic_wrong_day().to_owned(),
                Kind::Bytes => t.traffic_wrong_bytes().to_owned(),
            },
            Wrong::OutOfRange(field) => {
                let (kind, least, most) = field.range();
                let text = |number: u64| match kind {
                    Kind::Count | Kind::Points => t.number(number),
                    Kind::Share => field.text_of(number) + "%",
                    Kind::Milli | Kind::Time | Kind::Day | Kind::Bytes => field.text_of(number),
                };
                t.say(crate::i18n::messages::TrafficWrongRange { least: &text(least), most: &text(most) })
            }
            Wrong::Descends => t.traffic_wrong_order().to_owned(),
            Wrong::TooMuch => t.traffic_wrong_shares().to_owned(),
            Wrong::TooManyWorkers => t.traffic_wrong_workers(WORKERS_MAX.into()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan() -> Plan {
        Plan {
            traffic: TrafficSettings {
                handler: Handler::Lua(world::traffic::handler::CACHE_ASIDE.into()),
                ..TrafficSettings::default()
            },
            stage: Stage {
                database: table::Settings { workers: 10, service_ms: 5, ..table::Settings::default() },
                maxmemory: 0,
                clock_ms: 82_800_000,
            },
            ms: 600_000,
        }
    }

    #[test]
    fn draft_of_a_plan_parses_back_to_it() {
        for popularity in
            [Popularity::Uniform, Popularity::Zipf { exponent_milli: 1_050 }, Popularity::Hot { share_ppm: 12_345 }]
        {
            let mut plan = plan();
            plan.traffic.popularity = popularity;
            plan.traffic.rate = vec![
                RatePoint { at_ms: 0, per_s: 5 },
                RatePoint { at_ms: 90_000, per_s: 50 },
                RatePoint { at_ms: 90_001, per_s: 0 },
            ];
            (plan.traffic.absent_ppm, plan.traffic.writes_ppm) = (1, 999_999);
            let draft = Draft::of(&plan);
            assert_eq!(&*draft.text(Field::Rate), "0s:5, 90s:50, 90001ms:0");
            assert_eq!(&*draft.text(Field::Absent), "0.0001");
            assert_eq!(draft.plan(), Ok(plan));
        }
    }

    #[test]
    fn errors_name_their_field() {
        let draft = Draft::of(&plan());
        let wrong = |field: Field, text: &str| draft.with(field, text).plan().map(|_| ()).unwrap_err();
        for (field, text) in [
            (Field::Rate, ""),
            (Field::Rate, "fast"),
            (Field::Rate, "1h"),
            (Field::Rate, "0s:1,,"),
            (Field::Items, "-1"),
            (Field::Items, "1.5"),
            (Field::Items, "99999999999999999999999"),
            (Field::Exponent, "1.0001"),
            (Field::Exponent, "."),
            (Field::Absent, "5 %%"),
            (Field::Absent, "1.00001"),
            (Field::Duration, "10"),
            (Field::Duration, "10 days"),
            (Field::Duration, "h"),
            (Field::Clock, "25:00"),
            (Field::Maxmemory, "1.5mb"),
            (Field::Seed, "x"),
        ] {
            assert_eq!(wrong(field, text), Wrong::Unreadable(field), "{text}");
        }
        for (field, text) in [
            (Field::Items, "0"),
            (Field::Items, "200001"),
            (Field::Rate, "1000001"),
            (Field::Exponent, "5.001"),
            (Field::Absent, "100.1"),
            (Field::Duration, "0s"),
            (Field::Machines, "5000"),
            (Field::Maxmemory, "2gb"),
        ] {
            assert_eq!(wrong(field, text), Wrong::OutOfRange(field), "{text}");
        }
        assert_eq!(wrong(Field::Rate, "1h:5, 1s:6"), Wrong::Descends);
        assert_eq!(draft.with(Field::Absent, "60%").with(Field::Writes, "40.0001").plan(), Err(Wrong::TooMuch));
        assert_eq!(draft.with(Field::Machines, "100").with(Field::Workers, "50").plan(), Err(Wrong::TooManyWorkers));
        for lang in [Lang::En, Lang::ZhCn] {
            for field in Field::ALL {
                assert!(!field.label(lang).is_empty());
                assert!(
                    !Wrong::Unreadable(field).describe(lang).is_empty()
                        && !Wrong::OutOfRange(field).describe(lang).is_empty()
                );
            }
        }
    }

    #[test]
    fn shape_writes_the_points_of_the_rate() {
        let draft = Draft::of(&plan()).with(Field::Rate, "300").with(Field::Duration, "100s");
        assert_eq!(draft.shape(), Shape::Steady);
        let ramp = draft.shaped(Shape::Ramp);
        assert_eq!((&*ramp.text(Field::Rate), ramp.shape()), ("0s:300, 100s:1500", Shape::Ramp));
        let spike = ramp.shaped(Shape::Spike);
        assert_eq!(&*spike.text(Field::Rate), "0s:300, 50s:300, 51s:1500, 56s:1500, 57s:300");
        assert_eq!(&*spike.shaped(Shape::Steady).text(Field::Rate), "300");
        assert_eq!(draft.with(Field::Rate, "x").shape(), Shape::Points);
        assert_eq!(&*draft.with(Field::Rate, "x").shaped(Shape::Steady).text(Field::Rate), "200");
        assert_eq!(draft.with(Field::Rate, "0s:0, 1h:7").shaped(Shape::Points).shape(), Shape::Points);
        assert_eq!(&*draft.with(Field::Rate, "0s:0, 1h:7").shaped(Shape::Steady).text(Field::Rate), "7");
    }

    #[test]
    fn field_holds_a_single_number_or_points() {
        let draft = Draft::of(&plan());
        let single = |field: Field, text: &str| draft.with(field, text).single(field);
        for (field, text, number) in [
            (Field::Rate, " 250", Some(250)),
            (Field::Rate, "0s:100, 1h:400", None),
            (Field::Items, "0", Some(0)),
            (Field::Absent, "2.5 %", Some(25_000)),
            (Field::Duration, "90s", Some(90_000)),
            (Field::Duration, "90", None),
        ] {
            assert_eq!(single(field, text), number, "{text}");
        }
        assert!(draft.with(Field::Rate, "0s:100, 1h:400").has_points(Field::Rate));
        assert!(!draft.with(Field::Rate, "").has_points(Field::Rate));
        assert_eq!(Field::Network.spoken(Lang::En, 100), "100 µs");
        assert_eq!(Field::Rate.spoken(Lang::ZhCn, 100), "100/秒");
        assert_eq!(Field::Writes.spoken(Lang::En, 25_000), "2.5%");
    }

    #[test]
    fn parsed_plan_is_valid() {
        // The ranges of the fields are those of the settings, or narrower.
        let draft = Draft::of(&plan());
        for field in Field::ALL {
            let (_, least, most) = field.range();
            for number in [least, most] {
                let text = field.text_of(number);
                let changed =
                    draft.with(field, &text).with(Field::Workers, if field == Field::Workers { &text } else { "1" });
                let changed = if field == Field::Workers { changed.with(Field::Machines, "1") } else { changed };
                let changed =
                    Draft { popular: if field == Field::Hot { Popular::Hot } else { Popular::Zipf }, ..changed };
                assert_eq!(changed.plan().unwrap().traffic.check(), Ok(()), "{field:?} {text}");
            }
        }
    }
}
