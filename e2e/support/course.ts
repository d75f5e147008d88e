// Actions of a learner in the course, and what the learner sees.
import { readFileSync, readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, type Locator } from "@playwright/test";
import type { Language, Stage } from "./stage.ts";

const FOLDER = fileURLToPath(new URL("../../lessons/", import.meta.url));
const folders = (path: string) => readdirSync(path, { withFileTypes: true }).filter((entry) => entry.isDirectory()).map(({ name }) => name);

/** Every lesson: `locks/setnx` … */
export const LESSONS = folders(FOLDER).flatMap((track) => folders(FOLDER + track).map((lesson) => `${track}/${lesson}`));

const toml = (lesson: string) => readFileSync(`${FOLDER}${lesson}/lesson.toml`, "utf8");

/** Whether clients of a lesson run programs; in other lessons the learner types, or there is traffic. */
export const hasPrograms = (lesson: string) => /^program = /m.test(toml(lesson));

/** The names of a lesson's tasks. */
export const tasks = (lesson: string) => [...toml(lesson).matchAll(/^\[\[task\]\]\nid = "(.+)"$/gm)].map(([, id]) => id);

/** Whether a lesson has traffic. */
export const hasTraffic = (lesson: string) => /^traffic = /m.test(toml(lesson));

export class Course {
  /** Panels that are alone in their region. */
  private alone: string[] = [];

  constructor(readonly stage: Stage) {}

  /** Opens the map of the course and waits for its lessons. */
  async openMap(language?: Language): Promise<void> {
    await this.goTo("#learn");
    await expect(this.stage.page.getByTestId("continue")).toBeVisible();
    if (language) await this.stage.speak(language);
  }

  /** Brings the panel with this name to the front of its region; a panel that is alone there has no tab. */
  async show(panel: string): Promise<void> {
    if (!this.alone.includes(panel)) await this.stage.page.getByTestId(`panel-${panel}`).click();
  }

  /** Opens a lesson, `locks/setnx`, and waits until its stage is ready. */
  async open(lesson: string, language?: Language): Promise<void> {
    await this.goTo(`#learn/${lesson}`);
    await expect(this.lesson()).toBeVisible();
    this.alone = hasPrograms(lesson) || hasTraffic(lesson) ? [] : ["terminals"];
    if (!language) return;
    await this.stage.speak(language);
    // The text in another language is fetched; until then the old one stays.
    await expect(this.lesson()).toHaveAttribute("lang", language);
  }

  /** Follows a link that contains a session, from any page. */
  async follow(link: string): Promise<void> {
    const { page } = this.stage;
    // If the page is already open, the address changes first and then the page reloads.
    await Promise.all([page.waitForEvent("load"), page.goto(link)]);
    await expect(this.lesson()).toBeVisible();
  }

  /** The card of a lesson on the map. */
  card(lesson: string): Locator {
    return this.stage.page.getByTestId(`lesson-${lesson.replace("/", "-")}`);
  }

  /** The text of the open lesson. */
  lesson(): Locator {
    return this.stage.page.getByTestId("lesson");
  }

  /** The pane of a lesson's client, `c1` …; client 0 has set up the stage and left. */
  terminal(client: string): Locator {
    return this.stage.page.getByTestId(`client-${client.slice(1)}`);
  }

  log(client: string): Locator {
    return this.terminal(client).getByRole("log");
  }

  /** Types a line as a client of the lesson and waits for what its terminal then shows. */
  async expect(client: string, line: string, reply: string): Promise<void> {
    await this.show("terminals");
    const prompt = this.stage.page.getByTestId(`input-${client.slice(1)}`);
    await prompt.fill(line);
    await prompt.press("Enter");
    await expect(this.log(client)).toContainText(reply);
  }

  /** Opens a part of the lesson's text: `flow`, the explanations and tasks, or `story`, the story step by step. */
  async turnTo(part: "flow" | "story"): Promise<void> {
    await this.stage.page.getByTestId(`part-${part}`).click();
  }

  /** Steps the programs of the clients in these positions, from 1, by their digit keys; waits for each step before the next. */
  async step(...places: number[]): Promise<void> {
    for (const place of places) {
      // The keys work once the programs are shown.
      await expect(this.stage.page.getByTestId(/^program-\d+$/).nth(place - 1)).toBeAttached();
      const before = await this.moment();
      await this.stage.page.keyboard.press(`Digit${place}`);
      await expect.poll(() => this.moment()).toBe(before + 1);
    }
  }

  /** Lets the time pass for which the program of this client, `c1` …, sleeps. */
  async pass(client: string): Promise<void> {
    const before = await this.moment();
    await this.goOn(client).click();
    await expect.poll(() => this.moment()).toBe(before + 1);
  }

  /** The button that steps a client's program, or lets time pass until it can take a step. */
  goOn(client: string): Locator {
    return this.program(client).getByTestId("threads").locator("button");
  }

  /** The card of a client's program. */
  program(client: string): Locator {
    return this.stage.page.getByTestId(`program-${client.slice(1)}`);
  }

  /** Marks of the properties of the lesson, `broken` or another word. */
  broken(): Locator {
    return this.stage.page.getByTestId("verdict").locator('[data-mark="broken"]');
  }

  /** The position of the cursor on the track. */
  async moment(): Promise<number> {
    return Number(await this.stage.page.getByTestId("track").inputValue());
  }

  /** Everything on the stage that does not depend on the language: the cursor, the lanes row by row and bar by bar, the
   * * verdict, and the line and variables of each program. */
  async sight(): Promise<object> {
    // A panel whose chunk is still being fetched shows nothing yet.
    await expect(this.stage.page.locator('[aria-busy="true"]')).toHaveCount(0);
    return this.stage.page.evaluate(() => {
      const all = (selector: string, within: ParentNode = document) => [...within.querySelectorAll<HTMLElement>(selector)];
      const place = (element: HTMLElement) => ({ ...element.dataset, style: element.getAttribute("style") });
      const track = document.querySelector<HTMLInputElement>('[data-testid="track"]');
      return {
        cursor: [track?.value, track?.max],
        rows: all('[data-testid="lanes"] [role="option"]').map((row) => ({ ...place(row), selected: row.ariaSelected, arrows: all("[data-fate]", row).map(place) })),
        bars: all('[data-testid="lanes-bars"] [data-kind]').map(place),
        marks: all('[data-testid="verdict"] li[data-mark]').map((item) => item.dataset.mark),
        programs: all('[data-testid="programs"] article').map((card) => ({
          mood: card.dataset.mood,
          // The mark of the current line, before each line with code.
          lines: all('[data-testid="program-lines"] li:has(> code) > span:first-child', card).map((at) => at.textContent),
          locals: all("dl", card).map((locals) => locals.innerText),
        })),
      };
    });
  }

  /** The words on the stage: lanes, verdict, programs and the sentence about the current step. */
  async words(): Promise<string[]> {
    const { page } = this.stage;
    return Promise.all(["lanes", "verdict", "programs", "description"].map((part) => page.getByTestId(part).innerText()));
  }

  /** How much the page is wider than its window, in px. */
  async overflow(): Promise<number> {
    return this.stage.page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  }

  private async goTo(fragment: string): Promise<void> {
    await this.stage.page.goto(this.stage.url(fragment));
  }
}
