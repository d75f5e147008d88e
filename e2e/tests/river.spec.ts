// The river: a stream in front of a class, from the first entry to a claim, and back through time.
import type { Locator } from "@playwright/test";
import { violations } from "../support/axe.ts";
import { Course } from "../support/course.ts";
import { expect, test } from "../support/fixtures.ts";
import { SIZES, type Language } from "../support/stage.ts";

/** The cells of an entry, by the start of the text in its row. */
const row = (river: Locator, entry: string) => river.getByRole("row").filter({ hasText: entry });

test("pending entries of each consumer are shown, and a claim after a consumer has left", async ({ stage }) => {
  const { page } = stage;
  await stage.open("en");
  const river = page.getByTestId("river");
  await expect(river).toHaveCount(0);
  await stage.expect("c1", "XADD orders 1-1 item book", '"1-1"');
  // It opens by itself.
  await expect(river).toBeVisible();
  await stage.expect("c1", "XADD orders 2-1 item pen", '"2-1"');
  await stage.expect("c1", "XGROUP CREATE orders shop 0", "OK");
  await stage.expect("c2", "XREADGROUP GROUP shop alice COUNT 1 STREAMS orders >", '"book"');
  await expect(row(river, "1-1").getByRole("cell")).toContainText(/alice.*×1/);
  await expect(row(river, "2-1").getByRole("cell")).toContainText("not delivered yet");
  await expect(river.getByRole("columnheader", { name: "shop" })).toContainText("1 to go");
  await stage.expect("c1", "XREADGROUP GROUP shop bob COUNT 1 STREAMS orders >", '"pen"');
  await expect(row(river, "2-1").getByRole("cell")).toContainText(/bob.*×1/);
  // In Kafka's terms a group has one offset: no entry after the oldest pending one counts as done.
  await river.getByRole("button", { name: "Kafka" }).click();
  await expect(river.getByRole("columnheader", { name: "shop" })).toContainText("committed only what is before 1-1");
  await stage.expect("c1", "XAUTOCLAIM orders shop bob 0 0 COUNT 1", '"book"');
  await expect(row(river, "1-1").getByRole("cell")).toContainText(/bob.*←alice.*×2/);
  await stage.expect("c1", "XACK orders shop 1-1", "(integer) 1");
  await expect(row(river, "1-1").getByRole("cell")).toContainText("done");
  await expect(river.getByRole("columnheader", { name: "shop" })).toContainText("committed only what is before 2-1");
  await expect(river.getByTestId("river-sums")).toContainText("delivered 2 · done 1");
  await expect(river.getByTestId("river-sums")).toContainText("delivered again 1×");
  for (let times = 0; times < 3; times += 1) await page.getByTestId("back").click();
  await expect(row(river, "1-1").getByRole("cell")).toContainText(/alice.*×1/);
  await expect(row(river, "2-1").getByRole("cell")).toContainText("not delivered yet");
  expect(await violations(page, '[data-testid="river"]')).toEqual([]);
  await stage.speak("zh-CN");
  await expect(row(river, "2-1").getByRole("cell")).toContainText("尚未投递");
  expect(await violations(page, '[data-testid="river"]')).toEqual([]);
});

test("the river can be closed and opened, and its state is kept", async ({ stage }) => {
  const { page } = stage;
  await stage.open("en");
  const [river, toggle] = [page.getByTestId("river"), page.getByTestId("river-toggle")];
  await stage.expect("c1", "XADD s 1-1 a 1", '"1-1"');
  await expect(river).toBeVisible();
  await toggle.click();
  await expect(river).toHaveCount(0);
  await stage.expect("c1", "XADD s 2-1 a 1", '"2-1"');
  await expect(river).toHaveCount(0);
  await page.reload();
  await expect(page.getByTestId("input-0")).toBeVisible();
  await expect(river).toHaveCount(0);
  await toggle.click();
  await expect(river).toBeVisible();
});

test("on a phone the river is one tap away, and the tab says what it opens", async ({ stage }) => {
  const { page } = stage;
  await page.setViewportSize(SIZES.phone);
  await stage.open("en");
  const tab = page.getByTestId("tab-tools");
  await expect(tab).toContainText("Scripts");
  await stage.type("c1", "XADD s 1-1 a 1");
  await expect(tab).toContainText("River");
  await tab.click();
  await expect(page.getByTestId("river").getByRole("rowheader", { name: /^1-1/ })).toBeInViewport();
  await page.getByRole("tab", { name: "Scripts" }).click();
  await page.getByTestId("tab-terminals").click();
  await expect(tab).toContainText("Scripts");
});

test("a queue: blocked clients, the next client served, and elements taken by a client that leaves", async ({ stage }) => {
  const { page } = stage;
  await stage.open("en");
  const queue = page.getByTestId("river-queue");
  await stage.type("c1", "BRPOP jobs 0");
  // It opens by itself.
  await expect(queue).toContainText("The queue is empty");
  await expect(queue.getByRole("list", { name: "Waiting, first come, first served" }).getByRole("listitem")).toHaveText([/c1.*BRPOP.*waits/]);
  await stage.expect("c2", "LPUSH jobs one two three", "(integer) 3");
  const taken = queue.getByRole("list", { name: "Taken out" }).getByRole("listitem");
  await expect(taken).toHaveText([/c1 took one.*Only c1 has it\./]);
  await expect(queue.getByRole("list", { name: "Elements from left to right" }).getByRole("listitem")).toHaveText(["three", "two"]);
  await stage.expect("c2", "LMOVE jobs doing RIGHT LEFT", '"two"');
  await expect(taken).toHaveText([/c1 took one/, /c2 took two.*doing still has it\./]);
  await stage.expect("c2", "LREM doing 1 two", "(integer) 1");
  await expect(taken.filter({ hasText: "c2 took" })).toContainText("Removed from doing.");
  await stage.expect("c2", "CLIENT KILL TYPE normal", "(integer) 1");
  await expect(taken).toHaveText([/Only c1 had it, and c1 has left\./, /c2 took two/]);
  expect(await violations(page, '[data-testid="river"]')).toEqual([]);
  // A stream beside it can be chosen, and the queue again.
  await stage.expect("c2", "XADD orders 1-1 item book", '"1-1"');
  await expect(page.getByTestId("river").getByRole("table")).toBeVisible();
  await page.getByTestId("river").getByRole("button", { name: "jobs" }).click();
  await expect(queue).toBeVisible();
  await stage.speak("zh-CN");
  await expect(queue).toContainText("只有 c1 取走过它，而 c1 已经离开。");
  for (let times = 0; times < 5; times += 1) await page.getByTestId("back").click();
  await expect(queue).toContainText("队列是空的");
  expect(await violations(page, '[data-testid="river"]')).toEqual([]);
});

test("of ten thousand entries and a hundred consumers only the visible ones are drawn", async ({ stage }) => {
  const { page } = stage;
  await stage.open("en");
  await stage.type("c1", 'EVAL "for n = 1, 10000 do redis.call(\'XADD\', \'s\', n .. \'-0\', \'n\', n) end redis.call(\'XGROUP\', \'CREATE\', \'s\', \'g\', \'0\') for n = 1, 100 do redis.call(\'XREADGROUP\', \'GROUP\', \'g\', \'c\' .. n, \'COUNT\', \'50\', \'STREAMS\', \'s\', \'>\') end" 0');
  const river = page.getByTestId("river");
  await expect(river).toContainText("10,000 entries");
  await expect(river.getByRole("columnheader", { name: "g 5" })).toContainText("5,000 to go");
  expect(await river.getByRole("row").count()).toBeLessThan(60);
  await stage.expect("c1", "XREADGROUP GROUP g last COUNT 1 STREAMS s >", '"5001"');
  await expect(row(river, "5001-0").getByRole("cell")).toContainText(/last.*×1/);
  await expect(row(river, "5001-0")).toBeInViewport();
  await expect(river.getByTestId("river-sums")).toHaveText("delivered 5,001 · done 0");
  // A few of the 101 consumers are named, including the one that just received an entry.
  const head = river.getByRole("columnheader", { name: /^g / });
  await expect(head.getByRole("listitem")).toHaveCount(7);
  await expect(head).toContainText("last");
  const inside = page.getByTestId("consumers");
  await expect(inside).toContainText("last");
  await expect(inside).toContainText("… 89 more");
  expect(await inside.locator("*").count()).toBeLessThan(1_500);
  // In the overview a click goes to that position.
  const far = river.getByTestId("river-far");
  const { height } = (await far.boundingBox())!;
  await far.click({ position: { x: 5, y: height * 0.9 } });
  await expect(river.getByRole("rowheader", { name: /^(8[89]|9[01])\d\d-0/ }).last()).toBeAttached();
  await far.click({ position: { x: 5, y: 0 } });
  await expect(river.getByRole("rowheader", { name: /^1-0/ })).toBeInViewport();
});

for (const language of ["en", "zh-CN"] as Language[]) {
  test(`the ledger of a lesson shows messages lost in a crash (${language})`, async ({ stage }) => {
    const { page } = stage;
    const course = new Course(stage);
    await course.open("messaging/list-queue", language);
    await page.getByTestId("explore-find").click();
    await page.getByTestId("explore-load").click();
    await page.getByTestId("last").click();
    const [ledger, queue] = [page.getByTestId("river-ledger"), page.getByTestId("river-queue")];
    await expect(ledger.locator("summary")).toContainText(language === "en" ? /produced 2.*lost 1/ : /已生产 2.*丢失 1/);
    await ledger.locator("summary").click();
    await expect(ledger.getByRole("row").filter({ hasText: "rice" })).toContainText("0");
    await expect(queue).toContainText(language === "en" ? "Only c2 had it, and c2 has left." : "只有 c2 取走过它，而 c2 已经离开。");
    // The ledger is above the queue and does not overlap it.
    const [above, below] = [await ledger.boundingBox(), await queue.boundingBox()];
    expect((above?.y ?? 0) + (above?.height ?? 0)).toBeLessThanOrEqual((below?.y ?? 0) + 1);
    expect(await violations(page, '[data-testid="river"]')).toEqual([]);
  });
}

test("channels: one message to many subscribers, and messages missed while not subscribed", async ({ stage }) => {
  const { page } = stage;
  await stage.open("en");
  const channels = page.getByTestId("river-channels");
  await stage.expect("c1", "SUBSCRIBE news", "subscribe");
  // It opens by itself.
  await expect(channels).toContainText("Nothing was published yet");
  await stage.expect("c2", "PUBLISH news hello", "(integer) 1");
  await expect(row(channels, "hello").getByRole("cell")).toContainText("heard by way of news");
  await stage.expect("c2", "PUBLISH other nobody", "(integer) 0");
  await expect(row(channels, "nobody")).toContainText("heard by no one");
  await stage.expect("c2", "CLIENT KILL TYPE pubsub", "(integer) 1");
  await stage.expect("c2", "PUBLISH news gone", "(integer) 0");
  await expect(row(channels, "gone").getByRole("cell")).toContainText("missed");
  await expect(channels.getByRole("columnheader", { name: "c1" })).toContainText("heard 1 · missed 1");
  expect(await violations(page, '[data-testid="river"]')).toEqual([]);
  // A stream beside them, and the channels again.
  await stage.expect("c2", "XADD orders 1-1 item book", '"1-1"');
  await expect(channels).toHaveCount(0);
  await page.getByTestId("river").getByRole("button", { name: "channels" }).click();
  await expect(channels).toBeVisible();
  await stage.speak("zh-CN");
  await expect(row(channels, "gone").getByRole("cell")).toContainText("错过");
  for (let times = 0; times < 2; times += 1) await page.getByTestId("back").click();
  await expect(row(channels, "gone")).toHaveCount(0);
  expect(await violations(page, '[data-testid="river"]')).toEqual([]);
});

test("a subscriber that does not read fills its output buffer, and is disconnected", async ({ stage }) => {
  const { page } = stage;
  await stage.open("en");
  const channels = page.getByTestId("river-channels");
  const c1 = channels.getByRole("columnheader", { name: "c1" });
  await stage.expect("c2", 'CONFIG SET client-output-buffer-limit "pubsub 64kb 8kb 600"', "OK");
  await stage.expect("c1", "SUBSCRIBE news", "subscribe");
  await channels.getByTestId("river-reading").press("Enter");
  await expect(stage.log("c1")).toContainText("paused, and reads nothing");
  await stage.expect("c2", "PUBLISH news one", "(integer) 1");
  await expect(row(channels, "one").getByRole("cell")).toContainText("waits in the output buffer");
  await expect(stage.log("c1")).not.toContainText("one");
  // The paused client accepts no command, and its terminal says so.
  await stage.type("c1", "PING");
  await expect(page.getByText("This client is paused")).toBeVisible();
  await channels.getByTestId("river-reading").press("Enter");
  await expect(stage.log("c1")).toContainText("one");
  await expect(row(channels, "one").getByRole("cell")).toContainText("heard by way of news");
  await channels.getByTestId("river-reading").press("Enter");
  await stage.expect("c2", "PUBLISH news two", "(integer) 1");
  await stage.expect("c2", "EVAL \"return redis.call('PUBLISH', 'news', string.rep('x', 30000))\" 0", "(integer) 1");
  await expect(c1.getByTestId("river-buffer")).toContainText("2 wait");
  await expect(c1.getByTestId("river-buffer")).toContainText("if nothing is read");
  expect(await violations(page, '[data-testid="river"]')).toEqual([]);
  await stage.expect("c2", "EVAL \"return redis.call('PUBLISH', 'news', string.rep('x', 60000))\" 0", "(integer) 1");
  await expect(stage.log("c1")).toContainText("client-output-buffer-limit");
  await expect(row(channels, "two").getByRole("cell")).toContainText("lost");
  await expect(c1).toContainText("heard 1 · missed 3");
  // A step back shows the buffer of that time.
  await page.getByTestId("back").click();
  await expect(row(channels, "two").getByRole("cell")).toContainText("waits in the output buffer");
  await stage.speak("zh-CN");
  await expect(c1.getByTestId("river-buffer")).toContainText("积压 2 条");
});

test("of ten thousand published messages only the visible ones are drawn", async ({ stage }) => {
  const { page } = stage;
  await stage.open("en");
  await stage.expect("c1", "PSUBSCRIBE n*", "psubscribe");
  await stage.type("c2", 'EVAL "for n = 1, 10000 do redis.call(\'PUBLISH\', \'news\', n) end" 0');
  const channels = page.getByTestId("river-channels");
  await expect(channels).toContainText("10,000 messages were published");
  expect(await channels.getByRole("row").count()).toBeLessThan(60);
  await expect(row(channels, "10000")).toBeInViewport();
});
