// A crowd in Chromium: 100,000 messages to a hundred consumers come to the ledger that they come to natively.
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "@playwright/test";
import { startServer } from "../support/server.ts";

const file = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const BUILT = process.env.LOCKSTEP_PAGE_BENCH ?? file("../../target/page-bench/");
/** The ledgers that `cargo xtask bench crowds` finds too. */
const EXPECTED = readFileSync(file("../../crates/page-bench/src/crowd.txt"), "utf8").trim().split("\n");

test("100,000 messages and a hundred consumers", async ({ browser }) => {
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
  await page.waitForFunction(() => "crowd" in window, undefined, { timeout: 20_000 });
  for (const [nth, expected] of EXPECTED.entries()) {
    const { found, took } = await page.evaluate((seed) => (window as any).crowd(seed), nth + 1);
    expect(found).toBe(expected);
    console.log(`seed ${nth + 1}: the same ledger as natively, ${(took / 1000).toFixed(1)} s`);
  }
  await page.close();
  server.close();
});
