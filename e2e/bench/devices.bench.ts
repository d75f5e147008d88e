// A phone on a slow line: from navigation to a prompt that answers, to the map of the course, to the text of a lesson,
// and to its stage.
import { test, type Browser } from "@playwright/test";
import { figure } from "../support/figures.ts";
import { startServer } from "../support/server.ts";
import { SIZES } from "../support/stage.ts";

/** 1.6 Mbit/s in bytes per second, delay in ms, and how much slower the processor is. */
const LINE = { offline: false, downloadThroughput: 200_000, uploadThroughput: 90_000, latency: 150 };
const SLOWER = 4;
const TIMES = 5;

/**
 * Time from navigation until the element is visible and, if it is a prompt, a command is answered, in ms. The page itself looks at
 * each change and types, because a test that asks from outside is slowed down too, by some 0.2 s.
 */
async function timeTo(browser: Browser, url: string, testid: string, line?: [string, string]): Promise<number> {
  const context = await browser.newContext({ viewport: SIZES.phone, serviceWorkers: "block" });
  const page = await context.newPage();
  const devtools = await context.newCDPSession(page);
  await devtools.send("Network.enable");
  await devtools.send("Network.emulateNetworkConditions", LINE);
  await devtools.send("Emulation.setCPUThrottlingRate", { rate: SLOWER });
  await page.addInitScript(
    ([testid, line]) => {
      let isTyped = false;
      const type = (prompt: HTMLInputElement, command: string) => {
        isTyped = true;
        prompt.focus();
        prompt.value = command;
        prompt.dispatchEvent(new InputEvent("input", { bubbles: true }));
        prompt.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true, cancelable: true }));
      };
      const changes = new MutationObserver(() => {
        const found = document.querySelector<HTMLInputElement>(`[data-testid="${testid}"]`);
        if (!found?.checkVisibility()) return;
        if (line && !isTyped) requestAnimationFrame(() => isTyped || type(found, line[0]));
        if (line && !document.body.innerText.includes(line[1])) return;
        changes.disconnect();
        // After the frame that shows it.
        requestAnimationFrame(() => setTimeout(() => document.documentElement.setAttribute("data-seen", String(performance.now()))));
      });
      changes.observe(document, { childList: true, characterData: true, attributes: true, subtree: true });
    },
    [testid, line] as const,
  );
  await page.goto(url, { waitUntil: "commit" });
  const seen = await page.waitForFunction(() => document.documentElement.getAttribute("data-seen"), undefined, { polling: 500 });
  const time = Number(await seen.jsonValue());
  await context.close();
  return time;
}

/** Name, fragment, what must be visible, and a line to type there with its reply. The cards of programs are in another tab of a phone. */
const PAGES: [string, string, string, [string, string]?][] = [
  ["a prompt that answers", "", "input-0", ["PING", "PONG"]],
  ["the map of the course", "#learn", "continue"],
  ["the text of a lesson at the terminal", "#learn/types/strings", "lesson-text"],
  ["its terminals", "#learn/types/strings", "lesson"],
  ["the text of a lesson with programs", "#learn/locks/set-nx-ex", "lesson-text"],
  ["its programs", "#learn/locks/set-nx-ex", "lesson"],
];

test("pages on a slow phone", async ({ browser }) => {
  test.setTimeout(600_000);
  const { server, url } = await startServer({}, "no-store", undefined, true);
  // The server compresses each file on its first request.
  for (const [, fragment, testid, line] of PAGES) await timeTo(browser, url + fragment, testid, line);
  for (const [name, fragment, testid, line] of PAGES) {
    const times: number[] = [];
    for (let nth = 0; nth < TIMES; nth += 1) times.push(await timeTo(browser, url + fragment, testid, line));
    figure(name, times);
  }
  server.close();
});
