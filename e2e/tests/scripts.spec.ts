// Scripts: the editor, running them as a client, --eval, the scripts stored by the server, and the list of modelled commands.
import type { Locator } from "@playwright/test";
import { violations } from "../support/axe.ts";
import { activeLine } from "../support/editor.ts";
import { expect, test } from "../support/fixtures.ts";
import { SIZES, Stage } from "../support/stage.ts";

const RELEASE = "release.lua";

/** Opens the editor with colours, in a wide window. */
async function openEditor(stage: Stage): Promise<Locator> {
  await stage.page.getByTestId("scripts-toggle").click();
  const text = stage.page.getByTestId("script-text");
  await expect(text).toBeVisible();
  return text;
}

/** Replaces the text of the editor. */
async function write(stage: Stage, text: string): Promise<void> {
  await stage.page.getByTestId("script-text").click();
  await stage.page.keyboard.press("ControlOrMeta+a");
  await stage.page.keyboard.insertText(text);
}

test("the editor is fetched when it is opened, and a script runs as the client that was chosen", async ({ stage }) => {
  const fetched: string[] = [];
  stage.page.on("request", (request) => fetched.push(new URL(request.url()).pathname));
  await stage.open("en");
  expect(fetched.some((path) => path.endsWith("/editor.js"))).toBe(false);
  const text = await openEditor(stage);
  expect(fetched.some((path) => path.endsWith("/editor.js"))).toBe(true);
  await expect(text).toContainText("redis.call");
  await stage.expect("c1", "SET lock:1 token-a", "OK");
  await stage.page.getByTestId("script-client").selectOption("1");
  await stage.page.getByTestId("script-run").click();
  await expect(stage.page.getByTestId("script-outcome")).toContainText("(integer) 1");
  await expect(stage.log("c2")).toContainText("EVAL");
  await expect(stage.log("c2")).toContainText("(integer) 1");
  await stage.expect("c1", "EXISTS lock:1", "(integer) 0");
});

test("Ctrl+Enter runs, and an error stands at its line until the cursor goes back", async ({ stage }) => {
  await stage.open("en");
  await openEditor(stage);
  await write(stage, "local a = 1\nlocal b = 2\nreturn redis.call('nosuch')");
  await stage.page.keyboard.press("Control+Enter");
  const outcome = stage.page.getByTestId("script-outcome");
  await expect(outcome).toContainText("Unknown Redis command called from script");
  await expect(stage.page.getByTestId("editor-fault")).toHaveText("return redis.call('nosuch')");
  await expect(stage.page.getByTestId("editor-says")).toHaveText("Unknown Redis command called from script");
  await stage.page.getByTestId("script-line").click();
  await expect(activeLine(stage.page)).toHaveText("return redis.call('nosuch')");
  await stage.page.getByTestId("back").click();
  await expect(outcome).toContainText("Not sent yet");
  await expect(stage.page.getByTestId("editor-fault")).toHaveCount(0);
});

test("files survive a reload; a new one is named, an altered starter can be restored", async ({ stage }) => {
  await stage.open("en");
  await openEditor(stage);
  await write(stage, "return 'mine'");
  await stage.page.getByTestId("script-keys").fill("k 'two words'");
  await stage.page.getByTestId("script-new").click();
  await write(stage, "return ARGV[1]");
  await stage.page.getByTestId("script-rename").click();
  await stage.page.getByLabel("New name of script.lua").fill("释放 1.lua");
  await stage.page.keyboard.press("Enter");
  await stage.page.getByTestId("script-args").fill("令牌");
  await stage.page.reload();
  const text = stage.page.getByTestId("script-text");
  await expect(text).toContainText("return ARGV[1]");
  await expect(stage.page.getByTestId("script-file")).toHaveValue("释放 1.lua");
  await expect(stage.page.getByTestId("script-args")).toHaveValue("令牌");
  await stage.page.getByTestId("script-file").selectOption(RELEASE);
  await expect(text).toContainText("return 'mine'");
  await expect(stage.page.getByTestId("script-keys")).toHaveValue("k 'two words'");
  await stage.page.getByTestId("script-restore").click();
  await expect(text).toContainText("KEYS[1] is the lock");
  await stage.expect("c1", '--eval "释放 1.lua" , hello', '"hello"');
});

test("--eval sends an EVAL, shows the typed line, and lists the existing files", async ({ stage }) => {
  await stage.open("en");
  await stage.expect("c1", "SET lock:1 token", "OK");
  const line = `redis-cli --eval ${RELEASE} lock:1 , token`;
  await stage.expect("c1", line, "(integer) 1");
  await expect(stage.log("c1")).toContainText(line);
  await expect(stage.page.getByTestId("description")).toContainText("EVAL");
  await stage.expect("c1", "--eval multiply.lua counter", "(integer) 0");
  await stage.prompt("c1").press("ArrowUp");
  await expect(stage.prompt("c1")).toHaveValue("--eval multiply.lua counter");
  await stage.expect("c1", "--eval no.lua k", "Can't open file 'no.lua': No such file or directory");
  await expect(stage.log("c1")).toContainText(RELEASE);
  await stage.prompt("c1").fill("--eval re");
  await stage.prompt("c1").press("Tab");
  await expect(stage.prompt("c1")).toHaveValue(`--eval ${RELEASE} `);
  await stage.expect("c1", "--eval", "Unrecognized option or bad number of args for: '--eval'");
});

test("the scripts stored by the server follow the cursor and open in the editor", async ({ stage }) => {
  await stage.open("en");
  await openEditor(stage);
  const kept = stage.page.getByTestId("script-kept");
  await expect(kept).toContainText("No script in the cache");
  await stage.page.getByTestId("script-load").click();
  const sha = await stage.page.getByTestId("script-sha1").innerText();
  await expect(stage.log("c1")).toContainText(sha);
  await expect(kept).toContainText(sha.slice(0, 8));
  await stage.page.getByTestId("script-sha").click();
  await expect(stage.log("c1")).toContainText("(integer) 0");
  await stage.page.getByTestId("script-file").selectOption("locks.lua");
  await stage.page.getByTestId("script-function-load").click();
  await expect(kept).toContainText("no-writes");
  await stage.page.getByRole("button", { name: "Call FCALL acquire" }).click();
  await expect(stage.page.getByTestId("script-outcome")).toContainText("(integer) 1");
  await stage.page.getByTestId("first").click();
  await expect(kept).toContainText("No script in the cache");
  await stage.page.getByTestId("last").click();
  await expect(kept).toContainText("no-writes");
  await stage.expect("c1", "SCRIPT LOAD 'return  42'", '"');
  await kept.getByRole("button", { name: /[0-9a-f]{8}\.lua/ }).click();
  await expect(stage.page.getByTestId("script-text")).toContainText("return 42");
});

test("without the editor with colours a text area takes its place", async ({ stage }) => {
  await stage.page.route("**/editor.js*", (route) => route.fulfill({ contentType: "text/javascript", body: "throw new Error('not here');" }));
  await stage.open("en");
  await stage.page.getByTestId("scripts-toggle").click();
  const area = stage.page.getByTestId("script-plain");
  await expect(stage.page.getByText("could not be loaded")).toBeVisible();
  await area.fill("local a = 1\nreturn b");
  await area.press("Control+Enter");
  await expect(stage.page.getByTestId("script-outcome")).toContainText("nonexistent global variable 'b'");
  await stage.page.getByTestId("script-line").click();
  expect(await area.evaluate((area: HTMLTextAreaElement) => area.selectionStart)).toBe(12);
  await area.evaluate((area: HTMLTextAreaElement) => {
    area.value = "x".repeat(200_000);
    area.dispatchEvent(new InputEvent("input", { bubbles: true }));
  });
  await expect(stage.page.getByTestId("notice")).toContainText("100,000");
  await expect(area).toHaveValue("local a = 1\nreturn b");
});

test("editor edge cases: ten megabytes, no text at all, an endless script, corrupt storage", async ({ stage }) => {
  await stage.open("en");
  const text = await openEditor(stage);
  await text.evaluate((text) => {
    const data = new DataTransfer();
    data.setData("text/plain", "x".repeat(10 * 1024 * 1024));
    text.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }));
  });
  await expect(stage.page.getByTestId("notice").filter({ hasText: "100,000" })).toBeVisible();
  await expect(text).toContainText("redis.call");
  const choose = (name: string, buffer: Buffer) => stage.page.getByTestId("script-input").setInputFiles({ name, mimeType: "text/plain", buffer });
  await choose("binary.lua", Buffer.from([0, 97, 115, 109, 255, 254]));
  await expect(stage.page.getByTestId("notice").filter({ hasText: "not a text" })).toBeVisible();
  await choose("endless.lua", Buffer.from("while true do end\r\n"));
  await expect(stage.page.getByTestId("script-file")).toHaveValue("endless.lua");
  await stage.page.getByTestId("script-run").click();
  await expect(stage.terminal("c1").getByTestId("blocked")).toBeVisible();
  await expect(stage.page.getByTestId("script-outcome")).toContainText("No answer yet");
  await stage.expect("c2", "PING", "BUSY");
  await stage.expect("c2", "SCRIPT KILL", "OK");
  await expect(stage.page.getByTestId("script-outcome")).toContainText("killed");
  await stage.page.evaluate(() => localStorage.setItem("lockstep.script.spoilt.lua", "lockstep script 1\nkeys"));
  await stage.page.reload();
  await stage.page.getByTestId("script-file").selectOption("spoilt.lua");
  await expect(text).toContainText("lockstep script 1");
});

test("two tabs share their files, and with full storage a text is kept while the page is open", async ({ stage, context }) => {
  await stage.open("en");
  const text = await openEditor(stage);
  const second = new Stage(await context.newPage());
  await second.open("en");
  await expect(second.page.getByTestId("script-text")).toBeVisible();
  await write(second, "return 'from the other tab'");
  await expect(text).toContainText("from the other tab");
  await stage.page.evaluate(() => {
    const set = Storage.prototype.setItem;
    Storage.prototype.setItem = function (key: string, value: string) {
      if (key.startsWith("lockstep.script.")) throw new DOMException("full", "QuotaExceededError");
      set.call(this, key, value);
    };
  });
  await write(stage, "return 'only here'");
  await expect(stage.page.getByTestId("notice").filter({ hasText: "Save it as a file" })).toBeVisible();
  await stage.expect("c1", `--eval ${RELEASE}`, '"only here"');
  await stage.page.reload();
  await expect(text).toContainText("from the other tab");
});

test("a letter typed in the list of files chooses a file and does not move the timeline", async ({ stage }) => {
  await stage.open("en");
  await openEditor(stage);
  await stage.page.getByTestId("script-file").focus();
  await stage.page.keyboard.press("s");
  await expect(stage.page.getByTestId("script-file")).toHaveValue("stock.lua");
  await expect(stage.page.getByTestId("script-text")).toContainText("released");
});

test("keyboard only: into the editor, indent, and out of it again", async ({ stage }) => {
  await stage.open("en");
  const text = await openEditor(stage);
  await stage.page.getByTestId("scripts-close").focus();
  await stage.page.keyboard.press("Tab");
  await expect(text).toBeFocused();
  await stage.page.keyboard.press("ControlOrMeta+Home");
  await stage.page.keyboard.press("Tab");
  await expect(text).toBeFocused();
  await stage.page.keyboard.press("Escape");
  await stage.page.keyboard.press("Tab");
  await expect(text).not.toBeFocused();
  expect(await stage.page.getByTestId("script-side").evaluate((side) => side.contains(document.activeElement))).toBe(true);
});

for (const language of ["en", "zh-CN"] as const) {
  test(`the list of modelled commands opens from an error, from help and by its address (${language})`, async ({ stage }) => {
    const [title, missing] = language === "en" ? ["What is modelled", "not modelled"] : ["支持哪些命令", "没有实现"];
    await stage.open(language);
    await stage.type("c1", "REPLICAOF NO ONE");
    await stage.log("c1").getByRole("link", { name: title }).click();
    const list = stage.page.getByTestId("support-list");
    await expect(list.getByRole("listitem")).toHaveCount(240);
    await expect(list).toContainText(language === "en" ? "Get the value of a key" : "有序集合");
    expect(await violations(stage.page)).toEqual([]);
    await stage.page.getByTestId("support-search").fill("replicaof");
    await expect(list.getByRole("listitem")).toHaveCount(1);
    await expect(list).toContainText(missing);
    await expect(list).toContainText(language === "en" ? "it has no replicas" : "没有副本");
    // The first Escape empties the field, as in every search field.
    await stage.page.keyboard.press("Escape");
    await expect(stage.page.getByTestId("support-search")).toHaveValue("");
    await stage.page.keyboard.press("Escape");
    await expect(list).toBeHidden();
    await stage.page.getByTestId("help").click();
    await stage.page.getByTestId("support-link").click();
    await expect(list).toBeVisible();
    await stage.page.getByTestId("support-only").click();
    expect(await list.getByRole("listitem").count()).toBeLessThan(100);
    await stage.page.goto("about:blank");
    await stage.open(undefined, "#commands");
    await expect(list).toBeVisible();
  });
}

for (const [name, viewport] of Object.entries(SIZES)) {
  for (const scheme of ["light", "dark"] as const) {
    test.describe(() => {
      test.use({ viewport, colorScheme: scheme });
      test(`axe finds no violations in the editor (${name}, ${scheme})`, async ({ stage }) => {
        for (const language of ["en", "zh-CN"] as const) {
          await stage.open(language);
          if (name === "phone") await stage.page.getByTestId("tab-tools").click();
          else if (language === "en") await stage.page.getByTestId("scripts-toggle").click();
          await expect(stage.page.getByTestId("script-text")).toBeVisible();
          await write(stage, "#!lua flags=no-writes\n-- a remark\nlocal a = 12\nreturn KEYS[1] .. 'text' + a");
          await stage.page.getByTestId("script-run").click();
          await expect(stage.page.getByTestId("editor-says")).toBeVisible();
          expect(await violations(stage.page)).toEqual([]);
          const { inner, scroll } = await stage.page.evaluate(() => ({ inner: innerWidth, scroll: document.documentElement.scrollWidth }));
          expect(scroll).toBeLessThanOrEqual(inner);
        }
      });
    });
  }
}
