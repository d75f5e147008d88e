// The search for a bug: found, described, loaded as a branch, stepped through, shared; stopped; and errors when the explorer cannot be
// fetched.
import { violations } from "../support/axe.ts";
import { Course } from "../support/course.ts";
import { expect, test } from "../support/fixtures.ts";
import { SIZES, Stage, type Language } from "../support/stage.ts";

/** Presses the button and waits for the end of the search. */
async function find(stage: Stage, finding: string | RegExp) {
  await stage.page.getByTestId("explore-find").click();
  const result = stage.page.getByTestId("explore-result");
  await expect(result).toHaveAttribute("data-finding", finding, { timeout: 60_000 });
  return result;
}

for (const language of ["en", "zh-CN"] as Language[]) {
  test(`a bug is found, loaded as a branch and stepped through to its breach (${language})`, async ({ stage }) => {
    await new Course(stage).open("locks/oversell", language);
    await expect(stage.page.getByTestId("explore-find")).toBeEnabled();

    const result = await find(stage, "broken");
    const sentence = (await result.textContent()) ?? "";
    const numbers = sentence.replaceAll(",", "").match(/\d+/g)?.map(Number) ?? [];
    expect(numbers.length, sentence).toBeGreaterThan(2);
    expect(await violations(stage.page)).toEqual([]);

    // The stage has not changed so far; then the schedule is loaded after the cursor.
    await expect(stage.page.getByTestId("forward")).toBeDisabled();
    await stage.page.getByTestId("explore-load").click();
    const verdict = stage.page.getByTestId("verdict");
    await expect(verdict.locator('[data-mark="broken"]')).toHaveCount(0);
    let steps = 0;
    const forward = stage.page.getByTestId("forward");
    while (await forward.isEnabled()) {
      const before = await stage.page.getByTestId("track").getAttribute("aria-valuetext");
      await forward.click();
      await expect(stage.page.getByTestId("track")).not.toHaveAttribute("aria-valuetext", before ?? "");
      steps += 1;
    }
    expect(numbers).toContain(steps);
    await expect(verdict.locator('[data-mark="broken"]')).not.toHaveCount(0);
    // Loading it again leads to the same branch and adds no step.
    await stage.page.getByTestId("explore-load").click();
    await expect(verdict.locator('[data-mark="broken"]')).toHaveCount(0);
  });
}

test("a running search is stopped, and reports its progress", async ({ stage }) => {
  await new Course(stage).open("locks/oversell", "en");
  const { page } = stage;
  await page.getByTestId("explorer-limits").locator("summary").click();
  for (const name of ["crashes", "pauses", "losses"]) await page.getByTestId(`explore-${name}`).selectOption("3");
  await page.getByTestId("explore-states").selectOption("3");
  // Search for the last property, which nothing breaks.
  await page.getByTestId("explore-goal").selectOption({ index: (await page.getByTestId("explore-goal").locator("option").count()) - 1 });
  // Stop as soon as possible: on a busy machine the search may be over before the next action of a test.
  await page.evaluate(() => new Promise<void>((stopped) => {
    const button = (name: string) => document.querySelector<HTMLButtonElement>(`[data-testid="${name}"]`);
    const observer = new MutationObserver(() => {
      const stop = button("explore-stop");
      if (!stop) return;
      observer.disconnect();
      stop.click();
      stopped();
    });
    observer.observe(document.body, { childList: true, subtree: true });
    button("explore-find")?.click();
  }));
  const result = page.getByTestId("explore-result");
  await expect(result).toHaveAttribute("data-finding", /cut|broken|nothing/);
  await expect(page.getByTestId("explore-find")).toBeVisible();
});

test("when the explorer cannot be fetched the page says so and keeps working", async ({ page }) => {
  // The browser itself reports the missing file, so this page is not watched for errors.
  const stage = new Stage(page);
  const course = new Course(stage);
  await page.route("**/explorer-page_bg.wasm*", (route) => route.abort());
  await course.open("locks/oversell", "en");
  await find(stage, "failed");
  await course.expect("c1", "PING", "PONG");
  await page.unroute("**/explorer-page_bg.wasm*");
  // What comes is no module: nothing of it is kept either.
  await page.route("**/explorer-page_bg.wasm*", (route) => route.fulfill({ contentType: "application/wasm", body: "<html>" }));
  await find(stage, "failed");
  await page.unroute("**/explorer-page_bg.wasm*");
  await find(stage, "broken");
});

test("a worker that dies silently is detected", async ({ page }) => {
  const stage = new Stage(page);
  await page.route("**/explorer.js*", (route) =>
    route.fulfill({ contentType: "text/javascript", body: 'postMessage("progress 0 0 0 0 0 0"); throw new Error("gone");' }),
  );
  await new Course(stage).open("locks/oversell", "en");
  const result = await find(stage, "failed");
  await expect(result).toContainText("gone");
});

test("the panel fits a phone and a projector", async ({ stage }) => {
  const course = new Course(stage);
  for (const size of [SIZES.phone, SIZES.projector]) {
    await stage.page.setViewportSize(size);
    await course.open("locks/oversell", "en");
    if (size === SIZES.phone) await stage.page.getByTestId("tab-verdict").click();
    await find(stage, "broken");
    await stage.page.getByTestId("explorer-limits").locator("summary").click();
    expect(await course.overflow()).toBeLessThanOrEqual(0);
  }
});
