// A lesson using only the keyboard: the actions of a user without a pointer, with checks of the focus.
import { expect, type Locator } from "@playwright/test";
import type { Course } from "./course.ts";
import { clients } from "./lesson-file.ts";
import type { Language } from "./stage.ts";

/** The menu items for the actions in the lines of a lesson. */
const ACTS: Record<string, Record<Language, string>> = {
  crash: { en: "Crash", "zh-CN": "宕机" },
  pause: { en: "Pause", "zh-CN": "暂停" },
  resume: { en: "Resume", "zh-CN": "恢复" },
};

/** Elements at which the Tab key stops. If it also stops elsewhere, the test presses it more often. */
const STOPS = "a[href], button:enabled, input:enabled, select:enabled, textarea:enabled, summary, [tabindex], [contenteditable=true]";

/** A control that is not reached after this many attempts counts as unreachable. */
const ATTEMPTS = 25;

/** Moves the focus to a control by Tab, backwards if the control comes before the focus. */
export async function tabTo(where: Locator): Promise<void> {
  const { keyboard } = where.page();
  await expect(where).toBeVisible();
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const presses = await where.evaluate((node, stops) => {
      const at = document.activeElement;
      if (at === node) return 0;
      // It is unknown from where the Tab key continues.
      if (!at || at === document.body) return 1;
      const comesAfter = (one: Element, other: Element) => (one.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0;
      const isForward = comesAfter(at, node);
      const [from, to] = isForward ? [at, node] : [node, at];
      const isStop = (each: Element) => each instanceof HTMLElement && each.tabIndex >= 0 && each.checkVisibility({ visibilityProperty: true });
      const between = [...document.querySelectorAll(stops)].filter((each) => isStop(each) && comesAfter(from, each) && comesAfter(each, to));
      return (between.length + 1) * (isForward ? 1 : -1);
    }, STOPS);
    if (presses === 0) return;
    for (let press = 0; press < Math.abs(presses); press += 1) await keyboard.press(presses > 0 ? "Tab" : "Shift+Tab");
  }
  throw new Error("the Tab key does not lead there");
}

/** Chooses a tab by the arrows of its list. Each press selects the next tab. */
export async function chooseTab(tab: Locator): Promise<void> {
  const list = tab.page().getByRole("tablist").filter({ has: tab });
  const selected = list.getByRole("tab", { selected: true });
  await tabTo(selected);
  for (let presses = await list.getByRole("tab").count(); presses > 0; presses -= 1) {
    const name = await selected.textContent();
    if (name === (await tab.textContent())) break;
    // A press before the last one has its effect would go past the tab; without any effect a reader presses again.
    await expect(async () => {
      await tabTo(selected);
      await tab.page().keyboard.press("ArrowRight");
      await expect(selected, `the arrow did not lead on from “${name}”`).not.toHaveText(name ?? "", { timeout: 5_000 });
    }).toPass({ timeout: 20_000 });
  }
  await expect(tab).toHaveAttribute("aria-selected", "true");
  // The focus stays among the tabs on the way to the next tab.
  await expect(tab).toBeFocused();
}

export class Keys {
  constructor(readonly course: Course, readonly lesson: string) {}

  private get page() {
    return this.course.stage.page;
  }

  /** Goes to a control by Tab and presses a key on it. */
  async press(where: Locator, key = "Enter"): Promise<void> {
    await tabTo(where);
    await this.page.keyboard.press(key);
  }

  /** Checks that the focus is in the page, so that the next Tab continues from there. */
  async holdFocus(): Promise<void> {
    await expect.poll(() => this.page.evaluate(() => document.activeElement !== document.body), "the focus is lost").toBe(true);
  }

  /** Replaces the text of a task's editor and runs its checks, which leave the editor open and the focus in it; closes it when they have
   * led to this result. */
  async writeAndCheck(editor: Locator, text: string, result: Locator, timeout: number): Promise<void> {
    const { keyboard } = this.page;
    await tabTo(editor);
    await keyboard.press("ControlOrMeta+a");
    await keyboard.insertText(text);
    await keyboard.press("ControlOrMeta+Enter");
    await expect(result).toBeVisible({ timeout });
    await expect(editor).toBeFocused();
    // In the editor Tab indents, except after Escape.
    await keyboard.press("Escape");
    await keyboard.press("Tab");
    await this.press(this.page.getByTestId("use-program"));
    await expect(editor).toHaveCount(0);
    await this.holdFocus();
  }

  /** Brings a panel to the front by the arrows of its tabs. */
  async show(panel: string): Promise<void> {
    await chooseTab(this.page.getByTestId(`panel-${panel}`));
  }

  /** Each of these lines is a step: typed, `c1> GET a`; taken by a digit, `c1< step 0`; by the clock, `@+5000ms`, which goes to the next
   * deadline; or chosen in the menu of a program, `c1< crash`. */
  async play(lines: string[]): Promise<void> {
    for (const line of lines) {
      const before = await this.course.moment();
      await this.act(line);
      await expect.poll(() => this.course.moment(), { message: line, intervals: [50] }).toBe(before + 1);
    }
  }

  private async act(line: string): Promise<void> {
    const { keyboard } = this.page;
    const [, name = "", sign, words = ""] = line.match(/^(\w*)(>|<) (.*)$/) ?? [];
    if (sign === ">") {
      const prompt = this.page.getByTestId(`input-${this.place(name)}`);
      if (!(await prompt.isVisible())) await this.show("terminals");
      await tabTo(prompt);
      await keyboard.type(words);
      await keyboard.press("Enter");
    } else if (line.startsWith("@")) {
      await this.leavePrompt();
      await keyboard.press("KeyJ");
    } else if (words === "step 0") {
      await this.leavePrompt();
      await keyboard.press(`Digit${this.place(name)}`);
    } else {
      await this.choose(name, words);
    }
  }

  /** Leaves a text field, in which the keys of the page have another meaning. */
  private async leavePrompt(): Promise<void> {
    await this.page.keyboard.press("Escape");
  }

  /** Chooses in the menu of a client's program, which then closes. */
  private async choose(client: string, act: string): Promise<void> {
    const card = this.page.getByTestId(`program-${this.place(client)}`);
    if (!(await card.isVisible())) await this.show("programs");
    const menu = card.getByTestId("program-acts");
    await this.press(card.getByTestId("program-menu"));
    const name = ACTS[act]?.[(await this.course.stage.language()) as Language];
    if (!name) throw new Error(`no menu has ${act}`);
    await this.press(menu.getByRole("button", { name, exact: true }));
    await expect(menu).toBeHidden();
  }

  /** The position of a client on the stage, from 1. */
  private place(name: string): number {
    const place = clients(this.lesson).indexOf(name) + 1;
    if (place === 0) throw new Error(`${this.lesson} has no client ${name}`);
    return place;
  }
}
