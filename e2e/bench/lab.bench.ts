// The lock lab with eight clients: from a step to pixels, and scrubbing through a timeline of 10,000 steps.
import { existsSync, readFileSync } from "node:fs";
import { expect, test, type Browser } from "@playwright/test";
import { Course, hasPrograms, LESSONS } from "../support/course.ts";
import { figure } from "../support/figures.ts";
import { lockText } from "../support/session.ts";
import { Stage } from "../support/stage.ts";

/** An action to measure: its name, and the number of repetitions. */
type Deed = "step" | "seek" | "back" | "scroll";
type Measured = { work: number[]; pixels: number[]; plain: number[]; tasks: number[]; processor: number };

/** CPU time of the main thread of the page's process so far, in ms, which other load hardly affects. NaN on systems other than Linux. */
async function mainThreadMs(course: Course): Promise<number> {
  const devtools = await course.stage.page.context().browser()!.newBrowserCDPSession();
  const { processInfo } = await devtools.send("SystemInfo.getProcessInfo");
  await devtools.detach();
  // Earlier pages are closed: the youngest process is this page's.
  const page = Math.max(...processInfo.filter(({ type }) => type === "renderer").map(({ id }) => id));
  const path = `/proc/${page}/task/${page}/schedstat`;
  return existsSync(path) ? Number(readFileSync(path, "utf8").split(" ")[0]) / 1e6 : Number.NaN;
}

/** A lesson with a session of eight clients on this many nodes, after this many rounds of nine steps. */
async function opened(browser: Browser, rounds: number, nodes: 1 | 3 = 1): Promise<Course> {
  const page = await (await browser.newContext({ viewport: { width: 1280, height: 800 } })).newPage();
  const course = new Course(new Stage(page));
  await course.open("locks/set-nx-ex");
  await page.getByTestId("share").click();
  const text = lockText(rounds, nodes);
  const started = Date.now();
  await page.getByTestId("file-input").setInputFiles({ name: "bench.lockstep", mimeType: "text/plain", buffer: Buffer.from(text) });
  await expect(page.getByTestId("program-7")).toBeVisible({ timeout: 120_000 });
  console.log(`a file of ${text.length} bytes is read, played and drawn in ${Date.now() - started} ms`);
  return course;
}

/** Repeats the action, each time after the previous one has been drawn. */
async function measure(course: Course, deed: Deed, times: number): Promise<Measured> {
  const before = await mainThreadMs(course);
  const measured = await done(course, deed, times);
  return { ...measured, processor: ((await mainThreadMs(course)) - before) / times };
}

function done(course: Course, deed: Deed, times: number): Promise<Omit<Measured, "processor">> {
  return course.stage.page.evaluate(
    async ([deed, times]) => {
      const frame = () => new Promise(requestAnimationFrame);
      const track = document.querySelector<HTMLInputElement>('[data-testid="track"]')!;
      const lanes = document.querySelector<HTMLElement>(".lanes-scroll")!;
      const setValue = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(track), "value")!.set!;
      const long: number[] = [];
      const observer = new PerformanceObserver((list) => long.push(...list.getEntries().map(({ duration }) => duration)));
      observer.observe({ type: "longtask" });
      const [work, pixels, plain]: [number[], number[], number[]] = [[], [], []];
      // Plain arithmetic for comparison, always the same and about as long as a step: the difference of its p99 and p50 is noise of the
      // machine.
      let sum = 0;
      const spin = (rounds: number) => {
        const started = performance.now();
        for (let round = 0; round < rounds; round += 1) sum = (Math.imul(sum, 31) + round) | 0;
        return performance.now() - started;
      };
      let rounds = 1 << 16;
      while (Math.min(spin(rounds), spin(rounds), spin(rounds)) < 7) rounds = Math.ceil(rounds * 1.3);
      for (let nth = 0; nth < times; nth += 1) {
        const seek = () => {
          setValue.call(track, String(Math.floor((((nth + 1) * 7919) % 10007) / 10007 * Number(track.max))));
          track.dispatchEvent(new InputEvent("input", { bubbles: true }));
        };
        const press = (selector: string) => document.querySelector<HTMLElement>(selector)!.click();
        const act = {
          step: () => press('.program [data-testid="step"]'),
          back: () => press('[data-testid="back"]'),
          seek,
          scroll: () => (lanes.scrollTop = (((nth + 1) * 7919) % 10007) / 10007 * lanes.scrollHeight),
        }[deed];
        // If no client can take a step, time passes first; that is not measured.
        if (deed === "step" && !document.querySelector('.program [data-testid="step"]')) press('[data-testid="deadline"]');
        await frame();
        await frame();
        await new Promise((resolve) => setTimeout(resolve));
        plain.push(spin(rounds));
        await new Promise((resolve) => setTimeout(resolve));
        const started = performance.now();
        act();
        // Up to the end of the microtasks: the new state and the new document.
        await new Promise<void>((resolve) => queueMicrotask(resolve));
        work.push(performance.now() - started);
        // The frame after the next one starts when the pixels of this one are on the screen.
        await frame();
        await new Promise((resolve) => setTimeout(resolve));
        pixels.push(performance.now() - started);
      }
      await new Promise((resolve) => setTimeout(resolve, 300));
      observer.disconnect();
      return { work, pixels, plain, tasks: long };
    },
    [deed, times] as const,
  );
}

function report(name: string, { work, pixels, plain, tasks, processor }: Measured, warm = 0): void {
  figure(`${name}: state and document`, work.slice(warm));
  figure(`${name}: plain arithmetic beside it`, plain.slice(warm));
  figure(`${name}: to pixels`, pixels.slice(warm));
  const longest = tasks.length ? `, the longest ${Math.max(...tasks).toFixed(0)} ms` : "";
  console.log(`${name}: processor time of the main thread, frames included, ${processor.toFixed(1)} ms on average`);
  console.log(`${name}: ${tasks.length} tasks over 50 ms${longest}`);
}

test("a step of one of eight clients", async ({ browser }) => {
  const course = await opened(browser, 6);
  report("a step, 8 clients", await measure(course, "step", 120), 20);
  report("a step back, 8 clients", await measure(course, "back", 60), 10);
  await course.stage.page.context().close();
});

test("a timeline of 10,000 steps of eight clients", async ({ browser }) => {
  const course = await opened(browser, 1_109);
  report("a step at the end of 10,000", await measure(course, "step", 120), 20);
  const seeks = await measure(course, "seek", 200);
  report("a seek in 10,000 steps of a lock", seeks);
  // The same seeks again: other load affects different ones each time.
  const again = [seeks, await measure(course, "seek", 200), await measure(course, "seek", 200)];
  const fastest = seeks.work.map((_, nth) => Math.min(...again.map(({ work }) => work[nth]!)));
  figure("the same seeks three times, the fastest of each: state and document", fastest);
  report("a step back in 10,000", await measure(course, "back", 100), 20);
  report("lanes of 10,000 steps scrolled", await measure(course, "scroll", 200));
  await course.stage.page.getByRole("tab", { name: "Terminals" }).click();
  // The first seeks read the replies of the clients.
  report("a seek in 10,000 steps with the terminals in front", await measure(course, "seek", 250), 50);
  await course.stage.page.context().close();
});

test("eight clients and three nodes", async ({ browser }) => {
  const course = await opened(browser, 1_109, 3);
  report("a step of one of eight clients, three nodes", await measure(course, "step", 140), 20);
  report("a seek in 10,000 steps, three nodes", await measure(course, "seek", 200));
  await course.stage.page.context().close();
});

test("tasks over 50 ms in every lesson", async ({ browser }) => {
  test.setTimeout(900_000);
  for (const lesson of LESSONS) {
    const page = await (await browser.newContext({ viewport: { width: 1280, height: 800 } })).newPage();
    const course = new Course(new Stage(page));
    await page.addInitScript(() => {
      const tasks: [number, number][] = [];
      new PerformanceObserver((list) => tasks.push(...list.getEntries().map((task): [number, number] => [task.startTime, task.duration])))
        .observe({ type: "longtask", buffered: true });
      Object.assign(window, { tasks });
    });
    await course.open(lesson);
    const opened = await page.evaluate(() => performance.now());
    await course.turnTo("story");
    /** Presses a button, if it is enabled, and waits for the next frame. */
    const press = (name: string) =>
      page.evaluate(async (name) => {
        const button = document.querySelector<HTMLElement>(`[data-testid="${name}"]:enabled`);
        button?.click();
        await new Promise(requestAnimationFrame);
        return button !== null;
      }, name);
    const pressOn = async (name: string) => {
      for (let times = 0; times < 100 && (await press(name)); times += 1);
    };
    await pressOn("story-next");
    if (hasPrograms(lesson)) {
      await press("run-all");
      await page.getByTestId("explore-find").click();
      await expect(page.getByTestId("explore-result")).toHaveAttribute("data-finding", /broken|nothing|cut/, { timeout: 100_000 });
      if (await press("explore-load")) await pressOn("forward");
    }
    await course.turnTo("flow");
    await page.waitForTimeout(500);
    const tasks = await page.evaluate(() => (window as unknown as { tasks: [number, number][] }).tasks);
    const listed = (some: [number, number][]) => `${some.length} over 50 ms, the longest ${Math.max(0, ...some.map(([, ms]) => ms)).toFixed(0)} ms`;
    const [before, after] = [tasks.filter(([at]) => at < opened), tasks.filter(([at]) => at >= opened)];
    console.log(`${lesson.padEnd(28)} while it opens: ${listed(before)}; story, run, search, schedule: ${listed(after)}`);
    await page.context().close();
  }
});
