### What the cards of stories and tasks say. Its texts come with a later chunk, like their panels.

story-step = Step { NUMBER($n) } of { NUMBER($all) }
story-ready = The stage is set. Go through it step by step and watch what changes.
story-next = Next step
story-back = Step back
story-begin = Begin
story-aside = You have gone your own way. Nothing is lost: the timeline keeps it as a branch.
story-return = Back to the story
story-end = That is the whole story.
story-to-lesson = Back to the lesson
attempt-within = You broke it in { $steps ->
    [one] { NUMBER($steps) } step
   *[other] { NUMBER($steps) } steps
}; the shortest schedule has { NUMBER($shortest) }.
attempt-beyond = You broke it in { $steps ->
    [one] { NUMBER($steps) } step
   *[other] { NUMBER($steps) } steps
}, but with more faults than needed: the shortest schedule has { NUMBER($shortest) } and needs fewer.
attempt-stood = { $who } could have gone on while time passed. Pausing a client is a fault, and counts as two steps: pause, resume.
attempt-given = It is broken, but the story, a search or a link took some of the steps. Go back to the beginning and break it yourself.
attempt-foreign = It is broken, but not by the schedule alone: something was typed, changed or added. Start over, and choose only who runs next and what fails.
predict-ask = What happens next?
predict-first = your first answer: it counts
predict-others = Choose another answer to read about it.
forecast-ask = Tick what you expect. No tick is an answer too.
forecast-run = Run it and compare
forecast-right = { NUMBER($n) } of { NUMBER($all) } right
forecast-counted = Numbers: messages, as the ledger counts them. Your first answer counts; you can change the ticks and run it again.
choose-ask = Which of these survive every schedule?
choose-survives = survives
choose-survives-of = survives: { $title }
choose-code = Its functions
choose-answer = Answer
choose-does = It survives every schedule.
choose-does-not = It does not survive.
choose-right = You were right about it.
choose-wrong = You were wrong about it.
repair-functions = Your functions
repair-frame = Frame: no one edits it. It calls the functions above.
repair-change = Change the functions
repair-use-hint = Keeps these functions
repair-check-hint = Keeps the text and tries it: Ctrl+Enter
repair-close = Close the editor
repair-reset = Back to the functions of the lesson
repair-earlier = Your draft from an earlier version of this lesson
repair-show = Show how it breaks
repair-mark = Line { $line } looks like the line between functions and frame. Write only the functions: the frame below them stays as it is.
repair-missing = The frame calls functions that are missing here: { $names }
repair-wrong = This program does not start: { $why }
repair-endless-at = Endless loop in line { $line }: the program never comes to its first request, so there is no schedule to try.
repair-endless = Endless loop: the program never comes to its first request, so there is no schedule to try.
repair-fails = The program fails before its first request. { $why }
repair-idle = The programs ask for nothing: each of them ends before its first request, so there is no schedule to try.
repair-searching = trying every schedule… { NUMBER($states) } states so far
repair-holds = holds in all { NUMBER($states) } states
repair-broken = A schedule of { $steps ->
    [one] { NUMBER($steps) } step
   *[other] { NUMBER($steps) } steps
} breaks “{ $property }”.
repair-broken-at-once = “{ $property }” is broken before the first step: the programs come this far without asking for anything.
repair-cut-states = undecided: there were still more states after { NUMBER($states) }. The program makes more requests than this lock needs, or does something that never repeats. That does not pass.
repair-cut-depth = undecided: schedules of more than { NUMBER($depth) } steps were left out. The program runs for longer than this lock needs. That does not pass.
repair-cut-memory = undecided: the search ran out of memory after { NUMBER($states) } states. The program makes more requests than this lock needs, or does something that never repeats. That does not pass.
repair-cut-stopped = undecided: stopped after { NUMBER($states) } states, and the rest was left out.
repair-untested = “{ $property }” is never tested: { $why }. A promise that nothing tests is not kept.
repair-broke-off = { $who } fails. { $why }
repair-failed = The search could not be completed. Try again.
repair-done = Repaired: it holds { $n ->
    [one] on the stage
   *[other] on all { NUMBER($n) } variations of the stage
}, whatever the schedule.
script-yours = Your script
script-change = Change the script
script-use-hint = Keeps this script
script-reset = Back to the script of the lesson
script-show = Show this case on the stage
script-trying = running…
script-stopped = Undecided: it was stopped.
script-failed = The check could not run. Try again.
script-wrong = not right
script-before = Before
script-runs = What runs
script-replies = Replies
script-nothing = no reply
script-rest = { $n ->
    [one] { NUMBER($n) } more case waits: it runs once all before it are right.
   *[other] { NUMBER($n) } more cases wait: they run once all before them are right.
}
script-done = Right in { $n ->
    [one] the one case
   *[other] all { NUMBER($n) } cases
}.

progress-title = My progress
progress-what = It is kept in this browser only. Save it as a file to take it with you.
progress-save = Save as file
progress-load = Load a file
progress-forget = Clear it
progress-forget-really = Really clear everything?
lesson-next = Next lesson: { $title }
reach-checks = What has to hold
reach-holds = (holds)
reach-holds-not = (does not hold yet)
reach-some = { NUMBER($n) } of { NUMBER($all) } hold. Everything since the stage was set counts.
reach-given = All of it holds, but the story, a search or a link took some of the steps. Start over and do it yourself.
reach-foreign = All of it holds, but not on the stage of this lesson. Start over and do it there.
reach-done = Everything holds: done.
reach-again = Start over from the beginning
task-right = Yes, that is what happens.
task-wrong = No, that is not what happens.
task-stage = Put this onto the stage
