// Traffic in Chromium: a million requests come to what they come to natively.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "@playwright/test";
import { onBenchPage } from "../support/bench.ts";

const file = (path: string) => fileURLToPath(new URL(path, import.meta.url));
/** The figures that `cargo xtask bench traffic` finds too. */
const EXPECTED = readFileSync(file("../../crates/page-bench/src/traffic.txt"), "utf8").trim().split("\n");

test("a million requests through a cache", async ({ browser }) => {
  await onBenchPage(browser, "traffic", async (page) => {
    for (const expected of EXPECTED) {
      const [handler, arrived] = expected.split(" ");
      const { found, took } = await page.evaluate((handler) => (window as any).traffic(handler), handler);
      expect(found).toBe(expected);
      console.log(`${handler}: the same figures as natively, ${Math.round((Number(arrived) / took) * 1000)} requests/s`);
    }
  });
});
