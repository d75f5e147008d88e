// Operations per second in Chromium: our model, called from JavaScript line by line, beside ioredis-mock in the same page.
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "@playwright/test";
import { figure } from "../support/figures.ts";
import { startServer } from "../support/server.ts";

const file = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const BUILT = process.env.LOCKSTEP_PAGE_BENCH ?? file("../../target/page-bench/");

/** Command, the words before it is measured, and a line with `#` where a number below 10,000 goes. */
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
  expect(existsSync(`${BUILT}page_bench.js`), "`cargo xtask bench page` builds this").toBe(true);
  const { server, url } = await startServer({
    "bench.html": file("./bench.html"),
    "page_bench.js": `${BUILT}page_bench.js`,
    "page_bench_bg.wasm": `${BUILT}page_bench_bg.wasm`,
    "ioredis-mock.js": file("../node_modules/ioredis-mock/browser.js"),
  });
  const page = await browser.newPage();
  page.on("pageerror", (error) => console.log(`uncaught: ${error.message}`));
  await page.goto(`${url}bench.html`);
  await page.waitForFunction(() => "measure" in window, undefined, { timeout: 20_000 });
  console.log("command     model in wasm   model from JS   ioredis-mock    ratio (from JS)");
  for (const [name, before, line] of CASES) {
    const rates = await page.evaluate(([before, line]) => (window as any).measure(before, line), [before, line] as const);
    const shown = [rates.inside, rates.called, rates.mock].map((rate: number) => `${(rate / 1000).toFixed(0)} k/s`.padStart(14));
    console.log(`${name.padEnd(8)} ${shown.join("  ")}  ${(rates.called / rates.mock).toFixed(1).padStart(8)}x`);
  }
  for (const keys of [10_000, 100_000]) {
    figure(`one step with ${keys} keys, the new state alone`, await page.evaluate((keys) => (window as any).measureSteps(keys, 2_000), keys));
  }
  await page.close();
  server.close();
});
