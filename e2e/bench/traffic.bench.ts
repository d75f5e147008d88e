// Traffic in Chromium: a million requests produce the same figures as natively; and their time in a session of the page.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "@playwright/test";
import { onBenchPage } from "../support/bench.ts";
import { figure } from "../support/figures.ts";
import { Stage } from "../support/stage.ts";

const file = (path: string) => fileURLToPath(new URL(path, import.meta.url));
/** The figures, which must equal those of `cargo xtask bench traffic`. */
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

for (const [name, rate, duration] of [
  ["1,000 requests/s for 1,000 s", "1000", "1000s"],
  ["12 requests/s for a day", "12", "24h"],
] as const) {
  test(`a million requests in a session: ${name}`, async ({ browser }) => {
    const page = await (await browser.newContext({ viewport: { width: 1280, height: 800 } })).newPage();
    const stage = new Stage(page);
    await stage.open();
    await page.getByTestId("traffic-toggle").click();
    await page.getByTestId("traffic-field-0").fill(rate);
    await page.getByTestId("traffic-field-1").fill(duration);
    await page.evaluate(() => {
      const tasks: number[] = [];
      Object.assign(window, { tasks });
      new PerformanceObserver((list) => list.getEntries().forEach((entry) => tasks.push(entry.duration))).observe({ entryTypes: ["longtask"] });
    });
    const description = page.getByTestId("description");
    let began = Date.now();
    const passed = () => Date.now() - began;
    await page.getByTestId("traffic-run").click();
    await expect(description).toContainText("requests came", { timeout: 300_000 });
    console.log(`${name}: ${await description.textContent()}`);
    figure(`${name}: run`, [passed()]);
    const tasks = await page.evaluate(() => (window as unknown as { tasks: number[] }).tasks);
    console.log(`tasks over 50 ms: ${tasks.length}, the longest ${Math.round(Math.max(0, ...tasks))} ms`);
    const chart = page.getByTestId("traffic").getByRole("slider").first();
    await chart.scrollIntoViewIfNeeded();
    began = Date.now();
    await chart.click();
    await expect(description).toContainText(/comes to machine|executes|receives|answers/, { timeout: 60_000 });
    figure(`${name}: a moment in the middle`, [passed()]);
    began = Date.now();
    await page.reload();
    await expect(page.getByTestId("traffic-now")).toBeVisible({ timeout: 300_000 });
    figure(`${name}: opened again`, [passed()]);
  });
}

test("running traffic is stopped", async ({ browser }) => {
  const page = await (await browser.newContext({ viewport: { width: 1280, height: 800 } })).newPage();
  const stage = new Stage(page);
  await stage.open();
  await page.getByTestId("traffic-toggle").click();
  await page.getByTestId("traffic-field-0").fill("1000");
  await page.getByTestId("traffic-field-1").fill("1000s");
  const took: number[] = [];
  for (let round = 0; round < 12; round += 1) {
    if (!(await page.getByTestId("traffic-setup").isVisible())) await page.getByTestId("traffic-set-open").click();
    await page.getByTestId("traffic-run").click();
    await expect(page.getByTestId("long-script")).toBeVisible();
    await page.waitForTimeout(200 + 37 * round);
    // From the press to the frame in which nothing runs any more.
    took.push(
      await page.evaluate(async () => {
        const began = performance.now();
        document.querySelector<HTMLElement>('[data-testid="long-script-stop"]')?.click();
        while (document.querySelector('[data-testid="long-script"]')) await new Promise(requestAnimationFrame);
        return performance.now() - began;
      }),
    );
    await expect(page.getByTestId("notices")).toContainText("Traffic was stopped here.");
  }
  figure("from the press on Stop to the stopped session, drawn", took);
});
