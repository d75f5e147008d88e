// Traffic in Chromium: a million requests come to what they come to natively.
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "@playwright/test";
import { startServer } from "../support/server.ts";

const file = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const BUILT = process.env.LOCKSTEP_PAGE_BENCH ?? file("../../target/page-bench/");
/** The figures that `cargo xtask bench traffic` finds too. */
const EXPECTED = readFileSync(file("../../crates/page-bench/src/traffic.txt"), "utf8").trim().split("\n");

test("a million requests through a cache", async ({ browser }) => {
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
  await page.waitForFunction(() => "traffic" in window, undefined, { timeout: 20_000 });
  for (const expected of EXPECTED) {
    const [handler, arrived] = expected.split(" ");
    const { found, took } = await page.evaluate((handler) => (window as any).traffic(handler), handler);
    expect(found).toBe(expected);
    console.log(`${handler}: the same figures as natively, ${Math.round((Number(arrived) / took) * 1000)} requests/s`);
  }
  await page.close();
  server.close();
});
