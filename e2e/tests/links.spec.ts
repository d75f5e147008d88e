// Links from before worlds had several nodes: they open, and show the same as then. The exact texts of their sessions are tested
// in `crates/world/tests/sessions.rs`.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Course } from "../support/course.ts";
import { expect, test } from "../support/fixtures.ts";

const file = fileURLToPath(new URL("../support/links-of-version-1.json", import.meta.url));
const links = JSON.parse(readFileSync(file, "utf8")) as { sandbox: string; lessons: { link: string; moment: number; broken: string }[] };

for (const { link, moment, broken } of links.lessons) {
  const lesson = link.slice(link.indexOf("#"), link.indexOf("?"));
  test(`a schedule of ${lesson} in an old link`, async ({ stage }) => {
    const course = new Course(stage);
    await course.goTo(link);
    await expect(course.lesson()).toBeVisible();
    await stage.speak("en");
    await stage.page.getByTestId("last").click();
    await expect(course.broken()).toHaveCount(1);
    await expect(course.broken()).toContainText(broken);
    await expect.poll(() => course.moment()).toBe(moment);
    await stage.page.getByTestId("first").click();
    await expect(course.broken()).toHaveCount(0);
  });
}

test("a session of the sandbox in an old link", async ({ stage }) => {
  const course = new Course(stage);
  await course.goTo(links.sandbox);
  await stage.speak("en");
  const terminal = stage.page.getByTestId("client-0");
  await expect(terminal).toContainText("listens to news");
  await expect(terminal).toContainText("CONFIG SET maxmemory-policy allkeys-lru");
  await expect(stage.page.getByTestId("keyspace")).toContainText("13 keys");
});
