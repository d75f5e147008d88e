// The inside of a key shows the structure that Redis keeps, and what the last step did to it.
import { violations } from "../support/axe.ts";
import { expect, test } from "../support/fixtures.ts";
import { SIZES } from "../support/stage.ts";

for (const language of ["en", "zh-CN"] as const) {
  test(`a stream shows its nodes, marked entries and what is pending, in ${language}`, async ({ stage }) => {
    await stage.open(language);
    for (const id of [1, 2, 3]) await stage.type("c1", `XADD orders ${id}-0 item book${id}`);
    const picture = stage.page.getByTestId("stream");
    const entries = picture.getByTestId("stream-entries");
    await expect(entries.getByRole("listitem")).toHaveCount(3);
    await expect(entries.locator('[data-mark="new"]')).toContainText("3-0");

    await stage.type("c1", "XGROUP CREATE orders g 0");
    await stage.type("c1", "XREADGROUP GROUP g ann COUNT 2 STREAMS orders >");
    // Each entry shows in a tooltip how often it was delivered.
    const pending = picture.getByTestId("consumers").locator("[title]");
    await expect(pending).toHaveText([/1-0.*×1/s, /2-0.*×1/s]);

    await stage.type("c1", "XDEL orders 2-0");
    await expect(entries.locator("[data-deleted]")).toContainText("2-0");
    await expect(entries.getByRole("listitem")).toHaveCount(3);

    await stage.type("c1", "XACK orders g 1-0");
    await expect(pending).toHaveCount(1);
    await expect(picture.getByTestId("acknowledged")).toContainText("1-0");
  });
}

for (const [language, changed, ones] of [
  ["en", "Bit 5: 0 → 1", "3 of 32 bits are 1"],
  ["zh-CN", "第 5 位：0 → 1", "32 位中有 3 位是 1"],
] as const) {
  test(`a month of sign-ins is a grid of bits, in ${language}`, async ({ stage }) => {
    await stage.open(language);
    for (const day of [0, 30, 5]) await stage.type("c1", `SETBIT sign:1 ${day} 1`);
    const picture = stage.page.getByTestId("bits");
    await expect(picture).toContainText(ones);
    await expect(picture).toContainText(changed);
    const bits = picture.getByTestId("bit-cells");
    await expect(bits.locator("[title]")).toHaveCount(32);
    await expect(bits.locator("[data-one]")).toHaveText([/^1\s*0$/, /^1\s*5$/, /^1\s*30$/]);
    await expect(bits.locator("[data-mark]")).toHaveAttribute("title", "5");

    // The same string byte by byte, by keyboard.
    await stage.page.getByTestId("view-text").focus();
    await stage.page.keyboard.press("Enter");
    await expect(stage.page.getByTestId("bytes").locator("li")).toHaveCount(4);
    await expect(picture).toHaveCount(0);
  });
}

test("a bitmap of a million users is shown window by window", async ({ stage }) => {
  await stage.open("en");
  await stage.type("c1", "SETBIT online 999999 1");
  await stage.type("c1", "SETBIT online 70001 1");
  const picture = stage.page.getByTestId("bits");
  const bits = picture.getByTestId("bit-cells");
  const slider = stage.page.getByTestId("bits-window");
  await expect(bits.locator("[title]")).toHaveCount(512);
  await expect(bits.locator("[data-mark]")).toHaveAttribute("title", "70001");
  await picture.getByRole("button", { name: "Next 1" }).click();
  await expect(bits.locator("[data-one]")).toHaveAttribute("title", "999999");
  await slider.focus();
  await stage.page.keyboard.press("Home");
  await expect(slider).toHaveAttribute("aria-valuetext", "bits 0 – 511");
  await stage.page.keyboard.press("ArrowRight");
  await expect(slider).toHaveAttribute("aria-valuetext", "bits 512 – 1,023");
  await expect(bits.locator("[data-one]")).toHaveCount(0);
  // A change elsewhere: the picture moves there.
  await stage.type("c1", "SETBIT online 5000 1");
  await expect(bits.locator("[data-mark]")).toHaveAttribute("title", "5000");
});

test("fields of a BITFIELD are outlined and read", async ({ stage }) => {
  await stage.open("en");
  await stage.type("c1", "BITFIELD player SET u8 0 200 SET u4 8 9");
  const picture = stage.page.getByTestId("bits");
  await expect(picture.getByTestId("bit-cells").locator('[data-field="even"]')).toHaveCount(8);
  await expect(picture.getByTestId("bit-cells").locator('[data-field="odd"]')).toHaveCount(4);
  await expect(picture.getByTestId("bit-fields").locator("li")).toHaveText([/u8.*0–7.*= 200/, /u4.*8–11.*= 9/]);
});

for (const [language, keeps] of [["en", "changes nothing"], ["zh-CN", "改变不了它"]] as const) {
  test(`a HyperLogLog shows its registers and which one an element raised, in ${language}`, async ({ stage }) => {
    await stage.open(language);
    await stage.type("c1", "PFADD uv ann bob");
    await stage.type("c1", "PFADD uv cid ann");
    const picture = stage.page.getByTestId("registers");
    await expect(picture.getByTestId("traces").locator("li").first()).toContainText(/cid → .*0 → \d+/);
    await expect(picture.getByTestId("traces").locator("li").last()).toContainText(keeps);
    await expect(picture.getByTestId("register-map").locator("circle")).toHaveCount(1);
    await expect(picture.getByTestId("register-runs").locator("[data-value]")).toHaveCount(3);
    await expect(picture.getByTestId("register-header")).toContainText("sparse");
    await expect(picture).toContainText("16,381");
    // It is also an ordinary string.
    await stage.page.getByTestId("view-text").click();
    await expect(stage.page.getByTestId("bytes").locator("li").first()).toContainText("H");

    await stage.type("c1", "SETRANGE uv 16 x");
    await stage.page.getByTestId("view-registers").click();
    await expect(picture.getByTestId("register-map")).toHaveCount(0);
    await expect(picture).toContainText("PFCOUNT");
  });
}

for (const [language, searched] of [
  ["en", "2 of 3 found within 500 km of 120.00°E 30.00°N"],
  ["zh-CN", "120.00°E 30.00°N 周围 500 km 内：3 个中有 2 个"],
] as const) {
  test(`a search is a circle on a map, in ${language}`, async ({ stage }) => {
    await stage.open(language);
    await stage.type("c1", "GEOADD cities 116.404269 39.91582 beijing 121.478799 31.235456 shanghai");
    await stage.type("c1", "GEOADD cities 120.165036 30.278973 杭州");
    const map = stage.page.getByTestId("map");
    // The result is explained at once.
    await expect(map.getByTestId("place")).toContainText("杭州 · 120.17°E 30.28°N");
    await expect(map.getByTestId("map-bits").locator("li")).toHaveCount(26);

    // A search brings the map back after something else.
    await stage.type("c1", "SET other 1");
    await expect(map).toHaveCount(0);
    await stage.type("c1", "GEORADIUS cities 120 30 500 km");
    await expect(map).toContainText(searched);
    await expect(map.getByTestId("map-area").locator("path")).toHaveCount(2);
    await expect(map.locator("[data-missed]")).toHaveCount(1);
    await expect(map.getByRole("button")).toHaveText([/✓ 杭州.*34.9 km/, /✓ shanghai.*/, /✗ beijing.*/]);
    await map.getByRole("button", { name: "beijing" }).focus();
    await stage.page.keyboard.press("Enter");
    await expect(map.getByTestId("place")).toContainText("4069885555377153");

    // The map can also be shown as a ranking.
    await stage.type("c1", "ZRANGE cities 0 -1");
    await expect(map).toHaveCount(0);
    await stage.page.getByTestId("view-map").click();
    await expect(map).toBeVisible();
  });
}

test("scores that are not coordinates, and bytes that are not text, are shown without errors", async ({ stage }) => {
  await stage.open("en");
  await stage.type("c1", "ZADD z inf a -inf b 0.5 c 1e300 d");
  // An ordinary sorted set has no map, unless it is asked where its members are.
  await expect(stage.page.getByTestId("view-map")).toHaveCount(0);
  await stage.type("c1", "GEOPOS z a");
  await expect(stage.page.getByTestId("map")).toContainText("4 scores were not written by GEOADD");
  await stage.type("c1", 'SET empty ""');
  await stage.page.getByTestId("view-bits").click();
  await expect(stage.page.getByTestId("bits")).toContainText("0 of 0 bits are 1");
  await stage.type("c1", 'SET bytes "\\x00\\xff\\x80"');
  await expect(stage.page.getByTestId("bits")).toContainText("9 of 24 bits are 1");
});

for (const scheme of ["light", "dark"] as const) {
  test.describe(() => {
    test.use({ viewport: SIZES.projector, colorScheme: scheme });
    test(`axe finds no violations in the pictures (${scheme})`, async ({ stage }) => {
      await stage.open("en");
      for (const line of ["SETBIT online 70001 1", "BITFIELD player SET u8 0 200", "PFADD uv ann", "GEOADD cities 120 30 a 121 31 b"]) {
        await stage.type("c1", line);
        await expect(stage.page.getByRole("group", { name: "Draw as" })).toBeVisible();
        expect(await violations(stage.page)).toEqual([]);
      }
    });
  });
}

for (const [language, evicted, expired] of [
  ["en", "evicted in this step", "expired in this step"],
  ["zh-CN", "这一步被淘汰", "这一步过期"],
] as const) {
  test(`the keyspace says why a key left, in ${language}`, async ({ stage }) => {
    await stage.open(language);
    const keyspace = stage.page.getByTestId("keyspace");
    const gone = keyspace.getByTestId("keyspace-gone");
    await stage.type("c1", "SET old 1");
    await expect(keyspace.getByTestId("memory")).toHaveCount(0);
    await stage.type("c1", "CONFIG SET maxmemory-policy allkeys-lru");
    await stage.type("c1", "CONFIG SET maxmemory 1");
    await expect(gone.locator("li")).toContainText(["old"]);
    await expect(gone.locator("li")).toContainText([evicted]);
    await expect(keyspace.getByTestId("memory")).toContainText("allkeys-lru");
    await gone.getByRole("button").click();
    await expect(stage.page.getByTestId("inside")).toContainText("old");

    await stage.type("c1", "CONFIG SET maxmemory 0");
    await expect(keyspace.getByTestId("memory")).toHaveCount(0);
    await stage.type("c1", "SET lock t1 PX 5000");
    await stage.page.getByTestId("deadline").click();
    await expect(gone.locator("li")).toContainText([expired]);
    await expect(stage.page.getByTestId("description")).toContainText("lock");
  });
}
