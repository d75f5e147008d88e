// How the tests of the page run: Debian's Chromium, no network but our own server, one worker a core.
import { defineConfig } from "@playwright/test";
import { browser } from "./support/browser.ts";

export default defineConfig({
  testDir: "./tests",
  outputDir: "./test-results",
  globalSetup: "./support/server.ts",
  fullyParallel: true,
  forbidOnly: !!process.env.CI,
  // Waits end when what they wait for is there; these are bounds for a machine that is busy with other things. There is no
  // second try: a test that fails sometimes has failed.
  retries: 0,
  workers: 2,
  timeout: 120_000,
  expect: { timeout: 20_000 },
  // No trace: writing one takes a third of the time of all tests. To look into a failure, run the test with `--trace on`.
  // What a failed test complained of stands at the end of what is printed.
  reporter: [["list"]],
  use: { ...browser, actionTimeout: 30_000, viewport: { width: 1280, height: 800 }, locale: "en-GB", screenshot: "only-on-failure" },
});
