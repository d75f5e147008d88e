// Pictures that show a key beside others or against a limit: sets as circles, bitmaps as rows, meters of encodings, rings of times to live.
import { violations } from "../support/axe.ts";
import { expect, test } from "../support/fixtures.ts";
import { SIZES } from "../support/stage.ts";

for (const [language, both, only, without, reply] of [
  ["en", "in both", "only in friends:1", "in friends:1 and friends:2, not in got", "one member"],
  ["zh-CN", "两个集合都有", "只在 friends:1 中", "在 friends:1 和 friends:2 中，但不在 got 中", "1 个成员"],
] as const) {
  test(`sets are circles with their members in the regions, in ${language}`, async ({ stage }) => {
    await stage.open(language);
    for (const line of ["SADD got 3 9", "SADD friends:2 1 3 5 6", "SADD friends:1 2 3 4"]) await stage.type("c1", line);
    const picture = stage.page.getByTestId("venn");
    // The structure comes first; the circles are one key away.
    await expect(picture).toHaveCount(0);
    await stage.page.getByTestId("view-venn").focus();
    await stage.page.keyboard.press("Enter");
    await expect(picture.getByTestId("region-1").locator("text")).toHaveText(["2", "4"]);
    await expect(picture.getByTestId("region-2").locator("text")).toHaveText(["1", "5", "6"]);
    await expect(picture.getByTestId("region-3").locator("text")).toHaveText(["3"]);
    await expect(picture.getByTestId("row-3")).toContainText(both);
    await expect(picture.getByTestId("row-3")).toContainText("SINTER friends:1 friends:2");
    await expect(picture.getByTestId("row-1")).toContainText(only);
    await expect(picture.getByTestId("row-1").getByRole("cell")).toHaveText(["2", "24"]);

    // A third circle, by keyboard.
    await picture.getByTestId("venn-and").focus();
    await picture.getByTestId("venn-and").selectOption("got");
    await expect(picture.getByTestId("row-3")).toContainText(without);
    await expect(picture.getByTestId("region-7").locator("text")).toHaveText(["3"]);
    await expect(picture.getByTestId("region-4").locator("text")).toHaveText(["9"]);

    // A command of several sets shows them, and marks what it replies.
    await stage.type("c1", "SINTER friends:2 got");
    await expect(picture).toContainText(reply);
    await expect(picture.getByTestId("region-3").locator("[data-found]")).toHaveText("3");
    await expect(picture.getByTestId("row-1").locator("[aria-label]")).toHaveCount(0);
    await expect(picture.getByTestId("row-3").locator("[aria-label]")).toHaveCount(1);
  });
}

test("ten thousand members are counted exactly, and a new one is marked", async ({ stage }) => {
  await stage.open("en");
  for (const [key, first] of [["b", 5_000], ["a", 0]] as const) {
    await stage.expect("c1", `EVAL "for i = 1, 10000 do redis.call('SADD', KEYS[1], 'm' .. (i + ARGV[1])) end return redis.call('SCARD', KEYS[1])" 1 ${key} ${first}`, "(integer) 10000");
  }
  await stage.page.getByTestId("view-venn").click();
  const picture = stage.page.getByTestId("venn");
  for (const sets of [1, 2, 3]) await expect(picture.getByTestId(`region-${sets}`).locator("text").first()).toHaveText("5,000");
  await expect(picture.getByTestId("row-1").getByRole("cell").last()).toContainText("4,960");
  await stage.type("c1", "SADD c 1 2");
  await stage.type("c1", "SADD d 2");
  await stage.type("c1", "SADD d 3");
  await stage.page.getByTestId("view-venn").click();
  await picture.getByTestId("venn-with").selectOption("c");
  await expect(picture.getByTestId("row-1").locator('[data-mark="new"]')).toHaveText("3");
  await expect(picture.getByTestId("region-1").locator("rect")).toHaveCount(1);
});

for (const [language, heading, beyond] of [
  ["en", "BITOP AND, column by column", "day:1, bits 0 to 15; 1: 1 2 9"],
  ["zh-CN", "BITOP AND：逐列运算", "day:1，第 0 到 15 位；为 1 的有：1 2 9"],
] as const) {
  test(`days are rows, and an operation goes down their columns, in ${language}`, async ({ stage }) => {
    await stage.open(language);
    for (const line of ["SETBIT day:1 1 1", "SETBIT day:1 2 1", "SETBIT day:1 9 1", "SETBIT day:2 1 1"]) await stage.type("c1", line);
    const rows = stage.page.getByTestId("bit-rows");
    await expect(rows.getByRole("listitem")).toHaveText([/day:1/, /day:2/]);
    await expect(rows.locator('[aria-current="true"]')).toContainText("day:2");
    await expect(rows.getByRole("img", { name: beyond })).toBeVisible();
    // The second day has one byte: what is behind it is not there.
    await expect(rows.getByRole("listitem").last().locator("[data-beyond]")).toHaveCount(8);
    await stage.type("c1", "BITOP AND every day:1 day:2");
    await expect(rows).toContainText(heading);
    await expect(rows.getByRole("listitem")).toHaveText([/day:1/, /day:2/, /AND → .*every/]);
    await expect(rows.getByRole("listitem").last().locator("[data-one]")).toHaveCount(1);
  });
}

test("bits that a command names have a ring, also those in the reply of a script", async ({ stage }) => {
  await stage.open("en");
  await stage.type("c1", "SETBIT known 31 1");
  await stage.type("c1", "GETBIT known 8");
  const bits = stage.page.getByTestId("bit-cells");
  await expect(bits.locator("[data-ring]")).toHaveAttribute("title", "8");
  await stage.type("c1", `EVAL "for _, i in ipairs(ARGV) do redis.call('SETBIT', KEYS[1], i, 1) end return {8, 29, 18}" 1 known 8 29 18`);
  await expect(bits.locator("[data-ring]")).toHaveText([/8$/, /18$/, /29$/]);
  await expect(stage.page.getByTestId("named-bits")).toContainText("8 = 1 · 29 = 1 · 18 = 1 (3 of 3 are 1)");
  await stage.type("c1", "BITCOUNT known");
  await expect(bits.locator("[data-ring]")).toHaveCount(0);
});

test("rows of a long bitmap move with the change and by buttons", async ({ stage }) => {
  await stage.open("en");
  await stage.type("c1", "SETBIT day:1 100 1");
  await stage.type("c1", "SETBIT day:2 70 1");
  const rows = stage.page.getByTestId("bit-rows");
  await expect(rows).toContainText("bits 64 – 95");
  await rows.getByRole("button", { name: "Columns after" }).click();
  await expect(rows.getByRole("img", { name: "day:1, bits 96 to 103; 1: 100" })).toBeVisible();
  await expect(rows.getByRole("button", { name: "Columns after" })).toBeDisabled();
});

for (const [language, fields, longest, beyond] of [
  ["en", "2 of 512 fields", "longest field or value: 65 of 64 bytes", "beyond the limit"],
  ["zh-CN", "字段 2 个，上限 512 个", "最长的字段或值 65 字节，上限 64 字节", "已超过上限"],
] as const) {
  test(`meters say how far the encoding is from its limits, in ${language}`, async ({ stage }) => {
    await stage.open(language);
    await stage.type("c1", "HSET user:1 name Lin");
    const meters = stage.page.getByTestId("meters").getByRole("listitem");
    await expect(stage.page.getByTestId("encoding")).toHaveText("listpack");
    await expect(meters).toHaveCount(2);
    await expect(meters.last()).not.toContainText(beyond);
    await stage.type("c1", `HSET user:1 bio ${"x".repeat(65)}`);
    await expect(stage.page.getByTestId("encoding")).toHaveText("hashtable");
    await expect(meters.first()).toHaveText(fields);
    await expect(meters.last()).toContainText(longest);
    await expect(meters.last()).toContainText(beyond);
    // The limits are those of the server.
    await stage.type("c1", "CONFIG SET hash-max-listpack-value 100");
    await expect(meters.last()).not.toContainText(beyond);
  });
}

for (const [language, left, lost] of [
  ["en", /^59 min.* of 1 h left$/, "took away its time to live"],
  ["zh-CN", /^设定 1 小时，还剩 59 分/, "丢掉了它的存活时间"],
] as const) {
  test(`a ring shows how much of a time to live is left, in ${language}`, async ({ stage }) => {
    await stage.open(language);
    await stage.type("c1", "SET lock t1 EX 3600");
    await stage.type("c1", "APPEND lock x");
    const inside = stage.page.getByTestId("inside");
    await expect(inside.getByTestId("ttl")).toHaveText(left);
    await expect(inside.getByTestId("ttl").locator("svg")).toHaveCount(1);
    await stage.type("c1", "SET lock t2");
    await expect(inside).toContainText(lost);
    await expect(inside.getByTestId("ttl")).toHaveCount(0);
  });
}

for (const [name, size] of Object.entries(SIZES)) {
  test.describe(() => {
    test.use({ viewport: size });
    test(`nothing is cut off and axe finds no violations (${name})`, async ({ stage }) => {
      await stage.open("en");
      for (const line of ["SADD friends:2 hangzhou ningbo x", "SADD friends:1 hangzhou shanghai", "SETBIT day:1 3 1", "SETBIT day:2 31 1", "HSET user a 1 b 2", "SET lock t EX 60"]) await stage.type("c1", line);
      for (const line of ["SDIFF friends:1 friends:2", "BITOP OR any day:1 day:2", `HSET user c ${"x".repeat(70)}`, "APPEND lock x"]) {
        await stage.type("c1", line);
        if (name === "phone") await stage.page.getByRole("tab", { name: "Inside" }).click();
        const body = stage.page.getByTestId("inside");
        await expect(body).toBeVisible();
        const over = await body.evaluate((panel) => [...panel.querySelectorAll("*")].filter((part) => part.clientWidth > 0 && part.scrollWidth > part.clientWidth + 1 && getComputedStyle(part).overflowX !== "visible").map((part) => part.className));
        expect(over).toEqual([]);
        expect(await violations(stage.page)).toEqual([]);
        if (name === "phone") await stage.page.getByRole("tab", { name: "Terminals" }).click();
      }
    });
  });
}
