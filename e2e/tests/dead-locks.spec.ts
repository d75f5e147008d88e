// Deadlocks, which are not events of a step: the page asks the explorer when the cursor has come to rest.
import { Course } from "../support/course.ts";
import { expect, test } from "../support/fixtures.ts";
import { Keys } from "../support/keys.ts";

test("a deadlock is reported only where there is one, and the task to cause it is done", async ({ stage }) => {
  const { page } = stage;
  const course = new Course(stage);
  await course.open("locks/setnx", "en");
  const task = page.getByTestId("task-break");
  // c1 has the lock and will release it; c2 waits.
  const keys = new Keys(course, "locks/setnx");
  await keys.play(["c1< step 0", "c2< step 0"]);
  await expect(course.broken()).toHaveCount(0);
  await expect(task).not.toHaveAttribute("data-done");
  // c1 crashes: no client can get the lock.
  await keys.play(["c1< crash"]);
  await expect(course.broken()).toHaveCount(1);
  await expect(task).toHaveAttribute("data-done");
  await page.getByTestId("back").click();
  await expect(course.broken()).toHaveCount(0);
  await page.getByTestId("forward").click();
  await expect(course.broken()).toHaveCount(1);
  // A terminal deletes the lock, and the other client continues.
  await course.expect("c3", "DEL lock", "(integer) 1");
  await expect(course.broken()).toHaveCount(0);
});

test("with an unbounded number of worlds the verdict stays open, and the page stays responsive", async ({ stage }) => {
  const { page } = stage;
  const program = "local n = 0 while redis.call('GET', 'k') ~= 'x' do n = n + 1 redis.call('SET', 'n' .. n % 7, n) sleep(n % 5) end";
  const lines = [
    ...[1, 2, 3, 4].flatMap((c) => [`+ c${c} ${c}`, `c${c}< load "${program}"`]),
    "@watch no-deadlock",
    ...["c1< step 0", "c2< step 0", "c1< crash"],
  ];
  const text = ["lockstep 1", "", ...lines, `end ${lines.length} at ${lines.length} of ${lines.length}`, ""].join("\n");
  await stage.open("en");
  await page.getByTestId("share").click();
  await page.getByTestId("file-input").setInputFiles({ name: "endless.lockstep", mimeType: "text/plain", buffer: Buffer.from(text) });
  await expect(page.getByTestId("track")).toHaveAttribute("aria-valuetext", /crash/i);
  const worker = page.waitForEvent("worker");
  await page.getByTestId("back").click();
  await worker;
  await stage.expect("c2", "PING", "PONG");
  await expect(page.getByTestId("verdict").locator('[data-mark="broken"]')).toHaveCount(0);
});
