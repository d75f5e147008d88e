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

test("a link is cut, nothing gets through, and it is mended", async ({ stage }) => {
  const { page } = stage;
  await stage.open("en");
  await openTwoNodes(stage);
  const link = page.getByTestId("link-0-0");
  await expect(link).toHaveAccessibleName("Cut the link between c1 and r1");
  await expect(link).toHaveAttribute("aria-pressed", "false");
  await link.click();
  await expect(link).toHaveAttribute("aria-pressed", "true");
  await expect(page.getByTestId("told")).toContainText("the link between c1 and r1 is cut.");
  await stage.expect("c1", "GET k", "no answer: the link to the node is cut");
  await expect(page.getByTestId("told")).toContainText("c1 runs GET k on r1: no answer, the link is cut.");
  // Nobody else is cut off, and the other node is still there for c1.
  await stage.expect("c2", "GET k", '"one"');
  await page.getByTestId("node-of-0").selectOption("r2");
  await stage.expect("c1", "GET k", "(nil)");
  await page.getByTestId("node-of-0").selectOption("r1");
  await stage.expect("c1", "GET k", "no answer");
  // A client that waits hears what was kept for it; the keyboard mends as well as the mouse.
  await page.reload();
  await expect(link).toHaveAttribute("aria-pressed", "true");
  await link.press("Enter");
  await expect(link).toHaveAttribute("aria-pressed", "false");
  await stage.expect("c1", "GET k", '"one"');
  await stage.type("c1", "BLPOP q 0");
  // The river comes forward, where a client waits.
  await page.getByRole("tab", { name: "Nodes" }).click();
  await link.click();
  await stage.expect("c2", "RPUSH q job", "(integer) 1");
  await expect(stage.log("c1")).not.toContainText('"job"');
  await link.click();
  await expect(stage.log("c1")).toContainText('"job"');
});

test("the Redlock of five nodes is broken by one that forgets, with two nodes cut off", async ({ stage }) => {
  const { page } = stage;
  const program = [
    "local nodes, won = {}, 0",
    "for i = 1, 5 do nodes[i] = connect('r' .. i, { timeout = 50 }) end",
    "for _, node in ipairs(nodes) do if node.pcall('SET', 'lock', client.id, 'NX', 'PX', 10000) == 'OK' then won = won + 1 end end",
    "if won >= 3 then enter('checkout') work(5000) leave('checkout') end",
    "",
  ].join("\\n");
  const steps = (client: string, count: number): string[] => Array.from({ length: count }, () => `${client}< step 0`);
  const lines = [
    "+ c1 0",
    "+ c2 1",
    "@watch mutual-exclusion",
    `c1< load "${program}"`,
    `c2< load "${program}"`,
    "c1@ 3 cut",
    "c1@ 4 cut",
    ...steps("c1", 4),
    "@+50ms",
    ...steps("c1", 2),
    "@+50ms",
    ...steps("c1", 1),
    "@crash 2",
    "@restart 2",
    ...steps("c2", 4),
  ];
  const nodes = [1, 2, 3, 4, 5].map((number) => `node r${number} none`);
  const text = ["lockstep 2", ...nodes, "", ...lines, `end ${lines.length} at ${lines.length} of ${lines.length}`, ""].join("\n");
  await stage.open("zh-CN");
  await page.getByTestId("share").click();
  await page.getByTestId("file-input").setInputFiles({ name: "five.lockstep", mimeType: "text/plain", buffer: Buffer.from(text) });
  await expect(stage.log("c2")).toContainText("c2@r4>");
  await page.keyboard.press("Escape");
  const lanes = page.getByTestId("lanes");
  await expect(lanes).toContainText("超时，没有答复");
  await expect(lanes).not.toContainText("c2 就进来了");
  // The fifth node: its third yes.
  const panels = page.getByRole("tab", { name: "程序" });
  await panels.click();
  await page.getByTestId("program-1").getByTestId("step").first().click();
  await page.getByRole("tab", { name: "泳道图" }).click();
  await expect(lanes).toContainText("c1 还在 checkout 里，c2 就进来了。");
});

test("a new session begins on as many nodes as one asks for, and the one before is kept", async ({ stage }) => {
  const { page } = stage;
  await stage.open("en");
  await stage.expect("c1", "SET k one", "OK");
  await page.getByTestId("sessions").click();
  await page.getByTestId("new-nodes").selectOption("5 nodes");
  await page.getByTestId("new-durability").selectOption("appendfsync always");
  await page.getByTestId("new-on-nodes").click();
  const last = page.getByTestId("node-4");
  await expect(last).toContainText("appendfsync always");
  await page.getByTestId("node-of-0").selectOption("r5");
  await stage.expect("c1", "GET k", "(nil)");
  await stage.expect("c1", "SET k two", "OK");
  await last.getByTestId("node-crash").click();
  await last.getByTestId("node-restart").click();
  await stage.expect("c1", "GET k", '"two"');
  // All of them are in sight at once.
  for (const node of [0, 4]) await expect(page.getByTestId(`node-${node}`)).toBeInViewport();
  await page.reload();
  await expect(page.getByTestId("node-of-0")).toHaveValue("4");
  await page.getByTestId("sessions").click();
  await expect(page.getByTestId("session-list").getByRole("listitem")).toHaveCount(2);
});

test("a request is delayed, and arrives after its client has given up", async ({ stage }) => {
  const { page } = stage;
  const lines = ["+ c1 0", "+ c2 1", `c1< load "redis.pcall('SET', 'lock', 'c1')\\n"`];
  const text = ["lockstep 1", "", ...lines, `end ${lines.length} at ${lines.length} of ${lines.length}`, ""].join("\n");
  await stage.open("en");
  await page.getByTestId("share").click();
  await page.getByTestId("file-input").setInputFiles({ name: "late.lockstep", mimeType: "text/plain", buffer: Buffer.from(text) });
  await page.keyboard.press("Escape");
  const card = page.getByTestId("program-0");
  await page.getByRole("tab", { name: "Programs" }).click();
  const menu = card.getByTestId("program-menu");
  await menu.click();
  await card.getByTestId("hold-up").click();
  await expect(page.getByTestId("told")).toContainText("a request of c1 is held up on its way");
  await menu.click();
  await page.getByRole("button", { name: "Crash" }).click();
  await stage.expect("c2", "GET lock", "(nil)");
  await menu.click();
  await card.getByRole("button", { name: "Let SET lock c1 arrive" }).click();
  await stage.expect("c2", "GET lock", '"c1"');
  await menu.click();
  await expect(card.getByTestId("arrive")).toHaveCount(0);
});

test("a link is made slow by hand, and the programs' messages take that long on it", async ({ stage }) => {
  const { page } = stage;
  await stage.open("en");
  await openTwoNodes(stage);
  const delays = page.getByTestId("delays-1");
  await delays.getByText("Delays").click();
  await delays.getByTestId("link-delay").first().selectOption("60 ms");
  await expect(page.getByTestId("told")).toContainText("each message between c1 and r2 now takes 60 ms");
  await expect(page.getByTestId("link-0-1")).toContainText("60 ms");
  await delays.getByTestId("link-delay").first().selectOption("none");
  await expect(page.getByTestId("link-0-1")).not.toContainText("60 ms");
});
