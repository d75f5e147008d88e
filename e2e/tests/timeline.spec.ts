// Time runs both ways: back, another future, the old one again, a deadline, and a link that contains all of it.
import { expect, test } from "../support/fixtures.ts";
import { Stage } from "../support/stage.ts";
import { watch } from "../support/watch.ts";

test("a step back shows the past, and typing there creates a branch", async ({ stage }) => {
  await stage.open("en");
  await stage.expect("c1", "SET fork 1", "OK");
  await stage.expect("c1", "INCR fork", "(integer) 2");
  await stage.page.getByTestId("back").click();
  await expect(stage.log("c1")).not.toContainText("INCR fork");
  await stage.expect("c1", "APPEND fork 0", "(integer) 2");
  await stage.expect("c2", "GET fork", '"10"');
  await expect(stage.log("c1")).not.toContainText("INCR fork");
  await stage.page.reload();
  await expect(stage.log("c1")).toContainText("APPEND fork 0");
  await stage.page.keyboard.press("Escape");
  await stage.page.getByTestId("steps").click();
  await stage.page.getByTestId("branch-list").getByRole("button", { name: /INCR|2/ }).first().waitFor();
});

test("a lease ends when the clock reaches its deadline, and not before", async ({ stage }) => {
  await stage.open("en");
  await stage.expect("c1", "SET lease x PX 60000", "OK");
  await stage.expect("c1", "EXISTS lease", "(integer) 1");
  await stage.page.getByTestId("deadline").click();
  await stage.expect("c2", "EXISTS lease", "(integer) 0");
});

test("a link shows the same session to someone else", async ({ stage, browser }) => {
  await stage.open("en");
  await stage.expect("c1", "RPUSH shared a b c", "(integer) 3");
  await stage.expect("c2", "LPOP shared", '"a"');
  await stage.page.getByTestId("share").click();
  const link = await stage.page.getByTestId("share-link").inputValue();
  expect(link.startsWith(stage.url())).toBe(true);
  const context = await browser.newContext({ locale: "en-GB" });
  const other = new Stage(await context.newPage());
  const complaints = watch(other.page);
  await other.page.goto(link);
  await expect(other.log("c1")).toContainText("RPUSH shared a b c");
  await expect(other.log("c2")).toContainText('"a"');
  await other.expect("c2", "LRANGE shared 0 -1", '2) "c"');
  expect(complaints).toEqual([]);
  await context.close();
});

test("a file that is not a session is rejected with a message, and the page keeps working", async ({ stage }) => {
  await stage.open("en");
  await stage.expect("c1", "SET here 1", "OK");
  await stage.page.getByTestId("share").click();
  await stage.page.getByTestId("file-input").setInputFiles({ name: "x.txt", mimeType: "text/plain", buffer: Buffer.from("not a session") });
  await expect(stage.page.getByRole("status").or(stage.page.getByRole("alert")).filter({ hasText: /\S/ }).first()).toBeVisible();
  await expect(stage.log("c1")).toContainText("SET here 1");
});
