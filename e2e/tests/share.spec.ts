// A violating schedule is shared as a link: the recipient sees exactly that schedule, in their own language, and loses no session.
import type { Browser } from "@playwright/test";
import { Course } from "../support/course.ts";
import { expect, test } from "../support/fixtures.ts";
import { Stage, type Language } from "../support/stage.ts";
import { watch } from "../support/watch.ts";

const LESSON = "locks/set-nx-ex";

/** Two clients enter the section at once, by the learner's own steps. */
async function breakExclusion(course: Course): Promise<void> {
  await course.step(1, 1, 2);
  await course.pass("c2");
  await course.step(2, 2);
  await expect(course.broken()).toHaveCount(1);
}

/** The link from the dialog, through the clipboard, as a student would send it. */
async function copiedLink(stage: Stage): Promise<string> {
  const { page } = stage;
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.getByTestId("share").click();
  await page.getByTestId("copy-link").click();
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toContain(`#learn/${LESSON}?s=`);
  await page.keyboard.press("Escape");
  await expect(page.getByTestId("share-dialog")).toBeHidden();
  return page.evaluate(() => navigator.clipboard.readText());
}

/** A new user opens the link. */
async function opened(browser: Browser, link: string, locale: Language): Promise<{ course: Course; complaints: string[] }> {
  const context = await browser.newContext({ locale, viewport: { width: 1280, height: 800 } });
  const stage = new Stage(await context.newPage());
  const complaints = watch(stage.page);
  await stage.page.goto(link);
  const course = new Course(stage);
  await expect(course.lesson()).toBeVisible();
  expect(await stage.language()).toBe(locale);
  return { course, complaints };
}

test("a shared schedule is shown unchanged, and does not complete the recipient's task", async ({ stage, browser }) => {
  const course = new Course(stage);
  await course.open(LESSON, "en");
  await course.turnTo("flow");
  await breakExclusion(course);
  await expect(stage.page.getByTestId("task-break")).toHaveAttribute("data-done");
  const { course: other, complaints } = await opened(browser, await copiedLink(stage), "zh-CN");

  await expect.poll(() => other.sight()).toEqual(await course.sight());
  await expect(other.broken()).toContainText("c1 还在 checkout 里，c2 就进来了。");
  // The verdict links to the violation: back to the beginning, and there again.
  const moment = await other.moment();
  await other.stage.page.getByTestId("first").click();
  await expect(other.broken()).toHaveCount(0);
  await other.stage.page.getByTestId("last").click();
  await other.broken().getByRole("button").click();
  await expect.poll(() => other.moment()).toBe(moment);

  // Stepping through the shared schedule does not complete the recipient's task.
  await other.turnTo("flow");
  await other.stage.page.getByTestId("back").click();
  await expect(other.broken()).toHaveCount(0);
  await other.stage.page.getByTestId("forward").click();
  await expect(other.broken()).toHaveCount(1);
  await expect(other.stage.page.getByTestId("task-break")).not.toHaveAttribute("data-done");

  // In the same language both see the same words.
  await other.turnTo("flow");
  await course.turnTo("flow");
  await other.stage.speak("en");
  await expect.poll(() => other.words()).toEqual(await course.words());
  await other.stage.page.getByTestId("to-course").click();
  await expect(other.card(LESSON)).toContainText(/0 of \d+ tasks/);
  expect(complaints).toEqual([]);
  await other.stage.page.context().close();
});

test("a schedule found by the search is shared with its cursor position", async ({ stage, browser }) => {
  const course = new Course(stage);
  const { page } = stage;
  await course.open(LESSON, "zh-CN");
  await page.getByTestId("explore-find").click();
  await expect(page.getByTestId("explore-result")).toHaveAttribute("data-finding", "broken", { timeout: 60_000 });
  await page.getByTestId("explore-load").click();
  await expect(page.getByTestId("forward")).toBeEnabled();
  for (const place of ["last", "back"]) await page.getByTestId(place).click();
  await expect(course.broken()).toHaveCount(0);
  const { course: other, complaints } = await opened(browser, await copiedLink(stage), "en");
  await expect.poll(() => other.sight()).toEqual(await course.sight());
  await other.stage.page.getByTestId("forward").click();
  await expect(other.broken()).toContainText("entered checkout while");
  await page.getByTestId("forward").click();
  await expect.poll(() => other.sight()).toEqual(await course.sight());
  expect(complaints).toEqual([]);
  await other.stage.page.context().close();
});

test("a link is opened where the lesson is open already, and one's own session stands beside it", async ({ stage }) => {
  const course = new Course(stage);
  const { page } = stage;
  await course.open(LESSON, "en");
  await breakExclusion(course);
  const broken = await course.sight();
  const link = await copiedLink(stage);
  await page.getByTestId("restart").click();
  await expect.poll(() => course.moment()).toBe(0);
  await course.step(3);
  const own = await course.sight();

  await course.follow(link);
  await expect.poll(() => course.sight()).toEqual(broken);
  expect(page.url()).toMatch(/#learn\/locks\/set-nx-ex$/);
  await page.getByTestId("sessions").click();
  const rows = page.getByTestId("session-list").getByRole("listitem");
  await expect(rows).toHaveCount(3);
  // The newest of the other sessions is the recipient's own.
  await rows.getByRole("button", { name: "Open" }).first().click();
  await expect.poll(() => course.sight()).toEqual(own);
});

for (const language of ["en", "zh-CN"] as Language[]) {
  test(`a truncated link shows a notice, and the current session stays (${language})`, async ({ stage }) => {
    const course = new Course(stage);
    const { page } = stage;
    await course.open(LESSON, language);
    await course.turnTo("flow");
    await breakExclusion(course);
    const own = await course.sight();
    const link = await copiedLink(stage);
    const start = link.indexOf("?s=") + 3;
    const notice = page.getByTestId("notice");
    for (const length of [0, 10, Math.floor((link.length - start) / 2), link.length - start - 1]) {
      await course.follow(link.slice(0, start + length));
      await expect(notice).toContainText(language === "en" ? "This link is incomplete or damaged" : "链接不完整或在传送途中被改动");
      await expect.poll(() => course.sight()).toEqual(own);
      await expect(page.getByTestId("task-break")).toHaveAttribute("data-done");
      await notice.getByRole("button").click();
      await expect(notice).toBeHidden();
    }
  });
}
