// What an application shows of a value: the card of a hash, and the leaderboard of a sorted set, whose rows glide when a step moves them.
import type { Locator, Page } from "@playwright/test";
import { violations } from "../support/axe.ts";
import { Course } from "../support/course.ts";
import { expect, test } from "../support/fixtures.ts";
import { SIZES } from "../support/stage.ts";

const board = (page: Page) => page.getByTestId("board");
const rows = (page: Page) => board(page).getByRole("listitem");
const card = (page: Page) => page.getByTestId("card");

/** Makes animations so slow that none ends before it is measured. */
const slow = (page: Page) => page.evaluate(() => document.documentElement.style.setProperty("--calm", "60s"));

/** How many rows above its place each row begins, from below if positive; `null` for a row that does not glide. Ends the animations. */
const glides = (page: Page) =>
  rows(page).evaluateAll((rows) =>
    rows.map((row) => {
      const glide = row.getAnimations().find((each) => ((each as CSSAnimation).animationName ?? "").startsWith("board-glides"));
      if (!glide) return null;
      glide.pause();
      glide.currentTime = 0;
      const from = row.getBoundingClientRect().top;
      glide.finish();
      const box = row.getBoundingClientRect();
      return Math.round(((from - box.top) / box.height) * 100) / 100;
    }),
  );

/** How opaque each row is at the beginning. */
const fades = (page: Page) =>
  rows(page).evaluateAll((rows) =>
    rows.map((row) => {
      const comes = row.getAnimations().find((each) => ((each as CSSAnimation).animationName ?? "").startsWith("board-comes"));
      if (!comes) return 1;
      comes.pause();
      comes.currentTime = 0;
      const opacity = Number(getComputedStyle(row).opacity);
      comes.finish();
      return opacity;
    }),
  );

for (const [language, up, down] of [
  ["en", "up 2 places", "down one place"],
  ["zh-CN", "上升 2 名", "下降 1 名"],
] as const) {
  test(`rows of a leaderboard glide from their old places at each step, in ${language}`, async ({ stage }) => {
    const { page } = stage;
    await stage.open(language);
    await slow(page);
    await stage.expect("c1", "ZADD board 100 ann 130 bob 90 cho", "(integer) 3");
    await expect(rows(page)).toHaveText([/1.*bob.*130/, /2.*ann.*100/, /3.*cho.*90/]);
    expect(await glides(page)).toEqual([null, null, null]);
    expect(await fades(page)).toEqual([0, 0, 0]);

    await stage.expect("c1", "ZADD board 135 cho", "(integer) 0");
    await expect(rows(page)).toHaveText([/1.*cho.*90 → 135/, /2.*bob.*130/, /3.*ann.*100/]);
    await expect(rows(page).first().getByRole("img", { name: up })).toBeVisible();
    await expect(rows(page).last().getByRole("img", { name: down })).toBeVisible();
    expect(await glides(page)).toEqual([2, -1, -1]);
    expect(await fades(page)).toEqual([1, 1, 1]);

    // The next step: bob falls by one place again, from the same element.
    await stage.expect("c2", "ZINCRBY board 50 ann", '"150"');
    await expect(rows(page)).toHaveText([/ann.*100 → 150/, /cho.*135/, /bob.*130/]);
    expect(await glides(page)).toEqual([2, -1, -1]);

    // Back, and forward again: the cursor shows how each step came about.
    await page.getByTestId("back").click();
    await expect(rows(page)).toHaveText([/cho/, /bob/, /ann/]);
    expect(await glides(page)).toEqual([2, -1, -1]);
    await page.getByTestId("last").click();
    await expect(rows(page)).toHaveText([/ann/, /cho/, /bob/]);
    expect(await glides(page)).toEqual([2, -1, -1]);
    // Over several steps.
    await page.getByTestId("first").click();
    await page.getByTestId("last").click();
    await expect(rows(page)).toHaveText([/ann/, /cho/, /bob/]);
    expect(await glides(page)).toEqual([2, -1, -1]);

    // A member that leaves, and one that comes.
    await stage.expect("c1", "ZREM board cho", "(integer) 1");
    await expect(rows(page)).toHaveText([/ann.*150/, /bob.*130/]);
    expect(await glides(page)).toEqual([null, 1]);
    await expect(page.getByTestId("inside").locator('[data-mark="gone"]')).toContainText("cho");
    await stage.expect("c1", "ZADD board 140 dan", "(integer) 1");
    await expect(rows(page)).toHaveText([/ann.*150/, /dan.*140/, /bob.*130/]);
    expect(await glides(page)).toEqual([null, null, -1]);
    expect(await fades(page)).toEqual([1, 0, 1]);

    // Time that passes belongs to no other step: the rows have glided already.
    const clock = async () => Number((await page.getByTestId("clock").innerText()).match(/:(\d+\.\d+)/)?.[1]);
    const before = await clock();
    await page.getByTestId("second").click();
    await expect.poll(clock).toBeGreaterThan(before + 0.9);
    expect(await glides(page)).toEqual([null, null, null]);
    // What changes nothing moves nothing.
    await stage.expect("c1", "PING", "PONG");
    await expect(board(page).locator("[data-mark]")).toHaveCount(0);
    expect(await glides(page)).toEqual([null, null, null]);
  });
}

test("rows do not glide if the user prefers reduced motion", async ({ stage }) => {
  const { page } = stage;
  await page.emulateMedia({ reducedMotion: "reduce" });
  await stage.open("en");
  await slow(page);
  await stage.expect("c1", "ZADD board 100 ann 130 bob 90 cho", "(integer) 3");
  await stage.expect("c1", "ZADD board 135 cho", "(integer) 0");
  await expect(rows(page)).toHaveText([/cho.*90 → 135/, /bob/, /ann/]);
  for (const row of await rows(page).all()) await expect(row).toHaveCSS("animation-name", "none");
  expect(await board(page).evaluate((board) => board.getAnimations({ subtree: true }).length)).toBe(0);
  // The places are marked all the same.
  await expect(rows(page).first().getByRole("img", { name: "up 2 places" })).toBeVisible();
});

test("of a large set the best are shown, and those that moved below them", async ({ stage }) => {
  const { page } = stage;
  await stage.open("en");
  await slow(page);
  await stage.expect("c1", `EVAL "for i = 1, 20000 do redis.call('ZADD', KEYS[1], i, 'm' .. i) end return redis.call('ZCARD', KEYS[1])" 1 z`, "(integer) 20000");
  await expect(rows(page)).toHaveText([...Array.from({ length: 10 }, (_, nth) => new RegExp(`m${20_000 - nth}`)), "… 19,990 more"]);
  // From the gap, the eleventh line, to the third.
  await stage.expect("c1", "ZADD z 19998.5 m7", "(integer) 0");
  await expect(rows(page).filter({ hasText: "→" })).toHaveText(/^3▲19,991m77 → 19998\.5$/);
  expect((await glides(page)).slice(0, 5)).toEqual([null, null, 8, -1, -1]);
  // And down, where it stands between two gaps.
  await stage.expect("c1", "ZADD z 100.5 m20000", "(integer) 0");
  await expect(rows(page)).toHaveCount(13);
  await expect(rows(page).filter({ hasText: "→" })).toHaveText(/m2000020000 → 100\.5/);
  expect((await glides(page)).slice(0, 12)).toEqual([...Array(10).fill(1), null, -11]);
  // After a set is replaced, the new one shares nothing with the old one.
  await stage.expect("c1", "ZUNIONSTORE z 1 z WEIGHTS 2", "(integer) 20000");
  await expect(board(page).getByRole("listitem").first()).toContainText("39998");
});

test("equal scores stand in the order of the reply", async ({ stage }) => {
  const { page } = stage;
  await stage.open("en");
  await stage.expect("c1", "ZADD board 130 bob 130 cho 130 ann 200 last", "(integer) 4");
  await stage.expect("c1", "ZRANGE board 0 9 REV", '4) "ann"');
  await expect(rows(page)).toHaveText([/last/, /cho/, /bob/, /ann/]);
  await expect(page.getByTestId("inside")).toContainText("ZRANGE board 0 9 REV WITHSCORES");
});

for (const [language, whole, one, lost] of [
  ["en", "reads the whole card with HGETALL product:7", "reads this field with HGET product:7 price", "HGET product:7 origin now replies nil"],
  ["zh-CN", "用 HGETALL product:7 读取整张卡片", "用 HGET product:7 price 读取这个字段", "HGET product:7 origin 现在返回 nil"],
] as const) {
  test(`a hash is a card, with what the last step did to its fields, in ${language}`, async ({ stage }) => {
    const { page } = stage;
    await stage.open(language);
    const fields = card(page).getByRole("button");
    const field = (name: string) => fields.filter({ hasText: name });
    const side = page.getByTestId("inside");
    await stage.expect("c1", "HSET product:7 price 58 name 龙井 stock 2", "(integer) 3");
    // The title comes first, the others in the order of the hash.
    await expect(fields).toHaveText([/name.*龙井$/, /price.*58$/, /stock.*2$/]);
    await expect(card(page)).toContainText("product:7");
    await expect(side).toContainText(whole);

    await stage.expect("c1", "HGETALL product:7", "3) ");
    await expect(card(page).locator("[data-mark]")).toHaveCount(0);
    await stage.expect("c2", "HSET product:7 price 60 origin Hangzhou", "(integer) 1");
    await expect(fields).toHaveText([/^name龙井$/, /^∗price58 → 60$/, /^stock2$/, /^\+originHangzhou$/]);
    await expect(card(page).locator("s")).toHaveText("58");
    // A value is never an old one.
    await stage.expect("c2", "HSET product:7 price 61", "(integer) 0");
    await expect(fields).toHaveText([/^name龙井$/, /^∗price60 → 61$/, /^stock2$/, /^originHangzhou$/]);
    await page.getByTestId("back").click();
    await expect(field("price")).toHaveText("∗price58 → 60");
    await page.getByTestId("forward").click();

    // A picked field is marked in the hash, too; by keyboard.
    await field("price").focus();
    await page.keyboard.press("Enter");
    await expect(field("price")).toHaveAttribute("aria-pressed", "true");
    await expect(side.locator("[data-picked]")).toHaveText([/price/, /price/]);
    await expect(side).toContainText(one);
    await page.keyboard.press("Enter");
    await expect(side.locator("[data-picked]")).toHaveCount(0);

    await field("origin").click();
    await stage.expect("c1", "HDEL product:7 origin", "(integer) 1");
    await expect(fields).toHaveText([/name/, /price/, /stock/, /^−originHangzhou$/]);
    await expect(card(page).locator("s")).toHaveText("Hangzhou");
    await expect(side).toContainText(lost);
    await stage.expect("c1", "HLEN product:7", "(integer) 3");
    await expect(fields).toHaveCount(3);
    await expect(side).toContainText(whole);
  });
}

test("only what fits on a card is drawn as one", async ({ stage }) => {
  const { page } = stage;
  await stage.open("en");
  const encoding = page.getByTestId("encoding");
  const many = Array.from({ length: 13 }, (_, nth) => `f${nth} ${nth}`).join(" ");
  for (const [line, fits] of [
    ["HSET a x 1 y 2", true],
    ["HSET b x 1", false],
    [`HSET c ${many}`, false],
    ["HSET d x 1 y \"\\xff\\xfe\"", false],
    [`HSET e x 1 y ${"y".repeat(41)}`, false],
    ["HSET f 名称 茶杯 价格 25", true],
    ["SADD g x y", false],
  ] as const) {
    await stage.type("c1", line);
    await expect(page.getByTestId("inside").getByText(line.split(" ")[1]!, { exact: true }).first()).toBeVisible();
    await expect(encoding).toBeVisible();
    await expect(card(page), line).toHaveCount(fits ? 1 : 0);
  }
  // A hash table has a card, too.
  await stage.expect("c1", `HSET a y ${"y".repeat(70)}`, "(integer) 0");
  await stage.expect("c1", "HSET a y 3", "(integer) 0");
  await expect(encoding).toHaveText("hashtable");
  await expect(card(page).getByRole("button")).toHaveCount(2);
  await card(page).getByRole("button").first().click();
  await expect(page.getByTestId("inside").locator("[data-picked]")).toHaveCount(2);
});

for (const language of ["en", "zh-CN"] as const) {
  test(`the lessons begin with a card and a leaderboard, in ${language}`, async ({ stage }) => {
    const { page } = stage;
    const course = new Course(stage);
    await course.open("types/hashes", language);
    
    await course.expect("c1", "HSET product:7 price 60", "(integer) 0");
    
    await expect(card(page).getByRole("button")).toHaveText([/Longjing/, /price58 → 60/, /stock/]);
    await course.open("types/sorted-sets", language);
    await course.expect("c1", "ZADD board 135 cho", "(integer) 0");
    
    await expect(rows(page)).toHaveText([/cho/, /bob/, /ann/]);
  });
}

for (const [name, viewport] of Object.entries(SIZES)) {
  for (const scheme of ["light", "dark"] as const) {
    test.describe(() => {
      test.use({ viewport, colorScheme: scheme });
      test(`nothing is cut off and axe finds no violations (${name}, ${scheme})`, async ({ stage }) => {
        const { page } = stage;
        await stage.open("en");
        const tab = async (panel: string) => {
          if (name === "phone") await page.getByRole("tab", { name: panel }).click();
        };
        const cut = (picture: Locator) =>
          picture.evaluate((picture) => [...picture.querySelectorAll("*")].filter((part) => part.clientWidth > 0 && part.scrollWidth > part.clientWidth + 1).map((part) => part.textContent));
        for (const forcedColors of ["none", "active"] as const) {
          await page.emulateMedia({ forcedColors, colorScheme: scheme });
          await stage.expect("c1", "HSET product:7 name Longjing price 58 stock 2 note \"first harvest, two hundred grams a box\"", "(integer)");
          await stage.expect("c1", "HSET product:7 price 60 origin Hangzhou", "(integer)");
          await tab("Inside");
          await expect(card(page)).toBeVisible();
          expect(await cut(card(page))).toEqual([]);
          expect(await violations(page)).toEqual([]);
          await tab("Terminals");
          await stage.expect("c1", "ZADD board 100 ann 130 bob 90 cho -20 dan", "(integer)");
          await stage.expect("c1", "ZADD board 135 cho", "(integer) 0");
          await tab("Inside");
          await expect(rows(page).first()).toContainText("cho");
          expect(await cut(board(page))).toEqual([]);
          expect(await violations(page)).toEqual([]);
          await tab("Terminals");
          await stage.expect("c1", "FLUSHALL", "OK");
        }
      });
    });
  }
}

for (const [name, size] of Object.entries(SIZES)) {
  test(`names at both ends of the axis of scores are whole (${name})`, async ({ stage }) => {
    const { page } = stage;
    await page.setViewportSize(size);
    await stage.open("en");
    await stage.expect("c1", "ZADD board 1 first-of-all 2 second 50 in-the-middle 99 last-but-one 100 last-of-them", "(integer) 5");
    if (name === "phone") await page.getByRole("tab", { name: "Inside" }).click();
    const axis = page.getByTestId("inside").getByRole("img", { name: /^Members along/ });
    await expect(axis).toBeVisible();
    const cut = await axis.evaluate((axis) => {
      const whole = axis.getBoundingClientRect();
      const names = [...axis.querySelectorAll("text")].map((text) => ({ name: text.textContent, box: text.getBoundingClientRect() }));
      return names.filter(({ box }) => box.left < whole.left - 1 || box.right > whole.right + 1).map(({ name }) => name);
    });
    expect(cut).toEqual([]);
  });
}
