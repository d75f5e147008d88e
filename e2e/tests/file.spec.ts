// The page as one file, opened without a server: everything works, and nothing is asked for but the file itself.
import { pathToFileURL } from "node:url";
import { expect, test as base, type Page } from "@playwright/test";
import { Course } from "../support/course.ts";
import { activeLine } from "../support/editor.ts";
import { SINGLE } from "../support/server.ts";
import { Stage } from "../support/stage.ts";
import { watch } from "../support/watch.ts";

const ADDRESS = pathToFileURL(SINGLE).href;

/** The page in one file. */
class AsFile extends Stage {
  override url(fragment = ""): string {
    return ADDRESS + fragment;
  }
}

/** Requests of a page for anything outside the document; the list grows while the page is open. */
function outside(page: Page): string[] {
  const requests: string[] = [];
  page.on("request", (request) => {
    const isInside = /^(blob|data):/.test(request.url()) || request.url().split("#")[0] === ADDRESS;
    if (!isInside) requests.push(request.url());
  });
  return requests;
}

const test = base.extend<{ file: AsFile }>({
  file: async ({ page }, use) => {
    const [complaints, requests] = [watch(page), outside(page)];
    await use(new AsFile(page));
    expect(complaints, "complaints of the browser").toEqual([]);
    expect(requests, "requests").toEqual([]);
  },
});

test("opened as a file, the sandbox answers commands and scripts, and a reload finds the session again", async ({ file }) => {
  const blocking = file.blockingRequests();
  await file.open("en");
  await file.expect("c1", "SET a 1", "OK");
  await file.expect("c1", "EVAL \"return redis.call('INCR', 'a')\" 0", "(integer) 2");
  await file.expect("c1", "GEOADD places 116.4 39.9 beijing", "(integer) 1");
  await file.expect("c2", "XADD orders * item book", "-0");
  await file.page.reload();
  await expect(file.log("c1")).toContainText("GEOADD places");
  await file.expect("c1", "GET a", '"2"');
  expect(blocking).toEqual([]);
});

test("opened as a file, every part that is loaded later comes: editor, charts, Chinese summaries", async ({ file }) => {
  const { page } = file;
  await file.open("zh-CN");
  await file.expect("c1", "HELP GEOADD", "加入带经纬度的成员");
  await page.getByTestId("scripts-toggle").click();
  await expect(activeLine(page)).toBeVisible();
  await page.getByTestId("traffic-toggle").click();
  await expect(page.getByTestId("traffic")).toBeVisible();
  if (!(await page.getByTestId("traffic-setup").isVisible())) await page.getByTestId("traffic-set-open").click();
  await page.getByTestId("traffic-run").click();
  await expect(page.getByTestId("charts").getByRole("slider").first()).toBeVisible({ timeout: 60_000 });
});

test("opened as a file, a lesson opens, its programs step, and its search comes to a verdict", async ({ file }) => {
  const course = new Course(file);
  await course.openMap("en");
  await course.open("locks/oversell", "en");
  await course.step(1, 2);
  await file.page.getByTestId("explore-find").click();
  await expect(file.page.getByTestId("explore-result")).toHaveAttribute("data-finding", "broken", { timeout: 60_000 });
  await file.speak("zh-CN");
  await expect(course.lesson()).toHaveAttribute("lang", "zh-CN");
});

test("opened as a file, the page runs only its own scripts and asks nobody", async ({ page }) => {
  // Not watched, since what the browser refuses is a complaint.
  await page.goto(ADDRESS);
  await expect(page.getByTestId("input-0")).toBeVisible();
  const refused = await page.evaluate(async () => {
    const script = document.createElement("script");
    script.textContent = "window.hasRun = true";
    document.body.append(script);
    const isReached = await fetch("http://127.0.0.1/").then(() => true, () => false);
    return { hasRun: "hasRun" in window, isReached, manifest: document.querySelectorAll("link[rel=manifest]").length };
  });
  expect(refused).toEqual({ hasRun: false, isReached: false, manifest: 0 });
});
