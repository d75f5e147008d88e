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

notice-progress-loaded = Progress from the file was added to yours.
notice-not-progress = This file holds no course progress. Nothing was changed.
notice-progress-aside = The stored progress could not be read. It was set aside, not deleted, and the course starts over.

lesson-parts = Parts of the lesson
lesson-text = Lesson
lesson-story = Step by step
lesson-to-story = Watch it step by step
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
task-hint = Hint { NUMBER($n) } of { NUMBER($all) }
task-hint-open = Open hint { NUMBER($n) } of { NUMBER($all) }
task-solution-show = Show the solution
task-solution-hide = Hide the solution
task-solution-later = The solution opens after all hints, or once the task is done.
task-solution = Solution
# Words that repairs and handlers share.
repair-check = Run the checks
repair-outcome = { $title }: { $what }
repair-known = The same mistake as “{ $title }”
repair-rest = { $n ->
    [one] { NUMBER($n) } more variation waits: it is checked once all before it hold.
   *[other] { NUMBER($n) } more variations wait: they are checked once all before them hold.
}
