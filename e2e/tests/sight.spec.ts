// Text is never smaller than 12 px, in both languages, in every window.
import type { Page } from "@playwright/test";
import { Course } from "../support/course.ts";
import { expect, test } from "../support/fixtures.ts";
import { textBelow } from "../support/sight.ts";
import { SIZES, type Stage } from "../support/stage.ts";

const FLOOR = 12;
/** In focus mode on a projector of 1920 px. */
const FOCUS_FLOOR = 22;
const WINDOWS = { ...SIZES, small: { width: 1024, height: 768 } };

async function nothingSmall(page: Page, floor = FLOOR): Promise<void> {
  expect.soft(await textBelow(page, floor)).toEqual([]);
}

/** A key of each type; the inside of each is shown. */
const KEYS: [string, string][] = [
  ["text", "SET text hello"],
  ["bits", "SETBIT bits 100 1"],
  ["list", "RPUSH list a b c"],
  ["hash", "HSET hash name ann age 7"],
  ["numbers", "SADD numbers 1 2 3"],
  ["board", "ZADD board 3 ann 5 bob"],
  ["cities", "GEOADD cities 116.404269 39.91582 beijing 121.478799 31.235456 shanghai"],
  ["visitors", "PFADD visitors a b c"],
  ["log", "XADD log 1-1 event login"],
];

test.describe(() => {
  test.use({ viewport: SIZES.projector });

  test("in focus mode every word is large enough for the last row of a hall", async ({ stage }) => {
    test.setTimeout(240_000);
    const course = new Course(stage);
    const { page } = stage;
    await stage.open("en");
    await stage.expect("c1", "SET a 1", "OK");
    await page.getByTestId("focus").click();
    await expect(page.locator("[data-group=focus-stage]")).toBeVisible();
    for (const panel of ["keyspace", "inside"]) {
      await course.show(panel);
      await nothingSmall(page, FOCUS_FLOOR);
    }
    await page.getByTestId("focus").click();
    await course.open("locks/set-nx-ex", "en");
    await course.step(1, 2, 3);
    await page.keyboard.press("KeyF");
    await expect(page.locator("[data-group=focus-stage]")).toBeVisible();
    for (const language of ["en", "zh-CN"] as const) {
      await stage.speak(language);
      for (const panel of ["queue", "terminals", "lanes", "lesson", "verdict", "keyspace", "inside", "programs"]) {
        await course.show(panel);
        await nothingSmall(page, FOCUS_FLOOR);
      }
    }
    // The user's own layout is restored.
    await page.keyboard.press("KeyF");
    await expect(page.locator("[data-group=above]")).toBeVisible();
    await expect(page.locator("[data-group=focus-stage]")).toHaveCount(0);
    expect(await course.moment()).toBe(3);
  });
});

async function projector(stage: Stage, name: string): Promise<void> {
  if (name === "projector") await stage.page.getByTestId("projector").click();
}

for (const [name, viewport] of Object.entries(WINDOWS)) {
  test.describe(() => {
    test.use({ viewport });

    test(`all text of the sandbox is large enough (${name})`, async ({ stage }) => {
      test.setTimeout(240_000);
      const { page } = stage;
      for (const language of ["en", "zh-CN"] as const) {
        await stage.open(language);
        await nothingSmall(page);
        if (language === "en") await projector(stage, name);
        for (const [key, line] of KEYS) {
          await stage.type("c1", line);
          // The inside shows what a command has changed.
          await expect(page.getByTestId("keyspace").getByRole("option", { name: key, includeHidden: true }).first()).toBeAttached();
          if (name === "phone") await page.getByTestId("tab-keys").click();
          await nothingSmall(page);
          if (name === "phone") await page.getByTestId("tab-inside").click();
          await nothingSmall(page);
          if (name === "phone") await page.getByTestId("tab-terminals").click();
        }
        await stage.type("c1", "HELP SET");
        await nothingSmall(page);
        if (name !== "phone") {
          await page.getByTestId("lanes-toggle").click();
          await expect(page.getByTestId("lanes")).toBeVisible();
          await nothingSmall(page);
          await page.getByTestId("scripts-toggle").click();
          await expect(page.getByTestId("scripts")).toBeVisible();
          await nothingSmall(page);
          await page.getByTestId("scripts-toggle").click();
          await page.getByTestId("lanes-toggle").click();
          await page.getByTestId("steps").click();
          await nothingSmall(page);
          await page.getByTestId("steps").click();
        }
        for (const dialog of ["share", "sessions", "help"]) {
          const opener = page.getByTestId(dialog);
          if (!(await opener.isVisible())) continue;
          await opener.click();
          await expect(page.getByTestId(`${dialog}-dialog`)).toBeVisible();
          await nothingSmall(page);
          await page.keyboard.press("Escape");
        }
      }
    });

    test(`all text of the course is large enough (${name})`, async ({ stage }) => {
      test.setTimeout(240_000);
      const course = new Course(stage);
      const { page } = stage;
      await course.openMap("en");
      await projector(stage, name);
      for (const lesson of ["locks/set-nx-ex", "locks/retry", "locks/flash-sale-lock"]) {
        for (const language of ["en", "zh-CN"] as const) {
          await course.open(lesson, language);
          await nothingSmall(page);
          // The second language shows the same session.
          if ((await course.moment()) === 0) await course.step(1, 2, 3);
          await nothingSmall(page);
          const tabs = name === "phone" ? ["above", "below", "side", "inner", "timeline", "text"] : [];
          for (const tab of tabs) {
            await page.getByTestId(`tab-${tab}`).click();
            await nothingSmall(page);
          }
          if (name === "phone") continue;
          for (const panel of ["queue", "lanes", "programs", "terminals"]) {
            await course.show(panel);
            await nothingSmall(page);
          }
          await course.turnTo("story");
          await nothingSmall(page);
          await course.turnTo("flow");
        }
      }
      await course.openMap();
      await nothingSmall(page);
    });
  });
}
