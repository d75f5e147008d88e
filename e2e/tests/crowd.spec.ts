// A crowd in the page: a hundred consumers and 5,000 messages produce the same ledger as natively.
import { expect, test } from "../support/fixtures.ts";

/** The text that `crowd` in `crates/world/tests/messages.rs` writes too, line by line: there the same sums are asserted. */
function crowd(): string {
  const load = (name: string, text: string) => `${name}< load "${text}"`;
  const numbers = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, nth) => from + nth);
  const producer =
    "for batch = 0, 49 do local ids = {} for n = 1, 100 do ids[n] = batch * 100 + n end " +
    "redis.call('LPUSH', 'jobs', unpack(ids)) for n = 1, 100 do produced(ids[n], ids[n] % 10) end end";
  const consumer = "while true do local job = redis.call('BRPOP', 'jobs', 0) work(1) processed(job[2]) end";
  const lines = ["+ p 0", load("p", producer)];
  for (const c of numbers(1, 100)) lines.push(`+ c${c} ${c}`, load(`c${c}`, consumer));
  lines.push(...numbers(1, 50).map(() => "p< step 0"));
  const victims = [7, 50, 93];
  for (const round of numbers(0, 49)) {
    lines.push(...numbers(1, 100).map((c) => `c${c}< step 0`));
    if (round === 20) lines.push(...victims.flatMap((c) => [`c${c}< crash`, `c${c}< restart`]));
    lines.push("@+1ms");
    const working = numbers(1, 100).filter((c) => round !== 20 || !victims.includes(c));
    lines.push(...working.reverse().map((c) => `c${c}< step 0`));
  }
  return ["lockstep 1", "", ...lines, `end ${lines.length} at ${lines.length} of ${lines.length}`, ""].join("\n");
}

test("5,000 messages and a hundred consumers produce the same ledger as natively", async ({ stage }) => {
  test.setTimeout(180_000);
  const { page } = stage;
  await stage.open("en");
  await page.getByTestId("share").click();
  await page.getByTestId("file-input").setInputFiles({ name: "crowd.lockstep", mimeType: "text/plain", buffer: Buffer.from(crowd()) });
  await expect(page.getByRole("log", { name: "What c1 sent and received" })).toContainText('"4901"', { timeout: 120_000 });
  await page.getByRole("tab", { name: "River" }).click();
  const ledger = page.getByTestId("river-ledger").locator("> summary");
  await expect(ledger).toContainText("produced 5,000");
  for (const sum of ["processed 4,997", "more than once 0", "not processed yet 3", "out of order 4,497"]) await expect(ledger).toContainText(sum);
  // Back and forward: the sums are those at the cursor.
  await page.getByTestId("first").click();
  await expect(page.getByTestId("river-ledger")).toHaveCount(0);
  await page.getByTestId("last").click();
  await expect(ledger).toContainText("processed 4,997");
});

test("programs run for a time at the speed of the clock, and can be stopped", async ({ stage }) => {
  const { page } = stage;
  const lines = [
    "+ p 0",
    `p< load "local n = 0 every(100, function() n = n + 1 redis.call('LPUSH', 'jobs', n) end)"`,
    "+ c1 1",
    `c1< load "while true do redis.call('BRPOP', 'jobs', 0) end"`,
  ];
  await stage.open("en");
  await page.getByTestId("share").click();
  const text = ["lockstep 1", "", ...lines, `end ${lines.length} at ${lines.length} of ${lines.length}`, ""].join("\n");
  await page.getByTestId("file-input").setInputFiles({ name: "rate.lockstep", mimeType: "text/plain", buffer: Buffer.from(text) });
  await page.getByRole("tab", { name: "Programs" }).click();
  await page.getByTestId("speed").selectOption({ label: "×1000" });
  await page.getByTestId("run-for").selectOption({ label: "10 s" });
  const log = page.getByRole("log", { name: "What p sent and received" });
  // Once at the beginning, and then ten times per second.
  await expect(log).toContainText("LPUSH jobs 101");
  await expect(page.getByTestId("run-for")).toBeVisible();
  await expect(log).not.toContainText("LPUSH jobs 102");
  await expect(page.getByRole("log", { name: "What c1 sent and received" })).toContainText('"101"');
  // At normal speed it takes the displayed time; it can be stopped earlier.
  await page.getByTestId("speed").selectOption({ label: "×1" });
  await page.getByTestId("run-for").selectOption({ label: "10 min" });
  await expect(log).toContainText("LPUSH jobs 105");
  await page.getByTestId("run-stop").click();
  await expect(page.getByTestId("run-for")).toBeVisible();
  const said = await log.innerText();
  // Nothing may happen for half a second, in which there would be five more updates.
  await page.evaluate(() => new Promise((done) => setTimeout(done, 500)));
  expect(await log.innerText()).toBe(said);
});
