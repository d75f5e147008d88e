// Several Redis servers in one world: terminals switch between them, and each can crash, start again, and have its clock jump.
import { expect, test } from "../support/fixtures.ts";
import type { Stage } from "../support/stage.ts";

/** Opens a session with two nodes, of which the second has no disk. */
async function openTwoNodes(stage: Stage): Promise<void> {
  const lines = ["+ c1 0", "+ c2 1", "c1> SET k one"];
  const text = ["lockstep 2", "node r1 always", "node r2 none", "", ...lines, `end ${lines.length} at ${lines.length} of ${lines.length}`, ""].join("\n");
  await stage.page.getByTestId("share").click();
  await stage.page.getByTestId("file-input").setInputFiles({ name: "two.lockstep", mimeType: "text/plain", buffer: Buffer.from(text) });
  await expect(stage.log("c1")).toContainText("SET k one");
  await stage.page.keyboard.press("Escape");
}

test("a terminal switches to another node, and the keyspace follows the active terminal", async ({ stage }) => {
  const { page } = stage;
  await stage.open("en");
  await openTwoNodes(stage);
  const keyspace = page.getByTestId("keyspace");
  await expect(keyspace).toContainText("r1");
  await expect(keyspace.getByRole("listbox")).toContainText("k");
  await page.getByTestId("node-of-1").selectOption("r2");
  await expect(page.getByTestId("keyspace-node")).toHaveText("r2");
  await stage.expect("c2", "GET k", "(nil)");
  await stage.expect("c2", "SET other two", "OK");
  await expect(stage.log("c2")).toContainText("c2@r2>");
  await expect(keyspace.getByRole("listbox")).toContainText("other");
  await stage.prompt("c1").click();
  await expect(page.getByTestId("keyspace-node")).toHaveText("r1");
  await expect(keyspace.getByRole("listbox")).not.toContainText("other");
  // Undo brings the terminal back.
  for (let step = 0; step < 3; step += 1) await page.getByTestId("back").click();
  await expect(page.getByTestId("node-of-1")).toHaveValue("0");
});

test("a node crashes, refuses, and starts again with what its disk has", async ({ stage }) => {
  const { page } = stage;
  await stage.open("en");
  await openTwoNodes(stage);
  await page.getByTestId("node-of-1").selectOption("r2");
  await stage.expect("c2", "SET k two", "OK");
  for (const node of ["node-0", "node-1"]) {
    const row = page.getByTestId(node);
    await expect(row).toContainText("up");
    await row.getByTestId("node-crash").click();
    await expect(row).toContainText("down");
    await expect(row.getByTestId("node-restart")).toBeVisible();
  }
  await stage.expect("c1", "GET k", "the node is down");
  await expect(page.getByTestId("told")).toContainText("c1 runs GET k on r1: the connection is refused, the node is down.");
  for (const node of ["node-0", "node-1"]) await page.getByTestId(node).getByTestId("node-restart").click();
  await stage.expect("c1", "GET k", '"one"');
  await stage.expect("c2", "GET k", "(nil)");
});

test("a clock that jumps ends what it jumps over", async ({ stage }) => {
  const { page } = stage;
  await stage.open("zh-CN");
  await openTwoNodes(stage);
  await stage.expect("c1", "SET lock a PX 10000", "OK");
  await page.getByTestId("node-0").getByTestId("node-clock").click();
  await expect(page.getByTestId("node-0")).toContainText("1 小时");
  await stage.expect("c1", "GET lock", "(nil)");
  // The session is written and read again with its nodes.
  await page.reload();
  await expect(page.getByTestId("node-of-0")).toBeVisible();
  await expect(stage.log("c1")).toContainText("GET lock");
});
