// The explorer in Chromium: from the request to the counterexample, in a worker that is loaded, and in one that must be fetched first.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "@playwright/test";
import { startServer } from "../support/server.ts";

const file = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const BUILT = process.env.LOCKSTEP_DIST ?? file("../../dist/");
const program = (name: string) => readFileSync(file(`../../crates/world/tests/scenarios/${name}.lua`), "utf8");

type Faults = { crashes?: number; pauses?: number; losses?: number };
type Case = { name: string; property: string; steps: number | null; clients?: number; before?: string; faults?: Faults; states?: number };

/** The locks of `crates/world/tests/scenarios/`, and one whose space is larger than the search limit. */
const CASES: Case[] = [
  { name: "oversell", property: "sum end = 5 key stock tally sold", steps: 6, clients: 3, before: "SET stock 5" },
  { name: "setnx", property: "no-deadlock", steps: 2, faults: { crashes: 1 } },
  { name: "setnx-expire", property: "no-deadlock", steps: 2, faults: { crashes: 1 } },
  { name: "set-nx-ex", property: "mutual-exclusion", steps: 6 },
  { name: "set-nx-ex", property: "only-owner-releases lock", steps: 9 },
  { name: "check-then-del", property: "only-owner-releases lock", steps: 12, faults: { pauses: 1 } },
  { name: "lua-release", property: "mutual-exclusion", steps: 6 },
  { name: "lua-release", property: "only-owner-releases lock", steps: null, faults: { pauses: 1 } },
  { name: "check-then-del", property: "checks", steps: null, clients: 4, faults: { crashes: 1, pauses: 1, losses: 1 }, states: 100_000 },
];

/** The request in the text of `crates/world/src/explore/words.rs`. */
const request = ({ name, property, clients = 2, before = "PING", faults = {}, states = 200_000 }: Case) => {
  const { crashes = 0, pauses = 0, losses = 0 } = faults;
  const head = `explore 1\ngoal 0\ncrashes ${crashes}\npauses ${pauses}\nlosses ${losses}\ndepth 100\nstates ${states}\nsymmetry yes\nindependence yes\nfailed no\n\n`;
  const steps = ["+ hand 99", `hand> ${before}`, `@watch ${property}`];
  for (let client = 0; client < clients; client += 1) {
    steps.push(`+ c${client} ${client}`, `c${client}< load ${JSON.stringify(program(name))}`);
  }
  return `${head}lockstep 1\nseed 1\n\n${steps.join("\n")}\nend ${steps.length} at ${steps.length} of ${steps.length}\n`;
};

test("counterexamples and states per second, in a worker", async ({ browser }) => {
  const { server, url } = await startServer({
    "index.html": file("./explorer.html"),
    "explorer.js": `${BUILT}explorer.js`,
    "explorer-page.js": `${BUILT}explorer-page.js`,
    "explorer-page_bg.wasm": `${BUILT}explorer-page_bg.wasm`,
  }, "max-age=3600");
  console.log("program          property                  states   found after   with fetching      states/s   outcome");
  for (const each of CASES) {
    // A new context has an empty cache.
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(url);
    const search = () => page.evaluate((text) => (window as any).search(text), request(each));
    const fetched = await search();
    const found = await search();
    const [kind, ...numbers] = found.report.split("\n")[0].split(" ");
    const states = Number(numbers[kind === "broken" ? 1 : 0]);
    const schedule = found.report.trim().split("\n").length - 1;
    expect(kind === "broken" ? schedule : null, found.report).toBe(each.steps);
    const verdict = kind === "broken" ? `broken by ${schedule} steps` : found.report;
    const columns = [`${states}`.padStart(8), `${found.ms.toFixed(0)} ms`.padStart(12), `${fetched.ms.toFixed(0)} ms`.padStart(15)];
    // A small space is searched before the clock has moved.
    const rate = (states < 10_000 ? "" : `${((states / found.searchedMs) * 1000).toFixed(0)}/s`).padStart(13);
    console.log(`${each.name.padEnd(16)} ${each.property.slice(0, 24).padEnd(24)} ${columns.join(" ")} ${rate}   ${verdict}`);
    await context.close();
  }
  server.close();
});
