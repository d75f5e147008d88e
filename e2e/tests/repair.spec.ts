// Repairing a lesson's functions: remaining violations are shown, incomplete searches and untested properties do not pass, a mistake is
// recognised in different code, and functions that pass every variation complete the task. The editor has room, and the checks run inside it.
import type { Locator, Page } from "@playwright/test";
import { Course } from "../support/course.ts";
import { expect, test } from "../support/fixtures.ts";
import { SIZES } from "../support/stage.ts";

const LESSON = "locks/set-nx-ex";

/** Compares the owner's token within one script: correct, and very different from the lesson's solution. */
const RIGHT = `me = uuid()
local key = 'lock'
acquire = function()
  local reply
  repeat
    reply = redis.call('SET', key, me, 'EX', 12, 'NX')
    if not reply then sleep(13000) end
  until reply
end
release = function()
  redis.call('EVAL', "if redis.call('GET', KEYS[1]) == ARGV[1] then redis.call('DEL', KEYS[1]) end", 1, key, me)
end
`;

/** All clients write the same value, as in one of the wrong answers, but in different code. */
const SAME_TOKEN = `local key, value = 'lock', 'taken'
acquire = function()
  repeat
    local mine = redis.call('SET', key, value, 'EX', 10, 'NX')
    if not mine then sleep(11000) end
  until mine
end
function release()
  local found = redis.call('GET', key)
  if found ~= value then return end
  redis.call('DEL', key)
end
`;

/** Acquires no lock at all: passes with two clients, but with three they meet in the section. */
const NO_LOCK = `function acquire() redis.call('PING') end
function release() redis.call('PING') end
`;

/** Correct, but with a hundred unnecessary requests: too many schedules to search. */
const PADDED = `me = uuid()
function acquire()
  for _ = 1, 100 do redis.call('PING') end
  while not redis.call('SET', 'lock', me, 'EX', 12, 'NX') do sleep(13000) end
end
function release()
  redis.call('EVAL', "if redis.call('GET', KEYS[1]) == ARGV[1] then redis.call('DEL', KEYS[1]) end", 1, 'lock', me)
end
`;

test.beforeEach(async ({ stage }) => {
  // The text area that stands in for the editor with colours is quicker to fill.
  await stage.page.route("**/editor.js*", (route) =>
    route.fulfill({ contentType: "text/javascript", body: "throw new Error('not here');" }),
  );
});

async function opened(course: Course, language: "en" | "zh-CN"): Promise<Locator> {
  await course.open(LESSON, language);
  return course.stage.page.getByTestId("task-repair");
}

async function check(task: Locator, functions?: string): Promise<Locator> {
  if (functions !== undefined) {
    await task.getByTestId("repair-change").click();
    await task.getByTestId("program-text").fill(functions);
    await task.getByTestId("use-program").click();
  }
  await task.getByTestId("repair-check").click();
  return task.getByTestId("repair-result");
}

/** The end of a check: the failed variation, with this verdict. */
async function ends(result: Locator, verdict: string): Promise<Locator> {
  const last = result.locator("[data-verdict]").last();
  await expect(last).toHaveAttribute("data-verdict", verdict, { timeout: 110_000 });
  return last;
}

async function atTheEnd(page: Page): Promise<void> {
  await expect(page.getByTestId("forward")).toBeEnabled();
  await page.getByTestId("last").click();
}

test("a remaining violation is reported, and its schedule is loaded on the stage", async ({ stage }) => {
  const { page } = stage;
  const course = new Course(stage);
  const task = await opened(course, "en");
  await expect(task.getByTestId("repair-frame")).toContainText("no one edits it");
  await expect(task.getByTestId("repair-frame")).toContainText("enter('checkout')");
  await expect(task.getByTestId("repair-source")).not.toContainText("enter('checkout')");
  const result = await check(task);
  await expect(await ends(result, "broken")).toContainText("“Only the owner releases the lock”");
  // Variations that were not reached are not named.
  await expect(result.locator("[data-verdict]")).toHaveCount(1);
  await expect(result).toContainText("more variations wait");
  await expect(task).not.toHaveAttribute("data-done");
  await task.getByTestId("repair-stage").click();
  await expect(course.broken()).toHaveCount(0);
  await atTheEnd(page);
  await expect(course.broken()).not.toHaveCount(0);
});

for (const [language, words] of [
  [
    "en",
    {
      later: "At most one in the section",
      mistake: "The same mistake as",
      mark: "line between functions and frame",
      endless: "Endless loop in line 2",
      fails: "fails before its first request",
      atOnce: "is broken before the first step",
    },
  ],
  [
    "zh-CN",
    {
      later: "临界区里至多一个客户端",
      mistake: "是同一个错误",
      mark: "分界线",
      endless: "第 2 行是死循环",
      fails: "还没发出第一次请求就出错了",
      atOnce: "一步都没走",
    },
  ],
] as const) {
  test(`a cheat is rejected with a reason, and a mistake is recognised in different code (${language})`, async ({ stage }) => {
    test.setTimeout(300_000);
    const task = await opened(new Course(stage), language);
    const result = task.getByTestId("repair-result");

    await check(task, NO_LOCK);
    await expect(await ends(result, "broken")).toContainText(words.later);
    await expect(result.locator('[data-verdict="holds"]')).toHaveCount(1);
    await check(task, SAME_TOKEN);
    await ends(result, "broken");
    await expect(task.getByTestId("repair-known")).toContainText(words.mistake);

    // Invalid code is rejected with a message.
    await check(task, "local = 1");
    await expect(result).toContainText("1");
    await expect(result.locator("[data-verdict]")).toHaveCount(0);
    await check(task, "function release() end");
    await expect(result).toContainText("acquire()");
    await check(task, `${SAME_TOKEN}---- frame ----\nenter('checkout') leave('checkout')`);
    await expect(result).toContainText(words.mark);
    await check(task, "function acquire()\n  while true do end\nend\nfunction release() end");
    await expect(result.getByTestId("repair-refused")).toContainText(words.endless);
    await check(task, "function acquire() nothing() end function release() end");
    await expect(result.getByTestId("repair-refused")).toContainText(words.fails);
    await check(task, "function acquire() end function release() end");
    await expect(await ends(result, "broken")).toContainText(words.atOnce);
    await expect(task).not.toHaveAttribute("data-done");
  });
}

test("an incomplete search is undecided, says what was skipped, and does not pass", async ({ stage }) => {
  const task = await opened(new Course(stage), "en");
  const result = await check(task, PADDED);
  await expect(result.locator('[data-verdict="running"]')).toContainText(/\d/);
  await task.getByTestId("repair-stop").click();
  await expect(result.locator("[data-verdict]").last()).toHaveAttribute("data-verdict", "undecided");
  await expect(result).toContainText("the rest was left out");
  await expect(task).not.toHaveAttribute("data-done");
});

test("a correct program with different code passes and stays done; the map shows how it was done", async ({ stage }) => {
  test.setTimeout(240_000);
  const { page } = stage;
  const course = new Course(stage);
  const task = await opened(course, "en");
  const result = await check(task, RIGHT);
  await expect(task.getByTestId("repair-done")).toBeVisible({ timeout: 200_000 });
  await expect(result.locator('[data-verdict]:not([data-verdict="holds"])')).toHaveCount(0);
  expect(await result.locator("[data-verdict]").count()).toBeGreaterThanOrEqual(5);
  await expect(task.getByTestId("task-done")).toHaveAttribute("data-how", "alone");

  // The functions and the progress survive a reload.
  await page.reload();
  await expect(task).toHaveAttribute("data-done");
  await expect(task.getByTestId("repair-source")).toContainText("me = uuid()");
  await expect(task.getByTestId("repair-reset")).toBeVisible();
  await page.getByTestId("to-course").click();
  await expect(course.card(LESSON).getByTestId("how")).toHaveText("alone: 1");
});

test("an old draft of a whole program without a frame is kept and shown, and never checked", async ({ stage }) => {
  const { page } = stage;
  const course = new Course(stage);
  await opened(course, "en");
  const name = `lockstep.${LESSON}.repair-repair`;
  await page.evaluate((name) => localStorage.setItem(name, "-- an old draft\nenter('checkout')"), name);
  await page.reload();
  const task = page.getByTestId("task-repair");
  await expect(task.getByTestId("repair-source")).not.toContainText("an old draft");
  await task.getByTestId("repair-earlier").locator("summary").click();
  await expect(task.getByTestId("repair-earlier")).toContainText("an old draft");
  await ends(await check(task), "broken");
  expect(await page.evaluate((name) => localStorage.getItem(name), name)).toContain("an old draft");
});

test("functions that are being written outlast another part of the lesson, focus mode and a reload", async ({ stage }) => {
  const { page } = stage;
  const course = new Course(stage);
  const task = await opened(course, "en");
  const text = task.getByTestId("program-text");
  await task.getByTestId("repair-change").click();
  await text.fill("function acquire() return 'half' end");
  await course.turnTo("story");
  await expect(text).toHaveCount(0);
  await course.turnTo("flow");
  await expect(text).toHaveValue("function acquire() return 'half' end");
  await page.reload();
  await expect(text).toHaveValue("function acquire() return 'half' end");
  // Closing keeps the text too; the lesson's own can be had back.
  await text.press("Escape");
  await expect(task.getByTestId("repair-source")).toContainText("half");
  await page.reload();
  await expect(task.getByTestId("repair-source")).toContainText("half");
  await expect(text).toHaveCount(0);
  await task.getByTestId("repair-reset").click();
  await expect(task.getByTestId("repair-source")).not.toContainText("half");
});

for (const { size, least, language, other, words } of [
  { size: SIZES.laptop, least: { width: 600, height: 400 }, language: "en", other: "zh-CN", words: { run: "Run the checks", later: "At most one in the section" } },
  { size: SIZES.projector, least: { width: 900, height: 520 }, language: "zh-CN", other: "en", words: { run: "运行检查", later: "临界区里至多一个客户端" } },
] as const) {
  test(`the editor has room beside the stage, and the checks run inside it (${size.width} pixels, ${language})`, async ({ stage }) => {
    test.setTimeout(240_000);
    const { page } = stage;
    await page.setViewportSize(size);
    const course = new Course(stage);
    const task = await opened(course, language);
    if (size === SIZES.projector) await page.getByTestId("projector").click();
    const narrow = (await course.lesson().boundingBox())?.width ?? 0;
    await task.getByTestId("repair-change").click();
    const text = task.getByTestId("program-text");
    await expect(text).toBeInViewport({ ratio: 0.9 });
    const room = await text.boundingBox();
    expect(room?.width).toBeGreaterThanOrEqual(least.width);
    expect(room?.height).toBeGreaterThanOrEqual(least.height);
    // The stage is still beside it; the frame is folded.
    const beside = await page.getByTestId("programs").boundingBox();
    expect(beside?.x).toBeGreaterThanOrEqual((room?.x ?? 0) + (room?.width ?? 0) - 1);
    // The search below the text has less room, and can still be reached.
    await page.getByTestId("explore-find").scrollIntoViewIfNeeded();
    await expect(page.getByTestId("explore-find")).toBeInViewport({ ratio: 0.9 });
    await expect(text).toBeInViewport({ ratio: 0.9 });
    await expect(task.getByTestId("repair-frame").locator("pre")).toBeHidden();
    await task.getByTestId("repair-frame").locator("summary").click();
    await expect(task.getByTestId("repair-frame")).toContainText("enter('checkout')");
    await expect(task.getByTestId("repair-frame").locator("pre")).toBeVisible();

    // One button, directly below the text. The editor stays open, the focus where it is, and the result is in view.
    const run = task.getByRole("button", { name: words.run });
    await expect(run).toHaveCount(1);
    await text.fill(NO_LOCK);
    const [above, button] = [await text.boundingBox(), await run.boundingBox()];
    const gap = (button?.y ?? 0) - (above?.y ?? 0) - (above?.height ?? 0);
    expect(gap).toBeGreaterThanOrEqual(0);
    expect(gap).toBeLessThan(40);
    await run.focus();
    await page.keyboard.press("Enter");
    const result = task.getByTestId("repair-result");
    await expect(await ends(result, "broken")).toContainText(words.later);
    await expect(await ends(result, "broken")).toBeInViewport({ ratio: 0.9 });
    await expect(text).toHaveValue(NO_LOCK);
    await expect(text).toBeInViewport();
    await expect(run).toBeFocused();
    // Screen readers are told the end, once.
    await expect(task.getByTestId("repair-said")).toContainText(words.later);
    await expect(result.getByRole("status")).toHaveCount(0);
    await expect(result.getByTestId("repair-stage")).toBeVisible();

    // From the text itself, by the keyboard.
    await text.fill("function acquire()\n  while true do end\nend\nfunction release() end");
    await text.press("ControlOrMeta+Enter");
    await expect(result.getByTestId("repair-refused")).toBeInViewport({ ratio: 0.9 });
    await expect(text).toBeFocused();

    // Nothing of the text is lost: in the other language, after a reload, after closing.
    const more = `${NO_LOCK}-- more`;
    await text.fill(more);
    await stage.speak(other);
    await expect(course.lesson()).toHaveAttribute("lang", other);
    await expect(text).toHaveValue(more);
    await page.reload();
    await expect(text).toHaveValue(more);
    await task.getByTestId("use-program").click();
    await expect(task.getByTestId("repair-source")).toContainText("-- more");
    await expect.poll(async () => (await course.lesson().boundingBox())?.width).toBeCloseTo(narrow, 0);
  });
}

test("on a phone the editor is as wide as the screen", async ({ stage }) => {
  const { page } = stage;
  await page.setViewportSize(SIZES.phone);
  const course = new Course(stage);
  const task = await opened(course, "zh-CN");
  await task.getByTestId("repair-change").click();
  const text = task.getByTestId("program-text");
  await expect(text).toBeInViewport({ ratio: 0.9 });
  const room = await text.boundingBox();
  expect(Math.abs(room?.x ?? 9)).toBeLessThanOrEqual(1);
  expect(room?.width).toBeGreaterThanOrEqual(SIZES.phone.width - 1);
  expect(await course.overflow()).toBeLessThanOrEqual(0);
  const button = task.getByRole("button", { name: "运行检查" });
  await button.click();
  await expect(await ends(task.getByTestId("repair-result"), "broken")).toBeInViewport();
  await expect(text).not.toHaveValue("");
});

test("a program that is being edited is there again when its panel is", async ({ stage }) => {
  const { page } = stage;
  const course = new Course(stage);
  await course.open(LESSON, "en");
  const card = page.getByTestId("program-1");
  await card.getByTestId("edit").click();
  await card.getByTestId("program-text").fill("redis.call('PING')");
  await course.show("terminals");
  await expect(card).toHaveCount(0);
  await course.show("programs");
  await expect(card.getByTestId("program-text")).toHaveValue("redis.call('PING')");
  await card.getByTestId("use-program").click();
  await expect(card).toContainText("redis.call('PING')");
  await expect(card.getByTestId("program-text")).toHaveCount(0);
});
