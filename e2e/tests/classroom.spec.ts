// A lesson in a classroom: the class decides which client runs next and breaks a lock, the search finds the
// shortest way, the teacher goes through it sentence by sentence in Chinese on the projector, and repairs the next lock's program.
import { Course } from "../support/course.ts";
import { expect, test } from "../support/fixtures.ts";
import { SIZES, type Stage } from "../support/stage.ts";

/** Presses the button and waits for the end of the search; returns its message. */
async function find(stage: Stage, finding: string): Promise<string> {
  const { page } = stage;
  await page.getByTestId("explore-find").click();
  const result = page.getByTestId("explore-result");
  await expect(result).toHaveAttribute("data-finding", finding, { timeout: 100_000 });
  return result.innerText();
}

/** Replaces the program of a client in the editor of its card. */
async function rewrite(course: Course, client: string, change: (text: string) => string): Promise<void> {
  const { page } = course.stage;
  const card = course.program(client);
  const lines = card.getByTestId("program-lines").locator("li");
  // The line between functions and frame is drawn and has no code.
  const before = (await lines.evaluateAll((all) => all.map((line) => line.querySelector("code")?.textContent ?? "---- frame ----"))).join("\n");
  const after = change(before);
  expect(after).not.toBe(before);
  await card.getByTestId("edit").click();
  const text = card.getByTestId("script-text");
  await expect(text).toBeVisible();
  await text.click();
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.insertText(after);
  await card.getByTestId("use-program").click();
  await expect(card.getByTestId("use-program")).toBeHidden();
}

const CHECKED = "redis.call('EVAL', RELEASE, 1, 'lock', token)";
const UNCHECKED = "redis.call('DEL', 'lock')";

test.describe(() => {
  test.use({ viewport: SIZES.projector, locale: "zh-CN" });

  test("the class breaks a lock, the search finds the shortest way, and a program is changed until it holds", async ({ stage }) => {
    test.setTimeout(300_000);
    const course = new Course(stage);
    const { page } = stage;
    await course.open("locks/set-nx-ex");
    expect(await stage.language()).toBe("zh-CN");
    await page.getByTestId("projector").click();
    await expect(page.locator("html")).toHaveAttribute("data-projector", "on");

    // The class decides which client runs next: three clients, in a chosen order.
    const description = page.getByTestId("description");
    await course.step(2, 1, 3, 2);
    await expect(description).toContainText("c2");
    await course.pass("c1");
    await course.step(1, 1);
    await expect(course.broken()).toHaveCount(1);
    await expect(course.broken()).toContainText("c2 还在 checkout 里，c1 就进来了。");

    // The shortest schedule, as a branch beside the one of the class.
    expect(await find(stage, "broken")).toMatch(/7 步/);
    await page.getByTestId("explore-load").click();
    await expect(course.broken()).toHaveCount(0);
    const [forward, back] = [page.getByTestId("forward"), page.getByTestId("back")];
    const go = async (button: typeof forward, by: number) => {
      const before = await course.moment();
      await button.click();
      await expect.poll(() => course.moment()).toBe(before + by);
      const sentence = await description.innerText();
      // Each step is a sentence of Chinese; names of clients, keys and commands stay as they are.
      expect(sentence).toMatch(/[\u4e00-\u9fff].*。$/s);
      expect(sentence).not.toMatch(/\b(the|gets|goes on|sends)\b/);
      return sentence;
    };
    const begin = await course.moment();
    const sentences: string[] = [];
    while (await forward.isEnabled()) sentences.push(await go(forward, 1));
    expect(sentences).toHaveLength(7);
    expect(sentences.at(-1)).toContain("有一条性质被破坏");
    await expect(course.broken()).toHaveCount(1);
    // Back through each sentence, and forward again.
    for (const sentence of sentences.slice(0, -1).reverse()) expect(await go(back, -1)).toBe(sentence);
    await expect(course.broken()).toHaveCount(0);
    await back.click();
    await expect.poll(() => course.moment()).toBe(begin);
    for (const sentence of sentences) expect(await go(forward, 1)).toBe(sentence);
    await expect(course.broken()).toHaveCount(1);

    // Next, the lock that is released by a script: the search finds no schedule in which a client releases another's lock.
    await page.getByTestId("to-course").click();
    await course.card("locks/lua-release").getByRole("link").click();
    await expect(course.lesson()).toContainText("用脚本释放");
    await expect(page.locator("html")).toHaveAttribute("data-projector", "on");
    // The first of the properties: only the owner releases the lock.
    await page.getByTestId("explore-goal").selectOption({ index: 1 });
    await expect(page.getByTestId("explore-goal").locator("option:checked")).toContainText("只有持锁者才能释放锁");
    expect(await find(stage, "nothing")).toMatch(/[\u4e00-\u9fff]/);

    // Without the check the property is broken; with the check it holds again.
    await course.step(1, 1);
    await rewrite(course, "c1", (text) => text.replace(CHECKED, UNCHECKED));
    const broken = await find(stage, "broken");
    expect(broken).toContain("只有持锁者才能释放锁");
    await page.getByTestId("explore-load").click();
    while (await forward.isEnabled()) await go(forward, 1);
    await expect(course.broken().first()).toContainText("c1 删掉了 lock");
    await rewrite(course, "c1", (text) => text.replace(UNCHECKED, CHECKED));
    await find(stage, "nothing");
  });
});
