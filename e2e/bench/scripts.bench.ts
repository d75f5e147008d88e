// Scripts with 10^3 … 10^6 commands on up to 10,000 keys in the page: from Enter to the reply, and the longest task that blocked the page.
import { expect, test } from "@playwright/test";
import { figure } from "../support/figures.ts";
import { Stage } from "../support/stage.ts";

const ROUNDS = 3;

for (const size of [1_000, 10_000, 100_000, 1_000_000]) {
  test(`a script with ${size} commands`, async ({ browser }) => {
    test.setTimeout(300_000);
    const waits: number[] = [];
    const longest: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
      const stage = new Stage(await context.newPage());
      await stage.open("en");
      // The Lua module is loaded, and the clock is stopped.
      await stage.expect("c1", `EVAL "return 'ready'" 0`, "ready");
      await stage.page.getByTestId("run").click();
      await stage.prompt("c1").fill(`EVAL "for i=1,${size} do redis.call('SET','k'..(i%10000),i) end return 'done'" 0`);
      const { wait, task } = await stage.page.evaluate(async () => {
        let task = 0;
        const observer = new PerformanceObserver((list) => {
          for (const entry of list.getEntries()) task = Math.max(task, entry.duration);
        });
        observer.observe({ entryTypes: ["longtask"] });
        const log = document.querySelector('[data-testid="client-0"] [role="log"]')!;
        const input = document.querySelector<HTMLInputElement>('[data-testid="input-0"]')!;
        input.focus();
        const started = performance.now();
        const enter = new KeyboardEvent("keydown", { key: "Enter", code: "Enter", bubbles: true, cancelable: true });
        if (input.dispatchEvent(enter)) input.form?.requestSubmit();
        const isOver = () => /its script takes|"done"/.test(log.textContent ?? "");
        while (!isOver()) await new Promise((resolve) => setTimeout(resolve, 1));
        const wait = performance.now() - started;
        await new Promise((resolve) => setTimeout(resolve, 600));
        return { wait, task };
      });
      waits.push(wait);
      longest.push(task);
      const deadline = stage.page.getByTestId("deadline");
      if (await deadline.isEnabled()) await deadline.click();
      await expect(stage.log("c1")).toContainText('"done"');
      await context.close();
    }
    figure(`${size} commands, until the script has run`, waits);
    figure(`${size} commands, the longest task of the main thread over 50 ms (0: none)`, longest);
  });
}
