### What is modelled: the list of all commands of Redis 7.0, with what is missing and what differs.

support-title = What is modelled
support-sum = Of the { NUMBER($all) } commands of Redis 7.0, { NUMBER($whole) } answer as they do there, { NUMBER($differ) } with a known difference, and { NUMBER($not) } are not modelled and say so.
support-search = Search commands
support-only = Only what differs or is missing
support-nothing = No command has this name or does this.
support-families = Bitmaps, Cluster, Connections, Keys, Geo, Hashes, HyperLogLog, Lists, Pub/sub, Scripts and functions, Server, Sets, Sorted sets, Streams, Strings, Transactions
support-modelled = modelled
support-differs = differs
support-partly = in part
support-not = not modelled
support-without = Not modelled: { $names }.

support-cluster = There is one server here, and no cluster.
support-replicas = There is one server here, and it has no replicas.
support-disk = There is no process and no disk here: the timeline keeps every step of the session.
support-payload = Values have no serialised form here, and there is no other server to receive them.
support-users = There is one user, default. It can have a password: CONFIG SET requirepass, AUTH.
support-modules = A page cannot load modules.
support-latency = Commands take no virtual time: there is nothing to count.
support-chance = The choice follows from the seed of the session: replayed, it is the same.
support-scripts = A script takes virtual time by its instructions, 100,000 a millisecond, commands counted among them; what it does is seen when it ends. One of more than 100,000,000 instructions counts as endless: the server is BUSY until SCRIPT KILL. Iterating over a table whose keys are tables or functions is refused, because the order would differ at each replay; # may return another length for a list that contains nil and has grown. string.dump gives only the head of the bytecode. Where a browser cannot pause WebAssembly (JSPI), a long script freezes the page.
support-hello = All replies of one EXEC use one protocol, even if HELLO is among its commands; a real server switches in the middle.
support-functions = As with scripts. A library is loaded again for each call: local variables of its functions do not outlive the call.
support-debugger = SCRIPT DEBUG YES is not modelled.
support-tracking = CLIENT TRACKING ON is not modelled. In CLIENT LIST, rbs and rbp do not reflect real buffers; obl, oll and omem count what a paused client has not read.
support-process = Facts about process and machine are made up, and the same on every computer.
support-parameters = Parameters about disk, network, replicas and threads are remembered and have no effect.
support-debug = Subcommands that look into a process are not modelled.
support-memory = Bytes are counted after Redis’ own structures; a real allocator rounds a little differently.
support-clock = The clock is the session’s, and commands take no time by themselves.
support-wait = There are no replicas: it waits for its timeout and returns 0.
