// Everyone can use it: no violation that axe finds, and everything by keyboard alone.
import { violations } from "../support/axe.ts";
import { expect, test } from "../support/fixtures.ts";
import { SIZES } from "../support/stage.ts";

for (const [name, viewport] of Object.entries(SIZES)) {
  for (const scheme of ["light", "dark"] as const) {
    test.describe(() => {
      test.use({ viewport, colorScheme: scheme });
      test(`axe has nothing to object to (${name}, ${scheme})`, async ({ stage }) => {
        for (const language of ["en", "zh-CN"] as const) {
          await stage.open(language);
          if (name !== "phone") await stage.type("c1", "ZADD board 3 ann 5 bob");
          expect(await violations(stage.page)).toEqual([]);
        }
      });
    });
  }
}

test("by keyboard alone: type, go to the other client, type, and back to the header", async ({ stage }) => {
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
