// Actions of a user on the page, and what the user sees; the only place that knows the test ids.
import { expect, type Locator, type Page } from "@playwright/test";

export type Language = "en" | "zh-CN";

/** Supported window sizes: a laptop, a projector, a phone. */
export const SIZES = {
  laptop: { width: 1280, height: 800 },
  projector: { width: 1920, height: 1080 },
  phone: { width: 390, height: 844 },
} as const;

/** Clients are numbered from 0 in the order in which they appeared. */
function place(client: string): number {
  return Number(client.slice(1)) - 1;
}

export class Stage {
  constructor(readonly page: Page) {}

  /** Opens the page, in a language if one is given, and waits until the first prompt can be typed into. */
  async open(language?: Language, fragment = ""): Promise<void> {
    await this.page.goto(this.url(fragment));
    await expect(this.prompt("c1")).toBeVisible();
    if (language) await this.speak(language);
  }

  /** Requests from now on for a chunk of the program that blocked the page; the list grows while the page is open. */
  blockingRequests(): string[] {
    const requests: string[] = [];
    this.page.on("request", (request) => {
      if (request.resourceType() === "xhr") requests.push(request.url());
    });
    return requests;
  }

  /** Waits until the page has fetched everything that it may need later. */
  async fetchedAhead(): Promise<void> {
    await this.page.waitForFunction(() => performance.getEntriesByName("lockstep-fetched").length > 0);
  }

  /** Names of the files that were fetched before the requested page was visible. */
  async firstLoad(): Promise<string[]> {
    await this.page.waitForFunction(() => performance.getEntriesByName("lockstep-settled").length > 0);
    return this.page.evaluate(() => {
      const settled = performance.getEntriesByName("lockstep-settled")[0]?.startTime ?? 0;
      const fetched = performance.getEntriesByType("resource").filter((entry) => entry.startTime < settled);
      return [location.href, ...fetched.map((entry) => entry.name)].map((name) => new URL(name).pathname.split("/class/lockstep/")[1] || "index.html");
    });
  }

  /** The address of the page. */
  url(fragment = ""): string {
    const url = process.env.LOCKSTEP_URL;
    if (!url) throw new Error("LOCKSTEP_URL is set by the global set-up.");
    return url + fragment;
  }

  /** Switches the language by the button in the header, unless it is already active. */
  async speak(language: Language): Promise<void> {
    if ((await this.language()) !== language) await this.page.getByTestId("language").click();
    await expect(this.page.locator("html")).toHaveAttribute("lang", language);
  }

  async language(): Promise<string | null> {
    return this.page.locator("html").getAttribute("lang");
  }

  /** The pane of a client, by its initial name: `c1`, `c2` … */
  terminal(client: string): Locator {
    return this.page.getByTestId(`client-${place(client)}`);
  }

  prompt(client: string): Locator {
    return this.page.getByTestId(`input-${place(client)}`);
  }

  log(client: string): Locator {
    return this.terminal(client).getByRole("log");
  }

  /** Types a line into a client's prompt and presses Enter. */
  async type(client: string, line: string): Promise<void> {
    await this.prompt(client).fill(line);
    await this.prompt(client).press("Enter");
  }

  /** Types a line and waits for what the terminal then shows. */
  async expect(client: string, line: string, reply: string | RegExp): Promise<void> {
    await this.type(client, line);
    await expect(this.log(client)).toContainText(reply);
  }

  /** The link of the map between a client and a node, by their positions from 0. */
  link(client: number, node: number): Locator {
    return this.page.getByTestId(`link-${client}-${node}`);
  }

  /** Chooses in the menu of a link, which then closes: `link-cut` cuts or restores it, `delay-60` makes it slow. */
  async onLink(client: number, node: number, act: string): Promise<void> {
    await this.link(client, node).click();
    await this.page.getByTestId(act).click();
    await expect(this.page.getByTestId(act)).toBeHidden();
  }

  /** Chooses in the menu of a node: `node-crash`, `node-restart`, `node-clock`. */
  async onNode(node: number, act: string): Promise<void> {
    await this.page.getByTestId(`node-${node}`).getByTestId("node-open").click();
    await this.page.getByTestId(act).click();
    await expect(this.page.getByTestId(act)).toBeHidden();
  }

  /** The whole text of a client's terminal, including prompts, as a user would copy it. */
  async transcript(client: string): Promise<string> {
    return this.log(client).innerText();
  }

  /** Saves a picture of the window. */
  async picture(path: string): Promise<void> {
    await this.page.screenshot({ path, animations: "disabled" });
  }
}
