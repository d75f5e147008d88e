// The page that every test gets: watched for requests to other hosts, console errors and uncaught errors.
import { test as base, expect } from "@playwright/test";
import { Stage } from "./stage.ts";
import { watch } from "./watch.ts";

export const test = base.extend<{ stage: Stage }>({
  stage: async ({ page }, use) => {
    const complaints = watch(page);
    await use(new Stage(page));
    expect(complaints, "complaints of the browser").toEqual([]);
  },
});

export { expect };
