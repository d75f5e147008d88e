// Drawing of a step: existing elements stay the same, and each panel is drawn once.
import { changes } from "../support/changes.ts";
import { Course } from "../support/course.ts";
import { expect, test } from "../support/fixtures.ts";
import { lockText } from "../support/session.ts";

test("log entries keep their elements while 100 commands run, with a selection and an unfolded reply", async ({ stage }) => {
  await stage.open("en");
  await stage.type("c1", "RPUSH long " + Array.from({ length: 150 }, (_, nth) => nth).join(" "));
  await stage.expect("c1", "LRANGE long 0 -1", "1) \"0\"");
  const log = stage.log("c1");
  await log.getByRole("button", { name: /more/ }).first().click();
  await expect(log).toContainText('150) "149"');
  await stage.page.evaluate(() => {
    const entries = document.querySelector('[data-testid="terminal-entries"]')!;
    Object.assign(window, { first: entries.firstElementChild, answer: entries.children[3] });
  });
  for (let nth = 0; nth < 20; nth += 1) await stage.type("c1", `INCR n${nth % 3}`);
  await stage.type("c1", "80 INCR m");
  await expect(log).toContainText("(integer) 80");
  // Typing moves the selection into the prompt; stepping does not.
  const { isFirst, isAnswer, selected } = await stage.page.evaluate(async () => {
    const { first, answer } = window as unknown as { first: Element; answer: Element };
    const entries = document.querySelector('[data-testid="terminal-entries"]')!;
    getSelection()!.selectAllChildren(first);
    for (const direction of ["back", "back", "back", "forward", "back", "forward", "forward", "forward"]) {
      document.querySelector<HTMLButtonElement>(`[data-testid="${direction}"]`)!.click();
      await new Promise(requestAnimationFrame);
    }
    return { isFirst: entries.contains(first), isAnswer: entries.contains(answer), selected: getSelection()!.toString() };
  });
  expect({ isFirst, isAnswer }).toEqual({ isFirst: true, isAnswer: true });
  expect(selected).toContain("RPUSH long");
  await expect(log).toContainText('150) "149"');
});

test("a command adds its own lines to a log and touches no other", async ({ stage }) => {
  await stage.open("en");
  for (let nth = 0; nth < 20; nth += 1) await stage.type("c1", `SET key${nth} ${nth}`);
  await stage.expect("c1", "PING", "PONG");
  const seen = await changes(stage.page, '[data-testid="terminal-entries"]', async () => {
    await stage.type("c1", "ECHO there");
    await expect(stage.log("c1")).toContainText('"there"');
  }, false);
  expect(seen.added).toBe(2);
  expect(seen.removed).toBe(0);
});

test("links in old replies follow the existing keys", async ({ stage }) => {
  await stage.open("en");
  await stage.expect("c1", "SET target 1", "OK");
  await stage.expect("c1", "KEYS *", '"target"');
  // A reply has quotes; the command above it has none.
  const answer = stage.log("c1").getByRole("link", { name: '"target"', exact: true });
  await expect(answer).toHaveCount(1);
  await stage.expect("c1", "DEL target", "(integer) 1");
  await expect(answer).toHaveCount(0);
  await stage.expect("c1", "SET target 2", "OK");
  await expect(answer).toHaveCount(1);
});

test("focusing a terminal or choosing a key draws neither lanes nor programs", async ({ stage }) => {
  const course = new Course(stage);
  await course.open("locks/set-nx-ex", "en");
  await course.step(1, 2);
  const seen = await changes(stage.page, '[data-testid="lanes"], [data-testid="programs"]', async () => {
    await stage.page.getByTestId("keyspace").getByRole("option").first().click();
    await expect(stage.page.getByTestId("inside")).toContainText("lock");
  });
  expect(seen).toEqual({ added: 0, removed: 0, attributes: 0, batches: 0 });
});

test("a step draws the lanes once", async ({ stage }) => {
  const course = new Course(stage);
  await course.open("locks/set-nx-ex", "en");
  await course.step(1, 2);
  const seen = await changes(stage.page, '[data-testid="lanes"]', async () => course.step(3));
  expect(seen.added).toBeGreaterThan(0);
  expect(seen.batches).toBe(1);
});

for (const lesson of ["locks/set-nx-ex", "locks/redlock"]) {
  test(`a step and a seek lay the page out at most twice (${lesson})`, async ({ stage }) => {
    const { page } = stage;
    const browser = await page.context().newCDPSession(page);
    await browser.send("Performance.enable");
    const layouts = async () => {
      // By then everything that an act causes has happened.
      await page.waitForTimeout(500);
      const { metrics } = await browser.send("Performance.getMetrics");
      return metrics.find(({ name }) => name === "LayoutCount")?.value ?? NaN;
    };
    const course = new Course(stage);
    await course.open(lesson, "en");
    await stage.fetchedAhead();
    await course.step(1, 2);
    let moment = await course.moment();
    for (const [key, by] of [["Digit1", 1], ["ArrowLeft", -1], ["ArrowLeft", -1], ["ArrowRight", 1], ["ArrowRight", 1]] as const) {
      const before = await layouts();
      await page.keyboard.press(key);
      moment += by;
      await expect.poll(() => course.moment()).toBe(moment);
      const count = (await layouts()) - before;
      expect(count, key).toBeGreaterThan(0);
      expect(count, key).toBeLessThanOrEqual(2);
    }
  });
}

test("the words of a request are on its arrow, and a row contains what it shows", async ({ stage }) => {
  const course = new Course(stage);
  await course.open("locks/set-nx-ex", "en");
  await course.step(1, 2, 3);
  const rows = await stage.page.getByTestId("lanes").locator("[data-position]").evaluateAll((rows) =>
    rows.map((row) => {
      const { top, bottom } = row.getBoundingClientRect();
      const arrows = [...row.querySelectorAll("[data-fate]")].map((arrow) => arrow.getBoundingClientRect().top);
      const lines = [...row.querySelectorAll("[title][data-arrow]")].map((line) => line.getBoundingClientRect());
      const titled = [...row.querySelectorAll("[title]")].map((line) => line.getBoundingClientRect());
      return {
        arrows: arrows.length,
        lines: lines.length,
        off: arrows.filter((at) => !lines.some((line) => line.top < at && at < line.bottom)).length,
        outside: titled.filter((line) => line.top < top - 1 || line.bottom > bottom + 1).length,
      };
    }),
  );
  expect(rows.some(({ arrows }) => arrows > 1)).toBe(true);
  for (const { arrows, lines, off, outside } of rows) expect({ lines, off, outside }).toEqual({ lines: arrows, off: 0, outside: 0 });
});

test("a seek draws only the entries of logs that are in view, and scrolling brings more of them", async ({ stage }) => {
  const course = new Course(stage);
  await course.open("locks/set-nx-ex", "en");
  const { page } = stage;
  await page.getByTestId("share").click();
  await page.getByTestId("file-input").setInputFiles({ name: "long.lockstep", mimeType: "text/plain", buffer: Buffer.from(lockText(120)) });
  await expect(page.getByTestId("program-7")).toBeVisible();
  await page.getByRole("tab", { name: "Terminals" }).click();
  const logs = page.getByTestId("terminal-entries");
  await expect(logs).toHaveCount(8);
  const track = page.getByTestId("track");
  const end = Number(await track.getAttribute("max"));
  for (const position of [300, end - 50, 500]) {
    const seen = await changes(page, '[data-testid="terminal-entries"]', async () => {
      await track.fill(String(position));
      await expect(track).toHaveValue(String(position));
    });
    expect(seen.added).toBeGreaterThan(0);
    expect(seen.added).toBeLessThan(600);
  }
  const entries = (nth: number) => logs.nth(nth).locator("> *").count();
  // The last terminal draws its entries as soon as it is scrolled into view.
  const below = await entries(7);
  await logs.last().scrollIntoViewIfNeeded();
  await expect.poll(() => entries(7)).toBeGreaterThan(below);
  const filling = await entries(7);
  const log = stage.log("c8");
  await log.evaluate((log) => log.scrollTo(0, -1));
  await expect.poll(() => entries(7)).toBeGreaterThan(filling + 20);
});
