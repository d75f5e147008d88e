// node-redis against the server at LOCKSTEP_CLIENTS_PORT, in both protocols.
import assert from "node:assert/strict";
import { after, before, beforeEach, describe, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { createClient, WatchError } from "redis";

const port = Number(process.env.LOCKSTEP_CLIENTS_PORT);

for (const RESP of [2, 3]) {
  describe(`RESP${RESP}`, () => {
    const opened = [];
    const connect = async (options = {}) => {
      const client = createClient({ socket: { port, host: "127.0.0.1" }, RESP, ...options });
      client.on("error", () => {}); // A killed connection is opened anew; the tests look at what follows.
      opened.push(client);
      await client.connect();
      return client;
    };
    let redis;
    before(async () => (redis = await connect()));
    beforeEach(() => redis.flushAll());
    after(() => opened.forEach((client) => client.destroy()));

    test("values of every type", async () => {
      assert.equal(await redis.set("k", "v", { EX: 100 }), "OK");
      assert.equal(await redis.get("k"), "v");
      assert.ok((await redis.ttl("k")) > 98);
      assert.equal(await redis.incrBy("n", 7), 7);
      assert.equal(await redis.incrByFloat("n", 0.5), "7.5");
      assert.equal(await redis.hSet("h", { a: "1", b: "two" }), 2);
      assert.deepEqual({ ...(await redis.hGetAll("h")) }, { a: "1", b: "two" });
      assert.equal(await redis.rPush("l", ["1", "2", "3"]), 3);
      assert.deepEqual(await redis.lRange("l", 0, -1), ["1", "2", "3"]);
      await redis.sAdd("s", ["x", "y"]);
      assert.deepEqual([...(await redis.sMembers("s"))].sort(), ["x", "y"]);
      await redis.zAdd("z", [{ score: 1, value: "one" }, { score: 2.5, value: "more" }]);
      assert.deepEqual(await redis.zRangeWithScores("z", 0, -1), [{ value: "one", score: 1 }, { value: "more", score: 2.5 }]);
      assert.equal(await redis.zScore("z", "more"), 2.5);
      await assert.rejects(redis.lPush("k", "1"), /WRONGTYPE Operation against a key/);
    });

    test("commands of one tick go out together", async () => {
      const replies = await Promise.all(Array.from({ length: 1000 }, () => redis.incr("n")));
      assert.deepEqual(replies, Array.from({ length: 1000 }, (_, n) => n + 1));
    });

    test("a transaction fails when what it watches has changed", async () => {
      const other = await connect();
      assert.deepEqual(await redis.multi().set("a", "1").incr("a").exec(), ["OK", 2]);
      await redis.watch("a");
      await other.set("a", "10");
      await assert.rejects(redis.multi().incr("a").exec(), WatchError);
      assert.equal(await redis.get("a"), "10");
    });

    test("a blocked connection is served by another, or gives up", async () => {
      const waiting = await connect();
      const popped = waiting.blPop(["q1", "q2"], 20);
      while (!(await redis.clientList()).some((client) => client.cmd === "blpop")) await sleep(5);
      await redis.rPush("q2", "job");
      assert.deepEqual({ ...(await popped) }, { key: "q2", element: "job" });
      assert.equal(await waiting.brPop("q1", 0.05), null);
    });

    test("messages reach channels and patterns", async () => {
      const listener = await connect();
      const heard = [];
      await listener.subscribe("news", (message, channel) => heard.push([channel, message]));
      await listener.pSubscribe("n*", (message, channel) => heard.push(["n*", channel, message]));
      assert.equal(await redis.publish("news", "hello"), 2);
      while (heard.length < 2) await sleep(5);
      assert.deepEqual(heard, [["news", "hello"], ["n*", "news", "hello"]]);
      await listener.unsubscribe("news");
      assert.equal(await redis.publish("news", "again"), 1);
    });

    test("SCAN visits every key and field", async () => {
      const wanted = Array.from({ length: 400 }, (_, n) => `key:${n}`);
      await redis.mSet(wanted.map((key) => [key, "1"]));
      const found = new Set();
      for await (const keys of redis.scanIterator({ MATCH: "key:*", COUNT: 23 })) keys.forEach((key) => found.add(key));
      assert.deepEqual([...found].sort(), wanted.sort());
      await redis.hSet("h", Object.fromEntries(wanted.map((key) => [key, "1"])));
      const fields = new Set();
      for await (const entries of redis.hScanIterator("h")) entries.forEach(({ field }) => fields.add(field));
      assert.equal(fields.size, 400);
    });

    test("scripts run by text and by digest", async () => {
      const options = { keys: ["n"], arguments: ["5"] };
      const script = "return redis.call('INCRBY', KEYS[1], ARGV[1])";
      assert.equal(await redis.eval(script, options), 5);
      assert.equal(await redis.evalSha(await redis.scriptLoad(script), options), 10);
      await assert.rejects(redis.eval("return redis.error_reply('MY own')"), /MY own/);
    });

    test("streams are written and read by groups", async () => {
      const id = await redis.xAdd("s", "*", { field: "value" });
      await redis.xGroupCreate("s", "g", "0");
      if (RESP === 2) {
        // With RESP3 node-redis refuses to read streams unless told that its form of the answer may change.
        const [{ name, messages }] = await redis.xReadGroup("g", "me", [{ key: "s", id: ">" }]);
        assert.equal(name, "s");
        assert.deepEqual(messages.map(({ id, message }) => [id, { ...message }]), [[id, { field: "value" }]]);
      } else {
        await redis.sendCommand(["XREADGROUP", "GROUP", "g", "me", "STREAMS", "s", ">"]);
      }
      assert.equal((await redis.xPending("s", "g")).pending, 1);
      assert.equal(await redis.xAck("s", "g", id), 1);
    });

    test("the server tells of itself, and a killed client comes back", async () => {
      assert.match(await redis.info(), /redis_version:7\.0\.15\r\n/);
      assert.deepEqual({ ...(await redis.configGet("maxmemory")) }, { maxmemory: "0" });
      const named = await connect({ name: "teacher", database: 2 });
      assert.equal(await named.clientGetName(), "teacher");
      await named.set("only", "in 2");
      assert.equal(await redis.get("only"), null);
      const id = await named.clientId();
      const back = new Promise((resolve) => named.once("ready", resolve));
      assert.equal(await redis.clientKill({ filter: "ID", id }), 1);
      await back;
      assert.equal(await named.get("only"), "in 2");
    });
  });
}
