// An application machine that crashes under traffic: its requests fail, the picture shows it, and it starts again.
import { violations } from "../support/axe.ts";
import { Course } from "../support/course.ts";
import { expect, test } from "../support/fixtures.ts";

const WORDS = {
  en: {
    crashes: /[Mm]achine (\d) crashes, (\d+|one) requests? fails?/,
    restarts: (machine: string) => new RegExp(`[Mm]achine ${machine} starts again`),
    down: "1 machine down",
    workers: (workers: number) => `of ${workers} workers busy`,
    second: "1 s",
    machine: (machine: string) => `machine ${machine}`,
    unreachable: "machine down",
  },
  "zh-CN": {
    crashes: /机器 (\d) 宕机，(\d+) 个请求失败/,
    restarts: (machine: string) => new RegExp(`机器 ${machine} 重新启动`),
    down: "1 台机器宕机",
    workers: (workers: number) => `/ ${workers} 个线程忙`,
    second: "1 秒",
    machine: (machine: string) => `机器 ${machine}`,
    unreachable: "机器已宕机",
  },
} as const;

for (const language of ["en", "zh-CN"] as const) {
  test(`a machine crashes while it loads, its requests fail, and it starts again (${language})`, async ({ stage }) => {
    const { page } = stage;
    const words = WORDS[language];
    const course = new Course(stage);
    await course.open("cache/breakdown", language);
    await page.getByTestId("traffic").scrollIntoViewIfNeeded();
    const goOn = page.getByTestId("traffic-go-on").filter({ hasText: words.second }).first();
    await goOn.click();
    await expect(page.getByTestId("traffic-now")).toContainText("0:00:01");
    const flow = page.getByTestId("traffic-flow-words");
    await expect(flow).toContainText(words.workers(128));

    // The cache was empty: at least one machine waits for the database.
    await page.getByTestId("traffic-crash").click();
    const description = page.getByTestId("description");
    await expect(description).toContainText(words.crashes);
    const machine = words.crashes.exec((await description.textContent()) ?? "")?.[1] ?? "";
    await expect(flow).toContainText(words.down);
    await expect(flow).toContainText(words.workers(96));
    expect(await violations(page)).toEqual([]);
    // It can no longer be selected, the others can.
    const which = page.getByTestId("traffic-crash-which");
    await expect(which.getByRole("option")).toHaveCount(4);
    await expect(which.getByRole("option", { name: words.machine(machine), exact: true })).toHaveCount(0);

    // A quarter of the requests meets no one: one of the next events says so.
    for (let event = 0; event < 60; event++) {
      const before = (await description.textContent()) ?? "";
      if (before.includes(language === "en" ? "the machine is down" : "机器已宕机")) break;
      await page.getByTestId("traffic-step").click();
      await expect(description).not.toHaveText(before);
    }
    await expect(description).toContainText(language === "en" ? "it fails, the machine is down" : "机器已宕机，请求失败");

    await page.getByTestId("traffic-restart").click();
    await expect(description).toContainText(words.restarts(machine));
    await goOn.click();
    await expect(flow).toContainText(words.workers(128));
    await expect(page.getByTestId("traffic-restart")).toHaveCount(0);

    // A machine of one's choice, by keyboard; the session with both crashes survives a reload.
    await which.focus();
    await which.selectOption({ label: words.machine("2") });
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await expect(description).toContainText(words.crashes);
    await expect(flow).toContainText(words.down);
    await page.reload();
    await expect(page.getByTestId("description")).toContainText(words.crashes);
    await expect(page.getByTestId("traffic-flow-words")).toContainText(words.down);
    await expect(page.getByTestId("traffic-restart")).toBeVisible();
  });
}
