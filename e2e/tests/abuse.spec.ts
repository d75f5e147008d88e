// Misuse of the page: nonsense, floods, broken links, corrupt storage, two tabs. The page responds, and loses no data.
import { expect, test } from "../support/fixtures.ts";
import { Stage } from "../support/stage.ts";

test("nonsense is answered and explained", async ({ stage }) => {
  await stage.open("en");
  await stage.expect("c1", "FLY me", "ERR unknown command 'FLY'");
  await stage.expect("c1", 'SET k "open', "Invalid argument(s)");
  await stage.expect("c1", "GET", "wrong number of arguments");
  await stage.expect("c1", "SETRANGE k 536870911 x", "(error)");
  await stage.expect("c1", "EXPIRE k 99999999999999999999", "not an integer");
  await stage.expect("c1", "SETT a 1", "Did you mean");
  await stage.page.getByRole("button", { name: "SET a 1", exact: true }).click();
  await expect(stage.log("c1")).toContainText("OK");
});

test("several pasted lines run one by one; ten megabytes neither run nor freeze the page", async ({ stage }) => {
  await stage.open("en");
  const paste = (text: string) =>
    stage.prompt("c1").evaluate((input, text) => {
      const data = new DataTransfer();
      data.setData("text", text);
      input.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }));
    }, text);
  await paste("SET a 1\n# a remark\n127.0.0.1:6379> INCR a\nGET a");
  await expect(stage.log("c1")).toContainText("(integer) 2");
  await expect(stage.prompt("c1")).toHaveValue("GET a");
  await stage.prompt("c1").fill("");
  await paste("x".repeat(13 * 1024 * 1024) + "\n");
  await stage.expect("c1", "INCR a", "(integer) 3");
  await paste(`SET big ${"x".repeat(10 * 1024 * 1024)}\n`);
  await stage.expect("c1", "STRLEN big", "(integer) 10485760");
});

test("a broken link opens a working page with a notice", async ({ stage }) => {
  await stage.open("en", "#s=bm90IGEgc2Vzc2lvbg");
  await expect(stage.page.getByTestId("notice")).toBeVisible();
  await stage.expect("c1", "PING", "PONG");
});

test("a session with programs opens in the sandbox, with lanes and programs", async ({ stage }) => {
  await stage.open("en");
  await stage.expect("c1", "SET mine 1", "OK");
  await stage.page.getByTestId("share").click();
  const steps = ["+ c1 1", 'c1< load "redis.call(\'PING\')"', "c1< step 0"];
  const text = ["lockstep 1", "", ...steps, "end 3 at 3 of 3", ""].join("\n");
  await stage.page.getByTestId("file-input").setInputFiles({ name: "lesson.txt", mimeType: "text/plain", buffer: Buffer.from(text) });
  await expect(stage.page.getByTestId("lanes")).toContainText("PING");
  await stage.page.getByTestId("panel-programs").click();
  await expect(stage.page.getByTestId("programs")).toContainText("redis.call('PING')");
  await stage.expect("c2", "EXISTS mine", "(integer) 0");
});

test("corrupt storage is set aside, not deleted", async ({ stage }) => {
  await stage.open("en");
  await stage.expect("c1", "SET precious 1", "OK");
  await stage.page.evaluate(() => {
    // Cut every stored session in the middle.
    for (const key of Object.keys(localStorage)) {
      const value = localStorage.getItem(key) ?? "";
      if (value.includes("lockstep 1")) localStorage.setItem(key, value.slice(0, value.indexOf("precious") + 4));
    }
  });
  await stage.page.reload();
  await stage.expect("c1", "PING", "PONG");
  const kept = await stage.page.evaluate(() => Object.values(localStorage).some((value) => String(value).includes("SET prec")));
  expect(kept).toBe(true);
});

test("two tabs do not overwrite each other", async ({ stage, context }) => {
  await stage.open("en");
  await stage.expect("c1", "SET who first", "OK");
  const second = new Stage(await context.newPage());
  await second.open("en");
  await second.expect("c1", "SET who second", "OK");
  await stage.expect("c1", "APPEND who !", "(integer) 6");
  await stage.page.reload();
  await stage.expect("c1", "GET who", '"first!"');
  await second.page.reload();
  await second.expect("c1", "GET who", '"second"');
});
