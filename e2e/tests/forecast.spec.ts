// A table to forecast before one script of faults runs against all rows: using only the keyboard, wrong at first, on a phone and a
// projector.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Locator, Page } from "@playwright/test";
import { violations } from "../support/axe.ts";
import { Course } from "../support/course.ts";
import { expect, test } from "../support/fixtures.ts";
import { tabTo } from "../support/keys.ts";
import { type Language, SIZES } from "../support/stage.ts";

const LESSON = "messaging/compare";
const FATES = ["lost", "repeated", "disordered"];

/** Keys of the rows and their expected results, as measured by `lesson check`. */
const ROWS = (() => {
  const toml = readFileSync(fileURLToPath(new URL(`../../lessons/${LESSON}/lesson.toml`, import.meta.url)), "utf8");
  const rows = [...toml.matchAll(/\{ key = "([^"]+)".*expect = \[(.*?)\]/g)];
  return rows.map(([, key = "", expected = ""]) => ({ key, expect: FATES.map((fate) => expected.includes(`"${fate}"`)) }));
})();
const ANSWERS = ROWS.flatMap((row) => row.expect);
const CELLS = ANSWERS.length;

/** The numbers in the cells, row by row. */
async function figures(card: Locator): Promise<number[]> {
  const cells = await card.getByTestId("forecast-cell").locator("b").allInnerTexts();
  return cells.map(Number);
}

/** The same numbers, as the ledger in the river shows them by key. */
async function ledger(page: Page): Promise<number[]> {
  const rows = page.getByTestId("river-keys").locator("tbody tr");
  const cells = await rows.evaluateAll((all) => all.map((row) => [...row.children].map((cell) => cell.lastChild?.textContent ?? "")));
  return ROWS.flatMap(({ key }) => {
    const [, , , repeated, open, disordered] = cells.find(([name]) => name === key) ?? [];
    return [open, repeated, disordered].map(Number);
  });
}

test("a table is forecast using only the keyboard, and every cell is right", async ({ stage }) => {
  const { page } = stage;
  const course = new Course(stage);
  await course.open(LESSON, "en");
  const card = page.getByTestId("task-table");
  const [ticks, run] = [card.getByTestId("forecast-tick"), card.getByTestId("forecast-run")];
  await expect(ticks).toHaveCount(CELLS);
  expect(CELLS).toBe(12);
  await expect(card.getByTestId("solution")).toBeDisabled();
  // Each box says its row and its column.
  for (const column of ["lost", "more than once", "out of order"]) {
    await expect(card.getByRole("checkbox", { name: new RegExp(`^.+ ${column}$`) })).toHaveCount(ROWS.length);
  }
  for (const [nth, answer] of ANSWERS.entries()) {
    if (!answer) continue;
    await tabTo(ticks.nth(nth));
    await page.keyboard.press("Space");
    await expect(ticks.nth(nth)).toBeChecked();
  }
  // No result is shown before the script has run.
  await expect(card.locator("[data-mark]")).toHaveCount(0);
  await tabTo(run);
  await page.keyboard.press("Enter");
  await expect(card.getByTestId("forecast-sum")).toContainText("12 of 12 right");
  await expect(card.getByTestId("forecast-sum")).toBeInViewport({ ratio: 0.9 });
  await expect(card.locator('[data-mark="right"]')).toHaveCount(CELLS);
  await expect(card.getByTestId("task-done")).toHaveAttribute("data-how", "right");
  await expect(run).toBeFocused();
  await expect(ticks.first()).toHaveAccessibleDescription(/You were right about it/);
  // The explanation is open.
  await expect(card.getByRole("heading", { name: "Solution" })).toBeVisible();
  expect((await figures(card)).map((count) => count > 0)).toEqual(ANSWERS);
  await expect.poll(() => ledger(page)).toEqual(await figures(card));
  expect(await violations(page)).toEqual([]);
});

for (const language of ["en", "zh-CN"] as Language[]) {
  test(`no tick is an answer too, and the first one counts (${language})`, async ({ stage }) => {
    const { page } = stage;
    const course = new Course(stage);
    await course.open(LESSON, language);
    const card = page.getByTestId("task-table");
    const [ticks, run, sum] = [card.getByTestId("forecast-tick"), card.getByTestId("forecast-run"), card.getByTestId("forecast-sum")];
    const right = (n: number) => (language === "en" ? `${n} of 12 right` : `12 格中答对 ${n} 格`);
    const missed = ANSWERS.filter((answer) => answer).length;
    await run.click();
    await expect(sum).toContainText(right(CELLS - missed));
    await expect(card.locator('[data-mark="wrong"]')).toHaveCount(missed);
    await expect(card.getByTestId("task-done")).toHaveAttribute("data-how", "wrong");
    const counted = await figures(card);
    await expect.poll(() => ledger(page)).toEqual(counted);
    // Another forecast shows no result until it has run.
    for (const [nth, answer] of ANSWERS.entries()) if (answer) await ticks.nth(nth).click();
    await expect(card.locator("[data-mark]")).toHaveCount(0);
    await run.click();
    await expect(sum).toContainText(right(CELLS));
    expect(await figures(card)).toEqual(counted);
    await expect(card.getByTestId("task-done")).toHaveAttribute("data-how", "wrong");
    // The first answer is still there, and so are the numbers.
    await page.reload();
    await expect(sum).toContainText(right(CELLS - missed));
    await expect(ticks.and(page.locator('[aria-checked="true"]'))).toHaveCount(0);
    expect(await figures(card)).toEqual(counted);
    // The list of messages opens below the keys, and the keys stay.
    const river = page.getByTestId("river-ledger");
    await river.locator("details summary").click();
    await expect(river.getByRole("row")).not.toHaveCount(ROWS.length + 1);
    await expect(page.getByTestId("river-keys")).toBeVisible();
  });
}

for (const size of [SIZES.phone, SIZES.projector]) {
  test(`the table fits ${size.width} pixels`, async ({ stage }) => {
    const { page } = stage;
    await page.setViewportSize(size);
    const course = new Course(stage);
    await course.open(LESSON, "en");
    if (size === SIZES.projector) await page.getByTestId("projector").click();
    const card = page.getByTestId("task-table");
    await card.getByTestId("forecast-run").click();
    await expect(card.locator("[data-mark]")).toHaveCount(CELLS);
    expect(await course.overflow()).toBeLessThanOrEqual(0);
    // No cell and no heading is wider than its place, and no word is broken.
    const spilt = await card.locator("th, td").evaluateAll((cells) => cells.filter((cell) => cell.scrollWidth > cell.clientWidth + 1).map((cell) => cell.textContent));
    expect(spilt).toEqual([]);
    const small = await card.getByTestId("forecast-tick").evaluateAll((ticks) => ticks.filter((tick) => tick.getBoundingClientRect().height < 24).length);
    expect(small).toBe(0);
  });
}
