// Parts of the editor with colours that have no role or test id.
import type { Locator, Page } from "@playwright/test";

/** The line with the cursor. CodeMirror's markup has only classes. */
export function activeLine(page: Page): Locator {
  return page.locator(".cm-activeLine");
}
