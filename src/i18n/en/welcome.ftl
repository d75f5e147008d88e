### What a first visitor finds in the first terminal.

welcome-what = A Redis server that lives in this page. Type commands as several clients, stop the clock, go back in time. Or run an example:
welcome-try = Examples
welcome-counter = Counter
welcome-blocked = Waiting for a job
welcome-lease = Expiring lock
welcome-group = Consumer group
welcome-board = Leaderboard
welcome-course = Start the course
welcome-continue = Continue the course
welcome-done = All lessons are done. To the map of the course

departed-clients = { $n ->
    [one] 1 client has left
   *[other] { NUMBER($n) } clients have left
}
departed-at = left in step { NUMBER($n) }
