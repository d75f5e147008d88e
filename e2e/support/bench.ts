// The page of benches that call the model from JavaScript: `cargo xtask bench page` builds the module that it loads.
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, type Browser, type Page } from "@playwright/test";
import { startServer } from "./server.ts";

const file = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const BUILT = process.env.LOCKSTEP_PAGE_BENCH ?? file("../../target/page-bench/");

/** Opens the page, waits for this function of it, runs the callback, and closes everything. */
export async function onBenchPage(browser: Browser, name: string, use: (page: Page) => Promise<void>): Promise<void> {
  expect(existsSync(`${BUILT}page_bench.js`), "`cargo xtask bench page` builds this").toBe(true);
  const { server, url } = await startServer({
    "bench.html": file("../bench/bench.html"),
    "page_bench.js": `${BUILT}page_bench.js`,
    "page_bench_bg.wasm": `${BUILT}page_bench_bg.wasm`,
    "ioredis-mock.js": file("../node_modules/ioredis-mock/browser.js"),
  });
  const page = await browser.newPage();
  page.on("pageerror", (error) => console.log(`uncaught: ${error.message}`));
  await page.goto(`${url}bench.html`);
  await page.waitForFunction((name) => name in window, name, { timeout: 20_000 });
  await use(page);
  await page.close();
  server.close();
}
