// The transcripts of the course, typed into the terminals key by key: every line that the terminals then show is exactly what redis-cli prints,
// and nobody sees anything else.
import { expect, test } from "../support/fixtures.ts";
import type { Stage } from "../support/stage.ts";
import { parse, steps, TRANSCRIPTS, type Step } from "../support/transcripts.ts";

/** A longer line is pasted, which takes a fraction of the time. */
const TYPED_MAX = 100;

/** The position on the track with the time, and the lines that each client has seen since its last command, without the sentences of the page. */
async function seen(stage: Stage): Promise<{ moment: string; lines: Record<string, string[]> }> {
  return stage.page.evaluate(() => {
    const track = document.querySelector<HTMLInputElement>('[data-testid="track"]');
    const clock = document.querySelector('[data-testid="clock"]');
    const lists = [...document.querySelectorAll<HTMLElement>('[data-testid="terminal-entries"]')];
    const lines = lists.map((list) => {
      const pane = list.closest<HTMLElement>('[data-testid^="client-"]')?.dataset.testid?.slice("client-".length);
      const entries = [...list.children];
      // A command has its prompt in bold; a line of a reply is a `div`, a sentence of the page a `p`.
      const last = entries.findLastIndex((entry) => entry.querySelector(":scope > b"));
      const since = entries.slice(last + 1).flatMap((entry) => [...entry.children]);
      const printed = since.filter((child) => child.localName === "div" && !child.hasAttribute("aria-busy"));
      return [`c${Number(pane) + 1}`, printed.map((line) => line.textContent ?? "")] as const;
    });
    return { moment: `${track?.value} ${clock?.textContent}`, lines: Object.fromEntries(lines) };
  });
}

async function act(stage: Stage, { action }: Step): Promise<void> {
  const { keyboard } = stage.page;
  if ("client" in action) {
    const prompt = stage.prompt(action.client);
    while (!(await prompt.count())) await stage.page.getByTestId("add-client").click();
    await prompt.focus();
    if (action.line.length > TYPED_MAX) await keyboard.insertText(action.line);
    else await keyboard.type(action.line);
    await keyboard.press("Enter");
  } else if ("leaves" in action) {
    await stage.terminal(action.leaves).getByRole("button", { name: `Close ${action.leaves}` }).click();
  } else {
    await stage.page.getByTestId("second").click();
  }
}

async function play(stage: Stage, all: Step[]): Promise<void> {
  for (const [nth, step] of all.entries()) {
    const { moment } = await seen(stage);
    await act(stage, step);
    const order = (lines: string[]) => (step.isUnordered ? lines.map((line) => line.replace(/^ *\d+\) /, "")).sort() : lines);
    const wanted = [...step.seen].map(([client, lines]) => {
      const matched = lines.map((line) => (typeof line === "string" ? line : expect.stringMatching(line)));
      return [client, step.isUnordered ? order(matched) : matched] as const;
    });
    const now = async () => {
      const { moment: at, lines } = await seen(stage);
      return { isNew: at !== moment, seen: Object.fromEntries(wanted.map(([client]) => [client, order(lines[client] ?? [])])) };
    };
    await expect.poll(now, { message: `step ${nth + 1}: ${JSON.stringify(step.action)}`, intervals: [10, 20, 50, 100] }).toEqual({ isNew: true, seen: Object.fromEntries(wanted) });
  }
}

for (const file of TRANSCRIPTS) {
  test(`the transcripts in ${file}.txt, typed`, async ({ stage }) => {
    await stage.page.setViewportSize({ width: 1600, height: 1200 });
    await stage.open("en");
    // From now on time passes only where the transcript says so.
    await stage.page.getByTestId("run").click();
    const all = steps(file);
    expect(all.length).toBeGreaterThan(10);
    await play(stage, all);
  });
}

// `redis-cli --eval` sends an EVAL, so it is no golden script. redis-cli 7.0.15 has printed this with the file multiply.lua of the script editor.
const EVAL = `
a> redis-cli --eval multiply.lua counter , 8
(integer) 0
a> INCR counter
(integer) 1
a> redis-cli --eval multiply.lua counter , 8
(integer) 8
a> redis-cli --eval multiply.lua counter , 8
(integer) 64
a> redis-cli --eval multiply.lua counter , 2
(integer) 128
a> GET counter
"128"`;

test("a script file run by redis-cli --eval, typed", async ({ stage }) => {
  await stage.open("en");
  await play(stage, parse(EVAL));
});
