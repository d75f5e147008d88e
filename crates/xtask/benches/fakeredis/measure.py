"""Times commands on fakeredis in this process. Reads cases as `name TAB line before TAB line`, prints `name nanoseconds`.

`{i}` in a line stands for a number that goes up, `{score}` for one that jumps about: see fakeredis.rs, which does the same work.
"""
import statistics
import sys
import time

import fakeredis

ROUNDS, COMMANDS, KEYS = 5, 10_000, 10_000


def words(line, i):
    return line.replace("{i}", str(i % KEYS)).replace("{score}", str(i * 7919 % KEYS)).split()


def nanoseconds(before, line):
    client = fakeredis.FakeRedis(server=fakeredis.FakeServer())
    for i in range(KEYS if "{i}" in before else min(1, len(before))):
        client.execute_command(*words(before, i))
    commands = [words(line, i) for i in range(COMMANDS)]
    started = time.perf_counter_ns()
    for command in commands:
        client.execute_command(*command)
    return (time.perf_counter_ns() - started) / COMMANDS


for case in sys.stdin.read().splitlines():
    name, before, line = case.split("\t")
    print(name, statistics.median(nanoseconds(before, line) for _ in range(ROUNDS)), flush=True)
