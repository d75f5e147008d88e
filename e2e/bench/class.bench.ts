// A class of half an hour: ten thousand steps typed, taken back and stepped over in three terminals. Memory, elements and the time of a step
// must not grow without bound; each line of the report is a thousand steps.
import { existsSync, readFileSync } from "node:fs";
import { expect, test, type CDPSession } from "@playwright/test";
import { percentile } from "../support/figures.ts";
import { Stage } from "../support/stage.ts";

const THOUSANDS = 10;

/** Types a thousand commands in turns in three terminals; after every tenth the time goes on, after every 50th the cursor goes back ten steps
 * and returns. The duration of each command up to its document, in ms. */
function typeThousand(thousand: number): Promise<number[]> {
  return (async () => {
    const find = <T extends HTMLElement>(testid: string) => document.querySelector<T>(`[data-testid="${testid}"]`)!;
    const setValue = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")!.set!;
    const frame = () => new Promise(requestAnimationFrame);
    const times: number[] = [];
    for (let nth = 0; nth < 1000; nth += 1) {
      const input = find<HTMLInputElement>(`input-${nth % 3}`);
      const words = [`INCR counter:${nth % 100}`, `RPUSH list:${nth % 20} ${thousand}-${nth}`, `LRANGE list:${nth % 20} -20 -1`, `HSET user:${nth % 50} name ${nth}`, "KEYS user:*"];
      input.focus();
      setValue.call(input, words[nth % words.length]!);
      input.dispatchEvent(new InputEvent("input", { bubbles: true }));
      await frame();
      const started = performance.now();
      const enter = new KeyboardEvent("keydown", { key: "Enter", code: "Enter", bubbles: true, cancelable: true });
      if (input.dispatchEvent(enter)) input.form?.requestSubmit();
      await new Promise<void>((resolve) => queueMicrotask(resolve));
      times.push(performance.now() - started);
      await frame();
      if (nth % 10 === 9) find("second").click();
      if (nth % 50 === 49) {
        for (const way of ["back", "forward"]) {
          for (let step = 0; step < 10; step += 1) {
            find(way).click();
            await frame();
          }
        }
      }
    }
    return times;
  })();
}

/** Memory of the page's script and of its whole process, in MB, and its elements and listeners, after a collection. */
async function held(devtools: CDPSession, browser: CDPSession): Promise<string> {
  await devtools.send("HeapProfiler.collectGarbage");
  const { metrics } = await devtools.send("Performance.getMetrics");
  const of = (name: string) => metrics.find((metric) => metric.name === name)?.value ?? Number.NaN;
  const { processInfo } = await browser.send("SystemInfo.getProcessInfo");
  const page = Math.max(...processInfo.filter(({ type }) => type === "renderer").map(({ id }) => id));
  const status = existsSync(`/proc/${page}/status`) ? readFileSync(`/proc/${page}/status`, "utf8") : "";
  const megabytes = Number(/^RssAnon:\s+(\d+) kB/m.exec(status)?.[1] ?? Number.NaN) / 1024;
  const heap = of("JSHeapUsedSize") / 2 ** 20;
  return `${heap.toFixed(1)} MB of script, ${megabytes.toFixed(0)} MB of the process, ${of("Nodes")} nodes, ${of("JSEventListeners")} listeners`;
}

test("a class of ten thousand steps", async ({ browser }) => {
  test.setTimeout(1_800_000);
  const page = await (await browser.newContext({ viewport: { width: 1280, height: 800 } })).newPage();
  const stage = new Stage(page);
  await stage.open("en");
  await stage.fetchedAhead();
  for (const client of ["c2", "c3"]) {
    if (!(await stage.prompt(client).count())) await page.getByTestId("add-client").click();
  }
  await expect(stage.prompt("c3")).toBeVisible();
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("Performance.enable");
  const whole = await browser.newBrowserCDPSession();
  console.log(`at first: ${await held(devtools, whole)}`);
  for (let thousand = 1; thousand <= THOUSANDS; thousand += 1) {
    const times = await page.evaluate(typeThousand, thousand);
    const [middle, late] = [0.5, 0.99].map((share) => percentile(times, share).toFixed(1));
    console.log(`after ${thousand},000 commands: a command p50 ${middle} ms, p99 ${late} ms; ${await held(devtools, whole)}`);
  }
  await page.context().close();
});
