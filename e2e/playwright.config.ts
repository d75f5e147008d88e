// How the tests of the page run: Debian's Chromium, no network but our own server, one worker per core.
import { defineConfig } from "@playwright/test";
import { browser } from "./support/browser.ts";

export default defineConfig({
  testDir: "./tests",
  outputDir: "./test-results",
  globalSetup: "./support/server.ts",
  fullyParallel: true,
  forbidOnly: !!process.env.CI,
  // Waits end as soon as their condition holds; these are limits for a busy machine. There is no
  // retry: a flaky test counts as failed.
  retries: 0,
  workers: 2,
  timeout: 120_000,
  expect: { timeout: 20_000 },
  // Only offline.spec.ts lets a service worker in: elsewhere it would fetch every file of the build, for each test.
  // No trace: writing one takes a third of the time of all tests. To look into a failure, run the test with `--trace on`.
  // The errors of failed tests are at the end of the output.
  reporter: [["list"]],
  use: { ...browser, actionTimeout: 30_000, viewport: { width: 1280, height: 800 }, locale: "en-GB", screenshot: "only-on-failure", serviceWorkers: "block" },
});
