// What a person waits for: from opening the page to a prompt that answers, from Enter to pixels, from a seek to pixels.
import { test } from "@playwright/test";
import { figure } from "../support/figures.ts";
import { Stage } from "../support/stage.ts";

test("from navigation to a prompt that answers", async ({ browser }) => {
  const waits: number[] = [];
  for (let round = 0; round < 15; round += 1) {
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
    const page = await context.newPage();
    const stage = new Stage(page);
    // Counted in the page itself, from its navigation start to the frame in which the prompt stands and can be typed into.
    await page.addInitScript(() => {
      const look = () => {
        const prompt = document.querySelector('[data-testid="input-0"]');
        if (prompt) requestAnimationFrame(() => Object.assign(window, { promptAt: performance.now() }));
        else requestAnimationFrame(look);
      };
      look();
    });
    await page.goto(stage.url());
    await page.waitForFunction(() => "promptAt" in window, undefined, { timeout: 20_000 });
    waits.push(await page.evaluate(() => (window as unknown as { promptAt: number }).promptAt));
    await context.close();
  }
  figure("navigation to a prompt that answers", waits);
});
