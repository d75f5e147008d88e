// Accessibility: axe finds no violations, and everything works using only the keyboard.
import type { Page } from "@playwright/test";
import { violations } from "../support/axe.ts";
import { Course } from "../support/course.ts";
import { expect, test } from "../support/fixtures.ts";
import { SIZES } from "../support/stage.ts";

for (const [name, viewport] of Object.entries(SIZES)) {
  for (const scheme of ["light", "dark"] as const) {
    test.describe(() => {
      test.use({ viewport, colorScheme: scheme });
      test(`axe finds no violations (${name}, ${scheme})`, async ({ stage }) => {
        for (const language of ["en", "zh-CN"] as const) {
          await stage.open(language);
          if (name !== "phone") await stage.type("c1", "ZADD board 3 ann 5 bob");
          expect(await violations(stage.page)).toEqual([]);
        }
      });
    });
  }
}

test("keyboard only: type, go to the other client, type, and back to the header", async ({ stage }) => {
  await stage.open("en");
  const { keyboard } = stage.page;
  await keyboard.type("SET a 1");
  await keyboard.press("Enter");
  await expect(stage.log("c1")).toContainText("OK");
  const reached = async (there: () => Promise<boolean>, key: string) => {
    for (let presses = 0; presses < 60; presses += 1) {
      if (await there()) return true;
      await keyboard.press(key);
    }
    return false;
  };
  const focused = (locator: ReturnType<typeof stage.prompt>) => () => locator.evaluate((node) => node === document.activeElement);
  expect(await reached(focused(stage.prompt("c2")), "Tab")).toBe(true);
  await keyboard.type("GET a");
  await keyboard.press("Enter");
  await expect(stage.log("c2")).toContainText('"1"');
  expect(await reached(focused(stage.page.getByTestId("language")), "Shift+Tab")).toBe(true);
  await keyboard.press("Enter");
  await expect(stage.page.locator("html")).toHaveAttribute("lang", "zh-CN");
});

test("single-key shortcuts can be switched off and changed, and a reload keeps the setting", async ({ stage }) => {
  const { page } = stage;
  const position = () => page.getByTestId("track").inputValue();
  await stage.open("en");
  await stage.expect("c1", "SET a 1", "OK");
  await stage.expect("c1", "SET a 2", "OK");
  await page.keyboard.press("Escape");
  await page.keyboard.press("Comma");
  await expect.poll(position).toBe("1");
  await page.getByTestId("help").click();
  const back = page.getByTestId("keys").getByRole("button", { name: /^one step back/ });
  await back.click();
  await page.keyboard.press("KeyS");
  await expect(page.getByTestId("help-dialog")).toContainText("taken: one second passes");
  await page.keyboard.press("KeyZ");
  await expect(back).toHaveText("Z");
  await page.keyboard.press("Escape");
  await page.reload();
  await expect(stage.log("c1")).toContainText("SET a 1");
  await page.keyboard.press("Escape");
  await page.keyboard.press("Comma");
  await page.keyboard.press("KeyZ");
  await expect.poll(position).toBe("0");
  await page.getByTestId("help").click();
  await page.getByTestId("single-keys").click();
  await page.keyboard.press("Escape");
  await page.getByTestId("forward").click();
  await page.keyboard.press("KeyZ");
  await page.keyboard.press("Alt+KeyZ");
  await expect.poll(position).toBe("0");
  await page.getByTestId("help").click();
  await page.getByTestId("default-keys").click();
  await expect(back).toHaveText(",");
});

/** The live regions that announce something new after an action. */
async function spoken(page: Page, act: () => Promise<void>): Promise<string[]> {
  const regions = '[aria-live="polite"], [aria-live="assertive"], [role="status"], [role="alert"], [role="log"]';
  await page.evaluate((regions) => {
    const said = new Set<string>();
    const observer = new MutationObserver((records) => {
      for (const { target } of records) {
        const region = (target instanceof Element ? target : target.parentElement)?.closest(regions);
        if (region && region.getAttribute("aria-live") !== "off") said.add(region.getAttribute("data-testid") ?? region.className);
      }
    });
    observer.observe(document.body, { childList: true, characterData: true, subtree: true });
    Object.assign(window, { heard: () => (observer.disconnect(), [...said]) });
  }, regions);
  await act();
  return page.evaluate(() => (window as unknown as { heard(): string[] }).heard());
}

test("one live region announces each step", async ({ stage }) => {
  const course = new Course(stage);
  const { page } = stage;
  await stage.open("en");
  // Until the whole page is loaded, a line says that the rest is being fetched.
  await stage.fetchedAhead();
  expect(await spoken(page, () => stage.expect("c1", "SET a 1", "OK"))).toEqual(["description"]);
  expect(await spoken(page, () => stage.expect("c2", "INCR a", "2"))).toEqual(["description"]);
  expect(await spoken(page, () => stage.expect("c2", "LPUSH a 1", "WRONGTYPE"))).toEqual(["description"]);
  expect(await spoken(page, () => page.getByTestId("back").click())).toEqual(["description"]);
  expect(await spoken(page, () => page.getByTestId("last").click())).toEqual(["description"]);
  // The terminal itself announces output that is not a step.
  expect(await spoken(page, () => stage.expect("c1", "HELP GET", "GET key"))).toEqual(["terminal-log"]);
  await course.open("locks/set-nx-ex", "en");
  expect(await spoken(page, () => course.step(1))).toEqual(["description"]);
  expect(await spoken(page, () => course.step(2))).toEqual(["description"]);
  expect(await spoken(page, async () => {
    await page.getByTestId("back").click();
    await expect.poll(() => course.moment()).toBe(1);
  })).toEqual(["description"]);
});

test("arrows move tabs and lists where these have the focus, and time elsewhere", async ({ stage }) => {
  const course = new Course(stage);
  const { page } = stage;
  await course.open("locks/set-nx-ex", "en");
  await course.step(1, 2);
  await page.getByTestId("panel-lanes").focus();
  await page.keyboard.press("ArrowRight");
  await expect(page.getByTestId("panel-queue")).toHaveAttribute("aria-selected", "true");
  await expect(page.getByTestId("panel-queue")).toBeFocused();
  await page.getByTestId("program-lines").first().focus();
  await page.keyboard.press("ArrowLeft");
  expect(await course.moment()).toBe(2);
  await page.getByTestId("back").focus();
  await page.keyboard.press("ArrowLeft");
  await expect.poll(() => course.moment()).toBe(1);
});
