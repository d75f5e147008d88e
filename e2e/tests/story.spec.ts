// The main story of the page: block, wake, go back, branch, reload, share a link; also using only the keyboard.
import { expect, test } from "../support/fixtures.ts";
import { Stage, type Language } from "../support/stage.ts";
import { watch } from "../support/watch.ts";

/** BRPOP in one client, unblocked by another. */
async function waitAndWake(stage: Stage): Promise<void> {
  await stage.type("c1", "BRPOP jobs 0");
  await expect(stage.terminal("c1").getByTestId("blocked")).toBeVisible();
  await stage.expect("c2", "LPUSH jobs mail", "(integer) 1");
  await expect(stage.log("c1")).toContainText('2) "mail"');
}

/** Unfolds the list of steps and branches, if it is folded. */
async function showSteps(stage: Stage): Promise<void> {
  const branches = stage.page.getByTestId("branch-list");
  if (!(await branches.isVisible())) await stage.page.getByTestId("steps").click();
  await expect(branches).toBeVisible();
}

for (const language of ["en", "zh-CN"] as Language[]) {
  test(`wait, wake, go back, branch, reload, share (${language})`, async ({ stage, browser }) => {
    await stage.open(language);
    await waitAndWake(stage);

    // Back to before the BRPOP, and a new branch.
    await stage.page.getByTestId("back").click();
    await stage.page.getByTestId("back").click();
    await expect(stage.log("c1")).not.toContainText("BRPOP");
    await stage.expect("c1", "SET other story", "OK");
    await expect(stage.log("c2")).not.toContainText("LPUSH");
    await showSteps(stage);

    // A reload restores both branches.
    await stage.page.reload();
    await expect(stage.log("c1")).toContainText("SET other story");
    expect(await stage.language()).toBe(language);
    await showSteps(stage);
    await stage.page.getByTestId("branch-list").getByRole("button").first().click();
    await stage.page.getByTestId("last").click();
    await expect(stage.log("c1")).toContainText('2) "mail"');

    // Another user opens the link and sees the same.
    await stage.page.getByTestId("share").click();
    const link = await stage.page.getByTestId("share-link").inputValue();
    expect(link.length).toBeLessThan(2_000);
    const context = await browser.newContext();
    const other = new Stage(await context.newPage());
    const complaints = watch(other.page);
    await other.page.goto(link);
    await expect(other.log("c1")).toContainText('2) "mail"');
    await expect(other.log("c2")).toContainText("LPUSH jobs mail");
    await showSteps(other);
    await other.page.getByTestId("branch-list").getByRole("button").last().click();
    await expect(other.log("c1")).toContainText("SET other story");
    expect(complaints).toEqual([]);
    await context.close();
  });

  test(`the same using only the keyboard (${language})`, async ({ stage }) => {
    await stage.open(language);
    const keys = stage.page.keyboard;
    await keys.press("Alt+Digit1");
    await keys.type("BRPOP jobs 0");
    await keys.press("Enter");
    await keys.press("Alt+Digit2");
    await keys.type("lpu");
    await keys.press("Tab");
    await expect(stage.page.getByRole("option").first()).toBeVisible();
    await keys.press("Enter");
    await expect(stage.page.getByTestId("input-1")).toHaveValue("lpush ");
    await keys.type("jobs mail");
    await keys.press("Enter");
    await expect(stage.log("c1")).toContainText('2) "mail"');
    await keys.press("Alt+Comma");
    await keys.press("Alt+Comma");
    await expect(stage.log("c1")).not.toContainText("BRPOP");
    await keys.press("Alt+Period");
    await expect(stage.log("c1")).toContainText("BRPOP");
    await keys.press("Alt+Shift+Period");
    await expect(stage.log("c1")).toContainText('2) "mail"');
    await keys.press("Alt+Digit1");
    await keys.press("ArrowUp");
    await expect(stage.prompt("c1")).toHaveValue("BRPOP jobs 0");
    await keys.press("F1");
    await expect(stage.page.getByTestId("help-dialog")).toBeVisible();
    await keys.press("Escape");
    await expect(stage.page.getByTestId("help-dialog")).toBeHidden();
  });
}

test("time runs: a key expires at the next event, and exists again one step back", async ({ stage }) => {
  await stage.open("en");
  await stage.expect("c1", "SET k v EX 60", "OK");
  await expect(stage.page.getByTestId("keyspace")).toContainText("k");
  await stage.page.getByTestId("deadline").click();
  await stage.expect("c1", "GET k", "(nil)");
  await stage.page.getByTestId("back").click();
  await stage.page.getByTestId("back").click();
  await expect(stage.page.getByTestId("keyspace").getByRole("option")).toHaveCount(1);
});
