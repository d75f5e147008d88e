// Repairing a lesson's program: what still breaks is shown, and what holds in every schedule is done.
import { Course } from "../support/course.ts";
import { expect, test } from "../support/fixtures.ts";

const SOLD_ONE_BY_ONE = `local left = redis.call('DECR', 'stock')
if left >= 0 then
  tally('sold')
else
  redis.call('INCR', 'stock')
end
`;

test("a repair is searched: what breaks is shown, what holds is done and stays done", async ({ stage }) => {
  const { page } = stage;
  // The text area that stands in for the editor with colours is quicker to fill.
  await page.route("**/editor.js*", (route) => route.fulfill({ contentType: "text/javascript", body: "throw new Error('not here');" }));
  await new Course(stage).open("locks/oversell", "en");
  await page.getByTestId("part-tasks").click();
  const task = page.getByTestId("task-repair");
  const told = task.getByTestId("repair-told");

  // The lesson's own program still loses a sale: in four steps, which can be gone through.
  await task.getByTestId("repair-check").click();
  await expect(told.locator('[data-verdict="broken"]')).toContainText("4 steps", { timeout: 60_000 });
  await task.getByTestId("repair-stage").click();
  await expect(page.getByTestId("forward")).toBeEnabled();

  // What is no program is refused with its line.
  const change = async (text: string) => {
    await task.getByTestId("repair-change").click();
    await task.getByTestId("program-text").fill(text);
    await task.getByTestId("use-program").click();
  };
  await change("local = 1");
  await task.getByTestId("repair-check").click();
  await expect(told).toContainText("program:1:");

  await change(SOLD_ONE_BY_ONE);
  await task.getByTestId("repair-check").click();
  await expect(task).toHaveAttribute("data-done", "", { timeout: 60_000 });
  await expect(told.locator('[data-verdict="holds"]').first()).toBeVisible();

  // Both the program and that it is done outlive a reload.
  await page.reload();
  await page.getByTestId("part-tasks").click();
  await expect(page.getByTestId("task-repair")).toHaveAttribute("data-done", "");
  await expect(page.getByTestId("task-repair").getByTestId("repair-reset")).toBeVisible();
});
