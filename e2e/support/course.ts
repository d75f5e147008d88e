// What a person does with the course and sees of it.
import { expect, type Locator } from "@playwright/test";
import type { Language, Stage } from "./stage.ts";

export class Course {
  constructor(readonly stage: Stage) {}

  /** Opens the map of the course and waits for its lessons. */
  async openMap(language?: Language): Promise<void> {
    await this.goTo("#learn");
    await expect(this.stage.page.getByTestId("continue")).toBeVisible();
    if (language) await this.stage.speak(language);
  }

  /** Brings the panel of this name to the front of its region. */
  async show(panel: string): Promise<void> {
    await this.stage.page.getByTestId(`panel-${panel}`).click();
  }

  /** Opens a lesson, `locks/setnx`, and waits until its stage stands. */
  async open(lesson: string, language?: Language): Promise<void> {
    await this.goTo(`#learn/${lesson}`);
    await expect(this.lesson()).toBeVisible();
    if (language) await this.stage.speak(language);
  }

  /** The card of a lesson on the map. */
  card(lesson: string): Locator {
    return this.stage.page.getByTestId(`lesson-${lesson.replace("/", "-")}`);
  }

  /** The text of the open lesson. */
  lesson(): Locator {
    return this.stage.page.getByTestId("lesson");
  }

  /** The pane of a lesson's client, `c1` …; number 0 on its stage has set it up and left. */
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

  /** By how much the page is wider than its window, in px. */
  async overflow(): Promise<number> {
    return this.stage.page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  }

  private async goTo(fragment: string): Promise<void> {
    await this.stage.page.goto(this.stage.url(fragment));
  }
}
