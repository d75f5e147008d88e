// The keyspace: order, type and tree by prefix, and keys that are edited by hand as commands of the active client.
import { violations } from "../support/axe.ts";
import { expect, test } from "../support/fixtures.ts";
import { SIZES, type Stage } from "../support/stage.ts";

/** Chooses in the menu of the panel's head, and closes it. */
async function arrange(stage: Stage, list: "keys-type" | "keys-order" | "keys-shape", words: string): Promise<void> {
  await stage.page.getByTestId("keys-view").click();
  await stage.page.getByTestId(list).selectOption({ label: words });
  await stage.page.keyboard.press("Escape");
  await expect(stage.page.getByTestId("keys-menu")).toBeHidden();
}

const seed = "MSET user:1 a user:2 b user:2:city 上海 user:2:name 张三 cart:7 1 stock 5";

for (const [language, words] of [
  ["en", { tree: "tree by prefix", expiry: "expires next, first", recent: "changed last, first", four: "4 keys", all: "all (7)" }],
  ["zh-CN", { tree: "按前缀分组的树", expiry: "先过期的在前", recent: "最近改动的在前", four: "4 个键", all: "全部（7）" }],
] as const) {
  test(`keys are a tree that folds, by pointer and keyboard, in ${language}`, async ({ stage }) => {
    const { page } = stage;
    await stage.open(language);
    await stage.expect("c1", seed, "OK");
    await arrange(stage, "keys-shape", words.tree);
    const tree = page.getByTestId("keyspace").getByRole("tree");
    const rows = tree.getByRole("treeitem");
    // A group with one key is no group.
    await expect(rows).toHaveCount(8);
    const user = rows.filter({ hasText: words.four });
    await expect(user).toHaveAttribute("aria-expanded", "true");
    await expect(user).toHaveAttribute("aria-level", "1");
    await expect(rows.filter({ hasText: "张三" })).toHaveAttribute("aria-level", "3");
    await user.click();
    await expect(user).toHaveAttribute("aria-expanded", "false");
    await expect(rows).toHaveCount(3);
    // By keyboard: right unfolds and enters, left goes back and folds.
    await tree.focus();
    await page.keyboard.press("ArrowRight");
    await expect(rows).toHaveCount(8);
    await page.keyboard.press("ArrowRight");
    await expect(rows.filter({ hasText: "user:1" }).first()).toHaveAttribute("aria-selected", "true");
    await page.keyboard.press("ArrowLeft");
    await expect(user).toHaveAttribute("aria-selected", "true");
    await page.keyboard.press("ArrowLeft");
    await expect(rows).toHaveCount(3);
    // A step in a folded group unfolds it.
    await stage.expect("c1", "SET user:2:city 北京", "OK");
    await expect(rows.filter({ hasText: "上海 → 北京" })).toBeVisible();
    // The shape is a preference.
    await page.reload();
    await expect(tree).toBeVisible();
  });

  test(`keys are sorted and filtered by type, in ${language}`, async ({ stage }) => {
    const { page } = stage;
    await stage.open(language);
    await stage.expect("c1", seed, "OK");
    await stage.expect("c1", "HSET h f 1", "(integer) 1");
    await stage.expect("c1", "EXPIRE user:2 100", "(integer) 1");
    await stage.expect("c1", "EXPIRE stock 50", "(integer) 1");
    const rows = page.getByTestId("keyspace").getByRole("option");
    await expect(rows.first()).toContainText("cart:7");
    await arrange(stage, "keys-order", words.expiry);
    await expect(rows.first()).toContainText("stock");
    // What never expires follows by name.
    await expect(rows).toContainText(["stock", "user:2", "cart:7", "h", "user:1", "user:2:city", "user:2:name"]);
    await arrange(stage, "keys-order", words.recent);
    await stage.expect("c1", "INCR cart:7", "(integer) 2");
    await expect(rows.first()).toContainText("cart:7");
    await page.getByTestId("keys-view").click();
    const types = page.getByTestId("keys-type");
    await expect(types.locator("option").first()).toHaveText(words.all);
    await types.selectOption({ index: 1 });
    await page.keyboard.press("Escape");
    await expect(rows).toHaveCount(1);
    await expect(rows).toContainText("h");
  });

  test(`a key is edited by commands of the active client, in ${language}`, async ({ stage }) => {
    const { page } = stage;
    await stage.open(language);
    await stage.expect("c1", "SET stock 5 EX 1000", "OK");
    await page.getByTestId("edit-key").click();
    const value = page.getByTestId("edit-value");
    await expect(value).toBeFocused();
    await expect(value).toHaveValue("5");
    await value.fill("two words");
    await expect(page.getByTestId("edit")).toContainText('SET stock "two words" KEEPTTL');
    await value.press("Enter");
    await expect(stage.log("c1")).toContainText('SET stock "two words" KEEPTTL');
    await expect(page.getByTestId("keyspace").getByRole("option")).toContainText("5 → two words");
    // The time to live: removed, and set again.
    await page.getByTestId("edit-persist").click();
    await expect(stage.log("c1")).toContainText("PERSIST stock");
    await expect(page.getByTestId("edit-persist")).toHaveCount(0);
    await page.getByTestId("edit-ttl").fill("60");
    await page.getByTestId("edit-ttl").press("Enter");
    await expect(stage.log("c1")).toContainText("EXPIRE stock 60");
    await expect(page.getByTestId("edit-persist")).toBeVisible();
    expect(await violations(page)).toEqual([]);
    await value.press("Escape");
    await expect(page.getByTestId("edit")).toHaveCount(0);
    await expect(page.getByTestId("edit-key")).toBeFocused();
    // Each was a step.
    for (let step = 0; step < 3; step += 1) await page.getByTestId("back").click();
    await stage.expect("c1", "GET stock", '"5"');
  });
}

test("parts of values are edited, and bytes are not", async ({ stage }) => {
  const { page } = stage;
  await stage.open("en");
  const edit = async (nth: string | null, text: string): Promise<void> => {
    if (!(await page.getByTestId("edit").isVisible())) await page.getByTestId("edit-key").click();
    if (nth !== null) await page.getByTestId("edit-part").selectOption({ label: nth });
    await page.getByTestId("edit-value").fill(text);
    await page.getByTestId("edit-value").press("Enter");
  };
  await stage.expect("c1", "HSET h name ann city Bonn", "(integer) 2");
  await edit("city", "Köln am Rhein");
  await expect(stage.log("c1")).toContainText('HSET h city "Köln am Rhein"');
  await stage.expect("c1", "RPUSH l a b", "(integer) 2");
  const key = (name: string) => page.getByTestId("keyspace").getByRole("option").filter({ hasText: new RegExp(`^.?${name}`) });
  await key("l").click();
  await edit("1", "c");
  await expect(stage.log("c1")).toContainText("LSET l 1 c");
  await stage.expect("c1", "SADD s x", "(integer) 1");
  await key("s").click();
  await edit("x", "y");
  await expect(stage.log("c1")).toContainText("SREM s x");
  await expect(key("s")).toContainText("y");
  await stage.expect("c1", "ZADD z 1 ann", "(integer) 1");
  await key("z").click();
  await edit("ann", "2.5");
  await expect(stage.log("c1")).toContainText("ZADD z 2.5 ann");
  await stage.expect("c1", 'SET bytes "\\xff\\x00"', "OK");
  await key("bytes").click();
  await expect(page.getByTestId("edit-refused")).toBeVisible();
  await expect(page.getByTestId("edit-value")).toHaveCount(0);
});

test("ten thousand keys stay a short list of elements, as a tree too", async ({ stage }) => {
  const { page } = stage;
  await stage.open("en");
  await stage.expect("c1", `EVAL "for i = 1, 10000 do redis.call('SET', 'key:' .. i, i) end return 'done'" 0`, "done");
  await arrange(stage, "keys-shape", "tree by prefix");
  const rows = page.getByTestId("keyspace").getByRole("treeitem");
  await expect(rows.first()).toContainText("10,000 keys");
  expect(await rows.count()).toBeLessThan(120);
  await stage.expect("c1", "SET key:7777 new", "OK");
  await expect(rows.filter({ hasText: "new" })).toBeVisible();
});

for (const size of ["laptop", "phone"] as const) {
  test(`the tree and its menu have no violations and fit, on a ${size}`, async ({ stage }) => {
    const { page } = stage;
    await page.setViewportSize(SIZES[size]);
    await stage.open("en");
    await stage.expect("c1", seed, "OK");
    if (size === "phone") await page.getByRole("tab", { name: "Keys" }).click();
    await arrange(stage, "keys-shape", "tree by prefix");
    await expect(page.getByTestId("keyspace").getByRole("tree")).toBeVisible();
    expect(await violations(page)).toEqual([]);
    await page.getByTestId("keys-view").click();
    await expect(page.getByTestId("keys-order")).toBeVisible();
    expect(await violations(page)).toEqual([]);
    const fits = () => page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth);
    expect(await fits()).toBe(true);
    await page.keyboard.press("Escape");
    await page.getByTestId("keyspace").getByRole("treeitem").filter({ hasText: "stock" }).click();
    if (size === "phone") await page.getByRole("tab", { name: "Inside" }).click();
    await page.getByTestId("edit-key").click();
    await page.getByTestId("edit-value").fill("6");
    expect(await violations(page)).toEqual([]);
    expect(await fits()).toBe(true);
    await page.getByTestId("edit-value").press("Enter");
    await expect(page.getByTestId("inside")).toContainText("5 → 6");
  });
}
