// Scripts that take time: other clients wait for their end, or get BUSY, and then everything continues.
import { Course } from "../support/course.ts";
import { expect, test } from "../support/fixtures.ts";
import { frames } from "../support/frames.ts";
import { sessionText } from "../support/session.ts";

const SLOW = `EVAL "for i=1,100000 do redis.call('SET','k'..i,i) end return 'written'" 0`;

test("a script with 100,000 commands ends, blocks other clients for its duration, and survives a reload", async ({ stage }) => {
  await stage.open("en");
  await stage.expect("c1", "CONFIG SET busy-reply-threshold 50", "OK");
  // From now on time passes only on request.
  await stage.page.getByTestId("run").click();
  await stage.type("c1", SLOW);
  await expect(stage.log("c1")).toContainText("its script takes");
  await expect(stage.log("c1")).not.toContainText("written\"");
  await stage.type("c2", "DBSIZE");
  // The threshold, and then the end of the script.
  await stage.page.getByTestId("deadline").click();
  await expect(stage.log("c2")).toContainText("BUSY Redis is busy running a script.");
  await stage.page.getByTestId("deadline").click();
  await expect(stage.log("c1")).toContainText('"written"');
  await stage.expect("c2", "DBSIZE", "(integer) 100000");
  await stage.speak("zh-CN");
  await expect(stage.log("c1")).toContainText("脚本需要执行");
  await stage.page.reload();
  await expect(stage.log("c1")).toContainText('"written"');
  await stage.expect("c2", "GET k100000", '"100000"');
});

test("the page keeps drawing while a script runs, and typed lines wait for the script", async ({ stage }) => {
  await stage.open("en");
  await stage.expect("c2", "SET n 1", "OK");
  const before = await frames(stage.page);
  // Far more instructions than any machine executes before the test ends.
  await stage.type("c1", `EVAL "for i=1,30000000 do redis.call('SET','k'..(i%100),i) end" 0`);
  const strip = stage.page.getByTestId("long-script");
  await expect(strip).toContainText("A script is running");
  await stage.type("c2", "GET n");
  await stage.speak("zh-CN");
  await expect(strip).toContainText("脚本正在运行");
  await expect.poll(() => frames(stage.page)).toBeGreaterThan(before + 20);
  await expect(stage.log("c2")).not.toContainText('"1"');
  await stage.page.getByTestId("long-script-stop").click();
  await expect(stage.log("c2")).toContainText('"1"');
  await stage.expect("c2", "DBSIZE", "(integer) 1");
});

test("a script of a few seconds ends by itself, and takes time on the server's clock", async ({ stage }) => {
  await stage.open("en");
  await stage.type("c1", `EVAL "for i=1,250000 do redis.call('SET','k'..(i%1000),i) end return 'all written'" 0`);
  const strip = stage.page.getByTestId("long-script");
  await expect(strip).toBeVisible();
  await expect(strip).toBeHidden({ timeout: 60_000 });
  await expect(stage.log("c1")).toContainText('"all written"', { timeout: 20_000 });
  await stage.expect("c2", "DBSIZE", "(integer) 1000");
});

test("a script that never ends can be stopped, and leaves no effects", async ({ stage }) => {
  await stage.open("en");
  await stage.expect("c1", "SET n before", "OK");
  for (const script of ["while true do end", "redis.call('SET','n','after') while true do pcall(redis.call,'GET','n') end"]) {
    await stage.type("c1", `EVAL "${script}" 0`);
    await stage.page.getByTestId("long-script-stop").click();
    await expect(stage.page.getByTestId("long-script")).toBeHidden();
    await expect(stage.page.getByTestId("notices")).toContainText("The script was stopped");
    await stage.expect("c1", "GET n", '"before"');
    await stage.expect("c1", `EVAL "local t = {} for i = 1, 50 do t[i] = redis.call('GET','n') end return #t" 0`, "(integer) 50");
  }
  await stage.page.reload();
  await stage.expect("c1", "EXISTS n", "(integer) 1");
});

test("scripts can pause inside a sort, a coroutine or a pcall", async ({ stage }) => {
  await stage.open("en");
  const script = [
    "local t = {} for i = 1, 60000 do t[i] = (i * 7919) % 60013 end",
    "table.sort(t, function(a, b) return a < b end)",
    "local c = coroutine.wrap(function() while true do local ok = pcall(redis.call, 'INCR', 'n') coroutine.yield(ok) end end)",
    "for i = 1, 60000 do c() end",
    "local s = ('x'):rep(20000):gsub('x', function() return redis.call('GET', 'n') and 'y' end)",
    "return {t[1], t[60000], redis.call('GET', 'n'), #s}",
  ].join(" ");
  // The strip may come and go between two looks.
  await stage.page.evaluate(() => {
    new MutationObserver(() => {
      if (document.querySelector("[data-testid=long-script]")) document.documentElement.dataset.hasPaused = "";
    }).observe(document.body, { childList: true, subtree: true });
  });
  await stage.type("c1", `EVAL "${script}" 0`);
  await expect(stage.page.locator("html")).toHaveAttribute("data-has-paused", "");
  await expect(stage.page.getByTestId("long-script")).toBeHidden({ timeout: 60_000 });
  for (const line of ["1) (integer) 1", "2) (integer) 60012", '3) "60000"', "4) (integer) 20000"]) {
    await expect(stage.log("c1")).toContainText(line);
  }
});

test("without support for suspending a module's stack, scripts run in one piece", async ({ stage }) => {
  await stage.page.addInitScript(() => {
    const engine = WebAssembly as unknown as { Suspending: unknown; promising: unknown };
    engine.Suspending = undefined;
    engine.promising = undefined;
  });
  await stage.open("en");
  await stage.expect("c1", `EVAL "for i=1,1000 do redis.call('INCR','n') end return redis.call('GET','n')" 0`, '"1000"');
  await stage.expect("c1", `EVAL "return #redis.call('KEYS','*')" 0`, "(integer) 1");
});

test("a long script of a program does not block the page either, step by step and run to the end", async ({ stage }) => {
  test.setTimeout(180_000);
  await stage.page.route("**/editor.js*", (route) => route.fulfill({ contentType: "text/javascript", body: "throw new Error('not here');" }));
  const course = new Course(stage);
  await course.open("locks/oversell", "en");
  const { page } = stage;
  const card = page.getByTestId("program-1");
  const script = "for i = 1, 300000 do redis.call('INCR', 'n') end return redis.call('GET', 'n')";
  await card.getByTestId("edit").click();
  await page.getByTestId("program-text").fill(`local n = redis.call('EVAL', "${script}", 0)\nredis.call('SET', 'copy', n)`);
  await page.getByTestId("use-program").click();
  await expect(card).toContainText("EVAL");
  const strip = page.getByTestId("long-script");
  await card.getByTestId("step").click();
  await expect(strip).toContainText("A script is running");
  await page.getByTestId("long-script-stop").click();
  await expect(strip).toBeHidden();
  await expect(card).toContainText("next: EVAL");
  // Run to the end, it is rehearsed first and then executed. The strip may be visible only for a moment.
  await page.evaluate(() => {
    const look = () => document.querySelector('[data-testid="long-script"]') && Object.assign(window, { hasShown: true });
    new MutationObserver(look).observe(document.body, { childList: true, subtree: true });
  });
  await page.getByTestId("run-all").click();
  await expect(page.getByTestId("keyspace")).toContainText("copy", { timeout: 60_000 });
  await expect(card).toContainText("done");
  await expect(strip).toBeHidden();
  expect(await page.evaluate(() => (window as unknown as { hasShown?: boolean }).hasShown)).toBe(true);
});

test("a file that is opened while a script runs waits for it, and the script's step stays with its session", async ({ stage }) => {
  await stage.open("en");
  const { page } = stage;
  await stage.expect("c1", "SET a 1", "OK");
  await stage.type("c1", `EVAL "for i=1,250000 do redis.call('SET','k',i) end return 'over'" 0`);
  await expect(page.getByTestId("long-script")).toBeVisible();
  await page.getByTestId("share").click();
  const text = sessionText(["SET opened yes"]);
  await page.getByTestId("file-input").setInputFiles({ name: "other.lockstep", mimeType: "text/plain", buffer: Buffer.from(text) });
  await expect(stage.log("c1")).toContainText("SET opened yes", { timeout: 60_000 });
  const kept = await page.evaluate(() => Object.entries({ ...localStorage }).map(([name, value]) => `${name} ${value}`));
  expect(kept.filter((text) => text.includes("c1> SET a 1") && text.includes("250000"))).toHaveLength(1);
});

test("a file with a long script that is opened while another one runs is read after it", async ({ stage }) => {
  await stage.open("en");
  const { page } = stage;
  await stage.type("c1", `EVAL "for i=1,250000 do redis.call('SET','k',i) end return 'first'" 0`);
  await expect(page.getByTestId("long-script")).toBeVisible();
  await page.getByTestId("share").click();
  const lines = [`EVAL "for i=1,250000 do redis.call('SET','k',i) end return redis.call('GET','k')" 0`];
  const text = sessionText(lines).replace("\n\n", "\nscript-rate 100000\nscript-bound 100000000\n\n");
  await page.getByTestId("file-input").setInputFiles({ name: "other.lockstep", mimeType: "text/plain", buffer: Buffer.from(text) });
  await page.keyboard.press("Escape");
  // Lines typed while it is read wait too.
  await stage.type("c2", "GET k");
  await expect(stage.log("c1")).toContainText("redis.call('GET','k')", { timeout: 60_000 });
  await expect(page.getByTestId("long-script")).toBeHidden();
  // The clock of an opened session is stopped.
  await page.getByTestId("deadline").click();
  await stage.expect("c2", "PING", "PONG");
});
