// The tab is killed at random moments: no step that was on the screen is lost. `KILLS=1000` plays the long version.
import { readFileSync } from "node:fs";
import type { Browser, BrowserContext } from "@playwright/test";
import { expect, test } from "../support/fixtures.ts";
import { Stage } from "../support/stage.ts";

const KILLS = Number(process.env.KILLS ?? 10);
/** A session of this many steps is stored whole only when there is a pause. */
const MANY = 3_000;

declare global {
  interface Window {
    reportSeen(seen: Seen): void;
  }
}

/** What a frame shows: the cursor, the number of steps, and the number in the last command of any terminal. */
type Seen = { at: number; steps: number; last: number };

/** Reports what each frame shows. */
function watchFrames(): void {
  let before = "";
  const look = () => {
    requestAnimationFrame(look);
    const track = document.querySelector<HTMLInputElement>('[data-testid="track"]');
    if (!track) return;
    const lines = [...document.querySelectorAll('[data-testid="terminal-entries"] b')].map((line) => /SET last (\d+)/.exec(line.parentElement?.textContent ?? "")?.[1]);
    const seen = { at: Number(track.value), steps: Number(track.max), last: Math.max(0, ...lines.map((number) => Number(number ?? 0))) };
    if (JSON.stringify(seen) !== before) window.reportSeen(seen);
    before = JSON.stringify(seen);
  };
  look();
}

/** Kills the processes of all tabs, as the system does when memory runs out. */
async function kill(browser: Browser): Promise<void> {
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send("SystemInfo.getProcessInfo");
  for (const { id, type } of processInfo) if (type === "renderer") process.kill(id, "SIGKILL");
  await session.detach();
}

/** A generator of numbers from 0 up to a bound, the same in each run (mulberry32). */
function dice(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

/** Opens the page in a new tab and says what it has shown last. */
async function openTab(context: BrowserContext): Promise<{ stage: Stage; seen: () => Seen }> {
  const page = await context.newPage();
  let seen: Seen = { at: 0, steps: 0, last: 0 };
  await page.exposeFunction("reportSeen", (now: Seen) => { seen = now; });
  await page.addInitScript(watchFrames);
  const stage = new Stage(page);
  await stage.open("en");
  return { stage, seen: () => seen };
}

for (const [name, many, seed] of [["a few steps", 0, 1], ["thousands of steps", MANY, 2]] as const) {
  test(`whatever kills the tab, no step that was on the screen is lost (${name})`, async ({ browser }) => {
    test.setTimeout(60_000 + KILLS * 20_000);
    const context = await browser.newContext({ serviceWorkers: "block" });
    const roll = dice(seed);
    let { stage, seen } = await openTab(context);
    if (many) {
      const steps = ["+ c1 0", ...Array.from({ length: many - 1 }, (_, nth) => `c1> INCR n${nth % 7}`)];
      const text = ["lockstep 1", "", ...steps, `end ${many} at ${many} of ${many}`, ""].join("\n");
      await stage.page.getByTestId("share").click();
      await stage.page.getByTestId("file-input").setInputFiles({ name: "many.lockstep", mimeType: "text/plain", buffer: Buffer.from(text) });
      await expect.poll(() => seen().steps).toBeGreaterThan(many - 10);
    }
    let number = 0;
    for (let nth = 0; nth < KILLS; nth += 1) {
      const { page } = stage;
      await stage.fetchedAhead();
      // Until the tab dies, or before a step back, this goes on.
      let isActing = true;
      const acting = (async () => {
        while (isActing) {
          if (roll(8) === 0) await page.getByTestId("second").click();
          else await stage.type("c1", `SET last ${(number += 1)}`);
          await page.waitForTimeout(roll(40));
        }
      })().catch(() => {});
      const goal = number + 1 + roll(6);
      await expect.poll(() => number, { intervals: [5] }).toBeGreaterThanOrEqual(goal);
      const goesBack = roll(3) === 0;
      if (goesBack) {
        isActing = false;
        await acting;
        await expect.poll(() => seen().last).toBe(number);
        const { at } = seen();
        await page.getByTestId("back").click();
        await expect.poll(() => seen().at, { intervals: [1] }).toBe(at - 1);
      } else {
        await page.waitForTimeout(roll(60));
      }
      await kill(browser);
      isActing = false;
      // A tab that was killed in the middle of a request may never answer it.
      await Promise.race([page.close().then(() => acting), new Promise((done) => setTimeout(done, 5_000))]);
      const last = seen();
      ({ stage, seen } = await openTab(context));
      const words = `kill ${nth + 1}, after ${JSON.stringify(last)}`;
      await expect.poll(() => seen().steps, words).toBeGreaterThanOrEqual(last.steps);
      await expect.poll(() => seen().last, words).toBeGreaterThanOrEqual(last.last);
      if (goesBack) expect(seen(), words).toEqual(last);
    }
    await context.close();
  });
}

test("when the program breaks down, the page hands over the session with its last step", async ({ stage }) => {
  const { page } = stage;
  await stage.open("en");
  await stage.fetchedAhead();
  for (const line of ["SET a 1", "GET a"]) await stage.type("c1", line);
  await stage.expect("c1", "INCR a", "(integer) 2");
  // The whole text has been stored, not only the lines of the last step.
  await expect.poll(() => page.evaluate(() => Object.entries(localStorage).some(([key, text]) => key.includes("session.") && String(text).includes("INCR a")))).toBe(true);
  // The whole text is not stored again before the program breaks down.
  await page.evaluate(() => {
    const set = Storage.prototype.setItem;
    Storage.prototype.setItem = function (key, value) {
      if (key.includes("session.")) throw new Error("not now");
      set.call(this, key, value);
    };
  });
  await stage.expect("c1", "INCR a", "(integer) 3");
  await page.evaluate(() => (window as unknown as { lockstep: { fail(why: string): void } }).lockstep.fail("a test"));
  const [download] = await Promise.all([page.waitForEvent("download"), page.getByTestId("failure").getByRole("button").first().click()]);
  const text = readFileSync(await download.path(), "utf8");
  expect(text.match(/^c1> INCR a$/gm)).toHaveLength(2);
  expect(text.match(/^end /gm)).toHaveLength(1);
  expect(text).toMatch(/^end (\d+) at \1 of \1\n$/m);
});
