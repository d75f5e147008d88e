// Accessibility of the lab: axe finds no violations in any lesson, with everything unfolded; all works using only the keyboard, with
// the focus never lost and each step read out.
import type { Locator } from "@playwright/test";
import { violations } from "../support/axe.ts";
import { Course, LESSONS, hasPrograms } from "../support/course.ts";
import { expect, test } from "../support/fixtures.ts";
import { tabTo } from "../support/keys.ts";
import { SIZES, type Language } from "../support/stage.ts";

const LOOKS: [Language, "light" | "dark"][] = [["en", "light"], ["zh-CN", "dark"]];
/** One lesson is tested in each language and each theme. */
const EVERY_LOOK: [Language, "light" | "dark"][] = [...LOOKS, ["en", "dark"], ["zh-CN", "light"]];

// Without fades, so that axe sees the final colours.
test.use({ contextOptions: { reducedMotion: "reduce" } });

/** Presses each of these elements that is enabled, until it is pressed or gone. The last comes first, so that an element that
 * disappears does not move those before it. */
async function pressAll(buttons: Locator): Promise<void> {
  for (const button of (await buttons.all()).reverse()) {
    if (await button.isEnabled()) await button.click();
  }
}

async function nothingToObject(course: Course): Promise<void> {
  expect(await violations(course.stage.page)).toEqual([]);
  expect(await course.overflow()).toBeLessThanOrEqual(0);
}

for (const [nth, lesson] of LESSONS.entries()) {
  for (const [language, scheme] of lesson === "locks/set-nx-ex" ? EVERY_LOOK : LOOKS) {
    // Search results, editors and panels in front take most of the time: each lesson has them in one of the languages, by turns.
    const isSearched = (language === "en") === (nth % 2 === 0);
    test.describe(() => {
      test.use({ colorScheme: scheme });
      test(`axe finds no violations in ${lesson} (${language}, ${scheme})`, async ({ stage }) => {
        test.setTimeout(300_000);
        const course = new Course(stage);
        const { page } = stage;
        await course.open(lesson, language);
        await nothingToObject(course);

        // A story that has begun, the list of steps, and what the search has found.
        await course.turnTo("story");
        await page.getByTestId("story-next").click();
        await page.getByTestId("steps").click();
        await expect(page.getByTestId("step-list")).toBeVisible();
        const isPlayed = hasPrograms(lesson);
        if (isPlayed && isSearched) {
          await page.getByTestId("explore-find").click();
          await expect(page.getByTestId("explore-result")).toHaveAttribute("data-finding", /broken|nothing|cut/, { timeout: 100_000 });
          await page.getByTestId("explorer-limits").locator("summary").click();
        }
        await nothingToObject(course);

        // Tasks with every hint and solution, a program that is being changed, requests one by one, the menu of a client.
        await course.turnTo("flow");
        while (await page.getByTestId("hint").count()) await page.getByTestId("hint").first().click();
        await pressAll(page.getByTestId("solution"));
        await pressAll(page.getByTestId("predict").getByTestId("put-on-stage").first());
        await pressAll(page.getByTestId("choice").first());
        await pressAll(page.getByTestId("fix-tick").first());
        await pressAll(page.getByTestId("choose-answer"));
        await pressAll(page.getByTestId("forecast-tick").first());
        await pressAll(page.getByTestId("forecast-run"));
        while (await page.getByTestId("open-section").count()) await page.getByTestId("open-section").first().click();
        for (const code of await page.getByTestId("fix").locator("summary").all()) await code.click();
        if (isSearched) await pressAll(page.getByTestId("repair-check"));
        for (const result of isSearched ? await page.getByTestId("repair-result").all() : []) {
          await expect(result.locator("[data-verdict]").last()).toHaveAttribute("data-verdict", /broken|untested/, { timeout: 100_000 });
        }
        await nothingToObject(course);
        if (!isPlayed || !isSearched) return;
        await pressAll(page.getByTestId("repair-change"));
        await course.show("programs");
        await page.getByTestId("fine").click();
        const card = page.getByTestId("programs").getByRole("article");
        await card.first().getByTestId("edit").click();
        await expect(card.first().getByTestId("script-text")).toBeVisible();
        await nothingToObject(course);
        // An open menu covers the elements below it, and a half covered element is too small a target until the menu closes.
        const more = page.getByTestId("programs").locator("article + article").first().getByTestId("program-menu");
        await more.click();
        expect(await violations(page, '[data-testid="program-acts"]:popover-open')).toEqual([]);
        await more.click();

        // Two schedules side by side, and the other panels in front.
        if (await page.getByTestId("explore-load").count()) {
          await page.getByTestId("explore-load").click();
          await page.getByTestId("last").click();
        }
        await course.show("lanes");
        if (await page.getByTestId("compare").count()) {
          await page.getByTestId("compare").click();
          await expect(page.getByTestId("side-by-side")).toBeVisible();
        }
        await course.show("terminals");
        await nothingToObject(course);
        await course.show("queue");
        await nothingToObject(course);
      });
    });
  }
}

test("axe finds no violations in the dialogs and on a phone", async ({ stage }) => {
  const course = new Course(stage);
  const { page } = stage;
  for (const size of [SIZES.laptop, SIZES.phone]) {
    await page.setViewportSize(size);
    await course.open("locks/set-nx-ex", "en");
    for (const dialog of ["share", "sessions", "help"]) {
      await page.getByTestId(dialog).click();
      await expect(page.getByTestId(`${dialog}-dialog`)).toBeVisible();
      await nothingToObject(course);
      await page.keyboard.press("Escape");
      await expect(page.getByTestId(`${dialog}-dialog`)).toBeHidden();
    }
  }
  for (const tab of ["text", "above", "below", "side", "inner", "timeline"]) {
    await page.getByTestId(`tab-${tab}`).click();
    // With the timeline in front, the page has no main landmark; that is accepted.
    const severe = (await violations(page)).filter((each) => !each.includes("(moderate)"));
    expect(severe).toEqual([]);
    expect(await course.overflow()).toBeLessThanOrEqual(0);
  }
});

test("axe finds no violations in a crowd with open lanes", async ({ stage }) => {
  const course = new Course(stage);
  const { page } = stage;
  await course.open("locks/flash-sale-lock", "en");
  await course.step(1, 2, 3);
  const chips = page.getByTestId("lanes-summary").getByRole("button");
  for (const nth of [0, 1, 5]) await chips.nth(nth).click();
  await expect(page.getByTestId("lanes").getByRole("option").first()).toBeVisible();
  for (const language of ["en", "zh-CN"] as const) {
    await stage.speak(language);
    await nothingToObject(course);
  }
});

/** Is the focus inside this element? */
const holdsFocus = (where: Locator) => where.evaluate((node) => node.contains(document.activeElement));

test("breaking a lock using only the keyboard: the focus is never lost, and each step is read out", async ({ stage }) => {
  const course = new Course(stage);
  const { page } = stage;
  const { keyboard } = page;
  await course.openMap("en");
  await tabTo(course.card("locks/set-nx-ex").getByRole("link"));
  await keyboard.press("Enter");
  await expect(course.lesson()).toBeVisible();
  const task = page.getByTestId("task-break");
  await expect(task).toBeVisible();

  // The announcements for screen readers: the one live region, and its texts in order.
  const description = page.getByTestId("description");
  await expect(description).toHaveAttribute("aria-live", "polite");
  await description.evaluate((region) => {
    const said: string[] = [];
    new MutationObserver(() => said.push(region.textContent ?? "")).observe(region, { childList: true, characterData: true, subtree: true });
    Object.assign(window, { said });
  });
  /** Presses Enter on the focused element; the focus stays in this client's card. */
  const go = async (client: string) => {
    const before = await course.moment();
    await keyboard.press("Enter");
    await expect.poll(() => course.moment()).toBe(before + 1);
    // The focus moves once the step is shown; the track may show it a moment earlier.
    await expect.poll(() => holdsFocus(course.program(client)), `the focus after step ${before + 1}`).toBe(true);
    const said = () => page.evaluate(() => (window as unknown as { said: string[] }).said.at(-1));
    await expect.poll(async () => (await said()) === (await description.textContent()), "the step is read out").toBe(true);
  };
  const button = (client: string) => course.goOn(client);
  await tabTo(button("c1"));
  for (let steps = 0; steps < 2; steps += 1) await go("c1");
  await tabTo(button("c2"));
  // Rejected by the lock, eleven seconds pass, the client wakes, and enters.
  for (let steps = 0; steps < 4; steps += 1) await go("c2");
  await expect(course.broken()).toHaveCount(1);
  await expect(description).toContainText("this breaks a property");
  await expect(task).toHaveAttribute("data-done");

  // To the end of a program: its button disappears, the focus stays in the card of the client.
  await tabTo(button("c1"));
  while (await button("c1").count()) await go("c1");
  await expect(course.program("c1")).toHaveAttribute("data-status", "done");

  // Back in time, and through the verdict to the violation.
  const end = await course.moment();
  for (let steps = 1; steps <= 3; steps += 1) {
    await keyboard.press("Comma");
    await expect.poll(() => course.moment()).toBe(end - steps);
    expect(await page.evaluate(() => document.activeElement === document.body), "the focus is lost").toBe(false);
  }
  await tabTo(course.broken().first().getByRole("button"));
  await keyboard.press("Enter");
  await expect.poll(() => course.moment()).toBe(6);
});
