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

# Words that repairs and handlers share.
repair-check = Run the checks
repair-outcome = { $title }: { $what }
repair-known = The same mistake as “{ $title }”
repair-rest = { $n ->
    [one] { NUMBER($n) } more variation waits: it is checked once all before it hold.
   *[other] { NUMBER($n) } more variations wait: they are checked once all before them hold.
}

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
