// Several Redis servers in one world: terminals switch between them, and each can crash, start again, and have its clock jump.
import { violations } from "../support/axe.ts";
import { Course } from "../support/course.ts";
import { expect, test } from "../support/fixtures.ts";
import { textBelow } from "../support/sight.ts";
import { SIZES, Stage } from "../support/stage.ts";

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

test("a node crashes, refuses connections, and restarts with the data on its disk", async ({ stage }) => {
  const { page } = stage;
  await stage.open("en");
  await openTwoNodes(stage);
  await page.getByTestId("node-of-1").selectOption("r2");
  await stage.expect("c2", "SET k two", "OK");
  for (const node of [0, 1]) {
    const shown = page.getByTestId(`node-${node}`);
    await expect(shown).toContainText("up");
    await stage.onNode(node, "node-crash");
    await expect(shown).toContainText("down");
  }
  await stage.expect("c1", "GET k", "the node is down");
  await expect(page.getByTestId("description")).toContainText("c1 runs GET k on r1: the connection is refused, the node is down.");
  for (const node of [0, 1]) await stage.onNode(node, "node-restart");
  await stage.expect("c1", "GET k", '"one"');
  await stage.expect("c2", "GET k", "(nil)");
});

test("a clock jump expires the keys whose deadlines it passes", async ({ stage }) => {
  const { page } = stage;
  await stage.open("zh-CN");
  await openTwoNodes(stage);
  await stage.expect("c1", "SET lock a PX 10000", "OK");
  await stage.onNode(0, "node-clock");
  await expect(page.getByTestId("node-0")).toContainText("1 小时");
  await stage.expect("c1", "GET lock", "(nil)");
  // The session is written and read again with its nodes.
  await page.reload();
  await expect(page.getByTestId("node-of-0")).toBeVisible();
  await expect(stage.log("c1")).toContainText("GET lock");
});

test("a link is cut, loses messages, and is restored", async ({ stage }) => {
  const { page } = stage;
  await stage.open("en");
  await openTwoNodes(stage);
  const link = stage.link(0, 0);
  await expect(link).toHaveAccessibleName("link c1 – r1");
  await stage.onLink(0, 0, "link-cut");
  await expect(link).toHaveAccessibleName("link c1 – r1, cut");
  await expect(page.getByTestId("description")).toContainText("the link between c1 and r1 is cut.");
  await stage.expect("c1", "GET k", "no answer: the link to the node is cut");
  await expect(page.getByTestId("description")).toContainText("c1 runs GET k on r1: no answer, the link is cut.");
  // No other client is cut off, and c1 still reaches the other node.
  await stage.expect("c2", "GET k", '"one"');
  await page.getByTestId("node-of-0").selectOption("r2");
  await stage.expect("c1", "GET k", "(nil)");
  await page.getByTestId("node-of-0").selectOption("r1");
  await stage.expect("c1", "GET k", "no answer");
  // A blocked client receives the reply that was kept for it.
  await page.reload();
  await expect(link).toHaveAccessibleName("link c1 – r1, cut");
  await stage.onLink(0, 0, "link-cut");
  await expect(link).toHaveAccessibleName("link c1 – r1");
  await stage.expect("c1", "GET k", '"one"');
  await stage.type("c1", "BLPOP q 0");
  // The river comes to the front, because it shows a blocked client.
  await page.getByRole("tab", { name: "Nodes" }).click();
  await stage.onLink(0, 0, "link-cut");
  await stage.expect("c2", "RPUSH q job", "(integer) 1");
  await expect(stage.log("c1")).not.toContainText('"job"');
  await stage.onLink(0, 0, "link-cut");
  await expect(stage.log("c1")).toContainText('"job"');
});

test("Redlock on five nodes: acquired on three, broken by a node that loses its data, found by the explorer, shared", async ({ stage, browser }) => {
  const { page } = stage;
  const course = new Course(stage);
  await course.open("locks/redlock", "zh-CN");
  const task = page.getByTestId("task-five");
  await task.getByTestId("put-on-stage").click();

  // The explorer uses the faults of this stage.
  await page.getByTestId("explore-find").click();
  const found = page.getByTestId("explore-result");
  await expect(found).toHaveAttribute("data-finding", "broken");
  await expect(found).toContainText("12");

  await course.show("nodes");
  for (const node of [3, 4]) await stage.onLink(1, node, "link-cut");
  await course.show("programs");
  const description = page.getByTestId("description");
  // Three replies, and two timeouts of c1.
  for (let steps = 0; steps < 9; steps += 1) await course.pass("c1");
  await expect(description).toContainText("进入");
  await course.show("nodes");
  await stage.onNode(2, "node-crash");
  await stage.onNode(2, "node-restart");
  await course.show("programs");
  await expect(course.broken()).toHaveCount(0);
  await expect(task.getByTestId("task-done")).toHaveCount(0);
  for (let steps = 0; steps < 5; steps += 1) await course.pass("c2");
  await expect(course.broken()).toHaveCount(1);
  await expect(page.getByTestId("lanes")).toContainText("c1 还在 checkout 里，c2 就进来了。");
  await expect(task.getByTestId("attempt")).toContainText("12");
  await expect(task.getByTestId("task-done")).toBeVisible();
  // The same on the lesson's own stage is another task.
  await expect(page.getByTestId("task-break").getByTestId("task-done")).toHaveCount(0);

  // The shared link opens the same stage, and the task there is not done.
  await page.getByTestId("share").click();
  const link = await page.getByTestId("share-link").inputValue();
  const context = await browser.newContext();
  const other = new Course(new Stage(await context.newPage()));
  await other.stage.page.goto(link);
  await expect(other.broken()).toHaveCount(1);
  await expect(other.stage.page.getByTestId("task-five").getByTestId("task-done")).toHaveCount(0);
  await expect(other.stage.page.getByTestId("explorer-limits")).toContainText("2");
  await context.close();
});

test("a new session starts with the chosen number of nodes, and the previous session is kept", async ({ stage }) => {
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
  await stage.onNode(4, "node-crash");
  await stage.onNode(4, "node-restart");
  await stage.expect("c1", "GET k", '"two"');
  // All of them are visible at once.
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
  await expect(page.getByTestId("description")).toContainText("a request of c1 is delayed on its way");
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
  const link = stage.link(0, 1);
  await stage.onLink(0, 1, "delay-60");
  await expect(page.getByTestId("description")).toContainText("each message between c1 and r2 now takes 60 ms");
  await expect(link).toHaveAccessibleName("link c1 – r2, 60 ms");
  await stage.onLink(0, 1, "delay-0");
  await expect(link).toHaveAccessibleName("link c1 – r2");
  // Other delays can be typed; an invalid delay changes nothing.
  await link.click();
  const field = page.getByTestId("link-delay-ms");
  await field.fill("750");
  await field.press("Enter");
  await expect(link).toHaveAccessibleName("link c1 – r2, 750 ms");
  const description = await page.getByTestId("description").textContent();
  for (const wrong of ["-5", "99999999999", ""]) {
    await field.fill(wrong);
    await field.press("Enter");
  }
  await expect(page.getByTestId("description")).toHaveText(description ?? "");
  await field.fill("0");
  await field.press("Enter");
  await expect(link).toHaveAccessibleName("link c1 – r2");
});

test("a command typed over a slow link arrives later, and so does its reply", async ({ stage }) => {
  const { page } = stage;
  await stage.open("en");
  await openTwoNodes(stage);
  // The clock stands still, so that nothing arrives by itself.
  const run = page.getByTestId("run");
  if ((await run.getAttribute("aria-pressed")) === "true") await run.click();
  const link = stage.link(0, 0);
  await stage.onLink(0, 0, "delay-500");
  await stage.type("c1", "GET k");
  const log = stage.log("c1");
  await expect(log).toContainText("on its way: it reaches the node in 500 ms");
  await expect(link).toHaveAccessibleName("link c1 – r1, 500 ms, request GET k on its way, 500 ms left");
  // Others are served meanwhile, and the client waits.
  await stage.expect("c2", "SET k two", "OK");
  await expect(stage.prompt("c1")).toHaveAttribute("placeholder", /waits/);
  await page.getByTestId("deadline").click();
  await expect(page.getByTestId("description")).toContainText("GET k on r1 from c1 arrives");
  await expect(link).toHaveAccessibleName('link c1 – r1, 500 ms, reply two on its way, 500 ms left');
  await expect(log).not.toContainText('"two"');
  await page.getByTestId("deadline").click();
  await expect(log).toContainText('"two"');
  await expect(page.getByTestId("description")).toContainText("c1 is answered");
  // The command is shown only once.
  expect((await stage.transcript("c1")).match(/c1@r1> GET k/g)).toHaveLength(1);
  // Ctrl-C gives up waiting; the command is executed anyway.
  await stage.type("c1", "SET k three");
  await stage.prompt("c1").press("Control+c");
  await page.getByTestId("deadline").click();
  await stage.expect("c2", "GET k", '"three"');
});

test("a reply is delayed, and arrives while its client waits for it", async ({ stage }) => {
  const { page } = stage;
  const lines = ["+ c1 0", `c1< load "note(redis.call('INCR', 'n'))\\n"`];
  const text = ["lockstep 1", "", ...lines, `end ${lines.length} at ${lines.length} of ${lines.length}`, ""].join("\n");
  await stage.open("en");
  await page.getByTestId("share").click();
  await page.getByTestId("file-input").setInputFiles({ name: "reply.lockstep", mimeType: "text/plain", buffer: Buffer.from(text) });
  await page.keyboard.press("Escape");
  await page.getByRole("tab", { name: "Programs" }).click();
  const card = page.getByTestId("program-0");
  await card.getByTestId("program-menu").click();
  await page.getByTestId("hold-up-reply").click();
  await expect(page.getByTestId("description")).toContainText("the reply to INCR n of c1 is delayed on its way");
  await card.getByTestId("program-menu").click();
  await page.getByRole("button", { name: "Let the reply to INCR n arrive" }).click();
  await expect(page.getByTestId("description")).toContainText("its program ends");
  // The session opens again as it was.
  await page.reload();
  await expect(page.getByTestId("description")).toContainText("its program ends");
});

/** Opens a session of two clients with a program each, whose requests go to the second of two nodes. */
async function openPrograms(stage: Stage): Promise<void> {
  const program = "local r2 = connect('r2', { timeout = 5000 })\\nr2.pcall('SET', 'lock', client.id)\\n";
  const lines = ["+ c1 0", "+ c2 1", `c1< load "${program}"`, `c2< load "${program}"`];
  const text = ["lockstep 2", "node r1 always", "node r2 none", "", ...lines, `end ${lines.length} at ${lines.length} of ${lines.length}`, ""].join("\n");
  await stage.page.getByTestId("share").click();
  await stage.page.getByTestId("file-input").setInputFiles({ name: "programs.lockstep", mimeType: "text/plain", buffer: Buffer.from(text) });
  await expect(stage.page.getByTestId("panel-programs")).toBeVisible();
  await stage.page.keyboard.press("Escape");
}

test("a request is shown on its link and at its node, and its reply on the way back", async ({ stage }) => {
  const { page } = stage;
  await stage.open("en");
  await openPrograms(stage);
  const nodes = page.getByRole("tab", { name: "Nodes" });
  const tab = page.getByRole("tab", { name: "Programs" });
  /** The programs, whose requests are sent, served and delivered one by one. */
  const openFine = async () => {
    await tab.click();
    await page.getByTestId("fine").click();
  };
  await nodes.click();
  await stage.onLink(0, 1, "delay-200");
  const link = stage.link(0, 1);
  await openFine();
  const step = page.getByTestId("program-0").getByTestId("step");
  await step.click();
  await nodes.click();
  await expect(link).toHaveAccessibleName("link c1 – r2, 200 ms, request SET lock 1 on its way, 200 ms left");
  await expect(page.getByTestId("message")).toHaveCount(1);
  await expect(page.getByTestId("message")).toHaveAttribute("data-direction", "request");
  // It waits in the queue of its node, which executes it; the answer takes the same time.
  await page.getByTestId("deadline").click();
  await openFine();
  await step.click();
  await nodes.click();
  await expect(page.getByTestId("node-1")).toContainText("1 request waits");
  await expect(link).toHaveAccessibleName("link c1 – r2, 200 ms, request SET lock 1 waits at r2");
  await openFine();
  await page.getByTestId("program-0").getByRole("button", { name: "Serve" }).click();
  await nodes.click();
  await expect(page.getByTestId("message")).toHaveAttribute("data-direction", "reply");
  await expect(link).toHaveAccessibleName("link c1 – r2, 200 ms, reply OK on its way, 200 ms left");
  // A request that is held up, in the other language.
  await tab.click();
  await page.getByTestId("program-1").getByTestId("program-menu").click();
  await page.getByTestId("hold-up").click();
  await nodes.click();
  await stage.speak("zh-CN");
  await expect(stage.link(1, 1)).toHaveAccessibleName("链路 c2 – r2，请求 SET lock 2 滞留在途中");
  await expect(page.getByTestId("message")).toHaveCount(2);
});

for (const { language, names } of [
  { language: "en", names: { link: "link c2 – r2", cut: "cut", node: "r2", down: "down", up: "up" } },
  { language: "zh-CN", names: { link: "链路 c2 – r2", cut: "已断开", node: "r2", down: "已宕机", up: "运行中" } },
] as const) {
  test(`the map works using only the keyboard (${language})`, async ({ stage }) => {
    const { page } = stage;
    const { keyboard } = page;
    const comma = language === "en" ? ", " : "，";
    await stage.open(language);
    await openTwoNodes(stage);
    const link = stage.link(1, 1);
    const holdsFocus = (where: typeof link) => expect.poll(() => where.evaluate((node) => node === document.activeElement)).toBe(true);
    // The links are next to each other in the order of Tab, client by client.
    await stage.link(1, 0).focus();
    await keyboard.press("Tab");
    await holdsFocus(link);
    // Enter opens the menu, and Escape closes it.
    await keyboard.press("Enter");
    await expect(page.getByTestId("link-cut")).toBeVisible();
    await keyboard.press("Escape");
    await expect(page.getByTestId("link-cut")).toBeHidden();
    await holdsFocus(link);
    await keyboard.press("Enter");
    await expect(page.getByTestId("link-cut")).toBeVisible();
    await keyboard.press("Tab");
    await holdsFocus(page.getByTestId("link-cut"));
    await keyboard.press("Enter");
    await expect(link).toHaveAccessibleName([names.link, names.cut].join(comma));
    // After a choice the focus returns to the link.
    await holdsFocus(link);
    await keyboard.press("Tab");
    const node = page.getByTestId("node-0").getByTestId("node-open");
    await holdsFocus(node);
    await keyboard.press("Tab");
    const other = page.getByTestId("node-1").getByTestId("node-open");
    await holdsFocus(other);
    for (const [act, state] of [["node-crash", names.down], ["node-restart", names.up]] as const) {
      await keyboard.press("Enter");
      await expect(page.getByTestId(act)).toBeVisible();
      await keyboard.press("Tab");
      await holdsFocus(page.getByTestId(act));
      await keyboard.press("Enter");
      await expect(other).toHaveAccessibleName(new RegExp(`^r2 ${state}`));
      await holdsFocus(other);
    }
  });
}

test("the name of a node in the lanes opens the same menu", async ({ stage }) => {
  const { page } = stage;
  await stage.open("en");
  await openPrograms(stage);
  await page.getByRole("tab", { name: "Lanes" }).click();
  await page.getByTestId("lanes").getByTitle("What can happen to r2").click();
  await page.getByTestId("node-crash").click();
  await expect(page.getByTestId("description")).toContainText("r2 crashes");
  await page.getByRole("tab", { name: "Nodes" }).click();
  await expect(page.getByTestId("node-1")).toContainText("down");
});

/** Opens a session of this many clients on five nodes, with cut and slow links, a node that is down, and a delayed request. */
async function openFiveNodes(stage: Stage, clients: number): Promise<void> {
  const names = Array.from({ length: clients }, (_, number) => `+ c${number + 1} ${number}`);
  const faults = ["c1@ 3 cut", "c3@ 2 +200ms", "c3@ 4 cut", "c3@ 4 +60ms", "@clock 2 +3600000ms", "@crash 1"];
  const lines = [...names, `c1< load "redis.pcall('SET', 'lock', 'c1')\\n"`, ...faults, "c1< hold-up 0"];
  const nodes = ["node r1 always", "node r2 none", "node r3 everysec", "node r4 none", "node r5 none"];
  const text = ["lockstep 2", ...nodes, "", ...lines, `end ${lines.length} at ${lines.length} of ${lines.length}`, ""].join("\n");
  await stage.page.getByTestId("share").click();
  await stage.page.getByTestId("file-input").setInputFiles({ name: "five.lockstep", mimeType: "text/plain", buffer: Buffer.from(text) });
  await expect(stage.log("c3")).toBeAttached();
  await stage.page.keyboard.press("Escape");
}

for (const [name, viewport] of Object.entries({ laptop: SIZES.laptop, projector: SIZES.projector, phone: SIZES.phone })) {
  test.describe(() => {
    test.use({ viewport, contextOptions: { reducedMotion: "reduce" } });

    test(`the map of five nodes and three clients is readable and accessible (${name})`, async ({ stage }) => {
      const { page } = stage;
      await stage.open("en");
      await openFiveNodes(stage, 3);
      if (name === "projector") await page.getByTestId("focus").click();
      if (name === "phone") await page.getByTestId("tab-tools").click();
      await page.getByTestId("panel-nodes").click();
      for (const language of ["en", "zh-CN"] as const) {
        await stage.speak(language);
        for (const client of [0, 1, 2]) {
          for (const node of [0, 1, 2, 3, 4]) await expect(stage.link(client, node)).toBeInViewport({ ratio: 1 });
        }
        for (const node of [0, 4]) await expect(page.getByTestId(`node-${node}`)).toBeInViewport({ ratio: 1 });
        expect(await textBelow(page, name === "projector" ? 22 : 12)).toEqual([]);
        expect(await violations(page, '[data-testid="nodes"]')).toEqual([]);
        await stage.link(2, 4).click();
        await expect(page.getByTestId("link-cut")).toBeInViewport({ ratio: 1 });
        expect(await violations(page, '[data-testid="link-menu"]:popover-open')).toEqual([]);
        expect(await textBelow(page, name === "projector" ? 22 : 12)).toEqual([]);
        await page.keyboard.press("Escape");
      }
      await expect(page.getByTestId("message")).toHaveCount(1);
    });
  });
}

test("with many clients the map shows the active one and counts the rest", async ({ stage }) => {
  const { page } = stage;
  await stage.open("en");
  await openFiveNodes(stage, 12);
  await page.getByTestId("panel-nodes").click();
  const map = page.getByTestId("nodes");
  await expect(map).toContainText(/and \d+ more clients/);
  await expect(stage.link(11, 0)).toHaveCount(0);
  await stage.prompt("c12").click();
  await expect(stage.link(11, 0)).toBeVisible();
  // The client with a program stays.
  await expect(stage.link(0, 0)).toBeVisible();
});
