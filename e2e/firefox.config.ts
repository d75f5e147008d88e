// How the most important tests run in Firefox as its makers ship it: Playwright drives it by WebDriver BiDi. No retry here either.
import { defineConfig } from "@playwright/test";
import { firefox } from "./support/firefox.ts";

export default defineConfig({
  outputDir: "./test-results",
  globalSetup: "./support/server.ts",
  fullyParallel: true,
  forbidOnly: !!process.env.CI,
  retries: 0,
  workers: 2,
  timeout: 120_000,
  expect: { timeout: 20_000 },
  reporter: [["list"]],
  // `cargo xtask test firefox` runs `core`; `all` is for looking into a difference between browsers.
  projects: [
    { name: "core", testDir: "./firefox" },
    { name: "all", testDir: "./tests" },
  ],
  use: { ...firefox, actionTimeout: 30_000, viewport: { width: 1280, height: 800 }, locale: "en-GB", screenshot: "only-on-failure" },
});
