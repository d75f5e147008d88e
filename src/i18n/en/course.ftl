### The course: its map, the frame of a lesson, progress.

place-course = Course
places-label = Places

course-title = The course
course-what = Each lesson is a small stage with its own Redis. You decide who runs next, break what can be broken, and repair it.
course-continue = Continue: { $title }
course-begin = Begin: { $title }
course-done = { NUMBER($done) } of { NUMBER($all) } lessons done
course-tasks = { NUMBER($done) } of { NUMBER($all) } tasks
course-state-new = Not begun
course-state-next = Next
course-state-begun = Begun
course-state-done = Done
course-later = In preparation
course-later-what = These parts of the course are being written. The sandbox already has everything they need.
course-unreachable = The course could not be loaded. Is the network there?
course-outdated = The lessons belong to another version of the page.
course-none = There is no lesson with this address.
course-stuck = This lesson cannot be put onto the stage.
lesson-no-programs = The part of the page that runs programs could not be loaded, so nobody can take a step here. Reload the page when the network is back; what you have done is kept.
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
progress-forget = Forget it
progress-forget-really = Really forget everything?
notice-progress-loaded = Progress from the file was added to what was here.
notice-not-progress = This file holds no progress of the course. Nothing was changed.
notice-progress-aside = The stored progress could not be read. It has been set aside, not deleted, and the course begins anew.

lesson-parts = Parts of the lesson
lesson-text = Lesson
lesson-read = Read
lesson-story = Step by step
lesson-tasks = Tasks
lesson-next = Next lesson: { $title }
lesson-restart = Begin this lesson afresh
splitter-text = Width of the text
splitter-above = Height of the upper panels

story-step = Step { NUMBER($n) } of { NUMBER($all) }
story-ready = The stage is set. Go through it step by step and watch what changes.
story-next = Next step
story-back = Step back
story-begin = Begin
story-aside = You have gone your own way. Nothing is lost: the timeline keeps it as a branch.
story-return = Back to the story
story-end = That is the whole story. Now it is your turn.
story-to-tasks = To the tasks

task-break = Break it
task-repair = Repair it
task-predict = Predict
task-done = Done
task-par = { $n ->
    [one] possible in { NUMBER($n) } step
   *[other] possible in { NUMBER($n) } steps
}
task-par-rule = Time passes by itself only when nobody can go on. Whoever could and is passed over by time stands still: that is a fault, and two steps.
attempt-within = You broke it in { $steps ->
    [one] { NUMBER($steps) } step
   *[other] { NUMBER($steps) } steps
}; the shortest schedule has { NUMBER($par) }.
attempt-beyond = You broke it in { $steps ->
    [one] { NUMBER($steps) } step
   *[other] { NUMBER($steps) } steps
}, but more went wrong than it takes: the shortest schedule has { NUMBER($par) } and needs fewer faults.
attempt-stood = { $who } could have gone on while time passed. Making somebody stand still is a fault, and counts as two steps: stand still, go on.
attempt-given = It is broken, but the story, a search or a link has taken steps on the way. Go back to the beginning and break it yourself.
attempt-foreign = It is broken, but not by the schedule alone: something was typed, changed or added. Begin anew, and only say who goes on and what goes wrong.
task-hint = Hint { NUMBER($n) } of { NUMBER($all) }
task-hint-open = Open hint { NUMBER($n) } of { NUMBER($all) }
task-solution-show = Show the solution
task-solution-hide = Hide the solution
task-solution-later = The solution opens after all hints, or once the task is done.
task-solution = Solution
task-choose = What happens next?
task-right = Yes, that is what happens.
task-wrong = No. Look again, or try it on the stage.
task-stage = Put this onto the stage

# Repair: the program is changed and searched.
repair-all = all clients
repair-program = The program as it is now
repair-change = Change the program
repair-check = Check it
repair-reset = Back to the program of the lesson
repair-show = Show how it breaks
repair-wrong = This program does not start: { $why }
repair-searching = trying every schedule… { NUMBER($states) } states so far
repair-holds = No schedule breaks it.
repair-broken = { $steps ->
    [one] A schedule of { NUMBER($steps) } step breaks it.
   *[other] A schedule of { NUMBER($steps) } steps breaks it.
}
repair-undecided = The search gave up after { NUMBER($states) } states. Make the program simpler.
repair-failed = The search could not be carried out. Try again.
repair-done = Repaired: whoever goes on when, it holds.
