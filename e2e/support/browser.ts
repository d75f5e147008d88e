// How the browser is started: the same for tests, benches and screenshots.
import { existsSync } from "node:fs";

const candidates = [process.env.CHROMIUM, "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
const executablePath = candidates.find((path) => path && existsSync(path));
if (!executablePath) throw new Error("No Chromium is installed; `cargo xtask test e2e` installs it, or name it in CHROMIUM.");

export const browser = {
  launchOptions: {
    executablePath,
    args: [
      "--headless",
      "--no-sandbox",
      "--disable-gpu",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ],
  },
};
