//! Repairs of a small lesson: right ones, wrong ones, and cheats.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
use ::lesson::{Budget, ClientGroup, Program, Task, TaskKind, repair::join};
use world::explore::{Explorer, Progress, Report, SearchOutcome, decisive};

use super::*;

const FRAME: &str = "local work_ms = 100
if acquire() then
  enter('checkout')
  work(work_ms)
  leave('checkout')
  release()
end
";

/// Checks first, then acquires.
const START: &str = "function acquire()
  if redis.call('EXISTS', 'lock') == 0 then
    redis.call('SET', 'lock', 'held')
    return true
  end
end
function release()
  redis.call('DEL', 'lock')
end";

const SOLUTION: &str = "function acquire()
  return redis.call('SETNX', 'lock', 'held') == 1
end
function release()
  redis.call('DEL', 'lock')
end";

fn property(id: &str, text: &str) -> ::lesson::Property {
    ::lesson::Property { id: id.into(), title: format!("title of {id}"), text: text.into(), ..Default::default() }
}

fn lesson() -> Rc<Lesson> {
    let properties = vec![property("one", "mutual-exclusion"), property("owner", "only-owner-releases lock")];
    let stage = Variation {
        id: "stage".into(),
        title: "As on the stage".into(),
        frame: FRAME.into(),
        properties: properties.clone(),
        ..Variation::default()
    };
    let slow = Variation {
        id: "slow".into(),
        title: "Long work, and a pause".into(),
        frame: FRAME.replace("100", "60000"),
        budget: Budget { clients: 3, faults: lesson::Faults { pauses: 1, ..Default::default() }, depth: 0 },
        seed: 7,
        // Not in the order of the lesson.
        properties: properties.iter().rev().cloned().collect(),
        ..stage.clone()
    };
    let wrong = |variation: &str, way: &str, text: &str| Wrong {
        variation: variation.into(),
        property: "one".into(),
        way: way.into(),
        title: format!("wrong in {variation}"),
        text: text.into(),
        ..Wrong::default()
    };
    let repair = Repair {
        program: "client".into(),
        start: START.into(),
        solution: SOLUTION.into(),
        wrong: vec![
            wrong("slow", "EXISTS SET | EXISTS SET", "-- another variation"),
            wrong("stage", "", "-- no way"),
            wrong("stage", "EXISTS SET | EXISTS SET", START),
        ],
        variations: vec![stage, slow],
    };
    Rc::new(Lesson {
        programs: vec![Program { name: "client".into(), text: join(SOLUTION, FRAME) }],
        clients: vec![ClientGroup { name: "c".into(), program: "client".into(), count: 2 }],
        properties,
        tasks: vec![Task { id: "repair".into(), kind: TaskKind::Repair(repair), ..Task::default() }],
        ..Lesson::default()
    })
}

fn engines() -> world::Engines {
    world::Engines::new(lua_machine::LuaMachine::new(), lua_machine::LuaPlayer::new())
}

fn check(functions: &str) -> Result<Check, Refused> {
    Check::new(&lesson(), "repair", functions, &engines())
}

/// Runs the check to its end, with each search run natively, and orders and reports passed as text as with the worker.
fn run(functions: &str) -> Run {
    let mut run = Run::new(Rc::new(check(functions).unwrap()));
    while !run.is_over() {
        let (beginning, request) = run.check().search(run.judged().len()).unwrap();
        let mut explorer: Explorer = SearchRequest::from_text(&request.to_text()).unwrap().begin(&engines()).unwrap();
        assert_eq!(explorer.start(), &beginning.world);
        let search = Rc::new(Search::new(beginning));
        assert_eq!(run.after(&search), None, "it goes on");
        explorer.carry_on(usize::MAX);
        let mut report = Report::of(&explorer);
        if let Some(SearchOutcome::Broken { property, schedule, .. }) = explorer.outcome() {
            report = report.with_order(decisive(explorer.start(), schedule, *property));
        }
        let report = Report::from_text(&report.to_text()).unwrap();
        let search = Rc::new(search.after(report, 1.0));
        let next = run.after(&search).unwrap();
        assert_eq!(next.after(&search), None, "a search is judged once");
        run = next;
    }
    run
}

fn known(run: &Run) -> Option<String> {
    run.known(lesson().repair("repair").unwrap()).map(|wrong| wrong.title.clone())
}

#[test]
fn right_functions_hold_on_every_variation_in_any_form() {
    let other = "local key = 'lock'
acquire = function() return redis.call('SET', key, 'mine', 'NX') and true or false end
release = function() if redis.call('GET', key) == 'mine' then redis.call('DEL', key) end end";
    for functions in [SOLUTION, other] {
        let run = run(functions);
        assert!(run.has_passed() && run.is_over(), "{functions}: {:?}", run.judged());
        assert_eq!((run.judged().len(), run.broken(), run.idle(), known(&run)), (2, None, None, None));
        assert!(run.judged().iter().all(|judged| judged.states > 3));
    }
}

#[test]
fn known_mistake_is_recognised_in_another_text() {
    let rewritten = START.replace("'held'", "'taken'").replace("\n    return true", " return 1");
    for functions in [START, &rewritten] {
        let run = run(functions);
        let (nth, property, schedule) = run.broken().unwrap();
        assert_eq!((nth, property, schedule.len()), (0, &Property::MutualExclusion, 4));
        assert!(run.is_over() && !run.has_passed());
        assert_eq!(known(&run).as_deref(), Some("wrong in stage"), "{functions}");
        // Both clients check before either acquires the lock.
        let order = session::DecisivePairs { property: property.clone(), steps: 4, pairs: vec![(1, 2)] };
        assert_eq!(run.order(), Some(order));
        let mut laid = run.laid().unwrap();
        assert_eq!((laid.len() - laid.position(), laid.world().clients().count()), (4, 2));
        laid.seek(laid.len());
        assert_eq!(laid.world().watch().first_broken(), Some(0));
    }
    // A different mistake is not recognised as this one.
    let other = run(&START.replace("redis.call('EXISTS', 'lock') == 0", "not redis.call('GET', 'lock')"));
    assert!(other.broken().is_some() && known(&other).is_none());
}

#[test]
fn later_variation_breaks_functions_that_hold_on_the_stage() {
    let lease = SOLUTION
        .replace("redis.call('SETNX', 'lock', 'held') == 1", "redis.call('SET', 'lock', 'held', 'NX', 'PX', 30000)");
    let run = run(&lease);
    let (nth, property, schedule) = run.broken().unwrap();
    assert_eq!((nth, run.judged()[0].verdict.clone()), (1, VariationVerdict::Holds));
    assert_eq!(*property, Property::MutualExclusion);
    let VariationVerdict::Broken { way, .. } = &run.judged()[1].verdict else { panic!("{:?}", run.judged()) };
    assert_eq!(way, "pause: SET | SET | SET");
    // It is shown with the clients, the frame and the seed of that variation.
    let mut laid = run.laid().unwrap();
    assert_eq!(laid.world().clients().count(), 3);
    assert!(laid.to_text().contains("seed 7") && laid.to_text().contains("60000"));
    laid.seek(laid.position() + schedule.len());
    // The variation watches its properties in another order.
    assert_eq!(laid.world().watch().first_broken(), Some(1));
}

#[test]
fn property_that_is_never_tested_does_not_pass() {
    let ids = |run: &Run| {
        let lesson = lesson();
        let repair = lesson.repair("repair").unwrap();
        run.idle().map(|(nth, of)| {
            let variation = &repair.variations[nth];
            (variation.id.clone(), variation.properties[of].id.clone())
        })
    };
    let nobody_in = run("function acquire() redis.call('PING') return false end function release() end");
    assert!(nobody_in.judged().iter().all(|judged| judged.verdict == VariationVerdict::Holds && judged.untested == 3));
    assert!(nobody_in.is_over() && !nobody_in.has_passed() && nobody_in.broken().is_none());
    assert_eq!(ids(&nobody_in), Some(("stage".into(), "one".into())));
    assert_eq!(nobody_in.broke_off(), None);
    let nothing_released = run(&SOLUTION.replace("redis.call('DEL', 'lock')", ""));
    assert_eq!(
        (ids(&nothing_released), nothing_released.has_passed()),
        (Some(("stage".into(), "owner".into())), false)
    );
    // A program fails on the way: that is reported too.
    let breaks = run("function acquire() redis.call('PING')\nreturn nothing() end function release() end");
    let (who, why, line) = breaks.broke_off().unwrap();
    assert!(matches!(why, ProgramError::Error(why) if why.contains("nothing")), "{why:?}");
    assert_eq!((who.as_str(), *line, breaks.has_passed()), ("c1", Some(2), false));
}

#[test]
fn incomplete_search_does_not_pass() {
    let check = Rc::new(check(SOLUTION).unwrap());
    for cut in [Cut::Depth, Cut::States, Cut::Memory, Cut::Stopped] {
        let (beginning, _) = check.search(0).unwrap();
        let progress = Progress { states: 300_000, depth: 70, ..Progress::default() };
        let search = Search::new(beginning).after(Report::Nothing { progress, cut: Some(cut) }, 1.0);
        let run = Run::new(Rc::clone(&check)).after(&Rc::new(search)).unwrap();
        assert!(run.is_over() && !run.has_passed());
        assert_eq!((&run.judged()[0].verdict, run.judged()[0].states), (&VariationVerdict::Undecided(cut), 300_000));
    }
    for finding in [Finding::Unreachable, Finding::BrokeDown("no memory".into())] {
        let (beginning, _) = check.search(0).unwrap();
        let run = Run::new(Rc::clone(&check)).after(&Rc::new(Search::new(beginning).ended(finding))).unwrap();
        assert!(run.is_over() && !run.has_passed() && run.judged()[0].verdict == VariationVerdict::Failed);
    }
    assert!(!Run::new(check).has_passed(), "nothing was looked at");
}

#[test]
fn invalid_functions_are_refused_with_a_reason() {
    let refused = |functions: &str| check(functions).map(|_| ()).unwrap_err();
    assert_eq!(refused(&format!("{SOLUTION}\n---- frame ----\nenter('checkout')")), Refused::Mark(7));
    assert_eq!(refused("function release() end"), Refused::Missing(vec!["acquire".into()]));
    assert_eq!(refused(""), Refused::Missing(vec!["acquire".into(), "release".into()]));
    let no_lua = refused("local = 1");
    assert!(matches!(no_lua, Refused::Program(ProgramError::DoesNotCompile(_), Some(1))), "{no_lua:?}");
    let endless = refused("function acquire()\n  while true do end\nend function release() end");
    assert!(matches!(endless, Refused::Program(ProgramError::Endless, Some(2))), "{endless:?}");
    let forbidden = refused("function acquire() enter('checkout') end function release() end");
    assert!(
        matches!(&forbidden, Refused::Program(ProgramError::Error(why), Some(1)) if why.contains("only the frame")),
        "{forbidden:?}"
    );
    assert_eq!(refused("function acquire() return false end function release() end"), Refused::Idle);
    assert!(matches!(Check::new(&lesson(), "no such task", SOLUTION, &engines()), Err(Refused::Broken)));
    // The functions may not end the program.
    let smuggled = refused("function acquire() end function release() end do return end end --[[");
    assert!(matches!(smuggled, Refused::Program(ProgramError::DoesNotCompile(_), _)), "{smuggled:?}");
}

#[test]
fn functions_that_ask_for_nothing_break_before_the_first_step() {
    let run = run("function acquire() return true end function release() end");
    let (nth, property, schedule) = run.broken().unwrap();
    assert_eq!((nth, schedule), (0, &[][..]));
    assert_eq!(Some(property), property_of(&lesson().properties[0]).as_ref());
    assert!(run.is_over() && run.laid().is_some());
}

#[test]
fn check_of_other_functions_is_not_equal() {
    let one = Run::new(Rc::new(check(SOLUTION).unwrap()));
    assert_eq!(one, one.clone());
    assert_ne!(one, Run::new(Rc::new(check(SOLUTION).unwrap())));
}

#[test]
fn check_is_judged_as_the_answer_to_its_task() {
    use crate::state::judge::{Answer, Done, Worth, judge};

    let lesson = lesson();
    let task = lesson.task("repair").unwrap();
    let session = crate::state::session::Session::fresh(world::Settings::default(), &world::Engines::default());
    let worth = |run: Run| judge(&lesson, task, &session, Some(&Answer::Checked(Rc::new(run)))).worth;
    assert_eq!(judge(&lesson, task, &session, None).worth, Worth::Nothing);
    assert_eq!(worth(run(SOLUTION)), Worth::Done(Done::Repaired));
    assert_eq!(worth(run(START)), Worth::Partly);
    let check = Rc::new(check(SOLUTION).unwrap());
    let (beginning, _) = check.search(0).unwrap();
    let failed = Run::new(Rc::clone(&check)).after(&Rc::new(Search::new(beginning).ended(Finding::Unreachable)));
    assert_eq!(worth(failed.unwrap()), Worth::Nothing, "a check that was not carried out says nothing");
}
