//! Describes a program's step in one sentence: the client's request and its reply, the consequences, and whether it broke a property.
use bytes::Bytes;
use redis_model::CloseReason;
use script::program::Thread;
use world::{Act, ClientIndex, Direction, Event, EventKind, Input, ProgramEvent};

use super::lanes::label;
use super::verdict;
use crate::i18n::messages::{
    StepWithClauses, TellsAsksGets, TellsAsksWaits, TellsClock, TellsDelay, TellsGets, TellsHears, TellsHoldsUpReply,
    TellsNodeServes, TellsProcessedAgain, TellsProducedOf, TellsSends, TellsServes, TellsStoodStillMany, TellsTallies,
};
use crate::i18n::{Lang, code};
use crate::state::description::Describer;
use crate::state::description::nodes::{name_of, with_node};

/// Further clauses are counted, not described.
const CLAUSES_MAX: usize = 6;
/// Further paused clients are counted, not named.
const NAMES_MAX: usize = 4;

/// The sentence for a step of a program; `None` for other steps.
pub fn describe(describer: &Describer, input: &Input, events: &[Event]) -> Option<String> {
    let t = describer.t;
    // Over a cut link, messages are lost without a fault.
    let is_cut = !matches!(input, Input::Program { act: Act::Lose { .. }, .. });
    let step = Telling { t, describer, name_of: describer.name_of, events, is_cut };
    let head = step.head(input)?;
    let mut clauses = step.clauses(describer, input);
    let dropped = clauses.len().saturating_sub(CLAUSES_MAX);
    if dropped > 0 {
        clauses.truncate(CLAUSES_MAX);
        clauses.push(t.step_more(dropped as u64));
    }
    Some(if clauses.is_empty() {
        t.step_alone(&head)
    } else {
        t.say(StepWithClauses { head: &head, clauses: &clauses.join(t.step_comma()) })
    })
}

struct Telling<'a> {
    t: Lang,
    describer: &'a Describer<'a>,
    name_of: &'a dyn Fn(ClientIndex) -> String,
    events: &'a [Event],
    /// Whether messages are lost because a link is cut.
    is_cut: bool,
}

impl Telling<'_> {
    fn name(&self, client: ClientIndex) -> String {
        code(&(self.name_of)(client))
    }

    fn program_events(&self) -> impl Iterator<Item = (ClientIndex, Thread, &ProgramEvent)> {
        self.events.iter().filter_map(|event| match &event.kind {
            EventKind::Program { client, thread, what } => Some((*client, *thread, what)),
            _ => None,
        })
    }

    fn head(&self, input: &Input) -> Option<String> {
        let t = self.t;
        match input {
            Input::Program { client, act } => Some(self.acts(*client, act)),
            Input::Serve { .. } => Some(self.serves()),
            Input::Watch { property } => Some(t.tells_watches(&verdict::name(t, property))),
            Input::Advance { ms } if self.stood_still().next().is_some() => Some(t.step_passes(*ms)),
            _ => None,
        }
    }

    /// Ready clients that did not run while time passed.
    fn stood_still(&self) -> impl Iterator<Item = ClientIndex> + '_ {
        let found = self.program_events().filter(|(.., what)| **what == ProgramEvent::StoodStill);
        found.map(|(client, ..)| client)
    }

    fn acts(&self, client: ClientIndex, act: &Act) -> String {
        let (t, who) = (self.t, self.name(client));
        match act {
            Act::Load { .. } => t.tells_loads(&who),
            Act::Restart => t.tells_restarts(&who),
            Act::Crash => t.tells_crashes(&who),
            Act::Pause => t.tells_pauses(&who),
            Act::Resume => t.tells_resumes(&who),
            Act::ShiftClock { ms } => t.say(TellsClock { who: &who, by: &jump(t, *ms) }),
            Act::Delay { ms } => t.say(TellsDelay { who: &who, ms: *ms }),
            Act::Lose { direction: Direction::Request, .. } => t.tells_loses_request(&who),
            Act::Lose { direction: Direction::Reply, .. } => t.tells_loses_reply(&who),
            Act::Send { .. } => match self.sent(client) {
                Some(command) => t.say(TellsSends { who: &who, command: &command }),
                None => t.tells_steps(&who),
            },
            Act::HoldUp { direction: Direction::Request, .. } => t.tells_holds_up(&who),
            Act::HoldUp { direction: Direction::Reply, .. } => match self.sent(client) {
                Some(command) => t.say(TellsHoldsUpReply { who: &who, command: &command }),
                None => t.tells_steps(&who),
            },
            Act::Arrive { .. } if self.events.iter().any(|event| matches!(event.kind, EventKind::Command { .. })) => {
                t.tells_arrives(&who)
            }
            Act::Step { .. } | Act::Deliver { .. } | Act::Arrive { .. } => self.steps(client),
        }
    }

    /// The command that a client has sent, with its node if there are several.
    fn sent(&self, client: ClientIndex) -> Option<String> {
        self.events.iter().find_map(|event| match &event.kind {
            EventKind::Program { client: whose, what: ProgramEvent::Sent { argv }, .. } if *whose == client => {
                Some(with_node(self.describer, command(argv), event.node))
            }
            _ => None,
        })
    }

    fn steps(&self, client: ClientIndex) -> String {
        let (t, who) = (self.t, self.name(client));
        let own = || self.program_events().filter(|(whose, ..)| *whose == client).map(|(_, _, what)| what);
        let got = own().find_map(|what| match what {
            ProgramEvent::Delivered { value } => Some(code(&label::reply(value))),
            _ => None,
        });
        let heard = own().find_map(|what| match what {
            ProgramEvent::Heard { words } => Some(words.as_slice()),
            _ => None,
        });
        let has_woken = own().any(|what| *what == ProgramEvent::Woke);
        match (self.sent(client), got, heard) {
            (Some(command), Some(value), _) => t.say(TellsAsksGets { who: &who, command: &command, value: &value }),
            (Some(command), None, _) => t.say(TellsAsksWaits { who: &who, command: &command }),
            (None, Some(value), _) => t.say(TellsGets { value: &value, who: &who }),
            (None, None, Some([])) => t.tells_hears_nothing(&who),
            (None, None, Some(words)) => {
                let words: Vec<String> = words.iter().map(|word| label::word(word)).collect();
                t.say(TellsHears { who: &who, words: &code(&words.join(": ")) })
            }
            (None, None, None) if has_woken => t.tells_wakes(&who),
            (None, None, None) if self.events.iter().any(|event| matches!(event.kind, EventKind::Command { .. })) => {
                t.tells_subscribes(&who)
            }
            (None, None, None) => t.tells_steps(&who),
        }
    }

    fn serves(&self) -> String {
        let found = self.events.iter().find_map(|event| match &event.kind {
            EventKind::Command { client, argv, .. } => {
                Some((self.name(*client), command(argv), name_of(self.describer, event.node)))
            }
            _ => None,
        });
        match found {
            Some((who, command, Some(node))) => {
                self.t.say(TellsNodeServes { node: &node, command: &command, who: &who })
            }
            Some((who, command, None)) => self.t.say(TellsServes { command: &command, who: &who }),
            None => self.t.tells_serves_nobody().to_owned(),
        }
    }

    fn clauses(&self, describer: &Describer, input: &Input) -> Vec<String> {
        let mut clauses = Vec::new();
        match input {
            Input::Serve { .. } => {
                clauses.extend(self.events.iter().find_map(|event| match &event.kind {
                    EventKind::Reply { value, .. } => Some(self.t.tells_replies(&code(&label::reply(value)))),
                    _ => None,
                }));
            }
            Input::Program { act: Act::Send { .. }, .. } => clauses.push(self.t.tells_in_queue().to_owned()),
            _ => {}
        }
        clauses.extend(describer.changes(self.events));
        let late: Vec<String> = self.stood_still().take(NAMES_MAX).map(|client| self.name(client)).collect();
        match self.stood_still().count().saturating_sub(late.len()) {
            _ if late.is_empty() => {}
            0 => clauses.push(self.t.tells_stood_still(&late.join(self.t.step_comma()))),
            more => clauses
                .push(self.t.say(TellsStoodStillMany { who: &late.join(self.t.step_comma()), more: more as u64 })),
        }
        clauses.extend(self.program_events().filter_map(|(_, thread, what)| self.clause_of(thread, what)));
        clauses.extend(self.events.iter().filter_map(|event| match &event.kind {
            EventKind::Broken { breach, .. } => {
                let why = verdict::why(self.t, breach, self.name_of);
                Some(self.t.tells_breaks(&in_sentence(&why)))
            }
            _ => None,
        }));
        clauses
    }

    fn clause_of(&self, thread: Thread, what: &ProgramEvent) -> Option<String> {
        let t = self.t;
        let now_ms = self.events.last().map_or(0, |event| event.at_ms);
        let left = |until_ms: u64| until_ms.saturating_sub(now_ms);
        Some(match what {
            ProgramEvent::Entered { section } => t.tells_enters(&code(&label::word(section))),
            ProgramEvent::Left { section } => t.tells_leaves(&code(&label::word(section))),
            ProgramEvent::Rests { is_busy: true, until_ms } => t.tells_works(left(*until_ms)),
            ProgramEvent::Rests { is_busy: false, until_ms } => t.tells_sleeps(left(*until_ms)),
            ProgramEvent::Lost { until_ms, .. } if self.is_cut => t.tells_cut_until(left(*until_ms)),
            ProgramEvent::Lost { until_ms, .. } => t.tells_loses_until(left(*until_ms)),
            ProgramEvent::Listens { .. } => t.tells_listens().to_owned(),
            ProgramEvent::Noted { text } => t.tells_notes(&code(&label::said(text))),
            ProgramEvent::Checked { holds: true, text } => t.tells_check_holds(&code(&label::said(text))),
            ProgramEvent::Checked { holds: false, text } => t.tells_check_fails(&code(&label::said(text))),
            ProgramEvent::Tallied { name, total, .. } => {
                t.say(TellsTallies { name: &code(&label::said(name)), total: &total.to_string() })
            }
            ProgramEvent::Produced { id, key: None } => t.tells_produced(&code(&label::word(id))),
            ProgramEvent::Produced { id, key: Some(key) } => {
                t.say(TellsProducedOf { id: &code(&label::word(id)), key: &code(&label::word(key)) })
            }
            ProgramEvent::Processed { id, times: 1 } => t.tells_processed(&code(&label::word(id))),
            ProgramEvent::Processed { id, times } => {
                t.say(TellsProcessedAgain { id: &code(&label::word(id)), times: *times })
            }
            ProgramEvent::Spawned { thread } => t.tells_spawns(&thread.to_string()),
            ProgramEvent::Cancelled => t.tells_cancelled(&thread.to_string()),
            ProgramEvent::Ended if thread == 0 => t.tells_ended().to_owned(),
            ProgramEvent::Ended => t.tells_thread_ended(&thread.to_string()),
            ProgramEvent::Failed(_) => t.tells_failed().to_owned(),
            ProgramEvent::RanAway => t.tells_ran_away().to_owned(),
            ProgramEvent::Deafened { reason: CloseReason::OutputBuffer } => t.tells_overflowed().to_owned(),
            ProgramEvent::Deafened { .. } => t.tells_deafened().to_owned(),
            ProgramEvent::Unplayable(_) => t.tells_unplayable().to_owned(),
            _ => return None,
        })
    }
}

fn command(argv: &[Bytes]) -> String {
    code(&label::command_in_sentence(argv))
}

/// Makes a sentence part of another one.
fn in_sentence(sentence: &str) -> String {
    let mut chars = sentence.trim_end_matches(['.', '。']).chars();
    chars.next().into_iter().flat_map(char::to_lowercase).chain(chars).collect()
}

/// A clock jump with its sign.
pub fn jump(t: Lang, ms: i64) -> String {
    format!("{}{}", if ms < 0 { '−' } else { '+' }, t.duration(ms.unsigned_abs()))
}

#[cfg(test)]
mod tests {
    use world::{Act, Direction, Durability, Input, NodeIndex, NodeSettings, Settings, Timeline};

    use super::super::fixture::{Fixture, LEASE};
    use crate::i18n::{Lang, plain};
    use crate::state::description::Describer;

    fn description(stage: &Fixture) -> [String; 2] {
        let step = stage.timeline.step_at(stage.timeline.len() - 1).unwrap();
        let name_of = |client: u32| format!("c{}", client + 1);
        [Lang::En, Lang::ZhCn].map(|t| {
            plain(
                &Describer { t, name_of: &name_of, settings: stage.timeline.settings() }
                    .step(&step.input, &step.events),
            )
        })
    }

    #[test]
    fn program_steps_are_described_in_both_languages() {
        let mut stage = Fixture::new([LEASE, LEASE]);
        stage.watch("mutual-exclusion");
        stage.watch("only-owner-releases lock");
        assert_eq!(
            description(&stage),
            ["from now on this is checked: Only its owner releases lock.", "从现在起检查：lock 只能由持有者释放。"]
        );
        stage.step(0);
        assert_eq!(
            description(&stage),
            [
                "c1 sends SET lock … NX PX 10000 and gets OK: creates the string lock, it enters the section checkout, it works for 15 s.",
                "c1 发送 SET lock … NX PX 10000，得到 OK：新建字符串 lock，它进入 checkout，它要工作 15 秒。"
            ]
        );
        stage.pass(10_200);
        assert_eq!(
            description(&stage),
            [
                "10.2 s pass: lock has expired, c2 could have gone on and stood still.",
                "时间过去 10.2 秒：lock 过期了，c2 本来能继续，却停顿。"
            ]
        );
        stage.program(1, Act::Send { thread: 0 });
        assert_eq!(
            description(&stage),
            [
                "c2 sends SET lock … NX PX 10000: it waits in the server's queue.",
                "c2 发出 SET lock … NX PX 10000：请求在服务器的队列里等待。"
            ]
        );
        stage.push(Input::Serve { node: NodeIndex::FIRST });
        assert_eq!(
            description(&stage),
            [
                "the server executes SET lock … NX PX 10000 for c2: its reply is OK, creates the string lock.",
                "服务器执行 c2 的 SET lock … NX PX 10000：回复是 OK，新建字符串 lock。"
            ]
        );
        stage.program(1, Act::Deliver { thread: 0 });
        assert_eq!(
            description(&stage)[1],
            "回复 OK 送达 c2：它进入 checkout，它要工作 15 秒，有一条性质被破坏：c1 还在 checkout 里，c2 就进来了。"
        );
        stage.pass(4_800);
        stage.step(0);
        assert_eq!(
            description(&stage),
            ["c1 goes on: it leaves the section checkout.", "c1 继续执行：它离开 checkout。"]
        );
        stage.program(0, Act::Lose { thread: 0, direction: Direction::Request });
        assert_eq!(
            description(&stage),
            [
                "a request of c1 is lost on its way: it will give up in 2 s.",
                "c1 的请求在途中丢失：它会在 2 秒后放弃等待。"
            ]
        );
        stage.program(1, Act::Crash);
        assert_eq!(description(&stage), ["c2 crashes.", "c2 宕机了。"]);
        let mut stage = Fixture::new(["redis.call('PING') tally('sold', 3)"]);
        stage.watch("sum always <= 2 tally sold");
        stage.step(0);
        assert!(
            description(&stage)[0].ends_with(", this breaks a property: the result was 3."),
            "{:?}",
            description(&stage)
        );
    }

    #[test]
    fn client_gets_the_message_that_was_published() {
        let mut stage = Fixture::new(["subscribe('news') wait_message()", "redis.call('PUBLISH', 'news', 'free')"]);
        stage.step(0);
        stage.step(1);
        stage.step(0);
        assert_eq!(
            description(&stage),
            ["c1 receives news: free: its program ends.", "c1 收到 news: free：它的程序结束了。"]
        );
    }

    #[test]
    fn requests_are_described_with_their_node_where_there_are_several() {
        let text = "local r2 = connect('r2', { timeout = 50 })\nr2.call('SET', 'k', 1)\nr2.call('GET', 'k')\nredis.call('GET', 'k')";
        let mut stage = Fixture::new([]);
        let node = |name: &str| NodeSettings::redis(name, Durability::None);
        let settings = Settings { nodes: vec![node("r1"), node("r2")], ..Settings::default() };
        stage.timeline = Timeline::with_engines(settings, stage.world().engines());
        stage.push(Input::Connect { client: 0, name: "c1".into() });
        stage.program(0, Act::load(text.into()));
        let r2 = "1".parse().unwrap();
        let act = |act| Input::Program { client: 0, act };
        for (input, en, zh) in [
            (
                act(Act::Step { thread: 0 }),
                "c1 sends SET k 1 on r2 and gets OK: creates the string k.",
                "c1 发送 SET k 1（r2），得到 OK：新建字符串 k。",
            ),
            (
                act(Act::Send { thread: 0 }),
                "c1 sends GET k on r2: it waits in the server's queue.",
                "c1 发出 GET k（r2）：请求在服务器的队列里等待。",
            ),
            (Input::Serve { node: r2 }, "r2 executes GET k for c1: its reply is 1.", "r2 执行 c1 的 GET k：回复是 1。"),
        ] {
            stage.push(input);
            assert_eq!(description(&stage), [en, zh]);
        }
        stage.program(0, Act::Deliver { thread: 0 });
        stage.step(0);
        assert_eq!(description(&stage)[0], "c1 sends GET k on r1 and gets nil: its program ends.");
    }
}
