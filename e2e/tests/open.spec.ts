// The page opens: under a sub-path, within its weight, in the language of the browser, without a complaint.
import { expect, test } from "../support/fixtures.ts";
import { SIZES } from "../support/stage.ts";
import { bound, squeezed } from "../support/weights.ts";

test("the first load stays within its budget", async ({ stage }) => {
  const bodies: Promise<Buffer>[] = [];
  stage.page.on("response", (response) => bodies.push(response.body()));
  await stage.open();
  await stage.page.waitForLoadState("networkidle");
  const sizes = (await Promise.all(bodies)).map(squeezed);
  const sum = sizes.reduce((a, b) => a + b, 0);
  expect(sizes.length).toBeGreaterThan(2);
  expect(sum).toBeLessThanOrEqual(bound("sandbox"));
});

test("what is seldom needed is fetched when somebody types, and waited for where it comes too late", async ({ stage }) => {
  const late = stage.lateHalves();
  // Only the request of a function that cannot wait gets through.
  await stage.page.route("**/*_late.wasm*", (route) =>
    route.request().resourceType() === "xhr" ? route.continue() : route.abort("aborted"));
  await stage.open();
  await stage.page.waitForLoadState("networkidle");
  expect(late).toEqual([]);
  await stage.expect("c1", "ZADD ranking 1 a", "(integer) 1");
  expect(late.length).toBeGreaterThan(0);
  await stage.page.unroute("**/*_late.wasm*");
  await stage.page.reload();
  await expect(stage.log("c1")).toContainText("ZADD ranking 1 a");
  await stage.expect("c1", "ZCARD ranking", "(integer) 1");
});

test("a command is answered without any click before it", async ({ stage }) => {
  await stage.open("en");
  await stage.page.keyboard.type("SET lesson 1");
  await stage.page.keyboard.press("Enter");
  await expect(stage.log("c1")).toContainText("OK");
});

for (const [locale, language] of [["en-GB", "en"], ["zh-CN", "zh-CN"], ["fr-FR", "en"]] as const) {
  test.describe(() => {
    test.use({ locale });
    test(`a browser that speaks ${locale} is answered in ${language}`, async ({ stage }) => {
      await stage.open();
      expect(await stage.language()).toBe(language);
    });
  });
}

for (const [name, viewport] of Object.entries(SIZES)) {
  test.describe(() => {
    test.use({ viewport });
    test(`nothing sticks out of a ${name}'s window`, async ({ stage }) => {
      for (const language of ["en", "zh-CN"] as const) {
        await stage.open(language);
        const { inner, scroll } = await stage.page.evaluate(() => ({ inner: innerWidth, scroll: document.documentElement.scrollWidth }));
        expect(scroll).toBeLessThanOrEqual(inner);
      }
    });
  });
}
