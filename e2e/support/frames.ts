// Counts the frames that a page draws: while they come, nothing blocks it.
import type { Page } from "@playwright/test";

/** The number of frames drawn since the first call. */
export async function frames(page: Page): Promise<number> {
  return page.evaluate(() => {
    const counted = window as unknown as { drawn?: number };
    if (counted.drawn === undefined) {
      counted.drawn = 0;
      const count = () => {
        counted.drawn! += 1;
        requestAnimationFrame(count);
      };
      requestAnimationFrame(count);
    }
    return counted.drawn;
  });
}
