// Problems around a lesson: a reload in its middle, two tabs, full and corrupt storage, files that cannot be fetched. Each is
// reported in the user's language, and nothing is lost. (A search whose worker cannot be fetched: `explorer.spec.ts`.)
import type { Page } from "@playwright/test";
import { Course } from "../support/course.ts";
import { expect, test } from "../support/fixtures.ts";
import { Stage, type Language } from "../support/stage.ts";

const LESSON = "locks/set-nx-ex";
const LANGUAGES: Language[] = ["en", "zh-CN"];

test("a reload in the middle of a lesson keeps the stage, the branches and the part of the text", async ({ stage }) => {
  const course = new Course(stage);
  const { page } = stage;
  await course.open(LESSON, "en");
  await course.turnTo("story");
  await course.step(1, 1, 2);
  await course.pass("c2");
  for (let steps = 0; steps < 2; steps += 1) await page.getByTestId("back").click();
  await expect.poll(() => course.moment()).toBe(2);
  await course.step(3);
  await page.getByTestId("back").click();
  await expect.poll(() => course.moment()).toBe(2);
  const before = await course.sight();
  await page.reload();
  await expect.poll(() => course.sight()).toEqual(before);
  await expect(page.getByTestId("story")).toBeVisible();
  await page.getByTestId("steps").click();
  await expect(page.getByTestId("branch-list").getByRole("listitem")).toHaveCount(2);
});

test("two tabs of one lesson do not overwrite each other, and share progress", async ({ stage, context }) => {
  const course = new Course(stage);
  await course.open(LESSON, "en");
  await course.step(1, 1);
  const second = new Course(new Stage(await context.newPage()));
  await second.open(LESSON, "en");
  // The second tab starts a new session, because the other one is in use.
  expect(await second.moment()).toBe(0);
  await second.step(3);
  await course.step(2);
  await course.pass("c2");
  await course.turnTo("flow");
  await course.step(2, 2);
  await expect(course.broken()).toHaveCount(1);
  await expect(stage.page.getByTestId("task-break")).toHaveAttribute("data-done");
  // A tab that did not know of it yet overwrites it: the first tab stores it again.
  const progress = (page: Page) => page.evaluate(() => Object.entries(localStorage).find(([, text]) => String(text).startsWith("lockstep-progress")));
  await expect.poll(async () => String(await progress(second.stage.page))).toContain("done break");
  await second.stage.page.evaluate(([key, text]) => {
    localStorage.setItem(String(key), String(text).split("\n").filter((line) => !line.includes("break")).join("\n"));
  }, (await progress(second.stage.page)) ?? []);
  await expect.poll(async () => String(await progress(second.stage.page))).toContain("done break");
  const [first, other] = [await course.sight(), await second.sight()];
  for (const each of [course, second]) await each.stage.page.reload();
  await expect.poll(() => course.sight()).toEqual(first);
  await expect.poll(() => second.sight()).toEqual(other);
  await second.turnTo("flow");
  await expect(second.stage.page.getByTestId("task-break")).toHaveAttribute("data-done");
});

for (const language of LANGUAGES) {
  test(`full storage is reported, loses no step, and keeps its old content (${language})`, async ({ stage }) => {
    const course = new Course(stage);
    const { page } = stage;
    await course.open(LESSON, language);
    await course.step(1);
    const kept = await course.sight();
    await expect.poll(() => page.evaluate(() => Object.entries(localStorage).some(([key, text]) => key.includes("session.") && String(text).includes("c1< step")))).toBe(true);
    await page.evaluate(() => {
      // Blocks of half the size each, until not even the smallest fits.
      for (let size = 4 << 20, nth = 0; size > 0; size = Math.floor(size / 2)) {
        try {
          for (;;) localStorage.setItem(`filling.${(nth += 1)}`, "x".repeat(size));
        } catch {
          // No space for blocks of this size.
        }
      }
      for (let code = 0x100; code < 0x200; code += 1) {
        try {
          localStorage.setItem(String.fromCharCode(code), "");
        } catch {
          return;
        }
      }
    });
    await course.step(1, 2);
    await expect(page.getByTestId("notice")).toContainText(language === "en" ? "storage is full" : "浏览器的存储已满");
    await course.pass("c2");
    await course.step(2, 2);
    await expect(course.broken()).toHaveCount(1);
    // A reload would lose these steps, so the browser asks first.
    const asked: string[] = [];
    page.on("dialog", async (dialog) => {
      asked.push(dialog.type());
      await dialog.accept();
    });
    await page.reload();
    expect(asked).toEqual(["beforeunload"]);
    await expect.poll(() => course.sight()).toEqual(kept);
  });

  test(`a corrupt session of a lesson is set aside and reported (${language})`, async ({ stage }) => {
    const course = new Course(stage);
    const { page } = stage;
    await course.open(LESSON, language);
    await course.step(1, 1, 2);
    await expect.poll(() => page.evaluate(() => Object.entries(localStorage).some(([key, text]) => key.includes("session.") && String(text).includes("c2< step")))).toBe(true);
    await page.evaluate(() => {
      for (const [key, text] of Object.entries(localStorage)) {
        if (String(text).includes("c2< step")) localStorage.setItem(key, String(text).slice(0, String(text).indexOf("c2< step") + 4));
      }
    });
    await page.reload();
    await expect(page.getByTestId("notice")).toContainText(language === "en" ? "was set aside, not deleted" : "它没有被删除");
    await course.step(1);
    await page.getByTestId("sessions").click();
    await expect(page.getByTestId("session-list")).toContainText(language === "en" ? "could not be read" : "无法读取");
  });

  test(`a lesson that is missing, broken or cannot be fetched is named, and can be requested again (${language})`, async ({ page }) => {
    // The browser itself reports failed requests, so this page is not watched for errors.
    const course = new Course(new Stage(page));
    const files = `**/lessons/${LESSON}*`;
    const trouble = page.getByTestId("trouble");
    const words = {
      en: ["There is no lesson with this address.", "another version of the page", "Check the network."],
      "zh-CN": ["这个地址没有对应的课", "与当前页面的版本不一致", "请检查网络"],
    }[language];
    await course.openMap(language);
    await course.card(LESSON).getByRole("link").click();
    await expect(course.lesson()).toBeVisible();
    await course.step(1, 2);
    const kept = await course.sight();
    const answers = [{ status: 404, body: "not here" }, { status: 200, body: "<html>somebody's login page</html>" }, undefined];
    for (const [nth, answer] of answers.entries()) {
      await page.route(files, (route) => (answer ? route.fulfill(answer) : route.abort()));
      await page.reload();
      await expect(trouble).toContainText(words[nth] ?? "");
      await page.unroute(files);
      await trouble.getByRole("button").click();
      await expect.poll(() => course.sight()).toEqual(kept);
    }
  });

  test(`without the module that runs programs the text is readable, and a reload restores everything (${language})`, async ({ page }) => {
    const course = new Course(new Stage(page));
    await course.open(LESSON, language);
    await course.step(1, 1, 2);
    const kept = await course.sight();
    const link = await page.evaluate(() => location.href);
    const module = "**/lua-page_bg.wasm*";
    const message = language === "en" ? "runs programs could not be loaded" : "运行程序的模块加载失败";
    await page.route(module, (route) => route.abort());
    await page.reload();
    await expect(page.getByTestId("notice")).toContainText(message);
    await expect(course.lesson()).toContainText("SET NX EX");
    await course.expect("c1", "GET stock", '"5"');
    await page.unroute(module);
    await page.goto("about:blank");
    await page.goto(link);
    await course.show("programs");
    await expect.poll(() => course.sight()).toEqual(kept);
  });
}

test("a link received while programs cannot be played is opened by a later reload", async ({ stage, browser }) => {
  const course = new Course(stage);
  await course.open(LESSON, "en");
  await course.step(1, 1, 2);
  await stage.page.getByTestId("share").click();
  const link = await stage.page.getByTestId("share-link").inputValue();
  await stage.page.keyboard.press("Escape");
  const context = await browser.newContext({ locale: "en-GB", viewport: { width: 1280, height: 800 } });
  const other = new Course(new Stage(await context.newPage()));
  await other.stage.page.route("**/lua-page_bg.wasm*", (route) => route.abort());
  await other.stage.page.goto(link);
  await expect(other.stage.page.getByTestId("notice")).toContainText("runs programs could not be loaded");
  await other.stage.page.unroute("**/lua-page_bg.wasm*");
  await other.stage.page.reload();
  await expect.poll(() => other.sight()).toEqual(await course.sight());
  await context.close();
});
