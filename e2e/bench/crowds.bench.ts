// A crowd in Chromium: 100,000 messages to a hundred consumers produce the same ledger as natively.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "@playwright/test";
import { onBenchPage } from "../support/bench.ts";

const file = (path: string) => fileURLToPath(new URL(path, import.meta.url));
/** The ledgers, which must equal those of `cargo xtask bench crowds`. */
const EXPECTED = readFileSync(file("../../crates/page-bench/src/crowd.txt"), "utf8").trim().split("\n");

test("100,000 messages and a hundred consumers", async ({ browser }) => {
  await onBenchPage(browser, "crowd", async (page) => {
    for (const [nth, expected] of EXPECTED.entries()) {
      const { found, took } = await page.evaluate((seed) => (window as any).crowd(seed), nth + 1);
      expect(found).toBe(expected);
      console.log(`seed ${nth + 1}: the same ledger as natively, ${(took / 1000).toFixed(1)} s`);
    }
  });
});
