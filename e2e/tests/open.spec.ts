// The page opens: under a sub-path, within its size bound, in the language of the browser, without errors.
import { Course } from "../support/course.ts";
import { expect, test } from "../support/fixtures.ts";
import { SIZES, Stage } from "../support/stage.ts";
import { bound, squeezed } from "../support/weights.ts";

test("the first load stays within its budget", async ({ stage }) => {
  await stage.open();
  const names = await stage.firstLoad();
  expect(names.length).toBeGreaterThan(2);
  const sizes = await Promise.all(names.map(async (name) => squeezed(await (await stage.page.request.get(stage.url(name))).body())));
  expect(sizes.every((size) => size > 1), names.join(" ")).toBe(true);
  expect(sizes.reduce((a, b) => a + b, 0)).toBeLessThanOrEqual(bound("sandbox"));
});

test("the program is asked for once the boot screen is drawn, over a slow line before that, and also if nothing is drawn", async ({ stage }) => {
  const { page } = stage;
  /** When the program was asked for, when the first frame was drawn, and when the document had been read, in ms since navigation. */
  const times = async () => {
    await expect(page.getByTestId("input-1")).toBeVisible();
    return page.evaluate(() => {
      const entries = performance.getEntriesByType("resource").filter(({ name }) => /page-\w+_bg\.wasm/.test(name));
      const [document] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
      return { asked: entries[0]?.startTime ?? NaN, frame: (window as { frame?: number }).frame ?? Infinity, read: document?.domInteractive ?? NaN };
    });
  };
  await page.addInitScript(() => {
    const draw = requestAnimationFrame;
    draw((at) => Object.assign(window, { frame: at }));
    // The first request for a frame is never answered.
    if (location.hash === "#dark") window.requestAnimationFrame = () => { window.requestAnimationFrame = draw; return 0; };
    // The first reading of the clock says how long the document took.
    const took = location.hash === "#slow" ? 400 : 10;
    performance.now = () => { Reflect.deleteProperty(performance, "now"); return took; };
  });
  const open = async (fragment: string) => {
    await page.goto("about:blank");
    await page.goto(stage.url(fragment));
    return times();
  };
  const fast = await open("");
  expect(fast.asked).toBeGreaterThan(fast.frame);
  expect((await open("#dark")).asked).toBeGreaterThan(fast.read);
  const slow = await open("#slow");
  expect(slow.asked).toBeLessThanOrEqual(slow.read);
});

test("a line waits for the chunk that it needs, everything after it waits too, and a notice says so", async ({ page }) => {
  // The browser itself reports failed requests, so this page is not watched for errors.
  const stage = new Stage(page);
  const blocking = stage.blockingRequests();
  let isCut = true;
  await stage.page.route("**/*_ordered.wasm*", (route) => (isCut ? route.abort("failed") : route.continue()));
  await stage.open("en");
  await stage.expect("c1", "SET a 1", "OK");
  await stage.type("c1", "ZADD ranking 1 a");
  await stage.type("c2", "TYPE ranking");
  await stage.type("c1", "HELP GET");
  await stage.type("c1", "GET a");
  await expect(stage.page.getByTestId("loading")).toContainText("network does not answer");
  await expect(stage.log("c1")).not.toContainText(/ZADD|GET a/);
  await expect(stage.log("c2")).not.toContainText("TYPE");
  isCut = false;
  await expect(stage.log("c2")).toContainText("zset");
  await expect(stage.log("c1")).toContainText("GET a");
  const typed = (await stage.transcript("c1")).match(/ZADD|HELP GET|GET a/g);
  expect(typed).toEqual(["ZADD", "HELP GET", "GET a"]);
  await expect(stage.page.getByTestId("loading")).toHaveCount(0);
  expect(blocking).toEqual([]);
});

test("commands of several clients run in the order of typing while chunks arrive one by one", async ({ stage }) => {
  const gates = new Map<string, () => void>();
  for (const chunk of ["ordered", "rest"]) {
    const opened = new Promise<void>((open) => gates.set(chunk, open));
    await stage.page.route(`**/*_${chunk}.wasm*`, async (route) => opened.then(() => route.continue()));
  }
  await stage.open("en");
  await stage.type("c1", "BRPOP jobs 0");
  await stage.page.keyboard.press("Alt+Digit2");
  await stage.page.keyboard.type("LPUSH jobs mai");
  await expect(stage.prompt("c2")).toHaveValue("LPUSH jobs mai");
  await stage.page.keyboard.type("l");
  await stage.page.keyboard.press("Enter");
  await expect(stage.log("c2")).not.toContainText("LPUSH");
  gates.get("ordered")?.();
  await expect(stage.log("c1")).toContainText('2) "mail"');
  await stage.page.getByTestId("back").click();
  await expect(stage.terminal("c1").getByTestId("blocked")).toBeVisible();
  // A dialog needs another chunk.
  await stage.page.getByTestId("share").click();
  await expect(stage.page.getByRole("dialog")).toHaveCount(0);
  gates.get("rest")?.();
  await expect(stage.page.getByRole("dialog")).toBeVisible();
});

test("dialogs, scripts and help wait for their chunk", async ({ page }) => {
  // The browser itself reports failed requests, so this page is not watched for errors.
  const stage = new Stage(page);
  const blocking = stage.blockingRequests();
  let isCut = true;
  await stage.page.route("**/*_rest.wasm*", (route) => (isCut ? route.abort("failed") : route.continue()));
  await stage.open("en");
  await stage.page.getByTestId("share").click();
  await expect(stage.page.getByTestId("loading")).toContainText("network does not answer");
  isCut = false;
  await expect(stage.page.getByRole("dialog")).toBeVisible();
  expect(blocking).toEqual([]);
});

test("traffic begins to run when its chunk is here, and lines typed before that run after it", async ({ stage }) => {
  const blocking = stage.blockingRequests();
  let open = () => {};
  const gate = new Promise<void>((resolve) => { open = resolve; });
  await stage.page.route("**/*_stretch.wasm*", async (route) => gate.then(() => route.continue()));
  const course = new Course(stage);
  await course.open("cache/penetration", "en");
  const before = await course.moment();
  await stage.page.getByTestId("traffic-run").click();
  await course.show("terminals");
  const prompt = stage.page.getByTestId("input-1");
  await prompt.fill("INCR typed");
  await prompt.press("Enter");
  await expect(stage.page.getByTestId("loading")).toBeVisible();
  expect(await course.moment()).toBe(before);
  await expect(course.log("c1")).not.toContainText("(integer) 1");
  open();
  await expect(course.log("c1")).toContainText("(integer) 1");
  await expect.poll(() => course.moment()).toBeGreaterThanOrEqual(before + 2);
  await expect(stage.page.getByTestId("long-script")).toHaveCount(0);
  expect(blocking).toEqual([]);
});

test("once loaded, the page works without the network", async ({ page }) => {
  // The browser itself reports failed requests, so this page is not watched for errors.
  const stage = new Stage(page);
  const blocking = stage.blockingRequests();
  await stage.open("en");
  await stage.fetchedAhead();
  await page.context().setOffline(true);
  await stage.expect("c1", "SET a 1", "OK");
  await stage.expect("c1", "GEOADD places 116.4 39.9 beijing", "(integer) 1");
  await stage.expect("c1", "EVAL 'return redis.call(\"INCR\", KEYS[1])' 1 a", "(integer) 2");
  await stage.type("c1", "HELP GEOADD");
  await expect(stage.log("c1")).toContainText("GEOADD key");
  await stage.page.getByTestId("scripts-toggle").click();
  await expect(stage.page.getByTestId("script-text")).toBeVisible();
  await stage.page.getByTestId("to-course").click();
  await stage.page.getByTestId("lesson-locks-set-nx-ex").getByRole("link").click();
  const course = new Course(stage);
  await expect(course.lesson()).toBeVisible();
  await course.step(1, 2);
  await stage.page.getByTestId("explore-find").click();
  await expect(stage.page.getByTestId("explorer")).toContainText(/states|broken|holds/i);
  await stage.page.getByTestId("to-sandbox").click();
  await expect(stage.log("c1")).toContainText("GEOADD places");
  expect(blocking).toEqual([]);
});

test("a file inside the document is used instead of the network", async ({ stage }) => {
  await stage.open("en");
  await stage.fetchedAhead();
  const found = await stage.page.evaluate(async () => {
    const element = document.createElement("script");
    element.type = "text/plain";
    element.id = "asset:inside.txt";
    const packed = new Blob(["inside"]).stream().pipeThrough(new CompressionStream("gzip"));
    element.textContent = btoa(String.fromCharCode(...new Uint8Array(await new Response(packed).arrayBuffer())));
    document.head.append(element);
    const { lockstep } = window as unknown as { lockstep: { text(name: string): Promise<string> } };
    return lockstep.text("inside.txt");
  });
  expect(found).toBe("inside");
});

test("a function that cannot wait never ends the session", async ({ page }) => {
  // The browser itself reports failed requests, so this page is not watched for errors.
  const stage = new Stage(page);
  let isCut = true;
  const messages: string[] = [];
  await stage.page.route("**/*_commands.wasm*", (route) => (isCut ? route.abort("failed") : route.continue()));
  await stage.open("en");
  await stage.expect("c1", "SET a 1", "OK");
  stage.page.on("dialog", async (dialog) => {
    messages.push(dialog.message());
    isCut = false;
    await dialog.accept();
  });
  await stage.page.evaluate(() => (window as unknown as { lockstep: { joinNow(place: number): void } }).lockstep.joinNow(0));
  expect(messages).toEqual([expect.stringContaining("Nothing is lost")]);
  await stage.expect("c1", "GET a", '"1"');
});

test("a command is answered without any click before it", async ({ stage }) => {
  await stage.open("en");
  await stage.page.keyboard.type("SET lesson 1");
  await stage.page.keyboard.press("Enter");
  await expect(stage.log("c1")).toContainText("OK");
});

for (const [locale, language] of [["en-GB", "en"], ["zh-CN", "zh-CN"], ["fr-FR", "en"]] as const) {
  test.describe(() => {
    test.use({ locale });
    test(`a browser with locale ${locale} gets the page in ${language}`, async ({ stage }) => {
      await stage.open();
      expect(await stage.language()).toBe(language);
    });
  });
}

for (const [name, viewport] of Object.entries(SIZES)) {
  test.describe(() => {
    test.use({ viewport });
    test(`no content is wider than the window of a ${name}`, async ({ stage }) => {
      for (const language of ["en", "zh-CN"] as const) {
        await stage.open(language);
        const { inner, scroll } = await stage.page.evaluate(() => ({ inner: innerWidth, scroll: document.documentElement.scrollWidth }));
        expect(scroll).toBeLessThanOrEqual(inner);
      }
    });
  });
}
