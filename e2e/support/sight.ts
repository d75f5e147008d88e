// Measures the size of text on the screen, for readers in the last row.
import type { Page } from "@playwright/test";

/** A piece of text that is too small: its height in px, its element, and its first letters. */
export type Small = { px: number; where: string; text: string };

/** Every visible text below `floor` px. Drawings that are scaled count as they appear; marks without letters or digits are pictures. */
export async function textBelow(page: Page, floor: number): Promise<Small[]> {
  return page.evaluate((floor) => {
    const found: Small[] = [];
    // Words for screen readers are hidden in this way.
    const isCut = (element: Element | null): boolean => element !== null && (getComputedStyle(element).clipPath === "inset(50%)" || isCut(element.parentElement));
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const range = document.createRange();
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const element = node.parentElement;
      const text = node.nodeValue?.trim() ?? "";
      if (!element || !/[\p{L}\p{N}]/u.test(text) || element.closest("style, script, template, option")) continue;
      if (!element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
      range.selectNodeContents(node);
      const box = range.getBoundingClientRect();
      const isSeen = box.width > 1.5 && box.height > 1.5 && box.bottom > 0 && box.top < innerHeight && box.right > 0 && box.left < innerWidth;
      if (!isSeen || isCut(element)) continue;
      const scale = element instanceof SVGGraphicsElement ? Math.abs(element.getScreenCTM()?.d ?? 1) : 1;
      const px = Number.parseFloat(getComputedStyle(element).fontSize) * scale;
      if (px < floor - 0.01) {
        const name = (each: Element) => each.tagName.toLowerCase() + [...each.classList].map((one) => "." + one).join("");
        found.push({ px: Math.round(px * 10) / 10, where: `${element.parentElement ? name(element.parentElement) + " > " : ""}${name(element)}`, text: text.slice(0, 40) });
      }
    }
    const first = new Map<string, Small>();
    for (const each of found) if (!first.has(`${each.where} ${each.px}`)) first.set(`${each.where} ${each.px}`, each);
    return [...first.values()];
  }, floor);
}
