### `HELP`, and the documentation beside the prompt.

help-overview = Type a Redis command and press Enter. HELP with a name explains a command, for example HELP SET. Groups:
help-terminal-keys = ↑ ↓ walk through what you typed, Ctrl-R searches it, Tab completes, Ctrl-C interrupts, Ctrl-L clears the screen. F1 lists the other keys.
help-unknown = There is no help on { $name }.
help-summary = Does
help-since = Since
help-group = Group
help-complexity = Cost
help-not-modelled = Lockstep does not imitate this command yet.
help-statements = Type an SQL statement and press Enter. A statement of several lines can be pasted and ends with a semicolon. Lockstep imitates this part of MySQL:

documentation-of = Documentation of { $command }
documentation-none = Type a command, and its documentation appears here.
help-options = Options
help-example = Example
help-run = Run the example
