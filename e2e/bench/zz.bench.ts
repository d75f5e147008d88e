import { test } from "@playwright/test";
import { Course } from "../support/course.ts";
import { Stage } from "../support/stage.ts";
test("shots", async ({ browser }) => {
  test.setTimeout(60_000);
  for (const [w,h,p] of [[1280,800,false],[1920,1080,true]] as const) {
  const page = await (await browser.newContext({ viewport: { width: w, height: h } })).newPage();
  const course = new Course(new Stage(page));
  await course.open("locks/set-nx-ex");
  await page.waitForTimeout(1500);
  for (const k of [1,2,3,1,2,1,3,3]) { await page.keyboard.press(`Digit${k}`); await page.waitForTimeout(150); }
  if (p) { await page.getByTestId("projector").click(); await page.waitForTimeout(800); }
  await page.screenshot({ path: `/tmp/s-${w}-lesson.png` });
  await page.keyboard.press("Digit3"); await page.waitForTimeout(500);
  await page.getByRole("button", { name: "Next event" }).click({ timeout: 2000 }).catch(()=>{}); await page.waitForTimeout(300);
  await page.keyboard.press("Digit3"); await page.waitForTimeout(500);
  await page.screenshot({ path: `/tmp/s-${w}-c3.png` });
  await page.context().close();
  }
  for (const [w,h] of [[1280,800],[1920,1080],[390,844]] as const) {
  const page = await (await browser.newContext({ viewport: { width: w, height: h } })).newPage();
  await new Stage(page).open();
  await page.waitForTimeout(1500);
  await page.screenshot({ path: `/tmp/s-${w}-sandbox0.png` });
  const stage = new Stage(page);
  if (w>400) {
  for (const line of ["SET stock 5", "HSET user:1 name 张三 age 20 city 上海", "RPUSH q a b c d", "ZADD board 30 ann 12.5 bob", "XADD s * t 20", "SADD tags redis db", "SET long \"one two three four five six seven eight nine ten eleven twelve thirteen\"", "SET tmp 1 EX 30", "DECR stock"]) {
    await page.getByTestId("input-0").fill(line); await page.getByTestId("input-0").press("Enter"); await page.waitForTimeout(120); }
  await page.waitForTimeout(500);
  await page.screenshot({ path: `/tmp/s-${w}-sandbox1.png` });
  }
  await page.context().close();
  }
});
