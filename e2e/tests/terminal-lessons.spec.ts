// Lessons on data types, transactions and scripts, from the first task to the last, with the keyboard alone and with a pointer, in both
// languages and all sizes: predictions are answered, states are reached by typing, scripts are written, and everything stays done after a reload.
import { readdirSync } from "node:fs";
import type { Locator, Page } from "@playwright/test";
import { violations } from "../support/axe.ts";
import { Course } from "../support/course.ts";
import { expect, test } from "../support/fixtures.ts";
import { chooseTab, tabTo } from "../support/keys.ts";
import { fileOf, tasks, type Task } from "../support/lesson-file.ts";
import { SIZES, type Language, type Stage } from "../support/stage.ts";

const inTrack = (track: string) =>
  readdirSync(`../lessons/${track}`, { withFileTypes: true }).filter((entry) => entry.isDirectory()).map((entry) => `${track}/${entry.name}`);
const LESSONS = [...inTrack("types"), "transactions/multi-exec", "transactions/errors", "lua/eval", "lua/call-pcall", "lua/script-cache", "lua/atomic"];

/** Lets time pass, `@+2000ms`, by the button for one second. Minutes are too many of them. */
const WAITS = /^@\+(\d+)ms$/;
const SECONDS_MAX = 20;
const isTooLong = ({ solution }: Task) => [solution].flat().some((line) => Number(line.match(WAITS)?.[1] ?? 0) > 1000 * SECONDS_MAX);

/** How a learner uses the page: with the keyboard alone, or with a pointer and the keys of the letters. */
const HANDS = {
  keyboard: {
    async press(where: Locator) {
      await tabTo(where);
      await where.page().keyboard.press("Enter");
    },
    async write(where: Locator, text: string, end: string) {
      const { keyboard } = where.page();
      await tabTo(where);
      await keyboard.press("ControlOrMeta+a");
      await keyboard.insertText(text);
      await keyboard.press(end);
    },
    turnTo: chooseTab,
  },
  pointer: {
    press: (where: Locator) => where.click(),
    async write(where: Locator, text: string, end: string) {
      await where.click();
      await where.fill(text);
      await where.press(end);
    },
    turnTo: (tab: Locator) => tab.click(),
  },
} as const;

type Way = { hand: keyof typeof HANDS; size: keyof typeof SIZES; language: Language };

const EVERY: Way[] = (["keyboard", "pointer"] as const).flatMap((hand) =>
  (["laptop", "projector", "phone"] as const).flatMap((size) => (["zh-CN", "en"] as const).map((language) => ({ hand, size, language }))),
);

/** The ways in which a lesson is played: with the keyboard alone, with a pointer, in all sizes and both languages. `EVERY=1` plays it in every
 * combination of them, which takes four times as long. */
function ways(nth: number): Way[] {
  if (process.env.EVERY) return EVERY;
  const [one, other]: Language[] = nth % 2 === 0 ? ["zh-CN", "en"] : ["en", "zh-CN"];
  const [size, last] = nth % 4 < 2 ? (["phone", "projector"] as const) : (["projector", "phone"] as const);
  return [
    { hand: "keyboard", size: "laptop", language: one },
    { hand: "pointer", size, language: other },
    { hand: nth % 3 === 0 ? "pointer" : "keyboard", size: last, language: one },
  ];
}

/** A learner in a lesson. */
class Learner {
  private readonly course: Course;
  private readonly page: Page;
  private readonly hand: (typeof HANDS)[Way["hand"]];

  constructor(private readonly stage: Stage, private readonly lesson: string, private readonly way: Way) {
    this.course = new Course(stage);
    this.page = stage.page;
    this.hand = HANDS[way.hand];
  }

  async open(): Promise<void> {
    await this.page.setViewportSize(SIZES[this.way.size]);
    await this.course.open(this.lesson, this.way.language);
    if (this.way.size === "projector") await this.hand.press(this.page.getByTestId("projector"));
  }

  /** Does a task as its authors would; it is then done, and the window has not become too narrow for it. */
  async solve({ id, kind, choices, answer, solution }: Task): Promise<void> {
    const task = this.page.getByTestId(`task-${id}`);
    await this.turnTo("text");
    await expect(task).not.toHaveAttribute("data-done");
    if (kind === "predict") {
      const right = task.getByTestId("choice").nth(choices.indexOf(answer));
      await this.hand.press(right);
      await expect(right).toHaveAttribute("data-mark", "right");
      await expect(task.getByTestId("reply")).toBeInViewport();
    } else if (kind === "script") {
      await this.hand.press(task.getByTestId("repair-change"));
      await this.hand.write(task.getByTestId("program-text"), fileOf(this.lesson, String(solution)), "ControlOrMeta+Enter");
      await expect(task.getByTestId("repair-done")).toBeInViewport();
      await this.hand.press(task.getByTestId("use-program"));
    } else {
      // What was typed for the task before does not count.
      const again = task.getByTestId("reach-again");
      if (await again.count()) await this.hand.press(again);
      // Long scripts are replayed in slices. What is typed meanwhile is queued, but the position that `enter` reads would be an old one.
      await expect(again).toHaveCount(0);
      for (const line of [solution].flat()) await this.enter(line);
      await this.turnTo("text");
    }
    await expect(task.getByTestId("task-done")).toHaveAttribute("data-how", kind === "predict" ? "right" : "alone");
    expect(await this.course.overflow()).toBeLessThanOrEqual(0);
  }

  /** Types a line of a solution, or lets its time pass. */
  private async enter(line: string): Promise<void> {
    const wait = line.match(WAITS);
    if (wait) {
      await this.turnTo("timeline");
      // Seconds that pass one after the other are one step.
      for (let second = 0; second < Number(wait[1]) / 1000; second += 1) await this.hand.press(this.page.getByTestId("second"));
      return;
    }
    await this.turnTo("below");
    const before = await this.course.moment();
    const end = line.indexOf("> ");
    await this.hand.write(this.page.getByTestId(`input-${line.slice(1, end)}`), line.slice(end + 2), "Enter");
    await expect.poll(() => this.course.moment(), line).toBeGreaterThan(before);
  }

  /** Brings a part of the page into view: on a phone by its tab, elsewhere everything is in view. */
  private async turnTo(part: "text" | "below" | "timeline"): Promise<void> {
    const tab = this.page.getByTestId(`tab-${part}`);
    if (await tab.isVisible()) await this.hand.turnTo(tab);
  }
}

test.beforeEach(async ({ stage }) => {
  // The text area that stands in for the editor with colours.
  await stage.page.route("**/editor.js*", (route) =>
    route.fulfill({ contentType: "text/javascript", body: "throw new Error('not here');" }),
  );
});

for (const [nth, lesson] of LESSONS.entries()) {
  for (const way of ways(nth)) {
    test(`${lesson} from its first task to its last (${way.hand}, ${way.size}, ${way.language})`, async ({ stage }) => {
      const { page } = stage;
      const learner = new Learner(stage, lesson, way);
      await learner.open();
      const all = tasks(lesson).filter((task) => !isTooLong(task));
      expect(all.length).toBeGreaterThan(2);
      for (const task of all) await learner.solve(task);
      expect(await violations(page)).toEqual([]);
      await page.reload();
      for (const { id } of all) await expect(page.getByTestId(`task-${id}`)).toHaveAttribute("data-done");
    });
  }
}
