// A panel is only drawn again if its own content changes: other acts leave its elements and attributes unchanged.
import { Course } from "../support/course.ts";
import { changes } from "../support/changes.ts";
import { expect, test } from "../support/fixtures.ts";

const NONE = { added: 0, removed: 0, attributes: 0, batches: 0 };
const named = (...names: string[]) => names.map((name) => `[data-testid="${name}"]`).join(", ");

test("the sandbox: a panel is not redrawn by unrelated changes", async ({ stage }) => {
  const { page } = stage;
  await stage.open("en");
  await stage.expect("c1", "SET k 1", "OK");
  await stage.expect("c2", "GET k", '"1"');
  await page.getByTestId("lanes-toggle").click();
  await expect(page.getByTestId("lanes")).toContainText("SET k 1");
  await stage.expect("c1", "ECHO here", '"here"');
  const all = named("lanes", "keyspace", "inside", "client-0", "client-1");
  const acts: [string, string, () => Promise<void>][] = [
    ["a command that changes no key", named("keyspace", "inside", "client-1"), () => stage.expect("c1", "PING", "PONG")],
    ["a line that is typed and not run", named("lanes", "keyspace", "inside", "client-1"), () => page.getByTestId("input-0").fill("SET k 2")],
    ["a second that passes", named("lanes", "keyspace", "inside", "client-1"), () => page.waitForTimeout(1_200)],
    ["another theme", all, () => page.getByTestId("theme").click()],
    ["a dialog that is opened", named("lanes", "keyspace", "inside", "client-1"), async () => {
      await page.getByTestId("help").click();
      await expect(page.getByTestId("help-dialog")).toBeVisible();
    }],
  ];
  for (const [what, panels, act] of acts) expect(await changes(page, panels, act), what).toEqual(NONE);
});

test("a lesson: a client's step draws neither other clients' programs nor the text", async ({ stage }) => {
  const course = new Course(stage);
  await course.open("locks/set-nx-ex", "en");
  await course.step(1, 2);
  // The link to the next lesson is fetched after the first step, and is part of the text.
  await expect(stage.page.getByTestId("next-lesson")).toBeAttached();
  const seen = await changes(stage.page, named("program-1", "program-2", "lesson"), () => course.step(3));
  expect(seen).toEqual(NONE);
});

test("a half-typed line and its caret stay while panels open and close around it", async ({ stage }) => {
  const { page } = stage;
  await stage.open("en");
  const prompt = stage.prompt("c2");
  await prompt.fill("INCR visits");
  await prompt.press("ArrowLeft");
  const typed = () => prompt.evaluate((input: HTMLInputElement) => [input.value, input.selectionStart]);
  // A stream opens the tool that draws it.
  await stage.type("c1", "XADD orders 1-0 item book");
  await expect(page.getByTestId("river")).toBeVisible();
  expect(await typed()).toEqual(["INCR visits", 10]);
  await page.getByTestId("river-toggle").click();
  await expect(page.getByTestId("river")).toHaveCount(0);
  await page.getByTestId("lanes-toggle").click();
  await expect(page.getByTestId("lanes")).toBeVisible();
  expect(await typed()).toEqual(["INCR visits", 10]);
});

test("a lesson: a half-typed line and replies of the terminal are there again when its panel is", async ({ stage }) => {
  const { page } = stage;
  const course = new Course(stage);
  await course.open("locks/set-nx-ex", "en");
  // The lesson's set-up was the first client.
  await course.show("terminals");
  await stage.expect("c2", "HELP GET", "GET key");
  await stage.prompt("c2").fill("SET half");
  await course.show("programs");
  await expect(stage.prompt("c2")).toHaveCount(0);
  await course.show("terminals");
  await expect(stage.prompt("c2")).toHaveValue("SET half");
  await expect(stage.log("c2")).toContainText("GET key");
  await page.getByTestId("focus").click();
  await course.show("terminals");
  await expect(stage.prompt("c2")).toHaveValue("SET half");
  await expect(stage.log("c2")).toContainText("GET key");
});

test("replies of the terminal stand where they were asked for, and not in another session", async ({ stage }) => {
  const { page } = stage;
  await stage.open("en");
  await stage.prompt("c1").focus();
  await page.evaluate(() => {
    const data = new DataTransfer();
    data.setData("text", "SET a 1\nHELP ECHO\nSET b 2\n");
    document.activeElement?.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }));
  });
  await expect(stage.log("c1")).toContainText("ECHO message");
  await expect(stage.log("c1")).toHaveText(/SET a 1.*OK.*HELP ECHO.*ECHO message.*SET b 2.*OK/s);
  await page.getByTestId("sessions").click();
  await page.getByTestId("new-session").click();
  await expect(page.getByRole("dialog")).toBeHidden();
  await expect(stage.log("c1")).not.toContainText("SET a 1");
  await expect(stage.log("c1")).not.toContainText("ECHO message");
});

test("a client that takes a closed one's place begins with an empty line", async ({ stage }) => {
  await stage.open("en");
  await stage.type("c1", "PING");
  await stage.prompt("c2").fill("SET half");
  await stage.terminal("c2").getByRole("button", { name: "Close c2" }).click();
  await expect(stage.prompt("c2")).toHaveCount(0);
  await stage.page.getByTestId("add-client").click();
  await expect(stage.prompt("c2")).toHaveValue("");
});
