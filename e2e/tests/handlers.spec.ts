// Lessons with traffic: a handler is written and tried under every load, and a learner's actions under traffic are judged by the figures.
import { readFileSync } from "node:fs";
import type { Locator } from "@playwright/test";
import { Course } from "../support/course.ts";
import { expect, test } from "../support/fixtures.ts";
import type { Language } from "../support/stage.ts";

/** A handler of a lesson's folder, with the comments of one language only, as in the page. */
function handler(lesson: string, file: string, language: Language): string {
  const marks = { en: "-- en: ", "zh-CN": "-- zh: " };
  const other = language === "en" ? "-- zh: " : "-- en: ";
  const lines = readFileSync(`../lessons/${lesson}/${file}`, "utf8").split("\n").filter((line) => !line.trim().startsWith(other));
  return lines.join("\n").replaceAll(marks[language], "-- ");
}

/** Tries this handler, written in the editor, which stays open; or the one that is there. */
async function check(task: Locator, text?: string): Promise<Locator> {
  if (text !== undefined) {
    const editor = task.getByTestId("program-text");
    if ((await editor.count()) === 0) await task.getByTestId("repair-change").click();
    await editor.fill(text);
  }
  await task.getByTestId("repair-check").click();
  return task.getByTestId("repair-result");
}

test.beforeEach(async ({ stage }) => {
  // The text area that stands in for the editor with colours is quicker to fill.
  await stage.page.route("**/editor.js*", (route) =>
    route.fulfill({ contentType: "text/javascript", body: "throw new Error('not here');" }),
  );
});

for (const [language, words] of [
  ["en", { mistake: "The same mistake as", fault: "program:2:", allowed: "allowed: at most 25" }],
  ["zh-CN", { mistake: "是同一个错误", fault: "program:2:", allowed: "要求：至多 25" }],
] as const) {
  test(`a handler is tried under every load, and passes only if every figure is within its bounds (${language})`, async ({ stage }) => {
    test.setTimeout(300_000);
    const { page } = stage;
    const lesson = "cache/avalanche";
    const course = new Course(stage);
    await course.open(lesson, language);
    const task = page.getByTestId("task-repair");

    // The initial handler is out of bounds at once, and its run can be opened.
    const result = await check(task);
    await expect(result.locator('[data-verdict="broken"]')).toHaveCount(1, { timeout: 60_000 });
    await expect(result).toContainText(words.allowed);
    await expect(result.locator('[data-within="no"]').first()).toBeVisible();
    await expect(task).not.toHaveAttribute("data-done");
    await task.getByTestId("repair-stage").click();
    await expect(page.getByTestId("traffic-now")).toContainText("01:00:", { timeout: 60_000 });

    // A plausible mistake is reported with its reason; an error with its line.
    await check(task, handler(lesson, "wrong-longer.lua", language));
    await expect(task.getByTestId("repair-known")).toContainText(words.mistake, { timeout: 60_000 });
    await check(task, "function get(id)\n  return nothing(id)\nend\n");
    await expect(result).toContainText(words.fault, { timeout: 60_000 });
    await expect(task).not.toHaveAttribute("data-done");

    // The right handler passes, and the task stays done after a reload.
    await check(task, handler(lesson, "spread.lua", language));
    await expect(task.getByTestId("repair-done")).toBeVisible({ timeout: 60_000 });
    await expect(result.locator('[data-verdict="holds"]')).toHaveCount(3);
    await expect(task).toHaveAttribute("data-done", "");
    await task.getByTestId("use-program").click();
    await expect(task.getByTestId("repair-done")).toBeVisible();
    await page.reload();
    await expect(page.getByTestId("task-repair")).toHaveAttribute("data-done", "");
    await expect(page.getByTestId("task-repair").getByTestId("repair-source")).toContainText("hash(row.id)");
  });
}

test("commands typed under traffic are judged by their effect, and only if the learner typed them", async ({ stage }) => {
  const { page } = stage;
  const course = new Course(stage);
  await course.open("cache/breakdown", "zh-CN");
  const task = page.getByTestId("task-break");
  await expect(task).not.toHaveAttribute("data-done");
  await course.expect("c1", "GET item:1", "(nil)");
  const goOn = page.getByTestId("traffic-go-on");
  // A second, and so on to half a minute.
  await page.getByTestId("traffic").scrollIntoViewIfNeeded();
  for (let second = 0; second < 20; second++) {
    await goOn.filter({ hasText: "1 秒" }).first().click();
    await expect(page.getByTestId("traffic-now")).toContainText(`0:00:${String(second + 1).padStart(2, "0")}`);
  }
  await course.expect("c1", "DEL item:1", "(integer) 1");
  await expect(task).not.toHaveAttribute("data-done");
  await goOn.filter({ hasText: "1 秒" }).first().click();
  await expect(task).toHaveAttribute("data-done", "");
});

test("callers that defeat a handler are set up by the form and run on the stage", async ({ stage }) => {
  const { page } = stage;
  const course = new Course(stage);
  await course.open("cache/penetration", "en");
  const task = page.getByTestId("task-break");
  const run = async (ids: string, preset?: string) => {
    const setup = page.getByTestId("traffic-setup");
    if (!(await setup.isVisible())) await page.getByTestId("traffic-set-open").click();
    if (preset) await page.getByTestId("traffic-preset").selectOption({ label: preset });
    const field = page.getByRole("textbox", { name: "How many of these" });
    if (!(await field.isVisible())) await page.getByText("Machines, callers, costs").click();
    await field.fill(ids);
    await page.getByTestId("traffic-field-1").fill("1m");
    await page.getByTestId("traffic-run").click();
    await expect(page.getByTestId("traffic-now")).toContainText("0:01:00", { timeout: 60_000 });
  };
  // So few ids are all cached: it is the stage of the lesson, but the traffic is not enough.
  await run("50", "Cache the missing ids too");
  await expect(task).not.toHaveAttribute("data-done");
  await run("1000000");
  await expect(task).toHaveAttribute("data-done", "");
  // The runs are branches of the lesson's own stage, and a link holds them.
  await page.reload();
  await expect(page.getByTestId("task-break")).toHaveAttribute("data-done", "");
});

for (const [language, right] of [
  ["en", "Right."],
  ["zh-CN", "对。"],
] as const) {
  test(`the order of replies is predicted, seen in the event loop and the lanes, and as predicted (${language})`, async ({ stage }) => {
    const { page } = stage;
    const course = new Course(stage);
    await course.open("cache/why-fast", language);
    const task = page.getByTestId("task-order");
    await task.getByTestId("choice").last().click();
    await expect(task.getByTestId("reply")).toContainText(right);
    await task.getByTestId("put-on-stage").click();
    // Until Redis executes KEYS, and all others wait for it.
    const now = page.getByTestId("traffic-line-now");
    const waiting = page.getByTestId("traffic-line-waiting").getByRole("listitem");
    await expect(now).toBeAttached({ timeout: 60_000 });
    const description = page.getByTestId("description");
    for (let step = 0; step < 12 && (await waiting.count()) < 3; step += 1) {
      const before = await description.textContent();
      await page.getByTestId("traffic-step").click();
      await expect(description).not.toHaveText(before ?? "");
    }
    await expect(now.getByRole("code")).toHaveText("KEYS sale:*");
    await expect(waiting.getByRole("code")).toHaveText([/^GET /, /^GET /, /^GET /]);
    await course.show("lanes");
    await expect(page.getByTestId("lanes").getByRole("option").last()).toHaveAttribute("aria-selected", "true");
    await expect(page.getByTestId("lanes")).toContainText("KEYS sale:*");
    await course.show("traffic");
    await page.getByTestId("traffic-go-on").last().click();
    await course.expect("c1", "GET order", "ABCDAB");
  });
}
