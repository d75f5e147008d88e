// Lessons at the terminals, using only the keyboard: each state is reached by typing, its task is marked as done, and the river shows the
// result.
import { violations } from "../support/axe.ts";
import { Course } from "../support/course.ts";
import { expect, test } from "../support/fixtures.ts";
import { tabTo } from "../support/keys.ts";
import type { Language } from "../support/stage.ts";

/** Typed lines, `c1> PING`, and the text of the river after them. */
type Way = { lines: string[]; river: RegExp };

const LESSONS: Record<string, Record<string, Way>> = {
  "streams/append": {
    freeze: {
      lines: ["c1> XADD log 4102444800000-0 temp 23", "c1> XADD log * temp 24", "c2> XADD log 1767268200000-0 temp 20"],
      river: /4102444800000-1/,
    },
    keep: { lines: ["c1> XADD log MINID 1767267000000 * temp 23"], river: /1767268800000-0/ },
  },
  "streams/read-block": {
    gap: {
      lines: ["c1> XREAD BLOCK 0 STREAMS prices $", "c3> XADD prices 2-0 tea 6", "c3> XADD prices 3-0 tea 7", "c2> XREAD BLOCK 0 STREAMS prices $", "c3> XADD prices 4-0 tea 8"],
      river: /4-0.*c2/,
    },
    complete: {
      lines: ["c1> XREAD BLOCK 0 STREAMS prices $", "c3> XADD prices 2-0 tea 6", "c3> XADD prices 3-0 tea 7", "c3> XADD prices 4-0 tea 8", "c2> XREAD BLOCK 0 STREAMS prices 2-0"],
      river: /4-0.*c2/,
    },
  },
  "streams/groups": {
    skip: { lines: ["c1> XGROUP CREATE orders mail $", "c1> XREADGROUP GROUP mail carol COUNT 10 STREAMS orders >"], river: /4-0.*–/ },
    share: {
      lines: ["c1> XGROUP CREATE orders shipping 0", "c3> XGROUP CREATE orders mail 0", "c1> XREADGROUP GROUP shipping alice COUNT 2 STREAMS orders >", "c2> XREADGROUP GROUP shipping bob COUNT 2 STREAMS orders >", "c3> XREADGROUP GROUP mail carol COUNT 4 STREAMS orders >"],
      river: /carol.*bob|bob.*carol/,
    },
  },
  "streams/inside": {
    full: { lines: ["c1> XDEL jobs 1-0 2-0 3-0 4-0 6-0 7-0 8-0 9-0 11-0 12-0 13-0 14-0 16-0 17-0 18-0 19-0"], river: /-0/ },
    free: { lines: ["c1> XTRIM jobs MAXLEN 4"], river: /17-0/ },
  },
};

for (const [number, [lesson, tasks]] of Object.entries(LESSONS).entries()) {
  const language: Language = number % 2 === 0 ? "zh-CN" : "en";
  test(`${lesson} using only the keyboard (${language})`, async ({ stage }) => {
    const { page } = stage;
    const course = new Course(stage);
    await course.open(lesson, language);
    for (const [id, { lines, river }] of Object.entries(tasks)) {
      const task = page.getByTestId(`task-${id}`);
      await expect(task).not.toHaveAttribute("data-done");
      if (await task.getByTestId("reach-again").count()) {
        await tabTo(task.getByTestId("reach-again"));
        await page.keyboard.press("Enter");
        await expect(task.getByTestId("reach-again")).toHaveCount(0);
      }
      for (const line of lines) {
        const [client, words] = line.split("> ", 2) as [string, string];
        const before = await course.moment();
        await tabTo(page.getByTestId(`input-${client.slice(1)}`));
        await page.keyboard.type(line.slice(client.length + 2));
        await page.keyboard.press("Enter");
        await expect.poll(() => course.moment(), words).toBe(before + 1);
      }
      await expect(task).toHaveAttribute("data-done");
      await expect(page.getByTestId("river").getByRole("row").filter({ hasText: river })).not.toHaveCount(0);
    }
    expect(await violations(page)).toEqual([]);
  });
}
