// The inside of a key shows the structure that Redis keeps, and what the last step did to it.
import { expect, test } from "../support/fixtures.ts";

for (const language of ["en", "zh-CN"] as const) {
  test(`a stream shows its nodes, marked entries and what is pending, in ${language}`, async ({ stage }) => {
    await stage.open(language);
    for (const id of [1, 2, 3]) await stage.type("c1", `XADD orders ${id}-0 item book${id}`);
    const picture = stage.page.getByTestId("stream");
    await expect(picture.locator(".stream-entry")).toHaveCount(3);
    await expect(picture.locator('.stream-entry[data-mark="new"]')).toContainText("3-0");

    await stage.type("c1", "XGROUP CREATE orders g 0");
    await stage.type("c1", "XREADGROUP GROUP g ann COUNT 2 STREAMS orders >");
    const pending = picture.locator(".stream-consumers .cell");
    await expect(pending).toHaveText([/1-0.*×1/s, /2-0.*×1/s]);

    await stage.type("c1", "XDEL orders 2-0");
    await expect(picture.locator(".stream-entry[data-deleted]")).toContainText("2-0");
    await expect(picture.locator(".stream-entry")).toHaveCount(3);

    await stage.type("c1", "XACK orders g 1-0");
    await expect(pending).toHaveCount(1);
    await expect(picture.locator(".inside-gone")).toContainText("1-0");
  });
}
