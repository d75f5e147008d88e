// A lesson in the order of a learner: an explanation opens after an attempt or on request, the first answer counts, and
// the learner judges fixes before their verdicts are shown.
import type { Page } from "@playwright/test";
import { Course } from "../support/course.ts";
import { expect, test } from "../support/fixtures.ts";
import type { Language } from "../support/stage.ts";

const LESSON = "locks/oversell";
const LANGUAGES: Language[] = ["en", "zh-CN"];

const closed = (page: Page) => page.locator("section[data-closed]");

for (const language of LANGUAGES) {
  test(`an explanation is closed until the learner tries its task or asks for it, then stays open (${language})`, async ({ stage }) => {
    const { page } = stage;
    const course = new Course(stage);
    await course.open(LESSON, language);
    // The problem is open; the explanation of a task shows only its heading.
    await expect(page.getByTestId("section-problem")).not.toHaveAttribute("data-closed");
    const behind = page.getByTestId("section-breaks");
    await expect(behind).toHaveAttribute("data-closed");
    await expect(behind.getByRole("heading")).toBeVisible();
    await expect(behind.getByTestId("prose")).toHaveCount(0);
    const before = await closed(page).count();
    expect(before).toBeGreaterThan(1);

    // By an attempt, right or wrong.
    await page.getByTestId("task-guess").getByTestId("choice").first().click();
    await expect(behind).not.toHaveAttribute("data-closed");
    await expect(behind.getByTestId("prose")).toBeVisible();

    // On request, with the keyboard: the focus stays in the section.
    const last = closed(page).last();
    const asked = page.getByTestId((await last.getAttribute("data-testid")) ?? "");
    await last.getByTestId("open-section").focus();
    await page.keyboard.press("Enter");
    await expect(asked.getByTestId("prose")).toBeVisible();
    expect(await asked.evaluate((section) => section.contains(document.activeElement))).toBe(true);

    await page.reload();
    await expect(behind.getByTestId("prose")).toBeVisible();
    await expect(asked.getByTestId("prose")).toBeVisible();
  });

  test(`the first answer to a prediction counts, the others can be read, and a reload changes nothing (${language})`, async ({ stage }) => {
    const { page } = stage;
    const course = new Course(stage);
    await course.open(LESSON, language);
    const task = page.getByTestId("task-guess");
    const choices = task.getByTestId("choice");
    const reply = task.getByTestId("reply");
    await expect(reply).toBeEmpty();
    await expect(choices.and(page.locator("[data-mark]"))).toHaveCount(0);
    await choices.first().click();
    const isRight = (await choices.first().getAttribute("data-mark")) === "right";
    const how = isRight ? "right" : "wrong";
    await expect(task.getByTestId("task-done")).toHaveAttribute("data-how", how);
    const first = await reply.innerText();
    expect(first.length).toBeGreaterThan(20);
    // It is in view, directly below its choice, whichever that is.
    const isBelow = async (nth: number) => {
      await expect(reply).toBeInViewport({ ratio: 0.9 });
      const [choice, said] = [await choices.nth(nth).boundingBox(), await reply.boundingBox()];
      const gap = (said?.y ?? 0) - (choice?.y ?? 0) - (choice?.height ?? 0);
      expect(gap).toBeGreaterThanOrEqual(0);
      expect(gap).toBeLessThan(20);
    };
    await isBelow(0);

    // Each answer has its own explanation, and none changes the recorded answer.
    const replies = [first];
    for (let nth = 1; nth < (await choices.count()); nth += 1) {
      await choices.nth(nth).click();
      await expect(reply).not.toHaveText(replies.at(-1) ?? "", { useInnerText: true });
      replies.push(await reply.innerText());
      await isBelow(nth);
      await expect(choices.nth(nth)).toHaveAttribute("aria-pressed", "true");
    }
    expect(new Set(replies).size).toBe(replies.length);
    await expect(task.getByTestId("task-done")).toHaveAttribute("data-how", how);

    await page.reload();
    await expect(task.getByTestId("task-done")).toHaveAttribute("data-how", how);
    await expect(choices.first()).toHaveAttribute("data-first");
    await expect(choices.and(page.locator('[data-mark="right"]'))).toHaveCount(1);
    await choices.last().click();
    await expect(choices.first()).toHaveAttribute("data-first");
    await page.getByTestId("to-course").click();
    await expect(course.card(LESSON).getByTestId("how")).toContainText(isRight ? /1 (of|\/) 1/ : /0 (of|\/) 1/);
  });

  test(`fixes are judged by the learner first, then each shows its verdict, and the broken ones can be played (${language})`, async ({ stage }) => {
    test.setTimeout(240_000);
    const { page } = stage;
    const course = new Course(stage);
    await course.open(LESSON, language);
    const task = page.getByTestId("task-choose");
    const fixes = task.getByTestId("fix");
    await expect(task.getByTestId("fix-worth")).toHaveCount(0);
    const tick = fixes.first().getByRole("checkbox");
    await tick.focus();
    await page.keyboard.press("Space");
    await expect(tick).toHaveAttribute("aria-checked", "true");
    await task.getByTestId("choose-answer").focus();
    await page.keyboard.press("Enter");
    await expect(task).toHaveAttribute("data-done");
    await expect(task.getByTestId("fix-worth")).toHaveCount(await fixes.count());
    await expect(task.getByTestId("fix-worth").first()).toBeInViewport();
    await expect(fixes.and(page.locator('[data-survives="yes"]'))).not.toHaveCount(0);
    // The mark of each says whether the tick was right.
    for (const fix of await fixes.all()) {
      const isTicked = (await fix.getByRole("checkbox").getAttribute("aria-checked")) === "true";
      const survives = (await fix.getAttribute("data-survives")) === "yes";
      await expect(fix).toHaveAttribute("data-mark", isTicked === survives ? "right" : "wrong");
      await expect(fix.getByTestId("fix-show")).toHaveCount(survives ? 0 : 1);
    }
    const failing = fixes.and(page.locator('[data-survives="no"]')).first();
    await failing.getByTestId("fix-show").click();
    await expect(failing.locator('[data-verdict="broken"]')).toBeVisible({ timeout: 100_000 });
    await expect(page.getByTestId("forward")).toBeEnabled();
    await page.getByTestId("last").click();
    await expect(course.broken()).not.toHaveCount(0);
    // The answer stays as it was given.
    await page.reload();
    await expect(tick).toHaveAttribute("aria-checked", "true");
    await expect(tick).toBeDisabled();
  });
}
