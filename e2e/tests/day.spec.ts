// A teacher's demonstration of the cache avalanche, on the projector and in Chinese: a day of a million requests, the peak opened request by
// request, a random TTL, both runs compared, and a link to all of it.
import type { Page } from "@playwright/test";
import { Course } from "../support/course.ts";
import { expect, test } from "../support/fixtures.ts";
import { textBelow } from "../support/sight.ts";
import { SIZES, Stage } from "../support/stage.ts";
import { watch } from "../support/watch.ts";

const LESSON = "cache/avalanche";

/** Runs a day, from 23:00 to 23:00; other tests may run beside this one. */
async function run(page: Page): Promise<void> {
  await page.getByTestId("traffic-run").click();
  await expect(page.getByTestId("long-script")).toHaveCount(1);
  await expect(page.getByTestId("long-script")).toHaveCount(0, { timeout: 300_000 });
  await expect(page.getByTestId("traffic-now")).toContainText("23:00:00");
}

async function form(page: Page): Promise<void> {
  if (!(await page.getByTestId("traffic-setup").isVisible())) await page.getByTestId("traffic-set-open").click();
}

test.use({ viewport: SIZES.projector, locale: "zh-CN" });

test("a day of a million requests falls over at 01:00, is repaired, compared and shared", async ({ stage, browser }) => {
  test.setTimeout(900_000);
  const { page } = stage;
  const course = new Course(stage);
  await course.open(LESSON, "zh-CN");
  await page.getByTestId("projector").click();
  await page.getByTestId("traffic").scrollIntoViewIfNeeded();
  await form(page);
  await page.getByTestId("traffic-scenario").selectOption({ label: "缓存雪崩：一整天，一百万个请求" });
  // With the lesson's own servers the run stays in its session.
  await expect(page.getByTestId("clock")).toContainText("23:00:00");
  await run(page);

  // From the last interval back to the peak of the database's queue, right after 01:00.
  const queue = page.getByTestId("traffic").getByRole("slider", { name: "排队峰值" });
  await queue.focus();
  await page.keyboard.press("Home");
  for (let press = 0; press < 11; press++) await page.keyboard.press("PageUp");
  const text = async () => (await queue.getAttribute("aria-valuetext")) ?? "";
  for (let press = 0; press < 10 && !/^01:0/.test(await text()); press++) await page.keyboard.press("ArrowRight");
  await expect(queue).toHaveAttribute("aria-valuetext", /^01:0\d:\d\d; 数据库中的语句 64/);
  await page.keyboard.press("Enter");
  await expect(page.getByTestId("traffic-now")).toContainText("时刻 01:0");
  const description = page.getByTestId("description");
  for (let step = 0; step < 5; step++) {
    const before = (await description.textContent()) ?? "";
    await page.getByTestId("traffic-step").click();
    await expect(description).not.toHaveText(before);
  }

  // A random part of the TTL, and the same day again.
  await form(page);
  const lua = page.getByTestId("traffic-lua");
  await lua.fill((await lua.inputValue()).replace("row.ttl = 7200", "row.ttl = 7200 + hash(row.id) % 3600"));
  await run(page);
  await expect(page.getByTestId("traffic-compare")).toBeVisible();
  const compared = page.getByTestId("traffic-compared");
  await expect(compared).toBeVisible();
  const errors = compared.getByRole("row", { name: /出错请求数/ });
  await expect(errors.getByRole("cell").first()).toHaveText("0");
  const [repaired, broken] = [0, 1].map((nth) => errors.getByRole("cell").nth(nth));
  expect(Number((await broken?.textContent())?.replaceAll(",", ""))).toBeGreaterThan(20_000);
  await expect(repaired!).toHaveText("0");

  // In focus mode the last row of a hall can read it.
  await page.getByTestId("focus").click();
  await course.show("traffic");
  await expect(compared).toBeVisible();
  expect(await textBelow(page, 22)).toEqual([]);
  await page.getByTestId("focus").click();

  // The recipient of the link sees both days.
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.getByTestId("share").click();
  await page.getByTestId("copy-link").click();
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toContain(`#learn/${LESSON}?s=`);
  const link = await page.evaluate(() => navigator.clipboard.readText());
  expect(link.length).toBeLessThan(2_000);
  const context = await browser.newContext({ locale: "zh-CN", viewport: SIZES.laptop });
  const other = new Stage(await context.newPage());
  const complaints = watch(other.page);
  await other.page.goto(link);
  // Both days are computed again; meanwhile the page tells how far it is.
  await expect(new Course(other).lesson()).toBeVisible({ timeout: 300_000 });
  const cells = (page: Page) => page.getByTestId("traffic-compared").getByRole("cell").allTextContents();
  await expect(other.page.getByTestId("traffic-compared")).toBeVisible({ timeout: 300_000 });
  expect(await cells(other.page)).toEqual(await cells(page));
  expect(complaints).toEqual([]);
  await context.close();
});
