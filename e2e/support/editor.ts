// What is in the editor with colours and has no name of its own.
import type { Locator, Page } from "@playwright/test";

/** The line with the cursor. CodeMirror's own markup: it has nothing else to hold on to. */
export function activeLine(page: Page): Locator {
  return page.locator(".cm-activeLine");
}
