// Records the changes of the document during an action.
import type { Page } from "@playwright/test";

/** Added and removed elements, and changed attributes, inside `selector` while `act` runs, until the page is idle. */
export async function changes(page: Page, selector: string, act: () => Promise<void>, subtree = true) {
  await page.evaluate(([selector, subtree]) => {
    const seen = { added: 0, removed: 0, attributes: 0, batches: 0 };
    const observer = new MutationObserver((records) => {
      seen.batches += 1;
      for (const { type, addedNodes, removedNodes } of records) {
        if (type === "attributes") seen.attributes += 1;
        seen.added += addedNodes.length;
        seen.removed += removedNodes.length;
      }
    });
    // A selector without a match would never see a change.
    const missing = selector.split(", ").filter((part) => document.querySelector(part) === null);
    if (missing.length > 0) throw new Error(`not on the page: ${missing.join(", ")}`);
    for (const element of document.querySelectorAll(selector)) observer.observe(element, { childList: true, attributes: true, subtree });
    Object.assign(window, { seen, observer });
  }, [selector, subtree] as const);
  await act();
  return page.evaluate(async () => {
    // Two frames: later changes by a scroll or a measurement belong to the action.
    for (let frame = 0; frame < 2; frame += 1) await new Promise(requestAnimationFrame);
    await new Promise((done) => setTimeout(done, 50));
    const { seen, observer } = window as unknown as { seen: { added: number; removed: number; attributes: number; batches: number }; observer: MutationObserver };
    observer.disconnect();
    return seen;
  });
}
