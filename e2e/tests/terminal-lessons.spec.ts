// Lessons on data types, transactions and scripts, from the first task to the last, using only the keyboard: predictions are answered, states
// are reached by typing, and everything stays done after a reload.
import { readdirSync } from "node:fs";
import type { Page } from "@playwright/test";
import { violations } from "../support/axe.ts";
import { Course } from "../support/course.ts";
import { expect, test } from "../support/fixtures.ts";
import { tabTo } from "../support/keys.ts";
import { fileOf, tasks, type Task } from "../support/lesson-file.ts";
import { SIZES, type Language } from "../support/stage.ts";

const inTrack = (track: string) =>
  readdirSync(`../lessons/${track}`, { withFileTypes: true }).filter((entry) => entry.isDirectory()).map((entry) => `${track}/${entry.name}`);
const LESSONS = [...inTrack("types"), "transactions/multi-exec", "transactions/errors", "lua/eval", "lua/call-pcall", "lua/script-cache", "lua/atomic"];

/** Lets time pass, `@+2000ms`, by the button for one second. Minutes are too many of them. */
const WAITS = /^@\+(\d+)ms$/;
const SECONDS_MAX = 20;
const isTooLong = ({ solution }: Task) => [solution].flat().some((line) => Number(line.match(WAITS)?.[1] ?? 0) > 1000 * SECONDS_MAX);

async function press(page: Page, testid: string): Promise<void> {
  await tabTo(page.getByTestId(testid));
  await page.keyboard.press("Enter");
}

async function typeLine(course: Course, line: string): Promise<void> {
  const { page } = course.stage;
  const wait = line.match(WAITS);
  if (wait) {
    // Seconds that pass one after the other are one step.
    for (let second = 0; second < Number(wait[1]) / 1000; second += 1) await press(page, "second");
    return;
  }
  const client = line.slice(0, line.indexOf("> "));
  const before = await course.moment();
  await tabTo(page.getByTestId(`input-${client.slice(1)}`));
  await page.keyboard.insertText(line.slice(client.length + 2));
  await page.keyboard.press("Enter");
  await expect.poll(() => course.moment(), line).toBeGreaterThan(before);
}

/** Replaces the script of a task and runs the checks, by keyboard. */
async function writeScript(page: Page, id: string, text: string): Promise<void> {
  const task = page.getByTestId(`task-${id}`);
  await tabTo(task.getByTestId("repair-change"));
  await page.keyboard.press("Enter");
  await tabTo(task.getByTestId("program-text"));
  await page.keyboard.press("Control+a");
  await page.keyboard.insertText(text);
  await page.keyboard.press("Control+Enter");
  await expect(task.getByTestId("repair-done")).toBeVisible();
  await press(page, "use-program");
}

test.beforeEach(async ({ stage }) => {
  // The text area that stands in for the editor with colours.
  await stage.page.route("**/editor.js*", (route) =>
    route.fulfill({ contentType: "text/javascript", body: "throw new Error('not here');" }),
  );
});

for (const [nth, lesson] of LESSONS.entries()) {
  const language: Language = nth % 2 === 0 ? "zh-CN" : "en";
  test(`${lesson} from its first task to its last, using only the keyboard (${language})`, async ({ stage }) => {
    const { page } = stage;
    const course = new Course(stage);
    await course.open(lesson, language);
    const all = tasks(lesson);
    expect(all.length).toBeGreaterThan(2);
    const done: string[] = [];
    for (const { id, kind, choices, answer, solution } of all.filter((task) => !isTooLong(task))) {
      const task = page.getByTestId(`task-${id}`);
      await expect(task).not.toHaveAttribute("data-done");
      if (kind === "predict") {
        const right = task.getByTestId("choice").nth(choices.indexOf(answer));
        await tabTo(right);
        await page.keyboard.press("Enter");
        await expect(right).toHaveAttribute("data-mark", "right");
        await expect(task.getByTestId("reply")).toBeInViewport();
        await expect(task.getByTestId("task-done")).toHaveAttribute("data-how", "right");
      } else if (kind === "script") {
        await writeScript(page, id, fileOf(lesson, String(solution)));
        await expect(task.getByTestId("task-done")).toHaveAttribute("data-how", "alone");
      } else {
        // What was typed for the task before does not count.
        if (await task.getByTestId("reach-again").count()) {
          await tabTo(task.getByTestId("reach-again"));
          await page.keyboard.press("Enter");
          await expect(task.getByTestId("reach-again")).toHaveCount(0);
        }
        for (const line of [solution].flat()) await typeLine(course, line);
        await expect(task.getByTestId("task-done")).toHaveAttribute("data-how", "alone");
      }
      done.push(id);
    }
    expect(await violations(page)).toEqual([]);
    await page.reload();
    for (const id of done) await expect(page.getByTestId(`task-${id}`)).toHaveAttribute("data-done");
  });
}

/** Brings a part of the page into view: on a phone by its tab, elsewhere everything is in view. */
async function turnTo(page: Page, tab: "text" | "below" | "timeline"): Promise<void> {
  const found = page.getByTestId(`tab-${tab}`);
  if (await found.isVisible()) await found.click();
}

async function enterLine(course: Course, line: string): Promise<void> {
  const { page } = course.stage;
  const wait = line.match(WAITS);
  if (wait) {
    await turnTo(page, "timeline");
    for (let second = 0; second < Number(wait[1]) / 1000; second += 1) await page.getByTestId("second").click();
    return;
  }
  await turnTo(page, "below");
  const before = await course.moment();
  const prompt = page.getByTestId(`input-${line.slice(1, line.indexOf("> "))}`);
  await prompt.click();
  await prompt.fill(line.slice(line.indexOf("> ") + 2));
  await page.keyboard.press("Enter");
  await expect.poll(() => course.moment(), line).toBeGreaterThan(before);
}

for (const [nth, lesson] of LESSONS.entries()) {
  const language: Language = nth % 2 === 0 ? "en" : "zh-CN";
  const size = nth % 4 < 2 ? "phone" : "projector";
  test(`${lesson} from its first task to its last, by pointer (${size}, ${language})`, async ({ stage }) => {
    const { page } = stage;
    await page.setViewportSize(SIZES[size]);
    const course = new Course(stage);
    await course.open(lesson, language);
    if (size === "projector") await page.getByTestId("projector").click();
    for (const { id, kind, choices, answer, solution } of tasks(lesson).filter((task) => !isTooLong(task))) {
      const task = page.getByTestId(`task-${id}`);
      await turnTo(page, "text");
      if (kind === "predict") {
        await task.getByTestId("choice").nth(choices.indexOf(answer)).click();
        await expect(task.getByTestId("reply")).toBeInViewport();
      } else if (kind === "script") {
        await task.getByTestId("repair-change").click();
        await task.getByTestId("program-text").fill(fileOf(lesson, String(solution)));
        await task.getByTestId("repair-check").click();
        await expect(task.getByTestId("repair-done")).toBeInViewport();
        await task.getByTestId("use-program").click();
      } else {
        if (await task.getByTestId("reach-again").count()) await task.getByTestId("reach-again").click();
        // Setups with long scripts are replayed in slices; what is typed meanwhile is queued, and the position read below would be old.
        await expect(task.getByTestId("reach-again")).toHaveCount(0);
        for (const line of [solution].flat()) await enterLine(course, line);
        await turnTo(page, "text");
      }
      await expect(task).toHaveAttribute("data-done");
      expect(await course.overflow()).toBeLessThanOrEqual(0);
    }
    expect(await violations(page)).toEqual([]);
  });
}
