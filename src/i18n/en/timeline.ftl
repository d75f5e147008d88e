### The timeline at the foot: moving in time, the clock, steps and branches.

time-first = To the beginning
time-back = One step back
time-forward = One step forward
time-last = To the end
time-run = Let the clock run
time-stop = Stop the clock
time-play = Play from here
time-speed = Speed of the clock
time-speed-factor = ×{ $factor }
time-clock = Clock
time-live = live
time-playing = playing
time-stopped = stopped
time-past = in the past
time-second = +1 s
time-second-hint = Let one second pass
time-deadline = Next event
time-deadline-hint = Let time pass until something happens by itself
time-deadline-in = in { DURATION($ms) }
time-deadline-none = nothing is due
time-track = Position on the timeline
time-position = { NUMBER($now) } / { NUMBER($all) }
time-position-label = step { NUMBER($now) } of { NUMBER($all) }
time-steps = Steps
time-steps-hint = Show all steps and branches
time-steps-none = Nothing has happened yet. Type a command into one of the terminals.
time-steps-earlier = { NUMBER($n) } earlier
time-steps-later = { NUMBER($n) } later
time-branches = Branches
time-branches-count = { $n ->
    [one] { NUMBER($n) } branch
   *[other] { NUMBER($n) } branches
}
time-branches-none = One line so far. Go back and type something else: that starts a branch, and the old future stays.
time-branch-here = this one
time-branch-parts = splits off after step { NUMBER($n) }
time-branch-switch = Another future from here: { $what }
time-past-hint = You are in the past. A new command starts a branch; the old future stays.
time-to-present = Back to the end
