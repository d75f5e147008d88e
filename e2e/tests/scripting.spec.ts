// Script it: a learner's script runs in cases that are shown once it has been tried there. A wrong one gets the case with its commands and
// replies, known mistakes are recognised by what they do, and a right one completes the task.
import type { Locator } from "@playwright/test";
import { violations } from "../support/axe.ts";
import { Course } from "../support/course.ts";
import { expect, test } from "../support/fixtures.ts";
import { fileOf } from "../support/lesson-file.ts";
import { SIZES, type Language } from "../support/stage.ts";

const LESSON = "lua/call-pcall";

test.beforeEach(async ({ stage }) => {
  // The text area that stands in for the editor with colours is quicker to fill.
  await stage.page.route("**/editor.js*", (route) =>
    route.fulfill({ contentType: "text/javascript", body: "throw new Error('not here');" }),
  );
});

async function opened(course: Course, language: Language): Promise<Locator> {
  await course.open(LESSON, language);
  return course.stage.page.getByTestId("task-guard");
}

/** Tries a script; the result with its end. */
async function tried(task: Locator, script: string): Promise<Locator> {
  await task.getByTestId("repair-change").click();
  await task.getByTestId("program-text").fill(script);
  await task.getByTestId("use-program").click();
  await task.getByTestId("repair-check").click();
  await expect(task.getByTestId("repair-said")).not.toBeEmpty();
  return task.getByTestId("repair-result");
}

for (const [language, words] of [
  ["en", { list: "30 from alice to carol, which is a list", claim: "alice still holds 100", mistake: "Refused and taken", rest: "2 more cases wait" }],
  ["zh-CN", { list: "从 alice 转 30 给 carol，它是列表", claim: "alice 仍是 100", mistake: "拒绝了，钱也扣了", rest: "还有 2 种情况没有查" }],
] as const) {
  test(`a wrong script gets the case that shows it, and a known mistake is recognised however it is spelt (${language})`, async ({ stage }) => {
    const { page } = stage;
    const course = new Course(stage);
    const task = await opened(course, language);
    await expect(task).not.toHaveAttribute("data-done");
    const result = await tried(
      task,
      "redis.call('decrby', KEYS[1], ARGV[1])\nif tonumber(redis.pcall('incrby', KEYS[2], ARGV[1])) then return 'paid' else return 'refused' end\n",
    );
    await expect(result.locator("[data-verdict=holds]")).toHaveCount(1);
    const failed = result.locator("[data-verdict=broken]");
    await expect(failed).toContainText(words.list);
    await expect(failed.getByTestId("case-runs")).toHaveText("c1> EVAL … 2 alice carol 30");
    await expect(failed.getByTestId("case-replies")).toHaveText('"refused"');
    await expect(failed.getByTestId("checks").locator("[data-holds=no]")).toContainText(words.claim);
    await expect(failed.getByTestId("checks").locator("[data-holds=yes]")).toHaveCount(2);
    await expect(result.getByTestId("repair-known")).toContainText(words.mistake);
    await expect(result).toContainText(words.rest);
    await expect(task.getByTestId("repair-said")).toContainText(words.list);
    await expect(task).not.toHaveAttribute("data-done");
    expect(await violations(page)).toEqual([]);

    // The case on the stage: its accounts, and the script that takes the money.
    await task.getByTestId("repair-stage").click();
    await expect(course.log("c1")).toContainText('"refused"');
    await expect(task).not.toHaveAttribute("data-done");

    // A mistake that nobody has described has its case all the same.
    const other = await tried(task, "redis.call('DECRBY', KEYS[1], ARGV[1])\nreturn 'paid'\n");
    await expect(other.locator("[data-verdict=broken]")).toHaveCount(1);
    await expect(other.getByTestId("repair-known")).toHaveCount(0);

    await tried(task, fileOf(LESSON, "give-back.lua"));
    await expect(task.getByTestId("repair-done")).toBeVisible();
    await expect(task.getByTestId("task-done")).toHaveAttribute("data-how", "alone");
    await page.reload();
    await expect(task).toHaveAttribute("data-done");
    await expect(task.getByTestId("repair-source")).toContainText("give");
  });
}

test("scripts that fail, say nothing or never end are told as what they are", async ({ stage }) => {
  const { page } = stage;
  const course = new Course(stage);
  const task = await opened(course, "en");
  const broken = async (script: string, reply: string): Promise<void> => {
    const result = await tried(task, script);
    await expect(result.locator("[data-verdict=broken]").getByTestId("case-replies")).toContainText(reply);
    await expect(task.getByTestId("repair-said")).toContainText("30 from alice to bob");
  };
  await broken("return 'paid", "(error) ERR Error compiling script (new function): user_script:1: unfinished string");
  await broken("", "(nil)");
  await broken("return KEYS[1] .. nil", "user_script:1: attempt to concatenate a nil value");
  await broken("while true do end", "no reply");
  await broken("return string.rep('x', 1e9)", "(error)");
  await broken('return "\\0\\1\\255 \\" \\\\ \'" .. [[\n]]', '"\\x00\\x01\\xff \\" \\\\ \'');
  // The page still answers.
  await tried(task, fileOf(LESSON, "transfer.lua"));
  await expect(task.getByTestId("repair-done")).toBeVisible();
  await expect(page.getByTestId("recover")).toHaveCount(0);
});

test("a test that runs can be stopped, and a newer one replaces it", async ({ stage }) => {
  const course = new Course(stage);
  const task = await opened(course, "zh-CN");
  await task.getByTestId("repair-change").click();
  await task.getByTestId("program-text").fill("while true do end");
  await task.getByTestId("repair-check").click();
  await task.getByTestId("program-text").fill(fileOf(LESSON, "risk-first.lua"));
  await task.getByTestId("program-text").press("ControlOrMeta+Enter");
  await expect(task.getByTestId("repair-done")).toBeVisible();
  await expect(task).toHaveAttribute("data-done");
});

test("on a phone the case fits the screen", async ({ stage }) => {
  const { page } = stage;
  await page.setViewportSize(SIZES.phone);
  const course = new Course(stage);
  const task = await opened(course, "zh-CN");
  const result = await tried(task, fileOf(LESSON, "wrong-overwritten.lua"));
  await expect(result.getByTestId("repair-known")).toContainText("列表没了");
  expect(await course.overflow()).toBeLessThanOrEqual(0);
});
