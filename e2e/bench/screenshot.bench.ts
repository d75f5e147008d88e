// Takes the screenshot of the README: a page in the middle of a lesson, saved as docs/screenshot.png.
import { fileURLToPath } from "node:url";
import { expect, test } from "@playwright/test";
import { Stage } from "../support/stage.ts";

test("screenshot", async ({ page }) => {
  const stage = new Stage(page);
  await stage.open("en");
  await stage.expect("c1", "ZADD board 120 rabbit 95 mongodb 140 redis", "(integer) 3");
  await stage.expect("c1", "HSET item:1 name lamp price 25 stock 3", "(integer) 3");
  await stage.expect("c1", "SET token t1 PX 60000", "OK");
  await stage.expect("c1", "RPUSH mail hello", "(integer) 1");
  await stage.expect("c1", "BLPOP mail 0", '2) "hello"');
  await stage.type("c1", "BLPOP mail 0");
  await stage.expect("c2", "ZREVRANGE board 0 1 WITHSCORES", '3) "rabbit"');
  await stage.expect("c2", "ZINCRBY board 60 mongodb", '"155"');
  const row = page.getByTestId("keyspace").getByText("board", { exact: true }).first();
  await row.click();
  await expect(page.getByTestId("inside")).toContainText("board");
  await page.waitForTimeout(300);
  await stage.picture(fileURLToPath(new URL("../../docs/screenshot.png", import.meta.url)));
});
