# Messages of what opens on demand in the panels of a lesson and in the timeline: the event loop, the comparison of runs, branches.
compare-choose = compared with
compare-this = This line
compare-other = The other line
compare-branch = after { NUMBER($n) }: { $what }
programs-use = Use this program
programs-cancel = Cancel
loop-running = being executed
loop-idle = idle
loop-queue = queue
loop-queue-empty = No request waits. With “Fine steps” a request can be sent without being served at once.
loop-why = One thread takes one request after another. While a command or a script runs, nothing else does: that is why each of them is atomic.
time-steps-none = Nothing has happened yet. Type a command into one of the terminals.
time-steps-earlier = { NUMBER($n) } earlier
time-steps-later = { NUMBER($n) } later
time-branches-none = One line so far. Go back and type something else: that starts a branch, and the old future stays.
time-branch-here = this one
time-branch-parts = splits off after step { NUMBER($n) }

lanes-tally = Counted by the programs: { $name }
lanes-summary-hint = Choose a client to see its lane.
lanes-open-status = { $name }: { $status }. Show or hide its lane
lanes-some = Room for { NUMBER($open) } of { NUMBER($all) } lanes
lanes-requests = Requests per client
lanes-requests-bucket = { $range } requests: { NUMBER($n) } clients
