// Traffic: set up, run in the session, its figures as charts, table and file, two runs compared, and any moment opened as steps.
import { readFileSync } from "node:fs";
import type { Locator, Page } from "@playwright/test";
import { violations } from "../support/axe.ts";
import { expect, test } from "../support/fixtures.ts";
import { textBelow } from "../support/sight.ts";
import { SIZES, type Language, type Stage } from "../support/stage.ts";

const WORDS = {
  en: {
    requests: "Requests per second",
    statements: "Statements in all",
    better: "Run 2",
    missing: "could not be loaded",
    table: "Figures by time",
    whole: "Enter a whole number.",
    comes: /[Rr]equest \d+ .* comes to machine|Redis executes|machine \d+ receives|database (executes|answers)/,
    stopped: "Traffic was stopped here.",
    failed: "The handler failed, and traffic stopped here.",
    range: "Enter a number from 1 to 200,000.",
    overloaded: "overloaded",
    down: "down",
    words: /Machines: ([\d.,]+) requests\/s, (\d+) of 64 workers busy, ([\d,]+) waiting/,
    redis: /^Redis: ([\d.,]+) commands\/s, hit ratio ([\d.]+)%, (\d+) commands? waiting/,
    database: /^Database: ([\d.,]+) statements\/s, capacity ([\d.,]+)\/s/,
    machine: "machine",
    read: "read",
    gone: "Nothing has happened step by step yet.",
    comma: ", ",
    idle: /No request asked Redis or the database: [\d,]+ answers/,
    earlier: "Run 1, before the servers changed",
  },
  "zh-CN": {
    requests: "每秒请求数",
    statements: "语句总数",
    better: "第 2 次运行",
    missing: "图表加载失败",
    table: "各时段的数据",
    whole: "请填整数。",
    comes: /请求 \d+（.*到达机器|Redis 为请求|机器 \d+ 收到|数据库(为请求|应答请求)/,
    stopped: "流量停在这里。",
    failed: "处理函数出错，流量停在这里。",
    range: "应在 1 到 200,000 之间。",
    overloaded: "过载",
    down: "宕机",
    words: /机器：([\d.,]+) 请求\/秒，(\d+) \/ 64 个线程忙，([\d,]+) 个排队/,
    redis: /^Redis：([\d.,]+) 命令\/秒，命中率 ([\d.]+)%，(\d+) 条命令排队/,
    database: /^数据库：([\d.,]+) 语句\/秒，处理能力 ([\d.,]+)\/秒/,
    machine: "机器",
    read: "读",
    gone: "还没有逐步查看过流量。",
    comma: "，",
    idle: /没有一个请求访问 Redis 或数据库：[\d,]+ 个应答/,
    earlier: "第 1 次运行（更换服务器之前）",
  },
} as const;

/** Fields of the form, by their positions. */
const RATE = "traffic-field-0";
const DURATION = "traffic-field-1";
const ITEMS = "traffic-field-2";
const DATABASE_WORKERS = "traffic-field-8";
const DATABASE_MS = "traffic-field-9";

/** The slider beside a field. */
const slider = (page: Page, field: string): Locator => page.getByTestId(field.replace("field", "slider"));

/** Opens the form, if it is folded away. */
async function form(page: Page): Promise<void> {
  if (!(await page.getByTestId("traffic-setup").isVisible())) await page.getByTestId("traffic-set-open").click();
}

/** Runs the configured traffic to its end. */
async function run(page: Page): Promise<void> {
  const isFirst = (await page.getByTestId("traffic-now").count()) === 0;
  await form(page);
  await page.getByTestId("traffic-run").click();
  await expect(page.getByTestId("traffic-now")).toBeVisible({ timeout: 30_000 });
  await over(page);
  // With its first figures the form folds, in a render of its own.
  if (isFirst) await expect(page.getByTestId("traffic-setup")).toBeHidden();
}

/** Waits until traffic no longer runs. */
async function over(page: Page): Promise<void> {
  await expect(page.getByTestId("long-script")).toHaveCount(0, { timeout: 90_000 });
}

/** Ten minutes of traffic, and the same again with a longer TTL in the cache. */
async function twice(page: Page): Promise<void> {
  await page.getByTestId(RATE).fill("50");
  await run(page);
  await expect(page.getByTestId("traffic-now")).toContainText("0:10:00", { timeout: 60_000 });
  await form(page);
  const lua = page.getByTestId("traffic-lua");
  await lua.fill((await lua.inputValue()).replace("120", "300"));
  await run(page);
  await expect(page.getByTestId("traffic-compare")).toBeVisible({ timeout: 60_000 });
  await expect(page.getByTestId("traffic-now")).toContainText("0:10:00", { timeout: 60_000 });
}

/** Opens the panel; on a phone by its tabs. */
async function open(stage: Stage, language: Language, isPhone = false): Promise<Locator> {
  await stage.open(language);
  if (isPhone) {
    await stage.page.getByTestId("tab-tools").click();
    await stage.page.getByTestId("panel-traffic").click();
  } else {
    await stage.page.getByTestId("traffic-toggle").click();
  }
  const panel = stage.page.getByTestId("traffic");
  await expect(panel).toBeVisible();
  return panel;
}

/** Opens the table and waits until it has both runs; returns its cells, for each time the first row is that of the first run. */
async function cells(page: Page): Promise<string[][]> {
  const table = page.getByTestId("traffic-table");
  if (!(await table.isVisible())) await page.getByTestId("traffic-table-open").click();
  await expect(table.getByRole("row").last().getByRole("cell").first()).not.toHaveText("–", { timeout: 90_000 });
  await expect(table.getByRole("rowheader", { name: "0:09:35" })).toBeVisible({ timeout: 90_000 });
  return table.evaluate((table: HTMLTableElement) =>
    [...table.tBodies].flatMap((body) => [...body.rows].map((row) => [...row.querySelectorAll("td")].map((cell) => cell.textContent ?? ""))),
  );
}

/** The position of a slider when its field holds this text; the field gets its old text back. */
async function positionOf(page: Page, field: string, text: string): Promise<string> {
  const before = await page.getByTestId(field).inputValue();
  await page.getByTestId(field).fill(text);
  await expect(slider(page, field)).toHaveAttribute("aria-valuetext", text);
  const position = await slider(page, field).inputValue();
  await page.getByTestId(field).fill(before);
  await expect(slider(page, field)).toHaveAttribute("aria-valuetext", before);
  return position;
}

/** Running animations of the picture, without the millisecond that a change takes where motion is reduced. */
async function animations(page: Page): Promise<number> {
  return page.getByTestId("traffic-flow").evaluate((flow) => {
    const running = flow.getAnimations({ subtree: true }).filter((one) => one.playState === "running");
    return running.filter((one) => Number(one.effect?.getComputedTiming().duration) > 1).length;
  });
}

/** Number of pixels of each canvas in the colour of a line, as in its legend. */
async function inked(page: Page): Promise<number[]> {
  return page.getByTestId("charts").evaluate((charts) =>
    [...charts.querySelectorAll("figure")].map((figure) => {
      const canvas = figure.querySelector("canvas");
      const stroke = figure.querySelector("svg path")?.getAttribute("stroke") ?? "";
      const [red = 0, green = 0, blue = 0] = stroke.match(/\d+/g)?.map(Number) ?? [];
      const data = canvas?.getContext("2d")?.getImageData(0, 0, canvas.width, canvas.height).data ?? [];
      let count = 0;
      for (let at = 0; at + 3 < data.length; at += 4) {
        const far = Math.abs((data[at] ?? 0) - red) + Math.abs((data[at + 1] ?? 0) - green) + Math.abs((data[at + 2] ?? 0) - blue);
        if ((data[at + 3] ?? 0) > 200 && far < 30) count += 1;
      }
      return count;
    }),
  );
}

for (const language of ["en", "zh-CN"] as const) {
  test(`charts are drawn, and the table and the file say the same (${language})`, async ({ stage }) => {
    const { page } = stage;
    await open(stage, language);
    await twice(page);
    const table = await cells(page);
    expect(table).toHaveLength(48);
    await expect(page.getByRole("region", { name: WORDS[language].table })).toBeVisible();
    const drawn = await inked(page);
    expect(drawn).toHaveLength(10);
    // No stale answers and no errors: those lines are on the axis, and are drawn anyway.
    for (const count of drawn) expect(count).toBeGreaterThan(50);

    const [saved] = await Promise.all([page.waitForEvent("download"), page.getByTestId("traffic-csv").first().click()]);
    const lines = readFileSync(await saved.path(), "utf8").trim().split("\n").map((line) => line.split(","));
    const names = lines[0] ?? [];
    const column = (name: string) => lines.slice(1).map((line) => Number(line[names.indexOf(name)]));
    const sum = (values: number[]) => values.reduce((sum, value) => sum + value, 0);
    expect(lines).toHaveLength(601);
    for (let row = 0; row < 24; row += 1) {
      const part = (name: string) => column(name).slice(25 * row, 25 * row + 25);
      const shown = (table[2 * row] ?? []).map((text) => Number(text.replace(/[,%]/g, "")));
      const [answered, errors, hits, statements, atDatabase, waiting] = shown;
      expect(answered).toBeCloseTo(sum(part("answered")) / 25, 0);
      expect(errors).toBeCloseTo(sum([...part("refused"), ...part("given_up"), ...part("failed")]) / 25, 0);
      expect(hits).toBeCloseTo((100 * sum(part("hits"))) / sum([...part("hits"), ...part("misses")]), 0);
      expect(statements).toBeCloseTo(sum(part("queries")) / 25, 0);
      expect(atDatabase).toBe(Math.max(...part("at_database_max")));
      expect(waiting).toBe(Math.max(...part("waiting_max")));
      expect(shown[11]).toBe(part("keys").at(-1));
      expect(shown[13]).toBeCloseTo(sum(part("commands")) / 25, 0);
      expect(shown[14]).toBe(Math.max(...part("stale_ms_max")));
    }
    // The longer TTL sends fewer statements.
    await expect(page.getByTestId("traffic-compared").getByRole("row", { name: WORDS[language].statements })).toContainText(WORDS[language].better);
  });

  test(`arrow keys move through the charts and choose a moment (${language})`, async ({ stage }) => {
    const { page } = stage;
    const panel = await open(stage, language);
    await page.getByTestId(RATE).fill("50");
    await run(page);
    const chart = panel.getByRole("slider", { name: WORDS[language].requests });
    await chart.focus();
    await page.keyboard.press("Home");
    for (const at of [1, 2, 3]) {
      await page.keyboard.press("ArrowRight");
      await expect(chart).toHaveAttribute("aria-valuenow", String(at));
    }
    await expect(chart).toHaveAttribute("aria-valuetext", /^0:00:03; /);
    // All charts are at the same moment.
    const sliders = panel.getByRole("slider");
    await expect(sliders).toHaveCount(10);
    for (const slider of await sliders.all()) await expect(slider).toHaveAttribute("aria-valuenow", "3");
    await page.keyboard.press("Enter");
    const description = page.getByTestId("description");
    await expect(page.getByTestId("traffic-now")).toContainText("0:00:03");
    await expect(description).toContainText(WORDS[language].comes);
    // The whole run is still there, and the moment is a branch of it.
    await expect(chart).toHaveAttribute("aria-valuemax", "599");
    await expect(page.getByTestId("traffic-compare")).toHaveCount(0);
    // Step by step: each step is one event, and commands typed in between belong to the session.
    const before = await description.textContent();
    await page.getByTestId("traffic-step").click();
    await expect(description).not.toHaveText(before ?? "");
    await expect(description).toContainText(WORDS[language].comes);
    await stage.expect("c1", "DBSIZE", "(integer)");
    // From there it runs to the end: that is a second run, beside the first one.
    await page.getByTestId("traffic-go-on").last().click();
    await over(page);
    await expect(page.getByTestId("traffic-now")).toContainText("1:00:03", { timeout: 90_000 });
    await chart.click();
    await expect(page.getByTestId("traffic-now")).not.toContainText("1:00:03");
  });

  test(`without the charts a notice and the table are shown (${language})`, async ({ stage }) => {
    await stage.page.route("**/charts.js*", (route) => route.fulfill({ contentType: "text/javascript", body: "throw new Error('not here');" }));
    await open(stage, language);
    await twice(stage.page);
    await expect(stage.page.getByTestId("charts-missing")).toContainText(WORDS[language].missing);
    expect(await cells(stage.page)).toHaveLength(48);
  });

  test(`another database opens another session with its own figures (${language})`, async ({ stage }) => {
    const { page } = stage;
    await open(stage, language);
    await page.getByTestId(RATE).fill("50");
    await page.getByTestId(DURATION).fill("1m");
    await run(page);
    const description = page.getByTestId("description");
    const first = await description.textContent();
    await form(page);
    await page.getByTestId(RATE).fill("5");
    await page.getByTestId(DATABASE_WORKERS).fill("3");
    await page.getByTestId("traffic-run").click();
    await expect(description).not.toHaveText(first ?? "", { timeout: 30_000 });
    await over(page);
    await expect(page.getByTestId("traffic-now")).toContainText("0:01:00", { timeout: 30_000 });
    const [saved] = await Promise.all([page.waitForEvent("download"), page.getByTestId("traffic-csv").first().click()]);
    const lines = readFileSync(await saved.path(), "utf8").trim().split("\n").map((line) => line.split(","));
    const arrived = lines.slice(1).reduce((sum, line) => sum + Number(line[1]), 0);
    expect(arrived).toBeGreaterThan(200);
    expect(arrived).toBeLessThan(400);
    // The run of the session before is still there to compare with, and names itself.
    await expect(page.getByTestId("traffic-compare")).toContainText(WORDS[language].earlier);
    await expect(page.getByTestId("traffic-compared").getByRole("columnheader", { name: WORDS[language].earlier })).toBeVisible();
  });

  test(`the picture has the numbers of the last interval (${language})`, async ({ stage }) => {
    const { page } = stage;
    await open(stage, language);
    await page.getByTestId(RATE).fill("50");
    await page.getByTestId(DURATION).fill("30s");
    await run(page);
    const words = page.getByTestId("traffic-flow-words").getByRole("listitem");
    await expect(words).toHaveCount(4);
    const [saved] = await Promise.all([page.waitForEvent("download"), page.getByTestId("traffic-csv").first().click()]);
    const lines = readFileSync(await saved.path(), "utf8").trim().split("\n").map((line) => line.split(","));
    const last = (name: string) => Number(lines.at(-1)?.[(lines[0] ?? []).indexOf(name)]);
    const said = async (line: RegExp) => line.exec((await words.filter({ hasText: line }).textContent()) ?? "") ?? [];
    const [, requests] = await said(WORDS[language].words);
    const [, commands, hits] = await said(WORDS[language].redis);
    const [, statements, capacity] = await said(WORDS[language].database);
    expect(Number(requests)).toBe(last("arrived"));
    expect(Number(commands)).toBe(last("commands"));
    expect(Number(statements)).toBe(last("queries"));
    expect(Number(hits)).toBeCloseTo((100 * last("hits")) / (last("hits") + last("misses")), 0);
    expect(capacity).toBe("200.0");
    // The drawing shows the same.
    const picture = page.getByTestId("traffic-flow");
    for (const number of [requests, commands, statements]) await expect(picture).toContainText(number ?? "?");
    await expect(picture).not.toContainText(WORDS[language].overloaded);
  });

  test(`the picture marks a database that is overloaded or down (${language})`, async ({ stage }) => {
    const { page } = stage;
    await open(stage, language);
    await page.getByTestId(RATE).fill("400");
    await page.getByTestId(DURATION).fill("5s");
    await page.getByTestId(DATABASE_WORKERS).fill("1");
    await page.getByTestId(DATABASE_MS).fill("50");
    await run(page);
    await expect(page.getByTestId("traffic-flow")).toContainText(WORDS[language].overloaded);
    await expect(page.getByTestId("traffic-flow-words")).toContainText(WORDS[language].overloaded);
    await page.getByTestId("panel-nodes").click();
    await page.getByTestId("node-1").getByTestId("node-open").click();
    await page.getByTestId("node-crash").click();
    await page.getByTestId("panel-traffic").click();
    await expect(page.getByTestId("traffic-flow-words").getByRole("listitem").last()).toContainText(WORDS[language].comma + WORDS[language].down);
  });

  test(`event by event the queue of Redis is shown in its order (${language})`, async ({ stage }) => {
    const { page } = stage;
    const panel = await open(stage, language);
    await page.getByTestId(RATE).fill("1000");
    await page.getByTestId(DURATION).fill("1s");
    await panel.getByTestId("traffic-more").click();
    // A command takes 5 ms: with this rate there must be a queue.
    await page.getByTestId("traffic-field-17").fill("5000");
    await run(page);
    await expect(page.getByTestId("traffic-line")).toHaveCount(0);
    const waiting = page.getByTestId("traffic-line-waiting");
    const rows = waiting.getByRole("listitem");
    const description = page.getByTestId("description");
    let first = "";
    let taken = 0;
    for (let step = 0; step < 40 && taken < 2; step += 1) {
      const before = await description.textContent();
      await page.getByTestId("traffic-step").click();
      await expect(description).not.toHaveText(before ?? "");
      // Eight of them, and the number of further ones.
      await expect(rows).toHaveCount(9);
      const now = page.getByTestId("traffic-line-now");
      if (/Redis executes|Redis 为请求/.test((await description.textContent()) ?? "")) {
        if (first) await expect(now).toContainText(first);
        await expect(now).toContainText(WORDS[language].machine);
        taken += 1;
      }
      first = (await rows.first().getByRole("code").textContent()) ?? "";
      expect(first).toMatch(/^(GET|SET) item:/);
    }
    expect(taken).toBe(2);
    // Nothing moves while time stands still, and the queue disappears when time passes.
    await expect(page.getByTestId("traffic-flow")).toHaveAttribute("data-still", "");
    await page.getByTestId("traffic-go-on").first().click();
    await expect(page.getByTestId("traffic-line")).toHaveCount(0);
    await expect(page.getByTestId("traffic-flow")).not.toHaveAttribute("data-still");
  });

  test(`a moment opened as steps is seen in the lanes, with its requests (${language})`, async ({ stage }) => {
    const { page } = stage;
    const panel = await open(stage, language);
    await page.getByTestId(RATE).fill("50");
    await page.getByTestId(DURATION).fill("10s");
    await run(page);
    const chart = panel.getByRole("slider", { name: WORDS[language].requests });
    await chart.focus();
    await page.keyboard.press("Home");
    for (const _ of [1, 2, 3]) await page.keyboard.press("ArrowRight");
    await page.keyboard.press("Enter");
    const description = page.getByTestId("description");
    await expect(description).toContainText(WORDS[language].comes);
    const told: string[] = [(await description.textContent()) ?? ""];
    for (let step = 0; step < 8; step += 1) {
      await page.getByTestId("traffic-step").click();
      await expect(description).not.toHaveText(told.at(-1) ?? "");
      told.push((await description.textContent()) ?? "");
    }
    await page.getByTestId("panel-lanes").click();
    const lanes = page.getByTestId("lanes");
    const rows = lanes.getByRole("option");
    // One row for the time before, and one per step; the row at the cursor is the last one.
    await expect(rows).toHaveCount(10);
    await expect(rows.last()).toHaveAttribute("aria-selected", "true");
    // A row is named by the sentence of its step, and drawn with the number of its request.
    const arrivals = told.map((sentence, nth) => ({ nth, number: /(?:request|请求) (\d+)[^\d]* .*(?:comes to machine|到达机器)/.exec(sentence)?.[1] }));
    const { nth, number } = arrivals.find((each) => each.number) ?? { nth: -1, number: undefined };
    expect(number).toBeDefined();
    const row = rows.nth(nth + 1);
    await expect(row).toContainText(told[nth] ?? "?");
    await expect(row).toContainText(WORDS[language].read);
    await expect(row.getByText(number ?? "?", { exact: true })).toHaveCount(2);
    await expect(lanes).toContainText(`${WORDS[language].machine} `);
    await expect(lanes).toContainText("GET item:");
    // A click goes to the step.
    await row.click();
    await expect(row).toHaveAttribute("aria-selected", "true");
    await expect(description).toHaveText(told[nth] ?? "?");
    // What is typed here is a row too, on a branch that traffic goes on from.
    await stage.expect("c1", "DBSIZE", "(integer)");
    await expect(rows.last()).toContainText("DBSIZE");
    await expect(rows).toHaveCount(nth + 3);
  });

  test(`a slider and its field follow each other (${language})`, async ({ stage }) => {
    const { page } = stage;
    await open(stage, language);
    const items = page.getByTestId(ITEMS);
    const range = slider(page, ITEMS);
    await items.fill("40");
    await expect(range).toHaveAttribute("aria-valuetext", "40");
    await range.focus();
    await page.keyboard.press("ArrowRight");
    await expect(items).toHaveValue("50");
    await page.keyboard.press("Home");
    await expect(items).toHaveValue("1");
    await page.keyboard.press("End");
    await expect(items).toHaveValue("200000");
    // By a pointer: the scale is logarithmic, so the middle is far below half of the maximum.
    const box = await range.boundingBox();
    await range.click({ position: { x: (box?.width ?? 0) / 2, y: (box?.height ?? 0) / 2 } });
    expect(Number(await items.inputValue())).toBeGreaterThan(100);
    expect(Number(await items.inputValue())).toBeLessThan(2_000);
    // The field is exact: the slider is at the nearest value, and announces the value of the field.
    await items.fill("41");
    await expect(range).toHaveAttribute("aria-valuetext", "41");
    await expect(range).toHaveValue(await positionOf(page, ITEMS, "40"));
    // A value out of range is rejected at the field, and the slider is at its end.
    await items.fill("300000");
    await expect(page.getByTestId("traffic-setup").getByRole("alert")).toHaveText(WORDS[language].range);
    await expect(range).toHaveValue((await range.getAttribute("max")) ?? "");
    await range.focus();
    await page.keyboard.press("ArrowLeft");
    await expect(page.getByTestId("traffic-setup").getByRole("alert")).toHaveCount(0);
    // A list of points in time is not a single number.
    await expect(slider(page, RATE)).toBeVisible();
    await page.getByTestId(RATE).fill("0s:100, 1h:400");
    await expect(slider(page, RATE)).toHaveCount(0);
    await page.getByTestId(RATE).fill("100");
    await slider(page, RATE).press("ArrowRight");
    await expect(page.getByTestId(RATE)).toHaveValue("120");
    await slider(page, DATABASE_MS).press("Home");
    await expect(slider(page, DATABASE_MS)).toHaveAttribute("aria-valuetext", language === "en" ? "0 ms" : "0 毫秒");
  });

  test(`errors are shown at their field, and an error of the handler at its line (${language})`, async ({ stage }) => {
    const { page } = stage;
    await open(stage, language);
    await page.getByTestId(ITEMS).fill("many");
    await expect(page.getByTestId("traffic-setup").getByRole("alert")).toHaveText(WORDS[language].whole);
    await expect(page.getByTestId("traffic-run")).toBeDisabled();
    await page.getByTestId(ITEMS).fill("100");
    await page.getByTestId(DURATION).fill("10s");
    await page.getByTestId("traffic-lua").fill("function get(id)\n  return nothing.at.all\nend");
    await run(page);
    await expect(page.getByTestId("traffic-faults")).toContainText("program:2:");
    await page.getByTestId("traffic-set-open").click();
    await page.getByTestId("traffic-lua").fill("function get(id)\n  local n = 1\n  while true do n = n + 1 end\nend");
    await run(page);
    await expect(page.getByTestId("traffic-faults")).toContainText(language === "en" ? "Line 3: It runs forever" : "第 3 行：它一直运行");
    // A handler that asks nobody is noticed, too.
    await form(page);
    await page.getByTestId("traffic-lua").fill("function get(id)\n  return '1'\nend");
    await run(page);
    await expect(page.getByTestId("traffic-faults")).toContainText(WORDS[language].idle);
  });

  test(`a handler that fails stops the run or not, as chosen (${language})`, async ({ stage }) => {
    const { page } = stage;
    await open(stage, language);
    await page.getByTestId(ITEMS).fill("100");
    await page.getByTestId(RATE).fill("5");
    await page.getByTestId(DURATION).fill("10m");
    await page.getByTestId("traffic-lua").fill("function get(id)\n  if tostring(id) == '50' then error('not now') end\n  return 'x'\nend");
    await page.getByTestId("traffic-at-fault").selectOption({ index: 1 });
    await run(page);
    const faults = page.getByTestId("traffic-faults");
    await expect(page.getByTestId("notices")).toContainText(WORDS[language].failed);
    await expect(faults).toContainText(/^\D*1 ?(×|次)[^×次]*program:2: not now/);
    await expect(page.getByTestId("traffic-now")).not.toContainText("0:10:00");
    await form(page);
    await page.getByTestId("traffic-at-fault").selectOption({ index: 0 });
    await page.getByTestId("traffic-run").click();
    await expect(page.getByTestId("traffic-now")).toContainText("0:10:00", { timeout: 60_000 });
    await expect(faults).toContainText("program:2: not now");
  });

  test(`long traffic is stopped where it is, and a reload shows the same (${language})`, async ({ stage }) => {
    const { page } = stage;
    await open(stage, language);
    await page.getByTestId(RATE).fill("2000");
    await page.getByTestId(DURATION).fill("1h");
    await page.getByTestId("traffic-run").click();
    // The picture follows the run while it is running.
    await expect(page.getByTestId("traffic-now")).toContainText(/0:\d\d:[1-9]\d/, { timeout: 30_000 });
    await expect(page.getByTestId("traffic-flow-words")).toContainText(WORDS[language].words);
    await page.getByTestId("long-script-stop").click({ timeout: 30_000 });
    await expect(page.getByTestId("notices")).toContainText(WORDS[language].stopped);
    await over(page);
    const now = await page.getByTestId("traffic-now").textContent();
    await expect(page.getByTestId("description")).toContainText(/\d/);
    const description = await page.getByTestId("description").textContent();
    await page.reload();
    await expect(page.getByTestId("traffic-now")).toHaveText(now ?? "", { timeout: 90_000 });
    await expect(page.getByTestId("description")).toHaveText(description ?? "");
  });
}

for (const [scenario, name] of [
  ["Penetration: ids that exist nowhere", "penetration"],
  ["Hot key: 2,000 requests a second for one item", "hot-key"],
] as const) {
  test(`the page has the figures that native code has (${name})`, async ({ stage }) => {
    const { page } = stage;
    await open(stage, "en");
    await page.getByTestId("traffic-scenario").selectOption({ label: scenario });
    await run(page);
    const expected = readFileSync(`support/figures/${name}.csv`, "utf8");
    const seconds = expected.trim().split("\n").length - 1;
    await expect(page.getByTestId("traffic-now")).toContainText(seconds < 60 ? `0:00:${seconds}` : "0:01:00", { timeout: 60_000 });
    const [saved] = await Promise.all([page.waitForEvent("download"), page.getByTestId("traffic-csv").first().click()]);
    expect(readFileSync(await saved.path(), "utf8")).toBe(expected);
  });
}

test("traffic is not fetched before its panel is opened or the page is idle", async ({ stage }) => {
  await stage.open("en");
  const first = await stage.firstLoad();
  expect(first.filter((name) => /charts|_traffic/.test(name))).toEqual([]);
});

for (const reducedMotion of ["no-preference", "reduce"] as const) {
  test.describe(() => {
    test.use({ contextOptions: { reducedMotion } });
    test(`the picture moves, unless the user prefers reduced motion (${reducedMotion})`, async ({ stage }) => {
      const { page } = stage;
      await open(stage, "en");
      await page.getByTestId(RATE).fill("50");
      await page.getByTestId(DURATION).fill("10s");
      await run(page);
      const moving = () => animations(page);
      if (reducedMotion === "reduce") expect(await moving()).toBe(0);
      else await expect.poll(moving).toBeGreaterThan(0);
      // Event by event, time stands still with every motion setting.
      await page.getByTestId("traffic-step").click();
      await expect(page.getByTestId("traffic-line")).toBeVisible();
      await expect.poll(moving).toBe(0);
    });
  });
}

for (const reducedMotion of ["no-preference", "reduce"] as const) {
  test.describe(() => {
    test.use({ contextOptions: { reducedMotion } });
    test(`commands move through the event loop with each step, unless the user prefers reduced motion (${reducedMotion})`, async ({ stage }) => {
      const { page } = stage;
      const panel = await open(stage, "en");
      await page.getByTestId(RATE).fill("1000");
      await page.getByTestId(DURATION).fill("1s");
      await panel.getByTestId("traffic-more").click();
      await page.getByTestId("traffic-field-17").fill("5000");
      await run(page);
      await page.getByTestId("traffic-step").click();
      // Most of the steps concern requests elsewhere; each command keeps its element from place to place.
      const seen = { placed: 0, moving: 0 };
      for (let step = 0; step < 60 && seen.placed < 5; step += 1) {
        const { placed, moving } = await page.getByTestId("traffic-loop").evaluate(async (loop) => {
          const before = [...loop.querySelectorAll<HTMLElement>("[title]")].map((command) => [command, command.style.cssText] as const);
          document.querySelector<HTMLElement>('[data-testid="traffic-step"]')?.click();
          await new Promise((done) => setTimeout(done, 100));
          const others = before.filter(([command, place]) => command.isConnected && command.style.cssText !== place);
          return { placed: others.length, moving: others.filter(([command]) => command.getAnimations().some((animation) => Number(animation.effect?.getComputedTiming().duration) > 1)).length };
        });
        seen.placed += placed;
        seen.moving += moving;
      }
      expect(seen.placed).toBeGreaterThan(4);
      if (reducedMotion === "reduce") expect(seen.moving).toBe(0);
      else expect(seen.moving).toBeGreaterThan(0);
      expect(await violations(page, '[data-testid="traffic-line"]')).toEqual([]);
      expect(await textBelow(page, 12)).toEqual([]);
    });
  });
}

for (const [name, viewport] of Object.entries(SIZES)) {
  test.describe(() => {
    test.use({ viewport });
    test(`requests of fifty machines can be read in the lanes (${name})`, async ({ stage }) => {
      const { page } = stage;
      const panel = await open(stage, "en", name === "phone");
      await page.getByTestId(RATE).fill("1000");
      await page.getByTestId(DURATION).fill("1s");
      await panel.getByTestId("traffic-more").click();
      await page.getByTestId("traffic-field-11").fill("50");
      await run(page);
      for (let step = 0; step < 25; step += 1) await page.getByTestId("traffic-step").click();
      await page.getByTestId("panel-lanes").click();
      const lanes = page.getByTestId("lanes");
      await expect(lanes.getByRole("option").last()).toHaveAttribute("aria-selected", "true");
      // Machines that have no lane of their own share one; on a projector there is room for all of these rows.
      if (name !== "projector") await expect(lanes).toContainText(name === "phone" ? "machines" : "other machines");
      if (name === "projector") {
        await page.getByTestId("focus").click();
        await page.getByTestId("panel-lanes").click();
      }
      await expect(lanes).toBeVisible();
      expect(await violations(page, '[data-testid="lanes"]')).toEqual([]);
      expect(await textBelow(page, name === "projector" ? 22 : 12)).toEqual([]);
    });
  });
}

test("the picture fits a phone", async ({ stage }) => {
  const { page } = stage;
  await page.setViewportSize(SIZES.phone);
  await open(stage, "en", true);
  await page.getByTestId(RATE).fill("50");
  await page.getByTestId(DURATION).fill("10s");
  await run(page);
  await page.getByTestId("traffic-step").click();
  for (const part of ["traffic-flow", "traffic-line", "traffic-now"]) {
    const { width, room, left, right } = await page.getByTestId(part).evaluate((element) => {
      const box = element.getBoundingClientRect();
      return { width: element.scrollWidth, room: element.clientWidth, left: box.left, right: box.right };
    });
    expect(width).toBeLessThanOrEqual(room);
    expect(left).toBeGreaterThanOrEqual(0);
    expect(right).toBeLessThanOrEqual(SIZES.phone.width);
  }
});

test("the picture has all charts on a light ground, whatever the theme", async ({ stage }) => {
  const { page } = stage;
  await page.emulateMedia({ colorScheme: "dark" });
  await open(stage, "en");
  await page.getByTestId(RATE).fill("50");
  await run(page);
  await expect(page.getByTestId("traffic-png")).toBeVisible({ timeout: 30_000 });
  const [saved] = await Promise.all([page.waitForEvent("download"), page.getByTestId("traffic-png").click()]);
  expect(saved.suggestedFilename()).toBe("traffic.png");
  const bytes = readFileSync(await saved.path());
  const found = await page.evaluate(async (base64) => {
    const image = new Image();
    image.src = `data:image/png;base64,${base64}`;
    await image.decode();
    const canvas = Object.assign(document.createElement("canvas"), { width: image.width, height: image.height });
    const pen = canvas.getContext("2d");
    pen?.drawImage(image, 0, 0);
    const corner = [...(pen?.getImageData(2, 2, 1, 1).data ?? [])];
    return { corner, width: image.width, height: image.height };
  }, bytes.toString("base64"));
  expect(Math.min(...found.corner)).toBeGreaterThan(230);
  expect(found.width).toBeGreaterThan(2_000);
  expect(found.height).toBeGreaterThan(1_500);
});

for (const [name, viewport] of Object.entries(SIZES)) {
  test.describe(() => {
    test.use({ viewport });
    for (const scheme of ["light", "dark"] as const) {
      test(`axe finds no violations, and no text is too small (${name}, ${scheme})`, async ({ stage }) => {
        const { page } = stage;
        await page.emulateMedia({ colorScheme: scheme });
        for (const language of ["en", "zh-CN"] as const) {
          await open(stage, language, name === "phone");
          await form(page);
          expect(await violations(page)).toEqual([]);
          await page.getByTestId(RATE).fill("50");
          await page.getByTestId(DURATION).fill("1m");
          await run(page);
          if (name === "projector" && language === "en") await page.getByTestId("projector").click();
          await page.getByTestId("traffic-table-open").click();
          expect(await violations(page)).toEqual([]);
          expect(await textBelow(page, 12)).toEqual([]);
          const { width, room } = await page.getByTestId("traffic").evaluate((panel) => ({ width: panel.scrollWidth, room: panel.clientWidth }));
          expect(width).toBeLessThanOrEqual(room);
          await page.getByTestId(name === "phone" ? "tab-terminals" : "traffic-toggle").click();
        }
      });
    }
  });
}
