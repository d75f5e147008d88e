// The benches in the browser: one after the other on an idle machine, printing their figures, without retries.
import { defineConfig } from "@playwright/test";
import { browser } from "./support/browser.ts";

export default defineConfig({
  testDir: "./bench",
  testMatch: "*.bench.ts",
  outputDir: "./test-results",
  globalSetup: "./support/server.ts",
  workers: 1,
  retries: 0,
  timeout: 180_000,
  reporter: [["line"]],
  use: { ...browser, viewport: { width: 1280, height: 800 }, locale: "en-GB", serviceWorkers: "block" },
});
