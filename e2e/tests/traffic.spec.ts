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
    missing: "could not be fetched",
    table: "Figures by time",
    whole: "This has to be a whole number.",
    comes: /[Rr]equest \d+ .* comes to machine|Redis executes|machine \d+ hears|database (executes|answers)/,
    stopped: "Traffic was stopped here.",
  },
  "zh-CN": {
    requests: "每秒请求数",
    statements: "语句总数",
    better: "第 2 次运行",
    missing: "图表加载失败",
    table: "各时段的数据",
    whole: "请填整数。",
    comes: /请求 \d+（.*到达机器|Redis为请求|机器 \d+ 收到|数据库(为请求|应答请求)/,
    stopped: "流量停在这里。",
  },
} as const;

/** Fields of the form, by their places in it. */
const RATE = "traffic-field-0";
const DURATION = "traffic-field-1";
const ITEMS = "traffic-field-2";
const DATABASE_WORKERS = "traffic-field-8";

/** Opens the form, if it is folded away. */
async function form(page: Page): Promise<void> {
  if (!(await page.getByTestId("traffic-setup").isVisible())) await page.getByTestId("traffic-set-open").click();
}

/** Lets traffic run to its end, as it is set up. */
async function run(page: Page): Promise<void> {
  await form(page);
  await page.getByTestId("traffic-run").click();
  await expect(page.getByTestId("traffic-now")).toBeVisible({ timeout: 30_000 });
  await over(page);
}

/** Waits until traffic no longer runs. */
async function over(page: Page): Promise<void> {
  await expect(page.getByTestId("long-script")).toHaveCount(0, { timeout: 90_000 });
}

/** Ten minutes of traffic, and the same again with a cache that keeps items for longer. */
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

/** Opens the panel, on a phone by its tabs. */
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

/** Opens the table and waits until it has both runs; returns its cells, the first row of a time being that of the first run. */
async function cells(page: Page): Promise<string[][]> {
  const table = page.getByTestId("traffic-table");
  if (!(await table.isVisible())) await page.getByTestId("traffic-table-open").click();
  await expect(table.getByRole("row").last().getByRole("cell").first()).not.toHaveText("–", { timeout: 90_000 });
  await expect(table.getByRole("rowheader", { name: "0:09:35" })).toBeVisible({ timeout: 90_000 });
  return table.evaluate((table: HTMLTableElement) =>
    [...table.tBodies].flatMap((body) => [...body.rows].map((row) => [...row.querySelectorAll("td")].map((cell) => cell.textContent ?? ""))),
  );
}

/** How many pixels of each canvas have the colour of a line, as the legend beside it has it. */
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
    expect(drawn).toHaveLength(8);
    // Nothing stale, and no errors: those lines lie on the axis, and are drawn all the same.
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
    }
    // The longer TTL sends fewer statements.
    await expect(page.getByTestId("traffic-compared").getByRole("row", { name: WORDS[language].statements })).toContainText(WORDS[language].better);
  });

  test(`keys move over the charts and choose a moment (${language})`, async ({ stage }) => {
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
    await expect(sliders).toHaveCount(8);
    for (const slider of await sliders.all()) await expect(slider).toHaveAttribute("aria-valuenow", "3");
    await page.keyboard.press("Enter");
    const told = page.getByTestId("told");
    await expect(page.getByTestId("traffic-now")).toContainText("0:00:03");
    await expect(told).toContainText(WORDS[language].comes);
    // The run is still there as a whole, and the moment is a branch of it.
    await expect(chart).toHaveAttribute("aria-valuemax", "599");
    await expect(page.getByTestId("traffic-compare")).toHaveCount(0);
    // Step by step: each is another event, and what was typed in between belongs to the session.
    const before = await told.textContent();
    await page.getByTestId("traffic-step").click();
    await expect(told).not.toHaveText(before ?? "");
    await expect(told).toContainText(WORDS[language].comes);
    await stage.expect("c1", "DBSIZE", "(integer)");
    // From there it goes on to the end: that is a run of its own, beside the first one.
    await page.getByTestId("traffic-go-on").last().click();
    await over(page);
    await expect(page.getByTestId("traffic-now")).toContainText("1:00:03", { timeout: 90_000 });
    await chart.click();
    await expect(page.getByTestId("traffic-now")).not.toContainText("1:00:03");
  });

  test(`without the charts the table is there, and says so (${language})`, async ({ stage }) => {
    await stage.page.route("**/charts.js*", (route) => route.fulfill({ contentType: "text/javascript", body: "throw new Error('not here');" }));
    await open(stage, language);
    await twice(stage.page);
    await expect(stage.page.getByTestId("charts-missing")).toContainText(WORDS[language].missing);
    expect(await cells(stage.page)).toHaveLength(48);
  });

  test(`another database opens another session, with figures of its own (${language})`, async ({ stage }) => {
    const { page } = stage;
    await open(stage, language);
    await page.getByTestId(RATE).fill("50");
    await page.getByTestId(DURATION).fill("1m");
    await run(page);
    const told = page.getByTestId("told");
    const first = await told.textContent();
    await form(page);
    await page.getByTestId(RATE).fill("5");
    await page.getByTestId(DATABASE_WORKERS).fill("3");
    await page.getByTestId("traffic-run").click();
    await expect(told).not.toHaveText(first ?? "", { timeout: 30_000 });
    await over(page);
    await expect(page.getByTestId("traffic-now")).toContainText("0:01:00", { timeout: 30_000 });
    const [saved] = await Promise.all([page.waitForEvent("download"), page.getByTestId("traffic-csv").first().click()]);
    const lines = readFileSync(await saved.path(), "utf8").trim().split("\n").map((line) => line.split(","));
    const arrived = lines.slice(1).reduce((sum, line) => sum + Number(line[1]), 0);
    expect(arrived).toBeGreaterThan(200);
    expect(arrived).toBeLessThan(400);
  });

  test(`what is wrong is said at its field, and a bad handler at its line (${language})`, async ({ stage }) => {
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
  });

  test(`long traffic is stopped where it is, and a reload shows the same (${language})`, async ({ stage }) => {
    const { page } = stage;
    await open(stage, language);
    await page.getByTestId(RATE).fill("2000");
    await page.getByTestId(DURATION).fill("1h");
    await page.getByTestId("traffic-run").click();
    await page.getByTestId("long-script-stop").click({ timeout: 30_000 });
    await expect(page.getByTestId("notices")).toContainText(WORDS[language].stopped);
    await over(page);
    const now = await page.getByTestId("traffic-now").textContent();
    await expect(page.getByTestId("told")).toContainText(/\d/);
    const told = await page.getByTestId("told").textContent();
    await page.reload();
    await expect(page.getByTestId("traffic-now")).toHaveText(now ?? "", { timeout: 90_000 });
    await expect(page.getByTestId("told")).toHaveText(told ?? "");
  });
}

test("nothing of it is fetched before it is opened or the page is idle", async ({ stage }) => {
  await stage.open("en");
  const first = await stage.firstLoad();
  expect(first.filter((name) => /charts|_traffic/.test(name))).toEqual([]);
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
      test(`axe has nothing to object to, and nothing is too small (${name}, ${scheme})`, async ({ stage }) => {
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
