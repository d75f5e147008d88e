// Operations per second in Chromium: our model, called from JavaScript line by line, compared with ioredis-mock in the same page.
import { test } from "@playwright/test";
import { figure } from "../support/figures.ts";
import { onBenchPage } from "../support/bench.ts";

/** The command, the preparation, and a line in which `#` is replaced by a number below 10,000. */
const CASES: [string, string[], string][] = [
  ["SET", [], "SET key:# value"],
  ["GET", ["SET key:7 value"], "GET key:7"],
  ["INCR", [], "INCR counter"],
  ["LPUSH", [], "LPUSH list element"],
  ["HSET", [], "HSET hash field:# value"],
  ["ZADD", [], "ZADD zset # member:#"],
  ["ZRANK", ["ZADD zset 1 a 2 b 3 c"], "ZRANK zset b"],
];

test("commands per second, the model beside ioredis-mock", async ({ browser }) => {
  await onBenchPage(browser, "measure", async (page) => {
    console.log("command     model in wasm   model from JS   ioredis-mock    ratio (from JS)");
    for (const [name, before, line] of CASES) {
      const rates = await page.evaluate(([before, line]) => (window as any).measure(before, line), [before, line] as const);
      const shown = [rates.inside, rates.called, rates.mock].map((rate: number) => `${(rate / 1000).toFixed(0)} k/s`.padStart(14));
      console.log(`${name.padEnd(8)} ${shown.join("  ")}  ${(rates.called / rates.mock).toFixed(1).padStart(8)}x`);
    }
    for (const keys of [10_000, 100_000]) {
      figure(`one step with ${keys} keys, the new state alone`, await page.evaluate((keys) => (window as any).measureSteps(keys, 2_000), keys));
    }
  });
});
