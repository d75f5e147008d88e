// What must work in every browser, here in Firefox: terminals, scripts, the saved session, both languages, a lesson with programs and its
// search, a lesson with terminals, focus mode, and the page as one file.
import { pathToFileURL } from "node:url";
import { Course } from "../support/course.ts";
import { expect, test } from "../support/fixtures.ts";
import { tasks } from "../support/lesson-file.ts";
import { SINGLE } from "../support/server.ts";
import { SIZES, type Stage } from "../support/stage.ts";

/** Types key by key, as a user does. */
async function typed(stage: Stage, client: string, line: string): Promise<void> {
  await stage.prompt(client).click();
  await stage.page.keyboard.type(line);
  await stage.page.keyboard.press("Enter");
}

test("the page opens with a prompt, commands are answered, a wrong one is explained", async ({ stage }) => {
  const { page } = stage;
  await stage.open("en");
  await typed(stage, "c1", "SET greeting hello");
  await expect(stage.log("c1")).toContainText("OK");
  await typed(stage, "c1", "GET greeting");
  await expect(stage.log("c1")).toContainText('"hello"');
  await typed(stage, "c1", "SETT greeting hello");
  await expect(stage.log("c1")).toContainText("(error) ERR unknown command 'SETT', with args beginning with: 'greeting' 'hello'");
  await expect(stage.log("c1")).toContainText("Did you mean");
  // The line before, and the completion of a name.
  await page.keyboard.press("ArrowUp");
  await expect(stage.prompt("c1")).toHaveValue("SETT greeting hello");
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.type("STRLE");
  await page.keyboard.press("Tab");
  await expect(stage.prompt("c1")).toHaveValue(/^STRLEN ?$/);
});

test("a client that waits in BLPOP is woken by another", async ({ stage }) => {
  await stage.open("en");
  await typed(stage, "c1", "BLPOP mail 0");
  await expect(stage.terminal("c1").getByTestId("blocked")).toBeVisible();
  await typed(stage, "c2", "LPUSH mail letter");
  await expect(stage.log("c2")).toContainText("(integer) 1");
  await expect(stage.log("c1")).toContainText('1) "mail"');
  await expect(stage.log("c1")).toContainText('2) "letter"');
  await expect(stage.terminal("c1").getByTestId("blocked")).toHaveCount(0);
});

test("a script calls Redis, the session survives a reload, and the language can be switched", async ({ stage }) => {
  const { page } = stage;
  await stage.open("en");
  await typed(stage, "c1", "SET stock 5");
  await typed(stage, "c1", "EVAL \"return redis.call('DECRBY', KEYS[1], ARGV[1])\" 1 stock 2");
  await expect(stage.log("c1")).toContainText("(integer) 3");
  await page.reload();
  await expect(stage.log("c1")).toContainText("(integer) 3");
  await stage.speak("zh-CN");
  await expect(page.getByTestId("second")).toHaveAccessibleName(/秒/);
  await typed(stage, "c2", "GET stock");
  await expect(stage.log("c2")).toContainText('"3"');
});

test("the programs of a lesson are stepped by button and by key until a property breaks", async ({ stage }) => {
  const course = new Course(stage);
  await course.open("locks/oversell", "en");
  await expect(course.broken()).toHaveCount(0);
  // Both read the stock before one of them writes: by the button of one card, and by the digit of the other.
  await course.pass("c1");
  await course.step(2);
  await expect(stage.page.getByTestId("description")).toContainText("c2");
  for (let steps = 0; steps < 8 && (await course.broken().count()) === 0; steps += 1) await course.step(steps % 2 === 0 ? 1 : 2);
  await expect(course.broken().first()).toBeVisible();
});

test("the search in a worker finds a counterexample, which is played", async ({ stage }) => {
  const { page } = stage;
  const course = new Course(stage);
  await course.open("locks/oversell", "zh-CN");
  await page.getByTestId("explore-find").click();
  await expect(page.getByTestId("explore-result")).toHaveAttribute("data-finding", "broken", { timeout: 60_000 });
  await page.getByTestId("explore-load").click();
  await page.getByTestId("last").click();
  await expect(course.broken().first()).toBeVisible();
});

test("the first tasks of a lesson with terminals are done, also on a phone", async ({ stage }) => {
  const { page } = stage;
  const course = new Course(stage);
  await course.open("types/strings", "en");
  const [first, second] = tasks("types/strings");
  for (const { id, kind, choices, answer, solution } of [first!, second!]) {
    const task = page.getByTestId(`task-${id}`);
    await expect(task).not.toHaveAttribute("data-done");
    if (kind === "predict") {
      await task.getByTestId("choice").nth(choices.indexOf(answer)).click();
    } else {
      for (const line of [solution].flat()) {
        const before = await course.moment();
        await page.getByTestId(`input-${line.slice(1, line.indexOf("> "))}`).click();
        await page.keyboard.type(line.slice(line.indexOf("> ") + 2));
        await page.keyboard.press("Enter");
        await expect.poll(() => course.moment(), line).toBeGreaterThan(before);
      }
    }
    await expect(task).toHaveAttribute("data-done");
  }
  await page.setViewportSize(SIZES.phone);
  await page.getByTestId("tab-text").click();
  await expect(page.getByTestId(`task-${first!.id}`)).toHaveAttribute("data-done");
  expect(await course.overflow()).toBeLessThanOrEqual(0);
});

test("focus mode opens and closes", async ({ stage }) => {
  const { page } = stage;
  await stage.open("en");
  const header = page.getByTestId("language");
  await page.getByTestId("focus").click();
  await expect(page.locator("[data-group=focus-stage]")).toBeVisible();
  await stage.expect("c1", "SET a 1", "OK");
  await page.getByTestId("focus").click();
  await expect(page.locator("[data-group=focus-stage]")).toHaveCount(0);
  await expect(header).toBeVisible();
});

test("the page as one file answers commands and scripts without a server", async ({ stage }) => {
  const { page } = stage;
  const address = pathToFileURL(SINGLE).href;
  await page.goto(address);
  await expect(stage.prompt("c1")).toBeVisible();
  await typed(stage, "c1", "SET a 1");
  await typed(stage, "c1", "EVAL \"return redis.call('INCR', 'a')\" 0");
  await expect(stage.log("c1")).toContainText("(integer) 2");
  await page.reload();
  await expect(stage.log("c1")).toContainText("(integer) 2");
  await typed(stage, "c2", "GET a");
  await expect(stage.log("c2")).toContainText('"2"');
});
