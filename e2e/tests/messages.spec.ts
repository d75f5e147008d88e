// Lessons about messages, using only the keyboard: questions are answered, programs are broken and repaired, states are reached at the
// terminals.
import { Course } from "../support/course.ts";
import { expect, test } from "../support/fixtures.ts";
import { Keys } from "../support/keys.ts";
import { fileOf, tasks, wayTo, type Task } from "../support/lesson-file.ts";
import type { Language } from "../support/stage.ts";

// A trace of some hundred key presses costs half of the time.
test.use({ trace: "off" });

/** Whether a lesson is broken by hand, as in its story; schedules of sixty steps are left to the search. */
const LESSONS: Record<string, { language: Language; isBrokenByHand: boolean }> = {
  "streams/pending": { language: "en", isBrokenByHand: true },
  "streams/kafka": { language: "zh-CN", isBrokenByHand: true },
  "messaging/list-queue": { language: "zh-CN", isBrokenByHand: true },
  "messaging/pub-sub": { language: "en", isBrokenByHand: true },
  "messaging/zset-queue": { language: "zh-CN", isBrokenByHand: true },
  "messaging/compare": { language: "en", isBrokenByHand: false },
};

/** Opens the schedule that the search finds; it ends with the violation. */
async function findBug(keys: Keys): Promise<void> {
  const { page } = keys.course.stage;
  await keys.press(page.getByTestId("explore-find"));
  await expect(page.getByTestId("explore-result")).toHaveAttribute("data-finding", "broken", { timeout: 50_000 });
  await keys.holdFocus();
  await keys.press(page.getByTestId("explore-load"));
  await expect(page.getByTestId("forward")).toBeEnabled();
  await page.keyboard.press("Shift+Period");
  await expect(keys.course.broken()).not.toHaveCount(0);
}

/** Completes a task with the right answer from the lesson's folder. */
async function solve(keys: Keys, task: Task): Promise<void> {
  const { page } = keys.course.stage;
  const card = page.getByTestId(`task-${task.id}`);
  await expect(card).not.toHaveAttribute("data-done");
  switch (task.kind) {
    case "predict":
      await keys.press(card.getByTestId("choice").nth(task.choices.indexOf(task.answer)));
      await expect(card.getByTestId("reply")).not.toBeEmpty();
      await expect(card.getByTestId("task-done")).toHaveAttribute("data-how", "right");
      break;
    case "break":
      await keys.play(wayTo(keys.lesson, task.property));
      await expect(keys.course.broken()).not.toHaveCount(0);
      await expect(card.getByTestId("task-done")).toHaveAttribute("data-how", "alone");
      break;
    case "repair":
      await keys.press(card.getByTestId("repair-change"));
      await expect(card.getByTestId("script-text")).toBeVisible();
      await keys.holdFocus();
      await keys.writeAndCheck(card.getByTestId("script-text"), fileOf(keys.lesson, String(task.solution)), card.getByTestId("repair-done"), 50_000);
      await expect(card.getByTestId("task-done")).toHaveAttribute("data-how", "alone");
      break;
    case "choose":
      for (const [nth, name] of task.choices.entries()) {
        if (!name.startsWith("wrong-")) await keys.press(card.getByTestId("fix-tick").nth(nth), "Space");
      }
      await keys.press(card.getByTestId("choose-answer"));
      await expect(card.getByTestId("task-done")).toHaveAttribute("data-how", "right");
      break;
    case "achieve":
      if (await card.getByTestId("reach-again").count()) {
        await keys.press(card.getByTestId("reach-again"));
        await expect(card.getByTestId("reach-again")).toHaveCount(0);
      }
      await keys.play([task.solution].flat());
      await expect(card.getByTestId("task-done")).toHaveAttribute("data-how", "alone");
      break;
    default:
      throw new Error(`no keys are known for a task to ${task.kind}`);
  }
  await expect(card).toHaveAttribute("data-done");
}

for (const [lesson, { language, isBrokenByHand }] of Object.entries(LESSONS)) {
  test(`${lesson} using only the keyboard (${language})`, async ({ stage }) => {
    const course = new Course(stage);
    await course.open(lesson, language);
    const keys = new Keys(course, lesson);
    for (const task of tasks(lesson)) {
      // A forecast has a test of its own.
      if (task.kind === "forecast") continue;
      if (task.kind === "break" && !isBrokenByHand) await findBug(keys);
      else await solve(keys, task);
      await keys.holdFocus();
    }
  });
}
