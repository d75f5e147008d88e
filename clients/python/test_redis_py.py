"""redis-py against the server at LOCKSTEP_CLIENTS_PORT, in both protocols."""

import asyncio
import os
import threading
import time
import unittest

import redis
import redis.asyncio

PORT = int(os.environ["LOCKSTEP_CLIENTS_PORT"])


class Base(unittest.TestCase):
    """A client of an empty server."""

    protocol = 2

    def connect(self, **options):
        client = redis.Redis(port=PORT, protocol=self.protocol, decode_responses=True, **options)
        self.addCleanup(client.close)
        return client

    def setUp(self):
        self.r = self.connect()
        self.r.flushall()


class Values(Base):
    def test_strings(self):
        r = self.r
        self.assertTrue(r.set("k", "v", ex=100))
        self.assertEqual(r.get("k"), "v")
        self.assertTrue(98 <= r.ttl("k") <= 100)
        self.assertIsNone(r.set("k", "w", nx=True))
        self.assertEqual(r.set("k", "w", get=True), "v")
        self.assertEqual(r.incrby("n", 5), 5)
        self.assertEqual(r.incrbyfloat("n", 0.5), 5.5)
        self.assertEqual(r.mget("k", "none", "n"), ["w", None, "5.5"])
        self.assertEqual(r.append("k", "ord"), 4)
        self.assertEqual(r.getrange("k", 1, -1), "ord")
        self.assertEqual(r.getdel("k"), "word")
        self.assertEqual(r.exists("k", "n"), 1)
        with self.assertRaisesRegex(redis.ResponseError, "value is not an integer or out of range"):
            r.incr("n")

    def test_bytes_survive(self):
        raw = redis.Redis(port=PORT, protocol=self.protocol)
        value = bytes(range(256)) * 4
        raw.set(b"\x00\xff\r\n", value)
        self.assertEqual(raw.get(b"\x00\xff\r\n"), value)
        raw.close()

    def test_hashes(self):
        r = self.r
        self.assertEqual(r.hset("h", mapping={"a": 1, "b": "two"}), 2)
        self.assertEqual(r.hgetall("h"), {"a": "1", "b": "two"})
        self.assertEqual(r.hmget("h", "a", "x"), ["1", None])
        self.assertEqual(r.hincrby("h", "a", 41), 42)
        self.assertEqual(sorted(r.hkeys("h")), ["a", "b"])
        self.assertTrue(r.hexists("h", "b"))
        self.assertEqual(r.hdel("h", "a", "b"), 2)
        self.assertEqual(r.hgetall("h"), {})

    def test_lists(self):
        r = self.r
        self.assertEqual(r.rpush("l", *range(10)), 10)
        self.assertEqual(r.lrange("l", 2, 4), ["2", "3", "4"])
        self.assertEqual(r.lpop("l", 2), ["0", "1"])
        self.assertEqual(r.lmove("l", "m", "RIGHT", "LEFT"), "9")
        self.assertEqual(r.linsert("l", "before", "5", "x"), 8)
        self.assertEqual(r.lpos("l", "x"), 3)
        self.assertTrue(r.ltrim("l", 0, 0))
        self.assertEqual(r.lrange("l", 0, -1), ["2"])

    def test_sets(self):
        r = self.r
        r.sadd("s", "a", "b", "c")
        r.sadd("t", "b", "c", "d")
        self.assertEqual(r.smembers("s"), {"a", "b", "c"})
        self.assertEqual(r.sinter("s", "t"), {"b", "c"})
        self.assertEqual(r.sunionstore("u", "s", "t"), 4)
        self.assertEqual(r.smismember("s", ["a", "d"]), [1, 0])
        self.assertIn(r.spop("s"), {"a", "b", "c"})

    def test_sorted_sets(self):
        r = self.r
        self.assertEqual(r.zadd("z", {"a": 1, "b": 2.5, "c": 3}), 3)
        self.assertEqual(r.zscore("z", "b"), 2.5)
        self.assertEqual(r.zrank("z", "c"), 2)
        self.assertEqual(r.zincrby("z", 10, "a"), 11)
        self.assertEqual([list(p) for p in r.zrange("z", 0, -1, withscores=True)], [["b", 2.5], ["c", 3], ["a", 11]])
        self.assertEqual(r.zrange("z", "(2.5", "+inf", byscore=True), ["c", "a"])
        # Without a count RESP3 knows no pairs.
        self.assertEqual(list(r.zpopmin("z")), ["b", 2.5] if self.protocol == 3 else [("b", 2.5)])
        self.assertEqual(r.zcard("z"), 2)

    def test_wrong_type(self):
        self.r.lpush("l", 1)
        with self.assertRaisesRegex(redis.ResponseError, "WRONGTYPE"):
            self.r.get("l")

    def test_scan(self):
        r = self.r
        wanted = {f"key:{n}" for n in range(500)}
        with r.pipeline(transaction=False) as pipe:
            for key in wanted:
                pipe.set(key, 1)
            pipe.execute()
        r.set("other", 1)
        self.assertEqual(set(r.scan_iter("key:*", count=37)), wanted)
        r.hset("h", mapping={f"f{n}": n for n in range(700)})
        self.assertEqual(dict(r.hscan_iter("h")), {f"f{n}": str(n) for n in range(700)})
        r.zadd("z", {f"m{n}": n for n in range(300)})
        self.assertEqual(dict(r.zscan_iter("z")), {f"m{n}": n for n in range(300)})
        r.sadd("s", *range(600))
        self.assertEqual(set(r.sscan_iter("s", match="1*")), {str(n) for n in range(600) if str(n)[0] == "1"})


class Together(Base):
    def test_pipelines(self):
        pipe = self.r.pipeline(transaction=False)
        for n in range(1000):
            pipe.incr("n").get("n")
        replies = pipe.execute()
        self.assertEqual(replies, [reply for n in range(1, 1001) for reply in (n, str(n))])
        pipe.set("s", "x").lpush("s", 1).get("s")
        replies = pipe.execute(raise_on_error=False)
        self.assertIsInstance(replies[1], redis.ResponseError)
        self.assertEqual(replies[2], "x")

    def test_transactions_and_watch(self):
        r, other = self.r, self.connect()
        with r.pipeline() as pipe:
            self.assertEqual(pipe.set("a", 1).incr("a").execute(), [True, 2])
            pipe.watch("a")
            other.set("a", 10)
            pipe.multi()
            pipe.incr("a")
            with self.assertRaises(redis.WatchError):
                pipe.execute()

        def double(pipe):
            value = int(pipe.get("a"))
            pipe.multi()
            pipe.set("a", value * 2)

        r.transaction(double, "a")
        self.assertEqual(r.get("a"), "20")

    def test_blocking_pops(self):
        waiting = self.connect()
        answers = []
        thread = threading.Thread(target=lambda: answers.append(waiting.blpop(["q1", "q2"], timeout=20)))
        thread.start()
        while not any(c["cmd"] == "blpop" and "b" in c["flags"] for c in self.r.client_list()):
            time.sleep(0.005)
        self.r.rpush("q2", "job")
        thread.join(20)
        self.assertEqual([list(answer) for answer in answers], [["q2", "job"]])
        started = time.monotonic()
        self.assertIsNone(self.r.brpop("q1", timeout=0.1))
        self.assertGreaterEqual(time.monotonic() - started, 0.095)
        self.r.zadd("z", {"m": 1})
        self.assertEqual(list(self.r.bzpopmin("z", timeout=1)), ["z", "m", 1])
        self.r.rpush("from", "x")
        self.assertEqual(self.r.blmove("from", "to", 1, "LEFT", "RIGHT"), "x")

    def test_locks_by_set_nx(self):
        token = "t1"
        self.assertTrue(self.r.set("lock", token, nx=True, px=80))
        self.assertIsNone(self.r.set("lock", "t2", nx=True, px=80))
        time.sleep(0.12)
        self.assertTrue(self.r.set("lock", "t2", nx=True, px=1000))

    def test_publish_and_subscribe(self):
        listener = self.connect().pubsub()
        self.addCleanup(listener.close)
        listener.subscribe("news")
        listener.psubscribe("n*")
        confirmed = [listener.get_message(timeout=20)["type"] for _ in range(2)]
        self.assertEqual(confirmed, ["subscribe", "psubscribe"])
        self.assertEqual(self.r.publish("news", "hello"), 2)
        heard = [listener.get_message(timeout=20) for _ in range(2)]
        self.assertEqual([(m["type"], m["pattern"], m["channel"], m["data"]) for m in heard],
                         [("message", None, "news", "hello"), ("pmessage", "n*", "news", "hello")])
        self.assertEqual(self.r.pubsub_numsub("news"), [("news", 1)])
        listener.unsubscribe("news")
        self.assertEqual(listener.get_message(timeout=20)["type"], "unsubscribe")
        if self.protocol == 2:
            listener.ping()
            self.assertEqual(listener.get_message(timeout=20)["type"], "pong")

    def test_keyspace_events(self):
        before = self.r.config_get("notify-keyspace-events")["notify-keyspace-events"]
        self.r.config_set("notify-keyspace-events", "KEA")
        self.addCleanup(self.r.config_set, "notify-keyspace-events", before)
        listener = self.connect().pubsub(ignore_subscribe_messages=True)
        self.addCleanup(listener.close)
        listener.psubscribe("__keyspace@0__:*")
        while listener.get_message(timeout=0.2) is not None or not self.r.pubsub_numpat():
            pass
        self.r.set("k", 1, px=50)
        heard = []
        while len(heard) < 3:
            message = listener.get_message(timeout=20)
            if message is not None:
                heard.append((message["channel"], message["data"]))
        self.assertEqual(heard, [("__keyspace@0__:k", event) for event in ("set", "expire", "expired")])

    def test_monitor(self):
        watcher = self.connect()
        with watcher.monitor() as monitor:
            self.r.set("seen", "x y")
            while True:
                command = monitor.next_command()
                if command["command"].startswith("SET"):
                    break
        self.assertEqual(command["command"], 'SET seen x y')
        self.assertEqual(command["db"], 0)

    def test_asyncio(self):
        async def work():
            client = redis.asyncio.Redis(port=PORT, protocol=self.protocol, decode_responses=True)
            waiting = asyncio.create_task(client.blpop("aq", timeout=20))
            await asyncio.sleep(0.05)
            await asyncio.gather(*(client.incr("count") for _ in range(50)))
            await client.rpush("aq", "x")
            found = await waiting
            count = await client.get("count")
            await client.aclose()
            return list(found), count

        self.assertEqual(asyncio.run(work()), (["aq", "x"], "50"))


class Scripts(Base):
    def test_scripts(self):
        r = self.r
        self.assertEqual(r.eval("return {KEYS[1], ARGV[1], 3.9, true, false}", 1, "k", "v"), ["k", "v", 3, 1, None])
        bounded = r.register_script(
            "local n = redis.call('INCRBY', KEYS[1], ARGV[1]) if n > 10 then redis.call('SET', KEYS[1], 10) end "
            "return redis.call('GET', KEYS[1])")
        self.assertEqual([bounded(keys=["n"], args=[4]) for _ in range(4)], ["4", "8", "10", "10"])
        self.assertEqual(r.script_exists(bounded.sha), [True])
        pipe = r.pipeline()
        bounded(keys=["m"], args=[7], client=pipe)
        pipe.get("m")
        self.assertEqual(pipe.execute(), ["7", "7"])
        r.script_flush()
        with self.assertRaises(redis.exceptions.NoScriptError):
            r.evalsha(bounded.sha, 1, "n", 1)
        self.assertEqual(bounded(keys=["n"], args=[1]), "10", "redis-py loads it again")

    def test_errors_of_scripts(self):
        self.r.set("s", "text")
        for script, message in [
            ("return redis.error_reply('MY own')", "MY own"),
            ("return redis.call('LPUSH', KEYS[1], 1)", "WRONGTYPE Operation against a key"),
            ("return nothing.at_all", "attempt to index global 'nothing'|nonexistent global variable 'nothing'"),
        ]:
            with self.assertRaisesRegex(redis.ResponseError, message.replace("MY ", "(MY )?")):
                self.r.eval(script, 1, "s")

    def test_functions(self):
        r = self.r
        r.function_flush()
        self.addCleanup(r.function_flush)
        code = "#!lua name=lib\nredis.register_function('twice', function(keys, args) return args[1] * 2 end)"
        self.assertEqual(r.function_load(code), "lib")
        self.assertEqual(r.fcall("twice", 0, 21), 42)


class Streams(Base):
    def test_entries(self):
        r = self.r
        first = r.xadd("s", {"a": "1"})
        ids = [first] + [r.xadd("s", {"n": n}) for n in range(4)]
        self.assertEqual(r.xlen("s"), 5)
        self.assertEqual(r.xrange("s", count=1), [(first, {"a": "1"})])
        self.assertEqual([i for i, _ in r.xrevrange("s")], ids[::-1])
        self.assertEqual(r.xtrim("s", maxlen=2, approximate=False), 3)
        self.assertEqual(r.xinfo_stream("s")["last-generated-id"], ids[-1])

    def test_consumer_groups(self):
        r = self.r
        r.xgroup_create("s", "g", id="0", mkstream=True)
        ids = [r.xadd("s", {"n": n}) for n in range(3)]
        taken = r.xreadgroup("g", "alice", {"s": ">"}, count=2)
        entries = taken["s"][0] if isinstance(taken, dict) else taken[0][1]
        self.assertEqual([i for i, _ in entries], ids[:2])
        self.assertEqual(r.xack("s", "g", ids[0]), 1)
        self.assertEqual(r.xpending("s", "g")["pending"], 1)
        self.assertEqual([i for i, _ in r.xclaim("s", "g", "bob", 0, [ids[1]])], [ids[1]])
        self.assertEqual(r.xpending_range("s", "g", "-", "+", 10)[0]["consumer"], "bob")
        self.assertEqual(r.xinfo_groups("s")[0]["name"], "g")

    def test_a_reader_that_waits(self):
        waiting = self.connect()
        found = []
        thread = threading.Thread(target=lambda: found.append(waiting.xread({"s": "$"}, block=20000)))
        thread.start()
        while not any(c["cmd"] == "xread" and "b" in c["flags"] for c in self.r.client_list()):
            time.sleep(0.005)
        added = self.r.xadd("s", {"k": "v"})
        thread.join(20)
        entries = found[0]["s"][0] if isinstance(found[0], dict) else found[0][0][1]
        self.assertEqual([(i, dict(f)) for i, f in entries], [(added, {"k": "v"})])


class Server(Base):
    def test_info(self):
        info = self.r.info()
        self.assertEqual(info["redis_version"], "7.0.15")
        self.assertEqual(info["role"], "master")
        self.r.set("k", 1)
        self.assertEqual(self.r.info("keyspace")["db0"]["keys"], 1)
        self.assertGreaterEqual(self.r.info("clients")["connected_clients"], 1)
        self.assertGreater(self.r.info("commandstats")["cmdstat_set"]["calls"], 0)

    def test_connection_state(self):
        named = self.connect(client_name="teacher", db=3)
        self.assertEqual(named.client_getname(), "teacher")
        named.set("only", "in 3")
        self.assertIsNone(self.r.get("only"))
        self.assertEqual(named.client_info()["db"], 3)
        victim = self.connect()
        number = victim.client_id()
        self.assertIn(str(number), [c["id"] for c in self.r.client_list()])
        self.assertEqual(self.r.client_kill_filter(_id=number), 1)
        self.assertTrue(victim.ping(), "redis-py connects anew")

    def test_commands_about_commands(self):
        self.assertEqual(self.r.command()["get"]["arity"], 2)
        self.assertGreaterEqual(self.r.command_count(), 240)
        self.assertEqual(self.r.command_getkeys("MSET", "a", 1, "b", 2), ["a", "b"])

    def test_config_and_time(self):
        self.assertEqual(self.r.config_get("maxmemory"), {"maxmemory": "0"})
        seconds, micros = self.r.time()
        self.assertAlmostEqual(seconds + micros / 1e6, time.time(), delta=5)
        self.r.set("k", "v")
        self.assertEqual(self.r.object("encoding", "k"), "embstr")
        self.assertGreater(self.r.memory_usage("k"), 0)
        self.assertEqual(self.r.dbsize(), 1)
        self.r.debug_object("k")
        self.r.slowlog_get()


class ValuesResp3(Values):
    protocol = 3


class TogetherResp3(Together):
    protocol = 3


class ScriptsResp3(Scripts):
    protocol = 3


class StreamsResp3(Streams):
    protocol = 3


class ServerResp3(Server):
    protocol = 3


if __name__ == "__main__":
    unittest.main(verbosity=2)
