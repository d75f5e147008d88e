// How Firefox is started: the program of the system, not a build of Playwright's.
import { existsSync } from "node:fs";

const candidates = [process.env.FIREFOX, "/usr/bin/firefox-esr", "/usr/bin/firefox"];
const executablePath = candidates.find((path) => path && existsSync(path));
if (!executablePath) throw new Error("No Firefox is installed; `cargo xtask test firefox` installs it, or name it in FIREFOX.");

/** The channel `moz-firefox` speaks WebDriver BiDi; without it Playwright expects its own build of Firefox. */
export const firefox = { browserName: "firefox", channel: "moz-firefox", launchOptions: { executablePath } } as const;
