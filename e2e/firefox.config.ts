// How the most important tests run in Firefox as its makers ship it, driven by WebDriver BiDi: like those in Chromium, in another browser.
import { defineConfig } from "@playwright/test";
import base from "./playwright.config.ts";
import { firefox } from "./support/firefox.ts";

export default defineConfig({
  ...base,
  // `cargo xtask test firefox` runs `core`; `all` is for looking into a difference between browsers.
  projects: [
    { name: "core", testDir: "./firefox" },
    { name: "all", testDir: "./tests" },
  ],
  use: { ...base.use, ...firefox },
});
