// Runs axe, which finds violations of the accessibility guidelines (WCAG 2.2, level AA), in the page.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "@playwright/test";

const source = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

type Violation = { id: string; impact: string; help: string; nodes: { html: string; failureSummary: string }[] };

/** Violations as readable lines, in the whole page or in a part of it; tests expect an empty list. */
export async function violations(page: Page, within?: string): Promise<string[]> {
  await page.evaluate(source);
  const found = await page.evaluate(async ([tags, within]) => {
    const axe = (window as unknown as { axe: { run(root: Document | string, options: object): Promise<{ violations: Violation[] }> } }).axe;
    // An element that fades in does not have its final colour yet: a run of axe counts only if no fade started during it.
    let fading = true;
    for (const kind of ["animationstart", "transitionrun"]) document.addEventListener(kind, () => (fading = true), { signal: AbortSignal.timeout(60_000) });
    let found: Violation[] = [];
    for (let looks = 0; fading && looks < 10; looks++) {
      // An endless animation is not a fade-in.
      const ending = document.getAnimations().filter((each) => each.effect?.getComputedTiming().endTime !== Infinity);
      const ended = Promise.all(ending.map((each) => each.finished.catch(() => undefined)));
      // An animation whose element is no longer drawn may never finish.
      await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, 10_000))]);
      fading = false;
      found = (await axe.run(within ?? document, { runOnly: { type: "tag", values: tags } })).violations;
      // The events of a fade that started just now come with the next frame.
      for (let frame = 0; frame < 2; frame++) await new Promise((resolve) => requestAnimationFrame(resolve));
    }
    return found;
  }, [TAGS, within] as const);
  return found.flatMap(({ id, impact, help, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id} (${impact}): ${help}\n  ${html}\n  ${failureSummary}`),
  );
}
