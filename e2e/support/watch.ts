// Watches a page for events that must never happen: a request to another host, an error in the console, an uncaught error.
import type { Page } from "@playwright/test";

/** Findings so far; the list grows while the page is open. */
export function watch(page: Page): string[] {
  const complaints: string[] = [];
  const home = new URL(process.env.LOCKSTEP_URL ?? "http://127.0.0.1/").host;
  page.on("request", (request) => {
    const url = new URL(request.url());
    const local = url.host === home || ["data:", "blob:", "file:"].includes(url.protocol);
    if (!local) complaints.push(`request to another host: ${request.url()}`);
  });
  page.on("websocket", (socket) => complaints.push(`web socket: ${socket.url()}`));
  page.on("requestfailed", (request) => {
    const why = request.failure()?.errorText ?? "";
    // A page that is left or reloaded cancels its prefetches; Chromium and Firefox have different words for it.
    if (!["net::ERR_ABORTED", "NS_BINDING_ABORTED"].includes(why)) complaints.push(`failed request: ${request.url()} ${why}`);
  });
  page.on("response", (response) => {
    if (response.status() >= 400) complaints.push(`${response.status()}: ${response.url()}`);
  });
  page.on("console", (message) => {
    if (message.type() === "error") complaints.push(`console: ${message.text()}`);
  });
  page.on("pageerror", (error) => complaints.push(`uncaught: ${error.message}`));
  return complaints;
}
