### The course: its map, the frame of a lesson, progress.

place-course = Course
places-label = Places

course-title = The course
course-what = Each lesson is a small stage with its own Redis. You decide who runs next, break what can break, and repair it.
course-continue = Continue: { $title }
course-begin = Begin: { $title }
course-done = { NUMBER($done) } of { NUMBER($all) } lessons done
course-first = right at once: { NUMBER($right) } of { NUMBER($all) }
course-alone = alone: { NUMBER($n) }
course-with-hints = with hints: { NUMBER($n) }
course-after-solution = after the solution: { NUMBER($n) }
course-tasks = { NUMBER($done) } of { NUMBER($all) } tasks
course-state-new = Not begun
course-state-next = Next
course-state-begun = Begun
course-state-done = Done
course-later = In preparation
course-later-what = These parts of the course are being written. The sandbox already has everything they need.
course-unreachable = The course could not be loaded. Check the network.
course-outdated = The lessons belong to another version of the page.
course-none = There is no lesson with this address.
course-stuck = This lesson cannot be set up.
lesson-no-programs = The module that runs programs could not be loaded, so no client can take a step. Reload the page when the network is back; your work is kept.
course-again = Try again
course-map = To the map of the course

track-types = Data types and what they are for
track-messaging = Three ways to pass messages
track-streams = Streams
track-transactions = Transactions
track-lua = Scripts in Lua
track-locks = Distributed locks
track-cache = Caches under load
track-operations = Persistence, replication, cluster

progress-title = My progress
progress-what = It is kept in this browser only. Save it as a file to take it with you.
progress-save = Save as file
progress-load = Load a file
progress-forget = Clear it
progress-forget-really = Really clear everything?
notice-progress-loaded = Progress from the file was added to yours.
notice-not-progress = This file holds no course progress. Nothing was changed.
notice-progress-aside = The stored progress could not be read. It was set aside, not deleted, and the course starts over.

lesson-parts = Parts of the lesson
lesson-text = Lesson
lesson-story = Step by step
lesson-to-story = Watch it step by step
lesson-next = Next lesson: { $title }
section-closed = This explains the task “{ $task }”. It opens once you have tried it.
section-open = Show the explanation
lesson-restart = Restart this lesson
splitter-text = Width of the text
splitter-above = Height of the upper panels
splitter-focus = Width of the left part
group-fold = Fold this side

story-step = Step { NUMBER($n) } of { NUMBER($all) }
story-ready = The stage is set. Go through it step by step and watch what changes.
story-next = Next step
story-back = Step back
story-begin = Begin
story-aside = You have gone your own way. Nothing is lost: the timeline keeps it as a branch.
story-return = Back to the story
story-end = That is the whole story.
story-to-lesson = Back to the lesson

task-break = Break it
task-achieve = Do it
task-repair = Repair it
task-handler = Write it
task-predict = Predict
task-choose = Choose
task-done = Done
task-next = Next
task-first-right = Right at once
task-first-wrong = Answered, not right at once
task-alone = Done alone
task-with-hints = Done with hints
task-after-solution = Done after the solution
task-shortest = { $n ->
    [one] possible in { NUMBER($n) } step
   *[other] possible in { NUMBER($n) } steps
}
task-shortest-rule = Time passes by itself only when no client can go on. If a client could go on while time passes, it is paused: that counts as one fault and two steps.
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
reach-checks = What has to hold
reach-holds = (holds)
reach-holds-not = (does not hold yet)
reach-some = { NUMBER($n) } of { NUMBER($all) } hold. Everything since the stage was set counts.
reach-given = All of it holds, but the story, a search or a link took some of the steps. Start over and do it yourself.
reach-foreign = All of it holds, but not on the stage of this lesson. Start over and do it there.
reach-done = Everything holds: done.
reach-again = Start over from the beginning
task-hint = Hint { NUMBER($n) } of { NUMBER($all) }
task-hint-open = Open hint { NUMBER($n) } of { NUMBER($all) }
task-solution-show = Show the solution
task-solution-hide = Hide the solution
task-solution-later = The solution opens after all hints, or once the task is done.
task-solution = Solution
task-right = Yes, that is what happens.
task-wrong = No, that is not what happens.
task-stage = Put this onto the stage

predict-ask = What happens next?
predict-first = your first answer: it counts
predict-others = Choose another answer to read about it.

# Forecast: what becomes of the messages?
forecast-ask = Tick what you expect. No tick is an answer too.
forecast-run = Run it and compare
forecast-right = { NUMBER($n) } of { NUMBER($all) } right
forecast-counted = Numbers: messages, as the ledger counts them. Your first answer counts; you can change the ticks and run it again.

# Choose: which of these fixes survive?
choose-ask = Which of these survive every schedule?
choose-survives = survives
choose-survives-of = survives: { $title }
choose-code = Its functions
choose-answer = Answer
choose-does = It survives every schedule.
choose-does-not = It does not survive.
choose-right = You were right about it.
choose-wrong = You were wrong about it.

# Repair: functions are written, and every schedule is tried on several variations of the stage.
repair-functions = Your functions
repair-frame = Frame: no one edits it. It calls the functions above.
repair-change = Change the functions
repair-use-hint = Keeps these functions; “Check it” tries them
repair-check = Check it
repair-reset = Back to the functions of the lesson
repair-earlier = Your draft from an earlier version of this lesson
repair-show = Show how it breaks
repair-mark = Line { $line } looks like the line between functions and frame. Write only the functions: the frame below them stays as it is.
repair-missing = The frame calls functions that are missing here: { $names }
repair-wrong = This program does not start: { $why }
repair-idle = No client sends anything: every program ends before its first request.
repair-searching = trying every schedule… { NUMBER($states) } states so far
repair-holds = holds in all { NUMBER($states) } states
repair-broken = A schedule of { $steps ->
    [one] { NUMBER($steps) } step
   *[other] { NUMBER($steps) } steps
} breaks “{ $property }”.
repair-cut-states = undecided: there were still more states after { NUMBER($states) }. The program makes more requests than this lock needs, or does something that never repeats. That does not pass.
repair-cut-depth = undecided: schedules of more than { NUMBER($depth) } steps were left out. The program runs for longer than this lock needs. That does not pass.
repair-cut-memory = undecided: the search ran out of memory after { NUMBER($states) } states. The program makes more requests than this lock needs, or does something that never repeats. That does not pass.
repair-cut-stopped = undecided: stopped after { NUMBER($states) } states, and the rest was left out.
repair-untested = “{ $property }” is never tested: { $why }. A promise that nothing tests is not kept.
untested-entered = no client ever gets in
untested-released = no client ever releases { $key }
untested-end = the programs never end
untested-sum = nothing in the sum ever changes
untested-ended = no program ever ends by itself
untested-claim = none of its values ever changes
untested-if = none of its values ever changes while its “if” is true
untested-if-end = its “if” is never true at the end
untested-checks = nothing is ever checked
untested-sent = no client ever sends a command
untested-produced = no message is ever produced
untested-processed = no message is ever processed
untested-pair = fewer than two messages are processed
untested-pair-of-key = fewer than two messages with the same key are processed
repair-broke-off = { $who } fails. { $why }
repair-known = The same mistake as “{ $title }”
repair-failed = The search could not be completed. Try again.
repair-rest = { $n ->
    [one] { NUMBER($n) } more variation waits: it is checked once all before it hold.
   *[other] { NUMBER($n) } more variations wait: they are checked once all before them hold.
}
repair-done = Repaired: it holds { $n ->
    [one] on the stage
   *[other] on all { NUMBER($n) } variations of the stage
}, whatever the schedule.
