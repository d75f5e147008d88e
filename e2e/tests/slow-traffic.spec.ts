// Traffic whose handler is slow: long scripts, long loops, and a large table. The page keeps drawing, and traffic can be stopped.
import type { Page } from "@playwright/test";
import { expect, test } from "../support/fixtures.ts";
import { frames } from "../support/frames.ts";
import type { Stage } from "../support/stage.ts";

/** Sets up traffic with this handler. */
async function open(stage: Stage, rate: string, duration: string, items: string, handler: string): Promise<void> {
  const { page } = stage;
  await stage.open("en");
  await page.getByTestId("traffic-toggle").click();
  await page.getByTestId("traffic-field-0").fill(rate);
  await page.getByTestId("traffic-field-1").fill(duration);
  await page.getByTestId("traffic-field-2").fill(items);
  await page.getByTestId("traffic-lua").fill(handler);
}

/** Waits until traffic no longer runs. */
async function over(page: Page): Promise<void> {
  await expect(page.getByTestId("description")).toContainText("requests came", { timeout: 120_000 });
  await expect(page.getByTestId("long-script")).toHaveCount(0);
}

/** A reload shows the same session at the same time, with the same figures. */
async function sameAfterReload(page: Page): Promise<void> {
  const description = (await page.getByTestId("description").textContent()) ?? "";
  const now = (await page.getByTestId("traffic-now").textContent()) ?? "";
  await page.reload();
  await expect(page.getByTestId("traffic-now")).toHaveText(now, { timeout: 120_000 });
  await expect(page.getByTestId("description")).toHaveText(description);
}

test("a script that never ends does not block the page, and traffic can be stopped while it runs", async ({ stage }) => {
  const { page } = stage;
  const handler = `function get(id)
  local n = redis.call('INCR', 'n')
  if n > 40 then redis.call('EVAL', 'while true do end', 0) end
  return tostring(redis.call('EVAL', 'return redis.call("GET", "n")', 0))
end`;
  await open(stage, "20", "60s", "1000", handler);
  const strip = page.getByTestId("long-script");
  await page.getByTestId("traffic-run").click();
  await expect(strip).toBeVisible();
  // It is in the script now: the figures stand still while frames are drawn. Without pauses, no frame would be drawn for seconds.
  const seen = () => strip.textContent();
  let last = "";
  await expect
    .poll(async () => {
      const before = last;
      last = (await seen()) ?? "";
      return last === before && /\d/.test(last);
    })
    .toBe(true);
  const before = await frames(page);
  await expect.poll(() => frames(page)).toBeGreaterThan(before + 10);
  await page.getByTestId("long-script-stop").click();
  await expect(page.getByTestId("notices")).toContainText("Traffic was stopped here.");
  await over(page);
  await sameAfterReload(page);
});

test("long scripts and loops of a handler leave the same session after a reload", async ({ stage }) => {
  const { page } = stage;
  const handler = `function get(id)
  for n = 1, 20000 do end
  now()
  local script = "for n = 1, 3000 do redis.call('SET', 'k' .. n, n) end return redis.call('DBSIZE')"
  return tostring(redis.call('EVAL', script, 0))
end`;
  await open(stage, "10", "3s", "1000", handler);
  await page.getByTestId("traffic-run").click();
  await over(page);
  await expect(page.getByTestId("traffic-faults")).toHaveCount(0);
  await stage.expect("c1", "DBSIZE", "(integer) 3000");
  await stage.expect("c1", "GET k3000", '"3000"');
});

test("a single event whose handler takes long does not block the page, and can be stopped", async ({ stage }) => {
  const { page } = stage;
  const handler = `function get(id)
  local n = 0
  for i = 1, 900 do
    for j = 1, 60000 do n = n + 1 end
    now()
  end
  return redis.call('GET', 'item:' .. id) or tostring(n)
end`;
  await open(stage, "1", "100ms", "1000", handler);
  await page.getByTestId("traffic-run").click();
  await over(page);
  const strip = page.getByTestId("long-script");
  const position = () => page.getByTestId("track").inputValue();
  /** Steps until an event takes long. */
  const step = async (): Promise<void> => {
    await expect(async () => {
      if (!(await strip.isVisible())) {
        await page.getByTestId("traffic-step").click();
      }
      await expect(strip).toBeVisible({ timeout: 300 });
    }).toPass();
  };
  await step();
  const before = await frames(page);
  await expect.poll(() => frames(page)).toBeGreaterThan(before + 10);
  await expect(strip).toBeVisible();
  const stopped = await position();
  await page.getByTestId("long-script-stop").click();
  await expect(page.getByTestId("notices")).toContainText("Traffic was stopped here.");
  await expect(strip).toHaveCount(0);
  expect(await position()).toBe(stopped);
  await step();
  await expect(strip).toHaveCount(0, { timeout: 120_000 });
  expect(await position()).not.toBe(stopped);
  await expect(page.getByTestId("traffic-faults")).toHaveCount(0);
  await sameAfterReload(page);
});

test("a table of 200,000 items is filled before traffic begins, and again after a smaller one", async ({ stage }) => {
  const { page } = stage;
  const handler = `local db = connect('db')
function get(id)
  local rows = db.query('SELECT value FROM item WHERE id = ?', 200001 - tonumber(id))
  return rows[1] and rows[1].value
end`;
  await open(stage, "20", "2s", "200000", handler);
  await page.getByTestId("traffic-run").click();
  await over(page);
  await expect(page.getByTestId("traffic-faults")).toHaveCount(0);
  await sameAfterReload(page);
  // A smaller table, and the large one again. Each run takes a time of its own, so that no run is taken for the one before it.
  for (const [items, duration] of [
    ["12000", "3s"],
    ["200000", "4s"],
  ] as const) {
    await page.getByTestId("traffic-set-open").click();
    await page.getByTestId("traffic-field-1").fill(duration);
    await page.getByTestId("traffic-field-2").fill(items);
    await page.getByTestId("traffic-run").click();
    await expect(page.getByTestId("traffic-now")).toContainText(`At 0:00:0${duration.slice(0, 1)}`, { timeout: 120_000 });
    await over(page);
  }
  await sameAfterReload(page);
});
