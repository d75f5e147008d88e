// Several clients side by side: one waits, another wakes it; the session outlives a reload.
import { expect, test } from "../support/fixtures.ts";

test("a client that waits in BRPOP is woken by another", async ({ stage }) => {
  await stage.open("en");
  await stage.type("c1", "BRPOP mail 0");
  await expect(stage.terminal("c1")).not.toContainText('2) "hello"');
  await stage.expect("c2", "LPUSH mail hello", "(integer) 1");
  await expect(stage.log("c1")).toContainText('1) "mail"');
  await expect(stage.log("c1")).toContainText('2) "hello"');
});

test("a log that is longer than its pane scrolls inside it, and the other panels stay where they are", async ({ stage }) => {
  await stage.open("en");
  for (let i = 0; i < 30; i += 1) await stage.type("c1", `SET key:${i} v`);
  await expect(stage.log("c1")).toContainText("key:29");
  expect(await stage.log("c1").evaluate((log) => log.scrollHeight - log.clientHeight)).toBeGreaterThan(0);
  expect(await stage.page.getByRole("main").evaluate((element) => element.scrollTop)).toBe(0);
  await expect(stage.page.getByTestId("inside")).toBeInViewport({ ratio: 1 });
});

test("replies look as redis-cli prints them", async ({ stage }) => {
  await stage.open("en");
  await stage.type("c1", "RPUSH l a b c");
  await stage.type("c1", "LRANGE l 0 -1");
  await stage.type("c1", "INCR l");
  await stage.expect("c1", "GET nothing", "(nil)");
  const lines = (await stage.transcript("c1")).split("\n").map((line) => line.trim());
  for (const line of ["(integer) 3", '1) "a"', '2) "b"', '3) "c"', "(nil)"]) expect(lines).toContain(line);
  expect(lines.join("\n")).toContain("(error) WRONGTYPE Operation against a key holding the wrong kind of value");
});

test("the session survives a reload", async ({ stage }) => {
  await stage.open("en");
  await stage.expect("c1", "SET kept yes", "OK");
  await stage.expect("c2", "GET kept", '"yes"');
  await stage.page.reload();
  await expect(stage.log("c1")).toContainText("SET kept yes");
  await stage.expect("c1", "STRLEN kept", "(integer) 3");
});

test("the language can be switched at any moment and nothing is lost", async ({ stage }) => {
  await stage.open("en");
  await stage.expect("c1", "SET word 1", "OK");
  await stage.speak("zh-CN");
  await expect(stage.log("c1")).toContainText("SET word 1");
  await stage.expect("c1", "INCR word", "(integer) 2");
  await stage.speak("en");
  await stage.expect("c1", "INCR word", "(integer) 3");
});

test("a script runs after the page has fetched its module, and again after a reload", async ({ stage }) => {
  const fetched: string[] = [];
  stage.page.on("request", (request) => fetched.push(new URL(request.url()).pathname));
  await stage.open("en");
  expect(fetched.some((path) => path.includes("lua-page"))).toBe(false);
  await stage.type("c1", "SET stock 5");
  await stage.type("c1", "EVAL \"return redis.call('DECRBY', KEYS[1], ARGV[1])\" 1 stock 2");
  await expect(stage.log("c1")).toContainText("(integer) 3");
  expect(fetched.some((path) => path.includes("lua-page"))).toBe(true);
  await stage.type("c1", "EVAL \"return nosuch\" 0");
  await expect(stage.log("c1")).toContainText("Script attempted to access nonexistent global variable 'nosuch'");
  await stage.page.reload();
  await expect(stage.log("c1")).toContainText("(integer) 3");
  await stage.type("c1", "GET stock");
  await expect(stage.log("c1")).toContainText('"3"');
});

test("lines typed while the script module is being fetched wait for the script before them", async ({ stage, context }) => {
  let arrive = () => {};
  const arrived = new Promise<void>((resolve) => (arrive = resolve));
  await context.route(/lua-page.*wasm/, async (route) => {
    await arrived;
    await route.continue();
  });
  await stage.open("en");
  await stage.type("c1", "EVAL \"return redis.call('INCRBY', KEYS[1], 41)\" 1 answer");
  await stage.type("c1", "INCR answer");
  await stage.type("c2", "EXISTS answer");
  await expect(stage.log("c2")).not.toContainText("EXISTS");
  arrive();
  await expect(stage.log("c1")).toContainText("(integer) 42");
  await expect(stage.log("c2")).toContainText("(integer) 1");
  expect((await stage.transcript("c1")).indexOf("EVAL")).toBeLessThan((await stage.transcript("c1")).indexOf("INCR answer"));
});

test("a script waits for the second part of its module, and the page for neither", async ({ stage, context }) => {
  const blocking = stage.blockingRequests();
  let arrive = () => {};
  const arrived = new Promise<void>((resolve) => (arrive = resolve));
  await context.route(/lua-page_rest.wasm/, async (route) => {
    await arrived;
    await route.continue();
  });
  await stage.open("en");
  const first = stage.page.waitForRequest(/lua-page_rest.wasm/);
  await stage.type("c1", 'EVAL "return cjson.encode({1, 2})" 0');
  await first;
  // The page goes on: a dialog opens and closes.
  await stage.page.getByTestId("share").click();
  await expect(stage.page.getByTestId("share-link")).toBeVisible();
  await stage.page.keyboard.press("Escape");
  await expect(stage.log("c1")).not.toContainText("[1,2]");
  arrive();
  await expect(stage.log("c1")).toContainText("[1,2]");
  expect(blocking).toEqual([]);
});

test("a script that never ends leaves the page alive and can be killed", async ({ stage }) => {
  await stage.open("en");
  await stage.type("c1", "EVAL \"while true do end\" 0");
  // The script module may not be loaded yet; until then the command is not sent.
  await expect(stage.log("c1")).toContainText("while true do end");
  // For five seconds of its clock Redis serves no client; then it replies BUSY, and accepts SCRIPT KILL.
  await stage.type("c2", "SCRIPT KILL");
  await expect(stage.log("c2")).toContainText("OK");
  await expect(stage.log("c1")).toContainText("Script killed by user");
});
