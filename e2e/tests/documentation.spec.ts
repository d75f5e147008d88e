// Documentation of the command being typed, beside the prompt and in the reply to HELP: whole in both languages, with an example that runs.
import type { Locator, Page } from "@playwright/test";
import { violations } from "../support/axe.ts";
import { expect, test } from "../support/fixtures.ts";
import { tabTo } from "../support/keys.ts";
import { SIZES, Stage, type Language } from "../support/stage.ts";

const WORDS: Record<Language, { since: string; nx: RegExp; run: string; region: string; none: RegExp }> = {
  en: { since: "Since", nx: /NX.*does not exist/is, run: "Run the example", region: "Documentation of SET", none: /Type a command/ },
  "zh-CN": { since: "起始版本", nx: /NX.*不存在/s, run: "运行示例", region: "SET 的文档", none: /输入一条命令/ },
};

const card = (page: Page): Locator => page.getByTestId("documentation");

/** The card of the first terminal, opened by a click; the focus stays in the line. */
async function opened(stage: Stage, line: string): Promise<Locator> {
  await stage.prompt("c1").fill(line);
  await stage.terminal("c1").getByTestId("documentation-toggle").click();
  await expect(card(stage.page)).toBeVisible();
  await expect(stage.prompt("c1")).toBeFocused();
  return card(stage.page);
}

/** Whether all of an element is inside the window and inside its terminal. */
async function isInView(element: Locator, terminal: Locator): Promise<boolean> {
  const [box, area] = await Promise.all([element.boundingBox(), terminal.boundingBox()]);
  const window = element.page().viewportSize();
  if (!box || !area || !window) return false;
  const bottom = Math.min(area.y + area.height, window.height);
  return box.height > 0 && box.y >= area.y - 1 && box.y + box.height <= bottom + 1 && box.x >= 0 && box.x + box.width <= window.width + 1;
}

for (const language of ["en", "zh-CN"] as const) {
  const words = WORDS[language];

  test(`the command being typed is documented beside the prompt (${language})`, async ({ stage }) => {
    const { page } = stage;
    await stage.open(language);
    const toggle = stage.terminal("c1").getByTestId("documentation-toggle");
    await expect(toggle).toHaveAttribute("aria-expanded", "false");
    await expect(card(page)).toHaveCount(0);
    const shown = await opened(stage, "SET k v");
    await expect(toggle).toHaveAttribute("aria-expanded", "true");
    await expect(page.getByRole("region", { name: words.region, exact: true })).toBeVisible();
    await expect(shown).toContainText("SET key value [NX|XX] [GET]");
    await expect(shown).toContainText(words.since);
    await expect(shown).toContainText("1.0.0");
    await expect(shown).toContainText("O(1)");
    await expect(shown).toContainText(words.nx);
    await expect(shown.getByRole("button", { name: words.run })).toBeAttached();
    // An incomplete name keeps it, another command changes it; the line keeps the focus.
    await stage.prompt("c1").fill("INC");
    await expect(shown).toContainText("SET key value");
    await page.keyboard.type("R n");
    await expect(shown).toContainText("INCR key");
    await expect(shown).not.toContainText("SET key value");
    await stage.prompt("c1").fill("client kill ");
    await expect(shown).toContainText("CLIENT KILL");
    await expect(stage.prompt("c1")).toBeFocused();
    await toggle.click();
    await expect(card(page)).toHaveCount(0);
    await expect(toggle).toHaveAttribute("aria-expanded", "false");
  });

  test(`HELP shows options and an example that runs (${language})`, async ({ stage }) => {
    await stage.open(language);
    await expect(stage.page.getByTestId("welcome")).toBeVisible();
    await stage.type("c1", "HELP SET");
    // The welcome does not cover the first reply.
    await expect(stage.page.getByTestId("welcome")).toHaveCount(0);
    await expect(stage.log("c1")).toContainText("SET key value [NX|XX] [GET]");
    await expect(stage.log("c1")).toContainText(words.nx);
    await expect(stage.log("c1")).toContainText("O(1)");
    expect(await violations(stage.page)).toEqual([]);
    await stage.log("c1").getByTestId("help-run").click();
    await expect(stage.log("c1")).toContainText(/c1>\s*SET .*OK/s);
  });

  test(`axe finds no violations with the documentation open (${language})`, async ({ stage }) => {
    await stage.open(language);
    await opened(stage, "");
    await expect(card(stage.page)).toContainText(words.none);
    expect(await violations(stage.page)).toEqual([]);
    await stage.prompt("c1").fill("SET k v");
    await expect(card(stage.page).getByTestId("help-run")).toBeAttached();
    expect(await violations(stage.page)).toEqual([]);
    await stage.page.emulateMedia({ colorScheme: "dark" });
    await stage.prompt("c1").fill("CLIENT");
    await expect(card(stage.page)).toContainText("KILL");
    expect(await violations(stage.page)).toEqual([]);
  });
}

test("an example runs on a click and by keyboard, and its replies stand in the terminal", async ({ stage }) => {
  const { page } = stage;
  await stage.open("en");
  const shown = await opened(stage, "SET k v");
  const run = shown.getByTestId("help-run");
  const commands = async () => ((await stage.transcript("c1")).match(/c1> /g) ?? []).length;
  await run.click();
  await expect(stage.log("c1")).toContainText(/c1>\s*SET .*OK/s);
  // The click leaves the focus and the half-typed line alone.
  await expect(stage.prompt("c1")).toBeFocused();
  await expect(stage.prompt("c1")).toHaveValue("SET k v");
  const lines = (await shown.getByTestId("help-example").innerText()).trim().split("\n").length;
  expect(lines).toBeGreaterThan(1);
  await expect.poll(commands).toBe(lines);
  // In the line, Tab completes; Escape leaves it.
  await page.keyboard.press("Escape");
  await tabTo(run);
  await page.keyboard.press("Enter");
  await expect.poll(commands).toBe(2 * lines);
  await expect(run).toBeFocused();
  await expect(stage.log("c2")).not.toContainText("SET");
});

test("the documentation follows the active terminal, and a reload keeps it open", async ({ stage }) => {
  const { page } = stage;
  await stage.open("en");
  await opened(stage, "SET k v");
  await stage.prompt("c2").click();
  await page.keyboard.type("INCR n");
  await expect(card(page)).toHaveCount(1);
  await expect(stage.terminal("c2").getByTestId("documentation")).toContainText("INCR key");
  await stage.type("c2", "");
  await page.reload();
  await expect(card(page)).toHaveCount(1);
  await expect(card(page)).toContainText("Type a command");
  // It is opened in another terminal by the button there.
  await stage.prompt("c1").click();
  await stage.terminal("c2").getByTestId("documentation-toggle").click();
  await expect(stage.terminal("c2").getByTestId("documentation")).toBeVisible();
  await expect(card(page)).toHaveCount(1);
});

test("syntax, version and complexity are shown while the files are missing", async ({ page }) => {
  // The browser itself reports failed requests, so this page is not watched for errors.
  const stage = new Stage(page);
  for (const file of ["options.txt", "costs.txt", "examples.txt"]) await page.route(`**/${file}*`, (route) => route.abort("failed"));
  for (const language of ["en", "zh-CN"] as const) {
    await stage.open(language);
    const shown = card(page);
    await stage.prompt("c1").fill("SET k v");
    const toggle = stage.terminal("c1").getByTestId("documentation-toggle");
    if ((await toggle.getAttribute("aria-expanded")) === "false") await toggle.click();
    await expect(shown).toContainText("SET key value [NX|XX] [GET]");
    await expect(shown).toContainText("1.0.0");
    await expect(shown).toContainText("O(1)");
    await expect(shown.getByTestId("help-run")).toHaveCount(0);
  }
});

for (const [name, viewport] of Object.entries(SIZES)) {
  test.describe(() => {
    test.use({ viewport });
    test(`the input line stays in view below the documentation (${name})`, async ({ stage }) => {
      const { page } = stage;
      for (const language of ["en", "zh-CN"] as const) {
        await stage.open(language);
        const toggle = stage.terminal("c1").getByTestId("documentation-toggle");
        for (const [name, rest] of [["SET", " k v"], ["XADD", " s * f v"], ["CLIENT", ""], ["PING", ""]] as const) {
          await stage.prompt("c1").fill(name + rest);
          if ((await toggle.getAttribute("aria-expanded")) === "false") await toggle.click();
          await expect(card(page)).toContainText(name);
          for (const seen of [stage.prompt("c1"), toggle, card(page)]) {
            expect(await isInView(seen, stage.terminal("c1")), `${language}: ${name}`).toBe(true);
          }
        }
        // What the terminal shows is still there.
        await stage.expect("c1", "ECHO here", '"here"');
        expect((await stage.log("c1").boundingBox())?.height).toBeGreaterThan(20);
        const { inner, scroll } = await page.evaluate(() => ({ inner: innerWidth, scroll: document.documentElement.scrollWidth }));
        expect(scroll).toBeLessThanOrEqual(inner);
        await stage.prompt("c1").fill("SET k v");
        await card(page).getByTestId("help-run").click();
        await expect(stage.log("c1")).toContainText(/c1>\s*SET .*OK/s);
      }
    });
  });
}
