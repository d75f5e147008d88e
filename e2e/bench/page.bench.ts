// Times that a user waits: from opening the page to a usable prompt, from Enter to pixels, from a seek to pixels.
import { expect, test, type Browser } from "@playwright/test";
import { figure } from "../support/figures.ts";
import { sessionText } from "../support/session.ts";
import { Stage } from "../support/stage.ts";

const VIEWPORT = { width: 1280, height: 800 };

test("from navigation to a prompt that answers", async ({ browser }) => {
  const waits: number[] = [];
  for (let round = 0; round < 15; round += 1) {
    const context = await browser.newContext({ viewport: VIEWPORT });
    const page = await context.newPage();
    const stage = new Stage(page);
    // Measured in the page itself, from navigation start to the frame in which the prompt accepts input.
    await page.addInitScript(() => {
      const look = () => {
        if (document.querySelector('[data-testid="input-0"]')) requestAnimationFrame(() => Object.assign(window, { promptAt: performance.now() }));
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

/** A page that has opened a session file of these lines. */
async function opened(browser: Browser, lines: string[], before: string[] = []): Promise<Stage> {
  const page = await (await browser.newContext({ viewport: VIEWPORT })).newPage();
  const stage = new Stage(page);
  await stage.open();
  await page.getByTestId("share").click();
  const text = sessionText(lines, before);
  await page.getByTestId("file-input").setInputFiles({ name: "bench.lockstep", mimeType: "text/plain", buffer: Buffer.from(text) });
  await expect(stage.log("c1")).toContainText(lines.at(-1) ?? "", { timeout: 60_000 });
  return stage;
}

test("one command in a keyspace of 10,000 keys", async ({ browser }) => {
  const many = (from: number) => `MSET ${Array.from({ length: 500 }, (_, i) => `key:${from + i} value-${from + i}`).join(" ")}`;
  const stage = await opened(browser, ["DBSIZE"], Array.from({ length: 20 }, (_, i) => many(i * 500)));
  const { work, pixels } = await stage.page.evaluate(async () => {
    const input = document.querySelector<HTMLInputElement>('[data-testid="input-0"]')!;
    const setValue = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(input), "value")!.set!;
    const work: number[] = [];
    const pixels: number[] = [];
    for (let i = 0; i < 60; i += 1) {
      input.focus();
      setValue.call(input, `SET key:${(i * 7919) % 10000} changed-${i}`);
      input.dispatchEvent(new InputEvent("input", { bubbles: true }));
      await new Promise(requestAnimationFrame);
      const started = performance.now();
      const enter = new KeyboardEvent("keydown", { key: "Enter", code: "Enter", bubbles: true, cancelable: true });
      // A page that handles the key itself prevents the default; in a form the browser would submit.
      if (input.dispatchEvent(enter)) input.form?.requestSubmit();
      // Up to the end of the microtasks: the new state and the new document.
      await new Promise<void>((resolve) => queueMicrotask(resolve));
      work.push(performance.now() - started);
      // The frame after the next one starts when the pixels of this one are on the screen.
      await new Promise(requestAnimationFrame);
      await new Promise((resolve) => setTimeout(resolve));
      pixels.push(performance.now() - started);
    }
    return { work: work.slice(10), pixels: pixels.slice(10) };
  });
  figure("one command, 10,000 keys: state and document", work);
  figure("one command, 10,000 keys: to pixels", pixels);
  await stage.page.context().close();
});

test("seeks in a timeline of 10,000 steps", async ({ browser }) => {
  const lines = Array.from({ length: 9_990 }, (_, i) => (i % 3 ? `INCR counter:${i % 500}` : `RPUSH list:${i % 200} element-${i}`));
  const stage = await opened(browser, lines);
  const { work, pixels } = await stage.page.evaluate(async () => {
    const track = document.querySelector<HTMLInputElement>('[data-testid="track"]')!;
    const setValue = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(track), "value")!.set!;
    const [low, high] = [Number(track.min), Number(track.max)];
    const work: number[] = [];
    const pixels: number[] = [];
    for (let i = 0; i < 200; i += 1) {
      setValue.call(track, String(low + ((i * 7919) % (high - low))));
      const started = performance.now();
      track.dispatchEvent(new InputEvent("input", { bubbles: true }));
      await new Promise<void>((resolve) => queueMicrotask(resolve));
      work.push(performance.now() - started);
      await new Promise(requestAnimationFrame);
      await new Promise((resolve) => setTimeout(resolve));
      pixels.push(performance.now() - started);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    return { work, pixels };
  });
  figure("seek in 10,000 steps: state and document", work);
  figure("seek in 10,000 steps: to pixels", pixels);
  await stage.page.context().close();
});

test("the river with 10,000 messages and a hundred consumers", async ({ browser }) => {
  const add = 'EVAL "for n = 1, 10000 do redis.call(\'XADD\', \'s\', n .. \'-0\', \'n\', n) end" 0';
  const read = (nth: number) => `XREADGROUP GROUP g c${nth % 100} COUNT ${1 + (nth % 40)} STREAMS s >`;
  const lines = Array.from({ length: 400 }, (_, nth) => (nth % 3 === 2 ? `XACK s g ${nth * 7 + 1}-0 ${nth * 7 + 2}-0` : read(nth)));
  const stage = await opened(browser, [add, "XGROUP CREATE s g 0", ...lines]);
  await expect(stage.page.getByTestId("river")).toContainText("10,000");
  const measured = await stage.page.evaluate(async () => {
    const track = document.querySelector<HTMLInputElement>('[data-testid="track"]')!;
    const setValue = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(track), "value")!.set!;
    const [step, seek]: [number[], number[]] = [[], []];
    const go = async (to: number, into: number[]) => {
      setValue.call(track, String(to));
      const started = performance.now();
      track.dispatchEvent(new InputEvent("input", { bubbles: true }));
      await new Promise<void>((resolve) => queueMicrotask(resolve));
      into.push(performance.now() - started);
      // Deferred work finishes before the next seek starts, which would otherwise wait in its queue.
      await new Promise(requestAnimationFrame);
      await new Promise((resolve) => setTimeout(resolve, 50));
    };
    const high = Number(track.max);
    for (let nth = 0; nth < 150; nth += 1) await go(high - 380 + nth, step);
    for (let nth = 0; nth < 150; nth += 1) await go(high - ((nth * 7919) % 390), seek);
    return { step: step.slice(10), seek: seek.slice(10) };
  });
  figure("a step on, river of 10,000: state and document", measured.step);
  figure("a seek, river of 10,000: state and document", measured.seek);
  await stage.page.context().close();
});
