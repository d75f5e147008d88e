// The decisive order: a loaded counterexample has two steps marked and linked in the lanes, with one sentence in the verdict;
// on the learner's own branch there is no mark.
import type { Locator } from "@playwright/test";
import { violations } from "../support/axe.ts";
import { Course } from "../support/course.ts";
import { expect, test } from "../support/fixtures.ts";
import { SIZES, type Language, type Stage } from "../support/stage.ts";

const SENTENCES = {
  en: "Steps 2 and 3 decide: if 3 came before 2, this would hold.",
  "zh-CN": "关键在第 2 步与第 3 步的先后：第 3 步要是先执行，这条性质就不会被破坏。",
};

/** Finds the counterexample of the open lesson and loads it. */
async function load({ page }: Stage) {
  await page.getByTestId("explore-find").click();
  await expect(page.getByTestId("explore-result")).toHaveAttribute("data-finding", "broken", { timeout: 60_000 });
  await page.getByTestId("explore-load").click();
}

/** The sentence, and the marked steps in the lanes. */
const marks = ({ page }: Stage) => ({
  sentence: page.getByTestId("verdict-order"),
  numbers: page.getByTestId("lanes").getByTestId("lane-order"),
  link: page.getByTestId("lanes-bars").getByTestId("lane-link"),
});

for (const language of Object.keys(SENTENCES) as Language[]) {
  test(`the two decisive steps are marked, linked and described (${language})`, async ({ stage }) => {
    const { page } = stage;
    const course = new Course(stage);
    await course.open("locks/oversell", language);
    const { sentence, numbers, link } = marks(stage);
    await expect(sentence).toHaveCount(0);
    await load(stage);
    await expect(sentence).toHaveText([SENTENCES[language]]);
    await expect(numbers).toHaveText(["2", "3"]);
    // From the middle of the one to the middle of the other.
    const middle = async (number: Locator) => number.evaluate((element) => {
      const { top, bottom } = element.getBoundingClientRect();
      return (top + bottom) / 2;
    });
    const [first, second] = [await middle(numbers.first()), await middle(numbers.last())];
    const box = (await link.boundingBox()) ?? { y: 0, height: 0 };
    expect(Math.abs(box.y - first)).toBeLessThan(5);
    expect(Math.abs(box.y + box.height - second)).toBeLessThan(5);
    // Screen readers hear it with the rows.
    const other = { en: "What matters is its order with step 3.", "zh-CN": "它与第 3 步的先后是关键。" }[language];
    await expect(page.getByTestId("lanes").getByRole("option").filter({ hasText: other })).toHaveCount(1);
    expect(await violations(page)).toEqual([]);

    // At every position on that branch.
    await page.getByTestId("last").click();
    await expect(course.broken()).not.toHaveCount(0);
    await expect(numbers).toHaveText(["2", "3"]);
    await page.getByTestId("first").click();
    await expect(numbers).toHaveText(["2", "3"]);
    // The learner takes the steps of the schedule by hand: it is still the same branch.
    await page.getByTestId("forward").click();
    await expect(numbers).toHaveText(["2", "3"]);

    // A different step creates another branch, and the old one is still there.
    await page.keyboard.press("Digit1");
    await expect(numbers).toHaveCount(0);
    await expect(sentence).toHaveCount(0);
    await expect(link).toHaveCount(0);
    await page.getByRole("button", { name: /^(Another future|从这里)/ }).first().click();
    await expect(numbers).toHaveText(["2", "3"]);
    await expect(sentence).toHaveText([SENTENCES[language]]);

    // After a reload it is no longer known, and no sentence is shown.
    await page.reload();
    await expect(page.getByTestId("lanes").getByRole("option")).toHaveCount(4);
    await expect(numbers).toHaveCount(0);
    await expect(sentence).toHaveCount(0);
  });
}

test("the marks fit a phone and a projector", async ({ stage }) => {
  const course = new Course(stage);
  for (const size of [SIZES.phone, SIZES.projector]) {
    await stage.page.setViewportSize(size);
    await course.open("locks/oversell", "en");
    if (size === SIZES.phone) await stage.page.getByTestId("tab-verdict").click();
    await load(stage);
    await expect(marks(stage).sentence).toBeVisible();
    if (size === SIZES.phone) await stage.page.getByTestId("tab-above").click();
    await expect(marks(stage).link).toBeVisible();
    expect(await course.overflow()).toBeLessThanOrEqual(0);
  }
});
