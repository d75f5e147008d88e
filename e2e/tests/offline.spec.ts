// The service worker: after one visit the page opens without a network, and a deploy is never mixed with the build before it.
import { createHash } from "node:crypto";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium, expect, test as base, type BrowserContext, type Page } from "@playwright/test";
import { browser } from "../support/browser.ts";
import { Course } from "../support/course.ts";
import { activeLine } from "../support/editor.ts";
import { DIST, startServer } from "../support/server.ts";
import { SIZES, Stage } from "../support/stage.ts";

const sha256 = (text: string | Buffer) => createHash("sha256").update(text).digest("base64");
const buildOf = (folder: string) => /BUILD ?= ?"([0-9a-f]+)"/.exec(readFileSync(join(folder, "service.js"), "utf8"))![1]!;

/** A copy of the build with another mark, as a later deploy would have it. */
function nextBuild(folder: string): void {
  const [service, document] = [join(folder, "service.js"), join(folder, "index.html")];
  const mark = (file: string) => readFileSync(file, "utf8").replaceAll(buildOf(DIST), "feed");
  const before = sha256(readFileSync(document));
  let html = mark(document);
  // The policy names the scripts by their digests, in order.
  const scripts = [...html.matchAll(/<script>([\s\S]*?)<\/script>/g)].map(([, script]) => `'sha256-${sha256(script ?? "")}'`);
  html = html.replace(/'sha256-[^;]*(?=;)/, scripts.join(" "));
  writeFileSync(document, html);
  writeFileSync(service, mark(service).replace(before, sha256(readFileSync(document))));
}

/** A server of its own, whose files can change and which can stop. */
class Host {
  private constructor(
    readonly url: string,
    readonly stop: () => Promise<void>,
    readonly folder: string,
    readonly later: string,
  ) {}

  private current = "";

  static async start(): Promise<Host> {
    const copies = mkdtempSync(join(tmpdir(), "lockstep-offline-"));
    const [folder, later] = [join(copies, "now"), join(copies, "later")];
    for (const copy of [folder, later]) cpSync(DIST, copy, { recursive: true });
    nextBuild(later);
    let host: Host | undefined;
    const { server, url } = await startServer({}, "no-cache", () => host?.current || folder);
    const stop = async () => {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    };
    host = new Host(url, stop, folder, later);
    return host;
  }

  /** From now on the files are those of the later build. */
  deploy(): void {
    this.current = this.later;
  }

  async end(): Promise<void> {
    await this.stop().catch(() => undefined);
    rmSync(join(this.folder, ".."), { recursive: true, force: true });
  }
}

/** A page of this host. */
class OfHost extends Stage {
  constructor(
    page: Page,
    readonly host: Host,
  ) {
    super(page);
  }

  override url(fragment = ""): string {
    return this.host.url + fragment;
  }

  /** Waits until a service worker has kept this build. */
  async isKept(build: string): Promise<void> {
    await this.fetchedAhead();
    const kept = async () => {
      const active = (await navigator.serviceWorker.getRegistration())?.active;
      const isActive = active?.state === "activated" && !!navigator.serviceWorker.controller;
      // The document comes last.
      const isComplete = async (cacheName: string) => !!(await caches.match(new URL("./", location.href).href, { cacheName }));
      const names = isActive ? await caches.keys() : [];
      return (await Promise.all(names.map(async (name) => ((await isComplete(name)) ? name : "")))).join();
    };
    await expect.poll(() => this.page.evaluate(kept)).toContain(build);
  }

  /** The build of the document in this page. */
  async build(): Promise<string | undefined> {
    const text = await this.page.content();
    return [buildOf(this.host.folder), "feed"].find((build) => text.includes(`"${build}"`));
  }
}

// Each test has a browser of its own, so that what other tests leave in theirs touches no service worker.
const test = base.extend<{ host: Host; own: BrowserContext; kept: OfHost }>({
  host: async ({}, use) => {
    const host = await Host.start();
    await use(host);
    await host.end();
  },
  own: async ({}, use) => {
    const program = await chromium.launch(browser.launchOptions);
    await use(await program.newContext({ viewport: SIZES.laptop, locale: "en-GB", serviceWorkers: "allow" }));
    await program.close();
  },
  kept: async ({ own, host }, use) => {
    const errors: string[] = [];
    const page = await own.newPage();
    page.on("pageerror", (error) => errors.push(error.message));
    await use(new OfHost(page, host));
    expect(errors, "uncaught errors").toEqual([]);
  },
});

test("after one visit everything works without a network: sandbox, lessons, scripts, the search, the editor, charts", async ({ kept, host }) => {
  await kept.open("en");
  await kept.isKept(buildOf(host.folder));
  await host.stop();
  // A new document, with the session of the visit before.
  await kept.expect("c1", "SET a 1", "OK");
  await kept.page.reload();
  await expect(kept.terminal("c1")).toContainText("SET a 1");
  await kept.expect("c1", "EVAL \"return redis.call('INCR', 'a')\" 0", "(integer) 2");
  await kept.expect("c1", "GEOADD places 116.4 39.9 beijing", "(integer) 1");
  await kept.speak("zh-CN");
  await kept.expect("c1", "HELP GEOADD", "加入带经纬度的成员");
  await kept.page.getByTestId("scripts-toggle").click();
  await expect(activeLine(kept.page)).toBeVisible();
  await kept.page.getByTestId("traffic-toggle").click();
  await expect(kept.page.getByTestId("traffic")).toBeVisible();
  if (!(await kept.page.getByTestId("traffic-setup").isVisible())) await kept.page.getByTestId("traffic-set-open").click();
  await kept.page.getByTestId("traffic-run").click();
  await expect(kept.page.getByTestId("charts").getByRole("slider").first()).toBeVisible({ timeout: 60_000 });
  const course = new Course(kept);
  for (const [lesson, language] of [["locks/setnx-expire", "en"], ["locks/redisson", "zh-CN"], ["lua/write-behind", "zh-CN"]] as const) {
    await kept.page.goto("about:blank");
    await course.open(lesson, language);
    await course.step(1);
  }
  await kept.page.goto("about:blank");
  await course.open("locks/setnx-expire", "en");
  await kept.page.getByTestId("explore-find").click();
  await expect(kept.page.getByTestId("explore-result")).toContainText(/./);
  await expect(kept.page.getByTestId("explore-result")).toHaveAttribute("data-finding", /^(?!running)/);
});

test("a server that answers with errors is as good as none", async ({ kept, host }) => {
  await kept.open("en");
  await kept.isKept(buildOf(host.folder));
  // What is asked for is not there any more.
  rmSync(host.folder, { recursive: true });
  await kept.page.reload();
  await kept.expect("c1", "PING", "PONG");
});

test("nothing is stale after a deploy, and a tab of the build before keeps working and says so", async ({ kept, own, host }) => {
  await kept.open("en");
  await kept.isKept(buildOf(host.folder));
  await kept.expect("c1", "SET mine 1", "OK");
  host.deploy();
  const second = new OfHost(await own.newPage(), host);
  await second.open("en");
  expect(await second.build(), "the document is that of the deploy at once").toBe("feed");
  await second.isKept("feed");
  // The first tab hears of it, and still opens what only its own build has.
  await expect(kept.page.getByTestId("notice")).toContainText("A newer version");
  expect(await kept.build()).toBe(buildOf(host.folder));
  const course = new Course(kept);
  await kept.page.evaluate(() => { location.hash = "#learn/locks/oversell"; });
  await expect(course.lesson()).toBeVisible();
  await course.step(1);
  await kept.page.evaluate(() => { location.hash = ""; });
  await expect(kept.terminal("c1")).toContainText("SET mine 1");
  await Promise.all([kept.page.waitForEvent("load"), kept.page.getByTestId("notice-reload").click()]);
  expect(await kept.build()).toBe("feed");
  await expect(kept.terminal("c1")).toContainText("SET mine 1");
  await expect(kept.page.getByTestId("notice")).toBeHidden();
  // Without a network it is the newer build, whole.
  await host.stop();
  await kept.page.reload();
  expect(await kept.build()).toBe("feed");
  await kept.expect("c1", "GET mine", '"1"');
});

test("files of a build that is being copied are not kept", async ({ kept, host }) => {
  const broken = join(host.folder, "lessons", "locks", "oversell.zh-CN.bin");
  const whole = readFileSync(broken);
  writeFileSync(broken, whole.subarray(0, whole.length / 2));
  await kept.open("en");
  await kept.fetchedAhead();
  // The attempt has begun, and it ends without a service worker.
  const attempts = () => kept.page.evaluate(async () => (await caches.keys()).length);
  await expect.poll(attempts).toBe(1);
  const isOver = async () => {
    const found = await navigator.serviceWorker.getRegistration();
    return !found?.installing && !found?.waiting && !found?.active;
  };
  await expect.poll(() => kept.page.evaluate(isOver)).toBe(true);
  await kept.expect("c1", "PING", "PONG");
  writeFileSync(broken, whole);
  await kept.page.reload();
  await kept.isKept(buildOf(host.folder));
});

test("the page can be installed", async ({ kept, own }) => {
  await kept.open("en");
  const session = await own.newCDPSession(kept.page);
  const { installabilityErrors } = (await session.send("Page.getInstallabilityErrors")) as { installabilityErrors: { errorId: string }[] };
  expect(installabilityErrors.filter(({ errorId }) => errorId !== "in-incognito")).toEqual([]);
  const icons = await kept.page.evaluate(async () => {
    const manifest = await (await fetch("lockstep.webmanifest")).json();
    return Promise.all(manifest.icons.map(async ({ src, type }: { src: string; type: string }) => {
      const picture = await createImageBitmap(await (await fetch(src)).blob()).catch(() => undefined);
      return `${type} ${picture?.width ?? "any"}`;
    }));
  });
  expect(icons).toEqual(["image/svg+xml any", "image/png 192", "image/png 512"]);
});
