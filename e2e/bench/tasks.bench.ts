// The longest task of the main thread while traffic runs whose handler is slow: long scripts, long loops, and a large table at its beginning.
import { expect, test } from "@playwright/test";
import { figure } from "../support/figures.ts";
import { Stage } from "../support/stage.ts";

const EVAL = (script: string) => `function get(id)\n  return tostring(redis.call('EVAL', [[${script}]], 0))\nend`;

/** Name, requests per second, duration, items, handler. */
const CASES: [string, string, string, string, string | null][] = [
  ["scripts that write 5,000 keys", "20", "20s", "1000", EVAL("for n = 1, 5000 do redis.call('SET', 'k' .. n, n) end return 1")],
  ["scripts that loop 300,000 times", "20", "20s", "1000", EVAL("for n = 1, 300000 do end return 1")],
  ["one script that loops 30,000,000 times", "1", "5s", "1000", EVAL("for n = 1, 30000000 do end return 1")],
  ["a handler that never ends", "20", "20s", "1000", "function get(id)\n  while true do end\nend"],
  ["a handler that asks for the time between long loops", "20", "20s", "1000", "function get(id)\n  for n = 1, 50 do for m = 1, 50000 do end now() end\n  return 'x'\nend"],
  ["a handler that draws 500 random numbers", "20", "20s", "1000", "function get(id)\n  for n = 1, 500 do random(1, 1000) end\n  return 'x'\nend"],
  ["200 requests that wait for a start", "100", "4s", "1000", "function start() sleep(2000) end\nfunction get(id)\n  for n = 1, 100000 do end\n  return 'x'\nend"],
  ["200,000 items", "20", "20s", "200000", null],
  ["a short script for each request", "1000", "60s", "1000", EVAL("return redis.call('INCR', 'n')")],
  ["cache-aside", "1000", "60s", "2000", null],
];

for (const [name, rate, duration, items, handler] of CASES) {
  test(`tasks: ${name}`, async ({ browser }) => {
    test.setTimeout(400_000);
    const page = await (await browser.newContext({ viewport: { width: 1280, height: 800 } })).newPage();
    const stage = new Stage(page);
    await stage.open("en");
    await page.getByTestId("traffic-toggle").click();
    await page.getByTestId("traffic-field-0").fill(rate);
    await page.getByTestId("traffic-field-1").fill(duration);
    await page.getByTestId("traffic-field-2").fill(items);
    if (handler !== null) await page.getByTestId("traffic-lua").fill(handler);
    await page.evaluate(() => {
      const tasks: number[] = [];
      Object.assign(window, { tasks });
      new PerformanceObserver((list) => list.getEntries().forEach((entry) => tasks.push(entry.duration))).observe({ entryTypes: ["longtask"] });
    });
    const began = Date.now();
    await page.getByTestId("traffic-run").click();
    await expect(page.getByTestId("description")).toContainText("requests came", { timeout: 390_000 });
    figure(`${name}: run`, [Date.now() - began]);
    await page.waitForTimeout(500);
    const tasks = await page.evaluate(() => (window as unknown as { tasks: number[] }).tasks);
    console.log(`${name}: ${tasks.length} tasks over 50 ms, the longest ${Math.round(Math.max(0, ...tasks))} ms; ${await page.getByTestId("description").textContent()}`);
  });
}
