// A long session: nothing flickers, folds or loses the user's selection and position during hundreds of steps.
import { expect, test } from "../support/fixtures.ts";

const STEPS = 10_000;

/** A session of two clients: a long answer at the beginning, and then both count, the first one nine times out of ten. */
function session(): string {
  const numbers = Array.from({ length: 150 }, (_, nth) => nth).join(" ");
  const commands = [`c1> RPUSH long ${numbers}`, "c1> LRANGE long 0 -1", ...Array.from({ length: STEPS - 2 }, (_, nth) => `c${nth % 10 ? 1 : 2}> INCR n${nth % 7}`)];
  const steps = ["+ c1 0", "+ c2 1", ...commands];
  return ["lockstep 1", "", ...steps, `end ${steps.length} at 4 of ${steps.length}`, ""].join("\n");
}

test("hundreds of steps in a session of ten thousand keep an unfolded reply, a selection and the position in the log", async ({ stage }) => {
  test.setTimeout(240_000);
  const { page } = stage;
  await stage.open("en");
  await page.getByTestId("share").click();
  await page.getByTestId("file-input").setInputFiles({ name: "long.lockstep", mimeType: "text/plain", buffer: Buffer.from(session()) });
  const log = stage.log("c1");
  await expect(log).toContainText("LRANGE long 0 -1");
  await log.getByRole("button", { name: /more/ }).first().click();
  await expect(log).toContainText('150) "149"');
  const said = await page.evaluate(async (steps) => {
    const log = document.querySelector<HTMLElement>('[role="log"]')!;
    const answer = [...log.querySelectorAll("div")].find((each) => each.textContent === '150) "149"')!;
    getSelection()!.selectAllChildren(answer);
    const forward = document.querySelector<HTMLButtonElement>('[data-testid="forward"]')!;
    const lost: string[] = [];
    let removed = 0;
    const observer = new MutationObserver((records) => {
      for (const { removedNodes } of records) removed += [...removedNodes].filter((node) => node.contains(answer)).length;
    });
    observer.observe(log, { childList: true, subtree: true });
    let taken = 0;
    for (; taken < steps && !forward.disabled; taken += 1) {
      forward.click();
      // Each step is drawn, and one in a hundred to the pixels.
      await new Promise((done) => (taken % 100 ? setTimeout(done, 0) : requestAnimationFrame(done)));
      if (lost.length === 0 && !log.contains(answer)) lost.push(`the answer is gone after ${taken} steps`);
      if (lost.length === 0 && getSelection()!.toString() !== '150) "149"') lost.push(`the selection is gone after ${taken} steps`);
    }
    observer.disconnect();
    return { taken, lost, removed };
  }, 900);
  expect(said).toEqual({ taken: 900, lost: [], removed: 0 });
  // More entries than a log keeps have come since; only the entries that the user works with are left of the beginning.
  await expect(log).toContainText(/entries are left out here/);
  expect(await log.getByTestId("terminal-entries").locator("> *").count()).toBeLessThan(900);
});

test("a log that was scrolled back keeps its position while other clients take steps", async ({ stage }) => {
  const { page } = stage;
  await stage.open("en");
  // No later load redraws the page.
  await stage.fetchedAhead();
  await stage.type("c1", "60 ECHO line");
  await stage.expect("c1", "ECHO last", '"last"');
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  const log = stage.log("c1");
  const top = () => log.evaluate((log) => log.scrollTop);
  await log.evaluate((log) => log.scrollTo(0, -300));
  await expect.poll(top).toBe(-300);
  await stage.expect("c2", "SET other 1", "OK");
  await page.evaluate(() => new Promise(requestAnimationFrame));
  expect(await top()).toBe(-300);
  // A reply to this client scrolls its log to the end.
  await stage.expect("c1", "GET other", '"1"');
  await expect.poll(top).toBe(0);
});
