// A state to reach at the terminals: its checks are ticked one by one, wrong ways are recognised, and any right way counts.
import { Course } from "../support/course.ts";
import { expect, test } from "../support/fixtures.ts";
import type { Language } from "../support/stage.ts";

const LESSON = "locks/set-nx-ex";
const LANGUAGES: Language[] = ["en", "zh-CN"];

for (const language of LANGUAGES) {
  test(`a lock is taken by hand: wrong ways are recognised, and the right one is done (${language})`, async ({ stage }) => {
    const { page } = stage;
    const course = new Course(stage);
    await course.open(LESSON, language);
    const task = page.getByTestId("task-by-hand");
    const checks = task.getByTestId("checks").locator("li");
    const held = task.getByTestId("checks").locator('li[data-holds="yes"]');
    const wrongWay = task.getByTestId("wrong-way");
    await expect(checks).toHaveCount(4);
    await expect(task.getByTestId("attempt")).toBeEmpty();
    // No command was sent yet, so only the limit on commands holds.
    await expect(held).toHaveCount(1);

    // A lock that never expires, then one whose TTL is set by a second command.
    await course.expect("c1", "SETNX lock c1", "(integer) 1");
    await expect(wrongWay).toContainText("-1");
    const first = await wrongWay.innerText();
    await course.expect("c1", "EXPIRE lock 10", "(integer) 1");
    await expect(wrongWay).not.toHaveText(first, { useInnerText: true });
    await expect(held).toHaveCount(2);
    await expect(task).not.toHaveAttribute("data-done");

    // From the beginning: acquired without checking that it is free.
    await task.getByTestId("reach-again").click();
    await expect(task.getByTestId("reach-again")).toHaveCount(0);
    await expect(task.getByTestId("attempt")).toBeEmpty();
    await course.expect("c1", "SET lock c1 EX 10", "OK");
    await expect(wrongWay).toContainText("NX");
    await expect(held).toHaveCount(3);

    // A right way other than the solution.
    await task.getByTestId("reach-again").click();
    await course.expect("c1", "set lock c1 px 9000 nx", "OK");
    await expect(wrongWay).toHaveCount(0);
    await expect(task.getByTestId("reach-count")).toContainText("3");
    await expect(task).not.toHaveAttribute("data-done");
    await course.expect("c2", "SET lock c2 NX EX 10", "(nil)");
    await expect(held).toHaveCount(4);
    await expect(task).toHaveAttribute("data-done");
    await expect(task.getByTestId("task-done")).toHaveAttribute("data-how", "alone");
    // A mark shows what holds, and so do words for screen readers.
    await expect(checks.first().locator("svg")).toBeVisible();
    await expect(checks.first().getByTestId("check-said")).not.toBeEmpty();

    // The task stays done in any later state; an opened link does not count.
    await page.reload();
    await expect(task).toHaveAttribute("data-done");
    await expect(held).toHaveCount(4);
  });
}

test("a state from a link does not complete the task, the same state by hand does", async ({ stage }) => {
  const { page } = stage;
  const course = new Course(stage);
  await course.open(LESSON, "en");
  await course.expect("c1", "SET lock c1 NX EX 10", "OK");
  const task = page.getByTestId("task-by-hand");
  await expect(task.locator('li[data-holds="yes"]')).toHaveCount(3);
  // Half of the path comes from the browser's storage.
  await page.reload();
  await course.expect("c2", "SET lock c2 NX EX 10", "(nil)");
  await expect(task.getByTestId("attempt")).toContainText("Start over");
  await expect(task).not.toHaveAttribute("data-done");
  await task.getByTestId("reach-again").click();
  await course.expect("c1", "SET lock c1 NX EX 10", "OK");
  await course.expect("c2", "SET lock c2 NX EX 10", "(nil)");
  await expect(task).toHaveAttribute("data-done");
});
