// Scripts that take time: the others wait for the end of one, or hear BUSY, and then everything goes on.
import { expect, test } from "../support/fixtures.ts";

const SLOW = `EVAL "for i=1,100000 do redis.call('SET','k'..i,i) end return 'written'" 0`;

test("a script with 100,000 commands ends, holds the others up for its time, and survives a reload", async ({ stage }) => {
  await stage.open("en");
  await stage.expect("c1", "CONFIG SET busy-reply-threshold 50", "OK");
  // From now on time passes only when it is told to.
  await stage.page.getByTestId("run").click();
  await stage.type("c1", SLOW);
  await expect(stage.log("c1")).toContainText("its script takes");
  await expect(stage.log("c1")).not.toContainText("written\"");
  await stage.type("c2", "DBSIZE");
  // The threshold, and then the end of the script.
  await stage.page.getByTestId("deadline").click();
  await expect(stage.log("c2")).toContainText("BUSY Redis is busy running a script.");
  await stage.page.getByTestId("deadline").click();
  await expect(stage.log("c1")).toContainText('"written"');
  await stage.expect("c2", "DBSIZE", "(integer) 100000");
  await stage.speak("zh-CN");
  await expect(stage.log("c1")).toContainText("脚本需要执行");
  await stage.page.reload();
  await expect(stage.log("c1")).toContainText('"written"');
  await stage.expect("c2", "GET k100000", '"100000"');
});
