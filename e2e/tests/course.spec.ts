// The course: its map, a lesson on its stage, progress; and that the pages do not change each other's sessions.
import { readFileSync, readdirSync } from "node:fs";
import { dirname } from "node:path";
import { violations } from "../support/axe.ts";
import { Course, hasPrograms } from "../support/course.ts";
import { expect, test } from "../support/fixtures.ts";
import { SIZES, Stage, type Language } from "../support/stage.ts";
import { bound, squeezed } from "../support/weights.ts";

const LESSONS = readdirSync("../lessons", { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith("lesson.toml"))
  .map((name) => dirname(name));
const TITLES: Record<Language, string> = { en: "Overselling", "zh-CN": "超卖" };

test("opening any lesson stays within the budget", async ({ stage }) => {
  test.setTimeout(300_000);
  // The second part of the module of Lua follows; a lesson opens without it.
  const second = "lua-page_rest.wasm";
  await stage.page.route(`**/${second}*`, (route) => route.abort("aborted"));
  const sizes = new Map<string, number>();
  for (const lesson of LESSONS) {
    await stage.page.goto("about:blank");
    await new Course(stage).open(lesson);
    const names = (await stage.firstLoad()).filter((name) => name !== second);
    for (const name of names.filter((name) => !sizes.has(name))) {
      sizes.set(name, squeezed(await (await stage.page.request.get(stage.url(name))).body()));
    }
    const own = names.map((name) => sizes.get(name) ?? 0);
    expect(own.every((size) => size > 1), `${lesson}: ${names.join(" ")}`).toBe(true);
    expect.soft(own.reduce((a, b) => a + b, 0), `${lesson}: ${names.join(" ")}`).toBeLessThanOrEqual(bound("lesson"));
    if (lesson !== "locks/oversell") continue;
    // The files that the build counts as those of a lesson with programs (crates/xtask/src/dist.rs).
    expect(names.filter((name) => name.endsWith(".wasm")).map((name) => name.replace(/-[0-9a-f]+_/, "_")).sort())
      .toEqual(["lockstep-page_bg.wasm", "lockstep-page_course.wasm", "lockstep-page_en.wasm", "lockstep-page_lab.wasm", "lockstep-page_scripts.wasm", "lua-page_bg.wasm"]);
  }
});

test("the text of a lesson can be read while its stage is being set up, and stays where it was", async ({ stage }) => {
  let open = () => {};
  const gate = new Promise<void>((resolve) => { open = resolve; });
  await stage.page.setViewportSize(SIZES.phone);
  await stage.page.route("**/lua-page_bg.wasm*", async (route) => gate.then(() => route.continue()));
  await stage.page.goto(stage.url("#learn/locks/set-nx-ex"));
  const text = stage.page.getByTestId("lesson-text");
  await expect(text.getByRole("heading", { name: "Two at once" })).toBeVisible();
  await expect(text.getByTestId("prose").first()).toContainText("SET lock held NX EX 10");
  // Nothing can be done yet.
  await expect(text.getByRole("button", { name: /hint|solution|step by step/i })).toHaveCount(0);
  await expect(stage.page.getByTestId("loading")).toBeVisible();
  expect(await violations(stage.page)).toEqual([]);
  const scrolled = () => stage.page.locator("#lesson-flow").evaluate((body) => body.scrollTop);
  await stage.page.locator("#lesson-flow").evaluate((body) => { body.scrollTop = 90; });
  await expect.poll(scrolled).toBe(90);
  open();
  await expect(new Course(stage).lesson()).toBeVisible();
  await expect(text).toHaveCount(0);
  await expect.poll(scrolled).toBe(90);
});

test("tasks have their styles before the list of lessons has come", async ({ stage }) => {
  let open = () => {};
  const gate = new Promise<void>((resolve) => { open = resolve; });
  await stage.page.emulateMedia({ colorScheme: "dark" });
  await stage.page.route("**/lessons/index.*", async (route) => gate.then(() => route.continue()));
  await new Course(stage).open("cache/penetration");
  await expect(stage.page.getByTestId("choice").first()).toBeVisible();
  expect(await violations(stage.page)).toEqual([]);
  await expect(stage.page.getByTestId("next-lesson")).toHaveCount(0);
  open();
  await expect(stage.page.getByTestId("next-lesson")).toBeVisible();
});

test("no lesson calls a chunk that is not loaded", async ({ stage }) => {
  const blocking = stage.blockingRequests();
  // This matches the second part of the module of Lua too. Chunks are loaded late, or never if the lesson does not need them; they include
  // the river and its content. A lesson at the terminals may begin with any command.
  let comesLate = false;
  let hasLab = false;
  await stage.page.route(/_(commands|lab|network|ordered|rest|stretch)\.wasm/, async (route) => {
    if (route.request().resourceType() === "xhr" || (hasLab && /_lab/.test(route.request().url()))) return route.continue();
    if (!comesLate) return route.abort("aborted");
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    return route.continue();
  });
  for (const lesson of LESSONS) {
    hasLab = hasPrograms(lesson);
    comesLate = !hasLab || /"river"|"traffic"|XADD|PUSH/.test(readFileSync(`../lessons/${lesson}/lesson.toml`, "utf8"));
    // A new document, which has no chunk of an earlier lesson.
    await stage.page.goto("about:blank");
    const course = new Course(stage);
    await course.open(lesson);
    if (hasPrograms(lesson)) await course.step(1);
    // Nobody waits for what a program does now.
    for (const key of ["Digit1", "Digit2", "Digit1", "Digit2", "Digit2", "Digit1"]) await stage.page.keyboard.press(key);
    expect.soft(blocking.splice(0), lesson).toEqual([]);
  }
});

test("rarely needed code is loaded when the learner types, and again after a reload", async ({ stage }) => {
  const blocking = stage.blockingRequests();
  const course = new Course(stage);
  await course.open("locks/oversell");
  await course.expect("c1", "GEOADD places 116.4 39.9 beijing", "(integer) 1");
  await course.expect("c1", "XADD log 1-1 a b", '"1-1"');
  await stage.page.reload();
  await expect(course.log("c1")).toContainText("XADD log 1-1 a b");
  await course.expect("c1", "XLEN log", "(integer) 1");
  expect(blocking).toEqual([]);
});

test("navigation from sandbox to course and back keeps the document and both sessions", async ({ stage }) => {
  await stage.open("en");
  await stage.expect("c1", "SET mine 1", "OK");
  await stage.page.evaluate(() => Object.assign(window, { isSameDocument: true }));
  await stage.page.getByTestId("to-course").click();
  const course = new Course(stage);
  await course.card("locks/oversell").getByRole("link").click();
  await expect(course.lesson()).toBeVisible();
  await expect(stage.page).toHaveTitle(/Overselling/);
  // Keys work as soon as the programs are drawn, a moment after the text.
  await expect(course.goOn("c1")).toBeEnabled();
  await course.step(1);
  await stage.page.getByTestId("to-sandbox").click();
  await expect(stage.log("c1")).toContainText("SET mine 1");
  await expect(stage.page).toHaveTitle(/^Lockstep/);
  await stage.expect("c1", "GET mine", '"1"');
  await stage.page.goBack();
  await expect(course.lesson()).toBeVisible();
  expect(await course.moment()).toBe(1);
  await stage.page.goBack();
  await expect(course.card("locks/oversell")).toBeVisible();
  expect(await stage.page.evaluate(() => "isSameDocument" in window)).toBe(true);
});

for (const language of ["en", "zh-CN"] as Language[]) {
  test(`map, lesson, reload, and back to an unchanged sandbox (${language})`, async ({ stage }) => {
    await stage.open(language);
    await stage.expect("c1", "SET mine 1", "OK");
    await stage.page.getByTestId("to-course").click();
    const course = new Course(stage);
    const card = course.card("locks/oversell");
    await expect(card).toHaveAttribute("data-state", "new");
    await card.getByRole("link", { name: TITLES[language] }).click();
    await expect(course.lesson()).toContainText(TITLES[language]);
    // A lesson has its own stage: it shows the keys of the lesson and not those of the sandbox.
    await expect(stage.page.getByTestId("keyspace")).toContainText("stock");
    await expect(stage.page.getByTestId("keyspace")).not.toContainText("mine");
    await course.expect("c1", "SET extra 1", "OK");

    await stage.page.reload();
    await expect(course.log("c1")).toContainText("SET extra 1");
    await stage.page.getByTestId("to-course").click();
    await expect(card).toHaveAttribute("data-state", "begun");
    await stage.page.getByTestId("to-sandbox").click();
    await expect(stage.log("c1")).toContainText("SET mine 1");
    await expect(stage.log("c1")).not.toContainText("extra");
  });
}

test("the language can change in the middle of a lesson", async ({ stage }) => {
  const course = new Course(stage);
  await course.open("locks/oversell", "en");
  await course.expect("c1", "SET extra 1", "OK");
  await stage.speak("zh-CN");
  await expect(course.lesson()).toContainText(TITLES["zh-CN"]);
  await expect(course.log("c1")).toContainText("SET extra 1");
});

test("a link shares a lesson with its session", async ({ stage, browser }) => {
  const course = new Course(stage);
  await course.open("locks/oversell", "en");
  await course.expect("c1", "SET shared 1", "OK");
  await stage.page.getByTestId("share").click();
  const link = await stage.page.getByTestId("share-link").inputValue();
  expect(link).toContain("#learn/locks/oversell?");
  const context = await browser.newContext({ locale: "en-GB" });
  const other = new Stage(await context.newPage());
  await other.page.goto(link);
  await expect(new Course(other).lesson()).toContainText(TITLES.en);
  await new Course(other).show("terminals");
  await expect(new Course(other).log("c1")).toContainText("SET shared 1");
  // The session is in storage now: the address names the lesson, and a reload does not open the link again.
  expect(other.page.url()).toMatch(/#learn\/locks\/oversell$/);
  await context.close();
});

test("progress is saved as a file, forgotten, and loaded again", async ({ stage }) => {
  const course = new Course(stage);
  await course.open("locks/oversell", "en");
  await stage.page.getByTestId("to-course").click();
  const card = course.card("locks/oversell");
  await expect(card).toHaveAttribute("data-state", "begun");
  const [download] = await Promise.all([stage.page.waitForEvent("download"), stage.page.getByTestId("progress-save").click()]);
  const file = await download.path();
  await stage.page.getByTestId("progress-forget").click();
  await stage.page.getByTestId("progress-forget").click();
  await expect(card).toHaveAttribute("data-state", "new");
  await stage.page.getByTestId("progress-file").setInputFiles(file);
  await expect(card).toHaveAttribute("data-state", "begun");
});

test("corrupt progress is set aside and affects nothing else", async ({ stage }) => {
  await stage.open("en");
  await stage.expect("c1", "SET precious 1", "OK");
  await stage.page.evaluate(() => localStorage.setItem("lockstep.progress", "no progress at all"));
  await stage.page.getByTestId("to-course").click();
  await expect(stage.page.getByTestId("notice")).toBeVisible();
  await expect(new Course(stage).card("locks/oversell")).toHaveAttribute("data-state", "new");
  expect(await stage.page.evaluate(() => Object.values(localStorage).includes("no progress at all"))).toBe(true);
  await stage.page.getByTestId("to-sandbox").click();
  await expect(stage.log("c1")).toContainText("SET precious 1");
});

test("an address of no lesson shows a notice with a link to the map", async ({ page }) => {
  // The browser itself reports the missing file, so this page is not watched for errors.
  await page.goto(new Stage(page).url("#learn/locks/no-such-lesson"));
  await expect(page.getByTestId("trouble")).toBeVisible();
  await page.getByTestId("to-course").click();
  await expect(new Course(new Stage(page)).card("locks/oversell")).toBeVisible();
});

test("keyboard only: from the map into a lesson, a step of a program, and back in time", async ({ stage }) => {
  const course = new Course(stage);
  await course.openMap("en");
  const { keyboard } = stage.page;
  const link = course.card("locks/oversell").getByRole("link");
  for (let presses = 0; presses < 40; presses += 1) {
    if (await link.evaluate((node) => node === document.activeElement)) break;
    await keyboard.press("Tab");
  }
  await keyboard.press("Enter");
  await expect(stage.page.getByTestId("program-1")).toBeVisible();
  // A digit steps the client in that position.
  await keyboard.press("Digit2");
  await expect(stage.page.getByTestId("description")).toContainText("c2");
  await keyboard.press("Comma");
  await expect(stage.page.getByTestId("description")).not.toContainText("c2");
});

test("the story moves forward, back and aside, and its completion is stored", async ({ stage }) => {
  const course = new Course(stage);
  await course.open("locks/oversell", "en");
  await stage.page.getByTestId("part-story").click();
  const next = stage.page.getByTestId("story-next");
  const step = course.lesson().getByTestId("story-count");
  await next.click();
  await expect(step).toContainText("Step 1 of");
  await next.click();
  await expect(step).toContainText("Step 2 of");
  await stage.page.getByTestId("story-back").click();
  await expect(step).toContainText("Step 1 of");
  await stage.page.getByTestId("second").click();
  await expect(stage.page.getByTestId("story-return")).toBeVisible();
  await stage.page.reload();
  await stage.page.getByTestId("story-return").click();
  await expect(stage.page.getByTestId("story-return")).toBeHidden();
  // Each press waits for its effect: one more step is described.
  for (let nth = 2; await next.isVisible(); nth += 1) {
    await next.click();
    await expect(step).toContainText(`Step ${nth} of`);
  }
  await stage.page.getByTestId("story-to-lesson").click();
  await expect(stage.page.getByTestId("task-break")).toBeVisible();
});

test("a program that took steps while hidden is shown at its current line", async ({ stage }) => {
  const course = new Course(stage);
  await course.open("locks/redisson", "en");
  await course.step(1, 1);
  for (let times = 0; times < 2; times += 1) await stage.page.getByTestId("back").click();
  await course.show("terminals");
  for (let times = 0; times < 2; times += 1) await stage.page.getByTestId("forward").click();
  await course.show("programs");
  const line = course.program("c1").getByTestId("program-lines").locator('[aria-current="step"]').filter({ hasText: "work(" });
  await expect(line).toBeInViewport();
  // If the user has scrolled the source, the position stays.
  await course.program("c1").getByTestId("program-lines").evaluate((list) => list.scrollTo(0, 0));
  await stage.page.setViewportSize({ width: 1240, height: 780 });
  await expect(line).not.toBeInViewport();
});

test("a task to break something is done when the learner breaks it", async ({ stage }) => {
  const course = new Course(stage);
  await course.open("locks/oversell", "en");
  const task = stage.page.getByTestId("task-break");
  await expect(task).not.toHaveAttribute("data-done");
  // Both read before either writes.
  for (const key of ["Digit1", "Digit2", "Digit1", "Digit2"]) await stage.page.keyboard.press(key);
  await expect(task).toHaveAttribute("data-done");
  await expect(task.getByTestId("task-done")).toHaveAttribute("data-how", "alone");
  await stage.page.getByTestId("to-course").click();
  await expect(course.card("locks/oversell").getByTestId("how")).toHaveText("alone: 1");
  await expect(course.card("locks/oversell")).toContainText("1 of 4 tasks");
});

for (const [name, viewport] of Object.entries(SIZES)) {
  for (const scheme of ["light", "dark"] as const) {
    test.describe(() => {
      test.use({ viewport, colorScheme: scheme });
      test(`axe finds no violations in the course (${name}, ${scheme})`, async ({ stage }) => {
        const course = new Course(stage);
        for (const language of ["en", "zh-CN"] as const) {
          await course.openMap(language);
          expect(await violations(stage.page)).toEqual([]);
          expect(await course.overflow()).toBeLessThanOrEqual(0);
          await course.open("locks/oversell");
          for (const part of ["flow", "story"]) {
            await stage.page.getByTestId(`part-${part}`).click();
            expect(await violations(stage.page)).toEqual([]);
            expect(await course.overflow()).toBeLessThanOrEqual(0);
          }
        }
      });
    });
  }
}
