// What a class and a first visitor need: the acting program, the search and the values in view; a welcome whose examples run on a click.
import { pathToFileURL } from "node:url";
import type { Locator, Page } from "@playwright/test";
import { violations } from "../support/axe.ts";
import { Course, LESSONS, tasks } from "../support/course.ts";
import { expect, test } from "../support/fixtures.ts";
import { DIST } from "../support/server.ts";
import { SIZES, type Language, type Stage } from "../support/stage.ts";

/** Whether all of an element is inside the window and inside everything that scrolls around it. */
const isWhole = (element: Locator) =>
  element.evaluate((element) => {
    const box = element.getBoundingClientRect();
    let [top, bottom] = [0, innerHeight];
    for (let around = element.parentElement; around; around = around.parentElement) {
      if (getComputedStyle(around).overflowY === "visible") continue;
      const area = around.getBoundingClientRect();
      [top, bottom] = [Math.max(top, area.top), Math.min(bottom, area.bottom)];
    }
    return box.height > 0 && box.top >= top - 1 && box.bottom <= bottom + 1;
  });

for (const [name, isProjector] of [["laptop", false], ["projector", true]] as const) {
  test(`the program that acts and its line stay in view (${name})`, async ({ stage }) => {
    const { page } = stage;
    await page.setViewportSize(SIZES[name]);
    const course = new Course(stage);
    await course.open("locks/set-nx-ex");
    if (isProjector) await page.getByTestId("projector").click();
    for (const place of [1, 2, 3, 1]) {
      await course.step(place);
      const card = course.program(`c${place}`);
      await expect.poll(() => isWhole(card.getByRole("heading")), `c${place}`).toBe(true);
      await expect.poll(() => isWhole(card.locator("[aria-current=step]")), `line of c${place}`).toBe(true);
    }
    // Back in time, it is the one that acted before.
    await page.getByTestId("back").click();
    await expect.poll(() => isWhole(course.program("c3").getByRole("heading"))).toBe(true);
    // Larger text moves the lines.
    await page.getByTestId("projector").click();
    await expect.poll(() => isWhole(course.program("c3").locator("[aria-current=step]"))).toBe(true);
  });
}

test("a card under the pointer does not move away", async ({ stage }) => {
  const { page } = stage;
  await page.setViewportSize(SIZES.laptop);
  const course = new Course(stage);
  await course.open("locks/set-nx-ex");
  await course.step(1);
  const card = course.program("c3");
  const before = await card.boundingBox();
  // Its lower part is outside the panel.
  await card.hover({ position: { x: 100, y: 12 } });
  await page.keyboard.press("Digit3");
  await expect(page.getByTestId("description")).toContainText("c3");
  await page.waitForTimeout(200);
  expect((await card.boundingBox())?.y).toBeCloseTo(before!.y, 0);
});

for (const lesson of ["locks/set-nx-ex", "locks/redlock", "messaging/list-queue", "transactions/watch"]) {
  test(`the search stays in view while a property breaks and after it (${lesson})`, async ({ stage }) => {
    const { page } = stage;
    await page.setViewportSize(SIZES.laptop);
    const course = new Course(stage);
    await course.open(lesson);
    const find = page.getByTestId("explore-find");
    await expect.poll(() => isWhole(find)).toBe(true);
    await find.click();
    await expect(page.getByTestId("explore-result")).toHaveAttribute("data-finding", "broken", { timeout: 60_000 });
    await expect.poll(() => isWhole(find)).toBe(true);
    await page.getByTestId("explore-load").click();
    await page.getByTestId("last").click();
    await expect(page.getByTestId("verdict").locator("[data-mark=broken]").first()).toBeAttached();
    await expect.poll(() => isWhole(find)).toBe(true);
  });
}

test("the keyspace shows each value in one line, and what it was before the step", async ({ stage }) => {
  await stage.open("en");
  const { page } = stage;
  const list = page.getByTestId("keyspace").getByRole("listbox");
  const value = (key: string) => list.getByRole("option").filter({ hasText: new RegExp(`^.?${key}`) }).getByTestId("key-value");
  await stage.expect("c1", "SET stock 5", "OK");
  await expect(value("stock")).toHaveText("5");
  await stage.expect("c1", "DECR stock", "4");
  await expect(value("stock")).toHaveText("5 → 4");
  await stage.expect("c1", "HSET user:1 name 张三 city 上海", "2");
  await expect(value("user:1")).toHaveText("{name: 张三, city: 上海}");
  // What another step changed is not marked any more.
  await expect(value("stock")).toHaveText("4");
  await stage.expect("c1", "RPUSH list a b c", "3");
  await expect(value("list")).toHaveText("[a, b, c]");
  // A new time to live is no new value.
  await stage.expect("c1", "EXPIRE list 100", "1");
  await expect(value("list")).toHaveText("[a, b, c]");
  await page.getByTestId("back").click();
  await page.getByTestId("back").click();
  await page.getByTestId("back").click();
  await expect(value("stock")).toHaveText("5 → 4");
});

test("the key that a step changed is scrolled into view", async ({ stage }) => {
  await stage.open("en");
  const keys = Array.from({ length: 60 }, (_, n) => `key:${String(n).padStart(2, "0")} ${n}`).join(" ");
  await stage.expect("c1", `MSET ${keys}`, "OK");
  const row = (key: string) => stage.page.getByTestId("keyspace").getByRole("option").filter({ hasText: key });
  await stage.expect("c1", "INCR key:55", "56");
  await expect.poll(() => isWhole(row("key:55"))).toBe(true);
  await stage.expect("c1", "INCR key:03", "4");
  await expect.poll(() => isWhole(row("key:03"))).toBe(true);
});

const COURSE: Record<Language, string> = { en: "Start the course", "zh-CN": "开始学习课程" };

for (const size of ["laptop", "projector", "phone"] as const) {
  for (const language of ["en", "zh-CN"] as const) {
    test(`a first visitor is welcomed, and an example runs on a click (${size}, ${language})`, async ({ stage }) => {
      const { page } = stage;
      await page.setViewportSize(SIZES[size]);
      await stage.open(language);
      const welcome = page.getByTestId("welcome");
      await expect(welcome).toHaveCount(1);
      await expect(page.getByTestId("client-0").getByTestId("welcome")).toBeVisible();
      await expect(page.getByTestId("welcome-course")).toHaveText(COURSE[language]);
      expect(await violations(page)).toEqual([]);
      // The examples are in view without scrolling.
      for (const id of ["counter", "blocked", "lease", "group", "board"]) {
        expect(await isWhole(page.getByTestId(`example-${id}`)), id).toBe(true);
      }
      await page.getByTestId("example-blocked").click();
      await expect(page.getByTestId("client-0")).toContainText("mail:1");
      await expect(page.getByTestId("client-1")).toContainText("RPUSH jobs mail:1");
      await expect(welcome).toHaveCount(0);
      // The session can be gone on with, and be gone back in.
      await stage.expect("c2", "LLEN jobs", "0");
      await page.getByTestId("back").click();
      await expect(welcome).toHaveCount(0);
    });
  }
}

for (const [id, client, shown] of [["counter", 0, "\"3\""], ["lease", 1, "(nil)"], ["group", 1, "coffee"], ["board", 0, "bob"]] as const) {
  test(`an example runs without an error and leaves a session that a reload keeps (${id})`, async ({ stage }) => {
    const { page } = stage;
    await stage.open("en");
    await page.getByTestId(`example-${id}`).click();
    await expect(page.getByTestId(`client-${client}`)).toContainText(shown);
    for (const place of [0, 1]) await expect(page.getByTestId(`client-${place}`)).not.toContainText("(error)");
    await page.reload();
    await expect(page.getByTestId(`client-${client}`)).toContainText(shown);
  });
}

test("a typed line takes the place of the welcome, and it does not come back", async ({ stage }) => {
  await stage.open("en");
  const { page } = stage;
  await expect(page.getByTestId("welcome")).toBeVisible();
  await stage.expect("c1", "PING", "PONG");
  await expect(page.getByTestId("welcome")).toHaveCount(0);
  await page.reload();
  await expect(page.getByTestId("client-0")).toContainText("PONG");
  await expect(page.getByTestId("welcome")).toHaveCount(0);
});

test("a learner who comes back is invited to go on with the lesson where she stopped", async ({ stage }) => {
  const { page } = stage;
  const course = new Course(stage);
  await course.open("locks/setnx", "en");
  const title = await course.lesson().getByRole("heading", { level: 2 }).first().innerText();
  await course.step(1);
  await expect.poll(() => page.evaluate(() => localStorage.getItem("lockstep.progress"))).toContain("locks/setnx begun");
  const onward = page.getByTestId("welcome-course");
  await stage.open("en");
  await expect(onward).toHaveText(`Continue: ${title}`);
  await stage.speak("zh-CN");
  await expect(onward).toHaveText(/^继续：.+/);
  await stage.speak("en");
  // The map of the course offers the same lesson.
  await course.openMap("en");
  await expect(page.getByTestId("continue")).toContainText(title);
  await stage.open("en");
  // Until the list of lessons is here it leads to the map.
  await expect(onward).toHaveText(`Continue: ${title}`);
  await onward.click();
  await expect(page).toHaveURL(/#learn\/locks\/setnx$/);
  // Everything is done.
  const done = LESSONS.flatMap((lesson) => [`${lesson} told`, ...tasks(lesson).map((task) => `${lesson} done ${task}`)]);
  await page.evaluate((text) => localStorage.setItem("lockstep.progress", text), ["lockstep-progress 1", ...done, ""].join("\n"));
  await stage.open("en");
  await page.reload();
  await expect(onward).toHaveText("All lessons are done. To the map of the course");
  await onward.click();
  await expect(page).toHaveURL(/#learn$/);
});

// Without `stage`, whose watch counts what the browser refuses as a fault.
test("the page runs only its own scripts, and reaches no other host", async ({ page }) => {
  await page.goto(process.env.LOCKSTEP_URL!);
  await expect(page.getByTestId("input-0")).toBeVisible();
  const refused = await page.evaluate(async () => {
    const seen: string[] = [];
    document.addEventListener("securitypolicyviolation", (event) => seen.push(event.effectiveDirective));
    const script = document.createElement("script");
    script.textContent = "window.hasRun = true";
    document.body.append(script);
    const image = document.createElement("img");
    image.setAttribute("onerror", "window.hasRun = true");
    image.src = "data:,no picture";
    document.body.append(image);
    const isReached = await fetch("http://127.0.0.2/").then(() => true, () => false);
    // In a task of its own: the browser's tools may evaluate text.
    const isEvaluated = await new Promise((resolve) => setTimeout(() => {
      try { resolve(new Function("return true")()); } catch { resolve(false); }
    }, 300));
    // The browser reports in a later task.
    await new Promise((resolve) => setTimeout(resolve, 100));
    return { seen: [...new Set(seen)].sort(), hasRun: "hasRun" in window, isReached, isEvaluated };
  });
  expect(refused).toEqual({
    seen: ["connect-src", "script-src", "script-src-attr", "script-src-elem"],
    hasRun: false,
    isReached: false,
    isEvaluated: false,
  });
  await expect(page.locator("meta[name=referrer]")).toHaveAttribute("content", "no-referrer");
});

test("without JavaScript the page says what it needs", async ({ browser }) => {
  const context = await browser.newContext({ javaScriptEnabled: false, viewport: SIZES.phone });
  const page = await context.newPage();
  await page.goto(process.env.LOCKSTEP_URL!);
  // By element: Playwright finds no text inside `noscript`.
  const words = page.locator("noscript p");
  await expect(words).toContainText("JavaScript");
  await expect(words).toBeInViewport({ ratio: 1 });
  await context.close();
});

test("while the program is fetched the page says what it is", async ({ page }) => {
  let open = () => {};
  const gate = new Promise<void>((resolve) => { open = resolve; });
  await page.route("**/*_bg.wasm*", async (route) => {
    await gate;
    await route.continue();
  });
  await page.goto(process.env.LOCKSTEP_URL!, { waitUntil: "commit" });
  await expect(page.getByText("Redis classroom")).toBeInViewport({ ratio: 1 });
  open();
  await expect(page.getByTestId("input-0")).toBeVisible();
  await expect(page.getByText("Redis classroom")).toHaveCount(0);
});

test("on a slow line the page shows how much of its program has come", async ({ page }) => {
  const network = await page.context().newCDPSession(page);
  await network.send("Network.enable");
  await network.send("Network.emulateNetworkConditions", { offline: false, latency: 150, downloadThroughput: 200_000, uploadThroughput: 200_000 });
  await page.goto(process.env.LOCKSTEP_URL!, { waitUntil: "commit" });
  const bar = page.getByRole("progressbar");
  await expect(bar).toBeInViewport({ ratio: 1 });
  const share = async () => Number((await bar.getAttribute("value")) ?? 0);
  await expect.poll(share).toBeGreaterThan(0);
  const first = await share();
  expect(first).toBeLessThan(0.9);
  await expect.poll(share).toBeGreaterThan(first);
  await expect(page.getByTestId("input-0")).toBeVisible();
  await expect(bar).toHaveCount(0);
});

test("eight clients on a laptop are all in view, and three leave no empty place", async ({ stage }) => {
  const { page } = stage;
  await stage.open("en");
  const clients = page.getByTestId(/^client-\d+$/);
  const add = page.getByTestId("add-client");
  await add.click();
  await expect(clients).toHaveCount(3);
  const width = async (nth: number) => (await clients.nth(nth).boundingBox())!.width;
  expect(await width(2)).toBeGreaterThan(1.9 * (await width(1)));
  for (let count = 4; count <= 8; count += 1) {
    await add.click();
    await expect(clients).toHaveCount(count);
  }
  for (const client of await clients.all()) expect(await isWhole(client)).toBe(true);
  await stage.expect("c8", "INCR n", "(integer) 1");
  for (const client of await clients.all()) expect(await isWhole(client)).toBe(true);
});

test("on a projector clients are added too, and programs stand side by side", async ({ stage }) => {
  const { page } = stage;
  await page.setViewportSize(SIZES.projector);
  await stage.open("en");
  await page.getByTestId("projector").click();
  await page.getByTestId("add-client").click();
  await expect(page.getByTestId(/^client-\d+$/)).toHaveCount(3);
  const course = new Course(stage);
  await course.open("locks/set-nx-ex");
  const top = async (client: string) => (await course.program(client).boundingBox())!.y;
  expect(await top("c1")).toBe(await top("c2"));
});

test("a line typed in full width is explained, and its correction runs on a click", async ({ stage }) => {
  const { page } = stage;
  await stage.open("zh-CN");
  const log = stage.log("c1");
  for (const [line, meant, reply] of [
    ["ＳＥＴ　stock　５", "SET stock 5", "OK"],
    ["EXPIRE stock １０", "EXPIRE stock 10", "(integer) 1"],
    ["SET greeting “hello Redis”", "SET greeting \"hello Redis\"", "OK"],
    ["GETRANGE greeting \"0” 3", "GETRANGE greeting \"0\" 3", "hell"],
  ] as const) {
    await stage.type("c1", line);
    await expect(log).toContainText("全角字符");
    const correction = log.getByRole("button", { name: meant, exact: true });
    await correction.click();
    await expect(log.getByText(reply, { exact: false }).last()).toBeVisible();
  }
  await stage.expect("c1", "GET greeting", "hello Redis");
  // Text in full width is text.
  await stage.expect("c1", "SET words 价格：５元", "OK");
  await expect(page.getByTestId("keyspace").getByRole("option").filter({ hasText: "words" })).toContainText("价格：５元");
});

/** Opens a file by the button in a dialog. */
async function openFile(stage: Stage, dialog: "share" | "sessions", name: string, text: string): Promise<void> {
  await stage.page.getByTestId(dialog).click();
  await stage.page.getByTestId("file-input").setInputFiles({ name, mimeType: "text/plain", buffer: Buffer.from(text) });
}

test("a plain file of commands becomes a session, and so does what redis-cli printed", async ({ stage }) => {
  const { page } = stage;
  await stage.open("en");
  await stage.expect("c1", "SET mine 1", "OK");
  await openFile(stage, "sessions", "seed.redis", "# stock\r\nSET stock 5\r\n3 DECR stock\r\nNOSUCH\r\nEVAL \"return redis.call('INCR', 'stock')\" 0\r\n");
  await expect(page.getByTestId("client-0")).toContainText("(integer) 3");
  await expect(page.getByTestId("client-0")).toContainText("unknown command 'NOSUCH'");
  await expect(page.getByTestId("keyspace")).not.toContainText("mine");
  await page.getByTestId("back").click();
  await stage.expect("c1", "GET stock", "\"2\"");
  await openFile(stage, "share", "shell.txt", "127.0.0.1:6379> LPUSH q a b\n(integer) 2\nc> BRPOP q 0\n1) \"q\"\n2) \"a\"\nd> LLEN q\n(integer) 1\n");
  await expect(page.getByTestId("client-2")).toContainText("LLEN q");
  await expect(page.getByTestId("client-1")).toContainText("\"a\"");
  // The sessions before are kept.
  await page.getByTestId("sessions").click();
  await expect(page.getByTestId("session-list").getByRole("listitem")).toHaveCount(3);
});

test("a thousand commands of a file run in order, and a text that is none changes nothing", async ({ stage }) => {
  const { page } = stage;
  await stage.open("en");
  await openFile(stage, "sessions", "many.txt", Array.from({ length: 1_000 }, (_, n) => `RPUSH list ${n}`).join("\n"));
  await expect(page.getByTestId("client-0")).toContainText("(integer) 1000", { timeout: 20_000 });
  await stage.expect("c1", "LINDEX list 999", "\"999\"");
  await openFile(stage, "sessions", "letter.txt", "Dear all,\nSET this 1\n");
  await expect(page.getByRole("status").filter({ hasText: /session/i }).first()).toBeVisible();
  await stage.expect("c1", "LLEN list", "(integer) 1000");
});

test("the key that is looked into can be deleted, by a command in the timeline", async ({ stage }) => {
  const { page } = stage;
  await stage.open("en");
  await stage.expect("c1", "SET stock 5", "OK");
  await stage.expect("c2", "SET other 1", "OK");
  await page.getByTestId("keyspace").getByRole("option").filter({ hasText: "stock" }).click();
  await page.getByTestId("delete-key").click();
  // By the client that is active.
  await expect(page.getByTestId("client-1")).toContainText("DEL stock");
  await expect(page.getByTestId("keyspace").getByRole("listbox")).not.toContainText("stock");
  await expect(page.getByTestId("delete-key")).toHaveCount(0);
  await page.getByTestId("back").click();
  await expect(page.getByTestId("keyspace").getByRole("listbox")).toContainText("stock");
  // Not from another database.
  await stage.expect("c2", "SELECT 1", "OK");
  await page.getByTestId("input-0").click();
  await expect(page.getByTestId("delete-key")).toHaveCount(1);
  await page.getByTestId("input-1").click();
  await expect(page.getByTestId("delete-key")).toHaveCount(0);
});

test("a recording opens at its first step, with the lanes in view", async ({ stage }) => {
  const { page } = stage;
  await stage.open("en");
  const lines = ["+ c1 0", "c1> SET lock a NX PX 1000", "@+5ms", "+ c2 1", "c2> SET lock b NX PX 1000", "c1> DEL lock", "- c1", "- c2"];
  const text = (steps: string[]) => `lockstep 1\nseed 7\nstart 1767268800000\nmaxmemory 67108864\nproto-max-bulk-len 16777216\n\n${steps.join("\n")}\nend ${steps.length} at ${steps.length} of ${steps.length}\n`;
  await openFile(stage, "sessions", "today.lockstep", text(lines));
  await expect(page.getByTestId("client-0")).toContainText("SET lock a NX PX 1000");
  await expect(page.getByTestId("client-0")).not.toContainText("DEL lock");
  await expect(page.getByTestId("lanes")).toContainText("SET lock");
  await page.getByTestId("forward").click();
  await page.getByTestId("forward").click();
  await expect(page.getByTestId("client-1")).toContainText("(nil)");
});

for (const [language, words] of [
  ["en", { left: "2 clients have left", one: "1 client has left", step: /left in step \d/ }],
  ["zh-CN", { left: "已离开的客户端：2 个", one: "已离开的客户端：1 个", step: /在第 \d 步离开/ }],
] as const) {
  test(`clients that left a recording can be read, in ${language}`, async ({ stage }) => {
    const { page } = stage;
    await stage.open(language);
    const lines = ["+ c1 0", "c1> SET lock a", "+ c2 1", "c2> GET lock", "- c1", "- c2"];
    const text = `lockstep 1\nseed 7\nstart 1767268800000\nmaxmemory 67108864\nproto-max-bulk-len 16777216\n\n${lines.join("\n")}\nend ${lines.length} at ${lines.length} of ${lines.length}\n`;
    await openFile(stage, "sessions", "today.lockstep", text);
    await expect(page.getByTestId("client-0")).toContainText("SET lock a");
    await expect(page.getByTestId("departed")).toHaveCount(0);
    await page.getByTestId("last").click();
    // No client is left: their terminals are open, without a line to type in.
    const departed = page.getByTestId("departed");
    await expect(departed).toContainText(words.left);
    await expect(departed.getByTestId("departed-0")).toContainText("SET lock a");
    await expect(departed.getByTestId("departed-1")).toContainText("\"a\"");
    await expect(departed.getByTestId("departed-1")).toContainText(words.step);
    await expect(departed.getByRole("textbox")).toHaveCount(0);
    expect(await violations(page)).toEqual([]);
    // While another client is there, they are folded.
    await page.getByTestId("back").click();
    await expect(departed).toContainText(words.one);
    await expect(departed.getByTestId("departed-0")).toHaveCount(0);
    await departed.locator("summary").focus();
    await page.keyboard.press("Enter");
    await expect(departed.getByTestId("departed-0")).toContainText("SET lock a");
  });
}

for (const [language, words] of [["en", "connects (3 commands)"], ["zh-CN", "建立连接（3 条命令）"]] as const) {
  test(`what a library sends when it connects is one row of the lanes, in ${language}`, async ({ stage }) => {
    const { page } = stage;
    await stage.open(language);
    const steps = ["+ app 0", "app> SET first 1", "+ lib 1", "lib> HELLO 3", "@+2ms", "lib> CLIENT SETNAME worker", "lib> SELECT 0", "lib> INCR first", "lib> SELECT 0"];
    const text = `lockstep 1\nseed 7\nstart 1767268800000\nmaxmemory 67108864\nproto-max-bulk-len 16777216\n\n${steps.join("\n")}\n- app\n- lib\nend 11 at 11 of 11\n`;
    await openFile(stage, "sessions", "today.lockstep", text);
    const lanes = page.getByTestId("lanes");
    await expect(lanes.getByTestId("lane-fold")).toContainText(words);
    await expect(lanes).not.toContainText("SETNAME");
    await expect(lanes).toContainText("INCR first");
    // Stepping goes step by step, and the row is unfolded meanwhile.
    await page.getByTestId("forward").click();
    await page.getByTestId("forward").click();
    await expect(lanes.getByTestId("lane-fold")).toHaveCount(0);
    await expect(lanes).toContainText("SETNAME");
    await lanes.getByRole("option").filter({ hasText: "INCR first" }).click();
    await expect(lanes.getByTestId("lane-fold")).toContainText(words);
    // A click unfolds it too.
    await lanes.getByTestId("lane-fold").click();
    await expect(lanes).toContainText("SETNAME");
    expect(await violations(page)).toEqual([]);
  });
}

for (const [language, words] of [
  ["en", { none: "0 commands", count: "3 commands", strange: "Line 3: Dear all" }],
  ["zh-CN", { none: "共 0 条命令", count: "共 3 条命令", strange: "第 3 行：Dear all" }],
] as const) {
  test(`pasted commands run in the active client or in a new session, in ${language}`, async ({ stage }) => {
    const { page } = stage;
    await stage.open(language);
    await stage.expect("c2", "SET mine 1", "OK");
    await page.getByTestId("sessions").click();
    const paste = page.getByTestId("paste");
    await paste.locator("summary").click();
    await expect(page.getByTestId("paste-found")).toContainText(words.none);
    await expect(page.getByTestId("paste-here")).toBeDisabled();
    await page.getByTestId("paste-text").fill("# stock\nSET stock 5\nDear all\n2 DECR stock\n");
    await expect(page.getByTestId("paste-found")).toContainText(words.count);
    await expect(page.getByTestId("paste-found")).toContainText(words.strange);
    expect(await violations(page)).toEqual([]);
    await page.getByTestId("paste-here").click();
    await expect(page.getByTestId("sessions-dialog")).toHaveCount(0);
    // As the active client, in this session.
    await expect(stage.log("c2")).toContainText("(integer) 3");
    await expect(page.getByTestId("keyspace")).toContainText("mine");
    await page.getByTestId("sessions").click();
    await paste.locator("summary").click();
    await page.getByTestId("paste-text").fill("a> SET x 1\nOK\nb> GET x\n\"1\"\n");
    await page.getByTestId("paste-new").click();
    // Each prompt is a client there.
    await expect(stage.log("c2")).toContainText("GET x");
    await expect(stage.log("c1")).toContainText("SET x 1");
    await expect(page.getByTestId("keyspace")).not.toContainText("mine");
  });
}

/** Texts below an element that are cut: those of elements that hide what does not fit. */
const cut = (root: Locator) =>
  root.evaluate((root) =>
    [...root.querySelectorAll<HTMLElement>("*")]
      .filter((each) => getComputedStyle(each).overflowX !== "visible" && each.clientWidth > 2)
      .filter((each) => {
        const line = parseFloat(getComputedStyle(each).lineHeight);
        // The letters of a line may be a little higher than the line.
        return each.scrollWidth > each.clientWidth + 1 || each.scrollHeight > each.clientHeight + line / 2;
      })
      .map((each) => each.textContent ?? ""),
  );

for (const size of [{ width: 1920, height: 1080 }, { width: 1280, height: 800 }]) {
  for (const [lesson, language] of [["locks/redisson", "zh-CN"], ["locks/flash-sale-lock", "en"], ["locks/database-lock", "en"]] as const) {
    test(`no label of the lanes is cut in focus mode: ${lesson} at ${size.width}`, async ({ stage }) => {
      await stage.page.setViewportSize(size);
      const course = new Course(stage);
      await course.open(lesson, language);
      await stage.page.getByTestId("focus").click();
      const list = stage.page.getByTestId("lanes").getByRole("listbox");
      await expect(stage.page.getByTestId("programs").getByTestId("step").first()).toBeVisible();
      for (let times = 0; times < 8; times += 1) {
        const next = stage.page.getByTestId("programs").getByTestId("step").first();
        if (!(await next.isVisible())) break;
        const before = await course.moment();
        await next.click();
        await expect.poll(() => course.moment()).toBeGreaterThan(before);
        await expect(list.getByRole("option", { selected: true })).toBeInViewport();
        await expect.poll(() => cut(list)).toEqual([]);
      }
      expect(await course.moment()).toBeGreaterThan(1);
      // What the current step did is the largest text.
      const px = (place: Locator) => place.evaluate((element) => parseFloat(getComputedStyle(element).fontSize));
      const sentence = stage.page.getByTestId("description");
      expect(await px(sentence)).toBeGreaterThan(1.3 * (await px(list)));
      expect(await sentence.evaluate((text) => text.scrollWidth <= text.clientWidth)).toBe(true);
    });
  }
}

test("panels of focus mode come and go by one key each, and the other layouts stay as they are", async ({ stage }) => {
  const course = new Course(stage);
  await course.open("locks/set-nx-ex", "en");
  const { page } = stage;
  const width = async () => (await page.getByTestId("lanes").boundingBox())?.width ?? 0;
  await page.keyboard.press("f");
  await expect(page.getByTestId("programs")).toBeVisible();
  const beside = await width();
  await page.keyboard.press("g");
  await expect(page.getByTestId("programs")).toBeHidden();
  await expect.poll(width).toBeGreaterThan(beside * 1.3);
  // Digits step programs whether or not these are in view.
  const before = await course.moment();
  await page.keyboard.press("1");
  await expect.poll(() => course.moment()).toBe(before + 1);
  await page.keyboard.press("h");
  await expect(page.getByTestId("panel-verdict")).toHaveAttribute("aria-selected", "true");
  await expect(page.getByTestId("explore-find")).toBeVisible();
  await page.keyboard.press("y");
  await expect(page.getByTestId("keyspace")).toBeVisible();
  await page.keyboard.press("c");
  await expect(page.getByTestId("panel-terminals")).toHaveAttribute("aria-selected", "true");
  // The line of the terminal has the focus: with Alt, keys work there too.
  await page.keyboard.press("Alt+a");
  await expect(page.getByTestId("lanes")).toBeVisible();
  // The same with the pointer; what is folded stays so after a reload.
  await page.getByTestId("fold").click();
  await expect(page.getByTestId("keyspace")).toBeHidden();
  await page.reload();
  await expect(page.getByTestId("fold")).toHaveAttribute("aria-pressed", "true");
  await expect(page.getByTestId("keyspace")).toBeHidden();
  await page.getByTestId("panel-lesson").click();
  await expect(course.lesson()).toBeVisible();
  await page.keyboard.press("f");
  await expect(page.getByTestId("fold")).toBeHidden();
  await expect(page.getByTestId("programs")).toBeVisible();
  await expect(page.getByTestId("keyspace")).toBeVisible();
});

test("a lesson opens with its first program in view", async ({ stage }) => {
  await stage.page.setViewportSize({ width: 1280, height: 800 });
  const course = new Course(stage);
  await course.open("locks/set-nx-ex", "en");
  await stage.page.getByTestId("focus").click();
  await expect(course.program("c1").getByTestId("step")).toBeInViewport();
});

/** Filled buttons and links in view, by their text. */
const primary = (page: Page) =>
  page.evaluate(() => {
    const probe = document.createElement("i");
    probe.style.background = "var(--accent)";
    document.body.append(probe);
    const accent = getComputedStyle(probe).backgroundColor;
    probe.remove();
    return [...document.querySelectorAll<HTMLElement>("button, a")]
      .filter((each) => getComputedStyle(each).backgroundColor === accent)
      .filter((each) => {
        const box = each.getBoundingClientRect();
        const top = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
        return box.width > 0 && !!top && each.contains(top);
      })
      .map((each) => each.textContent ?? "");
  });

for (const lesson of ["locks/set-nx-ex", "locks/redisson", "locks/database-lock", "cache/breakdown", "streams/groups", "messaging/list-queue"]) {
  test(`at most one button says what to do next: ${lesson}`, async ({ stage }) => {
    const { page } = stage;
    await page.setViewportSize(SIZES.laptop);
    const course = new Course(stage);
    await course.open(lesson, "en");
    const tasks = course.lesson().getByTestId(/^task-(?!done|next)/).filter({ has: page.getByRole("heading", { level: 3 }) });
    const next = tasks.and(page.locator("[aria-current=step]"));
    await expect(next).toHaveCount(1);
    await expect(next.getByText("Next", { exact: true })).toBeVisible();
    for (let nth = 0; nth < (await tasks.count()); nth += 1) {
      await tasks.nth(nth).scrollIntoViewIfNeeded();
      expect((await primary(page)).length).toBeLessThan(2);
    }
    const parts = page.getByTestId("story-next");
    const story = page.getByRole("tab", { name: "Step by step" });
    if (await story.isVisible()) {
      await story.click();
      await parts.click();
      expect(await primary(page)).toHaveLength(1);
    }
  });
}

test("opened as a file, the page says why it does not start and what to do", async ({ browser }) => {
  for (const [locale, words] of [["en-GB", "opened as a file"], ["zh-CN", "作为文件打开"]] as const) {
    const page = await browser.newPage({ locale });
    await page.goto(pathToFileURL(`${DIST}/index.html`).href);
    await expect(page.getByTestId("failure")).toContainText(words);
    await expect(page.getByTestId("failure")).toContainText("python3 -m http.server");
    await page.close();
  }
});

/** Contrast of a colour that an element (or its pseudo-element) is drawn with to what is behind the element, or behind what it lies on. */
const contrast = (element: Locator, property: "background-color" | "border-top-color" | "outline-color", pseudo?: "::before" | "::after", liesOn?: string) =>
  element.evaluate(
    (element, [property, pseudo, liesOn]) => {
      const pen = document.createElement("canvas").getContext("2d", { willReadFrequently: true })!;
      const pixel = (colours: string[]) => {
        for (const colour of colours) {
          pen.fillStyle = colour;
          pen.fillRect(0, 0, 1, 1);
        }
        return pen.getImageData(0, 0, 1, 1).data;
      };
      const light = (colours: string[]) => {
        const [r = 0, g = 0, b = 0] = [...pixel(colours)].map((part) => (part / 255 <= 0.04045 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4));
        return 0.2126 * r + 0.7152 * g + 0.0722 * b + 0.05;
      };
      const behind: string[] = [];
      for (let around = (liesOn ? element.closest(liesOn) : element)?.parentElement; around; around = around.parentElement) behind.unshift(getComputedStyle(around).backgroundColor);
      const [one, other] = [light([...behind, getComputedStyle(element, pseudo).getPropertyValue(property)]), light(behind)];
      return Math.max(one, other) / Math.min(one, other);
    },
    [property, pseudo, liesOn] as const,
  );

for (const scheme of ["light", "dark"] as const) {
  test(`in forced colours everything stays visible (${scheme})`, async ({ stage }) => {
    const { page } = stage;
    await page.emulateMedia({ forcedColors: "active", colorScheme: scheme, reducedMotion: "reduce" });
    await page.setViewportSize(SIZES.laptop);
    const course = new Course(stage);
    await course.open("locks/set-nx-ex", "en");
    await page.getByTestId("panel-lanes").click();
    await course.step(1, 2, 1);
    const current = page.getByTestId("lanes").getByRole("option", { selected: true });
    await expect(current).toBeVisible();
    // The head of a request is drawn after its line.
    const arrow = page.getByTestId("lanes").locator('[data-arrow="out"][data-fate="arrives"]').first();
    expect(await contrast(arrow, "background-color", "::after")).toBeGreaterThan(3);
    expect(await contrast(arrow, "border-top-color")).toBeGreaterThan(3);
    // The ring of the track is wider than the line it lies on.
    expect(await contrast(page.getByTestId("track-head"), "border-top-color", "::before", "[aria-hidden]")).toBeGreaterThan(3);
    const line = course.program("c1").locator("[aria-current=step]");
    for (const chosen of [current, line, ...(await page.getByRole("tab", { selected: true }).all())]) {
      await expect(chosen).toHaveCSS("outline-style", "solid");
      expect(await contrast(chosen, "outline-color")).toBeGreaterThan(3);
    }
    expect(await violations(page)).toEqual([]);
    // Keys: one is chosen, one has just changed.
    await stage.open("en");
    await stage.expect("c1", "SET a 1", "OK");
    await page.getByTestId("keyspace").getByRole("option").first().click();
    await expect(page.getByTestId("keyspace").getByRole("option", { selected: true })).toHaveCSS("outline-style", "solid");
    expect(await violations(page)).toEqual([]);
  });
}

test("what programs do is named in the reader's language, and names of tallies are whole", async ({ stage }) => {
  const { page } = stage;
  await page.setViewportSize(SIZES.laptop);
  const course = new Course(stage);
  await course.open("locks/set-nx-ex", "zh-CN");
  await page.getByTestId("panel-lanes").click();
  await course.step(1, 2, 1);
  const rows = page.getByTestId("lanes").getByRole("listbox");
  await expect(rows).toContainText("睡眠 11 秒");
  await expect(rows).toContainText("工作 15 秒");
  await expect(rows).not.toContainText(/\b(sleep|work)\b/);
  // The second client of a crowd is turned away at once.
  await course.open("locks/flash-sale-lock", "zh-CN");
  await course.step(1, 2);
  const name = page.getByTestId("lanes-summary").getByText("turned-away", { exact: true });
  await expect(name).toBeVisible();
  // Heights are rounded.
  const fits = (element: Element) => element.scrollWidth <= element.clientWidth + 1 && element.scrollHeight <= element.clientHeight + 1;
  expect(await name.evaluate(fits)).toBe(true);
  const label = page.getByTestId("lanes").getByTitle("turned-away：1", { exact: true });
  await expect(label).toBeVisible();
  expect(await label.evaluate(fits)).toBe(true);
});

test("an error of Lua stays as it is, with an explanation below it", async ({ stage }) => {
  const { page } = stage;
  await page.route("**/editor.js*", (route) => route.fulfill({ contentType: "text/javascript", body: "throw new Error('not here');" }));
  await stage.open("zh-CN");
  await stage.expect("c1", `EVAL "local x return x.y" 0`, "attempt to index local 'x' (a nil value)");
  await expect(stage.log("c1")).toContainText("x 是 nil，而 nil 没有字段");
  await stage.expect("c1", `EVAL "return 1 < redis.call('GET', 'k')" 0`, "attempt to compare");
  await expect(stage.log("c1")).toContainText("而 Lua 只比较两个数字或两个字符串");
  await stage.speak("en");
  await expect(stage.log("c1")).toContainText("x is nil, and nil has no fields");
  // The same below the error that ends a program.
  const course = new Course(stage);
  await course.open("locks/oversell", "zh-CN");
  const card = course.program("c1");
  await card.getByTestId("edit").click();
  await page.getByTestId("program-text").fill("local t\nredis.call('GET', t.key)");
  await page.getByTestId("use-program").click();
  await expect(card).toContainText("attempt to index local 't' (a nil value)");
  await expect(card).toContainText("t 是 nil，而 nil 没有字段");
});

test("a splitter has a grip that is seen, and grows under the pointer and with the focus", async ({ stage }) => {
  const { page } = stage;
  await page.setViewportSize(SIZES.laptop);
  for (const colorScheme of ["light", "dark"] as const) {
    for (const forcedColors of ["none", "active"] as const) {
      await page.emulateMedia({ colorScheme, forcedColors, reducedMotion: "reduce" });
      await stage.open("en");
      const splitter = page.getByRole("separator").first();
      const grip = () => splitter.evaluate((element) => parseFloat(getComputedStyle(element, "::before").height));
      await page.mouse.move(1, 1);
      await expect(splitter).toHaveCSS("cursor", /resize/);
      expect(await contrast(splitter, "background-color", "::before")).toBeGreaterThan(3);
      const atRest = await grip();
      await splitter.hover({ force: true });
      await expect.poll(grip).toBeGreaterThan(atRest);
      await page.mouse.move(1, 1);
      await expect.poll(grip).toBe(atRest);
      await page.getByTestId("language").focus();
      await splitter.focus();
      await page.keyboard.press("ArrowRight");
      await expect.poll(grip).toBeGreaterThan(atRest);
      await splitter.blur();
    }
  }
});

test("the page is never scrolled as a whole, not even to bring something into view", async ({ stage }) => {
  const { page } = stage;
  const course = new Course(stage);
  await course.open("locks/oversell", "en");
  await course.step(1, 2, 1, 2);
  for (const place of [course.program("c1"), course.lesson(), page.getByTestId("explore-find"), page.getByTestId("track-head")]) {
    await place.evaluate((element) => element.scrollIntoView({ block: "center", inline: "center" }));
    const scrolled = await page.evaluate(() => [document.documentElement, document.body, document.querySelector("main")].map((box) => [box?.scrollLeft, box?.scrollTop]));
    expect(scrolled).toEqual([[0, 0], [0, 0], [0, 0]]);
  }
});
