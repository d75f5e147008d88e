// ioredis against the server at LOCKSTEP_CLIENTS_PORT.
import { Redis } from "ioredis";
import assert from "node:assert/strict";
import { after, beforeEach, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";

const port = Number(process.env.LOCKSTEP_CLIENTS_PORT);
const opened = [];

function connect(options = {}) {
  const client = new Redis({ port, host: "127.0.0.1", ...options });
  opened.push(client);
  return client;
}

const redis = connect();
beforeEach(() => redis.flushall());
after(() => opened.forEach((client) => client.disconnect()));

test("values of every type", async () => {
  assert.equal(await redis.set("k", "v", "PX", 100000), "OK");
  assert.equal(await redis.get("k"), "v");
  assert.equal(await redis.set("k", "w", "NX"), null);
  assert.equal(await redis.incrby("n", 7), 7);
  assert.deepEqual(await redis.mget("k", "none"), ["v", null]);
  assert.equal(await redis.hset("h", { a: 1, b: "two" }), 2);
  assert.deepEqual(await redis.hgetall("h"), { a: "1", b: "two" });
  assert.equal(await redis.rpush("l", 1, 2, 3), 3);
  assert.deepEqual(await redis.lrange("l", 0, -1), ["1", "2", "3"]);
  assert.equal(await redis.sadd("s", "x", "y"), 2);
  assert.deepEqual((await redis.smembers("s")).sort(), ["x", "y"]);
  assert.equal(await redis.zadd("z", 1, "one", 2.5, "more"), 2);
  assert.deepEqual(await redis.zrange("z", 0, -1, "WITHSCORES"), ["one", "1", "more", "2.5"]);
  await assert.rejects(redis.lpush("k", 1), /WRONGTYPE Operation against a key/);
});

test("bytes that are no text survive", async () => {
  const value = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte));
  await redis.set("bytes", value);
  assert.deepEqual(await redis.getBuffer("bytes"), value);
});

test("pipelines answer in order, errors in their places", async () => {
  const pipeline = redis.pipeline();
  for (let n = 0; n < 1000; n += 1) pipeline.incr("n");
  pipeline.lpush("n", 1).get("n");
  const replies = await pipeline.exec();
  assert.deepEqual(replies.slice(0, 1000), Array.from({ length: 1000 }, (_, n) => [null, n + 1]));
  assert.match(replies[1000][0].message, /WRONGTYPE/);
  assert.deepEqual(replies[1001], [null, "1000"]);
});

test("commands of one tick share a pipeline", async () => {
  const client = connect({ enableAutoPipelining: true });
  const replies = await Promise.all(Array.from({ length: 200 }, () => client.incr("auto")));
  assert.deepEqual(replies, Array.from({ length: 200 }, (_, n) => n + 1));
});

test("a transaction fails when what it watches has changed", async () => {
  const other = connect();
  assert.deepEqual(await redis.multi().set("a", 1).incr("a").exec(), [[null, "OK"], [null, 2]]);
  await redis.watch("a");
  await other.set("a", 10);
  assert.equal(await redis.multi().incr("a").exec(), null);
  assert.equal(await redis.get("a"), "10");
});

test("a blocked connection is served by another, or gives up", async () => {
  const waiting = connect();
  const popped = waiting.blpop("q1", "q2", 20);
  while (!/cmd=blpop/.test(await redis.client("LIST"))) await sleep(5);
  await redis.rpush("q2", "job");
  assert.deepEqual(await popped, ["q2", "job"]);
  assert.equal(await waiting.brpop("q1", 0.05), null);
});

test("messages reach channels and patterns", async () => {
  const listener = connect();
  const heard = [];
  listener.on("message", (channel, message) => heard.push(["message", channel, message]));
  listener.on("pmessage", (pattern, channel, message) => heard.push([pattern, channel, message]));
  assert.equal(await listener.subscribe("news"), 1);
  assert.equal(await listener.psubscribe("n*"), 2);
  assert.equal(await redis.publish("news", "hello"), 2);
  while (heard.length < 2) await sleep(5);
  assert.deepEqual(heard, [["message", "news", "hello"], ["n*", "news", "hello"]]);
});

test("SCAN visits every key", async () => {
  const wanted = Array.from({ length: 400 }, (_, n) => `key:${n}`);
  await redis.mset(wanted.flatMap((key) => [key, 1]));
  const found = new Set();
  for await (const keys of redis.scanStream({ match: "key:*", count: 23 })) keys.forEach((key) => found.add(key));
  assert.deepEqual([...found].sort(), wanted.sort());
});

test("MONITOR shows what others do", async () => {
  const monitor = await connect().monitor();
  const seen = new Promise((resolve) => {
    monitor.on("monitor", (time, args) => args[0].toLowerCase() === "set" && resolve(args));
  });
  await redis.set("shown", "x y");
  assert.deepEqual((await seen).slice(1), ["shown", "x y"]);
  monitor.disconnect();
});

test("scripts run, by text, by digest and as commands of their own", async () => {
  assert.deepEqual(await redis.eval("return {KEYS[1], ARGV[1], 3}", 1, "k", "v"), ["k", "v", 3]);
  const client = connect({ scripts: { add: { numberOfKeys: 1, lua: "return redis.call('INCRBY', KEYS[1], ARGV[1])" } } });
  assert.equal(await client.add("n", 5), 5);
  await redis.script("FLUSH");
  assert.equal(await client.add("n", 5), 10);
  await assert.rejects(redis.evalsha("f".repeat(40), 0), /NOSCRIPT/);
  await assert.rejects(redis.eval("return redis.call('NOSUCH')", 0), /Unknown Redis command called from script/);
});

test("streams are written, read and waited for", async () => {
  const waiting = connect();
  const read = waiting.xread("BLOCK", 20000, "STREAMS", "s", "$");
  while (!/cmd=xread/.test(await redis.client("LIST"))) await sleep(5);
  const id = await redis.xadd("s", "*", "field", "value");
  assert.deepEqual(await read, [["s", [[id, ["field", "value"]]]]]);
  await redis.xgroup("CREATE", "s", "g", "0");
  assert.deepEqual(await redis.xreadgroup("GROUP", "g", "me", "STREAMS", "s", ">"), [["s", [[id, ["field", "value"]]]]]);
  assert.equal(await redis.xack("s", "g", id), 1);
});

test("the server tells of itself, and a killed client comes back", async () => {
  assert.match(await redis.info("server"), /redis_version:7\.0\.15\r\n/);
  const named = connect({ connectionName: "teacher", db: 2 });
  assert.equal(await named.client("GETNAME"), "teacher");
  await named.set("only", "in 2");
  assert.equal(await redis.get("only"), null);
  assert.equal(await redis.client("KILL", "ID", await named.client("ID")), 1);
  assert.equal(await named.get("only"), "in 2");
  assert.equal(await redis.quit(), "OK");
});
